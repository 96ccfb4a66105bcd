/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "runtime/run/piece.h"

#include <string.h>

#include "runtime/run/shared.h"

bool piece_init(struct piece *p, uint32_t shares, size_t usual)
{
	memset(p, 0, sizeof *p);
	p->source.usual = usual;
	p->found = calloc(shares, sizeof *p->found);
	p->shares = p->found != NULL ? shares : 0;
	return p->found != NULL;
}

void piece_free(struct piece *p)
{
	vec_free(&p->records.words);
	vec_free(&p->records.where);
	decoded_free(&p->records.decoded);
	for (uint32_t i = 0; i < p->shares; i++)
		vec_free(&p->found[i].words);
	free(p->found);
	piece_state_free(&p->guess);
	piece_state_free(&p->last);
	for (uint32_t i = 0; i < PIECE_MARKS; i++)
		piece_state_free(&p->marks[i].state);
	memset(p, 0, sizeof *p);
}

void piece_clear(struct piece *p)
{
	p->records.form = PIECE_WORDS;
	p->records.words.n = 0;
	decoded_clear(&p->records.decoded);
	p->source.rest = false;
	memset(&p->stats, 0, sizeof p->stats);
	p->status = NFART_OK;
	p->nmarks = 0;
	p->failed = false;
	for (uint32_t i = 0; i < p->shares; i++) {
		p->found[i].words.n = 0;
		p->found[i].logged = 0;
	}
}

/* ---- records ---- */

void piece_count_record(struct nfart_reader_stats *s, size_t messages, uint64_t lost, bool damaged)
{
	if (messages != 0) {
		s->batches++;
		s->messages += messages;
		s->damaged += damaged;
		return;
	}
	s->losses++;
	if (lost == NFART_LOST_UNKNOWN)
		s->lost_unknown = true;
	else
		s->lost += lost;
}

bool piece_add(struct piece *p, const struct nfart_batch *b, uint64_t bad_chunks)
{
	struct piece_records *r = &p->records;
	size_t payload = b->mask == 0 ? 0 : b->payload_words, most = NFART_SLOTS * (1 + payload);
	uint64_t *w, *headers;
	size_t n;

	if (r->words.cap - r->words.n < PIECE_RECORD + most &&
	    !vec_reserve(&r->words, PIECE_RECORD + most))
		return false;
	w = r->words.at + r->words.n;
	headers = w + PIECE_RECORD;
	*w++ = b->time;
	*w++ = b->mask;
	*w++ = (uint64_t)b->damaged * PIECE_DAMAGED | payload << PIECE_PAYLOAD_AT |
	       bad_chunks << PIECE_BAD_AT;
	for (uint64_t m = b->mask; m != 0; m &= m - 1)
		*w++ = b->header[__builtin_ctzll(m)];
	n = (size_t)(w - headers);
	piece_count_record(&p->stats, n, b->lost, b->damaged);
	for (size_t i = 0; i < n * payload; i++)
		*w++ = b->payload[i];
	if (b->mask == 0)
		*w++ = b->lost;
	r->words.n = (size_t)(w - r->words.at);
	return true;
}

static void read_piece(struct piece *p, struct nfart_reader *r)
{
	struct nfart_batch b;
	int got;

	piece_clear(p);
	reader_enter(r, &p->source.entry, p->source.until);
	while ((got = nfart_reader_next(r, &b, &p->error)) == 1)
		if (!piece_add(p, &b, r->stats.bad_chunks)) {
			nfart_fail(&p->error, NFART_SYSTEM, "out of memory");
			got = -1;
			break;
		}
	p->status = got < 0 ? p->error.status : NFART_OK;
	p->stats.bad_chunks = r->stats.bad_chunks;
	p->stats.bytes = r->stats.bytes;
	reader_border(r, &p->source.exit);
}

void piece_fill(struct piece *p, struct nfart_reader *r, struct nfart_filter *decoder)
{
	r->until = 0;
	if (decoder != NULL)
		piece_decode(p, r, decoder);
	else
		read_piece(p, r);
	p->stated = r->until;
}

