// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// nfacc_inject: the NFA's input. Puts a restart between two batches: the batch that comes in the
// same cycle, and those right behind it, wait for a cycle in one register until a cycle is free.
`default_nettype none

module nfacc_inject #(
	parameter WIDTH = 8 // bits of a reduced batch
) (
	input wire clk,
	input wire rst,
	input wire restart,            // only while `can`
	output wire can,               // a restart can be put in
	input wire in_valid,           // takes a batch in every cycle
	input wire [WIDTH-1:0] in_data,
	output reg out_valid,          // to the NFA: a batch
	output reg out_restart,        // or a restart
	output reg [WIDTH-1:0] out_data,
	input wire left,               // a batch or a restart leaves the NFA
	output wire busy               // one is here or in the NFA
);
	reg full;
	reg [WIDTH-1:0] slot;
	reg [4:0] entered; // in the NFA, whose latency is below 16

	assign can = ~full;
	assign busy = full | out_valid | out_restart | (entered != 5'd0);

	always @(posedge clk) begin
		out_restart <= restart;
		out_valid <= (full | in_valid) & ~restart;
		out_data <= full ? slot : in_data;
		full <= (full | restart) & in_valid;
		slot <= in_data;
		entered <= entered + {4'd0, out_valid | out_restart} - {4'd0, left};
		if (rst) begin
			out_restart <= 1'b0;
			out_valid <= 1'b0;
			full <= 1'b0;
			entered <= 5'd0;
		end
	end

`ifdef FORMAL
	// An arbitrary batch is 1, those before it 0, those after it 2: all leave in this order.
	reg f_past = 1'b0, f_in = 1'b0, f_out = 1'b0;
	(* anyseq *) reg f_pick;
	always @(posedge clk) begin
		f_past <= 1'b1;
		if (!f_past) assume (rst);
		if (!can) assume (!restart);
		assume (WIDTH == 2);
		assume (in_data == (f_in ? 2'd2 : in_valid & f_pick ? 2'd1 : 2'd0));
		if (in_valid && f_pick) f_in <= 1'b1;
		if (out_valid && out_data == 2'd1) f_out <= 1'b1;
		if (rst) begin
			f_in <= 1'b0;
			f_out <= 1'b0;
		end
		if (f_past) begin
			assert (!(out_valid && out_restart));
			if (out_valid) assert (f_out ? out_data == 2'd2 : f_in || out_data == 2'd0);
			if (out_valid && out_data == 2'd2) assert (f_out);
			if (out_valid && out_data == 2'd1) assert (!f_out);
			// Not lost: it is at the output, or waits in the register, or has left.
			if (f_in && !f_out)
				assert ((out_valid && out_data == 2'd1) || (full && slot == 2'd1));
			if (full && slot == 2'd1) assert (f_in && !f_out);
			if (full && slot == 2'd2)
				assert (f_out || (out_valid && out_data == 2'd1));
			if (full && slot == 2'd0) assert (!f_in);
			assert (out_data != 2'd3 || !out_valid);
			assert (slot != 2'd3 || !full);
		end
	end
`endif
endmodule
`default_nettype wire
