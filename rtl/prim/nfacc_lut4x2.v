// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// nfacc_lut4x2: two truth tables of the same four inputs. Their 32 bits are shifted in like those
// of nfacc_lut5, bit 31 first. Bits 0 to 15 are one table, bits 16 to 31 the other. With XILINX
// both tables are one primitive CFGLUT5, whose fifth input is 1. Otherwise they are 32 flip-flops
// and two multiplexers.
`default_nettype none
module nfacc_lut4x2 #(
	parameter XILINX = 0 // 0: portable Verilog, 1: primitive CFGLUT5
) (
	input wire clk,
	input wire shift,       // take in the bit `cdi`
	input wire cdi,         // this bit becomes bit 0, all others move up
	input wire [3:0] index, // the four inputs as a number
	output wire cdo,        // bit 31, which leaves with the next shift, to the next table's cdi
	output wire low,        // bit `index`
	output wire high        // bit 16 + `index`
);
	generate
		if (XILINX != 0) begin : g_xilinx
			CFGLUT5 lut (
				.CLK(clk), .CE(shift), .CDI(cdi), .CDO(cdo), .O5(low), .O6(high),
				.I4(1'b1), .I3(index[3]), .I2(index[2]), .I1(index[1]),
				.I0(index[0])
			);
		end else begin : g_portable
			reg [31:0] truth;
			assign cdo = truth[31];
			assign low = truth[{1'b0, index}];
			assign high = truth[{1'b1, index}];
			always @(posedge clk)
				if (shift)
					truth <= {truth[30:0], cdi};
		end
	endgenerate

`ifdef FORMAL
	// A shift moves each bit up by one, from the lower table into the upper one too, and puts
	// cdi into bit 0. Without a shift nothing changes.
	(* anyconst *) reg [3:0] f_index;
	reg f_past = 1'b0;
	always @(posedge clk) begin
		f_past <= 1'b1;
		if (f_past && index == f_index) begin
			if ($past(shift) && f_index == 4'd0) begin
				assert (low == $past(cdi));
				if ($past(index) == 4'd15)
					assert (high == $past(low));
			end
			if ($past(shift) && f_index != 4'd0 && $past(index) == f_index - 4'd1)
				assert (low == $past(low) && high == $past(high));
			if (!$past(shift) && $past(index) == f_index)
				assert (low == $past(low) && high == $past(high));
		end
	end
	always @(*)
		if (index == 4'd15)
			assert (cdo == high);
`endif
endmodule
`default_nettype wire
