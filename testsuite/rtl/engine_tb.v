// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// engine_tb: runs the engine with the images of engine-one.re and engine-two.re, which `nfacc
// --emit=mem` wrote to the files +one=FILE and +two=FILE. It compares the output with a model of
// these filters, of substreams and of the rule of windows. It is one long module, because its tasks
// drive the same wires and use the same model, which they share by scope.
`default_nettype none
`include "nfacc_contract.vh"

module engine_tb #(
	`include "nfacc_overlay.vh"
);
	localparam OUT_DEPTH = 16;
	localparam HEADERS = SLOTS * HEADER_BITS;
	localparam MOST = 8192;       // the most batches of a run
	localparam WORDS = 1 << 18;   // the most words of records of a run

	reg clk = 1'b0, rst = 1'b1;
	always #1 clk = ~clk;

	reg s_valid = 1'b0;
	reg [SLOTS-1:0] s_present;
	reg [HEADERS-1:0] s_header;
	reg [63:0] s_time = 64'd0;
	reg [11:0] awaddr, araddr;
	reg awvalid = 1'b0, wvalid = 1'b0, bready = 1'b1, arvalid = 1'b0, rready = 1'b1;
	reg [DATA-1:0] wdata;
	reg [DATA/8-1:0] wstrb;
	wire awready, wready, bvalid, arready, rvalid;
	wire [1:0] bresp, rresp;
	wire [DATA-1:0] rdata;
	wire [63:0] tdata;
	wire tvalid, tlast, idle, done;
	reg tready = 1'b0;

	nfacc_engine #(.OUT_DEPTH(OUT_DEPTH)) engine (
		.clk(clk), .rst(rst), .s_valid(s_valid), .s_present(s_present), .s_header(s_header),
		.s_time(s_time), .s_payload(1'b0), .s_axil_awaddr(awaddr), .s_axil_awvalid(awvalid),
		.s_axil_awready(awready), .s_axil_wdata(wdata), .s_axil_wstrb(wstrb),
		.s_axil_wvalid(wvalid), .s_axil_wready(wready), .s_axil_bresp(bresp),
		.s_axil_bvalid(bvalid), .s_axil_bready(bready), .s_axil_araddr(araddr),
		.s_axil_arvalid(arvalid), .s_axil_arready(arready), .s_axil_rdata(rdata),
		.s_axil_rresp(rresp), .s_axil_rvalid(rvalid), .s_axil_rready(rready),
		.m_axis_tdata(tdata), .m_axis_tvalid(tvalid), .m_axis_tready(tready),
		.m_axis_tlast(tlast), .idle(idle), .done(done));

	task fail(input [40*8-1:0] what);
		begin
			$display("FAIL: %0s at %0d", what, $time);
			$fatal(1);
		end
	endtask

	// An engine that no longer answers fails, too.
	localparam MOST_CYCLES = 250000;
	initial begin
		repeat (MOST_CYCLES) @(posedge clk);
		fail("the test does not end");
	end

	// What must hold in every cycle.
	always @(posedge clk) if (!rst) begin
		if (done && engine.busy) fail("done while something is inside");
		if (engine.g_copies.inject.restart && !engine.restart_ready)
			fail("a restart that cannot be taken");
		if (engine.out_valid && !engine.waiting.out_valid)
			fail("an answer without its batch");
	end

	// While `flip` is 1, the bits of a word of the staged image are inverted.
	reg flip = 1'b0;
	generate
		if (SHADOW != 0) begin : g_flip
			always @(negedge clk) if (flip)
				engine.g_shadow.shadow.memory[nwords / 2] =
					~engine.g_shadow.shadow.memory[nwords / 2];
		end
	endgenerate

	// Tasks that read and write registers.

	reg [31:0] value; // the value of the last read
	reg error;        // whether the last access was answered with an error
	integer lane;

	task write(input [11:0] at, input [31:0] to);
		begin
			@(negedge clk);
			awaddr = at;
			wdata = {(DATA/32){to}};
			wstrb = DATA == 64 ? (at[2] ? 8'hf0 : 8'h0f) : 8'h0f;
			awvalid = 1'b1;
			wvalid = 1'b1;
			@(posedge clk);
			while (!awready || !wready) @(posedge clk);
			@(negedge clk);
			awvalid = 1'b0;
			wvalid = 1'b0;
			while (!bvalid) @(negedge clk);
			error = bresp != 2'b00;
		end
	endtask

	task read(input [11:0] at);
		begin
			@(negedge clk);
			araddr = at;
			arvalid = 1'b1;
			@(negedge clk);
			arvalid = 1'b0;
			while (!rvalid) @(negedge clk);
			lane = DATA == 64 && at[2] ? 32 : 0;
			value = rdata[lane +: 32];
			error = rresp != 2'b00;
		end
	endtask

	task command(input integer bit_);
		write(`NFACC_REG_CONTROL, 32'd1 << bit_);
	endtask

	reg is;
	task status(input integer bit_);
		begin
			repeat (2) @(negedge clk);
			read(`NFACC_REG_STATUS);
			is = value[bit_];
		end
	endtask

	task refused(input want);
		begin
			status(`NFACC_STATUS_REFUSED_LSB);
			if (is != want) fail(want ? "not refused" : "refused");
		end
	endtask

	// Images are loaded one word a cycle, or as fast as AXI4-Lite takes them.

	reg [DATA-1:0] one [0:4095], two [0:4095], image [0:4095];
	integer nwords, k, cycles;
	task choose(input second);
		begin
			nwords = 0;
			for (k = 0; k < 4096; k = k + 1) begin
				image[k] = second ? two[k] : one[k];
				if (image[k][0] !== 1'bx) nwords = k + 1;
			end
		end
	endtask

	// Makes the image the largest one for this engine, which configures the same: it has all
	// rows, also those that are 0.
	reg [DATA-1:0] padded [0:4095];
	task enlarge;
		integer from, to, row, lane;
		reg [31:0] map, crc;
		begin
			from = 128 / DATA;
			to = from;
			for (k = 0; k < to; k = k + 1) padded[k] = image[k];
			if (image[64 / DATA][31:0] == `NFACC_EL_MATCH ||
					image[64 / DATA][31:0] == `NFACC_EL_BANK) begin
				padded[to-1][DATA-1 -: 32] = NMAP + NROW * ROW_WORDS;
				for (row = 0; row < NROW; row = row + 1) begin
					if (row % 32 == 0) begin
						map = image[from][31:0];
						from = from + 1;
						padded[to] = 32'hffffffff;
						to = to + 1;
					end
					for (lane = 0; lane < ROW_WORDS; lane = lane + 1) begin
						padded[to] = map[row%32] ? image[from] : 0;
						from = from + map[row%32];
						to = to + 1;
					end
				end
			end
			while (from < nwords) begin
				padded[to] = image[from];
				from = from + 1;
				to = to + 1;
			end
			nwords = to;
			if (nwords != MOST_WORDS) fail("not the largest image");
			crc = 32'hffffffff;
			for (k = 0; k < (nwords - 1) * DATA; k = k + 1)
				crc = (crc >> 1) ^
					(crc[0] ^ padded[k/DATA][k%DATA] ? 32'h82f63b78 : 32'd0);
			padded[nwords-1] = ~crc & 32'hffffffff;
			for (k = 0; k < nwords; k = k + 1) image[k] = padded[k];
		end
	endtask

	task send_words;
		integer sent;
		begin
			sent = 0;
			cycles = 0;
			@(negedge clk);
			awaddr = `NFACC_REG_CONFIG;
			wstrb = {(DATA/8){1'b1}};
			awvalid = 1'b1;
			wvalid = 1'b1;
			while (sent < nwords) begin
				wdata = image[sent];
				@(posedge clk);
				cycles = cycles + 1;
				if (awready != wready) fail("AW and W not together");
				if (awready) sent = sent + 1;
				@(negedge clk);
			end
			awvalid = 1'b0;
			wvalid = 1'b0;
			repeat (10) @(negedge clk);
		end
	endtask

	task load(input [3:0] want);
		begin
			command(`NFACC_CONTROL_BEGIN_LSB);
			refused(1'b0);
			send_words;
			status(`NFACC_STATUS_LOADING_LSB);
			while (is) status(`NFACC_STATUS_LOADING_LSB);
			if (value[`NFACC_STATUS_LOAD_LSB +: `NFACC_STATUS_LOAD_WIDTH] != want) begin
				$display("load result %0d, expected %0d",
					value[`NFACC_STATUS_LOAD_LSB +: `NFACC_STATUS_LOAD_WIDTH],
					want);
				fail("result of a load");
			end
		end
	endtask

	// The batches that were sent in the current run, without those that have no message.

	integer nsent, seed = 1;
	reg [63:0] sent_time [0:MOST-1];
	reg [SLOTS-1:0] sent_mask [0:MOST-1];
	reg [HEADERS-1:0] sent_header [0:MOST-1];
	integer rate; // how many batches are sent in 16 cycles
	reg sending = 1'b0;
	reg flood = 1'b0; // a batch is sent in every cycle
	integer ncame = 0; // batches of the current run that have come to the engine
	integer swap_at;  // batches that had come when the last swap was commanded
	always @(posedge clk) begin
		if (engine.tap_valid) ncame = ncame + 1;
		if (engine.swap) swap_at = ncame;
	end

	function [31:0] random(input unused_arg);
		begin
			random = $random(seed);
			random = random >> 4;
		end
	endfunction

	integer i, op;
	reg [SLOTS-1:0] present;
	reg [HEADERS+31:0] header;
	always @(negedge clk) begin
		s_time = s_time + 1;
		s_valid = random(0) % 8 != 0;
		for (i = 0; i < HEADERS; i = i + 32)
			header = {header[HEADERS-1:0], $random(seed)};
		present = {SLOTS{1'b0}};
		for (i = 0; i < SLOTS; i = i + 1) begin
			op = random(0) % 16;
			op = op < 2 ? 1 : op == 2 ? 2 : op < 5 ? 3 : op == 5 ? 4 : 5 + op;
			header[i*HEADER_BITS+OP_LSB +: OP_BITS] = op;
			header[i*HEADER_BITS+ADDR_LSB +: ADDR_BITS] = 64'd997 + random(0) % 8;
			present[i] = random(0) % SLOTS == 0 || (flood && i == 0);
			// If a slot has no message, it has the idle opcode, or its bit of s_present
			// is 0.
			if (!present[i] && random(0) % 2 == 0) begin
				header[i*HEADER_BITS+OP_LSB +: OP_BITS] = IDLE;
				s_present[i] = 1'b1;
			end else
				s_present[i] = present[i];
		end
		if (flood) begin
			s_valid = 1'b1;
			if (header[OP_LSB +: OP_BITS] == IDLE) fail("the flood is idle");
		end
		if (!sending || (!flood && random(0) % 16 >= rate)) begin
			s_valid = random(0) % 2;
			present = {SLOTS{1'b0}};
			s_present = {SLOTS{1'b0}};
		end
		s_header = header[HEADERS-1:0];
		if (s_valid && present != 0) begin
			sent_time[nsent] = s_time;
			sent_mask[nsent] = present;
			sent_header[nsent] = header[HEADERS-1:0];
			nsent = nsent + 1;
		end
	end

	// The model of a stream of the batches from .. to - 1. It appends the batches that must go
	// out to out_batch, and their labels to out_label.

	integer nout;
	integer out_batch [0:MOST-1];
	reg [LABELS-1:0] out_label [0:MOST-1];
	reg [LABELS-1:0] model_label [0:MOST-1];
	reg model_log [0:MOST-1];
	reg started [0:LINES-1];      // the line had a message in this run
	reg begun [0:LINES-1];        // the line had a message in this run, before batch b

	task model(input integer from, input integer to, input integer hit, input integer n,
		input integer most, input by_line, input integer base, input integer count);
		integer b, s, line, opcode, others, q, left;
		reg found;
		begin
			for (line = 0; line < LINES; line = line + 1) started[line] = 1'b0;
			for (b = from; b < to; b = b + 1) begin
				model_label[b] = 0;
				model_log[b] = 1'b0;
				for (line = 0; line < LINES; line = line + 1)
					begun[line] = started[line];
				for (s = 0; s < SLOTS; s = s + 1) if (sent_mask[b][s]) begin
					opcode = sent_header[b][s*HEADER_BITS+OP_LSB +: OP_BITS];
					line = by_line ? sent_header[b][
						s*HEADER_BITS+ADDR_LSB +: ADDR_BITS] - base : 0;
					if (!by_line || (HAS_ADDR[s*OPCODES+opcode] && line >= 0 &&
						line < count)) begin
						started[line] = 1'b1;
						if (opcode == hit) model_label[b][0] = 1'b1;
						if (opcode == 3 && !begun[line])
							model_label[b][1] = 1'b1;
						if (opcode == 2) model_log[b] = 1'b1;
					end
				end
			end
			left = most;
			for (b = from; b < to; b = b + 1) begin
				found = model_label[b] != 0;
				if (!found && model_log[b]) begin
					others = 0;
					for (q = b - 1; q >= from && others < n; q = q - 1)
						if (model_label[q] != 0) begin
							found = 1'b1;
							others = n;
						end else if (model_log[q]) others = others + 1;
					others = 0;
					for (q = b + 1; q < to && others < n; q = q + 1)
						if (model_label[q] != 0) begin
							found = 1'b1;
							others = n;
						end else if (model_log[q]) others = others + 1;
				end
				if (found && (most == 0 || left != 0)) begin
					out_batch[nout] = b;
					out_label[nout] = model_label[b];
					nout = nout + 1;
					left = left - 1;
				end
			end
		end
	endtask

	// The words of records that the engine has put out.

	integer ngot = 0, nrecords = 0, ready_rate = 16;
	reg [63:0] got [0:WORDS-1];
	reg got_last [0:WORDS-1];
	reg [63:0] was_data;
	reg was_last, was_held = 1'b0;
	always @(negedge clk)
		tready = random(0) % 16 < ready_rate;
	always @(posedge clk) if (!rst) begin
		if (was_held && (!tvalid || tdata !== was_data || tlast !== was_last))
			fail("AXI4-Stream is not stable");
		was_held <= tvalid & ~tready;
		was_data <= tdata;
		was_last <= tlast;
		if (tvalid & tready) begin
			if (^tdata === 1'bx) fail("unknown bits in a record");
			got[ngot] = tdata;
			got_last[ngot] = tlast;
			ngot = ngot + 1;
			nrecords = nrecords + tlast;
		end
	end

	function [31:0] popcount(input [SLOTS-1:0] m);
		integer j;
		begin
			popcount = 0;
			for (j = 0; j < SLOTS; j = j + 1) popcount = popcount + m[j];
		end
	endfunction

	task word(inout integer at, input [63:0] want, input last);
		begin
			if (at >= ngot) fail("a record is missing");
			if (got[at] !== want) begin
				$display("word %0d: %h, expected %h", at, got[at], want);
				fail("record");
			end
			if (got_last[at] !== last) fail("tlast");
			at = at + 1;
		end
	endtask

	integer nlost; // messages that are lost, by the loss records
	task check;
		integer at, o, s, rest, lost;
		begin
			at = 0;
			o = 0;
			nlost = 0;
			while (at < ngot) begin
				if (got[at+1] == 64'd0) begin
					lost = 0;
					while (o < nout && sent_time[out_batch[o]] <= got[at]) begin
						lost = lost + popcount(sent_mask[out_batch[o]]);
						o = o + 1;
					end
					if (lost == 0 || sent_time[out_batch[o-1]] != got[at])
						fail("time of a loss record");
					word(at, got[at], 1'b0);
					word(at, 64'd0, 1'b0);
					word(at, 64'd0, 1'b0);
					word(at, lost, 1'b1);
					nlost = nlost + lost;
				end else begin
					if (o >= nout) fail("too many records");
					rest = popcount(sent_mask[out_batch[o]]);
					word(at, sent_time[out_batch[o]], 1'b0);
					word(at, sent_mask[out_batch[o]], 1'b0);
					word(at, out_label[o], 1'b0);
					for (s = 0; s < SLOTS; s = s + 1)
						if (sent_mask[out_batch[o]][s]) begin
							rest = rest - 1;
							word(at, sent_header[out_batch[o]][
								s*HEADER_BITS +: HEADER_BITS],
								rest == 0);
						end
					o = o + 1;
				end
			end
			if (o != nout) fail("records are missing");
		end
	endtask

	reg [63:0] count64;
	task counter(input [11:0] low);
		begin
			read(low);
			count64[31:0] = value;
			read(low + 12'd4);
			count64[63:32] = value;
		end
	endtask

	task wait_done;
		integer patience;
		begin
			patience = 0;
			status(`NFACC_STATUS_DONE_LSB);
			while (!is) begin
				patience = patience + 1;
				if (patience > 100000) fail("never done");
				status(`NFACC_STATUS_DONE_LSB);
			end
			if (value[`NFACC_STATUS_ARMED_LSB] || value[`NFACC_STATUS_BUSY_LSB] ||
				value[`NFACC_STATUS_DRAINING_LSB]) fail("done and not at rest");
		end
	endtask

	task start;
		begin
			nsent = 0;
			ncame = 0;
			nout = 0;
			ngot = 0;
			command(`NFACC_CONTROL_ARM_LSB);
			refused(1'b0);
			status(`NFACC_STATUS_ARMED_LSB);
			if (!is) fail("not armed");
		end
	endtask

	integer unseen_before, taken;
	// Does a whole run: sends batches for `during` cycles, stops the stream, and checks the
	// output. The rates are out of 16 cycles. The other inputs are those of the model.
	task run(input integer during, input integer batch_rate, input integer out_rate,
		input integer hit, input integer n, input integer most, input by_line,
		input integer base, input integer count);
		begin
			rate = batch_rate;
			ready_rate = out_rate;
			counter(`NFACC_REG_UNSEEN_LO);
			unseen_before = count64;
			start;
			sending = 1'b1;
			repeat (during) @(negedge clk);
			command(`NFACC_CONTROL_STOP_LSB);
			refused(1'b0);
			repeat (20) @(negedge clk);
			sending = 1'b0;
			repeat (5) @(negedge clk);
			ready_rate = 16;
			wait_done;
			counter(`NFACC_REG_BATCHES_LO);
			taken = count64;
			counter(`NFACC_REG_UNSEEN_LO);
			if (most == 0 && taken < nsent - 40) fail("stop came late");
			if (taken + count64 - unseen_before != nsent) fail("batches are missing");
			model(0, taken, hit, n, most, by_line, base, count);
			check;
			counter(`NFACC_REG_PACKETS_LO);
			if (nlost == 0 && count64 != nout) fail("PACKETS");
			counter(`NFACC_REG_DROPPED_LO);
			if (count64 != nlost) fail("DROPPED");
			status(`NFACC_STATUS_OVERFLOW_LSB);
			if (is != (nlost != 0)) fail("STATUS.overflow");
			$display(
				"run: %0d batches, %0d taken, %0d out, %0d messages lost; n %0d limit %0d",
				nsent, taken, nout, nlost, n, most);
		end
	endtask

	integer n, at;
	reg [8*256-1:0] file;
	initial begin
		if (!$value$plusargs("one=%s", file)) fail("+one=FILE");
		$readmemh(file, one);
		if (!$value$plusargs("two=%s", file)) fail("+two=FILE");
		$readmemh(file, two);
		nsent = 0;
		repeat (5) @(negedge clk);
		rst = 1'b0;

		// Registers can be read and written, and wrong accesses are refused.
		read(`NFACC_REG_ID);
		if (error || value != 32'h6e666163) fail("ID");
		read(`NFACC_REG_VERSION);
		if (error || value != `NFACC_CONTRACT_VERSION) fail("VERSION");
		counter(`NFACC_REG_FINGERPRINT_LO);
		if (count64 != FINGERPRINT) fail("FINGERPRINT");
		read(12'hff0);
		if (!error) fail("a register that is not there");
		read(12'h001);
		if (!error) fail("a misaligned read");
		write(`NFACC_REG_STATUS, 32'd1);
		if (!error) fail("a write to STATUS");
		write(`NFACC_REG_IDLE_AFTER, 32'd50);
		if (error) fail("a write to IDLE_AFTER");
		read(`NFACC_REG_IDLE_AFTER);
		if (value != 32'd50) fail("IDLE_AFTER");
		command(`NFACC_CONTROL_ARM_LSB);
		refused(1'b1);
		// Before the first load the registers of elements are 0.
		for (n = `NFACC_REG_BY_LINE; n <= `NFACC_REG_LIMIT_HI; n = n + 4)
			if (n != `NFACC_REG_BY_LINE + 4) begin
				read(n);
				if (error || value !== 32'd0)
					fail("an element before the first load");
			end

		// Loads with a fault must fail; then a good load must succeed.
		choose(1'b0);
		image[0] = image[0] ^ 1;
		load(`NFACC_LOAD_FINGERPRINT);
		for (at = 64 / DATA; at < nwords; at = at + 1 + nwords / 32) begin
			choose(1'b0);
			image[at] = image[at] ^ (1 << (at % 32));
			command(`NFACC_CONTROL_BEGIN_LSB);
			send_words;
			status(`NFACC_STATUS_LOADED_LSB);
			if (is || (value[`NFACC_STATUS_LOAD_LSB +: 4] != `NFACC_LOAD_CRC &&
				value[`NFACC_STATUS_LOAD_LSB +: 4] != `NFACC_LOAD_MALFORMED &&
				value[`NFACC_STATUS_LOAD_LSB +: 4] != `NFACC_LOAD_INCOMPLETE))
				fail("a damaged image");
			command(`NFACC_CONTROL_ARM_LSB);
			refused(1'b1);
		end
		// Every bit of the CRC, and of the word that holds it, counts.
		for (at = 0; at < DATA; at = at + 1) begin
			choose(1'b0);
			image[nwords-1] = image[nwords-1] ^ (64'd1 << at);
			load(`NFACC_LOAD_CRC);
		end
		choose(1'b0);
		nwords = nwords - 1;
		load_part;
		choose(1'b0);
		load(`NFACC_LOAD_OK);
		$display("load: %0d words in %0d cycles", nwords, cycles);
		if (cycles > nwords + OPCODES + 4) fail("loading is slow");
		read(`NFACC_REG_WORDS);
		if (value != nwords) fail("WORDS");

		// A window larger than the overlay's can be written, but arm is refused.
		write(`NFACC_REG_WINDOW_LO, WINDOW + 1);
		if (error) fail("WINDOW");
		command(`NFACC_CONTROL_ARM_LSB);
		refused(1'b1);

		// Runs with every size of window. The output is fast enough, so nothing is lost.
		for (n = 0; n <= WINDOW; n = n + 1) begin
			write(`NFACC_REG_WINDOW_LO, n);
			run(1500, 3, 16, 1, n, 0, 1'b0, 0, 0);
			if (nlost != 0) fail("lost without need");
		end
		// A run with a batch in every cycle. The output can't be as fast, so records must
		// be lost.
		write(`NFACC_REG_WINDOW_LO, 3);
		run(3000, 16, 6, 1, 3, 0, 1'b0, 0, 0);
		if (nlost == 0) fail("the output can't be as fast");
		run(2000, 8, 3, 1, 3, 0, 1'b0, 0, 0);
		// Runs with limits. The limit 37 ends the stream before it is stopped. The limit 1
		// is the smallest one.
		write(`NFACC_REG_LIMIT_LO, 37);
		run(2000, 3, 16, 1, 3, 37, 1'b0, 0, 0);
		if (nout != 37) fail("limit");
		write(`NFACC_REG_LIMIT_LO, 1);
		run(2000, 16, 2, 1, 3, 1, 1'b0, 0, 0);
		write(`NFACC_REG_LIMIT_LO, 0);
		// Substreams of 1 to LINES lines. One line more is refused.
		write(`NFACC_REG_BY_LINE, 1);
		write(`NFACC_REG_BASE_LO, 999);
		write(`NFACC_REG_COUNT_LO, LINES + 1);
		command(`NFACC_CONTROL_ARM_LSB);
		refused(1'b1);
		for (n = 1; n <= LINES; n = n + 1) begin
			write(`NFACC_REG_COUNT_LO, n);
			run(2000, 4, 16, 1, 3, 0, 1'b1, 999, n);
		end
		write(`NFACC_REG_BASE_HI, 32'h8000_0000);
		run(500, 4, 16, 1, 3, 0, 1'b1, -1, 0);
		if (nout != 0) fail("lines beyond all lines");
		write(`NFACC_REG_BY_LINE, 0);

		// A run in which the engine is disabled for a while, and enabled and restarted.
		// This happens while no batches come.
		start;
		rate = 4;
		sending = 1'b1;
		repeat (200) @(negedge clk);
		sending = 1'b0;
		repeat (20) @(negedge clk);
		write(`NFACC_REG_ENABLE, 0);
		at = nsent;
		sending = 1'b1;
		repeat (50) @(negedge clk);
		sending = 1'b0;
		repeat (20) @(negedge clk);
		nsent = at;
		write(`NFACC_REG_ENABLE, 1);
		command(`NFACC_CONTROL_RESTART_LSB);
		refused(1'b0);
		write(`NFACC_REG_LIMIT_LO, 5);
		if (!error) fail("a write to LIMIT while armed");
		sending = 1'b1;
		repeat (200) @(negedge clk);
		sending = 1'b0;
		status(`NFACC_STATUS_IDLE_LSB);
		if (is || idle) fail("idle");
		repeat (60) @(negedge clk);
		status(`NFACC_STATUS_IDLE_LSB);
		if (!is || !idle) fail("not idle");
		command(`NFACC_CONTROL_STOP_LSB);
		wait_done;
		// What comes out has the labels of two streams. The window sees only one stream,
		// because a restart does not change it.
		model(at, nsent, 1, 3, 0, 1'b0, 0, 0);
		nout = 0;
		two_parts(at);
		check;

		// A reset in mid-stream: records that have begun are completed, then nothing more
		// comes.
		start;
		rate = 16;
		ready_rate = 4;
		sending = 1'b1;
		repeat (500) @(negedge clk);
		command(`NFACC_CONTROL_RESET_LSB);
		sending = 1'b0;
		at = nrecords;
		ready_rate = 16;
		repeat (100) @(negedge clk);
		// One record may be at the output, and one at that of the output FIFO.
		if (nrecords - at > 2) fail("records that waited outlive a reset");
		status(`NFACC_STATUS_BUSY_LSB);
		if (is || value[`NFACC_STATUS_ARMED_LSB] || value[`NFACC_STATUS_DONE_LSB])
			fail("not at rest after reset");
		if (ngot == 0 || !got_last[ngot-1]) fail("half a record after reset");
		run(1000, 4, 16, 1, 3, 0, 1'b0, 0, 0);

		// Another image is loaded right after the end of a stream.
		start;
		if (SHADOW == 0) begin
			command(`NFACC_CONTROL_BEGIN_LSB);
			refused(1'b1);
		end
		rate = 16;
		sending = 1'b1;
		repeat (300) @(negedge clk);
		command(`NFACC_CONTROL_RESET_LSB);
		choose(1'b1);
		load(`NFACC_LOAD_OK);
		sending = 1'b0;
		repeat (20) @(negedge clk);
		run(2000, 3, 16, 4, 1, 40, 1'b0, 0, 0);

		restarts_in_flood;
		if (SHADOW == 0) stop_and_load;
		if (SHADOW != 0) begin
			choose(1'b0);
			load(`NFACC_LOAD_OK);
			for (n = 0; n < 6; n = n + 1)
				swap(n % 2 == 0, n == 5 ? 16 : 2 + n * 2);
			swap_at_rest;
			swap_in_flood;
			swap_in_damaged_words;
		end

		$display("PASS");
		$finish;
	end

	task load_part;
		begin
			command(`NFACC_CONTROL_BEGIN_LSB);
			send_words;
			status(`NFACC_STATUS_LOADING_LSB);
			if (!is || value[`NFACC_STATUS_LOAD_LSB +: 4] != `NFACC_LOAD_INCOMPLETE)
				fail("a part of an image");
		end
	endtask

	// The model of a run with a restart before batch `from`. The labels are those of two
	// streams, but the window is that of one stream.
	task two_parts(input integer from);
		integer b, q, others;
		reg [LABELS-1:0] kept [0:MOST-1];
		reg kept_log [0:MOST-1];
		reg found;
		begin
			model(from, nsent, 1, 3, 0, 1'b0, 0, 0);
			for (b = from; b < nsent; b = b + 1) begin
				kept[b] = model_label[b];
				kept_log[b] = model_log[b];
			end
			model(0, from, 1, 3, 0, 1'b0, 0, 0);
			nout = 0;
			for (b = from; b < nsent; b = b + 1) begin
				model_label[b] = kept[b];
				model_log[b] = kept_log[b];
			end
			for (b = 0; b < nsent; b = b + 1) begin
				found = model_label[b] != 0;
				if (!found && model_log[b]) begin
					others = 0;
					for (q = b - 1; q >= 0 && others < 3; q = q - 1)
						if (model_label[q] != 0) begin
							found = 1'b1;
							others = 3;
						end else if (model_log[q]) others = others + 1;
					others = 0;
					for (q = b + 1; q < nsent && others < 3; q = q + 1)
						if (model_label[q] != 0) begin
							found = 1'b1;
							others = 3;
						end else if (model_log[q]) others = others + 1;
				end
				if (found) begin
					out_batch[nout] = b;
					out_label[nout] = model_label[b];
					nout = nout + 1;
				end
			end
		end
	endtask

	// Swaps from one image to the other in mid-stream.
	integer before;
	task swap(input to_second, input integer batch_rate);
		begin
			rate = batch_rate;
			ready_rate = 16;
			counter(`NFACC_REG_UNSEEN_LO);
			unseen_before = count64;
			start;
			sending = 1'b1;
			repeat (100) @(negedge clk);
			choose(to_second);
			image[nwords-1] = ~image[nwords-1];
			load(`NFACC_LOAD_CRC);
			command(`NFACC_CONTROL_SWAP_LSB);
			refused(1'b1);
			choose(to_second);
			load(`NFACC_LOAD_OK);
			status(`NFACC_STATUS_STAGED_LSB);
			if (!is) fail("not staged");
			command(`NFACC_CONTROL_SWAP_LSB);
			refused(1'b0);
			status(`NFACC_STATUS_SWAPPING_LSB);
			while (is) status(`NFACC_STATUS_SWAPPING_LSB);
			if (value[`NFACC_STATUS_STAGED_LSB] || !value[`NFACC_STATUS_ARMED_LSB])
				fail("swap");
			repeat (1000) @(negedge clk);
			sending = 1'b0;
			repeat (2000) @(negedge clk);
			command(`NFACC_CONTROL_STOP_LSB);
			wait_done;
			counter(`NFACC_REG_BATCHES_LO);
			taken = count64;
			// Batches after the limit of the second image are not taken, whether they
			// come at the end or before a swap.
			counter(`NFACC_REG_UNSEEN_LO);
			before = nsent - taken - (to_second ? count64 - unseen_before : 0);
			if (before != swap_at) fail("a swap between other batches");
			if (to_second) begin
				model(0, before, 1, 3, 0, 1'b0, 0, 0);
				model(before, nsent, 4, 1, 40, 1'b0, 0, 0);
			end else begin
				model(0, before, 4, 1, 40, 1'b0, 0, 0);
				model(before, nsent, 1, 3, 0, 1'b0, 0, 0);
			end
			$display("swap: %0d batches, %0d before it, %0d after, %0d out", nsent,
				before, taken, nout);
			check;
		end
	endtask

	task stage_first;
		begin
			choose(1'b0);
			enlarge;
			load(`NFACC_LOAD_OK);
			status(`NFACC_STATUS_STAGED_LSB);
			if (!is) fail("not staged");
		end
	endtask

	task end_of_swap;
		integer waited;
		begin
			waited = 0;
			status(`NFACC_STATUS_SWAPPING_LSB);
			while (is) begin
				waited = waited + 1;
				if (waited > 10000) fail("a swap without end");
				status(`NFACC_STATUS_SWAPPING_LSB);
			end
			if (value[`NFACC_STATUS_STAGED_LSB] || !value[`NFACC_STATUS_ARMED_LSB])
				fail("swap");
		end
	endtask

	// CONTROL.restart is written in every cycle of a flood. Most restarts come too early and
	// are refused. No batch is lost.
	task restarts_in_flood;
		begin
			write(`NFACC_REG_LIMIT_LO, 0);
			rate = 16;
			start;
			flood = 1'b1;
			sending = 1'b1;
			repeat (50) @(negedge clk);
			awaddr = `NFACC_REG_CONTROL;
			wdata = 32'd1 << `NFACC_CONTROL_RESTART_LSB;
			wstrb = 8'h0f;
			awvalid = 1'b1;
			wvalid = 1'b1;
			repeat (200) @(negedge clk);
			awvalid = 1'b0;
			wvalid = 1'b0;
			repeat (20) @(negedge clk);
			sending = 1'b0;
			flood = 1'b0;
			repeat (20) @(negedge clk);
			command(`NFACC_CONTROL_STOP_LSB);
			wait_done;
			counter(`NFACC_REG_BATCHES_LO);
			if (count64 != nsent) fail("a restart loses a batch");
		end
	endtask

	// A swap whose staged words can't be read again leaves no configuration. The stream ends,
	// and the batches that waited count as unseen.
	task swap_in_damaged_words;
		begin
			rate = 16;
			counter(`NFACC_REG_UNSEEN_LO);
			unseen_before = count64;
			start;
			flood = 1'b1;
			sending = 1'b1;
			stage_first;
			flip = 1'b1;
			@(negedge clk);
			#0 flip = 1'b0;
			command(`NFACC_CONTROL_SWAP_LSB);
			refused(1'b0);
			status(`NFACC_STATUS_SWAPPING_LSB);
			while (is) status(`NFACC_STATUS_SWAPPING_LSB);
			if (value[`NFACC_STATUS_ARMED_LSB] || value[`NFACC_STATUS_LOADED_LSB])
				fail("a swap that failed leaves a configuration");
			sending = 1'b0;
			flood = 1'b0;
			repeat (2000) @(negedge clk);
			wait_done;
			counter(`NFACC_REG_BATCHES_LO);
			taken = count64;
			if (taken != swap_at) fail("batches without a configuration");
			counter(`NFACC_REG_UNSEEN_LO);
			if (taken + count64 - unseen_before != nsent)
				fail("batches are missing after a swap that failed");
			choose(1'b0);
			load(`NFACC_LOAD_OK);
		end
	endtask

	// A stop, a begin and the words of the other image come in consecutive cycles. The words
	// wait until the NFA has decided on the batches that are inside.
	task stop_and_load;
		integer sent;
		begin
			choose(1'b0);
			load(`NFACC_LOAD_OK);
			start;
			rate = 16;
			ready_rate = 16;
			flood = 1'b1;
			sending = 1'b1;
			repeat (200) @(negedge clk);
			choose(1'b1);
			awvalid = 1'b1;
			wvalid = 1'b1;
			sent = -2;
			while (sent < nwords) begin
				awaddr = sent < 0 ? `NFACC_REG_CONTROL : `NFACC_REG_CONFIG;
				wstrb = sent < 0 ? 8'h0f : {(DATA/8){1'b1}};
				wdata = sent == -2 ? 1 << `NFACC_CONTROL_STOP_LSB :
					sent == -1 ? 1 << `NFACC_CONTROL_BEGIN_LSB : image[sent];
				@(posedge clk);
				if (awready) sent = sent + 1;
				@(negedge clk);
			end
			awvalid = 1'b0;
			wvalid = 1'b0;
			sending = 1'b0;
			flood = 1'b0;
			wait_done;
			status(`NFACC_STATUS_LOADED_LSB);
			if (!is || value[`NFACC_STATUS_LOAD_LSB +: 4] != `NFACC_LOAD_OK)
				fail("a load right after a stop");
			counter(`NFACC_REG_BATCHES_LO);
			taken = count64;
			model(0, taken, 1, 3, 0, 1'b0, 0, 0);
			check;
		end
	endtask

	// A swap needs no batch: it ends when none comes.
	task swap_at_rest;
		begin
			rate = 4;
			ready_rate = 16;
			start;
			stage_first;
			sending = 1'b1;
			repeat (200) @(negedge clk);
			sending = 1'b0;
			repeat (100) @(negedge clk);
			at = nsent;
			command(`NFACC_CONTROL_SWAP_LSB);
			refused(1'b0);
			end_of_swap;
			sending = 1'b1;
			repeat (200) @(negedge clk);
			sending = 1'b0;
			repeat (100) @(negedge clk);
			command(`NFACC_CONTROL_STOP_LSB);
			wait_done;
			if (swap_at != at) fail("a swap at rest");
			model(0, at, 1, 3, 0, 1'b0, 0, 0);
			model(at, nsent, 1, 3, 0, 1'b0, 0, 0);
			check;
		end
	endtask

	// Swaps while a batch comes in every cycle, until the input FIFO has no room for another
	// one. The next swap is followed as soon as there is just enough room. No batch is missing.
	integer nparts;
	integer part [0:63]; // the first batch of each filter
	task swap_in_flood;
		begin
			rate = 16;
			ready_rate = 16;
			counter(`NFACC_REG_UNSEEN_LO);
			unseen_before = count64;
			start;
			part[0] = 0;
			nparts = 1;
			flood = 1'b1;
			sending = 1'b1;
			stage_first;
			command(`NFACC_CONTROL_SWAP_LSB);
			status(`NFACC_STATUS_REFUSED_LSB);
			while (!is) begin
				part[nparts] = swap_at;
				nparts = nparts + 1;
				if (nparts > 40) fail("room without end");
				end_of_swap;
				stage_first;
				command(`NFACC_CONTROL_SWAP_LSB);
				status(`NFACC_STATUS_REFUSED_LSB);
			end
			while (is) begin
				sending = 1'b0;
				repeat (2) @(negedge clk);
				sending = 1'b1;
				command(`NFACC_CONTROL_SWAP_LSB);
				status(`NFACC_STATUS_REFUSED_LSB);
			end
			part[nparts] = swap_at;
			nparts = nparts + 1;
			end_of_swap;
			sending = 1'b0;
			flood = 1'b0;
			repeat (2000) @(negedge clk);
			command(`NFACC_CONTROL_STOP_LSB);
			wait_done;
			counter(`NFACC_REG_UNSEEN_LO);
			if (count64 != unseen_before || ncame != nsent)
				fail("the input FIFO overflows");
			part[nparts] = nsent;
			for (n = 0; n < nparts; n = n + 1)
				model(part[n], part[n+1], 1, 3, 0, 1'b0, 0, 0);
			$display("flood: %0d batches, %0d swaps, %0d out", nsent, nparts - 1, nout);
			check;
		end
	endtask
endmodule
`default_nettype wire
