// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// bench_nfa: nfacc_nfa alone, for the overlay in nfacc_overlay.vh. The benchmark synthesises this
// module to measure what an NFA costs.
`default_nettype none
`include "nfacc_contract.vh"
module bench_nfa #(
	`include "nfacc_overlay.vh"
	,
	parameter XILINX = 0,    // 0: portable models, 1: primitives of the device
	// 1: all inputs have registers, so that paths from the inputs are timed, too.
	parameter REGISTERED = 0
) (
	input wire clk,
	input wire rst,
	input wire in_valid,
	input wire in_restart,
	input wire [NSLOTS-1:0] in_present,
	input wire [NSLOTS*ROW_BITS-1:0] in_letter,
	input wire [NSLOTS*LINE_BITS-1:0] in_line,
	input wire [LINES-1:0] used,
	output wire out_valid,
	output wire out_restart,
	output wire [LABELS-1:0] out_labels,
	output wire out_log,
	output wire [(NAMES > 0 ? 4 + NAMES * (LINE_BITS + LABELS) : 1)-1:0] out_names,
	input wire cfg_clear,
	input wire cfg_row_we,
	input wire [CODE_BITS-1:0] cfg_code,
	input wire [LANE_BITS-1:0] cfg_lane,
	input wire [`NFACC_DEVICE_IDS] cfg_shift,
	input wire [DATA-1:0] cfg_data
);
	localparam NAME_BITS = NAMES > 0 ? 4 + NAMES * (LINE_BITS + LABELS) : 1;
	localparam INPUTS = 5 + NSLOTS * (1 + ROW_BITS + LINE_BITS) + LINES + CODE_BITS +
		LANE_BITS + DATA;
	wire [INPUTS-1:0] in = {rst, in_valid, in_restart, in_present, in_letter, in_line,
		used, cfg_clear, cfg_row_we, cfg_code, cfg_lane, cfg_data};
	wire [INPUTS-1:0] held;
	wire [`NFACC_DEVICE_IDS] now_shift;
	generate
		if (REGISTERED != 0) begin : g_registered
			reg [INPUTS-1:0] held_q;
			reg [`NFACC_DEVICE_IDS] shift_q;
			always @(posedge clk) begin
				held_q <= in;
				shift_q <= cfg_shift;
			end
			assign held = held_q;
			assign now_shift = shift_q;
		end else begin : g_wires
			assign held = in;
			assign now_shift = cfg_shift;
		end
	endgenerate
	wire now_rst, now_valid, now_restart, now_clear, now_row_we;
	wire [NSLOTS-1:0] now_present;
	wire [NSLOTS*ROW_BITS-1:0] now_letter;
	wire [NSLOTS*LINE_BITS-1:0] now_line;
	wire [LINES-1:0] now_used;
	wire [CODE_BITS-1:0] now_code;
	wire [LANE_BITS-1:0] now_lane;
	wire [DATA-1:0] now_data;
	assign {now_rst, now_valid, now_restart, now_present, now_letter, now_line, now_used,
		now_clear, now_row_we, now_code, now_lane, now_data} = held;
	genvar b;
	generate
		if (STATE == `NFACC_STATE_MEMORY) begin : g_memory
			localparam BANK_LINES = (LINES + BANKS - 1) / BANKS;
			localparam BANK_LINE_BITS = BANK_LINES > 2 ? $clog2(BANK_LINES) : 1;
			localparam BANK_NAME_BITS =
				NAMES > 0 ? 4 + NAMES * (BANK_LINE_BITS + LABELS) : 1;
			wire [7:0] unused_level;
			wire unused_busy;
			wire [BANKS*NSLOTS-1:0] bank_present;
			wire [NSLOTS*BANK_LINE_BITS-1:0] bank_line;
			wire [BANKS*(BANK_LINE_BITS+1)-1:0] bank_observed;
			wire [BANKS*8-1:0] bank_level;
			wire [BANKS-1:0] bank_busy, bank_valid, bank_log;
			wire [BANKS*LABELS-1:0] bank_labels;
			wire [BANKS*BANK_NAME_BITS-1:0] bank_names;
			assign out_restart = 1'b0;
			nfacc_banks #(
				.BANKS(BANKS), .SLOTS(NSLOTS), .TIME(TIME), .LINE_BITS(LINE_BITS),
				.BANK_LINE_BITS(BANK_LINE_BITS), .LABELS(LABELS), .NAMES(NAMES),
				.NAME_BITS(NAME_BITS), .BANK_NAME_BITS(BANK_NAME_BITS), .LEVEL_BITS(8)
			) banks (
				.clk(clk), .rst(now_rst), .in_present(now_present), .in_line(now_line),
				.observed(now_used[LINE_BITS:0]), .bank_present(bank_present),
				.bank_line(bank_line), .bank_observed(bank_observed),
				.bank_level(bank_level), .bank_busy(bank_busy),
				.bank_valid(bank_valid), .bank_labels(bank_labels),
				.bank_log(bank_log), .bank_names(bank_names), .level(unused_level),
				.busy(unused_busy), .out_valid(out_valid), .out_labels(out_labels),
				.out_log(out_log), .out_names(out_names)
			);
			for (b = 0; b < BANKS; b = b + 1) begin : g_bank
				nfacc_nfa_memory #(
					.CLIQUE(CLIQUE), .DECODER(DECODER), .BANK(BANK),
					.PREDECESSORS(PREDECESSORS), .IDLE(IDLE), .LINES(BANK_LINES),
					.LABELS(LABELS), .COUNTERS(COUNTERS),
					.COUNTER_WIDTH(COUNTER_WIDTH), .DATA(DATA), .MEMORY(MEMORY),
					.NCLIQUES(NCLIQUES), .NSTE(NSTE), .NNEIGHBOURS(NNEIGHBOURS),
					.NNODES(NNODES), .NPRED(NPRED), .NPREDLUT(NPREDLUT),
					.NCOUNTERS(NCOUNTERS), .NGROUP(NGROUP), .NTABLE(NTABLE),
					.CODE_BITS(CODE_BITS), .ROW_WIDTH(ROW_WIDTH),
					.ROW_WORDS(ROW_WORDS), .LANE_BITS(LANE_BITS),
					.ELEMENT_WORDS(ELEMENT_WORDS), .SELECT_BITS(SELECT_BITS),
					.LINE_BITS(BANK_LINE_BITS), .SLOTS(NSLOTS), .TIME(TIME),
					.ROW_BITS(ROW_BITS), .NEIGHBOURS(NEIGHBOURS), .NAMES(NAMES),
					.NAME_BITS(BANK_NAME_BITS), .XILINX(XILINX)
				) nfa (
					.clk(clk), .rst(now_rst), .in_valid(now_valid),
					.in_restart(now_restart),
					.in_present(bank_present[b*NSLOTS +: NSLOTS]),
					.in_letter(now_letter), .in_line(bank_line),
					.in_every({NSLOTS{1'b0}}),
					.observed(bank_observed[b*(BANK_LINE_BITS+1) +: BANK_LINE_BITS+1]),
					.level(bank_level[b*8 +: 8]), .busy(bank_busy[b]),
					.out_valid(bank_valid[b]),
					.out_labels(bank_labels[b*LABELS +: LABELS]),
					.out_log(bank_log[b]),
					.out_names(bank_names[b*BANK_NAME_BITS +: BANK_NAME_BITS]),
					.cfg_clear(now_clear), .cfg_row_we(now_row_we),
					.cfg_code(now_code), .cfg_lane(now_lane),
					.cfg_shift(now_shift), .cfg_data(now_data)
				);
			end
		end else begin : g_copies
			nfacc_nfa #(
				.CLIQUE(CLIQUE), .LENGTH(LENGTH), .RINGS(RINGS), .REACH(REACH), .DECODER(DECODER),
				.BANK(BANK), .PREDECESSORS(PREDECESSORS), .IDLE(IDLE), .LINES(LINES),
				.LABELS(LABELS), .COUNTERS(COUNTERS), .COUNTER_WIDTH(COUNTER_WIDTH), .DATA(DATA),
				.MEMORY(MEMORY), .NCLIQUES(NCLIQUES), .NSTE(NSTE), .NNEIGHBOURS(NNEIGHBOURS),
				.NNODES(NNODES), .NPRED(NPRED), .NPREDLUT(NPREDLUT), .NCOUNTERS(NCOUNTERS),
				.NALL(NALL), .NGROUP(NGROUP), .ROW_CODES(ROW_CODES), .NTABLE(NTABLE), .NROW(NROW),
				.CODE_BITS(CODE_BITS), .ROW_WIDTH(ROW_WIDTH), .ROW_WORDS(ROW_WORDS),
				.LANE_BITS(LANE_BITS), .ELEMENT_WORDS(ELEMENT_WORDS), .SELECT_BITS(SELECT_BITS),
				.LINE_BITS(LINE_BITS), .SLOTS(NSLOTS), .TIME(TIME), .ROW_BITS(ROW_BITS),
				.ABSENT_IDLE(NTEST > 0 ? 1 : 0), .NEIGHBOURS(NEIGHBOURS),
				.NAMES(NAMES), .NAME_BITS(NAME_BITS), .XILINX(XILINX)
			) nfa (
				.clk(clk), .rst(now_rst), .in_valid(now_valid), .in_restart(now_restart),
				.in_present(now_present), .in_letter(now_letter), .in_line(now_line),
				.in_every({NSLOTS{1'b0}}), .used(now_used),
				.out_valid(out_valid), .out_restart(out_restart), .out_labels(out_labels),
				.out_log(out_log), .out_names(out_names), .cfg_clear(now_clear),
				.cfg_row_we(now_row_we), .cfg_code(now_code), .cfg_lane(now_lane),
				.cfg_shift(now_shift), .cfg_data(now_data)
			);
		end
	endgenerate
endmodule
`default_nettype wire
