// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// nfacc_window: the rule of windows (nfacc-filter(5), section Window and limit). It decides on a
// batch as early as possible, as runtime/engine/window.c does. n is the size of the window before
// an accepted batch, m the size after it.
//
//  accepted:  All held batches are within reach, so they go out, and then the accepted batch.
//             The next m logged batches are within reach, too (after = m).
//  logged:    While after > 0 the batch goes out, and after falls by one. Otherwise it is held.
//             If n batches are held already, the oldest of them is dropped: n others stand
//             between it and any accepted batch that comes later.
//
// The batches are in a ring. Those from rd to commit go out, one a cycle; those from commit to wr
// are held. While batches go out, at most one comes and one leaves in a cycle, so the ring never
// has more than n + 1 entries. When the oldest held batch is dropped, all batches before it have
// left, or the last of them leaves in that cycle. So nothing ever stalls. Block RAM answers late,
// so a register stands between its own and the output.
`default_nettype none

module nfacc_window #(
	parameter WINDOW = 64, // largest window; 0: only accepted batches go out
	parameter OWN = 0,     // 0: m is n; 1: m is `size_after`
	parameter WIDTH = 8    // bits of a batch
) (
	input wire clk,
	input wire rst,
	// A stream starts, and `size` is the size of its window. In this cycle no batch comes, and
	// `busy` is 0. After rst the first batch comes after it.
	input wire stream_start,
	input wire [$clog2(WINDOW+2)-1:0] size,       // n, at most WINDOW
	input wire [$clog2(WINDOW+2)-1:0] size_after, // m, at most WINDOW
	input wire in_valid,                      // a batch comes; one may come in every cycle
	input wire in_accept,
	input wire in_log,
	input wire [WIDTH-1:0] in_data,
	output reg out_valid,                     // a batch goes out; there is no backpressure
	output reg [WIDTH-1:0] out_data,
	output wire busy,                         // a batch is still to go out
	// For memories beside the ring: it is written where, and what is read in this cycle goes out
	// two cycles later. Without a ring all are 0.
	output wire put,
	output wire [$clog2(WINDOW+2)-1:0] put_at,
	output wire [$clog2(WINDOW+2)-1:0] get_at
);
	generate
		if (WINDOW == 0) begin : g_none
			wire unused_window = &{1'b0, stream_start, size, size_after, in_log};
			always @(posedge clk) begin
				out_valid <= in_valid & in_accept & ~rst;
				out_data <= in_data;
			end
			assign busy = out_valid;
			assign {put, put_at, get_at} = 3'd0;
`ifdef FORMAL
			reg f_past = 1'b0;
			always @(posedge clk) begin
				f_past <= 1'b1;
				if (!f_past) assume (rst);
				if (f_past) begin
					assert (out_valid == $past(in_valid & in_accept & !rst));
					if (out_valid) assert (out_data == $past(in_data));
				end
			end
