/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * A copy of the automaton for each line. A part's batches are taken apart into visits, one for each
 * line that a batch touches, with the key of the line's messages in it; then the visits are made, in
 * order, while the rows of the lines some visits ahead are asked for.
 *
 * Lines that stand in the table by row can be rebuilt when it is full, as long as they stand in few
 * rows. Where they don't the engine's copies take over for good.
 */
#include <string.h>

#include "runtime/engine/filter.h"

enum { AHEAD = 16 };

bool filter_enter(struct nfart_filter *f)
{
	uint64_t *active;
	uint32_t *counts;

	if (!engine_copy(f->en, 0, &active, &counts))
		return false;
	if (f->stepping)
		return true;
	f->row = fast_state(f->fast, active);
	if (f->row == 0) {
		fast_flush(f->fast, false);
		f->row = fast_state(f->fast, active);
	}
	return f->row != 0;
}

bool filter_start(struct nfart_filter *f)
{
	nfart_engine_reset(f->en);
	if (f->fast == NULL)
		return true;
	if (!f->en->by_line)
		return filter_enter(f);
	for (size_t i = 0; i < f->touched.n; i++)
		f->line_row[f->touched.at[i]] = 0;
	f->touched.n = 0;
	return true;
}

/* ---- taking batches apart ---- */

struct filter_split filter_split(uint64_t nlines, uint32_t parts)
{
	uint64_t most = nlines / parts / 64;
	unsigned shift = most == 0 ? 0 : 63 - (unsigned)__builtin_clzll(most);

	return (struct filter_split){ .parts = parts,
				      .shift = shift < 10 ? shift : 10,
				      .magic = UINT64_MAX / parts + 1 };
}

/* What a message's line and key come from, at hand. */
struct apart {
	const struct fast *t;
	struct filter_split to;
	struct filter_share all; /* of the only share: at hand, with room for all */
	uint64_t first_line, nlines, mask;
	uint32_t lsb, batch;
	bool failed;
};

#define INLINE static inline __attribute__((always_inline))

/* Adds to the key of the batch's visit of that line, or appends one. */
INLINE bool add_visit(struct filter_share *s, uint64_t key, uint64_t at, bool room)
{
	for (size_t i = s->visits.n; i-- > s->begin && ((s->visits.at[i].at ^ at) & (PART - 1)) == 0;)
		if (s->visits.at[i].at == at) {
			s->visits.at[i].key |= key;
			return true;
		}
	if (!room && s->visits.n == s->visits.cap && !vec_reserve(&s->visits, 1))
		return false;
	s->visits.at[s->visits.n++] = (struct filter_visit){ key, at };
	return true;
}

INLINE void add_message(struct apart *a, uint32_t slot, uint64_t header, bool one)
{
	uint64_t line = (header >> a->lsb & a->mask) - a->first_line, at = line << VISIT_BATCH | a->batch;
	uint64_t key = fast_key(a->t, slot, header);
	uint32_t k;

	if ((key & FAST_SEEN) == 0 || line >= a->nlines)
		return;
	if (one) {
		add_visit(&a->all, key, at, true);
		return;
	}
	k = filter_part_of(&a->to, line) - a->to.first;
	a->failed |= k < a->to.n && !add_visit(&a->to.share[k], key, at, false);
}

/* The headers of the slots in m, one behind the other at p. */
INLINE void add_record(struct apart *a, uint64_t m, const unsigned char *p, bool one)
{
	for (; m != 0; m &= m - 1, p += 8)
		add_message(a, (uint32_t)__builtin_ctzll(m), fast_load(p), one);
}

