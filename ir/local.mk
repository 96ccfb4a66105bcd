noinst_LTLIBRARIES += libir.la liboracle.la
libir_la_SOURCES = \
	ir/always.c ir/build.c ir/build.h ir/count.c ir/count.h ir/count_form.c ir/count_form.h \
	ir/count_make.c ir/count_make.h ir/count_print.c ir/count_prove.c ir/count_prove.h ir/counter.c \
	ir/decide.c ir/decide.h ir/decide_batch.c ir/decide_config.c ir/decide_congruence.c \
	ir/decide_int.h ir/decide_local.c ir/decide_set.c ir/decide_side.c ir/dense.c ir/dense.h \
	ir/epsilon.c ir/homogenise.c ir/join.c ir/letters.c ir/letters.h ir/merge.c ir/nfa.c ir/nfa.h \
	ir/nfa_run.c ir/nfa_text.c ir/partition.c ir/partition.h ir/passes.c ir/passes.h ir/pred.c \
	ir/pred.h ir/pred_logic.c ir/pred_logic.h ir/reduce.c ir/reduce.h ir/retap.c ir/retap.h \
	ir/search.c ir/share.c ir/simulate.c ir/simulation.c ir/simulation.h ir/spec.c ir/spec.h \
	ir/split.c ir/split.h ir/trim.c

# The reference matcher: for tests only.
liboracle_la_SOURCES = ir/oracle.c ir/oracle.h ir/oracle_copy.c ir/oracle_copy.h
