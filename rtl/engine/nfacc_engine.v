// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// nfacc_engine: the whole engine. Batches come in from a tap. Registers are on AXI4-Lite, and
// records go out on AXI4-Stream. doc/develop/rtl.md has the block diagram. The parameters of an
// overlay are in nfacc_overlay.vh, which `nfacc --emit=verilog` writes. The include path must lead
// to that file. The file is long because it only connects modules, each with many ports.
`default_nettype none
`include "nfacc_contract.vh"

module nfacc_engine #(
	/* verilator lint_off UNUSED */
	`include "nfacc_overlay.vh"
	/* verilator lint_on UNUSED */
	,
	parameter XILINX = 0,     // 0: portable models, 1: primitives of the device
	parameter OUT_DEPTH = 512, // batches that can wait for the output: a power of two, 2 ..
	parameter QUEUE = 128     // with the states in memory: batches that can wait for the NFA, a
	                          // power of two, 16 .., with LABEL_SWAP 64 ..
) (
	input wire clk,
	input wire rst,
	// The tap, which has no backpressure. A slot has a message if s_valid and the slot's bit of
	// s_present are 1 and the opcode is not the idle one. A cycle without any message is no
	// batch.
	input wire s_valid,
	input wire [SLOTS-1:0] s_present,
	input wire [SLOTS*HEADER_BITS-1:0] s_header,
	input wire [63:0] s_time,
	// What comes beside each header, lowest slot first. Without payload in the overlay a bit that is
	// not looked at.
	input wire [(PAYLOAD > 0 ? SLOTS*PAYLOAD : 1)-1:0] s_payload,
	// The registers (doc/develop/contract.md), on AXI4-Lite.
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
	// The records (runtime/trace/trace.h, Note [binary traces]), on AXI4-Stream.
	output wire [63:0] m_axis_tdata,
	output wire m_axis_tvalid,
	input wire m_axis_tready,
	output wire m_axis_tlast,
	output wire idle,         // the field STATUS.idle
	output wire done          // the field STATUS.done
);
	localparam HEADERS = SLOTS * HEADER_BITS;
	localparam BODY = HEADERS < 64 ? 64 : HEADERS;
	// What the NFA says of a batch: its labels, and above them the lines that accept (nfacc_record's
	// in_names), if records name any.
	localparam NAME_BITS = NAMES > 0 ? 4 + NAMES * (LINE_BITS + LABELS) : 1;
	localparam TAG = LABELS + (NAMES > 0 ? NAME_BITS : 0);
	localparam ENTRY = 8 + BODY + SLOTS + 64 + TAG;
	localparam PAY_BITS = PAYLOAD > 0 ? SLOTS * PAYLOAD : 1;
	localparam PASSED = PAYLOAD_TESTS > 0 ? SLOTS * PAYLOAD_TESTS : 1; // payload tests' results
	localparam AT = PAYLOAD > 0 ? $clog2(OUT_DEPTH) : 0; // where the payload of an entry is
	localparam REDUCED = NSLOTS * (1 + ROW_BITS + LINE_BITS) +
		(BROADCAST == `NFACC_BROADCAST_YES ? NSLOTS : 0);
	localparam HAS_JOINS = JOINS == `NFACC_JOINS_YES && NJOINS > 0 ? 1 : 0;
	localparam SIZE_BITS = $clog2(WINDOW + 2);
	// Cycles through nfacc_reduce: nfacc_copies takes one more.
	localparam REDUCE = KEYS == `NFACC_KEYS_YES || KEY_RANGES > 1 ? 3 : 2;
	// The rows of all letters are cleared before an image, and so are the values at all
	// addresses of the recoding memories.
	localparam CLEAR_CODES = ROW_BITS > RECODE_BITS ? 1 << ROW_BITS : 1 << RECODE_BITS;
	localparam CFG_BITS = CODE_BITS > RECODE_BITS ? CODE_BITS : RECODE_BITS;
	// Batches that wait for the NFA's answer. These must be more than are inside.
	localparam INSIDE = STATE == `NFACC_STATE_MEMORY ? 2 * (QUEUE < 32 ? 32 : QUEUE) : 32;
	// With the states in memory: a swap may begin while fewer batches wait for the NFA. Those that
	// a swap by a label takes back must find room there again.
	localparam [0:0] LABELS_SWAP = LABEL_SWAP == `NFACC_LABEL_SWAP_YES;
	localparam SHORT = LABELS_SWAP ? 32 : 8;
	// With shadow: the most batches that can come while a swap holds the input FIFO. One comes in
	// each cycle. The cycles replay the image's words, clear memories, put out the window, and let
	// the pipeline run empty (64). Before the swap holds it, the FIFO does not fill up: in each
	// cycle a batch leaves it. With the states in memory each batch inside takes the cycles of its
	// steps. A swap by a label lets the pipeline run empty twice more, and what came back goes on
	// before the FIFO. The 64 include the cycle by which a swap asks too early whether there is
	// room (nfacc_control).
	localparam CLEAR = DECODER == `NFACC_DECODER_STE && NTEST == 0 ? 0 : CLEAR_CODES;
	localparam STEPS = STATE == `NFACC_STATE_COPIES ? 0 : SLOTS + 16 +
		(BROADCAST == `NFACC_BROADCAST_YES ? LINES : 0);
	localparam AGAIN = LABELS_SWAP ? 128 + (SHORT + 16) * STEPS : 0;
	localparam MEANWHILE = MOST_WORDS + CLEAR + WINDOW + 64 + (SHORT + 16) * STEPS + AGAIN;
	localparam IN_BITS = $clog2(MEANWHILE + 8);
	// Where payload waits for the decision: first in so many places, and with the states in memory
	// then in INSIDE places.
	localparam ARRIVED = SHADOW == `NFACC_SHADOW_YES ? 2 << IN_BITS :
		STATE == `NFACC_STATE_MEMORY ? 16 : 2 * INSIDE;
	localparam PLACE = PAYLOAD == 0 ? 0 : $clog2(ARRIVED) +
		(STATE == `NFACC_STATE_MEMORY ? $clog2(INSIDE) : 0);
	// With tests of payload and swaps by labels: a batch keeps the results of both sets of tests,
	// and above them its generation (nfacc_shadow).
	localparam [0:0] KEEPS = LABELS_SWAP && PAYLOAD_TESTS > 0;
	localparam TESTED = KEEPS ? 2 * PASSED + 1 : 0;
	localparam TESTS_AT = 64 + PLACE;
	// Bits of a batch's time, above them of its place, and of its tests.
	localparam STAMP = TESTS_AT + TESTED;
	localparam BATCH = HEADERS + SLOTS + STAMP;  // bits of a batch: headers, mask, time and place

	generate
		if (!`NFACC_GOOD_PARAMETERS) begin : g_parameters
			nfacc_error_parameter_out_of_range e ();
		end
		if (NROW != (NSLOTS << ROW_BITS) || NROW > `NFACC_MOST_ROWS) begin : g_rows
			nfacc_error_too_many_slots_times_letters e ();
		end
		if (NTEST != GUARDS + RANGES + PAYLOAD_TESTS || RECODE_BITS != OP_BITS + NTEST ||
				ROW_BITS < OP_BITS ||
				(NTEST == 0 && TIME == `NFACC_TIME_NO && ROW_BITS != OP_BITS)) begin : g_tests
			nfacc_error_tests e ();
		end
		if (OP_LSB + OP_BITS > HEADER_BITS ||
				ADDR_LSB + ADDR_BITS > HEADER_BITS) begin : g_protocol
			nfacc_error_protocol_fields e ();
		end
		if (PAYLOAD_TESTS > 0 && PAYLOAD == 0) begin : g_payload_tests
			nfacc_error_payload_tests e ();
		end
		if (BANKS > 1 && (STATE != `NFACC_STATE_MEMORY || LINES < 2)) begin : g_banks
			nfacc_error_banks e ();
		end
		if (STATE == `NFACC_STATE_MEMORY && LABELS_SWAP && QUEUE < 64) begin : g_queue
			nfacc_error_queue_for_label_swap e ();
		end
		if (LINES > (1 << LINE_BITS)) begin : g_lines
			nfacc_error_line_bits e ();
		end
	endgenerate

	// Registers and commands.

	wire command_valid, config_valid, config_ready;
	wire [31:0] command;
	wire [DATA-1:0] config_data;
	wire [`NFACC_REGISTER_IDS] cfg_register;
	wire [63:0] cfg_value;
	wire enable, by_line, elements_writable, elements_in_range;
	wire [31:0] idle_after, status, words, join_late, join_wrong;
	wire [63:0] base, count, window, window_after, limit, packets, dropped, unseen, batches;

	wire [5:0] count_label;
	wire [63:0] accepted;         // how often this label accepted

	wire bins_by_label, bins_by_field, bins_shift, bins_busy; // the histogram
	wire [5:0] bins_lsb;
	wire [3:0] bins_bits;
	wire [31:0] bins_data;
	wire [11:0] bin;
	wire [63:0] binned;           // how many batches the bin has

	wire wipe;                    // the command CONTROL.reset
	wire clean;
	wire tap_valid, tap_take, discarded;
	wire load_begin, load_direct, staging, loading, loaded, load_done, staged;
	wire [3:0] load_result;
	wire swap, swap_room, restarts_stream, swapping, replaying, swapped, hold;
	// A swap by a label: a batch is decided that a label of SWAP_ON accepts, the swap begins,
	// batches from the NFA go to nfacc_return, and from there they go on.
	wire label_hits, label_swap, swap_begins, diverting, returning;
	wire [63:0] swap_on;
	// A restart goes before the current batch: the flag as it leaves the tap, the input FIFO
	// and nfacc_reduce.
	wire tap_restart_before, restart_before, reduced_restart_before;
	wire tap_swap_before;         // a swap goes before the next batch that leaves the tap
	wire reduced, restart_ready, nfa_valid;
	wire stream_start, clear_losses, limit_reached, overflow, armed;
	wire unused_engine = &{1'b0, armed, hold, loaded, window, window_after};

	// Which part of the engine has a batch in it.
	wire queued;                  // a batch is in the input FIFO
	wire reduce_busy, inject_busy, window_busy, store_busy;
	reg decided;                  // a batch is between NFA and window
	reg diverted;                 // a batch is between NFA and nfacc_return
	reg [BATCH-1:0] decided_batch; // that batch, and
	reg decided_restart;          // whether a restart goes before it
	wire nfa_path_empty = ~(admit_busy | reduce_busy | inject_busy | decided |
		diverted);            // no batch is between input FIFO and window
	wire output_path_empty = ~(window_busy | store_busy);         // no batch is between window
	                                                              // and output FIFO
	wire ending;                  // the batch of the end is still to be made
	wire loss_due, entry_valid;   // a loss record is due; the output FIFO offers an entry
	wire [$clog2(OUT_DEPTH):0] out_level;
	wire unused_out_level = &{1'b0, out_level};
	wire out_filled;              // entries wait in the memory of the output FIFO
	wire busy = ending | queued | ~nfa_path_empty | ~output_path_empty | bins_busy | loss_due |
		out_filled | entry_valid | m_axis_tvalid;

	nfacc_regs #(
		.DATA(DATA), .FINGERPRINT(FINGERPRINT), .LINES(LINES), .WINDOW(WINDOW),
		.TIME(TIME), .WINDOW_AFTER(WINDOW_AFTER), .COUNTS(COUNTS), .HAS_JOINS(HAS_JOINS),
		.LABEL_SWAP(LABEL_SWAP), .HISTOGRAM(HISTOGRAM)
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
		.set(cfg_register), .set_value(cfg_value),
		.elements_writable(elements_writable), .elements_in_range(elements_in_range),
		.enable(enable), .idle_after(idle_after), .by_line(by_line), .base(base),
		.count(count), .window(window), .window_after(window_after), .limit(limit),
		.status(status), .words(words), .packets(packets), .dropped(dropped),
		.unseen(unseen), .batches(batches), .tick(tick), .has_end(has_end),
		.stopped(stopped), .ticks_lost(ticks_lost), .label(count_label),
		.accepted(accepted), .swap_on(swap_on), .swap_begins(swap_begins),
		.by_label(bins_by_label), .by_field(bins_by_field), .field_lsb(bins_lsb),
		.field_bits(bins_bits), .table_shift(bins_shift), .table_data(bins_data), .bin(bin),
		.binned(binned), .join_late(join_late), .join_wrong(join_wrong));

	nfacc_control #(.SHADOW(SHADOW), .LABEL_SWAP(LABEL_SWAP)) control (
		.clk(clk), .rst(rst),
		// Ports to nfacc_regs.
		.command_valid(command_valid), .command(command),
		.enable(enable),
		.idle_after(idle_after), .elements_in_range(elements_in_range),
		.elements_writable(elements_writable), .status(status), .unseen(unseen),
		.batches(batches),
		// Ports to nfacc_tap and the input FIFO.
		.tap_valid(tap_valid), .tap_take(tap_take), .tap_restart_before(tap_restart_before),
		.tap_swap_before(tap_swap_before), .swap_room(swap_room), .discarded(discarded),
		// Ports to nfacc_clock.
		.tap_alone(alone), .time_known(time_known), .stopped(stops),
		// Ports to nfacc_loader.
		.load_begin(load_begin), .load_direct(load_direct), .load_done(load_done),
		.load_result(load_result), .staging(staging), .loading(loading), .loaded(loaded),
		// Ports to nfacc_shadow.
		.swap(swap), .restarts_stream(restarts_stream), .replaying(replaying),
		.swapped(swapped), .staged(staged), .swapping(swapping), .hold(hold),
		.label_hits(label_hits), .label_swap(label_swap), .swap_begins(swap_begins),
		.returning(returning),
		// Start, restart and end of the stream.
		.stream_start(stream_start), .clear_losses(clear_losses),
		.late(late),
		.restart_ready(restart_ready), .restart_arrived(reduced & reduced_restart_before),
		.nfa_valid(nfa_valid), .limit_reached(limit_reached), .overflow(overflow),
		// The state of the whole engine.
		.reset(wipe), .clean(clean),
		.batches_before_window(ending | queued | ~nfa_path_empty), .busy(busy),
		.armed(armed), .done(done), .idle(idle));

	// How configurations are loaded.

	wire replay_begin, replay_valid, loader_ready, taken;
	wire [DATA-1:0] replay_data, taken_data;
	wire cfg_clear, cfg_row_we;
	wire [CFG_BITS-1:0] cfg_code;
	wire [LANE_BITS-1:0] cfg_lane;
	wire [`NFACC_DEVICE_IDS] cfg_shift;
	wire [DATA-1:0] cfg_data;
	wire staged_shift;            // cfg_data is a word of the payload's tests of a staged image

	// While a swap replays the staged image, words from the bus belong to no image. They are
	// taken and dropped.
	assign config_ready = loader_ready | replaying;

	// The loader waits while batches that were taken before its image are on the way to the
	// window. That is so from the second cycle of an image on, in which the loader takes no
	// word yet: no batch is taken while an image is loaded that configures. An image that
	// is staged waits, where batches have generations, until they are all of one.
	wire generation, one_generation;
	wire timed;                   // a batch with its ticks is on the way to nfacc_reduce
	wire load_hold = staging ? KEEPS & ~one_generation :
		~(nfa_path_empty & ~timed & ~ending);

	nfacc_loader #(
		.DATA(DATA), .FINGERPRINT(FINGERPRINT), .LINES(LINES), .WINDOW(WINDOW),
		.CLEAR_CODES(CLEAR_CODES), .NROW(NROW), .CODE_BITS(CODE_BITS), .CFG_BITS(CFG_BITS),
		.NMAP(NMAP), .ROW_WORDS(ROW_WORDS), .LANE_BITS(LANE_BITS),
		.ELEMENT_WORDS(ELEMENT_WORDS), .MOST_WORDS(MOST_WORDS)
	) loader (
		.clk(clk), .rst(rst), .begin_image(load_begin | replay_begin),
		.apply(replay_begin | load_direct),
		.hold(load_hold),
		.in_valid(replaying ? replay_valid : config_valid), .in_ready(loader_ready),
		.in_data(replaying ? replay_data : config_data),
		.taken(taken), .taken_data(taken_data),
		.cfg_clear(cfg_clear), .cfg_row_we(cfg_row_we), .cfg_code(cfg_code),
		.cfg_lane(cfg_lane), .cfg_shift(cfg_shift), .cfg_data(cfg_data),
		.staged_shift(staged_shift),
		.cfg_register(cfg_register), .cfg_value(cfg_value), .loading(loading),
		.done(load_done), .result(load_result), .words(words));

	// From the tap to the NFA.

	reg queue_room, queue_short; // the NFA's queue has room; and it has few batches
	wire losing;                 // a loss is not told, so no batch may be taken back

	wire [SLOTS-1:0] tap_mask, mask, window_mask, nfa_mask;
	wire [HEADERS-1:0] tap_header, header;
	wire [63:0] tap_time;
	wire [STAMP-1:0] tap_stamp, stamp; // the time, and above it the place and tests of payload
	assign tap_stamp[63:0] = tap_time;
	wire batch; // a batch goes on to nfacc_reduce

	nfacc_tap #(
		.SLOTS(SLOTS), .HEADER_BITS(HEADER_BITS), .OP_LSB(OP_LSB), .OP_BITS(OP_BITS),
		.IDLE(IDLE)
	) tap (
		.clk(clk), .rst(rst), .s_valid(s_valid), .s_present(s_present), .s_header(s_header),
		.s_time(s_time), .out_valid(tap_valid), .out_mask(tap_mask),
		.out_header(tap_header), .out_time(tap_time));

	// Tests of payload. Their results come with the batch of the tap, and go beside its
	// headers. With shadow there are two sets: an image that is staged gives its tests to the set
	// that is not in use, and the swap's command changes the sets. So the replay brings nothing
	// here. An image keeps its set while it is loaded. If labels swap, batches that have come are
	// decided by the new image, so the results of both sets go with them.
	wire tests_set;
	wire [PASSED-1:0] tap_passed, passed;
	generate
		if (PAYLOAD_TESTS > 0) begin : g_payload_test
			localparam SETS = SHADOW == `NFACC_SHADOW_YES ? 2 : 1;
			wire word = (cfg_shift[`NFACC_EL_PAYLOAD_TEST] & ~replaying) | staged_shift;
			wire [SETS-1:0] shift;
			wire [SETS*PASSED-1:0] each; // the results of each set
			if (SETS == 2) begin : g_sets
				reg target;
				always @(posedge clk)
					if (load_begin)
						target <= tests_set ^ ~load_direct;
				assign shift = {word & target, word & ~target};
				assign tap_passed = tests_set ? each[PASSED +: PASSED] :
					each[0 +: PASSED];
			end else begin : g_set
				wire unused_set = &{1'b0, tests_set};
				assign shift = word;
				assign tap_passed = each;
			end
			if (KEEPS) begin : g_keeps
				assign tap_stamp[TESTS_AT +: TESTED] = {generation, each};
				assign timed_time[TESTS_AT +: TESTED] = {generation, each};
			end
			nfacc_payload_tests #(
				.SLOTS(SLOTS), .PAYLOAD(PAYLOAD), .TESTS(PAYLOAD_TESTS), .SETS(SETS),
				.TABLES(PAYLOAD_TABLES),
				.WORDS(ELEMENT_WORDS[`NFACC_EL_PAYLOAD_TEST*32 +: 32]),
				.DATA(DATA), .XILINX(XILINX)
			) payload_tests (
				.clk(clk), .payload(s_payload), .passed(each), .shift(shift),
				.cfg_data(cfg_data));
		end else begin : g_no_payload_test
			wire unused_tests = &{1'b0, tests_set, staged_shift};
			assign tap_passed = 1'b0;
		end
	endgenerate

	// Time. A batch of a tick alone, or of the end, has no messages. Its lowest header bits are
	// the word that its record has after the labels (contract/image/record.h, TRACE_MARK).
	wire [31:0] tick;
	wire has_end, alone, stream_begins, time_known, stops, ticks_lost_valid;
	wire [1:0] when, batch_when; // what nfacc_clock says; of the batch that goes on
	wire [63:0] clock_time, stopped, ticks_lost, ticks_lost_now;
	wire [SLOTS-1:0] timed_mask;
	wire [HEADERS-1:0] timed_header;
	wire [STAMP-1:0] timed_time;
	genvar i, b;
	generate
		if (TIME == `NFACC_TIME_YES) begin : g_time
			wire [63:0] mark = {{61{1'b1}}, 3'd6 - {1'b0, when}};
			nfacc_clock clock (
				.clk(clk), .rst(clean), .period(tick), .has_end(has_end),
				.next_time(s_time), .take(tap_take), .armed(armed), .stop(stops),
				.stream_start(stream_start), .first(stream_begins),
				.known(time_known), .alone(alone),
				.when(when), .stamp(clock_time), .ending(ending),
				.stopped(stopped), .lost_valid(ticks_lost_valid),
				.lost(ticks_lost_now), .ticks_lost(ticks_lost));
			if (SHADOW == `NFACC_SHADOW_YES || HEADERS < 3) begin : g_bad
				nfacc_error_time e ();
			end
			assign timed_mask = alone ? {SLOTS{1'b0}} : tap_mask;
			for (i = 0; i < HEADERS; i = i + 1) begin : g_header
				if (i < 64) begin : g_mark
					assign timed_header[i] = alone ? mark[i] : tap_header[i];
				end else begin : g_same
					assign timed_header[i] = tap_header[i];
				end
			end
			if (HEADERS < 64) begin : g_short
				wire unused_mark = &{1'b0, mark[63:HEADERS]};
			end
			assign timed_time[63:0] = clock_time;
			wire unused_tap_time = &{1'b0, tap_time};
		end else begin : g_no_time
			wire unused_time = &{1'b0, tick, has_end, stops, when, clock_time};
			assign alone = 1'b0;
			assign when = 2'b00;
			assign clock_time = 64'd0;
			assign stream_begins = 1'b0;
			assign time_known = 1'b1;
			assign ending = 1'b0;
			assign stopped = 64'd0;
			assign ticks_lost = 64'd0;
			assign ticks_lost_now = 64'd0;
			assign ticks_lost_valid = 1'b0;
			assign {timed_header, timed_mask, timed_time[63:0]} =
				{tap_header, tap_mask, tap_time};
		end
	endgenerate

	generate
		if (SHADOW == `NFACC_SHADOW_YES) begin : g_shadow
			wire [IN_BITS:0] level;
			wire in_ready, in_valid, in_filled;
			// A swap goes before the batch that is at the FIFO's output.
			wire swap_before;
			wire fifo_restart_before;
			wire [BATCH-1:0] fifo_batch;
			localparam WAITS = BATCH + 2 + (PAYLOAD_TESTS > 0 && !KEEPS ? PASSED : 0);
			wire [WAITS-1:0] waits, waited;
			assign waits[BATCH+1:0] = {tap_swap_before, tap_restart_before, tap_header,
				tap_mask, tap_stamp};
			assign {swap_before, fifo_restart_before, fifo_batch} = waited[BATCH+1:0];
			if (KEEPS) begin : g_keeps
				wire unused_passed = &{1'b0, tap_passed};
				assign passed = tests_set ? stamp[TESTS_AT+PASSED +: PASSED] :
					stamp[TESTS_AT +: PASSED];
			end else if (PAYLOAD_TESTS > 0) begin : g_tested
				assign waits[BATCH+2 +: PASSED] = tap_passed;
				assign passed = waited[BATCH+2 +: PASSED];
			end else begin : g_not_tested
				wire unused_passed = &{1'b0, tap_passed};
				assign passed = {PASSED{1'b0}};
			end

			nfacc_fifo #(.WIDTH(WAITS), .DEPTH(1 << IN_BITS)) fifo (
				.clk(clk), .rst(clean), .flush(1'b0),
				.in_valid(tap_take), .in_ready(in_ready), .in_data(waits),
				.out_valid(in_valid), .out_ready(~hold), .out_data(waited),
				.filled(in_filled), .level(level));

			assign swap_room = (level <= (1 << IN_BITS) - MEANWHILE) & queue_short &
				~(LABELS_SWAP & losing);
			// Either the first batch that came after the command is at the output, or
			// none has come and the FIFO is empty.
			wire border = (in_valid & swap_before) |
				(tap_swap_before & ~tap_take & ~in_valid & ~in_filled);

			wire returned, cancelled, again;
			if (LABELS_SWAP) begin : g_return
				wire again_restart_before;
				wire [BATCH-1:0] again_batch;
				nfacc_return #(.WIDTH(BATCH), .DEPTH(INSIDE)) back (
					.clk(clk), .rst(clean | cancelled), .in_valid(diverted),
					.in_restart_before(decided_restart),
					.in_data(decided_batch), .returning(returning),
					.path_empty(nfa_path_empty), .out_valid(again),
					.out_restart_before(again_restart_before),
					.out_data(again_batch), .returned(returned));
				assign {restart_before, header, mask, stamp} = returning ?
					{again_restart_before, again_batch} :
					{fifo_restart_before, fifo_batch};
			end else begin : g_no_return
				wire unused_return = &{1'b0, decided_restart, diverted, cancelled};
				assign {again, returned} = 2'b01;
				assign {restart_before, header, mask, stamp} =
					{fifo_restart_before, fifo_batch};
			end

			nfacc_shadow #(
				.DATA(DATA), .MOST_WORDS(MOST_WORDS), .LABEL_SWAP(LABEL_SWAP)
			) shadow (
				.clk(clk), .rst(rst), .reset(wipe),
				.clear(load_begin & ~load_direct), .put(taken & staging),
				.put_data(taken_data),
				.put_done(load_done & staging & (load_result == `NFACC_LOAD_OK)),
				.staged(staged), .swap(swap), .restarts_stream(restarts_stream),
				.label_swap(label_swap), .last_within(last_within),
				.returned(returned), .diverting(diverting),
				.returning(returning), .cancelled(cancelled),
				.border(border), .nfa_path_empty(nfa_path_empty),
				.output_path_empty(output_path_empty),
				.swapping(swapping), .hold(hold), .replaying(replaying),
				.swapped(swapped), .set(tests_set), .generation(generation),
				.one_generation(one_generation), .empty(nfa_path_empty & ~queued),
				.decided(decided), .decided_generation(decided_batch[STAMP-1]),
				.replay_begin(replay_begin), .replay_valid(replay_valid),
				.replay_ready(loader_ready), .replay_data(replay_data),
				.load_done(load_done), .load_ok(load_result == `NFACC_LOAD_OK));
			wire unused_timed = &{1'b0, timed_mask, timed_header, timed_time};

			wire goes_on = (in_valid & ~hold) | again;
			assign batch = goes_on & loaded;
			// After a swap that failed the engine has no configuration, so it drops the
			// batches. The FIFO itself always has room.
			assign discarded = (goes_on & ~loaded) | (tap_take & ~in_ready);
			assign queued = in_valid | in_filled;
			assign timed = 1'b0;
			assign batch_when = when;
		end else begin : g_single
			wire unused_single = &{1'b0, queue_short, losing, load_begin, load_direct,
				taken, taken_data, swap, restarts_stream, tap_swap_before, label_swap,
				decided_restart,
				last_within, diverted};
			assign {diverting, returning} = 2'b00;
			assign swap_room = 1'b1;
			assign staged = 1'b0;
			assign swapping = 1'b0;
			assign tests_set = 1'b0;
			assign {generation, one_generation} = 2'b00;
			assign hold = 1'b0;
			assign replaying = 1'b0;
			assign swapped = 1'b0;
			assign replay_begin = 1'b0;
			assign replay_valid = 1'b0;
			assign replay_data = {DATA{1'b0}};
			assign discarded = 1'b0;
			assign queued = timed;
			if (TIME == `NFACC_TIME_YES) begin : g_timed
				// Ticks are known late in their cycle, so batches wait for the next.
				reg timed_q, restart_q;
				reg [1:0] when_q;
				reg [BATCH-1:0] batch_q;
				reg [PASSED-1:0] passed_q;
				always @(posedge clk) begin
					timed_q <= (tap_take | alone) & ~clean;
					restart_q <= tap_restart_before;
					when_q <= when;
					batch_q <= {timed_header, timed_mask, timed_time};
					passed_q <= tap_passed;
				end
				assign timed = timed_q;
				assign batch = timed_q;
				assign restart_before = restart_q;
				assign batch_when = when_q;
				assign {header, mask, stamp} = batch_q;
				assign passed = passed_q;
			end else begin : g_untimed
				assign timed = 1'b0;
				assign batch = tap_take;
				assign batch_when = when;
				assign {restart_before, header, mask, stamp} = {tap_restart_before,
					timed_header, timed_mask, timed_time};
				assign passed = tap_passed;
			end
		end
	endgenerate

	// What goes on to the NFA and waits for its answer: the batches or, with the states in memory,
	// those that the queue has room for, and entries that tell losses.
	wire go, go_restart_before, go_loss, admit_busy, told, late;
	wire [1:0] go_when;
	wire [SLOTS-1:0] go_mask;
	wire [HEADERS-1:0] go_header;
	wire [PASSED-1:0] go_passed;
	wire [STAMP-1:0] go_time;
	wire [63:0] told_ticks;
	wire [31:0] told_messages;
	generate
		if (STATE == `NFACC_STATE_MEMORY) begin : g_admit
			nfacc_admit #(.SLOTS(SLOTS), .WIDTH(PASSED + HEADERS + STAMP)) admit (
				.clk(clk), .rst(clean), .stream_start(stream_start), .room(queue_room),
				.in_valid(batch), .in_restart_before(restart_before), .in_when(batch_when),
				.in_mask(mask), .in_data({passed, header, stamp}),
				.ticks_lost_valid(ticks_lost_valid), .ticks_lost(ticks_lost_now),
				.out_valid(go), .out_restart_before(go_restart_before),
				.out_when(go_when), .out_mask(go_mask),
				.out_data({go_passed, go_header, go_time}), .out_loss(go_loss),
				.told(told),
				.messages(told_messages), .ticks(told_ticks), .late(late),
				.losing(losing), .busy(admit_busy));
		end else begin : g_all
			wire unused_room = &{1'b0, queue_room, told};
			assign {go, go_restart_before, go_when, go_mask, go_header, go_time,
				go_passed} =
				{batch, restart_before, batch_when, mask, header, stamp, passed};
			assign {go_loss, late, losing, admit_busy, told_messages, told_ticks} = 100'd0;
		end
	endgenerate

	// With joins nfacc_joins is behind nfacc_reduce, and what goes beside takes a cycle more, too.
	wire found, found_restart_before, found_busy, beside_loss;
	wire [SLOTS-1:0] found_present, found_every, found_keyed, found_absent;
	wire [SLOTS*OP_BITS-1:0] found_opcode;
	wire [SLOTS*LINE_BITS-1:0] found_line;
	wire [1:0] beside_when;
	wire [HEADERS-1:0] beside_header;
	wire [PASSED-1:0] beside_passed;

	wire [SLOTS-1:0] reduced_present, reduced_every, next_absent;
	wire [LINES-1:0] lines_used;
	wire [LINE_BITS:0] lines_observed;
	wire [SLOTS*OP_BITS-1:0] reduced_opcode;
	wire [SLOTS*LINE_BITS-1:0] reduced_line;
	wire [SLOTS*ROW_BITS-1:0] reduced_letter;

	nfacc_reduce #(
		.SLOTS(SLOTS), .HEADER_BITS(HEADER_BITS), .OP_LSB(OP_LSB), .OP_BITS(OP_BITS),
		.ADDR_LSB(ADDR_LSB), .ADDR_BITS(ADDR_BITS), .LINES(LINES), .LINE_BITS(LINE_BITS),
		.HAS_ADDR(HAS_ADDR), .IS_BROADCAST(IS_BROADCAST), .KEYS(KEYS), .KEY_RANGES(KEY_RANGES),
		.STATE(STATE), .COPIES_WORDS(ELEMENT_WORDS[`NFACC_EL_COPIES*32 +: 32]),
		.KEYED_WORDS(ELEMENT_WORDS[`NFACC_EL_KEYED*32 +: 32]), .DATA(DATA), .XILINX(XILINX)
	) reduce (
		.clk(clk), .rst(clean), .by_line(by_line), .base(base), .count(count),
		.cfg_shift(cfg_shift), .cfg_data(cfg_data),
		.in_valid(go), .in_restart_before(go_restart_before), .in_mask(go_mask),
		.in_header(go_header), .out_valid(found),
		.out_restart_before(found_restart_before), .out_present(found_present),
		.next_absent(found_absent), .out_keyed(found_keyed),
		.out_opcode(found_opcode), .out_line(found_line),
		.out_every(found_every), .used(lines_used), .observed(lines_observed),
		.busy(found_busy));

	generate
		if (HAS_JOINS != 0) begin : g_joins
			wire unused_found = &{1'b0, found_absent};
			nfacc_joins #(
				.SLOTS(SLOTS), .HEADER_BITS(HEADER_BITS), .OP_LSB(OP_LSB),
				.OP_BITS(OP_BITS), .LINE_BITS(LINE_BITS),
				.BESIDE(HEADERS + PASSED + 3), .REDUCE(REDUCE),
				.NJOINS(NJOINS), .PLACES(JOIN_PLACES), .REQUESTS(JOIN_REQUESTS),
				.ANSWERS(JOIN_ANSWERS)
			) joins (
				.clk(clk), .rst(clean), .stream_start(stream_start),
				.clear_counts(clear_losses), .by_line(by_line), .in_mask(go_mask),
				.in_header(go_header),
				.in_beside({go_passed, go_loss, go_when, go_header}),
				.reduced_valid(found), .reduced_restart_before(found_restart_before),
				.reduced_present(found_present), .reduced_own(found_keyed),
				.reduced_opcode(found_opcode), .reduced_line(found_line),
				.reduced_every(found_every), .out_valid(reduced),
				.out_restart_before(reduced_restart_before),
				.out_present(reduced_present), .next_absent(next_absent),
				.out_opcode(reduced_opcode), .out_line(reduced_line),
				.out_every(reduced_every),
				.out_beside({beside_passed, beside_loss, beside_when,
					beside_header}),
				.late(join_late), .wrong(join_wrong));
			assign reduce_busy = found_busy | reduced;
		end else begin : g_no_joins
			wire unused_keyed = &{1'b0, found_keyed};
			assign {reduced, reduced_restart_before, reduced_present, next_absent} =
				{found, found_restart_before, found_present, found_absent};
			assign {reduced_opcode, reduced_line, reduced_every, reduce_busy} =
				{found_opcode, found_line, found_every, found_busy};
			assign {beside_passed, beside_loss, beside_when, beside_header} =
				{go_passed, go_loss, go_when, go_header};
			assign {join_late, join_wrong} = 64'd0;
		end
	endgenerate

	// The slots of the NFA: those of the protocol, and that of time, if there is one.
	wire [NSLOTS-1:0] slots_present, slots_every;
	wire [NSLOTS*ROW_BITS-1:0] slots_letter;
	wire [NSLOTS*LINE_BITS-1:0] slots_line;
	generate
		if (NTEST > 0) begin : g_recode
			wire unused_opcode = &{1'b0, reduced_opcode};
			nfacc_recode #(
				.SLOTS(SLOTS), .HEADER_BITS(HEADER_BITS), .OP_LSB(OP_LSB),
				.OP_BITS(OP_BITS), .IDLE(IDLE), .ROW_BITS(ROW_BITS),
				.GUARDS(GUARDS), .RANGES(RANGES), .PAYLOAD_TESTS(PAYLOAD_TESTS),
				.GUARD_TABLES(GUARD_TABLES),
				.RANGE_TABLES(RANGE_TABLES), .RECODE_BITS(RECODE_BITS),
				.CFG_BITS(CFG_BITS), .LATE(REDUCE - 2),
				.GUARD_WORDS(ELEMENT_WORDS[`NFACC_EL_GUARD*32 +: 32]),
				.RANGE_WORDS(ELEMENT_WORDS[`NFACC_EL_RANGE*32 +: 32]),
				.DATA(DATA), .XILINX(XILINX)
			) recode (
				.clk(clk), .header(beside_header), .payload_passed(beside_passed),
				.absent(next_absent),
				.letter(reduced_letter),
				.cfg_clear(cfg_clear), .cfg_code(cfg_code), .cfg_shift(cfg_shift),
				.cfg_data(cfg_data));
		end else begin : g_opcode
			wire unused_code = &{1'b0, cfg_code, next_absent, beside_header,
				beside_passed};
			for (i = 0; i < SLOTS; i = i + 1) begin : g_letter
				wire [ROW_BITS-1:0] one;
				assign one[OP_BITS-1:0] = reduced_opcode[i*OP_BITS +: OP_BITS];
				if (ROW_BITS > OP_BITS) begin : g_high
					assign one[ROW_BITS-1:OP_BITS] = {ROW_BITS-OP_BITS{1'b0}};
				end
				assign reduced_letter[i*ROW_BITS +: ROW_BITS] = one;
			end
		end
		if (TIME == `NFACC_TIME_YES) begin : g_time_slot
			reg [2*REDUCE-1:0] whens; // as long under way as through nfacc_reduce
			always @(posedge clk)
				whens <= {whens[2*REDUCE-3:0], beside_when};
			wire [1:0] reduced_when = whens[2*REDUCE-1 -: 2];
			assign slots_present = {|reduced_when, reduced_present};
			wire [ROW_BITS-1:0] time_letter;
			assign time_letter[1:0] = reduced_when;
			if (ROW_BITS > 2) begin : g_high
				assign time_letter[ROW_BITS-1:2] = {ROW_BITS-2{1'b0}};
			end
			assign slots_letter = {time_letter, reduced_letter};
			assign slots_line = {{LINE_BITS{1'b0}}, reduced_line};
			assign slots_every = {1'b0, reduced_every};
		end else begin : g_no_time_slot
			wire unused_when = &{1'b0, beside_when};
			assign slots_present = reduced_present;
			assign slots_letter = reduced_letter;
			assign slots_line = reduced_line;
			assign slots_every = reduced_every;
		end
	endgenerate

	wire nfa_restart;
	wire [REDUCED-1:0] reduced_batch, nfa_in;
	wire [NSLOTS-1:0] nfa_every;
	generate
		if (BROADCAST == `NFACC_BROADCAST_YES) begin : g_broadcast
			assign reduced_batch = {slots_present, slots_every, slots_letter, slots_line};
			assign nfa_every = nfa_in[REDUCED-NSLOTS-1 -: NSLOTS];
		end else begin : g_no_broadcast
			wire unused_every = &{1'b0, slots_every};
			assign reduced_batch = {slots_present, slots_letter, slots_line};
			assign nfa_every = {NSLOTS{1'b0}};
		end
	endgenerate
	wire out_valid, out_restart, out_log;
	wire [LABELS-1:0] out_labels;
	wire [NAME_BITS-1:0] out_names;

	wire restart_nfa = stream_start | (reduced & reduced_restart_before);
	wire [NSLOTS-1:0] nfa_present = nfa_in[REDUCED-1 -: NSLOTS];
	wire [NSLOTS*ROW_BITS-1:0] nfa_letter = nfa_in[NSLOTS*LINE_BITS +: NSLOTS*ROW_BITS];
	wire [NSLOTS*LINE_BITS-1:0] nfa_line = nfa_in[0 +: NSLOTS*LINE_BITS];
	generate
		if (STATE == `NFACC_STATE_MEMORY) begin : g_memory
			wire unused_memory = &{1'b0, lines_used, out_restart};
			// More than are on the way.
			localparam [$clog2(QUEUE):0] FREE = QUEUE - 7 - HAS_JOINS;
			wire [$clog2(QUEUE):0] queue_level;
			reg [REDUCE-1:0] losses; // as long under way as through nfacc_reduce
			always @(posedge clk) begin
				queue_room <= queue_level < FREE;
				queue_short <= queue_level < SHORT;
				losses <= {losses[REDUCE-2:0], beside_loss};
			end
			assign nfa_in = reduced_batch;
			assign nfa_valid = reduced & ~losses[REDUCE-1];
			assign nfa_restart = restart_nfa;
			assign restart_ready = 1'b1;
			assign out_restart = 1'b0;
			localparam BANK_LINES = (LINES + BANKS - 1) / BANKS;
			localparam BANK_LINE_BITS = BANK_LINES > 2 ? $clog2(BANK_LINES) : 1;
			localparam BANK_NAME_BITS =
				NAMES > 0 ? 4 + NAMES * (BANK_LINE_BITS + LABELS) : 1;
			localparam LEVEL_BITS = $clog2(QUEUE) + 1;
			wire [BANKS*NSLOTS-1:0] bank_present;
			wire [NSLOTS*BANK_LINE_BITS-1:0] bank_line;
			wire [BANKS*(BANK_LINE_BITS+1)-1:0] bank_observed;
			wire [BANKS*LEVEL_BITS-1:0] bank_level;
			wire [BANKS-1:0] bank_busy, bank_valid, bank_log;
			wire [BANKS*LABELS-1:0] bank_labels;
			wire [BANKS*BANK_NAME_BITS-1:0] bank_names;
			nfacc_banks #(
				.BANKS(BANKS), .SLOTS(NSLOTS), .TIME(TIME), .LINE_BITS(LINE_BITS),
				.BANK_LINE_BITS(BANK_LINE_BITS), .LABELS(LABELS), .NAMES(NAMES),
				.NAME_BITS(NAME_BITS), .BANK_NAME_BITS(BANK_NAME_BITS),
				.LEVEL_BITS(LEVEL_BITS), .DEPTH(INSIDE)
			) banks (
				.clk(clk), .rst(clean), .in_present(nfa_present), .in_line(nfa_line),
				.observed(lines_observed), .bank_present(bank_present), .bank_line(bank_line),
				.bank_observed(bank_observed), .bank_level(bank_level),
				.bank_busy(bank_busy), .bank_valid(bank_valid),
				.bank_labels(bank_labels), .bank_log(bank_log),
				.bank_names(bank_names), .level(queue_level), .busy(inject_busy),
				.out_valid(out_valid), .out_labels(out_labels), .out_log(out_log),
				.out_names(out_names));
			for (b = 0; b < BANKS; b = b + 1) begin : g_bank
				nfacc_nfa_memory #(
					.CLIQUE(CLIQUE), .DECODER(DECODER), .BANK(BANK),
					.PREDECESSORS(PREDECESSORS), .IDLE(IDLE), .LINES(BANK_LINES),
					.LABELS(LABELS), .DATA(DATA), .MEMORY(MEMORY), .COUNTERS(COUNTERS),
					.COUNTER_WIDTH(COUNTER_WIDTH), .NCLIQUES(NCLIQUES), .NSTE(NSTE),
					.NNEIGHBOURS(NNEIGHBOURS), .NNODES(NNODES), .NPRED(NPRED),
					.NPREDLUT(NPREDLUT), .NCOUNTERS(NCOUNTERS), .NGROUP(NGROUP),
					.NTABLE(NTABLE), .CODE_BITS(CODE_BITS), .ROW_WIDTH(ROW_WIDTH),
					.ROW_WORDS(ROW_WORDS), .LANE_BITS(LANE_BITS),
					.SELECT_BITS(SELECT_BITS), .LINE_BITS(BANK_LINE_BITS), .SLOTS(NSLOTS),
					.TIME(TIME), .ROW_BITS(ROW_BITS), .ELEMENT_WORDS(ELEMENT_WORDS),
					.NEIGHBOURS(NEIGHBOURS), .XILINX(XILINX), .NAMES(NAMES),
					.NAME_BITS(BANK_NAME_BITS), .QUEUE(QUEUE)
				) nfa (
					.clk(clk), .rst(clean), .in_valid(reduced),
					.in_restart(nfa_restart), .in_present(bank_present[b*NSLOTS +: NSLOTS]),
					.in_letter(nfa_letter), .in_line(bank_line), .in_every(nfa_every),
					.observed(bank_observed[b*(BANK_LINE_BITS+1) +: BANK_LINE_BITS+1]),
					.level(bank_level[b*LEVEL_BITS +: LEVEL_BITS]),
					.busy(bank_busy[b]), .out_valid(bank_valid[b]),
					.out_labels(bank_labels[b*LABELS +: LABELS]),
					.out_log(bank_log[b]),
					.out_names(bank_names[b*BANK_NAME_BITS +: BANK_NAME_BITS]),
					.cfg_clear(cfg_clear), .cfg_row_we(cfg_row_we),
					.cfg_code(cfg_code[CODE_BITS-1:0]), .cfg_lane(cfg_lane),
					.cfg_shift(cfg_shift), .cfg_data(cfg_data));
			end
		end else begin : g_copies
			wire unused_observed = &{1'b0, lines_observed, beside_loss};
			always @(posedge clk)
				{queue_room, queue_short} <= 2'b11;
			nfacc_inject #(.WIDTH(REDUCED)) inject (
				.clk(clk), .rst(clean), .restart(restart_nfa),
				.restart_ready(restart_ready),
				.in_valid(reduced), .in_data(reduced_batch),
				.out_valid(nfa_valid), .out_restart(nfa_restart), .out_data(nfa_in),
				.leaves_nfa(out_valid | out_restart), .busy(inject_busy));

			nfacc_nfa #(
				.CLIQUE(CLIQUE), .LENGTH(LENGTH), .RINGS(RINGS), .REACH(REACH), .DECODER(DECODER),
				.BANK(BANK), .PREDECESSORS(PREDECESSORS), .IDLE(IDLE),
				.LINES(LINES), .LABELS(LABELS), .DATA(DATA), .MEMORY(MEMORY), .COUNTERS(COUNTERS),
				.COUNTER_WIDTH(COUNTER_WIDTH), .NCLIQUES(NCLIQUES), .NSTE(NSTE),
				.NNEIGHBOURS(NNEIGHBOURS), .NNODES(NNODES), .NPRED(NPRED), .NPREDLUT(NPREDLUT),
				.NCOUNTERS(NCOUNTERS), .NALL(NALL), .NGROUP(NGROUP), .ROW_CODES(ROW_CODES),
				.NTABLE(NTABLE), .NROW(NROW), .CODE_BITS(CODE_BITS), .ROW_WIDTH(ROW_WIDTH),
				.ROW_WORDS(ROW_WORDS), .LANE_BITS(LANE_BITS), .SELECT_BITS(SELECT_BITS),
				.LINE_BITS(LINE_BITS), .SLOTS(NSLOTS), .TIME(TIME), .ROW_BITS(ROW_BITS),
				.ABSENT_IDLE(NTEST > 0 ? 1 : 0), .ELEMENT_WORDS(ELEMENT_WORDS),
				.NEIGHBOURS(NEIGHBOURS), .NAMES(NAMES), .NAME_BITS(NAME_BITS),
				.XILINX(XILINX)
			) nfa (
				.clk(clk), .rst(clean), .in_valid(nfa_valid), .in_restart(nfa_restart),
				.in_present(nfa_present), .in_letter(nfa_letter),
				.in_line(nfa_line), .in_every(nfa_every),
				.used(lines_used),
				.out_valid(out_valid), .out_restart(out_restart), .out_labels(out_labels),
				.out_log(out_log), .out_names(out_names),
				.cfg_clear(cfg_clear), .cfg_row_we(cfg_row_we), .cfg_code(cfg_code[CODE_BITS-1:0]),
				.cfg_lane(cfg_lane), .cfg_shift(cfg_shift), .cfg_data(cfg_data));
		end
	endgenerate

	// The headers and the time of a batch wait here for the NFA's answer.
	wire [HEADERS-1:0] nfa_header;
	wire [STAMP-1:0] kept_time, nfa_time;
	assign kept_time[63:0] = go_time[63:0];
	wire unused_ready, unused_waiting, unused_filled;
	wire [$clog2(INSIDE):0] unused_level;

	// Flags: it tells a loss, with the states in memory; it has a restart before it, if labels swap.
	localparam FLAGS = STATE == `NFACC_STATE_MEMORY && LABELS_SWAP ? 2 : 1;
	wire [FLAGS-1:0] go_flags, nfa_flags;
	wire nfa_loss = (STATE == `NFACC_STATE_MEMORY) & nfa_flags[FLAGS-1];
	generate
		if (FLAGS == 2) begin : g_flags
			assign go_flags = {go_loss, go_restart_before};
		end else begin : g_flag
			assign go_flags = go_loss | (LABELS_SWAP & go_restart_before);
		end
	endgenerate
	nfacc_fifo #(.WIDTH(BATCH + FLAGS), .DEPTH(INSIDE)) waiting (
		.clk(clk), .rst(clean), .flush(1'b0), .in_valid(go), .in_ready(unused_ready),
		.in_data({go_flags, go_header, go_mask, kept_time}), .out_valid(unused_waiting),
		.out_ready(out_valid), .out_data({nfa_flags, nfa_header, nfa_mask, nfa_time}),
		.filled(unused_filled), .level(unused_level));

	// From the NFA to the output.

	reg accept, log;
	reg [TAG-1:0] tag;
	wire [TAG-1:0] out_tag;
	generate
		if (NAMES > 0) begin : g_tag
			// Without substreams there is one line, which has no name.
			assign out_tag = {out_names & {NAME_BITS{by_line}}, out_labels};
		end else begin : g_labels
			wire unused_names = &{1'b0, out_names};
			assign out_tag = out_labels;
		end
	endgenerate

	// From the batch after the one that a label of SWAP_ON accepts on, batches go back.
	wire divert = label_swap | diverting;
	// A batch that the staged image's tests have not seen swaps nothing.
	wire tested = ~KEEPS | (decided_batch[STAMP-1] == generation);
	assign label_hits = decided & tested & |(tag[LABELS-1:0] & swap_on[LABELS-1:0]);
	generate
		if (LABELS < 64) begin : g_few_labels
			wire unused_swap_on = &{1'b0, swap_on[63:LABELS]};
		end
	endgenerate
	always @(posedge clk) begin
		decided <= out_valid & ~nfa_loss & ~clean & ~divert;
		diverted <= out_valid & ~clean & divert;
		decided_restart <= nfa_flags[0];
		accept <= |out_labels;
		log <= out_log;
		tag <= out_tag;
		decided_batch <= {nfa_header, nfa_mask, nfa_time};
	end

	// A loss is told when the batches before it that go out have been stored.
	wire store_loss;
	wire [63:0] store_lost;
	generate
		if (STATE == `NFACC_STATE_MEMORY) begin : g_loss
			reg telling, tells;
			reg [63:0] total;
			always @(posedge clk) begin
				total <= told_ticks + {32'd0, told_messages};
				telling <= ((out_valid & nfa_loss) | (telling & ~tells)) & ~clean;
				tells <= telling & ~tells & ~decided & ~window_busy & ~store_busy &
					~clean;
			end
			assign told = tells;
			assign store_loss = told;
			assign store_lost = total;
			wire unused_now = &{1'b0, ticks_lost_valid, ticks_lost_now};
		end else begin : g_ticks_only
			wire unused_ticks = &{1'b0, told_ticks, nfa_loss};
			assign told = 1'b0;
			assign store_loss = ticks_lost_valid;
			assign store_lost = ticks_lost_now;
		end
	endgenerate

	wire window_valid;
	wire [TAG-1:0] window_tag;
	wire [HEADERS-1:0] window_header;
	wire [63:0] window_time;

	wire put;
	wire [SIZE_BITS-1:0] put_at, get_at;
	nfacc_window #(
		.WINDOW(WINDOW), .OWN(WINDOW_AFTER == `NFACC_WINDOW_AFTER_OWN ? 1 : 0),
		.WIDTH(BATCH - STAMP + 64 + TAG)
	) windows (
		.clk(clk), .rst(clean), .stream_start(stream_start), .size(window[SIZE_BITS-1:0]),
		.size_after(window_after[SIZE_BITS-1:0]),
		.in_valid(decided), .in_accept(accept), .in_log(log),
		.in_data({tag, decided_batch[BATCH-1:STAMP], decided_batch[63:0]}),
		.out_valid(window_valid),
		.out_data({window_tag, window_header, window_mask, window_time}),
		.busy(window_busy), .put(put), .put_at(put_at), .get_at(get_at));

	wire push, room, passes, last_within;
	wire [TAG-1:0] pass_tag;
	wire [SLOTS-1:0] pass_mask;
	wire [BODY-1:0] pass_body;
	wire [TAG-1:0] push_tag, entry_tag;
	wire [63:0] push_time, entry_time;
	wire [SLOTS-1:0] push_mask, entry_mask;
	wire [BODY-1:0] window_body, push_body, entry_body;
	wire entry_ready;
	generate
		if (BODY > HEADERS) begin : g_body
			// A mark has ones above its header's bits, too.
			localparam MARKS = TIME == `NFACC_TIME_YES ? 1 : 0;
			wire mark = (MARKS != 0) & (window_mask == {SLOTS{1'b0}});
			assign window_body = {{(BODY-HEADERS){mark}}, window_header};
		end else begin : g_whole
			assign window_body = window_header;
		end
	endgenerate

	wire [7:0] push_more, entry_more;
	nfacc_store #(
		.SLOTS(SLOTS), .LABELS(TAG), .BODY(BODY),
		.TICKS(TIME == `NFACC_TIME_YES || STATE == `NFACC_STATE_MEMORY ? 1 : 0)
	) storage (
		.clk(clk), .rst(clean), .stream_start(stream_start), .clear_losses(clear_losses),
		.limit(limit),
		.in_valid(window_valid), .in_labels(window_tag), .in_time(window_time),
		.in_mask(window_mask), .in_body(window_body), .first(stream_begins),
		.first_time(clock_time),
		.ticks_lost_valid(store_loss), .ticks_lost(store_lost), .messages_lost(told_messages),
		.room(room), .passes(passes), .pass_labels(pass_tag), .pass_mask(pass_mask),
		.pass_body(pass_body), .last_within(last_within),
		.push(push),
		.push_labels(push_tag), .push_time(push_time), .push_mask(push_mask),
		.push_body(push_body), .push_more(push_more), .packets(packets), .dropped(dropped), .overflow(overflow),
		.limit_reached(limit_reached), .busy(store_busy), .loss_due(loss_due));

	generate
		if (COUNTS == `NFACC_COUNTS_YES) begin : g_counts
			if (TAG > LABELS) begin : g_names
				wire unused_tag = &{1'b0, pass_tag[TAG-1:LABELS]};
			end
			nfacc_label_counts #(.LABELS(LABELS)) label_counts (
				.clk(clk), .clear(clean | stream_start), .valid(passes),
				.labels(pass_tag[LABELS-1:0]), .label(count_label),
				.accepted(accepted));
		end else begin : g_no_counts
			wire unused_counts = &{1'b0, passes, pass_tag, count_label};
			assign accepted = 64'd0;
		end
	endgenerate

	generate
		if (HISTOGRAM != 0) begin : g_histogram
			if (BODY > HEADERS) begin : g_above
				wire unused_body = &{1'b0, pass_body[BODY-1:HEADERS]};
			end
			nfacc_histogram #(
				.BITS(HISTOGRAM), .LABELS(LABELS), .SLOTS(SLOTS),
				.HEADER_BITS(HEADER_BITS), .OP_LSB(OP_LSB), .OP_BITS(OP_BITS),
				.XILINX(XILINX)
			) histogram (
				.clk(clk), .clear(clean | stream_start), .valid(passes),
				.labels(pass_tag[LABELS-1:0]), .mask(pass_mask),
				.header(pass_body[HEADERS-1:0]), .by_label(bins_by_label),
				.by_field(bins_by_field), .lsb(bins_lsb), .size(bins_bits),
				.shift(bins_shift), .data(bins_data), .busy(bins_busy), .bin(bin),
				.binned(binned));
		end else begin : g_no_histogram
			wire unused_bins = &{1'b0, pass_mask, pass_body, bins_by_label,
				bins_by_field, bins_lsb, bins_bits, bins_shift, bins_data, bin};
			assign bins_busy = 1'b0;
			assign binned = 64'd0;
		end
	endgenerate

	// CONTROL.reset flushes the FIFO, but not the entry at its output. So a record that has
	// begun is completed.
	wire [ENTRY+AT-1:0] entry_in, entry_out;
	wire fifo_room, payload_room;
	wire [PAY_BITS-1:0] entry_payload;
	assign room = fifo_room & payload_room;
	assign entry_in[ENTRY-1:0] =
		{push_more, push_tag, push_time, push_mask, push_body};
	assign {entry_more, entry_tag, entry_time, entry_mask, entry_body} = entry_out[ENTRY-1:0];
	nfacc_fifo #(.WIDTH(ENTRY + AT), .DEPTH(OUT_DEPTH), .REGISTERED(1)) output_fifo (
		.clk(clk), .rst(rst), .flush(clean), .in_valid(push), .in_ready(fifo_room),
		.in_data(entry_in), .out_valid(entry_valid), .out_ready(entry_ready),
		.out_data(entry_out), .filled(out_filled), .level(out_level));

	generate
		if (PAYLOAD > 0) begin : g_payload
			wire [PLACE-1:0] tap_place, nfa_place;
			assign tap_stamp[64 +: PLACE] = tap_place;
			assign timed_time[64 +: PLACE] = tap_place;
			assign kept_time[64 +: PLACE] = nfa_place;
			if (KEEPS) begin : g_keeps
				assign kept_time[TESTS_AT +: TESTED] = go_time[TESTS_AT +: TESTED];
			end
			wire unused_place = &{1'b0, decided_batch[STAMP-1:64], tap_stamp};
			nfacc_payload #(
				.WIDTH(PAY_BITS), .ARRIVED(ARRIVED),
				.QUEUED(STATE == `NFACC_STATE_MEMORY ? INSIDE : 0), .PLACE(PLACE),
				.HELD(WINDOW > 0 ? SIZE_BITS : 0), .OUT_DEPTH(OUT_DEPTH)
			) payloads (
				.clk(clk), .rst(rst), .valid(s_valid), .payload(s_payload),
				.take(tap_take), .tap_place(tap_place), .go(go),
				.go_place(go_time[64 +: PLACE]), .nfa_place(nfa_place),
				.out_place(nfa_time[64 +: PLACE]), .put(put), .put_at(put_at),
				.get_at(get_at), .room(payload_room), .push(push),
				.push_at(entry_in[ENTRY +: AT]), .flush(clean),
				.entry_valid(entry_valid), .entry_ready(entry_ready),
				.entry_at(entry_out[ENTRY +: AT]), .entry(entry_payload));
		end else begin : g_no_payload
			wire unused_payload = &{1'b0, s_payload, tap_stamp, put, put_at, get_at};
			assign payload_room = 1'b1;
			assign entry_payload = 1'b0;
		end
	endgenerate

	nfacc_record #(
		.SLOTS(SLOTS), .HEADER_BITS(HEADER_BITS), .LABELS(LABELS), .BODY(BODY),
		.NAMES(NAMES), .LINE_BITS(LINE_BITS), .NAME_BITS(NAME_BITS), .PAYLOAD(PAYLOAD),
		.PAY_BITS(PAY_BITS)
	) record (
		.clk(clk), .rst(rst), .in_valid(entry_valid), .in_ready(entry_ready),
		.in_labels(entry_tag[LABELS-1:0]), .in_names(entry_tag[TAG-1 -: NAME_BITS]),
		.in_time(entry_time), .in_mask(entry_mask),
		.in_body(entry_body), .in_more(entry_more), .in_payload(entry_payload),
		.m_axis_tdata(m_axis_tdata), .m_axis_tvalid(m_axis_tvalid),
		.m_axis_tready(m_axis_tready), .m_axis_tlast(m_axis_tlast));
endmodule
`default_nettype wire