INLINE void take_apart(const struct nfart_filter *f, size_t n, struct apart *to, bool one)
{
	size_t head = 16 + (size_t)f->label_words * 8;
	uint32_t nslots = f->en->im->proto->nslots;
	struct apart a = *to;

	for (size_t i = 0; i < n; i++) {
		if ((f->key[i] & FAST_SEEN) == 0)
			continue;
		a.batch = (uint32_t)i;
		if (f->single) {
			for (uint64_t m = f->batch.mask; m != 0; m &= m - 1) {
				uint32_t s = (uint32_t)__builtin_ctzll(m);
				add_message(&a, s, f->batch.header[s], one);
			}
		} else if (f->size == 0) {
			const unsigned char *at = f->at + f->place[i];
			add_record(&a, fast_load(at + 8), at + head, one);
		} else {
			add_record(&a, UINT64_MAX >> (64 - nslots), f->at + i * f->size + 8, one);
		}
	}
	*to = a;
}

bool filter_take_apart(struct nfart_filter *f, size_t n, const struct filter_split *to)
{
	const struct nfart_proto *p = f->en->im->proto;
	struct apart a = { .t = f->fast, .to = *to, .first_line = f->en->first_line,
			   .nlines = f->en->nlines, .mask = ((uint64_t)1 << (p->addr_bits & 63)) - 1,
			   .lsb = p->addr_lsb };

	for (uint32_t i = 0; i < to->n; i++)
		to->share[i].begin = to->share[i].visits.n;
	if (to->n == 0)
		return true;
	if (to->parts != 1) {
		take_apart(f, n, &a, false);
		return !a.failed;
	}
	if (!vec_reserve(&to->share->visits, n * p->nslots))
		return false;
	a.all = *to->share;
	take_apart(f, n, &a, true);
	*to->share = a.all;
	return true;
}

/* ---- visits ---- */

/* The line's states go to the engine's copies, all of them. */
static bool hand_over(struct nfart_filter *f)
{
	uint64_t *active;
	uint32_t *counts;

	for (size_t i = 0; i < f->touched.n; i++) {
		uint64_t line = f->touched.at[i];
		if (!engine_copy(f->en, f->en->first_line + line, &active, &counts))
			return false;
		memcpy(active, fast_set(f->fast, f->line_row[line]), f->en->words * 8);
	}
	free(f->line_row);
	f->line_row = NULL;
	vec_free(&f->touched);
	f->stepping = true;
	return true;
}

/* Keeps the rows in use and forgets the others. False: out of memory. */
static bool make_room(struct nfart_filter *f)
{
	struct fast *t = f->fast;
	size_t used = 0, room = t->entries / t->stride;
	uint32_t old = t->stride, *to = calloc(t->nstates, sizeof *to);
	bool ok = to != NULL;

	for (size_t i = 0; ok && i < f->touched.n; i++) {
		uint32_t *at = &to[f->line_row[f->touched.at[i]] / old];
		used += *at == 0;
		*at = 1;
	}
	if (ok && (used > (room < t->most ? room : t->most) / 4 || (fast_full(t) && t->stride == FAST_SYMBOLS))) {
		free(to);
		return hand_over(f);
	}
	ok = ok && fast_keep(t, to);
	for (size_t i = 0; ok && i < f->touched.n; i++) {
		uint32_t *row = &f->line_row[f->touched.at[i]];
		*row = to[*row / old];
	}
	free(to);
	return ok;
}

static bool step_visit(struct nfart_filter *f, const struct filter_visit *v)
{
	uint64_t line = f->en->first_line + visit_line(v), *active;
	uint32_t *counts, flags;

	if (!engine_copy(f->en, line, &active, &counts))
		return false;
	fast_step(f->fast, v->key, active, counts);
	flags = fast_flags(f->fast, active);
	f->entry[visit_batch(v)] |= flags;
	f->any |= flags;
	return (flags & FAST_ACCEPTED) == 0 || filter_hit(f, visit_batch(v), line, active);
}

