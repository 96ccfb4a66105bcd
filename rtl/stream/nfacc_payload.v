// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// nfacc_payload: keeps the payload of messages, which no filter sees, on the way from the tap to the
// records. It lies in block RAM and goes from one memory straight into the next, so that it takes no
// flip-flops. A batch carries only the number of its place in the first memory that it is in:
//
//  arrived:  what the tap delivers, each cycle; the place is used up if a batch is taken
//  queued:   with QUEUED, what nfacc_admit lets on; the payload of a lost batch stays behind
//  held:     the ring of nfacc_window: the same writes and reads, at the same addresses
//  leaving:  the output FIFO; an entry carries its place
//
// No word is used that is read as it is written.
//
// nfacc_store pushes a batch two cycles after it left the ring of the window. Writes and reads of
// `held` are therefore two cycles behind those of the ring, and its word is there with the push.
`default_nettype none

module nfacc_payload #(
	parameter WIDTH = 64,     // bits of the payload of a batch, 64 ..
	parameter ARRIVED = 64,   // places: a power of two, 4 ..; more than batches between tap and
	                          // decision, or with QUEUED between tap and nfacc_admit,
	                          // those that a swap by a label takes back included
	parameter QUEUED = 0,     // places: a power of two, more than batches between nfacc_admit and
	                          // decision; 0: nothing is lost there
	parameter PLACE = 6,      // bits of a place: that of `arrived`, and above it that of `queued`
	parameter HELD = 4,       // bits of an address of the window's ring; 0: it has none
	parameter OUT_DEPTH = 512 // entries that can wait for the output: a power of two, 2 ..
) (
	input wire clk,
	input wire rst,
	input wire valid,         // the tap may deliver a batch in the next cycle, with this payload:
	input wire [WIDTH-1:0] payload,
	input wire take,          // the batch of the tap is taken,
	output wire [PLACE-1:0] tap_place, // and has this place
	input wire go,            // a batch, or an entry that tells a loss, goes on to the NFA,
	input wire [PLACE-1:0] go_place,   // which had this place,
	output wire [PLACE-1:0] nfa_place, // and has this one from here on
	input wire [PLACE-1:0] out_place,  // that of the batch that leaves the NFA, a cycle before it
	                                   // comes to the window
	input wire put,           // the window's ring is written
	input wire [(HELD > 0 ? HELD : 1)-1:0] put_at,
	input wire [(HELD > 0 ? HELD : 1)-1:0] get_at, // and read, in every cycle
	// The output FIFO takes an entry, with the number of its place, and gives one away. A flush
	// keeps that at its output.
	output wire room,
	input wire push,
	output reg [$clog2(OUT_DEPTH)-1:0] push_at,
	input wire flush,
	input wire entry_valid,
	input wire entry_ready,
	input wire [$clog2(OUT_DEPTH)-1:0] entry_at,
	output reg [WIDTH-1:0] entry // a cycle after entry_at
);
	localparam OUT = $clog2(OUT_DEPTH), A = $clog2(ARRIVED);
	generate
		if (PLACE != A + (QUEUED > 0 ? $clog2(QUEUED) : 0)) begin : g_bad
			nfacc_error_places e ();
		end
	endgenerate

`ifdef FORMAL
	(* anyseq *) reg [WIDTH-1:0] f_met; // what a read that meets a write gives
`endif
	// The batch of the tap is at place `at`, or a later one will be.
	(* ram_style = "block", no_rw_check *) reg [WIDTH-1:0] arrived [0:ARRIVED-1];
	reg [WIDTH-1:0] arrived_word;
	reg [A-1:0] at, after;
	wire [A-1:0] next = take ? after : at;
	wire [A-1:0] arrived_at;
	always @(posedge clk) begin
		if (valid)
			arrived[next] <= payload;
		arrived_word <= arrived[arrived_at];
`ifdef FORMAL
		if (valid & (next == arrived_at))
			arrived_word <= f_met;
