// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// nfacc_regs: the registers (doc/develop/contract.md). With DATA 64 a word of the bus holds two
// registers: one at an even multiple of four bytes, and one at the odd multiple after it. WSTRB
// says which of the two are written; a read returns both. A write changes nothing if it is answered
// with SLVERR. That is so if it is misaligned, covers only part of a register, or addresses a
// register that is unknown, read-only, or not writable now.
// The file is long because all registers share one decoding of addresses and one answer.
`default_nettype none
`include "nfacc_contract.vh"

module nfacc_regs #(
	parameter DATA = 32,             // 32 or 64: bits of a word on the bus
	parameter [63:0] FINGERPRINT = 0,
	parameter LINES = 1,
	parameter WINDOW = 0,
	parameter TIME = 0,              // whether there are the registers of time: `NFACC_TIME_*
	// Whether there are the registers of element window_after: `NFACC_WINDOW_AFTER_*
	parameter WINDOW_AFTER = 0,
	parameter COUNTS = 0,            // whether there are the counts of labels: `NFACC_COUNTS_*
	parameter HAS_JOINS = 0,         // 1: there are the registers of joins
	parameter LABEL_SWAP = 0,        // whether labels swap: `NFACC_LABEL_SWAP_*
	parameter HISTOGRAM = 0          // not 0: there are the registers of the histogram
) (
	input wire clk,
	input wire rst,                  // resets everything in this module
	input wire reset,                // resets all but the handshakes and the configuration
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
	output reg command_valid,        // CONTROL is written in this cycle, and not with 0
	output reg [31:0] command,       // with command_valid: the value that is written, if one of
	                                 // its bits is 1, no more; otherwise 0
	output wire config_valid,        // a configuration word comes
	input wire config_ready,
	output wire [DATA-1:0] config_data,
	input wire [`NFACC_REGISTER_IDS] set, // bit id: the loader sets element id to set_value
	input wire [63:0] set_value,
	input wire elements_writable,    // the registers of REGISTER elements may be written
	output reg enable,
	output reg [31:0] idle_after,
	output reg by_line,
	output reg [63:0] base,
	output reg [63:0] count,
	output reg [63:0] window,
	output wire [63:0] window_after, // without registers of its own: window
	output reg [63:0] limit,
	output reg [31:0] tick,
	output reg has_end,
	output reg [5:0] label,          // the label that `accepted` is for
	output wire [63:0] swap_on,      // bit l: label l swaps
	input wire swap_begins,          // so that they are 0 again
	output reg by_label,             // what the histogram is for: nfacc_histogram's ports
	output reg by_field,
	output reg [5:0] field_lsb,
	output reg [3:0] field_bits,
	output wire table_shift,
	output wire [31:0] table_data,
	output reg [11:0] bin,           // the bin that `binned` is for
	output reg elements_in_range,    // the overlay can do what the elements' values asked for
	                                 // two cycles before
	input wire [31:0] status,
	input wire [31:0] words,
	input wire [63:0] packets,
	input wire [63:0] dropped,
	input wire [63:0] unseen,
	input wire [63:0] batches,
	input wire [63:0] stopped,
	input wire [63:0] ticks_lost,
	input wire [63:0] accepted,
	input wire [63:0] binned,
	input wire [31:0] join_late,
	input wire [31:0] join_wrong
);
	localparam [0:0] HAS_TIME = TIME == `NFACC_TIME_YES,
		HAS_AFTER = WINDOW_AFTER == `NFACC_WINDOW_AFTER_OWN,
		HAS_COUNTS = COUNTS == `NFACC_COUNTS_YES,
		HAS_SWAP_ON = LABEL_SWAP == `NFACC_LABEL_SWAP_YES,
		HAS_BINS = HISTOGRAM != 0;
	wire unused_set = &{1'b0, set};
	wire wr_free, wr_full, wr_valid, wr_go, wr_stall, wr_error, rd_free, rd_full, rd_go, rd_error;
	wire [11:0] wr_next_addr, wr_addr, rd_next_addr, rd_addr;
	wire [DATA/8-1:0] wr_next_strb;
	wire [DATA-1:0] wr_next_data, wr_data, rd_data, rd_more;
	reg second; // the write on the plain bus is in its second cycle
	wire [DATA/8-1:0] wr_strb;

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
		.wr_strb(wr_strb), .wr_stall(wr_stall), .wr_last(second), .wr_error(wr_error),
		.rd_free(rd_free), .rd_next_addr(rd_next_addr), .rd_full(rd_full),
		.rd_go(rd_go), .rd_addr(rd_addr), .rd_data(rd_data), .rd_more(rd_more),
		.rd_error(rd_error));

	wire [31:0] to_even, to_odd;
	// What the write that goes on to the plain bus writes: whole registers, or parts of some.
	wire next_even, next_odd, next_partial;
	generate
		if (DATA == 32) begin : g_32
			assign to_even = wr_data;
			assign to_odd = wr_data;
			assign next_even = (&wr_next_strb) & ~wr_next_addr[2];
			assign next_odd = (&wr_next_strb) & wr_next_addr[2];
			assign next_partial = (|wr_next_strb) & ~&wr_next_strb;
		end else begin : g_64
			assign to_even = wr_data[31:0];
			assign to_odd = wr_data[63:32];
			assign next_even = &wr_next_strb[3:0];
			assign next_odd = &wr_next_strb[7:4];
			assign next_partial =
				((|wr_next_strb[3:0]) & (~next_even | wr_next_addr[2])) |
				((|wr_next_strb[7:4]) & ~next_odd);
		end
	endgenerate

	// When a register takes writes. What the bins are for is used until the last batch is in
	// its bin, behind the window.
	localparam [1:0] NEVER = 2'd0, ALWAYS = 2'd1, ELEMENT = 2'd2, BINS = 2'd3;
	wire bins_writable = elements_writable & ~status[`NFACC_STATUS_BUSY_LSB];
	wire next_known = wr_next_addr[11:8] == 4'd0; // all registers are below 0x100
	wire [11:0] next_pair = {4'd0, wr_next_addr[7:3], 3'd0};
	reg [1:0] even_when, odd_when;
	always @* begin
		case (next_pair)
		`NFACC_REG_CONTROL, `NFACC_REG_CONFIG: even_when = ALWAYS;
		`NFACC_REG_BY_LINE, `NFACC_REG_BASE_LO, `NFACC_REG_COUNT_LO, `NFACC_REG_WINDOW_LO,
		`NFACC_REG_LIMIT_LO: even_when = ELEMENT;
		`NFACC_REG_TICK: even_when = HAS_TIME ? ELEMENT : NEVER;
		`NFACC_REG_WINDOW_AFTER_LO: even_when = HAS_AFTER ? ELEMENT : NEVER;
		`NFACC_REG_LABEL: even_when = HAS_COUNTS ? ALWAYS : NEVER;
		`NFACC_REG_SWAP_ON_LO: even_when = HAS_SWAP_ON ? ALWAYS : NEVER;
		`NFACC_REG_HISTOGRAM: even_when = HAS_BINS ? BINS : NEVER;
		`NFACC_REG_BIN: even_when = HAS_BINS ? ALWAYS : NEVER;
		default: even_when = NEVER;
		endcase
		case ({next_pair[11:3], 3'd4})
		`NFACC_REG_ENABLE, `NFACC_REG_IDLE_AFTER: odd_when = ALWAYS;
		`NFACC_REG_CONFIG_HI: odd_when = DATA == 64 ? ALWAYS : NEVER;
		`NFACC_REG_BASE_HI, `NFACC_REG_COUNT_HI, `NFACC_REG_WINDOW_HI, `NFACC_REG_LIMIT_HI:
			odd_when = ELEMENT;
		`NFACC_REG_END: odd_when = HAS_TIME ? ELEMENT : NEVER;
		`NFACC_REG_WINDOW_AFTER_HI: odd_when = HAS_AFTER ? ELEMENT : NEVER;
		`NFACC_REG_SWAP_ON_HI: odd_when = HAS_SWAP_ON ? ALWAYS : NEVER;
		`NFACC_REG_HISTOGRAM_TABLE: odd_when = HAS_BINS ? BINS : NEVER;
		default: odd_when = NEVER;
		endcase
	end

	// What a write does is decided before it is on the plain bus: what it writes, whether it is
	// refused, or unless elements or bins are writable, whether it is a command or hands on a
	// configuration word. A write of nothing asks for one of the two registers that takes
	// writes.
	wire unused_access = &{1'b0, wr_valid, wr_strb, wr_addr,
		rd_next_addr[2:0], rd_full, rd_addr[11:3]}; // only proofs ask for them
	reg we_even, we_odd, asks_elements, asks_bins, to_control, to_config;
	reg [1:0] bad; // it is refused, for one of two reasons
	wire refused = |bad;
	reg [31:0] wr_pair; // bit i: if it is not refused, it is to the pair at 8 i
	// Of the value for the even register: bit i is the only 1 in its byte; bytes that are 0.
	reg [31:0] alone;
	reg [3:0] zero;
	wire unused_data = ^wr_next_data;
	wire next_none = ~next_even & ~next_odd;
	wire next_whole = (wr_next_addr[1:0] == 2'd0) & ~next_partial;
	wire asks_even = next_even | (next_none & (odd_when != ALWAYS));
	wire asks_odd = next_odd | (next_none & (even_when != ALWAYS));
	always @(posedge clk) begin
		if (wr_free) begin
			we_even <= next_even;
			we_odd <= next_odd;
			zero <= zeros(wr_next_data[31:0]);
			alone <= alones(wr_next_data[31:0]);
			wr_pair <= pair_of({4'd0, wr_next_addr[7:3]});
			bad[0] <= ~next_known | ~next_whole | (next_even & (even_when == NEVER));
			bad[1] <= (odd_when == NEVER) & (next_odd | (even_when == NEVER));
			asks_elements <= (asks_even & (even_when == ELEMENT)) |
				(asks_odd & (odd_when == ELEMENT));
			asks_bins <= (asks_even & (even_when == BINS) &
				(next_even | (odd_when != ELEMENT))) |
				(asks_odd & (odd_when == BINS) &
				(next_odd | (even_when != ELEMENT)));
			to_control <= next_known & next_whole & next_even &
				(next_pair == `NFACC_REG_CONTROL);
			to_config <= next_known & next_whole & (DATA == 32 ? next_even : next_odd) &
				(next_pair == `NFACC_REG_CONFIG);
		end
	end
	// Return, each bit by a comparison of its own: the pair of a number, the bytes that are 0,
	// and the bits that are the only 1 in their byte.
	function [31:0] pair_of(input [8:0] number);
		integer n;
		for (n = 0; n < 32; n = n + 1)
			pair_of[n] = {23'd0, number} == n;
	endfunction
	function [3:0] zeros(input [31:0] data);
		integer n;
		for (n = 0; n < 4; n = n + 1)
			zeros[n] = data[8*n +: 8] == 8'd0;
	endfunction
	function [31:0] alones(input [31:0] data);
		integer n;
		for (n = 0; n < 32; n = n + 1)
			alones[n] = data[n/8*8 +: 8] == 8'd1 << n % 8;
	endfunction
	// Returns whether a pair has a register. Bit i of `pair` says that the even one is at 8 i.
	function has(input [31:0] pair, input [11:0] at);
		has = |(pair & (32'd1 << (at >> 3)));
	endfunction

	// A write takes effect in its second cycle, in which all that it does comes from registers:
	// which register is written, whether it is a command, and whether it is refused. The
	// elements are writable in both cycles or in none, as only a command changes that while one
	// of them is on the bus. A word of the image takes effect in its first cycle.
	reg refuses;
	reg [31:0] even, odd; // the pair of the even and of the odd register that are written
	wire begins = wr_full & ~second & ~s_axil_bvalid; // the answer before its own is taken
	wire refuse = refused | (asks_elements & ~elements_writable) |
		(HAS_BINS & asks_bins & ~bins_writable);
	integer i;
	always @(posedge clk) begin
		second <= begins & ~to_config;
		refuses <= begins & refuse;
		even <= {32{begins & ~to_config & ~refuse & we_even}} & wr_pair;
		odd <= {32{begins & ~to_config & ~refuse & we_odd}} & wr_pair;
		command_valid <= begins & to_control & ~&zero;
		for (i = 0; i < 32; i = i + 1)
			command[i] <= begins & to_control & alone[i] & (&(zero | (4'd1 << i / 8)));
		if (rst) begin
			second <= 1'b0;
			refuses <= 1'b0;
			command_valid <= 1'b0;
			command <= 32'd0;
			even <= 32'd0;
			odd <= 32'd0;
		end
	end
	assign wr_error = refuses;

	// The write of a configuration word waits on the bus while the loader can't take the word.
	reg [31:0] config_low;
	generate
		if (DATA == 32) begin : g_config_32
			wire unused_low = &{1'b0, config_low};
			assign config_data = to_even;
		end else begin : g_config_64
			assign config_data = {to_odd, we_even ? to_even : config_low};
		end
	endgenerate
	assign config_valid = wr_go & to_config;
	assign wr_stall = ~(to_config & config_ready);

	// The high bits of a value in range are 0. So each comparison is one of few bits, and no
	// chain of carries goes through all of them.
	localparam LINES_BITS = $clog2(LINES + 2), WINDOW_BITS = $clog2(WINDOW + 2);
	reg [63:0] after;
	reg count_low, count_high, window_low, window_high; // these bits are in range
	wire after_fits;
	generate
		if (HAS_AFTER) begin : g_after
			reg low, high;
			assign window_after = after;
			assign after_fits = low & high;
			always @(posedge clk) begin
				high <= (after >> WINDOW_BITS) == 64'd0;
				low <= after[WINDOW_BITS-1:0] <= WINDOW[WINDOW_BITS-1:0];
			end
		end else begin : g_same
			wire unused_after = &{1'b0, after};
			assign window_after = window;
			assign after_fits = 1'b1;
		end
	endgenerate
	always @(posedge clk) begin
		count_high <= (count >> LINES_BITS) == 64'd0;
		count_low <= (count[LINES_BITS-1:0] <= LINES[LINES_BITS-1:0]) &
			(~by_line | (count[LINES_BITS-1:0] != {LINES_BITS{1'b0}}));
		window_high <= (window >> WINDOW_BITS) == 64'd0;
		window_low <= window[WINDOW_BITS-1:0] <= WINDOW[WINDOW_BITS-1:0];
		elements_in_range <= count_high & count_low & window_high & window_low & after_fits;
	end

	// A read of the low half of a count saves the high half, and the next read of the high half
	// returns what was saved.
	reg [31:0] packets_high, dropped_high, unseen_high, batches_high, stopped_high,
		ticks_lost_high, accepted_high, binned_high;
	wire both = (DATA == 64) & ~rd_addr[2]; // one read takes both halves
	wire [31:0] histogram = {12'd0, field_bits, 2'd0, field_lsb, 6'd0, by_field, by_label};
	assign table_shift = HAS_BINS & has(odd, `NFACC_REG_HISTOGRAM_TABLE) & ~rst;
	assign table_data = to_odd;
	// Which pair of registers the read on the plain bus is of, and whether it is of the even
	// one and aligned, found before it is there.
	reg [31:0] rd_pair;
	reg rd_low;
	always @(posedge clk)
		if (rd_free) begin
			rd_low <= rd_next_addr[2:0] == 3'd0;
			rd_pair <= pair_of(rd_next_addr[11:3]);
		end
	reg [31:0] from_even, from_odd;
	reg has_even, has_odd;
	always @* begin
		has_even = 1'b1;
		(* parallel_case *) case (1'b1)
		has(rd_pair, `NFACC_REG_ID): from_even = `NFACC_ID;
		has(rd_pair, `NFACC_REG_FINGERPRINT_LO): from_even = FINGERPRINT[31:0];
		has(rd_pair, `NFACC_REG_CONTROL), has(rd_pair, `NFACC_REG_CONFIG):
			from_even = 32'd0;
		has(rd_pair, `NFACC_REG_STATUS): from_even = status;
		has(rd_pair, `NFACC_REG_WORDS): from_even = words;
		has(rd_pair, `NFACC_REG_PACKETS_LO): from_even = packets[31:0];
		has(rd_pair, `NFACC_REG_DROPPED_LO): from_even = dropped[31:0];
		has(rd_pair, `NFACC_REG_UNSEEN_LO): from_even = unseen[31:0];
		has(rd_pair, `NFACC_REG_BATCHES_LO): from_even = batches[31:0];
		has(rd_pair, `NFACC_REG_BY_LINE): from_even = {31'd0, by_line};
		has(rd_pair, `NFACC_REG_BASE_LO): from_even = base[31:0];
		has(rd_pair, `NFACC_REG_COUNT_LO): from_even = count[31:0];
		has(rd_pair, `NFACC_REG_WINDOW_LO): from_even = window[31:0];
		has(rd_pair, `NFACC_REG_LIMIT_LO): from_even = limit[31:0];
		has(rd_pair, `NFACC_REG_STOPPED_LO): begin
			from_even = HAS_TIME ? stopped[31:0] : 32'd0;
			has_even = HAS_TIME;
		end
		has(rd_pair, `NFACC_REG_TICKS_LOST_LO): begin
			from_even = HAS_TIME ? ticks_lost[31:0] : 32'd0;
			has_even = HAS_TIME;
		end
		has(rd_pair, `NFACC_REG_JOIN_LATE): begin
			from_even = join_late;
			has_even = HAS_JOINS != 0;
		end
		has(rd_pair, `NFACC_REG_TICK): begin
			from_even = tick;
			has_even = HAS_TIME;
		end
		has(rd_pair, `NFACC_REG_WINDOW_AFTER_LO): begin
			from_even = HAS_AFTER ? after[31:0] : 32'd0;
			has_even = HAS_AFTER;
		end
		has(rd_pair, `NFACC_REG_LABEL): begin
			from_even = HAS_COUNTS ? {26'd0, label} : 32'd0;
			has_even = HAS_COUNTS;
		end
		has(rd_pair, `NFACC_REG_SWAP_ON_LO): begin
			from_even = HAS_SWAP_ON ? swap_on[31:0] : 32'd0;
			has_even = HAS_SWAP_ON;
		end
		has(rd_pair, `NFACC_REG_HISTOGRAM): begin
			from_even = HAS_BINS ? histogram : 32'd0;
			has_even = HAS_BINS;
		end
		has(rd_pair, `NFACC_REG_BIN): begin
			from_even = HAS_BINS ? {20'd0, bin} : 32'd0;
			has_even = HAS_BINS;
		end
		has(rd_pair, `NFACC_REG_BINNED_LO): begin
			from_even = HAS_BINS ? binned[31:0] : 32'd0;
			has_even = HAS_BINS;
		end
		has(rd_pair, `NFACC_REG_ACCEPTED_LO): begin
			from_even = HAS_COUNTS ? accepted[31:0] : 32'd0;
			has_even = HAS_COUNTS;
		end
		default: begin
			from_even = 32'd0;
			has_even = 1'b0;
		end
		endcase
		has_odd = 1'b1;
		(* parallel_case *) case (1'b1)
		has(rd_pair, `NFACC_REG_VERSION): from_odd = `NFACC_CONTRACT_VERSION;
		has(rd_pair, `NFACC_REG_FINGERPRINT_HI): from_odd = FINGERPRINT[63:32];
		has(rd_pair, `NFACC_REG_ENABLE): from_odd = {31'd0, enable};
		has(rd_pair, `NFACC_REG_IDLE_AFTER): from_odd = idle_after;
		has(rd_pair, `NFACC_REG_CONFIG_HI): begin
			from_odd = 32'd0;
			has_odd = DATA == 64;
		end
		has(rd_pair, `NFACC_REG_PACKETS_HI):
			from_odd = both ? packets[63:32] : packets_high;
		has(rd_pair, `NFACC_REG_DROPPED_HI):
			from_odd = both ? dropped[63:32] : dropped_high;
		has(rd_pair, `NFACC_REG_UNSEEN_HI): from_odd = both ? unseen[63:32] : unseen_high;
		has(rd_pair, `NFACC_REG_BATCHES_HI):
			from_odd = both ? batches[63:32] : batches_high;
		has(rd_pair, `NFACC_REG_BASE_HI): from_odd = base[63:32];
		has(rd_pair, `NFACC_REG_COUNT_HI): from_odd = count[63:32];
		has(rd_pair, `NFACC_REG_WINDOW_HI): from_odd = window[63:32];
		has(rd_pair, `NFACC_REG_LIMIT_HI): from_odd = limit[63:32];
		has(rd_pair, `NFACC_REG_STOPPED_HI): begin
			from_odd = ~HAS_TIME ? 32'd0 : both ? stopped[63:32] : stopped_high;
			has_odd = HAS_TIME;
		end
		has(rd_pair, `NFACC_REG_TICKS_LOST_HI): begin
			from_odd = ~HAS_TIME ? 32'd0 : both ? ticks_lost[63:32] : ticks_lost_high;
			has_odd = HAS_TIME;
		end
		has(rd_pair, `NFACC_REG_JOIN_WRONG): begin
			from_odd = join_wrong;
			has_odd = HAS_JOINS != 0;
		end
		has(rd_pair, `NFACC_REG_END): begin
			from_odd = {31'd0, has_end};
			has_odd = HAS_TIME;
		end
		has(rd_pair, `NFACC_REG_WINDOW_AFTER_HI): begin
			from_odd = HAS_AFTER ? after[63:32] : 32'd0;
			has_odd = HAS_AFTER;
		end
		has(rd_pair, `NFACC_REG_SWAP_ON_HI): begin
			from_odd = HAS_SWAP_ON ? swap_on[63:32] : 32'd0;
			has_odd = HAS_SWAP_ON;
		end
		has(rd_pair, `NFACC_REG_HISTOGRAM_TABLE): begin
			from_odd = 32'd0;
			has_odd = HAS_BINS;
		end
		has(rd_pair, `NFACC_REG_BINNED_HI): begin
			from_odd = ~HAS_BINS ? 32'd0 : both ? binned[63:32] : binned_high;
			has_odd = HAS_BINS;
		end
		has(rd_pair, `NFACC_REG_ACCEPTED_HI): begin
			from_odd = ~HAS_COUNTS ? 32'd0 : both ? accepted[63:32] : accepted_high;
			has_odd = HAS_COUNTS;
		end
		default: begin
			from_odd = 32'd0;
			has_odd = 1'b0;
		end
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

	// Returns the new value of an element's register. It is `loaded` if `load` is set.
	// Otherwise it is `old` with the halves replaced that the bus writes: `low` if `lo` is set,
	// `high` if `hi` is.
	function [63:0] value(input [63:0] old, input load, input [63:0] loaded, input lo, input hi,
		input [31:0] low, input [31:0] high);
		value = load ? loaded : {hi ? high : old[63:32], lo ? low : old[31:0]};
	endfunction

	generate
		if (HAS_SWAP_ON) begin : g_swap_on
			reg [63:0] labels;
			assign swap_on = labels;
			always @(posedge clk) begin
				labels <= value(labels, 1'b0, 64'd0,
					has(even, `NFACC_REG_SWAP_ON_LO),
					has(odd, `NFACC_REG_SWAP_ON_HI), to_even, to_odd);
				if (rst | reset | swap_begins)
					labels <= 64'd0;
			end
		end else begin : g_no_swap_on
			wire unused_begins = &{1'b0, swap_begins};
			assign swap_on = 64'd0;
		end
	endgenerate

	always @(posedge clk) begin
		if (wr_go & ~wr_error & we_even & has(wr_pair, `NFACC_REG_CONFIG))
			config_low <= to_even;
		if (set[`NFACC_EL_BY_LINE])
			by_line <= set_value[0];
		else if (has(even, `NFACC_REG_BY_LINE))
			by_line <= to_even[0];
		base <= value(base, set[`NFACC_EL_BASE], set_value,
			has(even, `NFACC_REG_BASE_LO),
			has(odd, `NFACC_REG_BASE_HI), to_even, to_odd);
		count <= value(count, set[`NFACC_EL_COUNT], set_value,
			has(even, `NFACC_REG_COUNT_LO),
			has(odd, `NFACC_REG_COUNT_HI), to_even, to_odd);
		window <= value(window, set[`NFACC_EL_WINDOW_SIZE], set_value,
			has(even, `NFACC_REG_WINDOW_LO),
			has(odd, `NFACC_REG_WINDOW_HI), to_even, to_odd);
		limit <= value(limit, set[`NFACC_EL_LIMIT], set_value,
			has(even, `NFACC_REG_LIMIT_LO),
			has(odd, `NFACC_REG_LIMIT_HI), to_even, to_odd);
		after <= value(after, set[`NFACC_EL_WINDOW_AFTER], set_value,
			has(even, `NFACC_REG_WINDOW_AFTER_LO),
			has(odd, `NFACC_REG_WINDOW_AFTER_HI), to_even, to_odd);
		if (HAS_TIME & set[`NFACC_EL_TICK])
			tick <= set_value[31:0];
		else if (HAS_TIME & has(even, `NFACC_REG_TICK))
			tick <= to_even;
		if (HAS_TIME & set[`NFACC_EL_END])
			has_end <= set_value[0];
		else if (HAS_TIME & has(odd, `NFACC_REG_END))
			has_end <= to_odd[0];
		if (has(odd, `NFACC_REG_ENABLE))
			enable <= to_odd[0];
		if (has(odd, `NFACC_REG_IDLE_AFTER))
			idle_after <= to_odd;
		if (HAS_COUNTS & has(even, `NFACC_REG_LABEL))
			label <= to_even[5:0];
		if (HAS_BINS & has(even, `NFACC_REG_BIN))
			bin <= to_even[11:0];
		if (HAS_BINS & has(even, `NFACC_REG_HISTOGRAM))
			{field_bits, field_lsb, by_field, by_label} <=
				{to_even[`NFACC_HISTOGRAM_BITS_LSB +: `NFACC_HISTOGRAM_BITS_WIDTH],
				to_even[`NFACC_HISTOGRAM_LSB_LSB +: `NFACC_HISTOGRAM_LSB_WIDTH],
				to_even[`NFACC_HISTOGRAM_FIELD_LSB],
				to_even[`NFACC_HISTOGRAM_LABEL_LSB]};
		if (rd_go & rd_low)
			(* parallel_case *) case (1'b1)
			has(rd_pair, `NFACC_REG_PACKETS_LO): packets_high <= packets[63:32];
			has(rd_pair, `NFACC_REG_DROPPED_LO): dropped_high <= dropped[63:32];
			has(rd_pair, `NFACC_REG_UNSEEN_LO): unseen_high <= unseen[63:32];
			has(rd_pair, `NFACC_REG_BATCHES_LO): batches_high <= batches[63:32];
			has(rd_pair, `NFACC_REG_STOPPED_LO): stopped_high <= stopped[63:32];
			has(rd_pair, `NFACC_REG_TICKS_LOST_LO):
				ticks_lost_high <= ticks_lost[63:32];
			has(rd_pair, `NFACC_REG_ACCEPTED_LO): accepted_high <= accepted[63:32];
			has(rd_pair, `NFACC_REG_BINNED_LO): binned_high <= binned[63:32];
			default: ;
			endcase
		if (rst | reset) begin
			enable <= 1'b1;
			idle_after <= 32'd0;
			label <= 6'd0;
			bin <= 12'd0;
		end
		if (rst) begin
			by_line <= 1'b0;
			base <= 64'd0;
			count <= 64'd0;
			window <= 64'd0;
			limit <= 64'd0;
			after <= 64'd0;
			tick <= 32'd0;
			has_end <= 1'b0;
			{field_bits, field_lsb, by_field, by_label} <= 12'd0;
		end
	end

`ifdef FORMAL
	wire [DATA-1:0] f_data = rd_data | rd_more;
	// An arbitrary register that can be written and read is a memory: it returns what the bus
	// or the loader wrote last. A count is read without tearing. Every access is answered as
	// doc/develop/contract.md says.
	(* anyconst *) reg [11:0] f_at;
	reg [31:0] f_value;  // what the register at f_at has
	reg f_known = 1'b0;  // it was written, or reset
	reg f_past = 1'b0;
	wire f_in_range = count <= LINES && window <= WINDOW && (!HAS_AFTER || after <= WINDOW) &&
		!(by_line && count == 0);
	// Bit c: whether the values were in range 1 + c cycles before, and the loader set some
	// then, or the bus or a reset could.
	reg [1:0] f_ranges, f_loaded_before, f_written_before;
	reg [1:0] f_known_ranges = 0; // how many cycles that is known of, at most 2

	// What the loader writes to the register at an address: the element, and its half.
	function [5:0] f_element(input [11:0] at);
		case (at)
		`NFACC_REG_BY_LINE: f_element = {1'b0, 5'd`NFACC_EL_BY_LINE};
		`NFACC_REG_BASE_LO: f_element = {1'b0, 5'd`NFACC_EL_BASE};
		`NFACC_REG_BASE_HI: f_element = {1'b1, 5'd`NFACC_EL_BASE};
		`NFACC_REG_COUNT_LO: f_element = {1'b0, 5'd`NFACC_EL_COUNT};
		`NFACC_REG_COUNT_HI: f_element = {1'b1, 5'd`NFACC_EL_COUNT};
		`NFACC_REG_WINDOW_LO: f_element = {1'b0, 5'd`NFACC_EL_WINDOW_SIZE};
		`NFACC_REG_WINDOW_HI: f_element = {1'b1, 5'd`NFACC_EL_WINDOW_SIZE};
		`NFACC_REG_LIMIT_LO: f_element = {1'b0, 5'd`NFACC_EL_LIMIT};
		`NFACC_REG_LIMIT_HI: f_element = {1'b1, 5'd`NFACC_EL_LIMIT};
		`NFACC_REG_TICK: f_element = HAS_TIME ? {1'b0, 5'd`NFACC_EL_TICK} : 6'd0;
		`NFACC_REG_END: f_element = HAS_TIME ? {1'b0, 5'd`NFACC_EL_END} : 6'd0;
		`NFACC_REG_WINDOW_AFTER_LO:
			f_element = HAS_AFTER ? {1'b0, 5'd`NFACC_EL_WINDOW_AFTER} : 6'd0;
		`NFACC_REG_WINDOW_AFTER_HI:
			f_element = HAS_AFTER ? {1'b1, 5'd`NFACC_EL_WINDOW_AFTER} : 6'd0;
		default: f_element = 6'd0;
		endcase
	endfunction
	function f_swap_on(input [11:0] at);
		f_swap_on = HAS_SWAP_ON &&
			(at == `NFACC_REG_SWAP_ON_LO || at == `NFACC_REG_SWAP_ON_HI);
	endfunction
	function f_bins(input [11:0] at);
		f_bins = HAS_BINS && (at == `NFACC_REG_HISTOGRAM || at == `NFACC_REG_BIN);
	endfunction
	function f_kept(input [11:0] at); // a register that the bus writes and reads back
		f_kept = at == `NFACC_REG_ENABLE || at == `NFACC_REG_IDLE_AFTER ||
			(HAS_COUNTS && at == `NFACC_REG_LABEL) || f_swap_on(at) || f_bins(at) ||
			f_element(at) != 0;
	endfunction
	function [31:0] f_bits(input [11:0] at); // the bits that a register has
		f_bits = at == `NFACC_REG_ENABLE || at == `NFACC_REG_BY_LINE ||
			at == `NFACC_REG_END ? 32'd1 :
			at == `NFACC_REG_LABEL ? 32'd63 : at == `NFACC_REG_BIN ? 32'd4095 :
			at == `NFACC_REG_HISTOGRAM ? 32'hf3f03 : 32'hffffffff;
	endfunction
	// The registers that take writes, if elements and bins do.
	function f_writable(input [11:0] at, input elements, input bins);
		f_writable = at == `NFACC_REG_CONTROL || at == `NFACC_REG_CONFIG ||
			(DATA == 64 && at == `NFACC_REG_CONFIG_HI) || at == `NFACC_REG_ENABLE ||
			at == `NFACC_REG_IDLE_AFTER || (HAS_COUNTS && at == `NFACC_REG_LABEL) ||
			f_swap_on(at) || (HAS_BINS && at == `NFACC_REG_BIN) ||
			(HAS_BINS && bins &&
			(at == `NFACC_REG_HISTOGRAM || at == `NFACC_REG_HISTOGRAM_TABLE)) ||
			(f_element(at) != 0 && elements);
	endfunction

	wire [11:0] f_pair = {f_at[11:3], 3'd0};
	wire f_lane_even = DATA == 32 ? (&wr_strb) & ~wr_addr[2] : &wr_strb[3:0];
	wire f_lane_odd = DATA == 32 ? (&wr_strb) & wr_addr[2] : &wr_strb[DATA/8-1 -: 4];
	wire f_written = wr_go & ~wr_error & ({wr_addr[11:3], 3'd0} == f_pair) &
		(f_at[2] ? f_lane_odd : f_lane_even);
	wire [31:0] f_to = DATA == 64 && f_at[2] ? wr_data[DATA-1 -: 32] : wr_data[31:0];
	wire [31:0] f_from = DATA == 64 && f_at[2] ? f_data[DATA-1 -: 32] : f_data[31:0];
	wire f_read = rd_go & ~rd_error & (DATA == 64 ? {rd_addr[11:3], 3'd0} == f_pair :
		rd_addr == f_at);
	wire [11:0] f_wr_even = {wr_addr[11:3], 3'd0}, f_wr_odd = {wr_addr[11:3], 3'd4};
	wire f_even = DATA == 32 ? (|wr_strb) & ~wr_addr[2] : |wr_strb[3:0];
	wire f_odd = DATA == 32 ? (|wr_strb) & wr_addr[2] : |wr_strb[DATA/8-1 -: 4];
	reg [31:0] f_low;        // what CONFIG was written last
	reg f_low_known = 1'b0;
	wire [5:0] f_of = f_element(f_at);
	wire f_loaded = f_of != 0 && set[f_of[4:0]];

	// Counts: the high half that the last read of the low half saw.
	localparam F_COUNTS = 8;
	localparam [7:0] F_HAS = {HAS_BINS, HAS_COUNTS, HAS_TIME, HAS_TIME, 4'b1111};
	reg [8*32-1:0] f_high;
	reg [7:0] f_latched = 8'd0;
	wire [8*64-1:0] f_counts = {binned, accepted, ticks_lost, stopped, batches, unseen, dropped,
		packets};
	wire [8*12-1:0] f_low_at = {`NFACC_REG_BINNED_LO, `NFACC_REG_ACCEPTED_LO,
		`NFACC_REG_TICKS_LOST_LO, `NFACC_REG_STOPPED_LO, `NFACC_REG_BATCHES_LO,
		`NFACC_REG_UNSEEN_LO, `NFACC_REG_DROPPED_LO, `NFACC_REG_PACKETS_LO};
	integer f_i;
	// A write is refused that is misaligned, or reaches a part of a register, a register below
	// its address, or one that takes no writes now. Without any lane it is refused at an
	// address where nothing takes writes.
	function f_refused(input [11:0] at, input elements, input bins);
		f_refused = at[1:0] != 0 ||
			(f_even && (!f_lane_even || at[2] ||
			!f_writable(f_wr_even, elements, bins))) ||
			(f_odd && (!f_lane_odd || !f_writable(f_wr_odd, elements, bins))) ||
			!(f_writable(f_wr_even, elements, bins) || f_writable(f_wr_odd, elements, bins));
	endfunction
	wire f_whole = wr_addr[1:0] == 0 && (!f_even || (f_lane_even && !wr_addr[2])) &&
		(!f_odd || f_lane_odd);

	reg f_elements, f_elements_bins; // what was writable in the cycle before
	always @(posedge clk) begin
		f_past <= 1'b1;
		f_elements <= elements_writable;
		f_elements_bins <= bins_writable;
		if (!f_past) assume (rst);
		assume (f_kept(f_at));
		f_known_ranges <= f_past ? (f_known_ranges == 0 ? 1 : 2) : 0;
		f_ranges <= {f_ranges[0], f_in_range};
		f_loaded_before <= {f_loaded_before, |set};
		f_written_before <= {f_written_before, second | rst};
		if (f_loaded) begin
			f_value <= (f_of[5] ? set_value[63:32] : set_value[31:0]) & f_bits(f_at);
			f_known <= 1'b1;
		end else if (f_written) begin
			f_value <= f_to & f_bits(f_at);
			f_known <= 1'b1;
		end
		if (rst || (reset && f_of == 0 && f_at != `NFACC_REG_HISTOGRAM) ||
				(swap_begins && f_swap_on(f_at))) begin
			f_value <= f_at == `NFACC_REG_ENABLE ? 32'd1 : 32'd0;
			f_known <= 1'b1;
		end
		for (f_i = 0; f_i < F_COUNTS; f_i = f_i + 1)
			if (F_HAS[f_i] && rd_go && rd_addr == f_low_at[f_i*12 +: 12]) begin
				f_high[f_i*32 +: 32] <= f_counts[f_i*64+32 +: 32];
				f_latched[f_i] <= 1'b1;
			end
		if (wr_go && !wr_error && f_lane_even && f_wr_even == `NFACC_REG_CONFIG) begin
			f_low <= wr_data[31:0];
			f_low_known <= 1'b1;
		end
		if (rst) begin
			f_latched <= 8'd0;
			f_low_known <= 1'b0;
		end
		if (f_past) begin
			assert (f_known && (f_value & ~f_bits(f_at)) == 0);
			if (f_read) assert (f_from == f_value);
			// The ports have what the registers have.
			if (f_at == `NFACC_REG_ENABLE) assert (enable == f_value[0]);
			if (f_at == `NFACC_REG_IDLE_AFTER) assert (idle_after == f_value);
			if (f_at == `NFACC_REG_BY_LINE) assert (by_line == f_value[0]);
			if (f_of[4:0] == `NFACC_EL_BASE)
				assert ((f_of[5] ? base[63:32] : base[31:0]) == f_value);
			if (f_of[4:0] == `NFACC_EL_COUNT)
				assert ((f_of[5] ? count[63:32] : count[31:0]) == f_value);
			if (f_of[4:0] == `NFACC_EL_WINDOW_SIZE)
				assert ((f_of[5] ? window[63:32] : window[31:0]) == f_value);
			if (f_of[4:0] == `NFACC_EL_WINDOW_AFTER)
				assert ((f_of[5] ? after[63:32] : after[31:0]) == f_value);
			if (f_of[4:0] == `NFACC_EL_LIMIT)
				assert ((f_of[5] ? limit[63:32] : limit[31:0]) == f_value);
			if (f_of[4:0] == `NFACC_EL_TICK) assert (tick == f_value);
			if (f_of[4:0] == `NFACC_EL_END) assert (has_end == f_value[0]);
			for (f_i = 0; f_i < F_COUNTS; f_i = f_i + 1) begin
				if (F_HAS[f_i] && rd_go && rd_addr == f_low_at[f_i*12 +: 12]) begin
					assert (f_data[31:0] == f_counts[f_i*64 +: 32]);
					if (DATA == 64)
						assert (f_data[DATA-1 -: 32] ==
							f_counts[f_i*64+32 +: 32]);
				end
				if (f_latched[f_i] && rd_go &&
						rd_addr == f_low_at[f_i*12 +: 12] + 4)
					assert (f_data[DATA-1 -: 32] == f_high[f_i*32 +: 32]);
			end
			if (f_latched[0]) assert (packets_high == f_high[0 +: 32]);
			if (f_latched[1]) assert (dropped_high == f_high[32 +: 32]);
			if (f_latched[2]) assert (unseen_high == f_high[64 +: 32]);
			if (f_latched[3]) assert (batches_high == f_high[96 +: 32]);
			if (f_latched[4]) assert (stopped_high == f_high[128 +: 32]);
			if (f_latched[5]) assert (ticks_lost_high == f_high[160 +: 32]);
			if (f_latched[6]) assert (accepted_high == f_high[192 +: 32]);
			if (f_latched[7]) assert (binned_high == f_high[224 +: 32]);
			if (HAS_COUNTS && f_at == `NFACC_REG_LABEL) assert (label == f_value);
			if (HAS_BINS && f_at == `NFACC_REG_BIN) assert (bin == f_value);
			if (HAS_BINS && f_at == `NFACC_REG_HISTOGRAM) assert (histogram == f_value);
			// A word of the tables is taken once, if it is not refused.
			assert (table_shift == (HAS_BINS && wr_go && !wr_error && f_lane_odd &&
				f_wr_odd == `NFACC_REG_HISTOGRAM_TABLE));
			if (table_shift) assert (table_data == wr_data[DATA-1 -: 32]);
			if (HAS_SWAP_ON && f_at == `NFACC_REG_SWAP_ON_LO)
				assert (swap_on[31:0] == f_value);
			if (HAS_SWAP_ON && f_at == `NFACC_REG_SWAP_ON_HI)
				assert (swap_on[63:32] == f_value);
			if (wr_go)
				assert (wr_error == f_refused(wr_addr, f_elements,
					f_elements_bins));
			if (rd_go && rd_addr[1:0] != 0) assert (rd_error);
			// What was decided about the write before it was on the plain bus.
			if (wr_full) begin
				assert (to_control == (f_whole && f_lane_even &&
					f_wr_even == `NFACC_REG_CONTROL));
				assert (to_config == (f_whole && (DATA == 32 ? f_lane_even :
					f_lane_odd) && f_wr_even == `NFACC_REG_CONFIG));
				assert (we_even == f_lane_even && we_odd == f_lane_odd);
				assert (wr_pair == 32'd1 << wr_addr[7:3]);
				for (f_i = 0; f_i < 32; f_i = f_i + 1) begin
					assert (zero[f_i/8] == (wr_data[f_i/8*8 +: 8] == 0));
					assert (alone[f_i] ==
						(wr_data[f_i/8*8 +: 8] == 8'd1 << f_i % 8));
				end
				assert (refused == f_refused(wr_addr, 1'b1, 1'b1));
				assert ((refused || asks_elements || (HAS_BINS && asks_bins)) ==
					f_refused(wr_addr, 1'b0, 1'b0));
				assert ((refused || (HAS_BINS && asks_bins)) ==
					f_refused(wr_addr, 1'b1, 1'b0));
			end
			if (rd_full)
				assert (rd_pair == (rd_addr < 256 ? 32'd1 << rd_addr[7:3] :
					32'd0) && rd_low == (rd_addr[2:0] == 0));
			// What takes effect in the second cycle of a write, which is then done.
			if (second) assert (wr_full && !s_axil_bvalid && !to_config);
			assert (command_valid == (second && to_control && wr_data[31:0] != 0));
			assert (command == (command_valid &&
				(wr_data[31:0] & (wr_data[31:0] - 1)) == 0 ? wr_data[31:0] : 0));
			assert (refuses == (second && f_refused(wr_addr, f_elements,
				f_elements_bins)));
			assert (even == (second && !refuses && we_even ? wr_pair : 0));
			assert (odd == (second && !refuses && we_odd ? wr_pair : 0));
			// A command is a write to CONTROL that is not refused, and not of 0.
			assert (rst || command_valid == (wr_go && !wr_error && f_lane_even &&
				f_wr_even == `NFACC_REG_CONTROL && wr_data[31:0] != 0));
			// A configuration word waits on the bus until the loader takes it, and then
			// comes once.
			if (config_valid) assert (config_ready && wr_go && !wr_error);
			if (wr_go && !wr_error && DATA == 32 && wr_addr == `NFACC_REG_CONFIG &&
					(&wr_strb))
				assert (config_valid && config_data == wr_data);
			if (DATA == 64 && f_low_known) assert (config_low == f_low);
			if (wr_go && !wr_error && DATA == 64 && f_lane_odd &&
					f_wr_even == `NFACC_REG_CONFIG) begin
				assert (config_valid && config_data[DATA-1 -: 32] ==
					wr_data[DATA-1 -: 32]);
				if (f_lane_even) assert (config_data[31:0] == wr_data[31:0]);
				else if (f_low_known) assert (config_data[31:0] == f_low);
			end
			// A command sees what the write before it asked for: none is so near.
			if (f_written_before[0])
				assert (!second && (s_axil_bvalid || !wr_full));
			if (second) assert (f_written_before == 0);
			if (f_known_ranges != 0)
				assert (f_ranges[0] == (count_high & count_low & window_high &
					window_low & after_fits));
			if (f_known_ranges != 0 && !f_written_before[0] && !f_loaded_before[0])
				assert (f_ranges[0] == f_in_range);
			if (f_known_ranges == 2 && f_written_before == 0 && f_loaded_before == 0)
				assert (f_ranges[1] == f_in_range);
			if (f_known_ranges == 2)
				assert (elements_in_range == f_ranges[1]);
		end
	end
`endif
endmodule
`default_nettype wire
