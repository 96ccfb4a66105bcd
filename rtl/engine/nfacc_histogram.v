// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// nfacc_histogram: counts accepted batches in bins, which are words of a memory. A bin is for a
// label, or for a value of the top bits of a field: of the first message that has the field.
//
// In one cycle the memory takes one addition. A batch has one value, but up to LABELS labels. So
// each label has a small count, and the labels take turns: the turn of a label adds its small count
// to its bin, and sets it to 0. A turn comes every LABELS cycles, so a small count is at most
// LABELS.
//
// Note [bins]. Each cycle with `clear` begins another generation: a start of a stream, and every
// cycle of a reset. A bin has the number of the generation that counted there last. A bin of
// another one counts as 0, so `clear` writes no memory. Bins begin with generation 0 and a count
// of 0. A reset does not set the generation back, because bins stay. 60 bits last for years.
`default_nettype none

module nfacc_histogram #(
	parameter BITS = 1,        // 1 .. 12: bits of a value
	parameter LABELS = 1,      // 1 .. 64: labels of the overlay
	parameter SLOTS = 1,       // 1 .. 64: messages of a batch
	parameter HEADER_BITS = 8, // 1 .. 64: bits of a header
	parameter OP_LSB = 0,      // lowest bit of the opcode in a header
	parameter OP_BITS = 1,     // 1 .. 8: bits of an opcode
	parameter XILINX = 0,      // 0: portable Verilog, 1: primitives
	parameter GENERATION = 60  // 1 ..: bits of a generation's number
) (
	input wire clk,
	input wire clear,                // a stream starts: all bins are 0 again; no batch comes
	input wire valid,                // a batch comes
	input wire [LABELS-1:0] labels,  // with these labels
	input wire [SLOTS-1:0] mask,     // and these messages
	input wire [SLOTS*HEADER_BITS-1:0] header,
	// What the bins are for. It changes only between the last batch of a stream and the next
	// `clear`.
	input wire by_label,
	input wire by_field,
	input wire [5:0] lsb,            // the lowest of the field's top bits
	input wire [3:0] size,           // how many there are, at most BITS
	input wire shift,                // take in a word of the tables
	input wire [31:0] data,
	output wire busy,                // a batch is not in its bins yet
	input wire [11:0] bin,           // the bin to read
	output reg [63:0] binned         // two cycles later: how many batches it has
);
	localparam LABEL_BITS = LABELS > 1 ? $clog2(LABELS) : 1;
	localparam DEPTH_BITS = BITS > LABEL_BITS ? BITS : LABEL_BITS;
	localparam TABLES = ((1 << OP_BITS) + 31) / 32; // tables of a slot
	localparam WORDS = (SLOTS * TABLES + 31) / 32 * 32;
	localparam [31:0] LAST_LABEL = LABELS - 1;
	localparam [LABEL_BITS-1:0] LAST = LAST_LABEL[LABEL_BITS-1:0];
	localparam [LABEL_BITS-1:0] ONE_TURN = 1;
	localparam [SLOTS-1:0] ONE_SLOT = 1;
	localparam [GENERATION-1:0] ONE = 1;

	generate
		if (BITS < 1 || BITS > 12) begin : g_bits
			nfacc_error_histogram_bits e ();
		end
	endgenerate

	// The value of a batch: which messages have the field; the header of the first one; its top
	// bits.
	wire [SLOTS*TABLES*5-1:0] index;
	wire [SLOTS*TABLES-1:0] fields;
	wire [SLOTS-1:0] has;
	nfacc_tables #(
		.TABLES(SLOTS * TABLES), .WORDS(WORDS), .DATA(32), .XILINX(XILINX)
	) tables (.clk(clk), .shift(shift), .data(data), .index(index), .out(fields));
	genvar i, l;
	generate
		for (i = 0; i < SLOTS; i = i + 1) begin : g_slot
			wire [7:0] opcode;
			assign opcode[OP_BITS-1:0] = header[i*HEADER_BITS+OP_LSB +: OP_BITS];
			if (OP_BITS < 8) begin : g_few
				assign opcode[7:OP_BITS] = {8-OP_BITS{1'b0}};
			end
			assign index[i*TABLES*5 +: TABLES*5] = {TABLES{opcode[4:0]}};
			wire [TABLES-1:0] mine = fields[i*TABLES +: TABLES];
			if (TABLES > 1) begin : g_many
				assign has[i] = mask[i] & mine[opcode[5 +: $clog2(TABLES)]];
			end else begin : g_one
				wire unused_high = &{1'b0, opcode[7:5]};
				assign has[i] = mask[i] & mine[0];
			end
		end
	endgenerate

	reg [SLOTS-1:0] has_q;
	reg [SLOTS*HEADER_BITS-1:0] header_q;
	reg accepted_q;
	wire [SLOTS-1:0] first = has_q & (~has_q + ONE_SLOT);
	reg [63:0] chosen, first_header;
	integer s;
	always @* begin
		chosen = 64'd0;
		for (s = 0; s < SLOTS; s = s + 1)
			chosen[HEADER_BITS-1:0] = chosen[HEADER_BITS-1:0] |
				(header_q[s*HEADER_BITS +: HEADER_BITS] & {HEADER_BITS{first[s]}});
	end
	reg first_valid, value_valid;
	wire [63:0] shifted = first_header >> lsb;
	wire unused_shifted = &{1'b0, shifted[63:BITS]};
	wire [15:0] size_mask = (16'd1 << size) - 16'd1;
	wire unused_mask = &{1'b0, size_mask[15:BITS]};
	reg [BITS-1:0] value;
	always @(posedge clk) begin
		accepted_q <= valid & by_field & ~by_label & (|labels) & ~clear;
		has_q <= has;
		header_q <= header;
		first_valid <= accepted_q & (|has_q) & ~clear;
		first_header <= chosen;
		value_valid <= first_valid & ~clear;
		value <= shifted[BITS-1:0] & size_mask[BITS-1:0];
	end

	// The small counts of labels.
	reg [LABEL_BITS-1:0] turn = {LABEL_BITS{1'b0}};
	reg [LABELS*7-1:0] few;
	reg [LABELS-1:0] some;
	generate
		for (l = 0; l < LABELS; l = l + 1) begin : g_label
			wire add = valid & labels[l] & by_label;
			always @(posedge clk) begin
				few[l*7 +: 7] <= (turn == l ? 7'd0 : few[l*7 +: 7]) + {6'd0, add};
				some[l] <= add | (some[l] & turn != l);
				if (clear) begin
					few[l*7 +: 7] <= 7'd0;
					some[l] <= 1'b0;
				end
			end
		end
	endgenerate
	always @(posedge clk)
		turn <= turn == LAST ? {LABEL_BITS{1'b0}} : turn + ONE_TURN;

	// The addition. Stage 0 has the address, 1 the word, 2 the count; 3 has what stage 2 has
	// written. An addition that is one or two cycles behind another one of its bin gets the sum
	// from that.
	wire [DEPTH_BITS-1:0] bin_0;
	reg [DEPTH_BITS-1:0] bin_1, bin_2, bin_3;
	reg [6:0] add_1, add_2;
	reg valid_1, valid_2, valid_3, same_2;
	// What is read of a word as it is written is not used: stage 3 has it.
	(* no_rw_check *) reg [GENERATION+63:0] memory [0:(1<<DEPTH_BITS)-1];
	reg [GENERATION+63:0] copy [0:(1<<DEPTH_BITS)-1]; // the same, for reads by `bin`
	reg [GENERATION+63:0] word_1, read;
`ifdef FORMAL
	(* anyseq *) reg [GENERATION+63:0] f_met; // what a read that meets a write gives
