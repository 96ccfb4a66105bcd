// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// nfacc_counter: one counter (nfacc-filter(5), section Counters), with a copy for each line. A
// counter is a node like an STE: it can be a predecessor of STEs, carry labels, and mark batches as
// logged. After each batch the STEs say whether the counter counts and whether it is reset. In the
// same cycle the counter says whether it is active.
//
// Note [counter timing]. STEs are registers, so they show what a batch did in the cycle after it.
// The register of the counter therefore lags by one batch: it holds the count before the last batch
// of its copy, and counts that batch when the next one comes. Whether the counter is active is
// computed from the register and the STEs together. In this example batches 1, 2 and 3 of a copy
// make it count, and K is 2:
//
//	cycle      0       1       2       3       4       5       6
//	         _______________                 _______________
//	move    | restart   1   |_______________|   2       3   |_______
//	         _______ _______ _______________________ _______ _______
//	states  |_______|__S_0__|__________S_1__________|__S_2__|__S_3__
//	                 _______
//	fresh   xxxxxxxx|       |_______________________________________
//	         _______ _______________________________ _______ _______
//	left    |_______|_______________2_______________|___1___|___0___
//	                                                 _______
//	active  xxxxxxxx|_______________________________|       |_______  pulse
//
// S_0 are the start states. No batch led to them, so they must not make the counter count. `fresh`
// prevents that. The register holds K minus the count, so that it ends at 0 for every K.
`default_nettype none
`include "nfacc_contract.vh"
module nfacc_counter #(
	parameter WIDTH = 16, // 1..32: bits of the count
	parameter LINES = 1,  // 1..: lines of the overlay
	parameter EARLIER = 0 // 1: there is no register; the count before the last batch is `earlier`
) (
	input wire clk,
	input wire [LINES-1:0] move,      // the line has a message, or there is a restart
	input wire restart,               // the count becomes 0 now
	input wire [LINES-1:0] fresh,     // the line had no batch since the restart
	// After the last batch, an STE is active that makes the counter count (`count`) or that
	// resets it (`reset`).
	input wire [LINES-1:0] count,
	input wire [LINES-1:0] reset,
	input wire [WIDTH-1:0] threshold, // K; 0: the counter is not used
	input wire [1:0] mode,            // one of `NFACC_COUNTER_MODE_*
	// K minus the count, before the last batch and after it. Copy j has bits from j*WIDTH on.
	input wire [LINES*WIDTH-1:0] earlier,
	output wire [LINES*WIDTH-1:0] later,
	output wire [LINES-1:0] active    // the counter is active after the last batch
);
	/*verilator no_inline_module*/
	localparam [WIDTH-1:0] ZERO = 0;
	localparam SIXES = (WIDTH + 5) / 6;
	localparam LOW_BITS = WIDTH < 6 ? WIDTH : 6;
	localparam [LOW_BITS-1:0] ONE = 1;
	localparam [SIXES-1:0] LOWEST = 1;
	(* keep *) wire latch;
	assign latch = (mode & `NFACC_COUNTER_MODE_LATCH) != 2'd0 && threshold != ZERO;
	wire roll = (mode & `NFACC_COUNTER_MODE_ROLL) != 2'd0;
	wire unused_earlier = &{1'b0, clk, move, earlier};
	genvar j, i;
	generate
		// `left` counts down without a carry chain: a bit changes when all bits below it
		// are 0. With a carry chain, the choice between K and the count would take one more
		// LUT for each bit.
		for (j = 0; j < LINES; j = j + 1) begin : g_line
			// K minus the count before the last batch. While the line is fresh: K.
			wire [WIDTH-1:0] left;
			wire [WIDTH-1:0] below; // bit i: all bits of `left` below bit i are 0
			// `keep` stops synthesis from merging these wires into other logic. Bit i
			// of `six`: bits 6i to 6i+5 of `left` are 0. `counted` and `cleared` arrive
			// last, so only one LUT is between them and `active`. one_left and
			// none_left arrive earlier: they are two LUTs after the register.
			(* keep *) wire [SIXES-1:0] six;
			(* keep *) wire counted, cleared, low_is_one, one_left, none_left;
			assign counted = count[j];
			assign cleared = reset[j];
			assign low_is_one = left[LOW_BITS-1:0] == ONE;
			assign one_left = low_is_one && &(six | LOWEST) && !fresh[j];
			assign none_left = &six;
			assign active[j] = !cleared &&
				((counted && one_left) || (latch && none_left));
			wire reload = restart || cleared || (roll && counted && one_left);
			wire down = counted && !none_left && !fresh[j];
			for (i = 0; i < SIXES; i = i + 1) begin : g_six
				localparam END = i * 6 + 6 < WIDTH ? i * 6 + 6 : WIDTH;
				assign six[i] = !(|left[END-1:i*6]);
			end
			for (i = 0; i < WIDTH; i = i + 1) begin : g_bit
				localparam SIX = i / 6, FROM = SIX * 6;
				wire sixes = SIX == 0 || &six[(SIX == 0 ? 0 : SIX - 1):0];
				wire own = i == FROM || !(|left[(i == FROM ? i : i - 1):FROM]);
				assign below[i] = sixes && own;
			end
			assign later[j*WIDTH +: WIDTH] =
				reload ? threshold : left ^ (below & {WIDTH{down}});
			if (EARLIER) begin : g_outside
				assign left = earlier[j*WIDTH +: WIDTH];
			end else begin : g_register
				reg [WIDTH-1:0] count_left;
				assign left = count_left;
				always @(posedge clk)
					if (move[j])
						count_left <= later[j*WIDTH +: WIDTH];
			end
		end
	endgenerate

`ifdef FORMAL
	// The reference is the rule of the language. Its count rises, and includes each batch at
	// once. After a batch of the copy, the count becomes 0 if the counter is reset. Otherwise,
	// if the counter counts, the count rises by one, up to K.
	(* anyconst *) reg [WIDTH-1:0] f_k;
	(* anyconst *) reg [1:0] f_mode;
	always @(*)
		assume (threshold == f_k && mode == f_mode && f_mode <= `NFACC_COUNTER_MODE_ROLL);
	for (j = 0; j < LINES; j = j + 1) begin : g_f_line
		reg f_known = 1'b0; // a restart has come
		reg f_fresh;
		// f_before is the count before the last batch, f_after the count after it.
		reg [WIDTH-1:0] f_before, f_after;
		reg f_reached;                     // the last batch brought the count to K
		always @(*) begin
			assume (fresh[j] == f_fresh);
			f_after = f_before;
			f_reached = 1'b0;
			if (!f_fresh && reset[j])
				f_after = ZERO;
			else if (!f_fresh && count[j] && f_before != f_k) begin
				f_after = f_before + 1'b1;
				f_reached = f_after == f_k;
			end
			if (f_mode == `NFACC_COUNTER_MODE_ROLL && f_reached)
				f_after = ZERO;
			if (f_known) begin
				assert (active[j] ==
					(f_mode == `NFACC_COUNTER_MODE_LATCH ?
					f_after == f_k && f_k != ZERO :
					f_reached));
				assert (!(f_fresh && active[j]));
				// The register holds K minus the count. The proof by
				// induction needs these assertions.
				assert (f_before <= f_k &&
					g_line[j].left == f_k - f_before);
				assert (!f_fresh || f_before == ZERO);
			end
		end
		always @(posedge clk)
			if (move[j]) begin
				f_known <= f_known || restart;
				f_fresh <= restart;
				f_before <= restart ? ZERO : f_after;
			end
	end
`endif
endmodule
`default_nettype wire
