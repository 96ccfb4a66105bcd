// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// nfacc_engine: the whole engine: a tap at its input, AXI4-Lite registers, records on AXI4-Stream.
// doc/rtl.md has the block diagram. The parameters of an overlay are a file that nfacc writes
// (nfacc --emit=verilog); it is found through the include path.
`default_nettype none
`include "nfacc_contract.vh"

module nfacc_engine #(
	/* verilator lint_off UNUSED */
	`include "nfacc_overlay.vh"
	/* verilator lint_on UNUSED */
	,
	parameter XILINX = 0,     // 0: portable models, 1: primitives of the device
	parameter OUT_DEPTH = 512 // batches that wait for the output: a power of two, 2 ..
) (
	input wire clk,
	input wire rst,
	// The tap: no backpressure. A message is where s_valid and s_present are 1 and the opcode is
	// not the idle one; without any message there is no batch.
	input wire s_valid,
	input wire [SLOTS-1:0] s_present,
	input wire [SLOTS*HEADER_BITS-1:0] s_header,
	input wire [63:0] s_time,
	// Registers: doc/contract.md.
	input wire [11:0] s_axil_awaddr,
	input wire s_axil_awvalid,
	output wire s_axil_awready,
	input wire [DATA-1:0] s_axil_wdata,
	input wire [DATA/8-1:0] s_axil_wstrb,
	input wire s_axil_wvalid,
	output wire s_axil_wready,
	output wire [1:0] s_axil_bresp,
	output wire s_axil_bvalid,
	input wire s_axil_bready,
	input wire [11:0] s_axil_araddr,
	input wire s_axil_arvalid,
	output wire s_axil_arready,
	output wire [DATA-1:0] s_axil_rdata,
	output wire [1:0] s_axil_rresp,
	output wire s_axil_rvalid,
	input wire s_axil_rready,
	// Records: runtime/trace/trace.h, Note [binary traces].
	output wire [63:0] m_axis_tdata,
	output wire m_axis_tvalid,
	input wire m_axis_tready,
	output wire m_axis_tlast,
	output wire idle,         // STATUS.idle
	output wire done          // STATUS.done
);
	localparam HEADERS = SLOTS * HEADER_BITS;
	localparam BATCH = HEADERS + SLOTS + 64;     // headers, mask, time
	localparam BODY = HEADERS < 64 ? 64 : HEADERS;
	localparam ENTRY = BODY + SLOTS + 64 + LABELS;
	localparam REDUCED = SLOTS * (1 + OP_BITS + LINE_BITS);
	localparam CODE_BITS = $clog2(NROW);
	localparam LANE_BITS = ROW_WORDS < 2 ? 1 : $clog2(ROW_WORDS);
	localparam SIZE_BITS = $clog2(WINDOW + 2);
	localparam INSIDE = 32; // batches between tap and window, more than the latency there

	generate
		if (DATA != 32 && DATA != 64) begin : g_data
			nfacc_error_data_is_32_or_64 e ();
		end
		if (NROW != (SLOTS << OP_BITS) || NROW > 2048) begin : g_rows
			nfacc_error_slots_times_opcodes_above_2048 e ();
		end
		if (OP_BITS < 1 || OP_BITS > 8 || SLOTS < 1 || SLOTS > 64 || HEADER_BITS < 1 ||
		    HEADER_BITS > 64 || OP_LSB + OP_BITS > HEADER_BITS ||
		    ADDR_LSB + ADDR_BITS > HEADER_BITS) begin : g_protocol
			nfacc_error_protocol_fields e ();
		end
		if (LABELS < 1 || LABELS > 64 || LINES < 1 || LINES > (1 << LINE_BITS)) begin : g_sizes
			nfacc_error_labels_or_lines e ();
		end
	endgenerate

	// Registers and control.

	wire command_valid, config_valid, config_ready;
	wire [31:0] command;
	wire [DATA-1:0] config_data;
	wire [20:16] cfg_register;
	wire [63:0] cfg_value;
	wire enable, by_line, free, good;
	wire [31:0] idle_after, status, words;
	wire [63:0] base, count, window, limit, packets, dropped, unseen, batches;

	wire wipe;                    // CONTROL.reset
	wire clean = rst | wipe;
	wire tap_valid, take, astray, given;
	wire begin_, direct, staging, loading, loaded, load_done, staged;
	wire [3:0] load_result;
	wire swap, live, cancel, swapping, replaying, swapped, hold;
	wire mark, first;             // a restart before the batch
	wire reduced, reduced_first;
	wire can_restart, restart, fresh, clear, ended, overflow, armed;
	wire unused_engine = &{1'b0, armed, hold, loaded, window};

	// Where batches are.
	wire queued, reducing, injected, reached, going, storing, lost, entry_valid, sending;
	wire calm = ~(reducing | injected | reached);
	wire settled = ~(going | storing);
	wire [$clog2(OUT_DEPTH):0] out_level;
	wire busy = queued | ~calm | ~settled | lost | (|out_level) | entry_valid | sending;

	nfacc_regs #(
		.DATA(DATA), .FINGERPRINT(FINGERPRINT), .LINES(LINES), .WINDOW(WINDOW)
	) regs (
		.clk(clk), .rst(rst), .reset(wipe),
		.s_axil_awaddr(s_axil_awaddr), .s_axil_awvalid(s_axil_awvalid),
		.s_axil_awready(s_axil_awready), .s_axil_wdata(s_axil_wdata),
		.s_axil_wstrb(s_axil_wstrb), .s_axil_wvalid(s_axil_wvalid),
		.s_axil_wready(s_axil_wready), .s_axil_bresp(s_axil_bresp),
		.s_axil_bvalid(s_axil_bvalid), .s_axil_bready(s_axil_bready),
		.s_axil_araddr(s_axil_araddr), .s_axil_arvalid(s_axil_arvalid),
		.s_axil_arready(s_axil_arready), .s_axil_rdata(s_axil_rdata),
		.s_axil_rresp(s_axil_rresp), .s_axil_rvalid(s_axil_rvalid),
		.s_axil_rready(s_axil_rready),
		.command_valid(command_valid), .command(command),
		.config_valid(config_valid), .config_ready(config_ready), .config_data(config_data),
		.set(cfg_register), .set_value(cfg_value), .free(free),
		.enable(enable), .idle_after(idle_after), .by_line(by_line), .base(base),
		.count(count), .window(window), .limit(limit), .good(good),
		.status(status), .words(words), .packets(packets), .dropped(dropped),
		.unseen(unseen), .batches(batches));

	nfacc_control #(.SHADOW(SHADOW)) control (
		.clk(clk), .rst(rst), .command_valid(command_valid), .command(command), .reset(wipe),
		.tap(tap_valid), .enable(enable), .take(take), .astray(astray), .given(given),
		.idle_after(idle_after), .good(good), .begin_(begin_), .direct(direct),
		.load_done(load_done), .load_result(load_result), .loading(loading),
		.staging(staging), .loaded(loaded), .staged(staged), .swap(swap), .live(live), .cancel(cancel),
		.swapping(swapping), .replaying(replaying), .swapped(swapped),
		.can_restart(can_restart), .restarted(reduced & reduced_first), .mark(mark),
		.restart(restart), .fresh(fresh), .clear(clear),
		.ended(ended), .under_way(queued | ~calm), .busy(busy), .free(free), .armed(armed),
		.done(done), .status(status), .overflow(overflow), .unseen(unseen),
		.batches(batches), .idle(idle));

	// Configuration.

	wire load_begin, load_valid, load_ready, taken;
	wire [DATA-1:0] load_data, taken_data;
	wire cfg_clear, cfg_row_we;
	wire [CODE_BITS-1:0] cfg_code;
	wire [LANE_BITS-1:0] cfg_lane;
	wire [26:1] cfg_shift;
	wire [DATA-1:0] cfg_data;

	// Words from the bus that come during a swap belong to no image.
	assign config_ready = load_ready | replaying;

	nfacc_loader #(
		.DATA(DATA), .FINGERPRINT(FINGERPRINT), .DECODER(DECODER), .PREDECESSORS(PREDECESSORS),
		.BANK(BANK), .LINES(LINES), .LABELS(LABELS), .WINDOW(WINDOW), .SLOTS(SLOTS),
		.COUNTER_WIDTH(COUNTER_WIDTH), .NCOUNTERS(NCOUNTERS), .NSTE(NSTE), .NPRED(NPRED),
		.NPREDLUT(NPREDLUT), .NGROUP(NGROUP), .OPCODES(OPCODES), .NTABLE(NTABLE),
		.NROW(NROW), .ROW_WORDS(ROW_WORDS), .SELECT_BITS(SELECT_BITS), .MOST_WORDS(MOST_WORDS)
	) loader (
		.clk(clk), .rst(rst), .begin_(begin_ | load_begin), .apply(load_begin | direct),
		.hold(~staging & ~calm),
		.in_valid(replaying ? load_valid : config_valid), .in_ready(load_ready),
		.in_data(replaying ? load_data : config_data),
		.taken(taken), .taken_data(taken_data),
		.cfg_clear(cfg_clear), .cfg_row_we(cfg_row_we), .cfg_code(cfg_code),
		.cfg_lane(cfg_lane), .cfg_shift(cfg_shift), .cfg_data(cfg_data),
		.cfg_register(cfg_register), .cfg_value(cfg_value), .loading(loading),
		.done(load_done), .result(load_result), .words(words));

	// From the tap to the NFA.

	wire [SLOTS-1:0] tap_mask, mask, window_mask, nfa_mask;
	wire [HEADERS-1:0] tap_header, header;
	wire [63:0] tap_time, stamp;
	wire batch; // one goes on

	nfacc_tap #(
		.SLOTS(SLOTS), .HEADER_BITS(HEADER_BITS), .OP_LSB(OP_LSB), .OP_BITS(OP_BITS),
		.IDLE(IDLE)
	) tap (
		.clk(clk), .rst(rst), .s_valid(s_valid), .s_present(s_present), .s_header(s_header),
		.s_time(s_time), .out_valid(tap_valid), .out_mask(tap_mask), .out_header(tap_header),
		.out_time(tap_time));

	generate
		if (SHADOW != 0) begin : g_shadow
			// Batches that can come from the end of WAIT to the fresh start: while the
			// engine runs empty, the words and clearing of an image, and the window's
			// output, each of them one a cycle.
			localparam MEANWHILE = MOST_WORDS + OPCODES + WINDOW + 64;
			localparam IN_BITS = $clog2(MEANWHILE + 8);
			wire [IN_BITS:0] level;
			wire in_ready, in_valid;

			nfacc_fifo #(.WIDTH(BATCH + 1), .DEPTH(1 << IN_BITS)) fifo (
				.clk(clk), .rst(clean), .flush(1'b0),
				.in_valid(take), .in_ready(in_ready),
				.in_data({mark, tap_header, tap_mask, tap_time}),
				.out_valid(in_valid), .out_ready(~hold),
				.out_data({first, header, mask, stamp}), .level(level));

			nfacc_shadow #(.DATA(DATA), .MOST_WORDS(MOST_WORDS)) shadow (
				.clk(clk), .rst(rst), .reset(wipe),
				.clear(begin_ & ~direct), .put(taken & staging), .put_data(taken_data),
				.put_done(load_done & staging & (load_result == `NFACC_LOAD_OK)),
				.staged(staged), .swap(swap), .live(live), .cancel(cancel),
				.room(level <= (1 << IN_BITS) - MEANWHILE), .calm(calm),
				.settled(settled), .swapping(swapping), .hold(hold),
				.replaying(replaying), .swapped(swapped), .load_begin(load_begin),
				.load_valid(load_valid), .load_ready(load_ready), .load_data(load_data),
				.load_done(load_done), .load_good(load_result == `NFACC_LOAD_OK));

			assign batch = in_valid & ~hold & loaded;
			// Without a configuration, after a swap that failed; there is always room.
			assign astray = (in_valid & ~hold & ~loaded) | (take & ~in_ready);
			assign queued = in_valid | (|level);
		end else begin : g_single
			wire unused_single = &{1'b0, begin_, direct, taken, taken_data, swap, live, cancel};
			assign staged = 1'b0;
			assign swapping = 1'b0;
			assign hold = 1'b0;
			assign replaying = 1'b0;
			assign swapped = 1'b0;
			assign load_begin = 1'b0;
			assign load_valid = 1'b0;
			assign load_data = {DATA{1'b0}};
			assign {first, header, mask, stamp} = {mark, tap_header, tap_mask, tap_time};
			assign batch = take;
			assign astray = 1'b0;
			assign queued = 1'b0;
		end
	endgenerate

	wire [SLOTS-1:0] reduced_present;
	wire [SLOTS*OP_BITS-1:0] reduced_opcode;
	wire [SLOTS*LINE_BITS-1:0] reduced_line;

	nfacc_reduce #(
		.SLOTS(SLOTS), .HEADER_BITS(HEADER_BITS), .OP_LSB(OP_LSB), .OP_BITS(OP_BITS),
		.ADDR_LSB(ADDR_LSB), .ADDR_BITS(ADDR_BITS), .LINE_BITS(LINE_BITS),
		.HAS_ADDR(HAS_ADDR)
	) reduce (
		.clk(clk), .rst(clean), .by_line(by_line), .base(base), .count(count),
		.in_valid(batch), .in_first(first), .in_mask(mask), .in_header(header),
		.out_valid(reduced), .out_first(reduced_first), .out_present(reduced_present), .out_opcode(reduced_opcode),
		.out_line(reduced_line), .busy(reducing));

	wire nfa_valid, nfa_restart;
	wire [REDUCED-1:0] nfa_in;
	wire out_valid, out_restart, out_log;
	wire [LABELS-1:0] out_labels;

	nfacc_inject #(.WIDTH(REDUCED)) inject (
		.clk(clk), .rst(clean), .restart(restart | (reduced & reduced_first)), .can(can_restart),
		.in_valid(reduced), .in_data({reduced_present, reduced_opcode, reduced_line}),
		.out_valid(nfa_valid), .out_restart(nfa_restart), .out_data(nfa_in),
		.left(out_valid | out_restart), .busy(injected));
	assign given = nfa_valid;

	nfacc_nfa #(
		.CLIQUE(CLIQUE), .LENGTH(LENGTH), .RINGS(RINGS), .REACH(REACH), .DECODER(DECODER),
		.BANK(BANK), .PREDECESSORS(PREDECESSORS), .IDLE(IDLE),
		.LINES(LINES), .LABELS(LABELS), .DATA(DATA), .MEMORY(MEMORY), .COUNTERS(COUNTERS),
		.COUNTER_WIDTH(COUNTER_WIDTH), .NCLIQUES(NCLIQUES), .NSTE(NSTE),
		.NNEIGHBOURS(NNEIGHBOURS), .NNODES(NNODES), .NPRED(NPRED), .NPREDLUT(NPREDLUT),
		.NCOUNTERS(NCOUNTERS), .NALL(NALL), .NGROUP(NGROUP), .OPCODES(OPCODES), .NTABLE(NTABLE),
		.NROW(NROW), .ROW_WIDTH(ROW_WIDTH), .ROW_WORDS(ROW_WORDS),
		.SELECT_BITS(SELECT_BITS), .LINE_BITS(LINE_BITS), .SLOTS(SLOTS), .OP_BITS(OP_BITS),
		.NEIGHBOURS(NEIGHBOURS), .XILINX(XILINX)
	) nfa (
		.clk(clk), .rst(clean), .in_valid(nfa_valid), .in_restart(nfa_restart),
		.in_present(nfa_in[REDUCED-1 -: SLOTS]),
		.in_opcode(nfa_in[SLOTS*LINE_BITS +: SLOTS*OP_BITS]),
		.in_line(nfa_in[0 +: SLOTS*LINE_BITS]),
		.out_valid(out_valid), .out_restart(out_restart), .out_labels(out_labels),
		.out_log(out_log),
		.cfg_clear(cfg_clear), .cfg_row_we(cfg_row_we), .cfg_code(cfg_code),
		.cfg_lane(cfg_lane), .cfg_shift(cfg_shift), .cfg_data(cfg_data));

	// The batch itself waits meanwhile.
	wire [HEADERS-1:0] nfa_header;
	wire [63:0] nfa_time;
	wire unused_ready, unused_waiting;
	wire [$clog2(INSIDE):0] unused_level;

	nfacc_fifo #(.WIDTH(BATCH), .DEPTH(INSIDE)) waiting (
		.clk(clk), .rst(clean), .flush(1'b0), .in_valid(batch), .in_ready(unused_ready),
		.in_data({header, mask, stamp}), .out_valid(unused_waiting), .out_ready(out_valid),
		.out_data({nfa_header, nfa_mask, nfa_time}), .level(unused_level));

	// From the NFA to the output.

	reg decided, accept, log;
	reg [LABELS-1:0] labels;
	reg [BATCH-1:0] decided_batch;

	always @(posedge clk) begin
		decided <= out_valid & ~clean;
		accept <= |out_labels;
		log <= out_log;
		labels <= out_labels;
		decided_batch <= {nfa_header, nfa_mask, nfa_time};
	end
	assign reached = decided;

	wire window_valid;
	wire [LABELS-1:0] window_labels;
	wire [HEADERS-1:0] window_header;
	wire [63:0] window_time;

	nfacc_window #(.WINDOW(WINDOW), .WIDTH(BATCH + LABELS)) windows (
		.clk(clk), .rst(clean), .fresh(fresh), .size(window[SIZE_BITS-1:0]),
		.in_valid(decided), .in_accept(accept), .in_log(log),
		.in_data({labels, decided_batch}), .out_valid(window_valid),
		.out_data({window_labels, window_header, window_mask, window_time}), .busy(going));

	wire push, room;
	wire [LABELS-1:0] push_labels, entry_labels;
	wire [63:0] push_time, entry_time;
	wire [SLOTS-1:0] push_mask, entry_mask;
	wire [BODY-1:0] window_body, push_body, entry_body;
	wire entry_ready;
	generate
		if (BODY > HEADERS) begin : g_body
			assign window_body = {{(BODY-HEADERS){1'b0}}, window_header};
		end else begin : g_whole
			assign window_body = window_header;
		end
	endgenerate

	nfacc_store #(.SLOTS(SLOTS), .LABELS(LABELS), .BODY(BODY)) storage (
		.clk(clk), .rst(clean), .fresh(fresh), .clear(clear), .limit(limit),
		.in_valid(window_valid), .in_labels(window_labels), .in_time(window_time),
		.in_mask(window_mask), .in_body(window_body), .room(room), .push(push),
		.push_labels(push_labels), .push_time(push_time), .push_mask(push_mask),
		.push_body(push_body), .packets(packets), .dropped(dropped), .overflow(overflow),
		.ended(ended), .here(storing), .due(lost));

	// A record that has come to the FIFO's output leaves whole, CONTROL.reset or not.
	nfacc_fifo #(.WIDTH(ENTRY), .DEPTH(OUT_DEPTH)) output_fifo (
		.clk(clk), .rst(rst), .flush(wipe), .in_valid(push), .in_ready(room),
		.in_data({push_labels, push_time, push_mask, push_body}),
		.out_valid(entry_valid), .out_ready(entry_ready),
		.out_data({entry_labels, entry_time, entry_mask, entry_body}), .level(out_level));

	nfacc_record #(
		.SLOTS(SLOTS), .HEADER_BITS(HEADER_BITS), .LABELS(LABELS), .BODY(BODY)
	) record (
		.clk(clk), .rst(rst), .in_valid(entry_valid), .in_ready(entry_ready),
		.in_labels(entry_labels), .in_time(entry_time), .in_mask(entry_mask),
		.in_body(entry_body), .m_axis_tdata(m_axis_tdata), .m_axis_tvalid(m_axis_tvalid),
		.m_axis_tready(m_axis_tready), .m_axis_tlast(m_axis_tlast));
	assign sending = m_axis_tvalid;
endmodule
`default_nettype wire