size_t piece_word_record(const struct piece_records *r, size_t word, struct nfart_batch *b)
{
	const uint64_t *w = r->words.at + word;

	b->time = *w++;
	b->mask = *w++;
	b->damaged = (*w & PIECE_DAMAGED) != 0;
	b->payload_words = piece_payload_words(*w++);
	b->when = 0;
	b->lost = b->mask == 0 ? *w++ : 0;
	for (uint64_t m = b->mask; m != 0; m &= m - 1)
		b->header[__builtin_ctzll(m)] = *w++;
	b->payload = w;
	if (b->mask != 0)
		w += (size_t)__builtin_popcountll(b->mask) * b->payload_words;
	return (size_t)(w - r->words.at);
}

struct piece_ref piece_end(const struct piece *p)
{
	const struct piece_records *r = &p->records;

	switch (r->form) {
	case PIECE_WORDS:
		return (struct piece_ref){ r->words.n };
	case PIECE_DECODED:
		return (struct piece_ref){ r->decoded.records.key.n };
	case PIECE_SPARSE:
		break;
	}
	return r->end;
}

void piece_record(const struct piece *p, struct piece_ref ref, struct nfart_batch *b)
{
	const struct piece_records *r = &p->records;

	switch (r->form) {
	case PIECE_WORDS:
		piece_word_record(r, ref.n, b);
		return;
	case PIECE_DECODED:
		piece_item(r, ref.n, b);
		return;
	case PIECE_SPARSE:
		piece_word_record(r, r->where.at[ref.n], b);
		return;
	}
}

void piece_swap_records(struct piece *p, struct piece *q)
{
	struct piece_records x = p->records;

	p->records = q->records;
	q->records = x;
	/* p keeps its `where`, because only p takes in the records of shards */
	q->records.where = p->records.where;
	p->records.where = x.where;
	piece_clear(q);
}

size_t piece_record_words(const uint64_t *w)
{
	return PIECE_RECORD + record_body_words(w[1], 64u * piece_payload_words(w[2]));
}

void piece_count(const struct piece *p, struct piece_ref last, struct nfart_reader_stats *s)
{
	const struct piece_records *r = &p->records;
	uint64_t bad = 0;

	if (r->form == PIECE_DECODED) {
		piece_count_items(r, last.n + 1, s);
		return;
	}
	for (size_t i = 0; i <= last.n;) {
		const uint64_t *w = r->words.at + i;
		size_t n = (size_t)__builtin_popcountll(w[1]);
		piece_count_record(s, n, n == 0 ? w[PIECE_RECORD] : 0, w[2] & PIECE_DAMAGED);
		bad = w[2] >> PIECE_BAD_AT;
		i += piece_record_words(w);
	}
	s->bad_chunks += bad;
}

void piece_count_shared(const struct piece *p, struct piece_ref last, uint64_t most,
			struct shared *s)
{
	const struct piece_records *r = &p->records;
	struct nfart_batch b;
	uint64_t n = 0;

	if (r->form == PIECE_SPARSE)
		return;
	for (size_t i = 0; i <= last.n && i < piece_end(p).n && n < most;) {
		if (r->form == PIECE_WORDS)
			i = piece_word_record(r, i, &b);
		else
			piece_item(r, i++, &b);
		n += b.mask != 0;
		shared_put(s, &b);
	}
}

/* ---- states ---- */

bool piece_state_same(const struct piece_state *a, const struct piece_state *b)
{
	return a->second == b->second && engine_state_same(&a->engine, &b->engine) &&
	       filter_time_same(&a->time, &b->time);
}

bool piece_state_copy(struct piece_state *to, const struct piece_state *from)
{
	to->second = from->second;
	return engine_state_copy(&to->engine, &from->engine) &&
	       filter_time_copy(&to->time, &from->time);
}

void piece_state_free(struct piece_state *s)
{
	engine_state_free(&s->engine);
	vec_free(&s->time.waiting);
}
