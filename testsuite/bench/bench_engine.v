// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// bench_engine: the whole engine for the overlay in nfacc_overlay.vh, on four pins. Place and route
// needs a device with as many pins as the engine has ports, and no device is that large. So
// inputs come from one shift register, and outputs leave by another. Every path of the engine is
// then from a register to a register.
`default_nettype none
module bench_engine #(
	`include "nfacc_overlay.vh"
	,
	parameter OUT_DEPTH = 512
) (
	input wire clk,
	input wire scan_in,
	input wire capture,       // the outputs go into their register
	output wire scan_out
);
	localparam INPUTS = 1 + 1 + SLOTS + SLOTS * HEADER_BITS + 64 + 12 + 1 + DATA + DATA / 8 + 1 + 1 +
		12 + 1 + 1 + 1;
	localparam OUTPUTS = 3 + 2 + 1 + 1 + DATA + 2 + 1 + 64 + 1 + 1 + 2;
	reg [INPUTS-1:0] in;
	reg [OUTPUTS-1:0] out;
	reg captures;
	wire rst, s_valid, awvalid, wvalid, bready, arvalid, rready, tready;
	wire [SLOTS-1:0] s_present;
	wire [SLOTS*HEADER_BITS-1:0] s_header;
	wire [63:0] s_time, tdata;
	wire [11:0] awaddr, araddr;
	wire [DATA-1:0] wdata, rdata;
	wire [DATA/8-1:0] wstrb;
	wire awready, wready, bvalid, arready, rvalid, tvalid, tlast, idle, done;
	wire [1:0] bresp, rresp;
	assign {rst, s_valid, s_present, s_header, s_time, awaddr, awvalid, wdata, wstrb, wvalid, bready,
		araddr, arvalid, rready, tready} = in;
	assign scan_out = out[OUTPUTS-1];
	always @(posedge clk) begin
		in <= {in[INPUTS-2:0], scan_in};
		captures <= capture;
		out <= captures ? {awready, wready, bvalid, bresp, arready, rvalid, rdata, rresp, tvalid,
			tdata, tlast, idle, done, 1'b0} : {out[OUTPUTS-2:0], 1'b0};
	end
	nfacc_engine #(.OUT_DEPTH(OUT_DEPTH)) engine (
		.clk(clk), .rst(rst), .s_valid(s_valid), .s_present(s_present), .s_header(s_header),
		.s_time(s_time), .s_payload(1'b0), .s_axil_awaddr(awaddr), .s_axil_awvalid(awvalid),
		.s_axil_awready(awready), .s_axil_wdata(wdata), .s_axil_wstrb(wstrb),
		.s_axil_wvalid(wvalid), .s_axil_wready(wready), .s_axil_bresp(bresp),
		.s_axil_bvalid(bvalid), .s_axil_bready(bready), .s_axil_araddr(araddr),
		.s_axil_arvalid(arvalid), .s_axil_arready(arready), .s_axil_rdata(rdata),
		.s_axil_rresp(rresp), .s_axil_rvalid(rvalid), .s_axil_rready(rready),
		.m_axis_tdata(tdata), .m_axis_tvalid(tvalid), .m_axis_tready(tready),
		.m_axis_tlast(tlast), .idle(idle), .done(done));
endmodule
`default_nettype wire
