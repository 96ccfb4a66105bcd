// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// nfacc_collect_lines: computes the labels of a batch like nfacc_collect, but for each line by
// itself, and names the lines that accept. So it has a nfacc_collect for each line, and takes
// NAMES + 2 cycles more.
`default_nettype none

module nfacc_collect_lines #(
	parameter NSTE = 1,        // 1..: STEs of the overlay
	parameter NCOUNTERS = 0,   // 0..: counters of the overlay
	parameter NGROUP = 1,      // groups of five nodes (STEs and counters), rounded up
	parameter LINES = 1,       // 1..: lines of the overlay
	parameter LINE_BITS = 1,   // bits of a line's number
	parameter LABELS = 1,      // 1..64: labels of the overlay
	parameter NAMES = 1,       // 1..4: lines that can be named
	parameter LABEL_WORDS = 32, // configuration words of the labels' tables
	parameter LOG_WORDS = 32,  // configuration words of the log's tables
	parameter DATA = 32,       // 32 or 64: bits of a configuration word
	parameter XILINX = 0       // 0: portable Verilog, 1: primitive CFGLUT5
) (
	input wire clk,
	input wire [LINES*NSTE-1:0] states, // bit line*NSTE + ste: the STE is active after the batch
	// Bit line*NCOUNTERS + counter: the counter is active.
	input wire [LINES*(NCOUNTERS > 0 ? NCOUNTERS : 1)-1:0] counters,
	input wire [LINES-1:0] any,         // one cycle before `states`: the line has a message
	// NAMES + 4 cycles after `states`: the labels of all lines, whether one of them is logged, and
	// the names (nfacc_record's in_names).
	output wire [LABELS-1:0] labels,
	output wire log,
	output wire [4+NAMES*(LINE_BITS+LABELS)-1:0] names,
	input wire shift_label,             // shift one bit into each of the labels' tables
	input wire shift_log,               // shift one bit into each of the log's tables
	input wire [DATA-1:0] data          // a configuration word
);
	localparam PORTS = NCOUNTERS > 0 ? NCOUNTERS : 1;
	reg [LINES-1:0] any_q, any_qq;
	wire [LINES*LABELS-1:0] line_labels;
	wire [LINES-1:0] line_logs;
	reg [NAMES+1:0] logs;
	assign log = logs[NAMES+1];
	always @(posedge clk) begin
		any_q <= any;
		any_qq <= any_q;
		logs <= {logs[NAMES:0], |line_logs};
	end
	genvar l;
	generate
		for (l = 0; l < LINES; l = l + 1) begin : g_line
			nfacc_collect #(
				.NSTE(NSTE), .NCOUNTERS(NCOUNTERS), .NGROUP(NGROUP),
				.LABELS(LABELS), .HITS(1), .LABEL_WORDS(LABEL_WORDS),
				.LOG_WORDS(LOG_WORDS), .DATA(DATA), .XILINX(XILINX)
			) collect (
				.clk(clk), .hit(states[l*NSTE +: NSTE]),
				.counter_hit(counters[l*PORTS +: PORTS]), .gate_q(any_qq[l]),
				.labels(line_labels[l*LABELS +: LABELS]), .log(line_logs[l]),
				.shift_label(shift_label), .shift_log(shift_log), .data(data)
			);
		end
	endgenerate
	nfacc_name_lines #(
		.LINES(LINES), .LINE_BITS(LINE_BITS), .LABELS(LABELS), .NAMES(NAMES)
	) name_lines (
		.clk(clk), .in_labels(line_labels), .labels(labels), .names(names)
	);
endmodule
`default_nettype wire
