// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// nfacc_admit: lets batches on to the NFA's queue. A batch that comes while the queue is full is lost
// as a whole, and so are those after it until the loss is told. It is told by an entry without
// messages, which goes through the queue in the place of what was lost; `messages` and `ticks` are
// the numbers that it stands for. There is one such entry at a time. Ticks that were lost because
// the time jumped are told in the same way, but take the place of no batch: their entry waits for a
// cycle without one. The batch of the end is never lost. It waits for room.
`default_nettype none
module nfacc_admit #(
	parameter SLOTS = 1, // 1 .. 64: messages of a batch
	parameter WIDTH = 8  // bits of a batch beside its mask
) (
	input wire clk,
	input wire rst,
	input wire stream_start,      // a stream starts; all before it was told
	input wire room,              // the queue has room for all that is on the way, and one more
	input wire in_valid,
	input wire in_restart_before, // a restart goes before the batch
	input wire [1:0] in_when,     // bit 0: the batch has a tick, bit 1: it is the end
	input wire [SLOTS-1:0] in_mask,
	input wire [WIDTH-1:0] in_data,
	input wire ticks_lost_valid,  // ticks were lost, in number:
	input wire [63:0] ticks_lost,
	output wire out_valid,        // a batch, or an entry that tells a loss
	output wire out_restart_before,
	output wire [1:0] out_when,
	output wire [SLOTS-1:0] out_mask,
	output wire [WIDTH-1:0] out_data,
	output wire out_loss,         // with out_valid: it tells a loss
	input wire told,              // that entry has left the NFA, and its numbers are taken
	output reg [31:0] messages,   // the messages (and ticks of batches) that it stands for
	output reg [63:0] ticks,      // the ticks that it stands for besides
	output reg late,              // a batch was lost since stream_start
	output wire losing,           // a loss is not told
	output wire busy
);
	function [6:0] popcount(input [SLOTS-1:0] mask);
		integer i;
		begin
			popcount = 7'd0;
			for (i = 0; i < SLOTS; i = i + 1)
				popcount = popcount + {6'd0, mask[i]};
		end
	endfunction

	reg valid, restart_before, under_way;
	reg [1:0] when;
	reg [SLOTS-1:0] mask;
	reg [WIDTH-1:0] data;
	reg [6:0] count;          // messages of the batch, or 1 for a tick alone
	reg restart_due;          // a batch with a restart before it was lost
	reg lost_due, ticks_due;  // what is lost and not told
	reg [31:0] lost;
	reg [63:0] lost_ticks;

	wire end_batch = when[1];
	wire passes = valid & room & ~lost_due;
	wire tell = room & ~under_way & (lost_due | (ticks_due & ~valid));
	wire drop = valid & ~passes & ~end_batch;
	wire [31:0] lost_with = lost + {25'd0, count};
	wire [31:0] lost_now = drop ? lost_with : lost;

	assign out_valid = passes | tell;
	assign out_loss = tell;
	assign out_restart_before = restart_due | (restart_before & (passes | drop));
	assign out_when = tell ? 2'd0 : when;
	assign out_mask = tell ? {SLOTS{1'b0}} : mask;
	assign out_data = data;
	assign losing = lost_due | ticks_due | under_way;
	assign busy = valid | losing;

	always @(posedge clk) begin
		valid <= in_valid | (valid & end_batch & ~passes);
		if (in_valid) begin
			restart_before <= in_restart_before;
			when <= in_when;
			mask <= in_mask;
			data <= in_data;
			count <= in_mask == {SLOTS{1'b0}} ? 7'd1 : popcount(in_mask);
		end
		restart_due <= (restart_due | (drop & restart_before)) & ~out_valid;
		lost_due <= (lost_due | drop) & ~tell;
		ticks_due <= (ticks_due & ~tell) | ticks_lost_valid;
		lost <= tell ? 32'd0 : lost_now;
		lost_ticks <= (tell ? 64'd0 : lost_ticks) + (ticks_lost_valid ? ticks_lost : 64'd0);
		if (tell) begin
			messages <= lost_now;
			ticks <= lost_ticks;
		end
		under_way <= tell | (under_way & ~told);
		late <= (late | drop) & ~stream_start;
		if (rst) begin
			valid <= 1'b0;
			restart_due <= 1'b0;
			lost_due <= 1'b0;
			ticks_due <= 1'b0;
			lost <= 32'd0;
			lost_ticks <= 64'd0;
			under_way <= 1'b0;
			late <= 1'b0;
		end
	end

`ifdef FORMAL
	// Every message that comes is let on, counted in an entry that tells a loss, or still to be
	// told. No entry is made while there is no room, or while one is under way. A batch is let on
	// only when nothing before it is still to be told, and the end is never lost.
	reg f_past = 1'b0;
	reg [31:0] f_in, f_out;
	wire [6:0] f_count = in_mask == 0 ? 7'd1 : popcount(in_mask);
	reg f_restarts;  // a restart came whose batch or entry has not left
	reg f_end;       // the end has come and has not left
	reg f_untold;    // something was lost, and not all entries that tell it have left the NFA
	always @(posedge clk) begin
		f_past <= 1'b1;
		if (!f_past) assume (rst);
		if (valid && end_batch) assume (!in_valid);
		if (told) assume (under_way);
		if (f_restarts) assume (!in_restart_before); // as nfacc_control keeps to
		f_in <= rst ? 0 : f_in + (in_valid ? f_count : 0);
		f_out <= rst ? 0 : f_out + (passes ? count : 0) +
			(tell ? lost_now : 0);
		f_end <= !rst && ((in_valid && in_when[1]) || (f_end &&
			!(out_valid && out_when[1])));
		f_untold <= !rst && (drop || ticks_lost_valid || (f_untold &&
			!(told && !lost_due && !ticks_due)));
		f_restarts <= !rst && ((in_valid && in_restart_before) ||
			(f_restarts && !(out_valid && out_restart_before)));
		if (f_past) begin
			assert (f_in == f_out + lost + (valid ? count : 0));
			assert (!(passes && tell));
			if (out_valid) assert (room);
			if (f_untold) assert (losing && busy);
			if (tell) assert (!under_way);
			if (passes) assert (!lost_due && out_mask == mask && !out_loss);
			if (!lost_due) assert (lost == 0);
			if (drop) assert (!end_batch);
			assert (f_end == (valid && end_batch));
			assert (!(restart_due && valid && restart_before));
			assert (f_restarts == (restart_due || (valid && restart_before)));
			if (valid && !end_batch) assert (passes || drop);
		end
	end
`endif
endmodule
`default_nettype wire
