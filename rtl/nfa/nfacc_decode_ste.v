// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// nfacc_decode_ste: the decoder of one STE. Each slot has a truth table that says for each letter
// whether the STE's predicate names it. A table has 32 entries, so letters of more than five bits
// take several tables for each slot. Combinational.
`default_nettype none
module nfacc_decode_ste #(
	parameter SLOTS = 1,    // 1..64: messages of a batch
	parameter ROW_BITS = 5, // 1..9: bits of a letter
	parameter NTABLE = 1,   // tables of a slot: 1 << (ROW_BITS - 5), at least 1
	parameter XILINX = 0    // 0: portable Verilog, 1: primitive CFGLUT5
) (
	input wire clk,
	input wire [SLOTS*ROW_BITS-1:0] letter, // the letter of each slot
	output wire [SLOTS-1:0] names,         // bit slot: the predicate names the slot's letter
	input wire shift,                      // shift one bit into each table
	// Bit slot*NTABLE + k: the bit that enters table k of the slot.
	input wire [SLOTS*NTABLE-1:0] cdi,
	// Bit slot*NTABLE + k: the bit that leaves table k of the slot.
	output wire [SLOTS*NTABLE-1:0] cdo
);
	/*verilator no_inline_module*/
	genvar s, k;
	generate
		for (s = 0; s < SLOTS; s = s + 1) begin : g_slot
			wire [ROW_BITS-1:0] op = letter[s*ROW_BITS +: ROW_BITS];
			wire [4:0] index;
			wire [15:0] low = 16'd1 << index[3:0]; // the same for all STEs
			wire [NTABLE-1:0] out;
			if (ROW_BITS >= 5) begin : g_low
				assign index = op[4:0];
			end else begin : g_short
				assign index = {{5-ROW_BITS{1'b0}}, op};
			end
			for (k = 0; k < NTABLE; k = k + 1) begin : g_table
				nfacc_lut5 #(.XILINX(XILINX), .DECODED(1)) lut (
					.clk(clk), .shift(shift), .cdi(cdi[s*NTABLE + k]),
					.cdo(cdo[s*NTABLE + k]), .index(index), .low(low),
					.out(out[k])
				);
			end
			if (NTABLE > 1) begin : g_mux
				assign names[s] = out[op[ROW_BITS-1:5]];
			end else begin : g_wire
				assign names[s] = out[0];
			end
		end
	endgenerate

`ifdef FORMAL
	// A shift moves each bit of a table up by one letter and puts cdi into the lowest bit.
	// Without a shift nothing changes. `names` is the table's bit for the slot's letter.
	(* anyconst *) reg [ROW_BITS-1:0] f_op;
	wire [ROW_BITS-1:0] f_low = f_op % 32;
	reg f_past = 1'b0;
	always @(posedge clk)
		f_past <= 1'b1;
	for (s = 0; s < SLOTS; s = s + 1) begin : g_f_slot
		wire [NTABLE-1:0] in = cdi[s*NTABLE +: NTABLE],
			leaves = cdo[s*NTABLE +: NTABLE];
		wire [ROW_BITS-1:0] op = letter[s*ROW_BITS +: ROW_BITS];
		always @(posedge clk)
			if (f_past && op == f_op) begin
				if ($past(shift) && f_low == 0)
					assert (names[s] == $past(in[f_op / 32]));
				if ($past(shift) && f_low != 0 && $past(op) == f_op - 1'b1)
					assert (names[s] == $past(names[s]));
				if (!$past(shift) && $past(op) == f_op)
					assert (names[s] == $past(names[s]));
			end
		if (ROW_BITS >= 5) begin : g_f_leaves
			always @(*)
				if (op % 32 == 31)
					assert (leaves[op / 32] == names[s]);
		end
	end
`endif
endmodule
`default_nettype wire
