// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// nfacc_lines: says which slot holds a message of which line. Combinational.
`default_nettype none
module nfacc_lines #(
	parameter SLOTS = 1,     // 1..64: messages of a batch
	parameter LINES = 2,     // 2..: lines of the overlay
	parameter LINE_BITS = 1  // bits of a line's number
) (
	input wire [SLOTS-1:0] present,        // a message is in the slot
	input wire [SLOTS*LINE_BITS-1:0] line, // the line of each slot's message, less than LINES
	input wire [SLOTS-1:0] every,          // the slot holds a message of all lines in use
	input wire [LINES-1:0] used,           // the lines in use
	// Bit line*SLOTS + slot: the slot holds a message of the line.
	output wire [LINES*SLOTS-1:0] belongs,
	output wire [LINES-1:0] any            // the line has a message
);
	// A LUT takes `present` and five bits of a line's number. Longer numbers are decoded in two
	// halves, and each line is the AND of one output of each half.
	localparam LOW_BITS = LINE_BITS > 5 ? (LINE_BITS + 1) / 2 : LINE_BITS;
	localparam LOWS = 1 << LOW_BITS;
	localparam HIGHS = (LINES + LOWS - 1) / LOWS;
	genvar s, j, k;
	generate
		for (s = 0; s < SLOTS; s = s + 1) begin : g_slot
			wire [LINE_BITS-1:0] number = line[s*LINE_BITS +: LINE_BITS];
			// A message of all lines may have any number, also that of a line not in use.
			wire own = present[s] & ~every[s];
			wire [LOWS-1:0] low;
			wire [HIGHS-1:0] high;
			for (k = 0; k < LOWS; k = k + 1) begin : g_low
				localparam [LOW_BITS-1:0] THIS = k;
				assign low[k] = own && number[LOW_BITS-1:0] == THIS;
			end
			for (k = 0; k < HIGHS; k = k + 1) begin : g_high
				if (HIGHS > 1) begin : g_compare
					localparam [LINE_BITS-LOW_BITS-1:0] THIS = k;
					assign high[k] = number[LINE_BITS-1:LOW_BITS] == THIS;
				end else begin : g_all
					assign high[k] = 1'b1;
				end
			end
			for (j = 0; j < LINES; j = j + 1) begin : g_line
				assign belongs[j*SLOTS + s] = (low[j % LOWS] && high[j / LOWS]) ||
					(every[s] && used[j]);
			end
			if (LOWS > LINES) begin : g_rest
				wire unused_low = ^low[LOWS-1:LINES];
			end
		end
		for (j = 0; j < LINES; j = j + 1) begin : g_any
			assign any[j] = |belongs[j*SLOTS +: SLOTS];
		end
	endgenerate

`ifdef FORMAL
	// A message belongs to the line with its number, and to no other, or to all in use.
	generate
		for (j = 0; j < LINES; j = j + 1) begin : g_f_line
			for (s = 0; s < SLOTS; s = s + 1) begin : g_f_slot
				wire [LINE_BITS-1:0] number = line[s*LINE_BITS +: LINE_BITS];
				always @(*) begin
					assume (number < LINES);
					assert (belongs[j*SLOTS + s] ==
						(every[s] ? used[j] :
						present[s] && number == j));
				end
			end
			always @(*)
				assert (any[j] == (|belongs[j*SLOTS +: SLOTS]));
		end
	endgenerate
`endif
endmodule
`default_nettype wire
