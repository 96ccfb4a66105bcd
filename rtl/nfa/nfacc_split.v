// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// nfacc_split: makes steps of batches, one a cycle. A step is for one line and has that line's
// messages. The first slot of each line is its leader, so the leaders say which steps there are. A
// batch that all lines see (a tick, the end, a broadcast message) also has a step of the crowd, which
// stands for all lines without a step since the restart, and then one for each other line. That is
// one for each hot line (nfacc_hot) if the batch is a tick alone, and else a visit of every line that
// is observed.
//
//	restart?  own lines  crowd  drain  hot lines
//	                            visits            nothing, the last step of the batch
//
// The last step of a batch says so. A batch that no line sees has a step of nothing.
`default_nettype none
`include "nfacc_contract.vh"
module nfacc_split #(
	parameter SLOTS = 1,      // 1..: slots of the decoders; with TIME the last one is that of time
	parameter TIME = 0,       // whether there is a slot of time: `NFACC_TIME_*
	parameter ROW_BITS = 5,   // 1..9: bits of a letter
	parameter LINE_BITS = 1   // bits of a line's number
) (
	input wire clk,
	input wire rst,
	// Batches. A restart goes before the batch, or comes alone.
	input wire in_valid,
	output wire in_ready,
	input wire in_restart,
	input wire in_batch,
	input wire [SLOTS-1:0] in_present,
	input wire [SLOTS-1:0] in_every,
	input wire [SLOTS*ROW_BITS-1:0] in_letter,
	input wire [SLOTS*LINE_BITS-1:0] in_line,
	input wire [LINE_BITS:0] observed, // lines that are observed: those below this number
	// The list of hot lines, while no step is inside.
	input wire [LINE_BITS:0] hot_count,
	input wire hot_valid,
	input wire [LINE_BITS-1:0] hot_line,
	output wire hot_take,
	// The step. None of `own`, `visit`, `crowd`, `restart`, `keep`: it is that of nothing.
	output reg out_own,       // of a line with messages
	output reg out_visit,     // of a line without
	output reg out_tick,      // with out_visit: of a hot line, at a tick alone
	output reg out_crowd,     // of the crowd
	output reg out_restart,   // a restart
	output reg out_keep,      // none; the hot line has its own step, and goes back to the list
	output reg out_last,      // it is the last step of its batch
	output reg [LINE_BITS-1:0] out_line,
	output reg [SLOTS-1:0] out_belongs, // the slots that the step sees, with that of time
	output reg [SLOTS*ROW_BITS-1:0] out_letter,
	output wire busy          // a batch is here, or a step left less than INSIDE cycles ago
);
	localparam MESSAGES = TIME == `NFACC_TIME_YES ? SLOTS - 1 : SLOTS;
	localparam [3:0] INSIDE = 4'd11; // cycles until nothing of a step is inside
	localparam [1:0] GAP = 2'd3;     // cycles after a restart or the crowd without an own step
	localparam [LINE_BITS:0] ONE = 1;
	localparam [2:0] OWN = 3'd0, CROWD = 3'd1, DRAIN = 3'd2, HOT = 3'd3, VISIT = 3'd4, END = 3'd5;

	// In `m` each two slots have been compared, in `c` the leaders are known.
	reg m_valid, m_restart, m_batch, c_valid, c_restart, c_batch;
	reg [SLOTS-1:0] m_present;
	reg [MESSAGES-1:0] m_own, m_every, c_own, c_every, left, pick;
	reg [MESSAGES*MESSAGES-1:0] m_same, c_same; // bit i*MESSAGES + k: slots i, k are of one line
	reg [SLOTS*ROW_BITS-1:0] m_letter, c_letter;
	reg [MESSAGES*LINE_BITS-1:0] m_line, c_line;
	reg c_all, c_alone;      // all lines see the batch; it is a tick without broadcast messages
	reg [2:0] phase;
	reg [1:0] gap;
	reg [3:0] since;         // cycles until no step is inside
	reg [LINE_BITS:0] count; // lines that are still to be visited
	reg [LINE_BITS-1:0] at;  // the line to visit
	wire unused_line = &{1'b0, in_line, in_every};

	wire m_time, m_tick;     // the batch has a tick or is the end; it has a tick and is not the end
	wire done;               // the last step of the batch is made
	wire c_ready = ~c_valid | done;
	assign in_ready = ~m_valid | c_ready;

	// Bit i: slot i is the first one of its line.
	wire [MESSAGES-1:0] leads;
	genvar i, k;
	generate
		for (i = 0; i < MESSAGES; i = i + 1) begin : g_slot
			localparam [MESSAGES-1:0] BEFORE = ~({MESSAGES{1'b1}} << i);
			assign leads[i] = m_own[i] &
				~|(m_own & m_same[i*MESSAGES +: MESSAGES] & BEFORE);
			for (k = 0; k < MESSAGES; k = k + 1) begin : g_other
				always @(posedge clk)
					if (in_ready)
						m_same[i*MESSAGES + k] <=
							in_line[i*LINE_BITS +: LINE_BITS] ==
							in_line[k*LINE_BITS +: LINE_BITS];
			end
		end
	endgenerate
	wire [MESSAGES-1:0] others = left & ~pick; // leaders after the one whose step is made
	// The step of a leader: its line, and the slots of that line.
	reg [LINE_BITS-1:0] own_line;
	reg [MESSAGES-1:0] own_slots;
	// A hot or visited line has its own step.
	wire [LINE_BITS-1:0] other = phase == HOT ? hot_line : at;
	reg has_own;
	integer s;
	always @* begin
		own_line = {LINE_BITS{1'b0}};
		own_slots = {MESSAGES{1'b0}};
		has_own = 1'b0;
		for (s = 0; s < MESSAGES; s = s + 1) begin
			own_line = own_line |
				(c_line[s*LINE_BITS +: LINE_BITS] & {LINE_BITS{pick[s]}});
			own_slots = own_slots |
				(c_same[s*MESSAGES +: MESSAGES] & {MESSAGES{pick[s]}});
			has_own = has_own |
				(c_own[s] & (c_line[s*LINE_BITS +: LINE_BITS] == other));
		end
	end

	wire has_leader = |pick;
	wire last_leader = others == {MESSAGES{1'b0}};
	wire restarts = c_valid & (phase == OWN) & c_restart;
	wire owns = c_valid & (phase == OWN) & ~c_restart & c_batch & (gap == 2'd0);
	wire more = count != {LINE_BITS+1{1'b0}};
	wire visits = (phase == VISIT) & more;
	wire hots = (phase == HOT) & more & hot_valid;
	assign hot_take = hots;
	wire ends = phase == END;
	assign done = (restarts & ~c_batch) | (owns & last_leader & ~c_all) | ends;
	assign busy = m_valid | c_valid | (since != 4'd0);

	always @(posedge clk) begin
		out_restart <= restarts;
		out_own <= owns & has_leader;
		out_crowd <= phase == CROWD;
		out_visit <= (visits | hots) & ~has_own;
		out_tick <= hots;
		out_keep <= hots & has_own;
		out_last <= (owns & last_leader & ~c_all) | ends;
		out_line <= phase == OWN ? own_line : other;
		out_belongs[MESSAGES-1:0] <= (phase == OWN ? own_slots & c_own : {MESSAGES{1'b0}}) |
			c_every;
		out_letter <= c_letter;

		if (in_ready) begin
			m_valid <= in_valid;
			m_restart <= in_restart;
			m_batch <= in_batch;
			m_present <= in_present;
			m_own <= in_present[MESSAGES-1:0] & ~in_every[MESSAGES-1:0];
			m_every <= in_every[MESSAGES-1:0];
			m_letter <= in_letter;
			m_line <= in_line[MESSAGES*LINE_BITS-1:0];
		end
		if (owns) begin
			left <= others;
			pick <= others & ~(others - 1'b1);
		end
		if (restarts)
			c_restart <= 1'b0;
		if (c_ready) begin
			c_valid <= m_valid;
			c_restart <= m_restart;
			c_batch <= m_batch;
			c_own <= m_own;
			c_every <= m_every;
			c_same <= m_same;
			c_letter <= m_letter;
			c_line <= m_line;
			left <= leads;
			pick <= leads & ~(leads - 1'b1);
			c_all <= |m_every | m_time;
			c_alone <= m_tick & m_every == {MESSAGES{1'b0}};
		end

		case (phase)
		OWN: if (owns & last_leader & c_all)
			phase <= CROWD;
		CROWD: begin
			phase <= c_alone ? DRAIN : VISIT;
			count <= observed;
			at <= {LINE_BITS{1'b0}};
		end
		DRAIN: begin
			count <= hot_count;
			if (since == 4'd0)
				phase <= HOT;
		end
		HOT: if (~more)
			phase <= END;
		VISIT: if (~more)
			phase <= END;
		default: phase <= OWN;
		endcase
		if (visits | hots) begin
			count <= count - ONE;
			at <= at + ONE[LINE_BITS-1:0];
		end
		if (restarts | (phase == CROWD))
			gap <= GAP;
		else if (gap != 2'd0)
			gap <= gap - 2'd1;
		if ((c_valid & phase != DRAIN & phase != HOT) | hots)
			since <= INSIDE;
		else if (since != 4'd0)
			since <= since - 4'd1;
		if (rst) begin
			m_valid <= 1'b0;
			c_valid <= 1'b0;
			phase <= OWN;
			gap <= 2'd0;
			since <= 4'd0;
			out_restart <= 1'b0;
			out_own <= 1'b0;
			out_crowd <= 1'b0;
			out_visit <= 1'b0;
			out_keep <= 1'b0;
			out_last <= 1'b0;
		end
	end
	generate
		if (TIME == `NFACC_TIME_YES) begin : g_time
			assign m_time = m_present[SLOTS-1];
			assign m_tick = m_letter[(SLOTS-1)*ROW_BITS +: 2] == 2'b01;
			always @(posedge clk)
				out_belongs[SLOTS-1] <= 1'b1;
		end else begin : g_no_time
			assign m_time = 1'b0;
			assign m_tick = 1'b0;
			wire unused_present = &{1'b0, m_present};
		end
	endgenerate
endmodule
`default_nettype wire
