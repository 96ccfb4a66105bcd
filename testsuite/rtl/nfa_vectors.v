// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// nfa_vectors: runs nfacc_nfa through the cycles that nfa_model writes for the shape "four".
// nfa.test replaces that name for other shapes. This is for simulators without a C++ interface.
`default_nettype none
module nfa_vectors;
	reg clk = 1'b0;
	// One line of the file: bit 640 is the cycle's `checked`, the 128 bits below it are `out`,
	// and the lowest 512 bits are `in` (nfa_model.h).
	reg [643:0] cycle;
	wire [127:0] out;
	integer file, got, count, outputs;
	nfa_all dut (.clk(clk), .four_in(cycle[511:0]), .four_out(out));
	initial begin
		file = $fopen("vectors.hex", "r");
		count = 0;
		outputs = 0;
		got = $fscanf(file, "%h\n", cycle);
		while (got == 1) begin
			#1;
			if (cycle[640] && out !== cycle[639:512]) begin
				$display("cycle %0d: wanted %h, got %h", count, cycle[639:512],
					out);
				$fatal;
			end
			if (cycle[640])
				outputs = outputs + 1;
			clk = 1'b1;
			#1 clk = 1'b0;
			count = count + 1;
			got = $fscanf(file, "%h\n", cycle);
		end
		if (outputs < 500) begin
			$display("only %0d cycles were checked", outputs);
			$fatal;
		end
		$display("PASS: %0d cycles", outputs);
		$finish;
	end
endmodule
`default_nettype wire
