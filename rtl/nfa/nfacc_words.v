// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// nfacc_words: the states of all lines, in a memory. A step reads the word of a line, and writes the
// word that the step leads to. Steps come one a cycle, and go through five stages:
//
//	stage   0 address | 1 word from the memory | 2 generation | 3 word to step | 4 next word
//
// Note [steps of one line]. A step reads at stage 0, and its word is in the memory after stage 4. So
// a step that is d = 1..4 cycles behind another one of its line must get the word from that step
// itself, while that is at stage 4 (d = 4: one cycle later). Lines are compared a cycle before.
// Nothing depends on what the memory reads while the same address is written.
//
// Note [generation]. A restart puts all lines into their start states. A word is of the current
// generation if it was written since the restart. All lines without such a word have seen the same
// batches, namely those that all lines see. They have one state in common, which is a register, the
// crowd. A restart begins a generation and sets the crowd; no word is cleared. Generations begin at
// 1, and words at 0. A reset does not set the generation back, because words stay.
`default_nettype none
module nfacc_words #(
	parameter WIDTH = 1,      // 1..: bits of a word, without its generation
	parameter LINES = 2,      // 1..: lines of the overlay
	parameter LINE_BITS = 1,  // bits of a line's number
	parameter GENERATION = 60 // bits of a generation's number
) (
	input wire clk,
	input wire rst,
	// The step at stage 0, at most one of these.
	input wire own,           // of a line that has a message; it may follow a step of the crowd or
	                          // a restart after three other cycles
	input wire visit,         // of a line that has none: it is none if the line is of the crowd
	input wire crowd,         // of the crowd
	input wire restart,       // a restart
	input wire [LINE_BITS-1:0] line,
	input wire [LINE_BITS:0] observed, // lines that are observed; changes only before a restart
	output wire [WIDTH-1:0] word,      // stage 3: the word to step
	output wire restart_word,          // stage 3: the word to step is that of a restart
	input wire [WIDTH-1:0] next,       // stage 4: the word that the step leads to
	output wire [LINE_BITS-1:0] next_line, // stage 4: the line of the step
	output wire writes,       // stage 4: it is a step of a line
	output wire enters,       // stage 4: and its line was of the crowd before
	output wire some          // stage 4: it is the step of a line, or of a crowd that has lines
);
	// What is read of a word as it is written is not used: the step before has it.
	(* ram_style = "ultra", no_rw_check *) reg [GENERATION+WIDTH-1:0] memory [0:LINES-1];
	reg [GENERATION-1:0] generation = {GENERATION{1'b0}};
	reg [WIDTH-1:0] everyone;         // the state of the crowd
	reg [LINE_BITS:0] entered;        // lines that are not of the crowd
	localparam [GENERATION-1:0] ONE = 1;
	localparam [LINE_BITS:0] ONE_LINE = 1;

	integer i;
	initial
		for (i = 0; i < LINES; i = i + 1)
			memory[i] = {GENERATION+WIDTH{1'b0}};

`ifdef FORMAL
	(* anyseq *) reg [GENERATION+WIDTH-1:0] f_met; // what a read that meets a write gives
`endif
	// Bit k of each: the step at stage k.
	reg [4:1] own_at, visit_at, crowd_at, restart_at;
	reg [LINE_BITS-1:0] line_1, line_2, line_3, line_4;
	reg [GENERATION+WIDTH-1:0] word_1;
	reg [WIDTH-1:0] word_2, word_3, next_5;
	reg [GENERATION-1:0] generation_2;
	reg from_3_at_1, from_4_at_1, from_2_at_2, from_1_at_3; // the word comes from the step d before
	reg new_at_2;                     // the word comes from such a step
	reg known_3, known_4;             // the line is not of the crowd

	wire known_now = from_2_at_2 | new_at_2 | (generation_2 == generation);
	wire known = known_3 | from_1_at_3;
	wire writes_3 = own_at[3] | (visit_at[3] & known);
	assign word = from_1_at_3 ? next : word_3;
	assign restart_word = restart_at[3];
	assign writes = own_at[4] | (visit_at[4] & known_4);
	assign enters = own_at[4] & ~known_4;
	assign some = writes | (crowd_at[4] & (entered != observed));
	assign next_line = line_4;

	always @(posedge clk) begin
		if (writes)
			memory[line_4] <= {generation, next};
		word_1 <= memory[line];
`ifdef FORMAL
		if (writes & (line == line_4))
			word_1 <= f_met;
