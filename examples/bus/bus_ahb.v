// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// AHB-Lite: single transfers, one after the other. The slave lets some of them wait.
`default_nettype none
/* verilator lint_off UNUSEDSIGNAL */ // the waveform alone shows some of them
module bus_ahb (
	input wire clk,
	input wire rst_n,
	input wire [7:0] broken // 13: haddr changes while hready is low; 14: an ERROR of one cycle
);
	reg [1:0] htrans;
	reg hwrite, hready, hresp;
	reg [2:0] hsize, hburst;
	reg [31:0] haddr, hwdata, hrdata;
	reg [4:0] n;  // address phases that are done, up to 20
	reg data;     // there is a data phase
	reg [1:0] wait_cycles;
	wire changes = (broken == 13 || broken == 255) && n == 3;
	wire short = broken == 14;

	always @(posedge clk)
		if (!rst_n) begin
			{htrans, hwrite, hresp, haddr, hwdata, hrdata, n, data, wait_cycles} <= 0;
			{hready, hsize, hburst} <= {1'b1, 3'd2, 3'd0};
		end else begin
			if (hready) begin
				htrans <= n[1:0] == 3 || n == 20 ? 0 : 2;
				hwrite <= n[0];
				haddr <= {23'h4, n, 4'h0};
				hwdata <= {27'h3, n};
				if (n != 20)
					n <= n + 1;
				data <= htrans[1];
				wait_cycles <= n[1:0];
				hready <= !(htrans[1] && n[1]) && !(htrans[1] && n == 9 && !short);
				hresp <= htrans[1] && n == 9;
			end else begin
				if (changes)
					haddr <= haddr + 4;
				wait_cycles <= wait_cycles - 1;
				hready <= wait_cycles <= 2;
				hrdata <= hwdata;
			end
		end
endmodule
/* verilator lint_on UNUSEDSIGNAL */
`default_nettype wire
