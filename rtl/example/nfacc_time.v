// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// nfacc_time: a clock that counts cycles. It can be set, so that several engines agree on one time.
`default_nettype none

module nfacc_time #(
	parameter WIDTH = 64 // bits of the time, 1 .. 64
) (
	input wire clk,
	input wire rst,                // the time becomes 0
	input wire load,               // `value` is the time of the next cycle
	input wire [WIDTH-1:0] value,  // the time to set
	output reg [WIDTH-1:0] cycles  // the time, one more in every cycle
);
	localparam [WIDTH-1:0] ZERO = 0, ONE = 1;

	generate
		if (WIDTH < 1 || WIDTH > 64) begin : g_width
			nfacc_error_width_is_1_to_64 e ();
		end
	endgenerate

	always @(posedge clk)
		if (rst)
			cycles <= ZERO;
		else if (load)
			cycles <= value;
		else
			cycles <= cycles + ONE;
endmodule
`default_nettype wire
