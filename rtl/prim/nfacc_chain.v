// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// nfacc_chain: one configuration element of storage class CHAIN (doc/develop/contract.md):
// flip-flops that are loaded by shifting. Bit b of the element is bit b % DATA of word b / DATA.
// There are DATA chains side by side, one for each bit of a word. A new word enters at the place of
// the last word and moves down by one place with each later word. So after all words the first one
// is in place 0.
`default_nettype none
module nfacc_chain #(
	parameter BITS = 1,  // 1..: bits of the element
	parameter WORDS = 1, // configuration words of the element: BITS / DATA, rounded up
	parameter DATA = 32  // 32 or 64: bits of a configuration word
) (
	input wire clk,
	input wire shift,             // take in the word `data`
	input wire [DATA-1:0] data,   // a configuration word
	output wire [BITS-1:0] value  // the bits of the element
);
	// The padding of the last word is stored, too. Without it some chains would be one word
	// shorter than the others. Synthesis removes the flip-flops that drive nothing.
	reg [WORDS*DATA-1:0] chain;
	assign value = chain[BITS-1:0];
	generate
		if (WORDS != (BITS + DATA - 1) / DATA) begin : g_bad_words
			nfacc_error_chain_words e ();
		end
		if (WORDS == 1) begin : g_one
			always @(posedge clk)
				if (shift)
					chain <= data;
		end else begin : g_many
			always @(posedge clk)
				if (shift)
					chain <= {data, chain[WORDS*DATA-1:DATA]};
		end
		if (WORDS * DATA > BITS) begin : g_padding
			wire unused_padding = ^chain[WORDS*DATA-1:BITS];
		end
	endgenerate

`ifdef FORMAL
	// A shift moves each word down by one place and puts the new one in the last place.
	reg [1:0] f_past = 2'd0;
	always @(posedge clk) begin
		f_past <= {f_past[0], 1'b1};
		if (f_past[0] && !$past(shift))
			assert (value == $past(value));
		if (f_past[0] && $past(shift))
			assert (value[BITS-1:(WORDS-1)*DATA] ==
				$past(data[BITS-(WORDS-1)*DATA-1:0]));
	end
	if (WORDS > 1) begin : g_f_many
		always @(posedge clk) begin
			if (f_past[0] && $past(shift))
				assert (value[BITS-DATA-1:0] == $past(value[BITS-1:DATA]));
			if (f_past[1] && $past(shift) && $past(shift, 2))
				assert (value[(WORDS-1)*DATA-1:(WORDS-2)*DATA] ==
					$past(data, 2));
		end
	end
`endif
endmodule
`default_nettype wire
