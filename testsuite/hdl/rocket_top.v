// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// The dual-core Rocket of pythondata-cpu-rocket with two memories, and the port of its coherence manager
// as the signals that protocols/tlc.proto asks for. The manager's port carries the messages of both
// cores; the upper bits of a source say whose one is: 4 is core 0, 5 is core 1, and the rest are devices.
module rocket_top(input clock, input reset);
	localparam CORE0 = 3'd4, CORE1 = 3'd5;
	// verilator tracing_off

	wire mem_aw_ready, mem_aw_valid, mem_w_ready, mem_w_valid, mem_w_last, mem_b_ready, mem_b_valid;
	wire mem_ar_ready, mem_ar_valid, mem_r_ready, mem_r_valid, mem_r_last;
	wire [3:0] mem_aw_id, mem_b_id, mem_ar_id, mem_r_id;
	wire [31:0] mem_aw_addr, mem_ar_addr;
	wire [7:0] mem_ar_len;
	wire [127:0] mem_w_data, mem_r_data;
	wire [15:0] mem_w_strb;

	wire mmio_aw_ready, mmio_aw_valid, mmio_w_ready, mmio_w_valid, mmio_w_last, mmio_b_ready, mmio_b_valid;
	wire mmio_ar_ready, mmio_ar_valid, mmio_r_ready, mmio_r_valid, mmio_r_last;
	wire [3:0] mmio_aw_id, mmio_b_id, mmio_ar_id, mmio_r_id;
	wire [31:0] mmio_aw_addr, mmio_ar_addr;
	wire [7:0] mmio_ar_len;
	wire [63:0] mmio_w_data, mmio_r_data;
	wire [7:0] mmio_w_strb;

	rocket_memory #(.WIDTH(128), .WORDS(16384)) mem (.clock(clock), .reset(reset),
		.aw_ready(mem_aw_ready), .aw_valid(mem_aw_valid), .aw_id(mem_aw_id), .aw_addr(mem_aw_addr),
		.w_ready(mem_w_ready), .w_valid(mem_w_valid), .w_data(mem_w_data), .w_strb(mem_w_strb),
		.w_last(mem_w_last), .b_ready(mem_b_ready), .b_valid(mem_b_valid), .b_id(mem_b_id),
		.ar_ready(mem_ar_ready), .ar_valid(mem_ar_valid), .ar_id(mem_ar_id), .ar_addr(mem_ar_addr),
		.ar_len(mem_ar_len), .r_ready(mem_r_ready), .r_valid(mem_r_valid), .r_id(mem_r_id),
		.r_data(mem_r_data), .r_last(mem_r_last));

	rocket_memory #(.WIDTH(64), .WORDS(16)) mmio (.clock(clock), .reset(reset),
		.aw_ready(mmio_aw_ready), .aw_valid(mmio_aw_valid), .aw_id(mmio_aw_id), .aw_addr(mmio_aw_addr),
		.w_ready(mmio_w_ready), .w_valid(mmio_w_valid), .w_data(mmio_w_data), .w_strb(mmio_w_strb),
		.w_last(mmio_w_last), .b_ready(mmio_b_ready), .b_valid(mmio_b_valid), .b_id(mmio_b_id),
		.ar_ready(mmio_ar_ready), .ar_valid(mmio_ar_valid), .ar_id(mmio_ar_id), .ar_addr(mmio_ar_addr),
		.ar_len(mmio_ar_len), .r_ready(mmio_r_ready), .r_valid(mmio_r_valid), .r_id(mmio_r_id),
		.r_data(mmio_r_data), .r_last(mmio_r_last));

	reg [31:0] bug; // which mistake the machine has (rocket_bugs.sed)
	initial if (!$value$plusargs("bug=%d", bug)) bug = 0;

	// Cores begin in a ROM of their own, which jumps to 0x10000000. From there they go to 0x80000000.
	reg [1023:0] program_file;
	initial begin
		if (!$value$plusargs("program=%s", program_file))
			$fatal;
		$readmemh(program_file, mem.words);
		mmio.words[0] = 64'h01f2929300100293; // li t0, 1; slli t0, t0, 31
		mmio.words[1] = 64'h0000000000028067; // jr t0
	end

	ExampleRocketSystem dut (.clock(clock), .reset(reset), .debug_clock(clock), .debug_reset(reset),
		.debug_clockeddmi_dmiClock(clock), .debug_clockeddmi_dmiReset(reset),
		.mem_axi4_0_aw_ready(mem_aw_ready), .mem_axi4_0_aw_valid(mem_aw_valid),
		.mem_axi4_0_aw_bits_id(mem_aw_id), .mem_axi4_0_aw_bits_addr(mem_aw_addr),
		.mem_axi4_0_w_ready(mem_w_ready), .mem_axi4_0_w_valid(mem_w_valid),
		.mem_axi4_0_w_bits_data(mem_w_data), .mem_axi4_0_w_bits_strb(mem_w_strb),
		.mem_axi4_0_w_bits_last(mem_w_last), .mem_axi4_0_b_ready(mem_b_ready),
		.mem_axi4_0_b_valid(mem_b_valid), .mem_axi4_0_b_bits_id(mem_b_id),
		.mem_axi4_0_ar_ready(mem_ar_ready), .mem_axi4_0_ar_valid(mem_ar_valid),
		.mem_axi4_0_ar_bits_id(mem_ar_id), .mem_axi4_0_ar_bits_addr(mem_ar_addr),
		.mem_axi4_0_ar_bits_len(mem_ar_len), .mem_axi4_0_r_ready(mem_r_ready),
		.mem_axi4_0_r_valid(mem_r_valid), .mem_axi4_0_r_bits_id(mem_r_id),
		.mem_axi4_0_r_bits_data(mem_r_data), .mem_axi4_0_r_bits_last(mem_r_last),
		.mmio_axi4_0_aw_ready(mmio_aw_ready), .mmio_axi4_0_aw_valid(mmio_aw_valid),
		.mmio_axi4_0_aw_bits_id(mmio_aw_id), .mmio_axi4_0_aw_bits_addr(mmio_aw_addr),
		.mmio_axi4_0_w_ready(mmio_w_ready), .mmio_axi4_0_w_valid(mmio_w_valid),
		.mmio_axi4_0_w_bits_data(mmio_w_data), .mmio_axi4_0_w_bits_strb(mmio_w_strb),
		.mmio_axi4_0_w_bits_last(mmio_w_last), .mmio_axi4_0_b_ready(mmio_b_ready),
		.mmio_axi4_0_b_valid(mmio_b_valid), .mmio_axi4_0_b_bits_id(mmio_b_id),
		.mmio_axi4_0_ar_ready(mmio_ar_ready), .mmio_axi4_0_ar_valid(mmio_ar_valid),
		.mmio_axi4_0_ar_bits_id(mmio_ar_id), .mmio_axi4_0_ar_bits_addr(mmio_ar_addr),
		.mmio_axi4_0_ar_bits_len(mmio_ar_len), .mmio_axi4_0_r_ready(mmio_r_ready),
		.mmio_axi4_0_r_valid(mmio_r_valid), .mmio_axi4_0_r_bits_id(mmio_r_id),
		.mmio_axi4_0_r_bits_data(mmio_r_data), .mmio_axi4_0_r_bits_last(mmio_r_last));

	// The port of the coherence manager, for each core. A GrantAck names nobody but the sink of its Grant.
	// verilator tracing_on
