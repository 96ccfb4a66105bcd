// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// scope_nfacc: the engine behind the tap of protocol wishbone, with the probes that scope_verilog.py gives
// LiteScope.
`default_nettype none
module scope_nfacc #(
	parameter OUT_DEPTH = 512
) (
	input wire clk,
	input wire rst,
	input wire cyc, stb, we,
	input wire [31:0] adr,
	input wire [3:0] sel,
	input wire [31:0] dat_w,
	input wire [2:0] cti,
	input wire ack, err,
	input wire [11:0] awaddr, araddr,
	input wire awvalid, wvalid, bready, arvalid, rready,
	output wire awready, wready, bvalid, arready, rvalid,
	input wire [31:0] wdata,
	input wire [3:0] wstrb,
	output wire [1:0] bresp, rresp,
	output wire [31:0] rdata,
	output wire [63:0] tdata,
	output wire tvalid, tlast,
	input wire tready,
	output wire idle, done
);
	wire s_valid;
	wire [1:0] s_present;
	wire [127:0] s_header;
	wire [63:0] s_time;
	nfacc_tap_wishbone #(.SEL_BITS(4), .DAT_W_BITS(32)) tap (
		.clk(clk), .rst(rst), .cyc(cyc), .stb(stb), .we(we), .adr(adr), .sel(sel),
		.dat_w(dat_w), .cti(cti), .ack(ack), .err(err), .rty(1'b0), .stall(1'b0),
		.s_valid(s_valid), .s_present(s_present), .s_header(s_header), .s_time(s_time));
	nfacc_engine #(.XILINX(1), .OUT_DEPTH(OUT_DEPTH)) engine (
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
