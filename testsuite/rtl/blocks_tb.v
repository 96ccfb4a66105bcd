// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// blocks_tb: gives nfacc_blocks the headers of a file that block_vectors wrote, and compares its
// messages and its reduced input with those in the file.
`default_nettype none

module blocks_tb;
	localparam MOST = 6 * 32768;

	reg clk = 1'b0, rst = 1'b1;
	reg in_valid = 1'b0, out_valid = 1'b0;
	reg [63:0] in_header = 64'd0, out_header = 64'd0;
	wire in_message, out_message;
	wire [63:0] in_reduced, out_reduced, reduced;
	reg [63:0] vectors [0:MOST-1];
	reg [1023:0] file;
	integer i;

	nfacc_blocks dut (
		.clk(clk), .rst(rst),
		.in_valid(in_valid), .in_header(in_header),
		.out_valid(out_valid), .out_header(out_header),
		.in_message(in_message), .in_reduced(in_reduced),
		.out_message(out_message), .out_reduced(out_reduced), .reduced(reduced)
	);

	task cycle;
		begin
			#1 clk = 1'b1;
			#1 clk = 1'b0;
		end
	endtask

	initial begin
		if (!$value$plusargs("vectors=%s", file)) $fatal(1, "no vectors");
		$readmemh(file, vectors);
		cycle;
		for (i = 0; i < MOST && vectors[i] !== 64'bx; i = i + 6) begin
			{rst, out_valid, in_valid} = vectors[i][2:0];
			in_header = vectors[i + 1];
			out_header = vectors[i + 2];
			cycle;
			if (in_message !== in_valid || out_message !== out_valid)
				$fatal(1, "cycle %0d: messages", i / 6);
			if (in_valid && in_reduced !== vectors[i + 3])
				$fatal(1, "cycle %0d: in %h, not %h", i / 6, in_reduced,
					vectors[i + 3]);
			if (out_valid && out_reduced !== vectors[i + 4])
				$fatal(1, "cycle %0d: out %h, not %h", i / 6, out_reduced,
					vectors[i + 4]);
			if (reduced !== vectors[i + 5])
				$fatal(1, "cycle %0d: reduced %h, not %h", i / 6, reduced,
					vectors[i + 5]);
		end
		if (i < 6 * 9000) $fatal(1, "only %0d cycles", i / 6);
		$display("PASS");
		$finish;
	end
endmodule
`default_nettype wire
