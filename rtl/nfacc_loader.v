// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// nfacc_loader: reads the words of an image (doc/contract.md) and checks them: the fingerprint
// before anything is touched, then ids, order and size of the elements against what the parameters
// give, in the end the CRC. With `apply` it configures with them, without it only checks. After a
// fault words are ignored until the next begin.
`default_nettype none
`include "nfacc_contract.vh"

module nfacc_loader #(
	parameter DATA = 32,        // bits of a word: 32 or 64
	parameter [63:0] FINGERPRINT = 0,
	parameter DECODER = 0,
	parameter PREDECESSORS = 0,
	parameter BANK = 1,
	parameter LINES = 1,
	parameter LABELS = 1,
	parameter WINDOW = 0,
	parameter SLOTS = 1,
	parameter COUNTER_WIDTH = 16,
	parameter NCOUNTERS = 0,
	parameter NSTE = 1,
	parameter NPRED = 1,
	parameter NPREDLUT = 1,
	parameter NGROUP = 1,
	parameter OPCODES = 2,
	parameter NTABLE = 1,
	parameter NROW = 2,
	parameter ROW_WORDS = 1,
	parameter SELECT_BITS = 1,
	parameter MOST_WORDS = 16   // words of the largest image
) (
	input wire clk,
	input wire rst,
	input wire begin_image,     // a new image comes; the one before is forgotten
	input wire apply,           // with begin_image: configure with it
	input wire hold,            // words wait
	input wire in_valid,
	output wire in_ready,
	input wire [DATA-1:0] in_data,
	output wire taken,          // a word of the image is read
	output wire [DATA-1:0] taken_data,
	// To the NFA, and the REGISTER elements.
	output reg cfg_clear,
	output reg cfg_row_we,
	output reg [$clog2(NROW)-1:0] cfg_code,
	output reg [(ROW_WORDS < 2 ? 1 : $clog2(ROW_WORDS))-1:0] cfg_lane,
	output reg [26:1] cfg_shift,
	output reg [DATA-1:0] cfg_data,
	output reg [20:16] cfg_register, // bit id: cfg_value is the new value
	output reg [63:0] cfg_value,
	output wire loading,        // between begin and the end, done included
	output reg done,            // a cycle: it ended, with this result
	output reg [3:0] result,
	output reg [31:0] words     // taken since begin
);
	localparam CODE_BITS = $clog2(NROW);
	localparam LANE_BITS = ROW_WORDS < 2 ? 1 : $clog2(ROW_WORDS);
	localparam NMAP = (NROW + 31) / 32;
	localparam LEFT_BITS = $clog2((MOST_WORDS > OPCODES ? MOST_WORDS : OPCODES) + 1);
	localparam [4:0] FIRST_REGISTER = `NFACC_EL_BY_LINE, LAST_REGISTER = `NFACC_EL_LIMIT;
	localparam ROWS = DECODER == `NFACC_DECODER_STE ? 0 : 1;

	// Words of an element, 0 where the overlay has none of it; 1 for rows, whose number varies.
	function [31:0] chain(input integer bits);
		chain = (bits + DATA - 1) / DATA;
	endfunction
	function [31:0] tables(input integer n);
		tables = (n + DATA - 1) / DATA * 32;
	endfunction
	function [31:0] size(input [4:0] id);
		case ({27'd0, id})
		`NFACC_EL_MATCH: size = DECODER == `NFACC_DECODER_ROWS ? 1 : 0;
		`NFACC_EL_DECODE: size = DECODER == `NFACC_DECODER_STE ? tables(NSTE * SLOTS * NTABLE) : 0;
		`NFACC_EL_BANK: size = DECODER == `NFACC_DECODER_BANK ? 1 : 0;
		`NFACC_EL_SELECT: size = DECODER == `NFACC_DECODER_BANK ? chain(NSTE * SELECT_BITS) : 0;
		`NFACC_EL_NONE: size = DECODER != `NFACC_DECODER_BANK ? chain(NSTE) : 0;
		`NFACC_EL_BANK_NONE: size = DECODER == `NFACC_DECODER_BANK ? chain(BANK) : 0;
		`NFACC_EL_PRED_MASK:
			size = PREDECESSORS == `NFACC_PREDECESSORS_MASK ? chain(NSTE * NPRED) : 0;
		`NFACC_EL_PRED_LUT:
			size = PREDECESSORS == `NFACC_PREDECESSORS_LUT5 ? tables(NSTE * NPREDLUT) : 0;
		`NFACC_EL_START: size = chain(NSTE);
		`NFACC_EL_ALWAYS: size = PREDECESSORS == `NFACC_PREDECESSORS_MASK ? chain(NSTE) : 0;
		`NFACC_EL_LABEL: size = tables(LABELS * NGROUP);
		`NFACC_EL_LOG: size = tables(NGROUP);
		`NFACC_EL_BY_LINE: size = 1;
		`NFACC_EL_BASE, `NFACC_EL_COUNT, `NFACC_EL_WINDOW_SIZE, `NFACC_EL_LIMIT: size = 64 / DATA;
		`NFACC_EL_COUNT_MASK, `NFACC_EL_RESET_MASK:
			size = PREDECESSORS == `NFACC_PREDECESSORS_MASK ? chain(NCOUNTERS * NPRED) : 0;
		`NFACC_EL_COUNT_LUT, `NFACC_EL_RESET_LUT:
			size = PREDECESSORS == `NFACC_PREDECESSORS_LUT5 ? tables(NCOUNTERS * NPREDLUT) : 0;
		`NFACC_EL_THRESHOLD: size = chain(NCOUNTERS * COUNTER_WIDTH);
		`NFACC_EL_COUNTER_MODE: size = chain(NCOUNTERS * 2);
		default: size = 0;
		endcase
	endfunction
	// The element after this one; 0: the end.
	function [4:0] after(input [4:0] id);
		integer i;
		begin
			after = 5'd0;
			for (i = 31; i > 0; i = i - 1)
				if (i > {27'd0, id} && size(i[4:0]) != 0)
					after = i[4:0];
		end
	endfunction
	function [32*5-1:0] all_after(input unused_arg);
		integer i;
		for (i = 0; i < 32; i = i + 1)
			all_after[i*5 +: 5] = after(i[4:0]);
	endfunction
	function [32*32-1:0] all_sizes(input unused_arg);
		integer i;
		for (i = 0; i < 32; i = i + 1)
			all_sizes[i*32 +: 32] = size(i[4:0]);
	endfunction
	localparam [32*5-1:0] AFTER = all_after(1'b0);
	localparam [32*32-1:0] SIZES = all_sizes(1'b0);

	localparam [2:0] OFF = 3'd0, PRINT = 3'd1, CLEAR = 3'd2, HEAD = 3'd3, BODY = 3'd4, SUM = 3'd5;

	reg [2:0] state;
	reg applies;
	reg high;                   // the second half of a fingerprint, header or value comes
	reg [4:0] element;          // that comes or is being read; 0: the end
	reg [LEFT_BITS-1:0] left;   // words of its payload that are to come
	reg [31:0] low;             // the half before
	reg [31:0] crc;
	reg in_map;                 // rows: a map comes
	reg [31:0] map;             // rows of it that are to come
	reg [31:0] nmap;            // maps that were read
	reg [LANE_BITS-1:0] lane;
	reg by_line;

	// The input register.
	reg w_valid;
	reg [DATA-1:0] w_data;
	wire can = (state != CLEAR) & ~hold;
	wire go = w_valid & can;
	assign in_ready = ~w_valid | can;
	assign loading = (state != OFF) | done;
	assign taken = go & (state != OFF) & ~begin_image;
	assign taken_data = w_data;

	wire [31:0] next_crc;
	nfacc_crc32c #(.DATA(DATA)) crc32c (.crc(crc), .data(w_data), .next(next_crc));

	// A pair of halves: with 64 bits one word, else the half before and this word.
	wire [63:0] pair;
	wire whole;                 // it is complete with this word
	generate
		if (DATA == 32) begin : g_32
			assign pair = {w_data, low};
			assign whole = high;
		end else begin : g_64
			wire unused_low = &{1'b0, low};
			assign pair = w_data;
			assign whole = 1'b1;
		end
	endgenerate

	wire [31:0] size_now = SIZES[element*32 +: 32];
	wire is_rows = (ROWS != 0) & (({27'd0, element} == `NFACC_EL_MATCH) |
		({27'd0, element} == `NFACC_EL_BANK));
	wire is_flag = {27'd0, element} == `NFACC_EL_BY_LINE;
	wire is_register = (element >= FIRST_REGISTER) & (element <= LAST_REGISTER);
	wire id_matches = pair[31:0] == {27'd0, element};
	wire size_matches = element == 5'd0 ? pair[63:32] == 32'd1 :
		is_rows ? (pair[63:32] != 32'd0) & (pair[63:32] <= MOST_WORDS) :
		pair[63:32] == size_now;
	wire last = left == {{(LEFT_BITS-1){1'b0}}, 1'b1};

	// Rows: the lowest of the map comes next.
	wire [31:0] map_rest = map & (map - 32'd1);
	wire row_last = {{(32-LANE_BITS){1'b0}}, lane} == ROW_WORDS - 1;
	wire [31:0] codes_left = NROW - 32 * nmap; // beginning with this map
	wire map_in_range = (codes_left >= 32'd32) | ((w_data[31:0] >> codes_left[4:0]) == 32'd0);
	wire map_last = in_map ? nmap == NMAP - 1 : nmap == NMAP;
	wire rows_end = map_last & (in_map ? w_data[31:0] == 32'd0 : row_last & (map_rest == 32'd0));
	reg [4:0] lowest;
	integer i;
	always @* begin
		lowest = 5'd0;
		for (i = 31; i >= 0; i = i - 1)
			if (map[i])
				lowest = i[4:0];
	end
	wire [31:0] code = 32 * (nmap - 32'd1) + {27'd0, lowest};
	wire unused_code = &{1'b0, code};

	// Values.
	wire [63:0] value = is_flag ? {32'd0, w_data[31:0]} : pair;
	reg value_in_range;
	always @*
		case ({27'd0, element})
		`NFACC_EL_BY_LINE: value_in_range = (w_data >> 1) == {DATA{1'b0}};
		`NFACC_EL_COUNT: value_in_range = (value <= LINES) & ((value != 64'd0) | ~by_line);
		`NFACC_EL_WINDOW_SIZE: value_in_range = value <= WINDOW;
		default: value_in_range = 1'b1;
		endcase
	wire value_whole = is_flag | whole;

	wire bad_print = (DATA == 32) & ~high ? w_data[31:0] != FINGERPRINT[31:0] :
		pair != FINGERPRINT;
	wire bad_head = (((DATA == 32) & ~high) ? w_data[31:0] != {27'd0, element} : ~id_matches) |
		(whole & ~size_matches);
	wire bad_body = (is_rows & (((in_map & ~map_in_range) | (rows_end != last)))) |
		(is_register & value_whole & ~value_in_range);

	always @(posedge clk) begin
		cfg_clear <= 1'b0;
		cfg_row_we <= 1'b0;
		cfg_shift <= 26'd0;
		cfg_register <= 5'd0;
		cfg_data <= w_data;
		cfg_value <= value;
		cfg_lane <= lane;
		done <= 1'b0;

		if (in_ready) begin
			w_valid <= in_valid;
			w_data <= in_data;
		end
		if (taken) begin
			crc <= next_crc;
			words <= words + 32'd1;
			low <= w_data[31:0];
		end

		if (state == CLEAR) begin
			cfg_clear <= 1'b1;
			cfg_code <= cfg_clear ? cfg_code + {{(CODE_BITS-1){1'b0}}, 1'b1} : {CODE_BITS{1'b0}};
			left <= left - {{(LEFT_BITS-1){1'b0}}, 1'b1};
			if (last)
				state <= HEAD;
		end
		if (go)
			case (state)
			PRINT: begin
				high <= ~whole;
				if (bad_print) begin
					state <= OFF;
					done <= 1'b1;
					result <= `NFACC_LOAD_FINGERPRINT;
				end else if (whole) begin
					state <= applies & (ROWS != 0) ? CLEAR : HEAD;
					left <= OPCODES;
				end
			end
			HEAD: begin
				high <= ~whole;
				in_map <= 1'b1;
				nmap <= 32'd0;
				if (bad_head) begin
					state <= OFF;
					done <= 1'b1;
					result <= `NFACC_LOAD_MALFORMED;
				end else if (whole) begin
					state <= element == 5'd0 ? SUM : BODY;
					left <= pair[32 +: LEFT_BITS];
				end
			end
			BODY: begin
				left <= left - {{(LEFT_BITS-1){1'b0}}, 1'b1};
				high <= is_register & ~value_whole;
				if (is_rows & in_map) begin
					nmap <= nmap + 32'd1;
					map <= w_data[31:0];
					lane <= {LANE_BITS{1'b0}};
					in_map <= w_data[31:0] == 32'd0;
				end else if (is_rows) begin
					cfg_row_we <= applies;
					cfg_code <= code[CODE_BITS-1:0];
					lane <= row_last ? {LANE_BITS{1'b0}} :
						lane + {{(LANE_BITS-1){1'b0}}, 1'b1};
					if (row_last) begin
						map <= map_rest;
						in_map <= map_rest == 32'd0;
					end
				end else if (is_register) begin
					cfg_register[{1'b1, element[3:0]}] <= applies & value_whole;
					if (is_flag)
						by_line <= w_data[0];
				end else
					cfg_shift[element] <= applies;
				if (bad_body) begin
					state <= OFF;
					done <= 1'b1;
					result <= `NFACC_LOAD_MALFORMED;
					cfg_register <= 5'd0;
				end else if (last) begin
					state <= HEAD;
					element <= AFTER[element*5 +: 5];
				end
			end
			SUM: begin
				state <= OFF;
				done <= 1'b1;
				result <= w_data == {{(DATA-32){1'b0}}, ~crc} ? `NFACC_LOAD_OK : `NFACC_LOAD_CRC;
			end
			default: ;
			endcase

		if (begin_image) begin
			state <= PRINT;
			applies <= apply;
			w_valid <= 1'b0;
			high <= 1'b0;
			element <= AFTER[4:0];
			crc <= 32'hffffffff;
			words <= 32'd0;
			done <= 1'b0;
			result <= `NFACC_LOAD_INCOMPLETE;
		end
		if (rst) begin
			state <= OFF;
			w_valid <= 1'b0;
			words <= 32'd0;
			cfg_clear <= 1'b0;
			done <= 1'b0;
			result <= `NFACC_LOAD_NONE;
		end
	end
endmodule
`default_nettype wire
