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

/* Appends the names of lines (contract/image/record.h, Note [names of lines]): the first lines in the
 * order in which lines are printed. `r` may be NULL. */
static void add_names(struct nfart_writer *w, const struct nfart_result *r)
{
	size_t n = r != NULL && r->by_line ? r->nlines : 0, start = w->out.n, size;
	uint64_t shown[RECORD_MOST_NAMES];
	uint32_t count = 0;
	bool more = r != NULL && r->more_lines;

	buf_le64(&w->out, 0);
	for (uint32_t i = 1; i < w->name_words; i++)
		buf_le64(&w->out, 0);
	if (w->out.failed)
		return;
	size = 8 * (1 + (size_t)w->label_words);
	for (size_t i = 0; i < n; i++) {
		uint32_t k = 0, l = r->lines[i].label;
		uint8_t *at;
		while (k < count && shown[k] != r->lines[i].address)
			k++;
		if (k == RECORD_MOST_NAMES) {
			more = true;
			continue;
		}
		at = (uint8_t *)w->out.at + start + 8 + k * size;
		if (k == count) {
			shown[count++] = r->lines[i].address;
			put_le64(at, shown[k]);
		}
		at += 8 + l / 64 * 8;
		put_le64(at, get_le64(at) | (uint64_t)1 << l % 64);
	}
	put_le64((uint8_t *)w->out.at + start, count | (more ? RECORD_MORE : 0));
}

void writer_record(struct nfart_writer *w, const struct nfart_batch *b,
		   const struct nfart_result *r)
{
	uint32_t have = r == NULL || batch_is_loss(b) ? 0 : (uint32_t)bits_words(r->nlabels);

	buf_le64(&w->out, b->time);
	buf_le64(&w->out, b->mask);
	for (uint32_t i = 0; i < w->label_words; i++)
		buf_le64(&w->out, i < have ? r->labels[i] : 0);
	if (w->name_words != 0)
		add_names(w, have == 0 ? NULL : r);
	if (b->mask == 0)
		buf_le64(&w->out, word_of(b));
	for (uint64_t m = b->mask; m != 0; m &= m - 1)
		buf_le64(&w->out, b->header[__builtin_ctzll(m)]);
	for (uint64_t m = w->o.payload_words != 0 ? b->mask : 0; m != 0; m &= m - 1) {
		uint64_t words[NFART_PAYLOAD_WORDS];
		writer_payload(w, b, (uint32_t)__builtin_ctzll(m), words);
		for (uint32_t i = 0; i < w->o.payload_words; i++)
			buf_le64(&w->out, words[i]);
	}
}

static bool records_put(struct nfart_writer *w, const struct nfart_batch *b,
			const struct nfart_result *r)
{
	writer_record(w, b, r);
	return writer_flush(w);
}

bool writer_head(struct nfart_writer *w, enum trace_kind kind, struct nfart_error *e)
{
	struct trace_form form = { w->o.by_line && kind != TRACE_DENSE, w->o.payload_words };

	w->name_words = form.names ? trace_name_words(w->label_words) : 0;
	if (trace_head_write(&w->out, w->proto, kind, form, w->o.labels, w->o.nlabels))
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
