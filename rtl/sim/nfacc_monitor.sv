// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// nfacc_monitor: the software engine inside a simulation. It takes the outputs of a module that nfacc
// --emit=tap writes, and an image, and reports each batch that is accepted, with what nfarun --explain
// says of it. `nfacc --emit=monitor` writes what puts tap and monitor into a design. nfacc_monitor.c,
// over libnfart, does the work.
//
// A setting is a parameter, or on the command line of the simulation +nfacc.SETTING=VALUE for all
// monitors, or +nfacc.NAME.SETTING=VALUE for the one of this name. What is more special holds.
`default_nettype none

module nfacc_monitor #(
	parameter int SLOTS = 1,              // slots of the protocol, 1 .. 64
	parameter int HEADER_BITS = 64,       // bits of a header, 1 .. 64
	parameter int PAYLOAD = 0,            // bits of payload beside it, 0 .. 512 in steps of 64
	parameter bit [63:0] FINGERPRINT = 0, // that of the tap's protocol; 0: not compared
	parameter bit FALLING = 0,            // 1: the tap takes its samples at falling edges
	parameter string NAME = "monitor",    // stands before what it says, and in plusargs
	parameter string IMAGE = "",          // path of the image; "": nothing is monitored
	parameter string ACTION = "error",    // print, error, fatal, stop or finish, for a report
	parameter int LIMIT = 10,             // of reports, after which no more come; 0: none
	parameter bit EXPLAIN = 1             // 1: say why; 0: the batch alone, which costs less
) (
	input wire clk,                       // the clock of the tap
	// The outputs of the tap.
	input wire s_valid,
	input wire [SLOTS-1:0] s_present,
	input wire [SLOTS*HEADER_BITS-1:0] s_header,
	input wire [63:0] s_time,
	input wire [(PAYLOAD > 0 ? SLOTS*PAYLOAD : 1)-1:0] s_payload // without payload: 0
);
	import "DPI-C" function chandle nfacc_monitor_new(input string name, input int slots,
		input int header_bits, input int payload, input longint unsigned fingerprint);
	import "DPI-C" function void nfacc_monitor_set(input chandle monitor, input string what,
		input string value);
	import "DPI-C" function int nfacc_monitor_begin(input chandle monitor);
	import "DPI-C" function int nfacc_monitor_action(input chandle monitor);
	import "DPI-C" function void nfacc_monitor_message(input chandle monitor, input int slot,
		input longint unsigned header);
	import "DPI-C" function void nfacc_monitor_payload(input chandle monitor,
		input longint unsigned word);
	import "DPI-C" function int nfacc_monitor_batch(input chandle monitor,
		input longint unsigned cycle);
	import "DPI-C" function int nfacc_monitor_idle(input chandle monitor,
		input longint unsigned cycle);
	import "DPI-C" function int nfacc_monitor_end(input chandle monitor,
		input longint unsigned cycle);
	import "DPI-C" function string nfacc_monitor_next(input chandle monitor);
	import "DPI-C" function string nfacc_monitor_error(input chandle monitor);
	import "DPI-C" function string nfacc_monitor_summary(input chandle monitor);
	import "DPI-C" function void nfacc_monitor_free(input chandle monitor);

	wire [(PAYLOAD > 0 ? SLOTS*PAYLOAD : 64)-1:0] words; // the payload
	generate
		if (PAYLOAD > 0) begin : g_payload
			assign words = s_payload;
		end else begin : g_none
			assign words = 64'(s_payload);
		end
	endgenerate

	// What is called below acts at once.
	/* verilator lint_off BLKSEQ */
	chandle monitor;
	bit on = 0;                   // there is an image
	bit finished = 0;             // a report has ended the simulation: no more come
	bit [63:0] seen = {64{1'b1}}; // the last cycle that was taken

	function automatic void set(input string what, input string value);
		nfacc_monitor_set(monitor, what, value);
	endfunction

	// Ends the simulation if something is wrong.
	function automatic void check();
		string wrong;
		wrong = nfacc_monitor_error(monitor);
		if (wrong != "") begin
			on = 0;
			$fatal(1, "nfacc_monitor %s: %s", NAME, wrong);
		end
	endfunction

	// Says what was accepted. At the end of a simulation it can't be stopped any more.
	function automatic void report(input bit ending);
		string text;
		text = nfacc_monitor_next(monitor);
		if (text != "")
			case (nfacc_monitor_action(monitor))
				1: $error("%s", text);
				2: $fatal(1, "%s", text);
				default: $display("%s", text);
			endcase
		if (text != "" && !ending && nfacc_monitor_action(monitor) == 3)
			$stop;
		if (text != "" && !ending && nfacc_monitor_action(monitor) == 4) begin
			finished = 1;
			$finish;
		end
		check();
	endfunction

	// Takes the outputs of the tap.
	function automatic void take(input bit ending);
		seen = s_time;
		if (s_valid) begin
			for (int s = 0; s < SLOTS; s++)
				if (s_present[s]) begin
					nfacc_monitor_message(monitor, s,
						64'(s_header[s*HEADER_BITS +: HEADER_BITS]));
					for (int w = 0; w < PAYLOAD / 64; w++)
						nfacc_monitor_payload(monitor,
							words[s*PAYLOAD + 64*w +: 64]);
				end
			if (nfacc_monitor_batch(monitor, s_time) != 0)
				report(ending);
		end else if (nfacc_monitor_idle(monitor, s_time) != 0)
			report(ending);
	endfunction

	initial begin
		string value;
		monitor = nfacc_monitor_new(NAME, SLOTS, HEADER_BITS, PAYLOAD, FINGERPRINT);
		if (monitor == null)
			$fatal(1, "nfacc_monitor %s: out of memory", NAME);
		set("image", IMAGE);
		set("action", ACTION);
		value.itoa(LIMIT);
		set("limit", value);
		set("explain", EXPLAIN ? "1" : "0");
		if ($value$plusargs("nfacc.image=%s", value)) set("image", value);
		if ($value$plusargs("nfacc.action=%s", value)) set("action", value);
		if ($value$plusargs("nfacc.limit=%s", value)) set("limit", value);
		if ($value$plusargs("nfacc.explain=%s", value)) set("explain", value);
		if ($value$plusargs({"nfacc.", NAME, ".image=%s"}, value)) set("image", value);
		if ($value$plusargs({"nfacc.", NAME, ".action=%s"}, value)) set("action", value);
		if ($value$plusargs({"nfacc.", NAME, ".limit=%s"}, value)) set("limit", value);
		if ($value$plusargs({"nfacc.", NAME, ".explain=%s"}, value)) set("explain", value);
		on = nfacc_monitor_begin(monitor) != 0;
		check();
		if (!on)
			$display("%s: no image, so nothing is monitored (+nfacc.image=FILE)", NAME);
	end

	// Before the first edge the cycle of a tap is all ones.
	generate
		if (FALLING) begin : g_falling
			always @(negedge clk) if (on && !finished && !(&s_time)) take(1'b0);
		end else begin : g_rising
			always @(posedge clk) if (on && !finished && !(&s_time)) take(1'b0);
		end
	endgenerate

	// The messages of the last edge are still at the outputs. A simulator may call both functions of
	// an &&, so each has an `if` of its own.
	final begin
		if (on && !finished && !(&s_time) && s_time != seen)
			take(1'b1);
		if (on && !finished)
			if (nfacc_monitor_end(monitor, seen) != 0)
				report(1'b1);
		if (on)
			$display("%s", nfacc_monitor_summary(monitor));
		nfacc_monitor_free(monitor);
	end
	/* verilator lint_on BLKSEQ */
endmodule
`default_nettype wire
