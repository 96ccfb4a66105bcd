// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// Made from rtl/contract.def by rtl/gencontract.c; `make check` compares. Do not edit.
`ifndef NFACC_CONTRACT_VH
`define NFACC_CONTRACT_VH
`define NFACC_CONTRACT_VERSION 32'd1

// Configuration elements: id in the configuration words.
`define NFACC_EL_MATCH 32'd1 // row memory, per row (slot and opcode): bit s: the predicate of STE s names this slot and opcode
`define NFACC_EL_DECODE 32'd2 // chain, per STE and slot: bit k: the predicate names opcode k in this slot
`define NFACC_EL_BANK 32'd3 // row memory, per row (slot and opcode): bit k: shared decoder k names this slot and opcode
`define NFACC_EL_SELECT 32'd4 // chain, per STE: the shared decoder this STE listens to
`define NFACC_EL_NONE 32'd5 // chain, per STE: the predicate's mode is None: the complement of Any
`define NFACC_EL_BANK_NONE 32'd6 // chain, per shared decoder: the shared decoder's mode is None
`define NFACC_EL_PRED_MASK 32'd7 // chain, per STE: bit i: predecessor i is one in the NFA
`define NFACC_EL_PRED_LUT 32'd8 // chain, per STE: per five predecessors the truth table of the OR over those that count
`define NFACC_EL_START 32'd9 // chain, per STE: active before the first batch
`define NFACC_EL_ALWAYS 32'd10 // chain, per STE: a predecessor counts as active before every batch
`define NFACC_EL_LABEL 32'd11 // chain, per STE: bit l: the state accepts with label l
`define NFACC_EL_LOG 32'd12 // chain, per STE: the state logs
`define NFACC_EL_BY_LINE 32'd16 // register, once: 1: substreams, one copy for each line
`define NFACC_EL_BASE 32'd17 // register, once: index of the first line observed
`define NFACC_EL_COUNT 32'd18 // register, once: lines observed
`define NFACC_EL_WINDOW_SIZE 32'd19 // register, once: the window, in batches
`define NFACC_EL_LIMIT 32'd20 // register, once: stop after so many batches; 0: never
`define NFACC_EL_LOSS_RESET 32'd21 // register, once: 1: a loss puts copies back to start

// Values of overlay parameters.
`define NFACC_DECODER_ROWS 0
`define NFACC_DECODER_STE 1
`define NFACC_DECODER_BANK 2
`define NFACC_PREDECESSORS_MASK 0
`define NFACC_PREDECESSORS_LUT5 1

// Widths of the registers.
`define NFACC_WIDTH_BY_LINE 1
`define NFACC_WIDTH_BASE 64
`define NFACC_WIDTH_COUNT 64
`define NFACC_WIDTH_WINDOW_SIZE 64
`define NFACC_WIDTH_LIMIT 64
`define NFACC_WIDTH_LOSS_RESET 1
`endif
