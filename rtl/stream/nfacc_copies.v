// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// nfacc_copies: finds the copy of the NFA that a message is for, where an overlay has several
// ranges of substreams, or substreams for the values of a field. A message that has the key is for
// the copy of its key's value. A range has the copies of some values in a row, and the copies of
// all ranges are numbered one after the other. The difference of key and first value takes one
// cycle, and moving its bits another one. In the third the difference is compared with the number of
// values.
//
// The key is not moved to bit 0 first, because a shifter of a whole header would be the most of
// this module. It is subtracted where it stands, and only the low bits of the difference are moved:
//
//	header        ....kkkkkk....    & mask
//	first value   ....ffffff....    shifted once, for all slots
//	difference    0000000nnn0000    `high` are the bits that must be 0, nnn is in the range
`default_nettype none
`include "nfacc_contract.vh"

module nfacc_copies #(
	parameter SLOTS = 1,       // 1..64: messages of a batch
	parameter HEADER_BITS = 8, // 1..64: bits of a header
	parameter OP_LSB = 0,      // the lowest bit of the opcode in a header
	parameter OP_BITS = 8,     // 1..8: bits of an opcode
	parameter ADDR_LSB = 0,    // the lowest bit of the cache line's number in a header
	parameter ADDR_BITS = 0,   // 0..56: bits of that number; 0: the protocol has no addresses
	parameter LINES = 2,       // 1..: lines of the overlay, which are its copies
	parameter LINE_BITS = 1,   // bits of a copy's number
	// Bit slot << OP_BITS | opcode: messages with this opcode in this slot have an address.
	parameter [(SLOTS<<OP_BITS)-1:0] HAS_ADDR = 0,
	parameter KEYS = 0,        // what the key may be: `NFACC_KEYS_*
	parameter KEY_RANGES = 2,  // 1..: ranges; at least 2 if the key is that of a line
	// Configuration words of the elements copies and keyed; 0: the overlay does not have them.
	parameter COPIES_WORDS = 3,
	parameter KEYED_WORDS = 0,
	parameter STATE = 0,       // where the states of copies are: `NFACC_STATE_*
	parameter DATA = 32,       // 32 or 64: bits of a configuration word
	parameter XILINX = 0       // 0: portable Verilog, 1: primitive CFGLUT5
) (
	input wire clk,
	// The configuration changes only while no batch is inside, and not in the cycle before one.
	input wire [63:0] base,    // the first value of the first range
	input wire [63:0] count,   // the number of values in the first range, at most LINES
	// Bit `id`: cfg_data is a word for element `id`.
	input wire [`NFACC_DEVICE_IDS] cfg_shift,
	input wire [DATA-1:0] cfg_data,
	input wire [SLOTS*HEADER_BITS-1:0] header,
	// Two cycles after the headers: the message in the slot has a key of a range, and the number
	// of its copy.
	output wire [SLOTS-1:0] seen,
	output wire [SLOTS-1:0] has_key, // the message has the key, in a range or not
	output wire [SLOTS*LINE_BITS-1:0] line,
	output wire [LINES-1:0] used, // the ranges have the copy; 0 with the states in memory
	output reg [LINE_BITS:0] copies // how many copies the ranges have: those below this number
);
	localparam [0:0] FIELD = KEYS == `NFACC_KEYS_YES;
	localparam COUNT_BITS = LINE_BITS + 1;
	localparam RANGE_BITS = 64 + COUNT_BITS + LINE_BITS;
	localparam PLACE_BITS = FIELD ? 12 : 0;
	localparam BITS = PLACE_BITS + (KEY_RANGES - 1) * RANGE_BITS; // of element copies
	localparam TABLES = ((1 << OP_BITS) + 31) / 32; // tables of a slot in element keyed
	// The bits of a value before it is moved, at least one; and those of a difference, of which
	// the highest is the borrow.
	localparam VALUE_BITS = FIELD ? HEADER_BITS : ADDR_BITS > 0 ? ADDR_BITS : 1;
	localparam DIFF_BITS = (VALUE_BITS > COUNT_BITS ? VALUE_BITS : COUNT_BITS) + 1;
	localparam [DIFF_BITS-1:0] LOW = {DIFF_BITS{1'b1}} >> (DIFF_BITS - COUNT_BITS);
	localparam [DIFF_BITS-1:0] BORROW = {1'b1, {DIFF_BITS-1{1'b0}}};

	wire [BITS-1:0] settings;
	wire unused_copies = &{1'b0, cfg_shift, cfg_data, count, header};
	nfacc_chain #(.BITS(BITS), .WORDS(COPIES_WORDS), .DATA(DATA)) links (
		.clk(clk), .shift(cfg_shift[`NFACC_EL_COPIES]), .data(cfg_data), .value(settings)
	);

	// The place of the key in a header.
	wire [5:0] lsb, last;      // its lowest bit, and its number of bits less one
	reg [VALUE_BITS-1:0] mask; // its bits
	reg [DIFF_BITS-1:0] high;  // the bits of a difference that are 0 in every range
	generate
		if (FIELD) begin : g_place
			assign {last, lsb} = settings[11:0];
			always @(posedge clk) begin
				mask <= ~({VALUE_BITS{1'b1}} << last << 1) << lsb;
				high <= ~(LOW << lsb) | BORROW;
			end
		end else begin : g_address
			assign lsb = 6'd0;
			assign last = ADDR_BITS > 0 ? ADDR_BITS - 1 : 0;
			always @* begin
				mask = {VALUE_BITS{1'b1}};
				high = ~LOW;
			end
		end
	endgenerate

	// The ranges.
	reg [KEY_RANGES*VALUE_BITS-1:0] first; // the first value, where the key stands
	reg [KEY_RANGES-1:0] fits;             // a key can have the first value
	wire [KEY_RANGES*64-1:0] values;       // the first value
	wire [KEY_RANGES*COUNT_BITS-1:0] counts;
	wire [KEY_RANGES*LINE_BITS-1:0] numbers; // the number of the first copy
	genvar r, i;
	generate
		if (!`NFACC_GOOD_KEY_RANGES || !`NFACC_GOOD_KEYS || (KEY_RANGES == 1 && !FIELD)) begin : g_bad
			nfacc_error_copies e ();
		end
		assign values[63:0] = base;
		assign counts[COUNT_BITS-1:0] = count[COUNT_BITS-1:0];
		assign numbers[LINE_BITS-1:0] = {LINE_BITS{1'b0}};
		for (r = 1; r < KEY_RANGES; r = r + 1) begin : g_more
			assign {numbers[r*LINE_BITS +: LINE_BITS],
				counts[r*COUNT_BITS +: COUNT_BITS], values[r*64 +: 64]} =
				settings[PLACE_BITS+(r-1)*RANGE_BITS +: RANGE_BITS];
		end
		for (r = 0; r < KEY_RANGES; r = r + 1) begin : g_range
			wire [63:0] value = values[r*64 +: 64];
			wire [63:0] moved = value << lsb;
			wire unused_moved = ^moved;
			always @(posedge clk) begin
				first[r*VALUE_BITS +: VALUE_BITS] <= moved[VALUE_BITS-1:0];
				fits[r] <= (value >> last >> 1) == 64'd0;
			end
		end
	endgenerate

	// Which copies the ranges have. Copies are numbered without a gap.
	reg [LINE_BITS:0] more; // copies of the ranges after the first
	integer m;
	always @* begin
		more = {COUNT_BITS{1'b0}};
		for (m = 1; m < KEY_RANGES; m = m + 1)
			more = more + counts[m*COUNT_BITS +: COUNT_BITS];
	end
	always @(posedge clk)
		copies <= more + counts[COUNT_BITS-1:0];
	genvar j;
	generate
		if (STATE == `NFACC_STATE_MEMORY) begin : g_all_below
			assign used = {LINES{1'b0}};
		end else begin : g_each
			reg [LINES-1:0] each;
			assign used = each;
			for (j = 0; j < LINES; j = j + 1) begin : g_copy
				localparam [COUNT_BITS-1:0] THIS = j;
				wire [KEY_RANGES-1:0] of;
				for (r = 0; r < KEY_RANGES; r = r + 1) begin : g_range
					wire [COUNT_BITS-1:0] begins =
						{1'b0, numbers[r*LINE_BITS +: LINE_BITS]};
					assign of[r] = begins <= THIS &&
						THIS - begins < counts[r*COUNT_BITS +: COUNT_BITS];
				end
				always @(posedge clk)
					each[j] <= |of;
			end
		end
	endgenerate

	// Which messages have the key.
	wire [SLOTS-1:0] has;
	wire [SLOTS*TABLES*5-1:0] index;
	wire [SLOTS*TABLES-1:0] keyed;
	generate
		if (FIELD) begin : g_keyed
			nfacc_tables #(
				.TABLES(SLOTS*TABLES), .WORDS(KEYED_WORDS), .DATA(DATA),
				.XILINX(XILINX)
			) bits (
				.clk(clk), .shift(cfg_shift[`NFACC_EL_KEYED]), .data(cfg_data),
				.index(index), .out(keyed)
			);
		end else begin : g_fixed
			assign keyed = {SLOTS*TABLES{1'b0}};
			wire unused_index = &{1'b0, index, keyed};
		end
		for (i = 0; i < SLOTS; i = i + 1) begin : g_slot
			localparam [(1<<OP_BITS)-1:0] WITH = HAS_ADDR[i<<OP_BITS +: 1<<OP_BITS];
			wire [HEADER_BITS-1:0] head = header[i*HEADER_BITS +: HEADER_BITS];
			wire [OP_BITS-1:0] opcode = head[OP_LSB +: OP_BITS];
			wire [12:0] wide = {{13-OP_BITS{1'b0}}, opcode};
			wire unused_wide = ^wide;
			assign index[i*TABLES*5 +: TABLES*5] = {TABLES{wide[4:0]}};
			wire [VALUE_BITS-1:0] value;
			if (FIELD) begin : g_field
				wire [TABLES-1:0] mine = keyed[i*TABLES +: TABLES];
				if (TABLES > 1) begin : g_many
					assign has[i] = mine[opcode[OP_BITS-1:5]];
				end else begin : g_one
					assign has[i] = mine[0];
				end
				assign value = head & mask;
			end else if (ADDR_BITS > 0) begin : g_address
				assign has[i] = WITH[opcode];
				assign value = head[ADDR_LSB +: ADDR_BITS];
			end else begin : g_none
				assign has[i] = 1'b0;
				assign value = 1'b0;
			end

			reg has_q, has_2;
			wire [KEY_RANGES-1:0] hit;
			wire [KEY_RANGES*LINE_BITS-1:0] copy; // the copy's number, or 0
			always @(posedge clk) begin
				has_q <= has[i];
				has_2 <= has_q;
			end
			assign has_key[i] = has_2;
			assign seen[i] = has_2 & |hit;
			for (r = 0; r < KEY_RANGES; r = r + 1) begin : g_range
				reg [DIFF_BITS-1:0] diff;
				reg [COUNT_BITS-1:0] low;
				reg near; // the difference has no bits but those of `low`
				wire [DIFF_BITS-1:0] moved = diff >> lsb;
				wire unused_moved = ^moved;
				always @(posedge clk) begin
					diff <= {{DIFF_BITS-VALUE_BITS{1'b0}}, value} -
						{{DIFF_BITS-VALUE_BITS{1'b0}},
						first[r*VALUE_BITS +: VALUE_BITS]};
					near <= fits[r] & ((diff & high) == {DIFF_BITS{1'b0}});
					low <= moved[COUNT_BITS-1:0];
				end
				assign hit[r] = near & (low < counts[r*COUNT_BITS +: COUNT_BITS]);
				assign copy[r*LINE_BITS +: LINE_BITS] = {LINE_BITS{hit[r]}} &
					(low[LINE_BITS-1:0] + numbers[r*LINE_BITS +: LINE_BITS]);
			end
			reg [LINE_BITS-1:0] any;
			integer k;
			always @* begin
				any = {LINE_BITS{1'b0}};
				for (k = 0; k < KEY_RANGES; k = k + 1)
					any = any | copy[k*LINE_BITS +: LINE_BITS];
			end
			assign line[i*LINE_BITS +: LINE_BITS] = any;
		end
	endgenerate

`ifdef FORMAL
	// A message of an arbitrary slot is seen if it has the key and the key's value is in one of
	// the ranges. Its copy is as far behind the first copy of the range as the value is behind
	// the first value. nfacc_chain and nfacc_lut5 are proved by themselves.
	(* anyconst *) reg [5:0] f_slot;
	reg [2:0] f_past = 3'd0;
	wire [HEADER_BITS-1:0] f_head = header[f_slot*HEADER_BITS +: HEADER_BITS];
	wire [63:0] f_value = FIELD ? (f_head >> lsb) & ~(~64'd0 << last << 1) :
		f_head[ADDR_LSB +: (ADDR_BITS > 0 ? ADDR_BITS : 1)];
	reg [63:0] f_value_q, f_value_2;
	reg f_has_q, f_has_2;
	reg f_seen;
	reg [LINE_BITS-1:0] f_line;
	integer f;
	always @* begin
		f_seen = 1'b0;
		f_line = {LINE_BITS{1'b0}};
		for (f = KEY_RANGES - 1; f >= 0; f = f - 1)
			if (f_has_2 && f_value_2 >= values[f*64 +: 64] &&
					f_value_2 - values[f*64 +: 64] <
					counts[f*COUNT_BITS +: COUNT_BITS]) begin
				assume (!f_seen); // no two ranges have a value in common
				f_seen = 1'b1;
				f_line = f_value_2 - values[f*64 +: 64] +
					numbers[f*LINE_BITS +: LINE_BITS];
			end
	end
	always @(posedge clk) begin
		f_past <= {f_past[1:0], 1'b1};
		f_value_q <= f_value;
		f_value_2 <= f_value_q;
		f_has_q <= has[f_slot];
		f_has_2 <= f_has_q;
		assume (f_slot < SLOTS && count <= 1 << LINE_BITS);
		assume (!FIELD || lsb + last < HEADER_BITS);
		for (f = 0; f < KEY_RANGES; f = f + 1)
			assume (counts[f*COUNT_BITS +: COUNT_BITS] <= 1 << LINE_BITS);
		if (f_past[0])
			assume ($stable(settings) && $stable(base) && $stable(count));
		if (f_past[2]) begin
			assert (seen[f_slot] == f_seen);
			if (f_seen)
				assert (line[f_slot*LINE_BITS +: LINE_BITS] == f_line);
		end
	end
`endif
endmodule
`default_nettype wire
