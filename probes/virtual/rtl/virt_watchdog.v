// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// virt_watchdog: the Observation Points Watchdog. It does the same as
// probes/virtual/model/watchdog.c, step by step. It knows the lines of which every access must be
// seen, and where they are in memory now. In each cycle one point is looked at, so one comparator
// is enough.
//
// write, refill, drop, clear and look each ask for a step. At most one of them may be high. It must
// stay high, with the other inputs unchanged, until `done`, which is high for one cycle. `points`
// is valid from that cycle until the next step. A step takes at most 2 + POINTS cycles.
`include "virt_contract.vh"
`default_nettype none

module virt_watchdog #(
	parameter POINTS = `VIRT_POINTS // a power of two, at least 2
) (
	input wire clk,
	input wire rst,
	input wire write,  // sets point `index` to the line `va`
	input wire refill, // handles the mapping of `va` to `pa`; points: whose line has moved
	input wire drop,   // forgets the places of points whose page contains `va`
	input wire clear,  // forgets the places of all points
	input wire look,   // points: whose line is the line `pa`
	input wire [$clog2(POINTS)-1:0] index,
	input wire enable,       // write: the point is watched
	input wire code,         // write: the line holds instructions
	input wire [`VIRT_VA_BITS-1:`VIRT_LINE_BITS] va,
	input wire [`VIRT_PA_BITS-1:`VIRT_LINE_BITS] pa,
	input wire [1:0] level,  // refill: 3: a page; 2, 1: a huge page
	output reg done,
	output reg [POINTS-1:0] points,
	output reg [POINTS-1:0] mapped, // points whose place is known
	// Point `index`. Valid while no step is under way.
	output wire [`VIRT_VA_BITS-1:`VIRT_LINE_BITS] out_va,
	output wire [`VIRT_PA_BITS-1:`VIRT_LINE_BITS] out_pa,
	output wire out_code
);
	localparam BITS = $clog2(POINTS);
	localparam V = `VIRT_VA_BITS - `VIRT_LINE_BITS, P = `VIRT_PA_BITS - `VIRT_LINE_BITS;
	localparam [1:0] LAST_LEVEL = `VIRT_LAST_LEVEL;

	generate
		if (POINTS < 2 || (1 << BITS) != POINTS) begin : g_bad
			nfacc_error_parameter_out_of_range e ();
		end
	endgenerate

	(* ram_style = "distributed" *)
	reg [V:0] lines [0:POINTS-1];    // {code, va}
	(* ram_style = "distributed" *)
	reg [P+1:0] places [0:POINTS-1]; // {level, pa}
	reg [POINTS-1:0] enabled;
	reg [POINTS-1:0] left;           // points from `n` on that are still to be looked at
	reg [BITS-1:0] n;
	reg busy;

	wire [BITS-1:0] at = busy ? n : index;
	assign {out_code, out_va} = lines[at];
	wire [1:0] old_level;
	assign {old_level, out_pa} = places[at];

	// page_same: the page of the point is that of `va`. place: where the line of the point is
	// if its page is at `pa`.
	wire [1:0] size = refill ? level : old_level;
	wire page_same = (out_va[`VIRT_VA_BITS-1:30] == va[`VIRT_VA_BITS-1:30]) &
		((size == 2'd1) | (out_va[29:21] == va[29:21])) &
		((size != LAST_LEVEL) | (out_va[20:12] == va[20:12]));
	wire [`VIRT_PA_BITS-1:`VIRT_LINE_BITS] place = {pa[`VIRT_PA_BITS-1:30],
		level == 2'd1 ? out_va[29:21] : pa[29:21],
		level == LAST_LEVEL ? pa[20:12] : out_va[20:12], out_va[11:6]};
	wire moves = page_same & ~(mapped[n] & (out_pa == place));

	always @(posedge clk) begin
		done <= 1'b0;
		if (~busy & ~done) begin
			n <= {BITS{1'b0}};
			left <= refill ? enabled : mapped;
			points <= {POINTS{1'b0}};
			busy <= refill | drop | look;
			done <= write | clear;
		end
		if (busy) begin
			n <= n + {{BITS-1{1'b0}}, 1'b1};
			left <= left >> 1;
			if (left[0] & refill & moves) begin
				points[n] <= 1'b1;
				mapped[n] <= 1'b1;
				places[n] <= {size, place};
			end
			if (left[0] & look & (out_pa == pa))
				points[n] <= 1'b1;
			if (left[0] & drop & page_same)
				mapped[n] <= 1'b0;
			busy <= |left[POINTS-1:1];
			done <= ~|left[POINTS-1:1];
		end
		if (write) begin
			lines[index] <= {code, va};
			enabled[index] <= enable;
			mapped[index] <= 1'b0;
		end
		if (clear)
			mapped <= {POINTS{1'b0}};
		if (rst) begin
			busy <= 1'b0;
			done <= 1'b0;
			enabled <= {POINTS{1'b0}};
			mapped <= {POINTS{1'b0}};
		end
	end
endmodule
`default_nettype wire
