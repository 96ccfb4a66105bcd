// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// virt_regs: the registers of the front end. A write takes effect in one cycle. A write to an
// address without a register, or to a read-only register, has no effect. Reading an address without
// a register gives 0.
`include "virt_contract.vh"
`default_nettype none

module virt_regs #(
	parameter POINTS = `VIRT_POINTS // a power of two, 2 .. 16
) (
	input wire clk,
	input wire rst,
	input wire write,
	input wire [11:0] write_addr,
	input wire [63:0] write_data,
	input wire [11:0] read_addr,
	output reg [63:0] read_data,
	input wire [4:0] status,
	output wire [4:0] counter,      // number of the counter at read_addr
	input wire [63:0] counter_value,
	// The values of the registers.
	output reg enable,
	output reg published,
	output reg [2:0] levels,
	output reg [`VIRT_PGD_FRAME] pgd,
	output reg [`VIRT_ASID_NUMBER] asid,
	output reg [`VIRT_START_ADDRESS] range_start,
	output reg [`VIRT_END_ADDRESS] range_end,
	input wire [$clog2(POINTS)-1:0] index, // number of an observation point:
	output wire point_enable,
	output wire point_code,
	output wire [`VIRT_POINT_LINE] point_line
);
	localparam BITS = $clog2(POINTS);
	localparam V = `VIRT_VA_BITS - `VIRT_LINE_BITS;

	generate
		if (POINTS < 2 || POINTS > 16 || (1 << BITS) != POINTS) begin : g_bad
			nfacc_error_parameter_out_of_range e ();
		end
	endgenerate

	(* ram_style = "distributed" *)
	reg [V+1:0] points [0:POINTS-1]; // {enable, code, line}
	reg [POINTS-1:0] written;        // points written since the reset; the others read as 0
	wire [BITS-1:0] write_point = write_addr[3 +: BITS], read_point = read_addr[3 +: BITS];
	wire [V+1:0] point_read = written[read_point] ? points[read_point] : {V+2{1'b0}};

	assign {point_enable, point_code, point_line} =
		written[index] ? points[index] : {V+2{1'b0}};
	assign counter = read_addr[7:3] - 5'd8;

	// Two address ranges of 16 registers each: the number of the register at an address.
	wire write_points = write_addr[11:7] == 5'd2 & (write_addr[6:3] >> BITS) == 4'd0;
	wire read_points = read_addr[11:7] == 5'd2 & (read_addr[6:3] >> BITS) == 4'd0;
	wire read_counters = read_addr >= `VIRT_COUNT_AT &
		read_addr < `VIRT_COUNT_AT + 12'd8 * `VIRT_COUNTERS;
	generate
		if (`VIRT_POINT_AT != 12'h100 || `VIRT_COUNT_AT != 12'h040) begin : g_at
			nfacc_error_parameter_out_of_range e ();
		end
	endgenerate
	wire unused = &{1'b0, write_addr[2:0], write_data[63:49]};

	always @* begin
		read_data = 64'd0;
		case ({read_addr[11:3], 3'd0})
		`VIRT_CTRL_AT: begin
			read_data[`VIRT_CTRL_ENABLE] = enable;
			read_data[`VIRT_CTRL_PUBLISHED] = published;
			read_data[`VIRT_CTRL_LEVELS] = levels;
		end
		`VIRT_PGD_AT: read_data[`VIRT_PGD_FRAME] = pgd;
		`VIRT_ASID_AT: read_data[`VIRT_ASID_NUMBER] = asid;
		`VIRT_START_AT: read_data[`VIRT_START_ADDRESS] = range_start;
		`VIRT_END_AT: read_data[`VIRT_END_ADDRESS] = range_end;
		`VIRT_STATUS_AT: read_data[4:0] = status;
		default:
			if (read_points) begin
				read_data[`VIRT_POINT_LINE] = point_read[V-1:0];
				read_data[`VIRT_POINT_CODE] = point_read[V];
				read_data[`VIRT_POINT_ENABLE] = point_read[V+1];
			end else if (read_counters)
				read_data = counter_value;
		endcase
	end

	always @(posedge clk) begin
		if (write)
			case ({write_addr[11:3], 3'd0})
			`VIRT_CTRL_AT: begin
				enable <= write_data[`VIRT_CTRL_ENABLE];
				published <= write_data[`VIRT_CTRL_PUBLISHED];
				levels <= write_data[`VIRT_CTRL_LEVELS];
			end
			`VIRT_PGD_AT: pgd <= write_data[`VIRT_PGD_FRAME];
			`VIRT_ASID_AT: asid <= write_data[`VIRT_ASID_NUMBER];
			`VIRT_START_AT: range_start <= write_data[`VIRT_START_ADDRESS];
			`VIRT_END_AT: range_end <= write_data[`VIRT_END_ADDRESS];
			default: ;
			endcase
		if (write & write_points) begin
			points[write_point] <= {write_data[`VIRT_POINT_ENABLE],
				write_data[`VIRT_POINT_CODE], write_data[`VIRT_POINT_LINE]};
			written[write_point] <= 1'b1;
		end
		if (rst) begin
			enable <= 1'b0;
			published <= 1'b0;
			levels <= 3'd0;
			pgd <= {`VIRT_PA_BITS-`VIRT_PAGE_BITS{1'b0}};
			asid <= {`VIRT_ASID_BITS{1'b0}};
			range_start <= {`VIRT_VA_BITS{1'b0}};
			range_end <= {`VIRT_VA_BITS+1{1'b0}};
			written <= {POINTS{1'b0}};
		end
	end
endmodule
`default_nettype wire
