// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// A memory controller behind AXI4-Lite, and a master that reads and writes lines in order, with a
// jump now and then. A row that is open answers soon, another one later, and a refresh holds up
// all. The controller has a fault: it hangs if it takes a read in the cycle in which a refresh
// begins. +dump=FILE names the waveform, and +seed=N asks for other requests.
//
//   iverilog -o memory memory.v && vvp memory -fst +dump=memory.fst
`default_nettype none
module memory_tb;
	reg clk = 0, rst_n = 0;
	reg [1023:0] file;
	reg m_axi_awvalid, m_axi_awready, m_axi_wvalid, m_axi_wready, m_axi_bvalid, m_axi_bready;
	reg m_axi_arvalid, m_axi_arready, m_axi_rvalid, m_axi_rready;
	reg [31:0] m_axi_awaddr, m_axi_araddr, m_axi_wdata, m_axi_rdata;
	wire [2:0] m_axi_awprot = 0, m_axi_arprot = 0;
	wire [3:0] m_axi_wstrb = 15;
	wire [1:0] m_axi_bresp = 0, m_axi_rresp = 0;

	initial begin
		if ($value$plusargs("seed=%d", seed) == 0)
			seed = 18;
		if ($value$plusargs("dump=%s", file) == 0)
			file = "memory.vcd";
		$dumpfile(file);
		$dumpvars(1, memory_tb);
		#12 rst_n = 1;
	end
	always #5 clk = !clk;

	// The master: one request at a time.
	integer seed;
	reg [4:0] gap;
	reg [11:0] waited;
	reg [9:0] line;
	reg busy;
	wire answered = (m_axi_bvalid && m_axi_bready) || (m_axi_rvalid && m_axi_rready);
	reg [31:0] next;

	always @(posedge clk)
		if (!rst_n) begin
			{m_axi_awvalid, m_axi_wvalid, m_axi_bready, m_axi_arvalid, m_axi_rready} <= 0;
			{m_axi_awaddr, m_axi_araddr, m_axi_wdata, gap, waited, line, busy} <= 0;
		end else begin
			m_axi_bready <= 1;
			m_axi_rready <= 1;
			if (m_axi_awvalid && m_axi_awready)
				m_axi_awvalid <= 0;
			if (m_axi_wvalid && m_axi_wready)
				m_axi_wvalid <= 0;
			if (m_axi_arvalid && m_axi_arready)
				m_axi_arvalid <= 0;
			waited <= waited + 1;
			if (busy && answered) begin
				busy <= 0;
				next = $random(seed);
				gap <= next[4:0];
			end else if (!busy && gap != 0) begin
				gap <= gap - 1;
			end else if (!busy) begin
				next = $random(seed);
				busy <= 1;
				waited <= 0;
				line <= next[5:1] == 0 ? next[15:6] : line + 1;
				if (next[0]) begin
					m_axi_awvalid <= 1;
					m_axi_wvalid <= 1;
					m_axi_awaddr <= {16'h8000, line, 6'h0};
					m_axi_wdata <= next;
				end else begin
					m_axi_arvalid <= 1;
					m_axi_araddr <= {16'h8000, line, 6'h0};
				end
			end
			if (&waited)
				$finish;
		end

	// The controller.
	reg [10:0] cycle;
	reg [5:0] refresh, left;
	reg [3:0] row;
	reg reading, writing, hangs;
	wire begins = cycle == 2047;
	wire [31:0] addr = m_axi_arvalid ? m_axi_araddr : m_axi_awaddr;
	wire asks = (m_axi_arvalid && !m_axi_arready) || (m_axi_awvalid && !m_axi_awready);
	wire takes = !reading && !writing && refresh == 0;

	always @(posedge clk)
		if (!rst_n) begin
			{m_axi_awready, m_axi_wready, m_axi_bvalid, m_axi_arready, m_axi_rvalid} <= 0;
			{m_axi_rdata, cycle, refresh, left, row, reading, writing, hangs} <= 0;
		end else begin
			cycle <= cycle + 1;
			refresh <= begins ? 40 : refresh == 0 ? 0 : refresh - 1;
			m_axi_awready <= 0;
			m_axi_wready <= 0;
			m_axi_arready <= 0;
			m_axi_bvalid <= 0;
			m_axi_rvalid <= 0;
			if (takes && asks) begin
				reading <= m_axi_arvalid;
				writing <= !m_axi_arvalid;
				m_axi_arready <= m_axi_arvalid;
				m_axi_awready <= !m_axi_arvalid;
				m_axi_wready <= !m_axi_arvalid;
				left <= addr[15:12] == row ? 3 : 21;
				row <= addr[15:12];
				hangs <= begins && m_axi_arvalid;
			end else if ((reading || writing) && refresh == 0 && (left != 0 || hangs)) begin
				left <= left == 0 ? 0 : left - 1;
			end else if ((reading || writing) && refresh == 0) begin
				reading <= 0;
				writing <= 0;
				m_axi_rvalid <= reading;
				m_axi_rdata <= {28'h0, row};
				m_axi_bvalid <= writing;
			end
		end
endmodule
`default_nettype wire