/* The visit's entry where it has to be made; 0: no room. The row is 0 where the line is new. */
static uint32_t make(struct nfart_filter *f, const struct filter_visit *v)
{
	struct fast *t = f->fast;
	int64_t symbol = fast_find(t, v->key);
	uint32_t row = f->line_row[visit_line(v)];

	if (symbol == FAST_NO_SYMBOL) {
		if (!fast_add(t, v->key))
			return 0;
		symbol = fast_find(t, v->key);
	}
	if (row == 0)
		row = fast_state(t, f->en->start);
	if (row == 0 || t->next[row + symbol] != 0)
		return row == 0 ? 0 : t->next[row + symbol];
	return fast_make(t, row, (uint32_t)symbol);
}

static bool count(struct nfart_filter *f, const struct filter_visit *v, uint32_t *entry)
{
	uint64_t *active;
	uint32_t *counts;

	if (!engine_copy(f->en, f->en->first_line + visit_line(v), &active, &counts))
		return false;
	*entry = fast_count(f->fast, *entry, counts);
	return *entry != 0;
}

static bool visit(struct nfart_filter *f, const struct filter_visit *v)
{
	const struct fast *t = f->fast;
	uint32_t row = f->line_row[visit_line(v)], entry = 0;
	int64_t symbol = fast_find(t, v->key);

	if (row != 0 && symbol != FAST_NO_SYMBOL)
		entry = t->next[row + symbol];
	while (entry == 0 || ((entry & FAST_COUNT) != 0 && !fast_room(t))) {
		entry = entry == 0 ? make(f, v) : 0;
		if (entry == 0 && !make_room(f))
			return false;
		if (f->stepping)
			return step_visit(f, v);
	}
	if ((entry & FAST_COUNT) != 0 && !count(f, v, &entry))
		return false;
	if (row == 0 && !vec_push(&f->touched, (uint32_t)visit_line(v)))
		return false;
	f->line_row[visit_line(v)] = entry & FAST_ROW;
	f->entry[visit_batch(v)] |= entry & ~FAST_ROW;
	f->any |= entry & ~FAST_ROW;
	return (entry & FAST_ACCEPTED) == 0 ||
	       filter_hit(f, visit_batch(v), f->en->first_line + visit_line(v), fast_set(t, entry));
}

/* Makes the visits [i, n), whose entry is there and that accept nothing. The first that is not such a one. */
static size_t follow(struct nfart_filter *f, const struct filter_visit *v, size_t i, size_t n)
{
	const struct fast *t = f->fast;
	uint32_t *line_row = f->line_row, any = 0;
	const uint32_t *next = t->next;

	for (; i < n; i++) {
		uint32_t row = line_row[visit_line(&v[i])], entry;
		int64_t symbol = fast_find(t, v[i].key);
		__builtin_prefetch(&line_row[visit_line(&v[i + AHEAD < n ? i + AHEAD : i])], 1);
		if (row == 0 || symbol == FAST_NO_SYMBOL)
			break;
		entry = next[row + symbol];
		if (entry == 0 || (entry & (FAST_ACCEPTED | FAST_COUNT)) != 0)
			break;
		line_row[visit_line(&v[i])] = entry & FAST_ROW;
		f->entry[visit_batch(&v[i])] |= entry & ~FAST_ROW;
		any |= entry & ~FAST_ROW;
	}
	f->any |= any;
	return i;
}

bool filter_visits(struct nfart_filter *f, const struct filter_visit *v, size_t nvisits, size_t n)
{
	memset(f->entry, 0, n * sizeof *f->entry);
	for (size_t i = 0; i < nvisits; i++) {
		if (!f->stepping)
			i = follow(f, v, i, nvisits);
		if (i < nvisits && !(f->stepping ? step_visit : visit)(f, &v[i]))
			return false;
	}
	return true;
}

bool filter_lines(struct nfart_filter *f, size_t n)
{
	struct filter_split all = { .parts = 1, .n = 1, .share = &f->share };

	f->share.visits.n = 0;
	return filter_take_apart(f, n, &all) &&
	       filter_visits(f, f->share.visits.at, f->share.visits.n, n);
}
