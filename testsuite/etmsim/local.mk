## SPDX-License-Identifier: GPL-3.0-or-later
## SPDX-FileCopyrightText: nfacc contributors
# The model of the trace macrocell, and what is made on it.
etmsim_regs = testsuite/etmsim/regs.h testsuite/setting.h testsuite/unit/tap.h
check_PROGRAMS += testsuite/etmsim/macrocell
testsuite_etmsim_macrocell_SOURCES = testsuite/etmsim/macrocell.c $(etmsim_regs)
testsuite_etmsim_macrocell_LDADD = libetm_model.la
TESTS += testsuite/etmsim/macrocell
EXTRA_DIST += testsuite/etmsim/regs
