## SPDX-License-Identifier: BSD-2-Clause
## SPDX-FileCopyrightText: nfacc contributors
# The memory accesses of a running program.
TESTS += testsuite/process/bugs.test testsuite/process/filters.test
EXTRA_DIST += testsuite/process/bugs.test testsuite/process/filters.test \
	testsuite/process/streams.py testsuite/process/streams \
	testsuite/process/programs testsuite/bench/mem

# What nfamem costs beside others; it takes some minutes.
bench-mem: all
	@SRCDIR='$(abs_srcdir)' CC='$(CC)' python3 -B $(srcdir)/testsuite/bench/mem/bench_mem.py
phony += bench-mem
