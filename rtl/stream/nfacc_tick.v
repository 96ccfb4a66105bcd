// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// nfacc_tick: the tick generator. A tick comes when the time is a multiple of the period. The
// module follows the time, also between streams, and keeps the first multiple after it. While the
// time rises by one in each cycle, that takes a comparison and an addition. After any other change
// of time or period the next multiple is not known. It is then found in 6 * WIDTH + 37 cycles at
// most. That is twice what follows, since the change may come during it, which is seen at its end:
//
//	DIVIDE  divides a time that is AHEAD cycles after the current one, a bit a cycle, and so
//	        finds the last multiple that is not after it, and that multiple's number.
//	CHECK   compares the multiple before that one with the time.
//	BACK    goes back to it if the time is before it, and then to CHECK: in the end the first
//	        multiple after the time is known.
//	FOLLOW  the next multiple is known.
//
// While a stream runs, the multiples that pass meanwhile are lost ticks. Their number is the
// difference of the numbers of two multiples: of the next one when it was last known, and of the
// next one when it is known again. If a stream begins while the next multiple is not known, the
// time of its first batch is divided first. So the lost ticks of that stream are counted from
// there.
//
// Whether the time is the next multiple is found a cycle before: the time of the next cycle is
// compared with each value that the next multiple can have then.
`default_nettype none

module nfacc_tick #(
	parameter WIDTH = 64,      // 6 .. 64: bits of the time
	parameter PERIOD_BITS = 32 // 1 .. WIDTH: bits of the period
) (
	input wire clk,
	input wire rst,
	input wire [PERIOD_BITS-1:0] period, // cycles between two ticks; 0: there are none
	input wire [WIDTH-1:0] now,          // the time of this cycle; that of the next one is
	input wire [WIDTH-1:0] coming,       // this one,
	input wire hold,                     // or with `hold` that of this cycle again
	input wire first,                    // the first batch of a stream comes in this cycle
	input wire running,                  // the first batch came in an earlier cycle, and the
	                                     // stream has not ended
	output wire known,                   // the next tick is known, so that none is lost if the
	                                     // time goes on rising by one in each cycle
	output reg counted,                  // lost_valid is 1 in the next cycle if ticks were lost
	output wire tick,                    // there is a tick in this cycle
	output reg lost_valid,               // ticks were lost, in number:
	output reg [WIDTH-1:0] lost
);
	// In BACK the time is at most AHEAD cycles after the one that was divided. A longer way
	// ahead only means more steps back.
	localparam [WIDTH:0] AHEAD = WIDTH + 6;
	localparam STEP_BITS = $clog2(WIDTH + 8);
	localparam [2:0] NONE = 3'd0, DIVIDE = 3'd1, LAST = 3'd2, NEXT = 3'd3, BACK = 3'd4,
		FOLLOW = 3'd5, CHECK = 3'd6;
	localparam [WIDTH:0] ONE = 1;
	localparam [STEP_BITS-1:0] STEP = 1, STEPS = WIDTH + 1;

	reg [2:0] state;
	reg [PERIOD_BITS-1:0] divisor; // the period for which the registers below are
	// A multiple that is above all 64-bit times has 65 bits. `next` is the next multiple, and
	// `number` is its number. While dividing, `next` is the dividend. `number` then has the
	// bits of the dividend that come next, above the bits of the quotient that are known.
	reg [WIDTH:0] next, number;
	reg [WIDTH:0] prev;            // the multiple before `next`
	reg [PERIOD_BITS-1:0] rest;    // the remainder
	reg [STEP_BITS-1:0] left;      // steps of the division, or back, that are left
	reg [WIDTH-1:0] now_q;         // the time of the cycle before
	reg first_q, known_q;          // `first` and `known` of the cycle before
	// In BACK and FOLLOW, where the time is compared with `next`: is it the same, if the
	// cycle before was no step back; was there a step back; is it the same after one.
	reg at_same, stepped, at_prev;
	reg below_q, above_q;          // the time of the cycle before: before `prev`, after `next`
	reg watched;                   // in FOLLOW: that cycle was one of FOLLOW, too, and
	reg unknown;                   // the next multiple is not known
	reg exact;                     // the time of a stream's first batch is divided
	reg counting;                  // the multiples from number `since` on are lost ticks
	reg [WIDTH:0] since;

	wire [WIDTH:0] wide_now = {1'b0, now};
	wire [WIDTH:0] wide_divisor = {{(WIDTH+1-PERIOD_BITS){1'b0}}, divisor};
	wire at_next = stepped ? at_prev : at_same;
	wire below = wide_now < prev;
	wire renewed = period != divisor;
	// In FOLLOW: the next multiple is not known, or the time of the cycle before was not from
	// `prev` to it.
	wire outside = unknown | (watched & (below_q | above_q));
	// The time is divided again.
	wire divide_first = first_q & (~known_q | outside);
	wire follows = (state == FOLLOW) & ~outside & ~divide_first;
	wire divide = divide_first | ((state == FOLLOW) & outside);

	wire [WIDTH:0] ahead = {1'b0, now_q} + AHEAD;
	wire [WIDTH:0] dividend = divide_first ? {1'b0, now_q} : ahead;
	wire [PERIOD_BITS:0] partial = {rest, number[WIDTH]};
	wire [PERIOD_BITS:0] difference = partial - {1'b0, divisor};
	wire fits = ~difference[PERIOD_BITS];
	wire advance = (state == NEXT) |
		((state == BACK | follows | (state == CHECK & stepped)) & at_next);
	wire settled = (state == BACK) & (at_next | at_prev | ~below_q);
	wire step_back = (state == BACK) & ~settled;
	// Whether the coming time is next + wide_divisor: without a carry from bit to bit, as the
	// bits of that sum are known if it is.
	wire [WIDTH:0] wide_coming = {1'b0, coming};
	wire [WIDTH:0] carries = (next & wide_divisor) | ((next | wide_divisor) & ~wide_coming);
	wire at_after = (next ^ wide_divisor ^ wide_coming) == {carries[WIDTH-1:0], 1'b0};
	wire unused_carry = &{1'b0, carries[WIDTH]};
	wire [WIDTH:0] number_next = number + ONE;
	wire [WIDTH:0] passed = number - since; // in the cycle after the next multiple is known

	assign known = follows | (state == NONE);
	assign tick = follows & at_next & running;

	always @(posedge clk) begin
		now_q <= now;
		first_q <= first;
		known_q <= known;
		// A step back is from a time before `prev`, and `next` advances when it is the time.
		// So a time that is held is not the same after either.
		stepped <= step_back;
		at_prev <= (wide_coming == prev) & ~hold;
		below_q <= below;
		above_q <= wide_now > next;
		if (hold)
			at_same <= (wide_now == next) & ~advance;
		else
			at_same <= advance ? at_after : wide_coming == next;
		watched <= (state == FOLLOW) & ~divide;
		unknown <= 1'b0;
		counted <= settled & counting & running & ~divide;
		lost_valid <= counted & running & ~passed[WIDTH] & (number != since);
		lost <= passed[WIDTH-1:0];
		if (advance)
			prev <= next;
		case (state)
		DIVIDE: begin
			rest <= fits ? difference[PERIOD_BITS-1:0] : partial[PERIOD_BITS-1:0];
			number <= {number[WIDTH-1:0], fits};
			left <= left - STEP;
			if (left == STEP)
				state <= LAST;
		end
		LAST: begin
			next <= next - {{(WIDTH+1-PERIOD_BITS){1'b0}}, rest};
			state <= NEXT;
		end
		NEXT: begin
			if (exact)
				since <= number_next;
			left <= AHEAD[STEP_BITS-1:0] + STEP;
			state <= CHECK;
		end
		CHECK:
			state <= BACK;
		BACK:
			if (settled) begin
				state <= FOLLOW;
				counting <= 1'b0;
			end else begin
				next <= prev;
				prev <= prev - wide_divisor;
				left <= left - STEP;
				state <= CHECK;
				if (left == STEP) begin // the time fell meanwhile
					state <= FOLLOW;
					unknown <= 1'b1;
				end
			end
		default: ;
		endcase
		if (divide) begin
			state <= DIVIDE;
			unknown <= 1'b0;
			exact <= divide_first;
			counting <= divide_first | running;
			if (state == FOLLOW)
				since <= number;
			next <= dividend;
			number <= dividend;
			rest <= {PERIOD_BITS{1'b0}};
			left <= STEPS;
		end else if (advance) begin // behind all other choices, because the sums come late
			next <= next + wide_divisor;
			number <= number_next;
		end else if (step_back)
			number <= number - ONE;
		if (rst | renewed) begin
			divisor <= period;
			state <= FOLLOW;
			unknown <= 1'b1;
			first_q <= 1'b0;
			if (period == {PERIOD_BITS{1'b0}})
				state <= NONE;
			counted <= 1'b0;
			lost_valid <= 1'b0;
		end
	end

`ifdef FORMAL
	// While the time rises by one in each cycle, there is a tick at every multiple of the
	// period, and at no other time. While it does not fall, no multiple has two ticks, and all
	// multiples after a stream's first batch are ticks or are counted as lost.
	reg f_past = 1'b0;
	reg f_fell;                    // the time fell since the first batch
	reg f_ticked;                  // the stream had a tick, the last one at f_tick_time
	reg [WIDTH:0] f_tick_time;
	reg [WIDTH:0] f_from;          // number of the first multiple after the first batch
	reg [WIDTH:0] f_count;         // ticks, and lost ticks that were told
	wire [WIDTH:0] f_told = lost_valid ? {1'b0, lost} : {WIDTH+1{1'b0}};
	wire [WIDTH:0] f_pending = f_told +
		(counted && running && !passed[WIDTH] ? passed : {WIDTH+1{1'b0}});
	localparam [WIDTH+1:0] F_MOST = (1 << WIDTH) + AHEAD + (1 << PERIOD_BITS);
	wire f_inside = prev <= wide_now && wide_now <= next;
	wire f_multiple = wide_now % wide_divisor == 0;
	// The division: the dividend's bits that are left, and the quotient of the others.
	wire [2*WIDTH+1:0] f_wide_number = {{WIDTH+1{1'b0}}, number};
	wire [2*WIDTH+1:0] f_bits = f_wide_number >> (WIDTH + 1 - left);
	wire [2*WIDTH+1:0] f_quotient = f_wide_number & ~(~64'd0 << (WIDTH + 1 - left));
	wire [2*WIDTH+1:0] f_product = number * wide_divisor;
	wire [2*WIDTH+1:0] f_since = since * wide_divisor;
	// How long the next multiple is not known: F_FIND cycles at most, if the time meanwhile
	// stands still or rises by one in each cycle. A search is stale that began before that.
	localparam F_SEARCH = WIDTH + 3 + 2 * (WIDTH + 7), F_FIND = 6 * WIDTH + 37;
	reg [9:0] f_waited;            // cycles since a jump, another period, or a first batch
	reg f_stale;
	wire f_jump = !hold && coming != now && wide_coming != wide_now + ONE;
	wire f_searches = state != NONE && state != FOLLOW;
	wire [WIDTH+2:0] f_now = {2'd0, wide_now}, f_next = {2'd0, next};
	reg [9:0] f_search;            // cycles that are left of the search, at most
	reg [9:0] f_left;              // and until the next multiple is known
	always @(*) begin
		case (state)
		DIVIDE: f_search = left + 2 * (AHEAD + 1) + 2;
		LAST: f_search = 2 * (AHEAD + 1) + 2;
		NEXT: f_search = 2 * (AHEAD + 1) + 1;
		CHECK: f_search = 2 * left;
		BACK: f_search = 2 * left - 1;
		default: f_search = 0;
		endcase
		if (state == NONE) f_left = 0;
		else if (divide_first) f_left = 2 * F_SEARCH + 3;
		else if (f_searches) f_left = f_search + (f_stale ? F_SEARCH + 2 : 0);
		else if (outside) f_left = F_SEARCH + 1;
		else f_left = f_inside ? 0 : F_SEARCH + 2;
	end
	always @(posedge clk) begin
		f_past <= 1'b1;
		if (rst || renewed || first || f_jump) begin
			f_waited <= 0;
			f_stale <= 1'b1;
		end else begin
			if (f_waited <= F_FIND) f_waited <= f_waited + 1;
			if (divide) f_stale <= divide_first || f_waited == 0;
		end
		if (!f_past) assume (rst);
		if (f_past && !$past(rst)) assume (now == $past(hold ? now : coming));
		assume (!(first && running));
		if (f_past && running) assume ($past(first || running) && !$past(rst));
		if (renewed || rst) assume (!first && !running);
		f_fell <= !first && (f_fell || now < now_q);
		if (first) begin
			f_ticked <= 1'b0;
			f_count <= 0;
			f_from <= wide_now / wide_divisor + 1;
		end else begin
			if (tick) begin
				f_ticked <= 1'b1;
				f_tick_time <= wide_now;
			end
			f_count <= f_count + tick + f_told;
		end
		if (rst) f_ticked <= 1'b0;
		if (f_past && !$past(rst || renewed)) begin
			// Ticks come at all multiples, as soon as the next one is known.
			if (tick) assert (f_multiple && running);
			if (divisor != 0 && $past((follows && f_inside) ||
					(settled && !divide && !first && f_inside)) &&
					wide_now == $past(wide_now) + 1)
				assert (known && f_inside && tick == (running && f_multiple));
			// A clock that stands still has no second tick.
			if (divisor != 0 && $past(follows && f_inside) && now == $past(now))
				assert (known && f_inside && !tick);
		end
		if (f_past) begin
			if (running && f_ticked && !f_fell && now >= now_q && tick)
				assert (wide_now > f_tick_time);
			// Every multiple is a tick or lost.
			if (running && !f_fell && state == FOLLOW && !divide_first)
				assert (number == f_from + f_count + f_pending);
		end
		// The next multiple is found in time.
		if (f_past && f_waited >= F_FIND && state != NONE) assert (known && f_inside);
		// These assertions are what the proof by induction needs.
		if (f_past) begin
			assert (f_waited + f_left <= F_FIND || f_left == 0);
			if (f_waited != 0)
				assert (now == now_q || wide_now == {1'b0, now_q} + ONE);
			if (!f_stale && f_searches && !divide_first) begin
				assert (f_waited != 0 && !exact);
				if (state == DIVIDE || state == LAST)
					assert (f_now + AHEAD + (state == DIVIDE ? left : 0) <=
						f_next + WIDTH + 3);
				if (state == NEXT)
					assert (f_now + AHEAD < f_next + divisor + WIDTH + 4);
				if (state == CHECK || state == BACK)
					assert (wide_now < next || (wide_now == next &&
						(stepped || state == BACK)));
				if (state == DIVIDE || state == LAST || state == NEXT)
					assert (next <= {1'b0, now_q} + AHEAD);
				else assert (prev < {1'b0, now_q} + left);
			end
			assert (now_q == $past(now) && state <= CHECK);
			assert ((state == NONE) == (divisor == 0));
			if (state == NONE) assert (!divide);
			if (first_q)
				assert (!f_fell && !f_ticked && f_count == 0 && !lost_valid &&
					f_from == {1'b0, now_q} / wide_divisor + 1);
			if (counted) assert (state == FOLLOW && !outside && !first_q && !lost_valid);
			if (lost_valid) assert (state == FOLLOW && !first_q);
			if (outside) assert (state == FOLLOW || state == NONE);
			if ((state == FOLLOW && !outside) || state == CHECK || state == BACK)
				assert (f_product == next && prev == next - wide_divisor &&
					number != 0 && prev < next && next <= F_MOST);
			if (state == DIVIDE)
				assert (left != 0 && left <= WIDTH + 1 && rest < divisor &&
					next < F_MOST - wide_divisor &&
					next == ((f_quotient * wide_divisor + rest) << left) +
					f_bits);
			if (state == LAST)
				assert (rest < divisor && next < F_MOST - wide_divisor &&
					next == f_product + rest);
			if (state == NEXT)
				assert (next == f_product && next < F_MOST - wide_divisor);
			if (state == CHECK || state == BACK) assert (left != 0);
			if ((state == FOLLOW && !outside) || state == BACK ||
					(state == CHECK && stepped))
				assert (at_next == (wide_now == next));
			if (state == BACK)
				assert (below_q == ({1'b0, now_q} < prev) && !stepped &&
					(!below_q || at_prev == (wide_now == prev)));
			if (stepped) assert (state != BACK && state != LAST && state != NEXT);
			if (running && !divide_first && !f_fell) begin
				if (state == DIVIDE || state == LAST || state == NEXT)
					assert (next <= {1'b0, now_q} + AHEAD);
				if (state == CHECK || state == BACK)
					assert (prev < {1'b0, now_q} + left);
			end
			if (running && state == FOLLOW && !divide_first && !f_fell)
				assert (outside ? next < now_q : prev <= now_q);
			if (outside && state == FOLLOW && running)
				assert (f_product == next && next <= F_MOST && number != 0);
			// While the next multiple is not known, it is known which one was the next
			// one before, or the time of the first batch is divided.
			if (running && !divide_first && state != NONE && state != FOLLOW) begin
				assert (counting);
				if (exact)
					assert (!f_ticked && f_count + f_pending == 0);
				if (exact && (state == DIVIDE || state == LAST))
					assert (f_from == next / wide_divisor + 1 &&
						(f_fell || next <= now_q));
				if (exact && state == NEXT)
					assert (f_from == number + 1 && (f_fell || next <= now_q));
				if (exact && (state == CHECK || state == BACK) && !f_fell)
					assert (f_from == number && since == number &&
						prev <= now_q && !stepped);
				if (!exact && !f_fell)
					assert (since == f_from + f_count + f_pending &&
						since != 0 && f_since <= now_q && f_since <= next);
			end
			if (running && f_ticked && !f_fell) begin
				assert (f_tick_time <= now_q);
				if (state == DIVIDE || state == LAST) assert (next >= f_tick_time);
				if (state == NEXT) assert (next + divisor > f_tick_time);
				if (state == CHECK || state == BACK || state == FOLLOW)
					assert (next > f_tick_time);
			end
		end
	end
`endif
endmodule
`default_nettype wire
