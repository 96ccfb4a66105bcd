// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// nfacc_label_swap: the input FIFO, nfacc_shadow, nfacc_return and nfacc_inject, with models of the
// loader (it takes one word), of an NFA that takes a cycle, and of what nfacc_control knows of
// restarts. Batches and restarts may come in every cycle, and any batch may be one that a label
// accepts. All batches are decided once, in order. After the first one that a label accepts while an
// image is staged, no batch is decided by the old configuration. A restart never comes while
// nfacc_inject has no room for it.
`default_nettype none

module nfacc_label_swap #(
	parameter DEPTH = 16 // entries of the input FIFO
) (
	input wire clk,
	input wire rst,
	input wire come,
	input wire pick,
	input wire hit,          // a label accepts the batch that is decided
	input wire ask,          // a restart is asked for
	input wire stored        // nothing is between window and output
);
	// The proof picks an arbitrary batch. Its data is 1. The data of batches before it is 0,
	// and the data of batches after it is 2.
	reg past = 1'b0, picked = 1'b0, gone = 1'b0;
	wire here = come & pick & ~picked;
	wire [1:0] data = picked ? 2'd2 : here ? 2'd1 : 2'd0;

	wire hold, swapping, replaying, swapped, staged, replay_begin, replay_valid, returning;
	wire diverting, cancelled, returned;
	wire [7:0] unused_replay;

	// Restarts, as nfacc_control does them.
	reg tap_restart = 1'b0, in_flight = 1'b0, restart = 1'b0;
	wire restart_ready, arrived;
	wire restart_now = ask & ~swapping & restart_ready & ~restart & ~tap_restart & ~in_flight;

	wire in_ready, in_valid, in_filled, fifo_restart;
	wire [1:0] fifo_data;
	wire [$clog2(DEPTH):0] level;
	nfacc_fifo #(.WIDTH(3), .DEPTH(DEPTH)) fifo (
		.clk(clk), .rst(rst), .flush(1'b0), .in_valid(come), .in_ready(in_ready),
		.in_data({tap_restart, data}), .out_valid(in_valid), .out_ready(~hold),
		.out_data({fifo_restart, fifo_data}), .filled(in_filled), .level(level));

	// The NFA takes a cycle; then the batch is decided, or goes back.
	wire nfa_valid, nfa_restart, injected;
	wire [2:0] nfa_data;
	reg leaves = 1'b0, token = 1'b0, decided = 1'b0, diverted = 1'b0;
	reg [2:0] left, decided_data;
	wire nfa_path_empty = ~(injected | decided | diverted);
	wire label_swap = decided & hit & staged & ~swapping;
	wire divert = label_swap | diverting;

	wire again, again_restart;
	wire [1:0] again_data;
	nfacc_return #(.WIDTH(2), .DEPTH(8)) back (
		.clk(clk), .rst(rst | cancelled), .in_valid(diverted),
		.in_restart_before(decided_data[2]), .in_data(decided_data[1:0]),
		.returning(returning), .path_empty(nfa_path_empty), .out_valid(again),
		.out_restart_before(again_restart), .out_data(again_data), .returned(returned));

	wire goes_on = (in_valid & ~hold) | again;
	wire [2:0] goes = returning ? {again_restart, again_data} : {fifo_restart, fifo_data};
	// A restart goes to nfacc_inject with the batch that it is before.
	wire restart_in = restart | (goes_on & goes[2]);
	assign arrived = goes_on & goes[2];
	nfacc_inject #(.WIDTH(3)) inject (
		.clk(clk), .rst(rst), .restart(restart_in), .restart_ready(restart_ready),
		.in_valid(goes_on), .in_data(goes), .out_valid(nfa_valid),
		.out_restart(nfa_restart), .out_data(nfa_data), .leaves_nfa(leaves | token),
		.busy(injected));

	// Stages an image of one word, again and again.
	reg put_done = 1'b0, load_done = 1'b0;
	wire put = ~staged & ~swapping & ~put_done & ~rst;
	nfacc_shadow #(.DATA(8), .MOST_WORDS(1), .LABEL_SWAP(1)) shadow (
		.clk(clk), .rst(rst), .reset(1'b0), .clear(swapped), .put(put), .put_data(8'd1),
		.put_done(put_done), .staged(staged), .swap(1'b0), .restarts_stream(1'b1),
		.label_swap(label_swap), .last_within(1'b1), .returned(returned),
		.diverting(diverting), .returning(returning),
		.cancelled(cancelled), .border(1'b0), .nfa_path_empty(nfa_path_empty),
		.output_path_empty(stored), .swapping(swapping), .hold(hold),
		.replaying(replaying), .swapped(swapped), .replay_begin(replay_begin),
		.replay_valid(replay_valid), .replay_ready(replaying), .replay_data(unused_replay),
		.load_done(load_done), .load_ok(1'b1));

	reg mixed = 1'b0;         // the configuration is being replaced
	reg stale = 1'b0;         // the states still belong to the configuration before
	reg old = 1'b0;           // a label has accepted, and the configuration is still the old one
	always @(posedge clk) begin
		past <= 1'b1;
		if (!past) assume (rst);
		else assume (!rst);
		assume (!come || in_ready); // how deep the FIFO must be is proved by counting
		picked <= picked | here;
		put_done <= put;
		load_done <= replay_valid & replaying;
		restart <= swapped;
		tap_restart <= restart_now | (tap_restart & ~come);
		in_flight <= (tap_restart & come) | (in_flight & ~(arrived & ~returning));
		leaves <= nfa_valid;
		token <= nfa_restart;
		left <= nfa_data;
		decided <= leaves & ~divert;
		diverted <= leaves & divert;
		decided_data <= left;
		if (label_swap) old <= 1'b1;
		if (replay_begin) begin
			mixed <= 1'b1;
			stale <= 1'b1;
		end
		if (load_done) begin
			mixed <= 1'b0;
			old <= 1'b0;
		end
		if (nfa_restart) stale <= 1'b0;
		if (decided && decided_data[1:0] == 2'd1) gone <= 1'b1;
		if (rst) begin
			picked <= 1'b0;
			gone <= 1'b0;
			{tap_restart, in_flight, restart, leaves, token, decided, diverted} <= 7'd0;
			{mixed, stale, old, put_done, load_done} <= 5'd0;
		end
		if (past && !rst) begin
			if (mixed | replay_begin)
				assert (!nfa_valid && !nfa_restart && !leaves && !token);
			if (nfa_valid) assert (!stale);
			if (restart_in) assert (restart_ready);
			assert (!cancelled);
			if (decided) begin
				assert (!old);
				// In order, and each once.
				assert (decided_data[1:0] == 2'd0 ? !gone : decided_data[1:0] == 2'd1 ?
					picked && !gone : gone);
			end
			// The picked batch is somewhere until it is decided.
			if (picked && !gone && !swapping && !in_valid && !in_filled && !injected &&
					!leaves && !decided && !diverted)
				assert (0);
		end
		cover (past && gone && returning && again);
	end
endmodule
`default_nettype wire
