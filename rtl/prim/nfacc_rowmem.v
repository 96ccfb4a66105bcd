// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// nfacc_rowmem: the row memory of one slot, ROW_CODES rows of ROW_WIDTH bits. A read takes one
// cycle. Configuration words write a row lane by lane; a lane is the bits of a row that one word
// brings. Nothing reads during such a write.
//
// MEMORY 0 is LUT RAM with a register before its address. While rows are loaded this register holds
// the address to write. So the read and the write address are the same, and with XILINX a RAM32M16
// has all its 16 bits. MEMORY 1 is a block RAM for each lane. The block RAM's own address register
// replaces the register before LUT RAM.
`default_nettype none
`include "nfacc_contract.vh"
module nfacc_rowmem #(
	parameter ROW_BITS = 5,   // 1..9: bits of a letter
	parameter ROW_WIDTH = 1,  // 1..: bits of a row
	parameter ROW_WORDS = 1,  // configuration words of a row: ROW_WIDTH / DATA, rounded up
	parameter DATA = 32,      // 32 or 64: bits of a configuration word
	parameter MEMORY = 0,     // where the rows are: `NFACC_MEMORY_*
	parameter XILINX = 0      // 0: portable, 1: RAM32M16 for LUT RAM
) (
	input wire clk,
	input wire [ROW_BITS-1:0] read,    // the row to read
	// No row is read in this cycle. Row `code` may be written in the next cycle.
	input wire load,
	input wire write,                 // comes with `load`: row `code` of this slot is written
	input wire [ROW_BITS-1:0] code,    // the row to write
	input wire [ROW_BITS-1:0] code_q,  // `code` a cycle later, for block RAM
	input wire [ROW_WORDS-1:0] lane_q,// one cycle after `load`: the lanes to write
	input wire [DATA-1:0] data_q,     // one cycle after `load`: the word for each of the lanes
	output wire [ROW_WIDTH-1:0] row   // the row that `read` named one cycle ago
);
	localparam ROW_CODES = 1 << ROW_BITS;
	localparam BLOCKS = (ROW_CODES + 31) / 32; // a RAM32M16 has 32 rows
	localparam COLUMNS = (ROW_WIDTH + 15) / 16; // a RAM32M16 has 16 bits

	reg write_q;
	always @(posedge clk)
		write_q <= write;

