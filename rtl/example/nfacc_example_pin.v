// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// nfacc_example_pin: an engine that observes a pin besides four FIFOs. The pin may belong to another
// clock. It has a slot of its own, in which nfacc_trigger makes its messages. The module is made for
// examples/trigger/trigger.proto, the protocol of examples/trigger/trigger.re, here with time:
//
//	echo 'overlay pin; protocol trigger; clique 2; length 2; rings 1; reach 0; time yes;' >pin.ov
//	nfacc -I examples --emit=verilog --overlay pin.ov -o nfacc_overlay.vh
//
// Slots 0 and 1 are the group core, slots 2 and 3 the group mem, and slot 4 is the pin. The registers
// and the records are connected as in nfacc_example.
`default_nettype none

module nfacc_example_pin #(
	/* verilator lint_off UNUSED */
	`include "nfacc_overlay.vh"
	/* verilator lint_on UNUSED */
	,
	// 1: a message RISE when the pin rises, FALL when it falls. 0: a message in every cycle, RISE
	// while the pin is high, FALL while it is low.
	parameter EDGE = 1,
	parameter XILINX = 0  // 0: portable models, 1: primitives of the device
) (
	input wire clk,       // the clock of everything here but the pin
	input wire rst,       // synchronous reset, 1 for at least one cycle
	// The handshakes and headers of the FIFOs of core 0, core 1, mem 0 and mem 1.
	input wire [3:0] fifo_valid,
	input wire [3:0] fifo_ready,
	input wire [4*HEADER_BITS-1:0] fifo_header,
	input wire pin,       // may change at any time
	// The registers, on AXI4-Lite.
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
	localparam STAGES = 3; // registers of nfacc_trigger, and so between the FIFOs and the engine
	localparam [HEADER_BITS-1:0] RISE = 8, FALL = 9; // opcodes of the pin's messages
	localparam FIFOS = 4 * (1 + HEADER_BITS);

	generate
		if (SLOTS != 5 || HEADER_BITS != 32) begin : g_protocol
			nfacc_error_the_example_is_for_trigger_proto e ();
		end
	endgenerate

	wire rises, falls;
	nfacc_trigger #(.EDGE(EDGE), .ACTIVE(1)) rise (
		.clk(clk), .rst(rst), .signal(pin), .message(rises));
	nfacc_trigger #(.EDGE(EDGE), .ACTIVE(0)) fall (
		.clk(clk), .rst(rst), .signal(pin), .message(falls));

	// Messages of the FIFOs wait as long as the pin takes through nfacc_trigger. So what happens
	// in the same cycle is one batch.
	reg [STAGES*FIFOS-1:0] stage; // the first register is the lowest
	integer k;
	always @(posedge clk) begin
		stage <= stage << FIFOS;
		stage[FIFOS-1:0] <= {fifo_valid & fifo_ready, fifo_header};
		if (rst)
			for (k = 0; k < STAGES; k = k + 1)
				stage[k*FIFOS + 4*HEADER_BITS +: 4] <= 4'd0;
	end

	wire [SLOTS-1:0] present;
	wire [SLOTS*HEADER_BITS-1:0] header;
	assign present[4] = rises | falls;
	assign header[4*HEADER_BITS +: HEADER_BITS] = (rises ? RISE : FALL) << OP_LSB;
	assign {present[3:0], header[0 +: 4*HEADER_BITS]} = stage[STAGES*FIFOS-1 -: FIFOS];

	wire [63:0] cycles;
	nfacc_time #(.WIDTH(64)) now (
		.clk(clk), .rst(rst), .load(1'b0), .value(64'd0), .cycles(cycles));

	// The engine includes the overlay's parameters from the same file, nfacc_overlay.vh.
	nfacc_engine #(.XILINX(XILINX)) engine (
		.clk(clk), .rst(rst),
		.s_valid(|present), .s_present(present), .s_header(header), .s_time(cycles),
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
