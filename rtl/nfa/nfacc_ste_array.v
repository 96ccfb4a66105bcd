// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// nfacc_ste_array: all STEs of the overlay. Each is connected to the nodes of its neighbouring
// cliques. The module also holds the configuration elements of STEs: start states, predecessors,
// states that are always reachable. STE s is number s % CLIQUE of clique s / CLIQUE.
`default_nettype none
`include "nfacc_contract.vh"
module nfacc_ste_array #(
	parameter CLIQUE = 1,       // 1..: STEs in a clique
	parameter NCLIQUES = 1,     // 1..: cliques of the overlay
	parameter NSTE = 1,         // STEs of the overlay
	parameter NNEIGHBOURS = 1,  // cliques next to a clique, itself included
	parameter NNODES = 1,       // nodes in a clique: STEs, then counters
	parameter NPRED = 1,        // predecessors of an STE, the STE itself included
	parameter NPREDLUT = 1,     // groups of five predecessors, rounded up
	parameter PREDECESSORS = 1, // what says which nodes are predecessors: `NFACC_PREDECESSORS_*
	parameter COUNTERS = 0,     // 0..64: counters in a clique
	parameter COUNTER_PORTS = 1, // counters of the overlay, but at least 1: no vector is empty
	parameter LINES = 1,        // 1..: lines of the overlay
	parameter HITS = 1,         // groups of six lines: LINES / 6, rounded up
	parameter EARLIER = 0,      // 1: the states before the batch are `earlier`, not `states`
	parameter START_WORDS = 1,  // configuration words of element start
	parameter ALWAYS_WORDS = 1, // configuration words of element always
	parameter PRED_WORDS = 32,  // configuration words of element pred_mask or pred_lut
	parameter DATA = 32,        // 32 or 64: bits of a configuration word
	// For each clique, the numbers of its NNEIGHBOURS neighbours in rising order, itself
	// included. Each number is a field of 32 bits.
	parameter [NCLIQUES*NNEIGHBOURS*32-1:0] NEIGHBOURS = 0,
	parameter XILINX = 0        // 0: portable Verilog, 1: primitive CFGLUT5
) (
	input wire clk,
	input wire [LINES-1:0] move,       // the line has a message, or there is a restart
	input wire [LINES-1:0] any,        // the line has a message
	input wire restart,                // a restart; `any` is 0 then
	// Bit ste*LINES + line: the messages of the line match the predicate of the STE.
	input wire [NSTE*LINES-1:0] match,
	// Bit line*COUNTER_PORTS + counter: the counter is active.
	input wire [LINES*COUNTER_PORTS-1:0] counters,
	input wire [LINES*NSTE-1:0] earlier, // bit line*NSTE + ste: the STE was active
	output wire [LINES*NSTE-1:0] states, // bit line*NSTE + ste: the STE is active
	output wire [NSTE*HITS-1:0] hits,  // bits from ste*HITS on: `hit` of nfacc_ste
	input wire [`NFACC_DEVICE_IDS] cfg_shift, // bit id: cfg_data is a word for element `id`
	input wire [DATA-1:0] cfg_data
);
	wire [NSTE-1:0] start;
	nfacc_chain #(.BITS(NSTE), .WORDS(START_WORDS), .DATA(DATA)) starts (
		.clk(clk), .shift(cfg_shift[`NFACC_EL_START]), .data(cfg_data), .value(start)
	);
	wire [NSTE*NPRED-1:0] mask;
	wire [NSTE-1:0] always_on;
	wire [NSTE*NPREDLUT-1:0] pred_cdi, pred_cdo;
	reg [LINES-1:0] had; // the last batch had a message of the line
	always @(posedge clk)
		had <= any;
	wire [LINES*NSTE-1:0] from = EARLIER ? earlier : states;
	wire unused_earlier = &{1'b0, earlier};
	genvar s, j, i;
	generate
		if (PREDECESSORS == `NFACC_PREDECESSORS_MASK) begin : g_masks
			nfacc_chain #(.BITS(NSTE*NPRED), .WORDS(PRED_WORDS), .DATA(DATA)) masks (
				.clk(clk), .shift(cfg_shift[`NFACC_EL_PRED_MASK]), .data(cfg_data),
				.value(mask)
			);
			nfacc_chain #(.BITS(NSTE), .WORDS(ALWAYS_WORDS), .DATA(DATA)) all (
				.clk(clk), .shift(cfg_shift[`NFACC_EL_ALWAYS]), .data(cfg_data),
				.value(always_on)
			);
			assign pred_cdi = {NSTE*NPREDLUT{1'b0}};
			wire unused_cdo = ^pred_cdo;
		end else begin : g_tables
			assign mask = {NSTE*NPRED{1'b0}};
			assign always_on = {NSTE{1'b0}};
			nfacc_links #(
				.TABLES(NSTE*NPREDLUT), .WORDS(PRED_WORDS), .DATA(DATA),
				.XILINX(XILINX)
			) links (
				.clk(clk), .shift(cfg_shift[`NFACC_EL_PRED_LUT]), .data(cfg_data),
				.cdo(pred_cdo), .cdi(pred_cdi)
			);
		end
		for (s = 0; s < NSTE; s = s + 1) begin : g_ste
			wire [LINES*NPRED-1:0] pred;
			wire [LINES-1:0] state;
			for (j = 0; j < LINES; j = j + 1) begin : g_line
				for (i = 0; i < NPRED; i = i + 1) begin : g_pred
					localparam FROM = NEIGHBOURS[
						(s/CLIQUE*NNEIGHBOURS + i/NNODES)*32 +: 32];
					if (i % NNODES < CLIQUE) begin : g_state
						assign pred[j*NPRED + i] =
							from[j*NSTE + FROM*CLIQUE + i%NNODES];
					end else begin : g_counter
						assign pred[j*NPRED + i] =
							counters[j*COUNTER_PORTS + FROM*COUNTERS +
							i%NNODES - CLIQUE];
					end
				end
				assign states[j*NSTE + s] = state[j];
			end
			nfacc_ste #(
				.NPRED(NPRED), .NPREDLUT(NPREDLUT), .PREDECESSORS(PREDECESSORS),
				.LINES(LINES), .HITS(HITS), .XILINX(XILINX)
			) ste (
				.clk(clk), .move(move), .restart(restart), .had(had),
				.match(match[s*LINES +: LINES]), .pred(pred), .start(start[s]),
				.mask(mask[s*NPRED +: NPRED]), .always_on(always_on[s]),
				.shift(cfg_shift[`NFACC_EL_PRED_LUT]),
				.cdi(pred_cdi[s*NPREDLUT +: NPREDLUT]),
				.cdo(pred_cdo[s*NPREDLUT +: NPREDLUT]), .state(state),
				.hit(hits[s*HITS +: HITS])
			);
		end
		if (COUNTERS == 0) begin : g_no_counters
			wire unused_counters = ^counters;
		end
	endgenerate
	wire unused_shift = ^cfg_shift;
endmodule
`default_nettype wire
