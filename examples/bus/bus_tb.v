// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// A small testbench with a master and a slave on each of seven buses. Its waveform is for
// doc/use/buses.md and for the filters beside it. +dump=FILE names the waveform, and +break=N
// breaks one rule: the modules say which. 255 breaks one rule of each bus.
`default_nettype none
module bus_tb;
	reg clk, rst_n;
	reg [7:0] broken;
	reg [1023:0] file;

	bus_lite lite (.clk(clk), .rst_n(rst_n), .broken(broken));
	bus_stream stream (.clk(clk), .rst_n(rst_n), .broken(broken));
	bus_apb apb (.clk(clk), .rst_n(rst_n), .broken(broken));
	bus_wishbone wb (.clk(clk), .rst(!rst_n), .broken(broken));
	bus_axi4 axi4 (.clk(clk), .rst_n(rst_n), .broken(broken));
	bus_ahb ahb (.clk(clk), .rst_n(rst_n), .broken(broken));
	bus_tilelink tl (.clk(clk), .rst_n(rst_n), .broken(broken));

	initial begin
		if ($value$plusargs("break=%d", broken) == 0)
			broken = 0;
		if ($value$plusargs("dump=%s", file) == 0)
			file = "bus.vcd";
		$dumpfile(file);
		$dumpvars(0, clk, rst_n, lite, stream, apb, wb, axi4, ahb, tl);
		rst_n = 0;
		#12 rst_n = 1;
		#600 $finish;
	end
	initial begin
		clk = 0;
		forever #5 clk = !clk;
	end
endmodule
`default_nettype wire
