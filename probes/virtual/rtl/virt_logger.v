// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// virt_logger: the Logger, as in probes/virtual/model/logger.c. It makes a record of 128 bits from
// each annotated snoop, and keeps the records in a memory, from which software takes them. The
// oldest record is at the output. Together with those in the memory there are at most RECORDS.
`include "virt_contract.vh"
`default_nettype none

module virt_logger #(
	parameter RECORDS = `VIRT_RECORDS // records it can keep: a power of two, at least 2
) (
	input wire clk,
	input wire rst,
	// An annotated snoop, which is kept in this cycle. If `full`, it is lost.
	input wire put,
	input wire [`VIRT_SNOOP_BITS-1:0] kind,
	input wire [`VIRT_PA_BITS-1:`VIRT_LINE_BITS] pa,
	input wire [29:0] now,    // lowest bits of the time
	input wire [`VIRT_VA_BITS-1:`VIRT_LINE_BITS] va,
	input wire shared,
	input wire observed,
	output wire full,
	// The oldest record. A record needs two cycles to get here.
	output reg out_valid,
	input wire out_ready,
	output reg [127:0] out_record
);
	localparam BITS = $clog2(RECORDS);

	generate
		if (RECORDS < 2 || (1 << BITS) != RECORDS) begin : g_bad
			nfacc_error_parameter_out_of_range e ();
		end
	endgenerate

	(* ram_style = "block" *)
	reg [127:0] memory [0:RECORDS-1];
	reg [BITS-1:0] first, last; // of the memory: where to read, where to write
	reg [BITS:0] count;         // number of records, including the one at the output
	reg [BITS:0] waiting;       // of these, the number in the memory
	reg [127:0] record;

	assign full = count[BITS];
	wire push = put & ~full;
	wire pop = out_valid & out_ready;
	wire pull = (waiting != {BITS+1{1'b0}}) & (~out_valid | out_ready);

	always @* begin
		record = 128'd0;
		record[`VIRT_RECORD_VA] = {va, {`VIRT_LINE_BITS{1'b0}}};
		record[`VIRT_RECORD_KIND] = kind;
		record[`VIRT_RECORD_OBSERVED] = observed;
		record[`VIRT_RECORD_SHARED] = shared;
		record[`VIRT_RECORD_LINE] = pa;
		record[`VIRT_RECORD_TIME] = now;
	end

	localparam [BITS:0] ONE = 1;
	always @(posedge clk) begin
		if (push)
			memory[last] <= record;
		if (pull)
			out_record <= memory[first];
		last <= last + (push ? ONE[BITS-1:0] : {BITS{1'b0}});
		first <= first + (pull ? ONE[BITS-1:0] : {BITS{1'b0}});
		count <= count +
			(push & ~pop ? ONE : ~push & pop ? ~{BITS+1{1'b0}} : {BITS+1{1'b0}});
		waiting <= waiting +
			(push & ~pull ? ONE : ~push & pull ? ~{BITS+1{1'b0}} : {BITS+1{1'b0}});
		out_valid <= pull | (out_valid & ~out_ready);
		if (rst) begin
			first <= {BITS{1'b0}};
			last <= {BITS{1'b0}};
			count <= {BITS+1{1'b0}};
			waiting <= {BITS+1{1'b0}};
			out_valid <= 1'b0;
		end
	end
endmodule
`default_nettype wire
