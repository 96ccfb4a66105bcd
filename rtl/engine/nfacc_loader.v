// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// nfacc_loader: reads the words of an image (doc/develop/contract.md) and checks them. It checks
// the fingerprint first, before anything changes. Then it checks id, order and size of each element
// against the parameters, and at the end the CRC. If `apply` is set it also configures the NFA.
// After a fault it ignores words until the next begin_image.
`default_nettype none
`include "nfacc_contract.vh"

module nfacc_loader #(
	parameter DATA = 32,        // 32 or 64: bits of a word
	parameter [63:0] FINGERPRINT = 0, // the fingerprint of images for this hardware
	parameter LINES = 1,        // 1..: lines of the overlay; element count may be at most this
	parameter WINDOW = 0,       // 0..: the overlay's window; elements window_size and
	                            // window_after may be at most this
	parameter CLEAR_CODES = 2,  // codes for which memories are cleared, which takes as many
	                            // cycles: letters of a slot, or addresses to recode at
	parameter NROW = 2,         // rows of all slots
	parameter CODE_BITS = 1,    // bits of a row's number
	parameter CFG_BITS = 1,     // CODE_BITS..: bits of cfg_code; CLEAR_CODES fits in them
	parameter NMAP = 1,         // bit maps of 32 rows in an element of rows
	parameter ROW_WORDS = 1,    // words of a row
	parameter LANE_BITS = 1,    // bits of a word's number in its row
	// Field id, of 32 bits, is the number of words of element id. An element of rows and a list
	// of writes may have fewer. 0: the overlay does not have the element.
	parameter [(32<<`NFACC_ELEMENT_BITS)-1:0] ELEMENT_WORDS =
		{1376'd0, 32'd2, 32'd2, 32'd2, 32'd2, 32'd1, 512'd0},
	parameter MOST_WORDS = 24   // words of the largest image
) (
	input wire clk,
	input wire rst,
	input wire begin_image,     // a new image begins; the previous one is forgotten
	input wire apply,           // with begin_image: the image configures the engine
	input wire hold,            // the loader takes no word in the next cycle
	input wire in_valid,
	output wire in_ready,
	input wire [DATA-1:0] in_data,
	output wire taken,          // a word of the image is taken
	output wire [DATA-1:0] taken_data, // the word that is taken
	// The configuration ports of the NFA (as in nfacc_nfa), and the REGISTER elements.
	output reg cfg_clear,
	output reg cfg_row_we,
	output reg [CFG_BITS-1:0] cfg_code,
	output reg [LANE_BITS-1:0] cfg_lane,
	output reg [`NFACC_DEVICE_IDS] cfg_shift,
	output reg [DATA-1:0] cfg_data,
	// cfg_data is a word of element payload_test of an image that does not configure.
	output reg staged_shift,
	// Bit id: cfg_value is the new value of element id.
	output reg [`NFACC_REGISTER_IDS] cfg_register,
	output reg [63:0] cfg_value,
	output wire loading,        // from begin_image to `done`
	output reg done,            // for one cycle: the image has ended
	output reg [3:0] result,    // how the image ended: `NFACC_LOAD_*
	output reg [31:0] words     // words taken since begin_image
);
	localparam ID = `NFACC_ELEMENT_BITS;
	localparam PAIR_WORDS = 64 / DATA; // words that make 64 bits
	localparam LEFT_BITS = $clog2((MOST_WORDS > CLEAR_CODES ? MOST_WORDS : CLEAR_CODES) + 1);
	localparam integer TWO = 2;
	// Bit id: element id is a REGISTER element.
	localparam TIME = ELEMENT_WORDS[`NFACC_EL_TICK*32 +: 32] != 0 ? 1 : 0;
	localparam AFTER_OWN = ELEMENT_WORDS[`NFACC_EL_WINDOW_AFTER*32 +: 32] != 0 ? 1 : 0;
	localparam [(1<<ID)-1:0] REGISTERS = (2 << `NFACC_EL_LIMIT) - (1 << `NFACC_EL_BY_LINE) +
		(TIME << `NFACC_EL_TICK) + (TIME << `NFACC_EL_END) +
		(AFTER_OWN << `NFACC_EL_WINDOW_AFTER);
	localparam [31:0] ROW_ELEMENT_WORDS = ELEMENT_WORDS[`NFACC_EL_MATCH*32 +: 32] |
		ELEMENT_WORDS[`NFACC_EL_BANK*32 +: 32]; // an overlay has at most one of the two
	localparam ROWS = ROW_ELEMENT_WORDS != 0 ? 1 : 0;
	localparam [31:0] MOST_WRITES = ELEMENT_WORDS[`NFACC_EL_RECODE*32 +: 32];
	localparam CLEARS = ROWS != 0 || MOST_WRITES != 0 ? 1 : 0; // there is a memory to clear
	localparam MAP_BITS = $clog2(NMAP + 1);
	localparam integer LAST = NMAP - 1;
	localparam [MAP_BITS-1:0] LAST_MAP = LAST[MAP_BITS-1:0];

	// Returns the element that comes after element `id` in an image; 0: the end of the image.
	function [ID-1:0] after(input [ID-1:0] id);
		integer i;
		begin
			after = {ID{1'b0}};
			for (i = (1 << ID) - 1; i > 0; i = i - 1)
				if (i > {{32-ID{1'b0}}, id} && ELEMENT_WORDS[i*32 +: 32] != 0)
					after = i[ID-1:0];
		end
	endfunction

	// The parameters must fit each other, and an element that holds a value must have as many
	// words as are read for it below. nfacc_chain and nfacc_links check the sizes of the other
	// elements.
	function [31:0] all_words(input unused_arg);
		integer i;
		begin
			all_words = 2 * PAIR_WORDS + 1; // fingerprint; the end: a header and the
			                                // CRC
			for (i = 1; i < 1 << ID; i = i + 1)
				if (ELEMENT_WORDS[i*32 +: 32] != 0)
					all_words =
						all_words + PAIR_WORDS + ELEMENT_WORDS[i*32 +: 32];
		end
	endfunction
	generate
		if (MOST_WORDS != all_words(1'b0)) begin : g_bad_most_words
			nfacc_error_most_words e ();
		end
		if (NMAP != (NROW + 31) / 32 || CODE_BITS != $clog2(NROW) ||
				LANE_BITS != (ROW_WORDS > 2 ? $clog2(ROW_WORDS) : 1) ||
				(ROWS != 0 &&
				ROW_ELEMENT_WORDS != NMAP + NROW * ROW_WORDS) ||
				CFG_BITS < CODE_BITS ||
				CLEAR_CODES > 1 << CFG_BITS) begin : g_bad_rows
			nfacc_error_rows e ();
		end
		if (ELEMENT_WORDS[`NFACC_EL_BY_LINE*32 +: 32] != 1 ||
				ELEMENT_WORDS[`NFACC_EL_BASE*32 +: 32] != PAIR_WORDS ||
				ELEMENT_WORDS[`NFACC_EL_COUNT*32 +: 32] != PAIR_WORDS ||
				ELEMENT_WORDS[`NFACC_EL_WINDOW_SIZE*32 +: 32] != PAIR_WORDS ||
				ELEMENT_WORDS[`NFACC_EL_LIMIT*32 +: 32] != PAIR_WORDS
				) begin : g_bad_values
			nfacc_error_values e ();
		end
	endgenerate

	localparam [2:0] OFF = 3'd0, PRINT = 3'd1, CLEAR = 3'd2, HEAD = 3'd3, BODY = 3'd4,
		SUM = 3'd5;

	reg [2:0] state;
	reg clears;                 // it is CLEAR, and rows or lists of writes need that
	wire clearing = (CLEARS != 0) & clears;
	reg applies;                // `apply` as it was at the start of this image
	reg high;                   // the second half of a fingerprint, header or value comes next
	reg [ID-1:0] element;         // the element that comes or is being read; 0: the end
	reg [LEFT_BITS-1:0] left;   // words of the element's payload that are still to come
	reg last;                   // that is one word
	wire last_but_one = left == TWO[LEFT_BITS-1:0];
	reg [31:0] low;             // the previous word: the low half of a pair
	reg [31:0] crc;
	reg in_map;                 // in an element of rows: a bit map comes next
	reg [31:0] map;             // rows of the current map that are still to come
	reg [31:0] map_rest;        // the same without the lowest of them
	reg [MAP_BITS-1:0] nmap;    // bit maps read so far, at most NMAP
	reg [MAP_BITS-1:0] map_at;  // the number of the current map, from 0 on
	reg [LANE_BITS-1:0] lane;
	reg by_line;

	// The word before ended the image. Whether it does hangs on many bits, so the result is told
	// a cycle later, and no word is taken until then.
	reg malformed;              // an element is not as it must be
	reg over;                   // it was the CRC (SUM), or the image is for other hardware
	reg sum_matches;            // it was the right CRC
	reg begun;                  // no: that was a word of the image before this one
	reg ready;                  // not clearing, over or held; as `begun` is 1 it may be 0
	wire ends = (malformed | over) & ~begun;

	// Facts about a half of a word, 32 bits. The loader compares a word with constants as the
	// word comes in, so that no comparison of many bits stands before its decisions.
	localparam FACTS = 10;
	localparam ZERO = 0,        // it is 0
		BIT = 1,            // at most 1
		IN_LINES = 2,       // at most LINES
		IN_WINDOW = 3,      // at most WINDOW
		IN_SIZE = 4,        // at most MOST_WORDS
		IN_MAP = 5,         // as the last bit map it names no row beyond the last one
		IN_WRITES = 6,      // at most MOST_WRITES
		PRINT_LOW = 7,      // the low half of FINGERPRINT
		PRINT_HIGH = 8,     // its high half
		SHORT = 9;          // it can be the number of an element
	localparam LAST_ROWS = NROW - 32 * (NMAP - 1); // rows of the last bit map, 1 .. 32
	// Only the bits that `most` has are compared with it, so no carry goes through all of them,
	// and all facts share whether four bits are 0.
	function above(input [31:0] half, input integer bits); // whether those from there on are 0
		integer n;
		reg [7:0] zero;
		begin
			for (n = 0; n < 8; n = n + 1)
				zero[n] = n * 4 >= bits ? half[n*4 +: 4] == 4'd0 :
					n * 4 + 4 <= bits | ((half[n*4 +: 4] >> bits % 4) == 4'd0);
			above = &zero;
		end
	endfunction
	function at_most(input [31:0] half, input [31:0] most);
		at_most = above(half, $clog2({1'b0, most} + 33'd1)) &
			((half & ~(32'hffffffff << $clog2({1'b0, most} + 33'd1))) <= most);
	endfunction
	function [FACTS-1:0] facts(input [31:0] half);
		begin
			facts[ZERO] = above(half, 0);
			facts[BIT] = above(half, 1);
			facts[IN_LINES] = at_most(half, LINES);
			facts[IN_WINDOW] = at_most(half, WINDOW);
			facts[IN_SIZE] = at_most(half, MOST_WORDS);
			facts[IN_MAP] = ({32'd0, half} >> LAST_ROWS) == 64'd0;
			facts[IN_WRITES] = at_most(half, MOST_WRITES);
			facts[PRINT_LOW] = half == FINGERPRINT[31:0];
			facts[PRINT_HIGH] = half == FINGERPRINT[63:32];
			facts[SHORT] = above(half, ID);
		end
	endfunction

	// Registers for the word that came last, and for the facts about its halves, the low one
	// first.
	reg w_valid;
	reg [DATA-1:0] w_data;
	reg [DATA/32*FACTS-1:0] w_facts;
	wire go = w_valid & ready & ~malformed; // there is no word as `begun` is 1
	assign in_ready = ready;
	assign loading = (state != OFF) | done;
	assign taken = go & (state != OFF) & ~begin_image;
	assign taken_data = w_data;

	wire [31:0] next_crc;
	nfacc_crc32c #(.DATA(DATA)) crc32c (.crc(crc), .data(w_data), .next(next_crc));

	// Two halves of 32 bits: with DATA 32 the previous word and the current one, with DATA 64
	// one word.
	wire [63:0] pair;
	wire [FACTS-1:0] pair_low, pair_high; // the facts about its halves
	wire [FACTS-1:0] word_low = w_facts[FACTS-1:0];
	wire word_is_bit;           // the current word is at most 1
	wire whole;                 // the current word completes the pair
	wire [DATA/32*FACTS-1:0] in_facts;
	assign in_facts[FACTS-1:0] = facts(in_data[31:0]);
	generate
		if (DATA == 32) begin : g_32
			reg [FACTS-1:0] low_facts; // the facts about `low`
			always @(posedge clk)
				if (go)
					low_facts <= word_low;
			assign pair = {w_data, low};
			assign pair_low = low_facts;
			assign pair_high = word_low;
			assign word_is_bit = word_low[BIT];
			assign whole = high;
		end else begin : g_64
			wire unused_low = &{1'b0, low};
			assign in_facts[2*FACTS-1:FACTS] = facts(in_data[DATA-1:DATA-32]);
			assign pair = w_data;
			assign pair_low = word_low;
			assign pair_high = w_facts[2*FACTS-1:FACTS];
			assign word_is_bit = word_low[BIT] & pair_high[ZERO];
			assign whole = 1'b1;
		end
	endgenerate

	// What `element` is, and how many words it has.
	reg [7:0] kind;
	reg [(1<<ID)-1:0] element_hot; // only bit `element` is 1
	reg [LEFT_BITS-1:0] size_now;
	wire is_end = kind[7];
	wire is_short = kind[6];    // it is a value of 64 bits, and the high half must be 0
	wire is_count = kind[5], is_window = kind[4], is_rows = kind[3], is_writes = kind[2],
		is_flag = kind[1], is_register = kind[0];
	function [7:0] kinds(input [31:0] id);
		kinds = {id == 32'd0, (id == `NFACC_EL_COUNT) | (id == `NFACC_EL_WINDOW_SIZE) |
			(id == `NFACC_EL_TICK) | (id == `NFACC_EL_WINDOW_AFTER),
			id == `NFACC_EL_COUNT,
			(id == `NFACC_EL_WINDOW_SIZE) | (id == `NFACC_EL_WINDOW_AFTER),
			(ROWS != 0) & ((id == `NFACC_EL_MATCH) | (id == `NFACC_EL_BANK)),
			(MOST_WRITES != 0) & (id == `NFACC_EL_RECODE),
			(id == `NFACC_EL_BY_LINE) | ((TIME != 0) & (id == `NFACC_EL_END)),
			REGISTERS[id[ID-1:0]]};
	endfunction
	// What comes after each element, in a field of a power of two: its words, its kind, its bit
	// of element_hot, its number. So each is a function of the number of the one before.
	localparam [(1<<ID)-1:0] NO_ELEMENT = 1;
	localparam NEXT = LEFT_BITS + 8 + (1 << ID) + ID;
	localparam FIELD = 1 << $clog2(NEXT);
	function [(FIELD<<ID)-1:0] all_next(input unused_arg);
		integer i;
		reg [ID-1:0] id;
		for (i = 0; i < 1 << ID; i = i + 1) begin
			id = after(i[ID-1:0]);
			all_next[i*FIELD +: FIELD] = {{FIELD-NEXT{1'b0}},
				ELEMENT_WORDS[id*32 +: LEFT_BITS],
				kinds({{32-ID{1'b0}}, id}), NO_ELEMENT << id, id};
		end
	endfunction
	localparam [(FIELD<<ID)-1:0] ALL_NEXT = all_next(1'b0);
	wire unused_hot = ^element_hot;
	wire id_matches = pair_low[SHORT] & (pair[ID-1:0] == element);
	wire size_matches = is_end ? pair_high[BIT] & ~pair_high[ZERO] :
		is_rows ? pair_high[IN_SIZE] & ~pair_high[ZERO] :
		is_writes ? pair_high[IN_WRITES] & ~pair_high[ZERO] :
		pair_high[IN_SIZE] & (pair[32 +: LEFT_BITS] == size_now);

	// The rows of a map come in rising order: the lowest row that is left comes next.
	wire row_last = {{(32-LANE_BITS){1'b0}}, lane} == ROW_WORDS - 1;
	wire last_row_of_map = row_last & (map_rest == 32'd0);
	wire map_last = nmap == (in_map ? LAST_MAP : NMAP[MAP_BITS-1:0]);
	wire map_in_range = (nmap != LAST_MAP) | word_low[IN_MAP];
	wire rows_end = map_last & (in_map ? word_low[ZERO] : last_row_of_map);
	reg [4:0] lowest;
	integer i;
	always @* begin
		lowest = 5'd0;
		for (i = 0; i < 32; i = i + 1)
			if (map[i] & ~map_rest[i])
				lowest = lowest | i[4:0];
	end
	wire [MAP_BITS+4:0] code = {map_at, lowest};
	wire unused_code = &{1'b0, code};
	wire [CFG_BITS-1:0] row_code;
	assign row_code[CODE_BITS-1:0] = code[CODE_BITS-1:0];
	generate
		if (CFG_BITS > CODE_BITS) begin : g_row_code
			assign row_code[CFG_BITS-1:CODE_BITS] = {CFG_BITS-CODE_BITS{1'b0}};
		end
	endgenerate

	// The value of a REGISTER element.
	wire [63:0] value = is_flag ? {32'd0, w_data[31:0]} : pair;
	wire value_in_range = ~(is_flag & ~word_is_bit) & ~(is_short & ~pair_high[ZERO]) &
		~(is_count & (~pair_low[IN_LINES] | (pair_low[ZERO] & by_line))) &
		~(is_window & ~pair_low[IN_WINDOW]);
	wire value_whole = is_flag | whole;

	wire bad_print = (DATA == 32) & ~high ? ~word_low[PRINT_LOW] :
		~(pair_low[PRINT_LOW] & pair_high[PRINT_HIGH]);
	wire bad_head = ((DATA == 32) & ~high ?
		~word_low[SHORT] | (w_data[ID-1:0] != element) : ~id_matches) |
		(whole & ~size_matches);
	wire bad_body = (is_rows & (((in_map & ~map_in_range) | (rows_end != last)))) |
		(is_register & value_whole & ~value_in_range);

	always @(posedge clk) begin
		cfg_clear <= 1'b0;
		cfg_row_we <= 1'b0;
		cfg_shift <= 0;
		staged_shift <= 1'b0;
		cfg_register <= 0;
		cfg_data <= w_data;
		cfg_value <= value;
		cfg_lane <= lane;
		done <= 1'b0;

		if (in_ready) begin
			w_valid <= in_valid;
			w_data <= in_data;
			w_facts <= in_facts;
		end
		if (go) begin
			crc <= next_crc;
			low <= w_data[31:0];
		end
		if (go & (state != OFF))
			words <= words + 32'd1;

		begun <= begin_image;
		malformed <= 1'b0;
		over <= 1'b0;
		ready <= ~(clearing & ~last) & ~hold;
		sum_matches <= w_data == {{(DATA-32){1'b0}}, ~crc};

		if (clearing) begin
			cfg_clear <= 1'b1;
			cfg_code <= cfg_clear ? cfg_code + {{(CFG_BITS-1){1'b0}}, 1'b1} :
				{CFG_BITS{1'b0}};
			if (last) begin
				state <= HEAD;
				clears <= 1'b0;
			end
		end
		// Outside of CLEAR and BODY they are set in every cycle, as a word is known late.
		case (state)
		HEAD: begin
			left <= pair[32 +: LEFT_BITS];
			last <= pair_high[BIT] & ~pair_high[ZERO];
		end
		CLEAR, BODY:
			if (clearing | go) begin
				left <= left - {{(LEFT_BITS-1){1'b0}}, 1'b1};
				last <= last_but_one;
			end
		default: begin
			left <= CLEAR_CODES[LEFT_BITS-1:0];
			last <= CLEAR_CODES == 1;
		end
		endcase
		if (go)
			case (state)
			PRINT: begin
				high <= ~whole;
				over <= bad_print;
				ready <= ~(bad_print | (whole & applies & (CLEARS != 0))) & ~hold;
				if (whole) begin
					state <= applies & (CLEARS != 0) ? CLEAR : HEAD;
					clears <= applies & ~bad_print;
				end
			end
			HEAD: begin
				high <= ~whole;
				in_map <= 1'b1;
				nmap <= {MAP_BITS{1'b0}};
				malformed <= bad_head;
				if (whole)
					state <= is_end ? SUM : BODY;
			end
			BODY: begin
				high <= is_register & ~value_whole;
				if (is_rows & in_map) begin
					nmap <= nmap + {{(MAP_BITS-1){1'b0}}, 1'b1};
					map_at <= nmap;
					map <= w_data[31:0];
					map_rest <= w_data[31:0] & (w_data[31:0] - 32'd1);
					lane <= {LANE_BITS{1'b0}};
					in_map <= word_low[ZERO];
				end else if (is_rows) begin
					cfg_row_we <= applies;
					cfg_code <= row_code;
					lane <= row_last ? {LANE_BITS{1'b0}} :
						lane + {{(LANE_BITS-1){1'b0}}, 1'b1};
					if (row_last) begin
						map <= map_rest;
						map_rest <= map_rest & (map_rest - 32'd1);
						in_map <= last_row_of_map;
					end
				end else if (is_register) begin
					if (applies & value_whole & value_in_range)
						cfg_register <= element_hot[`NFACC_REGISTER_IDS];
					if (element_hot[`NFACC_EL_BY_LINE])
						by_line <= w_data[0];
				end else if (applies)
					cfg_shift <= element_hot[`NFACC_DEVICE_IDS];
				else
					staged_shift <= element_hot[`NFACC_EL_PAYLOAD_TEST];
				if (last) begin // also if the image ends here
					{size_now, kind, element_hot, element} <=
						ALL_NEXT[element*FIELD +: NEXT];
				end
				malformed <= bad_body;
				if (last)
					state <= HEAD;
			end
			SUM: begin
				over <= 1'b1;
				ready <= 1'b0;
			end
			default: ;
			endcase
		if (ends) begin
			state <= OFF;
			done <= 1'b1;
			result <= malformed ? `NFACC_LOAD_MALFORMED :
				state != SUM ? `NFACC_LOAD_FINGERPRINT :
				sum_matches ? `NFACC_LOAD_OK : `NFACC_LOAD_CRC;
		end

		if (begin_image) begin
			state <= PRINT;
			clears <= 1'b0;
			staged_shift <= 1'b0;
			applies <= apply;
			w_valid <= 1'b0;
			high <= 1'b0;
			{size_now, kind, element_hot, element} <= ALL_NEXT[NEXT-1:0];
			crc <= 32'hffffffff;
			words <= 32'd0;
			done <= 1'b0;
			result <= `NFACC_LOAD_INCOMPLETE;
		end
		if (rst) begin
			state <= OFF;
			clears <= 1'b0;
			malformed <= 1'b0;
			over <= 1'b0;
			ready <= 1'b1;
			w_valid <= 1'b0;
			words <= 32'd0;
			cfg_clear <= 1'b0;
			done <= 1'b0;
			result <= `NFACC_LOAD_NONE;
		end
	end

`ifdef FORMAL
	// An image configures only if `apply` was set at its start and its fingerprint is right,
	// and only with words that were taken in cycles after one in which `hold` was 0. It ends
	// well only if its last word is the CRC of all words before it, as nfacc_crc32c computes it.
	localparam F_CLEARS = ROW_ELEMENT_WORDS != 0 || MOST_WRITES != 0;
	reg f_past = 1'b0;
	reg f_print_low, f_print;    // the words of the fingerprint so far are right
	reg [31:0] f_words;          // words of this image that were taken
	reg [31:0] f_crc, f_before;  // the CRC of all of them; of all but the last
	reg [DATA-1:0] f_last;       // the last of them
	reg [31:0] f_cleared;        // codes for which this image has cleared the memories
	wire f_configures = cfg_clear | cfg_row_we | (|cfg_shift) | (|cfg_register);
	always @(posedge clk) begin
		f_past <= 1'b1;
		if (!f_past) assume (rst);
		assume (f_words != 32'hffffffff); // an image has far fewer words
		if (taken) begin
			f_words <= f_words + 32'd1;
			f_before <= f_crc;
			f_crc <= next_crc;
			f_last <= taken_data;
			if (f_words == 32'd0) begin
				f_print_low <= taken_data[31:0] == FINGERPRINT[31:0];
				f_print <= DATA == 64 && taken_data == FINGERPRINT[DATA-1:0];
			end else if (DATA == 32 && f_words == 32'd1)
				f_print <= f_print_low && taken_data == FINGERPRINT[63:32];
		end
		if (begin_image || rst) begin
			f_words <= 32'd0;
			f_crc <= 32'hffffffff;
			f_print_low <= 1'b0;
			f_print <= 1'b0;
		end
		f_cleared <= state == PRINT ? 32'd0 : f_cleared + cfg_clear;
		if (f_past) begin
			assert (state <= SUM && clearing == (state == CLEAR && !over));
			if (clearing) assert (!ends && f_print);
			// Memories are cleared for all codes before the first element comes.
			if (cfg_clear && state != PRINT && state != OFF)
				assert (cfg_code == f_cleared);
			if (state == CLEAR)
				assert (left + f_cleared + cfg_clear == CLEAR_CODES &&
					left != 0 && cfg_clear == (left != CLEAR_CODES));
			if (state > CLEAR && applies && F_CLEARS)
				assert (f_cleared + cfg_clear == CLEAR_CODES);
			if (state == CLEAR) assert (applies && F_CLEARS);
			assert (words == f_words);
			if (taken)
				assert (!(begin_image || state == OFF || clearing || ends));
			assert (!(ends && (malformed && over || state == OFF || done)));
			assert (begun || !ready || !(clearing || over));
			if (begun)
				assert (!w_valid && !clearing && (state == PRINT || state == OFF));
			if (state != OFF) assert (element_hot == 1 << element);
			if (state != OFF && !ends) begin
				assert (kind == kinds(element));
				assert (size_now == ELEMENT_WORDS[element*32 +: 32]);
				assert (crc == f_crc && !done);
				assert ((state == PRINT) == (f_words < PAIR_WORDS));
				if (state == PRINT) assert (high == (f_words == 32'd1));
				else assert (f_print && f_words >= PAIR_WORDS);
				if (state == PRINT && f_words == 32'd1)
					assert (f_print_low && low == FINGERPRINT[31:0]);
			end
			// The facts are about the word and the pair beside them.
			if (w_valid) assert (word_low == facts(w_data[31:0]));
			if ((w_valid || DATA == 32) && whole && state != OFF)
				assert (pair_low == facts(pair[31:0]));
			if (w_valid && whole) assert (pair_high == facts(pair[63:32]));
			if ((state == BODY || state == CLEAR) && !ends)
				assert (last == (left == 1));
			// A list of writes is neither empty nor too long.
			if (state == BODY && is_writes && !ends)
				assert (left != 0 && left <= MOST_WRITES);
			// The row that comes next is the lowest of its map.
			if (state == BODY && !in_map)
				assert (map[lowest] && map_rest == (map & ~(32'd1 << lowest)) &&
					(map & ((32'd1 << lowest) - 32'd1)) == 32'd0);
			if (over && !begun && state == SUM)
				assert (f_print && sum_matches ==
					(f_last == {{(DATA-32){1'b0}}, ~f_before}));
			if (done && result == `NFACC_LOAD_OK)
				assert (f_print && f_last == {{(DATA-32){1'b0}}, ~f_before});
		end
		if (f_past && $past(f_past) && !$past(rst)) begin
			if (taken) assert (!$past(hold));
			if (f_configures && !$past(begin_image)) assert (f_print);
			if (f_configures) assert ($past(applies));
			// Words of the payload's tests are handed on as they come, whether the image
			// configures or not.
			assert (staged_shift == $past(!applies && taken && state == BODY &&
				element == `NFACC_EL_PAYLOAD_TEST));
			if (staged_shift) assert (f_print && cfg_data == $past(taken_data));
			if (f_configures && !cfg_clear) assert ($past(taken || begin_image));
			// Each word of a list of writes is handed on as it came.
			if ($past(taken && state == BODY && is_writes && applies))
				assert (cfg_shift[`NFACC_EL_RECODE] &&
					cfg_data == $past(taken_data));
			if ($past(begin_image))
				assert (state == PRINT && applies == $past(apply) && !done &&
					!w_valid && result == `NFACC_LOAD_INCOMPLETE);
			// No word comes between the last of an image and its result.
			if (done) assert ($past(ends) && state == OFF);
			if (ends) assert ($past(taken) && !taken);
			if ($past(state == OFF) && !$past(begin_image))
				assert (state == OFF && !done && $stable(result));
			assert (loading == (state != OFF || done));
		end
	end
`endif
endmodule
`default_nettype wire
