// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// nfacc_example_virtual: an engine behind the front end that gives snoops their virtual addresses
// (probes/virtual/virtual.md). Each snoop with an address is a message, so filters speak of a
// program's functions and objects. The protocol is that of the program:
//
//	nfavirt --protocol PROGRAM --name program -o program.proto
//	nfacc -I . --emit=verilog --overlay 4,2,1,0,1 --protocol program -o nfacc_overlay.vh
//
// All programs with as many slots need the same hardware: two, if there are at most 254 functions
// and 254 objects. What `nfavirt --elf PROGRAM --emit=ranges` writes is to be written to the
// registers before CTRL.
`default_nettype none
`include "virt_contract.vh"

module nfacc_example_virtual #(
	/* verilator lint_off UNUSED */
	`include "nfacc_overlay.vh"
	/* verilator lint_on UNUSED */
	,
	parameter NAMED_RANGES = `VIRT_RANGES, // ranges of lines with names, as RANGES of virt_messages
	parameter XILINX = 0            // 0: portable models, 1: primitives of the device
) (
	input wire clk,       // the clock of everything here
	input wire rst,       // synchronous reset, 1 for at least one cycle
	// The registers of the front end and of virt_messages, and the events of the interconnect,
	// as in virt_front.
	input wire reg_write,
	input wire [11:0] reg_addr,
	input wire [63:0] reg_data,
	output wire reg_done,
	input wire [11:0] read_addr,
	output wire [63:0] read_data,
	input wire snoop,
	input wire [`VIRT_SNOOP_BITS-1:0] snoop_kind,
	input wire [`VIRT_PA_BITS-1:`VIRT_LINE_BITS] snoop_pa,
	input wire [`VIRT_LINE_BITS-1:0] snoop_word, // the byte that the reader wants first
	input wire [63:0] snoop_time, // of records and batches; it rises from snoop to snoop
	input wire [511:0] snoop_line,
	output wire snoop_done,
	input wire dvm,
	input wire [`VIRT_DVM_BITS-1:0] dvm_kind,
	input wire [`VIRT_VA_BITS-1:`VIRT_PAGE_BITS] dvm_va,
	input wire [`VIRT_ASID_BITS-1:0] dvm_asid,
	output wire dvm_done,
	output wire clean_waits,
	input wire clean_ready,
	output wire clean_valid,
	output wire [`VIRT_PA_BITS-1:`VIRT_LINE_BITS] clean_pa,
	input wire cleaned,
	input wire [511:0] cleaned_line,
	output wire cleaned_done,
	output wire send_waits,
	input wire send_ready,
	output wire send_valid,
	output wire [`VIRT_DVM_BITS-1:0] send_kind,
	output wire [`VIRT_VA_BITS-1:`VIRT_LINE_BITS] send_va,
	output wire [`VIRT_ASID_BITS-1:0] send_asid,
	input wire sent,
	output wire sent_done,
	// The Logger's records.
	output wire log_valid,
	input wire log_ready,
	output wire [127:0] log_record,
	// The registers of the engine (doc/develop/contract.md), on AXI4-Lite.
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
	// The engine's records, on AXI4-Stream.
	output wire [63:0] m_axis_tdata,
	output wire m_axis_tvalid,
	input wire m_axis_tready,
	output wire m_axis_tlast,
	output wire idle,
	output wire done
);
	// The header that virt_messages makes must be that of the protocol.
	generate
		if (HEADER_BITS != 64 || OP_LSB != `VIRT_HEADER_OPCODE_LSB ||
				OP_BITS != `VIRT_HEADER_OPCODE_WIDTH ||
				ADDR_LSB != `VIRT_HEADER_LINE_LSB ||
				ADDR_BITS != `VIRT_HEADER_LINE_WIDTH) begin : g_protocol
			nfacc_error_the_protocol_is_none_of_nfavirt e ();
		end
	endgenerate

	// A snoop waits while the message before it is made. The front end begins with a snoop only
	// when virt_messages can take it, and virt_messages becomes busy only when a snoop ends. So
	// what holds a snoop back never comes in the middle of one.
	wire hit, observed, ready;
	wire unused_shared;
	wire [`VIRT_VA_BITS-1:`VIRT_LINE_BITS] va;
	wire [63:0] front_data, messages_data;
	assign read_data = front_data | messages_data; // at an address only one has a register

	virt_front front (
		.clk(clk), .rst(rst),
		.reg_write(reg_write), .reg_addr(reg_addr), .reg_data(reg_data),
		.reg_done(reg_done), .read_addr(read_addr), .read_data(front_data),
		.snoop(snoop & ready), .snoop_kind(snoop_kind), .snoop_pa(snoop_pa),
		.snoop_time(snoop_time[29:0]), .snoop_line(snoop_line), .snoop_done(snoop_done),
		.out_hit(hit), .out_shared(unused_shared), .out_observed(observed), .out_va(va),
		.dvm(dvm), .dvm_kind(dvm_kind), .dvm_va(dvm_va), .dvm_asid(dvm_asid),
		.dvm_done(dvm_done), .clean_waits(clean_waits), .clean_ready(clean_ready),
		.clean_valid(clean_valid), .clean_pa(clean_pa), .cleaned(cleaned),
		.cleaned_line(cleaned_line), .cleaned_done(cleaned_done), .send_waits(send_waits),
		.send_ready(send_ready), .send_valid(send_valid), .send_kind(send_kind),
		.send_va(send_va), .send_asid(send_asid), .sent(sent), .sent_done(sent_done),
		.log_valid(log_valid), .log_ready(log_ready), .log_record(log_record));

	wire message;
	wire [SLOTS-1:0] present;
	wire [HEADER_BITS-1:0] header;
	wire [63:0] message_time;

	virt_messages #(.RANGES(NAMED_RANGES), .SLOTS(SLOTS)) messages (
		.clk(clk), .rst(rst),
		.write(reg_done), .write_addr(reg_addr), .write_data(reg_data),
		.read_addr(read_addr), .read_data(messages_data),
		.in_valid(snoop_done & hit), .in_ready(ready), .in_kind(snoop_kind), .in_va(va),
		.in_word(snoop_word),
		.in_observed(observed), .in_time(snoop_time),
		.out_valid(message), .out_present(present), .out_header(header),
		.out_time(message_time));

	// The engine includes the overlay's parameters from the same file, nfacc_overlay.vh.
	nfacc_engine #(.XILINX(XILINX)) engine (
		.clk(clk), .rst(rst),
		.s_valid(message), .s_present(present), .s_header({SLOTS{header}}),
		.s_time(message_time), .s_payload(1'b0), .s_axil_awaddr(s_axil_awaddr),
		.s_axil_awvalid(s_axil_awvalid),
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
