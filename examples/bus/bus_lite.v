// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// AXI4-Lite: a master that writes a register and reads it back, again and again, and its slave.
`default_nettype none
/* verilator lint_off UNUSEDSIGNAL */ // the waveform alone shows some of them
module bus_lite (
	input wire clk,
	input wire rst_n,
	input wire [7:0] broken // 1: awaddr changes while it waits; 2: no answer to a write
);
	reg awvalid, awready, wvalid, wready, bvalid, bready;
	reg arvalid, arready, rvalid, rready;
	reg [31:0] awaddr, araddr, wdata, rdata;
	reg [1:0] bresp, rresp;
	reg [1:0] step;
	reg [2:0] n;     // transfers that are done
	reg [1:0] beat;  // when the slave is ready
	reg has_aw, has_w;
	wire changes = (broken == 1 || broken == 255) && n == 2;
	wire forgets = broken == 2 && n == 2;

	always @(posedge clk)
		if (!rst_n) begin
			{awvalid, wvalid, bready, arvalid, rready, step, n} <= 0;
			{awaddr, wdata, araddr} <= 0;
		end else begin
			bready <= 1;
			rready <= 1;
			if (awvalid && awready)
				awvalid <= 0;
			else if (awvalid && changes)
				awaddr <= awaddr + 4;
			if (wvalid && wready)
				wvalid <= 0;
			if (arvalid && arready)
				arvalid <= 0;
			case (step)
			0: begin
				awvalid <= 1;
				wvalid <= 1;
				awaddr <= {24'h0, n, 5'h0};
				wdata <= {29'h7, n};
				step <= 1;
			end
			1: if (bvalid && bready)
				step <= 2;
			2: begin
				arvalid <= 1;
				araddr <= awaddr;
				step <= 3;
			end
			3: if (rvalid && rready) begin
				n <= n + 1;
				step <= 0;
			end
			endcase
		end

	always @(posedge clk)
		if (!rst_n) begin
			{awready, wready, bvalid, arready, rvalid, has_aw, has_w, beat} <= 0;
			{bresp, rresp, rdata} <= 0;
		end else begin
			beat <= beat + 1;
			awready <= awvalid && !awready && beat[1];
			wready <= wvalid && !wready;
			if (awvalid && awready)
				has_aw <= 1;
			if (wvalid && wready)
				has_w <= 1;
			if (has_aw && has_w) begin
				{has_aw, has_w} <= 0;
				bvalid <= !forgets;
				bresp <= n == 5 ? 2 : 0;
			end else if (bvalid && bready)
				bvalid <= 0;
			arready <= arvalid && !arready && beat[0];
			if (arvalid && arready) begin
				rvalid <= 1;
				rdata <= wdata;
			end else if (rvalid && rready)
				rvalid <= 0;
		end
endmodule
/* verilator lint_on UNUSEDSIGNAL */
`default_nettype wire
