## SPDX-License-Identifier: GPL-3.0-or-later
## SPDX-FileCopyrightText: nfacc contributors
# Register values of trace units, and what they mean.
check_PROGRAMS += testsuite/etm/readings
testsuite_etm_readings_SOURCES = testsuite/etm/readings.c $(etmsim_regs)
testsuite_etm_readings_LDADD = libnfacc.la
check_PROGRAMS += testsuite/etm/inspect
testsuite_etm_inspect_SOURCES = testsuite/etm/draw.h testsuite/etm/inspect.c $(etmsim_regs)
testsuite_etm_inspect_LDADD = libnfacc.la
TESTS += testsuite/etm/readings testsuite/etm/inspect
