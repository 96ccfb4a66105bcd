// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// A design for wave.test, with what simulators put in waveforms: scopes, arrays of instances, an
// escaped name, a real number, an event, a parameter, states x and z, wide vectors, and blackouts.
`default_nettype none
module cell_of #(parameter WIDTH = 4) (
	input wire clk,
	input wire [WIDTH-1:0] d,
	output reg [WIDTH-1:0] q
);
	always @(posedge clk)
		q <= d;
endmodule

module dumped;
	reg clk = 0;
	reg [7:0] count = 0;
	reg [0:11] up = 12'h800;
	reg [99:0] wide;
	reg \odd.name[2] ;
	wire tri_state = count[3] ? count[0] : 1'bz;
	integer number = -3;
	real level = 0.5;
	event ping;
	wire [15:0] chain;

	genvar i;
	generate
		for (i = 0; i < 3; i = i + 1) begin : stage
			cell_of #(.WIDTH(4)) c(.clk(clk), .d(i == 0 ? count[3:0] : chain[4*i-1-:4]),
				.q(chain[4*i+:4]));
		end
	endgenerate
	assign chain[15:12] = 4'bz1x0;

	always #5 clk = !clk;
	always @(posedge clk) begin
		count <= count + 1;
		up <= {up[11], up[0:10]};
		wide <= {wide[98:0], count[2]};
		\odd.name[2] <= ^count;
		number <= number * 3 + 1;
		level = level * 1.5;
		if (count[1:0] == 3)
			-> ping;
	end
	initial begin
		$dumpfile("dump.out");
		$dumpvars(0, dumped);
		#203 $dumpoff;
		#100 $dumpon;
		#100 $dumpall;
		#300 $finish;
	end
endmodule
`default_nettype wire
