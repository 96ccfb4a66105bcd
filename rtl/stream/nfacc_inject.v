// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// nfacc_inject: the input of the NFA. It puts a restart between two batches. The restart takes a
// cycle of its own. So the batch that comes in that cycle is one cycle late, and so are those that
// follow it without a gap. Each of them waits in a register, until a cycle brings no batch.
`default_nettype none

module nfacc_inject #(
	parameter WIDTH = 8 // bits of a reduced batch
) (
	input wire clk,
	input wire rst,
	input wire restart,            // put in a restart; allowed only while restart_ready is 1
	output wire restart_ready,     // a restart can be put in
	input wire in_valid,           // a batch comes; one is taken in every cycle
	input wire [WIDTH-1:0] in_data,
	output reg out_valid,          // a batch goes to the NFA
	output reg out_restart,        // a restart goes to the NFA
	output reg [WIDTH-1:0] out_data,
	input wire leaves_nfa,         // a batch or a restart leaves the NFA
	output wire busy               // a batch or a restart is here or in the NFA
);
	reg full;
	reg [WIDTH-1:0] slot;
	reg [4:0] entered; // batches and restarts in the NFA, whose latency is below 16 cycles

	assign restart_ready = ~full;
	assign busy = full | out_valid | out_restart | (entered != 5'd0);

	always @(posedge clk) begin
		out_restart <= restart;
		out_valid <= (full | in_valid) & ~restart;
		out_data <= full ? slot : in_data;
		full <= (full | restart) & in_valid;
		slot <= in_data;
		entered <= entered + {4'd0, out_valid | out_restart} - {4'd0, leaves_nfa};
		if (rst) begin
			out_restart <= 1'b0;
			out_valid <= 1'b0;
			full <= 1'b0;
			entered <= 5'd0;
		end
	end

`ifdef FORMAL
	// The data of an arbitrary batch is 1, that of batches before it 0, that of batches after
	// it 2. All batches leave in this order. A restart leaves one cycle after it was asked for,
	// and no batch leaves in that cycle.
	localparam [1:0] AHEAD = 0, SLOT = 1, OUTPUT = 2, GONE = 3;
	(* anyseq *) reg f_pick;
	reg f_past = 1'b0;
	reg [1:0] f_at = AHEAD;
	reg [4:0] f_inside; // batches and restarts that have left this module, but not the NFA
	wire f_here = (f_at == AHEAD) & in_valid & f_pick;
	always @(posedge clk) begin
		f_past <= 1'b1;
		if (!f_past) assume (rst);
		if (!restart_ready) assume (!restart);
		assume (in_data == (f_at != AHEAD ? 2 : f_here ? 1 : 0));
		if (f_here) f_at <= full | restart ? SLOT : OUTPUT;
		if (f_at == SLOT) f_at <= OUTPUT;
		if (f_at == OUTPUT) f_at <= GONE;
		if (rst) f_at <= AHEAD;
		f_inside <= rst ? 5'd0 : f_inside + (out_valid || out_restart) - leaves_nfa;
		if (f_past) begin
			if (out_valid)
				assert (out_data == (f_at == GONE ? 2 : f_at == OUTPUT ? 1 : 0));
			if (f_at == OUTPUT) assert (out_valid);
			if (f_at == SLOT) assert (full);
			if (full) assert (slot == (f_at == AHEAD ? 0 : f_at == SLOT ? 1 : 2));
			assert (!(out_valid && out_restart));
			// A batch waits only while another one or a restart is at the output.
			if (full) assert (out_valid || out_restart);
			assert (busy == (out_valid || out_restart || f_inside != 0));
			assert (entered == f_inside);
			assert (out_restart == $past(restart & !rst));
		end
	end
`endif
endmodule
`default_nettype wire
