// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// nfacc_return: batches that come back from the NFA because a label swaps, and go through it once
// more, in order, when the new configuration is in. A batch with a restart before it waits until no
// batch is between here and the window: so nfacc_inject always has room for the restart.
`default_nettype none

module nfacc_return #(
	parameter WIDTH = 8, // bits of a batch
	parameter DEPTH = 32 // a power of two: at least as many as can come back
) (
	input wire clk,
	input wire rst,                 // drop all
	input wire in_valid,            // a batch comes back
	input wire in_restart_before,   // with a restart before it
	input wire [WIDTH-1:0] in_data,
	input wire returning,           // they go on
	input wire path_empty,          // no batch is between here and the window
	output wire out_valid,          // a batch goes on
	output wire out_restart_before,
	output wire [WIDTH-1:0] out_data,
	output wire returned            // all have gone, and have left the path
);
	wire waits, filled, unused_ready;
	wire [$clog2(DEPTH):0] unused_level;
	reg quiet; // the path was empty in the cycle before, and no batch went there
	nfacc_fifo #(.WIDTH(WIDTH + 1), .DEPTH(DEPTH)) fifo (
		.clk(clk), .rst(rst), .flush(1'b0), .in_valid(in_valid), .in_ready(unused_ready),
		.in_data({in_restart_before, in_data}), .out_valid(waits), .out_ready(out_valid),
		.out_data({out_restart_before, out_data}), .filled(filled), .level(unused_level));

	assign out_valid = returning & waits & (~out_restart_before | quiet);
	assign returned = path_empty & ~waits & ~filled;
	always @(posedge clk)
		quiet <= path_empty & ~out_valid;

`ifdef FORMAL
	// Batches go on only while they may, and one with a restart before it only if the path was
	// empty and nothing went there since.
	reg f_past = 1'b0;
	always @(posedge clk) begin
		f_past <= 1'b1;
		if (!f_past) assume (rst);
		if (out_valid) assert (returning && waits);
		if (f_past && out_valid && out_restart_before)
			assert ($past(path_empty && !out_valid));
		if (returned) assert (path_empty && !out_valid);
	end
`endif
endmodule
`default_nettype wire
