// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// nfacc_ring_engine: the engine with a ring in memory for its records (doc/develop/rtl.md, "Trace into
// memory"): nfacc_engine, nfacc_ring, and the registers of both in the same 4 KB. It is the top level
// in place of nfacc_engine, and has the same ports, and an AXI4 master that only writes.
`default_nettype none
`include "nfacc_contract.vh"

module nfacc_ring_engine #(
	/* verilator lint_off UNUSED */
	`include "nfacc_overlay.vh"
	/* verilator lint_on UNUSED */
	,
	parameter XILINX = 0,       // as those of nfacc_engine
	parameter OUT_DEPTH = 512,
	parameter QUEUE = 128,
	parameter RING_DEPTH = 64,  // beats that can wait for the memory: a power of two, RING_BURST ..
	parameter RING_BURST = 16,  // the most beats of a burst: a power of two, 2 .. 64
	parameter RING_OUTSTANDING = 8, // the most bursts without an answer: a power of two, 2 ..
	parameter RING_FLUSH = 256  // cycles after which what has come is written: 4 .. 65536
) (
	input wire clk,
	input wire rst,
	input wire s_valid,
	input wire [SLOTS-1:0] s_present,
	input wire [SLOTS*HEADER_BITS-1:0] s_header,
	input wire [63:0] s_time,
	input wire [(PAYLOAD > 0 ? SLOTS*PAYLOAD : 1)-1:0] s_payload,
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
	output wire [63:0] m_axis_tdata,
	output wire m_axis_tvalid,
	input wire m_axis_tready,
	output wire m_axis_tlast,
	// The master. All its bursts have the same ID, so it has none.
	output wire m_axi_awvalid,
	input wire m_axi_awready,
	output wire [63:0] m_axi_awaddr,
	output wire [7:0] m_axi_awlen,
	output wire [2:0] m_axi_awsize,
	output wire [1:0] m_axi_awburst,
	output wire m_axi_awlock,
	output wire [3:0] m_axi_awcache,
	output wire [2:0] m_axi_awprot,
	output wire m_axi_wvalid,
	input wire m_axi_wready,
	output wire [511:0] m_axi_wdata,
	output wire [63:0] m_axi_wstrb,
	output wire m_axi_wlast,
	input wire m_axi_bvalid,
	output wire m_axi_bready,
	input wire [1:0] m_axi_bresp,
	output wire idle,
	output wire done
);
	wire [1:0] wvalid, awready, wready, bvalid, bready, arvalid, arready, rvalid, rready;
	wire [3:0] bresp, rresp;
	wire [2*DATA-1:0] rdata;
	wire start, on, only, full, error, busy;
	wire wrap, waits;
	wire [1:0] response;
	wire [23:0] run;
	wire [31:0] last_beat;
	wire [63:0] base, read, written, records, lost, data;
	wire valid, ready, last;

	assign m_axi_awsize = 3'd6;       // 64 bytes
	assign m_axi_awburst = 2'b01;     // INCR
	assign m_axi_awlock = 1'b0;
	assign m_axi_awcache = 4'b0011;   // normal, not cacheable, bufferable
	assign m_axi_awprot = 3'b000;
	assign m_axi_wstrb = {64{1'b1}};

	nfacc_axil_split #(.DATA(DATA)) split (
		.clk(clk), .rst(rst), .s_awhigh(s_axil_awaddr[11]), .s_awvalid(s_axil_awvalid),
		.s_awready(s_axil_awready), .s_wvalid(s_axil_wvalid), .s_wready(s_axil_wready),
		.s_bresp(s_axil_bresp), .s_bvalid(s_axil_bvalid), .s_bready(s_axil_bready),
		.s_arhigh(s_axil_araddr[11]), .s_arvalid(s_axil_arvalid),
		.s_arready(s_axil_arready), .s_rdata(s_axil_rdata), .s_rresp(s_axil_rresp),
		.s_rvalid(s_axil_rvalid), .s_rready(s_axil_rready), .m_wvalid(wvalid),
		.m_awready(awready), .m_wready(wready), .m_bresp(bresp), .m_bvalid(bvalid),
		.m_bready(bready), .m_arvalid(arvalid), .m_arready(arready), .m_rdata(rdata),
		.m_rresp(rresp), .m_rvalid(rvalid), .m_rready(rready));

	nfacc_engine #(
		.XILINX(XILINX), .OUT_DEPTH(OUT_DEPTH), .QUEUE(QUEUE)
	) engine (
		.clk(clk), .rst(rst), .s_valid(s_valid), .s_present(s_present),
		.s_header(s_header), .s_time(s_time), .s_payload(s_payload),
		.s_axil_awaddr(s_axil_awaddr), .s_axil_awvalid(wvalid[0]),
		.s_axil_awready(awready[0]), .s_axil_wdata(s_axil_wdata),
		.s_axil_wstrb(s_axil_wstrb), .s_axil_wvalid(wvalid[0]),
		.s_axil_wready(wready[0]), .s_axil_bresp(bresp[1:0]),
		.s_axil_bvalid(bvalid[0]), .s_axil_bready(bready[0]),
		.s_axil_araddr(s_axil_araddr), .s_axil_arvalid(arvalid[0]),
		.s_axil_arready(arready[0]), .s_axil_rdata(rdata[DATA-1:0]),
		.s_axil_rresp(rresp[1:0]), .s_axil_rvalid(rvalid[0]), .s_axil_rready(rready[0]),
		.m_axis_tdata(data), .m_axis_tvalid(valid), .m_axis_tready(ready),
		.m_axis_tlast(last), .idle(idle), .done(done));

	nfacc_ring_regs #(.DATA(DATA)) regs (
		.clk(clk), .rst(rst),
		.s_axil_awaddr(s_axil_awaddr), .s_axil_awvalid(wvalid[1]),
		.s_axil_awready(awready[1]), .s_axil_wdata(s_axil_wdata),
		.s_axil_wstrb(s_axil_wstrb), .s_axil_wvalid(wvalid[1]),
		.s_axil_wready(wready[1]), .s_axil_bresp(bresp[3:2]),
		.s_axil_bvalid(bvalid[1]), .s_axil_bready(bready[1]),
		.s_axil_araddr(s_axil_araddr), .s_axil_arvalid(arvalid[1]),
		.s_axil_arready(arready[1]), .s_axil_rdata(rdata[2*DATA-1:DATA]),
		.s_axil_rresp(rresp[3:2]), .s_axil_rvalid(rvalid[1]), .s_axil_rready(rready[1]),
		.start(start), .on(on), .only(only), .wrap(wrap), .waits(waits), .run(run),
		.base(base), .last_beat(last_beat), .read(read), .full(full), .error(error),
		.response(response), .busy(busy), .written(written), .records(records),
		.lost(lost));

	nfacc_ring #(
		.MOST_WORDS(3 + (NAMES > 0 ? 1 + 2 * NAMES : 0) + SLOTS * (1 + PAYLOAD / 64)),
		.DEPTH(RING_DEPTH), .BURST(RING_BURST),
		.OUTSTANDING(RING_OUTSTANDING), .FLUSH(RING_FLUSH)
	) ring (
		.clk(clk), .rst(rst), .start(start), .on(on), .only(only), .wrap(wrap),
		.waits(waits), .run(run), .base(base), .last_beat(last_beat), .read(read),
		.s_axis_tdata(data), .s_axis_tvalid(valid), .s_axis_tready(ready),
		.s_axis_tlast(last), .m_axis_tdata(m_axis_tdata), .m_axis_tvalid(m_axis_tvalid),
		.m_axis_tready(m_axis_tready), .m_axis_tlast(m_axis_tlast),
		.m_axi_awvalid(m_axi_awvalid), .m_axi_awready(m_axi_awready),
		.m_axi_awaddr(m_axi_awaddr), .m_axi_awlen(m_axi_awlen),
		.m_axi_wvalid(m_axi_wvalid), .m_axi_wready(m_axi_wready),
		.m_axi_wdata(m_axi_wdata), .m_axi_wlast(m_axi_wlast),
		.m_axi_bvalid(m_axi_bvalid), .m_axi_bready(m_axi_bready),
		.m_axi_bresp(m_axi_bresp), .full(full), .error(error), .response(response),
		.busy(busy), .written(written), .records(records), .lost(lost));
endmodule
`default_nettype wire
