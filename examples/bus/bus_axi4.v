// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// AXI4: a write of four beats, and a read of four beats from the same place, again and again.
`default_nettype none
/* verilator lint_off UNUSEDSIGNAL */ // the waveform alone shows some of them
module bus_axi4 (
	input wire clk,
	input wire rst_n,
	input wire [7:0] broken // 9: wlast a beat early; 10: a burst crosses 4 KB; 11: B before
	                        // the last W; 12: a beat of R without AR
);
	reg awvalid, awready, wvalid, wready, wlast, bvalid, bready;
	reg arvalid, arready, rvalid, rready, rlast;
	reg [31:0] awaddr, araddr, wdata, rdata;
	reg [1:0] awid, bid, arid, rid, bresp, rresp;
	reg [7:0] awlen, arlen;
	reg [2:0] awsize, arsize;
	reg [1:0] awburst, arburst;
	reg [1:0] step, at_w, at_r;
	reg [2:0] n; // pairs of bursts that are done
	reg [1:0] t;
	reg reads;
	wire early = broken == 9 && n == 1;
	wire crosses = (broken == 10 || broken == 255) && n == 1;
	wire hurries = broken == 11 && n == 1;
	wire strays = broken == 12 && n == 1;

	always @(posedge clk)
		if (!rst_n) begin
			{awvalid, wvalid, wlast, bready, arvalid, rready, step, at_w, n} <= 0;
			{awaddr, araddr, wdata, awid, arid, awlen, arlen} <= 0;
			{awsize, arsize, awburst, arburst} <= {3'd2, 3'd2, 2'd1, 2'd1};
		end else begin
			bready <= 1;
			rready <= t != 1;
			if (awvalid && awready)
				awvalid <= 0;
			if (arvalid && arready)
				arvalid <= 0;
			if (wvalid && wready) begin
				at_w <= at_w + 1;
				wdata <= wdata + 1;
				wlast <= early ? at_w == 1 : at_w == 2;
				wvalid <= at_w != 3;
			end
			case (step)
			0: begin
				awvalid <= 1;
				awlen <= 3;
				awid <= n[1:0];
				awaddr <= {19'h1, n, 10'h0} + (crosses ? 32'hbf8 : 32'h0);
				wvalid <= 1;
				wlast <= 0;
				at_w <= 0;
				step <= 1;
			end
			1: if (bvalid && bready)
				step <= 2;
			2: if (!wvalid) begin
				arvalid <= 1;
				arlen <= 3;
				arid <= n[1:0];
				araddr <= awaddr;
				step <= 3;
			end
			3: if (rvalid && rready && rlast) begin
				n <= n + 1;
				step <= 0;
			end
			endcase
		end

	always @(posedge clk)
		if (!rst_n) begin
			{awready, wready, bvalid, arready, rvalid, rlast, at_r, t, reads} <= 0;
			{bid, rid, bresp, rresp, rdata} <= 0;
		end else begin
			t <= t + 1;
			awready <= awvalid && !awready;
			wready <= t[0];
			if (wvalid && wready && at_w == (hurries ? 1 : 3)) begin
				bvalid <= 1;
				bid <= awid;
			end else if (bvalid && bready)
				bvalid <= 0;
			arready <= arvalid && !arready;
			if (arvalid && arready) begin
				reads <= 1;
				at_r <= 0;
			end else if (reads && (!rvalid || rready)) begin
				rvalid <= !(rvalid && rlast);
				rid <= arid;
				rdata <= rdata + 1;
				rlast <= at_r == 3;
				at_r <= at_r + 1;
				reads <= !(rvalid && rlast);
			end else if (strays && step == 0)
				rvalid <= 1;
			else if (rvalid && rready)
				rvalid <= 0;
		end
endmodule
/* verilator lint_on UNUSEDSIGNAL */
`default_nettype wire
