// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// An AXI4 memory for testsuite/hdl/rocket.test: one read and one write at a time, WORDS words of WIDTH
// bits, which an address beyond them names again. An answer comes after 1 to 8 cycles.
module rocket_memory #(
	parameter WIDTH = 128,
	parameter WORDS = 16384
) (
	input clock,
	input reset,
	output aw_ready,
	input aw_valid,
	input [3:0] aw_id,
	input [31:0] aw_addr,
	output w_ready,
	input w_valid,
	input [WIDTH-1:0] w_data,
	input [WIDTH/8-1:0] w_strb,
	input w_last,
	input b_ready,
	output b_valid,
	output [3:0] b_id,
	output ar_ready,
	input ar_valid,
	input [3:0] ar_id,
	input [31:0] ar_addr,
	input [7:0] ar_len,
	input r_ready,
	output r_valid,
	output [3:0] r_id,
	output [WIDTH-1:0] r_data,
	output r_last
);
	localparam LSB = $clog2(WIDTH / 8), BITS = $clog2(WORDS);

	reg [WIDTH-1:0] words [0:WORDS-1];
	reg [15:0] noise;                         // a shift register with feedback: how long an answer takes
	reg writing, written;
	reg [3:0] write_id, write_wait;
	reg [BITS-1:0] write_at;
	reg reading;
	reg [3:0] read_id, read_wait;
	reg [BITS-1:0] read_at;
	reg [7:0] read_left;
	integer i;

	assign aw_ready = !writing && !written;
	assign w_ready = writing;
	assign b_valid = written && write_wait == 0;
	assign b_id = write_id;
	assign ar_ready = !reading;
	assign r_valid = reading && read_wait == 0;
	assign r_id = read_id;
	assign r_data = words[read_at];
	assign r_last = read_left == 0;

	always @(posedge clock) begin
		noise <= reset ? 16'd1 : {noise[14:0], noise[15] ^ noise[13] ^ noise[12] ^ noise[10]};
		if (aw_ready && aw_valid) begin
			writing <= 1;
			write_id <= aw_id;
			write_at <= aw_addr[LSB +: BITS];
		end
		if (w_ready && w_valid) begin
			for (i = 0; i < WIDTH / 8; i = i + 1)
				if (w_strb[i])
					words[write_at][i * 8 +: 8] <= w_data[i * 8 +: 8];
			write_at <= write_at + 1;
			writing <= !w_last;
			written <= w_last;
			write_wait <= {1'b0, noise[2:0]};
		end
		if (written && write_wait != 0)
			write_wait <= write_wait - 1;
		if (b_valid && b_ready)
			written <= 0;
		if (ar_ready && ar_valid) begin
			reading <= 1;
			read_id <= ar_id;
			read_at <= ar_addr[LSB +: BITS];
			read_left <= ar_len;
			read_wait <= {1'b0, noise[5:3]};
		end
		if (reading && read_wait != 0)
			read_wait <= read_wait - 1;
		if (r_valid && r_ready) begin
			read_at <= read_at + 1;
			read_left <= read_left - 1;
			reading <= !r_last;
		end
		if (reset) begin
			writing <= 0;
			written <= 0;
			reading <= 0;
		end
	end
endmodule
