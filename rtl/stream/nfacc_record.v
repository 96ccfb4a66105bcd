// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// nfacc_record: sends an entry of the output FIFO as a record (runtime/trace/trace.h, Note [binary
// traces]), one 64-bit word a cycle. The words are time, mask, labels (64 at most, so one word),
// then the headers of the slots in the mask, lowest slot first. An entry with an empty mask is a
// loss record: after the labels follow the low 64 bits of its body, to which `in_more` is added.
// The entry stays at the FIFO's output until its last word is taken.
//
// Where records name lines, a word of names follows the labels: how many there are, and in bit 3
// whether other lines accept, too. Each name is two words: the line's number and its labels.
//
// Where messages have payload, it follows the headers, lowest slot first: of each slot in the mask
// PAYLOAD/64 words, the lowest bits first. `in_payload` may come up to two cycles after the entry.
`default_nettype none

module nfacc_record #(
	parameter SLOTS = 1,       // 1 .. 64: messages of a batch
	parameter HEADER_BITS = 8, // 1 .. 64: bits of a header
	parameter LABELS = 1,      // 1 .. 64: labels of the overlay
	parameter BODY = 64,       // bits of the body: SLOTS*HEADER_BITS or 64, the larger
	parameter NAMES = 0,       // 0 .. 4: lines that a record can name
	parameter LINE_BITS = 1,   // bits of a line's number
	parameter NAME_BITS = 1,   // bits of in_names, 4 + NAMES*(LINE_BITS+LABELS); 1 without names
	parameter PAYLOAD = 0,     // bits of a message's payload, a multiple of 64; 0: none
	parameter PAY_BITS = 1     // bits of in_payload, SLOTS*PAYLOAD; 1 without payload
) (
	input wire clk,
	input wire rst,
	input wire in_valid,
	output wire in_ready,
	input wire [LABELS-1:0] in_labels,
	input wire [63:0] in_time,
	input wire [SLOTS-1:0] in_mask,
	input wire [BODY-1:0] in_body,
	// Of a loss record: what is added to the count in its body (nfacc_store).
	input wire [7:0] in_more,
	// The number of names (3 bits), whether other lines accept, too, then each name: its line
	// and its labels, which are above the line.
	input wire [NAME_BITS-1:0] in_names,
	input wire [PAY_BITS-1:0] in_payload,
	output reg [63:0] m_axis_tdata,
	output reg m_axis_tvalid,
	input wire m_axis_tready,
	output reg m_axis_tlast
);
	localparam [1:0] TIME = 2'd0, MASK = 2'd1, LABEL = 2'd2, REST = 2'd3;
	localparam [SLOTS-1:0] ZERO = 0, ONE = 1;

	reg [1:0] word;
	reg [SLOTS-1:0] hot;  // only the bit of the slot whose header comes next is 1
	reg [SLOTS-1:0] rest; // the slots whose headers come after the header of slot `hot`
	reg rest_none;        // there are none

	wire step = in_valid & (~m_axis_tvalid | m_axis_tready);
	wire loss = in_mask == ZERO;
	// The words of names come between the labels and the headers, while `naming` is 1.
	wire naming;
	wire [3:0] name_at; // the number of the word of names that comes next
	wire [63:0] name_word;
	// The words of payload come after the headers, while `paying` is 1; `pay_more` says that the
	// current one is not its slot's last.
	wire paying, pay_more;
	wire [3:0] pay_at; // the number of the word of its slot that comes next
	wire [63:0] pay_word;
	wire headers_end = (word == REST) & ~naming & ~paying & rest_none;
	wire pay_begins = (PAYLOAD > 0 ? 1'b1 : 1'b0) & headers_end & ~loss;
	wire [SLOTS-1:0] from = word == REST & ~naming & ~pay_begins ? rest : in_mask;
	wire last = paying ? ~pay_more & rest_none : headers_end & ~pay_begins;
	assign in_ready = step & last;

	// Whether `from` has more than one slot, found six by six: `from - ONE` would be a long way.
	reg any, many, six_any, six_many;
	integer f, g;
	always @* begin
		{any, many} = 2'b00;
		for (f = 0; f < SLOTS; f = f + 6) begin
			{six_any, six_many} = 2'b00;
			for (g = f; g < f + 6 && g < SLOTS; g = g + 1) begin
				six_many = six_many | (six_any & from[g]);
				six_any = six_any | from[g];
			end
			many = many | six_many | (any & six_any);
			any = any | six_any;
		end
	end

	// The count of a loss record is known two cycles after the entry came, before its word is
	// due.
	reg [32:0] count_low;
	reg [31:0] count_high;
	always @(posedge clk) begin
		count_low <= {1'b0, in_body[31:0]} + {26'd0, in_more[6:0]};
		count_high <= in_body[63:32] + {31'd0, in_more[7]} + {31'd0, count_low[32]};
	end

	reg [63:0] header;
	integer i;
	always @* begin
		header = loss ? {count_high, count_low[31:0]} : 64'd0;
		for (i = 0; i < SLOTS; i = i + 1)
			header[HEADER_BITS-1:0] = header[HEADER_BITS-1:0] |
				(in_body[i*HEADER_BITS +: HEADER_BITS] & {HEADER_BITS{hot[i]}});
	end

	genvar n;
	generate
		if (NAMES == 0) begin : g_no_names
			wire unused_names = &{1'b0, in_names, name_at};
			assign naming = 1'b0;
			assign name_at = 4'd0;
			assign name_word = 64'd0;
		end else begin : g_names
			localparam NAME = LINE_BITS + LABELS;
			if (NAME_BITS != 4 + NAMES * NAME) begin : g_bad
				nfacc_error_name_bits e ();
			end
			wire [64*(2*NAMES+1)-1:0] listed;
			reg [3:0] at;
			reg now;
			assign naming = now;
			assign name_at = at;
			wire unused_at = &{1'b0, name_at};
			assign listed[63:0] = {60'd0, in_names[3:0]};
			for (n = 0; n < NAMES; n = n + 1) begin : g_name
				assign listed[64*(2*n+1) +: 64] =
					{{(64-LINE_BITS){1'b0}}, in_names[4+n*NAME +: LINE_BITS]};
				assign listed[64*(2*n+2) +: 64] =
					{{(64-LABELS){1'b0}}, in_names[4+n*NAME+LINE_BITS +: LABELS]};
			end
			assign name_word = listed[64*at +: 64];
			wire name_last = at == {in_names[2:0], 1'b0};
			always @(posedge clk) begin
				if (step) begin
					at <= naming & ~name_last ? at + 4'd1 : 4'd0;
					now <= (word == LABEL) | (naming & ~name_last);
				end
				if (rst) begin
					at <= 4'd0;
					now <= 1'b0;
				end
			end
		end
	endgenerate

	genvar p;
	generate
		if (PAYLOAD == 0) begin : g_no_payload
			wire unused_payload = &{1'b0, in_payload, pay_at};
			assign {paying, pay_more} = 2'b00;
			assign pay_at = 4'd0;
			assign pay_word = 64'd0;
		end else begin : g_payload
			localparam WORDS = PAYLOAD / 64;
			if (PAYLOAD % 64 != 0 || PAY_BITS != SLOTS * PAYLOAD) begin : g_bad
				nfacc_error_payload_bits e ();
			end
			localparam [3:0] LAST = WORDS[3:0] - 4'd1;
			reg [3:0] at;
			reg now;
			assign paying = now;
			assign pay_at = at;
			wire unused_pay_at = &{1'b0, pay_at};
			assign pay_more = now & (at != LAST);
			// Word number p of the slot `hot`.
			wire [64*WORDS-1:0] words;
			for (p = 0; p < WORDS; p = p + 1) begin : g_word
				reg [63:0] one;
				integer s;
				always @* begin
					one = 64'd0;
					for (s = 0; s < SLOTS; s = s + 1)
						one = one | (in_payload[s*PAYLOAD+p*64 +: 64] &
							{64{hot[s]}});
				end
				assign words[p*64 +: 64] = one;
			end
			assign pay_word = words[64*at +: 64];
			always @(posedge clk) begin
				if (step) begin
					at <= pay_more ? at + 4'd1 : 4'd0;
					now <= pay_begins | (now & ~last);
				end
				if (rst) begin
					at <= 4'd0;
					now <= 1'b0;
				end
			end
		end
	endgenerate

	always @(posedge clk) begin
		if (step) begin
			case (word)
			TIME: m_axis_tdata <= in_time;
			MASK: m_axis_tdata <= {{(64-SLOTS){1'b0}}, in_mask};
			LABEL: m_axis_tdata <= {{(64-LABELS){1'b0}}, in_labels};
			default: m_axis_tdata <= naming ? name_word : paying ? pay_word : header;
			endcase
			m_axis_tlast <= last;
			word <= last ? TIME : word == REST ? REST : word + 2'd1;
		end
		if (step & ~pay_more) begin
			hot <= from & (~from + ONE);
			rest <= from & (from - ONE);
			rest_none <= ~many;
		end
		m_axis_tvalid <= in_valid | (m_axis_tvalid & ~m_axis_tready);
		if (rst) begin
			m_axis_tvalid <= 1'b0;
			word <= TIME;
		end
	end

`ifdef FORMAL
	// The FIFO keeps an entry until it is taken. f_n is the number of the entry's words that
	// are in the output register or have left.
	reg f_past = 1'b0, f_last;
	reg [9:0] f_n, f_rank, f_count, f_j;
	reg f_pay;
	localparam [9:0] F_WORDS = PAYLOAD / 64, F_DIVISOR = PAYLOAD > 0 ? PAYLOAD / 64 : 1;
	// Where the headers begin, and where a word of names is in in_names.
	wire [9:0] f_head = NAMES > 0 ? 4 + 2 * in_names[NAMES > 0 ? 2 : 0:0] : 3;
	wire [NAME_BITS-1:0] f_name = NAMES > 0 ?
		in_names >> (4 + (f_n - 4) / 2 * (LINE_BITS + LABELS) +
		(f_n[0] ? LINE_BITS : 0)) : 0;
	reg [63:0] f_word, f_now;
	reg [SLOTS-1:0] f_hot, f_above;
	integer k;
	always @* begin
		// Sets f_now to word number f_n of the entry. Words f_head and later are headers,
		// and then payload. They are found by counting the slots of the mask.
		f_rank = 0;
		f_hot = 0;
		f_above = 0;
		f_now = f_n == 0 ? in_time : f_n == 1 ? in_mask :
			f_n == 2 ? in_labels :
			in_body[63:0] + in_more[6:0] + {in_more[7], 32'd0};
		for (k = 0; k < SLOTS; k = k + 1)
			if (in_mask[k]) begin
				f_hot[k] = f_rank + f_head == f_n;
				f_above[k] = f_rank + f_head > f_n;
				if (f_hot[k]) f_now = in_body[k*HEADER_BITS +: HEADER_BITS];
				f_rank = f_rank + 1;
			end
		if (f_n >= 3 && f_n < f_head)
			f_now = f_n == 3 ? in_names[NAMES > 0 ? 3 : 0:0] :
				f_n[0] ? f_name & ((1 << LABELS) - 1) :
				f_name & ((1 << LINE_BITS) - 1);
		f_count = f_head + (in_mask == 0 ? 1 : f_rank * (1 + F_WORDS));
		f_pay = PAYLOAD > 0 && in_mask != 0 && f_n >= f_head + f_rank;
		f_j = f_n - f_head - f_rank;
		if (f_pay) begin
			f_rank = 0;
			for (k = 0; k < SLOTS; k = k + 1)
				if (in_mask[k]) begin
					f_hot[k] = f_rank == f_j / F_DIVISOR;
					f_above[k] = f_rank > f_j / F_DIVISOR;
					if (f_hot[k])
						f_now = in_payload >> (k*PAYLOAD + 64*(f_j % F_DIVISOR));
					f_rank = f_rank + 1;
				end
		end
	end
	always @(posedge clk) begin
		f_past <= 1'b1;
		if (!f_past) assume (rst);
		else if ($past(in_valid && !in_ready && !rst))
			assume (in_valid && $stable(in_labels) && $stable(in_time) &&
				$stable(in_mask) && $stable(in_body) && $stable(in_more) && $stable(in_names) &&
				$stable(in_payload));
		if (NAMES > 0) assume (in_names[NAMES > 0 ? 2 : 0:0] <= NAMES);
		if (step) begin
			f_n <= in_ready ? 0 : f_n + 1;
			f_word <= f_now;
			f_last <= f_n + 1 == f_count;
		end
		if (rst) f_n <= 0;
		if (f_past) begin
			// AXI4-Stream: a word that is offered stays until it is taken.
			if ($past(rst)) assert (!m_axis_tvalid);
			else if ($past(m_axis_tvalid && !m_axis_tready))
				assert (m_axis_tvalid && $stable(m_axis_tdata) &&
					$stable(m_axis_tlast));
			// The words of the record come in order, each once, and the last one is
			// marked. Then the next entry begins.
			if (m_axis_tvalid)
				assert (m_axis_tdata == f_word && m_axis_tlast == f_last);
			if (step) assert (in_ready == (f_n + 1 == f_count));
			assert (!in_ready || step);
			// The count of a loss record comes in two steps.
			if (f_n != 0) assert (count_low == {1'b0, in_body[31:0]} + in_more[6:0]);
			if (f_n > 1) assert (count_high == in_body[63:32] + in_more[7] + count_low[32]);
			if (f_n != 0) assert (in_valid && f_n < f_count);
			assert (paying == f_pay && pay_at == (f_pay ? f_j % F_DIVISOR : 0));
			assert (f_n < 3 ? word == f_n && !naming :
				word == REST && naming == (f_n < f_head));
			assert (name_at == (naming ? f_n - 3 : 0));
			if (f_n >= f_head)
				assert (hot == f_hot && rest == f_above && rest_none == (rest == 0));
			if (in_valid && m_axis_tready) assert (step);
		end
	end
`endif
endmodule
`default_nettype wire
