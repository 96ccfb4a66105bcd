## SPDX-License-Identifier: BSD-2-Clause
## SPDX-FileCopyrightText: nfacc contributors
# Tests of nfamem.
TESTS += probes/memory/tests/allocate.test probes/memory/tests/attach.test probes/memory/tests/bugs.test \
	probes/memory/tests/filters.test probes/memory/tests/handover.test \
	probes/memory/tests/modules.test probes/memory/tests/nfamem.test \
	probes/memory/tests/cases.test probes/memory/tests/counts.test \
	probes/memory/tests/check.test probes/memory/tests/leak.test \
	probes/memory/tests/locals.test probes/memory/tests/lost.test \
	probes/memory/tests/grounds.test \
	probes/memory/tests/race.test probes/memory/tests/reports.test \
	probes/memory/tests/stacks.test
full_tests += probes/memory/tests/cases.test probes/memory/tests/locals.test probes/memory/tests/stacks.test
EXTRA_DIST += probes/memory/tests/attach probes/memory/tests/attach.test \
	probes/memory/tests/counts.test \
	probes/memory/tests/allocate probes/memory/tests/allocate.test \
	probes/memory/tests/bugs.test probes/memory/tests/cases probes/memory/tests/cases.test \
	probes/memory/tests/filters.test probes/memory/tests/frames.test \
	probes/memory/tests/grounds.test \
	probes/memory/tests/handover.c \
	probes/memory/tests/handover.test probes/memory/tests/interrupted.c \
	probes/memory/tests/check.test probes/memory/tests/leak.test \
	probes/memory/tests/leaks.c probes/memory/tests/locals.py \
	probes/memory/tests/locals.test probes/memory/tests/lost.test \
	probes/memory/tests/modules probes/memory/tests/modules.test \
	probes/memory/tests/nfamem.test probes/memory/tests/programs \
	probes/memory/tests/quiet.test \
	probes/memory/tests/race.test probes/memory/tests/races \
	probes/memory/tests/reports.py probes/memory/tests/reports.test \
	probes/memory/tests/stacks.test \
	probes/memory/tests/streams \
	probes/memory/tests/streams.py probes/memory/bench

# Measures the cost of nfamem and of other tools. Takes some minutes.
bench-mem: all
	@SRCDIR='$(abs_srcdir)' CC='$(CC)' python3 -B $(srcdir)/probes/memory/bench/bench_mem.py
phony += bench-mem

# What nfamem, helgrind and -fsanitize=thread say about programs with and without races.
bench-races: all
	@SRCDIR='$(abs_srcdir)' BUILDDIR='$(abs_builddir)' sh $(srcdir)/probes/memory/bench/races.sh
phony += bench-races

# What nfamem, memcheck and the sanitizers of gcc find of the bugs in cases/, as a table.
bench-cases: all
	@SRCDIR='$(abs_srcdir)' BUILDDIR='$(abs_builddir)' sh $(srcdir)/probes/memory/bench/cases.sh \
		--table nfamem memcheck asan tsan
phony += bench-cases

long_tests += probes/memory/tests/cases.test probes/memory/tests/debian-programs.test probes/memory/tests/leak.test \
	probes/memory/tests/attach.test probes/memory/tests/locals.test probes/memory/tests/lost.test
long_settings += NFACC_ATTACH=100 NFACC_CASES_TABLE=2 NFACC_LEAK_SEEDS=1000 NFACC_LOCALS_SEEDS=100 NFACC_LOST=100
EXTRA_DIST += probes/memory/tests/debian-programs.test

# Tests of the preloaded library alone. The test programs are built without sanitizers, as those of
# users are.
EXTRA_DIST += probes/memory/tests/engines.test probes/memory/tests/programs.test \
	probes/memory/tests/follow.test probes/memory/tests/traps
if NFAMEM
if !SANITIZE
check_PROGRAMS += probes/memory/tests/operands
TESTS += probes/memory/tests/operands
TESTS += probes/memory/tests/engines.test probes/memory/tests/follow.test \
	probes/memory/tests/programs.test
