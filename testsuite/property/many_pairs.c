/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * What is known of a trace: an array has the open request of each line, and pairs are noted as they
 * happen. The trace is read by pairs_read() in each way in which questions ask.
 */
#include "testsuite/property/many_pairs.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/pairs/pairs.h"
#include "support/vec.h"
#include "tools/nfagen/traffic/gen_random.h"

enum { LINES = 20000, RECORDS = 40000, REQUEST_SLOT = 6, ANSWER_SLOT = 14 + 4 };

struct line_request {
	bool open;
	uint64_t time, header;
};

struct many {
	struct gen_random random;
	const struct nfart_proto *proto;
	struct line_request *line;   /* [LINES] */
	VEC(struct nfart_pair) want; /* what must be told, requests that come included */
	size_t told;                 /* how many of these were told */
	struct pairs_want how;       /* how the trace is read */
	uint64_t first, last;        /* times of records */
};

static uint64_t header_of(uint64_t opcode, uint64_t line)
{
	return opcode << 59 | (line & 3) << 50 | line << 7;
}

static bool many_want(struct many *m, enum nfart_pair_outcome outcome, uint64_t line,
		 const struct nfart_batch *b)
{
	const struct line_request *r = &m->line[line];
	struct nfart_pair pair = { .outcome = outcome, .answer_time = b->time };

	if (outcome != NFART_PAIR_UNASKED) {
		pair.time = r->time;
		pair.header = r->header;
		pair.slot = REQUEST_SLOT;
	}
	if (outcome == NFART_PAIR_ANSWERED || outcome == NFART_PAIR_UNASKED) {
		pair.answer_header = b->header[ANSWER_SLOT];
		pair.answer_slot = ANSWER_SLOT;
	}
	return vec_push(&m->want, pair);
}

/* Draws an answer: for a request that came lately, or for any line. */
static bool many_answer(struct many *m, struct nfart_batch *b, uint64_t recent)
{
	uint64_t any = gen_random_below(&m->random, LINES);
	uint64_t line = gen_random_below(&m->random, 4) != 0 ? recent : any;
	bool open = m->line[line].open;

	b->mask |= (uint64_t)1 << ANSWER_SLOT;
	b->header[ANSWER_SLOT] = header_of(10, line);
	if (!many_want(m, open ? NFART_PAIR_ANSWERED : NFART_PAIR_UNASKED, line, b))
		return false;
	m->line[line].open = false;
	return true;
}

static bool many_request(struct many *m, struct nfart_batch *b, uint64_t line)
{
	b->mask |= (uint64_t)1 << REQUEST_SLOT;
	b->header[REQUEST_SLOT] = header_of(5, line);
	if (m->line[line].open && !many_want(m, NFART_PAIR_REPLACED, line, b))
		return false;
	m->line[line] = (struct line_request){ true, b->time, b->header[REQUEST_SLOT] };
	return many_want(m, PAIRS_ASKED, line, b);
}

static int by_time(const void *x, const void *y)
{
	const struct nfart_pair *a = x, *b = y;

	return (a->time > b->time) - (a->time < b->time);
}

/* All requests end without an answer: those that came first, first. */
static bool many_give_up(struct many *m, enum nfart_pair_outcome outcome,
			 const struct nfart_batch *b)
{
	size_t from = m->want.n;
	bool ok = true;

	for (uint64_t line = 0; line < LINES && ok; line++) {
		if (m->line[line].open)
			ok = many_want(m, outcome, line, b);
		m->line[line].open = false;
	}
	if (ok && m->want.n - from > 1)
		qsort(m->want.at + from, m->want.n - from, sizeof *m->want.at, by_time);
	return ok;
}

/* Draws the next record. */
static bool many_draw(struct many *m, struct nfart_batch *b)
{
	uint64_t recent = b->time;

	b->time += 1 + gen_random_below(&m->random, 3);
	b->mask = 0;
	b->lost = 0;
	m->last = b->time;
	if (gen_random_below(&m->random, 15000) == 0) {
		b->lost = 5;
		return many_give_up(m, NFART_PAIR_LOST, b);
	}
	if (gen_random_below(&m->random, 8) == 0) {
		b->mask |= 1; /* a message without a role */
		b->header[0] = 1ull << 59;
	}
	if (gen_random_below(&m->random, 3) != 0 &&
	    !many_answer(m, b, (recent * 7 + gen_random_below(&m->random, 64)) % LINES))
		return false;
	return (b->mask != 0 && gen_random_below(&m->random, 3) != 0) ||
	       many_request(m, b, b->time * 7 % LINES);
}

