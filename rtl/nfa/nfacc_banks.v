// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// nfacc_banks: with `banks 2`, deals batches out to two NFA parts with the states in memory, and
// joins what they say. Lines with odd numbers are those of bank 1. In its bank a line has half its
// number. Both banks get every batch and every restart. A bank sees the messages of its lines, those
// for every line (its in_every is that of the batch), and the slot of time; to a batch without any
// it answers, too. Each bank has a queue, and takes its own time for a batch. So their answers wait
// here for each other, in order.
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
				// The names of bank 0, and behind them those of bank 1. Behind the last
				// name of bank 0 there is nothing (nfacc_name_steps).
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
`ifdef FORMAL
	// Of two banks: each message is of one bank, as its own line. The answer to a batch is that of
	// both banks to it, with all lines that they name, as far as there is room. While an answer
	// waits, the join is busy.
	(* anyconst *) reg [3:0] f_batch; // an arbitrary batch, and what the banks say to it
	reg f_past = 1'b0;
	reg [3:0] f_count [0:1];           // answers of each bank
	reg [3:0] f_out = 0;
	reg [LABELS-1:0] f_labels [0:1];
	reg [BANK_NAME_BITS-1:0] f_names [0:1];
	reg f_log [0:1];
	localparam F_NAME = LINE_BITS + LABELS, F_BANK_NAME = BANK_LINE_BITS + LABELS;
	wire [3:0] f_n = {1'b0, f_names[0][2:0]} + {1'b0, f_names[1][2:0]};
	wire [3:0] f_first = {1'b0, f_names[0][2:0]};
	wire [3:0] f_most = f_n > NAMES ? NAMES : f_n;
	reg [F_BANK_NAME-1:0] f_name;
	integer f_i, f_b;
	initial f_count[0] = 0;
	initial f_count[1] = 0;
	always @(posedge clk) begin
		f_past <= 1'b1;
		assume (rst == !f_past && observed <= 1 << LINE_BITS);
		for (f_b = 0; f_b < 2; f_b = f_b + 1) begin
			if (rst) assume (!bank_valid[f_b]);
			// No more wait than there is room for.
			if (f_count[f_b] - f_out == DEPTH) assume (!bank_valid[f_b]);
			if (f_count[f_b] == 15) assume (!bank_valid[f_b]);
			// As nfacc_name_steps has it: behind the last name there is nothing.
			assume (bank_names[f_b*BANK_NAME_BITS +: 3] <= NAMES);
			if (NAMES != 0)
				assume (bank_names[f_b*BANK_NAME_BITS +: BANK_NAME_BITS] >> (4 +
					bank_names[f_b*BANK_NAME_BITS +: 3] * F_BANK_NAME) == 0);
			if (bank_valid[f_b]) begin
				f_count[f_b] <= f_count[f_b] + 1;
				if (f_count[f_b] == f_batch) begin
					f_labels[f_b] <= bank_labels[f_b*LABELS +: LABELS];
					f_log[f_b] <= bank_log[f_b];
					f_names[f_b] <= bank_names[f_b*BANK_NAME_BITS +: BANK_NAME_BITS];
				end
			end
		end
		if (f_past) begin
			for (f_i = 0; f_i < SLOTS; f_i = f_i + 1) begin
				if (TIME != 0 && f_i == SLOTS - 1)
					assert (bank_present[f_i] == in_present[f_i] &&
						bank_present[SLOTS + f_i] == in_present[f_i]);
				else begin
					assert ((bank_present[f_i] || bank_present[SLOTS + f_i]) ==
						in_present[f_i]);
					assert (!(bank_present[f_i] && bank_present[SLOTS + f_i]));
					if (in_present[f_i])
						assert (in_line[f_i*LINE_BITS +: LINE_BITS] ==
							{bank_line[f_i*BANK_LINE_BITS +: BANK_LINE_BITS],
							bank_present[SLOTS + f_i]});
				end
			end
			assert (level >= bank_level[0 +: LEVEL_BITS]);
			assert (level >= bank_level[LEVEL_BITS +: LEVEL_BITS]);
			assert (level == bank_level[0 +: LEVEL_BITS] ||
				level == bank_level[LEVEL_BITS +: LEVEL_BITS]);
			if (!$past(rst)) begin
				assert (bank_observed[0 +: BANK_LINE_BITS+1] +
					bank_observed[BANK_LINE_BITS+1 +: BANK_LINE_BITS+1] ==
					$past(observed));
				assert (bank_observed[0 +: BANK_LINE_BITS+1] -
					bank_observed[BANK_LINE_BITS+1 +: BANK_LINE_BITS+1] <= 1);
			end
			if (out_valid) f_out <= f_out + 1;
			else if (!$past(rst)) assert (out_labels == 0 && !out_log);
			if (!busy) assert (f_count[0] == f_out && f_count[1] == f_out && bank_busy == 0);
			assert (!out_valid || (f_count[0] > f_out && f_count[1] > f_out));
			if (out_valid && f_out == f_batch) begin
				assert (out_labels == (f_labels[0] | f_labels[1]));
				assert (out_log == (f_log[0] || f_log[1]));
			end
			if (NAMES != 0 && out_valid && f_out == f_batch) begin
				assert (out_names[2:0] == f_most);
				assert (out_names[3] ==
					(f_names[0][3] || f_names[1][3] || f_n > NAMES));
				for (f_i = 0; f_i < NAMES; f_i = f_i + 1)
					if (f_i < f_most) begin
						f_name = f_i < f_first
							? f_names[0] >> (4 + f_i * F_BANK_NAME)
							: f_names[1] >> (4 + (f_i - f_first) * F_BANK_NAME);
						assert (out_names[4 + f_i*F_NAME +: F_NAME] ==
							{f_name[F_BANK_NAME-1:BANK_LINE_BITS],
							f_name[BANK_LINE_BITS-1:0], f_i >= f_first});
					end
			end
		end
	end
`endif
endmodule
`default_nettype wire
