// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// nfacc_merge: makes one stream of two taps that use one clock (T 4.1), in front of an engine with
// the slots of both: those of a come first. A tap may deliver a batch up to SKEW cycles after the
// batch's time. So each batch goes out when the clock is SKEW + 3 cycles ahead of its time,
// together with the other tap's batch of that time, and the time goes on from cycle to cycle, as
// ticks need it. What comes later, twice at one time, or against the order of time is lost, and
// told.
`default_nettype none

module nfacc_merge #(
	parameter SLOTS_A = 1,     // 1 ..: messages of a batch of tap a
	parameter SLOTS_B = 1,     // 1 ..: messages of a batch of tap b
	parameter HEADER_BITS = 8, // 1 .. 64: bits of a header
	parameter SKEW = 8,        // 0 ..: the most cycles from a batch's time to its delivery
	parameter TIME_BITS = 64   // bits of the time
) (
	input wire clk,
	input wire rst,
	input wire [TIME_BITS-1:0] now,     // the clock: rises by one in each cycle
	input wire a_valid,        // tap a delivers a batch; times rise, and none is after `now`
	input wire [SLOTS_A-1:0] a_present,
	input wire [SLOTS_A*HEADER_BITS-1:0] a_header,
	input wire [TIME_BITS-1:0] a_time,
	input wire b_valid,        // the same for tap b
	input wire [SLOTS_B-1:0] b_present,
	input wire [SLOTS_B*HEADER_BITS-1:0] b_header,
	input wire [TIME_BITS-1:0] b_time,
	// As nfacc_engine takes them: s_valid, s_present, s_header, s_time. In the first SKEW + 3
	// cycles of the clock the time is 0.
	output reg m_valid,
	output reg [SLOTS_A+SLOTS_B-1:0] m_present,
	output reg [(SLOTS_A+SLOTS_B)*HEADER_BITS-1:0] m_header,
	output reg [TIME_BITS-1:0] m_time,
	// Messages were lost, in number: for a slot of its own, so that filters and records show
	// it.
	output reg m_loss_valid,
	output reg [8:0] m_loss,
	output reg [63:0] lost     // messages lost since reset
);
	localparam DEPTH = 1 << $clog2(SKEW + 3); // a source within the contract never fills it
	localparam [TIME_BITS-1:0] ONE = 1,
		DELAY = SKEW + 2; // cycles until a batch has left its FIFO
	localparam WIDTH_A = TIME_BITS + SLOTS_A * (HEADER_BITS + 1),
		WIDTH_B = TIME_BITS + SLOTS_B * (HEADER_BITS + 1);

	generate
		if (SLOTS_A < 1 || SLOTS_B < 1 || SLOTS_A + SLOTS_B > 64) begin : g_range
			nfacc_error_merge_range e ();
		end
	endgenerate

	function [6:0] popcount(input [63:0] mask);
		integer i;
		begin
			popcount = 7'd0;
			for (i = 0; i < 64; i = i + 1)
				popcount = popcount + {6'd0, mask[i]};
		end
	endfunction

	// The batches with this time leave in this cycle.
	reg [TIME_BITS-1:0] due;
	reg begun; // the clock is so far that there is such a time

	wire a_ready, a_waits, a_filled, b_ready, b_waits, b_filled;
	wire [$clog2(DEPTH):0] a_level, b_level;
	wire [TIME_BITS-1:0] a_head, b_head;
	wire [SLOTS_A-1:0] a_mask;
	wire [SLOTS_B-1:0] b_mask;
	wire [SLOTS_A*HEADER_BITS-1:0] a_headers;
	wire [SLOTS_B*HEADER_BITS-1:0] b_headers;
	wire unused_state = &{1'b0, a_filled, b_filled, a_level, b_level};

	wire a_goes = a_waits & begun & (a_head == due), a_late = a_waits & begun & (a_head < due);
	wire b_goes = b_waits & begun & (b_head == due), b_late = b_waits & begun & (b_head < due);

	nfacc_fifo #(.WIDTH(WIDTH_A), .DEPTH(DEPTH)) a_fifo (
		.clk(clk), .rst(rst), .flush(1'b0), .in_valid(a_valid), .in_ready(a_ready),
		.in_data({a_header, a_present, a_time}), .out_valid(a_waits),
		.out_ready(a_goes | a_late), .out_data({a_headers, a_mask, a_head}),
		.filled(a_filled), .level(a_level));
	nfacc_fifo #(.WIDTH(WIDTH_B), .DEPTH(DEPTH)) b_fifo (
		.clk(clk), .rst(rst), .flush(1'b0), .in_valid(b_valid), .in_ready(b_ready),
		.in_data({b_header, b_present, b_time}), .out_valid(b_waits),
		.out_ready(b_goes | b_late), .out_data({b_headers, b_mask, b_head}),
		.filled(b_filled), .level(b_level));

	// Messages that were lost in the cycle before: late ones, and ones without room.
	reg [SLOTS_A-1:0] a_gone, a_refused;
	reg [SLOTS_B-1:0] b_gone, b_refused;
	reg [7:0] a_sum, b_sum;
	wire [8:0] sum = {1'b0, a_sum} + {1'b0, b_sum};

	always @(posedge clk) begin
		due <= now - DELAY + ONE;
		begun <= now >= DELAY - ONE;
		m_valid <= (a_goes & (|a_mask)) | (b_goes & (|b_mask));
		m_present <= {b_mask & {SLOTS_B{b_goes}}, a_mask & {SLOTS_A{a_goes}}};
		m_header <= {b_headers, a_headers};
		m_time <= begun ? due : {TIME_BITS{1'b0}};
		a_gone <= a_mask & {SLOTS_A{a_late}};
		b_gone <= b_mask & {SLOTS_B{b_late}};
		a_refused <= a_present & {SLOTS_A{a_valid & ~a_ready}};
		b_refused <= b_present & {SLOTS_B{b_valid & ~b_ready}};
		a_sum <= {1'b0, popcount({{64-SLOTS_A{1'b0}}, a_gone})} +
			{1'b0, popcount({{64-SLOTS_A{1'b0}}, a_refused})};
		b_sum <= {1'b0, popcount({{64-SLOTS_B{1'b0}}, b_gone})} +
			{1'b0, popcount({{64-SLOTS_B{1'b0}}, b_refused})};
		m_loss_valid <= sum != 9'd0;
		m_loss <= sum;
		lost <= lost + {55'd0, sum};
		if (rst) begin
			m_valid <= 1'b0;
			m_loss_valid <= 1'b0;
			a_gone <= {SLOTS_A{1'b0}};
			b_gone <= {SLOTS_B{1'b0}};
			a_refused <= {SLOTS_A{1'b0}};
			b_refused <= {SLOTS_B{1'b0}};
			a_sum <= 8'd0;
			b_sum <= 8'd0;
			lost <= 64'd0;
		end
	end

`ifdef FORMAL
	// What comes within the contract goes out once, at its time, with nothing else; nothing is
	// lost then. Whatever comes goes out or is told.
	parameter KEPT = 1; // the taps keep the contract
	(* anyconst *) reg [TIME_BITS-1:0] f_time; // an arbitrary time, and what came with it
	reg f_past = 1'b0;
	reg f_known = 1'b0, f_b_known = 1'b0; // tap a, tap b delivered a batch before
	reg [TIME_BITS-1:0] f_last, f_b_last; // its time
	reg [SLOTS_A-1:0] f_a_mask = 0;
	reg [SLOTS_A*HEADER_BITS-1:0] f_a_header;
	reg [SLOTS_B-1:0] f_b_mask = 0;
	reg [SLOTS_B*HEADER_BITS-1:0] f_b_header;
	reg [4:0] f_in = 0, f_out = 0, f_told = 0; // messages
	wire f_empty = !a_waits && !a_filled && !b_waits && !b_filled && sum == 0 && !m_valid &&
		!m_loss_valid && (a_gone | a_refused) == 0 && (b_gone | b_refused) == 0;
	integer f_i;
	always @(posedge clk) begin
		f_past <= 1'b1;
		if (!f_past) assume (rst && !now[TIME_BITS-1]);
		if (f_past) assume (!rst && now == $past(now) + 1);
		if (rst) assume (!a_valid && !b_valid);
		if (KEPT != 0 && a_valid)
			assume (a_time <= now && now - a_time <= SKEW && !(f_known && a_time <= f_last));
		if (KEPT != 0 && b_valid)
			assume (b_time <= now && now - b_time <= SKEW &&
				!(f_b_known && b_time <= f_b_last));
		if (a_valid) begin
			f_known <= 1'b1;
			f_last <= a_time;
			if (a_time == f_time) begin
				f_a_mask <= a_present;
				f_a_header <= a_header;
			end
		end
		if (b_valid) begin
			f_b_known <= 1'b1;
			f_b_last <= b_time;
			if (b_time == f_time) begin
				f_b_mask <= b_present;
				f_b_header <= b_header;
			end
		end
		if (KEPT == 0) begin
			f_in <= f_in + (a_valid ? popcount(a_present) : 0) +
				(b_valid ? popcount(b_present) : 0);
			if (f_past) f_out <= f_out + (m_valid ? popcount(m_present) : 0);
			if (f_past) f_told <= f_told + (m_loss_valid ? m_loss : 0);
		end
		if (f_past) begin
			if (!$past(rst)) begin
				if (KEPT != 0) assert (!m_loss_valid);
				if ($past(now) > DELAY) assert (m_time == $past(now) - DELAY);
				if (KEPT == 0 && f_empty) assert (f_in == f_out + f_told);
				if (KEPT == 0 && !m_loss_valid) assert (lost[4:0] == f_told);
			end
			if (!m_valid) assert ($past(rst) || m_present == 0);
			if (KEPT != 0 && !$past(rst, 1) && m_time == f_time && $past(begun)) begin
				assert (m_valid == ({f_b_mask, f_a_mask} != 0));
				assert (m_present == {f_b_mask, f_a_mask});
				for (f_i = 0; f_i < SLOTS_A; f_i = f_i + 1)
					if (f_a_mask[f_i])
						assert (m_header[f_i*HEADER_BITS +: HEADER_BITS] ==
							f_a_header[f_i*HEADER_BITS +: HEADER_BITS]);
				for (f_i = 0; f_i < SLOTS_B; f_i = f_i + 1)
					if (f_b_mask[f_i])
						assert (m_header[(SLOTS_A+f_i)*HEADER_BITS +: HEADER_BITS] ==
							f_b_header[f_i*HEADER_BITS +: HEADER_BITS]);
			end
		end
	end
`endif
endmodule
`default_nettype wire
