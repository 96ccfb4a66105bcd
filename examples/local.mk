## SPDX-License-Identifier: BSD-2-Clause
## SPDX-FileCopyrightText: nfacc contributors
# Filters with their traces and outputs: people read them, tests run them, and they are installed.
examplesdir = $(pkgdatadir)/examples
dist_examples_DATA = examples/README.md \
	examples/blocks.bt examples/blocks.out examples/blocks.re \
	examples/bytes.opt examples/bytes.out examples/bytes.raw examples/bytes.re \
	examples/checks.bt examples/checks.opt examples/checks.out examples/checks.re \
	examples/count.c examples/eci.coh \
	examples/handover.bt examples/handover.opt examples/handover.out examples/handover.re \
	examples/hang.bt examples/hang.opt examples/hang.out examples/hang.re \
	examples/hot.bt examples/hot.opt examples/hot.out examples/hot.re \
	examples/inflight.bt examples/inflight.out examples/inflight.re examples/inflight.yaml \
	examples/inflight.yaml.cc examples/filter.c \
	examples/invalidation.bt examples/invalidation.opt examples/invalidation.out \
	examples/invalidation.re \
	examples/matches.c \
	examples/messages.bt examples/messages.out examples/messages.re \
	examples/moesi-tables.coh \
	examples/misses.bt examples/misses.opt examples/misses.out examples/misses.re \
	examples/range.bt examples/range.out examples/range.re \
	examples/slow.bt examples/slow.opt examples/slow.out examples/slow.re examples/slow.re.cc \
	examples/stall.bt examples/stall.out examples/stall.re \
	examples/tilelink.coh examples/tilelink.proto \
	examples/transaction.bt examples/transaction.opt examples/transaction.out \
	examples/transaction.re examples/transaction.re.cc \
	examples/trigger.bt examples/trigger.opt examples/trigger.out examples/trigger.proto \
	examples/trigger.re examples/trigger.re.cc \
	examples/unanswered.bt examples/unanswered.opt examples/unanswered.out \
	examples/unanswered.re examples/unanswered.re.cc \
	examples/watchdog.bt examples/watchdog.opt examples/watchdog.out \
	examples/watchdog.re examples/watchdog.re.cc
dist_examples_SCRIPTS = examples/demo.sh examples/make-traces.sh

if COMPILER
TESTS += testsuite/examples.test
endif
EXTRA_DIST += testsuite/examples.test

# Regulators and triggers for the trace unit of a core (nfacc --target etm4:CORE).
examplesetmdir = $(pkgdatadir)/examples/etm
dist_examplesetm_DATA = \
	examples/etm/count32.re examples/etm/pr-always.re examples/etm/pr-stop.re \
	examples/etm/pr-user.re examples/etm/pr.re examples/etm/pr13.re examples/etm/strobing.re \
	examples/etm/tb13.re examples/etm/tb22.re examples/etm/tb31-exact.re examples/etm/tb31.re \
	examples/etm/trigger.re

# What a program does with its memory that it should not do.
examplesmemdir = $(pkgdatadir)/examples/mem
dist_examplesmem_DATA = \
	examples/mem/beyond.re examples/mem/double-free.re examples/mem/load-before-store.re \
	examples/mem/lock.re examples/mem/order.re examples/mem/race.re examples/mem/ring.re \
	examples/mem/use-after-free.re

# A program to be traced.
EXTRA_DIST += examples/virtual/canny.c
