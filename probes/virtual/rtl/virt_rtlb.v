// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// virt_rtlb: the reverse TLB. It does the same as probes/virtual/model/rtlb.c, step by step. It
// finds the virtual address for a physical address. A page is in one of the WAYS ways of its set.
// The lowest bits of the frame number choose the set. The ways are block RAMs and are read in
// parallel. There are few huge pages, and they are compared one after the other.
//
// find, refill, drop and clear each ask for a step. At most one of them may be high. It must stay
// high, with the other inputs unchanged, until `done`, which is high for one cycle. The outputs
// after `done` are valid from that cycle until the next step. Cycles from the request to `done`:
//
//	find, refill  2, and one for each huge page that must be looked at
//	drop, clear   2, one for each set, and one for each huge page
//
// After a reset it clears itself before it begins a step.
`include "virt_contract.vh"
`default_nettype none

module virt_rtlb #(
	parameter ENTRIES = `VIRT_ENTRIES,  // pages: a power of two, at least 2 * WAYS
	parameter WAYS = `VIRT_WAYS,        // a power of two, at least 2
	parameter BLOCKS = `VIRT_BLOCKS,    // huge pages: a power of two, at least 2
	parameter VA_BITS = `VIRT_VA_BITS,  // 32 to 48: bits of a virtual address
	parameter PA_BITS = `VIRT_PA_BITS   // 32 to 48: bits of a physical address
) (
	input wire clk,
	input wire rst,
	input wire find,           // finds the entry for `pa`
	input wire refill,         // stores a mapping
	input wire drop,           // removes entries that translate `va`
	input wire clear,          // removes all entries
	// A mapping. For a huge page the addresses are those of its first byte.
	input wire [VA_BITS-1:12] va,
	input wire [PA_BITS-1:12] pa,
	input wire [PA_BITS-1:3] entry, // address of its table entry
	input wire [1:0] level,    // 3: a page; 2, 1: a huge page
	input wire shared,
	input wire aliases,        // refill: a frame that has another address is an alias
	output reg done,
	// find: there is an entry. refill: an entry had to be removed. drop: a removed one was an
	// alias.
	output reg hit,
	// The entry that was found or removed.
	output reg [VA_BITS-1:12] out_va,
	output reg [PA_BITS-1:12] out_pa,
	output reg [PA_BITS-1:3] out_entry,
	output reg [1:0] out_level,
	output reg out_shared,
	output reg out_alias
);
	localparam SETS = ENTRIES / WAYS;
	localparam SET_BITS = $clog2(SETS);
	localparam WAY_BITS = $clog2(WAYS);
	localparam BLOCK_BITS = $clog2(BLOCKS);
	localparam V = VA_BITS - 12, P = PA_BITS - 12, E = PA_BITS - 3;
	localparam TAG = P - SET_BITS;
	localparam PAGE = V + TAG + E + 2;             // {va, tag, entry, shared, alias}
	localparam BLOCK = (V - 9) + (P - 9) + E + 3;  // {va, pa, entry, giant, shared, alias}
	localparam [1:0] LAST_LEVEL = `VIRT_LAST_LEVEL;

	generate
		if (SETS < 2 || WAYS < 2 || BLOCKS < 2 || SETS * WAYS != ENTRIES ||
				(1 << SET_BITS) != SETS || (1 << WAY_BITS) != WAYS ||
				(1 << BLOCK_BITS) != BLOCKS || VA_BITS < 32 || VA_BITS > 48 ||
				PA_BITS < 32 || PA_BITS > 48) begin : g_bad
			nfacc_error_parameter_out_of_range e ();
		end
	endgenerate

	localparam [2:0] IDLE = 0, LOOK = 1, BLOCKS_LOOK = 2, BLOCKS_PUT = 3, SCAN = 4,
		BLOCKS_SCAN = 5;
	reg [2:0] state;
	reg [SET_BITS:0] n;       // SCAN: the set that is read; the set before is looked at
	reg [BLOCK_BITS-1:0] b;   // number of the current huge page
	reg same;                 // BLOCKS_PUT: huge page b covers the same frame
	reg all;                  // SCAN, BLOCKS_SCAN: all entries are removed
	reg boot;                 // the reason is a reset

	// ---- pages ----
	wire [SET_BITS-1:0] set = pa[12 +: SET_BITS];
	wire [SET_BITS-1:0] last_read = n[SET_BITS-1:0] - {{SET_BITS-1{1'b0}}, 1'b1};
	wire [SET_BITS-1:0] at = state == SCAN ? last_read : set; // the set whose ways were read
	wire [SET_BITS-1:0] read = state == SCAN ? n[SET_BITS-1:0] :
		drop | clear ? {SET_BITS{1'b0}} : set;
	wire [TAG-1:0] tag = pa[PA_BITS-1 -: TAG];

	reg [WAYS+WAY_BITS-1:0] sets [0:SETS-1]; // {way to replace next, ways in use}
	wire [WAYS-1:0] used = sets[at][WAYS-1:0];
	wire [WAY_BITS-1:0] next = sets[at][WAYS +: WAY_BITS];

	wire [WAYS*PAGE-1:0] pages;  // the ways of the set `at`
	wire [WAYS-1:0] covers, ends; // ways that translate to `pa`; ways that `drop` removes
	wire [WAYS-1:0] aliased;
	wire [WAYS-1:0] write;
	reg [WAY_BITS-1:0] way;      // the way that covers `pa`; else a free one; else the next one
	reg [PAGE-1:0] page;
	wire any = |covers;
	wire full = &used;
	integer i;
	always @* begin
		way = next;
		for (i = WAYS - 1; i >= 0; i = i - 1)
			if (any ? covers[i] : ~used[i])
				way = i[WAY_BITS-1:0];
		page = pages[way*PAGE +: PAGE];
	end
	wire page_alias = page[0], page_shared = page[1];
	wire [PA_BITS-1:3] page_entry = page[2 +: E];
	wire [TAG-1:0] page_tag = page[2+E +: TAG];
	wire [VA_BITS-1:12] page_va = page[2+E+TAG +: V];
	wire [PAGE-1:0] new_page =
		{va, tag, entry, shared, any & aliases & (page_alias | (page_va != va))};

`ifdef FORMAL
	// Any one translation, and the ways of its set.
	(* anyconst *) reg [VA_BITS-1:12] f_va;
	(* anyconst *) reg [PA_BITS-1:12] f_pa;
	wire [SET_BITS-1:0] f_set = f_pa[12 +: SET_BITS];
	wire [WAYS*PAGE-1:0] f_pages;
`endif
	wire put = state == LOOK & refill & (level == LAST_LEVEL);
	genvar w;
	generate
		for (w = 0; w < WAYS; w = w + 1) begin : g_way
			(* ram_style = "block" *)
			reg [PAGE-1:0] memory [0:SETS-1];
			reg [PAGE-1:0] q;
			localparam [WAY_BITS-1:0] THIS = w;
			assign write[w] = put & (way == THIS);
			always @(posedge clk) begin
				if (write[w])
					memory[set] <= new_page;
				q <= memory[read];
			end
			assign pages[w*PAGE +: PAGE] = q;
`ifdef FORMAL
			assign f_pages[w*PAGE +: PAGE] = memory[f_set];
`endif
			assign aliased[w] = q[0];
			assign covers[w] = used[w] & (q[2+E +: TAG] == tag);
			assign ends[w] = used[w] & (q[0] | (q[2+E+TAG +: V] == va));
		end
	endgenerate

	// ---- huge pages ----
	(* ram_style = "distributed" *)
	reg [BLOCK-1:0] blocks [0:BLOCKS-1];
	reg [BLOCKS-1:0] block_used;
	reg [BLOCK_BITS-1:0] next_block, free_block;
	wire [BLOCK-1:0] block = blocks[b];
	wire block_alias = block[0], block_shared = block[1], block_giant = block[2];
	wire [PA_BITS-1:3] block_entry = block[3 +: E];
	wire [PA_BITS-1:21] block_pa = block[3+E +: P-9];
	wire [VA_BITS-1:21] block_va = block[3+E+P-9 +: V-9];
	wire block_covers = block_used[b] & (block_pa[PA_BITS-1:30] == pa[PA_BITS-1:30]) &
		(block_giant | (block_pa[29:21] == pa[29:21]));
	wire block_ends = block_used[b] & (block_alias |
		((block_va[VA_BITS-1:30] == va[VA_BITS-1:30]) &
		(block_giant | (block_va[29:21] == va[29:21]))));
	wire [BLOCK-1:0] new_block = {va[VA_BITS-1:21], pa[PA_BITS-1:21], entry, level == 2'd1,
		shared, same & aliases & (block_alias | (block_va != va[VA_BITS-1:21]))};
	wire last_block = (block_used >> b) <= {{BLOCKS-1{1'b0}}, 1'b1}; // no later one is in use
	always @* begin
		free_block = next_block;
		for (i = BLOCKS - 1; i >= 0; i = i - 1)
			if (~block_used[i])
				free_block = i[BLOCK_BITS-1:0];
	end

	always @(posedge clk) begin
		done <= 1'b0;
		case (state)
		IDLE: begin
			n <= {{SET_BITS{1'b0}}, 1'b1};
			b <= {BLOCK_BITS{1'b0}};
			all <= clear;
			if ((find | refill) & ~done)
				state <= LOOK;
			if ((drop | clear) & ~done) begin
				hit <= 1'b0;
				state <= SCAN;
			end
		end
		LOOK: begin
			out_va <= page_va;
			out_pa <= {page_tag, set};
			out_entry <= page_entry;
			out_level <= LAST_LEVEL;
			out_shared <= page_shared;
			out_alias <= page_alias;
			hit <= find ? any : ~any & full;
			if (find ? any | ~(|block_used) : level == LAST_LEVEL) begin
				done <= 1'b1;
				state <= IDLE;
			end else begin
				state <= BLOCKS_LOOK;
			end
		end
		BLOCKS_LOOK, BLOCKS_PUT: begin
			out_va <= {block_va, 9'd0};
			out_pa <= {block_pa, 9'd0};
			out_entry <= block_entry;
			out_level <= block_giant ? 2'd1 : 2'd2;
			out_shared <= block_shared;
			out_alias <= block_alias;
			same <= block_covers;
			if (state == BLOCKS_PUT) begin
				hit <= block_used[b] & ~same;
				block_used[b] <= 1'b1;
				blocks[b] <= new_block;
			end else begin
				hit <= block_covers;
				if (refill & ~block_covers & last_block) begin
					b <= free_block;
					if (&block_used)
						next_block <= next_block +
							{{BLOCK_BITS-1{1'b0}}, 1'b1};
				end else if (~block_covers) begin
					b <= b + {{BLOCK_BITS-1{1'b0}}, 1'b1};
				end
			end
			if (state == BLOCKS_PUT | (find & (block_covers | last_block))) begin
				done <= 1'b1;
				state <= IDLE;
			end else if (block_covers | last_block) begin
				state <= BLOCKS_PUT;
			end
		end
		SCAN: begin
			hit <= hit | |(ends & aliased);
			n <= n + {{SET_BITS{1'b0}}, 1'b1};
			if (n[SET_BITS])
				state <= BLOCKS_SCAN;
		end
		default: begin // BLOCKS_SCAN
			if (all) begin
				block_used <= {BLOCKS{1'b0}};
				next_block <= {BLOCK_BITS{1'b0}};
			end else if (block_ends) begin
				hit <= hit | block_alias;
				block_used[b] <= 1'b0;
			end
			b <= b + {{BLOCK_BITS-1{1'b0}}, 1'b1};
			if (all | last_block) begin
				done <= ~boot;
				boot <= 1'b0;
				state <= IDLE;
			end
		end
		endcase
		if (put)
			sets[set] <= {any | ~full ? next : next + {{WAY_BITS-1{1'b0}}, 1'b1},
				used | write};
		if (state == SCAN)
			sets[last_read] <= all ? {WAYS+WAY_BITS{1'b0}} : {next, used & ~ends};
		if (rst) begin
			n <= {{SET_BITS{1'b0}}, 1'b1};
			b <= {BLOCK_BITS{1'b0}};
			all <= 1'b1;
			boot <= 1'b1;
			done <= 1'b0;
			state <= SCAN;
		end
	end

`ifdef FORMAL
	// Take any one translation. It is live from its refill until it is dropped. This is proved:
	// what `find` returns is live, and so is what a refill removes. When a `drop` or a `clear`
	// is done, no entry has the translation any more.
	reg f_past = 1'b0;
	reg f_live;
	integer f;

	// Whether a huge page at this address gives f_va for the frame f_pa.
	function f_gives(input giant, input [VA_BITS-1:21] its_va);
		f_gives = its_va[VA_BITS-1:30] == f_va[VA_BITS-1:30] &&
			f_va[29:21] == (giant ? f_pa[29:21] : its_va[29:21]) &&
			f_va[20:12] == f_pa[20:12];
	endfunction
	// Whether a huge page contains the translation of f_va to f_pa.
	function f_has(input giant, input [VA_BITS-1:21] its_va, input [PA_BITS-1:21] its_pa);
		f_has = f_gives(giant, its_va) && its_pa[PA_BITS-1:30] == f_pa[PA_BITS-1:30] &&
			(giant || its_pa[29:21] == f_pa[29:21]);
	endfunction
	wire f_mapping = level == LAST_LEVEL ? va == f_va && pa == f_pa :
		f_has(level == 2'd1, va[VA_BITS-1:21], pa[PA_BITS-1:21]);
	wire f_given = pa == f_pa && (out_level == LAST_LEVEL ? out_va == f_va :
		f_gives(out_level == 2'd1, out_va[VA_BITS-1:21]));
	wire f_out = out_level == LAST_LEVEL ? out_va == f_va && out_pa == f_pa :
		f_has(out_level == 2'd1, out_va[VA_BITS-1:21], out_pa[PA_BITS-1:21]);
	reg [WAYS-1:0] f_in;       // the ways, and the huge pages, that have the translation
	reg [BLOCKS-1:0] f_block_in;
	always @* begin
		for (f = 0; f < WAYS; f = f + 1)
			f_in[f] = sets[f_set][f] &&
				f_pages[f*PAGE+2+E +: TAG] == f_pa[PA_BITS-1 -: TAG] &&
				f_pages[f*PAGE+2+E+TAG +: V] == f_va;
		for (f = 0; f < BLOCKS; f = f + 1)
			f_block_in[f] = block_used[f] && f_has(blocks[f][2],
				blocks[f][3+E+P-9 +: V-9], blocks[f][3+E +: P-9]);
	end

	wire f_asked = find | refill | drop | clear;
	wire f_ends = all | va == f_va; // the current step drops the translation
	always @(posedge clk) begin
		f_past <= 1'b1;
		if (!f_past) assume (rst);
		assume (find + refill + drop + clear <= 1);
		if (f_past && $past(f_asked & ~done & ~rst))
			assume ($stable({find, refill, drop, clear, va, pa, entry, level, shared,
				aliases}));
		assume (level != 2'd0);
		if (level != LAST_LEVEL) // a huge page is aligned
			assume (~refill | {va[20:12], pa[20:12]} == 18'd0 &&
				(level == 2'd2 || {va[29:21], pa[29:21]} == 18'd0));

		if (put & f_mapping | state == BLOCKS_PUT & f_mapping)
			f_live <= 1'b1;
		if (state == BLOCKS_SCAN & (all | last_block) & f_ends)
			f_live <= 1'b0;
		if (rst)
			f_live <= 1'b1; // the memories may hold anything

		if (f_past) begin
			if (done & find & hit & f_given)
				assert (f_live);
			if (done & refill & hit & f_out)
				assert (f_live);
			if (done & (clear | drop & va == f_va))
				assert (!f_live && f_in == 0 && f_block_in == 0);
			// The induction needs these.
			if (f_in != 0 || f_block_in != 0) assert (f_live);
			if (state == LOOK || state == BLOCKS_LOOK) assert (find | refill);
			if (state == BLOCKS_PUT) assert (refill);
			if (state == BLOCKS_LOOK && refill || state == BLOCKS_PUT)
				assert (level != LAST_LEVEL);
			assert (state <= BLOCKS_SCAN);
			if (boot) assert (all && (state == SCAN || state == BLOCKS_SCAN));
			if (done) assert (state == IDLE);
			if (state == SCAN || state == BLOCKS_SCAN)
				assert (boot || (drop | clear) && all == clear);
			if (state == SCAN) assert (n != 0 && n <= SETS && b == 0);
			if (state == LOOK && set == f_set || state == SCAN && ~boot && at == f_set)
				assert (pages == f_pages);
			if ((state == SCAN && f_set < at || state == BLOCKS_SCAN) && f_ends)
				assert (f_in == 0);
			if (state == BLOCKS_SCAN && f_ends)
				for (f = 0; f < BLOCKS; f = f + 1)
					if (f < b) assert (!f_block_in[f]);
		end
	end
`endif
endmodule
`default_nettype wire
