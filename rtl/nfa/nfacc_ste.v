// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// nfacc_ste: a state transition element (STE): one state of the NFA, with a copy for each line.
// After a batch with a message of its line, the copy is active if the batch matches and a
// predecessor was active before the batch. A batch without such a message leaves the copy as it is.
// A restart sets the copy to its start state.
`default_nettype none
module nfacc_ste #(
	parameter NPRED = 1,        // 1..: predecessors, the STE itself included
	parameter NPREDLUT = 1,     // groups of five predecessors: NPRED / 5, rounded up
	parameter PREDECESSORS = 1, // what says which nodes are predecessors: `NFACC_PREDECESSORS_*
	parameter LINES = 1,        // 1..: lines of the overlay
	parameter HITS = 1,         // groups of six lines: LINES / 6, rounded up
	parameter XILINX = 0        // 0: portable Verilog, 1: primitive CFGLUT5
) (
	input wire clk,
	input wire [LINES-1:0] move,       // the line has a message, or there is a restart
	input wire restart,                // a restart
	input wire [LINES-1:0] match,      // the line's messages match the STE's predicate
	input wire [LINES*NPRED-1:0] pred, // bit line*NPRED + i: node i is active in the line
	input wire start,                  // the STE is active after a restart
	// The mask or the tables of nfacc_gate, which says which nodes are predecessors.
	input wire [NPRED-1:0] mask,       // with a mask: bit i: node i is a predecessor
	input wire always_on,              // with a mask: the state is always reachable
	input wire shift,                  // with tables: shift one bit into each table
	input wire [NPREDLUT-1:0] cdi,
	output wire [NPREDLUT-1:0] cdo,
	input wire [LINES-1:0] had,        // the last batch had a message of the line
	output reg [LINES-1:0] state,      // the copy of the line is active
	// Bit i, one cycle after the batch: of lines 6i to 6i+5, one that had a message in the
	// batch has an active copy. With a single line the bit is that line's state, whether or not
	// the line had a message.
	output wire [HITS-1:0] hit
);
	/*verilator no_inline_module*/
	localparam SIXES = (NPREDLUT + 5) / 6;
	wire [LINES-1:0] reached; // a predecessor was active before the batch
	wire [LINES-1:0] matched;
	genvar j, i;
	nfacc_gate #(
		.NPRED(NPRED), .NPREDLUT(NPREDLUT), .PREDECESSORS(PREDECESSORS), .LINES(LINES),
		.XILINX(XILINX)
	) gate (
		.clk(clk), .pred(pred), .mask(mask), .always_on(always_on), .shift(shift),
		.cdi(cdi), .cdo(cdo), .reached(reached)
	);
	generate
		// If the OR over predecessors takes two levels of LUTs, `keep` separates it from
		// the OR over slots. If synthesis merged the two ORs, the path from state to state
		// would be one level longer.
		if (LINES > 1 && SIXES > 1) begin : g_apart
			(* keep *) wire [LINES-1:0] apart;
			assign apart = match;
			assign matched = apart;
		end else begin : g_together
			assign matched = match;
		end
		for (j = 0; j < LINES; j = j + 1) begin : g_line
			always @(posedge clk)
				if (move[j])
					state[j] <= restart ? start : matched[j] && reached[j];
		end

		// Hits are of registered states: the path through counters to a state is long
		// enough as it is, and a hit takes no flip-flop.
		if (LINES == 1) begin : g_single
			assign hit = state;
			wire unused_had = had;
		end else begin : g_hits
			for (i = 0; i < HITS; i = i + 1) begin : g_hit
				localparam END = i * 6 + 6 < LINES ? i * 6 + 6 : LINES;
				assign hit[i] = |(state[END-1:i*6] & had[END-1:i*6]);
			end
		end
	endgenerate

`ifdef FORMAL
	// nfacc_gate has its own proof, so its result is assumed to be right here. What is left of
	// an STE is one expression.
	reg [LINES-1:0] f_reached;
	integer f;
	always @(*) begin
		for (f = 0; f < LINES; f = f + 1)
			f_reached[f] = always_on || |(pred[f*NPRED +: NPRED] & mask);
		assume (reached == f_reached);
	end
	reg f_past = 1'b0;
	always @(posedge clk) begin
		f_past <= 1'b1;
		if (f_past) begin
			for (f = 0; f < LINES; f = f + 1)
				assert (state[f] ==
					($past(move[f]) ? ($past(restart) ? $past(start) :
					$past(match[f] && f_reached[f])) : $past(state[f])));
			if (LINES > 1 && (had & ~$past(move)) == 0 && !$past(restart))
				assert (|hit == |(had & $past(match & f_reached)));
		end
	end
`endif
endmodule
`default_nettype wire
