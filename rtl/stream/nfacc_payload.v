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

	// The batch of the tap is at place `at`, or a later one will be.
	(* ram_style = "block" *) reg [WIDTH-1:0] arrived [0:ARRIVED-1];
	reg [WIDTH-1:0] arrived_word;
	reg [A-1:0] at, after;
	wire [A-1:0] next = take ? after : at;
	wire [A-1:0] arrived_at;
	always @(posedge clk) begin
		if (valid)
			arrived[next] <= payload;
		arrived_word <= arrived[arrived_at];
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
			(* ram_style = "block" *) reg [WIDTH-1:0] queued [0:QUEUED-1];
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
			(* ram_style = "block" *) reg [WIDTH-1:0] held [0:(1<<HELD)-1];
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
			end
			assign pushed = held_word;
		end else begin : g_none
			wire unused_held = &{1'b0, put, put_at, get_at};
			assign pushed = decided;
		end
	endgenerate

	// After a flush the next entry has the place behind that of the entry that stays.
	(* ram_style = "block" *) reg [WIDTH-1:0] leaving [0:OUT_DEPTH-1];
	reg [OUT:0] count;
	wire pop = entry_valid & entry_ready;
	assign room = ~count[OUT];
	always @(posedge clk) begin
		if (push) begin
			leaving[push_at] <= pushed;
			push_at <= push_at + {{(OUT-1){1'b0}}, 1'b1};
		end
		entry <= leaving[entry_at];
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
endmodule
`default_nettype wire