`define PORT(signal) dut.subsystem_l2_wrapper.broadcast_1.auto_in_``signal
	reg [3:0] sink_of_core1;
	always @(posedge clock)
		if (`PORT(d_valid) && `PORT(d_ready) && `PORT(d_bits_opcode) >= 4 && `PORT(d_bits_opcode) <= 5)
			sink_of_core1[`PORT(d_bits_sink)] <= `PORT(d_bits_source[4:2]) == CORE1;
`define CLIENT(n) \
	wire client``n``_a_valid = `PORT(a_valid) && `PORT(a_bits_source[4:2]) == CORE``n; \
	wire client``n``_a_ready = `PORT(a_ready); \
	wire [2:0] client``n``_a_opcode = `PORT(a_bits_opcode); \
	wire [2:0] client``n``_a_param = `PORT(a_bits_param); \
	wire [7:0] client``n``_a_source = {3'd0, `PORT(a_bits_source)}; \
	wire [47:0] client``n``_a_address = {16'd0, `PORT(a_bits_address)}; \
	wire client``n``_b_valid = `PORT(b_valid) && `PORT(b_bits_source[4:2]) == CORE``n; \
	wire client``n``_b_ready = `PORT(b_ready); \
	wire [2:0] client``n``_b_param = {1'd0, `PORT(b_bits_param)}; \
	wire [47:0] client``n``_b_address = {16'd0, `PORT(b_bits_address)}; \
	wire client``n``_c_valid = `PORT(c_valid) && `PORT(c_bits_source[4:2]) == CORE``n; \
	wire client``n``_c_ready = `PORT(c_ready); \
	wire [2:0] client``n``_c_opcode = `PORT(c_bits_opcode); \
	wire [2:0] client``n``_c_param = `PORT(c_bits_param); \
	wire [3:0] client``n``_c_size = {1'd0, `PORT(c_bits_size)}; \
	wire [7:0] client``n``_c_source = {3'd0, `PORT(c_bits_source)}; \
	wire [47:0] client``n``_c_address = {16'd0, `PORT(c_bits_address)}; \
	wire client``n``_d_valid = `PORT(d_valid) && `PORT(d_bits_source[4:2]) == CORE``n; \
	wire client``n``_d_ready = `PORT(d_ready); \
	wire [2:0] client``n``_d_opcode = `PORT(d_bits_opcode); \
	wire [2:0] client``n``_d_param = {1'd0, `PORT(d_bits_param)}; \
	wire [3:0] client``n``_d_size = {1'd0, `PORT(d_bits_size)}; \
	wire [7:0] client``n``_d_source = {3'd0, `PORT(d_bits_source)}; \
	wire [7:0] client``n``_d_sink = {6'd0, `PORT(d_bits_sink)}; \
	wire client``n``_e_valid = `PORT(e_valid) && sink_of_core1[`PORT(e_bits_sink)] == n; \
	wire [7:0] client``n``_e_sink = {6'd0, `PORT(e_bits_sink)};
	`CLIENT(0)
	`CLIENT(1)
endmodule
