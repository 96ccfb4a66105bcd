// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// The files of the engine, relative to this folder. The Makefile, nfamodel and package.tcl read
// this list, and a test compares nfacc.core with it. Their include nfacc_contract.vh is in this folder.
engine/nfacc_axil.v
engine/nfacc_control.v
engine/nfacc_engine.v
engine/nfacc_loader.v
engine/nfacc_regs.v
engine/nfacc_shadow.v
nfa/nfacc_collect.v
nfa/nfacc_counter.v
nfa/nfacc_counter_array.v
nfa/nfacc_decode.v
nfa/nfacc_decode_bank.v
nfa/nfacc_decode_rows.v
nfa/nfacc_decode_ste.v
nfa/nfacc_gate.v
nfa/nfacc_lines.v
nfa/nfacc_match.v
nfa/nfacc_nfa.v
nfa/nfacc_ste.v
nfa/nfacc_ste_array.v
stream/nfacc_clock.v
stream/nfacc_copies.v
stream/nfacc_inject.v
stream/nfacc_recode.v
stream/nfacc_record.v
stream/nfacc_reduce.v
stream/nfacc_store.v
stream/nfacc_tap.v
stream/nfacc_test_mask.v
stream/nfacc_test_range.v
stream/nfacc_tick.v
stream/nfacc_trigger.v
stream/nfacc_window.v
prim/nfacc_chain.v
prim/nfacc_crc32c.v
prim/nfacc_fifo.v
prim/nfacc_links.v
prim/nfacc_lut4x2.v
prim/nfacc_lut5.v
prim/nfacc_rowmem.v
prim/nfacc_tables.v
