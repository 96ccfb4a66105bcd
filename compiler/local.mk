## SPDX-License-Identifier: GPL-3.0-or-later
## SPDX-FileCopyrightText: nfacc contributors
# The compiler as a library, without command line and without targets.
noinst_LTLIBRARIES += libcompile.la
libcompile_la_LIBTOOLFLAGS = --silent
libcompile_la_LDFLAGS = $(SAN_CFLAGS) $(COV_CFLAGS)
libcompile_la_SOURCES = \
	compiler/coherence/beliefs.c compiler/coherence/beliefs.h \
	compiler/coherence/coherence.c compiler/coherence/coherence.h \
	compiler/coherence/compose.c compiler/coherence/compose.h \
	compiler/coherence/compose_check.c \
	compiler/coherence/effect.c compiler/coherence/effect.h \
	compiler/coherence/keep.c compiler/coherence/keep.h \
	compiler/coherence/print.c compiler/coherence/print.h compiler/coherence/print_int.h \
	compiler/coherence/print_only.c compiler/coherence/print_states.c \
	compiler/coherence/orbit.c \
	compiler/coherence/rules.c compiler/coherence/rules_int.h \
	compiler/coherence/score.c compiler/coherence/score.h \
	compiler/coherence/size.c compiler/coherence/size.h compiler/coherence/state.h \
	compiler/coherence/states.c compiler/coherence/states.h compiler/coherence/stuck.c \
	compiler/coherence/symmetry.c compiler/coherence/symmetry.h \
	compiler/coherence/system.h compiler/coherence/tables.c \
	compiler/coherence/unfold.c compiler/coherence/unfold.h \
	compiler/guard.c compiler/guard.h compiler/lower.c compiler/lower.h \
	compiler/lower_int.h compiler/lower_machine.c compiler/lower_pred.c compiler/lower_terms.c \
	compiler/pipeline.c \
	compiler/pipeline.h compiler/stage.h compiler/stage_automaton.c compiler/stage_lower.c \
	compiler/stage_parse.c compiler/stage_prove.c \
	compiler/project.c compiler/project.h \
	compiler/question.c compiler/question.h compiler/targets.h \
	compiler/warn.c compiler/warn.h compiler/warn_anchored.c compiler/warn_machine.c \
	compiler/proof/counterexample.c compiler/proof/counterexample.h compiler/proof/derive.c \
	compiler/proof/joint.c compiler/proof/joint.h compiler/proof/registers.c \
	compiler/proof/registers.h \
	compiler/proof/reference.c compiler/proof/reference.h compiler/proof/reference_int.h \
	compiler/proof/source_machine.c compiler/proof/source_pred.c compiler/proof/verify.c \
	compiler/proof/verify.h

# The same with all targets. nfacc and the tests link it.
noinst_LTLIBRARIES += libnfacc.la
libnfacc_la_SOURCES = compiler/targets.c
libnfacc_la_LIBADD = libcompile.la libetmproof.la libbackends.la libsparse.la libmap.la libir.la \
	libgrammar.la \
	libdesc.la libcontract.la libsupport.la

# The same with the target "none" alone, which does not need igraph: a module that nfarun
# opens for -e.
pkglib_LTLIBRARIES += nfacc-filter.la
nfacc_filter_la_SOURCES = compiler/module.c
nfacc_filter_la_LIBADD = libcompile.la libetmproof.la libsparse.la libir.la libgrammar.la \
	libdesc.la libcontract.la \
	libsupport.la
nfacc_filter_la_LIBTOOLFLAGS = --silent
nfacc_filter_la_LDFLAGS = $(SAN_CFLAGS) $(COV_CFLAGS) -module -avoid-version -shared -no-undefined \
	-export-symbols-regex '^nfacc_filter_'

bin_PROGRAMS += nfacc
nfacc_SOURCES = compiler/main.c $(nfacc_commands)
# The command line of nfacc. genoptions links it too, because it reads the table of options.
nfacc_commands = \
	compiler/options.c compiler/options.h compiler/options_check.c compiler/options_check.h \
	compiler/options_take.c compiler/options_take.h compiler/options_take_rate.c \
	compiler/command/bounds.c compiler/command/bounds.h \
	compiler/command/cmd_ask.c compiler/command/cmd_compile.c \
	compiler/command/cores.c compiler/command/cores.h \
	compiler/command/cmd_emit_overlay.c compiler/command/cmd_estimate.c \
	compiler/command/cmd_fit.c \
	compiler/command/cmd_inspect.c compiler/command/cmd_list.c \
	compiler/command/cmd_map_graph.c compiler/command/cmd_registers.c \
	compiler/command/command.c compiler/command/command.h \
	compiler/command/core.c compiler/command/core.h compiler/command/files.c \
	compiler/command/files.h \
	compiler/command/wrong_input.c compiler/command/wrong_input.h compiler/command/output.c \
	compiler/command/output.h compiler/command/rate.c compiler/command/rate.h \
	compiler/command/stats.c compiler/command/stats.h
nfacc_LDADD = libdissector.la libtapverilog.la libetmbound.la libetmproof.la libnfacc.la

# Taps of protocols in Verilog.
noinst_LTLIBRARIES += libtapverilog.la
libtapverilog_la_SOURCES = compiler/tap/tap_bind.c compiler/tap/tap_ports.c \
	compiler/tap/tap_memory.c compiler/tap/tap_memory.h \
	compiler/tap/tap_ports.h compiler/tap/tap_rails.c compiler/tap/tap_rails.h \
	compiler/tap/tap_verilog.c compiler/tap/tap_verilog.h

# Dissectors of protocols for Wireshark.
noinst_LTLIBRARIES += libdissector.la
libdissector_la_SOURCES = compiler/dissector/colour_rules.c compiler/dissector/dissector.c \
	compiler/dissector/dissector.h
nodist_libdissector_la_SOURCES = compiler/dissector/dissector_code.c

# What all dissectors have, as a C string without its licence.
compiler/dissector/dissector_code.c: compiler/dissector/dissector.lua
	$(AM_V_GEN)$(MKDIR_P) compiler/dissector && { \
		echo '#include "compiler/dissector/dissector.h"' && \
		echo 'const char dissector_code[] =' && \
		sed '1,2d; s/\\/\\\\/g; s/"/\\"/g; s/.*/\t"&\\n"/' $(srcdir)/compiler/dissector/dissector.lua && \
		echo ';'; } >$@.tmp
	$(AM_V_at)mv $@.tmp $@
CLEANFILES += compiler/dissector/dissector_code.c
EXTRA_DIST += compiler/dissector/dissector.lua
