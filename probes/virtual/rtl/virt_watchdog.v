// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// virt_watchdog: the Observation Points Watchdog, step for step that of probes/virtual/model/watchdog.c.
// It knows the lines of which every access is to be seen, and where in memory they are now. One
// point is looked at in a cycle, so there is one comparator for all.
//
// write, refill, drop, clear and look each ask for a step; at most one of them is high. It stays
// high, and the other inputs as they are, until `done`, which is high for one cycle. `points` holds
// from that cycle until the next step. A step takes at most 2 + POINTS cycles.
`include "virt_contract.vh"
`default_nettype none

module virt_watchdog #(
	parameter POINTS = `VIRT_POINTS // a power of two, 2 ..
) (
	input wire clk,
	input wire rst,
	input wire write,  // makes point `index` that of the line `va`
	input wire refill, // takes in the mapping of `va` to `pa`: points whose line has moved
	input wire drop,   // forgets the places of points that share their page with `va`
	input wire clear,  // forgets the places of all
	input wire look,   // the points that the line `pa` is
	input wire [$clog2(POINTS)-1:0] index,
	input wire enable,       // write: the point is watched
	input wire code,         // write: the line holds instructions
	input wire [`VIRT_VA_BITS-1:`VIRT_LINE_BITS] va,
	input wire [`VIRT_PA_BITS-1:`VIRT_LINE_BITS] pa,
	input wire [1:0] level,  // refill: 3: a page; 2, 1: a huge page
	output reg done,
	output reg [POINTS-1:0] points,
	output reg [POINTS-1:0] mapped, // points whose place is known
	// Point `index`, while no step is under way.
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
	reg [POINTS-1:0] left;           // points from `n` on that must be looked at
	reg [BITS-1:0] n;
	reg busy;

	wire [BITS-1:0] at = busy ? n : index;
	assign {out_code, out_va} = lines[at];
	wire [1:0] old_level;
	assign {old_level, out_pa} = places[at];

	// The point's page is that of `va`, and the line at its place in the page `pa`.
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
