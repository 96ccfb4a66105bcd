// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// nfacc_counter_array: all counters of an overlay with at least one counter. Each counter has two
// gates (nfacc_gate) over the STEs of its neighbouring cliques: one for the STEs that make it
// count, one for those that reset it. Counter k is number k % COUNTERS of clique k / COUNTERS.
`default_nettype none
`include "nfacc_contract.vh"
module nfacc_counter_array #(
	parameter CLIQUE = 1,       // 1..: STEs in a clique
	parameter NCLIQUES = 1,     // 1..: cliques of the overlay
	parameter NSTE = 1,         // STEs of the overlay
	parameter NNEIGHBOURS = 1,  // cliques next to a clique, itself included
	parameter NNODES = 2,       // nodes in a clique: STEs, then counters
	parameter NPRED = 2,        // nodes of the neighbouring cliques
	parameter NPREDLUT = 1,     // groups of five such nodes: NPRED / 5, rounded up
	parameter PREDECESSORS = 1, // how these nodes are gated: `NFACC_PREDECESSORS_*
	parameter COUNTERS = 1,     // 1..64: counters in a clique
	parameter NCOUNTERS = 1,    // counters of the overlay
	parameter COUNTER_WIDTH = 16, // 1..32: bits of a counter
	parameter LINES = 1,        // 1..: lines of the overlay
	parameter EARLIER = 0,      // 1: counts before the last batch are `earlier`, and no line is fresh
	parameter COUNT_WORDS = 32, // configuration words of element count_mask or count_lut
	parameter RESET_WORDS = 32,    // configuration words of element reset_mask or reset_lut
	parameter THRESHOLD_WORDS = 1, // configuration words of element threshold
	parameter MODE_WORDS = 1,   // configuration words of element counter_mode
	parameter DATA = 32,        // 32 or 64: bits of a configuration word
	// For each clique, the numbers of its NNEIGHBOURS neighbours in rising order, itself
	// included. Each number is a field of 32 bits.
	parameter [NCLIQUES*NNEIGHBOURS*32-1:0] NEIGHBOURS = 0,
	parameter XILINX = 0        // 0: portable Verilog, 1: primitive CFGLUT5
) (
	input wire clk,
	input wire [LINES-1:0] move,     // the line has a message, or there is a restart
	input wire [LINES-1:0] any,      // the line has a message
	input wire restart,              // a restart: every count becomes 0
	input wire [LINES*NSTE-1:0] states,         // bit line*NSTE + ste: the STE is active
	// With EARLIER: K minus the count of counter k of a line, before the last batch and after it, from
	// bit (k*LINES + line)*COUNTER_WIDTH on.
	input wire [NCOUNTERS*LINES*COUNTER_WIDTH-1:0] earlier,
	output wire [NCOUNTERS*LINES*COUNTER_WIDTH-1:0] later,
	// Bit line*NCOUNTERS + counter: the counter is active.
	output wire [LINES*NCOUNTERS-1:0] counters,
	// One cycle after the batch: the counter is active in a line that had a message in the
	// batch. With a single line: the counter is active, whether or not there was a message.
	output wire [NCOUNTERS-1:0] hits,
	input wire [`NFACC_DEVICE_IDS] cfg_shift, // bit id: cfg_data is a word for element `id`
	input wire [DATA-1:0] cfg_data
);
	wire [NCOUNTERS*NPRED-1:0] count_mask, reset_mask;
	wire [NCOUNTERS*NPREDLUT-1:0] count_cdi, count_cdo, reset_cdi, reset_cdo;
	wire [NCOUNTERS*COUNTER_WIDTH-1:0] threshold;
	wire [NCOUNTERS*2-1:0] mode;
	nfacc_chain #(
		.BITS(NCOUNTERS*COUNTER_WIDTH), .WORDS(THRESHOLD_WORDS), .DATA(DATA)
	) thresholds (
		.clk(clk), .shift(cfg_shift[`NFACC_EL_THRESHOLD]), .data(cfg_data),
		.value(threshold)
	);
	nfacc_chain #(.BITS(NCOUNTERS*2), .WORDS(MODE_WORDS), .DATA(DATA)) modes (
		.clk(clk), .shift(cfg_shift[`NFACC_EL_COUNTER_MODE]), .data(cfg_data), .value(mode)
	);

	reg [LINES-1:0] fresh; // the line had no batch since the restart
	reg [LINES-1:0] had;   // the last batch had a message of the line
	genvar k, j, i;
	generate
		if (PREDECESSORS == `NFACC_PREDECESSORS_MASK) begin : g_masks
			nfacc_chain #(
				.BITS(NCOUNTERS*NPRED), .WORDS(COUNT_WORDS), .DATA(DATA)
			) count_masks (
				.clk(clk), .shift(cfg_shift[`NFACC_EL_COUNT_MASK]), .data(cfg_data),
				.value(count_mask)
			);
			nfacc_chain #(
				.BITS(NCOUNTERS*NPRED), .WORDS(RESET_WORDS), .DATA(DATA)
			) reset_masks (
				.clk(clk), .shift(cfg_shift[`NFACC_EL_RESET_MASK]), .data(cfg_data),
				.value(reset_mask)
			);
			assign count_cdi = {NCOUNTERS*NPREDLUT{1'b0}};
			assign reset_cdi = {NCOUNTERS*NPREDLUT{1'b0}};
			wire unused_cdo = ^{count_cdo, reset_cdo};
		end else begin : g_tables
			assign count_mask = {NCOUNTERS*NPRED{1'b0}};
			assign reset_mask = {NCOUNTERS*NPRED{1'b0}};
			nfacc_links #(
				.TABLES(NCOUNTERS*NPREDLUT), .WORDS(COUNT_WORDS), .DATA(DATA),
				.XILINX(XILINX)
			) count_links (
				.clk(clk), .shift(cfg_shift[`NFACC_EL_COUNT_LUT]), .data(cfg_data),
				.cdo(count_cdo), .cdi(count_cdi)
			);
			nfacc_links #(
				.TABLES(NCOUNTERS*NPREDLUT), .WORDS(RESET_WORDS), .DATA(DATA),
				.XILINX(XILINX)
			) reset_links (
				.clk(clk), .shift(cfg_shift[`NFACC_EL_RESET_LUT]), .data(cfg_data),
				.cdo(reset_cdo), .cdi(reset_cdi)
			);
		end
		for (j = 0; j < LINES; j = j + 1) begin : g_fresh
			always @(posedge clk)
				if (EARLIER)
					fresh[j] <= 1'b0;
				else if (move[j])
					fresh[j] <= restart;
		end
		for (k = 0; k < NCOUNTERS; k = k + 1) begin : g_counter
			// Bit line*NPRED + i: node i of the neighbouring cliques is active. The
			// bits of nodes that are counters are 0.
			wire [LINES*NPRED-1:0] near;
			wire [LINES-1:0] count, reset, active;
			for (j = 0; j < LINES; j = j + 1) begin : g_line
				for (i = 0; i < NPRED; i = i + 1) begin : g_near
					localparam FROM = NEIGHBOURS[
						(k/COUNTERS*NNEIGHBOURS + i/NNODES)*32 +: 32];
					if (i % NNODES < CLIQUE) begin : g_state
						assign near[j*NPRED + i] =
							states[j*NSTE + FROM*CLIQUE + i%NNODES];
					end else begin : g_counter
						assign near[j*NPRED + i] = 1'b0;
					end
				end
				assign counters[j*NCOUNTERS + k] = active[j];
			end
			nfacc_gate #(
				.NPRED(NPRED), .NPREDLUT(NPREDLUT), .PREDECESSORS(PREDECESSORS),
				.LINES(LINES), .XILINX(XILINX)
			) counts (
				.clk(clk), .pred(near), .mask(count_mask[k*NPRED +: NPRED]),
				.always_on(1'b0), .shift(cfg_shift[`NFACC_EL_COUNT_LUT]),
				.cdi(count_cdi[k*NPREDLUT +: NPREDLUT]),
				.cdo(count_cdo[k*NPREDLUT +: NPREDLUT]), .reached(count)
			);
			nfacc_gate #(
				.NPRED(NPRED), .NPREDLUT(NPREDLUT), .PREDECESSORS(PREDECESSORS),
				.LINES(LINES), .XILINX(XILINX)
			) resets (
				.clk(clk), .pred(near), .mask(reset_mask[k*NPRED +: NPRED]),
				.always_on(1'b0), .shift(cfg_shift[`NFACC_EL_RESET_LUT]),
				.cdi(reset_cdi[k*NPREDLUT +: NPREDLUT]),
				.cdo(reset_cdo[k*NPREDLUT +: NPREDLUT]), .reached(reset)
			);
			localparam AT = k * LINES * COUNTER_WIDTH;
			nfacc_counter #(
				.WIDTH(COUNTER_WIDTH), .LINES(LINES), .EARLIER(EARLIER)
			) counter (
				.clk(clk), .move(move), .restart(restart),
				.fresh(EARLIER ? {LINES{1'b0}} : fresh),
				.earlier(earlier[AT +: LINES*COUNTER_WIDTH]),
				.later(later[AT +: LINES*COUNTER_WIDTH]),
				.count(count), .reset(reset),
				.threshold(threshold[k*COUNTER_WIDTH +: COUNTER_WIDTH]),
				.mode(mode[k*2 +: 2]), .active(active)
			);
			assign hits[k] = LINES == 1 ? active[0] : |(active & had);
		end
	endgenerate
	always @(posedge clk)
		had <= any;
	wire unused_shift = ^{cfg_shift, fresh};
endmodule
`default_nettype wire
