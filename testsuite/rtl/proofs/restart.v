// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// nfacc_restarts: nfacc_control and nfacc_inject, with a model of the way between them: batches
// wait in a queue of any latency. Commands and batches may come in any cycle. nfacc_inject is asked
// for a restart only while it can take one, which its own proof assumes. No batch is lost. A
// restart enters the NFA right before the batches that control marks and before the first one of a
// stream, and before no others.
`default_nettype none
`include "nfacc_contract.vh"

module nfacc_restarts #(
	parameter QUEUE = 3, // batches that can wait in the queue
	parameter NFA = 2    // cycles that the NFA takes
) (
	input wire clk,
	input wire rst,
	input wire command_valid,
	input wire [31:0] command,
	input wire come, // a batch comes
	input wire go    // a batch may leave the queue
);
	wire tap_take, tap_restart_before, reset, stream_start, restart_ready, injected, armed;
	wire nfa_valid, nfa_restart;

	// The queue: for each batch whether a restart goes before it. Bit QUEUE-1 is the oldest.
	reg [QUEUE-1:0] flag = 0;
	reg [7:0] waiting = 8'd0;
	wire leaves = (waiting != 8'd0) & go;
	wire oldest = flag[waiting - 8'd1];

	wire unused_a, unused_b, unused_c, unused_d, unused_e, unused_f, unused_g, unused_h;
	wire unused_i, unused_j, unused_k, unused_l, unused_m, unused_n;
	wire [31:0] status;
	wire [63:0] unseen, batches;
	nfacc_control #(.SHADOW(0)) control (
		.clk(clk), .rst(rst), .command_valid(command_valid), .command(command),
		.enable(1'b1), .idle_after(32'd0), .elements_in_range(1'b1),
		.elements_writable(unused_a), .status(status), .unseen(unseen), .batches(batches),
		.tap_valid(come), .tap_alone(1'b0), .time_known(1'b1), .tap_take(tap_take),
		.tap_restart_before(tap_restart_before),
		.tap_swap_before(unused_b), .swap_room(1'b1), .discarded(1'b0),
		.load_begin(unused_c), .load_direct(unused_d), .load_done(load_done),
		.load_result(`NFACC_LOAD_OK), .staging(unused_e), .loading(1'b0), .loaded(unused_f),
		.swap(unused_g), .restarts_stream(unused_h), .replaying(1'b0), .swapped(1'b0),
		.label_hits(1'b0), .label_swap(unused_m), .swap_begins(unused_n), .returning(1'b0),
		.staged(1'b0), .swapping(1'b0), .hold(1'b0), .stream_start(stream_start),
		.clear_losses(unused_i), .restart_ready(restart_ready),
		.restart_arrived(leaves & oldest), .nfa_valid(nfa_valid), .limit_reached(1'b0),
		.overflow(1'b0), .reset(reset),
		.batches_before_window((waiting != 8'd0) | injected),
		.busy((waiting != 8'd0) | injected), .armed(armed), .done(unused_j),
		.idle(unused_k));

	// An image is loaded at the first cycle.
	reg load_done = 1'b0, past = 1'b0;

	// The data of a batch: whether a restart must enter the NFA right before it.
	reg due = 1'b0;          // the stream started after the last batch that was taken
	reg [QUEUE-1:0] want = 0;
	wire restart = stream_start | (leaves & oldest);
	wire wanted;
	reg [NFA-1:0] in_nfa = 0;
	nfacc_inject #(.WIDTH(1)) inject (
		.clk(clk), .rst(rst | reset), .restart(restart), .restart_ready(restart_ready),
		.in_valid(leaves), .in_data(want[waiting - 8'd1]), .out_valid(nfa_valid),
		.out_restart(nfa_restart), .out_data(wanted), .leaves_nfa(in_nfa[NFA-1]),
		.busy(injected));

	reg [7:0] taken = 8'd0, left = 8'd0;
	reg fresh = 1'b0;        // a restart has entered the NFA after the last batch
	wire one = (command & (command - 32'd1)) == 32'd0;
	always @(posedge clk) begin
		past <= 1'b1;
		load_done <= !past;
		if (!past) assume (rst);
		else assume (!rst);
		assume (command == 32'd0 || (command_valid && one));
		assume (!tap_take || waiting != QUEUE || leaves);
		in_nfa <= {in_nfa, nfa_valid | nfa_restart};
		if (tap_take) begin
			flag <= {flag, tap_restart_before};
			want <= {want, due | stream_start | tap_restart_before};
		end
		waiting <= waiting + {7'd0, tap_take} - {7'd0, leaves};
		taken <= taken + {7'd0, tap_take};
		left <= left + {7'd0, nfa_valid};
		if (nfa_restart) fresh <= 1'b1;
		else if (nfa_valid) fresh <= 1'b0;
		due <= (due | stream_start) & ~tap_take;
		if (rst | reset) begin
			flag <= 0;
			want <= 0;
			waiting <= 8'd0;
			in_nfa <= 0;
			taken <= 8'd0;
			left <= 8'd0;
			due <= 1'b0;
			fresh <= 1'b0;
		end
		if (past && !rst && !reset) begin
			if (restart) assert (restart_ready);
			if (nfa_valid) assert (wanted == fresh);
			if (waiting == 8'd0 && !injected && !tap_take) assert (taken == left);
		end
	end
endmodule
`default_nettype wire
