// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// nfacc_crc32c: one step of CRC-32C (reflected, polynomial 0x1edc6f41). A step takes in one word,
// lowest byte first. It is linear: every bit of the result is the parity of a set of input bits.
// These sets are computed at elaboration, so that synthesis builds balanced trees and not a chain.
`default_nettype none

module nfacc_crc32c #(
	parameter DATA = 32 // bits of a word: 32 or 64
) (
	input wire [31:0] crc,       // the CRC so far: all ones before the first word; the CRC of
	                             // all words is the complement of the last `next`
	input wire [DATA-1:0] data,
	output wire [31:0] next
);
	localparam [31:0] POLYNOMIAL = 32'h82f63b78;

	// Returns the result of the step for an input in which only bit `from` is set. That bit
	// makes one shift of the CRC, and each bit after it makes one more.
	function [31:0] column(input integer from);
		integer i;
		begin
			column = POLYNOMIAL;
			for (i = from + 1; i < DATA; i = i + 1)
				column = (column >> 1) ^ (column[0] ? POLYNOMIAL : 32'd0);
		end
	endfunction

	// Returns the input bits whose parity is bit `to` of the result.
	function [DATA-1:0] row(input [4:0] to);
		integer i;
		reg [31:0] c;
		begin
			for (i = 0; i < DATA; i = i + 1) begin
				c = column(i);
				row[i] = c[to];
			end
		end
	endfunction

	wire [DATA-1:0] in;
	generate
		if (DATA == 32) begin : g_32
			assign in = data ^ crc;
		end else begin : g_64
			assign in = data ^ {{(DATA-32){1'b0}}, crc};
		end
	endgenerate

	genvar i;
	generate
		for (i = 0; i < 32; i = i + 1) begin : g_bit
			localparam [DATA-1:0] ROW = row(i[4:0]);
			assign next[i] = ^(in & ROW);
		end
	endgenerate
endmodule
`default_nettype wire
