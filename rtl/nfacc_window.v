// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// nfacc_window: the rule of language.md 5, decided as early as can be, as runtime/window.c does:
//
//   accepted:  everything held is within reach of it and goes out, then the batch itself; the next
//              n logged ones are within reach as well (after = n).
//   logged:    while after > 0 it goes out and counts down; else it is held, and if n are held
//              already the oldest is dropped: n others stand between it and any later accepted one.
//
// A ring of entries: rd .. commit goes out, one a cycle; commit .. wr is held. At most n + 1 are in
// it: what goes out and what is held together while anything goes out, as each batch adds one at
// most and one leaves. So when the oldest is dropped all before it has left or leaves in that cycle,
// and nothing ever stalls.
`default_nettype none

module nfacc_window #(
	parameter WINDOW = 64, // largest window; 0: logged batches come to nothing
	parameter WIDTH = 8    // bits of a batch
) (
	input wire clk,
	input wire rst,
	input wire fresh,                         // start anew with this size; no batch comes with it
	input wire [$clog2(WINDOW+2)-1:0] size,   // n, at most WINDOW
	input wire in_valid,                      // one in every cycle, if need be
	input wire in_accept,
	input wire in_log,
	input wire [WIDTH-1:0] in_data,
	output reg out_valid,                     // no backpressure
	output reg [WIDTH-1:0] out_data,
	output wire busy                          // something goes out still
);
	generate
		if (WINDOW == 0) begin : g_none
			wire unused_window = &{1'b0, fresh, size, in_log};
			always @(posedge clk) begin
				out_valid <= in_valid & in_accept & ~rst;
				out_data <= in_data;
			end
			assign busy = out_valid;
		end else begin : g_ring
			localparam BITS = $clog2(WINDOW + 2);
			localparam [BITS-1:0] ZERO = 0, ONE = 1;

			reg [WIDTH-1:0] memory [0:(1<<BITS)-1];
			reg [BITS-1:0] rd, commit, wr, n, after;

			wire [BITS-1:0] held = wr - commit;
			wire move = rd != commit;
			wire accept = in_valid & in_accept;
			wire log = in_valid & ~in_accept & in_log;
			wire reach = log & (after != ZERO);
			wire hold = log & (after == ZERO) & (n != ZERO);
			wire drop = hold & (held == n);

			assign busy = move | out_valid;

			always @(posedge clk) begin
				if (accept | reach | hold) begin
					memory[wr] <= in_data;
					wr <= wr + ONE;
				end
				if (move)
					out_data <= memory[rd];
				out_valid <= move;
				if (accept | reach)
					commit <= wr + ONE;
				else if (drop)
					commit <= commit + ONE;
				if (drop)
					rd <= commit + ONE;
				else if (move)
					rd <= rd + ONE;
				if (accept)
					after <= n;
				else if (reach)
					after <= after - ONE;
				if (fresh) begin
					n <= size;
					after <= ZERO;
					wr <= commit;
				end
				if (rst) begin
					out_valid <= 1'b0;
					rd <= ZERO;
					commit <= ZERO;
					wr <= ZERO;
					after <= ZERO;
					n <= ZERO;
				end
			end
		end
	endgenerate

`ifdef FORMAL
	// The rule, as language.md 5 has it, for an arbitrary batch: its data is 1, that of batches
	// before it 0, of those after it 2. A run starts afresh with an arbitrary n, before or after.
	//
	// f_since: logged or accepted ones since the last accepted one (f_near: there is one);
	// f_after: since the batch. Both stop at WINDOW + 1, which is beyond every reach.
	localparam [7:0] FAR = WINDOW + 1;
	localparam [1:0] AHEAD = 0, OPEN = 1, OUT = 2, NOT = 3; // undecided; goes out; never does
	(* anyseq *) reg f_pick;
	reg f_past = 1'b0, f_near, f_left;
	reg [1:0] f_is;
	reg [7:0] f_since, f_after, f_n;
	wire f_any = in_valid & (in_accept | in_log);
	wire f_begins = f_pick & f_any & (f_is == AHEAD);
	integer k;
	always @(posedge clk) begin
		f_past <= 1'b1;
		if (!f_past) assume (rst);
		assume (size <= WINDOW);
		if (fresh) assume (!in_valid);
		assume (in_data == (f_is != AHEAD ? 2'd2 : f_begins ? 2'd1 : 2'd0));
		if (f_any) begin
			f_near <= f_near | in_accept;
			f_since <= in_accept ? 0 : f_since + (f_since != FAR);
			f_after <= f_after + (f_after != FAR);
		end
		if (f_begins) begin
			f_after <= 0;
			// f_since others stand between the nearest accepted one before it and it.
			f_is <= in_accept ? OUT : f_near && f_since + 8'd1 <= f_n ? OUT : OPEN;
		end else if (f_is == OPEN) begin
			// f_after others stand between it and what comes now.
			if (in_valid && in_accept && f_after + 8'd1 <= f_n) f_is <= OUT;
			else if (f_any && f_after + 8'd1 >= f_n) f_is <= NOT;
			else if (f_n == 0) f_is <= NOT;
		end
		if (fresh) begin
			f_near <= 1'b0;
			f_n <= size;
			if (f_is == OPEN) f_is <= NOT;
		end
		if (out_valid && out_data == 2'd1) f_left <= 1'b1;
		if (rst) begin
			f_near <= 1'b0;
			f_n <= 0;
			f_is <= AHEAD;
			f_left <= 1'b0;
			f_since <= 0;
		end
		if (f_past) begin
			// It comes out once, if the rule says so, and in order.
			if (out_valid && out_data == 2'd1) assert (f_is == OUT && !f_left);
			if (out_valid && out_data == 2'd0) assert (!f_left);
			if (out_valid && out_data == 2'd2)
				assert (f_left || f_is == NOT || f_is == OPEN);
			// Nothing more to come, and it has not been forgotten.
			if (f_is == OUT && !busy) assert (f_left);
			assert (!(out_valid && out_data == 2'd3));
		end
	end
	generate
		if (WINDOW != 0) begin : g_formal
			localparam BITS = $clog2(WINDOW + 2);
			wire [BITS-1:0] going = g_ring.commit - g_ring.rd;
			wire [BITS-1:0] stored = g_ring.wr - g_ring.rd;
			reg [BITS-1:0] f_pos, f_k;
			wire [BITS-1:0] f_index = f_pos - g_ring.rd;
			integer i;
			always @(posedge clk) begin
				if (f_begins) f_pos <= g_ring.wr;
				if (f_past) begin
					// The mover never stalls.
					if (g_ring.drop)
						assert (g_ring.rd == g_ring.commit ||
							g_ring.rd + 1'b1 == g_ring.commit);
					assert (f_n == g_ring.n && g_ring.n <= WINDOW);
					assert (g_ring.held <= g_ring.n);
					assert (g_ring.after <= g_ring.n);
					if (g_ring.after != 0) assert (g_ring.held == 0);
					assert ({1'b0, going} + g_ring.held <= WINDOW + 1);
					if (going != 0)
						assert ({1'b0, going} + g_ring.held <= {1'b0, f_n} + 1 + WINDOW);
				end
			end
		end
	endgenerate
`endif
endmodule
`default_nettype wire
