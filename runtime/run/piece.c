/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "runtime/run/piece.h"

#include <string.h>

bool piece_init(struct piece *p, uint32_t parts, size_t usual)
{
	memset(p, 0, sizeof *p);
	p->usual = usual;
	p->found = calloc(parts, sizeof *p->found);
	p->parts = p->found != NULL ? parts : 0;
	return p->found != NULL;
}

void piece_free(struct piece *p)
{
	vec_free(&p->words);
	vec_free(&p->where);
	decoded_free(&p->decoded);
	for (uint32_t i = 0; i < p->parts; i++)
		vec_free(&p->found[i].words);
	free(p->found);
	engine_state_free(&p->guess.engine);
	engine_state_free(&p->last.engine);
	for (uint32_t i = 0; i < PIECE_MARKS; i++)
		engine_state_free(&p->marks[i].state.engine);
	memset(p, 0, sizeof *p);
}

void piece_clear(struct piece *p)
{
	p->words.n = 0;
	p->is_decoded = p->is_sparse = p->rest = false;
	decoded_clear(&p->decoded);
	memset(&p->stats, 0, sizeof p->stats);
	p->status = NFART_OK;
	p->nmarks = 0;
	p->failed = false;
	for (uint32_t i = 0; i < p->parts; i++) {
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
	uint64_t *w, *headers;

	if (p->words.cap - p->words.n < PIECE_RECORD + NFART_SLOTS &&
	    !vec_reserve(&p->words, PIECE_RECORD + NFART_SLOTS))
		return false;
	w = p->words.at + p->words.n;
	headers = w + PIECE_RECORD;
	*w++ = b->time;
	*w++ = b->mask;
	*w++ = (uint64_t)b->damaged | bad_chunks << 1;
	for (uint64_t m = b->mask; m != 0; m &= m - 1)
		*w++ = b->header[__builtin_ctzll(m)];
	piece_count_record(&p->stats, (size_t)(w - headers), b->lost, b->damaged);
	if (b->mask == 0)
		*w++ = b->lost;
	p->words.n = (size_t)(w - p->words.at);
	return true;
}

void piece_read(struct piece *p, struct nfart_reader *r)
{
	struct nfart_batch b;
	int got;

	piece_clear(p);
	reader_enter(r, &p->entry, p->until);
	while ((got = nfart_reader_next(r, &b, &p->error)) == 1)
		if (!piece_add(p, &b, r->stats.bad_chunks)) {
			nfart_fail(&p->error, NFART_SYSTEM, "out of memory");
			got = -1;
			break;
		}
	p->status = got < 0 ? p->error.status : NFART_OK;
	p->stats.bad_chunks = r->stats.bad_chunks;
	p->stats.bytes = r->stats.bytes;
	reader_border(r, &p->exit);
}

void piece_words(const struct piece *p, size_t *offset, struct nfart_batch *b)
{
	const uint64_t *w = p->words.at + *offset;

	b->time = *w++;
	b->mask = *w++;
	b->damaged = *w++ & 1;
	b->lost = b->mask == 0 ? *w++ : 0;
	for (uint64_t m = b->mask; m != 0; m &= m - 1)
		b->header[__builtin_ctzll(m)] = *w++;
	*offset = (size_t)(w - p->words.at);
}

void piece_record(const struct piece *p, size_t *offset, struct nfart_batch *b)
{
	if (p->is_sparse) {
		size_t at = p->where.at[*offset];
		piece_words(p, &at, b);
	} else if (p->is_decoded) {
		piece_item(p, (*offset)++, b);
	} else {
		piece_words(p, offset, b);
	}
}

void piece_swap_records(struct piece *p, struct piece *q)
{
	struct piece x = *p;

	p->words = q->words;
	q->words = x.words;
	p->decoded = q->decoded;
	q->decoded = x.decoded;
	p->is_decoded = q->is_decoded;
	p->is_sparse = false;
	piece_clear(q);
}

void piece_count(const struct piece *p, size_t offset, struct nfart_reader_stats *s)
{
	uint64_t bad = 0;

	if (p->is_decoded) {
		piece_count_items(p, offset, s);
		return;
	}

	for (size_t i = 0; i < offset;) {
		const uint64_t *w = p->words.at + i;
		size_t n = (size_t)__builtin_popcountll(w[1]);
		piece_count_record(s, n, n == 0 ? w[PIECE_RECORD] : 0, w[2] & 1);
		bad = w[2] >> 1;
		i += PIECE_RECORD + (n == 0 ? 1 : n);
	}
	s->bad_chunks += bad;
}

/* ---- states ---- */

bool piece_state_same(const struct piece_state *a, const struct piece_state *b)
{
	return a->second == b->second && engine_state_same(&a->engine, &b->engine);
}

bool piece_state_copy(struct piece_state *to, const struct piece_state *from)
{
	to->second = from->second;
	return engine_state_copy(&to->engine, &from->engine);
}
