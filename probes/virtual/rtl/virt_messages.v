// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// virt_messages: makes a message for nfacc_engine from each annotated snoop. The messages are those
// of symbol_message() in probes/virtual/program/symbol_protocol.c. A table of ranges of lines gives
// the slot and the opcode. `nfavirt --emit=ranges` writes the table as writes to registers, sorted
// by address. A range with an entry is that of an observed function: its reads have no messages,
// except those that ask for the entry, which are its calls.
//
// The range of a line is found by binary search, one table entry a cycle. A message comes
// $clog2(RANGES) + 2 cycles after its snoop.
`include "virt_contract.vh"
`default_nettype none

module virt_messages #(
	parameter RANGES = `VIRT_RANGES, // most ranges in the table: a power of two, 2 to 32768
	parameter SLOTS = 64             // slots of the engine, 1 to 64
) (
	input wire clk,
	input wire rst,
	// Registers. The table may be written only while no messages are made.
	input wire write,
	input wire [11:0] write_addr,
	input wire [63:0] write_data,
	input wire [11:0] read_addr,
	output reg [63:0] read_data,      // in the same cycle
	// Annotated snoops that have an address.
	input wire in_valid,
	output wire in_ready,
	input wire [`VIRT_SNOOP_BITS-1:0] in_kind,
	input wire [`VIRT_VA_BITS-1:`VIRT_LINE_BITS] in_va,
	input wire [`VIRT_LINE_BITS-1:0] in_word, // the byte that the reader wants first
	input wire in_observed,
	input wire [63:0] in_time,
	// Messages, without back-pressure, as the tap of the engine takes them. The header is for
	// the slot in out_present only.
	output reg out_valid,
	output reg [SLOTS-1:0] out_present,
	output reg [63:0] out_header,
	output wire [63:0] out_time
);
	localparam BITS = $clog2(RANGES);
	localparam V = `VIRT_VA_BITS - `VIRT_LINE_BITS;
	localparam S = `VIRT_SLOT_BITS;
	localparam O = `VIRT_HEADER_OPCODE_WIDTH;
	localparam NAME = O + S + 1;         // bits of opcode, slot, and code flag
	localparam W = `VIRT_LINE_BITS;
	localparam ROW = 1 + W + NAME + 2*V; // bits of a range
	localparam [BITS:0] ONE = 1;
	localparam [BITS:0] ALL = RANGES[BITS:0];
	localparam [S:0] HAS = SLOTS[S:0];

	generate
		if (RANGES < 2 || RANGES > 32768 || (1 << BITS) != RANGES ||
				SLOTS == 0 || SLOTS > (1 << S)) begin : g_bad
			nfacc_error_parameter_out_of_range e ();
		end
	endgenerate

	// ---- registers ----
	reg enable;
	reg [S-1:0] data_slot;
	reg [BITS:0] used;                   // number of ranges in use
	reg [BITS-1:0] number;               // number of the range to write next
	reg [NAME+V-1:0] first_part;
	reg [63:0] made, discarded;
	wire [11:0] at = {write_addr[11:3], 3'd0};
	wire writes_range = write & at == `VIRT_MSG_LAST_AT;
	wire [15:0] ranges = write_data[`VIRT_MSG_CTRL_RANGES];
	wire unused = &{1'b0, write_addr[2:0], read_addr[2:0], write_data[63]};

	always @* begin
		read_data = 64'd0;
		case ({read_addr[11:3], 3'd0})
		`VIRT_MSG_CTRL_AT: begin
			read_data[`VIRT_MSG_CTRL_ENABLE] = enable;
			read_data[`VIRT_MSG_CTRL_DATA] = data_slot;
			read_data[`VIRT_MSG_CTRL_RANGES] = {{15-BITS{1'b0}}, used};
		end
		`VIRT_MSG_RANGE_AT:
			read_data[`VIRT_MSG_RANGE_NUMBER] = {{16-BITS{1'b0}}, number};
		`VIRT_MSG_MADE_AT: read_data = made;
		`VIRT_MSG_DISCARDED_AT: read_data = discarded;
		default: ;
		endcase
	end

	// ---- the table: {entry flag, word, code, slot, opcode, first line, last line} ----
	(* ram_style = "block" *)
	reg [ROW-1:0] memory [0:RANGES-1];
	reg [ROW-1:0] range;
	wire [ROW-1:0] new_range = {write_data[`VIRT_MSG_LAST_ENTRY],
		write_data[`VIRT_MSG_LAST_WORD], first_part, write_data[`VIRT_MSG_LAST_LINE]};
	reg [BITS-1:0] look;                 // number of the entry to read

	// ---- the search ---- `found` is the last entry of those looked at that begins at or
	// before the line; 0 if there is none. `step` has one bit set, the one to try next. It is 0
	// when entry `found` has been read.
	reg busy;
	reg [BITS-1:0] found, step;
	reg [`VIRT_SNOOP_BITS-1:0] kind;
	reg [V-1:0] line;
	reg [W-1:0] word;
	reg observed;
	reg [63:0] time_of;
	wire [V-1:0] range_first = range[V +: V], range_last = range[0 +: V];
	wire [O-1:0] range_opcode = range[2*V +: O];
	wire [S-1:0] range_slot = range[2*V+O +: S];
	wire range_code = range[2*V+O+S];
	wire [W-1:0] range_word = range[2*V+NAME +: W];
	wire range_entry = range[ROW-1];
	wire [BITS-1:0] tried = found | step;
	wire begins = {1'b0, tried} < used & range_first <= line;
	wire [BITS-1:0] new_found = begins ? tried : found;
	wire [BITS-1:0] new_step = step >> 1;
	wire takes = in_valid & in_ready;
	wire is_last = step == {BITS{1'b0}};
	always @*
		look = busy ? new_found | new_step : {1'b1, {BITS-1{1'b0}}};

	// ---- the message ----
	wire is_code = kind == `VIRT_READ_CLEAN;
	wire named = begins & line <= range_last & range_code == is_code;
	wire [S-1:0] slot = named ? range_slot : is_code ? {S{1'b0}} : data_slot;
	wire there = {1'b0, slot} < HAS;
	wire silent = named & range_entry & ~(line == range_first & word == range_word);
	reg [63:0] header;
	always @* begin
		header = 64'd0;
		header[`VIRT_HEADER_LINE] = line;
		header[`VIRT_HEADER_OBSERVED] = observed;
		header[`VIRT_HEADER_KIND] = kind;
		header[`VIRT_HEADER_OPCODE] = named ? range_opcode : {O{1'b0}};
	end

	assign in_ready = ~busy;
	assign out_time = time_of;
	wire makes = busy & is_last & there & ~silent;

	integer i;
	always @(posedge clk) begin
		range <= memory[look];
		if (writes_range)
			memory[number] <= new_range;
		if (write)
			case (at)
			`VIRT_MSG_CTRL_AT: begin
				enable <= write_data[`VIRT_MSG_CTRL_ENABLE];
				data_slot <= write_data[`VIRT_MSG_CTRL_DATA];
				used <= {1'b0, ranges} > {{16-BITS{1'b0}}, ALL} ? ALL :
					ranges[BITS:0];
			end
			`VIRT_MSG_RANGE_AT: number <= write_data[BITS-1:0];
			`VIRT_MSG_FIRST_AT: first_part <= {write_data[`VIRT_MSG_FIRST_CODE],
				write_data[`VIRT_MSG_FIRST_SLOT],
				write_data[`VIRT_MSG_FIRST_OPCODE],
				write_data[`VIRT_MSG_FIRST_LINE]};
			`VIRT_MSG_LAST_AT: number <= number + ONE[BITS-1:0];
			default: ;
			endcase
		if (takes) begin
			kind <= in_kind;
			line <= in_va;
			word <= in_word;
			observed <= in_observed;
			time_of <= in_time;
		end
		found <= busy ? new_found : {BITS{1'b0}};
		step <= busy ? new_step : {1'b1, {BITS-1{1'b0}}};
		busy <= busy ? ~is_last : takes & enable;
		out_valid <= makes;
		for (i = 0; i < SLOTS; i = i + 1)
			out_present[i] <= {26'd0, slot} == i;
		out_header <= header;
		if (makes)
			made <= made + 64'd1;
		if (busy & is_last & ~there & ~silent)
			discarded <= discarded + 64'd1;
		if (rst) begin
			enable <= 1'b0;
			data_slot <= {S{1'b0}};
			used <= {BITS+1{1'b0}};
			number <= {BITS{1'b0}};
			busy <= 1'b0;
			out_valid <= 1'b0;
			made <= 64'd0;
			discarded <= 64'd0;
		end
	end

`ifdef FORMAL
	// Take any one range of the table. It is assumed that the ranges in use are sorted and do
	// not overlap. Software must ensure that. This is proved: a message for a line in the range
	// has the slot and opcode of the range. If the range has an entry, there is a message
	// exactly for a read that asks for it.
	(* anyconst *) reg [BITS-1:0] f_index;
	reg f_past = 1'b0, f_written;
	reg [ROW-1:0] f_range;
	reg [BITS-1:0] f_read;               // number of the entry in `range`
	wire [V-1:0] f_first = f_range[V +: V], f_last = f_range[0 +: V];
	wire f_code = f_range[NAME+2*V-1];
	wire f_silent = f_range[ROW-1] & f_code == is_code &
		~(line == f_first & word == f_range[NAME+2*V +: W]);
	wire f_holds = f_written & {1'b0, f_index} < used & f_first <= line & line <= f_last;
	wire [BITS-1:0] f_open =             // bits that have not been tried yet
		step == {BITS{1'b0}} ? {BITS{1'b0}} : step | (step - ONE[BITS-1:0]);
	always @(posedge clk) begin
		f_past <= 1'b1;
		if (!f_past) assume (rst);
		f_read <= look;
		if (writes_range & number == f_index) begin
			f_written <= 1'b1;
			f_range <= new_range;
		end
		if (rst)
			f_written <= 1'b0;
		// Assumption: the table is not written while a message is made.
		if (busy | takes) assume (!write);
		if (f_written & {1'b0, f_read} < used & {1'b0, f_index} < used) begin
			if (f_read < f_index) assume (range_last < f_first);
			if (f_read > f_index) assume (range_first > f_last);
			assume (range_first <= range_last && f_first <= f_last);
		end

		if (f_past) begin
			if ($past(busy & is_last & f_holds & there & ~rst)) begin
				assert (out_valid == ~$past(f_silent));
				if ($past(f_code == is_code))
					assert (out_header[`VIRT_HEADER_OPCODE] ==
						$past(f_range[2*V +: O]));
				else
					assert (out_header[`VIRT_HEADER_OPCODE] == 0);
			end
			// The induction needs these.
			if (f_written) assert (memory[f_index] == f_range);
			if (f_written & busy & f_read == f_index) assert (range == f_range);
			if (busy) assert (f_read == tried);
			if (busy) assert ((step & (step - ONE[BITS-1:0])) == 0);
			if (busy) assert ((found & f_open) == 0);
			if (busy & f_holds) assert (found == (f_index & ~f_open));
		end
	end
`endif
endmodule
`default_nettype wire
