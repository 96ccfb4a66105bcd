// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// nfacc_ring: hands records on, and writes them to a ring in memory if that is switched on
// (doc/develop/rtl.md, "Trace into memory"). It decides for each record, at its first word, where it
// goes. The ring ends, overwrites its oldest beats, or waits for its reader when it has no room; while
// memory is slow, or the ring waits, no word is taken. So the only records that are lost here are
// those that LOST counts: after an error of the bus, and after the ring was full.
`default_nettype none

module nfacc_ring #(
	parameter MOST_WORDS = 67,  // the most words of a record: 4 .. 588
	parameter DEPTH = 64,       // beats that can wait for the memory: a power of two, BURST ..
	parameter BURST = 16,       // the most beats of a burst: a power of two, 2 .. 64
	parameter OUTSTANDING = 8,  // the most bursts without an answer: a power of two, 2 ..
	parameter FLUSH = 256       // cycles after which what has come is written: 4 .. 65536
) (
	input wire clk,
	input wire rst,
	input wire start,           // `on` rises in the next cycle; not while busy
	input wire on,              // records go to memory
	input wire only,            // and not to the stream
	input wire wrap,            // without room: overwrite the oldest beats
	input wire waits,           // or wait for the reader; with neither the ring stops
	input wire [23:0] run,
	input wire [63:0] base,     // of the ring, a multiple of 4096
	input wire [31:0] last_beat, // the number of its last beat; it has a multiple of 64
	input wire [63:0] read,     // beats that were read since the start
	input wire [63:0] s_axis_tdata,
	input wire s_axis_tvalid,
	output wire s_axis_tready,
	input wire s_axis_tlast,
	output wire [63:0] m_axis_tdata,
	output wire m_axis_tvalid,
	input wire m_axis_tready,
	output wire m_axis_tlast,
	output wire m_axi_awvalid,
	input wire m_axi_awready,
	output wire [63:0] m_axi_awaddr,
	output wire [7:0] m_axi_awlen,
	output wire m_axi_wvalid,
	input wire m_axi_wready,
	output wire [511:0] m_axi_wdata,
	output wire m_axi_wlast,
	input wire m_axi_bvalid,
	output wire m_axi_bready,
	input wire [1:0] m_axi_bresp,
	output reg full,            // the ring has stopped, because it is full
	output wire error,          // an answer of the bus was this `response`
	output wire [1:0] response,
	output wire busy,           // something is inside that goes to memory, or is being lost
	output wire [63:0] written, // beats in memory since the start
	output wire [63:0] records, // records in memory
	output reg [63:0] lost      // records that are not
);
	localparam BITS = $clog2(DEPTH);
	// The most beats that a record takes, with the beat before it, and one for each cycle for
	// which `room` may be late.
	localparam [31:0] MOST_BEATS = (MOST_WORDS + 6) / 7 + 4;

	// Where the current record goes: to memory, to the stream, or nowhere and is counted.
	reg held;                   // a record is under way, which goes where `held_*` say
	reg held_memory, held_stream, held_lost;
	reg [2:0] settled;          // `room` is right when all its bits are 1
	reg memory_done, stream_done; // one of both has taken the word, the other one has not
	reg room;
	wire works = on & ~error & ~full;
	wire pauses = works & (~&settled | (waits & ~room));
	wire new_memory = works & (wrap | room);
	wire to_memory = held ? held_memory : new_memory;
	wire to_stream = held ? held_stream : ~(on & only);
	wire to_lost = held ? held_lost : on & ~new_memory;
	wire goes = held | ~pauses;
	wire valid = s_axis_tvalid & goes;

	wire pack_ready, pack_busy;
	wire pack_valid = valid & to_memory & ~memory_done;
	assign m_axis_tdata = s_axis_tdata;
	assign m_axis_tlast = s_axis_tlast;
	assign m_axis_tvalid = valid & to_stream & ~stream_done;
	assign s_axis_tready = goes & (~to_memory | memory_done | pack_ready) &
		(~to_stream | stream_done | m_axis_tready);
	wire taken = s_axis_tvalid & s_axis_tready;

	wire beat_valid, beat_ready, out_valid, out_ready, unused_filled;
	wire [511:0] beat, out_beat;
	wire [1:0] beat_ends, out_ends;
	wire [47:0] beats;
	wire [BITS:0] level;
	wire [7:0] lost_now;
	wire write_busy;

	nfacc_ring_pack #(.FLUSH(FLUSH)) pack (
		.clk(clk), .rst(rst), .start(start), .run(run), .last_beat(last_beat),
		.in_valid(pack_valid), .in_ready(pack_ready), .in_data(s_axis_tdata),
		.in_last(s_axis_tlast), .out_valid(beat_valid), .out_ready(beat_ready),
		.out_data(beat), .out_ends(beat_ends), .beats(beats), .busy(pack_busy));

	nfacc_fifo #(.WIDTH(514), .DEPTH(DEPTH)) fifo (
		.clk(clk), .rst(rst), .flush(1'b0), .in_valid(beat_valid), .in_ready(beat_ready),
		.in_data({beat_ends, beat}), .out_valid(out_valid), .out_ready(out_ready),
		.out_data({out_ends, out_beat}), .filled(unused_filled), .level(level));

	nfacc_ring_write #(
		.BURST(BURST), .OUTSTANDING(OUTSTANDING), .LEVEL_BITS(BITS + 2), .FLUSH(FLUSH)
	) write (
		.clk(clk), .rst(rst), .start(start), .base(base), .last_beat(last_beat),
		.level({1'b0, level} + {{(BITS+1){1'b0}}, out_valid}), .in_valid(out_valid),
		.in_ready(out_ready), .in_data(out_beat), .in_ends(out_ends),
		.m_axi_awvalid(m_axi_awvalid), .m_axi_awready(m_axi_awready),
		.m_axi_awaddr(m_axi_awaddr), .m_axi_awlen(m_axi_awlen),
		.m_axi_wvalid(m_axi_wvalid), .m_axi_wready(m_axi_wready),
		.m_axi_wdata(m_axi_wdata), .m_axi_wlast(m_axi_wlast),
		.m_axi_bvalid(m_axi_bvalid), .m_axi_bready(m_axi_bready),
		.m_axi_bresp(m_axi_bresp), .error(error), .response(response),
		.written(written), .records(records), .lost(lost_now), .busy(write_busy));

	assign busy = pack_busy | write_busy | (held & (held_memory | held_lost)) |
		(lost_now != 8'd0);

	reg [63:0] end_of_room;     // no beat from this one on may be written
	reg [63:0] end_of_record;   // the next record needs no beat from this one on
	always @(posedge clk) begin
		end_of_room <= read + {32'd0, last_beat} + 64'd1;
		end_of_record <= {16'd0, beats} + {32'd0, MOST_BEATS};
		room <= end_of_record <= end_of_room;
		if (valid & ~held & works & ~new_memory)
			full <= 1'b1;
		settled <= {settled[1:0], 1'b1};
		held_memory <= to_memory;
		held_stream <= to_stream;
		held_lost <= to_lost;
		held <= (held | valid) & ~(taken & s_axis_tlast);
		memory_done <= (memory_done | (pack_valid & pack_ready)) & ~taken;
		stream_done <= (stream_done | (m_axis_tvalid & m_axis_tready)) & ~taken;
		lost <= lost + {56'd0, lost_now} + {63'd0, taken & s_axis_tlast & to_lost};
		if (start) begin
			full <= 1'b0;
			settled <= 3'd0;
			lost <= 64'd0;
		end
		if (rst) begin
			settled <= 3'd0;
			held <= 1'b0;
			memory_done <= 1'b0;
			stream_done <= 1'b0;
			full <= 1'b0;
			lost <= 64'd0;
		end
	end

`ifdef FORMAL
	// Every record that is taken while the ring is on is in memory when nothing is inside, or it is
	// counted as lost. Without an error, and with room, none is lost. The stream gets each word once.
	reg f_past = 1'b0;
	reg f_begins = 1'b1;      // the next word begins a record
	reg f_decided, f_counts;  // it was offered and did not have to wait; it counts
	reg [63:0] f_taken, f_words, f_out; // records that count; words in, and out to the stream
	reg f_started = 1'b0;
	reg [2:0] f_length;
	wire f_now = f_decided ? f_counts : on;
	always @(posedge clk) begin
		f_past <= 1'b1;
		assume (rst == !f_past);
		assume (last_beat == 32'd63 && base == 64'd0 && !(wrap && waits) && !only);
		if (f_past) assume (!start || !(on || busy));
		if (f_past && !$past(on)) assume (!on || $past(start));
		assume (!on || f_started);
		if (f_past && $past(s_axis_tvalid && !s_axis_tready && !rst))
			assume (s_axis_tvalid && $stable(s_axis_tlast));
		if (rst) assume (!s_axis_tvalid);
		if (s_axis_tvalid) assume (s_axis_tlast == (f_length == 3));
		if (taken) begin
			f_begins <= s_axis_tlast;
			f_length <= s_axis_tlast ? 0 : f_length + 1;
			f_words <= f_words + 1;
		end
		f_decided <= (f_decided || (s_axis_tvalid && !(on && pauses))) &&
			!(taken && s_axis_tlast);
		f_counts <= f_now;
		if (m_axis_tvalid && m_axis_tready) f_out <= f_out + 1;
		if (taken && s_axis_tlast && f_now) f_taken <= f_taken + 1;
		if (start) begin
			f_taken <= 0;
			f_started <= 1'b1;
		end
		if (rst) begin
			f_taken <= 0;
			f_words <= 0;
			f_out <= 0;
			f_length <= 0;
			f_begins <= 1'b1;
			f_decided <= 1'b0;
			f_started <= 1'b0;
		end
		if (f_past && f_started) begin
			if (!busy && f_begins && !f_decided && !start) assert (f_taken == records + lost);
			if (f_begins && !held) assert (f_words == f_out);
			// Memory may have the last word before the stream has it.
			assert (records <= f_taken + f_decided);
			assert (lost == 0 || full || error);
			if ($past(f_past && m_axis_tvalid && !m_axis_tready)) assert (m_axis_tvalid);
			cover (records == 1);
			cover (error && lost == 1 && !busy);
		end
	end
`endif
endmodule
`default_nettype wire
