// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// virt_window: counts reads whose address may have been missed, as probes/virtual/model/window.c
// does. Note [windows] is in window.h. `read` counts a read without an address, in one cycle.
// `close` counts the reads from `since` until now. It must stay high, with `since` unchanged, until
// `done`. `done` is high for one cycle, three cycles later.
`include "virt_contract.vh"
`default_nettype none

module virt_window (
	input wire clk,
	input wire rst,
	input wire read,
	input wire close,
	input wire [`VIRT_SINCE_BITS-1:0] since,
	output reg done,
	output reg [`VIRT_SINCE_BITS-1:0] now,    // number of reads without an address
	output reg over,                          // there were more
	output reg [`VIRT_SINCE_BITS-1:0] perhaps // of these, reads in windows
);
	localparam S = `VIRT_SINCE_BITS;
	localparam [S-1:0] ONE = 1;

	reg [S-1:0] from, to; // the last interval that was counted
	reg [S-1:0] more;     // number of reads to add
	reg [1:0] step;
	wire behind = since > to;
	wire earlier = since < from;

	always @(posedge clk) begin
		done <= 1'b0;
		now <= now + (read & ~(&now) ? ONE : {S{1'b0}});
		over <= over | (read & (&now));
		if (close & ~done) begin
			step <= step + 2'd1;
			case (step)
			2'd0: more <= now - (behind ? since : to);
			2'd1: begin
				if (~behind & earlier)
					more <= more + (from - since);
				if (behind | earlier)
					from <= since;
				to <= now;
			end
			2'd2: begin
				perhaps <= more > now - perhaps ? now : perhaps + more;
				done <= 1'b1;
				step <= 2'd0;
			end
			default: step <= 2'd0;
			endcase
		end
		if (rst) begin
			done <= 1'b0;
			step <= 2'd0;
			now <= {S{1'b0}};
			over <= 1'b0;
			perhaps <= {S{1'b0}};
			from <= {S{1'b0}};
			to <= {S{1'b0}};
		end
	end
endmodule
`default_nettype wire
