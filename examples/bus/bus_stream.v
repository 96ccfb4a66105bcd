// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// AXI4-Stream: packets of four beats, and a receiver that is not ready in some cycles.
`default_nettype none
/* verilator lint_off UNUSEDSIGNAL */ // the waveform alone shows some of them
module bus_stream (
	input wire clk,
	input wire rst_n,
	input wire [7:0] broken // 3: tdata changes while it waits; 4: tvalid falls
);
	reg tvalid, tready, tlast;
	reg [7:0] tdata;
	reg [2:0] t;
	wire changes = (broken == 3 || broken == 255) && tdata[5:3] == 2;
	wire drops = broken == 4 && tdata == 9;

	always @(posedge clk)
		if (!rst_n)
			{tvalid, tready, tlast, tdata, t} <= 0;
		else begin
			t <= t + 1;
			tready <= t != 2 && t != 3 && t != 6;
			if (!tvalid || tready) begin
				tvalid <= t != 7;
				if (tvalid)
					tdata <= tdata + 1;
				tlast <= tvalid ? tdata[1:0] == 2 : tdata[1:0] == 3;
			end else if (changes)
				tdata <= tdata + 64;
			else if (drops)
				tvalid <= 0;
		end
endmodule
/* verilator lint_on UNUSEDSIGNAL */
`default_nettype wire
