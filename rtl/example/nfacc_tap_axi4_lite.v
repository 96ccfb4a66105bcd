// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// nfacc_tap_axi4_lite: the taps of protocol axi4-lite, made by nfacc --emit=tap.
//
// A sample is taken at each rising edge of the clock, and its messages come
// with the next one. s_time counts the edges, from 0 on. A parameter is the
// width of its port, from 1 on: a narrower one is filled with 0, of a wider
// one the low bits are seen.
// Of the resets of the taps it has the first.
`default_nettype none

module nfacc_tap_axi4_lite #(
	parameter AWADDR_BITS = 32,
	parameter AWPROT_BITS = 3,
	parameter WDATA_BITS = 32,
	parameter WSTRB_BITS = 4,
	parameter BRESP_BITS = 2,
	parameter ARADDR_BITS = 32,
	parameter ARPROT_BITS = 3,
	parameter RDATA_BITS = 32,
	parameter RRESP_BITS = 2
) (
	input wire aclk,
	input wire aresetn,
	input wire awvalid,
	input wire awready,
	input wire [AWADDR_BITS-1:0] awaddr,
	input wire [AWPROT_BITS-1:0] awprot,
	input wire wvalid,
	input wire wready,
	input wire [WDATA_BITS-1:0] wdata,
	input wire [WSTRB_BITS-1:0] wstrb,
	input wire bvalid,
	input wire bready,
	input wire [BRESP_BITS-1:0] bresp,
	input wire arvalid,
	input wire arready,
	input wire [ARADDR_BITS-1:0] araddr,
	input wire [ARPROT_BITS-1:0] arprot,
	input wire rvalid,
	input wire rready,
	input wire [RDATA_BITS-1:0] rdata,
	input wire [RRESP_BITS-1:0] rresp,
	output reg s_valid,
	output reg [4:0] s_present,
	output reg [319:0] s_header,
	output reg [63:0] s_time
);
	wire [AWADDR_BITS+31:0] awaddr$wide = {{32{1'b0}}, awaddr};
	wire [31:0] awaddr$ = awaddr$wide[31:0];
	wire [AWPROT_BITS+2:0] awprot$wide = {{3{1'b0}}, awprot};
	wire [2:0] awprot$ = awprot$wide[2:0];
	wire [WDATA_BITS+31:0] wdata$wide = {{32{1'b0}}, wdata};
	wire [31:0] wdata$ = wdata$wide[31:0];
	wire [WSTRB_BITS+3:0] wstrb$wide = {{4{1'b0}}, wstrb};
	wire [3:0] wstrb$ = wstrb$wide[3:0];
	wire [BRESP_BITS+1:0] bresp$wide = {{2{1'b0}}, bresp};
	wire [1:0] bresp$ = bresp$wide[1:0];
	wire [ARADDR_BITS+31:0] araddr$wide = {{32{1'b0}}, araddr};
	wire [31:0] araddr$ = araddr$wide[31:0];
	wire [ARPROT_BITS+2:0] arprot$wide = {{3{1'b0}}, arprot};
	wire [2:0] arprot$ = arprot$wide[2:0];
	wire [RDATA_BITS+31:0] rdata$wide = {{32{1'b0}}, rdata};
	wire [31:0] rdata$ = rdata$wide[31:0];
	wire [RRESP_BITS+1:0] rresp$wide = {{2{1'b0}}, rresp};
	wire [1:0] rresp$ = rresp$wide[1:0];
	reg past$0; // there is a past
	reg past$0$awvalid;
	reg past$0$awready;
	reg [31:0] past$0$awaddr;
	reg [2:0] past$0$awprot;
	reg past$0$wvalid;
	reg past$0$wready;
	reg [31:0] past$0$wdata;
	reg [3:0] past$0$wstrb;
	reg past$0$bvalid;
	reg past$0$bready;
	reg [1:0] past$0$bresp;
	reg past$0$arvalid;
	reg past$0$arready;
	reg [31:0] past$0$araddr;
	reg [2:0] past$0$arprot;
	reg past$0$rvalid;
	reg past$0$rready;
	reg [31:0] past$0$rdata;
	reg [1:0] past$0$rresp;
	wire w$0 = (((awvalid && awready) && (past$0 && (past$0$awvalid && (!past$0$awready)))) && (past$0 && !(past$0 && ((awaddr$ == past$0$awaddr) && (awprot$ == past$0$awprot)))));
	wire w$1 = (((arvalid && arready) && (past$0 && (past$0$arvalid && (!past$0$arready)))) && (past$0 && !(past$0 && ((araddr$ == past$0$araddr) && (arprot$ == past$0$arprot)))));

	initial begin
		s_valid = 1'b0;
		s_present = 5'd0;
		s_time = {64{1'b1}};
		past$0 = 1'b0;
	end

	always @(posedge aclk) begin
		s_time <= s_time + 64'd1;
		s_valid <= 1'b0;
		s_present <= 5'd0;
		if (!(!aresetn)) begin
			if (w$0) begin // m@0 AW_MOVED
				s_valid <= 1'b1;
				s_present[0] <= 1'b1;
				s_header[0 +: 64] <= 64'h2000000000000000 |
					{32'd0, awaddr$} |
					{29'd0, awprot$, 32'd0};
			end else if (awvalid && awready) begin // m@0 AW
				s_valid <= 1'b1;
				s_present[0] <= 1'b1;
				s_header[0 +: 64] <= 64'h0 |
					{32'd0, awaddr$} |
					{29'd0, awprot$, 32'd0};
			end else if ((past$0 && (past$0$awvalid && (!past$0$awready))) && (!awvalid)) begin // m@0 AW_DROP
				s_valid <= 1'b1;
				s_present[0] <= 1'b1;
				s_header[0 +: 64] <= 64'h6000000000000000;
			end else if ((past$0 && (past$0$awvalid && (!past$0$awready))) && (past$0 && !(past$0 && ((awaddr$ == past$0$awaddr) && (awprot$ == past$0$awprot))))) begin // m@0 AW_MOVE
				s_valid <= 1'b1;
				s_present[0] <= 1'b1;
				s_header[0 +: 64] <= 64'h8000000000000000 |
					{32'd0, awaddr$} |
					{29'd0, awprot$, 32'd0};
			end else if (awvalid) begin // m@0 AW_WAIT
				s_valid <= 1'b1;
				s_present[0] <= 1'b1;
				s_header[0 +: 64] <= 64'h4000000000000000 |
					{32'd0, awaddr$} |
					{29'd0, awprot$, 32'd0};
			end
			if (((wvalid && wready) && (past$0 && (past$0$wvalid && (!past$0$wready)))) && (past$0 && !(past$0 && ((wdata$ == past$0$wdata) && (wstrb$ == past$0$wstrb))))) begin // m@1 W_MOVED
				s_valid <= 1'b1;
				s_present[1] <= 1'b1;
				s_header[64 +: 64] <= 64'h2000000000000000 |
					{30'd0, wdata$, 2'd0} |
					{26'd0, wstrb$, 34'd0};
			end else if (wvalid && wready) begin // m@1 W
				s_valid <= 1'b1;
				s_present[1] <= 1'b1;
				s_header[64 +: 64] <= 64'h0 |
					{30'd0, wdata$, 2'd0} |
					{26'd0, wstrb$, 34'd0};
			end else if ((past$0 && (past$0$wvalid && (!past$0$wready))) && (!wvalid)) begin // m@1 W_DROP
				s_valid <= 1'b1;
				s_present[1] <= 1'b1;
				s_header[64 +: 64] <= 64'h6000000000000000;
			end else if ((past$0 && (past$0$wvalid && (!past$0$wready))) && (past$0 && !(past$0 && ((wdata$ == past$0$wdata) && (wstrb$ == past$0$wstrb))))) begin // m@1 W_MOVE
				s_valid <= 1'b1;
				s_present[1] <= 1'b1;
				s_header[64 +: 64] <= 64'h8000000000000000 |
					{30'd0, wdata$, 2'd0} |
					{26'd0, wstrb$, 34'd0};
			end else if (wvalid) begin // m@1 W_WAIT
				s_valid <= 1'b1;
				s_present[1] <= 1'b1;
				s_header[64 +: 64] <= 64'h4000000000000000 |
					{30'd0, wdata$, 2'd0} |
					{26'd0, wstrb$, 34'd0};
			end
			if (((bvalid && bready) && (past$0 && (past$0$bvalid && (!past$0$bready)))) && (past$0 && !(past$0 && (bresp$ == past$0$bresp)))) begin // m@2 B_MOVED
				s_valid <= 1'b1;
				s_present[2] <= 1'b1;
				s_header[128 +: 64] <= 64'h2000000000000000 |
					{62'd0, bresp$};
			end else if (bvalid && bready) begin // m@2 B
				s_valid <= 1'b1;
				s_present[2] <= 1'b1;
				s_header[128 +: 64] <= 64'h0 |
					{62'd0, bresp$};
			end else if ((past$0 && (past$0$bvalid && (!past$0$bready))) && (!bvalid)) begin // m@2 B_DROP
				s_valid <= 1'b1;
				s_present[2] <= 1'b1;
				s_header[128 +: 64] <= 64'h6000000000000000;
			end else if ((past$0 && (past$0$bvalid && (!past$0$bready))) && (past$0 && !(past$0 && (bresp$ == past$0$bresp)))) begin // m@2 B_MOVE
				s_valid <= 1'b1;
				s_present[2] <= 1'b1;
				s_header[128 +: 64] <= 64'h8000000000000000 |
					{62'd0, bresp$};
			end else if (bvalid) begin // m@2 B_WAIT
				s_valid <= 1'b1;
				s_present[2] <= 1'b1;
				s_header[128 +: 64] <= 64'h4000000000000000 |
					{62'd0, bresp$};
			end
			if (w$1) begin // m@3 AR_MOVED
				s_valid <= 1'b1;
				s_present[3] <= 1'b1;
				s_header[192 +: 64] <= 64'h2000000000000000 |
					{32'd0, araddr$} |
					{29'd0, arprot$, 32'd0};
			end else if (arvalid && arready) begin // m@3 AR
				s_valid <= 1'b1;
				s_present[3] <= 1'b1;
				s_header[192 +: 64] <= 64'h0 |
					{32'd0, araddr$} |
					{29'd0, arprot$, 32'd0};
			end else if ((past$0 && (past$0$arvalid && (!past$0$arready))) && (!arvalid)) begin // m@3 AR_DROP
				s_valid <= 1'b1;
				s_present[3] <= 1'b1;
				s_header[192 +: 64] <= 64'h6000000000000000;
			end else if ((past$0 && (past$0$arvalid && (!past$0$arready))) && (past$0 && !(past$0 && ((araddr$ == past$0$araddr) && (arprot$ == past$0$arprot))))) begin // m@3 AR_MOVE
				s_valid <= 1'b1;
				s_present[3] <= 1'b1;
				s_header[192 +: 64] <= 64'h8000000000000000 |
					{32'd0, araddr$} |
					{29'd0, arprot$, 32'd0};
			end else if (arvalid) begin // m@3 AR_WAIT
				s_valid <= 1'b1;
				s_present[3] <= 1'b1;
				s_header[192 +: 64] <= 64'h4000000000000000 |
					{32'd0, araddr$} |
					{29'd0, arprot$, 32'd0};
			end
			if (((rvalid && rready) && (past$0 && (past$0$rvalid && (!past$0$rready)))) && (past$0 && !(past$0 && ((rdata$ == past$0$rdata) && (rresp$ == past$0$rresp))))) begin // m@4 R_MOVED
				s_valid <= 1'b1;
				s_present[4] <= 1'b1;
				s_header[256 +: 64] <= 64'h2000000000000000 |
					{30'd0, rdata$, 2'd0} |
					{62'd0, rresp$};
			end else if (rvalid && rready) begin // m@4 R
				s_valid <= 1'b1;
				s_present[4] <= 1'b1;
				s_header[256 +: 64] <= 64'h0 |
					{30'd0, rdata$, 2'd0} |
					{62'd0, rresp$};
			end else if ((past$0 && (past$0$rvalid && (!past$0$rready))) && (!rvalid)) begin // m@4 R_DROP
				s_valid <= 1'b1;
				s_present[4] <= 1'b1;
				s_header[256 +: 64] <= 64'h6000000000000000;
			end else if ((past$0 && (past$0$rvalid && (!past$0$rready))) && (past$0 && !(past$0 && ((rdata$ == past$0$rdata) && (rresp$ == past$0$rresp))))) begin // m@4 R_MOVE
				s_valid <= 1'b1;
				s_present[4] <= 1'b1;
				s_header[256 +: 64] <= 64'h8000000000000000 |
					{30'd0, rdata$, 2'd0} |
					{62'd0, rresp$};
			end else if (rvalid) begin // m@4 R_WAIT
				s_valid <= 1'b1;
				s_present[4] <= 1'b1;
				s_header[256 +: 64] <= 64'h4000000000000000 |
					{30'd0, rdata$, 2'd0} |
					{62'd0, rresp$};
			end
			past$0 <= 1'b1;
		end else begin
			past$0 <= 1'b0;
		end
		past$0$awvalid <= awvalid;
		past$0$awready <= awready;
		past$0$awaddr <= awaddr$;
		past$0$awprot <= awprot$;
		past$0$wvalid <= wvalid;
		past$0$wready <= wready;
		past$0$wdata <= wdata$;
		past$0$wstrb <= wstrb$;
		past$0$bvalid <= bvalid;
		past$0$bready <= bready;
		past$0$bresp <= bresp$;
		past$0$arvalid <= arvalid;
		past$0$arready <= arready;
		past$0$araddr <= araddr$;
		past$0$arprot <= arprot$;
		past$0$rvalid <= rvalid;
		past$0$rready <= rready;
		past$0$rdata <= rdata$;
		past$0$rresp <= rresp$;
	end

	// What the taps do not look at.
	wire unused$ = &{1'b0, aresetn, awvalid, awready, awaddr, awprot, wvalid, wready, wdata, wstrb, bvalid, bready, bresp, arvalid, arready, araddr, arprot, rvalid, rready, rdata, rresp, awaddr$wide, awaddr$, awprot$wide, awprot$, wdata$wide, wdata$, wstrb$wide, wstrb$, bresp$wide, bresp$, araddr$wide, araddr$, arprot$wide, arprot$, rdata$wide, rdata$, rresp$wide, rresp$, 1'b0};
endmodule
`default_nettype wire
