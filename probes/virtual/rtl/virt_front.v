// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// virt_front: the front end. It does the same as probes/virtual/model/front.c, event by event.
// probes/virtual/virtual.md gives the reason for each step. It works on one event at a time. The
// steps of an event are states. Each state asks one part for a step and waits for it.
//
// The request of an event (reg_write, snoop, dvm, cleaned, sent) and its data must stay unchanged
// until the `_done` signal of that request. That signal is high for one cycle. The answer to a
// snoop is valid from that cycle until the next snoop. The reader of a line must not get the line
// before snoop_done. A DVM Sync must not be answered before dvm_done. By then, all translations
// that earlier messages invalidate have left the reverse TLB and the evicted entries in the
// requests.
//
// A request of the front end waits while clean_waits or send_waits is high. When the interconnect
// can take it (clean_ready, send_ready), the request comes as a pulse of clean_valid or send_valid.
// It is then under way until `cleaned` or `sent`.
//
// The file is long because all states belong to one machine, as front.c is one sequence of calls.
`include "virt_contract.vh"
`default_nettype none

module virt_front #(
	parameter ENTRIES = `VIRT_ENTRIES, // pages in the reverse TLB, as in virt_rtlb
	parameter BLOCKS = `VIRT_BLOCKS,   // huge pages there
	parameter TABLES = `VIRT_TABLES,   // as in virt_stalker
	parameter CLEANS = `VIRT_CLEANS,   // as in virt_helper, more than POINTS
	parameter TLBIS = `VIRT_TLBIS,     // as in virt_helper
	parameter POINTS = `VIRT_POINTS,   // as in virt_regs
	parameter RECORDS = `VIRT_RECORDS  // as in virt_logger
) (
	input wire clk,
	input wire rst,
	// Registers.
	input wire reg_write,
	input wire [11:0] reg_addr,
	input wire [63:0] reg_data,
	output wire reg_done,
	input wire [11:0] read_addr,
	output wire [63:0] read_data,     // in the same cycle; counters may be 17 cycles late
	// Snoops, each with the content of its line in memory.
	input wire snoop,
	input wire [`VIRT_SNOOP_BITS-1:0] snoop_kind,
	input wire [`VIRT_PA_BITS-1:`VIRT_LINE_BITS] snoop_pa,
	input wire [29:0] snoop_time,
	input wire [511:0] snoop_line,
	output wire snoop_done,
	output reg out_hit,               // out_va is the process's address of the line
	output reg out_shared,            // the same, but others map the frame, too: no hit
	output reg out_observed,          // the line is an observation point
	output reg [`VIRT_VA_BITS-1:`VIRT_LINE_BITS] out_va,
	// DVM messages of the cores.
	input wire dvm,
	input wire [`VIRT_DVM_BITS-1:0] dvm_kind,
	input wire [`VIRT_VA_BITS-1:`VIRT_PAGE_BITS] dvm_va,
	input wire [`VIRT_ASID_BITS-1:0] dvm_asid,
	output wire dvm_done,
	// Requests to clean and invalidate a line. They end with its content in memory.
	output wire clean_waits,
	input wire clean_ready,
	output wire clean_valid,
	output wire [`VIRT_PA_BITS-1:`VIRT_LINE_BITS] clean_pa,
	input wire cleaned,
	input wire [511:0] cleaned_line,
	output wire cleaned_done,
	// Requests to send a DVM message and then a Sync. They end when the Sync is complete.
	output wire send_waits,
	input wire send_ready,
	output wire send_valid,
	output wire [`VIRT_DVM_BITS-1:0] send_kind,
	output wire [`VIRT_VA_BITS-1:`VIRT_LINE_BITS] send_va,
	output wire [`VIRT_ASID_BITS-1:0] send_asid,
	input wire sent,
	output wire sent_done,
	// Records of the log.
	output wire log_valid,
	input wire log_ready,
	output wire [127:0] log_record
);
	localparam POINT_BITS = $clog2(POINTS), TABLE_BITS = $clog2(TABLES);
	localparam S = `VIRT_SINCE_BITS;
	localparam L = `VIRT_LINE_BITS, G = `VIRT_PAGE_BITS;
	localparam A = `VIRT_PA_BITS, V = `VIRT_VA_BITS;
	localparam STORM_BITS = $clog2(`VIRT_STORM_SNOOPS);

	generate
		if ((1 << STORM_BITS) != `VIRT_STORM_SNOOPS || CLEANS <= POINTS) begin : g_bad
			nfacc_error_parameter_out_of_range e ();
		end
	endgenerate

	// ---- events and states ----
	localparam [2:0] NONE = 0, WRITE = 1, SNOOP = 2, DVM = 3, CLEANED = 4, SENT = 5;
	reg [2:0] event_now;
	localparam [5:0] IDLE = 0, FINISH = 1,
		// A read: look for the translation of its frame.
		FIND = 2, RTLB = 3, VICTIM = 4, ANNOTATE = 5, BLINDNESS = 6, LOOK = 7, STORM = 8,
		// A table line, entry by entry. Three passes: its tables, its mappings, which
		// mappings are still there.
		ENTRY = 9, WATCH = 10, REFILL = 11, E_CLEAN = 12, E_DISTRUST = 13, E_SEND = 14,
		MOVE = 15, KEEP = 16, W_CLEAN = 17, FORGET = 18, MARK = 19, MARK_SEND = 20,
		// A TLB invalidation, or a write to CTRL or ASID.
		D_HELPER = 21, D_STALKER = 22, DROP = 23, D_SEND = 24, POINT = 25,
		// Beginning anew.
		R_HELPER = 26, R_STALKER = 27, R_RESTART = 28, R_CLEAR = 29,
		// Cleaning the lines of observation points.
		FLUSH = 30, F_CLEAN = 31, F_CODE = 32,
		// Requests.
		C_NEXT = 33, C_STALK = 34, C_SEND = 35, C_BEGIN = 36, C_GIVE = 37,
		S_NEXT = 38, S_GIVE = 39, L_DONE = 40, S_DONE = 41, S_CLOSE = 42;
	reg [5:0] state, after; // `after`: the state after R_CLEAR

	assign reg_done = state == FINISH & event_now == WRITE;
	assign snoop_done = state == FINISH & event_now == SNOOP;
	assign dvm_done = state == FINISH & event_now == DVM;
	assign cleaned_done = state == FINISH & event_now == CLEANED;
	assign sent_done = state == FINISH & event_now == SENT;
	assign clean_valid = state == C_GIVE;
	assign send_valid = state == S_GIVE;

	// ---- registers ----
	wire enable, published;
	wire [2:0] levels;
	wire [`VIRT_PGD_FRAME] pgd;
	wire [`VIRT_START_ADDRESS] range_start;
	wire [`VIRT_END_ADDRESS] range_end;
	reg [`VIRT_START_ADDRESS] traced_start; // the range at the last set-up
	reg [`VIRT_END_ADDRESS] traced_end;
	wire [4:0] counter;
	wire [63:0] counted;
	wire [S-1:0] now, perhaps;
	wire busy, over;
	reg blind, stormed, full;
	reg [POINT_BITS-1:0] point; // number of an observation point
	wire point_enable, point_code;
	wire [`VIRT_POINT_LINE] point_line;
	virt_regs #(.POINTS(POINTS)) regs (
		.clk(clk), .rst(rst),
		.write(state == IDLE & reg_write), .write_addr(reg_addr), .write_data(reg_data),
		.read_addr(read_addr), .read_data(read_data), 
		.status({over, full, stormed, blind, busy | unfinished}),
		.counter(counter),
		.counter_value(counter == `VIRT_COUNT_PERHAPS ? {{64-S{1'b0}}, perhaps} : counted),
		.enable(enable), .published(published), .levels(levels), .pgd(pgd),
		.asid(send_asid), .range_start(range_start), .range_end(range_end),
		.index(point), .point_enable(point_enable), .point_code(point_code),
		.point_line(point_line)
	);

	// ---- the entries of a line ----
	reg [2:0] entry;  // the current entry
	reg [1:0] pass;   // 0: tables, 1: mappings, 2: which mappings are still there
	reg [7:0] known;  // entries that were seen when a core read the line
	reg [V-1:G] e_va; // virtual address of the current entry
	reg [A-1:G] e_pa;
	reg [1:0] e_level;
	reg e_shared;
	wire is_cleaned = event_now == CLEANED;
	wire [1023:0] lines = {cleaned_line, snoop_line};
	wire [63:0] word = lines[{is_cleaned, entry, 6'd0} +: 64];
	wire entry_kept, entry_table, entry_shared;
	wire [V-1:G] entry_va;
	wire [A-1:G] entry_pa;
	wire [1:0] entry_level;
	wire [A-1:L] line_pa = is_cleaned ? clean_pa : snoop_pa;

	// ---- parts ----
	reg [S-1:0] since;       // number of the read at which a window begins
	reg [3:0] got;           // DROP: parts that are done: helper, points, stalker, reverse TLB
	reg tables;              // a TLB invalidation has removed watermarks, or an alias
	reg [POINTS-1:0] due;    // observation points whose lines must leave the caches
	reg from_victim;         // ANNOTATE: the translation is that of an evicted entry
	reg page_there;          // the line under way is in its first cleaning; its table is `page`
	reg of_page;             // the cleaned line was in its first cleaning
	reg marks;               // it had translations that no core was seen to read
	reg [TABLE_BITS-1:0] page, at;
	wire all = dvm_kind == `VIRT_TLBI_ALL | dvm_kind == `VIRT_TLBI_ASID;
	wire sets_up = event_now == WRITE; // DROP is part of a set-up

	wire stalker_done, stalker_hit, stalker_ended, stalker_found, unfinished, root_found;
	wire [TABLE_BITS-1:0] stalker_index;
	wire [A-1:L] stalker_pa;
	wire [S-1:0] stalker_since;
	virt_stalker #(.TABLES(TABLES)) stalker (
		.clk(clk), .rst(rst), .range_start(traced_start), .range_end(traced_end),
		.find(state == FIND), .watch(state == WATCH),
		.drop(state == DROP & ~got[1] & ~sets_up & ~all),
		.clear(state == DROP & ~got[1] & ~sets_up & all),
		.init(state == DROP & ~got[1] & sets_up),
		.restart(state == R_RESTART), .distrust(state == D_STALKER | state == R_STALKER),
		.next(state == C_STALK), .mark(state == MARK),
		.pa(state == WATCH ? {e_pa, {G-L{1'b0}}} :
			state == DROP ? {pgd, {G-L{1'b0}}} : line_pa),
		.va(state == WATCH ? e_va[V-1:21] : dvm_va[V-1:21]),
		.level(state == DROP ? {1'b0, levels != 3'd4} : e_level),
		.since(state == WATCH ? (is_cleaned ? clean_since : now) :
			state == R_RESTART ? since : helper_since),
		.skip(published & ~root_found), .found(marks), .index(at),
		.done(stalker_done), .hit(stalker_hit), .ended(stalker_ended),
		.out_index(stalker_index), .out_pa(stalker_pa), .out_since(stalker_since),
		.out_found(stalker_found), .unfinished(unfinished), .root_found(root_found),
		.word(word), .word_index({line_pa[G-1:L], entry}),
		.entry_kept(entry_kept), .entry_table(entry_table), .entry_va(entry_va),
		.entry_pa(entry_pa), .entry_level(entry_level), .entry_shared(entry_shared)
	);

	wire rtlb_done, rtlb_hit, rtlb_shared, rtlb_alias;
	wire [V-1:G] rtlb_va;
	wire [A-1:G] rtlb_pa;
	wire [A-1:3] rtlb_entry;
	wire [1:0] rtlb_level;
	virt_rtlb #(.ENTRIES(ENTRIES), .BLOCKS(BLOCKS)) rtlb (
		.clk(clk), .rst(rst),
		.find(state == RTLB | state == KEEP), .refill(state == REFILL),
		.drop(state == DROP & ~got[0] & ~sets_up & ~all),
		.clear(state == DROP & ~got[0] & (sets_up | all)),
		.va(state == DROP ? dvm_va : e_va),
		.pa(state == RTLB ? snoop_pa[A-1:G] : e_pa),
		.entry({snoop_pa, entry}), .level(e_level), .shared(e_shared), .aliases(~published),
		.done(rtlb_done), .hit(rtlb_hit), .out_va(rtlb_va), .out_pa(rtlb_pa),
		.out_entry(rtlb_entry), .out_level(rtlb_level), .out_shared(rtlb_shared),
		.out_alias(rtlb_alias)
	);

	wire points_done, code;
	wire [POINTS-1:0] hits, mapped;
	wire [V-1:L] points_va;
	wire [A-1:L] points_pa;
	virt_watchdog #(.POINTS(POINTS)) watchdog (
		.clk(clk), .rst(rst),
		.write(state == POINT), .refill(state == MOVE),
		.drop(state == DROP & ~got[2] & ~all), .clear(state == DROP & ~got[2] & all),
		.look(state == LOOK),
		.index(point), .enable(point_enable), .code(point_code),
		.va(state == POINT ? point_line :
			{state == DROP ? dvm_va : e_va, {G-L{1'b0}}}),
		.pa(state == LOOK ? snoop_pa : {e_pa, {G-L{1'b0}}}), .level(e_level),
		.done(points_done), .points(hits), .mapped(mapped),
		.out_va(points_va), .out_pa(points_pa), .out_code(code)
	);

	// Messages: kind, address, whether the message closes a window, and where that window
	// begins.
	wire evicts = state == E_CLEAN | state == E_DISTRUST | state == E_SEND;
	wire helper_done, helper_ok, clean_table, send_window, lines_wait, messages_wait;
	wire cleaning, sending;
	wire unused_sending = sending;
	wire takes_line = state == C_NEXT | state == C_STALK | state == C_SEND | state == C_BEGIN |
		state == C_GIVE;
	wire victim_shared, victim_alias;
	wire [1:0] victim_level;
	wire [V-1:G] victim_va;
	wire [7:0] clean_known;
	wire [S-1:0] clean_since, send_since, helper_since;
	reg [`VIRT_DVM_BITS-1:0] new_kind;
	reg [V-1:L] new_va;
	always @* begin
		new_kind = `VIRT_TLBI_ASID;
		new_va = {V-L{1'b0}};
		case (state)
		E_SEND: begin
			if (published | ~rtlb_alias)
				new_kind = `VIRT_TLBI_VA;
			new_va = {rtlb_va, {G-L{1'b0}}};
		end
		FORGET: begin
			new_kind = `VIRT_TLBI_VA;
			new_va = {e_va, {G-L{1'b0}}};
		end
		F_CODE: begin
			new_kind = `VIRT_ICACHE_VA;
			new_va = points_va;
		end
		D_SEND: if (event_now == DVM & ~tables)
			new_kind = `VIRT_SYNC;
		default: ;
		endcase
	end
	virt_helper #(.CLEANS(CLEANS), .TLBIS(TLBIS), .POINTS(POINTS)) helper (
		.clk(clk), .rst(rst),
		.clean(state == E_CLEAN | state == W_CLEAN | state == F_CLEAN),
		.send(state == E_SEND | state == FORGET | state == MARK_SEND | state == D_SEND |
			(state == F_CODE & code) | state == C_SEND),
		.next_clean(state == C_NEXT), .next_send(state == S_NEXT),
		.begin_clean(state == C_BEGIN), .done_clean(state == L_DONE),
		.done_send(state == S_DONE), .clear_cleans(state == R_CLEAR),
		.victim(state == VICTIM), .drop(state == DROP & ~got[3] & ~sets_up & ~all),
		.drop_all(state == DROP & ~got[3] & (sets_up | all)),
		.distrust(state == D_HELPER | state == R_HELPER),
		.distrust_entry(state == E_DISTRUST),
		.pa(state == C_BEGIN ? stalker_pa : state == E_SEND ? {rtlb_pa, {G-L{1'b0}}} :
			evicts ? rtlb_entry[A-1:L] : state == F_CLEAN ? points_pa : snoop_pa),
		.table_line(state == W_CLEAN | state == C_BEGIN),
		.known(state == W_CLEAN ? known : {8{state != C_BEGIN}}), .index(rtlb_entry[L-1:3]),
		.since_in(state == C_BEGIN | state == C_SEND | state == MARK_SEND ? stalker_since :
			state == FORGET ? clean_since : state == D_SEND ? since :
			state == E_CLEAN ? {S{1'b0}} : now),
		.kind(new_kind), .va(state == DROP ? {dvm_va, {G-L{1'b0}}} : new_va),
		.window(state == FORGET | state == MARK_SEND | state == D_SEND | state == C_SEND),
		.used(state == E_SEND & ~published), .level(rtlb_level), .shared(rtlb_shared),
		.aliased(rtlb_alias),
		.done(helper_done), .ok(helper_ok), .since(helper_since),
		.out_va(victim_va), .out_level(victim_level), .out_shared(victim_shared),
		.out_alias(victim_alias),
		.cleaning(cleaning), .clean_pa(clean_pa), .clean_table(clean_table),
		.clean_known(clean_known), .clean_since(clean_since), .sending(sending),
		.send_kind(send_kind), .send_va(send_va), .send_window(send_window),
		.send_since(send_since), .lines_wait(lines_wait), .messages_wait(messages_wait),
		.busy(busy)
	);
	assign clean_waits = lines_wait | (unfinished & ~cleaning) | takes_line;
	assign send_waits = messages_wait | state == S_NEXT | state == S_GIVE;

	wire is_read, new_hit, new_shared;
	wire [V-1:L] new_address;
	virt_listener listener (
		.kind(snoop_kind), .pa(snoop_pa), .aliases(~published),
		.found(from_victim ? helper_ok : 1'b1),
		.entry_va(from_victim ? victim_va : rtlb_va),
		.entry_level(from_victim ? victim_level : rtlb_level),
		.entry_shared(from_victim ? victim_shared : rtlb_shared),
		.entry_alias(from_victim ? victim_alias : rtlb_alias),
		.read(is_read), .hit(new_hit), .shared(new_shared), .va(new_address)
	);

	wire log_full;
	wire logs = state == STORM & (out_hit | out_shared);
	virt_logger #(.RECORDS(RECORDS)) logger (
		.clk(clk), .rst(rst), .put(logs), .kind(snoop_kind), .pa(snoop_pa),
		.now(snoop_time), .va(out_va), .shared(out_shared), .observed(out_observed),
		.full(log_full), .out_valid(log_valid), .out_ready(log_ready), .out_record(log_record)
	);

	wire window_done;
	virt_window window (
		.clk(clk), .rst(rst), .read(state == ANNOTATE & ~new_hit & ~new_shared),
		.close(state == BLINDNESS | state == S_CLOSE),
		.since(state == BLINDNESS ? now - {{S-1{1'b0}}, 1'b1} : send_since),
		.done(window_done), .now(now), .over(over), .perhaps(perhaps)
	);

	// ---- what is counted ----
	reg [STORM_BITS-1:0] storm_reads;
	wire last_read = &storm_reads;
	reg [STORM_BITS+3:0] storm_evictions; // stays at its highest value
	wire storm = storm_evictions >= `VIRT_STORM_EVICTIONS;
	wire evicted = state == REFILL & rtlb_done & rtlb_hit;
	wire walk = state == FIND & stalker_done & event_now == SNOOP & stalker_hit;
	wire reads = state == FIND & stalker_done & event_now == SNOOP & ~stalker_hit & is_read;
	wire heard;
	reg [`VIRT_COUNTERS-1:0] count;
	always @* begin
		count = {`VIRT_COUNTERS{1'b0}};
		count[`VIRT_COUNT_READS] = reads;
		count[`VIRT_COUNT_ANNOTATED] = state == ANNOTATE & new_hit;
		count[`VIRT_COUNT_SHARED] = state == ANNOTATE & new_shared;
		count[`VIRT_COUNT_OBSERVED] = state == STORM & out_hit & out_observed;
		count[`VIRT_COUNT_WALKS] = walk;
		count[`VIRT_COUNT_REFILLS] = state == REFILL & rtlb_done;
		count[`VIRT_COUNT_EVICTIONS] = evicted;
		count[`VIRT_COUNT_CLEANS] = clean_valid;
		count[`VIRT_COUNT_SYNCS] = send_valid & send_kind == `VIRT_SYNC;
		count[`VIRT_COUNT_ICACHES] = send_valid & send_kind == `VIRT_ICACHE_VA;
		count[`VIRT_COUNT_TLBIS] =
			send_valid & send_kind != `VIRT_SYNC & send_kind != `VIRT_ICACHE_VA;
		count[`VIRT_COUNT_HEARD] = heard;
		count[`VIRT_COUNT_RESTARTS] = state == R_CLEAR & helper_done;
		count[`VIRT_COUNT_STORMS] = state == STORM & last_read & storm;
		count[`VIRT_COUNT_LOST] = logs & log_full;
		count[`VIRT_COUNT_UNSENT] = state == F_CODE & code & helper_done & ~helper_ok;
	end
	virt_counters counters (
		.clk(clk), .rst(rst), .count(count), .number(counter), .value(counted)
	);

	// ---- what comes next ----

	// Whether the address of a message may share a page with the range. The page may have any
	// size.
	wire [V:0] near_first = {1'b0, dvm_va[V-1:30], 30'd0};
	wire near = near_first < traced_end &
		near_first + 49'h40000000 > {1'b0, traced_start};
	wire polled = clean_ready & clean_waits | send_ready & send_waits;
	reg snooped; // the last event was a snoop, so a request goes before the next snoop
	wire takes_snoop = snoop & ~(snooped & polled);
	wire takes_dvm = ~reg_write & ~cleaned & ~sent & dvm;
	assign heard = state == IDLE & takes_dvm & enable & ~published &
		dvm_kind <= `VIRT_TLBI_ALL & (dvm_kind == `VIRT_TLBI_ALL | dvm_asid == send_asid) &
		(dvm_kind != `VIRT_TLBI_VA_LAST | near);
	wire is_ctrl = {reg_addr[11:3], 3'd0} == `VIRT_CTRL_AT;
	wire is_asid = {reg_addr[11:3], 3'd0} == `VIRT_ASID_AT;

	// The next state for the current entry. ENTRY means that the entry needs nothing.
	reg [5:0] look;
	always @* begin
		look = ENTRY;
		if (entry_kept)
			case (pass)
			2'd0: if (entry_table)
				look = WATCH;
			2'd1: if (~entry_table & ~is_cleaned)
				look = REFILL;
			else if (~entry_table & ~clean_known[entry] & ~of_page)
				look = FORGET;
			default: if (~entry_table)
				look = KEEP;
			endcase
	end
	wire last_entry = entry == 3'd7;
	wire last_pass = pass == (is_cleaned ? 2'd1 : 2'd2);
	wire [5:0] behind = is_cleaned ? (of_page ? MARK : FINISH) : published ? FLUSH : W_CLEAN;
	wire leaves = (state == ENTRY & look == ENTRY) | (state == WATCH & stalker_done) |
		(state == MOVE & points_done) | (state == KEEP & rtlb_done) |
		(state == FORGET & helper_done);

	integer i;
	reg [POINT_BITS-1:0] next_due;
	always @* begin
		next_due = {POINT_BITS{1'b0}};
		for (i = POINTS - 1; i >= 0; i = i - 1)
			if (due[i])
				next_due = i[POINT_BITS-1:0];
	end

	always @(posedge clk) begin
		case (state)
		IDLE: begin
			got <= 4'd0;
			tables <= 1'b0;
			from_victim <= 1'b0;
			point <= {POINT_BITS{1'b0}};
			entry <= 3'd0;
			pass <= 2'd0;
			marks <= 1'b0;
			after <= FLUSH;
			event_now <= NONE;
			if (reg_write) begin
				event_now <= WRITE;
				state <= FINISH;
				if (is_ctrl & reg_data[`VIRT_CTRL_ENABLE]) begin
					got <= 4'b0100;
					traced_start <= range_start;
					traced_end <= range_end;
					state <= D_HELPER;
				end
				if (is_asid & enable & ~published)
					state <= D_HELPER;
			end else if (cleaned) begin
				event_now <= CLEANED;
				state <= L_DONE;
			end else if (sent) begin
				event_now <= SENT;
				state <= S_DONE;
			end else if (dvm) begin
				event_now <= DVM;
				state <= heard ? D_HELPER : FINISH;
			end else if (takes_snoop) begin
				event_now <= SNOOP;
				out_hit <= 1'b0;
				out_shared <= 1'b0;
				out_observed <= 1'b0;
				snooped <= 1'b1;
				state <= enable ? FIND : FINISH;
			end else if (polled) begin
				snooped <= 1'b0;
				state <= ~(clean_ready & clean_waits) ? S_NEXT :
					lines_wait ? C_NEXT : C_STALK;
			end
		end
		FIND: if (stalker_done) begin
			at <= stalker_index;
			of_page <= page_there & page == stalker_index;
			if (is_cleaned)
				page_there <= 1'b0;
			state <= stalker_hit ? ENTRY : ~is_cleaned & is_read ? RTLB : FINISH;
		end
		RTLB: if (rtlb_done) begin
			from_victim <= ~rtlb_hit;
			state <= rtlb_hit ? ANNOTATE : VICTIM;
		end
		VICTIM: if (helper_done)
			state <= ANNOTATE;
		ANNOTATE: begin
			out_hit <= new_hit;
			out_shared <= new_shared;
			out_va <= new_address;
			state <= new_hit | new_shared ? LOOK : blind ? BLINDNESS : STORM;
		end
		BLINDNESS: if (window_done)
			state <= STORM;
		LOOK: if (points_done) begin
			out_observed <= |hits;
			due <= due | hits;
			state <= STORM;
		end
		STORM: begin
			storm_reads <= storm_reads + {{STORM_BITS-1{1'b0}}, 1'b1};
			if (last_read) begin
				stormed <= stormed | storm;
				storm_evictions <= {STORM_BITS+4{1'b0}};
			end
			full <= full | (logs & log_full);
			state <= FLUSH;
		end
		ENTRY: begin
			e_va <= entry_va;
			e_pa <= entry_pa;
			e_level <= entry_level;
			e_shared <= entry_shared;
			if (pass == 2'd0)
				known[entry] <= entry_kept;
			if (pass == 2'd1 & is_cleaned & of_page & entry_kept & ~entry_table &
					~clean_known[entry])
				marks <= 1'b1;
			state <= look;
		end
		WATCH: if (stalker_done)
			blind <= blind | ~stalker_hit;
		REFILL: if (rtlb_done)
			state <= ~rtlb_hit ? MOVE : published ? E_CLEAN : E_DISTRUST;
		E_CLEAN: if (helper_done) begin
			after <= E_DISTRUST;
			state <= helper_ok ? E_DISTRUST : R_HELPER;
		end
		E_DISTRUST: if (helper_done)
			state <= E_SEND;
		E_SEND: if (helper_done)
			state <= MOVE;
		MOVE: if (points_done)
			due <= due | hits;
		KEEP: if (rtlb_done & ~rtlb_hit)
			known[entry] <= 1'b0;
		W_CLEAN: if (helper_done) begin
			after <= FLUSH;
			state <= helper_ok ? FLUSH : R_HELPER;
		end
		MARK: if (stalker_done)
			state <= stalker_hit & stalker_found ? MARK_SEND : FINISH;
		MARK_SEND: if (helper_done)
			state <= FINISH;
		D_HELPER: if (helper_done)
			state <= D_STALKER;
		D_STALKER: if (stalker_done) begin
			since <= stalker_since;
			state <= event_now == WRITE & ~is_ctrl ? D_SEND : DROP;
			got[1] <= event_now == DVM & ~all & dvm_kind == `VIRT_TLBI_VA_LAST;
		end
		DROP: begin
			got <= got | {helper_done, points_done, stalker_done, rtlb_done};
			if (~sets_up & ~all)
				tables <= tables | (rtlb_done & rtlb_hit) |
					(stalker_done & stalker_hit);
			if (&got)
				state <= sets_up ? POINT : D_SEND;
		end
		D_SEND: if (helper_done)
			state <= event_now == DVM & blind & (all | tables) ? R_HELPER : FLUSH;
		POINT: if (points_done) begin
			point <= point + {{POINT_BITS-1{1'b0}}, 1'b1};
			state <= &point ? R_RESTART : POINT;
		end
		R_HELPER: if (helper_done)
			state <= R_STALKER;
		R_STALKER: if (stalker_done) begin
			since <= stalker_since;
			state <= R_RESTART;
		end
		R_RESTART: if (stalker_done)
			state <= R_CLEAR;
		R_CLEAR: if (helper_done) begin
			due <= due | mapped;
			blind <= 1'b0;
			state <= after;
		end
		FLUSH: begin
			point <= next_due;
			due[next_due] <= 1'b0;
			state <= |due ? F_CLEAN : FINISH;
		end
		F_CLEAN: if (helper_done) begin
			after <= F_CODE;
			state <= helper_ok ? F_CODE : R_HELPER;
		end
		F_CODE: if (helper_done | ~code)
			state <= FLUSH;
		C_NEXT: if (helper_done)
			state <= C_GIVE;
		C_STALK: if (stalker_done) begin
			page <= stalker_index;
			state <= stalker_hit ? C_BEGIN : stalker_ended ? C_SEND : IDLE;
		end
		C_SEND: if (helper_done)
			state <= C_STALK;
		C_BEGIN: if (helper_done) begin
			page_there <= 1'b1;
			state <= C_GIVE;
		end
		S_NEXT: if (helper_done)
			state <= S_GIVE;
		L_DONE: if (helper_done)
			state <= clean_table ? FIND : FINISH;
		S_DONE: if (helper_done)
			state <= send_window ? S_CLOSE : FINISH;
		S_CLOSE: if (window_done)
			state <= FINISH;
		FINISH, C_GIVE, S_GIVE: state <= IDLE;
		default: ;
		endcase
		if (leaves) begin
			entry <= entry + 3'd1;
			pass <= pass + {1'b0, last_entry};
			state <= last_entry & last_pass ? behind : ENTRY;
		end
		if (evicted & ~(&storm_evictions))
			storm_evictions <= storm_evictions + {{STORM_BITS+3{1'b0}}, 1'b1};
		if (rst) begin
			state <= IDLE;
			event_now <= NONE;
			blind <= 1'b0;
			stormed <= 1'b0;
			full <= 1'b0;
			due <= {POINTS{1'b0}};
			page_there <= 1'b0;
			snooped <= 1'b0;
			storm_reads <= {STORM_BITS{1'b0}};
			storm_evictions <= {STORM_BITS+4{1'b0}};
		end
	end

`ifdef FORMAL
	// Take any one translation. It is live from its refill until the end of an event that ends
	// it. Such an event is a set-up or a TLB invalidation that is heard. This is proved: an
	// address that a snoop gets is live. When an event that ends the translation is answered,
	// the translation has left the reverse TLB and the messages.
	//
	// The parts are not in this proof, and their outputs may be anything. The assumptions about
	// virt_rtlb and virt_helper are proved in those modules. About virt_stalker it is assumed
	// that mappings are in the range.
	(* anyconst *) reg [V-1:G] f_va;
	(* anyconst *) reg [A-1:G] f_pa;
	reg f_past = 1'b0;
	reg f_live, f_in, f_held; // it is live; the reverse TLB may have it; a message may have it

	function f_gives(input [1:0] of, input [V-1:G] its_va);
		f_gives = its_va[V-1:30] == f_va[V-1:30] &&
			f_va[29:21] == (of == 2'd1 ? f_pa[29:21] : its_va[29:21]) &&
			f_va[20:12] == (of != 2'd3 ? f_pa[20:12] : its_va[20:12]);
	endfunction
	function f_has(input [1:0] of, input [V-1:G] its_va, input [A-1:G] its_pa);
		f_has = f_gives(of, its_va) && its_pa[A-1:30] == f_pa[A-1:30] &&
			(of == 2'd1 || its_pa[29:21] == f_pa[29:21]) &&
			(of != 2'd3 || its_pa[20:12] == f_pa[20:12]);
	endfunction
	// Whether a part of a page of this size is in the range.
	function f_in_range(input [1:0] of, input [V-1:G] its_va);
		f_in_range =
			{1'b0, its_va[V-1:30], of == 2'd1 ? 9'd0 : its_va[29:21],
				of != 2'd3 ? 9'd0 : its_va[20:12], 12'd0} < traced_end &&
			{its_va[V-1:30], of == 2'd1 ? 9'h1ff : its_va[29:21],
				of != 2'd3 ? 9'h1ff : its_va[20:12], 12'hfff} >= traced_start;
	endfunction

	wire f_sets_up = is_ctrl & reg_data[`VIRT_CTRL_ENABLE];
	wire f_ends = event_now == WRITE ? f_sets_up : event_now == DVM & enable & ~published &
		(dvm_kind == `VIRT_TLBI_ALL | dvm_asid == send_asid & (dvm_kind == `VIRT_TLBI_ASID |
		dvm_kind < `VIRT_TLBI_ASID & dvm_va == f_va));
	wire f_here = snoop_pa[A-1:G] == f_pa;
	wire f_given = f_here & out_hit & out_va[V-1:G] == f_va;
	wire f_restarts = state == R_HELPER | state == R_STALKER | state == R_RESTART |
		state == R_CLEAR;
	wire f_evicts = evicts | f_restarts & after == E_DISTRUST;
	wire f_in_event = state != IDLE & event_now != NONE;
	wire f_gives_way = takes_line | state == S_NEXT | state == S_GIVE; // a request is issued
	wire f_rtlb_asked = state == RTLB | state == KEEP | state == REFILL |
		state == DROP & ~got[0];
	always @(posedge clk) begin
		f_past <= 1'b1;
		if (!f_past) assume (rst);
		if (f_past && $past(reg_write & ~reg_done))
			assume (reg_write && $stable({reg_addr, reg_data}));
		if (f_past && $past(snoop & ~snoop_done))
			assume (snoop && $stable({snoop_kind, snoop_pa}));
		if (f_past && $past(dvm & ~dvm_done))
			assume (dvm && $stable({dvm_kind, dvm_va, dvm_asid}));

		// Assumptions about the reverse TLB.
		assume (!rtlb_done || f_rtlb_asked);
		if (f_past && $past(rtlb_done | ~f_rtlb_asked))
			assume ($stable({rtlb_hit, rtlb_va, rtlb_pa, rtlb_level}));
		if (state == RTLB & rtlb_done & rtlb_hit & f_here & f_gives(rtlb_level, rtlb_va))
			assume (f_in);
		if (state == REFILL & rtlb_done & rtlb_hit & f_has(rtlb_level, rtlb_va, rtlb_pa))
			assume (f_in);
		if (state == REFILL & rtlb_done & f_has(e_level, e_va, e_pa)) begin
			f_in <= 1'b1;
			f_live <= 1'b1;
		end
		if (state == DROP & rtlb_done & (sets_up | all | dvm_va == f_va))
			f_in <= 1'b0;
		// Assumptions about the Invalidation Helper.
		if (state == DROP & got[3]) assume (!helper_done);
		if (f_past && $past(helper_done))
			assume ($stable({helper_ok, victim_va, victim_level}));
		if (state == VICTIM & helper_done & helper_ok & f_here &
				f_gives(victim_level, victim_va))
			assume (f_held);
		if (state == E_SEND & ~published & f_has(rtlb_level, rtlb_va, rtlb_pa))
			f_held <= 1'b1;
		if (state == DROP & helper_done & (sets_up | all | dvm_va == f_va))
			f_held <= 1'b0;
		// Assumptions about the Translation Stalker.
		if (state == ENTRY & entry_kept & ~entry_table)
			assume (entry_level != 2'd0 && f_in_range(entry_level, entry_va));

		if ((dvm_done | reg_done) & f_ends)
			f_live <= 1'b0;
		if (rst)
			{f_live, f_in, f_held} <= 3'b000;

		if (f_past) begin
			if (snoop_done & f_given) assert (f_live);
			if ((dvm_done | reg_done) & f_ends) assert (!f_in && !f_held);
			// The induction needs these.
			if (f_in | f_held) assert (f_live);
			if (f_in_event && event_now == SNOOP && f_given) assert (f_live);
			if (f_live && !(f_in_event && event_now == WRITE && f_sets_up))
				assert (f_in_range(2'd1, f_va));
			if (state == REFILL)
				assert (e_level != 2'd0 && f_in_range(e_level, e_va));
			if (f_in_event && f_ends && state != D_HELPER && state != D_STALKER) begin
				if (state != DROP || got[0]) assert (!f_in);
				if (state != DROP || got[3]) assert (!f_held);
			end
			assert (state <= S_CLOSE && event_now <= SENT);
			if (state != IDLE) begin
				assert (after == FLUSH || after == E_DISTRUST || after == F_CODE);
				assert (f_gives_way == (event_now == NONE));
				if (event_now == WRITE) assert (reg_write);
				if (event_now == SNOOP) assert (snoop);
				if (event_now == DVM) assert (dvm);
				if (after == E_DISTRUST) assert (event_now == SNOOP);
			end
			if (state == D_HELPER || state == D_STALKER) begin
				assert (event_now == DVM ||
					event_now == WRITE && (f_sets_up || is_asid));
				assert (got == (event_now == WRITE && f_sets_up ? 4'd4 : 4'd0));
			end
			if (state == DROP)
				assert (event_now == DVM || event_now == WRITE && f_sets_up);
			if (state == RTLB || state == VICTIM || state == ANNOTATE ||
					state == REFILL || f_evicts)
				assert (event_now == SNOOP);
			if (state == POINT) assert (event_now == WRITE);
			if (state == VICTIM) assert (from_victim);
			if (state == L_DONE) assert (event_now == CLEANED);
			if (state == D_SEND) assert (event_now == DVM || event_now == WRITE);
			if (state == FIND || state == ENTRY)
				assert (event_now == SNOOP || event_now == CLEANED);
			if (state == WATCH || state == MOVE || state == KEEP || state == FORGET)
				assert (event_now == SNOOP || event_now == CLEANED);
			if (state == ANNOTATE && f_here) begin
				if (!from_victim && f_gives(rtlb_level, rtlb_va)) assert (f_live);
				if (from_victim && helper_ok && f_gives(victim_level, victim_va))
					assert (f_live);
			end
			if (f_evicts)
				if (f_has(rtlb_level, rtlb_va, rtlb_pa)) assert (f_live);
		end
	end
`endif
endmodule
`default_nettype wire
