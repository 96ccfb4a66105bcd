## SPDX-License-Identifier: BSD-2-Clause
## SPDX-FileCopyrightText: nfacc contributors
# A folder a case, with a filter, its trace and its output: people read them, tests run them, and
# they are installed in the same folders.
nobase_dist_pkgdata_DATA = examples/README.md examples/blocks/blocks.bt \
	examples/blocks/blocks.out examples/blocks/blocks.re examples/bytes/bytes.opt \
	examples/bytes/bytes.out examples/bytes/bytes.raw examples/bytes/bytes.re \
	examples/checks/checks.bt examples/checks/checks.opt examples/checks/checks.out \
	examples/checks/checks.re examples/cocotb/Makefile examples/cocotb/slave.v \
	examples/cocotb/slave_top.v examples/cocotb/test_master.py \
	examples/cocotb/test_slave.py examples/coherence/ace.bt examples/coherence/ace.vcd \
	examples/coherence/rocket.fst examples/coherence/rocket-keeps.fst \
	examples/coherence/tilelink.bt examples/coherence/tilelink.vcd examples/coherence/eci.coh examples/coherence/moesi-tables.coh \
	examples/handover/handover.bt examples/handover/handover.opt \
	examples/handover/handover.out examples/handover/handover.re examples/hang/hang.bt \
	examples/hang/hang.opt examples/hang/hang.out examples/hang/hang.re examples/hot/hot.bt \
	examples/hot/hot.opt examples/hot/hot.out examples/hot/hot.re \
	examples/inflight/inflight.bt examples/inflight/inflight.out \
	examples/inflight/inflight.re examples/inflight/inflight.yaml \
	examples/inflight/inflight.yaml.cc examples/invalidation/invalidation.bt \
	examples/invalidation/invalidation.opt examples/invalidation/invalidation.out \
	examples/invalidation/invalidation.re examples/messages/messages.bt \
	examples/joins/joins.proto examples/joins/joins.bt examples/joins/joins.opt \
	examples/joins/joins.out examples/joins/joins.re examples/joins/joins.re.cc \
	examples/messages/messages.out examples/messages/messages.re examples/misses/misses.bt \
	examples/misses/misses.opt examples/misses/misses.out examples/misses/misses.re \
	examples/programs/count.c examples/programs/filter.c examples/programs/matches.c \
	examples/range/range.bt examples/range/range.out examples/range/range.re \
	examples/slow/slow.bt examples/slow/slow.opt examples/slow/slow.out examples/slow/slow.re \
	examples/slow/slow.re.cc examples/snoop/snoop.bt examples/snoop/snoop.coh \
	examples/snoop/snoop.proto examples/stall/stall.bt examples/stall/stall.out \
	examples/stall/stall.re examples/tilelink/tilelink.coh examples/tilelink/tilelink.proto \
	examples/transaction/transaction.bt examples/transaction/transaction.opt \
	examples/transaction/transaction.out examples/transaction/transaction.re \
	examples/transaction/transaction.re.cc examples/trigger/trigger.bt \
	examples/trigger/trigger.opt examples/trigger/trigger.out examples/trigger/trigger.proto \
	examples/trigger/trigger.re examples/trigger/trigger.re.cc \
	examples/unanswered/unanswered.bt examples/unanswered/unanswered.opt \
	examples/unanswered/unanswered.out examples/unanswered/unanswered.re \
	examples/unanswered/unanswered.re.cc examples/watchdog/watchdog.bt \
	examples/watchdog/watchdog.opt examples/watchdog/watchdog.out \
	examples/watchdog/watchdog.re examples/watchdog/watchdog.re.cc
nobase_dist_pkgdata_DATA += examples/litex/engine.ov examples/litex/firmware.ld \
	examples/litex/firmware.mk examples/litex/handed.re examples/litex/main.c \
	examples/litex/nfacc_litex.py examples/litex/soc.py examples/litex/start.S
nobase_dist_pkgdata_SCRIPTS = examples/demo.sh examples/make-traces.sh

if COMPILER
TESTS += testsuite/examples.test
endif
EXTRA_DIST += testsuite/examples.test

# Regulators and triggers for the trace unit of a core (nfacc --target etm4:CORE).
nobase_dist_pkgdata_DATA += examples/etm/count32.re examples/etm/pr-always.re \
	examples/etm/pr-stop.re examples/etm/pr-user.re examples/etm/pr.re examples/etm/pr13.re \
	examples/etm/strobing.re examples/etm/tb13.re examples/etm/tb22.re \
	examples/etm/tb31-exact.re examples/etm/tb31.re examples/etm/trigger.re

# What a program does with its memory that it should not do.
nobase_dist_pkgdata_DATA += examples/mem/beyond.re examples/mem/debian.supp \
	examples/mem/double-free.re \
	examples/mem/load-before-store.re examples/mem/lock.re examples/mem/order.re \
	examples/mem/race.re examples/mem/ring.re examples/mem/use-after-free.re

# A program to be traced.
EXTRA_DIST += examples/virtual/canny.c

# Buses: filters for the rules of their standards, and a design that speaks them.
nobase_dist_pkgdata_DATA += examples/memory/memory.fst examples/memory/memory.v
nobase_dist_pkgdata_DATA += examples/bus/ahb-lite.bt examples/bus/ahb-lite.out \
	examples/bus/ahb-lite.re examples/bus/apb.bt examples/bus/apb.out examples/bus/apb.re \
	examples/bus/axi4.bt examples/bus/axi4.out examples/bus/axi4.re \
	examples/bus/axi4-exclusive.bt examples/bus/axi4-exclusive.out \
	examples/bus/axi4-exclusive.re examples/bus/axi4-lite.bt examples/bus/axi4-lite.out \
	examples/bus/axi4-lite.re examples/bus/axi-stream.bt examples/bus/axi-stream.out \
	examples/bus/axi-stream.re examples/bus/broken.vcd examples/bus/bus.vcd \
	examples/bus/bus_ahb.v examples/bus/bus_apb.v examples/bus/bus_axi4.v \
	examples/bus/bus_lite.v examples/bus/bus_stream.v examples/bus/bus_tb.v \
	examples/bus/bus_tilelink.v examples/bus/bus_wishbone.v examples/bus/tilelink-ul.bt \
	examples/bus/tilelink-ul.out examples/bus/tilelink-ul.re examples/bus/wishbone.bt \
	examples/bus/wishbone.out examples/bus/wishbone.re
nobase_dist_pkgdata_SCRIPTS += examples/bus/make-waves.sh
if COMPILER
TESTS += testsuite/buses.test
endif
EXTRA_DIST += testsuite/buses.test