`endif
	end
	always @(posedge clk) begin
		own_at <= {own_at[3:1], own};
		visit_at <= {visit_at[3:1], visit};
		crowd_at <= {crowd_at[3:1], crowd};
		restart_at <= {restart_at[3:1], restart};
		line_1 <= line;
		line_2 <= line_1;
		line_3 <= line_2;
		line_4 <= line_3;
		from_4_at_1 <= writes & (line == line_4);
		from_3_at_1 <= writes_3 & (line == line_3);
		from_2_at_2 <= writes_3 & (line_1 == line_3);
		from_1_at_3 <= writes_3 & (line_2 == line_3) & (own_at[2] | visit_at[2]);
		word_2 <= from_3_at_1 ? next : from_4_at_1 ? next_5 : word_1[WIDTH-1:0];
		generation_2 <= word_1[GENERATION+WIDTH-1:WIDTH];
		new_at_2 <= from_3_at_1 | from_4_at_1;
		known_3 <= known_now & ~crowd_at[2];
		word_3 <= crowd_at[2] | ~known_now ? everyone :
			from_2_at_2 ? next : word_2;
		known_4 <= known;
		next_5 <= next;
		if (enters)
			entered <= entered + ONE_LINE;
		if (crowd_at[4] | restart_at[4])
			everyone <= next;
		if (restart_at[4]) begin
			generation <= generation + ONE;
			entered <= {LINE_BITS+1{1'b0}};
		end
		if (rst) begin
			own_at <= 4'd0;
			visit_at <= 4'd0;
			crowd_at <= 4'd0;
			restart_at <= 4'd0;
			from_4_at_1 <= 1'b0;
			from_3_at_1 <= 1'b0;
			from_2_at_2 <= 1'b0;
			from_1_at_3 <= 1'b0;
		end
	end

`ifdef FORMAL
	// The proof picks an arbitrary line. f_word is what the line's last step led to, or the state of
	// the crowd if it had none since the restart; each step of the line begins with that. Steps come
	// with the gaps that nfacc_split leaves. nfacc_split makes no visit right after a restart.
	(* anyconst *) reg [LINE_BITS-1:0] f_line;
	reg f_past = 1'b0;
	reg f_begun = 1'b0;      // a restart has come
	reg f_entered;           // the line had a step since the restart
	reg [WIDTH-1:0] f_own;   // the word of its last step
	reg [WIDTH-1:0] f_crowd;
	reg [2:0] f_since_restart, f_since_crowd; // cycles, at most 7
	reg [LINE_BITS:0] f_others; // other lines that have entered
	wire f_here = writes & (line_4 == f_line);
	wire f_now_entered = f_here | f_entered;
	wire [WIDTH-1:0] f_word = f_here ? next : f_entered ? f_own : f_crowd;
	wire f_step_3 = line_3 == f_line & (own_at[3] | (visit_at[3] & f_now_entered));
	integer f;
	always @(posedge clk) begin
		f_past <= 1'b1;
		if (!f_past) assume (rst);
		assume (f_line < LINES && line < LINES);
		assume (own + visit + crowd + restart <= 1);
		assume (!rst || !f_past); // a restart comes before any step after a reset
		if (!f_begun && f_since_restart == 7) assume (!own && !visit && !crowd);
		if (f_since_restart < 3) assume (!own && !visit && !crowd);
		if (f_since_crowd < 3) assume (!own && !crowd);
		f_since_restart <= rst ? 7 : restart ? 0 : f_since_restart + (f_since_restart != 7);
		f_since_crowd <= rst ? 7 : crowd ? 0 : f_since_crowd + (f_since_crowd != 7);
		if (restart_at[4]) f_begun <= 1'b1;
		if (rst) f_begun <= 1'b0;
		assume (generation < {GENERATION{1'b1}}); // generations do not come to an end
		if (f_here) begin
			f_own <= next;
			f_entered <= 1'b1;
		end
		if (crowd_at[4] || restart_at[4]) f_crowd <= next;
		if (restart_at[4] || rst) f_entered <= 1'b0;
		if (f_past) begin
			// A step of the line begins with its word, and is written; a visit of a line of
			// the crowd is none.
			if (f_step_3) assert (word == f_word && writes_3);
			if (line_3 == f_line && visit_at[3] && !f_now_entered) assert (!writes_3);
			if (crowd_at[3]) assert (word == f_crowd && !writes_3);
			if (line_4 == f_line && own_at[4]) assert (enters == !f_entered);
			if ($past(writes_3) && !$past(rst)) assert (writes);
			assert (restart_word == restart_at[3]);
			// What the proof by induction needs: what the memory holds.
			if (f_begun) assert (everyone == f_crowd);
			assert (memory[f_line][GENERATION+WIDTH-1:WIDTH] <= generation);
			if (f_entered)
				assert (memory[f_line] == {generation, f_own});
			else if (f_begun)
				assert (memory[f_line][GENERATION+WIDTH-1:WIDTH] != generation);
			if (f_entered) assert (f_begun);
			if (f_since_restart < 4) assert (restart_at[f_since_restart + 1]);
			else if (f_since_restart != 7) assert (f_begun);
			assert (((own_at & visit_at) | ((own_at | visit_at) & crowd_at) |
				((own_at | visit_at | crowd_at) & restart_at)) == 0);
		end
	end
`endif
endmodule
`default_nettype wire
