// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// ring_tb: sends random records of protocol tiny through nfacc_ring. It writes the records, the words
// of the stream, the ring's memory and the counts to files, for ring.test. +records=N says how many,
// +mode=stop, wrap or wait; +slow, +bad as ring_memory has them; +pause: the most cycles between two
// records; +off=N: the ring is switched off before record N; +runs=N: how often all of this is done.
`default_nettype none

module ring_tb;
	parameter BEATS = 64, BURST = 16, DEPTH = 64;
	localparam [63:0] BASE = 64'h0000_0012_3456_7000;

	reg clk = 1'b0, rst = 1'b1, start = 1'b0, on = 1'b0, only = 1'b0;
	reg [7:0] slow;
	reg [31:0] bad;
	reg wrap, waits;
	reg [23:0] run;
	reg [63:0] read = 0;
	reg [63:0] tdata;
	reg tvalid = 1'b0, tlast = 1'b0, out_ready;
	wire tready, out_valid, out_last, full, error, busy;
	wire [63:0] out_data, written, records, lost;
	wire [1:0] response;
	wire awvalid, awready, wvalid, wready, wlast, bvalid, bready;
	wire [63:0] awaddr;
	wire [7:0] awlen;
	wire [511:0] wdata;
	wire [1:0] bresp;

	nfacc_ring #(
		.MOST_WORDS(6), .DEPTH(DEPTH), .BURST(BURST), .OUTSTANDING(4), .FLUSH(64)
	) dut (
		.clk(clk), .rst(rst), .start(start), .on(on), .only(only), .wrap(wrap),
		.waits(waits), .run(run), .base(BASE), .last_beat(BEATS[31:0] - 32'd1), .read(read),
		.s_axis_tdata(tdata), .s_axis_tvalid(tvalid), .s_axis_tready(tready),
		.s_axis_tlast(tlast), .m_axis_tdata(out_data), .m_axis_tvalid(out_valid),
		.m_axis_tready(out_ready), .m_axis_tlast(out_last),
		.m_axi_awvalid(awvalid), .m_axi_awready(awready), .m_axi_awaddr(awaddr),
		.m_axi_awlen(awlen), .m_axi_wvalid(wvalid), .m_axi_wready(wready),
		.m_axi_wdata(wdata), .m_axi_wlast(wlast), .m_axi_bvalid(bvalid),
		.m_axi_bready(bready), .m_axi_bresp(bresp), .full(full), .error(error),
		.response(response), .busy(busy), .written(written), .records(records),
		.lost(lost));
	ring_memory #(.BEATS(BEATS), .BASE(BASE)) ram (
		.clk(clk), .rst(rst), .slow(slow), .bad(bad), .awvalid(awvalid), .awready(awready),
		.awaddr(awaddr), .awlen(awlen), .wvalid(wvalid), .wready(wready), .wdata(wdata),
		.wlast(wlast), .bvalid(bvalid), .bready(bready), .bresp(bresp));

	always #5 clk = ~clk;

	reg [8*8-1:0] mode;
	integer most, pause, off, runs, n, k, sent, stream, f, seed, words, patience;
	reg [2:0] mask;
	reg [63:0] now, word [0:5];

	// Offers a word until it is taken. Stimuli change after the falling edge.
	task send(input [63:0] value, input ends);
		begin
			tdata = value;
			tlast = ends;
			tvalid = 1'b1;
			#1 patience = 0;
			while (!tready) begin
				@(negedge clk);
				#1 patience = patience + 1;
				if (patience > 100000) $fatal(1, "no word is taken");
			end
			@(negedge clk);
			tvalid = 1'b0;
		end
	endtask

	// The stream, whose receiver is not always ready; and the reader of a ring that waits.
	reg held = 1'b0;
	reg [64:0] was;
	always @(negedge clk)
		out_ready = ($urandom & 3) != 0;
	always @(posedge clk) begin
		if (held && !rst && (!out_valid || {out_last, out_data} != was))
			$fatal(1, "the stream changed before it was taken");
		held = out_valid & ~out_ready;
		was = {out_last, out_data};
		if (out_valid & out_ready & ~rst)
			$fwrite(stream, "%h\n", out_data);
	end
	// What the reader reads of a ring that waits, for the records that it overwrites later.
	integer reader, r;
	initial r = 0;
	always @(negedge clk)
		if (waits && on && !start && r < written && ($urandom & 7) == 0) begin
			$fwrite(reader, "%h\n", ram.memory[r % BEATS]);
			r = r + 1;
			read = r;
		end else if (full && !start)
			read = BEATS; // a ring that has stopped stays so, even if it gets room

	initial begin
		if (!$value$plusargs("records=%d", most)) most = 100;
		if (!$value$plusargs("mode=%s", mode)) mode = "stop";
		if (!$value$plusargs("pause=%d", pause)) pause = 1;
		if (!$value$plusargs("slow=%d", slow)) slow = 64;
		if (!$value$plusargs("bad=%d", bad)) bad = 0;
		if (!$value$plusargs("off=%d", off)) off = 0;
		if (!$value$plusargs("runs=%d", runs)) runs = 1;
		if (!$value$plusargs("only=%d", only)) only = 0;
		if (!$value$plusargs("seed=%d", seed)) seed = 1;
		n = $urandom(seed);
		wrap = mode == "wrap";
		waits = mode == "wait";
		now = 1;
		repeat (4) @(negedge clk);
		rst = 1'b0;
		for (run = 24'hfffffe; runs > 0; runs = runs - 1) begin
			run = run + 1;
			f = $fopen("records", "w");
			stream = $fopen("stream", "w");
			reader = $fopen("reader", "w");
			@(negedge clk);
			start = 1'b1;
			read = 0;
			r = 0;
			@(negedge clk);
			start = 1'b0;
			on = 1'b1;
			for (sent = 0; sent < most; sent = sent + 1) begin
				if (sent + 1 == off) on = 1'b0;
				now = now + 1 + $urandom % 5;
				mask = $urandom;
				word[0] = now;
				word[1] = mask;
				word[2] = mask == 0 ? 0 : $urandom & 255;
				word[3] = 1 + $urandom % 1000;
				words = 4;
				if (mask != 0) begin
					words = 3;
					for (k = 0; k < 3; k = k + 1)
						if (mask[k]) begin
							word[words] = {$urandom & 32'h1ff, $urandom} & ~64'hf8 |
								((1 + $urandom % 3) << 3);
							words = words + 1;
						end
				end
				for (k = 0; k < words; k = k + 1) begin
					$fwrite(f, "%h%s", word[k], k + 1 < words ? " " : "\n");
					send(word[k], k + 1 == words);
					if (($urandom & 15) == 0) @(negedge clk);
				end
				if (pause > 0)
					repeat ($urandom % pause) @(negedge clk);
			end
			on = 1'b0;
			patience = 0;
			while (busy) begin
				@(negedge clk);
				patience = patience + 1;
				if (patience > 100000) $fatal(1, "the ring stays busy");
			end
			repeat (4) @(negedge clk);
			// The rest that was not read.
			while (waits && r < written) begin
				$fwrite(reader, "%h\n", ram.memory[r % BEATS]);
				r = r + 1;
			end
			$fclose(f);
			$fclose(stream);
			$fclose(reader);
		end
		f = $fopen("memory", "w");
		for (n = 0; n < BEATS; n = n + 1)
			$fwrite(f, "%h\n", ram.memory[n]);
		$fclose(f);
		f = $fopen("counts", "w");
		$fwrite(f, "%0d %0d %0d %0d %0d %0d %0d\n", written, records, lost, full, error,
			response, ram.longest + 1);
		$fclose(f);
		$display("PASS");
		$finish;
	end
endmodule
`default_nettype wire
