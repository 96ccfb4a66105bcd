// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// example_tb: sends messages through the FIFOs of nfacc_example. They must reach the engine's tap
// in their slots, with their time. A FIFO that stalls must give no message. Handshakes and headers
// are random.
`default_nettype none

module example_tb;
	localparam CYCLES = 2000, STAGES = 3, HEADERS = 20 * 64;

	reg clk = 1'b0;
	reg rst = 1'b1;
	reg [3:0] valid, ready;
	reg [63:0] header [0:3];
	reg load;
	reg [63:0] value;

	nfacc_example #(.STAGES(STAGES)) dut (
		.clk(clk), .rst(rst),
		.cpu_req6_valid(valid[0]), .cpu_req6_ready(ready[0]), .cpu_req6_header(header[0]),
		.cpu_req7_valid(valid[1]), .cpu_req7_ready(ready[1]), .cpu_req7_header(header[1]),
		.fpga_rsp4_valid(valid[2]), .fpga_rsp4_ready(ready[2]),
		.fpga_rsp4_header(header[2]), .fpga_rsp5_valid(valid[3]),
		.fpga_rsp5_ready(ready[3]), .fpga_rsp5_header(header[3]), .time_load(load),
		.time_value(value), .s_axil_awaddr(12'd0), .s_axil_awvalid(1'b0), .s_axil_awready(),
		.s_axil_wdata(32'd0), .s_axil_wstrb(4'd0), .s_axil_wvalid(1'b0), .s_axil_wready(),
		.s_axil_bresp(), .s_axil_bvalid(), .s_axil_bready(1'b1),
		.s_axil_araddr(12'd0), .s_axil_arvalid(1'b0), .s_axil_arready(), .s_axil_rdata(),
		.s_axil_rresp(), .s_axil_rvalid(), .s_axil_rready(1'b1),
		.m_axis_tdata(), .m_axis_tvalid(), .m_axis_tready(1'b1), .m_axis_tlast(),
		.idle(), .done());

	always #5 clk = ~clk;

	// What the tap must show STAGES cycles later, in slots 4, 5, 12 and 13.
	reg [19:0] present [0:STAGES-1];
	reg [HEADERS-1:0] headers [0:STAGES-1];
	reg [63:0] now;
	reg [19:0] seen;
	integer n, i, messages;

	task draw;
		begin
			valid = $random;
			ready = $random;
			load = ($random & 63) == 0;
			value = {$random, $random};
			for (i = 0; i < 4; i = i + 1)
				header[i] = {$random, $random};
		end
	endtask

	initial begin
		messages = 0;
		draw;
		load = 1'b0;
		valid = 4'hf; // during reset no message may be seen
		ready = 4'hf;
		for (n = 0; n < STAGES; n = n + 1)
			present[n] = 20'd0;
		now = 64'd0;
		repeat (3) @(negedge clk);
		rst = 1'b0;
		for (n = 0; n < CYCLES; n = n + 1) begin
			// Before the clock edge, the engine sees what came STAGES edges ago.
			seen = present[STAGES-1];
			if (dut.engine.s_time !== now || dut.engine.s_present !== seen ||
			    dut.engine.s_valid !== |seen) begin
				$display("cycle %0d: time %0d, wanted %0d; slots %h, wanted %h", n,
					dut.engine.s_time, now, dut.engine.s_present, seen);
				$fatal;
			end
			for (i = 0; i < 20; i = i + 1)
				if (seen[i]) begin
					messages = messages + 1;
					if (dut.engine.s_header[i*64 +: 64] !==
					    headers[STAGES-1][i*64 +: 64]) begin
						$display("cycle %0d: header in slot %0d", n, i);
						$fatal;
					end
				end
			for (i = STAGES - 1; i > 0; i = i - 1) begin
				present[i] = present[i-1];
				headers[i] = headers[i-1];
			end
			present[0] = 20'd0;
			headers[0] = {HEADERS{1'b0}};
			{present[0][13], present[0][12], present[0][5], present[0][4]} =
				valid & ready;
			headers[0][4*64 +: 64] = header[0];
			headers[0][5*64 +: 64] = header[1];
			headers[0][12*64 +: 64] = header[2];
			headers[0][13*64 +: 64] = header[3];
			now = load ? value : now + 64'd1;
			@(negedge clk);
			draw;
		end
		if (messages < CYCLES / 2) begin
			$display("only %0d messages", messages);
			$fatal;
		end
		$display("PASS");
		$finish;
	end
endmodule
`default_nettype wire
