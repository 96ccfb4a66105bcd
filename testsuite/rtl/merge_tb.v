// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// merge_tb: gives nfacc_merge what the files a.taps and b.taps say, and prints what comes out. A line is
// the cycle of delivery, the time, the slots and the headers; the output's lines are time, slots, headers,
// or `lost` and a number.
`default_nettype none

module merge_tb;
	parameter SKEW = 4;
	reg clk = 1'b0, rst = 1'b1, a_valid = 1'b0, b_valid = 1'b0;
	reg [63:0] now = 64'd0, a_time = 64'd0, b_time = 64'd0, a_at = 64'd0, b_at = 64'd0;
	reg [1:0] a_present = 2'd0, b_present = 2'd0;
	reg [15:0] a_header = 16'd0, b_header = 16'd0;
	wire m_valid, m_loss_valid;
	wire [3:0] m_present;
	wire [31:0] m_header;
	wire [63:0] m_time, lost;
	wire [8:0] m_loss;
	integer a, b, got, quiet = 0;
	reg a_more = 1'b1, b_more = 1'b1;
	reg [63:0] last_time = 64'd0;

	nfacc_merge #(.SLOTS_A(2), .SLOTS_B(2), .HEADER_BITS(8), .SKEW(SKEW)) merge (
		.clk(clk), .rst(rst), .now(now), .a_valid(a_valid), .a_present(a_present),
		.a_header(a_header), .a_time(a_time), .b_valid(b_valid), .b_present(b_present),
		.b_header(b_header), .b_time(b_time), .m_valid(m_valid), .m_present(m_present),
		.m_header(m_header), .m_time(m_time), .m_loss_valid(m_loss_valid), .m_loss(m_loss),
		.lost(lost));

	always #5 clk = ~clk;

	initial begin
		a = $fopen("a.taps", "r");
		b = $fopen("b.taps", "r");
		repeat (3) @(negedge clk);
		rst = 1'b0;
		got = $fscanf(a, "%d %d %h %h\n", a_at, a_time, a_present, a_header);
		a_more = got == 4;
		got = $fscanf(b, "%d %d %h %h\n", b_at, b_time, b_present, b_header);
		b_more = got == 4;
		while (a_more || b_more || quiet < 200) begin
			a_valid = a_more && a_at == now;
			b_valid = b_more && b_at == now;
			@(negedge clk);
			if (m_valid)
				$display("%0d %h %h", m_time, m_present, m_header);
			if (m_loss_valid)
				$display("lost %0d", m_loss);
			if (m_time < last_time)
				$display("the time falls");
			last_time = m_time;
			if (a_valid) begin
				got = $fscanf(a, "%d %d %h %h\n", a_at, a_time, a_present, a_header);
				a_more = got == 4;
			end
			if (b_valid) begin
				got = $fscanf(b, "%d %d %h %h\n", b_at, b_time, b_present, b_header);
				b_more = got == 4;
			end
			if (!a_more && !b_more)
				quiet = quiet + 1;
			now = now + 64'd1;
		end
		$display("end %0d", lost);
		$finish;
	end
endmodule
`default_nettype wire
