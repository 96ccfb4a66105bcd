// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// nfacc_example: an engine that observes four FIFOs of a design. It is a model for your own top
// level. It drives no signal of the FIFOs. It sees a message in the cycle in which valid and ready
// of a FIFO are both 1. It is made for the protocol eci-coherence:
//
//	nfacc --emit=verilog --overlay 2,2,1,0,1 --protocol eci-coherence -o nfacc_overlay.vh
//
// Each slot is a channel of a group, group by group (nfacc-protocol(5)). Here channels 2 to 11 of
// the group cpu are slots 0 to 9, and those of the group fpga are slots 10 to 19. The four FIFOs
// carry the channels of the first example in README.md.
`default_nettype none

module nfacc_example #(
	/* verilator lint_off UNUSED */
	`include "nfacc_overlay.vh"
	/* verilator lint_on UNUSED */
	,
	parameter STAGES = 2, // registers between the FIFOs and the engine, 1 .. 8
	parameter XILINX = 0  // 0: portable models, 1: primitives of the device
) (
	input wire clk,       // the clock of everything here, the FIFOs included
	input wire rst,       // synchronous reset, 1 for at least one cycle
	// The handshakes and headers of the observed FIFOs.
	input wire cpu_req6_valid,                      // requests of the CPU, channel 6
	input wire cpu_req6_ready,
	input wire [HEADER_BITS-1:0] cpu_req6_header,
	input wire cpu_req7_valid,                      // requests of the CPU, channel 7
	input wire cpu_req7_ready,
	input wire [HEADER_BITS-1:0] cpu_req7_header,
	input wire fpga_rsp4_valid,                     // responses of the FPGA, channel 4
	input wire fpga_rsp4_ready,
	input wire [HEADER_BITS-1:0] fpga_rsp4_header,
	input wire fpga_rsp5_valid,                     // responses of the FPGA, channel 5
	input wire fpga_rsp5_ready,
	input wire [HEADER_BITS-1:0] fpga_rsp5_header,
	// The time that records carry.
	input wire time_load,                           // set the time
	input wire [63:0] time_value,                   // the time to set
	// The registers (doc/develop/contract.md), on AXI4-Lite. Connect them to a processor
	// (doc/use/firmware.md).
	input wire [11:0] s_axil_awaddr,                // byte offset of a register
	input wire s_axil_awvalid,
	output wire s_axil_awready,
	input wire [DATA-1:0] s_axil_wdata,
	input wire [DATA/8-1:0] s_axil_wstrb,
	input wire s_axil_wvalid,
	output wire s_axil_wready,
	output wire [1:0] s_axil_bresp,                 // OKAY, or SLVERR if no register is there
	output wire s_axil_bvalid,
	input wire s_axil_bready,
	input wire [11:0] s_axil_araddr,                // byte offset of a register
	input wire s_axil_arvalid,
	output wire s_axil_arready,
	output wire [DATA-1:0] s_axil_rdata,
	output wire [1:0] s_axil_rresp,                 // OKAY, or SLVERR if no register is there
	output wire s_axil_rvalid,
	input wire s_axil_rready,
	// The records, on AXI4-Stream. Connect them to a DMA engine or a FIFO. nfacc-trace(5)
	// describes the words of a record.
	output wire [63:0] m_axis_tdata,
	output wire m_axis_tvalid,
	input wire m_axis_tready,                       // if it is 0 for long, records are lost
	output wire m_axis_tlast,                       // the last word of a record
	// No batch came for IDLE_AFTER cycles. Your design can use this as a trigger.
	output wire idle,
	// The stream has ended, and every record has left.
	output wire done
);
	localparam CPU = 0, FPGA = 10; // the first slot of each group
	localparam FIRST_CHANNEL = 2;  // the channel of a group's first slot
	localparam CPU_REQ6 = CPU + 6 - FIRST_CHANNEL;
	localparam CPU_REQ7 = CPU + 7 - FIRST_CHANNEL;
	localparam FPGA_RSP4 = FPGA + 4 - FIRST_CHANNEL;
	localparam FPGA_RSP5 = FPGA + 5 - FIRST_CHANNEL;
	localparam HEADERS = SLOTS * HEADER_BITS;
	localparam WIDTH = SLOTS + HEADERS;

	generate
		if (SLOTS != 20 || HEADER_BITS != 64) begin : g_protocol
			nfacc_error_the_example_is_for_eci_coherence e ();
		end
		if (STAGES < 1 || STAGES > 8) begin : g_stages
			nfacc_error_stages_is_1_to_8 e ();
		end
	endgenerate

	// A slot for which there is no FIFO never has a message. Synthesis removes its logic.
	wire [SLOTS-1:0] present;
	wire [HEADERS-1:0] header;

	genvar i;
	generate
		for (i = 0; i < SLOTS; i = i + 1) begin : g_slot
			if (i == CPU_REQ6) begin : g_cpu_req6
				assign present[i] = cpu_req6_valid & cpu_req6_ready;
				assign header[i*HEADER_BITS +: HEADER_BITS] = cpu_req6_header;
			end else if (i == CPU_REQ7) begin : g_cpu_req7
				assign present[i] = cpu_req7_valid & cpu_req7_ready;
				assign header[i*HEADER_BITS +: HEADER_BITS] = cpu_req7_header;
			end else if (i == FPGA_RSP4) begin : g_fpga_rsp4
				assign present[i] = fpga_rsp4_valid & fpga_rsp4_ready;
				assign header[i*HEADER_BITS +: HEADER_BITS] = fpga_rsp4_header;
			end else if (i == FPGA_RSP5) begin : g_fpga_rsp5
				assign present[i] = fpga_rsp5_valid & fpga_rsp5_ready;
				assign header[i*HEADER_BITS +: HEADER_BITS] = fpga_rsp5_header;
			end else begin : g_nothing
				assign present[i] = 1'b0;
				assign header[i*HEADER_BITS +: HEADER_BITS] = {HEADER_BITS{1'b0}};
			end
		end
	endgenerate

	// These registers are on the way from the FIFOs, which may be far away. All slots pass
	// through the same number of registers, so that messages of one cycle stay one batch.
	reg [STAGES*WIDTH-1:0] stage; // the first register is the lowest
	integer k;
	always @(posedge clk) begin
		stage <= stage << WIDTH;
		stage[WIDTH-1:0] <= {present, header};
		if (rst)
			for (k = 0; k < STAGES; k = k + 1)
				stage[k*WIDTH + HEADERS +: SLOTS] <= {SLOTS{1'b0}};
	end

	wire [SLOTS-1:0] tap_present;
	wire [HEADERS-1:0] tap_header;
	assign {tap_present, tap_header} = stage[STAGES*WIDTH-1 -: WIDTH];

	// The time of a message is when it arrives at the engine. That is STAGES cycles after it
	// was at its FIFO.
	wire [63:0] cycles;

	nfacc_time #(.WIDTH(64)) now (
		.clk(clk), .rst(rst), .load(time_load), .value(time_value), .cycles(cycles));

	// The engine includes the overlay's parameters from the same file, nfacc_overlay.vh.
	nfacc_engine #(.XILINX(XILINX)) engine (
		.clk(clk), .rst(rst),
		.s_valid(|tap_present), .s_present(tap_present), .s_header(tap_header),
		.s_time(cycles), .s_payload(1'b0),
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
