## SPDX-License-Identifier: GPL-3.0-or-later
## SPDX-FileCopyrightText: nfacc contributors
noinst_LTLIBRARIES += libir.la
libir_la_LIBTOOLFLAGS = --silent
libir_la_LDFLAGS = $(SAN_CFLAGS) $(COV_CFLAGS)
libir_la_SOURCES = \
	ir/alphabet.c ir/alphabet.h ir/build.c ir/build.h ir/counter.c ir/diagram.c ir/diagram.h \
	ir/header_tests.c ir/header_tests.h ir/image_letters.c ir/image_letters.h ir/machine.c ir/machine.h \
	ir/nfa.c ir/nfa.h ir/nfa_text.c \
	ir/partition.c \
	ir/partition.h ir/pred.c ir/pred.h ir/pred_print.c ir/pred_logic.c ir/pred_logic.h ir/retap.c ir/retap.h \
	ir/shape.c ir/shape.h ir/spec.c ir/spec.h
# Passes.
libir_la_SOURCES += \
	ir/pass/always.c ir/pass/epsilon.c ir/pass/homogenise.c ir/pass/join.c ir/pass/local_search.c \
	ir/pass/merge.c ir/pass/passes.c \
	ir/pass/passes.h ir/pass/reduce.c ir/pass/reduce.h ir/pass/share.c \
	ir/pass/simulate.c ir/pass/simulation.c ir/pass/simulation.h ir/pass/split.c \
	ir/pass/split.h ir/pass/symbols.c ir/pass/symbols.h ir/pass/trim.c
# Homogeneous automata as bit matrices.
libir_la_SOURCES += ir/dense/dense.c ir/dense/dense.h
# Repetitions as counters.
libir_la_SOURCES += \
	ir/count/count.c ir/count/count.h ir/count/count_form.c ir/count/count_form.h \
	ir/count/count_make.c ir/count/count_make.h ir/count/count_print.c ir/count/count_prove.c \
	ir/count/count_prove.h
# Equivalence.
libir_la_SOURCES += \
	ir/decide/decide.c ir/decide/decide.h ir/decide/decide_batch.c ir/decide/decide_config.c \
	ir/decide/decide_congruence.c ir/decide/decide_int.h ir/decide/decide_local.c \
	ir/decide/decide_quotient.c ir/decide/decide_reverse.c ir/decide/decide_set.c \
	ir/decide/decide_side.c ir/decide/machine_decide.c ir/decide/machine_decide.h \
	ir/decide/nfa_run.c
