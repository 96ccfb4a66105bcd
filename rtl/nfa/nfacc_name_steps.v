// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// nfacc_name_steps: names the lines that accept a batch, with the states in memory: the lines of its
// first steps that have labels. The crowd stands for many lines and has no name, so labels of its
// step count as those of other lines.
`default_nettype none

module nfacc_name_steps #(
	parameter LINE_BITS = 1, // bits of a line's number
	parameter LABELS = 1,    // 1 .. 64: labels of the overlay
	parameter NAMES = 1      // 1 .. 4: lines that can be named
) (
	input wire clk,
	input wire clear,                  // forget the steps so far
	input wire [LABELS-1:0] labels,    // the labels of a step
	input wire single,                 // the step is that of a line, and not of the crowd
	input wire [LINE_BITS-1:0] line,
	input wire last,                   // the step is the last one of its batch
	// One cycle after the last step: the names (nfacc_record's in_names).
	output reg [4+NAMES*(LINE_BITS+LABELS)-1:0] names
);
	localparam NAME = LINE_BITS + LABELS;
	reg [NAMES*NAME-1:0] so_far;
	reg [2:0] count;
	reg more;
	wire accepts = labels != {LABELS{1'b0}};
	wire takes = accepts & single & (count != NAMES[2:0]);
	wire more_now = more | (accepts & ~takes);
	wire [2:0] count_now = count + {2'd0, takes};
	reg [NAMES*NAME-1:0] names_now;
	integer i;
	always @* begin
		names_now = so_far;
		for (i = 0; i < NAMES; i = i + 1)
			if (takes & (count == i[2:0]))
				names_now[i*NAME +: NAME] = {labels, line};
	end
	always @(posedge clk) begin
		names <= {names_now, more_now, count_now};
		so_far <= last | clear ? {NAMES*NAME{1'b0}} : names_now;
		count <= last | clear ? 3'd0 : count_now;
		more <= ~(last | clear) & more_now;
	end

`ifdef FORMAL
	// An arbitrary step that accepts has the name of its place among the steps of its batch that
	// accept for a line, or it makes `more` 1.
	(* anyseq *) reg f_pick;
	reg f_past = 1'b0, f_begun = 1'b0, f_picked = 1'b0, f_single, f_others;
	reg [2:0] f_place, f_before; // lines that accepted before the step, and before now; at most 7
	reg [LABELS-1:0] f_labels;
	reg [LINE_BITS-1:0] f_line;
	wire f_now = f_pick & ~f_picked & accepts & ~clear;
	wire [NAMES*NAME-1:0] f_found = names[4+NAMES*NAME-1:4] >> (f_place * NAME);
	reg f_ended = 1'b0;
	always @(posedge clk) begin
		f_past <= 1'b1;
		f_begun <= f_past;
		if (!f_past) assume (clear);
		if (f_now) begin
			f_picked <= 1'b1;
			f_single <= single;
			f_place <= f_before;
			f_labels <= labels;
			f_line <= line;
		end
		f_before <= last | clear ? 3'd0 : f_before + (accepts && single && f_before != 7);
		f_others <= ~(last | clear) && (f_others || (accepts && !single));
		f_ended <= last & ~clear & (f_picked | f_now);
		if (last | clear) f_picked <= 1'b0;
		if (f_past) begin
			// Behind the last name there is nothing.
			assert (so_far >> (count * NAME) == 0);
			if (f_begun)
				assert (names[4+NAMES*NAME-1:4] >> (names[2:0] * NAME) == 0);
			assert (count == (f_before < NAMES ? f_before : NAMES));
			assert (more == (f_others || f_before > NAMES));
			if (f_picked && (!f_single || f_place >= NAMES)) assert (more);
			if (f_picked && f_single) assert (f_place < f_before || f_before == 7);
			if (f_picked && f_single && f_place < NAMES)
				assert (so_far[f_place*NAME +: NAME] == {f_labels, f_line} &&
					f_place < count);
			if (f_ended && (!f_single || f_place >= NAMES)) assert (names[3]);
			if (f_ended && f_single && f_place < NAMES)
				assert (f_found[NAME-1:0] == {f_labels, f_line} &&
					f_place < names[2:0]);
		end
	end
`endif
endmodule
`default_nettype wire