`endif
	reg [GENERATION-1:0] generation = {GENERATION{1'b0}};
	reg [63:0] count_2, sum_3;
	integer k;
	initial
		for (k = 0; k < (1 << DEPTH_BITS); k = k + 1) begin
			memory[k] = {GENERATION+64{1'b0}};
			copy[k] = {GENERATION+64{1'b0}};
		end
	wire [DEPTH_BITS-1:0] turn_bin, value_bin;
	generate
		if (DEPTH_BITS > LABEL_BITS) begin : g_turn
			assign turn_bin = {{DEPTH_BITS-LABEL_BITS{1'b0}}, turn};
		end else begin : g_turn_whole
			assign turn_bin = turn;
		end
		if (DEPTH_BITS > BITS) begin : g_value
			assign value_bin = {{DEPTH_BITS-BITS{1'b0}}, value};
		end else begin : g_value_whole
			assign value_bin = value;
		end
	endgenerate
	assign bin_0 = by_label ? turn_bin : value_bin;
	wire valid_0 = by_label ? some[turn] : value_valid;
	wire [63:0] sum_2 = (same_2 ? sum_3 : count_2) + {57'd0, add_2};
	always @(posedge clk) begin
		word_1 <= memory[bin_0];
`ifdef FORMAL
		if (valid_2 & (bin_2 == bin_0))
			word_1 <= f_met;
