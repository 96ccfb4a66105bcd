/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "tools/nfarun/merge_traces.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/trace/batch.h"
#include "support/bits.h"

/* Reads the next batch of a source. Returns false and fills in *e on an error. */
static bool advance(struct merge_traces *m, struct merge_source *s, struct nfart_error *e)
{
	int got = nfart_reader_next(s->reader, &s->head, e);

	s->has_head = got == 1;
	if (got < 0)
		m->wrong = s->name;
	return got >= 0;
}

bool merge_traces_open(struct merge_traces *m, const char *const *names, uint32_t n,
		       const struct nfart_proto *p, const struct nfart_reader_options *o,
		       struct nfart_error *e)
{
	*m = (struct merge_traces){ .sources = calloc(n, sizeof *m->sources), .n = n };
	if (m->sources == NULL) {
		m->n = 0;
		m->wrong = names[0];
		nfart_fail(e, NFART_SYSTEM, "out of memory");
		return false;
	}
	for (uint32_t i = 0; i < n; i++) {
		struct merge_source *s = &m->sources[i];
		uint32_t words;
		s->name = m->wrong = names[i];
		s->reader = nfart_reader_open(names[i], p, o, e);
		if (s->reader == NULL || !advance(m, s, e))
			return false;
		words = nfart_reader_payload(s->reader);
		m->payload.words = words > m->payload.words ? words : m->payload.words;
	}
	if (m->payload.words == 0)
		return true;
	m->payload.at = calloc(NFART_SLOTS * (size_t)m->payload.words, sizeof(uint64_t));
	m->payload.slot = calloc(NFART_SLOTS * (size_t)m->payload.words, sizeof(uint64_t));
	if (m->payload.at != NULL && m->payload.slot != NULL)
		return true;
	nfart_fail(e, NFART_SYSTEM, "out of memory");
	return false;
}

/* Keeps the payload of a batch by slot, before the next batch of its source is read. */
static void keep_payload(struct merge_traces *m, const struct nfart_batch *from)
{
	size_t words = m->payload.words, have = from->payload_words;

	for (size_t i = bits_next(&from->mask, NFART_SLOTS, 0); words != 0 && i < NFART_SLOTS;
	     i = bits_next(&from->mask, NFART_SLOTS, i + 1)) {
		uint64_t *to = m->payload.slot + i * words;
		memset(to, 0, words * sizeof *to);
		if (have != 0)
			memcpy(to, nfart_batch_payload(from, (uint32_t)i), have * sizeof *to);
	}
}

/* Gives *b the payload that was kept of its messages. */
static void give_payload(struct merge_traces *m, struct nfart_batch *b)
{
	size_t words = m->payload.words, n = 0;

	b->payload_words = (uint8_t)words;
	b->payload = m->payload.at;
	for (size_t i = bits_next(&b->mask, NFART_SLOTS, 0); words != 0 && i < NFART_SLOTS;
	     i = bits_next(&b->mask, NFART_SLOTS, i + 1))
		memcpy(m->payload.at + n++ * words, m->payload.slot + i * words,
		       words * sizeof *m->payload.at);
}

/* Returns the source whose head comes next: the earliest one, and a loss record before batches of
 * its time. NULL: all have ended. */
static struct merge_source *earliest(const struct merge_traces *m)
{
	struct merge_source *first = NULL;

	for (uint32_t i = 0; i < m->n; i++) {
		struct merge_source *s = &m->sources[i];
		if (s->has_head &&
		    (first == NULL || s->head.time < first->head.time ||
		     (s->head.time == first->head.time && batch_is_loss(&s->head) &&
		      !batch_is_loss(&first->head))))
			first = s;
	}
	return first;
}

/* Puts the messages of `from` into *b, which has the same time and none of its slots. */
static void add_messages(struct nfart_batch *b, const struct nfart_batch *from)
{
	for (size_t i = bits_next(&from->mask, NFART_SLOTS, 0); i < NFART_SLOTS;
	     i = bits_next(&from->mask, NFART_SLOTS, i + 1))
		b->header[i] = from->header[i];
	b->mask |= from->mask;
	b->damaged |= from->damaged;
}

int merge_traces_next(struct merge_traces *m, struct nfart_batch *b, struct nfart_error *e)
{
	struct merge_source *first = earliest(m);

	if (first == NULL)
		return 0;
	*b = first->head;
	keep_payload(m, b);
	if (!advance(m, first, e))
		return -1;
	if (batch_is_loss(b))
		return 1;
	for (uint32_t i = 0; i < m->n; i++) {
		struct merge_source *s = &m->sources[i];
		if (s == first || !s->has_head || s->head.time != b->time ||
		    batch_is_loss(&s->head))
			continue;
		if ((s->head.mask & b->mask) == 0) {
			add_messages(b, &s->head);
			keep_payload(m, &s->head);
			if (!advance(m, s, e))
				return -1;
		} else if (!s->head.damaged) {
			s->head.damaged = true;
			m->doubled++;
		}
	}
	give_payload(m, b);
	return 1;
}

uint64_t merge_traces_until(const struct merge_traces *m)
{
	uint64_t until = 0;

	for (uint32_t i = 0; i < m->n; i++)
		if (nfart_reader_until(m->sources[i].reader) > until)
			until = nfart_reader_until(m->sources[i].reader);
	return until;
}

void merge_traces_close(struct merge_traces *m)
{
	for (uint32_t i = 0; i < m->n; i++)
		nfart_reader_free(m->sources[i].reader);
	free(m->sources);
	free(m->payload.at);
	free(m->payload.slot);
	*m = (struct merge_traces){ 0 };
}