/* Writes the trace to f, and fills in what is known of it. */
static bool many_write(struct many *m, FILE *f, enum nfart_format format)
{
	struct nfart_writer_options o = { .format = format };
	struct nfart_batch b = { .time = 5 };
	struct nfart_error e;
	struct nfart_writer *w = nfart_writer_new(f, m->proto, &o, &e);
	bool ok = w != NULL;

	for (int i = 0; i < RECORDS && ok; i++) {
		ok = many_draw(m, &b) && nfart_writer_put(w, &b, NULL);
		m->first = i == 0 ? b.time : m->first;
	}
	return w != NULL && nfart_writer_close(w, &e) == NFART_OK && ok &&
	       many_give_up(m, NFART_PAIR_OPEN, &b);
}

/* Is `got` what must be told next, as far as it is asked for? */
static bool is_told(struct many *m, const struct nfart_pair *got)
{
	const struct nfart_pair *w;
	bool details = m->how.details, answered;

	while (m->told < m->want.n && !m->how.asked && m->want.at[m->told].outcome == PAIRS_ASKED)
		m->told++;
	if (m->told == m->want.n)
		return false;
	w = &m->want.at[m->told++];
	answered = w->outcome == NFART_PAIR_ANSWERED || w->outcome == NFART_PAIR_UNASKED;
	if (got->outcome != w->outcome || got->rule != 0 || got->time != w->time)
		return false;
	if ((answered || (m->how.asked && w->outcome != NFART_PAIR_OPEN)) &&
	    got->answer_time != w->answer_time)
		return false;
	return !details || (got->header == w->header && got->slot == w->slot &&
			    (!answered || (got->answer_header == w->answer_header &&
					   got->answer_slot == w->answer_slot)));
}

static bool many_take(void *ctx, const struct nfart_pair *pairs, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!is_told(ctx, &pairs[i]))
			return false;
	return true;
}

static bool go_on(void *ctx)
{
	(void)ctx;
	return true;
}

/* Reads the n bytes of the trace at p. */
static bool many_read(struct many *m, const void *p, size_t n, struct pairs_want how)
{
	struct nfart_error e;
	struct nfart_reader *r = nfart_reader_memory(p, n, "many", m->proto, NULL, &e);
	struct nfart_pairs *q = pairs_new(m->proto, how, many_take, m, &e);
	uint64_t first, last;
	bool ok = r != NULL && q != NULL;

	m->how = how;
	m->told = 0;
	ok = ok && pairs_read(q, r, go_on, NULL, &e) == 0 && nfart_pairs_end(q) &&
	     pairs_span(q, &first, &last) && first == m->first && last == m->last;
	while (m->told < m->want.n && !how.asked && m->want.at[m->told].outcome == PAIRS_ASKED)
		m->told++;
	ok = ok && m->told == m->want.n && nfart_reader_stats(r)->batches +
	     nfart_reader_stats(r)->losses == RECORDS;
	nfart_pairs_free(q);
	nfart_reader_free(r);
	return ok;
}

bool many_pairs(const struct nfart_proto *eci, enum nfart_format format, uint64_t seed)
{
	struct many m = { .random = { .state = seed }, .proto = eci };
	char *at = NULL;
	size_t n = 0;
	FILE *f = open_memstream(&at, &n);
	bool ok;

	m.line = calloc(LINES, sizeof *m.line);
	ok = f != NULL && m.line != NULL && many_write(&m, f, format);
	if (f != NULL)
		ok = fclose(f) == 0 && ok;
	ok = ok && many_read(&m, at, n, (struct pairs_want){ .asked = false }) &&
	     many_read(&m, at, n, (struct pairs_want){ .details = true }) &&
	     many_read(&m, at, n, (struct pairs_want){ .asked = true });
	free(at);
	free(m.line);
	vec_free(&m.want);
	return ok;
}
