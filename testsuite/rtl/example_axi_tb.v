// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// example_axi_tb: loads the image in the file +image=FILE, words of `nfacc --emit=mem`, into the engine
// of nfacc_example_axi, drives a bus at random, and writes the words of the records to +records=FILE
// and the waveform of the bus to +vcd=FILE. Masters and slaves breach the protocol now and then.
`default_nettype none
`include "nfacc_contract.vh"

module example_axi_tb;
	localparam CYCLES = 2000;

	reg aclk = 1'b0, aresetn = 1'b0;
	reg awvalid = 1'b0, awready = 1'b0, wvalid = 1'b0, wready = 1'b0, bvalid = 1'b0;
	reg bready = 1'b0, arvalid = 1'b0, arready = 1'b0, rvalid = 1'b0, rready = 1'b0;
	reg [31:0] awaddr, araddr, wdata, rdata;
	reg [2:0] awprot, arprot;
	reg [3:0] wstrb;
	reg [1:0] bresp, rresp;

	reg [11:0] at = 12'd0;
	reg [31:0] word = 32'd0;
	reg write_valid = 1'b0;
	wire aw_taken, w_taken, answered, record_valid, done;
	wire [1:0] answer;
	wire [63:0] record;

	nfacc_example_axi dut (
		.aclk(aclk), .aresetn(aresetn),
		.awvalid(awvalid), .awready(awready), .awaddr(awaddr), .awprot(awprot),
		.wvalid(wvalid), .wready(wready), .wdata(wdata), .wstrb(wstrb),
		.bvalid(bvalid), .bready(bready), .bresp(bresp),
		.arvalid(arvalid), .arready(arready), .araddr(araddr), .arprot(arprot),
		.rvalid(rvalid), .rready(rready), .rdata(rdata), .rresp(rresp),
		.s_axil_awaddr(at), .s_axil_awvalid(write_valid), .s_axil_awready(aw_taken),
		.s_axil_wdata(word), .s_axil_wstrb(4'hf), .s_axil_wvalid(write_valid),
		.s_axil_wready(w_taken), .s_axil_bresp(answer), .s_axil_bvalid(answered),
		.s_axil_bready(1'b1), .s_axil_araddr(12'd0), .s_axil_arvalid(1'b0),
		.s_axil_arready(), .s_axil_rdata(), .s_axil_rresp(), .s_axil_rvalid(),
		.s_axil_rready(1'b1), .m_axis_tdata(record), .m_axis_tvalid(record_valid),
		.m_axis_tready(1'b1), .m_axis_tlast(), .idle(), .done(done));

	always #5 aclk = ~aclk;

	task write(input [11:0] to, input [31:0] value);
		begin
			@(negedge aclk);
			at = to;
			word = value;
			write_valid = 1'b1;
			@(posedge aclk);
			while (!aw_taken || !w_taken) @(posedge aclk);
			@(negedge aclk);
			write_valid = 1'b0;
			while (!answered) @(negedge aclk);
			if (answer != 2'b00) begin
				$display("the register at %h refused", to);
				$fatal;
			end
		end
	endtask

	integer records;
	always @(posedge aclk)
		if (record_valid)
			$fwrite(records, "%016h\n", record);

	// One channel: it offers and takes at random, holds what waits, and seldom breaks that rule.
	task draw(inout valid, inout ready, output moves);
		reg waits;
		begin
			waits = valid && !ready;
			moves = !waits || ($random & 31) == 0;
			if (moves)
				valid = $random;
			ready = $random;
		end
	endtask

	reg [31:0] image [0:4095];
	reg [8*256-1:0] name;
	reg moves;
	integer n;
	initial begin
		n = $value$plusargs("image=%s", name);
		$readmemh(name, image);
		n = $value$plusargs("records=%s", name);
		records = $fopen(name, "w");
		n = $value$plusargs("vcd=%s", name);
		$dumpfile(name);
		$dumpvars(1, example_axi_tb);
		repeat (3) @(negedge aclk);
		aresetn = 1'b1;
		write(`NFACC_REG_CONTROL, 32'd1 << `NFACC_CONTROL_BEGIN_LSB);
		for (n = 0; image[n][0] !== 1'bx; n = n + 1)
			write(`NFACC_REG_CONFIG, image[n]);
		repeat (1000) @(negedge aclk);
		write(`NFACC_REG_CONTROL, 32'd1 << `NFACC_CONTROL_ARM_LSB);
		repeat (10) @(negedge aclk);
		for (n = 0; n < CYCLES; n = n + 1) begin
			draw(awvalid, awready, moves);
			if (moves) {awaddr, awprot} = {$random, $random};
			draw(wvalid, wready, moves);
			if (moves) {wdata, wstrb} = {$random, $random};
			draw(bvalid, bready, moves);
			if (moves) bresp = $random;
			draw(arvalid, arready, moves);
			if (moves) {araddr, arprot} = {$random, $random};
			draw(rvalid, rready, moves);
			if (moves) {rdata, rresp} = {$random, $random};
			@(negedge aclk);
		end
		{awvalid, wvalid, bvalid, arvalid, rvalid} = 5'd0;
		repeat (10) @(negedge aclk);
		write(`NFACC_REG_CONTROL, 32'd1 << `NFACC_CONTROL_STOP_LSB);
		for (n = 0; !done && n < 10000; n = n + 1)
			@(negedge aclk);
		if (!done) begin
			$display("the stream does not end");
			$fatal;
		end
		$fclose(records);
		$display("PASS");
		$finish;
	end
endmodule
`default_nettype wire
