// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// The parts of virt_front for its proof: their outputs are anything at any time. What the proof
// needs of them it assumes in virt_front.v.
`include "virt_contract.vh"
`default_nettype none

module virt_any #(parameter WIDTH = 1) (output wire [WIDTH-1:0] out);
	\$anyseq #(.WIDTH(WIDTH)) any (.Y(out));
endmodule
