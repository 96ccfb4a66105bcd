// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// nfacc_gate: whether one of the nodes near by that count is active, for each line: the OR over them,
// by a mask or by truth tables of five nodes each. Combinational.
`default_nettype none
module nfacc_gate #(
	parameter NPRED = 1,        // 1..: nodes near by
	parameter NPREDLUT = 1,     // groups of five of them: NPRED / 5, rounded up
	parameter PREDECESSORS = 1, // 0: by a mask, 1: by truth tables
	parameter LINES = 1,        // 1..: lines
	parameter XILINX = 0        // 0: portable, 1: CFGLUT5
) (
	input wire clk,
	input wire [LINES*NPRED-1:0] pred, // bit line*NPRED + i: node i is active there
	input wire [NPRED-1:0] mask,       // PREDECESSORS 0: which nodes count,
	input wire always_on,              // and whether one counts as active always
	input wire shift,                  // PREDECESSORS 1: shift the tables: group g's gives, of its
	input wire [NPREDLUT-1:0] cdi,     // five nodes, the OR over those that count; all ones: one
	output wire [NPREDLUT-1:0] cdo,    // is active always
	output wire [LINES-1:0] reached    // one that counts is active
);
	localparam SIXES = (NPREDLUT + 5) / 6;
	genvar j, g, i;
	generate
		if (NPREDLUT != (NPRED + 4) / 5) begin : g_bad_npredlut
			nfacc_error_npredlut e ();
		end
		for (j = 0; j < LINES; j = j + 1) begin : g_line
			wire [NPRED-1:0] active = pred[j*NPRED +: NPRED];
			if (PREDECESSORS != 0) begin : g_lut5
				// All lines' tables are loaded together, from the first line's chain.
				wire [NPREDLUT*5-1:0] padded;
				wire [NPREDLUT-1:0] part, out;
				assign padded[NPRED-1:0] = active;
				if (NPREDLUT * 5 > NPRED) begin : g_pad
					assign padded[NPREDLUT*5-1:NPRED] = {NPREDLUT*5-NPRED{1'b0}};
				end
				for (g = 0; g < NPREDLUT; g = g + 1) begin : g_group
					nfacc_lut5 #(.XILINX(XILINX)) lut (
						.clk(clk), .shift(shift), .cdi(cdi[g]), .cdo(out[g]),
						.index(padded[g*5 +: 5]), .out(part[g])
					);
				end
				if (SIXES > 1) begin : g_sixes
					// Kept: a LUT for six tables each; what uses the last OR takes it in.
					(* keep *) wire [SIXES-1:0] six;
					for (i = 0; i < SIXES; i = i + 1) begin : g_six
						localparam END = i * 6 + 6 < NPREDLUT ? i * 6 + 6 : NPREDLUT;
						assign six[i] = |part[END-1:i*6];
					end
					assign reached[j] = |six;
				end else begin : g_few
					assign reached[j] = |part;
				end
				if (j == 0) begin : g_chain
					assign cdo = out;
				end else begin : g_copy
					wire unused_out = ^out;
				end
			end else begin : g_mask
				assign reached[j] = always_on || |(active & mask);
			end
		end
		if (PREDECESSORS != 0) begin : g_no_mask
			wire unused_mask = ^{always_on, mask};
		end else begin : g_no_tables
			assign cdo = {NPREDLUT{1'b0}};
			wire unused_tables = ^{clk, shift, cdi};
		end
	endgenerate

`ifdef FORMAL
	// Tables mean what the contract says: the OR over the nodes that count, and all ones in the first
	// for `always_on`. Then the gate is one line, however it is made.
	generate
		if (PREDECESSORS != 0) begin : g_f_tables
			wire [NPREDLUT*5-1:0] f_mask = mask;
			for (j = 0; j < LINES; j = j + 1) begin : g_f_line
				for (g = 0; g < NPREDLUT; g = g + 1) begin : g_f_group
					always @(*)
						assume (g_line[j].g_lut5.part[g] == ((g == 0 && always_on) ||
							|(g_line[j].g_lut5.padded[g*5 +: 5] & f_mask[g*5 +: 5])));
				end
			end
		end
		for (j = 0; j < LINES; j = j + 1) begin : g_f_reached
			always @(*)
				assert (reached[j] == (always_on || |(pred[j*NPRED +: NPRED] & mask)));
		end
	endgenerate
`endif
endmodule
`default_nettype wire
