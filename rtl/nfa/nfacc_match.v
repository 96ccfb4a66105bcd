// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// nfacc_match: says for each line whether a batch matches a predicate. In mode Any it does if the
// predicate names one of the line's messages. Mode None is the complement: the predicate names none
// of them. Combinational.
`default_nettype none
module nfacc_match #(
	parameter SLOTS = 1, // 1..64: messages of a batch
	parameter LINES = 1, // 1..: lines of the overlay
	parameter MASKED = 1 // 0: `belongs` is always all ones
) (
	input wire [SLOTS-1:0] names,      // bit slot: the predicate names the letter of the slot
	// Bit line*SLOTS + slot: the slot holds a message of the line.
	input wire [LINES*SLOTS-1:0] belongs,
	input wire none,                   // the predicate's mode is None
	output wire [LINES-1:0] match      // the messages of the line match the predicate
);
	/*verilator no_inline_module*/
	// With one line the OR is split into parts that each fill a LUT of six inputs. The slots
	// that are left over go to the last LUT. Without this split yosys balances the tree, which
	// takes 50 % more LUTs. With several lines the OR is not split, because yosys then merges
	// it with the decoding of lines, which takes fewer LUTs.
	localparam TAKES = MASKED ? 3 : 6; // slots that a part takes
	localparam FULL = SLOTS / TAKES;
	localparam OVER = SLOTS - FULL * TAKES;
	localparam PARTS = LINES > 1 ? 0 :
		OVER == 0 || FULL + OVER * (MASKED ? 2 : 1) < 6 ? FULL : FULL + 1;
	genvar j, p;
	generate
		for (j = 0; j < LINES; j = j + 1) begin : g_line
			wire [SLOTS-1:0] named = MASKED ? names & belongs[j*SLOTS +: SLOTS] : names;
			if (PARTS > 0) begin : g_parts
				(* keep *) wire [PARTS-1:0] part;
				for (p = 0; p < PARTS; p = p + 1) begin : g_part
					localparam END = p * TAKES + TAKES < SLOTS ?
						p * TAKES + TAKES : SLOTS;
					assign part[p] = |named[END-1:p*TAKES];
				end
				if (PARTS * TAKES < SLOTS) begin : g_over
					assign match[j] =
						none ^ |{part, named[SLOTS-1:PARTS*TAKES]};
				end else begin : g_all
					assign match[j] = none ^ |part;
				end
			end else begin : g_few
				assign match[j] = none ^ |named;
			end
			if (MASKED == 0) begin : g_unmasked
				wire unused_of = ^belongs[j*SLOTS +: SLOTS];
			end
		end
	endgenerate

`ifdef FORMAL
	// The result must not depend on how the OR is split. A line matches if the predicate names
	// one of its messages or, in mode None, if it names none of them.
	integer f;
	always @(*)
		for (f = 0; f < LINES; f = f + 1) begin
			if (MASKED == 0)
				assume (&belongs);
			assert (match[f] == (none ^ (|(names & belongs[f*SLOTS +: SLOTS]))));
		end
`endif
endmodule
`default_nettype wire
