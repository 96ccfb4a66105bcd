// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// nfacc_swap: the input FIFO, nfacc_shadow and nfacc_inject, with a model of the loader (it takes
// words after CLEAR cycles, one a cycle) and of an NFA that takes NFA cycles. Batches may come in
// every cycle; swaps and resets may come at any time. While the configuration is replaced, no batch
// is in the NFA, and the first thing to enter the NFA after that is a restart. The batches that
// come after the command of a swap, and no others, enter the NFA with the new configuration. No
// batch is lost, since the input FIFO never overflows, and no batch overtakes another. Each batch
// was tested by the set of payload tests that belongs to the configuration with which it enters the
// NFA.
`default_nettype none

module nfacc_swap #(
	parameter WORDS = 2,     // words of an image
	parameter CLEAR = 2,     // cycles in which the loader clears the rows
	parameter NFA = 2,       // cycles that the NFA takes
	parameter DEPTH = 16,    // entries of the input FIFO
	// The most batches that come while the swap holds the input FIFO.
	parameter MEANWHILE = 14
) (
	input wire clk,
	input wire rst,
	input wire reset,
	input wire come,
	input wire arm,
	input wire pick,
	input wire ask
);
	// The proof picks an arbitrary batch. Its data is 1. The data of batches before it is 0,
	// and the data of batches after it is 2.
	reg past = 1'b0, picked = 1'b0;
	reg armed = 1'b0; // batches are taken only while this is 1; a reset clears it
	wire batch = come & armed;
	wire here = batch & pick & ~picked;
	wire [1:0] data = picked ? 2'd2 : here ? 2'd1 : 2'd0;

	wire in_ready, in_valid, in_filled, hold, nfa_path_empty, swapping, replaying, swapped, staged;
	wire replay_begin, replay_valid, replay_ready, injected;
	wire [1:0] in_data;
	wire [$clog2(DEPTH):0] level;
	wire [7:0] replay_data;

	reg tap_swap_before = 1'b0;
	wire swap_before;
	wire set, in_set;
	nfacc_fifo #(.WIDTH(4), .DEPTH(DEPTH)) fifo (
		.clk(clk), .rst(rst | reset), .flush(1'b0), .in_valid(batch), .in_ready(in_ready),
		.in_data({tap_swap_before, set, data}), .out_valid(in_valid), .out_ready(~hold),
		.out_data({swap_before, in_set, in_data}), .filled(in_filled), .level(level));
	wire border = (in_valid & swap_before) |
		(tap_swap_before & ~batch & ~in_valid & ~in_filled);

	// Stages an image, again and again. Its words are 1, 2, ...
	reg [7:0] put_at = 8'd0;
	wire put = ~staged & ~swapping & (put_at != WORDS) & ~rst;
	wire swap = ask & staged & ~swapping & (level <= DEPTH - MEANWHILE);
	wire arming = arm & ~ask & ~swapping; // only one command in a cycle
	reg load_done = 1'b0;

	nfacc_shadow #(.DATA(8), .MOST_WORDS(WORDS)) shadow (
		.clk(clk), .rst(rst), .reset(reset), .clear(put_at == WORDS && swapped),
		.put(put), .put_data(put_at + 8'd1), .put_done(put & (put_at == WORDS - 1)),
		.staged(staged), .swap(swap), .set(set), .restarts_stream(armed), .border(border),
		.nfa_path_empty(nfa_path_empty),
		.output_path_empty(1'b1), .swapping(swapping), .hold(hold), .replaying(replaying),
		.swapped(swapped), .replay_begin(replay_begin), .replay_valid(replay_valid),
		.replay_ready(replay_ready), .replay_data(replay_data), .label_swap(1'b0),
		.last_within(1'b1), .returned(1'b1), .load_done(load_done),
		.load_ok(1'b1));

	reg mixed = 1'b0;         // the configuration is being replaced
	reg stale = 1'b0;         // the states still belong to the configuration before
	reg [7:0] at = 8'd0, wait_ = 8'd0;
	assign replay_ready = replaying & (wait_ == 8'd0);

	reg restart = 1'b0;
	wire nfa_valid, nfa_restart, restart_ready, nfa_set;
	reg loaded_set = 1'b0; // the set of the configuration that is in
	wire [1:0] nfa_data;
	reg [NFA-1:0] valid = 0, token = 0;
	wire leaves_nfa = valid[NFA-1] | token[NFA-1];
	nfacc_inject #(.WIDTH(3)) inject (
		.clk(clk), .rst(rst | reset), .restart(restart), .restart_ready(restart_ready),
		.in_valid(in_valid & ~hold), .in_data({in_set, in_data}), .out_valid(nfa_valid),
		.out_restart(nfa_restart), .out_data({nfa_set, nfa_data}), .leaves_nfa(leaves_nfa),
		.busy(injected));
	assign nfa_path_empty = ~injected;

	reg gone = 1'b0; // the picked batch has entered the NFA
	// The configuration was replaced: in the current swap, and since the picked batch came.
	reg replaced = 1'b0, replaced_since = 1'b0;
	reg for_new = 1'b0; // the picked batch came after the command of the current swap
	always @(posedge clk) begin
		past <= 1'b1;
		if (!past) assume (rst);
		else assume (!rst);
		picked <= picked | here;
		put_at <= put ? put_at + 8'd1 : staged | swapping ? put_at : 8'd0;
		valid <= {valid, nfa_valid};
		token <= {token, nfa_restart};
		restart <= swapped | (arming & ~armed);
		tap_swap_before <= (swap | (tap_swap_before & ~batch & ~hold)) & ~rst & ~reset;
		if (here) begin
			for_new <= swapping & ~replaced;
			replaced_since <= 1'b0;
		end
		if (swap) replaced <= 1'b0;
		if (replay_valid & replay_ready & (at == WORDS - 1)) begin
			replaced <= 1'b1;
			replaced_since <= 1'b1;
			loaded_set <= ~loaded_set;
		end
		if (arming) armed <= 1'b1;
		load_done <= 1'b0;
		if (wait_ != 8'd0) wait_ <= wait_ - 8'd1;
		if (replay_begin) begin
			mixed <= 1'b1;
			stale <= 1'b1;
			at <= 8'd0;
			wait_ <= CLEAR;
		end
		if (replay_valid & replay_ready) begin
			at <= at + 8'd1;
			load_done <= at == WORDS - 1;
			if (at == WORDS - 1) mixed <= 1'b0;
		end
		if (nfa_restart) stale <= 1'b0;
		if (nfa_valid && nfa_data == 2'd1) gone <= 1'b1;
		if (rst | reset) begin
			valid <= 0;
			token <= 0;
			restart <= 1'b0;
			picked <= 1'b0;
			gone <= 1'b0;
			armed <= 1'b0;
		end
		if (rst) begin
			mixed <= 1'b0;
			loaded_set <= 1'b0;
			load_done <= 1'b0;
			wait_ <= 8'd0;
		end
		if (past && !rst) begin
			if (mixed | replay_begin)
				assert (!nfa_valid && !nfa_restart && valid == 0 && token == 0);
			if (nfa_valid) assert (!stale && nfa_set == loaded_set);
			if (restart) assert (restart_ready);
			if (replay_valid & replay_ready) assert (replay_data == at + 8'd1);
			if (batch) assert (in_ready);
			if (nfa_valid)
				assert (nfa_data == (gone ? 2'd2 : nfa_data[1] ? 2'd3 : nfa_data));
			if (nfa_valid && nfa_data == 2'd1) begin
				assert (picked && !gone);
				assert (for_new == replaced_since);
			end
			// The picked batch must not vanish: it waits somewhere until it enters the
			// NFA.
			if (picked && !gone && !hold && !in_valid && level == 0 && !injected)
				assert (0);
		end
	end
endmodule
`default_nettype wire
