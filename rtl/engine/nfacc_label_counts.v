// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// nfacc_label_counts: counts how many batches each label accepts. One of the counts can be read.
`default_nettype none

module nfacc_label_counts #(
	parameter LABELS = 1 // 1 .. 64: labels of the overlay
) (
	input wire clk,
	input wire clear,                // all counts are 0 again; no batch comes
	input wire valid,                // a batch comes
	input wire [LABELS-1:0] labels,  // with these labels
	input wire [5:0] label,          // the label to read; it has 0 from LABELS on
	output reg [63:0] accepted       // two cycles later: its count
);
	localparam [6:0] FOR = LABELS;
	reg [LABELS-1:0] adds;
	reg [LABELS*64-1:0] counts;
	genvar l;
	generate
		for (l = 0; l < LABELS; l = l + 1) begin : g_label
			always @(posedge clk) begin
				adds[l] <= valid & labels[l] & ~clear;
				counts[l*64 +: 64] <= clear ? 64'd0 :
					counts[l*64 +: 64] + {63'd0, adds[l]};
			end
		end
	endgenerate
	reg [5:0] label_q;
	always @(posedge clk) begin
		label_q <= label;
		accepted <= {1'b0, label_q} < FOR ? counts[64*label_q +: 64] : 64'd0;
	end

`ifdef FORMAL
	// The count of an arbitrary label is the number of batches with it, up to the previous cycle.
	(* anyconst *) reg [5:0] f_label;
	reg [1:0] f_past = 2'd0;
	reg [63:0] f_count;
	always @(posedge clk) begin
		f_past <= {f_past[0], 1'b1};
		if (f_past == 2'd0) assume (clear);
		if (clear) assume (!valid);
		assume (label == f_label);
		f_count <= clear ? 64'd0 : f_count +
			(valid && {1'b0, f_label} < FOR ? (labels >> f_label) & 1'b1 : 1'b0);
		if (f_past[0]) begin
			if ({1'b0, f_label} < FOR)
				assert (f_count == counts[64*f_label +: 64] + adds[f_label]);
			else
				assert (f_count == 64'd0);
		end
		if (f_past[1]) begin
			assert (label_q == f_label);
			assert (accepted == ({1'b0, f_label} < FOR ?
				$past(counts[64*f_label +: 64]) : 64'd0));
		end
	end
`endif
endmodule
`default_nettype wire
