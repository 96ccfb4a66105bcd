## SPDX-License-Identifier: GPL-3.0-or-later
## SPDX-FileCopyrightText: nfacc contributors
# The model of the trace macrocell, and what is made on it.
check_PROGRAMS += probes/etm/tests/macrocell
probes_etm_tests_macrocell_SOURCES = probes/etm/tests/macrocell.c $(etmsim_regs)
probes_etm_tests_macrocell_LDADD = libetm_model.la
TESTS += probes/etm/tests/macrocell

# A core that it regulates.
etmsim_experiment = probes/etm/tests/experiment.c probes/etm/tests/experiment.h $(etmsim_regs)
etm_beside = probes/etm/tests/beside.c probes/etm/tests/beside.h $(etmsim_experiment)
check_PROGRAMS += probes/etm/tests/regulation
probes_etm_tests_regulation_SOURCES = probes/etm/tests/regulation.c $(etm_beside)
probes_etm_tests_regulation_LDADD = libetm_model.la
TESTS += probes/etm/tests/regulation

# What the model predicts, beside what the paper says; figures 6 to 8 where gnuplot is there.
EXTRA_PROGRAMS += probes/etm/bench/bench_etm
probes_etm_bench_bench_etm_SOURCES = probes/etm/bench/bench_etm.c $(etmsim_experiment) \
	probes/etm/tests/slowdown.c probes/etm/tests/slowdown.h
probes_etm_bench_bench_etm_LDADD = libetm_model.la
bench-etm: probes/etm/bench/bench_etm$(EXEEXT)
	@SRCDIR=$(srcdir) probes/etm/bench/bench_etm .
	@if command -v gnuplot >/dev/null; then \
		gnuplot $(srcdir)/probes/etm/bench/etm.gp && \
			echo "drawn in bench-etm-6.svg to bench-etm-8.svg"; \
	else \
		echo "not drawn, since there is no gnuplot; the numbers are in bench-etm-*.dat"; fi
CLEANFILES += bench-etm-6.dat bench-etm-7.dat bench-etm-8.dat bench-etm-6.svg bench-etm-7.svg \
	bench-etm-8.svg
EXTRA_DIST += probes/etm/bench/etm.gp
phony += bench-etm

# MemGuard beside it: doc/use/memguard.md.
EXTRA_PROGRAMS += probes/etm/bench/bench_memguard
probes_etm_bench_bench_memguard_SOURCES = probes/etm/bench/bench_memguard.c $(etm_beside) \
	probes/etm/tests/slowdown.c probes/etm/tests/slowdown.h
probes_etm_bench_bench_memguard_LDADD = libetm_model.la
bench-memguard: probes/etm/bench/bench_memguard$(EXEEXT)
	@SRCDIR=$(srcdir) probes/etm/bench/bench_memguard
phony += bench-memguard

# The program that measures a board, on the model; and for Linux, where it is only compiled.
check_PROGRAMS += probes/etm/tests/selftest probes/etm/board/selftest
probes_etm_tests_selftest_SOURCES = \
	probes/etm/tests/selftest.c probes/etm/board/selftest.h testsuite/unit/tap.h
probes_etm_tests_selftest_LDADD = libetm_model.la
probes_etm_board_selftest_SOURCES = probes/etm/board/selftest.c probes/etm/board/selftest.h
TESTS += probes/etm/tests/selftest

# The tool.
TESTS += probes/etm/tests/etmsim.test
EXTRA_DIST += probes/etm/tests/etmsim.test

# The handlers of the interrupt that nfacc makes, on the model. handlers.inc has one for each
# regulator, by its own name; the macro renames the function.
handled = pr pr13 tb31 tb22 tb13 tb31-exact
probes/etm/tests/handlers.inc: nfacc$(EXEEXT)
	@$(MKDIR_P) probes/etm/tests
	$(AM_V_GEN)for f in $(handled); do \
		n=`echo $$f | tr - _` && echo "#undef nfacc_etm_handler" && \
		echo "#define nfacc_etm_handler handler_$$n" && \
		./nfacc --target etm4:a53 $(srcdir)/examples/etm/$$f.re -Dbudget=7 -Dperiod=97 \
			--emit=handler && \
		./nfacc --target etm4:a53 $(srcdir)/examples/etm/$$f.re -Dbudget=7 -Dperiod=97 \
			--emit=json >probes/etm/tests/$$f.json || exit 1; \
	done >$@.tmp
	@echo 'static const struct {' >>$@.tmp; echo '	const char *name;' >>$@.tmp; \
	echo '	int (*handler)(void *etm, void *cti);' >>$@.tmp; echo '} handlers[] = {' >>$@.tmp; \
	for f in $(handled); do n=`echo $$f | tr - _`; \
		echo "	{ \"$$f\", handler_$$n }," >>$@.tmp; done; echo '};' >>$@.tmp; mv $@.tmp $@
