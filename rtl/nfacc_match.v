// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// nfacc_match: whether a batch matches a predicate, for each line: it names one of the line's messages
// (Any), or it names none of them (None: the complement). Combinational.
`default_nettype none
module nfacc_match #(
	parameter SLOTS = 1, // 1..64: messages of a batch
	parameter LINES = 1  // 1..: lines
) (
	input wire [SLOTS-1:0] names,      // the predicate names the opcode that this slot has
	input wire [LINES*SLOTS-1:0] of,   // bit line*SLOTS + slot: the slot holds a message of the line
	input wire none,                   // the predicate's mode is None
	output wire [LINES-1:0] match      // the line's messages match
);
	/*verilator no_inline_module*/
	genvar j;
	generate
		for (j = 0; j < LINES; j = j + 1) begin : g_line
			assign match[j] = none ^ |(names & of[j*SLOTS +: SLOTS]);
		end
	endgenerate
endmodule
`default_nettype wire
