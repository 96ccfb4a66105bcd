// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// nfacc_test_range: one range test of a header: does a number that is in it lie between a first and
// a last value? The header is looked at in groups of four bits, and each group has two tables with
// two outputs each. Table 2k compares group k with the last value, table 2k+1 with the first one.
// `equal` says that the group's bits of the number are those of the bound. `beyond` says that they
// are outside: above those of the last value, or below those of the first one. The highest group
// that is not equal decides. The test passes if the number is beyond neither bound. Combinational.
`default_nettype none
module nfacc_test_range #(
	parameter HEADER_BITS = 8, // 1..64: bits of a header
	parameter TABLES = 4,      // tables: two for every four bits of a header
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
	localparam GROUPS = TABLES / 2;
	// The groups are compared in parts of five. A part takes three LUTs of six inputs: one for
	// the lower three groups, one for these and the upper two, and one for whether all are
	// equal. `keep` holds yosys to that. Without it yosys balances the tree and takes more.
	localparam PARTS = (GROUPS + 4) / 5;
	wire [GROUPS*4-1:0] bits;
	wire [2*GROUPS-1:0] equal, beyond; // bit bound*GROUPS + group; bound 0 is the last value
	wire [1:0] outside;
	assign bits[HEADER_BITS-1:0] = header;
	assign pass = ~|outside;
	genvar g, b, p;
	generate
		if (TABLES != 2 * ((HEADER_BITS + 3) / 4)) begin : g_bad_tables
			nfacc_error_tables e ();
		end
		if (GROUPS * 4 > HEADER_BITS) begin : g_above
			assign bits[GROUPS*4-1:HEADER_BITS] = {GROUPS*4-HEADER_BITS{1'b0}};
		end
		for (b = 0; b < 2; b = b + 1) begin : g_bound
			(* keep *) wire [PARTS-1:0] three, five, all_same; // a bit for each part
			reg over; // what the parts up to part i say together
			integer i;
			always @* begin
				over = 1'b0;
				for (i = 0; i < PARTS; i = i + 1)
					over = five[i] | (all_same[i] & over);
			end
			assign outside[b] = over;
			// A part that is not full is filled up with groups that are equal.
			wire [PARTS*5-1:0] s, o;
			assign s[GROUPS-1:0] = equal[b*GROUPS +: GROUPS];
			assign o[GROUPS-1:0] = beyond[b*GROUPS +: GROUPS];
			if (PARTS * 5 > GROUPS) begin : g_fill
				assign s[PARTS*5-1:GROUPS] = {PARTS*5-GROUPS{1'b1}};
				assign o[PARTS*5-1:GROUPS] = {PARTS*5-GROUPS{1'b0}};
			end
			for (g = 0; g < GROUPS; g = g + 1) begin : g_group
				nfacc_lut4x2 #(.XILINX(XILINX)) lut (
					.clk(clk), .shift(shift), .cdi(cdi[g*2 + b]),
					.cdo(cdo[g*2 + b]), .index(bits[g*4 +: 4]),
					.low(equal[b*GROUPS + g]), .high(beyond[b*GROUPS + g])
				);
			end
			for (p = 0; p < PARTS; p = p + 1) begin : g_part
				localparam AT = p * 5;
				assign three[p] = o[AT+2] |
					(s[AT+2] & (o[AT+1] | (s[AT+1] & o[AT])));
				assign five[p] = o[AT+4] |
					(s[AT+4] & (o[AT+3] | (s[AT+3] & three[p])));
				if (p == 0) begin : g_lowest
					wire unused_s = s[AT];
					assign all_same[p] = 1'b0;
				end else begin : g_higher
					assign all_same[p] = &s[AT +: 5];
				end
			end
		end
	endgenerate

`ifdef FORMAL
	// Tables are assumed to be those of an arbitrary mask, which says where in the header the
	// number is, and of arbitrary bounds below that mask. Then the test passes if and only if
	// the number is not below the first value and not above the last one.
	(* anyconst *) reg [HEADER_BITS-1:0] f_mask, f_first, f_last;
	wire [GROUPS*4-1:0] f_masks = f_mask, f_firsts = f_first, f_lasts = f_last;
	wire [HEADER_BITS-1:0] f_number = header & f_mask;
	generate
		for (g = 0; g < GROUPS; g = g + 1) begin : g_f_group
			wire [3:0] f_here = bits[g*4 +: 4] & f_masks[g*4 +: 4];
			always @(*) begin
				assume (equal[g] == (f_here == f_lasts[g*4 +: 4]));
				assume (beyond[g] == (f_here > f_lasts[g*4 +: 4]));
				assume (equal[GROUPS+g] == (f_here == f_firsts[g*4 +: 4]));
				assume (beyond[GROUPS+g] == (f_here < f_firsts[g*4 +: 4]));
			end
		end
	endgenerate
	always @(*) begin
		assume ((f_first & ~f_mask) == 0 && (f_last & ~f_mask) == 0);
		assert (pass == (f_number >= f_first && f_number <= f_last));
	end
`endif
endmodule
`default_nettype wire
