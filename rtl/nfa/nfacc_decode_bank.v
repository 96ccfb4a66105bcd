// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// nfacc_decode_bank: decoders that all STEs share. Row memories decode BANK predicates, and each
// predicate is matched for each line. Every STE selects one of the predicates. The match comes two
// cycles after the batch.
`default_nettype none
module nfacc_decode_bank #(
	parameter BANK = 16,     // 1..: shared decoders
	parameter SLOTS = 1,     // 1..64: messages of a batch
	parameter ROW_BITS = 5,  // 1..9: bits of a letter
	// The letter that no message has, and whose row absent slots read. -1: there is none.
	parameter integer IDLE = -1,
	parameter ABSENT_IDLE = 0, // 1: an absent slot has the letter IDLE, if that is one
	parameter LINES = 1,     // 1..: lines of the overlay
	parameter ROW_WORDS = 1, // configuration words of a row: BANK / DATA, rounded up
	parameter CODE_BITS = 5, // bits of a code, slot << ROW_BITS | letter
	parameter LANE_BITS = 1,  // bits that number the words of a row
	parameter NONE_WORDS = 1, // configuration words of element bank_none
	parameter DATA = 32,     // 32 or 64: bits of a configuration word
	parameter MEMORY = 0,    // where the rows are: `NFACC_MEMORY_*
	parameter XILINX = 0     // 0: portable Verilog, 1: primitives
) (
	input wire clk,
	input wire [SLOTS-1:0] present,        // the slot has a message; used only if IDLE >= 0
	input wire [SLOTS*ROW_BITS-1:0] letter, // the letter of each slot
	// Bit line*SLOTS + slot: the slot holds a message of the line. The bit comes one cycle
	// after the message.
	input wire [LINES*SLOTS-1:0] belongs_q,
	// Bit line*BANK + k: the messages of the line match predicate k. The bit comes two cycles
	// after the messages.
	output reg [LINES*BANK-1:0] match,
	input wire shift_none,                 // cfg_data is a word of element bank_none, the modes
	input wire cfg_clear,                  // configures the rows, as in nfacc_decode_rows
	input wire cfg_row_we,
	input wire [CODE_BITS-1:0] cfg_code,
	input wire [LANE_BITS-1:0] cfg_lane,
	input wire [DATA-1:0] cfg_data
);
	wire [BANK*SLOTS-1:0] names;
	wire [BANK-1:0] none;
	nfacc_decode_rows #(
		.SLOTS(SLOTS), .ROW_BITS(ROW_BITS), .IDLE(IDLE), .ABSENT_IDLE(ABSENT_IDLE),
		.ROW_WIDTH(BANK),
		.ROW_WORDS(ROW_WORDS), .CODE_BITS(CODE_BITS), .LANE_BITS(LANE_BITS), .DATA(DATA),
		.MEMORY(MEMORY), .XILINX(XILINX)
	) rows (
		.clk(clk), .present(present), .letter(letter), .names(names), .cfg_clear(cfg_clear),
		.cfg_row_we(cfg_row_we), .cfg_code(cfg_code), .cfg_lane(cfg_lane),
		.cfg_data(cfg_data)
	);
	nfacc_chain #(.BITS(BANK), .WORDS(NONE_WORDS), .DATA(DATA)) modes (
		.clk(clk), .shift(shift_none), .data(cfg_data), .value(none)
	);
	genvar k, j;
	generate
		for (k = 0; k < BANK; k = k + 1) begin : g_bank
			wire [LINES-1:0] matched;
			nfacc_match #(.SLOTS(SLOTS), .LINES(LINES), .MASKED(IDLE < 0)) m (
				.names(names[k*SLOTS +: SLOTS]), .belongs(belongs_q),
				.none(none[k]), .match(matched)
			);
			for (j = 0; j < LINES; j = j + 1) begin : g_line
				always @(posedge clk)
					match[j*BANK + k] <= matched[j];
			end
		end
	endgenerate

`ifdef FORMAL
	// Two cycles after a batch, a decoder matches if its predicate names one of the line's
	// messages. In mode None it matches if its predicate names none of them.
	integer f, f_line;
	reg f_past = 1'b0;
	always @(posedge clk) begin
		f_past <= 1'b1;
		for (f = 0; f < BANK; f = f + 1)
			for (f_line = 0; f_line < LINES; f_line = f_line + 1)
				if (f_past && (IDLE < 0 || &($past(belongs_q))))
					assert (match[f_line*BANK + f] == $past(none[f] ^
						(|(names[f*SLOTS +: SLOTS] &
						belongs_q[f_line*SLOTS +: SLOTS]))));
	end
`endif
endmodule
`default_nettype wire