`endif
		if (valid_2) begin
			memory[bin_2] <= {generation, sum_2};
			copy[bin_2] <= {generation, sum_2};
		end
		read <= copy[bin[DEPTH_BITS-1:0]];
	end
	always @(posedge clk) begin
		bin_1 <= bin_0;
		bin_2 <= bin_1;
		bin_3 <= bin_2;
		add_1 <= by_label ? few[turn*7 +: 7] : 7'd1;
		add_2 <= add_1;
		valid_1 <= valid_0 & ~clear;
		valid_2 <= valid_1 & ~clear;
		valid_3 <= valid_2 & ~clear;
		same_2 <= valid_2 & (bin_1 == bin_2);
		count_2 <= valid_3 & (bin_1 == bin_3) ? sum_3 :
			word_1[63:0] & {64{word_1[64 +: GENERATION] == generation}};
		sum_3 <= sum_2;
		if (clear)
			generation <= generation + ONE;
	end
	assign busy = accepted_q | first_valid | value_valid | (|some) | valid_1 | valid_2;

	// The bin to read.
	reg bin_there;
	generate
		if (DEPTH_BITS < 12) begin : g_beyond
			always @(posedge clk)
				bin_there <= bin[11:DEPTH_BITS] == {12-DEPTH_BITS{1'b0}};
		end else begin : g_all
			always @(posedge clk) bin_there <= 1'b1;
		end
	endgenerate
	always @(posedge clk) begin
		binned <= bin_there & (read[64 +: GENERATION] == generation) ? read[63:0] : 64'd0;
	end

`ifdef FORMAL
	// An arbitrary bin has as many batches as came for it, less those that are on the way.
	// f_due is how many batches came for it: by label, those with the label of its number; by
	// field, those with its value, whose way to `value` is watched from the batch on.
	(* anyconst *) reg [DEPTH_BITS-1:0] f_bin;
	(* anyconst *) reg f_by_label, f_by_field;
	(* anyconst *) reg [5:0] f_lsb;
	(* anyconst *) reg [3:0] f_size;
	reg [1:0] f_past = 2'd0;
	reg [63:0] f_due;
	// A batch for the bin is at accepted_q, first_valid, value_valid.
	reg f_hit_q, f_first_hit, f_value_hit;
	reg [63:0] f_header;     // the header of the first message with the field
	reg f_any;
	integer f_s;
	always @* begin
		f_header = 64'd0;
		f_any = 1'b0;
		for (f_s = SLOTS - 1; f_s >= 0; f_s = f_s - 1)
			if (has[f_s]) begin
				f_any = 1'b1;
				f_header = 64'd0;
				f_header[HEADER_BITS-1:0] = header[f_s*HEADER_BITS +: HEADER_BITS];
			end
	end
	wire [63:0] f_value = (f_header >> f_lsb) & ((64'd1 << f_size) - 64'd1);
	wire f_label_hit = f_by_label && f_bin < LABELS && ((labels >> f_bin) & 1'b1);
	wire f_field_hit = !f_by_label && f_by_field && (|labels) && f_any && f_value == f_bin;
	wire f_hit = valid && (f_label_hit || f_field_hit);
	wire [GENERATION+63:0] f_word = memory[f_bin];
	wire [63:0] f_count = f_word[64 +: GENERATION] == generation ? f_word[63:0] : 64'd0;
	wire [6:0] f_small = f_by_label && f_bin < LABELS ? few >> (7 * f_bin) : 7'd0;
	wire [63:0] f_way = f_small + (valid_1 && bin_1 == f_bin ? add_1 : 7'd0) +
		(valid_2 && bin_2 == f_bin ? add_2 : 7'd0) + f_hit_q + f_first_hit + f_value_hit;
	wire [63:0] f_second = (same_2 ? sum_3 : count_2);
	always @(posedge clk) begin
		f_past <= {f_past[0], 1'b1};
		if (f_past == 2'd0) assume (clear);
		if (clear) assume (!valid);
		assume (!shift);
		assume (by_label == f_by_label && by_field == f_by_field);
		assume (lsb == f_lsb && size == f_size && size <= BITS);
		assume (bin == f_bin);
		// Generations don't come again. In memory there is none that is still to come.
		assume (generation != {GENERATION{1'b1}});
		f_due <= clear ? 64'd0 : f_due + f_hit;
		f_hit_q <= f_hit && !f_by_label && !clear;
		f_first_hit <= f_hit_q && !clear;
		f_value_hit <= f_first_hit && !clear;
		if (f_past[0]) begin
			assert (f_word[64 +: GENERATION] <= generation);
			assert (memory[f_bin] == copy[f_bin]);
			assert (f_due == f_count + f_way);
			if (valid_2 && bin_2 == f_bin) assert (f_second == f_count);
			if (valid_3 && bin_3 == f_bin) assert (sum_3 == f_count);
			if (same_2 && valid_2) assert (valid_3 && bin_2 == bin_3);
			if (f_by_label && f_bin < LABELS)
				assert (((some >> f_bin) & 1'b1) == (f_small != 0));
			if (valid_1) assert (f_by_label || add_1 == 1);
			if (valid_2) assert (f_by_label || add_2 == 1);
			assert (turn < LABELS);
			// The small count grows by one a cycle at most since the label's turn.
			if (f_by_label && f_bin < LABELS)
				assert (f_small <=
					(turn > f_bin ? turn - f_bin : turn + LABELS - f_bin));
			if (!f_by_label) begin
				assert (!f_hit_q || (accepted_q && (|has_q)));
				assert (f_first_hit == (first_valid && f_chosen_value == f_bin));
				assert (f_value_hit == (value_valid && value == f_bin));
				assert (f_hit_q == (accepted_q && (|has_q) && f_q_value == f_bin));
			end
			if (!busy) assert (f_way == 0);
		end
	end
	// The values of the batches under way.
	reg [63:0] f_q_header;
	integer f_q;
	always @* begin
		f_q_header = 64'd0;
		for (f_q = SLOTS - 1; f_q >= 0; f_q = f_q - 1)
			if (has_q[f_q]) begin
				f_q_header = 64'd0;
				f_q_header[HEADER_BITS-1:0] =
					header_q[f_q*HEADER_BITS +: HEADER_BITS];
			end
	end
	wire [63:0] f_q_value = (f_q_header >> f_lsb) & ((64'd1 << f_size) - 64'd1);
	wire [63:0] f_chosen_value = (first_header >> f_lsb) & ((64'd1 << f_size) - 64'd1);
	always @(posedge clk) begin
		// What is read is what the bin had two cycles ago, if no stream has started since.
		if (f_past[1]) begin
			assert (read == $past(copy[f_bin]) && bin_there);
			if (!$past(clear, 2)) assert (binned == $past(f_count, 2));
		end
	end
`endif
endmodule
`default_nettype wire
