// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// nfacc_recode: recodes the opcode of each slot to a letter, which says more of a message than its
// opcode does: what the NFA behind it sees as an opcode is the letter. Each slot has mask tests and
// range tests of its header, results of tests of its payload, and a memory. The opcode and the
// results of the tests are the memory's address, and the letter is the opcode XOR the value read
// there. So a memory of zeros leaves every opcode as it is. The tests take one cycle, the memory
// another. An absent slot gets the letter of the idle opcode, so that nothing behind has to choose.
// With LATE the results wait for a cycle, because nfacc_reduce takes one more to find out which
// slots are absent.
//
//	             test_mask, test_range
//	header ----------> [results] ---> [memory] ---> XOR ---> letter
//	      \---------> [opcode]  ---/           /
//	                            \-> [opcode] -/
`default_nettype none
`include "nfacc_contract.vh"

module nfacc_recode #(
	parameter SLOTS = 1,        // 1..64: messages of a batch
	parameter HEADER_BITS = 8,  // 1..64: bits of a header
	parameter OP_LSB = 0,       // the lowest bit of the opcode in a header
	parameter OP_BITS = 8,      // 1..8: bits of an opcode
	// The opcode that no message has. An absent slot gets it as its letter. -1: there is none.
	parameter integer IDLE = -1,
	parameter ROW_BITS = 8,     // OP_BITS..9: bits of a letter
	parameter GUARDS = 1,       // 0..16: mask tests of a slot
	parameter RANGES = 0,       // 0..8: range tests of a slot
	parameter PAYLOAD_TESTS = 0, // 0..8: payload tests of a slot; there is a test of some kind
	parameter GUARD_TABLES = 2, // tables of a mask test
	parameter RANGE_TABLES = 4, // tables of a range test
	parameter RECODE_BITS = 9,  // address bits of a memory: OP_BITS and one for each test
	parameter CFG_BITS = 9,     // RECODE_BITS..: bits of cfg_code
	// Configuration words of the elements guard and range; 0: the overlay does not have them.
	parameter GUARD_WORDS = 32,
	parameter RANGE_WORDS = 0,
	parameter DATA = 32,        // 32 or 64: bits of a configuration word
	parameter LATE = 0,         // 0 or 1: cycles that the results of the tests wait
	parameter XILINX = 0        // 0: portable Verilog, 1: primitive CFGLUT5
) (
	input wire clk,
	input wire [SLOTS*HEADER_BITS-1:0] header,
	// The results of payload tests come with the header. Without them one bit that is not
	// looked at.
	input wire [(PAYLOAD_TESTS > 0 ? SLOTS*PAYLOAD_TESTS : 1)-1:0] payload_passed,
	// The NFA sees no message of the slot. The bit comes 1 + LATE cycles after the header.
	input wire [SLOTS-1:0] absent,
	output wire [SLOTS*ROW_BITS-1:0] letter, // 2 + LATE cycles after the header
	// The configuration changes only while no batch is inside.
	input wire cfg_clear,                    // clear the value at address cfg_code in all slots
	input wire [CFG_BITS-1:0] cfg_code,
	// Bit `id`: cfg_data is a word for element `id`.
	input wire [`NFACC_DEVICE_IDS] cfg_shift,
	input wire [DATA-1:0] cfg_data
);
	localparam NTEST = GUARDS + RANGES + PAYLOAD_TESTS;
	localparam SLOT_BITS = SLOTS > 2 ? $clog2(SLOTS) : 1;
	localparam NMASK = SLOTS * GUARDS * GUARD_TABLES;   // tables of all mask tests
	localparam NRANGE = SLOTS * RANGES * RANGE_TABLES;  // tables of all range tests
	localparam MASK_PORTS = NMASK > 0 ? NMASK : 1;      // at least 1: no vector is empty
	localparam RANGE_PORTS = NRANGE > 0 ? NRANGE : 1;

	wire shift_guard = cfg_shift[`NFACC_EL_GUARD];
	wire shift_range = cfg_shift[`NFACC_EL_RANGE];
	wire [MASK_PORTS-1:0] mask_cdi, mask_cdo;
	wire [RANGE_PORTS-1:0] range_cdi, range_cdo;
	wire unused_recode = &{1'b0, header, payload_passed, absent, cfg_code, cfg_shift, cfg_data};
	genvar i, j;
	generate
		if (!`NFACC_GOOD_GUARDS || !`NFACC_GOOD_RANGES ||
				!`NFACC_GOOD_PAYLOAD_TESTS || NTEST == 0 ||
				RECODE_BITS != OP_BITS + NTEST ||
				RECODE_BITS > `NFACC_MOST_RECODE ||
				CFG_BITS < RECODE_BITS) begin : g_bad_tests
			nfacc_error_tests e ();
		end
		if (ROW_BITS < OP_BITS || ROW_BITS > `NFACC_RECODE_ADDRESS) begin : g_bad_letters
			nfacc_error_letter_bits e ();
		end
		if (GUARDS > 0) begin : g_guards
			nfacc_links #(
				.TABLES(NMASK), .WORDS(GUARD_WORDS), .DATA(DATA), .XILINX(XILINX)
			) links (
				.clk(clk), .shift(shift_guard), .data(cfg_data), .cdo(mask_cdo),
				.cdi(mask_cdi)
			);
		end else begin : g_no_guards
			assign mask_cdi = 1'b0;
			assign mask_cdo = 1'b0;
			wire unused_mask = &{1'b0, shift_guard, mask_cdi, mask_cdo};
		end
		if (RANGES > 0) begin : g_ranges
			nfacc_links #(
				.TABLES(NRANGE), .WORDS(RANGE_WORDS), .DATA(DATA), .XILINX(XILINX)
			) links (
				.clk(clk), .shift(shift_range), .data(cfg_data), .cdo(range_cdo),
				.cdi(range_cdi)
			);
		end else begin : g_no_ranges
			assign range_cdi = 1'b0;
			assign range_cdo = 1'b0;
			wire unused_range = &{1'b0, shift_range, range_cdi, range_cdo};
		end
	endgenerate

	// A write to a memory: a word of element recode, or 0 if the memories are cleared.
	reg [SLOTS-1:0] write;
	reg [RECODE_BITS-1:0] at;
	reg [ROW_BITS-1:0] value;
	wire [SLOT_BITS-1:0] slot = cfg_data[`NFACC_RECODE_ADDRESS+RECODE_BITS +: SLOT_BITS];
	always @(posedge clk) begin
		at <= cfg_clear ? cfg_code[RECODE_BITS-1:0] :
			cfg_data[`NFACC_RECODE_ADDRESS +: RECODE_BITS];
		value <= cfg_clear ? {ROW_BITS{1'b0}} : cfg_data[ROW_BITS-1:0];
	end

`ifdef FORMAL
	(* anyseq *) reg [ROW_BITS-1:0] f_met; // what a read that meets a write gives
`endif
	generate
		for (i = 0; i < SLOTS; i = i + 1) begin : g_slot
			localparam [SLOT_BITS-1:0] SLOT = i;
			wire [HEADER_BITS-1:0] head = header[i*HEADER_BITS +: HEADER_BITS];
			wire unused_head = &{1'b0, head}; // without tests of the header
			wire [NTEST-1:0] pass;
			reg [NTEST-1:0] results;
			reg [OP_BITS-1:0] opcode_q, opcode_2;
			wire [NTEST-1:0] passed;     // as the memory's address
			wire [OP_BITS-1:0] passing;
			if (LATE != 0) begin : g_late
				reg [NTEST-1:0] passed_q;
				reg [OP_BITS-1:0] passing_q;
				always @(posedge clk)
					{passed_q, passing_q} <= {results, opcode_q};
				assign {passed, passing} = {passed_q, passing_q};
			end else begin : g_at_once
				assign {passed, passing} = {results, opcode_q};
			end
			// Nothing that is read while a value is written is used.
			(* ram_style = "block", no_rw_check *)
			reg [ROW_BITS-1:0] memory [0:(1<<RECODE_BITS)-1];
			reg [ROW_BITS-1:0] word;
			always @(posedge clk) begin
				write[i] <= cfg_shift[`NFACC_EL_RECODE] & (slot == SLOT);
				if (cfg_clear)
					write[i] <= 1'b1;
				results <= pass;
				opcode_q <= head[OP_LSB +: OP_BITS];
				opcode_2 <= passing;
				if (write[i])
					memory[at] <= value;
				word <= memory[{passed, passing}];
`ifdef FORMAL
				if (write[i] & (at == {passed, passing}))
					word <= f_met;
`endif
				if (IDLE >= 0 && absent[i]) begin
					word <= {ROW_BITS{1'b0}};
					opcode_2 <= IDLE[OP_BITS-1:0];
				end
			end
			assign letter[i*ROW_BITS +: OP_BITS] = word[OP_BITS-1:0] ^ opcode_2;
			if (ROW_BITS > OP_BITS) begin : g_more
				assign letter[i*ROW_BITS+OP_BITS +: ROW_BITS-OP_BITS] =
					word[ROW_BITS-1:OP_BITS];
			end
			if (PAYLOAD_TESTS > 0) begin : g_payload
				assign pass[NTEST-1 -: PAYLOAD_TESTS] =
					payload_passed[i*PAYLOAD_TESTS +: PAYLOAD_TESTS];
			end
			for (j = 0; j < GUARDS; j = j + 1) begin : g_mask
				localparam AT = (i * GUARDS + j) * GUARD_TABLES;
				nfacc_test_mask #(
					.HEADER_BITS(HEADER_BITS), .TABLES(GUARD_TABLES),
					.XILINX(XILINX)
				) test (
					.clk(clk), .header(head), .pass(pass[j]),
					.shift(shift_guard), .cdi(mask_cdi[AT +: GUARD_TABLES]),
					.cdo(mask_cdo[AT +: GUARD_TABLES])
				);
			end
			for (j = 0; j < RANGES; j = j + 1) begin : g_range
				localparam AT = (i * RANGES + j) * RANGE_TABLES;
				nfacc_test_range #(
					.HEADER_BITS(HEADER_BITS), .TABLES(RANGE_TABLES),
					.XILINX(XILINX)
				) test (
					.clk(clk), .header(head), .pass(pass[GUARDS+j]),
					.shift(shift_range), .cdi(range_cdi[AT +: RANGE_TABLES]),
					.cdo(range_cdo[AT +: RANGE_TABLES])
				);
			end
		end
	endgenerate

`ifdef FORMAL
	// The proof picks an arbitrary address of an arbitrary slot. A message that has this opcode
	// and passes just these tests gets the letter that the value last written there says: the
	// opcode XOR this value. A value that was cleared is 0. An absent slot gets the letter of
	// the idle opcode.
	(* anyconst *) reg [SLOT_BITS-1:0] f_slot;
	(* anyconst *) reg [RECODE_BITS-1:0] f_address;
	wire [SLOT_BITS+RECODE_BITS-1:0] f_whole = {f_slot, f_address};
	reg [3:0] f_past = 4'd0;
	reg f_known = 1'b0, f_known_q = 1'b0; // the value was cleared or written; a cycle ago
	reg [ROW_BITS-1:0] f_value, f_value_q;
	wire f_writes = cfg_shift[`NFACC_EL_RECODE] &&
		cfg_data[`NFACC_RECODE_ADDRESS +: SLOT_BITS+RECODE_BITS] == f_whole;
	wire f_loads = cfg_clear || |cfg_shift;
	always @(posedge clk) begin
		f_past <= {f_past[2:0], 1'b1};
		f_known_q <= f_known;
		f_value_q <= f_value;
		if (cfg_clear && cfg_code[RECODE_BITS-1:0] == f_address) begin
			f_known <= 1'b1;
			f_value <= {ROW_BITS{1'b0}};
		end else if (f_writes) begin
			f_known <= 1'b1;
			f_value <= cfg_data[ROW_BITS-1:0];
		end
	end
	always @(*) begin
		assume (f_slot < SLOTS);
		assume (!(cfg_clear && |cfg_shift));
	end
	for (i = 0; i < SLOTS; i = i + 1) begin : g_f_slot
		wire [HEADER_BITS-1:0] f_head = header[i*HEADER_BITS +: HEADER_BITS];
		wire [OP_BITS-1:0] f_opcode = f_head[OP_LSB +: OP_BITS];
		wire [RECODE_BITS-1:0] f_here = {g_slot[i].pass, f_opcode};
		wire [ROW_BITS-1:0] f_letter = letter[i*ROW_BITS +: ROW_BITS];
		always @(posedge clk) begin
			if (f_past[0] && f_slot == i && f_known_q)
				assert (g_slot[i].memory[f_address] == f_value_q ||
					(write[i] && at == f_address));
			if (f_past[0] && f_slot == i && f_known && write[i] &&
					at == f_address)
				assert (value == f_value);
			if (f_past[0] && IDLE >= 0 && $past(absent[i]))
				assert (f_letter == IDLE);
			else if (f_past[2+LATE] && f_slot == i && f_known && !f_loads &&
					!$past(f_loads) && !$past(f_loads, 2) &&
					!$past(f_loads, 3) && !$past(f_loads, 3 + LATE) &&
					$past(f_here, 2 + LATE) == f_address)
				assert (f_letter == (f_value ^ $past(f_opcode, 2 + LATE)));
		end
	end
`endif
endmodule
`default_nettype wire