full_tests += probes/memory/tests/follow.test
check_PROGRAMS += probes/memory/tests/watch probes/memory/tests/access \
	probes/memory/tests/access-fixed
endif
endif
probes_memory_tests_operands_SOURCES = probes/memory/inside/decode.c \
	probes/memory/inside/decode.h probes/memory/inside/inside.h probes/memory/inside/raw.h \
	probes/memory/tests/operands.c testsuite/unit/tap.h
probes_memory_tests_operands_CPPFLAGS = -D_GNU_SOURCE $(AM_CPPFLAGS)
probes_memory_tests_operands_CFLAGS = -std=gnu11 $(WARN_CFLAGS) -O2
probes_memory_tests_watch_SOURCES = probes/memory/reader/channel.h probes/memory/tests/watch.c
probes_memory_tests_access_SOURCES = probes/memory/tests/access.c probes/memory/tests/access.h \
	probes/memory/tests/lanes.c probes/memory/tests/neighbours.c probes/memory/tests/strings.c
probes_memory_tests_access_LDFLAGS = -Wl,-z,lazy
probes_memory_tests_access_fixed_SOURCES = probes/memory/tests/access.c \
	probes/memory/tests/access.h \
	probes/memory/tests/lanes.c probes/memory/tests/neighbours.c probes/memory/tests/strings.c
probes_memory_tests_access_fixed_CFLAGS = $(AM_CFLAGS) -fno-pie
probes_memory_tests_access_fixed_LDFLAGS = -no-pie -Wl,-z,lazy

# The memory accesses of a program: invented channels, read in the order of their stamps.
if NFAMEM
check_PROGRAMS += probes/memory/tests/order
probes_memory_tests_order_SOURCES = \
	probes/memory/tests/order.c probes/memory/tests/random.h testsuite/setting.h \
	testsuite/unit/tap.h
probes_memory_tests_order_LDADD = libmemory.la libnfart.la
TESTS += probes/memory/tests/order
long_tests += probes/memory/tests/order
long_settings += NFACC_ORDER_SEEDS=3000
check_PROGRAMS += probes/memory/tests/race
probes_memory_tests_race_SOURCES = \
	probes/memory/tests/race.c probes/memory/tests/random.h testsuite/setting.h \
	testsuite/unit/tap.h
probes_memory_tests_race_LDADD = libmemory.la libnfart.la
TESTS += probes/memory/tests/race
long_tests += probes/memory/tests/race
long_settings += NFACC_RACE_SEEDS=20000
check_PROGRAMS += probes/memory/tests/frames
probes_memory_tests_frames_SOURCES = probes/memory/tests/frames.c
probes_memory_tests_frames_LDADD = libmemory.la libnfart.la
TESTS += probes/memory/tests/frames.test
check_PROGRAMS += probes/memory/tests/places
probes_memory_tests_places_SOURCES = \
	probes/memory/tests/places.c probes/memory/tests/random.h testsuite/setting.h \
	testsuite/unit/tap.h
probes_memory_tests_places_LDADD = libmemory.la libnfart.la
TESTS += probes/memory/tests/places
long_tests += probes/memory/tests/places
long_settings += NFACC_PLACES_SEEDS=1000
check_PROGRAMS += probes/memory/tests/messages
probes_memory_tests_messages_SOURCES = \
	probes/memory/tests/messages.c probes/memory/tests/random.h testsuite/setting.h \
	testsuite/unit/tap.h
probes_memory_tests_messages_LDADD = libmemory.la libnfart.la
TESTS += probes/memory/tests/messages
long_tests += probes/memory/tests/messages
long_settings += NFACC_MESSAGES_SEEDS=300
check_PROGRAMS += probes/memory/tests/quiet
probes_memory_tests_quiet_SOURCES = \
	probes/memory/tests/quiet.c probes/memory/tests/random.h testsuite/setting.h \
	testsuite/unit/tap.h
probes_memory_tests_quiet_LDADD = libmemory.la libnfart.la
TESTS += probes/memory/tests/quiet.test
long_tests += probes/memory/tests/quiet.test
long_settings += NFACC_QUIET_SEEDS=300
endif
