// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// nfacc_ring_pack: packs the words of records into beats of 512 bits, as they lie in memory: a header
// and seven words (doc/develop/rtl.md, "Trace into memory"). The header says how many of the words
// count, at which of them the first record begins, and the run and the lap that the beat is of. So
// software can read a dump without any register. A beat that is not full is closed if no word has
// come for FLUSH cycles after the end of a record.
`default_nettype none

module nfacc_ring_pack #(
	parameter FLUSH = 256 // cycles after which a beat is closed: 2 .. 65536
) (
	input wire clk,
	input wire rst,
	input wire start,            // a run begins; there is no word in this module
	input wire [23:0] run,       // the number of the run
	input wire [31:0] last_beat, // the number of the ring's last beat
	input wire in_valid,         // a word comes; not in the cycle of start
	output wire in_ready,
	input wire [63:0] in_data,
	input wire in_last,          // it ends a record
	output wire out_valid,
	input wire out_ready,
	output wire [511:0] out_data,
	output wire [1:0] out_ends,  // records that end in the beat: each has four words or more
	output reg [47:0] beats,     // beats that left since the start
	output wire busy             // a word is inside
);
	localparam FLUSH_BITS = $clog2(FLUSH);
	localparam [31:0] LAST_FLUSH = FLUSH - 1;
	localparam [FLUSH_BITS-1:0] LAST_CYCLE = LAST_FLUSH[FLUSH_BITS-1:0];

	reg [447:0] words;
	reg [2:0] n, first;          // words in the beat; the first word of the first record, from 1
	reg [1:0] ends;
	reg closed, begins;          // no word more; the next word begins a record
	reg [FLUSH_BITS-1:0] quiet;
	reg [31:0] place, lap;       // of this beat in the ring

	wire push = out_valid & out_ready;
	wire take = in_valid & in_ready;
	wire [2:0] at = push ? 3'd0 : n; // where the word goes
	wire [2:0] held_first = push ? 3'd0 : first;
	wire [1:0] held_ends = push ? 2'd0 : ends;
	assign in_ready = ~closed | out_ready;
	assign out_valid = closed;
	assign out_data = {words, lap, run, 2'b00, first, n};
	assign out_ends = ends;
	assign busy = n != 3'd0;

	integer i;
	always @(posedge clk) begin
		for (i = 0; i < 7; i = i + 1)
			if (take & (at == i[2:0]))
				words[i*64 +: 64] <= in_data;
		n <= take ? at + 3'd1 : at;
		first <= take & begins & (held_first == 3'd0) ? at + 3'd1 : held_first;
		ends <= held_ends + {1'b0, take & in_last};
		if (take)
			begins <= in_last;
		quiet <= take | push ? {FLUSH_BITS{1'b0}} : quiet +
			{{(FLUSH_BITS-1){1'b0}}, (quiet != LAST_CYCLE)};
		closed <= take ? at == 3'd6 : ~push & (closed |
			((n != 3'd0) & begins & (quiet == LAST_CYCLE)));
		if (push) begin
			place <= place == last_beat ? 32'd0 : place + 32'd1;
			lap <= lap + {31'd0, place == last_beat};
			beats <= beats + 48'd1;
		end
		if (rst | start) begin
			n <= 3'd0;
			first <= 3'd0;
			ends <= 2'd0;
			closed <= 1'b0;
			begins <= 1'b1;
			quiet <= {FLUSH_BITS{1'b0}};
			place <= 32'd0;
			lap <= 32'd0;
			beats <= 48'd0;
		end
	end

`ifdef FORMAL
	// A beat has the words that came since the previous one, in order, and its header tells of
	// them. Word number f_k of the beat is an arbitrary one.
	(* anyconst *) reg [2:0] f_k;
	reg f_past = 1'b0;
	reg [63:0] f_word;
	reg [2:0] f_n, f_first;
	reg [1:0] f_ends;
	reg [2:0] f_length;      // words of the current record: at most 4
	reg f_begins;
	reg [47:0] f_beats;
	wire [2:0] f_at = push ? 3'd0 : f_n;
	always @(posedge clk) begin
		f_past <= 1'b1;
		if (!f_past) assume (rst);
		assume (f_k < 7);
		if (start) assume (!in_valid && !busy);
		if (in_valid && in_last) assume (f_length >= 3);
		if (take) f_length <= in_last ? 0 : f_length == 4 ? 4 : f_length + 1;
		if (push) begin
			f_n <= 0;
			f_first <= 0;
			f_ends <= 0;
			f_beats <= f_beats + 1;
		end
		if (take) begin
			if (f_at == f_k) f_word <= in_data;
			f_n <= f_at + 1;
			if (f_begins && (push || f_first == 0)) f_first <= f_at + 1;
			f_ends <= (push ? 0 : f_ends) + in_last;
			f_begins <= in_last;
		end
		if (rst || start) begin
			f_n <= 0;
			f_first <= 0;
			f_ends <= 0;
			f_begins <= 1;
			f_beats <= 0;
			f_length <= 0;
		end
		if (f_past) begin
			assert (n == f_n && first == f_first && ends == f_ends && begins == f_begins);
			assert (beats == f_beats);
			assert (f_begins == (f_length == 0) && f_length <= 4);
			// No count overflows: records are long, so only two can end in a beat.
			assert (f_ends <= 2 && (f_ends == 0 || f_n >= 1));
			if (f_ends == 2) assert (f_n >= 5 + f_length);
			if (f_ends == 1) assert (f_n >= 1 + f_length);
			if (f_ends == 0 && f_length < 4) assert (f_n <= f_length);
			if (f_k < f_n) assert (words[f_k*64 +: 64] == f_word);
			if (n == 7) assert (closed);
			if (closed) assert (n != 0 && (n == 7 || begins));
			if (out_valid) begin
				assert (out_data[2:0] == f_n && out_data[5:3] == f_first);
				assert (out_data[31:8] == run && out_data[63:32] == lap);
			end
			if ($past(f_past && !rst && !start)) begin
				if ($past(out_valid && !out_ready))
					assert (out_valid && $stable(n) && $stable(words));
				if ($past(push)) begin
					assert (place == ($past(place) == $past(last_beat) ? 0 :
						$past(place) + 1));
					assert (lap == $past(lap) +
						($past(place) == $past(last_beat)));
				end
				// What ends with a record is closed in time.
				if ($past(n != 0 && begins && !take && !push &&
						quiet == LAST_CYCLE))
					assert (closed);
			end
		end
	end
`endif
endmodule
`default_nettype wire
