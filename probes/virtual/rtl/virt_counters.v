// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// virt_counters: the counters of the front end, in a memory. An event is first counted in a few
// bits. When it is the turn of its counter, these bits are added to the counter in the memory. A
// read shows an event at most 17 cycles late.
`include "virt_contract.vh"
`default_nettype none

module virt_counters (
	input wire clk,
	input wire rst,
	input wire [`VIRT_COUNTERS-1:0] count,  // events in this cycle, a bit for each counter
	input wire [4:0] number,                // number of the counter to read
	output wire [63:0] value
);
	localparam N = `VIRT_COUNTERS;
	localparam [4:0] LAST = N - 1;

	generate
		if (N < 17 || N > 31) begin : g_bad
			nfacc_error_parameter_out_of_range e ();
		end
	endgenerate

	(* ram_style = "distributed" *)
	reg [63:0] memory [0:31];
	reg [5*N-1:0] lately; // events not yet in the memory: 5 bits, at most one a cycle
	reg [4:0] turn;
	reg fresh; // in the first round after a reset the memory is not valid
	integer i;

	wire last = turn == LAST;
	assign value = memory[number];
	always @(posedge clk) begin
		turn <= last ? 5'd0 : turn + 5'd1;
		memory[turn] <= (fresh ? 64'd0 : memory[turn]) + {59'd0, lately[5*turn +: 5]};
		fresh <= fresh & ~last;
		for (i = 0; i < N; i = i + 1)
			lately[5*i +: 5] <= {4'd0, count[i]} +
				(turn == i[4:0] ? 5'd0 : lately[5*i +: 5]);
		if (rst) begin
			turn <= 5'd0;
			fresh <= 1'b1;
			lately <= {5*N{1'b0}};
		end
	end
endmodule
`default_nettype wire
