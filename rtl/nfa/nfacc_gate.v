// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// nfacc_gate: says for each line whether any of the chosen neighbouring nodes is active. A mask
// chooses the nodes, or truth tables with five inputs each do. Table g is the OR over the chosen
// ones of nodes 5g to 5g+4. A table of all ones makes `reached` always 1. Combinational.
`default_nettype none
`include "nfacc_contract.vh"
module nfacc_gate #(
	parameter NPRED = 1,        // 1..: neighbouring nodes
	parameter NPREDLUT = 1,     // groups of five such nodes: NPRED / 5, rounded up
	parameter PREDECESSORS = 1, // what chooses the nodes: `NFACC_PREDECESSORS_*
	parameter LINES = 1,        // 1..: lines of the overlay
	parameter XILINX = 0        // 0: portable Verilog, 1: primitive CFGLUT5
) (
	input wire clk,
	input wire [LINES*NPRED-1:0] pred, // bit line*NPRED + i: node i is active in that line
	input wire [NPRED-1:0] mask,       // with a mask: the chosen nodes
	input wire always_on,              // with a mask: `reached` is always 1
	input wire shift,                  // with tables: shift one bit into each
	input wire [NPREDLUT-1:0] cdi,     // with tables: the bit that enters each table
	output wire [NPREDLUT-1:0] cdo,    // with tables: the bit that leaves each table
	output wire [LINES-1:0] reached    // a chosen node is active in the line
);
	localparam SIXES = (NPREDLUT + 5) / 6;
	genvar j, g, i;
	generate
		if (NPREDLUT != (NPRED + 4) / 5) begin : g_bad_npredlut
			nfacc_error_npredlut e ();
		end
		for (j = 0; j < LINES; j = j + 1) begin : g_line
			wire [NPRED-1:0] active = pred[j*NPRED +: NPRED];
			if (PREDECESSORS == `NFACC_PREDECESSORS_LUT5) begin : g_lut5
				// The tables of a group have the same content in all lines: each
				// line shifts in the cdi of the first line.
				wire [NPREDLUT*5-1:0] padded;
				wire [NPREDLUT-1:0] part, out;
				assign padded[NPRED-1:0] = active;
				if (NPREDLUT * 5 > NPRED) begin : g_pad
					assign padded[NPREDLUT*5-1:NPRED] =
						{NPREDLUT*5-NPRED{1'b0}};
				end
				for (g = 0; g < NPREDLUT; g = g + 1) begin : g_group
					nfacc_lut5 #(.XILINX(XILINX)) lut (
						.clk(clk), .shift(shift), .cdi(cdi[g]),
						.cdo(out[g]), .index(padded[g*5 +: 5]), .low(16'd0),
						.out(part[g])
					);
				end
				if (SIXES > 1) begin : g_sixes
					// `keep` gives the OR of every six tables a LUT of its own.
					// The OR over these is merged into the logic that uses it.
					(* keep *) wire [SIXES-1:0] six;
					for (i = 0; i < SIXES; i = i + 1) begin : g_six
						localparam END =
							i * 6 + 6 < NPREDLUT ? i * 6 + 6 : NPREDLUT;
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
		if (PREDECESSORS == `NFACC_PREDECESSORS_LUT5) begin : g_no_mask
			wire unused_mask = ^{always_on, mask};
		end else begin : g_no_tables
			assign cdo = {NPREDLUT{1'b0}};
			wire unused_tables = ^{clk, shift, cdi};
		end
	endgenerate

`ifdef FORMAL
	// Tables are assumed to be as the contract says: each is the OR over the chosen nodes, and
	// with `always_on` the first table is all ones. Then `reached` must be the same expression
	// with tables as with a mask.
	generate
		if (PREDECESSORS == `NFACC_PREDECESSORS_LUT5) begin : g_f_tables
			wire [NPREDLUT*5-1:0] f_mask = mask;
			for (j = 0; j < LINES; j = j + 1) begin : g_f_line
				for (g = 0; g < NPREDLUT; g = g + 1) begin : g_f_group
					always @(*)
						assume (g_line[j].g_lut5.part[g] ==
							((g == 0 && always_on) ||
							|(g_line[j].g_lut5.padded[g*5 +: 5] &
							f_mask[g*5 +: 5])));
				end
			end
		end
		for (j = 0; j < LINES; j = j + 1) begin : g_f_reached
			always @(*)
				assert (reached[j] ==
					(always_on || |(pred[j*NPRED +: NPRED] & mask)));
		end
	endgenerate
`endif
endmodule
`default_nettype wire
