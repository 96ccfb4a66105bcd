// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// nfacc_axil: the AXI4-Lite handshakes of the registers. It turns each write and each read of the
// AXI bus into one cycle on a plain bus, whose addresses and data are registers. Every path from an
// input of the AXI bus to one of its outputs goes through a register or a flip-flop. If the master
// sends address and data and takes the response in every cycle, a write passes in every cycle.
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
	output wire [DATA-1:0] s_axil_rdata,
	output reg [1:0] s_axil_rresp,
	output reg s_axil_rvalid,
	input wire s_axil_rready,
	// The write that goes on to the plain bus in this cycle, if wr_free is set and there is
	// one, so that it can be compared with constants before it is there.
	output wire wr_free,
	output wire [11:0] wr_next_addr,
	output wire [DATA-1:0] wr_next_data,
	output wire [DATA/8-1:0] wr_next_strb,
	// The plain bus. wr_full says that it has a write. wr_valid offers a write; the write takes
	// effect in the cycle in which wr_go is 1.
	output reg wr_full,
	output wire wr_valid,
	output wire wr_go,
	output reg [11:0] wr_addr,
	output reg [DATA-1:0] wr_data,
	output reg [DATA/8-1:0] wr_strb,
	input wire wr_stall,            // the offered write must wait, unless
	input wire wr_last,             // it takes effect now, and no answer waits
	input wire wr_error,            // the offered write is refused
	// The read that goes on to the plain bus in this cycle, if rd_free is set and there is one.
	// rd_full says that the bus has one.
	output wire rd_free,
	output wire [11:0] rd_next_addr,
	output reg rd_full,
	output wire rd_go,              // the read at rd_addr takes place in this cycle
	output reg [11:0] rd_addr,
	// What the read returns, in the cycle of rd_go, in two parts: the OR of both.
	input wire [DATA-1:0] rd_data,
	input wire [DATA-1:0] rd_more,
	input wire rd_error             // no register is at rd_addr
);
	localparam [1:0] OKAY = 2'b00, SLVERR = 2'b10;

	// Addresses and data that arrived before their access could go on to the plain bus.
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
	wire [11:0] aw_next = aw_full ? aw_addr : s_axil_awaddr;
	wire [DATA-1:0] w_next = w_full ? w_data : s_axil_wdata;
	wire [DATA/8-1:0] w_next_strb = w_full ? w_strb : s_axil_wstrb;
	wire [11:0] ar_next = ar_full ? ar_addr : s_axil_araddr;

	assign wr_next_addr = aw_next;
	assign wr_next_data = w_next;
	assign wr_next_strb = w_next_strb;
	assign rd_next_addr = ar_next;
	assign wr_valid = wr_full & (~s_axil_bvalid | s_axil_bready);
	// As wr_go, but also in a reset, which undoes it.
	wire wr_done = wr_last | (wr_valid & ~wr_stall);
	assign wr_go = wr_done & ~rst;
	assign rd_go = rd_full & (~s_axil_rvalid | s_axil_rready) & ~rst;

	// The next access goes on to the plain bus.
	assign wr_free = ~wr_full | wr_done;
	assign rd_free = ~rd_full | rd_go;
	wire wr_take = aw_have & w_have & wr_free;
	wire rd_take = ar_have & rd_free;

	// The parts are joined behind their registers: a read chooses among many of the engine's.
	reg [DATA-1:0] part, more;
	assign s_axil_rdata = part | more;

	always @(posedge clk) begin
		aw_full <= aw_have & ~wr_take;
		w_full <= w_have & ~wr_take;
		ar_full <= ar_have & ~rd_take;
		aw_addr <= aw_next;
		w_data <= w_next;
		w_strb <= w_next_strb;
		ar_addr <= ar_next;
		wr_full <= wr_take | (wr_full & ~wr_done);
		if (wr_free) begin // whether there is a write or not, as that is known later
			wr_addr <= aw_next;
			wr_data <= w_next;
			wr_strb <= w_next_strb;
		end
		rd_full <= rd_take | (rd_full & ~rd_go);
		if (rd_free)
			rd_addr <= ar_next;
		s_axil_bvalid <= wr_go | (s_axil_bvalid & ~s_axil_bready);
		if (wr_go)
			s_axil_bresp <= wr_error ? SLVERR : OKAY;
		s_axil_rvalid <= rd_go | (s_axil_rvalid & ~s_axil_rready);
		if (rd_go) begin
			s_axil_rresp <= rd_error ? SLVERR : OKAY;
			part <= rd_data;
			more <= rd_more;
		end
		if (rst) begin
			aw_full <= 1'b0;
			w_full <= 1'b0;
			ar_full <= 1'b0;
			wr_full <= 1'b0;
			rd_full <= 1'b0;
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
		if (wr_last) assume (wr_full && !s_axil_bvalid);
		f_aw <= rst ? 0 : f_aw + (s_axil_awvalid & s_axil_awready) - wr_go;
		f_w <= rst ? 0 : f_w + (s_axil_wvalid & s_axil_wready) - wr_go;
		f_ar <= rst ? 0 : f_ar + (s_axil_arvalid & s_axil_arready) - rd_go;
		if (f_past) begin
			// Every access that the bus has taken and that is not yet done waits in its
			// register.
			assert (f_aw == {3'd0, aw_full} + wr_full);
			assert (f_w == {3'd0, w_full} + wr_full);
			assert (f_ar == {3'd0, ar_full} + rd_full);
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
					assert (s_axil_rdata == $past(rd_data | rd_more));
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
				if ($past(s_axil_arvalid && s_axil_arready) && ar_full)
					assert (ar_addr == $past(s_axil_araddr));
				if ($past(ar_full) && ar_full) assert ($stable(ar_addr));
				// The plain bus gets what waits, or else what the master offers,
				// and keeps it until it is done.
				if ($past(wr_take))
					assert (wr_full && wr_addr == $past(aw_next) &&
						wr_data == $past(w_next) &&
						wr_strb == $past(w_next_strb));
				else if (wr_full)
					assert ($stable(wr_addr) && $stable(wr_data) &&
						$stable(wr_strb));
				if ($past(rd_take)) assert (rd_full && rd_addr == $past(ar_next));
				else if (rd_full) assert ($stable(rd_addr));
			end
			assert (aw_next == (aw_full ? aw_addr : s_axil_awaddr));
			assert (w_next == (w_full ? w_data : s_axil_wdata));
			assert (w_next_strb == (w_full ? w_strb : s_axil_wstrb));
			assert (ar_next == (ar_full ? ar_addr : s_axil_araddr));
			// An access goes on as soon as the plain bus is free.
			if (aw_have && w_have && !wr_full) assert (wr_take);
			if (ar_have && !rd_full) assert (rd_take);
			// An offered write is done at once, unless wr_stall or rst holds it up.
			assert (wr_go == (wr_valid && (wr_last || !wr_stall) && !rst));
		end
		cover (f_past && $past(wr_go) && wr_go && $past(wr_go, 2));
	end
`endif
endmodule
`default_nettype wire
