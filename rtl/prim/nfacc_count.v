// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// nfacc_count: a count of 64 bits in two halves, so no carry goes through all of them in a cycle.
// What is added shows in `count` three cycles later, in both halves at once.
`default_nettype none

module nfacc_count #(
	parameter BITS = 1 // 1 .. 32: bits of `more`
) (
	input wire clk,
	// The count is 0 from the next cycle on; what was not yet added is forgotten.
	input wire clear,
	input wire [BITS-1:0] more, // what is added
	output wire [63:0] count
);
	reg [BITS-1:0] added;
	reg [31:0] low, low_before, high;
	reg carry; // of the last addition, which `high` does not have yet

	// Apart from the bits that are added to, it carries only if all bits are 1.
	wire [BITS:0] sum = {1'b0, low[BITS-1:0]} + {1'b0, added};
	wire [32:0] wide = {{(33-BITS){1'b0}}, added};
	wire unused_sum = &{1'b0, wide[32], sum};
	wire others_full = (~low >> BITS) == 32'd0;

	assign count = {high, low_before};
	always @(posedge clk) begin
		added <= more;
		low <= low + wide[31:0];
		carry <= sum[BITS] & others_full;
		low_before <= low;
		high <= high + {31'd0, carry};
		if (clear) begin
			added <= {BITS{1'b0}};
			{carry, low} <= 33'd0;
			low_before <= 32'd0;
			high <= 32'd0;
		end
	end

`ifdef FORMAL
	// The count is the sum of all that came since it was cleared, three cycles late.
	reg f_past = 1'b0;
	reg [63:0] f_sum, f_before, f_count;
	always @(posedge clk) begin
		f_past <= 1'b1;
		if (!f_past) assume (clear);
		f_sum <= clear ? 64'd0 : f_sum + more;
		f_before <= clear ? 64'd0 : f_sum;
		f_count <= clear ? 64'd0 : f_before;
		if (f_past) begin
			assert (count == f_count);
			assert (f_before[31:0] == low && f_before[63:32] == high + carry);
			assert (f_sum == f_before + added);
		end
	end
`endif
endmodule
`default_nettype wire
