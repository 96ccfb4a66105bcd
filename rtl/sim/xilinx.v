// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// Models of the primitives that rtl/ uses, written from their public description. They are for
// simulation only.
/* verilator lint_off DECLFILENAME */
`default_nettype none
// A LUT with five inputs whose 32 bits are a shift register. CDI enters at bit 0, and CDO is bit
// 31. The inputs I4..I0 choose the bit O6. I3..I0 choose the bit O5 from the lower half.
module CFGLUT5 (
	input wire CLK, CE, CDI, I4, I3, I2, I1, I0,
	output wire CDO, O5, O6
);
	/*verilator no_inline_module*/
	reg [31:0] truth;
	assign CDO = truth[31];
	assign O5 = truth[{1'b0, I3, I2, I1, I0}];
	assign O6 = truth[{I4, I3, I2, I1, I0}];
	always @(posedge CLK)
		if (CE)
			truth <= {truth[30:0], CDI};
endmodule

// LUT RAM of 32 rows. A row has eight pairs of bits. Each pair is read at its own address. All
// pairs are written at the address ADDRH.
module RAM32M16 (
	input wire WCLK, WE,
	input wire [4:0] ADDRA, ADDRB, ADDRC, ADDRD, ADDRE, ADDRF, ADDRG, ADDRH,
	input wire [1:0] DIA, DIB, DIC, DID, DIE, DIF, DIG, DIH,
	output wire [1:0] DOA, DOB, DOC, DOD, DOE, DOF, DOG, DOH
);
	/*verilator no_inline_module*/
	reg [63:0] a, b, c, d, e, f, g, h;
	assign DOA = a[{ADDRA, 1'b0} +: 2];
	assign DOB = b[{ADDRB, 1'b0} +: 2];
	assign DOC = c[{ADDRC, 1'b0} +: 2];
	assign DOD = d[{ADDRD, 1'b0} +: 2];
	assign DOE = e[{ADDRE, 1'b0} +: 2];
	assign DOF = f[{ADDRF, 1'b0} +: 2];
	assign DOG = g[{ADDRG, 1'b0} +: 2];
	assign DOH = h[{ADDRH, 1'b0} +: 2];
	always @(posedge WCLK)
		if (WE) begin
			a[{ADDRH, 1'b0} +: 2] <= DIA;
			b[{ADDRH, 1'b0} +: 2] <= DIB;
			c[{ADDRH, 1'b0} +: 2] <= DIC;
			d[{ADDRH, 1'b0} +: 2] <= DID;
			e[{ADDRH, 1'b0} +: 2] <= DIE;
			f[{ADDRH, 1'b0} +: 2] <= DIF;
			g[{ADDRH, 1'b0} +: 2] <= DIG;
			h[{ADDRH, 1'b0} +: 2] <= DIH;
		end
endmodule
`default_nettype wire
