// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// nfacc_store: stores the batches that the window lets out in the output FIFO. A batch is lost if
// the FIFO has no room for it. Its messages are counted, and a loss record with their number is
// stored in its place, before the next batch. A batch that comes in the cycle in which the loss
// record is stored is lost, too, and counted in that record. Lost ticks count like messages. They
// are held until a cycle in which no batch is lost, and their loss record has the time of the
// last batch that came by then, or of the first one of the stream. So in no cycle three numbers
// are added. After `limit` batches nothing more is stored.
`default_nettype none

module nfacc_store #(
	parameter SLOTS = 1,  // 1 .. 64: messages of a batch
	parameter LABELS = 1, // 1 ..: bits that come with a batch: its labels, and the lines it names
	parameter BODY = 64, // bits of all headers, or of the count in a loss record: 64 ..
	parameter TICKS = 1  // 0: ticks are never lost
) (
	input wire clk,
	input wire rst,
	input wire stream_start,      // a stream starts with this limit; no batch is inside
	input wire clear_losses,      // counts of losses are 0 again
	input wire [63:0] limit,      // the most batches to store; 0: no limit
	input wire in_valid,
	input wire [LABELS-1:0] in_labels,
	input wire [63:0] in_time,
	input wire [SLOTS-1:0] in_mask,
	input wire [BODY-1:0] in_body,
	input wire first,             // the first batch of a stream is on its way,
	input wire [63:0] first_time, // which has this time
	input wire ticks_lost_valid,  // ticks were lost, which a loss record tells like messages
	input wire [63:0] ticks_lost, // how many
	// Of these, messages that were lost before the NFA. They count in `dropped`; then `valid` is 0.
	input wire [31:0] messages_lost,
	input wire room,              // the FIFO can take an entry
	output wire push,
	// A batch comes that is stored or lost, and what it came with.
	output wire passes,
	output wire [LABELS-1:0] pass_labels,
	output wire [SLOTS-1:0] pass_mask,
	output wire [BODY-1:0] pass_body,
	output reg last_within,       // if no batch is inside: the last one was within the limit
	output wire [LABELS-1:0] push_labels,
	output wire [63:0] push_time,
	output wire [SLOTS-1:0] push_mask, // 0 in a loss record
	output wire [BODY-1:0] push_body,
	// In a loss record, what is to be added to the count in its body: messages in the lower
	// seven bits, and in the highest one 2^32. So no carry goes through the whole count here.
	output wire [7:0] push_more,
	output wire [63:0] packets,   // batches stored since stream_start, three cycles late
	output wire [63:0] dropped,   // messages lost since clear_losses, three cycles late
	output reg overflow,          // something was lost since clear_losses
	output reg limit_reached,     // `limit` batches have been stored
	output wire busy,             // a batch is inside
	output wire loss_due          // a loss record waits for room, or is still to be made
);
	function [6:0] popcount(input [SLOTS-1:0] mask);
		integer i;
		begin
			popcount = 7'd0;
			for (i = 0; i < SLOTS; i = i + 1)
				popcount = popcount + {6'd0, mask[i]};
		end
	endfunction

	reg valid;
	reg [LABELS-1:0] labels;
	reg [63:0] stamp;
	reg [SLOTS-1:0] mask;
	reg [BODY-1:0] body;
	reg [6:0] messages; // of the batch; 0 without one

	reg has_limit;
	reg stored;           // a batch was stored in the cycle before
	reg [63:0] left;      // batches that could be stored before the limit, before that one
	reg [3:0] none;       // bit q: its quarter q, counted from the lowest one, is 0
	reg last_left;        // one can still be stored
	reg due;              // a loss record waits for room, of so many messages, in two halves;
	reg [31:0] low, high; // the last of them was lost at lost_time
	reg carry;            // from `low`, which `high` does not have yet
	reg [63:0] lost_time;
	reg held;             // ticks were lost that are not in these numbers, in number:
	reg [63:0] ticks;
	reg [63:0] last_time; // the time of the last batch that came, or of the first one under way

	wire within_limit = valid & ~limit_reached;
	wire store = within_limit & room & ~due;
	wire lose = within_limit & (~room | due);
	wire tell = due & room;
	wire at_limit = store & has_limit & last_left;
	wire goes_on = ~limit_reached & ~at_limit;
	wire lose_ticks = (TICKS != 0) & ticks_lost_valid & goes_on;
	wire merge = held & goes_on & ~lose;
	// The sums are chosen after the additions, which then need not wait for the decision.
	// Messages are few, so they carry only if all of the other bits are 1.
	wire [7:0] few = {1'b0, low[6:0]} + {1'b0, messages};
	wire [32:0] with_messages = {(&low[31:7]) & few[7], low + {25'd0, messages}};
	wire [32:0] with_ticks = {1'b0, low} + {1'b0, ticks[31:0]};
	wire [31:0] carried = high + {31'd0, carry};
	wire [31:0] high_ticks = high + ticks[63:32] + {31'd0, carry};
	wire [63:0] more_ticks = ticks + ticks_lost;
	wire [32:0] sum = lose ? with_messages : merge ? with_ticks : {1'b0, low};

	assign passes = within_limit;
	assign pass_labels = labels;
	assign pass_mask = mask;
	assign pass_body = body;
	assign push = store | tell;
	// With `due` only a loss record is pushed, and the limit is not reached, so a batch that
	// comes is lost. What is pushed does not ask for room.
	assign push_labels = due ? {LABELS{1'b0}} : labels;
	assign push_time = due & ~valid ? lost_time : stamp;
	assign push_mask = due ? {SLOTS{1'b0}} : mask;
	generate
		if (BODY == 64) begin : g_narrow
			assign push_body = due ? {high, low} : body;
		end else begin : g_wide
			assign push_body = due ? {{(BODY-64){1'b0}}, high, low} : body;
		end
	endgenerate
	assign push_more = {carry, messages};
	assign busy = valid;
	assign loss_due = due | held;

	localparam MORE_BITS = TICKS != 0 ? 32 : 7;
	wire [31:0] dropped_more = lose ? {25'd0, messages} : lose_ticks ? messages_lost : 32'd0;
	wire unused_store = &{1'b0, few[6:0], dropped_more};
	nfacc_count packets_count (
		.clk(clk), .clear(rst | stream_start), .more(store), .count(packets));
	nfacc_count #(.BITS(MORE_BITS)) dropped_count (
		.clk(clk), .clear(rst | clear_losses), .more(dropped_more[MORE_BITS-1:0]),
		.count(dropped));

	integer q;
	always @(posedge clk) begin
		valid <= in_valid;
		labels <= in_labels;
		stamp <= in_time;
		mask <= in_mask;
		body <= in_body;
		if (valid)
			last_within <= ~limit_reached;
		messages <= in_valid ? popcount(in_mask) : 7'd0;
		stored <= store;
		if (stored)
			// A quarter changes if those below it are 0.
			for (q = 0; q < 4; q = q + 1)
				if ((~none & ((4'd1 << q) - 4'd1)) == 4'd0) begin
					left[16*q +: 16] <= left[16*q +: 16] - 16'd1;
					none[q] <= left[16*q +: 16] == 16'd1;
				end
		if (store)
			limit_reached <= at_limit;
		last_left <= (&none[3:1]) & (left[15:0] == (store & stored ? 16'd3 :
			store | stored ? 16'd2 : 16'd1));
		if (first)
			last_time <= first_time;
		else if (valid)
			last_time <= stamp;
		if (merge)
			lost_time <= valid ? stamp : last_time;
		if (lose) begin
			overflow <= 1'b1;
			lost_time <= stamp;
		end
		{carry, low} <= ~tell ? sum : merge ? {1'b0, ticks[31:0]} : 33'd0;
		high <= merge ? (tell ? ticks[63:32] : high_ticks) : tell ? 32'd0 : carried;
		due <= merge | ((due | lose) & ~tell);
		if (lose_ticks)
			ticks <= held & ~merge ? more_ticks : ticks_lost;
		held <= lose_ticks | ((TICKS != 0) & held & goes_on & ~merge);
		if (stream_start) begin
			left <= limit;
			for (q = 0; q < 4; q = q + 1)
				none[q] <= limit[16*q +: 16] == 16'd0;
			has_limit <= limit != 64'd0;
			limit_reached <= 1'b0;
		end
		if (clear_losses | rst)
			overflow <= 1'b0;
		if (rst) begin
			valid <= 1'b0;
			messages <= 7'd0;
			due <= 1'b0;
			held <= 1'b0;
			{carry, low, high} <= 65'd0;
			last_time <= 64'd0;
			has_limit <= 1'b0;
			limit_reached <= 1'b0;
		end
	end

`ifdef FORMAL
	// Every message that comes before the limit is in a stored batch, is counted in a loss
	// record, or is pending or held. A batch is stored only when nothing is pending. A loss record
	// has the time of the last batch that was lost, or with which lost ticks became pending.
	// PACKETS and DROPPED get what their registers promise.
	reg f_past = 1'b0;
	reg f_came = 1'b0, f_within; // a batch came; the last one is stored, or lost for lack of room
	// Messages that came, with ticks that became pending, and those accounted for, modulo 2^64.
	reg [63:0] f_in, f_out;
	reg [63:0] f_ticks_in, f_ticks_out; // the same for ticks that were lost: pending, or too late
	reg [63:0] f_pending;   // messages of the loss record that is due
	wire [63:0] f_told = f_pending + messages;
	reg f_overflow;         // something was lost
	reg [63:0] f_lost_time; // the time of the last batch that came and was not stored, or of the
	                        // last one that had come when lost ticks became pending
	reg [63:0] f_last;      // the time of the last batch that came, or of the first one
	wire f_lost = valid & ~limit_reached & ~(push & ~tell);
	wire [63:0] f_left = left - stored; // batches that may still be stored
	wire f_ends = limit_reached | (has_limit & f_left == 1 & push & ~tell);
	wire f_ticks = ticks_lost_valid & ~f_ends;
	wire f_merge = held & ~f_ends & ~f_lost; // ticks become pending
	always @(posedge clk) begin
		f_past <= 1'b1;
		if (!f_past) assume (rst);
		if (valid) assume (!stream_start);
		if (in_valid) assume (!stream_start);
		// Sums of long numbers are hard for solvers: fewer than 256 ticks are lost at once,
		// and none where batches are large.
		if (messages_lost != 0) assume (!valid);
		if (ticks_lost_valid) assume (!stream_start && ticks_lost < 256 && SLOTS < 8);
		if (rst) begin
			f_in <= 0;
			f_out <= 0;
			f_ticks_in <= 0;
			f_ticks_out <= 0;
			f_pending <= 0;
		end else begin
			f_in <= f_in + (in_valid ? popcount(in_mask) : 0) + (f_merge ? ticks : 0);
			if (valid && limit_reached) f_out <= f_out + messages;
			else if (push && tell) f_out <= f_out + f_told;
			else if (push) f_out <= f_out + popcount(push_mask);
			if (f_ticks) f_ticks_in <= f_ticks_in + ticks_lost;
			f_pending <= push && tell ? (f_merge ? ticks : 64'd0) : f_lost ? f_told :
				f_merge ? f_pending + ticks : f_pending;
			if (f_merge || f_ends) f_ticks_out <= f_ticks_out + (held ? ticks : 0);
		end
		if (valid) f_last <= stamp;
		if (valid) f_came <= 1'b1;
		if (valid) f_within <= f_lost || (push && !tell);
		if (first) assume (!valid);
		if (first) f_last <= first_time;
		if (rst) f_last <= 0;
		if (rst) f_came <= 1'b0;
		if (f_lost || f_merge) f_lost_time <= valid ? stamp : f_last;
		f_overflow <= !(rst || clear_losses) && (f_overflow || f_lost);
		if (f_past) begin
			if (valid) assert (stamp == $past(in_time) && mask == $past(in_mask));
			if (valid) assert (labels == $past(in_labels) && body == $past(in_body));
			// What PACKETS and DROPPED count.
			assert (store == (push && !tell));
			assert (dropped_more == (f_lost ? messages : f_ticks ? messages_lost : 0));
			// The halves, and what a loss record has.
			assert (low == f_pending[31:0] && carried == f_pending[63:32]);
			if (push && tell)
				assert (push_body[31:0] == f_pending[31:0] &&
					push_more[6:0] == (f_lost ? messages : 7'd0) &&
					push_body[63:32] + push_more[7] == f_pending[63:32]);
			assert (overflow == f_overflow);
			if (valid && &mask) assert (messages == SLOTS);
			assert (last_time == f_last);
			if (f_came) assert (last_within == f_within);
			if (due) assert (f_lost_time == lost_time);
			if (push && tell)
				assert (push_time == (f_lost ? stamp : f_lost_time));
			if (push && !tell)
				assert (push_time == stamp && push_mask == mask &&
					push_labels == labels && push_body == body);
			assert (f_in == f_out + f_told);
			if (!valid) assert (messages == 0);
			assert (f_ticks_in == f_ticks_out + (held ? ticks : 64'd0));
			if (f_pending != 0 || f_ticks_in != f_ticks_out) assert (loss_due);
			if (valid)
				assert (messages == popcount(mask));
			if (!due) assert ({carry, low, high} == 0);
			if (limit_reached) assert (!loss_due && has_limit);
			// What is held waits only while batches are lost.
			if ($past(held && !f_lost && !rst)) assert ($past(f_ends) || due);
			if (push) assert (room && !limit_reached);
			assert (passes == (store || lose) && pass_labels == labels &&
				pass_mask == mask && pass_body == body);
			if (push && due) assert (push_mask == 0 && push_labels == 0);
			if (push && tell) assert (due && push_mask == 0);
			// The stream ends at exactly the limit, not before it.
			// last_left follows a cycle after stream_start; no batch is there by then.
			if (has_limit && !$past(stream_start)) assert (last_left == (f_left == 1));
			if ($past(stream_start)) assert (!valid);
			if (has_limit && !limit_reached) assert (left >= stored);
			for (q = 0; q < 4; q = q + 1)
				assert (!has_limit || none[q] == (left[16*q +: 16] == 0));
			if (has_limit && !limit_reached) assert (f_left != 0);
			if (has_limit && limit_reached) assert (f_left == 0);
		end
	end
`endif
endmodule
`default_nettype wire
