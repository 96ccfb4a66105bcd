// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// nfacc_reduce: extracts from a batch what the NFA needs: the messages that it sees, with their
// opcodes and lines (T 3.3.1). The header has the number of a cache line. The message's line is
// that number minus `base`, and the NFA sees the message if the line is below `count`. The
// subtraction takes one cycle, the comparison another. Where an overlay has several ranges, or keys
// other than lines, nfacc_copies does this instead, in three cycles.
`default_nettype none
`include "nfacc_contract.vh"

module nfacc_reduce #(
	parameter SLOTS = 1,       // 1 .. 64: messages of a batch
	parameter HEADER_BITS = 8, // 1 .. 64: bits of a header
	parameter OP_LSB = 0,      // the lowest bit of the opcode in a header
	parameter OP_BITS = 8,     // 1 .. 8: bits of an opcode
	parameter ADDR_LSB = 0,    // the lowest bit of the cache line's number in a header
	parameter ADDR_BITS = 0,   // 0 .. 56: bits of that number; 0: the protocol has no addresses
	parameter LINES = 2,       // 1..: lines of the overlay
	parameter LINE_BITS = 1,   // bits of an observed line's number
	// Bit slot << OP_BITS | opcode: messages with this opcode in this slot have an address.
	parameter [(SLOTS<<OP_BITS)-1:0] HAS_ADDR = 0,
	// Bit slot << OP_BITS | opcode: messages with this opcode in this slot are for every line.
	parameter [(SLOTS<<OP_BITS)-1:0] IS_BROADCAST = 0,
	parameter KEYS = 0,        // what substreams are for: `NFACC_KEYS_*
	parameter KEY_RANGES = 1,  // 1..: ranges of substreams
	parameter STATE = 0,       // where the states of lines are: `NFACC_STATE_*
	// Configuration words of the elements copies and keyed; 0: the overlay does not have them.
	parameter COPIES_WORDS = 0,
	parameter KEYED_WORDS = 0,
	parameter DATA = 32,       // 32 or 64: bits of a configuration word
	parameter XILINX = 0       // 0: portable Verilog, 1: primitive CFGLUT5
) (
	input wire clk,
	input wire rst,
	// These registers change only while no batch is inside, and none comes in the next cycle.
	// 1: the NFA sees the messages of observed lines. 0: it sees every message, all in line 0.
	input wire by_line,
	input wire [63:0] base,    // the first cache line that is observed
	input wire [63:0] count,   // the number of lines observed, at most LINES
	// Bit `id`: cfg_data is a word for element `id`.
	input wire [`NFACC_DEVICE_IDS] cfg_shift,
	input wire [DATA-1:0] cfg_data,
	input wire in_valid,
	input wire in_restart_before, // a restart goes before this batch; it is passed on with it
	input wire [SLOTS-1:0] in_mask,
	input wire [SLOTS*HEADER_BITS-1:0] in_header,
	output reg out_valid,
	output reg out_restart_before,
	output reg [SLOTS-1:0] out_present,
	output wire [SLOTS-1:0] next_absent, // in the next cycle out_present will not have the slot
	output reg [SLOTS*OP_BITS-1:0] out_opcode,
	output reg [SLOTS*LINE_BITS-1:0] out_line,
	output wire [SLOTS-1:0] out_keyed, // with keys of fields: the message has the key itself
	output reg [SLOTS-1:0] out_every, // the message in the slot is for every line
	// The lines that are observed; without by_line that is line 0. With the states in memory: 0.
	output wire [LINES-1:0] used,
	output reg [LINE_BITS:0] observed, // how many lines that are: those below this number
	output wire busy           // a batch is inside
);
	// If base is above every number that an address can have, no message is seen.
	wire [64:0] base_line = {1'b0, base};
	reg base_fits;
	always @(posedge clk)
		base_fits <= (base >> ADDR_BITS) == 64'd0;
	wire unused_reduce = &{1'b0, base_line, base_fits, count, in_header};
	localparam [0:0] COPIES = KEYS == `NFACC_KEYS_YES || KEY_RANGES > 1;
	localparam BEFORE = COPIES ? 2 : 1; // cycles before the last one
	reg [BEFORE-1:0] valid, restart_before; // bit k: of the batch that came k + 1 cycles ago
	wire [BEFORE:0] valid_at = {valid, in_valid};
	wire [BEFORE:0] restart_before_at = {restart_before, in_restart_before};

	always @(posedge clk) begin
		{out_restart_before, restart_before} <= restart_before_at;
		{out_valid, valid} <= valid_at & {BEFORE+1{~rst}};
	end
	assign busy = (|valid) | out_valid;

	wire [SLOTS-1:0] copy_seen, copy_keyed;
	wire [SLOTS*LINE_BITS-1:0] copy;
	localparam [LINES-1:0] ONE_LINE = 1;
	wire [LINES-1:0] copies_used;
	wire [LINE_BITS:0] copies;
	always @(posedge clk)
		observed <= by_line ? copies : {{LINE_BITS{1'b0}}, 1'b1};
	genvar i;
	generate
		if (COPIES) begin : g_copies
			reg [SLOTS-1:0] keyed;
			always @(posedge clk)
				keyed <= copy_keyed;
			assign out_keyed = keyed;
			nfacc_copies #(
				.SLOTS(SLOTS), .HEADER_BITS(HEADER_BITS), .OP_LSB(OP_LSB),
				.OP_BITS(OP_BITS), .ADDR_LSB(ADDR_LSB), .ADDR_BITS(ADDR_BITS),
				.LINES(LINES), .LINE_BITS(LINE_BITS), .HAS_ADDR(HAS_ADDR),
				.KEYS(KEYS), .STATE(STATE),
				.KEY_RANGES(KEY_RANGES), .COPIES_WORDS(COPIES_WORDS),
				.KEYED_WORDS(KEYED_WORDS), .DATA(DATA), .XILINX(XILINX)
			) finder (
				.clk(clk), .base(base), .count(count), .cfg_shift(cfg_shift),
				.cfg_data(cfg_data), .header(in_header), .seen(copy_seen),
				.has_key(copy_keyed), .line(copy), .used(copies_used), .copies(copies));
			if (STATE == `NFACC_STATE_MEMORY) begin : g_all_below
				wire unused_used = &{1'b0, copies_used};
				assign used = {LINES{1'b0}};
			end else begin : g_each
				reg [LINES-1:0] each;
				assign used = each;
				always @(posedge clk)
					each <= by_line ? copies_used : ONE_LINE;
			end
		end else begin : g_one_range
			assign copy_seen = {SLOTS{1'b0}};
			assign copy_keyed = {SLOTS{1'b0}};
			assign out_keyed = {SLOTS{1'b0}};
			assign copy = {SLOTS*LINE_BITS{1'b0}};
			assign copies_used = {LINES{1'b0}};
			assign copies = count[LINE_BITS:0];
			wire unused_copies =
				&{1'b0, copy_seen, copy_keyed, copy, copies_used, cfg_shift, cfg_data};
			if (STATE == `NFACC_STATE_MEMORY) begin : g_all_below
				assign used = {LINES{1'b0}};
			end else begin : g_each
				reg [LINES-1:0] each;
				assign used = each;
				for (i = 0; i < LINES; i = i + 1) begin : g_used
					localparam [LINE_BITS:0] THIS = i;
					always @(posedge clk)
						each[i] <= by_line ? THIS < count[LINE_BITS:0] : ONE_LINE[i];
				end
			end
		end
		for (i = 0; i < SLOTS; i = i + 1) begin : g_slot
			wire [OP_BITS-1:0] opcode = in_header[i*HEADER_BITS+OP_LSB +: OP_BITS];
			localparam [(1<<OP_BITS)-1:0] FOR_ALL =
				IS_BROADCAST[i<<OP_BITS +: 1<<OP_BITS];
			reg mask_q, every_q;
			reg [OP_BITS-1:0] opcode_q;
			wire mask, every; // a cycle before the last one
			wire [OP_BITS-1:0] opcode_last;
			always @(posedge clk) begin
				mask_q <= in_mask[i];
				every_q <= FOR_ALL[opcode];
				opcode_q <= opcode;
				out_every[i] <= mask & every & by_line;
				out_opcode[i*OP_BITS +: OP_BITS] <= opcode_last;
			end
			if (COPIES) begin : g_later
				reg mask_2, every_2;
				reg [OP_BITS-1:0] opcode_2;
				always @(posedge clk)
					{mask_2, every_2, opcode_2} <= {mask_q, every_q, opcode_q};
				assign {mask, every, opcode_last} = {mask_2, every_2, opcode_2};
			end else begin : g_at_once
				assign {mask, every, opcode_last} = {mask_q, every_q, opcode_q};
			end
			if (COPIES) begin : g_copy
				assign next_absent[i] = ~mask | (by_line & ~copy_seen[i] & ~every);
				always @(posedge clk) begin
					out_present[i] <= mask & (copy_seen[i] | every | ~by_line);
					out_line[i*LINE_BITS +: LINE_BITS] <=
						copy[i*LINE_BITS +: LINE_BITS] &
						{LINE_BITS{by_line}};
				end
			end else if (ADDR_BITS == 0) begin : g_none
				assign next_absent[i] = ~mask | (by_line & ~every);
				always @(posedge clk) begin
					out_present[i] <= mask & (every | ~by_line);
					out_line[i*LINE_BITS +: LINE_BITS] <= {LINE_BITS{1'b0}};
				end
			end else begin : g_line
				localparam [(1<<OP_BITS)-1:0] WITH =
					HAS_ADDR[i<<OP_BITS +: 1<<OP_BITS];
				// BITS is enough for an address and for a number of lines.
				// The top bit of `diff` is the borrow of the subtraction. As
				// `count` is at most 2^LINE_BITS, few bits are compared.
				localparam BITS =
					(ADDR_BITS > LINE_BITS ? ADDR_BITS : LINE_BITS) + 1;
				wire [BITS-1:0] line =
					{{(BITS-ADDR_BITS){1'b0}},
					in_header[i*HEADER_BITS+ADDR_LSB +: ADDR_BITS]};
				reg [BITS-1:0] diff;
				reg has;
				wire low = (diff >> LINE_BITS) == {BITS{1'b0}};
				wire seen = has & low &
					({1'b0, diff[LINE_BITS-1:0]} < count[LINE_BITS:0]);
				assign next_absent[i] = ~mask | (by_line & ~seen & ~every);
				always @(posedge clk) begin
					diff <= line - base_line[BITS-1:0];
					has <= WITH[opcode] & base_fits;
					out_present[i] <= mask & (seen | every | ~by_line);
					out_line[i*LINE_BITS +: LINE_BITS] <=
						by_line ? diff[LINE_BITS-1:0] : {LINE_BITS{1'b0}};
				end
			end
		end
	endgenerate

`ifdef FORMAL
	// Two cycles after a batch come those of its messages that the NFA sees, with their opcodes
	// and lines, and the mark of a restart.
	reg [1:0] f_past = 2'd0;
	wire [SLOTS-1:0] f_seen;
	wire [SLOTS*LINE_BITS-1:0] f_line;
	wire [SLOTS*OP_BITS-1:0] f_opcode;
	wire [SLOTS-1:0] f_every; // for every line: the line's number does not matter
	generate
		for (i = 0; i < SLOTS; i = i + 1) begin : g_f_slot
			wire [OP_BITS-1:0] f_op = in_header[i*HEADER_BITS+OP_LSB +: OP_BITS];
			assign f_opcode[i*OP_BITS +: OP_BITS] = f_op;
			assign f_every[i] = in_mask[i] && by_line && IS_BROADCAST[(i << OP_BITS) + f_op];
			if (ADDR_BITS == 0) begin : g_none
				assign f_seen[i] = in_mask[i] && (!by_line || f_every[i]);
				assign f_line[i*LINE_BITS +: LINE_BITS] = 0;
			end else begin : g_line
				wire [63:0] f_address =
					in_header[i*HEADER_BITS+ADDR_LSB +: ADDR_BITS];
				wire [63:0] f_number = f_address - base;
				assign f_seen[i] = in_mask[i] && (!by_line || f_every[i] ||
					(HAS_ADDR[(i << OP_BITS) + f_op] && f_address >= base &&
					f_number < count));
				assign f_line[i*LINE_BITS +: LINE_BITS] = by_line ? f_number : 0;
			end
		end
	endgenerate
	always @(posedge clk) begin
		f_past <= {f_past[0], 1'b1};
		if (!f_past[0]) assume (rst);
		assume (count <= 1 << LINE_BITS);
		if (f_past[0] && (busy || in_valid))
			assume ($stable(by_line) && $stable(base) && $stable(count));
		if (f_past[1])
			assert (out_present == ~$past(next_absent));
		if (f_past[0])
			assert (busy == ($past(in_valid && !rst) || out_valid));
		if (f_past[1]) begin
			assert (out_valid == ($past(in_valid && !rst, 2) && !$past(rst)));
			if (out_valid)
				assert (out_present == $past(f_seen, 2) &&
					out_opcode == $past(f_opcode, 2) &&
					out_every == $past(f_every, 2) &&
					out_line == $past(f_line, 2) &&
					out_restart_before == $past(in_restart_before, 2));
		end
	end
`endif
endmodule
`default_nettype wire
