// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// nfacc_trigger: makes messages of a signal from outside, for a slot of its own. Two flip-flops
// synchronise the signal with the clock. A level trigger gives a message in every cycle in which
// the signal is active. An edge trigger gives one message each time the signal becomes active. A
// pulse shorter than a clock cycle may be missed.
`default_nettype none

module nfacc_trigger #(
	parameter EDGE = 1,  // 0: level, 1: edge
	parameter ACTIVE = 1 // the level at which the signal is active: 0 or 1
) (
	input wire clk,
	input wire rst,      // after reset an edge trigger waits until the signal is not active
	input wire signal,   // may change at any time
	output reg message   // there is a message in this cycle
);
	generate
		if (EDGE < 0 || EDGE > 1 || ACTIVE < 0 || ACTIVE > 1) begin : g_range
			nfacc_error_trigger_range e ();
		end
	endgenerate

	// ASYNC_REG tells Vivado to place the two flip-flops next to each other. The first one can
	// be metastable, so nothing but the second one reads it.
	(* ASYNC_REG = "TRUE" *) reg [1:0] synchroniser;
	reg waiting; // the signal was active in the cycle before, or since reset
	wire active = synchroniser[1];

	always @(posedge clk) begin
		synchroniser <= {synchroniser[0], signal == ACTIVE[0]};
		waiting <= active;
		message <= active & ~(EDGE[0] & waiting);
		if (rst) begin
			synchroniser <= {2{EDGE[0]}};
			waiting <= 1'b1;
			message <= 1'b0;
		end
	end

`ifdef FORMAL
	// A message comes three cycles after the signal was active: after each such cycle if the
	// trigger is one of levels, after the first of several if it is one of edges.
	reg f_begun = 1'b0;
	reg [2:0] f_past = 3'd0; // bit i: i + 1 cycles ago there was no reset, nor since
	reg f_was_active;        // the signal was active at the last clock edge, or was not looked at
	wire f_active = signal == ACTIVE;
	wire f_begins = f_active && !(EDGE && f_was_active);
	always @(posedge clk) begin
		f_begun <= 1'b1;
		if (!f_begun) assume (rst);
		f_past <= rst ? 3'd0 : {f_past[1:0], 1'b1};
		f_was_active <= f_active || rst;
		if (f_past[0]) assert (synchroniser[0] == $past(f_active));
		if (f_past[1]) assert (synchroniser[1] == $past(f_active, 2));
		if (f_begun) assert (message == (f_past[2] && $past(f_begins, 3)));
	end
`endif
endmodule
`default_nettype wire
