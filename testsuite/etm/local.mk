## SPDX-License-Identifier: GPL-3.0-or-later
## SPDX-FileCopyrightText: nfacc contributors
# Register values of trace units, and what they mean.
etmsim_regs = testsuite/etm/regs.h testsuite/setting.h testsuite/unit/tap.h
check_PROGRAMS += testsuite/etm/readings
testsuite_etm_readings_SOURCES = testsuite/etm/readings.c $(etmsim_regs)
testsuite_etm_readings_LDADD = libnfacc.la
check_PROGRAMS += testsuite/etm/inspect
testsuite_etm_inspect_SOURCES = testsuite/etm/draw.h testsuite/etm/inspect.c $(etmsim_regs)
testsuite_etm_inspect_LDADD = libnfacc.la
check_PROGRAMS += testsuite/etm/damage
testsuite_etm_damage_SOURCES = testsuite/etm/damage.c
testsuite_etm_damage_LDADD = libetmproof.la libnfacc.la
TESTS += testsuite/etm/readings testsuite/etm/inspect
EXTRA_DIST += testsuite/etm/regs testsuite/etm/sysfs_model.c

# What regulators let through, beside the closed forms of small periods.
EXTRA_PROGRAMS += testsuite/bench/bench_bound
testsuite_bench_bench_bound_SOURCES = testsuite/bench/bench_bound.c testsuite/etm/regs.h
testsuite_bench_bench_bound_LDADD = libetmbound.la libetmproof.la libnfacc.la libnfart.la
bench-bound: testsuite/bench/bench_bound$(EXEEXT)
	@SRCDIR=$(srcdir) testsuite/bench/bench_bound
phony += bench-bound

# How many selectors regulators take, and how long compiling takes.
EXTRA_PROGRAMS += testsuite/bench/bench_etm_map
testsuite_bench_bench_etm_map_SOURCES = testsuite/bench/bench_etm_map.c testsuite/bench/measure.h
testsuite_bench_bench_etm_map_LDADD = libnfacc.la libetmproof.la libsupport.la
bench-etm-map: testsuite/bench/bench_etm_map$(EXEEXT)
	@testsuite/bench/bench_etm_map$(EXEEXT) $(srcdir)
phony += bench-etm-map
