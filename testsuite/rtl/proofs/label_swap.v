// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// nfacc_label_swap: the input FIFO, nfacc_shadow, nfacc_return and nfacc_inject, with models of the
// loader (it takes one word), of an NFA that takes a cycle, of two sets of tests of payload, and of
// what nfacc_control knows of restarts. Batches and restarts may come in every cycle, an image may
// be staged in place of another one at any time, batches may wait in the FIFO for any time, and any
// batch may be one that a label accepts. All batches are decided once, in order. After the first
// one that came after the image was staged and that a label accepts, no batch is decided by the old
// configuration. Each batch is decided with the results of the tests of payload that belong to the
// configuration. A restart never comes while nfacc_inject has no room for it.
`default_nettype none

module nfacc_label_swap #(
	parameter DEPTH = 16, // entries of the input FIFO
	// 0: an image is staged whenever there is none, and batches leave the FIFO at once; 1: there
	// are no restarts, and what was decided is stored at once. Both together take long.
	parameter TESTS = 0
) (
	input wire clk,
	input wire rst,
	input wire come,
	input wire pick,
	input wire hit,          // a label accepts the batch that is decided
	input wire ask,          // a restart is asked for
	input wire stage,        // the loader begins an image for a swap
	input wire word,         // and has its word
	input wire slow,         // no batch leaves the FIFO
	input wire stored        // nothing is between window and output
);
	// The proof picks an arbitrary batch. Its data is 1. The data of batches before it is 0,
	// and the data of batches after it is 2.
	reg past = 1'b0, picked = 1'b0, gone = 1'b0;
	wire here = come & pick & ~picked;
	wire [1:0] data = picked ? 2'd2 : here ? 2'd1 : 2'd0;

	wire hold, swapping, replaying, swapped, staged, replay_begin, replay_valid, returning;
	wire diverting, cancelled, returned, set, generation, one_generation;
	wire [7:0] unused_replay;

	// Restarts, as nfacc_control does them.
	reg tap_restart = 1'b0, in_flight = 1'b0, restart = 1'b0;
	wire restart_ready, arrived;
	wire restart_now = ask & ~swapping & restart_ready & ~restart & ~tap_restart & ~in_flight;

	wire in_ready, in_valid, in_filled, fifo_restart;
	wire [1:0] fifo_data;
	wire [$clog2(DEPTH):0] level;
	wire leaves_fifo = in_valid & ~hold & ~slow;
	wire fifo_generation;
	nfacc_fifo #(.WIDTH(4), .DEPTH(DEPTH)) fifo (
		.clk(clk), .rst(rst), .flush(1'b0), .in_valid(come), .in_ready(in_ready),
		.in_data({tap_restart, generation, data}), .out_valid(in_valid),
		.out_ready(~hold & ~slow), .out_data({fifo_restart, fifo_generation, fifo_data}),
		.filled(in_filled), .level(level));

	// The NFA takes a cycle; then the batch is decided, or goes back.
	wire nfa_valid, nfa_restart, injected;
	// Of a batch: whether a restart goes before it, its generation, and the set whose results of
	// tests it has.
	wire [4:0] nfa_data;
	reg leaves = 1'b0, token = 1'b0, decided = 1'b0, diverted = 1'b0;
	reg [4:0] left, decided_data;
	wire nfa_path_empty = ~(injected | decided | diverted);
	wire begins = stage & ~swapping; // an image
	wire label_swap = decided & hit & staged & ~swapping & ~begins &
		(decided_data[3] == generation);
	wire divert = label_swap | diverting;

	wire again, again_restart, again_generation;
	wire [1:0] again_data;
	nfacc_return #(.WIDTH(3), .DEPTH(8)) back (
		.clk(clk), .rst(rst | cancelled), .in_valid(diverted),
		.in_restart_before(decided_data[4]), .in_data({decided_data[3], decided_data[1:0]}),
		.returning(returning), .path_empty(nfa_path_empty), .out_valid(again),
		.out_restart_before(again_restart), .out_data({again_generation, again_data}),
		.returned(returned));

	wire goes_on = leaves_fifo | again;
	wire [4:0] goes = returning ? {again_restart, again_generation, set, again_data} :
		{fifo_restart, fifo_generation, set, fifo_data};
	// A restart goes to nfacc_inject with the batch that it is before.
	wire restart_in = restart | (goes_on & goes[4]);
	assign arrived = goes_on & goes[4];
	nfacc_inject #(.WIDTH(5)) inject (
		.clk(clk), .rst(rst), .restart(restart_in), .restart_ready(restart_ready),
		.in_valid(goes_on), .in_data(goes), .out_valid(nfa_valid),
		.out_restart(nfa_restart), .out_data(nfa_data), .leaves_nfa(leaves | token),
		.busy(injected));

	// Images of one word are staged, and have tests of payload for the set that is not in use.
	reg put_done = 1'b0, load_done = 1'b0, loading = 1'b0, load_hold = 1'b0, target = 1'b0;
	reg loads = 1'b0; // nfacc_loader takes no word in the first cycle of an image
	wire put = loads & word & ~load_hold & ~begins;
	reg [1:0] complete = 2'b01; // the set has the tests of an image, and none is under way
	reg [1:0] good;             // and has had them since the picked batch came
	reg loaded_set = 1'b0;      // the set of the configuration that is in
	nfacc_shadow #(.DATA(8), .MOST_WORDS(1), .LABEL_SWAP(1)) shadow (
		.clk(clk), .rst(rst), .reset(1'b0), .clear(begins), .put(put), .put_data(8'd1),
		.put_done(put_done), .staged(staged), .swap(1'b0), .restarts_stream(1'b1),
		.label_swap(label_swap), .last_within(1'b1), .returned(returned), .set(set),
		.generation(generation), .one_generation(one_generation),
		.empty(nfa_path_empty & ~in_valid & ~in_filled), .decided(decided),
		.decided_generation(decided_data[3]),
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
		if (TESTS != 0) assume (!ask && stored);
		else assume (!slow && word && stage == (!staged && !loading && !put_done));
		assume (!come || in_ready); // how deep the FIFO must be is proved by counting
		picked <= picked | here;
		put_done <= put;
		loading <= begins | (loading & ~put);
		loads <= loading & ~begins & ~put;
		load_hold <= ~one_generation;
		if (put) complete <= complete | {target, ~target};
		if (begins) begin
			target <= ~set;
			complete <= complete & {set, ~set};
		end
		good <= (here ? complete : good) & (begins ? {set, ~set} : 2'b11);
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
			loaded_set <= ~loaded_set;
		end
		if (nfa_restart) stale <= 1'b0;
		if (decided && decided_data[1:0] == 2'd1) gone <= 1'b1;
		if (rst) begin
			picked <= 1'b0;
			gone <= 1'b0;
			{tap_restart, in_flight, restart, leaves, token, decided, diverted} <= 7'd0;
			{mixed, stale, old, put_done, load_done, loading, loads} <= 7'd0;
			loaded_set <= 1'b0;
			complete <= 2'b01;
		end
		if (past && !rst) begin
			if (mixed | replay_begin)
				assert (!nfa_valid && !nfa_restart && !leaves && !token);
			if (nfa_valid) assert (!stale);
			if (restart_in) assert (restart_ready);
			assert (!cancelled);
			if (decided) begin
				assert (!old);
				assert (decided_data[2] == loaded_set);
				if (decided_data[1:0] == 2'd1)
					assert (loaded_set ? good[1] : good[0]);
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
