// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// nfacc_ring_regs: the registers of the ring in memory (doc/develop/contract.md, RING_*). As in
// nfacc_regs, a word of the bus holds two registers with DATA 64, and a write that is answered with
// SLVERR changes nothing.
`default_nettype none
`include "nfacc_contract.vh"

module nfacc_ring_regs #(
	parameter DATA = 32         // 32 or 64: bits of a word on the bus
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
	output wire start,          // a run begins: `on` rises in the next cycle
	output reg on,
	output reg only,
	output reg wrap,
	output reg waits,
	output reg [23:0] run,
	output reg [63:0] base,
	output reg [31:0] last_beat, // the number of the ring's last beat
	output reg [63:0] read,
	input wire full,
	input wire error,
	input wire [1:0] response,
	input wire busy,
	input wire [63:0] written,
	input wire [63:0] records,
	input wire [63:0] lost
);
	wire wr_free, wr_full, wr_valid, wr_go, wr_stall, wr_error, rd_free, rd_full, rd_go, rd_error;
	wire [11:0] wr_next_addr, wr_addr, rd_next_addr, rd_addr;
	wire [DATA-1:0] wr_data, rd_data, rd_more;
	wire [DATA-1:0] wr_next_data;
	wire [DATA/8-1:0] wr_next_strb, wr_strb;

	nfacc_axil #(.DATA(DATA)) axil (
		.clk(clk), .rst(rst),
		.s_axil_awaddr(s_axil_awaddr), .s_axil_awvalid(s_axil_awvalid),
		.s_axil_awready(s_axil_awready), .s_axil_wdata(s_axil_wdata),
		.s_axil_wstrb(s_axil_wstrb), .s_axil_wvalid(s_axil_wvalid),
		.s_axil_wready(s_axil_wready), .s_axil_bresp(s_axil_bresp),
		.s_axil_bvalid(s_axil_bvalid), .s_axil_bready(s_axil_bready),
		.s_axil_araddr(s_axil_araddr), .s_axil_arvalid(s_axil_arvalid),
		.s_axil_arready(s_axil_arready), .s_axil_rdata(s_axil_rdata),
		.s_axil_rresp(s_axil_rresp), .s_axil_rvalid(s_axil_rvalid),
		.s_axil_rready(s_axil_rready),
		.wr_free(wr_free), .wr_next_addr(wr_next_addr),
		.wr_next_data(wr_next_data), .wr_next_strb(wr_next_strb), .wr_full(wr_full),
		.wr_valid(wr_valid), .wr_go(wr_go), .wr_addr(wr_addr), .wr_data(wr_data),
		.wr_strb(wr_strb), .wr_stall(wr_stall), .wr_last(1'b0), .wr_error(wr_error),
		.rd_free(rd_free), .rd_next_addr(rd_next_addr), .rd_full(rd_full),
		.rd_go(rd_go), .rd_addr(rd_addr), .rd_data(rd_data), .rd_more(rd_more),
		.rd_error(rd_error));

	// Accesses are looked at when they take effect, not before.
	wire unused_early = &{1'b0, wr_free, wr_full, wr_next_addr, wr_next_data, wr_next_strb,
		rd_free, rd_next_addr, rd_full};

	// The addresses of the two registers of a pair, the even one first.
	wire [11:0] wr_even = {wr_addr[11:3], 3'd0}, wr_odd = {wr_addr[11:3], 3'd4};
	wire [11:0] rd_even = {rd_addr[11:3], 3'd0}, rd_odd = {rd_addr[11:3], 3'd4};
	wire [31:0] to_even, to_odd;
	wire we_even, we_odd, partial;
	generate
		if (DATA == 32) begin : g_32
			assign to_even = wr_data;
			assign to_odd = wr_data;
			assign we_even = (&wr_strb) & ~wr_addr[2];
			assign we_odd = (&wr_strb) & wr_addr[2];
			assign partial = (|wr_strb) & ~&wr_strb;
		end else begin : g_64
			assign to_even = wr_data[31:0];
			assign to_odd = wr_data[63:32];
			assign we_even = &wr_strb[3:0];
			assign we_odd = &wr_strb[7:4];
			assign partial = ((|wr_strb[3:0]) & (~we_even | wr_addr[2])) |
				((|wr_strb[7:4]) & ~we_odd);
		end
	endgenerate

	// A ring has whole pages of 4 KB, and ends where addresses do or before. Whether this one does is
	// known in the second cycle of a write to RING_CONTROL, which is when the write takes effect.
	reg [63:0] size;
	reg usable, known;
	wire [52:0] end_page = {1'b0, base[63:12]} + {1'b0, size[63:12]};
	wire still = ~on & ~busy;
	wire to_control = we_even & (wr_even == `NFACC_REG_RING_CONTROL);
	wire begins = to_even[`NFACC_RING_CONTROL_ON_LSB] & ~on;
	wire clash = to_even[`NFACC_RING_CONTROL_WRAP_LSB] & to_even[`NFACC_RING_CONTROL_WAIT_LSB];
	assign wr_stall = wr_valid & to_control & ~known;

	reg can_even, can_odd;
	always @* begin
		case (wr_even)
		`NFACC_REG_RING_CONTROL:
			can_even = (~begins | (~busy & usable)) & ~clash;
		`NFACC_REG_RING_RUN, `NFACC_REG_RING_BASE_LO, `NFACC_REG_RING_SIZE_LO: can_even = still;
		`NFACC_REG_RING_READ_LO: can_even = 1'b1;
		default: can_even = 1'b0;
		endcase
		case (wr_odd)
		`NFACC_REG_RING_BASE_HI, `NFACC_REG_RING_SIZE_HI: can_odd = still;
		`NFACC_REG_RING_READ_HI: can_odd = 1'b1;
		default: can_odd = 1'b0;
		endcase
	end
	assign wr_error = (|wr_addr[1:0]) | partial | (we_even & ~can_even) | (we_odd & ~can_odd) |
		~(can_even | can_odd);
	wire even = wr_go & ~wr_error & we_even;
	wire odd = wr_go & ~wr_error & we_odd;
	assign start = even & to_control & begins;

	// A read of the low half of a count saves the high half. A write of the low half of READ is
	// saved, and takes effect with the next one of the high half.
	reg [31:0] written_high, records_high, lost_high, read_low;
	wire both = (DATA == 64) & ~rd_addr[2]; // one read takes both halves
	reg [31:0] from_even, from_odd, status;
	reg has_even, has_odd;
	always @* begin
		status = 32'd0;
		status[`NFACC_RING_STATUS_ON_LSB] = on;
		status[`NFACC_RING_STATUS_BUSY_LSB] = busy;
		status[`NFACC_RING_STATUS_FULL_LSB] = full;
		status[`NFACC_RING_STATUS_ERROR_LSB] = error;
		status[`NFACC_RING_STATUS_RESPONSE_LSB +: `NFACC_RING_STATUS_RESPONSE_WIDTH] = response;
		has_even = 1'b1;
		from_even = 32'd0;
		case (rd_even)
		`NFACC_REG_RING_CONTROL: begin
			from_even[`NFACC_RING_CONTROL_ON_LSB] = on;
			from_even[`NFACC_RING_CONTROL_ONLY_LSB] = only;
			from_even[`NFACC_RING_CONTROL_WRAP_LSB] = wrap;
			from_even[`NFACC_RING_CONTROL_WAIT_LSB] = waits;
		end
		`NFACC_REG_RING_RUN: from_even = {8'd0, run};
		`NFACC_REG_RING_BASE_LO: from_even = base[31:0];
		`NFACC_REG_RING_SIZE_LO: from_even = size[31:0];
		`NFACC_REG_RING_READ_LO: from_even = read[31:0];
		`NFACC_REG_RING_WRITTEN_LO: from_even = written[31:0];
		`NFACC_REG_RING_RECORDS_LO: from_even = records[31:0];
		`NFACC_REG_RING_LOST_LO: from_even = lost[31:0];
		default: has_even = 1'b0;
		endcase
		has_odd = 1'b1;
		from_odd = 32'd0;
		case (rd_odd)
		`NFACC_REG_RING_STATUS: from_odd = status;
		`NFACC_REG_RING_BASE_HI: from_odd = base[63:32];
		`NFACC_REG_RING_SIZE_HI: from_odd = size[63:32];
		`NFACC_REG_RING_READ_HI: from_odd = read[63:32];
		`NFACC_REG_RING_WRITTEN_HI: from_odd = both ? written[63:32] : written_high;
		`NFACC_REG_RING_RECORDS_HI: from_odd = both ? records[63:32] : records_high;
		`NFACC_REG_RING_LOST_HI: from_odd = both ? lost[63:32] : lost_high;
		default: has_odd = 1'b0;
		endcase
	end
	assign rd_error = (|rd_addr[1:0]) | ~(rd_addr[2] ? has_odd : has_even);
	generate
		if (DATA == 32) begin : g_read_32
			assign rd_data = rd_addr[2] ? 32'd0 : from_even;
			assign rd_more = rd_addr[2] ? from_odd : 32'd0;
		end else begin : g_read_64
			assign rd_data = {from_odd, from_even};
			assign rd_more = 64'd0;
		end
	endgenerate

	always @(posedge clk) begin
		last_beat <= size[37:6] - 32'd1;
		usable <= ~|base[11:0] & ~|size[11:0] & ~|size[63:39] & |size[38:12] &
			~(size[38] & |size[37:12]) & (~end_page[52] | ~|end_page[51:0]);
		known <= wr_valid & to_control & ~wr_go;
		if (even)
			case (wr_even)
			`NFACC_REG_RING_CONTROL: begin
				on <= to_even[`NFACC_RING_CONTROL_ON_LSB];
				only <= to_even[`NFACC_RING_CONTROL_ONLY_LSB];
				wrap <= to_even[`NFACC_RING_CONTROL_WRAP_LSB];
				waits <= to_even[`NFACC_RING_CONTROL_WAIT_LSB];
			end
			`NFACC_REG_RING_RUN: run <= to_even[23:0];
			`NFACC_REG_RING_BASE_LO: base[31:0] <= to_even;
			`NFACC_REG_RING_SIZE_LO: size[31:0] <= to_even;
			`NFACC_REG_RING_READ_LO: read_low <= to_even;
			default: ;
			endcase
		if (odd)
			case (wr_odd)
			`NFACC_REG_RING_BASE_HI: base[63:32] <= to_odd;
			`NFACC_REG_RING_SIZE_HI: size[63:32] <= to_odd;
			`NFACC_REG_RING_READ_HI: read <= {to_odd, even ? to_even : read_low};
			default: ;
			endcase
		if (rd_go & ~rd_error & ~rd_addr[2])
			case (rd_even)
			`NFACC_REG_RING_WRITTEN_LO: written_high <= written[63:32];
			`NFACC_REG_RING_RECORDS_LO: records_high <= records[63:32];
			`NFACC_REG_RING_LOST_LO: lost_high <= lost[63:32];
			default: ;
			endcase
		if (start)
			read <= 64'd0;
		if (rst) begin
			{on, only, wrap, waits} <= 4'd0;
			run <= 24'd0;
			base <= 64'd0;
			size <= 64'd0;
			read <= 64'd0;
			known <= 1'b0;
		end
	end

`ifdef FORMAL
	// A run begins only with a ring that is usable while nothing of the previous one is inside, and
	// then its geometry does not change. Refused writes change nothing; READ changes as a whole.
	reg f_past = 1'b0;
	always @(posedge clk) begin
		f_past <= 1'b1;
		if (!f_past) assume (rst);
		if (f_past && $past(f_past && !rst)) begin
			if (start) begin
				assert (!on && !busy && size != 0 && last_beat == size / 64 - 1);
				assert (base[11:0] == 0 && size[11:0] == 0 && size <= 64'h4000000000);
				assert (base + (size - 1) >= base);
				assert (wr_valid && wr_go);
			end
			if (on && !$past(on)) assert ($past(start) && read == 0);
			if ($past(on || busy))
				assert ($stable(base) && $stable(size) && $stable(run));
			if (!$past(start) && !$stable(read))
				assert ($past(odd && wr_odd == `NFACC_REG_RING_READ_HI));
			if ($past(wr_error))
				assert ($stable(on) && $stable(only) && $stable(wrap) && $stable(waits) &&
					$stable(run) && $stable(base) && $stable(size) &&
					$stable(read));
			assert (!(wrap && waits));
			if ($past(wr_go && !wr_error && to_control))
				assert (on == $past(to_even[0]) && only == $past(to_even[1]));
			// What is halved is read without tearing.
			if ($past(rd_go && rd_addr == `NFACC_REG_RING_LOST_LO))
				assert (lost_high == $past(lost[63:32]));
			if ($past(rd_go && rd_addr == `NFACC_REG_RING_WRITTEN_LO))
				assert (written_high == $past(written[63:32]));
			if ($past(rd_go && rd_addr == `NFACC_REG_RING_RECORDS_LO))
				assert (records_high == $past(records[63:32]));
		end
	end
`endif
endmodule
`default_nettype wire
