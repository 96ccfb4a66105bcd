## SPDX-License-Identifier: GPL-3.0-or-later
## SPDX-FileCopyrightText: nfacc contributors
# Unit tests, one suite a module; and what an image or the pipeline must survive.
check_PROGRAMS += testsuite/unit/unit testsuite/unit/damage testsuite/unit/allocfail
testsuite_unit_unit_SOURCES = \
	testsuite/unit/alphabet.c testsuite/unit/checks.c testsuite/unit/clock.c \
	testsuite/unit/coherence.c \
	testsuite/unit/contract.c testsuite/unit/crc.c testsuite/unit/diag.c \
	testsuite/unit/engine.c testsuite/unit/escape.c testsuite/unit/formats.c \
	testsuite/unit/guards.c \
	testsuite/unit/hash.c testsuite/unit/heads.c \
	testsuite/unit/interface.c testsuite/unit/kept.c testsuite/unit/machine_decide.c testsuite/unit/mapped.c \
	testsuite/unit/maps.c \
	testsuite/unit/optimise.c testsuite/unit/origin.c testsuite/unit/overlay.c \
	testsuite/unit/pack.c testsuite/unit/partition.c testsuite/unit/passes.c \
	testsuite/unit/payload.c testsuite/unit/pred.c testsuite/unit/proto.c testsuite/unit/rows.c testsuite/unit/support.c \
	testsuite/unit/tap_code.c testsuite/unit/thesis.c testsuite/unit/unit.c testsuite/unit/unit.h \
	testsuite/unit/verify.c \
	testsuite/unit/window.c
testsuite_unit_unit_CPPFLAGS = $(AM_CPPFLAGS) $(CHECK_CFLAGS)
testsuite_unit_unit_LDADD = libnfacc.la libnfart.la $(CHECK_LIBS)
testsuite_unit_damage_SOURCES = testsuite/unit/damage.c testsuite/unit/tap.h
testsuite_unit_damage_LDADD = libnfacc.la libnfart.la
testsuite_unit_allocfail_SOURCES = \
	testsuite/unit/allocfail.c testsuite/unit/allocfail.h testsuite/unit/allocfail_jobs.c \
	testsuite/unit/allocfail_map.c testsuite/unit/allocfail_traces.c \
	testsuite/unit/allocfail_waves.c testsuite/unit/tap.h
testsuite_unit_allocfail_LDADD = libnfacc.la librun.la libnfart.la
testsuite_unit_allocfail_LDFLAGS = $(AM_LDFLAGS) \
	-Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=strdup,--wrap=aligned_alloc
TESTS += testsuite/unit/unit testsuite/unit/damage testsuite/unit/allocfail
full_tests += testsuite/unit/allocfail
