// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// nfacc_lut5: a truth table with five inputs. Its 32 bits are shifted in, bit 31 first. With XILINX
// the table is the primitive CFGLUT5, a LUT that is its own shift register. Otherwise it is 32
// flip-flops and a multiplexer, or with DECODED an AND with each of 16 inputs, so that tables of
// one index share the decoding of its low bits: less logic, and a level less. Its content is
// undefined until 32 bits have been shifted in. Nothing uses the output during a shift.
`default_nettype none
module nfacc_lut5 #(
	parameter XILINX = 0, // 0: portable Verilog, 1: primitive CFGLUT5
	parameter DECODED = 0 // 1: portable Verilog reads `low`
) (
	input wire clk,
	input wire shift,       // take in the bit `cdi`
	input wire cdi,         // this bit becomes bit 0, all others move up
	input wire [4:0] index, // the five inputs as a number
	input wire [15:0] low,  // with DECODED: only bit index[3:0] is 1
	output wire cdo,        // bit 31, which leaves with the next shift, to the next table's cdi
	output wire out         // bit `index` of the table
);
	generate
		if (XILINX != 0) begin : g_xilinx
			wire unused_o5;
			wire unused_low = ^low;
			CFGLUT5 lut (
				.CLK(clk), .CE(shift), .CDI(cdi), .CDO(cdo), .O5(unused_o5),
				.O6(out), .I4(index[4]), .I3(index[3]), .I2(index[2]),
				.I1(index[1]), .I0(index[0])
			);
		end else begin : g_portable
			reg [31:0] truth;
			assign cdo = truth[31];
			if (DECODED != 0) begin : g_decoded
				assign out = |((index[4] ? truth[31:16] : truth[15:0]) & low);
				wire unused_index = ^index[3:0];
			end else begin : g_index
				assign out = truth[index];
				wire unused_low = ^low;
			end
			always @(posedge clk)
				if (shift)
					truth <= {truth[30:0], cdi};
		end
	endgenerate

`ifdef FORMAL
	always @(*)
		if (DECODED != 0) assume (low == 16'd1 << index[3:0]);
	// A shift moves each bit of the table up by one and puts cdi into bit 0; without a shift
	// nothing changes.
	(* anyconst *) reg [4:0] f_index;
	reg f_past = 1'b0;
	always @(posedge clk) begin
		f_past <= 1'b1;
		if (f_past && index == f_index) begin
			if ($past(shift) && f_index == 5'd0)
				assert (out == $past(cdi));
			if ($past(shift) && f_index != 5'd0 && $past(index) == f_index - 5'd1)
				assert (out == $past(out));
			if (!$past(shift) && $past(index) == f_index)
				assert (out == $past(out));
		end
	end
	always @(*)
		if (index == 5'd31)
			assert (cdo == out);
`endif
endmodule
`default_nettype wire
