## SPDX-License-Identifier: GPL-3.0-or-later
## SPDX-FileCopyrightText: nfacc contributors
# The front end: the filter language and the YAML form.
noinst_LTLIBRARIES += libgrammar.la
libgrammar_la_LIBTOOLFLAGS = --silent
libgrammar_la_LDFLAGS = $(SAN_CFLAGS) $(COV_CFLAGS)
libgrammar_la_SOURCES = \
	grammar/ast.c grammar/ast.h grammar/ast_codes.c grammar/ast_machine.c \
	grammar/ast_machine.h grammar/ast_match.c grammar/ast_match.h grammar/ast_print.c \
	grammar/check.c grammar/check.h grammar/check_expr.c grammar/check_guard.c \
	grammar/check_keys.c grammar/check_machine.c grammar/check_places.c grammar/check_warn.c \
	grammar/coherence/coh.h grammar/coherence/coh_check.c \
	grammar/coherence/coh_home.c grammar/coherence/coh_int.h \
	grammar/coherence/coh_part.c grammar/coherence/coh_rule.c \
	grammar/coherence/coh_equal.c grammar/coherence/coh_meet.c \
	grammar/coherence/coh_node.c grammar/coherence/coh_text.c \
	grammar/front.c grammar/front.h grammar/describe/joint.c grammar/describe/joint.h \
	grammar/param.c grammar/parse.h grammar/parse_tree.c grammar/suggest.c grammar/yaml.c
nodist_libgrammar_la_SOURCES = grammar/re_parse.c grammar/re_scan.c
libgrammar_la_CPPFLAGS = $(AM_CPPFLAGS) $(YAML_CFLAGS)
libgrammar_la_LIBADD = $(YAML_LIBS)
EXTRA_DIST += grammar/re.l grammar/re.y

# These rules run Bison and Flex, because automake's own rules would name both outputs re.c.
grammar/re_parse.c: grammar/re.y
	$(AM_V_YACC)$(MKDIR_P) grammar && \
		$(YACC) -Wall -Werror --header=grammar/re.h -o $@ $(srcdir)/grammar/re.y
grammar/re.h: grammar/re_parse.c
	@test -f $@
grammar/re_scan.c: grammar/re.l
	$(AM_V_LEX)$(MKDIR_P) grammar && $(LEX) -o $@ $(srcdir)/grammar/re.l
BUILT_SOURCES += grammar/re.h
CLEANFILES += grammar/re.h grammar/re_parse.c grammar/re_scan.c
