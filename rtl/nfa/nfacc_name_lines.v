// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// nfacc_name_lines: names the lines that accept a batch, where each line has a copy of the NFA. All
// lines give their labels at once. The lowest lines that have labels get the names. A cycle finds
// one line, so it takes NAMES + 2 cycles:
//
//	labels of lines ->[which accept]->[first]->[second]-> ... ->[names]
`default_nettype none

module nfacc_name_lines #(
	parameter LINES = 1,     // 1..: lines of the overlay
	parameter LINE_BITS = 1, // bits of a line's number
	parameter LABELS = 1,    // 1 .. 64: labels of the overlay
	parameter NAMES = 1      // 1 .. 4: lines that can be named
) (
	input wire clk,
	input wire [LINES*LABELS-1:0] in_labels, // bit line*LABELS + label: the line accepts
	// NAMES + 2 cycles later: the labels of all lines, and the names (nfacc_record's in_names).
	output reg [LABELS-1:0] labels,
	output reg [4+NAMES*(LINE_BITS+LABELS)-1:0] names
);
	localparam NAME = LINE_BITS + LABELS;
	localparam [LINES-1:0] ONE = 1, NONE = 0;

	// Stage 0 knows which lines accept. Stage k > 0 picks the line that gets name k - 1.
	wire [(NAMES+1)*LINES*LABELS-1:0] stage_labels; // the labels of each line
	wire [(NAMES+1)*LINES-1:0] left;   // lines that accept and are not picked yet
	wire [(NAMES+1)*LABELS-1:0] any;   // the labels of all lines
	wire [(NAMES+1)*3-1:0] count;      // lines picked so far
	wire [(NAMES+1)*NAMES*NAME-1:0] stage_names; // the names before that of the stage
	genvar s;
	generate
		for (s = 0; s <= NAMES; s = s + 1) begin : g_stage
			reg [LINES*LABELS-1:0] labels_q;
			reg [LINES-1:0] left_q;
			reg [LABELS-1:0] any_q;
			reg [2:0] count_q;
			reg [NAMES*NAME-1:0] names_q, names_next;
			assign stage_labels[s*LINES*LABELS +: LINES*LABELS] = labels_q;
			assign left[s*LINES +: LINES] = left_q;
			assign any[s*LABELS +: LABELS] = any_q;
			assign count[s*3 +: 3] = count_q;
			assign stage_names[s*NAMES*NAME +: NAMES*NAME] = names_next;
			if (s == 0) begin : g_first
				reg [LINES-1:0] accept;
				reg [LABELS-1:0] any_now;
				integer i;
				always @* begin
					any_now = {LABELS{1'b0}};
					for (i = 0; i < LINES; i = i + 1) begin
						accept[i] = |in_labels[i*LABELS +: LABELS];
						any_now = any_now | in_labels[i*LABELS +: LABELS];
					end
					names_next = names_q;
				end
				always @(posedge clk) begin
					labels_q <= in_labels;
					left_q <= accept;
					any_q <= any_now;
					count_q <= 3'd0;
					names_q <= {NAMES*NAME{1'b0}};
				end
			end else begin : g_pick
				wire [LINES-1:0] lines_left = left[(s-1)*LINES +: LINES];
				reg [LINES-1:0] pick; // the bit of the line, or 0 if none is left
				integer i;
				always @* begin
					names_next = names_q;
					for (i = 0; i < LINES; i = i + 1)
						if (pick[i])
							names_next[(s-1)*NAME +: NAME] =
								names_next[(s-1)*NAME +: NAME] |
								{labels_q[i*LABELS +: LABELS],
								i[LINE_BITS-1:0]};
				end
				always @(posedge clk) begin
					labels_q <= stage_labels[(s-1)*LINES*LABELS +: LINES*LABELS];
					left_q <= lines_left & (lines_left - ONE);
					pick <= lines_left & (~lines_left + ONE);
					any_q <= any[(s-1)*LABELS +: LABELS];
					count_q <= count[(s-1)*3 +: 3] + {2'd0, lines_left != NONE};
					names_q <= stage_names[(s-1)*NAMES*NAME +: NAMES*NAME];
				end
			end
		end
	endgenerate
	wire unused_last = &{1'b0, stage_labels[NAMES*LINES*LABELS +: LINES*LABELS]};
	always @(posedge clk) begin
		labels <= any[NAMES*LABELS +: LABELS];
		names <= {stage_names[NAMES*NAMES*NAME +: NAMES*NAME],
			left[NAMES*LINES +: LINES] != NONE, count[NAMES*3 +: 3]};
	end

`ifdef FORMAL
	// The names are those of the lowest lines with labels, in rising order. What is above the last
	// name is 0.
	reg [2:0] f_count, f_past = 3'd0;
	reg f_more;
	reg [NAMES*NAME-1:0] f_names;
	reg [LABELS-1:0] f_labels;
	reg [LABELS+4+NAMES*NAME-1:0] f_want;
	reg [(NAMES+1)*LINES*LABELS-1:0] f_earlier; // what came in the cycles before
	wire [LINES*LABELS-1:0] f_in = f_earlier[NAMES*LINES*LABELS +: LINES*LABELS];
	integer f;
	always @(posedge clk) begin
		if (f_past != NAMES + 2) f_past <= f_past + 3'd1;
		f_count = 3'd0;
		f_more = 1'b0;
		f_names = 0;
		f_labels = 0;
		for (f = 0; f < LINES; f = f + 1)
			if (f_in[f*LABELS +: LABELS] != 0) begin
				f_labels = f_labels | f_in[f*LABELS +: LABELS];
				if (f_count == NAMES) f_more = 1'b1;
				else begin
					f_names = f_names | {{NAMES*NAME{1'b0}},
						f_in[f*LABELS +: LABELS], f[LINE_BITS-1:0]} <<
						(f_count * NAME);
					f_count = f_count + 3'd1;
				end
			end
		f_earlier <= {f_earlier, in_labels};
		f_want <= {f_labels, f_names, f_more, f_count};
		if (f_past == NAMES + 2)
			assert ({labels, names} == f_want);
	end
`endif
endmodule
`default_nettype wire
