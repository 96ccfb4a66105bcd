// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// TileLink (TL-UL): reads and full writes in turn, and a device that takes one at a time.
`default_nettype none
/* verilator lint_off UNUSEDSIGNAL */ // the waveform alone shows some of them
module bus_tilelink (
	input wire clk,
	input wire rst_n,
	input wire [7:0] broken // 15: an opcode that TL-UL does not have; 16: a read is
	                        // acknowledged without data
);
	reg a_valid, a_ready, d_valid, d_ready, d_error;
	reg [2:0] a_opcode, a_size, d_opcode, d_size;
	reg [3:0] a_mask;
	reg [1:0] a_source, d_source;
	reg [31:0] a_address, a_data, d_data;
	reg [3:0] n; // transfers that are done
	reg busy;
	wire odd = (broken == 15 || broken == 255) && n == 4;
	wire empty = broken == 16 && n == 4;

	always @(posedge clk)
		if (!rst_n) begin
			{a_valid, a_ready, d_valid, d_ready, d_error, busy, n} <= 0;
			{a_opcode, a_size, a_mask, a_source, a_address, a_data} <= 0;
			{d_opcode, d_size, d_source, d_data} <= 0;
		end else begin
			d_ready <= 1;
			if (!busy) begin
				a_valid <= 1;
				a_opcode <= odd ? 2 : n[0] ? 0 : 4;
				a_size <= 2;
				a_mask <= 15;
				a_source <= n[1:0];
				a_address <= {26'h40, n, 2'h0};
				a_data <= {28'h7, n};
				busy <= 1;
			end
			a_ready <= a_valid && !a_ready;
			if (a_valid && a_ready) begin
				a_valid <= 0;
				d_valid <= 1;
				d_opcode <= a_opcode == 4 && !empty ? 1 : 0;
				d_size <= a_size;
				d_source <= a_source;
				d_error <= n == 7;
				d_data <= a_data;
			end else if (d_valid && d_ready) begin
				d_valid <= 0;
				n <= n + 1;
				busy <= 0;
			end
		end
endmodule
/* verilator lint_on UNUSEDSIGNAL */
`default_nettype wire
