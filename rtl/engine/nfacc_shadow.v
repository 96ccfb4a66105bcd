// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// nfacc_shadow: stages an image and swaps it in. Its memory keeps the words of the next image,
// which the loader only checks at first. A swap waits until all batches that came before its
// command have left the input FIFO (WAIT). It then holds the others in that FIFO until the engine
// has run empty (DRAIN). Now the loader reads the staged words again, and this time configures
// (START, REPLAY). When all batches of the old configuration have been stored (SETTLE), the stream
// starts anew.
//
// A swap by a label begins with DRAIN, in the cycle after the batch that the label accepted was
// decided. The batches that are then between the input FIFO and the window come back from the NFA
// and wait (nfacc_return). Before the words are read again, the batch must have been stored: if the
// stream ended at its limit before it, there is no swap. At the end the batches that came back go
// on first (RETURN).
`default_nettype none
`include "nfacc_contract.vh"

module nfacc_shadow #(
	parameter DATA = 32,      // bits of a word
	parameter MOST_WORDS = 16, // words of the largest image
	parameter LABEL_SWAP = 0  // whether labels swap: `NFACC_LABEL_SWAP_*
) (
	input wire clk,
	input wire rst,
	input wire reset,         // the command CONTROL.reset
	// The staging of the next image.
	input wire clear,         // a new image is being staged
	input wire put,           // a word of the image comes
	input wire [DATA-1:0] put_data,
	input wire put_done,      // the image has ended, and the loader found no fault in it
	output reg staged,        // an image waits for a swap
	// The swap to the staged image.
	input wire swap,          // begin a swap; only while staged and not swapping, and while the
	                          // input FIFO has room for all batches that can come meanwhile
	input wire restarts_stream, // with swap: at its end the stream starts anew
	input wire label_swap,    // begin a swap by a label; only while staged and not swapping, and
	                          // not with swap
	input wire last_within,   // the last batch that the window put out was within the limit
	input wire returned,      // no batch waits in nfacc_return, and none is behind it
	output wire diverting,    // batches that come from the NFA go to nfacc_return
	output wire returning,    // the batches in nfacc_return go on
	output wire cancelled,    // there is no swap, because the stream had ended
	input wire border,        // no batch that came before the command is in the input FIFO
	input wire nfa_path_empty,    // no batch is between input FIFO and window
	input wire output_path_empty, // no batch is between window and output FIFO
	output wire swapping,
	output wire hold,         // no batch may leave the input FIFO
	output wire replaying,    // the staged words go to the loader
	output wire swapped,      // the new configuration is in, and the stream starts anew
	// Of two sets of tests of payload: the one by which batches are tested that the tap delivers
	// now. From the cycle after a command on they are for the new configuration. With LABEL_SWAP
	// batches keep the results of both sets, and it is the set of the configuration that is in.
	output reg set,
	// With LABEL_SWAP: which batches came after the image was staged. They have its tests'
	// results, so a label may swap by them alone. All between tap and window have the same
	// generation, or this one and that before it.
	output reg generation,    // of the batches that the tap delivers now
	output wire one_generation, // no batch of the one before it is between tap and window; no
	                          // image is put before that
	input wire empty,         // no batch is between tap and window
	input wire decided,       // a batch comes to the window, with
	input wire decided_generation,
	// Ports to nfacc_loader.
	output wire replay_begin,
	output reg replay_valid,
	input wire replay_ready,
	output reg [DATA-1:0] replay_data,
	input wire load_done,
	input wire load_ok
);
	localparam BITS = $clog2(MOST_WORDS + 1);
	localparam [BITS-1:0] ZERO = 0, ONE = 1;
	localparam [2:0] OFF = 3'd0, WAIT = 3'd1, DRAIN = 3'd2, START = 3'd3, REPLAY = 3'd4,
		SETTLE = 3'd5, RETURN = 3'd6;
	localparam [0:0] HAS_LABELS = LABEL_SWAP == `NFACC_LABEL_SWAP_YES;

	(* no_rw_check *) reg [DATA-1:0] memory [0:MOST_WORDS-1]; // none is read as it is written
	reg [BITS-1:0] words, at;
	reg [2:0] state;
	reg by_label;     // the swap under way, or the last one, is by a label
	reg will_restart; // `restarts_stream` as it was when this swap began
	reg seen;         // the generation of the last batch that came to the window
	wire pull = (state == REPLAY) & (at != words) & (~replay_valid | replay_ready);

	assign one_generation = seen == generation;
	assign swapping = state != OFF;
	assign hold = (state != OFF) & ((state != WAIT) | border);
	assign replay_begin = state == START;
	assign replaying = (state == START) | (state == REPLAY);
	assign swapped = (state == SETTLE) & output_path_empty & will_restart & ~reset;
	assign diverting = (state == DRAIN) & by_label;
	assign returning = state == RETURN;
	wire drained = nfa_path_empty & (~by_label | output_path_empty);
	assign cancelled = (state == DRAIN) & drained & by_label & ~last_within;

	always @(posedge clk) begin
		if (put & (words != MOST_WORDS)) begin
			memory[words] <= put_data;
			words <= words + ONE;
		end
		if (put_done)
			staged <= 1'b1;
		if (clear) begin
			words <= ZERO;
			staged <= 1'b0;
		end

		if (pull) begin
			replay_data <= memory[at];
			at <= at + ONE;
		end
		replay_valid <= (pull | (replay_valid & ~replay_ready)) & ~replay_begin;

		case (state)
		OFF: if (swap) begin
			state <= WAIT;
			will_restart <= restarts_stream;
			by_label <= 1'b0;
		end else if (HAS_LABELS & label_swap) begin
			state <= DRAIN;
			will_restart <= 1'b1;
			by_label <= 1'b1;
		end
		WAIT: if (reset)
			state <= OFF;
		else if (border)
			state <= DRAIN;
		DRAIN: if (reset | cancelled)
			state <= OFF;
		else if (drained) begin
			state <= START;
			at <= ZERO;
		end
		START: state <= REPLAY;
		REPLAY: if (load_done) begin
			state <= load_ok ? SETTLE : by_label ? RETURN : OFF;
			staged <= 1'b0;
		end
		SETTLE: if (output_path_empty)
			state <= by_label ? RETURN : OFF;
		RETURN: if (returned)
			state <= OFF;
		default: state <= OFF;
		endcase

		if (HAS_LABELS ? state == START :
				swap | (reset & ((state == WAIT) | (state == DRAIN))))
			set <= ~set;
		if (put_done)
			generation <= ~generation;
		if (empty)
			seen <= generation;
		else if (decided)
			seen <= decided_generation;
		if (reset)
			will_restart <= 1'b0;
		if (rst) begin
			state <= OFF;
			set <= 1'b0;
			generation <= 1'b0;
			seen <= 1'b0;
			staged <= 1'b0;
			words <= ZERO;
			replay_valid <= 1'b0;
			will_restart <= 1'b0;
			by_label <= 1'b0;
		end
	end

`ifdef FORMAL
	// The replay hands over the words that were staged, in order, each once. The input FIFO is
	// held from the border until the swap ends. The configuration is replaced only while no
	// batch is between that FIFO and the window, and the stream starts anew only when none is
	// between the window and the output FIFO.
	(* anyconst *) reg [BITS-1:0] f_index; // an arbitrary word of the image,
	reg [DATA-1:0] f_word;                 // what it is, once it was staged,
	reg [BITS-1:0] f_given;                // and how many words were handed over
	reg f_restarts;                        // at its end this swap starts the stream anew
	reg f_set;                             // the set of tests of the configuration that is in
	reg f_past = 1'b0;
	wire f_begins = HAS_LABELS && label_swap; // a swap by a label begins
	always @(posedge clk) begin
		f_past <= 1'b1;
		if (!f_past) assume (rst);
		if (swap) f_restarts <= restarts_stream;
		if (f_begins) f_restarts <= 1'b1;
		if (reset || rst) f_restarts <= 1'b0;
		if (replay_begin) f_set <= ~f_set;
		if (rst) f_set <= 1'b0;
		// What nfacc_control and nfacc_loader keep to.
		if (swap || label_swap)
			assume (staged && !swapping && !clear && !put && !put_done);
		if (swap) assume (!label_swap);
		if (clear || put || put_done) assume (!swapping);
		if (put_done) assume (!put && !clear);
		if (put) assume (!clear && !staged);
		if (put && words == f_index) f_word <= put_data;
		if (replay_begin) f_given <= ZERO;
		else if (replay_valid && replay_ready && state == REPLAY) f_given <= f_given + ONE;
		if (f_past) begin
			assert (words <= MOST_WORDS);
			assert (!(put && words != MOST_WORDS && pull && words == at));
			if (words > f_index) assert (memory[f_index] == f_word);
			if (state == REPLAY) begin
				assert (at <= words && at == f_given + replay_valid);
				if (replay_valid && f_given == f_index)
					assert (replay_data == f_word);
			end
			if (state == START) assert (at == ZERO);
			if (swapping && state != SETTLE && state != RETURN) assert (staged);
			assert (state <= RETURN && (HAS_LABELS || state != RETURN));
			assert (diverting == (state == DRAIN && by_label));
			if (by_label) assert (HAS_LABELS && state != WAIT);
			// From a command until the configuration is replaced batches are tested by
			// the other set; with LABEL_SWAP the set is that of the configuration.
			assert (set == (f_set ^ (!HAS_LABELS && (state == WAIT ||
				state == DRAIN || state == START))));
			if (state == RETURN) assert (by_label);
		end
		if (f_past && $past(f_past) && !$past(rst)) begin
			if ($past(swap)) assert (state == WAIT && !$past(hold));
			if ($past(f_begins)) assert (state == DRAIN && by_label && hold);
			// By a label, what was accepted before has been stored, too, and the last of
			// it was within the limit.
			if (replay_begin)
				assert ($past(hold && nfa_path_empty && !reset) && (!by_label ||
					$past(output_path_empty && last_within)));
			if (replaying) assert (hold);
			if (swapping && $past(border && state == WAIT)) assert (hold);
			// Hold ends with the swap, and only when the output path has run empty, the
			// image was faulty, or a reset came before the replay.
			if ($past(hold) && !hold)
				assert (!swapping && $past((state == SETTLE && output_path_empty &&
					!by_label) ||
					(state == REPLAY && load_done && !load_ok && !by_label) ||
					(state == RETURN && returned) || cancelled ||
					(reset && (state == WAIT || state == DRAIN))));
			if ($past(reset && (state == WAIT || state == DRAIN))) assert (!swapping);
			if ($past(clear)) assert (words == ZERO);
			if (swapped) assert (output_path_empty && hold && f_restarts);
			if (state == SETTLE && output_path_empty && f_restarts && !reset)
				assert (swapped);
			if (swapping) assert (will_restart == f_restarts);
			if ($past(cancelled))
				assert (state == OFF && $past(by_label && nfa_path_empty &&
					output_path_empty && !last_within));
			// What came back goes on until nothing is left, and only when the engine has
			// the new configuration or none.
			if (returning && !$past(returning))
				assert ($past(by_label && ((state == SETTLE && output_path_empty) ||
					(state == REPLAY && load_done && !load_ok))));
			if ($past(returning)) assert (state == ($past(returned) ? OFF : RETURN));
			if ($past(state == SETTLE)) assert (!staged || $past(put_done));
			if ($past(state == REPLAY && load_done))
				assert (state == ($past(load_ok) ? SETTLE : by_label ? RETURN : OFF));
			if ($past(clear) || $past(load_done && state == REPLAY)) assert (!staged);
			if ($past(put_done && !clear)) assert (staged);
			// A swap waits for the border, and a border alone moves nothing.
			if ($past(state == WAIT && !border && !reset)) assert (state == WAIT);
			if ($past(state == OFF && !swap && !f_begins)) assert (state == OFF);
		end
		cover (f_past && swapped);
	end
`endif
endmodule
`default_nettype wire
