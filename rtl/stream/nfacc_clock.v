// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// nfacc_clock: makes time visible to the NFA. It says which batches have a tick, and makes batches
// of a tick alone, and of the end. Stop takes effect at the time of its cycle: ticks up to then are
// part of the stream. The batch of the end comes after them, one cycle later in time. A stream
// without batches has none.
`default_nettype none

module nfacc_clock #(
	parameter PERIOD_BITS = 32 // 1 .. 64: bits of the period
) (
	input wire clk,
	input wire rst,
	input wire [PERIOD_BITS-1:0] period, // cycles between two ticks; 0: there are none
	input wire has_end,         // the stream ends with a batch of the end
	input wire [63:0] next_time, // the time of the next cycle
	input wire take,            // a batch is taken in this cycle
	input wire armed,
	input wire stop,            // the stream stops in this cycle, which is its last one
	input wire stream_start,    // a stream starts: no ticks are lost
	output wire first,          // the first batch of the stream is taken
	output wire known,          // the next tick is known (nfacc_tick)
	output wire alone,          // a batch without messages is made in this cycle
	output wire [1:0] when,     // what the time of this cycle's batch is: bit 0 tick, bit 1 end
	output reg [63:0] stamp,    // the time of this cycle, or while `ending` that of the stop, and
	                            // from the second cycle on that of the end
	output reg ending,          // the batch of the end is still to be made
	output reg [63:0] stopped,  // the time at which stop took effect
	output wire lost_valid,     // ticks were lost, in number:
	output wire [63:0] lost,
	output reg [63:0] ticks_lost // ticks lost since stream_start
);
	localparam [63:0] LATEST = 64'hffffffffffffffff;

	reg begun;      // the first batch of the stream was taken
	reg comes;      // the time of the end comes next
	reg reached;    // `stamp` is the time of the end
	reg seen;       // the batch of the end has a tick
	reg [63:0] end_time;
	wire tick, counted;

	nfacc_tick #(.PERIOD_BITS(PERIOD_BITS)) generator (
		.clk(clk), .rst(rst), .period(period), .now(stamp), .coming(coming), .hold(hold),
		.first(first),
		.running(begun & (armed | ending)), .known(known), .counted(counted), .tick(tick),
		.lost_valid(lost_valid), .lost(lost));

	assign first = take & ~begun;
	wire finish = reached & known & ~counted; // lost ticks are told before it
	wire ends = stop & (begun | take);
	wire [63:0] coming = comes ? end_time : next_time;
	wire hold = ends | (reached & ~finish);
	assign when = ending ? {has_end, seen | tick} : {1'b0, tick};
	assign alone = ending ? finish & has_end : tick & ~take;

	always @(posedge clk) begin
		begun <= take | (begun & (armed | ending));
		comes <= ends;
		reached <= ending & ~finish;
		stamp <= hold ? stamp : coming;
		seen <= ending & (seen | tick);
		ending <= ends | (ending & ~finish);
		if (stop) begin
			stopped <= stamp;
			end_time <= has_end & (stamp != LATEST) ? stamp + 64'd1 : stamp;
		end
		ticks_lost <= stream_start ? 64'd0 : ticks_lost + (lost_valid ? lost : 64'd0);
		if (rst) begin
			begun <= 1'b0;
			comes <= 1'b0;
			ending <= 1'b0;
			reached <= 1'b0;
			stamp <= next_time;
			stopped <= 64'd0;
			ticks_lost <= 64'd0;
		end
	end

`ifdef FORMAL
	// A stream that has begun and is stopped has one batch of the end, at the time after that
	// of the stop; other streams have none. No batch comes after it.
	reg f_past = 1'b0;
	reg f_begun, f_due;
	always @(posedge clk) begin
		f_past <= 1'b1;
		if (!f_past) assume (rst);
		assume (!(take && !armed) && !(stop && !armed) && !(armed && ending));
		if (f_past && $past(rst)) assume (!armed);
		if (f_past && $past(stop)) assume (!armed);
		if (ending) assume ($stable(has_end));
		f_begun <= !rst && (take || (f_begun && (armed || f_due)));
		f_due <= !rst && ((stop && (f_begun || take)) || (f_due && !finish));
		if (f_past) begin
			assert (begun == f_begun && ending == f_due && (begun || !ending));
			if (alone && when[1]) assert (f_due && has_end && !armed);
			if (alone && !when[1]) assert (armed && when[0] && begun && !take);
			if (take) assert (!when[1]);
			assert (first == (take && !f_begun));
			if (!begun) assert (!alone);
			if (ending)
				assert (stamp == (has_end && reached && stopped != LATEST ?
					stopped + 1 : stopped));
			else assert (stamp == $past(next_time));
			if ($past(stop && !rst)) assert (stopped == $past(stamp));
			if (finish) assert (reached);
			if (reached) assert (ending);
			assert (comes == (ending && !reached));
			if (ending && !reached) assert (end_time == (has_end && stopped != LATEST ?
					stopped + 1 : stopped));
			if ($past(finish && !rst)) assert (!ending);
			if ($past(ending && !finish && !rst)) assert (ending);
		end
	end
`endif
endmodule
`default_nettype wire
