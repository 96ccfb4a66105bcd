// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// nfacc_nfa: the NFA part of an engine: decoders, STEs and counters on rings of cliques, collection of
// labels. A batch a cycle; what comes of it leaves LATENCY cycles later, in order.
//
//	         DECODE          MATCH           1            1           1
//	batch ->[row memory]--->[match]------->[state]----->[parts]---->[labels]
//
// DECODE: a register where rows are read from memory; an STE's own decoder needs none. MATCH: a
// register for each match with one line, and in the bank of decoders. With more lines there would be
// one for each STE and line: there the STE takes the match as it is computed. Counters take no cycle of
// their own: nfacc_counter.v, Note [counter timing].
`default_nettype none
`include "nfacc_contract.vh"
module nfacc_nfa #(
	// The overlay, as in contract.def.
	parameter CLIQUE = 1,       // 1..: STEs in a clique
	parameter LENGTH = 1,       // 1..: cliques on a ring
	parameter RINGS = 1,        // 1..: rings
	parameter REACH = 0,        // 0..: neighbouring rings on each side
	parameter DECODER = 0,      // 0: rows, 1: ste, 2: bank
	parameter BANK = 16,        // 1..: shared decoders, where DECODER is 2
	parameter PREDECESSORS = 1, // 0: mask, 1: lut5
	parameter LINES = 1,        // 1..: lines
	parameter LABELS = 1,       // 1..64: labels
	parameter COUNTERS = 0,     // 0..64: counters in a clique
	parameter COUNTER_WIDTH = 16, // 1..32: bits of a counter
	parameter DATA = 32,        // 32 or 64: bits of a configuration word
	parameter MEMORY = 0,       // row memories: 0: LUT RAM, 1: block RAM
	// The protocol.
	parameter SLOTS = 1,        // 1..64: messages of a batch
	parameter OP_BITS = 5,      // 1..8: bits of an opcode
	parameter integer IDLE = -1,        // the opcode that no message has, or -1: none
	// What contract.def derives from these; checked below.
	parameter NCLIQUES = 1,     // cliques
	parameter NSTE = 1,         // STEs
	parameter NNEIGHBOURS = 1,  // cliques next to a clique, itself included
	parameter NNODES = 1,       // nodes in a clique: STEs, then counters
	parameter NPRED = 1,        // predecessors of an STE, itself included
	parameter NPREDLUT = 1,     // groups of five predecessors
	parameter NCOUNTERS = 0,    // counters
	parameter NALL = 1,         // nodes: STEs, then counters
	parameter NGROUP = 1,       // groups of five nodes
	parameter OPCODES = 32,     // opcodes of a slot
	parameter NTABLE = 1,       // tables of 32 opcodes that a slot takes
	parameter NROW = 32,        // codes: slots times opcodes, at most 2048
	parameter ROW_WIDTH = 1,    // bits of a row
	parameter ROW_WORDS = 1,    // configuration words of a row
	parameter SELECT_BITS = 4,  // bits that choose a shared decoder
	parameter LINE_BITS = 1,    // bits that number the lines
	// Per clique its neighbours, rising, itself included: NCLIQUES*NNEIGHBOURS fields of 32 bits.
	parameter [NCLIQUES*NNEIGHBOURS*32-1:0] NEIGHBOURS = 0,
	parameter XILINX = 0        // 0: portable, 1: primitives CFGLUT5 and RAM32M16
) (
	input wire clk,
	input wire rst,
	input wire in_valid,                    // a batch; it may have no message to be seen
	input wire in_restart,                  // start states now; never together with in_valid
	input wire [SLOTS-1:0] in_present,      // a message that the NFA sees
	input wire [SLOTS*OP_BITS-1:0] in_opcode, // its opcode
	input wire [SLOTS*LINE_BITS-1:0] in_line, // its line, less than LINES
	output wire out_valid,                  // what came of a batch,
	output wire out_restart,                // of a restart,
	output wire [LABELS-1:0] out_labels,    // labels of the batch; 0 without out_valid
	output wire out_log,                    // the batch is logged; 0 without out_valid
	// Configuration: only while no batch or restart is inside.
	input wire cfg_clear,                   // clear the rows of this opcode in all slots
	input wire cfg_row_we,                  // write word cfg_lane of row cfg_code
	input wire [$clog2(NROW)-1:0] cfg_code, // slot << OP_BITS | opcode
	input wire [(ROW_WORDS > 1 ? $clog2(ROW_WORDS) : 1)-1:0] cfg_lane,
	input wire [26:1] cfg_shift,            // bit id: a word for CHAIN or TABLES element `id`
	input wire [DATA-1:0] cfg_data          // the word
);
	localparam CODE_BITS = $clog2(NROW);
	localparam LANE_BITS = ROW_WORDS > 1 ? $clog2(ROW_WORDS) : 1;
	localparam HITS = (LINES + 5) / 6;
	localparam HAVE = NCOUNTERS > 0 ? NCOUNTERS : 1; // no vector is empty
	localparam DECODE = DECODER == `NFACC_DECODER_STE ? 0 : 1;
	localparam MATCH = LINES == 1 || DECODER == `NFACC_DECODER_BANK ? 1 : 0;
	localparam BEFORE = DECODE + MATCH; // registers before the state
	localparam LATENCY = BEFORE + 3;
	// With one line an absent slot reads the idle opcode's row: no message needs to be masked.
	localparam integer READ_IDLE = LINES == 1 && DECODER != `NFACC_DECODER_STE ? IDLE : -1;

	genvar c, k, s, j, i;
	generate
		if (NCLIQUES != LENGTH * RINGS || NSTE != CLIQUE * NCLIQUES ||
				NNODES != CLIQUE + COUNTERS || NCOUNTERS != COUNTERS * NCLIQUES ||
				NALL != NSTE + NCOUNTERS || NNEIGHBOURS != 1 + (RINGS > 2 * REACH + 1 ? 2 * REACH : RINGS - 1) +
					(LENGTH > 3 ? 2 : LENGTH - 1) ||
				NPRED != NNEIGHBOURS * NNODES) begin : g_bad_overlay
			nfacc_error_overlay e ();
		end
		if (NPREDLUT != (NPRED + 4) / 5 || NGROUP != (NALL + 4) / 5 ||
				OPCODES != 1 << OP_BITS || NTABLE != (OPCODES + 31) / 32 ||
				NROW != SLOTS << OP_BITS ||
				ROW_WIDTH != (DECODER == `NFACC_DECODER_BANK ? BANK : NSTE) ||
				ROW_WORDS != (ROW_WIDTH + DATA - 1) / DATA ||
				SELECT_BITS != (BANK > 2 ? $clog2(BANK) : 1) ||
				LINE_BITS != (LINES > 2 ? $clog2(LINES) : 1)) begin : g_bad_derived
			nfacc_error_derived e ();
		end
		if (SLOTS < 1 || SLOTS > 64 || OP_BITS < 1 || OP_BITS > 8 || NROW > 2048 ||
				IDLE >= OPCODES) begin : g_bad_protocol
			nfacc_error_protocol e ();
		end
		if (CLIQUE < 1 || LENGTH < 1 || RINGS < 1 || REACH < 0 || DECODER < 0 || DECODER > 2 ||
				BANK < 1 || PREDECESSORS < 0 || PREDECESSORS > 1 || LINES < 1 || LABELS < 1 ||
				LABELS > 64 || COUNTERS < 0 || COUNTERS > 64 || COUNTER_WIDTH < 1 ||
				COUNTER_WIDTH > 32 || (DATA != 32 && DATA != 64) || MEMORY < 0 || MEMORY > 1 ||
				XILINX < 0 || XILINX > 1) begin : g_bad_range
			nfacc_error_range e ();
		end
		// T 3.3.2: next to each other are cliques at the same place of rings at most REACH apart,
		// and cliques one apart on the same ring; rings and their order are closed. NNEIGHBOURS
		// is how many a clique has; so many, all different, all next to it: they are these.
		for (c = 0; c < NCLIQUES; c = c + 1) begin : g_check
			for (k = 0; k < NNEIGHBOURS; k = k + 1) begin : g_neighbour
				localparam [31:0] N = NEIGHBOURS[(c*NNEIGHBOURS + k)*32 +: 32];
				localparam [31:0] LAST = k == 0 ? 32'd0 :
					NEIGHBOURS[(c*NNEIGHBOURS + (k == 0 ? 0 : k - 1))*32 +: 32];
				localparam R = c / LENGTH, L = c % LENGTH, NR = N / LENGTH, NL = N % LENGTH;
				localparam DR = R > NR ? R - NR : NR - R, DL = L > NL ? L - NL : NL - L;
				if (N >= NCLIQUES || (k > 0 && N <= LAST) ||
						!(L == NL && (DR <= REACH || RINGS - DR <= REACH)) &&
						!(R == NR && (DL <= 1 || LENGTH - DL <= 1))) begin : g_bad
					nfacc_error_neighbours e ();
				end
			end
		end
	endgenerate

	// The tokens and their way, which are reset; configuration and states are not (arming restarts).
	reg [LATENCY-1:0] valid, restart;
	reg [LATENCY-2:0] seen; // valid, with at least one message
	wire in_seen = in_valid && |in_present;
	always @(posedge clk) begin
		valid <= {valid[LATENCY-2:0], in_valid};
		restart <= {restart[LATENCY-2:0], in_restart};
		seen <= {seen[LATENCY-3:0], in_seen};
		if (rst) begin
			valid <= {LATENCY{1'b0}};
			restart <= {LATENCY{1'b0}};
			seen <= {LATENCY-1{1'b0}};
		end
	end
	assign out_valid = valid[LATENCY-1];
	assign out_restart = restart[LATENCY-1];

	// Which slot holds a message of which line, after DECODE; what moves the state, before it.
	wire [LINES*SLOTS-1:0] of;
	wire [LINES-1:0] any, move;
	wire restart_now;
	generate
		if (BEFORE == 0) begin : g_restart_in
			assign restart_now = in_restart;
		end else begin : g_restart
			assign restart_now = restart[BEFORE-1];
		end
		if (LINES == 1) begin : g_one_line
			wire unused_line = &{1'b0, in_line};
			wire will_move; // in the next cycle
			reg moves;
			always @(posedge clk)
				moves <= will_move;
			assign move = moves;
			assign any = seen[BEFORE-1];
			if (BEFORE == 1) begin : g_move_in
				assign will_move = in_seen || in_restart;
			end else begin : g_move
				assign will_move = seen[BEFORE-2] || restart[BEFORE-2];
			end
			if (READ_IDLE >= 0) begin : g_idle
				assign of = {SLOTS{1'b1}};
			end else if (DECODE == 0) begin : g_present_in
				assign of = in_present;
			end else begin : g_present
				reg [SLOTS-1:0] present;
				always @(posedge clk)
					present <= in_present;
				assign of = present;
			end
		end else begin : g_lines
			wire [SLOTS-1:0] present;
			wire [SLOTS*LINE_BITS-1:0] line;
			wire [LINES-1:0] any_decoded;
			if (DECODE == 0) begin : g_now
				assign present = in_valid ? in_present : {SLOTS{1'b0}};
				assign line = in_line;
			end else begin : g_later
				reg [SLOTS-1:0] present_q;
				reg [SLOTS*LINE_BITS-1:0] line_q;
				always @(posedge clk) begin
					present_q <= in_valid ? in_present : {SLOTS{1'b0}};
					line_q <= in_line;
				end
				assign present = present_q;
				assign line = line_q;
			end
			nfacc_lines #(.SLOTS(SLOTS), .LINES(LINES), .LINE_BITS(LINE_BITS)) lines (
				.present(present), .line(line), .of(of), .any(any_decoded)
			);
			if (MATCH == 0) begin : g_match_now
				assign any = any_decoded;
			end else begin : g_match_later
				reg [LINES-1:0] any_q;
				always @(posedge clk)
					any_q <= any_decoded;
				assign any = any_q;
			end
			assign move = any | {LINES{restart_now}};
		end
	endgenerate

	// Decoders. matched: bit ste*LINES + line, before the state.
	wire [NSTE*LINES-1:0] matched;
	generate
		if (DECODER == `NFACC_DECODER_BANK) begin : g_bank
			wire [LINES*BANK-1:0] match;
			wire [NSTE*SELECT_BITS-1:0] select;
			nfacc_decode_bank #(
				.BANK(BANK), .SLOTS(SLOTS), .OP_BITS(OP_BITS), .IDLE(READ_IDLE), .LINES(LINES),
				.ROW_WORDS(ROW_WORDS), .CODE_BITS(CODE_BITS), .LANE_BITS(LANE_BITS), .DATA(DATA),
				.MEMORY(MEMORY), .XILINX(XILINX)
			) decode (
				.clk(clk), .present(in_present), .opcode(in_opcode), .of_q(of), .match(match),
				.shift_none(cfg_shift[`NFACC_EL_BANK_NONE]), .cfg_clear(cfg_clear),
				.cfg_row_we(cfg_row_we), .cfg_code(cfg_code), .cfg_lane(cfg_lane),
				.cfg_data(cfg_data)
			);
			nfacc_chain #(.BITS(NSTE*SELECT_BITS), .DATA(DATA)) selects (
				.clk(clk), .shift(cfg_shift[`NFACC_EL_SELECT]), .data(cfg_data), .value(select)
			);
			for (s = 0; s < NSTE; s = s + 1) begin : g_select
				// Kept, so that it stays a multiplexer of its own; merged into the state's logic
				// it takes 3 LUTs more.
				(* keep *) wire [LINES-1:0] chosen;
				assign matched[s*LINES +: LINES] = chosen;
				for (j = 0; j < LINES; j = j + 1) begin : g_line
					// A power of two, so that any selection is one of them.
					wire [(1<<SELECT_BITS)-1:0] choice;
					assign choice[BANK-1:0] = match[j*BANK +: BANK];
					if (1 << SELECT_BITS > BANK) begin : g_none
						assign choice[(1<<SELECT_BITS)-1:BANK] = {(1<<SELECT_BITS)-BANK{1'b0}};
					end
					assign chosen[j] = choice[select[s*SELECT_BITS +: SELECT_BITS]];
				end
			end
		end else begin : g_own
			wire [NSTE*SLOTS-1:0] names;
			wire [NSTE-1:0] none;
			nfacc_chain #(.BITS(NSTE), .DATA(DATA)) modes (
				.clk(clk), .shift(cfg_shift[`NFACC_EL_NONE]), .data(cfg_data), .value(none)
			);
			if (DECODER == `NFACC_DECODER_ROWS) begin : g_rows
				nfacc_decode_rows #(
					.SLOTS(SLOTS), .OP_BITS(OP_BITS), .IDLE(READ_IDLE), .ROW_WIDTH(ROW_WIDTH),
					.ROW_WORDS(ROW_WORDS), .CODE_BITS(CODE_BITS), .LANE_BITS(LANE_BITS),
					.DATA(DATA), .MEMORY(MEMORY), .XILINX(XILINX)
				) decode (
					.clk(clk), .present(in_present), .opcode(in_opcode), .names(names),
					.cfg_clear(cfg_clear), .cfg_row_we(cfg_row_we), .cfg_code(cfg_code),
					.cfg_lane(cfg_lane), .cfg_data(cfg_data)
				);
			end else begin : g_ste
				localparam PER_STE = SLOTS * NTABLE;
				wire [NSTE*PER_STE-1:0] cdi, cdo;
				nfacc_links #(.TABLES(NSTE*PER_STE), .DATA(DATA), .XILINX(XILINX)) links (
					.clk(clk), .shift(cfg_shift[`NFACC_EL_DECODE]), .data(cfg_data), .cdo(cdo),
					.cdi(cdi)
				);
				for (s = 0; s < NSTE; s = s + 1) begin : g_decode
					nfacc_decode_ste #(
						.SLOTS(SLOTS), .OP_BITS(OP_BITS), .NTABLE(NTABLE), .XILINX(XILINX)
					) decode (
						.clk(clk), .opcode(in_opcode), .names(names[s*SLOTS +: SLOTS]),
						.shift(cfg_shift[`NFACC_EL_DECODE]),
						.cdi(cdi[s*PER_STE +: PER_STE]), .cdo(cdo[s*PER_STE +: PER_STE])
					);
				end
				wire unused_rows = &{1'b0, cfg_clear, cfg_row_we, cfg_code, cfg_lane};
			end
			for (s = 0; s < NSTE; s = s + 1) begin : g_match
				wire [LINES-1:0] match;
				nfacc_match #(.SLOTS(SLOTS), .LINES(LINES), .MASKED(READ_IDLE < 0)) m (
					.names(names[s*SLOTS +: SLOTS]), .of(of), .none(none[s]), .match(match)
				);
				if (MATCH == 0) begin : g_now
					assign matched[s*LINES +: LINES] = match;
				end else begin : g_later
					reg [LINES-1:0] match_q;
					always @(posedge clk)
						match_q <= match;
					assign matched[s*LINES +: LINES] = match_q;
				end
			end
		end
	endgenerate

	// The STEs. states: bit line*NSTE + ste.
	wire [LINES*NSTE-1:0] states /*verilator public_flat_rd*/; // read by rtl/sim/model.cpp
	wire [LINES*HAVE-1:0] counters; // active; bit line*HAVE + counter
	wire [NSTE*HITS-1:0] hits;
	wire [HAVE-1:0] counter_hits;
	wire [NSTE-1:0] start;
	nfacc_chain #(.BITS(NSTE), .DATA(DATA)) starts (
		.clk(clk), .shift(cfg_shift[`NFACC_EL_START]), .data(cfg_data), .value(start)
	);
	wire [NSTE*NPRED-1:0] mask;
	wire [NSTE-1:0] always_on;
	wire [NSTE*NPREDLUT-1:0] pred_cdi, pred_cdo;
	generate
		if (PREDECESSORS == `NFACC_PREDECESSORS_MASK) begin : g_masks
			nfacc_chain #(.BITS(NSTE*NPRED), .DATA(DATA)) masks (
				.clk(clk), .shift(cfg_shift[`NFACC_EL_PRED_MASK]), .data(cfg_data), .value(mask)
			);
			nfacc_chain #(.BITS(NSTE), .DATA(DATA)) all (
				.clk(clk), .shift(cfg_shift[`NFACC_EL_ALWAYS]), .data(cfg_data), .value(always_on)
			);
			assign pred_cdi = {NSTE*NPREDLUT{1'b0}};
			wire unused_cdo = ^pred_cdo;
		end else begin : g_tables
			assign mask = {NSTE*NPRED{1'b0}};
			assign always_on = {NSTE{1'b0}};
			nfacc_links #(.TABLES(NSTE*NPREDLUT), .DATA(DATA), .XILINX(XILINX)) links (
				.clk(clk), .shift(cfg_shift[`NFACC_EL_PRED_LUT]), .data(cfg_data),
				.cdo(pred_cdo), .cdi(pred_cdi)
			);
		end
		for (s = 0; s < NSTE; s = s + 1) begin : g_ste
			wire [LINES*NPRED-1:0] pred;
			wire [LINES-1:0] state;
			for (j = 0; j < LINES; j = j + 1) begin : g_line
				for (i = 0; i < NPRED; i = i + 1) begin : g_pred
					localparam FROM = NEIGHBOURS[(s/CLIQUE*NNEIGHBOURS + i/NNODES)*32 +: 32];
					if (i % NNODES < CLIQUE) begin : g_state
						assign pred[j*NPRED + i] = states[j*NSTE + FROM*CLIQUE + i%NNODES];
					end else begin : g_counter
						assign pred[j*NPRED + i] =
							counters[j*HAVE + FROM*COUNTERS + i%NNODES - CLIQUE];
					end
				end
				assign states[j*NSTE + s] = state[j];
			end
			nfacc_ste #(
				.NPRED(NPRED), .NPREDLUT(NPREDLUT), .PREDECESSORS(PREDECESSORS), .LINES(LINES),
				.HITS(HITS), .XILINX(XILINX)
			) ste (
				.clk(clk), .move(move), .any(any), .restart(restart_now),
				.match(matched[s*LINES +: LINES]), .pred(pred), .start(start[s]),
				.mask(mask[s*NPRED +: NPRED]), .always_on(always_on[s]),
				.shift(cfg_shift[`NFACC_EL_PRED_LUT]), .cdi(pred_cdi[s*NPREDLUT +: NPREDLUT]),
				.cdo(pred_cdo[s*NPREDLUT +: NPREDLUT]), .state(state), .hit(hits[s*HITS +: HITS])
			);
		end
	endgenerate

	// The counters.
	generate
		if (COUNTERS == 0) begin : g_no_counters
			assign counters = {LINES{1'b0}};
			assign counter_hits = 1'b0;
			wire unused_counters = ^counters;
		end else begin : g_counters
			// What counts and what resets: gates like those of the STEs, with their masks or tables.
			wire [NCOUNTERS*NPRED-1:0] count_mask, reset_mask;
			wire [NCOUNTERS*NPREDLUT-1:0] count_cdi, count_cdo, reset_cdi, reset_cdo;
			wire [NCOUNTERS*COUNTER_WIDTH-1:0] threshold;
			wire [NCOUNTERS*2-1:0] mode;
			if (PREDECESSORS == `NFACC_PREDECESSORS_MASK) begin : g_masks
				nfacc_chain #(.BITS(NCOUNTERS*NPRED), .DATA(DATA)) count_masks (
					.clk(clk), .shift(cfg_shift[`NFACC_EL_COUNT_MASK]), .data(cfg_data),
					.value(count_mask)
				);
				nfacc_chain #(.BITS(NCOUNTERS*NPRED), .DATA(DATA)) reset_masks (
					.clk(clk), .shift(cfg_shift[`NFACC_EL_RESET_MASK]), .data(cfg_data),
					.value(reset_mask)
				);
				assign count_cdi = {NCOUNTERS*NPREDLUT{1'b0}};
				assign reset_cdi = {NCOUNTERS*NPREDLUT{1'b0}};
				wire unused_cdo = ^{count_cdo, reset_cdo};
			end else begin : g_tables
				assign count_mask = {NCOUNTERS*NPRED{1'b0}};
				assign reset_mask = {NCOUNTERS*NPRED{1'b0}};
				nfacc_links #(.TABLES(NCOUNTERS*NPREDLUT), .DATA(DATA), .XILINX(XILINX)) count_links (
					.clk(clk), .shift(cfg_shift[`NFACC_EL_COUNT_LUT]), .data(cfg_data),
					.cdo(count_cdo), .cdi(count_cdi)
				);
				nfacc_links #(.TABLES(NCOUNTERS*NPREDLUT), .DATA(DATA), .XILINX(XILINX)) reset_links (
					.clk(clk), .shift(cfg_shift[`NFACC_EL_RESET_LUT]), .data(cfg_data),
					.cdo(reset_cdo), .cdi(reset_cdi)
				);
			end
			nfacc_chain #(.BITS(NCOUNTERS*COUNTER_WIDTH), .DATA(DATA)) thresholds (
				.clk(clk), .shift(cfg_shift[`NFACC_EL_THRESHOLD]), .data(cfg_data), .value(threshold)
			);
			nfacc_chain #(.BITS(NCOUNTERS*2), .DATA(DATA)) modes (
				.clk(clk), .shift(cfg_shift[`NFACC_EL_COUNTER_MODE]), .data(cfg_data), .value(mode)
			);

			// Per line: no batch since the restart; the last batch had a message of the line.
			reg [LINES-1:0] fresh, had;
			for (j = 0; j < LINES; j = j + 1) begin : g_fresh
				always @(posedge clk)
					if (move[j])
						fresh[j] <= restart_now;
			end
			always @(posedge clk)
				had <= any;

			for (k = 0; k < NCOUNTERS; k = k + 1) begin : g_counter
				wire [LINES*NPRED-1:0] near; // the STEs near by; no counter counts another one
				wire [LINES-1:0] count, reset, active;
				for (j = 0; j < LINES; j = j + 1) begin : g_line
					for (i = 0; i < NPRED; i = i + 1) begin : g_near
						localparam FROM =
							NEIGHBOURS[(k/COUNTERS*NNEIGHBOURS + i/NNODES)*32 +: 32];
						if (i % NNODES < CLIQUE) begin : g_state
							assign near[j*NPRED + i] =
								states[j*NSTE + FROM*CLIQUE + i%NNODES];
						end else begin : g_counter
							assign near[j*NPRED + i] = 1'b0;
						end
					end
					assign counters[j*HAVE + k] = active[j];
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
				nfacc_counter #(.WIDTH(COUNTER_WIDTH), .LINES(LINES)) counter (
					.clk(clk), .move(move), .restart(restart_now), .fresh(fresh), .count(count),
					.reset(reset), .threshold(threshold[k*COUNTER_WIDTH +: COUNTER_WIDTH]),
					.mode(mode[k*2 +: 2]), .active(active)
				);
				assign counter_hits[k] = LINES == 1 ? active[0] : |(active & had);
			end
		end
	endgenerate

	nfacc_collect #(
		.NSTE(NSTE), .NCOUNTERS(NCOUNTERS), .NGROUP(NGROUP), .LABELS(LABELS), .HITS(HITS), .DATA(DATA), .XILINX(XILINX)
	) collect (
		.clk(clk), .hit(hits), .counter_hit(counter_hits), .gate_q(seen[LATENCY-2]), .labels(out_labels), .log(out_log),
		.shift_label(cfg_shift[`NFACC_EL_LABEL]), .shift_log(cfg_shift[`NFACC_EL_LOG]),
		.data(cfg_data)
	);
	wire unused_shift = ^cfg_shift;
endmodule
`default_nettype wire
