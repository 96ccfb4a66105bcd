// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// nfacc_tables: the truth tables of one TABLES element (doc/develop/contract.md). Each has five
// inputs. nfacc_links chains them for loading.
`default_nettype none
module nfacc_tables #(
	parameter TABLES = 1, // 1..: tables
	parameter WORDS = 32, // configuration words of the element: 32 for every DATA tables
	parameter DATA = 32,  // 32 or 64: bits of a configuration word
	parameter XILINX = 0  // 0: portable Verilog, 1: primitive CFGLUT5
) (
	input wire clk,
	input wire shift,                // take in the word `data`
	input wire [DATA-1:0] data,      // a configuration word
	input wire [TABLES*5-1:0] index, // the five inputs of each table
	output wire [TABLES-1:0] out     // the output of each table
);
	/*verilator no_inline_module*/
	wire [TABLES-1:0] cdi, cdo;
	nfacc_links #(.TABLES(TABLES), .WORDS(WORDS), .DATA(DATA), .XILINX(XILINX)) links (
		.clk(clk), .shift(shift), .data(data), .cdo(cdo), .cdi(cdi)
	);
	genvar t;
	generate
		for (t = 0; t < TABLES; t = t + 1) begin : g_table
			nfacc_lut5 #(.XILINX(XILINX)) lut (
				.clk(clk), .shift(shift), .cdi(cdi[t]), .cdo(cdo[t]),
				.index(index[t*5 +: 5]), .low(16'd0), .out(out[t])
			);
		end
	endgenerate
endmodule
`default_nettype wire
