// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// nfacc_joins: gives answers that have no key the copy of their request, by the number that both
// have (contract/proto/proto.h, Note [joins]). It stands between nfacc_reduce and the copies of the
// NFA and takes one cycle. Each join has a table in flip-flops, with an entry for each number:
//
//	used open seen line      used: some request had the number; open: it has no answer yet;
//	                         seen, line: there is a copy for the request, and its number
//
// An entry has the number of a copy, not an address, so it is some bits wide. Answers read the table
// as it was before their batch. Then they close their entries, and then requests open theirs.
`default_nettype none
`include "nfacc_contract.vh"

module nfacc_joins #(
	parameter SLOTS = 1,       // 1..64: messages of a batch
	parameter HEADER_BITS = 8, // 1..64: bits of a header
	parameter OP_LSB = 0,      // the lowest bit of the opcode in a header
	parameter OP_BITS = 8,     // 1..8: bits of an opcode
	parameter LINE_BITS = 1,   // 1..: bits of a copy's number
	parameter BESIDE = 1,      // 1..: bits that go along with a batch
	parameter REDUCE = 2,      // 2..: cycles through nfacc_reduce
	parameter NJOINS = 1,      // 1..16: joins
	// For each join, 8 bits each: bits of the number, its lowest bit in requests, in answers, 0.
	parameter [NJOINS*32-1:0] PLACES = 1,
	// For each join, bit slot << OP_BITS | opcode: these messages are its requests, its answers.
	parameter [NJOINS*(SLOTS<<OP_BITS)-1:0] REQUESTS = 0,
	parameter [NJOINS*(SLOTS<<OP_BITS)-1:0] ANSWERS = 0
) (
	input wire clk,
	input wire rst,
	input wire stream_start,   // empties the tables; no batch is inside
	input wire clear_counts,
	input wire by_line,        // 0: there are no substreams, so nothing is joined
	// A batch as nfacc_reduce gets it.
	input wire [SLOTS-1:0] in_mask,
	input wire [SLOTS*HEADER_BITS-1:0] in_header,
	input wire [BESIDE-1:0] in_beside,
	// REDUCE cycles later, the batch as it leaves nfacc_reduce.
	input wire reduced_valid,
	input wire reduced_restart_before, // the tables are emptied before the batch
	input wire [SLOTS-1:0] reduced_present,
	input wire [SLOTS-1:0] reduced_own, // the message has the key itself
	input wire [SLOTS*OP_BITS-1:0] reduced_opcode,
	input wire [SLOTS*LINE_BITS-1:0] reduced_line,
	input wire [SLOTS-1:0] reduced_every,
	// One more cycle later.
	output reg out_valid,
	output reg out_restart_before,
	output reg [SLOTS-1:0] out_present,
	output wire [SLOTS-1:0] next_absent, // in the next cycle out_present will not have the slot
	output reg [SLOTS*OP_BITS-1:0] out_opcode,
	output reg [SLOTS*LINE_BITS-1:0] out_line,
	output reg [SLOTS-1:0] out_every,
	output reg [BESIDE-1:0] out_beside,  // in_beside, one cycle later
	// Answers that came late, and without a request. They stay at their highest value.
	output reg [31:0] late,
	output reg [31:0] wrong
);
	localparam CODES = SLOTS << OP_BITS;
	localparam COUNT_BITS = 7;  // the number of answers in a batch

	// What one slot gets from each join.
	wire [NJOINS*SLOTS-1:0] finds;             // a copy
	wire [NJOINS*SLOTS*LINE_BITS-1:0] found;   // and its number, or 0
	wire [NJOINS*SLOTS-1:0] is_late, is_wrong; // how the answer comes
	wire unused_joins = &{1'b0, in_mask, in_header};

	genvar j, i, e;
	generate
		if (NJOINS < 1 || NJOINS > 16) begin : g_bad
			nfacc_error_joins error ();
		end
		for (j = 0; j < NJOINS; j = j + 1) begin : g_join
			localparam [31:0] PLACE = PLACES[j*32 +: 32];
			localparam integer BITS = {24'd0, PLACE[7:0]};
			localparam integer REQUEST_LSB = {24'd0, PLACE[15:8]};
			localparam integer ANSWER_LSB = {24'd0, PLACE[23:16]};
			localparam ENTRIES = 1 << BITS;
			localparam [CODES-1:0] OF_REQUESTS = REQUESTS[j*CODES +: CODES];
			localparam [CODES-1:0] OF_ANSWERS = ANSWERS[j*CODES +: CODES];

			reg [ENTRIES-1:0] used, open, seen;
			reg [ENTRIES*LINE_BITS-1:0] line;
			wire [ENTRIES-1:0] used_now = used & {ENTRIES{~reduced_restart_before}};
			wire [ENTRIES-1:0] open_now = open & {ENTRIES{~reduced_restart_before}};

			// Each slot's message, as long under way as through nfacc_reduce.
			wire [SLOTS-1:0] request, answer;
			wire [SLOTS*BITS-1:0] asked, answered; // their numbers
			for (i = 0; i < SLOTS; i = i + 1) begin : g_slot
				localparam [(1<<OP_BITS)-1:0] REQUEST =
					OF_REQUESTS[i<<OP_BITS +: 1<<OP_BITS];
				localparam [(1<<OP_BITS)-1:0] ANSWER =
					OF_ANSWERS[i<<OP_BITS +: 1<<OP_BITS];
				localparam AT = j * SLOTS + i;
				wire [HEADER_BITS-1:0] head = in_header[i*HEADER_BITS +: HEADER_BITS];
				wire [OP_BITS-1:0] opcode = head[OP_LSB +: OP_BITS];
				wire unused_head = &{1'b0, head, opcode};
				if (REQUEST != 0) begin : g_request
					reg [REDUCE-1:0] is;
					reg [REDUCE*BITS-1:0] number;
					always @(posedge clk) begin
						is <= {is[REDUCE-2:0], in_mask[i] & REQUEST[opcode]};
						number <= {number[(REDUCE-1)*BITS-1:0], head[REQUEST_LSB +: BITS]};
					end
					assign request[i] = is[REDUCE-1];
					assign asked[i*BITS +: BITS] = number[(REDUCE-1)*BITS +: BITS];
				end else begin : g_no_request
					assign request[i] = 1'b0;
					assign asked[i*BITS +: BITS] = {BITS{1'b0}};
				end
				if (ANSWER != 0) begin : g_answer
					reg [REDUCE-1:0] is;
					reg [REDUCE*BITS-1:0] number;
					always @(posedge clk) begin
						is <= {is[REDUCE-2:0], in_mask[i] & ANSWER[opcode]};
						number <= {number[(REDUCE-1)*BITS-1:0], head[ANSWER_LSB +: BITS]};
					end
					wire [BITS-1:0] at = number[(REDUCE-1)*BITS +: BITS];
					assign answer[i] = is[REDUCE-1];
					assign answered[i*BITS +: BITS] = at;
					assign finds[AT] = is[REDUCE-1] & by_line & ~reduced_own[i] &
						open_now[at] & seen[at];
					assign found[AT*LINE_BITS +: LINE_BITS] =
						line[at*LINE_BITS +: LINE_BITS] & {LINE_BITS{finds[AT]}};
					assign is_late[AT] = is[REDUCE-1] & used_now[at] & ~open_now[at];
					assign is_wrong[AT] = is[REDUCE-1] & ~used_now[at];
				end else begin : g_no_answer
					assign answer[i] = 1'b0;
					assign answered[i*BITS +: BITS] = {BITS{1'b0}};
					assign finds[AT] = 1'b0;
					assign found[AT*LINE_BITS +: LINE_BITS] = {LINE_BITS{1'b0}};
					assign is_late[AT] = 1'b0;
					assign is_wrong[AT] = 1'b0;
				end
			end

			for (e = 0; e < ENTRIES; e = e + 1) begin : g_entry
				localparam [BITS-1:0] NUMBER = e;
				reg opens, closes, opens_seen;
				reg [LINE_BITS-1:0] opens_line;
				integer k;
				always @* begin
					opens = 1'b0;
					closes = 1'b0;
					opens_seen = 1'b0;
					opens_line = {LINE_BITS{1'b0}};
					for (k = 0; k < SLOTS; k = k + 1) begin
						if (answer[k] && answered[k*BITS +: BITS] == NUMBER)
							closes = 1'b1;
						if (request[k] && asked[k*BITS +: BITS] == NUMBER) begin
							opens = 1'b1;
							opens_seen = reduced_present[k];
							opens_line = reduced_line[k*LINE_BITS +: LINE_BITS];
						end
					end
				end
				always @(posedge clk)
					if (rst | stream_start) begin
						used[e] <= 1'b0;
						open[e] <= 1'b0;
					end else if (reduced_valid & by_line) begin
						used[e] <= used_now[e] | opens;
						open[e] <= (open_now[e] & ~closes) | opens;
						if (opens) begin
							seen[e] <= opens_seen;
							line[e*LINE_BITS +: LINE_BITS] <= opens_line;
						end
					end
			end
		end
	endgenerate

	// At most one join has a copy for a slot.
	reg [SLOTS-1:0] present;
	reg [SLOTS*LINE_BITS-1:0] copy;
	reg [COUNT_BITS-1:0] late_now, wrong_now, late_q, wrong_q;
	integer n, s;
	always @* begin
		present = reduced_present;
		copy = reduced_line;
		late_now = {COUNT_BITS{1'b0}};
		wrong_now = {COUNT_BITS{1'b0}};
		for (n = 0; n < NJOINS; n = n + 1)
			for (s = 0; s < SLOTS; s = s + 1) begin
				if (finds[n*SLOTS+s]) begin
					present[s] = 1'b1;
					copy[s*LINE_BITS +: LINE_BITS] =
						found[(n*SLOTS+s)*LINE_BITS +: LINE_BITS];
				end
				late_now = late_now + {{COUNT_BITS-1{1'b0}}, is_late[n*SLOTS+s]};
				wrong_now = wrong_now + {{COUNT_BITS-1{1'b0}}, is_wrong[n*SLOTS+s]};
			end
	end
	assign next_absent = ~present;

	wire counts = reduced_valid & by_line;
	wire [32:0] late_sum = {1'b0, late} + {{33-COUNT_BITS{1'b0}}, late_q};
	wire [32:0] wrong_sum = {1'b0, wrong} + {{33-COUNT_BITS{1'b0}}, wrong_q};
	always @(posedge clk) begin
		out_valid <= reduced_valid & ~rst;
		out_restart_before <= reduced_restart_before;
		out_present <= present;
		out_opcode <= reduced_opcode;
		out_line <= copy;
		out_every <= reduced_every;
		out_beside <= in_beside;
		late_q <= late_now & {COUNT_BITS{counts & ~rst}};
		wrong_q <= wrong_now & {COUNT_BITS{counts & ~rst}};
		late <= late_sum[32] ? 32'hffffffff : late_sum[31:0];
		wrong <= wrong_sum[32] ? 32'hffffffff : wrong_sum[31:0];
		if (rst | clear_counts) begin
			late <= 32'd0;
			wrong <= 32'd0;
		end
	end

`ifdef FORMAL
	// An arbitrary number of an arbitrary join: its entry has what the batches before say, and an
	// answer gets its copy from it, or is counted. A message that answers nothing keeps its own copy.
	(* anyconst *) reg [3:0] f_join;
	(* anyconst *) reg [7:0] f_number;
	(* anyconst *) reg [5:0] f_slot;
	wire [31:0] f_place = PLACES[f_join*32 +: 32];
	reg f_past = 1'b0;
	reg [7:0] f_age = 8'd0; // cycles, at most REDUCE; so long the reset lasts, at least
	reg [REDUCE*SLOTS-1:0] f_mask;                // the batches under way through nfacc_reduce
	reg [REDUCE*SLOTS*HEADER_BITS-1:0] f_header;  // the newest has the lowest bits
	reg f_used = 1'b0, f_open = 1'b0, f_seen;
	reg [LINE_BITS-1:0] f_line;
	// What the batch that leaves nfacc_reduce has for the number.
	reg f_opens, f_closes, f_opens_seen, f_answers, f_any;
	reg [LINE_BITS-1:0] f_opens_line;
	reg [HEADER_BITS-1:0] f_head;
	reg [OP_BITS-1:0] f_opcode;
	reg f_is;
	integer f_k, f_n;
	always @* begin
		{f_opens, f_closes, f_opens_seen, f_answers, f_any} = 5'd0;
		f_opens_line = 0;
		for (f_k = 0; f_k < SLOTS; f_k = f_k + 1) begin
			f_head = f_header[((REDUCE-1)*SLOTS+f_k)*HEADER_BITS +: HEADER_BITS];
			f_opcode = f_head >> OP_LSB;
			f_is = f_mask[(REDUCE-1)*SLOTS+f_k];
			if (f_is && REQUESTS[f_join*CODES + (f_k << OP_BITS) + f_opcode] &&
				((f_head >> f_place[15:8]) & ((1 << f_place[7:0]) - 1)) == f_number) begin
				f_opens = 1'b1;
				f_opens_seen = reduced_present[f_k];
				f_opens_line = reduced_line[f_k*LINE_BITS +: LINE_BITS];
			end
			if (f_is && ANSWERS[f_join*CODES + (f_k << OP_BITS) + f_opcode] &&
				((f_head >> f_place[23:16]) & ((1 << f_place[7:0]) - 1)) == f_number) begin
				f_closes = 1'b1;
				if (f_k == f_slot) f_answers = 1'b1;
			end
			for (f_n = 0; f_n < NJOINS; f_n = f_n + 1)
				if (f_is && f_k == f_slot && ANSWERS[f_n*CODES + (f_k << OP_BITS) + f_opcode])
					f_any = 1'b1;
		end
	end
	wire f_was_used = f_used && !reduced_restart_before;
	wire f_was_open = f_open && !reduced_restart_before;
	wire f_finds = f_answers && by_line && !reduced_own[f_slot] && f_was_open && f_seen;
	integer f_i, f_sum;
	reg f_counted;
	always @(posedge clk) begin
		f_past <= 1'b1;
		if (f_age != REDUCE) begin
			f_age <= f_age + 8'd1;
			assume (rst);
		end
		assert (f_age <= REDUCE && (f_past || f_age == 0));
		assume (f_join < NJOINS && f_number >> f_place[7:0] == 0 && f_slot < SLOTS);
		f_mask <= {f_mask, in_mask};
		f_header <= {f_header, in_header};
		if (reduced_valid && by_line) begin
			f_used <= f_was_used || f_opens;
			f_open <= (f_was_open && !f_closes) || f_opens;
			if (f_opens) begin
				f_seen <= f_opens_seen;
				f_line <= f_opens_line;
			end
		end
		if (rst || stream_start) {f_used, f_open} <= 2'd0;
		if (f_age == REDUCE && f_answers) begin
			assert (is_late[f_join*SLOTS + f_slot] == (f_was_used && !f_was_open));
			assert (is_wrong[f_join*SLOTS + f_slot] == !f_was_used);
		end
		if (f_age == REDUCE && !f_any)
			for (f_i = 0; f_i < NJOINS; f_i = f_i + 1)
				assert (!is_late[f_i*SLOTS + f_slot] && !is_wrong[f_i*SLOTS + f_slot]);
		if (f_past) begin
			assert (out_valid == ($past(reduced_valid) && !$past(rst)));
			assert (out_restart_before == $past(reduced_restart_before));
			assert (out_opcode == $past(reduced_opcode) && out_every == $past(reduced_every));
			assert (out_beside == $past(in_beside));
			assert (out_present == ~$past(next_absent));
			if ($past(f_age) == REDUCE && $past(f_answers)) begin
				assert (out_present[f_slot] == ($past(reduced_present[f_slot]) || $past(f_finds)));
				assert (out_line[f_slot*LINE_BITS +: LINE_BITS] == ($past(f_finds) ? $past(f_line) :
					$past(reduced_line[f_slot*LINE_BITS +: LINE_BITS])));
			end
			if ($past(f_age) == REDUCE && !$past(f_any)) begin
				assert (out_present[f_slot] == $past(reduced_present[f_slot]));
				assert (out_line[f_slot*LINE_BITS +: LINE_BITS] ==
					$past(reduced_line[f_slot*LINE_BITS +: LINE_BITS]));
			end
			if ($past(rst) || $past(clear_counts)) assert (late == 0 && wrong == 0);
			else begin
				assert (late == ($past(late) > 32'hffffffff - $past(late_q) ? 32'hffffffff :
					$past(late) + $past(late_q)));
				assert (wrong == ($past(wrong) > 32'hffffffff - $past(wrong_q) ? 32'hffffffff :
					$past(wrong) + $past(wrong_q)));
			end
			f_counted = $past(reduced_valid && by_line && !rst);
			f_sum = 0;
			for (f_i = 0; f_i < NJOINS*SLOTS; f_i = f_i + 1)
				f_sum = f_sum + ($past(is_late[f_i]) && f_counted);
			assert (late_q == f_sum);
			f_sum = 0;
			for (f_i = 0; f_i < NJOINS*SLOTS; f_i = f_i + 1)
				f_sum = f_sum + ($past(is_wrong[f_i]) && f_counted);
			assert (wrong_q == f_sum);
		end
	end
	// For the induction: the registers hold what the model holds.
	genvar fj, fs, fc;
	generate
		for (fj = 0; fj < NJOINS; fj = fj + 1) begin : f_joins
			localparam [31:0] AT = PLACES[fj*32 +: 32];
			always @(posedge clk)
				if (f_past && f_join == fj) begin
					assert (g_join[fj].used[f_number] == f_used);
					assert (g_join[fj].open[f_number] == f_open);
					assert (f_used || !f_open);
					if (f_used) assert (g_join[fj].seen[f_number] == f_seen);
					if (f_used) assert (g_join[fj].line[f_number*LINE_BITS +: LINE_BITS] == f_line);
				end
			for (fs = 0; fs < SLOTS; fs = fs + 1) begin : f_slots
				for (fc = 0; fc < REDUCE; fc = fc + 1) begin : f_cycles
					wire [HEADER_BITS-1:0] head = f_header[(fc*SLOTS+fs)*HEADER_BITS +: HEADER_BITS];
					wire [OP_BITS-1:0] opcode = head[OP_LSB +: OP_BITS];
					if (REQUESTS[fj*CODES + (fs << OP_BITS) +: 1 << OP_BITS] != 0) begin : f_request
						always @(posedge clk)
							if (f_age > fc) begin
								assert (g_join[fj].g_slot[fs].g_request.is[fc] ==
									(f_mask[fc*SLOTS+fs] && REQUESTS[fj*CODES + (fs << OP_BITS) + opcode]));
								assert (g_join[fj].g_slot[fs].g_request.number[fc*AT[7:0] +: AT[7:0]] ==
									head[AT[15:8] +: AT[7:0]]);
							end
					end
					if (ANSWERS[fj*CODES + (fs << OP_BITS) +: 1 << OP_BITS] != 0) begin : f_answer
						always @(posedge clk)
							if (f_age > fc) begin
								assert (g_join[fj].g_slot[fs].g_answer.is[fc] ==
									(f_mask[fc*SLOTS+fs] && ANSWERS[fj*CODES + (fs << OP_BITS) + opcode]));
								assert (g_join[fj].g_slot[fs].g_answer.number[fc*AT[7:0] +: AT[7:0]] ==
									head[AT[23:16] +: AT[7:0]]);
							end
					end
				end
			end
		end
	endgenerate
`endif
endmodule
`default_nettype wire
