// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// nfacc_reduce: extracts from a batch what the NFA needs: which messages it sees, their opcodes and
// lines (T 3.3.1). A message's line is its number minus `base`; the NFA sees it if that is below
// `count`. The subtraction takes one cycle, the comparison another.
`default_nettype none

module nfacc_reduce #(
	parameter SLOTS = 1,       // 1 .. 64
	parameter HEADER_BITS = 8, // 1 .. 64
	parameter OP_LSB = 0,      // where the opcode is in a header
	parameter OP_BITS = 8,     // 1 .. 8
	parameter ADDR_LSB = 0,    // where the line's number is in a header
	parameter ADDR_BITS = 0,   // 0 .. 56; 0: the protocol has no addresses
	parameter LINE_BITS = 1,   // bits that number the lines of the overlay
	parameter [(SLOTS<<OP_BITS)-1:0] HAS_ADDR = 0 // by slot << OP_BITS | opcode: has an address
) (
	input wire clk,
	input wire rst,
	// Registers; they change only while no batch is inside.
	input wire by_line,        // 0: every message is seen, as line 0
	input wire [63:0] base,    // first line observed
	input wire [63:0] count,   // lines observed, at most LINES
	input wire in_valid,
	input wire in_restart_before, // a restart goes before the batch: handed through
	input wire [SLOTS-1:0] in_mask,
	input wire [SLOTS*HEADER_BITS-1:0] in_header,
	output reg out_valid,
	output reg out_restart_before,
	output reg [SLOTS-1:0] out_present,
	output reg [SLOTS*OP_BITS-1:0] out_opcode,
	output reg [SLOTS*LINE_BITS-1:0] out_line,
	output wire busy           // a batch is inside
);
	// With a base above all numbers that an address can have, no message is seen.
	wire [64:0] base_line = {1'b0, base};
	wire base_fits = (base >> ADDR_BITS) == 64'd0;
	wire [64:0] line_count = {1'b0, count};
	wire unused_reduce = &{1'b0, base_line, base_fits, line_count, in_header};
	reg valid, restart_before_q;

	always @(posedge clk) begin
		restart_before_q <= in_restart_before;
		out_restart_before <= restart_before_q;
		valid <= in_valid & ~rst;
		out_valid <= valid & ~rst;
	end
	assign busy = valid | out_valid;

	genvar i;
	generate
		for (i = 0; i < SLOTS; i = i + 1) begin : g_slot
			wire [OP_BITS-1:0] opcode = in_header[i*HEADER_BITS+OP_LSB +: OP_BITS];
			reg mask;
			reg [OP_BITS-1:0] opcode_q;
			always @(posedge clk) begin
				mask <= in_mask[i];
				opcode_q <= opcode;
				out_opcode[i*OP_BITS +: OP_BITS] <= opcode_q;
			end
			if (ADDR_BITS == 0) begin : g_none
				always @(posedge clk) begin
					out_present[i] <= mask & ~by_line;
					out_line[i*LINE_BITS +: LINE_BITS] <= {LINE_BITS{1'b0}};
				end
			end else begin : g_line
				localparam [(1<<OP_BITS)-1:0] WITH = HAS_ADDR[i<<OP_BITS +: 1<<OP_BITS];
				// Wide enough for LINES; the top bit is the borrow.
				localparam BITS = (ADDR_BITS > LINE_BITS ? ADDR_BITS : LINE_BITS) + 1;
				wire [BITS-1:0] line =
					{{(BITS-ADDR_BITS){1'b0}},
					in_header[i*HEADER_BITS+ADDR_LSB +: ADDR_BITS]};
				reg [BITS-1:0] diff;
				reg has;
				wire seen = has & ~diff[BITS-1] & (diff < line_count[BITS-1:0]);
				always @(posedge clk) begin
					diff <= line - base_line[BITS-1:0];
					has <= WITH[opcode] & base_fits;
					out_present[i] <= mask & (seen | ~by_line);
					out_line[i*LINE_BITS +: LINE_BITS] <=
						by_line ? diff[LINE_BITS-1:0] : {LINE_BITS{1'b0}};
				end
			end
		end
	endgenerate
endmodule
`default_nettype wire
