// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// nfacc_decode_rows: decodes letters with row memories, one for each slot. A memory has a row for
// each letter. Bit w of the row says whether predicate w names that letter in that slot. The answer
// comes one cycle after the batch.
//
// If IDLE is a letter, an absent slot reads the row of that letter. That row is cleared and never
// written. So no predicate names an absent slot, and the answer needs no mask.
`default_nettype none
module nfacc_decode_rows #(
	parameter SLOTS = 1,     // 1..64: messages of a batch
	parameter ROW_BITS = 5,  // 1..9: bits of a letter
	// The letter that no message has, and whose row absent slots read. -1: there is none.
	parameter integer IDLE = -1,
	parameter ABSENT_IDLE = 0, // 1: an absent slot has the letter IDLE, if that is one
	parameter ROW_WIDTH = 1, // 1..: bits of a row
	parameter ROW_WORDS = 1, // configuration words of a row: ROW_WIDTH / DATA, rounded up
	parameter CODE_BITS = 5, // bits of a code, slot << ROW_BITS | letter
	parameter LANE_BITS = 1, // bits that number the words of a row
	parameter DATA = 32,     // 32 or 64: bits of a configuration word
	parameter MEMORY = 0,    // where the rows are: `NFACC_MEMORY_*
	parameter XILINX = 0     // 0: portable Verilog, 1: primitives
) (
	input wire clk,
	input wire [SLOTS-1:0] present,         // the slot has a message; used only if IDLE >= 0
	input wire [SLOTS*ROW_BITS-1:0] letter, // the letter of each slot
	// Bit w*SLOTS + slot: predicate w names the letter of the slot. The bit comes one cycle
	// after the letter.
	output wire [ROW_WIDTH*SLOTS-1:0] names,
	input wire cfg_clear,                   // clear the rows of letter cfg_code in all slots
	input wire cfg_row_we,                  // write the word cfg_data to row cfg_code
	input wire [CODE_BITS-1:0] cfg_code,    // slot << ROW_BITS | letter
	input wire [LANE_BITS-1:0] cfg_lane,    // the number of the word in the row
	input wire [DATA-1:0] cfg_data          // a configuration word
);
	wire [ROW_BITS-1:0] code = cfg_code[ROW_BITS-1:0];
	wire load = cfg_clear || cfg_row_we;
	wire write;
	reg [ROW_BITS-1:0] code_q;
	reg [ROW_WORDS-1:0] lane_q;
	reg [DATA-1:0] data_q;
	always @(posedge clk) begin
		code_q <= code;
		data_q <= cfg_clear ? {DATA{1'b0}} : cfg_data;
	end

	genvar s, w;
	generate
		if (IDLE >= 0) begin : g_keep_idle
			localparam [ROW_BITS-1:0] IDLE_CODE = IDLE[ROW_BITS-1:0];
			assign write = cfg_row_we && code != IDLE_CODE;
		end else begin : g_write_all
			assign write = cfg_row_we;
		end
		for (w = 0; w < ROW_WORDS; w = w + 1) begin : g_lane
			localparam [LANE_BITS-1:0] LANE = w;
			always @(posedge clk)
				lane_q[w] <= cfg_clear || cfg_lane == LANE;
		end
		for (s = 0; s < SLOTS; s = s + 1) begin : g_slot
			localparam [CODE_BITS-1:0] SLOT = s;
			wire [CODE_BITS-1:0] slot = cfg_code >> ROW_BITS;
			wire [ROW_BITS-1:0] read;
			wire [ROW_WIDTH-1:0] row;
			if (IDLE >= 0 && ABSENT_IDLE == 0) begin : g_idle
				localparam [ROW_BITS-1:0] IDLE_CODE = IDLE[ROW_BITS-1:0];
				assign read = present[s] ? letter[s*ROW_BITS +: ROW_BITS] :
					IDLE_CODE;
			end else begin : g_any
				assign read = letter[s*ROW_BITS +: ROW_BITS];
				wire unused_present = present[s];
			end
			nfacc_rowmem #(
				.ROW_BITS(ROW_BITS), .ROW_WIDTH(ROW_WIDTH), .ROW_WORDS(ROW_WORDS),
				.DATA(DATA), .MEMORY(MEMORY), .XILINX(XILINX)
			) rows (
				.clk(clk), .read(read), .load(load),
				.write(cfg_clear || (write && slot == SLOT)), .code(code),
				.code_q(code_q), .lane_q(lane_q), .data_q(data_q), .row(row)
			);
			for (w = 0; w < ROW_WIDTH; w = w + 1) begin : g_name
				assign names[w*SLOTS + s] = row[w];
			end
		end
	endgenerate

`ifdef FORMAL
	// The proof picks an arbitrary bit of an arbitrary row. A slot that reads the row gets the
	// bit that was last written there, or 0 after the row was cleared. The row of the idle
	// letter is 0, whatever was written.
	localparam F_CODES = SLOTS << ROW_BITS;
	(* anyconst *) reg [CODE_BITS-1:0] f_code;
	(* anyconst *) reg [15:0] f_bit;
	wire [CODE_BITS-1:0] f_slot = f_code >> ROW_BITS;
	wire [ROW_BITS-1:0] f_op = f_code[ROW_BITS-1:0];
	reg f_known = 1'b0, f_value, f_read = 1'b0, f_load = 1'b1;
	wire f_here = present[f_slot] && letter[f_slot*ROW_BITS +: ROW_BITS] == f_op;
	integer f;
	always @(*) begin
		for (f = 0; f < SLOTS; f = f + 1)
			if (ABSENT_IDLE != 0 && !present[f])
				assume (letter[f*ROW_BITS +: ROW_BITS] == IDLE);
		assume (f_code < F_CODES && f_bit < ROW_WIDTH);
		assume (!(cfg_clear && cfg_row_we) && (cfg_clear || cfg_code < F_CODES));
	end
	always @(posedge clk) begin
		if (cfg_clear && cfg_code[ROW_BITS-1:0] == f_op) begin
			f_known <= 1'b1;
			f_value <= 1'b0;
		end
		if (cfg_row_we && cfg_code == f_code && cfg_lane == f_bit / DATA &&
				f_op != IDLE) begin
			f_known <= 1'b1;
			f_value <= cfg_data[f_bit % DATA];
		end
		f_load <= load;
		f_read <= !load && !f_load && f_known &&
			(IDLE >= 0 && f_op == IDLE ? !present[f_slot] : f_here);
		if (f_read)
			assert (names[f_bit*SLOTS + f_slot] == f_value);
	end
`endif
endmodule
`default_nettype wire
