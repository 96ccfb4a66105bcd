// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// nfacc_nfa: the NFA part of an engine: decoders, STEs and counters on rings of cliques, and the
// collection of labels. It takes a batch in every cycle. The labels of the batch, and whether it is
// logged, leave LATENCY cycles later, in order; with names NAMES + 2 cycles after that. What it
// sees of a message is slot, line and letter. The letter is the message's opcode or, where the
// overlay has tests of headers, what nfacc_recode makes of the opcode.
//
//	         DECODE          MATCH           1            1           1
//	batch ->[row memory]--->[match]------->[state]----->[parts]---->[labels]
//
// The numbers above the boxes are cycles. DECODE is 1 if the decoders are row memories, and 0 if
// each STE has a decoder of its own. MATCH is 1 if there is a single line, or if STEs share a bank
// of decoders. Otherwise MATCH is 0, because a register for the match would take a flip-flop for
// each STE and line. STEs then use the match in the cycle in which it is computed. Counters add no
// cycle (nfacc_counter.v, Note [counter timing]).
`default_nettype none
`include "nfacc_contract.vh"
module nfacc_nfa #(
	// The overlay, as in contract.def.
	parameter CLIQUE = 1,       // 1..: STEs in a clique
	parameter LENGTH = 1,       // 1..: cliques on a ring
	parameter RINGS = 1,        // 1..: rings of the overlay
	parameter REACH = 0,        // 0..: neighbouring rings on each side of a ring
	parameter DECODER = 0,      // how STEs decode: `NFACC_DECODER_*
	parameter BANK = 16,        // 1..: shared decoders, where DECODER is bank
	parameter PREDECESSORS = 1, // how predecessors are gated: `NFACC_PREDECESSORS_*
	parameter LINES = 1,        // 1..: lines of the overlay
	parameter LABELS = 1,       // 1..64: labels of the overlay
	parameter COUNTERS = 0,     // 0..64: counters in a clique
	parameter COUNTER_WIDTH = 16, // 1..32: bits of a counter
	parameter DATA = 32,        // 32 or 64: bits of a configuration word
	parameter MEMORY = 0,       // where row memories are: `NFACC_MEMORY_*
	// The protocol of the overlay.
	// 1..64: messages of a batch. With TIME one slot more, the last one, which is that of time.
	parameter SLOTS = 1,
	parameter TIME = 0,         // whether there is a slot of time: `NFACC_TIME_*
	parameter ROW_BITS = 5,     // 1..9: bits of a letter
	parameter integer IDLE = -1,        // the letter that no message has, or -1: none
	parameter ABSENT_IDLE = 0,  // 1: a slot that is not in in_present has the letter IDLE
	// Parameters that contract.def derives from those above. They are checked below.
	parameter NCLIQUES = 1,     // cliques of the overlay
	parameter NSTE = 1,         // STEs of the overlay
	parameter NNEIGHBOURS = 1,  // cliques next to a clique, itself included
	parameter NNODES = 1,       // nodes in a clique: STEs, then counters
	parameter NPRED = 1,        // predecessors of an STE, itself included
	parameter NPREDLUT = 1,     // groups of five predecessors, rounded up
	parameter NCOUNTERS = 0,    // counters of the overlay
	parameter NALL = 1,         // nodes of the overlay: STEs, then counters
	parameter NGROUP = 1,       // groups of five nodes, rounded up
	parameter ROW_CODES = 32,   // letters of a slot
	parameter NTABLE = 1,       // tables of 32 letters that a slot takes
	parameter NROW = 32,        // codes: slots times letters, at most `NFACC_MOST_ROWS
	parameter CODE_BITS = 5,    // bits of a code, slot << ROW_BITS | letter
	parameter ROW_WIDTH = 1,    // bits of a row
	parameter ROW_WORDS = 1,    // configuration words of a row
	parameter LANE_BITS = 1,    // bits of a word's number in its row
	parameter SELECT_BITS = 4,  // bits by which an STE chooses a shared decoder
	parameter LINE_BITS = 1,    // bits of a line's number
	// A field of 32 bits for each element of the configuration. Field `id` is the number of
	// configuration words of element `id`. It is 0 if the overlay does not have that element.
	parameter [(32<<`NFACC_ELEMENT_BITS)-1:0] ELEMENT_WORDS =
		{1632'd0, 32'd32, 32'd32, 32'd0, 32'd1, 32'd32, 64'd0, 32'd1, 160'd0},
	// For each clique, the numbers of its NNEIGHBOURS neighbours in rising order, itself
	// included. Each number is a field of 32 bits.
	parameter [NCLIQUES*NNEIGHBOURS*32-1:0] NEIGHBOURS = 0,
	parameter NAMES = 0,        // 0..4: lines that can be named; with names it takes longer
	parameter NAME_BITS = 1,    // bits of out_names: nfacc_record's NAME_BITS
	parameter XILINX = 0        // 0: portable, 1: primitives CFGLUT5 and RAM32M16
) (
	input wire clk,
	input wire rst,
	input wire in_valid,                    // a batch; the NFA may see none of its messages
	input wire in_restart,                  // a restart; never together with in_valid
	// Bit slot: the slot has a message that the NFA sees. That of time says that the batch has
	// a tick or is the end; its letter counts in every batch, and for every line in use.
	input wire [SLOTS-1:0] in_present,
	input wire [SLOTS*ROW_BITS-1:0] in_letter, // the letter of each slot
	input wire [SLOTS*LINE_BITS-1:0] in_line, // the line of each slot's message, below LINES
	// The message of the slot, which is in in_present, too, is for every line in use.
	input wire [SLOTS-1:0] in_every,
	input wire [LINES-1:0] used, // the lines in use; changes only while no batch is inside
	output wire out_valid,                  // a batch leaves the NFA
	output wire out_restart,                // a restart leaves the NFA
	output wire [LABELS-1:0] out_labels,    // the labels of the batch; 0 without out_valid
	output wire out_log,                    // the batch is logged; 0 without out_valid
	output wire [NAME_BITS-1:0] out_names,  // the lines that accept (nfacc_record's in_names)
	// The configuration changes only while no batch and no restart is inside.
	input wire cfg_clear,                   // clear the rows of this letter in all slots
	input wire cfg_row_we,                  // write word cfg_lane of row cfg_code
	input wire [CODE_BITS-1:0] cfg_code,    // slot << ROW_BITS | letter
	input wire [LANE_BITS-1:0] cfg_lane,      // the number of the word in the row
	// Bit `id`: cfg_data is a word for element `id`, which is of storage class CHAIN or TABLES.
	input wire [`NFACC_DEVICE_IDS] cfg_shift,
	input wire [DATA-1:0] cfg_data          // a configuration word
);
	// Each of these ORs joins the sizes of two elements. An overlay has only one of the two
	// elements, and the size of the other one is 0.
	localparam [31:0] NONE_WORDS = ELEMENT_WORDS[`NFACC_EL_NONE*32 +: 32] |
		ELEMENT_WORDS[`NFACC_EL_BANK_NONE*32 +: 32];
	localparam [31:0] PRED_WORDS = ELEMENT_WORDS[`NFACC_EL_PRED_MASK*32 +: 32] |
		ELEMENT_WORDS[`NFACC_EL_PRED_LUT*32 +: 32];
	localparam [31:0] COUNT_WORDS = ELEMENT_WORDS[`NFACC_EL_COUNT_MASK*32 +: 32] |
		ELEMENT_WORDS[`NFACC_EL_COUNT_LUT*32 +: 32];
	localparam [31:0] RESET_WORDS = ELEMENT_WORDS[`NFACC_EL_RESET_MASK*32 +: 32] |
		ELEMENT_WORDS[`NFACC_EL_RESET_LUT*32 +: 32];
	localparam HITS = (LINES + 5) / 6;
	localparam COUNTER_PORTS = NCOUNTERS > 0 ? NCOUNTERS : 1; // at least 1: no vector is empty
	localparam DECODE = DECODER == `NFACC_DECODER_STE ? 0 : 1;
	localparam MATCH = LINES == 1 || DECODER == `NFACC_DECODER_BANK ? 1 : 0;
	localparam BEFORE = DECODE + MATCH; // cycles before the one that computes the states
	localparam LATENCY = BEFORE + 3;
	// With one line an absent slot reads the row of the idle letter, so messages need no mask.
	// The slot of time has no idle letter.
	localparam integer READ_IDLE = LINES == 1 && DECODER != `NFACC_DECODER_STE &&
		TIME == `NFACC_TIME_NO ? IDLE : -1;
	localparam MESSAGES = TIME == `NFACC_TIME_YES ? SLOTS - 1 : SLOTS;
	localparam [SLOTS-1:0] TIME_SLOT =
		TIME == `NFACC_TIME_YES ? {1'b1, {SLOTS-1{1'b0}}} : {SLOTS{1'b0}};

	genvar c, k;
	generate
		if (NCLIQUES != LENGTH * RINGS || NSTE != CLIQUE * NCLIQUES ||
				NNODES != CLIQUE + COUNTERS || NCOUNTERS != COUNTERS * NCLIQUES ||
				NALL != NSTE + NCOUNTERS ||
				NNEIGHBOURS != 1 + (RINGS > 2 * REACH + 1 ? 2 * REACH : RINGS - 1) +
					(LENGTH > 3 ? 2 : LENGTH - 1) ||
				NPRED != NNEIGHBOURS * NNODES) begin : g_bad_overlay
			nfacc_error_overlay e ();
		end
		if (NPREDLUT != (NPRED + 4) / 5 || NGROUP != (NALL + 4) / 5 ||
				ROW_CODES != 1 << ROW_BITS || NTABLE != (ROW_CODES + 31) / 32 ||
				NROW != SLOTS << ROW_BITS || CODE_BITS != $clog2(NROW) ||
				ROW_WIDTH != (DECODER == `NFACC_DECODER_BANK ? BANK : NSTE) ||
				ROW_WORDS != (ROW_WIDTH + DATA - 1) / DATA ||
				LANE_BITS != (ROW_WORDS > 2 ? $clog2(ROW_WORDS) : 1) ||
				SELECT_BITS != (BANK > 2 ? $clog2(BANK) : 1) ||
				LINE_BITS != (LINES > 2 ? $clog2(LINES) : 1)) begin : g_bad_derived
			nfacc_error_derived e ();
		end
		if ((TIME == `NFACC_TIME_NO && !`NFACC_GOOD_SLOTS) || MESSAGES < 1 ||
				!`NFACC_GOOD_TIME || ROW_BITS < 1 || NROW > `NFACC_MOST_ROWS ||
				IDLE >= ROW_CODES) begin : g_bad_protocol
			nfacc_error_protocol e ();
		end
		if (!`NFACC_GOOD_CLIQUE || !`NFACC_GOOD_LENGTH || !`NFACC_GOOD_RINGS ||
				!`NFACC_GOOD_REACH || !`NFACC_GOOD_DECODER || !`NFACC_GOOD_BANK ||
				!`NFACC_GOOD_PREDECESSORS || !`NFACC_GOOD_LINES ||
				!`NFACC_GOOD_LABELS || !`NFACC_GOOD_COUNTERS ||
				!`NFACC_GOOD_COUNTER_WIDTH || !`NFACC_GOOD_DATA ||
				!`NFACC_GOOD_MEMORY ||
				XILINX < 0 || XILINX > 1) begin : g_bad_range
			nfacc_error_range e ();
		end
		// T 3.3.2: a clique's neighbours are the cliques at its place on rings at most
		// REACH apart, and those one place apart on its own ring. Each ring is closed, and
		// so is the order of the rings. A clique has NNEIGHBOURS neighbours. The list is
		// therefore complete if it has this many entries, all different and all neighbours.
		for (c = 0; c < NCLIQUES; c = c + 1) begin : g_check
			for (k = 0; k < NNEIGHBOURS; k = k + 1) begin : g_neighbour
				localparam [31:0] N = NEIGHBOURS[(c*NNEIGHBOURS + k)*32 +: 32];
				localparam [31:0] LAST = k == 0 ? 32'd0 :
					NEIGHBOURS[(c*NNEIGHBOURS + (k == 0 ? 0 : k - 1))*32 +: 32];
				localparam R = c / LENGTH, L = c % LENGTH,
					NR = N / LENGTH, NL = N % LENGTH;
				localparam DR = R > NR ? R - NR : NR - R,
					DL = L > NL ? L - NL : NL - L;
				if (N >= NCLIQUES || (k > 0 && N <= LAST) ||
						!(L == NL &&
						(DR <= REACH || RINGS - DR <= REACH)) &&
						!(R == NR &&
						(DL <= 1 || LENGTH - DL <= 1))) begin : g_bad
					nfacc_error_neighbours e ();
				end
			end
		end
	endgenerate

	// Each bit is for one stage of the pipeline. In `valid` it says that the stage holds a
	// batch, in `restart` that the stage holds a restart. Only these registers and `seen` are
	// reset. The configuration stays, and each stream begins with a restart, which sets the
	// states.
	reg [LATENCY-1:0] valid, restart;
	reg [LATENCY-2:0] seen; // for each stage: it holds a batch with a message for the NFA
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

	// Bit line*SLOTS + slot: the slot holds a message of the line. The bit comes DECODE cycles
	// after the message.
	wire [LINES*SLOTS-1:0] belongs;
	// Bit `line` of `any`: the line has a message. Bit `line` of `move`: the line has a
	// message, or there is a restart. These bits come one cycle before the new state.
	wire [LINES-1:0] any, move;
	wire restart_now;
	generate
		if (BEFORE == 0) begin : g_restart_in
			assign restart_now = in_restart;
		end else begin : g_restart
			assign restart_now = restart[BEFORE-1];
		end
		if (LINES == 1) begin : g_one_line
			wire unused_line = &{1'b0, in_line, in_every, used};
			wire will_move; // the value that `move` will have in the next cycle
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
				assign belongs = {SLOTS{1'b1}};
			end else if (DECODE == 0) begin : g_present_in
				assign belongs = in_present | TIME_SLOT;
			end else begin : g_present
				reg [SLOTS-1:0] present;
				always @(posedge clk)
					present <= in_present;
				assign belongs = present | TIME_SLOT;
			end
		end else begin : g_lines
			wire [SLOTS-1:0] present;
			wire [SLOTS*LINE_BITS-1:0] line;
			wire [SLOTS-1:0] every;
			wire [LINES-1:0] any_decoded;
			if (DECODE == 0) begin : g_now
				assign present = in_valid ? in_present : {SLOTS{1'b0}};
				assign line = in_line;
				assign every = in_valid ? in_every : {SLOTS{1'b0}};
			end else begin : g_later
				reg [SLOTS-1:0] present_q, every_q;
				reg [SLOTS*LINE_BITS-1:0] line_q;
				always @(posedge clk) begin
					present_q <= in_valid ? in_present : {SLOTS{1'b0}};
					every_q <= in_valid ? in_every : {SLOTS{1'b0}};
					line_q <= in_line;
				end
				assign present = present_q;
				assign line = line_q;
				assign every = every_q;
			end
			wire [LINES*MESSAGES-1:0] owns;
			wire [LINES-1:0] any_message;
			nfacc_lines #(
				.SLOTS(MESSAGES), .LINES(LINES), .LINE_BITS(LINE_BITS)
			) lines (
				.present(present[MESSAGES-1:0]),
				.line(line[MESSAGES*LINE_BITS-1:0]),
				.every(every[MESSAGES-1:0]), .used(used), .belongs(owns),
				.any(any_message)
			);
			if (TIME == `NFACC_TIME_YES) begin : g_time
				wire unused_time = &{1'b0, line, every};
				for (c = 0; c < LINES; c = c + 1) begin : g_line
					assign belongs[c*SLOTS +: SLOTS] =
						{1'b1, owns[c*MESSAGES +: MESSAGES]};
				end
				assign any_decoded = any_message | ({LINES{present[SLOTS-1]}} & used);
			end else begin : g_no_time
				assign belongs = owns;
				assign any_decoded = any_message;
			end
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

	wire [NSTE*LINES-1:0] match;
	nfacc_decode #(
		.DECODER(DECODER), .NSTE(NSTE), .BANK(BANK), .SLOTS(SLOTS), .ROW_BITS(ROW_BITS),
		.IDLE(READ_IDLE), .ABSENT_IDLE(ABSENT_IDLE), .NTABLE(NTABLE), .LINES(LINES),
		.REGISTER_MATCH(MATCH),
		.ROW_WIDTH(ROW_WIDTH), .ROW_WORDS(ROW_WORDS), .SELECT_BITS(SELECT_BITS),
		.CODE_BITS(CODE_BITS), .LANE_BITS(LANE_BITS),
		.DECODE_WORDS(ELEMENT_WORDS[`NFACC_EL_DECODE*32 +: 32]),
		.SELECT_WORDS(ELEMENT_WORDS[`NFACC_EL_SELECT*32 +: 32]),
		.NONE_WORDS(NONE_WORDS), .DATA(DATA), .MEMORY(MEMORY), .XILINX(XILINX)
	) decode (
		.clk(clk), .present(in_present), .letter(in_letter), .belongs(belongs),
		.match(match), .cfg_clear(cfg_clear), .cfg_row_we(cfg_row_we), .cfg_code(cfg_code),
		.cfg_lane(cfg_lane), .cfg_shift(cfg_shift), .cfg_data(cfg_data)
	);

	// Bit line*NSTE + ste: the STE is active after the last batch. rtl/sim/model.cpp reads it.
	wire [LINES*NSTE-1:0] states /*verilator public_flat_rd*/;
	// Bit line*COUNTER_PORTS + counter: the counter is active after the last batch.
	wire [LINES*COUNTER_PORTS-1:0] counters;
	wire [NSTE*HITS-1:0] hits;
	wire [COUNTER_PORTS-1:0] counter_hits;
	nfacc_ste_array #(
		.CLIQUE(CLIQUE), .NCLIQUES(NCLIQUES), .NSTE(NSTE), .NNEIGHBOURS(NNEIGHBOURS),
		.NNODES(NNODES), .NPRED(NPRED), .NPREDLUT(NPREDLUT), .PREDECESSORS(PREDECESSORS),
		.COUNTERS(COUNTERS), .COUNTER_PORTS(COUNTER_PORTS), .LINES(LINES), .HITS(HITS),
		.START_WORDS(ELEMENT_WORDS[`NFACC_EL_START*32 +: 32]),
		.ALWAYS_WORDS(ELEMENT_WORDS[`NFACC_EL_ALWAYS*32 +: 32]), .PRED_WORDS(PRED_WORDS),
		.DATA(DATA), .NEIGHBOURS(NEIGHBOURS), .XILINX(XILINX)
	) stes (
		.clk(clk), .move(move), .any(any), .restart(restart_now), .match(match),
		.counters(counters), .earlier({LINES*NSTE{1'b0}}), .states(states), .hits(hits),
		.cfg_shift(cfg_shift),
		.cfg_data(cfg_data)
	);
	generate
		if (COUNTERS == 0) begin : g_no_counters
			assign counters = {LINES{1'b0}};
			assign counter_hits = 1'b0;
		end else begin : g_counters
			wire [NCOUNTERS*LINES*COUNTER_WIDTH-1:0] unused_later;
			nfacc_counter_array #(
				.CLIQUE(CLIQUE), .NCLIQUES(NCLIQUES), .NSTE(NSTE),
				.NNEIGHBOURS(NNEIGHBOURS), .NNODES(NNODES), .NPRED(NPRED),
				.NPREDLUT(NPREDLUT), .PREDECESSORS(PREDECESSORS),
				.COUNTERS(COUNTERS), .NCOUNTERS(NCOUNTERS),
				.COUNTER_WIDTH(COUNTER_WIDTH), .LINES(LINES),
				.COUNT_WORDS(COUNT_WORDS), .RESET_WORDS(RESET_WORDS),
				.THRESHOLD_WORDS(ELEMENT_WORDS[`NFACC_EL_THRESHOLD*32 +: 32]),
				.MODE_WORDS(ELEMENT_WORDS[`NFACC_EL_COUNTER_MODE*32 +: 32]),
				.DATA(DATA), .NEIGHBOURS(NEIGHBOURS), .XILINX(XILINX)
			) array (
				.clk(clk), .move(move), .any(any), .restart(restart_now),
				.states(states), .counters(counters), .hits(counter_hits),
				.earlier({NCOUNTERS*LINES*COUNTER_WIDTH{1'b0}}), .later(unused_later),
				.cfg_shift(cfg_shift), .cfg_data(cfg_data)
			);
		end
	endgenerate

	generate
		if (NAMES == 0) begin : g_collect
			assign out_valid = valid[LATENCY-1];
			assign out_restart = restart[LATENCY-1];
			assign out_names = {NAME_BITS{1'b0}};
			nfacc_collect #(
				.NSTE(NSTE), .NCOUNTERS(NCOUNTERS), .NGROUP(NGROUP), .LABELS(LABELS), .HITS(HITS),
				.LABEL_WORDS(ELEMENT_WORDS[`NFACC_EL_LABEL*32 +: 32]),
				.LOG_WORDS(ELEMENT_WORDS[`NFACC_EL_LOG*32 +: 32]), .DATA(DATA), .XILINX(XILINX)
			) collect (
				.clk(clk), .hit(hits), .counter_hit(counter_hits), .gate_q(seen[LATENCY-2]),
				.labels(out_labels), .log(out_log), .shift_label(cfg_shift[`NFACC_EL_LABEL]),
				.shift_log(cfg_shift[`NFACC_EL_LOG]), .data(cfg_data)
			);
		end else begin : g_collect_lines
			wire unused_hits = &{1'b0, hits, counter_hits, seen[LATENCY-2]};
			reg [NAMES+1:0] valid_q, restart_q; // while lines get their names
			always @(posedge clk) begin
				valid_q <= {valid_q[NAMES:0], valid[LATENCY-1]};
				restart_q <= {restart_q[NAMES:0], restart[LATENCY-1]};
				if (rst) begin
					valid_q <= {NAMES+2{1'b0}};
					restart_q <= {NAMES+2{1'b0}};
				end
			end
			assign out_valid = valid_q[NAMES+1];
			assign out_restart = restart_q[NAMES+1];
			wire [LABELS-1:0] labels;
			wire log;
			nfacc_collect_lines #(
				.NSTE(NSTE), .NCOUNTERS(NCOUNTERS), .NGROUP(NGROUP), .LINES(LINES),
				.LINE_BITS(LINE_BITS), .LABELS(LABELS), .NAMES(NAMES),
				.LABEL_WORDS(ELEMENT_WORDS[`NFACC_EL_LABEL*32 +: 32]),
				.LOG_WORDS(ELEMENT_WORDS[`NFACC_EL_LOG*32 +: 32]), .DATA(DATA),
				.XILINX(XILINX)
			) collect (
				.clk(clk), .states(states), .counters(counters), .any(any),
				.labels(labels), .log(log), .names(out_names),
				.shift_label(cfg_shift[`NFACC_EL_LABEL]),
				.shift_log(cfg_shift[`NFACC_EL_LOG]), .data(cfg_data)
			);
			assign out_labels = labels & {LABELS{out_valid}};
			assign out_log = log & out_valid;
		end
	endgenerate
endmodule
`default_nettype wire
