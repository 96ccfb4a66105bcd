// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// monitor_tb: three designs in which monitor.test puts monitors. +break=N breaks a rule of the bus, as
// examples/bus/bus_lite.v says. The waveform is monitor.vcd.
`default_nettype none

// Its taps take their samples at falling edges.
module monitor_down (
	input wire clk,
	input wire rst
);
	reg [3:0] data;
	reg valid;
	always @(negedge clk) begin
		data <= rst ? 4'd0 : data * 4'd3 + 4'd1;
		valid <= !rst && data[2];
	end
	wire unused = valid;
endmodule

module monitor_tb;
	reg clk = 1'b0, rst_n = 1'b0;
	reg [7:0] broken;

	bus_lite lite (.clk(clk), .rst_n(rst_n), .broken(broken));
	bus_stream stream (.clk(clk), .rst_n(rst_n), .broken(broken));
	monitor_down down (.clk(clk), .rst(!rst_n));

	initial begin
		if (!$value$plusargs("break=%d", broken))
			broken = 8'd0;
		$dumpfile("monitor.vcd");
		$dumpvars;
		#12 rst_n = 1'b1;
		#600 $finish;
	end
	always #5 clk = !clk;
endmodule
`default_nettype wire