`endif
		end else begin : g_ring
			localparam BITS = $clog2(WINDOW + 2);
			localparam [BITS-1:0] ZERO = 0, ONE = 1;

			// None is read as it is written.
			(* no_rw_check *) reg [WIDTH-1:0] memory [0:(1<<BITS)-1];
			reg [BITS-1:0] rd, commit, last, wr, n, after; // last: commit - 1
			reg [BITS-1:0] left; // batches that may still be held before one is dropped
			reg has_n;   // n is not 0
			wire has_m;  // m is not 0
			reg reaches; // `after` is not 0
			reg full;    // n batches are held, and n is not 0
			reg move;    // rd is not commit: a batch is read in this cycle
			reg leaving; // a batch was read, and is next at the output:
			reg [WIDTH-1:0] leaving_data;

			wire [BITS-1:0] m;
			if (OWN != 0) begin : g_own
				reg [BITS-1:0] own;
				reg has_own;
				assign m = own;
				assign has_m = has_own;
				always @(posedge clk)
					if (stream_start) begin
						own <= size_after;
						has_own <= size_after != ZERO;
					end
			end else begin : g_same
				wire unused_after = &{1'b0, size_after};
				assign m = n;
				assign has_m = has_n;
			end

			wire accept = in_valid & in_accept;
			wire log = in_valid & ~in_accept & in_log;
			wire reach = log & reaches;
			wire hold = log & ~reaches & has_n;
			wire drop = log & full;

			assign busy = move | leaving | out_valid;
			assign put = accept | reach | hold;
			assign put_at = wr;
			assign get_at = rd;

			always @(posedge clk) begin
				// What is not kept is written, too, where no batch is: then the
				// memory does not wait for the rule.
				if (in_valid)
					memory[wr] <= in_data;
				if (put)
					wr <= wr + ONE;
				if (move)
					leaving_data <= memory[rd];
				move <= accept | reach | (move & (rd != last)); // drop: it was the last
				leaving <= move;
				out_valid <= leaving;
				out_data <= leaving_data;
				if (accept | reach) begin
					commit <= wr + ONE;
					last <= wr;
				end else if (drop) begin
					commit <= commit + ONE;
					last <= commit;
				end
				if (drop)
					rd <= commit + ONE;
				else if (move)
					rd <= rd + ONE;
				if (accept) begin
					after <= m;
					reaches <= has_m;
				end else if (reach) begin
					after <= after - ONE;
					reaches <= after != ONE;
				end
				if (accept | reach) begin
					left <= n;
					full <= 1'b0;
				end else if (hold & ~full) begin
					left <= left - ONE;
					full <= left == ONE;
				end
				if (stream_start) begin
					n <= size;
					has_n <= size != ZERO;
					left <= size;
					full <= 1'b0;
					after <= ZERO;
					reaches <= 1'b0;
					wr <= commit;
				end
				if (rst) begin
					move <= 1'b0;
					leaving <= 1'b0;
					out_valid <= 1'b0;
					rd <= ZERO;
					commit <= ZERO;
					last <= {BITS{1'b1}};
					wr <= ZERO;
				end
			end
`ifdef FORMAL
			// The proof picks an arbitrary batch, in any stream, with any n and m, and
			// shows that the rule holds for it. The data of the picked batch is 1. The
			// data of batches before it is 0, and the data of batches after it is 2.
			//
			// AHEAD: the picked batch has not come yet. OPEN: it is not decided yet.
			// IN: it goes out, or has gone out. NO: it does not go out.
			localparam [1:0] AHEAD = 0, OPEN = 1, IN = 2, NO = 3;
			(* anyseq *) reg f_pick;
			wire [BITS-1:0] held = wr - commit;
			reg f_past = 1'b0;
			reg [1:0] f_is;     // AHEAD, OPEN, IN or NO
			reg f_left;         // the picked batch has gone out
			reg f_started = 1'b0; // a stream has started since rst
			reg f_near;         // the current stream has an accepted batch
			// The number of logged or accepted batches since the last accepted batch.
			reg [7:0] f_since;
			// The number of logged or accepted batches since the picked batch.
			reg [7:0] f_after;
			reg [7:0] f_n, f_m;
			// f_since and f_after stop at this number. No window reaches so far.
			localparam [7:0] FAR = WINDOW + 1;
			wire f_any = in_valid & (in_accept | in_log);
			wire f_here = f_any & f_pick & (f_is == AHEAD);
			always @(posedge clk) begin
				f_past <= 1'b1;
				if (!f_past) assume (rst);
				assume (size <= WINDOW && size_after <= WINDOW);
				if (OWN == 0) assume (size_after == size);
				if (stream_start) assume (!in_valid && !busy);
				f_started <= (f_started | stream_start) & ~rst;
				if (in_valid && !rst) assume (f_started);
				assume (in_data == (f_is != AHEAD ? 2 : f_here ? 1 : 0));
				if (f_any) begin
					f_near <= f_near | in_accept;
					f_since <= in_accept ? 0 : f_since + (f_since != FAR);
					f_after <= f_after + (f_after != FAR);
				end
				// The rule: the picked batch goes out if it is accepted, or if at
				// most n - 1 logged or accepted batches stand between it and the
				// nearest accepted batch after it, or at most m - 1 between it and
				// the nearest one before it. Here the picked batch comes, and the
				// accepted batches before it are known.
				if (f_here) begin
					f_after <= 0;
					f_is <= in_accept || (f_near && f_since < f_m) ? IN :
						f_n == 0 ? NO : OPEN;
				// Here a batch comes after the picked batch, which is undecided.
				end else if (f_is == OPEN && f_any) begin
					if (f_after >= f_n) f_is <= NO;
					else if (in_accept) f_is <= IN;
					else if (f_after + 1 >= f_n) f_is <= NO;
				end
				if (stream_start) begin
					f_near <= 1'b0;
					f_n <= size;
					f_m <= size_after;
					if (f_is == OPEN) f_is <= NO;
				end
				if (out_valid && out_data == 1) f_left <= 1'b1;
				if (rst) begin
					f_near <= 1'b0;
					f_n <= 0;
					f_m <= 0;
					f_is <= AHEAD;
					f_left <= 1'b0;
				end
				if (f_past) begin
					// The picked batch goes out if the rule says so, only once,
					// and in order.
					if (out_valid && out_data == 1)
						assert (f_is == IN && !f_left);
					if (out_valid && out_data == 0) assert (!f_left);
					if (out_valid && out_data == 2)
						assert (f_left || f_is == NO);
					assert (!(out_valid && out_data == 3));
					if (!busy && f_is == IN) assert (f_left);
				end
			end

			// These assertions say what the ring holds. The proof by induction needs
			// them.
			reg [BITS-1:0] f_pos, f_at;
			wire [BITS-1:0] f_index = f_pos - rd, f_going = commit - rd,
				f_all = wr - rd;
			wire f_at_output = out_valid & (out_data == 1);
			wire f_leaves = leaving & (leaving_data == 1);
			wire f_in_ring = (f_is == OPEN) |
				((f_is == IN) & ~f_left & ~f_at_output & ~f_leaves);
			integer k;
			always @(posedge clk) begin
				if (f_here) f_pos <= wr;
				if (f_past) begin
					// Nothing stalls: all batches before the dropped one have
					// left, or leave now.
					if (drop) assert (f_going <= 1);
					assert (move == (rd != commit));
					assert (last == commit - ONE);
					assert (!(move && wr == rd));
					if (!f_started) assert (wr == rd && f_is != OPEN);
					if (f_started) begin
						assert (n == f_n && n <= WINDOW && held <= n);
						assert (left == n - held);
						assert (m == f_m && m <= WINDOW);
						assert (has_n == (n != 0) && has_m == (m != 0));
						assert (reaches == (after != 0));
						assert (full == (has_n && left == 0));
						assert (after == (f_near && f_since < m ?
							m - f_since : 0));
						assert (after == 0 || held == 0);
						assert (f_all <= n + 1);
					end
					if (f_going != 0) assert ({24'd0, f_going} + held <= n + 1);
					assert (f_all == f_going + {1'b0, held});
					if (f_near) assert (f_since <= FAR);
					if (f_left) assert (f_is == IN);
					// What leaves is in order, too.
					if (f_leaves)
						assert (f_is == IN && !f_left && !f_at_output);
					if (leaving && leaving_data == 0)
						assert (!f_left && !f_at_output);
					if (leaving && leaving_data == 2)
						assert (f_left || f_at_output || f_is == NO);
					assert (!(leaving && leaving_data == 3));
					if (f_is == OPEN)
						assert (f_index >= f_going && f_index < f_all &&
							f_after == f_all - f_index - 1'b1);
					if (f_in_ring && f_is == IN) assert (f_index < f_going);
					for (k = 0; k < (1 << BITS); k = k + 1) begin
						f_at = rd + k;
						if (k < f_all)
							assert (f_in_ring ?
								memory[f_at] == (k < f_index ?
								0 : k == f_index ? 1 : 2) :
								f_is == AHEAD ? memory[f_at] == 0 :
								f_is == IN ? memory[f_at] == 2 :
								memory[f_at] == 0 ||
									memory[f_at] == 2);
					end
				end
			end
`endif
		end
	endgenerate
endmodule
`default_nettype wire
