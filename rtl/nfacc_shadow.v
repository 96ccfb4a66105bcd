// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// nfacc_shadow: the staging memory, which keeps the words of the next image while the loader only
// checks them, and the swap: when the input FIFO has room for all that can come meanwhile, no batch
// leaves it any more, the engine runs empty, the words are read into the loader, and when all that
// was decided before has been stored, the new configuration starts afresh.
`default_nettype none

module nfacc_shadow #(
	parameter DATA = 32,      // bits of a word
	parameter MOST_WORDS = 16 // words of the largest image
) (
	input wire clk,
	input wire rst,
	input wire reset,         // CONTROL.reset
	// Staging.
	input wire clear,         // a new image is being staged
	input wire put,           // a word of it
	input wire [DATA-1:0] put_data,
	input wire put_done,      // its last; it is good
	output reg staged,
	// Swap.
	input wire swap,          // only while staged and not swapping
	input wire live,          // with it: batches are being filtered
	input wire cancel,        // no swap, if it still waits for room
	input wire room,          // in the input FIFO
	input wire calm,          // no batch between it and the window
	input wire settled,       // none on its way to the output FIFO
	output wire swapping,
	output wire hold,         // no batch leaves the input FIFO
	output wire replaying,
	output wire swapped,      // the new configuration is there: start afresh
	// To the loader.
	output wire load_begin,
	output reg load_valid,
	input wire load_ready,
	output reg [DATA-1:0] load_data,
	input wire load_done,
	input wire load_good
);
	localparam BITS = $clog2(MOST_WORDS + 1);
	localparam [BITS-1:0] ZERO = 0, ONE = 1;
	localparam [2:0] OFF = 3'd0, WAIT = 3'd1, DRAIN = 3'd2, START = 3'd3, REPLAY = 3'd4,
		SETTLE = 3'd5;

	reg [DATA-1:0] memory [0:MOST_WORDS-1];
	reg [BITS-1:0] words, at;
	reg [2:0] state;
	reg alive; // batches are being filtered: they start anew in the end
	wire pull = (state == REPLAY) & (at != words) & (~load_valid | load_ready);

	assign swapping = state != OFF;
	assign hold = (state != OFF) & (state != WAIT);
	assign load_begin = state == START;
	assign replaying = (state == START) | (state == REPLAY);
	assign swapped = (state == SETTLE) & settled & alive & ~reset;

	always @(posedge clk) begin
		if (put & (words != MOST_WORDS)) begin
			memory[words] <= put_data;
			words <= words + ONE;
		end
		if (put_done)
			staged <= 1'b1;
		if (clear) begin
			words <= ZERO;
			staged <= 1'b0;
		end

		if (pull) begin
			load_data <= memory[at];
			at <= at + ONE;
		end
		load_valid <= (pull | (load_valid & ~load_ready)) & ~load_begin;

		case (state)
		OFF: if (swap) begin
			state <= WAIT;
			alive <= live;
		end
		WAIT: if (cancel | reset)
			state <= OFF;
		else if (room)
			state <= DRAIN;
		DRAIN: if (reset)
			state <= OFF;
		else if (calm) begin
			state <= START;
			at <= ZERO;
		end
		START: state <= REPLAY;
		REPLAY: if (load_done) begin
			state <= load_good ? SETTLE : OFF;
			staged <= 1'b0;
		end
		SETTLE: if (settled)
			state <= OFF;
		default: state <= OFF;
		endcase

		if (reset)
			alive <= 1'b0;
		if (rst) begin
			state <= OFF;
			staged <= 1'b0;
			words <= ZERO;
			load_valid <= 1'b0;
			alive <= 1'b0;
		end
	end
endmodule
`default_nettype wire
