// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// ring_memory: a memory behind AXI4 for tests, written only. It takes addresses, data and answers with
// random back pressure, answers after a random time, and reports an error for some burst if that is
// wanted. A burst that breaks a rule of AXI4 ends the test.
`default_nettype none

module ring_memory #(
	parameter BEATS = 64,       // of 64 bytes
	parameter [63:0] BASE = 0   // the address of the first one
) (
	input wire clk,
	input wire rst,
	input wire [7:0] slow,      // of 256 cycles in so many nothing is ready
	input wire [31:0] bad,      // the burst that is answered by DECERR, from 1; 0: none
	input wire awvalid,
	output reg awready,
	input wire [63:0] awaddr,
	input wire [7:0] awlen,
	input wire wvalid,
	output reg wready,
	input wire [511:0] wdata,
	input wire wlast,
	output reg bvalid,
	input wire bready,
	output reg [1:0] bresp
);
	reg [511:0] memory [0:BEATS-1];
	// Addresses without data, beats without an address, and bursts without an answer.
	reg [63:0] addresses [0:255], first;
	reg [7:0] lengths [0:255];
	reg [511:0] data [0:4095];
	reg [4095:0] last;
	integer aw_in, w_in, w_out, bursts, answers, n, wait_for, longest;
	reg aw_held, w_held;
	reg [71:0] aw_was;
	reg [512:0] w_was;

	initial begin
		aw_in = 0; w_in = 0; w_out = 0; bursts = 0; answers = 0; wait_for = 0; longest = 0;
		aw_held = 1'b0; w_held = 1'b0; bvalid = 1'b0; awready = 1'b0; wready = 1'b0;
		for (n = 0; n < BEATS; n = n + 1)
			memory[n] = 512'd0;
	end

	always @(posedge clk) begin
		if (aw_held && (!awvalid || {awaddr, awlen} != aw_was))
			$fatal(1, "an address changed before it was taken");
		if (w_held && (!wvalid || {wlast, wdata} != w_was))
			$fatal(1, "data changed before they were taken");
		aw_held = awvalid & ~awready & ~rst;
		aw_was = {awaddr, awlen};
		w_held = wvalid & ~wready & ~rst;
		w_was = {wlast, wdata};
		if (awvalid & awready & ~rst) begin
			if (awaddr[5:0] != 0 || awaddr[11:6] + awlen > 63)
				$fatal(1, "a burst crosses 4 KB: %h, %0d beats", awaddr, awlen + 1);
			if (awaddr < BASE || awaddr + (awlen + 1) * 64 > BASE + BEATS * 64)
				$fatal(1, "a burst is outside of the ring: %h", awaddr);
			addresses[aw_in % 256] = awaddr;
			lengths[aw_in % 256] = awlen;
			if (awlen > longest) longest = awlen;
			aw_in = aw_in + 1;
		end
		if (wvalid & wready & ~rst) begin
			data[w_in % 4096] = wdata;
			last[w_in % 4096] = wlast;
			w_in = w_in + 1;
		end
		// A burst that is whole is written.
		if (bursts < aw_in && w_in - w_out > lengths[bursts % 256]) begin
			first = (addresses[bursts % 256] - BASE) / 64;
			for (n = 0; n <= lengths[bursts % 256]; n = n + 1) begin
				if (last[(w_out + n) % 4096] != (n == lengths[bursts % 256]))
					$fatal(1, "the last beat is marked wrongly");
				if (bursts + 1 != bad)
					memory[first + n] = data[(w_out + n) % 4096];
			end
			w_out = w_out + lengths[bursts % 256] + 1;
			bursts = bursts + 1;
		end
		if (bvalid & bready) begin
			bvalid <= 1'b0;
			answers = answers + 1;
			wait_for = $urandom % 40;
		end else if (!bvalid && answers < bursts) begin
			if (wait_for == 0) begin
				bvalid <= 1'b1;
				bresp <= answers + 1 == bad ? 2'b11 : 2'b00;
			end else
				wait_for = wait_for - 1;
		end
		awready <= ($urandom & 255) >= slow;
		wready <= ($urandom & 255) >= slow;
	end
endmodule
`default_nettype wire
