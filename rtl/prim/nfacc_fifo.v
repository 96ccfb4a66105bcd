// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// nfacc_fifo: a memory that is first in, first out. The memory is read into the output register, as
// block RAM needs it. An entry reaches the output two cycles after it came. One entry can pass in
// every cycle.
`default_nettype none

module nfacc_fifo #(
	parameter WIDTH = 8, // bits of an entry, 1 ..
	parameter DEPTH = 16 // entries of the memory: a power of two, 2 ..
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
	output reg filled,                  // the memory has an entry
	output wire [$clog2(DEPTH):0] level // entries in the memory, without the one at the output
);
	localparam BITS = $clog2(DEPTH);

	generate
		if (DEPTH < 2 || (1 << BITS) != DEPTH) begin : g_depth
			nfacc_error_fifo_depth e ();
		end
	endgenerate

	reg [WIDTH-1:0] memory [0:DEPTH-1];
	reg [BITS-1:0] wr, rd;
	reg [BITS:0] count;

	wire push = in_valid & in_ready;
	wire pull = filled & (~out_valid | out_ready);
	wire one = count == {{BITS{1'b0}}, 1'b1};

	assign in_ready = ~count[BITS];
	assign level = count;

	always @(posedge clk) begin
		if (push) begin
			memory[wr] <= in_data;
			wr <= wr + {{(BITS-1){1'b0}}, 1'b1};
		end
		if (pull) begin
			out_data <= memory[rd];
			rd <= rd + {{(BITS-1){1'b0}}, 1'b1};
		end
		if (push & ~pull)
			count <= count + {{BITS{1'b0}}, 1'b1};
		if (pull & ~push)
			count <= count - {{BITS{1'b0}}, 1'b1};
		filled <= push | (filled & ~(pull & one));
		out_valid <= pull | (out_valid & ~out_ready);
		if (flush) begin
			wr <= {BITS{1'b0}};
			rd <= {BITS{1'b0}};
			count <= {(BITS+1){1'b0}};
			filled <= 1'b0;
			out_valid <= out_valid & ~out_ready;
		end
		if (rst) begin
			wr <= {BITS{1'b0}};
			rd <= {BITS{1'b0}};
			count <= {(BITS+1){1'b0}};
			filled <= 1'b0;
			out_valid <= 1'b0;
		end
	end

`ifdef FORMAL
	// The data of an arbitrary entry is 1, that of entries before it 0, that of entries after
	// it 2.
	localparam [1:0] AWAY = 0, MEMORY = 1, OUTPUT = 2, GONE = 3;
	(* anyseq *) reg f_pick;
	reg f_past = 1'b0;
	reg [1:0] f_at = AWAY;
	reg [BITS-1:0] f_pos;
	wire [BITS-1:0] f_ahead = f_pos - rd;
	reg [BITS-1:0] f_k;
	integer k;
	always @(posedge clk) begin
		f_past <= 1'b1;
		if (!f_past) assume (rst);
		assume (in_data == (f_at != AWAY ? 2 : f_pick & push ? 1 : 0));
		if (f_at == AWAY && push && f_pick && !flush) begin
			f_at <= MEMORY;
			f_pos <= wr;
		end
		if (f_at == MEMORY && flush) f_at <= AWAY;
		else if (f_at == MEMORY && pull && f_pos == rd) f_at <= OUTPUT;
		if (f_at == OUTPUT && out_ready) f_at <= GONE;
		if (rst) f_at <= AWAY;
		if (f_past) begin
			// The memory does not overflow, and `count` is the number of entries from
			// rd to wr.
			assert (count <= DEPTH);
			assert (wr == rd + count[BITS-1:0]);
			assert (in_ready == (count != DEPTH));
			assert (filled == (count != 0));
			if ($past(f_past) && !$past(rst) && !$past(flush)) begin
				if ($past(count) != 0) assert (out_valid);
				if ($past(out_valid && !out_ready))
					assert (out_valid && $stable(out_data));
			end
			// The entry is where f_at says, and comes out after all entries before it.
			if (f_at == MEMORY) assert ({1'b0, f_ahead} < count);
			if (f_at == OUTPUT) assert (out_valid);
			if (out_valid)
				assert (out_data == (f_at == GONE ? 2 : f_at == OUTPUT ? 1 : 0));
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
