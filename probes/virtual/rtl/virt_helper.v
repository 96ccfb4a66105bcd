// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// virt_helper: the Invalidation Helper. It does the same as probes/virtual/model/helper.c, step by
// step. It keeps requests in the order in which they came, in two queues. Each queue belongs to a
// channel and has at most one request under way. Requests with the same effect are merged. Both
// queues are small memories. In each cycle one entry is looked at, so one comparator is enough.
//
// Each input of the first group asks for a step. At most one of them may be high. That input and
// the other inputs must stay unchanged until `done`, which is high for one cycle. `ok`, `since` and
// the evicted entry are valid from that cycle until the next step. A step takes at most three
// cycles more than the number of entries that wait.
`include "virt_contract.vh"
`default_nettype none

module virt_helper #(
	parameter CLEANS = `VIRT_CLEANS, // lines that can wait: a power of two, at least 2
	parameter TLBIS = `VIRT_TLBIS,   // messages that can wait: a power of two, above POINTS + 2
	parameter POINTS = `VIRT_POINTS, // observation points; each has a place among messages
	parameter VA_BITS = `VIRT_VA_BITS,      // at least 32: bits of a virtual address
	parameter PA_BITS = `VIRT_PA_BITS,      // at least 32: bits of a physical address
	parameter SINCE_BITS = `VIRT_SINCE_BITS // at least 1: bits of a number of reads
) (
	input wire clk,
	input wire rst,
	input wire clean,          // asks for a line to be cleaned; ok: there was room
	input wire send,           // asks for a message; not ok: no room, it is discarded
	input wire next_clean,     // the next line is now under way; ok: there was one
	input wire next_send,      // the next message is now under way; ok: there was one
	input wire begin_clean,    // the line at the inputs is now under way
	input wire done_clean,     // the line under way is done
	input wire done_send,      // the message under way is done
	input wire clear_cleans,   // drops all lines that wait
	input wire victim,         // finds a valid evicted entry that covers `pa`; ok: there is one
	input wire drop,           // ends evicted entries that translate `va`
	input wire drop_all,       // ends all evicted entries
	input wire distrust,       // what was seen of waiting lines is not trusted any more
	input wire distrust_entry, // the same for the table entry at `pa` and `index`
	// A line.
	input wire [PA_BITS-1:`VIRT_LINE_BITS] pa,
	input wire table_line,     // the line holds table entries
	input wire [7:0] known,    // the entries that were seen
	input wire [2:0] index,    // number of an entry in the line
	input wire [SINCE_BITS-1:0] since_in,
	// A message. Its evicted entry translates `va` to the page of `pa`.
	input wire [`VIRT_DVM_BITS-1:0] kind,
	input wire [VA_BITS-1:`VIRT_LINE_BITS] va,
	input wire window,         // the message closes a window that began at `since_in`
	input wire used,           // the message has an evicted entry
	input wire [1:0] level,    // 3: a page; 2, 1: a huge page
	input wire shared,
	input wire aliased,
	output reg done,
	output reg ok,
	output reg [SINCE_BITS-1:0] since, // distrust: the earliest window, at most `since_in`
	// The evicted entry that `victim` has found.
	output reg [VA_BITS-1:`VIRT_PAGE_BITS] out_va,
	output reg [1:0] out_level,
	output reg out_shared,
	output reg out_alias,
	// The requests under way.
	output reg cleaning,
	output wire [PA_BITS-1:`VIRT_LINE_BITS] clean_pa,
	output wire clean_table,
	output wire [7:0] clean_known,
	output wire [SINCE_BITS-1:0] clean_since,
	output reg sending,
	output wire [`VIRT_DVM_BITS-1:0] send_kind,
	output wire [VA_BITS-1:`VIRT_LINE_BITS] send_va,
	output wire send_window,
	output wire [SINCE_BITS-1:0] send_since,
	output wire lines_wait,    // a line waits, and none is under way
	output wire messages_wait, // a message waits, and none is under way
	output wire busy           // a request waits or is under way
);
	localparam CB = $clog2(CLEANS), SB = $clog2(TLBIS);
	localparam NB = CB > SB ? CB : SB;
	localparam S = SINCE_BITS, V = VA_BITS - `VIRT_LINE_BITS;
	localparam L = PA_BITS - `VIRT_LINE_BITS, P = PA_BITS - `VIRT_PAGE_BITS;
	localparam CLEAN = S + 8 + 1 + L;                         // {since, known, table, pa}
	localparam SEND = S + 1 + `VIRT_DVM_BITS + V + P + 2 + 3; // {since, window, kind, va, pa,
	                                                          //  level, shared, alias, used}
	localparam [1:0] LAST_LEVEL = `VIRT_LAST_LEVEL;
	// Evictions may not use the last places: one for each observation point, one for the
	// invalidation of the address space, and one for a Sync.
	localparam ROOM = TLBIS - POINTS - 2, LAST = TLBIS - 1;

	generate
		if (CLEANS < 2 || (1 << CB) != CLEANS || ROOM < 1 || (1 << SB) != TLBIS ||
				VA_BITS < 32 || PA_BITS < 32 || SINCE_BITS < 1) begin : g_bad
			nfacc_error_parameter_out_of_range e ();
		end
	endgenerate

	localparam [1:0] IDLE = 0, NOW = 1, LINES = 2, MESSAGES = 3;
	reg [1:0] state;
	reg [NB:0] n; // number of the current entry, counted from the oldest one; IDLE: 0

	// ---- lines ----
	(* ram_style = "distributed" *)
	reg [CLEAN-1:0] cleans [0:CLEANS-1];
	reg [CB-1:0] cfirst;
	reg [CB:0] ccount;
	reg [CLEAN-1:0] cnow;
	wire [CB-1:0] cat = cfirst + n[CB-1:0];
	wire [CLEAN-1:0] c = cleans[cat];
	wire [L-1:0] c_pa = c[0 +: L];
	wire c_table = c[L];
	wire [7:0] c_known = c[L+1 +: 8];
	wire [S-1:0] c_since = c[L+9 +: S];
	wire c_there = n[CB:0] != ccount;
	wire c_last = n[CB:0] + {{CB{1'b0}}, 1'b1} >= ccount;
	wire c_same = c_there & (c_pa == pa);
	wire c_full = ccount[CB];
	assign clean_pa = cnow[0 +: L];
	assign clean_table = cnow[L];
	assign clean_known = cnow[L+1 +: 8];
	assign clean_since = cnow[L+9 +: S];

	// ---- messages ----
	(* ram_style = "distributed" *)
	reg [SEND-1:0] sends [0:TLBIS-1];
	reg [SB-1:0] sfirst;
	reg [SB:0] scount;
	reg [SEND-1:0] snow;
	wire [SB-1:0] sat = sfirst + n[SB-1:0];
	wire [SEND-1:0] s = state == MESSAGES ? sends[sat] : snow;
	wire [SEND-1:0] oldest = sends[sfirst];
	wire s_used = s[0], s_alias = s[1], s_shared = s[2];
	wire [1:0] s_level = s[3 +: 2];
	wire [PA_BITS-1:`VIRT_PAGE_BITS] s_pa = s[5 +: P];
	wire [VA_BITS-1:`VIRT_LINE_BITS] s_va = s[5+P +: V];
	wire [`VIRT_DVM_BITS-1:0] s_kind = s[5+P+V +: `VIRT_DVM_BITS];
	wire s_window = s[5+P+V+`VIRT_DVM_BITS];
	wire [S-1:0] s_since = s[6+P+V+`VIRT_DVM_BITS +: S];
	wire s_there = n[SB:0] != scount;
	wire s_last = n[SB:0] + {{SB{1'b0}}, 1'b1} >= scount;
	assign {send_since, send_window, send_kind, send_va} = snow[SEND-1:5+P];

	// Whether the evicted entry covers `pa`, and whether it translates `va`.
	wire [1:0] size = s_level;
	wire s_holds = s_used & (s_pa[PA_BITS-1:30] == pa[PA_BITS-1:30]) &
		((size == 2'd1) | (s_pa[29:21] == pa[29:21])) &
		((size != LAST_LEVEL) | (s_pa[20:12] == pa[20:12]));
	wire s_near = (s_va[VA_BITS-1:30] == va[VA_BITS-1:30]) &
		((size == 2'd1) | (s_va[29:21] == va[29:21])) &
		((size != LAST_LEVEL) | (s_va[20:12] == va[20:12]));
	wire s_ends = drop_all | (drop & (s_alias | s_near));

	// If room is scarce, one invalidation of the address space replaces those of single
	// addresses.
	wire scarce = ((kind == `VIRT_TLBI_VA) | used) & (scount >= ROOM[SB:0]);
	wire [`VIRT_DVM_BITS-1:0] new_kind = scarce ? `VIRT_TLBI_ASID : kind;
	wire new_used = used & ~scarce;
	wire new_window = window | scarce;
	// An instruction-cache message may not use the last place.
	wire refused = (new_kind == `VIRT_ICACHE_VA) & (scount >= LAST[SB:0]);
	wire s_alike = s_there & ((new_kind == `VIRT_SYNC) | ((s_kind == new_kind) & ~new_used &
		((new_kind == `VIRT_TLBI_ASID) | (s_va == va))));

	// The earlier one of the beginnings of two windows.
	wire [S-1:0] left = state == NOW ? clean_since : state == LINES ? c_since : s_since;
	wire [S-1:0] right = distrust ? since : since_in;
	wire [S-1:0] earlier = left < right ? left : right;

	wire this_entry = c_there & c_table & (c_pa == pa);
	wire now_entry = clean_table & (clean_pa == pa);
	wire [7:0] mask = ~(8'd1 << index);

	reg cwrite, swrite;
	reg [CB-1:0] cwhere;
	reg [SB-1:0] swhere;
	reg [CLEAN-1:0] cnew;
	reg [SEND-1:0] snew;
	always @* begin
		cwrite = 1'b0;
		cwhere = cat;
		cnew = {earlier, c_known & known, c_table | table_line, c_pa};
		if (distrust | distrust_entry) begin
			cwrite = state == LINES &
				(distrust ? c_there & c_table : this_entry);
			cnew = {c_since, distrust ? 8'd0 : c_known & mask, c_table, c_pa};
		end else if (state == LINES) begin
			cwrite = c_same | (c_last & ~c_full);
			if (~c_same) begin
				cwhere = cfirst + ccount[CB-1:0];
				cnew = {since_in, known, table_line, pa};
			end
		end
		swrite = 1'b0;
		swhere = sat;
		snew = {s[SEND-1:1], s_used & ~s_ends};
		if (state == MESSAGES & send) begin
			swrite = s_alike ? new_window : s_last & ~refused;
			if (s_alike)
				snew = {s_window ? earlier : since_in, 1'b1, s[SEND-S-2:0]};
			else begin
				swhere = sfirst + scount[SB-1:0];
				snew = {since_in, new_window, new_kind,
					scarce ? {V{1'b0}} : va,
					pa[PA_BITS-1:`VIRT_PAGE_BITS],
					level, shared, aliased, new_used};
			end
		end else if (state == MESSAGES) begin
			swrite = s_there & (drop | drop_all);
		end
	end

	wire lines_there = ccount != {CB+1{1'b0}};
	wire messages_there = scount != {SB+1{1'b0}};
	assign lines_wait = ~cleaning & lines_there;
	assign messages_wait = ~sending & messages_there;
	assign busy = cleaning | sending | lines_there | messages_there;

	localparam [CB:0] CONE = 1;
	localparam [SB:0] SONE = 1;
	localparam [NB:0] NONE = 1;
	always @(posedge clk) begin
		done <= 1'b0;
		if (cwrite)
			cleans[cwhere] <= cnew;
		if (swrite)
			sends[swhere] <= snew;
		case (state)
		IDLE: if (~done) begin
			n <= {NB+1{1'b0}};
			since <= since_in;
			if (clean)
				state <= LINES;
			if (send) begin
				state <= MESSAGES;
				if (new_kind == `VIRT_SYNC & messages_there)
					n[SB:0] <= scount - SONE;
			end
			if (next_clean) begin
				ok <= lines_wait;
				done <= 1'b1;
				if (lines_wait) begin
					cnow <= c;
					cleaning <= 1'b1;
					cfirst <= cfirst + CONE[CB-1:0];
					ccount <= ccount - CONE;
				end
			end
			if (next_send) begin
				ok <= messages_wait;
				done <= 1'b1;
				if (messages_wait) begin
					snow <= oldest;
					sending <= 1'b1;
					sfirst <= sfirst + SONE[SB-1:0];
					scount <= scount - SONE;
				end
			end
			if (begin_clean) begin
				cnow <= {since_in, known, table_line, pa};
				cleaning <= 1'b1;
			end
			if (done_clean)
				cleaning <= 1'b0;
			if (done_send) begin
				sending <= 1'b0;
				snow[0] <= 1'b0;
			end
			if (clear_cleans)
				ccount <= {CB+1{1'b0}};
			if (begin_clean | done_clean | done_send | clear_cleans)
				done <= 1'b1;
			if (victim | drop | drop_all) begin
				ok <= victim & s_holds;
				state <= victim & s_holds ? IDLE : MESSAGES;
				done <= victim & s_holds;
				if (s_ends)
					snow[0] <= 1'b0;
			end
			if (distrust | distrust_entry)
				state <= NOW;
		end
		NOW: begin
			state <= LINES;
			if (distrust & cleaning & clean_table) begin
				cnow[L+1 +: 8] <= 8'd0;
				since <= earlier;
			end
			if (distrust_entry & cleaning & now_entry)
				cnow[L+1 +: 8] <= clean_known & mask;
		end
		LINES: begin
			n <= n + NONE;
			if (distrust & c_there & c_table)
				since <= earlier;
			if (clean & (c_same | c_last)) begin
				ok <= c_same | ~c_full;
				if (~c_same & ~c_full)
					ccount <= ccount + CONE;
			end
			if (c_last | (clean & c_same)) begin
				n <= {NB+1{1'b0}};
				done <= 1'b1;
				state <= IDLE;
			end
		end
		default: begin // MESSAGES
			n <= n + NONE;
			if (victim)
				ok <= s_there & s_holds;
			if (send)
				ok <= s_alike | ~refused;
			if (send & ~s_alike & s_last & ~refused)
				scount <= scount + SONE;
			if (s_last | (send & s_alike) | (victim & s_holds)) begin
				n <= {NB+1{1'b0}};
				done <= 1'b1;
				state <= IDLE;
			end
		end
		endcase
		if (victim & (state == IDLE | state == MESSAGES) & ~done) begin
			out_va <= s_va[VA_BITS-1:`VIRT_PAGE_BITS];
			out_level <= s_level;
			out_shared <= s_shared;
			out_alias <= s_alias;
		end
		if (rst) begin
			state <= IDLE;
			n <= {NB+1{1'b0}};
			done <= 1'b0;
			cleaning <= 1'b0;
			sending <= 1'b0;
			snow[0] <= 1'b0;
			ccount <= {CB+1{1'b0}};
			scount <= {SB+1{1'b0}};
			cfirst <= {CB{1'b0}};
			sfirst <= {SB{1'b0}};
		end
	end

`ifdef FORMAL
	// Take any one line, and any one read at which a window begins. This is proved: from the
	// answer to `clean` on, the line waits in exactly one place, until `next_clean` takes it or
	// `clear_cleans` drops it. It is taken only if it was asked for. If a line or a message
	// must close the window, it closes a window that begins at that read or earlier. No queue
	// holds more than it has room for.
	(* anyconst *) reg [L-1:0] f_pa;
	(* anyconst *) reg [S-1:0] f_since;
	(* anyseq *) reg f_choose;  // of several messages with the window, any one is followed
	reg f_past = 1'b0;
	reg f_line, f_window;       // the line waits; it waits and closes the window
	reg f_sends, f_under_way;   // a message with the window waits; is under way
	reg [SB:0] f_place;         // number of messages before that message
	reg [CB:0] f_lines;         // number of places with the line
	reg f_seen, f_late;         // one was looked at; one begins its window too late
	// f_asid: an invalidation of the address space was already looked at. f_newest: the newest
	// message is one. f_good: the message at f_place closes the window.
	reg f_asid, f_newest, f_good;
	integer f;
	reg [CB-1:0] f_c;           // number of entries before entry f
	reg [SB-1:0] f_s;

	always @* begin
		{f_lines, f_seen, f_late, f_asid, f_newest, f_good} = {CB+6{1'b0}};
		for (f = 0; f < CLEANS; f = f + 1) begin
			f_c = f[CB-1:0] - cfirst;
			if ({1'b0, f_c} < ccount && cleans[f][0 +: L] == f_pa) begin
				f_lines = f_lines + CONE;
				f_seen = f_seen | f_c < n;
				f_late = f_late | cleans[f][L+9 +: S] > f_since;
			end
		end
		for (f = 0; f < TLBIS; f = f + 1) begin
			f_s = f[SB-1:0] - sfirst;
			if ({1'b0, f_s} < scount) begin
				if (sends[f][5+P+V +: `VIRT_DVM_BITS] == `VIRT_TLBI_ASID) begin
					f_asid = f_asid | f_s < n;
					f_newest = f_newest | {1'b0, f_s} + SONE == scount;
				end
				if ({1'b0, f_s} == f_place)
					f_good = sends[f][5+P+V+`VIRT_DVM_BITS] &&
						sends[f][6+P+V+`VIRT_DVM_BITS +: S] <= f_since;
			end
		end
	end

	wire f_cleans = clean | next_clean | begin_clean | done_clean | clear_cleans;
	wire f_asked = send | next_send | done_send | victim | drop | drop_all | distrust |
		distrust_entry | f_cleans;
	wire f_put = done & clean & ok & pa == f_pa;
	wire f_taken = done & next_clean & ok & clean_pa == f_pa;
	wire f_waits = (f_line | f_put) & ~f_taken & ~(done & clear_cleans);
	wire f_with = f_window | f_put & since_in == f_since;
	wire f_sent = state == MESSAGES & send & (s_alike | s_last) & new_window &
		since_in == f_since;
	wire f_goes = state == IDLE & ~done & next_send & messages_wait;
	always @(posedge clk) begin
		f_past <= 1'b1;
		if (!f_past) assume (rst);
		assume (clean + send + next_clean + next_send + begin_clean + done_clean +
			done_send + clear_cleans + victim + drop + drop_all + distrust +
			distrust_entry <= 1);
		if (f_past && $past(f_asked & ~done & ~rst))
			assume ($stable({clean, send, next_clean, next_send, begin_clean,
				done_clean, done_send, clear_cleans, victim, drop, drop_all,
				distrust, distrust_entry, pa, table_line, known, index, since_in,
				kind, va, window, used, level, shared, aliased}));
		if (state == IDLE & ~done) begin
			assume (!begin_clean || !cleaning);
			assume (!done_clean || cleaning);
			assume (!done_send || sending);
		end
		if (send) begin
			assume (kind == `VIRT_TLBI_VA || kind == `VIRT_TLBI_ASID ||
				kind == `VIRT_SYNC || kind == `VIRT_ICACHE_VA);
			assume (!used || kind == `VIRT_TLBI_VA || kind == `VIRT_TLBI_ASID);
			assume (!window || kind != `VIRT_ICACHE_VA);
		end

		f_line <= f_waits;
		f_window <= f_with & f_waits;
		if (f_goes) begin
			f_place <= f_place - SONE;
			if (f_sends && f_place == 0)
				{f_sends, f_under_way} <= 2'b01;
		end
		if (state == IDLE & ~done & done_send)
			f_under_way <= 1'b0;
		if (f_sent & (~f_sends | f_choose)) begin
			f_sends <= 1'b1;
			f_place <= s_alike ? n[SB:0] : scount;
		end
		if (rst)
			{f_line, f_window, f_sends, f_under_way} <= 4'b0000;

		if (f_past) begin
			assert (ccount <= CLEANS && scount <= TLBIS);
			assert (f_lines == f_waits);
			if (f_taken) assert (f_line && cleaning);
			if (f_taken && f_window) assert (clean_since <= f_since);
			if (f_waits && f_with) assert (!f_late);
			if (done & clean & ~ok) assert (ccount == CLEANS);
			if (f_sends) assert (f_place < scount && f_good);
			if (f_under_way)
				assert (sending && send_window && send_since <= f_since);
			// The induction needs these.
			if (done) assert (state == IDLE);
			if (state == IDLE) assert (n == 0);
			if (state == NOW) assert (n == 0 && (distrust | distrust_entry));
			if (state == LINES) begin
				assert (clean | distrust | distrust_entry);
				assert (n == 0 || n < ccount);
				if (clean && pa == f_pa) assert (!f_seen);
			end
			if (state == MESSAGES) begin
				assert (send | victim | drop | drop_all);
				assert (n == 0 || n < scount);
				if (send && new_kind == `VIRT_SYNC && scount != 0)
					assert (n == scount - SONE);
				if (send && new_kind == `VIRT_TLBI_ASID && !new_used)
					assert (!f_asid);
			end
			if (scount == TLBIS) assert (f_newest);
		end
	end
`endif
endmodule
`default_nettype wire
