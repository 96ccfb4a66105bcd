// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// nfacc_payload_tests: tests the payload of messages as the tap delivers it, before it goes to
// block RAM. Each slot has TESTS tests. A test has a range test for every 64 bits of the payload,
// and passes if they all do; those of words that do not matter always pass. The results of the
// range tests wait for a cycle in flip-flops. With two sets there is all of this twice, so that the
// tests of the next image are there when the first batch comes that is for it.
`default_nettype none
module nfacc_payload_tests #(
	parameter SLOTS = 1,     // 1..64: messages of a batch
	parameter PAYLOAD = 64,  // 64..512 in steps of 64: bits of a message's payload
	parameter TESTS = 1,     // 1..8: tests of a slot
	parameter SETS = 1,      // 1, 2: sets of tests
	parameter TABLES = 32,   // tables of a test: 32 for every 64 bits
	parameter WORDS = 32,    // configuration words of the element payload_test
	parameter DATA = 32,     // 32 or 64: bits of a configuration word
	parameter XILINX = 0     // 0: portable Verilog, 1: primitive CFGLUT5
) (
	input wire clk,
	input wire [SLOTS*PAYLOAD-1:0] payload,  // of the lowest slot first
	// A cycle after the payload, the results of each set: those of set 0 lowest.
	output wire [SETS*SLOTS*TESTS-1:0] passed,
	// The tests of a set change only while no batch comes that is taken and tested by it.
	input wire [SETS-1:0] shift,             // bit s: cfg_data is a word of the element for set s
	input wire [DATA-1:0] cfg_data
);
	localparam PARTS = PAYLOAD / 64;
	localparam RESULTS = SLOTS * TESTS;
	localparam ALL = RESULTS * TABLES;

	genvar i, p, s;
	generate
		if (PARTS * 64 != PAYLOAD || TABLES != 32 * PARTS || SETS < 1 || SETS > 2) begin : g_bad
			nfacc_error_payload_tables e ();
		end
		for (s = 0; s < SETS; s = s + 1) begin : g_set
			wire [ALL-1:0] cdi, cdo;
			nfacc_links #(
				.TABLES(ALL), .WORDS(WORDS), .DATA(DATA), .XILINX(XILINX)
			) links (
				.clk(clk), .shift(shift[s]), .data(cfg_data), .cdo(cdo), .cdi(cdi));
			for (i = 0; i < RESULTS; i = i + 1) begin : g_test
				localparam FROM = i / TESTS * PAYLOAD; // the slot's payload
				wire [PARTS-1:0] pass;
				reg [PARTS-1:0] results;
				always @(posedge clk)
					results <= pass;
				assign passed[s*RESULTS+i] = &results;
				for (p = 0; p < PARTS; p = p + 1) begin : g_part
					localparam AT = i * TABLES + p * 32;
					nfacc_test_range #(
						.HEADER_BITS(64), .TABLES(32), .XILINX(XILINX)
					) test (
						.clk(clk), .header(payload[FROM + p*64 +: 64]),
						.pass(pass[p]), .shift(shift[s]),
						.cdi(cdi[AT +: 32]), .cdo(cdo[AT +: 32])
					);
				end
			end
		end
	endgenerate

`ifdef FORMAL
	// A test passes if and only if each 64 bits of its slot's payload pass their range test, in
	// each set.
	reg f_past = 1'b0;
	always @(posedge clk)
		f_past <= 1'b1;
	generate
		for (s = 0; s < SETS; s = s + 1) begin : g_f_set
			for (i = 0; i < RESULTS; i = i + 1) begin : g_f_test
				always @(posedge clk)
					if (f_past)
						assert (passed[s*RESULTS+i] ==
							&$past(g_set[s].g_test[i].pass));
			end
		end
	endgenerate
`endif
endmodule
`default_nettype wire
