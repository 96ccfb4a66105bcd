// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// nfacc_hot: the list of hot lines. A tick may change the state of a hot line, or give it a label or
// a mark of the log. Each step makes its line hot, unless it is that of a tick which changed nothing:
// a further tick would change nothing either, so the line is cold until its next message. A flag for
// each line says whether it is in the list, and so it is there at most once.
`default_nettype none
module nfacc_hot #(
	parameter LINES = 2,     // 1..: lines of the overlay
	parameter LINE_BITS = 1  // bits of a line's number
) (
	input wire clk,
	input wire rst,
	input wire clear,         // a restart: no line is hot
	// A step; `clear` is 0. Its other inputs come in the next cycle.
	input wire step,
	input wire [LINE_BITS-1:0] line,
	input wire tick,          // the line was taken out of the list
	input wire enters,        // the line has had no step since the restart
	input wire cold_next,     // a cycle later: the step was that of a tick, and changed nothing
	output wire [LINE_BITS:0] count, // hot lines, while no step is inside
	output wire valid,        // `first` is the first line of the list
	output wire [LINE_BITS-1:0] first,
	input wire take           // take it out of the list
);
	localparam BITS = LINES > 2 ? $clog2(LINES) : 1;
	localparam [LINE_BITS:0] ONE = 1;
	reg flags [0:LINES-1];    // the line is in the list, if it has had a step
	reg flag, last_flag;
	reg stepped, tick_q, enters_q, same;
	reg [LINE_BITS-1:0] line_q;
	reg [LINE_BITS:0] listed;
	// The flag that was read may be older than the step before, if that was of the same line.
	wire was = ~enters_q & ~tick_q & (same ? last_flag : flag);
	wire push = stepped & ~was & ~cold_next;
	wire unused_ready, unused_filled;
	wire [BITS:0] unused_level;

	assign count = listed;
	integer i;
	initial
		for (i = 0; i < LINES; i = i + 1)
			flags[i] = 1'b0;
	always @(posedge clk) begin
		if (stepped)
			flags[line_q] <= ~cold_next;
		flag <= flags[line];
	end
	always @(posedge clk) begin
		stepped <= step;
		line_q <= line;
		tick_q <= tick;
		enters_q <= enters;
		same <= stepped & (line == line_q);
		last_flag <= ~cold_next;
		listed <= listed + (push ? ONE : {LINE_BITS+1{1'b0}}) -
			(take & valid ? ONE : {LINE_BITS+1{1'b0}});
		if (clear | rst) begin
			stepped <= 1'b0;
			listed <= {LINE_BITS+1{1'b0}};
		end
	end
	nfacc_fifo #(.WIDTH(LINE_BITS), .DEPTH(1 << BITS)) list (
		.clk(clk), .rst(clear | rst), .flush(1'b0), .in_valid(push), .in_ready(unused_ready),
		.in_data(line_q), .out_valid(valid), .out_ready(take), .out_data(first),
		.filled(unused_filled), .level(unused_level)
	);

`ifdef FORMAL
	// The proof picks an arbitrary line. It is in the list at most once. After each of its steps it
	// is there, unless the step was that of a tick that changed nothing. The list is assumed to give
	// out what was put in (nfacc_fifo has its own proof). nfacc_split takes a line out only for a
	// step that comes before any other step of the line.
	(* anyconst *) reg [LINE_BITS-1:0] f_line;
	reg f_past = 1'b0;
	reg [1:0] f_listed;      // how often the list has the line
	reg f_taken;             // the line was taken out, and its step has not come
	reg f_entered;           // the line had a step since the restart
	wire f_step = step & (line == f_line);
	wire f_here = stepped & (line_q == f_line);
	wire f_push = push & (line_q == f_line);
	wire f_take = take & valid & (first == f_line);
	always @(posedge clk) begin
		f_past <= 1'b1;
		if (!f_past) assume (rst);
		assume (f_line < LINES && line < LINES);
		assume (!(clear && step));
		if (cold_next) assume (tick_q);
		if (f_step) assume (enters == !f_entered && tick == f_taken);
		if (valid && first == f_line) assume (f_listed != 0);
		if (f_take) assume (!f_here && !f_step); // no step of a line is inside when it is taken
		f_listed <= clear || rst ? 0 : f_listed + f_push - f_take;
		f_taken <= !clear && !rst && (f_take || (f_taken && !f_step));
		f_entered <= !clear && !rst && (f_entered || f_step);
		if (f_past) begin
			assert (f_listed + f_taken <= 1);
			if (f_here && !enters_q && !tick_q) assert (was == (f_listed != 0));
			if (f_here) assert (f_entered && !f_taken);
			if (f_here && (enters_q || tick_q)) assert (f_listed == 0);
			if (!f_entered) assert (f_listed == 0 && !f_taken);
			if (f_entered && !f_here)
				assert (flags[f_line] == (f_listed + f_taken != 0));
			if ($past(f_past) && $past(f_here && !clear && !rst))
				assert (f_listed == !$past(cold_next));
		end
	end
`endif
endmodule
`default_nettype wire
