// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// nfacc_fifo: a memory that is first in, first out. The memory is read into the output register, as
// block RAM needs it. An entry reaches the output two cycles after it came. One entry can pass in
// every cycle. With REGISTERED a register of its own follows the memory's, so the output comes from
// flip-flops, which is faster than from block RAM; an entry takes a cycle more, and
// one passes every second cycle: the memory's register does not ask whether the other one is free.
`default_nettype none

module nfacc_fifo #(
	parameter WIDTH = 8,  // bits of an entry, 1 ..
	parameter DEPTH = 16, // entries of the memory: a power of two, 2 ..
	parameter REGISTERED = 0 // 1: the output is a register of its own
) (
	input wire clk,
	input wire rst,
	input wire flush,                  // drop all entries but the one at the output
	input wire in_valid,
	output wire in_ready,
	input wire [WIDTH-1:0] in_data,
	output reg out_valid,
	input wire out_ready,
	output reg [WIDTH-1:0] out_data,
	output wire filled,                 // there is an entry before the output
	output wire [$clog2(DEPTH):0] level // entries in the memory, without those in registers
);
	localparam BITS = $clog2(DEPTH);

	generate
		if (DEPTH < 2 || (1 << BITS) != DEPTH) begin : g_depth
			nfacc_error_fifo_depth e ();
		end
	endgenerate

	(* no_rw_check *) reg [WIDTH-1:0] memory [0:DEPTH-1]; // none is read as it is written
	reg [BITS-1:0] wr, rd;
	reg [BITS:0] count;
	reg stored; // the memory has an entry

	wire push = in_valid & in_ready;
	wire free = ~out_valid | out_ready;
	wire takes; // the register behind the memory takes an entry
	wire pull = stored & takes;
	wire one = count == {{BITS{1'b0}}, 1'b1};

	assign in_ready = ~count[BITS];
	assign level = count;

	always @(posedge clk) begin
		// Whether an entry comes or not, as that is known later: the next one replaces it.
		if (in_ready)
			memory[wr] <= in_data;
		if (push)
			wr <= wr + {{(BITS-1){1'b0}}, 1'b1};
		if (pull)
			rd <= rd + {{(BITS-1){1'b0}}, 1'b1};
		if (push & ~pull)
			count <= count + {{BITS{1'b0}}, 1'b1};
		if (pull & ~push)
			count <= count - {{BITS{1'b0}}, 1'b1};
		stored <= push | (stored & ~(pull & one));
		if (flush | rst) begin
			wr <= {BITS{1'b0}};
			rd <= {BITS{1'b0}};
			count <= {(BITS+1){1'b0}};
			stored <= 1'b0;
		end
	end

	generate
		if (REGISTERED != 0) begin : g_registered
			reg [WIDTH-1:0] data; // of the memory
			reg valid;
			assign takes = ~valid;
			assign filled = stored | valid;
			always @(posedge clk) begin
				if (pull)
					data <= memory[rd];
				if (free)
					out_data <= data;
				valid <= (pull | (valid & ~free)) & ~flush & ~rst;
				out_valid <= (free ? valid & ~flush : 1'b1) & ~rst;
			end
		end else begin : g_memory
			assign takes = free;
			assign filled = stored;
			always @(posedge clk) begin
				if (pull)
					out_data <= memory[rd];
				out_valid <= (free ? pull & ~flush : 1'b1) & ~rst;
			end
		end
	endgenerate

`ifdef FORMAL
	// The data of an arbitrary entry is 1, that of entries before it 0, that of entries after
	// it 2.
	localparam [2:0] AWAY = 0, MEMORY = 1, READ = 2, OUTPUT = 3, GONE = 4;
	(* anyseq *) reg f_pick;
	reg f_past = 1'b0;
	reg [2:0] f_at = AWAY;
	reg [BITS-1:0] f_pos;
	wire [BITS-1:0] f_ahead = f_pos - rd;
	reg [BITS-1:0] f_k;
	wire f_valid;             // the register between memory and output has an entry
	wire [WIDTH-1:0] f_data;
	generate
		if (REGISTERED != 0) begin : g_f_registered
			assign f_valid = g_registered.valid;
			assign f_data = g_registered.data;
		end else begin : g_f_memory
			assign f_valid = 1'b0;
			assign f_data = 0;
		end
	endgenerate
	integer k;
	always @(posedge clk) begin
		f_past <= 1'b1;
		if (!f_past) assume (rst);
		assume (in_data == (f_at != AWAY ? 2 : f_pick & push ? 1 : 0));
		if (f_at == AWAY && push && f_pick && !flush) begin
			f_at <= MEMORY;
			f_pos <= wr;
		end
		if ((f_at == MEMORY || f_at == READ) && flush) f_at <= AWAY;
		else if (f_at == MEMORY && pull && f_pos == rd)
			f_at <= REGISTERED != 0 ? READ : OUTPUT;
		else if (f_at == READ && free) f_at <= OUTPUT;
		if (f_at == OUTPUT && out_ready) f_at <= GONE;
		if (rst) f_at <= AWAY;
		if (f_past) begin
			// The memory does not overflow, and `count` is the number of entries from
			// rd to wr.
			assert (count <= DEPTH);
			assert (wr == rd + count[BITS-1:0]);
			assert (in_ready == (count != DEPTH));
			assert (filled == (count != 0 || f_valid));
			assert (stored == (count != 0));
			assert (!(in_ready && pull && wr == rd));
			if ($past(f_past) && !$past(rst) && !$past(flush)) begin
				if ($past(REGISTERED != 0 ? f_valid : count != 0))
					assert (out_valid);
				if (REGISTERED != 0 && $past(count != 0 && !f_valid)) assert (f_valid);
			end
			if ($past(f_past) && !$past(rst) && $past(out_valid && !out_ready))
				assert (out_valid && $stable(out_data));
			// The entry is where f_at says, and comes out after all entries before it.
			assert (f_at <= GONE);
			if (f_at == MEMORY) assert ({1'b0, f_ahead} < count);
			if (f_at == READ) assert (f_valid);
			if (f_at == OUTPUT) assert (out_valid);
			if (out_valid)
				assert (out_data == (f_at == GONE ? 2 : f_at == OUTPUT ? 1 : 0));
			if (f_valid)
				assert (f_data == (f_at == GONE || f_at == OUTPUT ? 2 :
					f_at == READ ? 1 : 0));
			for (k = 0; k < DEPTH; k = k + 1) begin
				f_k = rd + k;
				if (k < count)
					assert (memory[f_k] == (f_at == AWAY ? 0 :
						f_at != MEMORY || k > f_ahead ? 2 :
						k == f_ahead ? 1 : 0));
			end
		end
	end
`endif
endmodule
`default_nettype wire