check_PROGRAMS += probes/etm/tests/handler
probes_etm_tests_handler_SOURCES = probes/etm/tests/handler.c testsuite/setting.h \
	testsuite/unit/tap.h
nodist_probes_etm_tests_handler_SOURCES = probes/etm/tests/handlers.inc
probes_etm_tests_handler_LDADD = libetm_model.la
probes/etm/tests/handler.$(OBJEXT): probes/etm/tests/handlers.inc
TESTS += probes/etm/tests/handler
CLEANFILES += probes/etm/tests/handlers.inc probes/etm/tests/pr.json probes/etm/tests/pr13.json \
	probes/etm/tests/tb31.json probes/etm/tests/tb22.json probes/etm/tests/tb13.json \
	probes/etm/tests/tb31-exact.json

# Random machines: the source against the registers. check-long runs more of them for longer.
check_PROGRAMS += probes/etm/tests/machines
probes_etm_tests_machines_SOURCES = \
	probes/etm/tests/machines.c probes/etm/tests/random_machine.c \
	probes/etm/tests/random_machine.h testsuite/setting.h testsuite/unit/tap.h
probes_etm_tests_machines_LDADD = libnfacc.la libetm_model.la libnfart.la
TESTS += probes/etm/tests/machines
long_tests += probes/etm/tests/machines
long_settings += NFACC_COMPILED=1000 NFACC_COMPILED_CYCLES=1000000

# Registers of trace units: decoded beside the model, compared beside a walk over everything.
check_PROGRAMS += testsuite/property/etm
testsuite_property_etm_SOURCES = testsuite/etm/draw.h testsuite/property/etm.c testsuite/setting.h \
	testsuite/unit/tap.h
testsuite_property_etm_LDADD = libetmproof.la libetm_model.la
TESTS += testsuite/property/etm
long_tests += testsuite/property/etm
long_settings += NFACC_MACHINES=20000

# Bounds of regulators beside an exhaustive search.
check_PROGRAMS += testsuite/property/bound
testsuite_property_bound_SOURCES = \
	testsuite/property/bound.c testsuite/etm/regs.h testsuite/setting.h testsuite/unit/tap.h
testsuite_property_bound_LDADD = libetmbound.la libetmproof.la libetm_model.la libnfacc.la \
	libnfart.la
TESTS += testsuite/property/bound
long_tests += testsuite/property/bound
long_settings += NFACC_TRIALS=20000

# Several cores that throttle each other: headers and handlers of --cores, on the model.
gangs = pr pr13 tb22
probes/etm/tests/cores.inc: nfacc$(EXEEXT) $(gangs:%=$(srcdir)/examples/etm/%.re)
	@$(MKDIR_P) probes/etm/tests
	$(AM_V_GEN)for f in $(gangs); do \
		o="--target etm4:a53 $(srcdir)/examples/etm/$$f.re -Dbudget=5 -Dperiod=397 --cores 4" && \
		./nfacc $$o --emit=header && echo "#undef nfacc_etm_handler" && \
		echo "#define nfacc_etm_handler all_$$f" && ./nfacc $$o --emit=handler || exit 1; \
	done >$@.tmp
	@echo 'static const struct program {' >>$@.tmp; echo '	const char *name;' >>$@.tmp; \
	echo '	int (*connect)(unsigned core, volatile uint32_t *cti);' >>$@.tmp; \
	echo '	int (*load)(unsigned core, volatile uint32_t *etm);' >>$@.tmp; \
	echo '	int (*handler)(void *const etm[], void *cti);' >>$@.tmp; \
	echo '} programs[] = {' >>$@.tmp; \
	for f in $(gangs); do \
		echo "	{ \"$$f\", etm_$${f}_connect, etm_$${f}_load, all_$$f }," >>$@.tmp; done; \
	echo '};' >>$@.tmp; mv $@.tmp $@
check_PROGRAMS += probes/etm/tests/cores
probes_etm_tests_cores_SOURCES = probes/etm/tests/cores.c testsuite/setting.h testsuite/unit/tap.h
nodist_probes_etm_tests_cores_SOURCES = probes/etm/tests/cores.inc
probes_etm_tests_cores_LDADD = libetm_model.la
probes/etm/tests/cores.$(OBJEXT): probes/etm/tests/cores.inc
TESTS += probes/etm/tests/cores
long_tests += probes/etm/tests/cores
long_settings += NFACC_GANGS=100
CLEANFILES += probes/etm/tests/cores.inc