`endif
		at <= next;
		after <= next + {{(A-1){1'b0}}, 1'b1};
		if (rst) begin
			at <= {A{1'b0}};
			after <= {{(A-1){1'b0}}, 1'b1};
		end
	end
	generate
		if (PLACE > A) begin : g_more
			assign tap_place = {{(PLACE-A){1'b0}}, at};
		end else begin : g_same
			assign tap_place = at;
		end
	endgenerate

	// The batch comes to the window in the cycle after out_place; its payload two cycles later.
	reg [PLACE-1:0] place_q, place_qq;
	wire [WIDTH-1:0] decided;
	always @(posedge clk)
		{place_qq, place_q} <= {place_q, out_place};
	generate
		if (QUEUED > 0) begin : g_queued
			localparam Q = $clog2(QUEUED);
			(* ram_style = "block", no_rw_check *) reg [WIDTH-1:0] queued [0:QUEUED-1];
			reg [WIDTH-1:0] queued_word;
			reg [Q-1:0] to, to_q;
			reg went;
			assign arrived_at = go_place[A-1:0];
			always @(posedge clk) begin
				went <= go;
				to_q <= to;
				if (go)
					to <= to + {{(Q-1){1'b0}}, 1'b1};
				if (went)
					queued[to_q] <= arrived_word;
				queued_word <= queued[place_qq[PLACE-1 -: Q]];
`ifdef FORMAL
				if (went & (to_q == place_qq[PLACE-1 -: Q]))
					queued_word <= f_met;
`endif
				if (rst)
					to <= {Q{1'b0}};
			end
			assign nfa_place = {to, go_place[A-1:0]};
			assign decided = queued_word;
			wire unused_places = &{1'b0, go_place, place_qq};
		end else begin : g_all
			assign arrived_at = place_qq[A-1:0];
			assign nfa_place = go_place;
			assign decided = arrived_word;
			wire unused_places = &{1'b0, go, place_qq};
		end
	endgenerate

	wire [WIDTH-1:0] pushed;
	generate
		if (HELD > 0) begin : g_held
			(* ram_style = "block", no_rw_check *) reg [WIDTH-1:0] held [0:(1<<HELD)-1];
			reg [WIDTH-1:0] held_word;
			reg [1:0] puts;
			reg [HELD-1:0] put_q, put_qq, get_q, get_qq;
			always @(posedge clk) begin
				puts <= {puts[0], put};
				{put_qq, put_q} <= {put_q, put_at};
				{get_qq, get_q} <= {get_q, get_at};
				if (puts[1])
					held[put_qq] <= decided;
				held_word <= held[get_qq];
`ifdef FORMAL
				if (puts[1] & (put_qq == get_qq))
					held_word <= f_met;
`endif
			end
			assign pushed = held_word;
		end else begin : g_none
			wire unused_held = &{1'b0, put, put_at, get_at};
			assign pushed = decided;
		end
	endgenerate

	// After a flush the next entry has the place behind that of the entry that stays.
	(* ram_style = "block", no_rw_check *) reg [WIDTH-1:0] leaving [0:OUT_DEPTH-1];
	reg [OUT:0] count;
	wire pop = entry_valid & entry_ready;
	assign room = ~count[OUT];
	always @(posedge clk) begin
		if (push) begin
			leaving[push_at] <= pushed;
			push_at <= push_at + {{(OUT-1){1'b0}}, 1'b1};
		end
		entry <= leaving[entry_at];
`ifdef FORMAL
		if (push & (push_at == entry_at))
			entry <= f_met;
