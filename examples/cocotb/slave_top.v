// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// slave_top: the slave, and beside it the taps of protocol axi4-lite. Icarus Verilog has no bind, so a
// module around both connects them. Nothing here drives the bus but the test and the slave.
`default_nettype none
module slave_top #(
	parameter BROKEN = 0
) (
	input wire aclk,
	input wire aresetn,
	input wire awvalid,
	output wire awready,
	input wire [31:0] awaddr,
	input wire wvalid,
	output wire wready,
	input wire [31:0] wdata,
	output wire bvalid,
	input wire bready,
	output wire [1:0] bresp,
	input wire arvalid,
	output wire arready,
	input wire [31:0] araddr,
	output wire rvalid,
	input wire rready,
	output wire [31:0] rdata,
	output wire [1:0] rresp
);
	slave #(.BROKEN(BROKEN)) slave (
		.aclk(aclk), .aresetn(aresetn),
		.awvalid(awvalid), .awready(awready), .awaddr(awaddr),
		.wvalid(wvalid), .wready(wready), .wdata(wdata),
		.bvalid(bvalid), .bready(bready), .bresp(bresp),
		.arvalid(arvalid), .arready(arready), .araddr(araddr),
		.rvalid(rvalid), .rready(rready), .rdata(rdata), .rresp(rresp));

	wire s_valid;
	wire [4:0] s_present;
	wire [319:0] s_header;
	wire [63:0] s_time;
	nfacc_tap_axi4_lite tap (
		.aclk(aclk), .aresetn(aresetn),
		.awvalid(awvalid), .awready(awready), .awaddr(awaddr), .awprot(3'd0),
		.wvalid(wvalid), .wready(wready), .wdata(wdata), .wstrb(4'd15),
		.bvalid(bvalid), .bready(bready), .bresp(bresp),
		.arvalid(arvalid), .arready(arready), .araddr(araddr), .arprot(3'd0),
		.rvalid(rvalid), .rready(rready), .rdata(rdata), .rresp(rresp),
		.s_valid(s_valid), .s_present(s_present), .s_header(s_header), .s_time(s_time));
endmodule
`default_nettype wire
