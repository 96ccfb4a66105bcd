// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// nfacc_blocks: input reduction for the block layer of ECI (thesis, section 4.1 and figure 24). It
// makes messages of the slots `in` and `out` of the protocol eci-block from the headers of the
// blocks that come in and go out in a cycle. A direction without a block in a cycle, or with one
// whose CRC is wrong, has no message. The messages come one cycle later.
//
// The module estimates the state of the link in each direction. tools/nfagen/blocks/block.h says
// what the states are (Note [link states]); the function link_next() there computes the same.
`default_nettype none

module nfacc_blocks (
	input wire clk,
	input wire rst,                // both directions are down
	input wire in_valid,           // a block comes in, and its CRC is right
	input wire [63:0] in_header,
	input wire out_valid,          // a block goes out
	input wire [63:0] out_header,
	output reg in_message,         // there is a message in slot `in`
	output reg [63:0] in_reduced,  // this is its header
	output reg out_message,
	output reg [63:0] out_reduced,
	output wire [63:0] reduced     // the 64 bits of figure 24, and the credits
);
	localparam [2:0] DOWN = 3'd0, QUIET = 3'd1, START = 3'd2, READY = 3'd3, UP = 3'd4,
		RETRY = 3'd5, REPLAY = 3'd6, ERROR = 3'd7;
	localparam [2:0] SYNC = 3'b110;
	localparam [1:0] ASKS_NOTHING = 2'd0, ASKS_START = 2'd1, ASKS_RETRY = 2'd2;

	// The states of both directions.
	reg [2:0] in_link, out_link;

	function agreed(input [2:0] state);
		agreed = state == READY || state == UP;
	endfunction

	// The state after a sync block.
	function [2:0] after_sync(input [2:0] own, input [2:0] peer, input ack,
			input [1:0] request);
		case (request)
		ASKS_START: after_sync = START;
		ASKS_RETRY: after_sync = RETRY;
		ASKS_NOTHING:
			if (ack && peer == RETRY)
				after_sync = REPLAY;
			else if (ack && own <= READY && (peer == START || agreed(peer)))
				after_sync = READY;
			else
				after_sync = own;
		default: after_sync = ERROR;
		endcase
	endfunction

	// The state after an idle block or one with data.
	function [2:0] after_other(input [2:0] own, input [2:0] peer, input data);
		case (own)
		READY: after_other = agreed(peer) ? UP : data ? ERROR : READY;
		UP: after_other = UP;
		RETRY: after_other = (peer == REPLAY) ? UP : RETRY;
		REPLAY: after_other = (peer == RETRY) ? REPLAY : UP;
		DOWN: after_other = data ? ERROR : QUIET;
		default: after_other = data ? ERROR : own;
		endcase
	endfunction

	// The state after a block, from the highest bits of its header.
	function [2:0] next(input [2:0] own, input [2:0] peer, input [2:0] kind, input ack,
			input [1:0] request);
		if (!kind[2])
			next = ERROR;
		else if (kind == SYNC)
			next = after_sync(own, peer, ack, request);
		else
			next = after_other(own, peer, !kind[1]);
	endfunction

	// A bit for each virtual channel that one of the seven words is for.
	function [13:0] channels(input [27:0] vcs);
		integer i;
		begin
			channels = 14'd0;
			for (i = 0; i < 7; i = i + 1)
				if (vcs[4*i +: 4] < 4'd14)
					channels[vcs[4*i +: 4]] = 1'b1;
		end
	endfunction

	// The header of the message: the opcode, then the half of figure 24. Bits 63:24 of the
	// block's header are needed.
	function [63:0] reduce(input [39:0] top, input [2:0] link);
		reg sync, data;
		begin
			sync = top[39:37] == SYNC;
			data = top[39] & ~top[38];
			reduce = {2'b00, top[39:37], 2'b11, 27'd0, data ? top[35:28] : 8'd0,
				top[36], sync ? top[29:28] : 2'd0, link,
				data ? channels(top[27:0]) : 14'd0, data, sync};
		end
	endfunction

	wire [2:0] in_next = in_valid ?
		next(in_link, out_link, in_header[63:61], in_header[60], in_header[53:52]) : in_link;
	wire [2:0] out_next = out_valid ?
		next(out_link, in_link, out_header[63:61], out_header[60], out_header[53:52]) :
		out_link;

	assign reduced = {out_message ? out_reduced[31:0] : 32'd0,
			in_message ? in_reduced[31:0] : 32'd0};

	always @(posedge clk) begin
		in_link <= in_next;
		out_link <= out_next;
		in_message <= in_valid;
		out_message <= out_valid;
		in_reduced <= reduce(in_header[63:24], in_next);
		out_reduced <= reduce(out_header[63:24], out_next);
		if (rst) begin
			in_link <= DOWN;
			out_link <= DOWN;
			in_message <= 1'b0;
			out_message <= 1'b0;
		end
	end

	// The CRC was checked before.
	wire unused = &{1'b0, in_header[23:0], out_header[23:0], 1'b0};
endmodule
`default_nettype wire