`endif
		count <= count + {{OUT{1'b0}}, push} - {{OUT{1'b0}}, pop};
		if (flush & entry_valid)
			push_at <= entry_at + {{(OUT-1){1'b0}}, 1'b1};
		if (flush)
			count <= {{OUT{1'b0}}, entry_valid & ~entry_ready};
		if (rst) begin
			push_at <= {OUT{1'b0}};
			count <= {(OUT+1){1'b0}};
		end
	end

`ifdef FORMAL
	// The proof follows one arbitrary batch. What is read for its entry is what came with it.
	// It assumes of the modules around what the parameters say: fewer batches than places are
	// between the tap and where the first memory is read, and so with the second; the window
	// puts nothing at the address of a batch before it has read that; the output FIFO keeps order.
	localparam [2:0] WAITS = 3'd0, ARRIVES = 3'd1, QUEUES = 3'd2, GOES_OUT = 3'd3,
		LEAVES = 3'd4;
	(* anyseq *) reg f_pick, f_decides, f_gets;
	reg f_past = 1'b0;
	reg f_valid;                   // the tap may have a batch, with this payload:
	reg [WIDTH-1:0] f_payload;
	reg [2:0] f_phase = WAITS;
	reg [WIDTH-1:0] f_word;        // the payload of the batch
	reg [PLACE-1:0] f_place;       // its place
	reg [A:0] f_takes;             // batches taken from it on
	reg [2:0] f_age;               // cycles since its out_place; 4: or more
	reg [1:0] f_got;               // cycles since the ring was read for it; 0: it was not
	reg [(HELD > 0 ? HELD : 1)-1:0] f_ring; // its address in the ring
	reg [OUT-1:0] f_at;            // its place in the last memory
	reg [OUT-1:0] f_first;         // the place of the oldest entry of the output FIFO
	wire f_here = f_phase == ARRIVES || f_phase == QUEUES;
	wire f_picked = f_pick && take && f_phase == WAITS;
	wire f_goes = QUEUED > 0 && f_phase == ARRIVES && go && go_place[A-1:0] == f_place[A-1:0];
	wire f_out = f_decides && f_phase == (QUEUED > 0 ? QUEUES : ARRIVES);
	wire f_put = f_phase == GOES_OUT && f_age == 3'd1;
	wire f_get = HELD > 0 && f_gets && f_phase == GOES_OUT && f_age >= 3'd2 && f_got == 2'd0;
	wire f_push = f_phase == GOES_OUT && (HELD > 0 ? f_got == 2'd3 : f_age == 3'd3);
	wire f_entry = f_phase == LEAVES && entry_valid && entry_at == f_at;
	wire [OUT-1:0] f_ahead = f_at - f_first;
	// The first memory is not read yet.
	wire f_needed = QUEUED > 0 ? f_phase == ARRIVES :
		f_here || (f_phase == GOES_OUT && f_age < 3'd3);
	always @(*) begin
		if (take) assume (f_valid);
		if (f_needed) assume (f_takes + take < ARRIVED);
		if (f_out) assume (out_place == f_place);
		if (HELD > 0 && f_put) assume (put);
		if (f_phase == GOES_OUT && f_age >= 3'd2 && f_got == 2'd0)
			assume (!(put && put_at == f_ring));
		if (f_get) assume (get_at == f_ring);
		if (f_push) assume (push && !flush);
		if (push) assume (room);
		if (entry_valid) assume (count != 0 && entry_at == f_first);
	end
	always @(posedge clk) begin
		f_past <= 1'b1;
		if (!f_past) assume (rst);
		else assume (!rst);
		f_valid <= valid && !rst;
		f_payload <= payload;
		if (take) f_takes <= f_takes + 1'b1;
		if (f_age != 3'd0 && f_age != 3'd4) f_age <= f_age + 3'd1;
		if (f_got != 2'd0) f_got <= f_got + 2'd1;
		if (f_picked) begin
			f_phase <= ARRIVES;
			f_word <= f_payload;
			f_place <= tap_place;
			f_takes <= 1;
			f_age <= 3'd0;
			f_got <= 2'd0;
		end
		if (f_goes) begin
			f_phase <= QUEUES;
			f_place <= nfa_place;
		end
		if (f_out) begin
			f_phase <= GOES_OUT;
			f_age <= 3'd1;
		end
		if (f_put) f_ring <= put_at;
		if (f_get) f_got <= 2'd1;
		if (f_push) begin
			f_phase <= LEAVES;
			f_at <= push_at;
		end
		if (pop) f_first <= f_first + 1'b1;
		if (f_phase == LEAVES && ((pop && f_at == f_first) ||
				(flush && !(entry_valid && f_at == f_first))))
			f_phase <= WAITS;
		if (flush && !entry_valid) f_first <= push ? push_at + 1'b1 : push_at;
		if (rst) begin
			f_phase <= WAITS;
			f_first <= {OUT{1'b0}};
		end
		if (f_past) begin
			assert (after == at + {{(A-1){1'b0}}, 1'b1});
			assert (count <= OUT_DEPTH && push_at == f_first + count[OUT-1:0]);
			assert (f_phase <= LEAVES && (f_phase != QUEUES || QUEUED > 0));
			assert (f_phase != GOES_OUT || (f_age != 3'd0 && f_age <= 3'd4));
			if (f_valid) assert (arrived[at] == f_payload);
			if (f_needed) assert (arrived[f_place[A-1:0]] == f_word &&
				f_takes != 0 && f_takes < ARRIVED &&
				at == f_place[A-1:0] + f_takes[A-1:0]);
			if (f_phase == GOES_OUT) begin
				if (f_age == 3'd1) assert (place_q == f_place);
				if (f_age == 3'd2) assert (place_qq == f_place);
				if (f_age == 3'd3) assert (decided == f_word);
				assert (HELD > 0 ?
					f_got == 2'd0 || f_age >= 3'd2 + f_got[0] + {1'b0, f_got[1]} :
					f_age <= 3'd3 && f_got == 2'd0);
			end
			// A batch that a swap takes back is read at its first place once more.
			if (f_goes) assert (nfa_place[A-1:0] == f_place[A-1:0]);
			if (f_phase == LEAVES)
				assert (leaving[f_at] == f_word && f_ahead < count);
			// What the entry of the batch brings is what came with it.
			if ($past(f_past) && $past(f_entry) && !$past(rst))
				assert (entry == $past(f_word));
		end
	end
	generate
		if (QUEUED > 0) begin : g_f_queued
			localparam Q = $clog2(QUEUED);
			wire [Q-1:0] f_to = f_place[PLACE-1 -: Q];
			reg [Q:0] f_gos;           // entries that went on from it on
			wire f_waits = f_phase == QUEUES || (f_phase == GOES_OUT && f_age < 3'd3);
			always @(*)
				if (f_waits) assume (f_gos + go <= QUEUED);
			always @(posedge clk) begin
				if (go) f_gos <= f_gos + 1'b1;
				if (f_goes) f_gos <= 1;
				if (f_past && f_waits) begin
					assert (f_gos != 0 && f_gos <= QUEUED &&
						g_queued.to == f_to + f_gos[Q-1:0]);
					// The last entry that went on is written a cycle later.
					assert (!g_queued.went ||
						g_queued.to_q + {{(Q-1){1'b0}}, 1'b1} ==
						g_queued.to);
					if (g_queued.went && g_queued.to_q == f_to)
						assert (arrived_word == f_word);
					else
						assert (g_queued.queued[f_to] == f_word);
				end
			end
		end
		if (HELD > 0) begin : g_f_held
			// The write of the batch is under way, and none of another one to its
			// address that would come before the read.
			wire [1:0] f_puts = g_held.puts &
				{g_held.put_qq == f_ring, g_held.put_q == f_ring};
			always @(posedge clk)
				if (f_past && f_phase == GOES_OUT) begin
					if (f_age == 3'd2) assert (f_puts[0]);
					if (f_age == 3'd3) assert (f_puts[1]);
					if (f_age >= 3'd3 && f_got <= 2'd1) assert (!f_puts[0]);
					if (f_age == 3'd4 && f_got <= 2'd2) assert (!f_puts[1]);
					if (f_age == 3'd4 && f_got != 2'd3)
						assert (g_held.held[f_ring] == f_word);
					if (f_got == 2'd1) assert (g_held.get_q == f_ring);
					if (f_got == 2'd2) assert (g_held.get_qq == f_ring);
					if (f_got == 2'd3) assert (g_held.held_word == f_word);
				end
		end
	endgenerate
`endif
endmodule
`default_nettype wire
