// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// nfacc_example_axi: an engine that observes an AXI4-Lite bus. It drives no signal of the bus. The
// module before the engine, nfacc_tap_axi4_lite.v, is made of the description of the protocol, and so
// the engine sees the messages that nfarun reads of a waveform of the bus:
//
//	nfacc --emit=tap --protocol axi4-lite -o nfacc_tap_axi4_lite.v
//	nfacc --emit=verilog --overlay 4,1,1,0 --protocol axi4-lite -o nfacc_overlay.vh
//
// The registers and the records are connected as in nfacc_example.
`default_nettype none

module nfacc_example_axi #(
	/* verilator lint_off UNUSED */
	`include "nfacc_overlay.vh"
	/* verilator lint_on UNUSED */
	,
	parameter ADDR = 32,  // bits of the addresses of the bus, 1 ..
	parameter BUS = 32,   // bits of its data, 8 ..: messages have the low 32
	parameter XILINX = 0  // 0: portable models, 1: primitives of the device
) (
	input wire aclk,      // the clock of everything here
	input wire aresetn,   // the reset of the bus and of the engine, active low
	// The observed bus.
	input wire awvalid,
	input wire awready,
	input wire [ADDR-1:0] awaddr,
	input wire [2:0] awprot,
	input wire wvalid,
	input wire wready,
	input wire [BUS-1:0] wdata,
	input wire [BUS/8-1:0] wstrb,
	input wire bvalid,
	input wire bready,
	input wire [1:0] bresp,
	input wire arvalid,
	input wire arready,
	input wire [ADDR-1:0] araddr,
	input wire [2:0] arprot,
	input wire rvalid,
	input wire rready,
	input wire [BUS-1:0] rdata,
	input wire [1:0] rresp,
	// The registers of the engine, on an AXI4-Lite of their own.
	input wire [11:0] s_axil_awaddr,
	input wire s_axil_awvalid,
	output wire s_axil_awready,
	input wire [DATA-1:0] s_axil_wdata,
	input wire [DATA/8-1:0] s_axil_wstrb,
	input wire s_axil_wvalid,
	output wire s_axil_wready,
	output wire [1:0] s_axil_bresp,
	output wire s_axil_bvalid,
	input wire s_axil_bready,
	input wire [11:0] s_axil_araddr,
	input wire s_axil_arvalid,
	output wire s_axil_arready,
	output wire [DATA-1:0] s_axil_rdata,
	output wire [1:0] s_axil_rresp,
	output wire s_axil_rvalid,
	input wire s_axil_rready,
	// The records, on AXI4-Stream.
	output wire [63:0] m_axis_tdata,
	output wire m_axis_tvalid,
	input wire m_axis_tready,
	output wire m_axis_tlast,
	output wire idle,     // no batch came for IDLE_AFTER cycles
	output wire done      // the stream has ended, and every record has left
);
	generate
		if (SLOTS != 5 || HEADER_BITS != 64) begin : g_protocol
			nfacc_error_the_example_is_for_axi4_lite e ();
		end
		if (ADDR < 1 || BUS < 8) begin : g_bus
			nfacc_error_addr_is_1_and_bus_8_or_more e ();
		end
	endgenerate

	wire valid;
	wire [SLOTS-1:0] present;
	wire [SLOTS*HEADER_BITS-1:0] header;
	wire [63:0] cycle;

	nfacc_tap_axi4_lite #(
		.AWADDR_BITS(ADDR), .ARADDR_BITS(ADDR), .WDATA_BITS(BUS), .RDATA_BITS(BUS),
		.WSTRB_BITS(BUS / 8)
	) tap (
		.aclk(aclk), .aresetn(aresetn),
		.awvalid(awvalid), .awready(awready), .awaddr(awaddr), .awprot(awprot),
		.wvalid(wvalid), .wready(wready), .wdata(wdata), .wstrb(wstrb),
		.bvalid(bvalid), .bready(bready), .bresp(bresp),
		.arvalid(arvalid), .arready(arready), .araddr(araddr), .arprot(arprot),
		.rvalid(rvalid), .rready(rready), .rdata(rdata), .rresp(rresp),
		.s_valid(valid), .s_present(present), .s_header(header), .s_time(cycle));

	// The engine includes the overlay's parameters from the same file, nfacc_overlay.vh.
	nfacc_engine #(.XILINX(XILINX)) engine (
		.clk(aclk), .rst(~aresetn),
		.s_valid(valid), .s_present(present), .s_header(header), .s_time(cycle),
		.s_payload(1'b0),
		.s_axil_awaddr(s_axil_awaddr), .s_axil_awvalid(s_axil_awvalid),
		.s_axil_awready(s_axil_awready), .s_axil_wdata(s_axil_wdata),
		.s_axil_wstrb(s_axil_wstrb), .s_axil_wvalid(s_axil_wvalid),
		.s_axil_wready(s_axil_wready), .s_axil_bresp(s_axil_bresp),
		.s_axil_bvalid(s_axil_bvalid), .s_axil_bready(s_axil_bready),
		.s_axil_araddr(s_axil_araddr), .s_axil_arvalid(s_axil_arvalid),
		.s_axil_arready(s_axil_arready), .s_axil_rdata(s_axil_rdata),
		.s_axil_rresp(s_axil_rresp), .s_axil_rvalid(s_axil_rvalid),
		.s_axil_rready(s_axil_rready),
		.m_axis_tdata(m_axis_tdata), .m_axis_tvalid(m_axis_tvalid),
		.m_axis_tready(m_axis_tready), .m_axis_tlast(m_axis_tlast),
		.idle(idle), .done(done));
endmodule
`default_nettype wire
