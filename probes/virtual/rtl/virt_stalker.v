// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// virt_stalker: the Translation Stalker. It does the same as probes/virtual/model/stalker.c, step
// by step. It knows which frames hold page tables of the process. Each of these frames has a
// watermark: the level of the table, and the first virtual address that the table translates. It
// also knows which lines of a table still need their first cleaning. Table 0 is the root.
//
// find, watch, drop, clear, init, restart, distrust, next and mark each ask for a step. At most one
// of them may be high. It must stay high, with the other inputs unchanged, until `done`, which is
// high for one cycle. The outputs after `done` are valid from that cycle until the next step. The
// frames are in BANKS memories of ROWS rows, and one row is compared at once. Cycles from the
// request to `done`:
//
//	find                  3 + row of the table, at most 1 + ROWS
//	watch                 at most 3 + 2 * ROWS
//	drop, distrust        1 + TABLES
//	clear, init, restart  1 + ROWS
//	next                  2 + row of the table + lines that are not in the range
//	mark                  2
//
// Between two steps the entries of a table line can be decoded, one in each cycle. This logic is
// combinational: word_* are its inputs, and entry_* its outputs. They are for the table of the last
// `find`.
//
// The memory of a table has two parts:
//
//	place: | frame | address, bits 47 to 21 | level |
//	lines: | next line | found | since |
`include "virt_contract.vh"
`default_nettype none

