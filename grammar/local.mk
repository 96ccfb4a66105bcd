# Descriptions of protocols and overlays: no parser generator, no GPL, used by nfagen too.
noinst_LTLIBRARIES += libdesc.la libgrammar.la
libdesc_la_SOURCES = \
	grammar/builtin.c grammar/builtin.h \
	grammar/desc.c grammar/desc.h \
	grammar/overlay_text.c grammar/overlay_text.h \
	grammar/proto_text.c grammar/proto_text.h \
	grammar/reserved.c grammar/reserved.h
nodist_libdesc_la_SOURCES = grammar/builtin_data.c

protocoldir = $(pkgdatadir)/protocols
dist_protocol_DATA = protocols/bytes.proto protocols/eci.proto protocols/eci-coherence.proto
overlaydir = $(pkgdatadir)/overlays
dist_overlay_DATA = \
	overlays/blue.ov overlays/counters.ov overlays/default.ov overlays/green.ov overlays/orange.ov overlays/red.ov \
	overlays/rings4.ov overlays/table8-300.ov overlays/table8-4.ov overlays/table8-4x128.ov \
	overlays/violet.ov overlays/yellow.ov

grammar/builtin_data.c: build-aux/builtin.sh $(dist_protocol_DATA) $(dist_overlay_DATA)
	$(AM_V_GEN)$(MKDIR_P) grammar && cd $(srcdir) && sh build-aux/builtin.sh \
		$(dist_protocol_DATA) $(dist_overlay_DATA) >$(abs_builddir)/$@.tmp
	$(AM_V_at)mv $@.tmp $@
CLEANFILES += grammar/builtin_data.c

# The filter language and the YAML form.
libgrammar_la_SOURCES = \
	grammar/ast.c grammar/ast.h grammar/ast_codes.c grammar/ast_print.c \
	grammar/check.c grammar/check.h grammar/check_expr.c grammar/check_places.c \
	grammar/front.c grammar/front.h \
	grammar/parse.h grammar/suggest.c grammar/yaml.c
nodist_libgrammar_la_SOURCES = grammar/re_parse.c grammar/re_scan.c
libgrammar_la_CPPFLAGS = $(AM_CPPFLAGS) $(YAML_CFLAGS)
libgrammar_la_LIBADD = $(YAML_LIBS)
EXTRA_DIST += grammar/re.l grammar/re.y

# Both generators by hand: automake would name both outputs re.c.
grammar/re_parse.c: grammar/re.y
	$(AM_V_YACC)$(MKDIR_P) grammar && $(YACC) -Wall -Werror --header=grammar/re.h -o $@ $(srcdir)/grammar/re.y
grammar/re.h: grammar/re_parse.c
	@test -f $@
grammar/re_scan.c: grammar/re.l
	$(AM_V_LEX)$(MKDIR_P) grammar && $(LEX) -o $@ $(srcdir)/grammar/re.l
BUILT_SOURCES += grammar/re.h
CLEANFILES += grammar/re.h grammar/re_parse.c grammar/re_scan.c
