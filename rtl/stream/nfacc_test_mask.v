// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// nfacc_test_mask: one mask test of a header: are some of its bits equal to those of a value? Table
// k looks at header bits 5k to 5k+4, and the bits above the header are 0. The test passes if every
// table says 1. Combinational.
`default_nettype none
module nfacc_test_mask #(
	parameter HEADER_BITS = 8, // 1..64: bits of a header
	parameter TABLES = 2,      // tables: HEADER_BITS / 5, rounded up
	parameter XILINX = 0       // 0: portable Verilog, 1: primitive CFGLUT5
) (
	input wire clk,
	input wire [HEADER_BITS-1:0] header,
	output wire pass,              // the header passes the test
	input wire shift,              // shift one bit into each table
	input wire [TABLES-1:0] cdi,   // the bit that enters each table
	output wire [TABLES-1:0] cdo   // the bit that leaves each table
);
	/*verilator no_inline_module*/
	wire [TABLES*5-1:0] bits;
	wire [TABLES-1:0] agree;
	assign bits[HEADER_BITS-1:0] = header;
	assign pass = &agree;
	genvar k;
	generate
		if (TABLES != (HEADER_BITS + 4) / 5) begin : g_bad_tables
			nfacc_error_tables e ();
		end
		if (TABLES * 5 > HEADER_BITS) begin : g_above
			assign bits[TABLES*5-1:HEADER_BITS] = {TABLES*5-HEADER_BITS{1'b0}};
		end
		for (k = 0; k < TABLES; k = k + 1) begin : g_table
			nfacc_lut5 #(.XILINX(XILINX)) lut (
				.clk(clk), .shift(shift), .cdi(cdi[k]), .cdo(cdo[k]),
				.index(bits[k*5 +: 5]), .low(16'd0), .out(agree[k])
			);
		end
	endgenerate

`ifdef FORMAL
	// Tables are assumed to be those of an arbitrary mask and value. Then the test passes if
	// and only if the header has the bits of the value where the mask is 1.
	(* anyconst *) reg [HEADER_BITS-1:0] f_mask, f_value;
	wire [TABLES*5-1:0] f_masks = f_mask, f_values = f_value;
	generate
		for (k = 0; k < TABLES; k = k + 1) begin : g_f_table
			always @(*)
				assume (agree[k] == (((bits[k*5 +: 5] ^ f_values[k*5 +: 5]) &
					f_masks[k*5 +: 5]) == 5'd0));
		end
	endgenerate
	always @(*)
		assert (pass == ((header & f_mask) == (f_value & f_mask)));
`endif
endmodule
`default_nettype wire
