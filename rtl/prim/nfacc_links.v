// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// nfacc_links: connects the truth tables of a TABLES element to shift chains
// (doc/develop/contract.md). There are DATA chains, one for each bit of a word. Table t + DATA
// feeds table t, and the word feeds the last table of each chain. Unused tables fill up the last
// group of DATA tables, so that all chains have the same length.
`default_nettype none
module nfacc_links #(
	parameter TABLES = 1, // 1..: tables
	parameter WORDS = 32, // configuration words of the element: 32 for every DATA tables
	parameter DATA = 32,  // 32 or 64: bits of a configuration word
	parameter XILINX = 0  // 0: portable Verilog, 1: primitive CFGLUT5
) (
	input wire clk,
	input wire shift,             // take in the word `data`
	input wire [DATA-1:0] data,   // a configuration word
	input wire [TABLES-1:0] cdo,  // bit t: the bit that leaves table t
	output wire [TABLES-1:0] cdi  // bit t: the bit that enters table t
);
	localparam FULL = WORDS / 32 * DATA; // tables, the unused ones included
	genvar t;
	generate
		if (WORDS != (TABLES + DATA - 1) / DATA * 32) begin : g_bad_words
			nfacc_error_table_words e ();
		end
		for (t = 0; t < TABLES; t = t + 1) begin : g_table
			if (t + DATA < TABLES) begin : g_next
				assign cdi[t] = cdo[t + DATA];
			end else if (t + DATA < FULL) begin : g_stand_in
				wire unused_out;
				nfacc_lut5 #(.XILINX(XILINX)) lut (
					.clk(clk), .shift(shift), .cdi(data[t%DATA]), .cdo(cdi[t]),
					.index(5'd0), .low(16'd0), .out(unused_out)
				);
			end else begin : g_last
				assign cdi[t] = data[t%DATA];
			end
			if (t < DATA) begin : g_first
				wire unused_cdo = cdo[t];
			end
		end
		if (TABLES == FULL || TABLES < DATA) begin : g_no_stand_in
			wire unused_clk = ^{clk, shift};
		end
		if (TABLES < DATA) begin : g_few
			wire unused_data = ^data[DATA-1:TABLES];
		end
	endgenerate
endmodule
`default_nettype wire
