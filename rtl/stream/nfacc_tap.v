// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// nfacc_tap: registers what the tap delivers in a cycle, and removes idle messages. If any message
// is left, the cycle is a batch.
`default_nettype none

module nfacc_tap #(
	parameter SLOTS = 1,       // 1 .. 64: messages of a batch
	parameter HEADER_BITS = 8, // bits of a header, 1 .. 64
	parameter OP_LSB = 0,      // where the opcode is in a header
	parameter OP_BITS = 8,     // bits of an opcode, 1 .. 8
	parameter integer IDLE = -1 // the opcode that no message has, or -1: none
) (
	input wire clk,
	input wire rst,
	input wire s_valid,                         // a batch may be there
	input wire [SLOTS-1:0] s_present,           // the slots that have a message
	input wire [SLOTS*HEADER_BITS-1:0] s_header,
	input wire [63:0] s_time,
	output reg out_valid,                       // a batch of at least one message comes
	output reg [SLOTS-1:0] out_mask,            // the slots of the batch that have a message
	output reg [SLOTS*HEADER_BITS-1:0] out_header,
	output reg [63:0] out_time
);
	wire [SLOTS-1:0] mask;

	genvar i;
	generate
		for (i = 0; i < SLOTS; i = i + 1) begin : g_slot
			if (IDLE < 0) begin : g_all
				assign mask[i] = s_present[i];
			end else begin : g_idle
				localparam [OP_BITS-1:0] NONE = IDLE[OP_BITS-1:0];
				assign mask[i] = s_present[i] &
					(s_header[i*HEADER_BITS+OP_LSB +: OP_BITS] != NONE);
			end
		end
	endgenerate

	always @(posedge clk) begin
		out_valid <= s_valid & |mask & ~rst;
		out_mask <= mask;
		out_header <= s_header;
		out_time <= s_time;
	end

`ifdef FORMAL
	// A batch comes one cycle after the tap delivered a message that is not idle. It has all
	// such messages of that cycle.
	reg f_past = 1'b0;
	reg [SLOTS-1:0] f_mask;
	integer k;
	always @*
		for (k = 0; k < SLOTS; k = k + 1)
			f_mask[k] = s_present[k] && !(IDLE >= 0 &&
				s_header[k*HEADER_BITS+OP_LSB +: OP_BITS] == IDLE);
	always @(posedge clk) begin
		f_past <= 1'b1;
		if (f_past) begin
			assert (out_valid == $past(s_valid && f_mask != 0 && !rst));
			if (out_valid)
				assert (out_mask == $past(f_mask) && out_time == $past(s_time) &&
					out_header == $past(s_header));
		end
	end
`endif
endmodule
`default_nettype wire
