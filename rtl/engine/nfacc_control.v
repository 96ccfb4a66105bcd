// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// nfacc_control: follows the commands that are written to CONTROL. It keeps the state of the
// stream: whether the engine is armed, when the stream ends, how many batches came. Registered
// outputs change one cycle after the command. A port with the name of a field of STATUS is that
// field (doc/develop/contract.md).
`default_nettype none
`include "nfacc_contract.vh"

module nfacc_control #(
	parameter SHADOW = 0, // whether an image can be staged and swapped in: `NFACC_SHADOW_*
	parameter LABEL_SWAP = 0 // whether labels swap: `NFACC_LABEL_SWAP_*
) (
	input wire clk,
	input wire rst,
	// Ports to nfacc_regs.
	input wire command_valid,          // CONTROL is written in this cycle, and not with 0
	input wire [31:0] command,         // with command_valid: the value that is written, if
	                                   // one of its bits is 1, no more; otherwise 0
	input wire enable,                 // the register ENABLE
	input wire [31:0] idle_after,      // the register IDLE_AFTER
	input wire elements_in_range,      // the overlay can do what the REGISTER elements say
	output reg elements_writable,      // no batch and no load reads the REGISTER elements now
	output reg [31:0] status,          // the register STATUS
	output wire [63:0] unseen,         // the register UNSEEN
	output wire [63:0] batches,        // the register BATCHES
	// Ports to nfacc_tap and the input FIFO.
	input wire tap_valid,              // a batch comes from the tap
	output wire tap_take,              // the engine takes the batch that comes
	output reg tap_restart_before,     // a restart goes before the next batch that is taken
	output reg tap_swap_before,        // a swap goes before the next batch that is taken
	input wire swap_room,              // the input FIFO has room for all batches that can come
	                                   // during a swap
	input wire tap_alone,              // a batch without messages is made, and taken
	input wire time_known,             // no tick would be lost from now on
	output wire stopped,               // a stop ends the stream in this cycle
	input wire discarded,              // the engine has no image, so it drops a batch that it
	                                   // took
	// Ports to nfacc_loader.
	output wire load_begin,            // the loader begins an image
	output wire load_direct,           // with load_begin: the image configures at once, without
	                                   // staging
	input wire load_done,              // the image has ended
	input wire [3:0] load_result,      // the result of the image that has ended
	output reg staging,                // the words that come are staged for a swap
	input wire loading,
	output reg loaded,
	// Ports to nfacc_shadow.
	output wire swap,                  // begin a swap
	output wire restarts_stream,       // with swap: at its end the stream starts anew
	input wire label_hits,             // a label of SWAP_ON accepts the batch before the window
	output wire label_swap,            // begin a swap by a label
	output wire swap_begins,           // a swap begins, by command or by a label
	input wire returning,              // batches that came back from the NFA go on
	input wire replaying,              // the staged words go to the loader again
	input wire swapped,                // the new image is loaded, and the stream starts anew
	input wire staged,
	input wire swapping,
	input wire hold,                   // no batch may leave the input FIFO
	// Ports to nfacc_inject, nfacc_window and nfacc_store: start and end of a stream, restarts.
	output reg stream_start,           // a stream starts: states, window, limit and counts are
	                                   // as at first
	output reg clear_losses,           // with stream_start: the counts of losses are 0 again,
	                                   // too
	input wire restart_ready,          // nfacc_inject can take a restart
	input wire restart_arrived,        // the batch with a restart before it has reached the NFA
	input wire nfa_valid,              // a batch goes into the NFA
	input wire limit_reached,          // LIMIT batches have been stored
	input wire overflow,
	input wire late,
	// The state of the whole engine.
	output reg reset,                  // the command CONTROL.reset: resets all but the
	                                   // configuration
	output reg clean,                  // the same, and in the cycle after rst
	input wire batches_before_window,  // a batch is between tap and window
	input wire busy,
	output reg armed,
	output reg done,
	output reg idle
);
	reg draining, refused, missed_swap;
	reg drained; // while draining: nothing was left inside in the cycle before
	reg room; // swap_room in the cycle before
	reg ended_by_limit;    // the last stream ended because it reached its limit
	// A batch with a restart before it was taken from the tap and has not reached the NFA yet.
	reg restart_in_flight;

	// A write to CONTROL is a command if it sets the bit of one, and no other bit.
	wire unused_command = &{1'b0, command};
	wire is_begin = command[`NFACC_CONTROL_BEGIN_LSB];
	wire is_arm = command[`NFACC_CONTROL_ARM_LSB];
	wire is_stop = command[`NFACC_CONTROL_STOP_LSB];
	wire is_reset = command[`NFACC_CONTROL_RESET_LSB];
	wire is_swap = command[`NFACC_CONTROL_SWAP_LSB];
	wire is_restart = command[`NFACC_CONTROL_RESTART_LSB];

	assign load_begin = is_begin & ~swapping & ((SHADOW == `NFACC_SHADOW_YES) | ~armed);
	assign load_direct = (SHADOW == `NFACC_SHADOW_NO) | ~(armed | draining);
	wire arm = is_arm & loaded & elements_in_range & time_known & ~armed & ~draining & ~swapping;
	assign swap = is_swap & staged & ~swapping & room;
	localparam [0:0] HAS_LABELS = LABEL_SWAP == `NFACC_LABEL_SWAP_YES;
	wire label_asks = HAS_LABELS & label_hits & staged &
		~swapping & ~swap & ~load_begin;
	assign label_swap = label_asks & room;
	assign swap_begins = swap | label_swap;
	// Only one restart is under way at a time: the previous one must have reached the NFA.
	wire restart_now = is_restart & armed & ~swapping & restart_ready & ~stream_start &
		~tap_restart_before & ~restart_in_flight;
	assign restarts_stream = armed | ended_by_limit;
	wire followed = load_begin | arm | is_stop | is_reset | swap | restart_now;

	wire limit_ends = armed & limit_reached & ~swapping & ~stream_start;
	wire broken = replaying & load_done & (load_result != `NFACC_LOAD_OK);
	wire begins = arm | (swap & (ended_by_limit | limit_ends)); // a stream begins, or goes on
	wire ends = is_stop | limit_ends | broken;

	assign tap_take = tap_valid & armed & enable;
	wire enters = tap_take | tap_alone; // a batch is taken, with messages or without
	assign stopped = armed & is_stop & ~limit_ends;
	wire at_rest = ~armed & ~swapping & ~batches_before_window & ~(loading & ~staging);

	reg [31:0] quiet; // cycles since the last batch, and this one
	reg quiet_full;   // it counts no further
	// IDLE_AFTER, as it was in the cycle before, beside the cycles since the last batch.
	reg asked, high_more, high_same, low_enough;
	wire enough = asked & (high_more | (high_same & low_enough));

	// The counts tell what happened three cycles before.
	wire forget = rst | is_reset;
	wire [1:0] missed = {1'b0, tap_valid & ~tap_take} + {1'b0, discarded};
	nfacc_count #(.BITS(2)) unseen_count (
		.clk(clk), .clear(forget), .more(missed), .count(unseen));
	nfacc_count batches_count (
		.clk(clk), .clear(forget | stream_start), .more(nfa_valid), .count(batches));

	always @(posedge clk) begin
		reset <= is_reset;
		clean <= forget;
		// Only these commands end a rest.
		elements_writable <= at_rest & ~(load_begin | arm | swap_begins);
		tap_restart_before <= (restart_now | (tap_restart_before & ~enters)) & ~arm;
		// Batches that go on a second time bring no restart that is new.
		restart_in_flight <= (tap_restart_before & enters) |
			(restart_in_flight & ~(restart_arrived & ~returning) & ~arm);
		room <= swap_room;
		missed_swap <= ((label_asks & ~room) | missed_swap) & ~arm & ~swap_begins;
		tap_swap_before <= swap | (tap_swap_before & ~tap_take & ~hold);
		stream_start <= arm | swapped;
		clear_losses <= arm;

		if (load_begin) begin
			staging <= ~load_direct;
			if (load_direct)
				loaded <= 1'b0;
		end else if (load_done) begin
			staging <= 1'b0;
			if (~staging)
				loaded <= load_result == `NFACC_LOAD_OK;
		end

		if (command_valid)
			refused <= ~followed;

		// Said in full: what begins a stream comes late, and would come later through a
		// flip-flop's enable.
		drained <= draining & ~busy & ~swapping;
		armed <= begins | (armed & ~ends);
		draining <= ~begins & ((armed & ends) | (draining & ~drained));
		done <= ~begins & (done | (draining & drained));
		ended_by_limit <= ~begins & ~is_stop & ~(load_begin & load_direct) &
			(ended_by_limit | limit_ends);

		quiet <= tap_valid ? 32'd1 : quiet + {31'd0, ~quiet_full};
		quiet_full <= ~tap_valid & (quiet_full | (quiet == 32'hfffffffe));
		asked <= idle_after != 32'd0;
		high_more <= ~tap_valid & (quiet[31:16] > idle_after[31:16]);
		high_same <= ~tap_valid & (quiet[31:16] == idle_after[31:16]);
		low_enough <= quiet[15:0] >= idle_after[15:0];
		idle <= enough & ~tap_valid;

		status <= 32'd0;
		status[`NFACC_STATUS_ARMED_LSB] <= armed;
		status[`NFACC_STATUS_DONE_LSB] <= done;
		status[`NFACC_STATUS_DRAINING_LSB] <= draining;
		status[`NFACC_STATUS_OVERFLOW_LSB] <= overflow;
		status[`NFACC_STATUS_IDLE_LSB] <= idle;
		status[`NFACC_STATUS_LOADING_LSB] <= loading & ~replaying;
		status[`NFACC_STATUS_LOADED_LSB] <= loaded;
		status[`NFACC_STATUS_STAGED_LSB] <= staged;
		status[`NFACC_STATUS_SWAPPING_LSB] <= swapping;
		status[`NFACC_STATUS_REFUSED_LSB] <= refused;
		status[`NFACC_STATUS_BUSY_LSB] <= busy;
		status[`NFACC_STATUS_LATE_LSB] <= late;
		status[`NFACC_STATUS_MISSED_LSB] <= HAS_LABELS & missed_swap;
		status[`NFACC_STATUS_LOAD_LSB +: `NFACC_STATUS_LOAD_WIDTH] <=
			replaying ? `NFACC_LOAD_OK : load_result;

		if (forget) begin
			armed <= 1'b0;
			draining <= 1'b0;
			drained <= 1'b0;
			done <= 1'b0;
			ended_by_limit <= 1'b0;
			refused <= 1'b0;
			missed_swap <= 1'b0;
			quiet <= 32'd1;
			high_more <= 1'b0;
			high_same <= 1'b0;
			quiet_full <= 1'b0;
			idle <= 1'b0;
			tap_restart_before <= 1'b0;
			tap_swap_before <= 1'b0;
			restart_in_flight <= 1'b0;
		end
		if (rst) begin
			reset <= 1'b0;
			elements_writable <= 1'b0;
			stream_start <= 1'b0;
			staging <= 1'b0;
			loaded <= 1'b0;
		end
	end

`ifdef FORMAL
	// Every command is followed or refused, as doc/develop/rtl.md says. Every batch that comes
	// is taken, or goes to the count of UNSEEN. A stream starts by arm or by a swap. It ends by
	// a stop, by a reset, at its limit, or by a swap whose image cannot be read again.
	reg f_past = 1'b0;
	reg [31:0] f_idle_after; // IDLE_AFTER in the cycle before
	reg [31:0] f_quiet;  // cycles since the last batch, at most 2^32 - 1
	reg f_limited;       // the stream ended at its limit, and no command since changed that
	reg f_direct;        // an image that configures at once was begun, and has not ended well
	wire f_command = command_valid;
	wire f_is_begin = f_command & (command == 32'd1 << `NFACC_CONTROL_BEGIN_LSB);
	wire f_is_arm = f_command & (command == 32'd1 << `NFACC_CONTROL_ARM_LSB);
	wire f_is_stop = f_command & (command == 32'd1 << `NFACC_CONTROL_STOP_LSB);
	wire f_is_reset = f_command & (command == 32'd1 << `NFACC_CONTROL_RESET_LSB);
	wire f_is_swap = f_command & (command == 32'd1 << `NFACC_CONTROL_SWAP_LSB);
	wire f_is_restart = f_command & (command == 32'd1 << `NFACC_CONTROL_RESTART_LSB);
	wire f_may_begin = ~swapping & ((SHADOW == `NFACC_SHADOW_YES) | ~armed);
	wire f_enters = tap_alone || (tap_valid && armed && enable);
	wire f_may_arm = loaded & elements_in_range & time_known & ~armed & ~draining & ~swapping;
	wire f_may_swap = staged & ~swapping & room;
	wire f_at_rest = !armed && !swapping && !batches_before_window && (!loading || staging);
	always @(posedge clk) begin
		f_past <= 1'b1;
		if (!f_past) assume (rst);
		// Without a batch, a load or a swap, none is there in the next cycle, either.
		if (f_past && $past(f_at_rest && !load_begin && !arm && !swap_begins))
			assume (!swapping && !batches_before_window && !loading);
		assume (command == 0 || (command_valid && (command & (command - 1)) == 0));
		if (staged || swapping || replaying || swapped || hold)
			assume (SHADOW == `NFACC_SHADOW_YES);
		if (replaying || swapped || hold) assume (swapping);
		if (load_begin && load_direct) f_direct <= 1'b1;
		else if (load_done && !staging && load_result == `NFACC_LOAD_OK) f_direct <= 1'b0;
		if (rst) f_direct <= 1'b1;
		f_idle_after <= idle_after;
		f_quiet <= rst || reset_now || tap_valid ? 32'd0 :
			f_quiet + (f_quiet != 32'hffffffff);
		if (armed && limit_reached && !swapping && !stream_start) f_limited <= 1'b1;
		if (rst || f_is_stop || f_is_reset || (f_is_arm && f_may_arm) ||
				(f_is_swap && f_may_swap) || (load_begin && load_direct))
			f_limited <= 1'b0;
		if (f_past) begin
			assert (missed == (tap_valid && !(armed && enable)) + discarded);
			assert (forget == (rst || reset_now) && quiet_full == &quiet);
			assert (tap_take == (tap_valid && armed && enable));
			if (f_direct) assert (!loaded);
			assert (quiet == f_quiet + (f_quiet != 32'hffffffff));
			assert (ended_by_limit == f_limited);
			assert (enough == (f_idle_after != 0 && f_quiet >= f_idle_after));
			assert (restarts_stream == (armed || f_limited));
			assert (!(armed && draining) && !(armed && done) && !(draining && done));
			assert (!(armed && ended_by_limit));
			assert (load_begin == (f_is_begin && f_may_begin));
			assert (arm == (f_is_arm && f_may_arm));
			assert (swap == (f_is_swap && f_may_swap));
			// A label swaps if the FIFO had room, and never in the cycle of a command.
			if (label_swap)
				assert (label_hits && staged && !swapping && !swap && room &&
					HAS_LABELS && !load_begin);
			else assert (!HAS_LABELS || !label_hits || !staged || swapping || swap ||
				!room || load_begin);
			assert (swap_begins == (swap || label_swap));
			assert (stopped == (f_is_stop && armed && (!limit_reached || swapping ||
				stream_start)));
			assert (restart_now == (f_is_restart && armed && !swapping &&
				restart_ready && !stream_start && !tap_restart_before &&
				!restart_in_flight));
			// An image is staged while batches may need the one before it.
			assert (load_direct == (SHADOW == `NFACC_SHADOW_NO ||
				!(armed || draining)));
			// While a batch or a load may read the elements, the bus writes none.
			if (elements_writable) assert (f_at_rest);
		end
		if (f_past && $past(f_past) && !$past(rst)) begin
			assert (reset == $past(f_is_reset) && clean == reset);
			// Only a command ends a rest, or a batch's label that swaps, and no batch
			// is there.
			if ($past(elements_writable) && !elements_writable)
				assert ($past(command_valid || label_swap));
			assert (elements_writable == $past(f_at_rest && !(f_is_begin && f_may_begin) &&
				!(f_is_arm && f_may_arm) && !swap_begins));
			if ($past(f_is_reset))
				assert (!armed && !draining && !done && !refused &&
					!tap_restart_before && !tap_swap_before);
			else begin
				if ($past(f_command))
					assert (refused == $past(!(f_is_begin && f_may_begin) &&
						!(f_is_arm && f_may_arm) && !f_is_stop &&
						!(f_is_swap && f_may_swap) && !restart_now));
				else assert (refused == $past(refused));
				if (armed && !$past(armed))
					assert ($past((f_is_arm && f_may_arm) ||
						(f_is_swap && f_may_swap && ended_by_limit)));
				if (!armed && $past(armed))
					assert ($past(f_is_stop || (limit_reached && !swapping &&
						!stream_start) || (replaying && load_done &&
						load_result != `NFACC_LOAD_OK)));
				if ($past(armed && f_is_stop)) assert (!armed && draining);
				// A swap lets a stream go on, even if the stream reaches its limit
				// in that cycle.
				if ($past(f_is_swap && f_may_swap && (armed || f_limited)))
					assert (armed && !done && !draining && !f_limited);
				if (done && !$past(done)) assert ($past(draining && drained));
				if (drained) assert ($past(draining && !busy && !swapping));
				// A mark stays until a batch takes it with it, or the swap begins.
				if ($past(f_is_swap && f_may_swap)) assert (tap_swap_before);
				else assert (tap_swap_before == $past(tap_swap_before &&
					!tap_take && !hold));
			end
			assert (stream_start == $past((f_is_arm && f_may_arm) || swapped));
			assert (clear_losses == $past(f_is_arm && f_may_arm));
			// A label that could not swap is told, until another does.
			assert (room == $past(swap_room));
			if (!$past(f_is_reset))
				assert (missed_swap == $past(!swap_begins && !arm &&
					(missed_swap || (HAS_LABELS && label_hits && staged &&
					!swapping && !swap && !load_begin && !room))));
			// A restart waits until a batch takes it with it, and is then on its way
			// until it has arrived. A stream that starts ends both.
			assert (tap_restart_before == $past(!f_is_reset && !arm &&
				(restart_now || (tap_restart_before && !f_enters))));
			assert (restart_in_flight == $past(!f_is_reset &&
				((tap_restart_before && f_enters) || (restart_in_flight &&
				!(restart_arrived && !returning) && !arm))));
			if (!$past(f_is_reset))
				assert (idle == $past(f_idle_after != 0 && !tap_valid &&
					f_quiet >= f_idle_after));
			assert (status[`NFACC_STATUS_ARMED_LSB] == $past(armed));
			assert (status[`NFACC_STATUS_DONE_LSB] == $past(done));
			assert (status[`NFACC_STATUS_DRAINING_LSB] == $past(draining));
			assert (status[`NFACC_STATUS_OVERFLOW_LSB] == $past(overflow));
			assert (status[`NFACC_STATUS_IDLE_LSB] == $past(idle));
			assert (status[`NFACC_STATUS_LOADING_LSB] == $past(loading && !replaying));
			assert (status[`NFACC_STATUS_LOADED_LSB] == $past(loaded));
			assert (status[`NFACC_STATUS_STAGED_LSB] == $past(staged));
			assert (status[`NFACC_STATUS_SWAPPING_LSB] == $past(swapping));
			assert (status[`NFACC_STATUS_REFUSED_LSB] == $past(refused));
			assert (status[`NFACC_STATUS_BUSY_LSB] == $past(busy));
			assert (status[`NFACC_STATUS_LATE_LSB] == $past(late));
			assert (status[`NFACC_STATUS_LOAD_LSB +: `NFACC_STATUS_LOAD_WIDTH] ==
				$past(replaying ? `NFACC_LOAD_OK : load_result));
		end
	end
	wire reset_now = f_is_reset;
`endif
endmodule
`default_nettype wire
