## SPDX-License-Identifier: BSD-2-Clause
## SPDX-FileCopyrightText: nfacc contributors
rtldir = $(pkgdatadir)/rtl
dist_rtl_DATA = \
	rtl/nfacc_axil.v rtl/nfacc_chain.v rtl/nfacc_clock.v rtl/nfacc_collect.v \
	rtl/nfacc_contract.vh rtl/nfacc_control.v rtl/nfacc_copies.v rtl/nfacc_counter.v \
	rtl/nfacc_counter_array.v rtl/nfacc_crc32c.v rtl/nfacc_decode.v rtl/nfacc_decode_bank.v \
	rtl/nfacc_decode_rows.v rtl/nfacc_decode_ste.v rtl/nfacc_engine.v rtl/nfacc_fifo.v \
	rtl/nfacc_gate.v rtl/nfacc_inject.v rtl/nfacc_lines.v rtl/nfacc_links.v \
	rtl/nfacc_loader.v rtl/nfacc_lut4x2.v rtl/nfacc_lut5.v rtl/nfacc_match.v rtl/nfacc_nfa.v \
	rtl/nfacc_recode.v rtl/nfacc_record.v rtl/nfacc_reduce.v rtl/nfacc_regs.v \
	rtl/nfacc_rowmem.v rtl/nfacc_shadow.v rtl/nfacc_ste.v rtl/nfacc_ste_array.v \
	rtl/nfacc_store.v rtl/nfacc_tables.v rtl/nfacc_tap.v rtl/nfacc_test_mask.v \
	rtl/nfacc_test_range.v rtl/nfacc_tick.v rtl/nfacc_trigger.v rtl/nfacc_window.v
# The front end that gives snoops their virtual addresses.
dist_rtl_DATA += \
	rtl/virt_contract.vh rtl/virt_counters.v rtl/virt_front.v rtl/virt_helper.v \
	rtl/virt_listener.v rtl/virt_logger.v rtl/virt_messages.v rtl/virt_regs.v rtl/virt_rtlb.v \
	rtl/virt_stalker.v rtl/virt_watchdog.v rtl/virt_window.v
dist_rtl_DATA += rtl/nfacc.core rtl/package.tcl
rtlexampledir = $(pkgdatadir)/rtl/example
dist_rtlexample_DATA = \
	rtl/example/nfacc_blocks.v rtl/example/nfacc_example.v \
	rtl/example/nfacc_example_pin.v rtl/example/nfacc_example_virtual.v \
	rtl/example/nfacc_time.v
rtlsimdir = $(pkgdatadir)/rtl/sim
dist_rtlsim_DATA = rtl/sim/engine.gtkw rtl/sim/model.cpp rtl/sim/model.h rtl/sim/xilinx.v
