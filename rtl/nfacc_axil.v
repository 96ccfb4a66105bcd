// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// nfacc_axil: the AXI4-Lite handshakes of the registers. It turns each write and each read of the
// AXI bus into one cycle on a plain bus. Every path from an input of the AXI bus to one of its
// outputs goes through a register or a flip-flop. If the master sends address and data and takes
// the response in every cycle, a write passes in every cycle.
`default_nettype none

module nfacc_axil #(
	parameter DATA = 32 // 32 or 64: bits of a word on both buses
) (
	input wire clk,
	input wire rst,
	input wire [11:0] s_axil_awaddr,
	input wire s_axil_awvalid,
	output wire s_axil_awready,
	input wire [DATA-1:0] s_axil_wdata,
	input wire [DATA/8-1:0] s_axil_wstrb,
	input wire s_axil_wvalid,
	output wire s_axil_wready,
	output reg [1:0] s_axil_bresp,
	output reg s_axil_bvalid,
	input wire s_axil_bready,
	input wire [11:0] s_axil_araddr,
	input wire s_axil_arvalid,
	output wire s_axil_arready,
	output reg [DATA-1:0] s_axil_rdata,
	output reg [1:0] s_axil_rresp,
	output reg s_axil_rvalid,
	input wire s_axil_rready,
	// The plain bus. wr_valid offers a write; the write takes effect in the cycle in which
	// wr_go is 1.
	output wire wr_valid,
	output wire wr_go,
	output wire [11:0] wr_addr,
	output wire [DATA-1:0] wr_data,
	output wire [DATA/8-1:0] wr_strb,
	input wire wr_stall,            // the offered write must wait
	input wire wr_error,            // the offered write is refused
	output wire rd_go,              // the read at rd_addr takes place in this cycle
	output wire [11:0] rd_addr,
	input wire [DATA-1:0] rd_data,  // what the read returns, in the cycle of rd_go
	input wire rd_error             // no register is at rd_addr
);
	localparam [1:0] OKAY = 2'b00, SLVERR = 2'b10;

	// Addresses and data that arrived before their access could be done.
	reg aw_full, w_full, ar_full;
	reg [11:0] aw_addr, ar_addr;
	reg [DATA-1:0] w_data;
	reg [DATA/8-1:0] w_strb;

	assign s_axil_awready = ~aw_full;
	assign s_axil_wready = ~w_full;
	assign s_axil_arready = ~ar_full;

	wire aw_have = aw_full | s_axil_awvalid;
	wire w_have = w_full | s_axil_wvalid;
	wire ar_have = ar_full | s_axil_arvalid;

	assign wr_valid = aw_have & w_have & (~s_axil_bvalid | s_axil_bready);
	assign wr_go = wr_valid & ~wr_stall & ~rst;
	assign wr_addr = aw_full ? aw_addr : s_axil_awaddr;
	assign wr_data = w_full ? w_data : s_axil_wdata;
	assign wr_strb = w_full ? w_strb : s_axil_wstrb;
	assign rd_go = ar_have & (~s_axil_rvalid | s_axil_rready) & ~rst;
	assign rd_addr = ar_full ? ar_addr : s_axil_araddr;

	always @(posedge clk) begin
		aw_full <= aw_have & ~wr_go;
		w_full <= w_have & ~wr_go;
		ar_full <= ar_have & ~rd_go;
		aw_addr <= wr_addr;
		w_data <= wr_data;
		w_strb <= wr_strb;
		ar_addr <= rd_addr;
		s_axil_bvalid <= wr_go | (s_axil_bvalid & ~s_axil_bready);
		if (wr_go)
			s_axil_bresp <= wr_error ? SLVERR : OKAY;
		s_axil_rvalid <= rd_go | (s_axil_rvalid & ~s_axil_rready);
		if (rd_go) begin
			s_axil_rresp <= rd_error ? SLVERR : OKAY;
			s_axil_rdata <= rd_data;
		end
		if (rst) begin
			aw_full <= 1'b0;
			w_full <= 1'b0;
			ar_full <= 1'b0;
			s_axil_bvalid <= 1'b0;
			s_axil_rvalid <= 1'b0;
		end
	end

`ifdef FORMAL
	// Every write and read is done once and answered once, in order, with its own result. An
	// answer stays until the master takes it.
	reg f_past = 1'b0;
	reg [3:0] f_aw, f_w, f_ar; // accesses that the bus has taken and that are not yet done
	always @(posedge clk) begin
		f_past <= 1'b1;
		if (!f_past) assume (rst);
		f_aw <= rst ? 0 : f_aw + (s_axil_awvalid & s_axil_awready) - wr_go;
		f_w <= rst ? 0 : f_w + (s_axil_wvalid & s_axil_wready) - wr_go;
		f_ar <= rst ? 0 : f_ar + (s_axil_arvalid & s_axil_arready) - rd_go;
		if (f_past) begin
			// Every access that the bus has taken and that is not yet done waits in its
			// register.
			assert (f_aw == {3'd0, aw_full} && f_w == {3'd0, w_full});
			assert (f_ar == {3'd0, ar_full});
			assert (!s_axil_bvalid || s_axil_bresp == OKAY || s_axil_bresp == SLVERR);
			assert (!s_axil_rvalid || s_axil_rresp == OKAY || s_axil_rresp == SLVERR);
			if ($past(rst)) begin
				assert (!s_axil_bvalid && !s_axil_rvalid);
			end else begin
				if ($past(s_axil_bvalid && !s_axil_bready))
					assert (s_axil_bvalid && $stable(s_axil_bresp) &&
						!$past(wr_go));
				else
					assert (s_axil_bvalid == $past(wr_go));
				if ($past(wr_go))
					assert (s_axil_bresp == ($past(wr_error) ? SLVERR : OKAY));
				if ($past(s_axil_rvalid && !s_axil_rready))
					assert (s_axil_rvalid && $stable(s_axil_rresp) &&
						$stable(s_axil_rdata) && !$past(rd_go));
				else
					assert (s_axil_rvalid == $past(rd_go));
				if ($past(rd_go)) begin
					assert (s_axil_rresp == ($past(rd_error) ? SLVERR : OKAY));
					assert (s_axil_rdata == $past(rd_data));
				end
				// The waiting address and data are those that the master sent.
				if ($past(s_axil_awvalid && s_axil_awready) && aw_full)
					assert (aw_addr == $past(s_axil_awaddr));
				if ($past(aw_full) && aw_full) assert ($stable(aw_addr));
				if ($past(s_axil_wvalid && s_axil_wready) && w_full)
					assert (w_data == $past(s_axil_wdata));
				if ($past(s_axil_wvalid && s_axil_wready) && w_full)
					assert (w_strb == $past(s_axil_wstrb));
				if ($past(w_full) && w_full)
					assert ($stable(w_data) && $stable(w_strb));
				if ($past(ar_full) && ar_full) assert ($stable(ar_addr));
			end
			// The plain bus has what waits, or else what the master offers.
			assert (wr_addr == (aw_full ? aw_addr : s_axil_awaddr));
			assert (wr_data == (w_full ? w_data : s_axil_wdata));
			assert (wr_strb == (w_full ? w_strb : s_axil_wstrb));
			assert (rd_addr == (ar_full ? ar_addr : s_axil_araddr));
			// An offered write is done at once, unless wr_stall or rst holds it up.
			if (wr_valid && !wr_stall && !rst) assert (wr_go);
		end
		cover (f_past && $past(wr_go) && wr_go && $past(wr_go, 2));
	end
`endif
endmodule
`default_nettype wire
