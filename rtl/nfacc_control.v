// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// nfacc_control: what the engine does: commands, armed or not, the end of a stream, counts of
// batches. All that it gives out comes one cycle after the command.
`default_nettype none
`include "nfacc_contract.vh"

module nfacc_control #(
	parameter SHADOW = 0
) (
	input wire clk,
	input wire rst,
	input wire command_valid,
	input wire [31:0] command,
	output reg reset,          // CONTROL.reset: all but the configuration
	// Batches.
	input wire tap,            // one comes from the tap
	input wire enable,
	output wire take,          // the one that comes is taken
	input wire astray,         // one was taken for which there is no configuration
	input wire given,          // one goes to the NFA
	input wire [31:0] idle_after,
	// Loading.
	input wire good,           // the values of the REGISTER elements are
	output wire begin_,        // a new image
	output wire direct,        // with it: into the engine, not into the staging memory
	input wire load_done,
	input wire [3:0] load_result,
	input wire loading,
	output reg staging,        // words go into the staging memory
	output reg loaded,
	// Swap (nfacc_shadow).
	input wire staged,
	output wire swap,
	output wire live,          // with it: a stream is under way, or its limit ended it
	output wire cancel,        // no swap if it hasn't begun
	input wire swapping,
	input wire replaying,
	input wire swapped,        // the new configuration takes over: a fresh start
	// The stream's beginning and end.
	input wire can_restart,
	input wire restarted,      // the batch that was marked has reached the NFA
	output reg mark,           // a batch taken now has a restart before it
	output reg restart,        // every state to its start
	output reg fresh,          // with it: window, limit, counts anew
	output reg clear,          // with it: counts of losses anew
	input wire ended,          // the limit is reached
	input wire under_way,         // a batch is on its way to the window
	input wire busy,           // anything is inside
	output wire free,          // REGISTER elements may be written
	output reg armed,
	output reg done,
	output reg [31:0] status,
	input wire overflow,
	output reg [63:0] unseen,
	output reg [63:0] batches,
	output reg idle
);
	reg draining, refused;
	reg limited; // it was the limit that ended the stream
	reg marked;  // a batch with a restart before it is on its way to the NFA

	// One command at a time.
	wire one = (command & (command - 32'd1)) == 32'd0;
	wire is = command_valid & one;
	wire is_begin = is & command[`NFACC_CONTROL_BEGIN_LSB];
	wire is_arm = is & command[`NFACC_CONTROL_ARM_LSB];
	wire is_stop = is & command[`NFACC_CONTROL_STOP_LSB];
	wire is_reset = is & command[`NFACC_CONTROL_RESET_LSB];
	wire is_swap = is & command[`NFACC_CONTROL_SWAP_LSB];
	wire is_restart = is & command[`NFACC_CONTROL_RESTART_LSB];

	assign begin_ = is_begin & ~swapping & ((SHADOW != 0) | ~armed);
	assign direct = (SHADOW == 0) | ~(armed | draining);
	wire arm = is_arm & loaded & good & ~armed & ~draining & ~swapping;
	assign swap = is_swap & staged & ~swapping;
	wire restart_now = is_restart & armed & ~swapping & can_restart & ~restart & ~mark & ~marked;
	assign live = armed | limited;
	assign cancel = is_reset | is_stop;
	wire followed = begin_ | arm | is_stop | is_reset | swap | restart_now;

	wire hit = armed & ended & ~swapping & ~fresh; // the limit
	wire broken = replaying & load_done & (load_result != `NFACC_LOAD_OK);

	assign take = tap & armed & enable;
	assign free = ~armed & ~swapping & ~under_way & ~(loading & ~staging);

	reg [31:0] quiet; // cycles without a batch

	always @(posedge clk) begin
		reset <= is_reset;
		restart <= arm | swapped;
		mark <= (restart_now | (mark & ~take)) & ~arm;
		marked <= (mark & take) | (marked & ~restarted & ~arm);
		fresh <= arm | swapped;
		clear <= arm;

		if (begin_) begin
			staging <= ~direct;
			if (direct)
				loaded <= 1'b0;
		end else if (load_done) begin
			staging <= 1'b0;
			if (~staging)
				loaded <= load_result == `NFACC_LOAD_OK;
		end

		if (command_valid & (command != 32'd0))
			refused <= ~followed;

		if (draining & ~busy & ~swapping) begin
			draining <= 1'b0;
			done <= 1'b1;
		end
		if (armed & (is_stop | hit | broken)) begin
			armed <= 1'b0;
			draining <= 1'b1;
		end
		if (hit)
			limited <= 1'b1;
		if (is_stop)
			limited <= 1'b0;
		if (arm | (swap & limited)) begin
			armed <= 1'b1;
			limited <= 1'b0;
			draining <= 1'b0;
			done <= 1'b0;
		end
		if (begin_ & direct)
			limited <= 1'b0;

		unseen <= unseen + {63'd0, tap & ~take} + {63'd0, astray};
		batches <= fresh ? 64'd0 : batches + {63'd0, given};

		quiet <= tap ? 32'd0 : quiet + {31'd0, ~&quiet};
		idle <= (idle_after != 32'd0) & (quiet >= idle_after) & ~tap;

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
		status[`NFACC_STATUS_LOAD_LSB +: `NFACC_STATUS_LOAD_WIDTH] <=
			replaying ? `NFACC_LOAD_OK : load_result;

		if (rst | is_reset) begin
			armed <= 1'b0;
			draining <= 1'b0;
			done <= 1'b0;
			limited <= 1'b0;
			refused <= 1'b0;
			unseen <= 64'd0;
			batches <= 64'd0;
			quiet <= 32'd0;
			idle <= 1'b0;
			mark <= 1'b0;
			marked <= 1'b0;
		end
		if (rst) begin
			reset <= 1'b0;
			restart <= 1'b0;
			fresh <= 1'b0;
			staging <= 1'b0;
			loaded <= 1'b0;
		end
	end
endmodule
`default_nettype wire
