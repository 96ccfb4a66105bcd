// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// nfacc_nfa_memory: the NFA part of an engine with `state memory`. It has the decoders, STEs and
// tables of nfacc_nfa for a single line, and serves with them all lines, one after the other. Batches
// wait in a queue. nfacc_split makes steps of them, one for each line that a batch has messages of.
// nfacc_words has the states, and nfacc_hot the lines that a tick may change. What leaves is the OR
// over the steps of a batch: its labels, and whether it is logged. So a batch of k lines takes k
// cycles.
//
//	         0            1            2        3              4           5       6       7
//	steps ->[address]--->[word]------>[word]-->[word to step]>[states]--->[parts]>[labels]>[OR over
//	        [letters]--->[row memory]>[match]->                                             steps]
//	                                                                              [hot]-->[lines]
`default_nettype none
`include "nfacc_contract.vh"
module nfacc_nfa_memory #(
	// The parameters are those of nfacc_nfa.
	parameter CLIQUE = 1,
	parameter DECODER = 0,
	parameter BANK = 16,
	parameter PREDECESSORS = 1,
	parameter LINES = 1,
	parameter LABELS = 1,
	parameter COUNTERS = 0,
	parameter COUNTER_WIDTH = 16,
	parameter DATA = 32,
	parameter MEMORY = 0,
	parameter SLOTS = 1,
	parameter TIME = 0,
	parameter ROW_BITS = 5,
	parameter integer IDLE = -1,
	parameter NCLIQUES = 1,
	parameter NSTE = 1,
	parameter NNEIGHBOURS = 1,
	parameter NNODES = 1,
	parameter NPRED = 1,
	parameter NPREDLUT = 1,
	parameter NCOUNTERS = 0,
	parameter NGROUP = 1,
	parameter NTABLE = 1,
	parameter CODE_BITS = 5,
	parameter ROW_WIDTH = 1,
	parameter ROW_WORDS = 1,
	parameter LANE_BITS = 1,
	parameter SELECT_BITS = 4,
	parameter LINE_BITS = 1,
	parameter [(32<<`NFACC_ELEMENT_BITS)-1:0] ELEMENT_WORDS =
		{1632'd0, 32'd32, 32'd32, 32'd0, 32'd1, 32'd32, 64'd0, 32'd1, 160'd0},
	parameter [NCLIQUES*NNEIGHBOURS*32-1:0] NEIGHBOURS = 0,
	parameter XILINX = 0,
	parameter NAMES = 0,
	parameter NAME_BITS = 1,
	parameter QUEUE = 128 // batches that can wait: a power of two, 2..
) (
	input wire clk,
	input wire rst,
	// A batch, a restart, or a restart before a batch. The queue must have room.
	input wire in_valid,
	input wire in_restart,
	input wire [SLOTS-1:0] in_present,
	input wire [SLOTS*ROW_BITS-1:0] in_letter,
	input wire [SLOTS*LINE_BITS-1:0] in_line,
	input wire [SLOTS-1:0] in_every,
	input wire [LINE_BITS:0] observed, // lines in use, which are those below this number; changes
	                                   // only while no batch is inside
	output wire [$clog2(QUEUE):0] level, // batches and restarts in the queue
	output wire busy,                  // a batch or a restart is inside
	output reg out_valid,              // a batch leaves the NFA
	output reg [LABELS-1:0] out_labels,
	output reg out_log,
	output wire [NAME_BITS-1:0] out_names,
	// The configuration changes only while no batch and no restart is inside.
	input wire cfg_clear,
	input wire cfg_row_we,
	input wire [CODE_BITS-1:0] cfg_code,
	input wire [LANE_BITS-1:0] cfg_lane,
	input wire [`NFACC_DEVICE_IDS] cfg_shift,
	input wire [DATA-1:0] cfg_data
);
	localparam ENTRY = 2 + SLOTS * (2 + ROW_BITS + LINE_BITS);
	localparam [31:0] NONE_WORDS = ELEMENT_WORDS[`NFACC_EL_NONE*32 +: 32] |
		ELEMENT_WORDS[`NFACC_EL_BANK_NONE*32 +: 32];
	localparam [31:0] PRED_WORDS = ELEMENT_WORDS[`NFACC_EL_PRED_MASK*32 +: 32] |
		ELEMENT_WORDS[`NFACC_EL_PRED_LUT*32 +: 32];
	// Tables in STEs answer in the same cycle, row memories and the bank a cycle later.
	localparam DECODE = DECODER == `NFACC_DECODER_STE ? 0 : 1;
	localparam integer READ_IDLE = DECODE == 1 && TIME == `NFACC_TIME_NO ? IDLE : -1;

	// The queue, and the steps of its batches.
	wire q_valid, q_ready, q_filled, q_restart, q_batch, q_room, split_busy;
	wire [SLOTS-1:0] q_present, q_every;
	wire [SLOTS*ROW_BITS-1:0] q_letter;
	wire [SLOTS*LINE_BITS-1:0] q_line;
	wire unused_room = &{1'b0, q_room};
	nfacc_fifo #(.WIDTH(ENTRY), .DEPTH(QUEUE)) queue (
		.clk(clk), .rst(rst), .flush(1'b0), .in_valid(in_valid | in_restart),
		.in_ready(q_room),
		.in_data({in_restart, in_valid, in_present, in_every, in_letter, in_line}),
		.out_valid(q_valid), .out_ready(q_ready),
		.out_data({q_restart, q_batch, q_present, q_every, q_letter, q_line}),
		.filled(q_filled), .level(level)
	);
	assign busy = q_filled | q_valid | split_busy;

	wire own, visit, tick, crowd, restart, keep, last, hot_valid, hot_take;
	wire [LINE_BITS-1:0] line, hot_line;
	wire [SLOTS-1:0] belongs;
	wire [SLOTS*ROW_BITS-1:0] letter;
	wire [LINE_BITS:0] hot_count;
	nfacc_split #(
		.SLOTS(SLOTS), .TIME(TIME), .ROW_BITS(ROW_BITS), .LINE_BITS(LINE_BITS)
	) split (
		.clk(clk), .rst(rst), .in_valid(q_valid), .in_ready(q_ready),
		.in_restart(q_restart), .in_batch(q_batch), .in_present(q_present),
		.in_every(q_every), .in_letter(q_letter), .in_line(q_line), .observed(observed),
		.hot_count(hot_count), .hot_valid(hot_valid), .hot_line(hot_line),
		.hot_take(hot_take), .out_own(own), .out_visit(visit), .out_tick(tick),
		.out_crowd(crowd), .out_restart(restart), .out_keep(keep), .out_last(last),
		.out_line(line), .out_belongs(belongs), .out_letter(letter), .busy(split_busy)
	);

	// The words of lines: states after the last batch; then for each counter whether it is active,
	// and for each one K minus its count.
	localparam PORTS = NCOUNTERS > 0 ? NCOUNTERS : 1;
	localparam COUNTS = NCOUNTERS * COUNTER_WIDTH;
	localparam WIDTH = NSTE + (NCOUNTERS > 0 ? COUNTS + NCOUNTERS : 0);
	wire restart_3, writes_4, enters_4, some_4;
	wire [LINE_BITS-1:0] line_4;
	wire [WIDTH-1:0] word_3, next_4;
	nfacc_words #(.WIDTH(WIDTH), .LINES(LINES), .LINE_BITS(LINE_BITS)) words (
		.clk(clk), .rst(rst), .own(own), .visit(visit), .crowd(crowd), .restart(restart),
		.line(line), .observed(observed), .word(word_3), .restart_word(restart_3),
		.next(next_4), .next_line(line_4), .writes(writes_4), .enters(enters_4),
		.some(some_4)
	);

	// The match of a step's messages, at stage 3.
	reg [SLOTS-1:0] belongs_1, belongs_2;
	reg [SLOTS*ROW_BITS-1:0] letter_1, letter_2;
	always @(posedge clk) begin
		belongs_1 <= belongs;
		belongs_2 <= belongs_1;
		letter_1 <= letter;
		letter_2 <= letter_1;
	end
	wire [NSTE-1:0] match;
	wire unused_letter = &{1'b0, letter_2};
	nfacc_decode #(
		.DECODER(DECODER), .NSTE(NSTE), .BANK(BANK), .SLOTS(SLOTS), .ROW_BITS(ROW_BITS),
		.IDLE(READ_IDLE), .ABSENT_IDLE(0), .NTABLE(NTABLE), .LINES(1), .REGISTER_MATCH(1),
		.ROW_WIDTH(ROW_WIDTH), .ROW_WORDS(ROW_WORDS), .SELECT_BITS(SELECT_BITS),
		.CODE_BITS(CODE_BITS), .LANE_BITS(LANE_BITS),
		.DECODE_WORDS(ELEMENT_WORDS[`NFACC_EL_DECODE*32 +: 32]),
		.SELECT_WORDS(ELEMENT_WORDS[`NFACC_EL_SELECT*32 +: 32]),
		.NONE_WORDS(NONE_WORDS), .DATA(DATA), .MEMORY(MEMORY), .XILINX(XILINX)
	) decode (
		.clk(clk), .present(belongs_1), .letter(DECODE == 1 ? letter_1 : letter_2),
		.belongs(READ_IDLE >= 0 ? {SLOTS{1'b1}} : belongs_2),
		.match(match), .cfg_clear(cfg_clear), .cfg_row_we(cfg_row_we), .cfg_code(cfg_code),
		.cfg_lane(cfg_lane), .cfg_shift(cfg_shift), .cfg_data(cfg_data)
	);

	// The states after the step, at stage 4, and the counters.
	wire [PORTS-1:0] active_3, active_4;
	wire [NSTE-1:0] states, hits;
	nfacc_ste_array #(
		.CLIQUE(CLIQUE), .NCLIQUES(NCLIQUES), .NSTE(NSTE), .NNEIGHBOURS(NNEIGHBOURS),
		.NNODES(NNODES), .NPRED(NPRED), .NPREDLUT(NPREDLUT), .PREDECESSORS(PREDECESSORS),
		.COUNTERS(COUNTERS), .COUNTER_PORTS(PORTS), .LINES(1), .HITS(1), .EARLIER(1),
		.START_WORDS(ELEMENT_WORDS[`NFACC_EL_START*32 +: 32]),
		.ALWAYS_WORDS(ELEMENT_WORDS[`NFACC_EL_ALWAYS*32 +: 32]), .PRED_WORDS(PRED_WORDS),
		.DATA(DATA), .NEIGHBOURS(NEIGHBOURS), .XILINX(XILINX)
	) stes (
		.clk(clk), .move(1'b1), .any(1'b1), .restart(restart_3), .match(match),
		.counters(active_3), .earlier(word_3[NSTE-1:0]), .states(states), .hits(hits),
		.cfg_shift(cfg_shift), .cfg_data(cfg_data)
	);
	generate
		if (COUNTERS == 0) begin : g_no_counters
			assign active_3 = 1'b0;
			assign active_4 = 1'b0;
			assign next_4 = states;
		end else begin : g_counters
			reg restart_4;
			reg [COUNTS-1:0] left_4;
			wire [COUNTS-1:0] left_5;
			wire [NCOUNTERS-1:0] active, unused_hits;
			always @(posedge clk) begin
				restart_4 <= restart_3;
				left_4 <= word_3[WIDTH-1 -: COUNTS];
			end
			assign active_3 = word_3[NSTE +: NCOUNTERS];
			assign active_4 = active & ~{NCOUNTERS{restart_4}};
			assign next_4 = {left_5, active_4, states};
			nfacc_counter_array #(
				.CLIQUE(CLIQUE), .NCLIQUES(NCLIQUES), .NSTE(NSTE),
				.NNEIGHBOURS(NNEIGHBOURS), .NNODES(NNODES), .NPRED(NPRED),
				.NPREDLUT(NPREDLUT), .PREDECESSORS(PREDECESSORS),
				.COUNTERS(COUNTERS), .NCOUNTERS(NCOUNTERS),
				.COUNTER_WIDTH(COUNTER_WIDTH), .LINES(1), .EARLIER(1),
				.COUNT_WORDS(ELEMENT_WORDS[`NFACC_EL_COUNT_MASK*32 +: 32] |
					ELEMENT_WORDS[`NFACC_EL_COUNT_LUT*32 +: 32]),
				.RESET_WORDS(ELEMENT_WORDS[`NFACC_EL_RESET_MASK*32 +: 32] |
					ELEMENT_WORDS[`NFACC_EL_RESET_LUT*32 +: 32]),
				.THRESHOLD_WORDS(ELEMENT_WORDS[`NFACC_EL_THRESHOLD*32 +: 32]),
				.MODE_WORDS(ELEMENT_WORDS[`NFACC_EL_COUNTER_MODE*32 +: 32]),
				.DATA(DATA), .NEIGHBOURS(NEIGHBOURS), .XILINX(XILINX)
			) array (
				.clk(clk), .move(1'b1), .any(1'b1), .restart(restart_4),
				.states(states), .earlier(left_4), .later(left_5), .counters(active),
				.hits(unused_hits), .cfg_shift(cfg_shift), .cfg_data(cfg_data)
			);
		end
	endgenerate

	// The labels of the step, at stage 6, and the OR over the steps of its batch.
	reg some_5, rst_q;
	reg [5:0] last_at; // bit k: the step at stage k + 1 is the last one of its batch
	wire [LABELS-1:0] labels;
	wire log;
	reg [LABELS-1:0] all_labels;
	reg any_log;
	nfacc_collect #(
		.NSTE(NSTE), .NCOUNTERS(NCOUNTERS), .NGROUP(NGROUP), .LABELS(LABELS), .HITS(1),
		.LABEL_WORDS(ELEMENT_WORDS[`NFACC_EL_LABEL*32 +: 32]),
		.LOG_WORDS(ELEMENT_WORDS[`NFACC_EL_LOG*32 +: 32]), .DATA(DATA), .XILINX(XILINX)
	) collect (
		.clk(clk), .hit(hits), .counter_hit(active_4), .gate_q(some_5),
		.labels(labels), .log(log), .shift_label(cfg_shift[`NFACC_EL_LABEL]),
		.shift_log(cfg_shift[`NFACC_EL_LOG]), .data(cfg_data)
	);
	always @(posedge clk) begin
		some_5 <= some_4;
		last_at <= {last_at[4:0], last};
		all_labels <= last_at[5] ? {LABELS{1'b0}} : all_labels | labels;
		any_log <= ~last_at[5] & (any_log | log);
		out_valid <= last_at[5];
		out_labels <= {LABELS{last_at[5]}} & (all_labels | labels);
		out_log <= last_at[5] & (any_log | log);
		rst_q <= rst;
		if (rst) begin
			some_5 <= 1'b0;
			last_at <= 6'd0;
			out_valid <= 1'b0;
		end
		// In the cycle after a reset the labels are still those of the step before it.
		if (rst | rst_q) begin
			all_labels <= {LABELS{1'b0}};
			any_log <= 1'b0;
		end
	end

	generate
		if (NAMES == 0) begin : g_no_names
			assign out_names = {NAME_BITS{1'b0}};
		end else begin : g_names
			reg single_5, single_6;
			reg [LINE_BITS-1:0] named_5, named_6;
			always @(posedge clk) begin
				single_5 <= writes_4;
				single_6 <= single_5;
				named_5 <= line_4;
				named_6 <= named_5;
			end
			nfacc_name_steps #(
				.LINE_BITS(LINE_BITS), .LABELS(LABELS), .NAMES(NAMES)
			) name_steps (
				.clk(clk), .clear(rst | rst_q), .labels(labels), .single(single_6),
				.line(named_6), .last(last_at[5]), .names(out_names)
			);
		end
	endgenerate

	// Lines that a tick may change. Whether a tick changed a line is known at stage 7.
	generate
		if (TIME == `NFACC_TIME_YES) begin : g_hot
			reg [WIDTH-1:0] word_4;
			// Whether the word stayed as it was is asked of three bits at a time.
			localparam PARTS = (WIDTH + 2) / 3;
			wire [3*PARTS-1:0] changed = {{(3*PARTS-WIDTH){1'b0}}, word_4 ^ next_4};
			reg [PARTS-1:0] changed_5;
			integer part;
			reg same_6, writes_5, writes_6, enters_5, enters_6, cold_7;
			reg [6:1] tick_at, keep_at, restart_at;
			reg [LINE_BITS-1:0] line_5, line_6;
			always @(posedge clk) begin
				word_4 <= word_3;
				for (part = 0; part < PARTS; part = part + 1)
					changed_5[part] <= |changed[3*part +: 3];
				same_6 <= changed_5 == {PARTS{1'b0}};
				writes_5 <= writes_4;
				writes_6 <= writes_5;
				enters_5 <= enters_4;
				enters_6 <= enters_5;
				line_5 <= line_4;
				line_6 <= line_5;
				tick_at <= {tick_at[5:1], tick};
				keep_at <= {keep_at[5:1], keep};
				restart_at <= {restart_at[5:1], restart};
				cold_7 <= tick_at[6] & ~keep_at[6] & same_6 & (labels == {LABELS{1'b0}}) &
					~log;
				if (rst) begin
					writes_5 <= 1'b0;
					writes_6 <= 1'b0;
					keep_at <= 6'd0;
					restart_at <= 6'd0;
				end
			end
			nfacc_hot #(.LINES(LINES), .LINE_BITS(LINE_BITS)) hot (
				.clk(clk), .rst(rst), .clear(restart_at[6]),
				.step(writes_6 | keep_at[6]), .line(line_6),
				.tick(tick_at[6]), .enters(enters_6),
				.cold_next(cold_7), .count(hot_count), .valid(hot_valid),
				.first(hot_line), .take(hot_take)
			);
		end else begin : g_no_hot
			wire unused_hot = &{1'b0, enters_4, writes_4, line_4, tick, keep, hot_take};
			assign hot_count = {LINE_BITS+1{1'b0}};
			assign hot_valid = 1'b0;
			assign hot_line = {LINE_BITS{1'b0}};
		end
	endgenerate
endmodule
`default_nettype wire
