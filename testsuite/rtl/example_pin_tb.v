// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// example_pin_tb: sends messages through the FIFOs of nfacc_example_pin, and changes its pin at random
// times between clock edges. Both must reach the engine's tap three cycles later, in their slots: one
// message when the pin rises and one when it falls, or with EDGE 0 one in every cycle.
`default_nettype none

module example_pin_tb #(
	parameter EDGE = 1
);
	localparam CYCLES = 2000, STAGES = 3;

	reg clk = 1'b0;
	reg rst = 1'b1;
	reg pin = 1'b0;
	reg [3:0] valid, ready;
	reg [127:0] header;

	nfacc_example_pin #(.EDGE(EDGE)) dut (
		.clk(clk), .rst(rst), .fifo_valid(valid), .fifo_ready(ready), .fifo_header(header),
		.pin(pin), .s_axil_awaddr(12'd0), .s_axil_awvalid(1'b0), .s_axil_awready(),
		.s_axil_wdata(32'd0), .s_axil_wstrb(4'd0), .s_axil_wvalid(1'b0), .s_axil_wready(),
		.s_axil_bresp(), .s_axil_bvalid(), .s_axil_bready(1'b1),
		.s_axil_araddr(12'd0), .s_axil_arvalid(1'b0), .s_axil_arready(), .s_axil_rdata(),
		.s_axil_rresp(), .s_axil_rvalid(), .s_axil_rready(1'b1),
		.m_axis_tdata(), .m_axis_tvalid(), .m_axis_tready(1'b1), .m_axis_tlast(),
		.idle(), .done());

	always #5 clk = ~clk;

	// What the tap must show, and the pin: k cycles ago in bits or words k.
	reg [STAGES*4-1:0] presents;
	reg [STAGES*128-1:0] headers;
	reg [STAGES:0] pins;
	reg rises, falls;
	reg [3:0] seen;
	integer n, i, messages, edges;

	initial begin
		messages = 0;
		edges = 0;
		presents = 0;
		pins = 0;
		valid = 4'hf; // during reset no message may be seen
		ready = 4'hf;
		header = 0;
		repeat (5) @(negedge clk);
		rst = 1'b0;
		for (n = 0; n < CYCLES; n = n + 1) begin
			valid = $random;
			ready = $random;
			header = {$random, $random, $random, $random};
			if (($random & 7) == 0)
				pin = ~pin;
			seen = presents[STAGES*4-1 -: 4];
			// After reset it takes three cycles until the first level is seen.
			rises = pins[STAGES-1] & ~(EDGE != 0 & pins[STAGES]);
			falls = ~pins[STAGES-1] & ~(EDGE != 0 & ~pins[STAGES]);
			if (n >= STAGES && (dut.engine.s_present !== {rises | falls, seen} ||
			    (rises | falls) && dut.engine.s_header[159:156] !== (rises ? 4'd8 : 4'd9))) begin
				$display("cycle %0d: slots %b, wanted %b", n, dut.engine.s_present,
					{rises | falls, seen});
				$fatal;
			end
			for (i = 0; i < 4; i = i + 1)
				if (n >= STAGES && seen[i]) begin
					messages = messages + 1;
					if (dut.engine.s_header[i*32 +: 32] !==
					    headers[(STAGES-1)*128 + i*32 +: 32]) begin
						$display("cycle %0d: header in slot %0d", n, i);
						$fatal;
					end
				end
			edges = edges + (n >= STAGES && (rises || falls));
			presents = {presents, valid & ready};
			headers = {headers, header};
			pins = {pins, pin};
			@(negedge clk);
		end
		if (messages < CYCLES / 2 || edges < CYCLES / 16 || (EDGE == 0 && edges != CYCLES - STAGES)) begin
			$display("only %0d messages and %0d edges", messages, edges);
			$fatal;
		end
		$display("PASS");
		$finish;
	end
endmodule
`default_nettype wire
