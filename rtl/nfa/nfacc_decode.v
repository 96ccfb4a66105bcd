// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// nfacc_decode: says for each STE and line whether the batch matches the STE's predicate. The
// overlay has one of three decoders: row memories (nfacc_decode_rows), truth tables in each STE
// (nfacc_decode_ste), or a bank of shared decoders from which STEs select (nfacc_decode_bank). Row
// memories and the bank take one cycle to decode, truth tables none. REGISTER_MATCH adds one cycle.
`default_nettype none
`include "nfacc_contract.vh"
module nfacc_decode #(
	parameter DECODER = 0,     // how STEs decode: `NFACC_DECODER_*
	parameter NSTE = 1,        // STEs of the overlay, 1..
	parameter BANK = 16,       // 1..: shared decoders, where DECODER is bank
	parameter SLOTS = 1,       // 1..64: messages of a batch
	parameter ROW_BITS = 5,    // 1..9: bits of a letter
	// The letter that no message has, and whose row absent slots read. -1: there is none.
	parameter integer IDLE = -1,
	parameter ABSENT_IDLE = 0, // 1: an absent slot has the letter IDLE, if that is one
	parameter NTABLE = 1,      // tables of 32 letters that a slot takes
	parameter LINES = 1,       // 1..: lines of the overlay
	parameter REGISTER_MATCH = 1, // 1: the match is registered; always 1 for the bank
	parameter ROW_WIDTH = 1,   // bits of a row
	parameter ROW_WORDS = 1,   // configuration words of a row
	parameter SELECT_BITS = 4, // bits by which an STE chooses a shared decoder
	parameter CODE_BITS = 5,   // bits of a code, slot << ROW_BITS | letter
	parameter LANE_BITS = 1,   // bits that number the words of a row
	parameter DECODE_WORDS = 32, // configuration words of element decode
	parameter SELECT_WORDS = 1,  // configuration words of element select
	parameter NONE_WORDS = 1,  // configuration words of element none or bank_none
	parameter DATA = 32,       // 32 or 64: bits of a configuration word
	parameter MEMORY = 0,      // where row memories are: `NFACC_MEMORY_*
	parameter XILINX = 0       // 0: portable Verilog, 1: primitives
) (
	input wire clk,
	input wire [SLOTS-1:0] present,         // the slot has a message; used only if IDLE >= 0
	input wire [SLOTS*ROW_BITS-1:0] letter, // the letter of each slot
	// Bit line*SLOTS + slot: the slot holds a message of the line. The bit comes in the cycle
	// in which the slot's letter is decoded.
	input wire [LINES*SLOTS-1:0] belongs,
	// Bit ste*LINES + line: the messages of the line match the predicate of the STE.
	output wire [NSTE*LINES-1:0] match,
	// The configuration ports are those of nfacc_nfa.
	input wire cfg_clear,
	input wire cfg_row_we,
	input wire [CODE_BITS-1:0] cfg_code,
	input wire [LANE_BITS-1:0] cfg_lane,
	input wire [`NFACC_DEVICE_IDS] cfg_shift,
	input wire [DATA-1:0] cfg_data
);
	genvar s, j;
	generate
		if (DECODER == `NFACC_DECODER_BANK && REGISTER_MATCH != 1) begin : g_bad_register
			nfacc_error_register_match e ();
		end
		if (DECODER == `NFACC_DECODER_BANK) begin : g_bank
			wire [LINES*BANK-1:0] shared;
			wire [NSTE*SELECT_BITS-1:0] select;
			nfacc_decode_bank #(
				.BANK(BANK), .SLOTS(SLOTS), .ROW_BITS(ROW_BITS), .IDLE(IDLE),
				.ABSENT_IDLE(ABSENT_IDLE),
				.LINES(LINES), .ROW_WORDS(ROW_WORDS), .CODE_BITS(CODE_BITS),
				.LANE_BITS(LANE_BITS), .NONE_WORDS(NONE_WORDS), .DATA(DATA),
				.MEMORY(MEMORY), .XILINX(XILINX)
			) decode (
				.clk(clk), .present(present), .letter(letter), .belongs_q(belongs),
				.match(shared), .shift_none(cfg_shift[`NFACC_EL_BANK_NONE]),
				.cfg_clear(cfg_clear), .cfg_row_we(cfg_row_we), .cfg_code(cfg_code),
				.cfg_lane(cfg_lane), .cfg_data(cfg_data)
			);
			nfacc_chain #(
				.BITS(NSTE*SELECT_BITS), .WORDS(SELECT_WORDS), .DATA(DATA)
			) selects (
				.clk(clk), .shift(cfg_shift[`NFACC_EL_SELECT]), .data(cfg_data),
				.value(select)
			);
			for (s = 0; s < NSTE; s = s + 1) begin : g_select
				// `keep` makes this a multiplexer of its own. If it were merged
				// into the logic of the state, it would take 3 LUTs more.
				(* keep *) wire [LINES-1:0] chosen;
				assign match[s*LINES +: LINES] = chosen;
				for (j = 0; j < LINES; j = j + 1) begin : g_line
					// The number of inputs is a power of two, so that every
					// selection names one of them.
					wire [(1<<SELECT_BITS)-1:0] choice;
					assign choice[BANK-1:0] = shared[j*BANK +: BANK];
					if (1 << SELECT_BITS > BANK) begin : g_none
						assign choice[(1<<SELECT_BITS)-1:BANK] =
							{(1<<SELECT_BITS)-BANK{1'b0}};
					end
					assign chosen[j] =
						choice[select[s*SELECT_BITS +: SELECT_BITS]];
				end
			end
		end else begin : g_own
			wire [NSTE*SLOTS-1:0] names;
			wire [NSTE-1:0] none;
			nfacc_chain #(.BITS(NSTE), .WORDS(NONE_WORDS), .DATA(DATA)) modes (
				.clk(clk), .shift(cfg_shift[`NFACC_EL_NONE]), .data(cfg_data),
				.value(none)
			);
			if (DECODER == `NFACC_DECODER_ROWS) begin : g_rows
				nfacc_decode_rows #(
					.SLOTS(SLOTS), .ROW_BITS(ROW_BITS), .IDLE(IDLE),
					.ABSENT_IDLE(ABSENT_IDLE),
					.ROW_WIDTH(ROW_WIDTH), .ROW_WORDS(ROW_WORDS),
					.CODE_BITS(CODE_BITS), .LANE_BITS(LANE_BITS), .DATA(DATA),
					.MEMORY(MEMORY), .XILINX(XILINX)
				) decode (
					.clk(clk), .present(present), .letter(letter),
					.names(names), .cfg_clear(cfg_clear),
					.cfg_row_we(cfg_row_we), .cfg_code(cfg_code),
					.cfg_lane(cfg_lane), .cfg_data(cfg_data)
				);
			end else begin : g_ste
				localparam PER_STE = SLOTS * NTABLE;
				wire [NSTE*PER_STE-1:0] cdi, cdo;
				nfacc_links #(
					.TABLES(NSTE*PER_STE), .WORDS(DECODE_WORDS), .DATA(DATA),
					.XILINX(XILINX)
				) links (
					.clk(clk), .shift(cfg_shift[`NFACC_EL_DECODE]),
					.data(cfg_data), .cdo(cdo), .cdi(cdi)
				);
				for (s = 0; s < NSTE; s = s + 1) begin : g_decode
					nfacc_decode_ste #(
						.SLOTS(SLOTS), .ROW_BITS(ROW_BITS), .NTABLE(NTABLE),
						.XILINX(XILINX)
					) decode (
						.clk(clk), .letter(letter),
						.names(names[s*SLOTS +: SLOTS]),
						.shift(cfg_shift[`NFACC_EL_DECODE]),
						.cdi(cdi[s*PER_STE +: PER_STE]),
						.cdo(cdo[s*PER_STE +: PER_STE])
					);
				end
				wire unused_rows =
					&{1'b0, present, cfg_clear, cfg_row_we, cfg_code, cfg_lane};
			end
			for (s = 0; s < NSTE; s = s + 1) begin : g_match
				wire [LINES-1:0] now;
				nfacc_match #(.SLOTS(SLOTS), .LINES(LINES), .MASKED(IDLE < 0)) m (
					.names(names[s*SLOTS +: SLOTS]), .belongs(belongs),
					.none(none[s]), .match(now)
				);
				if (REGISTER_MATCH == 0) begin : g_now
					assign match[s*LINES +: LINES] = now;
				end else begin : g_later
					reg [LINES-1:0] match_q;
					always @(posedge clk)
						match_q <= now;
					assign match[s*LINES +: LINES] = match_q;
				end
			end
		end
	endgenerate
	wire unused_shift = ^cfg_shift;
endmodule
`default_nettype wire
