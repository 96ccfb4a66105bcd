// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// A first look at an engine in a simulator, for any overlay: after a reset the registers say what
// it is, it holds no image, and it refuses to be armed. Prints PASS.
`default_nettype none
`include "nfacc_contract.vh"

module nfacc_smoke_tb #(
	`include "nfacc_overlay.vh"
	,
	parameter CYCLES = 2000 // the most cycles that all of it takes
);

	reg clk = 0;
	reg rst = 1;
	reg arvalid = 0;
	reg awvalid = 0;
	reg wvalid = 0;
	reg [11:0] address = 0;
	reg [DATA-1:0] wdata = 0;
	wire awready;
	wire wready;
	wire bvalid;
	wire arready;
	wire rvalid;
	wire [DATA-1:0] rdata;
	wire [31:0] half = rdata >> (DATA == 64 && address[2] ? 32 : 0);

	always #5 clk = !clk;

	nfacc_engine engine (
		.clk(clk), .rst(rst),
		.s_valid(1'b0), .s_present({SLOTS{1'b0}}), .s_header({SLOTS * HEADER_BITS{1'b0}}),
		.s_time(64'd0), .s_payload(1'b0),
		.s_axil_awaddr(address), .s_axil_awvalid(awvalid), .s_axil_awready(awready),
		.s_axil_wdata(wdata), .s_axil_wstrb({{DATA / 8 - 4{1'b0}}, 4'hf}), .s_axil_wvalid(wvalid),
		.s_axil_wready(wready), .s_axil_bresp(), .s_axil_bvalid(bvalid), .s_axil_bready(1'b1),
		.s_axil_araddr(address), .s_axil_arvalid(arvalid), .s_axil_arready(arready),
		.s_axil_rdata(rdata), .s_axil_rresp(), .s_axil_rvalid(rvalid), .s_axil_rready(1'b1),
		.m_axis_tdata(), .m_axis_tvalid(), .m_axis_tready(1'b1), .m_axis_tlast(), .idle(), .done()
	);

	// Reads a register, and compares those of its bits that `mask` has.
	task expect_read(input [11:0] at, input [31:0] mask, input [31:0] wanted);
		begin
			address <= at;
			arvalid <= 1;
			@(posedge clk);
			while (!arready)
				@(posedge clk);
			arvalid <= 0;
			while (!rvalid)
				@(posedge clk);
			if ((half & mask) !== wanted) begin
				$display("register 0x%h reads 0x%h, not 0x%h", at, half & mask, wanted);
				$fatal;
			end
		end
	endtask

	// Writes a register at an even multiple of four bytes.
	task write(input [11:0] at, input [31:0] value);
		begin
			address <= at;
			wdata <= value;
			awvalid <= 1;
			wvalid <= 1;
			@(posedge clk);
			while (awvalid || wvalid) begin
				if (awready)
					awvalid <= 0;
				if (wready)
					wvalid <= 0;
				@(posedge clk);
			end
			while (!bvalid)
				@(posedge clk);
		end
	endtask

	initial begin
		repeat (4) @(posedge clk);
		rst <= 0;
		@(posedge clk);
		expect_read(`NFACC_REG_ID, 32'hffffffff, `NFACC_ID);
		expect_read(`NFACC_REG_VERSION, 32'hffffffff, `NFACC_CONTRACT_VERSION);
		expect_read(`NFACC_REG_FINGERPRINT_LO, 32'hffffffff, FINGERPRINT[31:0]);
		expect_read(`NFACC_REG_FINGERPRINT_HI, 32'hffffffff, FINGERPRINT[63:32]);
		expect_read(`NFACC_REG_STATUS, 32'hffffffff, 0);
		write(`NFACC_REG_CONTROL, 32'd1 << `NFACC_CONTROL_ARM_LSB);
		expect_read(`NFACC_REG_STATUS, 32'hffffffff, 32'd1 << `NFACC_STATUS_REFUSED_LSB);
		$display("PASS");
		$finish;
	end

	initial begin
		repeat (CYCLES) @(posedge clk);
		$display("no answer within %0d cycles", CYCLES);
		$fatal;
	end
endmodule

`default_nettype wire
