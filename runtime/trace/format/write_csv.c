/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Writes CSV: a header row, then a row for each message or loss record. Cells that don't apply are
 * empty. A tick, or the end, has a row with only its time, the labels, and `tick` or `end` as its
 * type; it comes before the messages of its batch. In the row of a loss record, `lost` is a number
 * or `?`. In the row of a message, `damaged` is 1 if the batch is damaged, and otherwise empty.
 */
#include <string.h>

#include "runtime/trace/batch.h"
#include "runtime/trace/format.h"
#include "runtime/trace/format/text.h"

/* The row begins with column `trace` if the output is of several traces. */
static const char header_row[] =
	"time,labels,slot,group,channel,type,opcode,address,header,damaged,lost\n";

static void add_message(struct buf *b, const struct nfart_proto *p, uint32_t slot, uint64_t header)
{
	uint32_t code = proto_code(p, slot, header);
	char name[80];

	proto_slot_name(p, slot, name);
	text_csv(b, name);
	buf_add(b, ",", 1);
	text_csv(b, p->names.groups[p->slots[slot].group]);
	buf_add(b, ",", 1);
	if (p->slots[slot].channel != PROTO_NO_CHANNEL)
		text_decimal(b, (uint64_t)p->slots[slot].channel);
	buf_add(b, ",", 1);
	if (p->codes.type_of[code] != 0)
		text_csv(b, p->names.types[p->codes.type_of[code] - 1]);
	buf_add(b, ",", 1);
	text_decimal(b, proto_opcode(p, header));
	buf_add(b, ",", 1);
	if (bits_get(p->codes.has_addr, code))
		text_hex(b, proto_line(p, header) << p->header.line_shift, 1);
	buf_add(b, ",", 1);
	text_hex(b, header, text_header_digits(p));
}

/* Adds the column of the trace, if there is one. */
static void add_trace(struct buf *b, const struct nfart_writer *w)
{
	if (!w->o.several)
		return;
	text_csv(b, w->trace != NULL ? w->trace : "");
	buf_add(b, ",", 1);
}

static void add_loss(struct buf *b, const struct nfart_writer *w, const struct nfart_batch *batch)
{
	add_trace(b, w);
	text_decimal(b, batch->time);
	text_string(b, ",,,,,,,,,,");
	if (batch->lost == NFART_LOST_UNKNOWN)
		buf_add(b, "?", 1);
	else
		text_decimal(b, batch->lost);
	buf_add(b, "\n", 1);
}

/* Adds the beginning of a row: its time and the labels. */
static void add_time(struct buf *b, const struct nfart_writer *w, uint64_t time,
		     const struct buf *labels)
{
	add_trace(b, w);
	text_decimal(b, time);
	buf_add(b, ",", 1);
	if (labels->n != 0)
		text_csv(b, labels->at);
	buf_add(b, ",", 1);
}

static void add_mark(struct buf *b, const struct nfart_writer *w, uint64_t time,
		     const struct buf *labels, const char *mark)
{
	add_time(b, w, time, labels);
	text_string(b, ",,,");
	text_string(b, mark);
	text_string(b, ",,,,,\n");
}

static bool csv_put(struct nfart_writer *w, const struct nfart_batch *b,
		    const struct nfart_result *r)
{
	struct buf *out = &w->out, labels = { 0 };

	if (batch_is_loss(b))
		add_loss(out, w, b);
	else
		text_labels(&labels, w, r);
	if ((b->when & NFART_TICK) != 0)
		add_mark(out, w, b->time, &labels, "tick");
	if ((b->when & NFART_END) != 0)
		add_mark(out, w, b->time, &labels, "end");
	for (uint64_t m = b->mask; m != 0; m &= m - 1) {
		uint32_t slot = (uint32_t)__builtin_ctzll(m);
		add_time(out, w, b->time, &labels);
		add_message(out, w->proto, slot, b->header[slot]);
		text_string(out, b->damaged ? ",1,\n" : ",,\n");
	}
	out->failed |= labels.failed;
	buf_free(&labels);
	return writer_flush(w);
}

bool detect_csv(const unsigned char *p, size_t n)
{
	return n >= 5 && memcmp(p, header_row, 5) == 0;
}

bool write_csv_open(struct nfart_writer *w, struct nfart_error *e)
{
	(void)e;
	w->form.put = csv_put;
	text_notes(&w->out, w);
	if (w->o.several)
		text_string(&w->out, "trace,");
	text_string(&w->out, header_row);
	writer_flush(w);
	return true;
}
