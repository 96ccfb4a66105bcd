/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Writes batch text (nfacc-trace(5)).
 */
#include "runtime/trace/batch.h"
#include "runtime/trace/format.h"
#include "runtime/trace/format/text.h"

static void add_loss(struct buf *b, uint64_t lost)
{
	text_string(b, " !lost ");
	if (lost == NFART_LOST_UNKNOWN)
		buf_add(b, "?", 1);
	else
		text_decimal(b, lost);
}

static bool text_put(struct nfart_writer *w, const struct nfart_batch *b,
		     const struct nfart_result *r)
{
	struct buf *out = &w->out;

	text_decimal(out, b->time);
	if (batch_is_loss(b))
		add_loss(out, b->lost);
	if (!batch_is_loss(b) && w->o.with_labels) {
		text_string(out, " [");
		text_labels(out, w, r);
		buf_add(out, "]", 1);
	}
	if ((b->when & NFART_TICK) != 0)
		text_string(out, " tick");
	if ((b->when & NFART_END) != 0)
		text_string(out, " end");
	for (uint64_t m = b->mask; m != 0; m &= m - 1) {
		uint32_t slot = (uint32_t)__builtin_ctzll(m);
		buf_add(out, " ", 1);
		text_item(out, w->proto, slot, b->header[slot]);
		if (w->o.payload_words == 0)
			continue;
		buf_add(out, "{", 1);
		text_payload(out, w, b, slot);
		buf_add(out, "}", 1);
	}
	if (b->damaged)
		text_string(out, " # damaged");
	buf_add(out, "\n", 1);
	return writer_flush(w);
}

static void text_begin(struct nfart_writer *w)
{
	text_note(&w->out, "trace", w->trace);
	writer_flush(w);
}

bool write_text_open(struct nfart_writer *w, struct nfart_error *e)
{
	(void)e;
	w->form.put = text_put;
	w->form.begin = text_begin;
	if (w->o.payload_words != 0) {
		text_string(&w->out, TEXT_PAYLOAD);
		text_decimal(&w->out, 64 * w->o.payload_words);
		text_string(&w->out, "\n");
	}
	text_notes(&w->out, w);
	writer_flush(w);
	return true;
}