`ifdef FORMAL
	(* anyseq *) reg [DATA-1:0] f_met; // what a read that meets a write gives
`endif
	genvar w, b, i;
	generate
		if (MEMORY == `NFACC_MEMORY_BLOCK) begin : g_block
			for (w = 0; w < ROW_WORDS; w = w + 1) begin : g_lane
				localparam LOW = w * DATA;
				localparam BITS = LOW + DATA <= ROW_WIDTH ? DATA : ROW_WIDTH - LOW;
				// Nothing that is read while a row is written is used.
				(* ram_style = "block", no_rw_check *)
				reg [BITS-1:0] memory [0:ROW_CODES-1];
				reg [BITS-1:0] word;
				assign row[LOW +: BITS] = word;
				always @(posedge clk) begin
					if (write_q && lane_q[w])
						memory[code_q] <= data_q[BITS-1:0];
					word <= memory[read];
`ifdef FORMAL
					if (write_q && lane_q[w] && code_q == read)
						word <= f_met[BITS-1:0];
`endif
				end
			end
			wire unused_load = &{1'b0, load, code};
		end else begin : g_lut
			reg [ROW_BITS-1:0] address;
			always @(posedge clk)
				address <= load ? code : read;
			wire unused_code = &{1'b0, code_q};
			if (XILINX != 0) begin : g_xilinx
				// What each block of 32 rows has at the address that is read. All
				// columns of one block come before those of the next block.
				wire [BLOCKS*COLUMNS*16-1:0] out;
				wire [4:0] low;
				if (ROW_BITS >= 5) begin : g_low
					assign low = address[4:0];
				end else begin : g_short
					assign low = {{5-ROW_BITS{1'b0}}, address};
				end
				for (b = 0; b < BLOCKS; b = b + 1) begin : g_rows
					wire here;
					if (BLOCKS > 1) begin : g_high
						localparam [ROW_BITS-1:0] FIRST_ROW = b * 32;
						assign here = write_q && address[ROW_BITS-1:5] ==
							FIRST_ROW[ROW_BITS-1:5];
					end else begin : g_single
						assign here = write_q;
					end
					for (i = 0; i < COLUMNS; i = i + 1) begin : g_column
						localparam AT = (b * COLUMNS + i) * 16;
						wire [15:0] in = data_q[i*16%DATA +: 16];
						RAM32M16 ram (
							.WCLK(clk), .WE(here && lane_q[i*16/DATA]),
							.ADDRA(low), .ADDRB(low), .ADDRC(low),
							.ADDRD(low), .ADDRE(low), .ADDRF(low),
							.ADDRG(low), .ADDRH(low),
							.DIA(in[1:0]), .DIB(in[3:2]), .DIC(in[5:4]),
							.DID(in[7:6]), .DIE(in[9:8]),
							.DIF(in[11:10]), .DIG(in[13:12]),
							.DIH(in[15:14]),
							.DOA(out[AT +: 2]), .DOB(out[AT+2 +: 2]),
							.DOC(out[AT+4 +: 2]), .DOD(out[AT+6 +: 2]),
							.DOE(out[AT+8 +: 2]), .DOF(out[AT+10 +: 2]),
							.DOG(out[AT+12 +: 2]), .DOH(out[AT+14 +: 2])
						);
					end
				end
				for (i = 0; i < ROW_WIDTH; i = i + 1) begin : g_out
					wire [BLOCKS-1:0] column;
					for (b = 0; b < BLOCKS; b = b + 1) begin : g_block
						assign column[b] = out[b*COLUMNS*16 + i];
					end
					if (BLOCKS > 1) begin : g_mux
						assign row[i] = column[address[ROW_BITS-1:5]];
					end else begin : g_wire
						assign row[i] = column[0];
					end
				end
			end else begin : g_portable
				for (w = 0; w < ROW_WORDS; w = w + 1) begin : g_lane
					localparam LOW = w * DATA;
					localparam BITS = LOW + DATA <= ROW_WIDTH ? DATA :
						ROW_WIDTH - LOW;
					reg [BITS-1:0] memory [0:ROW_CODES-1];
					assign row[LOW +: BITS] = memory[address];
					always @(posedge clk)
						if (write_q && lane_q[w])
							memory[address] <= data_q[BITS-1:0];
				end
			end
		end
	endgenerate
	wire unused = &{1'b0, data_q};

`ifdef FORMAL
	// The proof picks an arbitrary bit of an arbitrary row. A read of the row without a load then
	// and in the cycle before gives what was last written there.
	(* anyconst *) reg [ROW_BITS-1:0] f_row;
	(* anyconst *) reg [15:0] f_bit;
	reg f_past = 1'b0, f_known = 1'b0, f_read = 1'b0, f_load = 1'b1;
	reg f_value, f_writes;
	reg [ROW_BITS-1:0] f_code;
	wire [15:0] f_lane = f_bit / DATA;
	always @(*) begin
		assume (f_bit < ROW_WIDTH);
		if (write) assume (load);
		if (f_past) assume (code_q == f_code);
	end
	always @(posedge clk) begin
		f_past <= 1'b1;
		f_code <= code;
		f_load <= load;
		f_writes <= write && code == f_row;
		if (f_past && f_writes && lane_q[f_lane]) begin
			f_known <= 1'b1;
			f_value <= data_q[f_bit % DATA];
		end
		f_read <= f_past && !load && !f_load && f_known && read == f_row;
		if (f_read) assert (row[f_bit] == f_value);
	end
`endif
endmodule
`default_nettype wire
