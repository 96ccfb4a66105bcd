// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// nfacc_payload_tests: tests the payload of messages as the tap delivers it, before it goes to
// block RAM. Each slot has TESTS tests. A test has a range test for every 64 bits of the payload,
// and passes if they all do; those of words that do not matter always pass. The results of the
// range tests wait for a cycle in flip-flops.
`default_nettype none
module nfacc_payload_tests #(
	parameter SLOTS = 1,     // 1..64: messages of a batch
	parameter PAYLOAD = 64,  // 64..512 in steps of 64: bits of a message's payload
	parameter TESTS = 1,     // 1..8: tests of a slot
	parameter TABLES = 32,   // tables of a test: 32 for every 64 bits
	parameter WORDS = 32,    // configuration words of the element payload_test
	parameter DATA = 32,     // 32 or 64: bits of a configuration word
	parameter XILINX = 0     // 0: portable Verilog, 1: primitive CFGLUT5
) (
	input wire clk,
	input wire [SLOTS*PAYLOAD-1:0] payload,  // of the lowest slot first
	output wire [SLOTS*TESTS-1:0] passed,    // a cycle later
	// The configuration changes only while no batch comes that is taken.
	input wire shift,                        // cfg_data is a word of the element
	input wire [DATA-1:0] cfg_data
);
	localparam PARTS = PAYLOAD / 64;
	localparam ALL = SLOTS * TESTS * TABLES;
	wire [ALL-1:0] cdi, cdo;
	nfacc_links #(.TABLES(ALL), .WORDS(WORDS), .DATA(DATA), .XILINX(XILINX)) links (
		.clk(clk), .shift(shift), .data(cfg_data), .cdo(cdo), .cdi(cdi));

	genvar i, p;
	generate
		if (PARTS * 64 != PAYLOAD || TABLES != 32 * PARTS) begin : g_bad
			nfacc_error_payload_tables e ();
		end
		for (i = 0; i < SLOTS * TESTS; i = i + 1) begin : g_test
			localparam FROM = i / TESTS * PAYLOAD; // the slot's payload
			wire [PARTS-1:0] pass;
			reg [PARTS-1:0] results;
			always @(posedge clk)
				results <= pass;
			assign passed[i] = &results;
			for (p = 0; p < PARTS; p = p + 1) begin : g_part
				localparam AT = i * TABLES + p * 32;
				nfacc_test_range #(
					.HEADER_BITS(64), .TABLES(32), .XILINX(XILINX)
				) test (
					.clk(clk), .header(payload[FROM + p*64 +: 64]),
					.pass(pass[p]), .shift(shift), .cdi(cdi[AT +: 32]),
					.cdo(cdo[AT +: 32])
				);
			end
		end
	endgenerate

`ifdef FORMAL
	// A test passes if and only if each 64 bits of its slot's payload pass their range test.
	reg f_past = 1'b0;
	always @(posedge clk)
		f_past <= 1'b1;
	generate
		for (i = 0; i < SLOTS * TESTS; i = i + 1) begin : g_f_test
			always @(posedge clk)
				if (f_past)
					assert (passed[i] == &$past(g_test[i].pass));
		end
	endgenerate
`endif
endmodule
`default_nettype wire
