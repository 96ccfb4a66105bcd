## SPDX-License-Identifier: GPL-3.0-or-later
## SPDX-FileCopyrightText: nfacc contributors
# The model of the trace macrocell, and what is made on it.
etmsim_regs = testsuite/etmsim/regs.h testsuite/setting.h testsuite/unit/tap.h
check_PROGRAMS += testsuite/etmsim/macrocell
testsuite_etmsim_macrocell_SOURCES = testsuite/etmsim/macrocell.c $(etmsim_regs)
testsuite_etmsim_macrocell_LDADD = libetm_model.la
TESTS += testsuite/etmsim/macrocell

# A core that it regulates.
etmsim_experiment = testsuite/etmsim/experiment.c testsuite/etmsim/experiment.h $(etmsim_regs)
check_PROGRAMS += testsuite/etmsim/regulation
testsuite_etmsim_regulation_SOURCES = testsuite/etmsim/regulation.c $(etmsim_experiment)
testsuite_etmsim_regulation_LDADD = libetm_model.la
TESTS += testsuite/etmsim/regulation

# What the model predicts, beside what the paper says; figures 6 to 8 where gnuplot is there.
EXTRA_PROGRAMS += testsuite/bench/bench_etm
testsuite_bench_bench_etm_SOURCES = testsuite/bench/bench_etm.c $(etmsim_experiment) \
	testsuite/etmsim/slowdown.c testsuite/etmsim/slowdown.h
testsuite_bench_bench_etm_LDADD = libetm_model.la
bench-etm: testsuite/bench/bench_etm$(EXEEXT)
	@SRCDIR=$(srcdir) testsuite/bench/bench_etm .
	@if command -v gnuplot >/dev/null; then \
		gnuplot $(srcdir)/testsuite/bench/etm.gp && \
			echo "drawn in bench-etm-6.svg to bench-etm-8.svg"; \
	else \
		echo "not drawn, since there is no gnuplot; the numbers are in bench-etm-*.dat"; fi
CLEANFILES += bench-etm-6.dat bench-etm-7.dat bench-etm-8.dat bench-etm-6.svg bench-etm-7.svg \
	bench-etm-8.svg
EXTRA_DIST += testsuite/bench/etm.gp
phony += bench-etm
EXTRA_DIST += testsuite/etmsim/regs

# What regulators let through, beside the closed forms of small periods.
EXTRA_PROGRAMS += testsuite/bench/bench_bound
testsuite_bench_bench_bound_SOURCES = testsuite/bench/bench_bound.c testsuite/etmsim/regs.h
testsuite_bench_bench_bound_LDADD = libetmbound.la libetmproof.la libnfacc.la libnfart.la
bench-bound: testsuite/bench/bench_bound$(EXEEXT)
	@SRCDIR=$(srcdir) testsuite/bench/bench_bound
phony += bench-bound

# The tool.
TESTS += testsuite/etmsim/etmsim.test
EXTRA_DIST += testsuite/etmsim/etmsim.test

# How many selectors regulators take, and how long compiling takes.
EXTRA_PROGRAMS += testsuite/bench/bench_etm_map
testsuite_bench_bench_etm_map_SOURCES = testsuite/bench/bench_etm_map.c testsuite/bench/measure.h
testsuite_bench_bench_etm_map_LDADD = libnfacc.la libetmproof.la libsupport.la
bench-etm-map: testsuite/bench/bench_etm_map$(EXEEXT)
	@testsuite/bench/bench_etm_map$(EXEEXT) $(srcdir)
phony += bench-etm-map

# The handlers of the interrupt that nfacc makes, on the model. handlers.inc has one for each
# regulator, by its own name; the macro renames the function.
handled = pr pr13 tb31 tb22 tb13 tb31-exact
testsuite/etmsim/handlers.inc: nfacc$(EXEEXT)
	@$(MKDIR_P) testsuite/etmsim
	$(AM_V_GEN)for f in $(handled); do \
		n=`echo $$f | tr - _` && echo "#undef nfacc_etm_handler" && \
		echo "#define nfacc_etm_handler handler_$$n" && \
		./nfacc --target etm4:a53 $(srcdir)/examples/etm/$$f.re -Dbudget=7 -Dperiod=97 \
			--emit=handler && \
		./nfacc --target etm4:a53 $(srcdir)/examples/etm/$$f.re -Dbudget=7 -Dperiod=97 \
			--emit=json >testsuite/etmsim/$$f.json || exit 1; \
	done >$@.tmp
	@echo 'static const struct {' >>$@.tmp; echo '	const char *name;' >>$@.tmp; \
	echo '	int (*handler)(void *etm, void *cti);' >>$@.tmp; echo '} handlers[] = {' >>$@.tmp; \
	for f in $(handled); do n=`echo $$f | tr - _`; \
		echo "	{ \"$$f\", handler_$$n }," >>$@.tmp; done; echo '};' >>$@.tmp; mv $@.tmp $@
check_PROGRAMS += testsuite/etmsim/handler
testsuite_etmsim_handler_SOURCES = testsuite/etmsim/handler.c testsuite/setting.h testsuite/unit/tap.h
nodist_testsuite_etmsim_handler_SOURCES = testsuite/etmsim/handlers.inc
testsuite_etmsim_handler_LDADD = libetm_model.la
testsuite/etmsim/handler.$(OBJEXT): testsuite/etmsim/handlers.inc
TESTS += testsuite/etmsim/handler
CLEANFILES += testsuite/etmsim/handlers.inc testsuite/etmsim/pr.json testsuite/etmsim/pr13.json \
	testsuite/etmsim/tb31.json testsuite/etmsim/tb22.json testsuite/etmsim/tb13.json \
	testsuite/etmsim/tb31-exact.json

# Random machines: the source against the registers. check-long runs more of them for longer.
check_PROGRAMS += testsuite/etmsim/machines
testsuite_etmsim_machines_SOURCES = \
	testsuite/etmsim/machines.c testsuite/etmsim/random_machine.c \
	testsuite/etmsim/random_machine.h testsuite/setting.h testsuite/unit/tap.h
testsuite_etmsim_machines_LDADD = libnfacc.la libetm_model.la libnfart.la
TESTS += testsuite/etmsim/machines
long_tests += testsuite/etmsim/machines
long_settings += NFACC_COMPILED=1000 NFACC_COMPILED_CYCLES=1000000
