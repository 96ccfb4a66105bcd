// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// nfacc_collect: computes the labels of a batch, and whether the batch is logged. A label is the OR
// over the active STEs and counters that carry it. Truth tables with five inputs each compute that
// OR. It takes two cycles, because its inputs are spread over the device.
`default_nettype none
module nfacc_collect #(
	parameter NSTE = 1,   // 1..: STEs of the overlay
	parameter NCOUNTERS = 0, // 0..: counters of the overlay
	parameter NGROUP = 1,    // groups of five nodes (STEs and counters), rounded up
	parameter LABELS = 1,    // 1..64: labels of the overlay
	parameter HITS = 1,   // bits of `hit` for each STE
	parameter LABEL_WORDS = 32, // configuration words of the labels' tables
	parameter LOG_WORDS = 32,   // configuration words of the log's tables
	parameter DATA = 32,  // 32 or 64: bits of a configuration word
	parameter XILINX = 0  // 0: portable Verilog, 1: primitive CFGLUT5
) (
	input wire clk,
	input wire [NSTE*HITS-1:0] hit,  // HITS bits for each STE; it is active if one of them is 1
	input wire [(NCOUNTERS > 0 ? NCOUNTERS : 1)-1:0] counter_hit, // bit k: counter k is active
	// One cycle after `hit`: the batch has a message. If this is 0, the batch gets no label and
	// is not logged.
	input wire gate_q,
	output reg [LABELS-1:0] labels,  // two cycles after `hit`: the labels of the batch
	output reg log,                  // two cycles after `hit`: the batch is logged
	input wire shift_label,          // shift one bit into each of the labels' tables
	input wire shift_log,            // shift one bit into each of the log's tables
	input wire [DATA-1:0] data       // a configuration word
);
	localparam PARTS = (NGROUP + 5) / 6; // a part is the OR over six groups
	wire [NGROUP*5-1:0] active;
	wire [LABELS*NGROUP-1:0] label_groups;
	wire [NGROUP-1:0] log_groups;
	nfacc_tables #(
		.TABLES(LABELS*NGROUP), .WORDS(LABEL_WORDS), .DATA(DATA), .XILINX(XILINX)
	) label_tables (
		.clk(clk), .shift(shift_label), .data(data), .index({LABELS{active}}),
		.out(label_groups)
	);
	nfacc_tables #(
		.TABLES(NGROUP), .WORDS(LOG_WORDS), .DATA(DATA), .XILINX(XILINX)
	) log_tables (
		.clk(clk), .shift(shift_log), .data(data), .index(active), .out(log_groups)
	);
	genvar s, l, p;
	generate
		if (NGROUP != (NSTE + NCOUNTERS + 4) / 5) begin : g_bad_ngroup
			nfacc_error_ngroup e ();
		end
		for (s = 0; s < NGROUP * 5; s = s + 1) begin : g_ste
			if (s < NSTE) begin : g_there
				assign active[s] = |hit[s*HITS +: HITS];
			end else if (s < NSTE + NCOUNTERS) begin : g_counter
				assign active[s] = counter_hit[s-NSTE];
			end else begin : g_padding
				assign active[s] = 1'b0;
			end
		end
		if (NCOUNTERS == 0) begin : g_no_counters
			wire unused_counters = ^counter_hit;
		end
		for (l = 0; l <= LABELS; l = l + 1) begin : g_label // l == LABELS: the log mark
			wire [NGROUP-1:0] groups;
			reg [PARTS-1:0] parts;
			if (l < LABELS) begin : g_is_label
				assign groups = label_groups[l*NGROUP +: NGROUP];
				always @(posedge clk)
					labels[l] <= gate_q && |parts;
			end else begin : g_is_log
				assign groups = log_groups;
				always @(posedge clk)
					log <= gate_q && |parts;
			end
			for (p = 0; p < PARTS; p = p + 1) begin : g_part
				localparam END = p * 6 + 6 < NGROUP ? p * 6 + 6 : NGROUP;
				always @(posedge clk)
					parts[p] <= |groups[END-1:p*6];
			end
		end
	endgenerate

`ifdef FORMAL
	// Each node is at its place in the index of the tables. A label comes two cycles after the
	// outputs of its tables, if the batch has a message, and so does the log.
	reg [1:0] f_past = 2'd0;
	reg [LABELS:0] f_any; // the outputs of the previous cycle: for each label, and for the log
	integer f;
	always @(posedge clk) begin
		f_past <= {f_past[0], 1'b1};
		for (f = 0; f < LABELS; f = f + 1)
			f_any[f] <= |label_groups[f*NGROUP +: NGROUP];
		f_any[LABELS] <= |log_groups;
		for (f = 0; f < NGROUP * 5; f = f + 1)
			assert (active[f] == (f < NSTE ? |hit[f%NSTE*HITS +: HITS] :
				f < NSTE + NCOUNTERS && counter_hit[f-NSTE]));
		if (f_past[1])
			assert ({log, labels} == $past(gate_q ? f_any : {LABELS+1{1'b0}}));
	end
`endif
endmodule
`default_nettype wire
