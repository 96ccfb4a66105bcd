// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// slave: sixteen registers on AXI4-Lite. BROKEN 1: bvalid does not wait for bready. 2: a write of
// register 15 is not answered. 3: a read whose answer is taken in the cycle in which a write is taken is
// answered once more.
`default_nettype none
module slave #(
	parameter BROKEN = 0
) (
	input wire aclk,
	input wire aresetn,
	input wire awvalid,
	output wire awready,
	input wire [31:0] awaddr,
	input wire wvalid,
	output wire wready,
	input wire [31:0] wdata,
	output reg bvalid,
	input wire bready,
	output wire [1:0] bresp,
	input wire arvalid,
	output wire arready,
	input wire [31:0] araddr,
	output reg rvalid,
	input wire rready,
	output reg [31:0] rdata,
	output wire [1:0] rresp
);
	reg [31:0] file [0:15];
	wire taken = awvalid && wvalid && !bvalid; // address and data at once

	assign {awready, wready} = {2{taken}};
	assign arready = !rvalid;
	assign {bresp, rresp} = 4'd0;
	always @(posedge aclk)
		if (!aresetn) begin
			bvalid <= 1'b0;
			rvalid <= 1'b0;
		end else begin
			if (taken) begin
				file[awaddr[5:2]] <= wdata;
				bvalid <= BROKEN != 2 || awaddr[5:2] != 4'd15;
			end else if (bready || BROKEN == 1)
				bvalid <= 1'b0;
			if (arvalid && arready) begin
				rdata <= file[araddr[5:2]];
				rvalid <= 1'b1;
			end else if (rready)
				rvalid <= BROKEN == 3 && rvalid && taken;
		end
endmodule
`default_nettype wire
