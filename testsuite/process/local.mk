## SPDX-License-Identifier: BSD-2-Clause
## SPDX-FileCopyrightText: nfacc contributors
# The memory accesses of a running program.
TESTS += testsuite/process/allocate.test testsuite/process/bugs.test \
	testsuite/process/filters.test testsuite/process/handover.test \
	testsuite/process/modules.test testsuite/process/nfamem.test
EXTRA_DIST += testsuite/process/allocate testsuite/process/allocate.test \
	testsuite/process/bugs.test testsuite/process/filters.test testsuite/process/handover.c \
	testsuite/process/handover.test testsuite/process/interrupted.c \
	testsuite/process/modules testsuite/process/modules.test \
	testsuite/process/nfamem.test testsuite/process/programs testsuite/process/streams \
	testsuite/process/streams.py testsuite/bench/mem

# What nfamem costs beside others; it takes some minutes.
bench-mem: all
	@SRCDIR='$(abs_srcdir)' CC='$(CC)' python3 -B $(srcdir)/testsuite/bench/mem/bench_mem.py
phony += bench-mem

# The library inside a program, alone. Programs without sanitizers run in it, as its users' do.
EXTRA_DIST += testsuite/process/engines.test testsuite/process/programs.test \
	testsuite/process/follow.test testsuite/process/traps
if NFAMEM
if !SANITIZE
TESTS += testsuite/process/engines.test testsuite/process/follow.test \
	testsuite/process/programs.test
check_PROGRAMS += testsuite/process/watch testsuite/process/access testsuite/process/access-fixed
endif
endif
testsuite_process_watch_SOURCES = sources/process/channel.h testsuite/process/watch.c
testsuite_process_access_SOURCES = testsuite/process/access.c testsuite/process/access.h \
	testsuite/process/neighbours.c testsuite/process/strings.c
testsuite_process_access_LDFLAGS = -Wl,-z,lazy
testsuite_process_access_fixed_SOURCES = testsuite/process/access.c testsuite/process/access.h \
	testsuite/process/neighbours.c testsuite/process/strings.c
testsuite_process_access_fixed_CFLAGS = $(AM_CFLAGS) -fno-pie
testsuite_process_access_fixed_LDFLAGS = -no-pie -Wl,-z,lazy
