// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// APB: writes and reads in turn. The slave takes up to two cycles more for some of them.
`default_nettype none
/* verilator lint_off UNUSEDSIGNAL */ // the waveform alone shows some of them
module bus_apb (
	input wire clk,
	input wire rst_n,
	input wire [7:0] broken // 5: paddr changes in a transfer; 6: a setup phase is missing
);
	reg psel, penable, pwrite, pready, pslverr;
	reg [15:0] paddr;
	reg [31:0] pwdata, prdata;
	reg [3:0] n; // transfers that are done
	wire changes = (broken == 5 || broken == 255) && n == 4;
	wire hurries = broken == 6 && n == 5;

	always @(posedge clk)
		if (!rst_n)
			{psel, penable, pwrite, pready, pslverr, paddr, pwdata, prdata, n} <= 0;
		else begin
			if (!psel) begin
				psel <= 1;
				penable <= hurries;
				pwrite <= !n[0];
				paddr <= {11'h4, n[3:1], 2'h0};
				pwdata <= {28'h5, n};
			end else if (!penable || !pready) begin
				penable <= 1;
				if (penable && changes)
					paddr <= paddr + 4;
			end else begin
				psel <= 0;
				penable <= 0;
				n <= n + 1;
			end
			pready <= psel && !pready && (penable || n[1]);
			pslverr <= n == 6;
			prdata <= pwdata;
		end
endmodule
/* verilator lint_on UNUSEDSIGNAL */
`default_nettype wire
