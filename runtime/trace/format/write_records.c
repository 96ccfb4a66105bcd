/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Writes the record form (binary.h, Note [binary traces]) as a plain stream.
 */
#include "runtime/trace/batch.h"
#include "runtime/trace/format.h"

/* Returns the word that a record without messages has after its labels. */
static uint64_t word_of(const struct nfart_batch *b)
{
	return batch_is_loss(b) ? trace_lost(b->lost) : TRACE_MARK(b->when);
}

void writer_record(struct nfart_writer *w, const struct nfart_batch *b,
		   const struct nfart_result *r)
{
	uint32_t have = r == NULL || batch_is_loss(b) ? 0 : (uint32_t)bits_words(r->nlabels);

	buf_le64(&w->out, b->time);
	buf_le64(&w->out, b->mask);
	for (uint32_t i = 0; i < w->label_words; i++)
		buf_le64(&w->out, i < have ? r->labels[i] : 0);
	if (b->mask == 0)
		buf_le64(&w->out, word_of(b));
	for (uint64_t m = b->mask; m != 0; m &= m - 1)
		buf_le64(&w->out, b->header[__builtin_ctzll(m)]);
}

static bool records_put(struct nfart_writer *w, const struct nfart_batch *b,
			const struct nfart_result *r)
{
	writer_record(w, b, r);
	return writer_flush(w);
}

bool writer_head(struct nfart_writer *w, enum trace_kind kind, struct nfart_error *e)
{
	if (trace_head_write(&w->out, w->proto, kind, w->o.labels, w->o.nlabels))
		return true;
	nfart_fail(e, NFART_GAVEUP, "too many labels for a binary trace");
	return false;
}

bool write_records_open(struct nfart_writer *w, struct nfart_error *e)
{
	w->form.put = records_put;
	if (!writer_head(w, TRACE_RECORDS, e))
		return false;
	writer_flush(w);
	return true;
}
