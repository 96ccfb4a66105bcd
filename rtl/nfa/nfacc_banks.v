// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// nfacc_banks: with `banks 2`, deals batches out to two NFA parts with the states in memory, and joins
// what they say. Lines with odd numbers are those of bank 1. In its bank a line has half its number.
// Both banks get every batch and every restart. A bank sees the messages of its lines, those for
// every line (its in_every is that of the batch), and the slot of time; to a batch without any it
// answers, too. Each bank has a queue, and takes its own time for a batch. So their answers wait here
// for each other, in order.
//
//	batch -> bank 0 -> answers -> both there? -> OR of the answers
//	      -> bank 1 -> answers ->
`default_nettype none
`include "nfacc_contract.vh"
module nfacc_banks #(
	parameter BANKS = 2,          // 1, 2: with 1 all passes as it comes, in the same cycle
	parameter SLOTS = 1,          // 1..: slots of the decoders; with TIME the last one is that of time
	parameter TIME = 0,           // whether there is a slot of time: `NFACC_TIME_*
	parameter LINE_BITS = 1,      // bits of a line's number
	parameter BANK_LINE_BITS = 1, // bits of its number in its bank
	parameter LABELS = 1,         // 1..64: labels of the overlay
	parameter NAMES = 0,          // 0..4: lines that can be named
	parameter NAME_BITS = 1,      // bits of out_names: nfacc_record's NAME_BITS
	parameter BANK_NAME_BITS = 1, // bits of a bank's names
	parameter LEVEL_BITS = 8,     // bits of a queue's level
	parameter DEPTH = 64          // answers that can wait: a power of two, more than are inside a bank
) (
	input wire clk,
	input wire rst,
	// A batch, in the cycle in which the banks take it.
	input wire [SLOTS-1:0] in_present,
	input wire [SLOTS*LINE_BITS-1:0] in_line,
	input wire [LINE_BITS:0] observed, // changes only while no batch is inside
	// What each bank gets, that of bank 0 lowest.
	output wire [BANKS*SLOTS-1:0] bank_present,
	output wire [SLOTS*BANK_LINE_BITS-1:0] bank_line, // of both
	output wire [BANKS*(BANK_LINE_BITS+1)-1:0] bank_observed,
	// What each bank says.
	input wire [BANKS*LEVEL_BITS-1:0] bank_level,
	input wire [BANKS-1:0] bank_busy,
	input wire [BANKS-1:0] bank_valid,
	input wire [BANKS*LABELS-1:0] bank_labels,
	input wire [BANKS-1:0] bank_log,
	input wire [BANKS*BANK_NAME_BITS-1:0] bank_names,
	// What they say together.
	output wire [LEVEL_BITS-1:0] level, // of the fuller queue
	output wire busy,
	output wire out_valid,
	output wire [LABELS-1:0] out_labels,
	output wire out_log,
	output wire [NAME_BITS-1:0] out_names
);
	genvar i, b;
	generate
		if (BANKS == 1) begin : g_one
			wire unused = &{1'b0, clk, rst};
			assign bank_present = in_present;
			assign bank_line = in_line;
			assign bank_observed = observed;
			assign level = bank_level;
			assign busy = bank_busy;
			assign out_valid = bank_valid;
			assign out_labels = bank_labels;
			assign out_log = bank_log;
			assign out_names = bank_names;
		end else begin : g_two
			localparam MESSAGES = TIME == `NFACC_TIME_YES ? SLOTS - 1 : SLOTS;
			localparam ANSWER = LABELS + 1 + (NAMES > 0 ? BANK_NAME_BITS : 0);
			for (i = 0; i < SLOTS; i = i + 1) begin : g_slot
				wire [LINE_BITS:0] line = {1'b0, in_line[i*LINE_BITS +: LINE_BITS]};
				wire unused_line = &{1'b0, line};
				assign bank_line[i*BANK_LINE_BITS +: BANK_LINE_BITS] =
					line[BANK_LINE_BITS:1];
				for (b = 0; b < 2; b = b + 1) begin : g_of
					if (i < MESSAGES) begin : g_message
						assign bank_present[b*SLOTS + i] =
							in_present[i] & (line[0] == b[0]);
					end else begin : g_time
						assign bank_present[b*SLOTS + i] = in_present[i];
					end
				end
			end

			// Of an odd number of lines bank 0 has one more.
			wire [LINE_BITS+1:0] wide = {1'b0, observed};
			wire unused_wide = &{1'b0, wide};
			reg [BANK_LINE_BITS:0] half, rest;
			always @(posedge clk) begin
				rest <= wide[BANK_LINE_BITS+1:1];
				half <= wide[BANK_LINE_BITS+1:1] +
					{{BANK_LINE_BITS{1'b0}}, observed[0]};
			end
			assign bank_observed = {rest, half};

			wire [LEVEL_BITS-1:0] level_0 = bank_level[0 +: LEVEL_BITS],
				level_1 = bank_level[LEVEL_BITS +: LEVEL_BITS];
			assign level = level_0 > level_1 ? level_0 : level_1;

			// The answers.
			wire [1:0] there, filled, unused_ready;
			wire [2*ANSWER-1:0] in_answer, answer;
			wire both = &there;
			reg valid, log;
			reg [LABELS-1:0] labels;
			for (b = 0; b < 2; b = b + 1) begin : g_bank
				wire [$clog2(DEPTH):0] unused_level;
				assign in_answer[b*ANSWER +: LABELS + 1] =
					{bank_log[b], bank_labels[b*LABELS +: LABELS]};
				nfacc_fifo #(.WIDTH(ANSWER), .DEPTH(DEPTH)) answers (
					.clk(clk), .rst(rst), .flush(1'b0), .in_valid(bank_valid[b]),
					.in_ready(unused_ready[b]),
					.in_data(in_answer[b*ANSWER +: ANSWER]),
					.out_valid(there[b]), .out_ready(both),
					.out_data(answer[b*ANSWER +: ANSWER]),
					.filled(filled[b]), .level(unused_level)
				);
			end
			always @(posedge clk) begin
				valid <= both & ~rst;
				labels <= {LABELS{both}} &
					(answer[0 +: LABELS] | answer[ANSWER +: LABELS]);
				log <= both & (answer[LABELS] | answer[ANSWER + LABELS]);
			end
			assign out_valid = valid;
			assign out_labels = labels;
			assign out_log = log;
			assign busy = (|bank_busy) | (|filled) | (|there) | valid;

			if (NAMES == 0) begin : g_no_names
				wire unused_names = &{1'b0, bank_names};
				assign out_names = {NAME_BITS{1'b0}};
			end else begin : g_names
				// The names of bank 0, and behind them those of bank 1.
				localparam NAME = LINE_BITS + LABELS;
				localparam BANK_NAME = BANK_LINE_BITS + LABELS;
				wire [1:0] more;
				wire [5:0] counts;
				wire [2*NAMES*NAME-1:0] full; // names with the lines' own numbers
				for (b = 0; b < 2; b = b + 1) begin : g_named
					wire [BANK_NAME_BITS-1:0] in =
						answer[b*ANSWER + LABELS + 1 +: BANK_NAME_BITS];
					assign in_answer[b*ANSWER + LABELS + 1 +: BANK_NAME_BITS] =
						bank_names[b*BANK_NAME_BITS +: BANK_NAME_BITS];
					assign counts[3*b +: 3] = in[2:0];
					assign more[b] = in[3];
					for (i = 0; i < NAMES; i = i + 1) begin : g_name
						wire [BANK_NAME-1:0] name = in[4 + i*BANK_NAME +: BANK_NAME];
						wire [BANK_LINE_BITS:0] line =
							{name[BANK_LINE_BITS-1:0], b[0]};
						wire unused_line = &{1'b0, line};
						assign full[(b*NAMES + i)*NAME +: NAME] =
							{name[BANK_NAME-1:BANK_LINE_BITS],
							line[LINE_BITS-1:0]};
					end
				end
				wire [3:0] sum = {1'b0, counts[2:0]} + {1'b0, counts[5:3]};
				wire over = sum > NAMES[3:0];
				reg [NAMES*NAME-1:0] names_now;
				reg [NAME_BITS-1:0] names;
				integer k;
				always @* begin
					names_now = full[0 +: NAMES*NAME];
					for (k = 0; k < NAMES; k = k + 1)
						if (counts[2:0] == k[2:0])
							names_now = names_now |
								(full[NAMES*NAME +: NAMES*NAME] << (k*NAME));
				end
				always @(posedge clk)
					names <= {names_now, (|more) | over,
						over ? NAMES[2:0] : sum[2:0]};
				assign out_names = names;
			end
		end
	endgenerate
endmodule
`default_nettype wire
