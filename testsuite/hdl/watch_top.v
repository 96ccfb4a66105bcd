// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// watch_top: the signals of a bus of AXI4, which cocotbext-axi drives from both sides, and the tap of
// nfacc --emit=tap on them.
`default_nettype none
module watch_top;
	reg clk, rst;
	reg awvalid, awready, wvalid, wready, bvalid, bready, arvalid, arready, rvalid, rready;
	reg [31:0] awaddr, araddr;
	reg [3:0] awid, arid, bid, rid;
	reg [7:0] awlen, arlen, wstrb;
	reg [2:0] awsize, arsize, awprot, arprot;
	reg [1:0] awburst, arburst, bresp, rresp;
	reg awlock, arlock, wlast, rlast;
	reg [3:0] awcache, arcache;
	reg [63:0] wdata, rdata;
	wire s_valid;
	wire [4:0] s_present;
	wire [319:0] s_header;
	wire [63:0] s_time;
	nfacc_tap_axi4 tap (
		.aclk(clk), .aresetn(!rst),
		.awvalid(awvalid), .awready(awready), .awaddr(awaddr), .awid(awid), .awlen(awlen),
		.awsize(awsize), .awburst(awburst), .awlock(awlock),
		.wvalid(wvalid), .wready(wready), .wdata(wdata), .wstrb(wstrb), .wlast(wlast),
		.bvalid(bvalid), .bready(bready), .bid(bid), .bresp(bresp),
		.arvalid(arvalid), .arready(arready), .araddr(araddr), .arid(arid), .arlen(arlen),
		.arsize(arsize), .arburst(arburst), .arlock(arlock),
		.rvalid(rvalid), .rready(rready), .rdata(rdata), .rid(rid), .rresp(rresp),
		.rlast(rlast),
		.s_valid(s_valid), .s_present(s_present), .s_header(s_header), .s_time(s_time));
endmodule
`default_nettype wire