module virt_stalker #(
	parameter TABLES = `VIRT_TABLES,   // a power of two, at least 2 * BANKS
	parameter BANKS = TABLES / 8,      // a power of two, at least 2: frames compared at once
	parameter VA_BITS = `VIRT_VA_BITS, // 48: bits of a virtual address
	parameter PA_BITS = `VIRT_PA_BITS, // 32 .. 47: bits of a physical address
	parameter INDEX_BITS = $clog2(TABLES) // do not set it: bits of a table's number
) (
	input wire clk,
	input wire rst,
	// The range of virtual addresses. The end is excluded. They may change only before `init`.
	input wire [VA_BITS-1:0] range_start,
	input wire [VA_BITS:0] range_end,

	input wire find,     // finds the table with the line `pa`, if the line is in the range
	input wire watch,    // adds a watermark, not for the root: pa, va, level, since, skip
	input wire drop,     // removes watermarks of tables that lead to va, except for the root
	input wire clear,    // removes all watermarks except for the root
	input wire init,     // removes all, then sets the root: pa, level; no first cleaning
	input wire restart,  // clears; then all lines of the root need a first cleaning: since
	input wire distrust, // sets `found` of tables with lines left; out: least since
	input wire next,     // takes the next line that needs its first cleaning
	input wire mark,     // looks at table `index`; if `found`, sets its found
	input wire [PA_BITS-1:6] pa,
	input wire [VA_BITS-1:21] va,
	input wire [1:0] level,
	input wire [`VIRT_SINCE_BITS-1:0] since,
	input wire skip,     // watch: no line of the table needs a first cleaning
	input wire found,
	input wire [INDEX_BITS-1:0] index,

	output reg done,
	// find: there is a table. watch: there is room. drop: there were some. next: there is a
	// line. mark: all lines of the table were taken.
	output reg hit,
	// next: the current table has no more lines in the range, and its `found` is set. Ask
	// again.
	output reg ended,
	output reg [INDEX_BITS-1:0] out_index, // set by find, watch, next
	output reg [PA_BITS-1:6] out_pa,       // next: the line
	output reg [`VIRT_SINCE_BITS-1:0] out_since, // set by distrust, next, mark
	output reg out_found,                  // mark: after it was set
	output reg unfinished,                 // `next` may find a line
	output reg root_found,                 // the root's `found`

	input wire [63:0] word,                // a table entry
	input wire [11:3] word_index,          // its index in the table
	output wire entry_kept,                // a core may keep it, and it is in the range
	output wire entry_table,               // it names a table; else it is a mapping
	output wire [VA_BITS-1:12] entry_va,
	output wire [PA_BITS-1:12] entry_pa,
	output wire [1:0] entry_level,         // level of the mapping, or of the table
	output wire entry_shared
);
	localparam ROWS = TABLES / BANKS;
	localparam ROW_BITS = $clog2(ROWS);
	localparam BANK_BITS = $clog2(BANKS);
	localparam P = PA_BITS - 12, V = VA_BITS - 21, S = `VIRT_SINCE_BITS;
	localparam [1:0] LAST_LEVEL = `VIRT_LAST_LEVEL;
	localparam [INDEX_BITS-1:0] LAST = {INDEX_BITS{1'b1}};

	generate
		if (ROWS < 2 || BANKS < 2 || ROWS * BANKS != TABLES || (1 << ROW_BITS) != ROWS ||
				(1 << BANK_BITS) != BANKS || (1 << INDEX_BITS) != TABLES ||
				VA_BITS != 48 || PA_BITS < 32 || PA_BITS > 47) begin : g_bad
			nfacc_error_parameter_out_of_range e ();
		end
	endgenerate

	localparam [2:0] IDLE = 0, SEARCH = 1, LOOK = 2, FREE = 3, WALK = 4, SWEEP = 5;
	reg [2:0] state;
	reg [INDEX_BITS-1:0] i;  // number of the current table; its highest bits are the row
	reg boot;                // the sweep is because of a reset
	wire [ROW_BITS-1:0] row = i[INDEX_BITS-1 -: ROW_BITS];
	wire [BANK_BITS-1:0] bank = i[BANK_BITS-1:0];
	wire [BANKS-1:0] mine = {{BANKS-1{1'b0}}, 1'b1} << bank;
	wire at_root = i == {INDEX_BITS{1'b0}};

	// ---- memories ----
	reg [2*BANKS-1:0] flags [0:ROWS-1]; // tables of a row: {has lines left to clean, used}
	wire [BANKS-1:0] open, used;
	assign {open, used} = flags[row];

	(* ram_style = "distributed" *)
	reg [P+V+1:0] place [0:TABLES-1];
	wire [P-1:0] at_pa;
	wire [V-1:0] at_va;
	wire [1:0] at_level;
	assign {at_pa, at_va, at_level} = place[i];

	(* ram_style = "distributed" *)
	reg [S+6:0] lines [0:TABLES-1];
	wire [5:0] at_line;
	wire line_found;
	wire at_found = at_root ? root_found : line_found;
	wire [S-1:0] at_since;
	assign {at_line, line_found, at_since} = lines[i];

	wire puts = state == FREE & watch & (|pick); // a watermark is stored
	wire puts_root = state == SWEEP & init;
	wire [INDEX_BITS-1:0] put_at = puts_root ? {INDEX_BITS{1'b0}} : {row, picked};
	wire [P-1:0] frame = pa[PA_BITS-1:12];
	wire [BANKS-1:0] same; // the tables of the row that have the frame
	genvar b;
	generate
		for (b = 0; b < BANKS; b = b + 1) begin : g_bank
			localparam [BANK_BITS-1:0] THIS = b;
			(* ram_style = "distributed" *)
			reg [P-1:0] frames [0:ROWS-1];
			always @(posedge clk)
				if ((puts | puts_root) & put_at[BANK_BITS-1:0] == THIS)
					frames[put_at[INDEX_BITS-1 -: ROW_BITS]] <= frame;
			assign same[b] = frames[row] == frame;
		end
	endgenerate

	// Picks the first suitable table of a row. A search needs one with the frame; `next` needs
	// one with lines left; then `watch` needs a free one. `watch` never picks the root.
	wire [BANKS-1:0] root_bit = {{BANKS-1{1'b0}}, watch & row == {ROW_BITS{1'b0}}};
	wire [BANKS-1:0] pick = state == FREE ? ~used : used & ~root_bit & (next ? open : same);
	reg [BANK_BITS-1:0] picked;
	integer k;
	always @* begin
		picked = {BANK_BITS{1'b0}};
		for (k = BANKS - 1; k >= 0; k = k - 1)
			if (pick[k])
				picked = k[BANK_BITS-1:0];
	end

	// ---- addresses ----
	reg [1:0] read_level;    // level of the table of the last find
	reg [V-1:0] read_va;

	// between(): an address made of three parts: the bits that a table translates, the bits
	// above them, and the bits below. `low` is the first byte that an entry or a line
	// translates, and `high` is the last byte. They are in the range if `low` is before the end
	// and `high` is not before the start.
	function [VA_BITS-1:0] between(input [1:0] of, input [V-1:0] above, input [8:0] number,
				       input below);
		case (of)
		2'd3: between = {above, number, {12{below}}};
		2'd2: between = {above[V-1:9], number, {21{below}}};
		2'd1: between = {above[V-1:18], number, {30{below}}};
		default: between = {number, {39{below}}};
		endcase
	endfunction
	wire idle = state == IDLE;
	wire [5:0] line = next ? at_line : pa[11:6];
	wire [1:0] of = idle ? read_level : at_level;
	wire [V-1:0] above = idle ? read_va : at_va;
	wire [VA_BITS-1:0] low = between(of, above, idle ? word_index : {line, 3'd0}, 1'b0);
	wire [VA_BITS-1:0] high = between(of, above, idle ? word_index : {line, 3'd7}, 1'b1);
	wire in_range = {1'b0, low} < range_end & high >= range_start;

	// Whether the table translates the address `va`. Not used for a root of level 0.
	wire on_way = at_va[V-1:18] == va[VA_BITS-1:39] &
		(at_va[17:9] == va[38:30] | ~at_level[1]) &
		(at_va[8:0] == va[29:21] | at_level != LAST_LEVEL);

	// ---- entries ----
	wire last = read_level == LAST_LEVEL;
	wire names = word[`VIRT_PTE_TABLE]; // it names a table; in the last level: a page
	wire sized = word[47:PA_BITS] == {48-PA_BITS{1'b0}}; // if not, a core faults
	assign entry_table = ~last & names;
	assign entry_kept = word[`VIRT_PTE_VALID] & sized & in_range &
		(entry_table | word[`VIRT_PTE_ACCESSED] & (last ? names : read_level != 2'd0));
	assign entry_va = low[VA_BITS-1:12];
	assign entry_pa = {word[PA_BITS-1:30],
		word[29:21] & {9{entry_table | read_level != 2'd1}},
		word[20:12] & {9{entry_table | last}}};
	assign entry_level = read_level + {1'b0, entry_table};
	assign entry_shared = word[`VIRT_PTE_SHARED];
	wire unused_word = ^{word[63:48], word[11], word[9:2]};

	// ---- steps ----
	wire asked = find | watch | drop | clear | init | restart | distrust | next | mark;
	wire taken = at_line == 6'd63; // `next` takes the last line of the table
	reg [2*BANKS-1:0] new_flags;
	reg flag;
	reg [S+6:0] new_lines;
	reg [INDEX_BITS-1:0] lines_at;
	reg put_lines;
	always @* begin
		flag = 1'b0;
		new_flags = {open, used};
		put_lines = 1'b0;
		lines_at = i;
		new_lines = {at_line, 1'b1, at_since};
		case (state)
		LOOK: begin
			if (watch) begin // the frame is now used for another table
				flag = ~(at_va == va & at_level == level);
				new_flags[BANKS-1:0] = used & ~mine;
			end
			if (next) begin
				flag = taken;
				new_flags[2*BANKS-1:BANKS] = open & ~mine;
				put_lines = 1'b1;
				new_lines = {at_line + 6'd1, at_found, at_since};
			end
			if (mark)
				put_lines = found;
		end
		FREE: begin
			flag = |pick;
			new_flags[{1'b0, picked}] = 1'b1;
			new_flags[{1'b1, picked}] = ~skip;
			put_lines = flag;
			lines_at = {row, picked};
			new_lines = {7'd0, since};
		end
		WALK: begin
			flag = drop & used[bank] & ~at_root & on_way;
			new_flags[BANKS-1:0] = used & ~mine;
			put_lines = ~drop & used[bank] & open[bank];
		end
		SWEEP: begin
			flag = 1'b1;
			new_flags[BANKS-1:0] = {BANKS{1'b0}};
			if (row == {ROW_BITS{1'b0}}) begin
				new_flags[0] = ~boot;
				new_flags[BANKS] = restart | (open[0] & ~init);
			end
			put_lines = (init | restart) & at_root;
			new_lines = {6'd0, restart, restart ? since : {S{1'b0}}};
		end
		default: ;
		endcase
	end

	always @(posedge clk) begin
		done <= 1'b0;
		if (flag)
			flags[row] <= new_flags;
		if (put_lines)
			lines[lines_at] <= new_lines;
		if (put_lines & lines_at == {INDEX_BITS{1'b0}})
			root_found <= new_lines[S];
		if (puts | puts_root)
			place[put_at] <= {frame, puts_root ? {V{1'b0}} : va, level};
		case (state)
		IDLE: begin
			i <= mark ? index : {INDEX_BITS{1'b0}};
			if (asked & ~done) begin
				hit <= 1'b0;
				ended <= 1'b0;
				out_since <= since;
				state <= find | watch | next ? SEARCH : mark ? LOOK :
					drop | distrust ? WALK : SWEEP;
			end
		end
		SEARCH: begin
			i <= {row, picked};
			if (|pick) begin
				state <= LOOK;
			end else if (&row) begin
				i <= {INDEX_BITS{1'b0}};
				done <= ~watch;
				state <= watch ? FREE : IDLE;
				unfinished <= unfinished & ~next;
				if (next)
					root_found <= 1'b0; // the set-up has found all tables
			end else begin
				i <= {row + {{ROW_BITS-1{1'b0}}, 1'b1}, {BANK_BITS{1'b0}}};
			end
		end
		LOOK: begin
			done <= 1'b1;
			state <= IDLE;
			out_index <= i;
			out_pa <= {at_pa, at_line};
			out_since <= at_since;
			out_found <= at_found | found;
			if (find) begin
				read_level <= at_level;
				read_va <= at_va;
			end
			hit <= mark ? ~open[bank] : watch | in_range;
			ended <= next & ~in_range;
			if (next & ~in_range & ~taken) begin
				done <= 1'b0;
				state <= LOOK;
			end else if (watch & flag | next & ~in_range & ~at_found) begin
				done <= 1'b0;
				ended <= 1'b0;
				i <= {INDEX_BITS{1'b0}};
				state <= watch ? FREE : SEARCH;
			end
		end
		FREE: begin
			i <= {row + {{ROW_BITS-1{1'b0}}, 1'b1}, {BANK_BITS{1'b0}}};
			out_index <= {row, picked};
			hit <= |pick;
			unfinished <= unfinished | |pick;
			if (|pick | &row) begin
				done <= 1'b1;
				state <= IDLE;
			end
		end
		WALK: begin
			i <= i + {{INDEX_BITS-1{1'b0}}, 1'b1};
			hit <= hit | flag;
			if (put_lines & at_since < out_since)
				out_since <= at_since;
			if (i == LAST) begin
				done <= 1'b1;
				state <= IDLE;
			end
		end
		default: begin // SWEEP
			i <= {row + {{ROW_BITS-1{1'b0}}, 1'b1}, {BANK_BITS{1'b0}}};
			unfinished <= restart | (unfinished & ~init);
			if (&row) begin
				done <= ~boot;
				boot <= 1'b0;
				state <= IDLE;
			end
		end
		endcase
		if (rst) begin
			i <= {INDEX_BITS{1'b0}};
			done <= 1'b0;
			boot <= 1'b1;
			unfinished <= 1'b0;
			root_found <= 1'b0;
			state <= SWEEP;
		end
	end
endmodule
`default_nettype wire
