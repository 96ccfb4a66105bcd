// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// Wishbone, classic: single writes and reads, which the slave answers a cycle later or two.
`default_nettype none
/* verilator lint_off UNUSEDSIGNAL */ // the waveform alone shows some of them
module bus_wishbone (
	input wire clk,
	input wire rst,
	input wire [7:0] broken // 7: stb falls before the answer; 8: an answer outside of a cycle
);
	reg cyc, stb, we, ack, err;
	reg [15:0] adr;
	reg [31:0] dat_w, dat_r;
	reg [3:0] sel;
	reg [3:0] n; // transfers that are done
	wire drops = (broken == 7 || broken == 255) && n == 3;
	wire strays = broken == 8 && n == 5;

	always @(posedge clk)
		if (rst)
			{cyc, stb, we, ack, err, adr, dat_w, dat_r, sel, n} <= 0;
		else begin
			if (!cyc && (ack || !strays)) begin
				cyc <= 1;
				stb <= 1;
				we <= n[0];
				adr <= {8'h2, n, 4'h0};
				sel <= 15;
				dat_w <= {28'h9, n};
			end else if (cyc && (ack || err || (drops && stb))) begin
				cyc <= 0;
				stb <= 0;
				n <= n + 1;
			end
			ack <= !ack && (cyc ? stb && !err && n != 6 && !drops : strays);
			err <= cyc && stb && !err && n == 6;
			dat_r <= dat_w;
		end
endmodule
/* verilator lint_on UNUSEDSIGNAL */
`default_nettype wire
