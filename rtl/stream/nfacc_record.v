// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// nfacc_record: sends an entry of the output FIFO as a record (runtime/trace/trace.h, Note [binary
// traces]), one 64-bit word a cycle. The words are time, mask, labels (64 at most, so one word),
// then the headers of the slots in the mask, lowest slot first. An entry with an empty mask is a
// loss record: after the labels follow the low 64 bits of its body. The entry stays at the FIFO's
// output until its last word is taken.
`default_nettype none

module nfacc_record #(
	parameter SLOTS = 1,       // 1 .. 64: messages of a batch
	parameter HEADER_BITS = 8, // 1 .. 64: bits of a header
	parameter LABELS = 1,      // 1 .. 64: labels of the overlay
	parameter BODY = 64        // bits of the body: SLOTS*HEADER_BITS or 64, the larger
) (
	input wire clk,
	input wire rst,
	input wire in_valid,
	output wire in_ready,
	input wire [LABELS-1:0] in_labels,
	input wire [63:0] in_time,
	input wire [SLOTS-1:0] in_mask,
	input wire [BODY-1:0] in_body,
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
	wire [SLOTS-1:0] from = word == REST ? rest : in_mask;

	wire step = in_valid & (~m_axis_tvalid | m_axis_tready);
	wire loss = in_mask == ZERO;
	wire last = (word == REST) & (rest == ZERO);
	assign in_ready = step & last;

	reg [63:0] header;
	integer i;
	always @* begin
		header = loss ? in_body[63:0] : 64'd0;
		for (i = 0; i < SLOTS; i = i + 1)
			header[HEADER_BITS-1:0] = header[HEADER_BITS-1:0] |
				(in_body[i*HEADER_BITS +: HEADER_BITS] & {HEADER_BITS{hot[i]}});
	end

	always @(posedge clk) begin
		if (step) begin
			case (word)
			TIME: m_axis_tdata <= in_time;
			MASK: m_axis_tdata <= {{(64-SLOTS){1'b0}}, in_mask};
			LABEL: m_axis_tdata <= {{(64-LABELS){1'b0}}, in_labels};
			default: m_axis_tdata <= header;
			endcase
			m_axis_tlast <= last;
			word <= last ? TIME : word == REST ? REST : word + 2'd1;
			hot <= from & (~from + ONE);
			rest <= from & (from - ONE);
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
	reg [7:0] f_n, f_rank, f_count;
	reg [63:0] f_word, f_now;
	reg [SLOTS-1:0] f_hot, f_above;
	integer k;
	always @* begin
		// Sets f_now to word number f_n of the entry. Words 3 and later are headers. They
		// are found by counting the slots of the mask.
		f_rank = 0;
		f_hot = 0;
		f_above = 0;
		f_now = f_n == 0 ? in_time : f_n == 1 ? in_mask :
			f_n == 2 ? in_labels : in_body[63:0];
		for (k = 0; k < SLOTS; k = k + 1)
			if (in_mask[k]) begin
				f_hot[k] = f_rank + 3 == f_n;
				f_above[k] = f_rank + 3 > f_n;
				if (f_hot[k]) f_now = in_body[k*HEADER_BITS +: HEADER_BITS];
				f_rank = f_rank + 1;
			end
		f_count = 3 + (in_mask == 0 ? 1 : f_rank);
	end
	always @(posedge clk) begin
		f_past <= 1'b1;
		if (!f_past) assume (rst);
		else if ($past(in_valid && !in_ready && !rst))
			assume (in_valid && $stable(in_labels) && $stable(in_time) &&
				$stable(in_mask) && $stable(in_body));
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
			if (f_n != 0) assert (in_valid && f_n < f_count);
			assert (f_n < 3 ? word == f_n :
				word == REST && hot == f_hot && rest == f_above);
			if (in_valid && m_axis_tready) assert (step);
		end
	end
`endif
endmodule
`default_nettype wire
