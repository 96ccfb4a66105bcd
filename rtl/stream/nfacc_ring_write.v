// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// nfacc_ring_write: writes beats to a ring in memory, by bursts of an AXI4 master. A burst ends where
// a multiple of BURST beats does, so none crosses a limit of 4 KB or the end of the ring. It is begun
// when all its beats are there, or with those that are there after FLUSH cycles. After an answer that
// reports an error nothing more is begun, and all that is not known to be in memory counts as lost.
`default_nettype none

module nfacc_ring_write #(
	parameter BURST = 16,       // the most beats of a burst: a power of two, 2 .. 64
	parameter OUTSTANDING = 8,  // the most bursts without an answer: a power of two, 2 ..
	parameter LEVEL_BITS = 7,   // bits of `level`
	parameter FLUSH = 64        // cycles after which a short burst is begun: 2 ..
) (
	input wire clk,
	input wire rst,
	input wire start,           // a run begins; there is no beat in this module
	input wire [63:0] base,     // of the ring, a multiple of 4096
	input wire [31:0] last_beat, // the number of its last beat; the ring has a multiple of 64 beats
	input wire [LEVEL_BITS-1:0] level, // beats that wait
	input wire in_valid,        // one of them is at in_data
	output wire in_ready,
	input wire [511:0] in_data,
	input wire [1:0] in_ends,   // records that end in it
	output reg m_axi_awvalid,
	input wire m_axi_awready,
	output reg [63:0] m_axi_awaddr,
	output reg [7:0] m_axi_awlen,
	output wire m_axi_wvalid,
	input wire m_axi_wready,
	output wire [511:0] m_axi_wdata,
	output wire m_axi_wlast,
	input wire m_axi_bvalid,
	output wire m_axi_bready,
	input wire [1:0] m_axi_bresp,
	output reg error,           // an answer was not OKAY, since the start
	output reg [1:0] response,  // it was this one
	output reg [63:0] written,  // beats in memory since the start
	output reg [63:0] records,  // records that end in them
	output reg [7:0] lost,      // records that end in beats that are lost, in the previous cycle
	output wire busy            // there is a beat or a burst in this module
);
	localparam BITS = $clog2(BURST), MOST_BITS = $clog2(OUTSTANDING);
	localparam FLUSH_BITS = $clog2(FLUSH);
	localparam [31:0] LAST_FLUSH = FLUSH - 1;
	localparam [FLUSH_BITS-1:0] LAST_CYCLE = LAST_FLUSH[FLUSH_BITS-1:0];
	localparam [BITS:0] WHOLE = BURST;

	generate
		if (BURST < 2 || BURST > 64 || (1 << BITS) != BURST || LEVEL_BITS <= BITS) begin : g_burst
			nfacc_error_ring_burst e ();
		end
	endgenerate

	reg [31:0] place;           // where in the ring the next burst begins, in beats
	reg [63:0] address;         // and where in memory
	reg [BITS:0] left;          // beats of the current burst still to be written
	reg [BITS:0] size;          // beats of the current burst
	reg [MOST_BITS:0] open;     // bursts that were begun and have no answer
	reg [FLUSH_BITS-1:0] waited;
	reg [BITS+1:0] ends;        // records that ended in the current burst so far

	wire [BITS:0] whole = WHOLE - {1'b0, place[BITS-1:0]}; // beats up to the next multiple
	wire enough = level >= {{(LEVEL_BITS-BITS-1){1'b0}}, whole};
	wire [BITS:0] now = enough ? whole : level[BITS:0];
	wire idle = left == {(BITS+1){1'b0}};
	wire unused_last = &{1'b0, last_beat[BITS-1:0]}; // ones: the ring has whole bursts
	// Whether a burst may be begun is found out in the cycle before it is. Meanwhile the beats that
	// wait only become more.
	reg may_begin;
	reg [BITS:0] next;          // beats of the burst that may be begun
	wire begin_burst = may_begin & ~error;
	wire [31:0] next_place = place + {{(31-BITS){1'b0}}, next};
	wire turns = (place[31:BITS] == last_beat[31:BITS]) & (next == whole);

	assign m_axi_wvalid = ~idle & in_valid;
	assign m_axi_wdata = in_data;
	assign m_axi_wlast = left == {{BITS{1'b0}}, 1'b1};
	wire drop = error & idle & in_valid;
	assign in_ready = idle ? error : m_axi_wready;
	wire wrote = m_axi_wvalid & m_axi_wready;
	wire [BITS+1:0] all_ends = ends + {{BITS{1'b0}}, in_ends};

	// What a burst has waits for its answer.
	wire told_valid, unused_ready, unused_filled;
	wire [MOST_BITS:0] unused_level;
	wire [BITS:0] told_size;
	wire [BITS+1:0] told_ends;
	nfacc_fifo #(.WIDTH(2 * BITS + 3), .DEPTH(OUTSTANDING)) bursts (
		.clk(clk), .rst(rst), .flush(1'b0), .in_valid(wrote & m_axi_wlast),
		.in_ready(unused_ready), .in_data({size, all_ends}), .out_valid(told_valid),
		.out_ready(m_axi_bvalid), .out_data({told_size, told_ends}),
		.filled(unused_filled), .level(unused_level));

	assign m_axi_bready = told_valid;
	wire answered = m_axi_bvalid & told_valid;
	wire good = answered & ~error & (m_axi_bresp == 2'b00);
	assign busy = ~idle | m_axi_awvalid | (open != {(MOST_BITS+1){1'b0}}) |
		(level != {LEVEL_BITS{1'b0}});

	always @(posedge clk) begin
		next <= now;
		may_begin <= idle & ~m_axi_awvalid & ~error & ~open[MOST_BITS] & ~may_begin & (enough |
			((level != {LEVEL_BITS{1'b0}}) & (waited == LAST_CYCLE))) & ~rst;
		waited <= begin_burst | ~idle | (level == {LEVEL_BITS{1'b0}}) ? {FLUSH_BITS{1'b0}} :
			waited + {{(FLUSH_BITS-1){1'b0}}, (waited != LAST_CYCLE)};
		if (m_axi_awready)
			m_axi_awvalid <= 1'b0;
		if (wrote) begin
			left <= left - {{BITS{1'b0}}, 1'b1};
			ends <= all_ends;
		end
		if (begin_burst) begin
			m_axi_awvalid <= 1'b1;
			m_axi_awaddr <= address;
			m_axi_awlen <= {{(7-BITS){1'b0}}, next} - 8'd1;
			left <= next;
			size <= next;
			ends <= {(BITS+2){1'b0}};
			place <= turns ? 32'd0 : next_place;
			address <= turns ? base : address + {{(57-BITS){1'b0}}, next, 6'd0};
		end
		open <= open + {{MOST_BITS{1'b0}}, begin_burst} - {{MOST_BITS{1'b0}}, answered};
		if (good) begin
			written <= written + {{(63-BITS){1'b0}}, told_size};
			records <= records + {{(62-BITS){1'b0}}, told_ends};
		end
		lost <= (answered & ~good ? {{(6-BITS){1'b0}}, told_ends} : 8'd0) +
			(drop ? {6'd0, in_ends} : 8'd0);
		if (answered & ~error & (m_axi_bresp != 2'b00)) begin
			error <= 1'b1;
			response <= m_axi_bresp;
		end
		if (start) begin
			place <= 32'd0;
			address <= base;
			written <= 64'd0;
			records <= 64'd0;
			error <= 1'b0;
			response <= 2'b00;
		end
		if (rst) begin
			m_axi_awvalid <= 1'b0;
			left <= {(BITS+1){1'b0}};
			size <= {(BITS+1){1'b0}};
			place <= 32'd0;
			open <= {(MOST_BITS+1){1'b0}};
			written <= 64'd0;
			records <= 64'd0;
			error <= 1'b0;
			response <= 2'b00;
			lost <= 8'd0;
		end
	end

`ifdef FORMAL
	// The rules of AXI4 for whoever writes: what is offered stays until it is taken; a burst is
	// aligned, and within 4 KB and the ring; bursts follow each other in the ring; each has as
	// many beats as its address says, with the last one marked, and only an answered burst counts.
	reg f_past = 1'b0;
	reg f_ran = 1'b0;         // a run was started
	reg [BITS:0] f_left;      // beats that the current burst lacks
	reg [MOST_BITS:0] f_open; // bursts whose last beat was written, without an answer
	wire [31:0] f_last_of_burst = ((m_axi_awaddr - base) >> 6) + m_axi_awlen;
	always @(posedge clk) begin
		f_past <= 1'b1;
		if (!f_past) assume (rst);
		assume (base[11:0] == 0 && last_beat[5:0] == 6'h3f);
		assume (base[63:40] == 0); // the ring ends below 2^64
		if (f_past && !start) assume ($stable(base) && $stable(last_beat));
		if (start) assume (!busy);
		if (!f_ran) assume (level == 0 && !in_valid);
		if (in_valid) assume (level != 0);
		if (f_past) assume (level + $past(in_valid && in_ready) >= $past(level));
		f_ran <= (f_ran || start) && !rst;
		// The box of answers has one for each burst that was written.
		if (told_valid) assume (f_open != 0);
		f_open <= rst ? 0 : f_open + (wrote && m_axi_wlast) - answered;
		if (f_past) begin
			if (!f_ran) assert (left == 0 && !m_axi_awvalid && open == 0);
			if (f_ran && !start) assert (place <= last_beat);
			if (f_ran && !start) assert (address == base + {26'd0, place, 6'd0});
			assert (left <= WHOLE && size <= WHOLE && left <= size);
			// What is about to begin has its beats, and may be begun.
			if (may_begin) assert (idle && !m_axi_awvalid && !open[MOST_BITS]);
			if (may_begin && !error)
				assert (next != 0 && next <= whole && next <= level && f_ran);
			assert (open <= OUTSTANDING && f_open <= OUTSTANDING);
			assert (open == f_open + (left != 0));
			if (m_axi_awvalid) begin
				assert (m_axi_awaddr[5:0] == 0);
				assert (m_axi_awaddr[11:6] + {2'b00, m_axi_awlen} <= 63);
				assert (m_axi_awaddr >= base && f_last_of_burst <= last_beat);
				assert (m_axi_awlen + 1 == size && left <= size);
			end
			assert (m_axi_wlast == (left == 1));
			if (m_axi_wvalid) assert (left != 0);
		end
		if (f_past && f_ran && $past(f_ran && !rst)) begin
			if ($past(m_axi_awvalid && !m_axi_awready))
				assert (m_axi_awvalid && $stable(m_axi_awaddr) && $stable(m_axi_awlen));
			// A new burst begins where the one before it ended, after its last beat.
			if (m_axi_awvalid && $past(!m_axi_awvalid)) begin
				assert ($past(idle && !error));
				assert (m_axi_awaddr == base + {26'd0, $past(place), 6'd0});
				assert (left == m_axi_awlen + 1 && size == left);
				assert (place == (f_last_of_burst == last_beat ? 0 : f_last_of_burst + 1));
			end else begin
				assert (left == $past(left) - $past(wrote));
				if (!$past(start)) assert ($stable(place));
			end
			// What the counts say.
			if (!$past(start)) begin
				assert (written == $past(written) + ($past(answered && !error &&
					m_axi_bresp == 0) ? $past(told_size) : 0));
				assert (records == $past(records) + ($past(answered && !error &&
					m_axi_bresp == 0) ? $past(told_ends) : 0));
				assert (error == $past(error || (answered && m_axi_bresp != 0)));
			end
			if ($past(in_valid && in_ready && !wrote))
				assert ($past(error));
			if ($past(in_valid && in_ready && !wrote) && $past(!answered))
				assert (lost == $past(in_ends));
			if ($past(answered && (error || m_axi_bresp != 0)) && $past(!drop))
				assert (lost == $past(told_ends));
		end
	end
`endif
endmodule
`default_nettype wire
