// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// nfacc_axil_split: gives the lower half of the 4 KB of registers to one module, the upper half to
// another one (nfacc_axil each). An access goes to a module only when the other one has answered all
// that it was given, so answers come in order. Address and data of a write are taken together.
`default_nettype none

module nfacc_axil_split #(
	parameter DATA = 32 // 32 or 64: bits of a word on the bus
) (
	input wire clk,
	input wire rst,
	input wire s_awhigh,          // bit 11 of the address
	input wire s_awvalid,
	output wire s_awready,
	input wire s_wvalid,
	output wire s_wready,
	output wire [1:0] s_bresp,
	output wire s_bvalid,
	input wire s_bready,
	input wire s_arhigh,
	input wire s_arvalid,
	output wire s_arready,
	output wire [DATA-1:0] s_rdata,
	output wire [1:0] s_rresp,
	output wire s_rvalid,
	input wire s_rready,
	// The two modules: bit 0, and the lower half of a vector, are those of the lower addresses.
	// Addresses, data and strobes go to both as they are.
	output wire [1:0] m_wvalid,   // an address and data
	input wire [1:0] m_awready,
	input wire [1:0] m_wready,
	input wire [3:0] m_bresp,
	input wire [1:0] m_bvalid,
	output wire [1:0] m_bready,
	output wire [1:0] m_arvalid,
	input wire [1:0] m_arready,
	input wire [2*DATA-1:0] m_rdata,
	input wire [3:0] m_rresp,
	input wire [1:0] m_rvalid,
	output wire [1:0] m_rready
);
	// Accesses without an answer, and the module that has them.
	reg [2:0] writes, reads;
	reg writes_high, reads_high;

	wire write_may = (writes == 3'd0) | ((writes_high == s_awhigh) & ~&writes);
	wire write_go = s_awvalid & s_wvalid & write_may &
		(s_awhigh ? m_awready[1] & m_wready[1] : m_awready[0] & m_wready[0]);
	wire read_may = (reads == 3'd0) | ((reads_high == s_arhigh) & ~&reads);
	wire read_go = s_arvalid & read_may & (s_arhigh ? m_arready[1] : m_arready[0]);

	assign s_awready = write_go;
	assign s_wready = write_go;
	assign s_arready = read_go;
	assign m_wvalid = {write_go & s_awhigh, write_go & ~s_awhigh};
	assign m_arvalid = {read_go & s_arhigh, read_go & ~s_arhigh};

	assign s_bvalid = writes_high ? m_bvalid[1] : m_bvalid[0];
	assign s_bresp = writes_high ? m_bresp[3:2] : m_bresp[1:0];
	assign m_bready = {s_bready & writes_high, s_bready & ~writes_high};
	assign s_rvalid = reads_high ? m_rvalid[1] : m_rvalid[0];
	assign s_rresp = reads_high ? m_rresp[3:2] : m_rresp[1:0];
	assign s_rdata = reads_high ? m_rdata[DATA +: DATA] : m_rdata[0 +: DATA];
	assign m_rready = {s_rready & reads_high, s_rready & ~reads_high};

	always @(posedge clk) begin
		writes <= writes + {2'd0, write_go} - {2'd0, s_bvalid & s_bready};
		reads <= reads + {2'd0, read_go} - {2'd0, s_rvalid & s_rready};
		if (write_go)
			writes_high <= s_awhigh;
		if (read_go)
			reads_high <= s_arhigh;
		if (rst) begin
			writes <= 3'd0;
			reads <= 3'd0;
			writes_high <= 1'b0;
			reads_high <= 1'b0;
		end
	end

`ifdef FORMAL
	// Each module has as many accesses as it has not answered, and the other one has none. The
	// modules answer only what they were given, and keep an answer until it is taken.
	reg f_past = 1'b0;
	reg [2:0] f_writes [0:1], f_reads [0:1];
	integer k;
	always @(posedge clk) begin
		f_past <= 1'b1;
		if (!f_past) assume (rst);
		for (k = 0; k < 2; k = k + 1) begin
			f_writes[k] <= rst ? 0 : f_writes[k] + m_wvalid[k] -
				(m_bvalid[k] && m_bready[k]);
			f_reads[k] <= rst ? 0 : f_reads[k] + m_arvalid[k] -
				(m_rvalid[k] && m_rready[k]);
			if (f_past) begin
				assume (!m_bvalid[k] || f_writes[k] != 0);
				assume (!m_rvalid[k] || f_reads[k] != 0);
				assert (f_writes[k] == (writes_high == k ? writes : 0));
				assert (f_reads[k] == (reads_high == k ? reads : 0));
				if (m_wvalid[k]) assert (m_awready[k] && m_wready[k]);
				if (m_wvalid[k]) assert (s_awvalid && s_wvalid && s_awhigh == k);
				if (m_arvalid[k]) assert (s_arvalid && s_arhigh == k && s_arready);
				// Every answer reaches the master.
				if (m_bvalid[k]) assert (s_bvalid && s_bresp == m_bresp[2*k +: 2]);
				if (m_rvalid[k]) assert (s_rvalid && s_rresp == m_rresp[2*k +: 2] &&
					s_rdata == m_rdata[DATA*k +: DATA]);
			end
		end
		if (f_past) assert (s_awready == |m_wvalid && s_wready == |m_wvalid);
	end
`endif
endmodule
`default_nettype wire
