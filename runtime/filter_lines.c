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

#include "runtime/filter.h"

enum { AHEAD = 16 };

bool filter_start(struct nfart_filter *f)
{
	nfart_engine_reset(f->en);
	if (f->fast == NULL)
		return true;
	if (!f->en->by_line) {
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
		return true;
	}
	for (size_t i = 0; i < f->touched.n; i++)
		f->line_row[f->touched.at[i]] = 0;
	f->touched.n = 0;
	return true;
}

/* ---- taking batches apart ---- */

/* Adds a message of batch i to the visits, those of this batch beginning at `first`. */
static inline void add_message(struct nfart_filter *f, size_t first, size_t i, uint32_t slot,
			       uint64_t header)
{
	uint64_t line = proto_line(f->en->im->proto, header) - f->en->first_line;
	uint64_t key = fast_key(f->fast, slot, header);

	if ((key & FAST_SEEN) == 0 || line >= f->en->nlines)
		return;
	for (size_t k = first; k < f->visits.n; k++)
		if (f->visits.at[k].line == line) {
			f->visits.at[k].key |= key;
			return;
		}
	f->visits.at[f->visits.n++] = (struct filter_visit){ (uint32_t)i, line, key };
}

static bool take_apart(struct nfart_filter *f, size_t n)
{
	uint32_t nslots = f->en->im->proto->nslots;

	f->visits.n = 0;
	if (!vec_reserve(&f->visits, n * nslots))
		return false;
	for (size_t i = 0; i < n; i++) {
		size_t first = f->visits.n;
		if ((f->key[i] & FAST_SEEN) == 0)
			continue;
		if (f->size == 0 && !f->single) {
			const unsigned char *p = f->at + f->place[i].place;
			uint64_t m = get_le64(p + 8);
			p += 16 + (size_t)f->label_words * 8;
			for (; m != 0; m &= m - 1, p += 8)
				add_message(f, first, i, (uint32_t)__builtin_ctzll(m), get_le64(p));
		} else if (!f->single) {
			const unsigned char *p = f->at + i * f->size + 8;
			for (uint32_t s = 0; s < nslots; s++)
				add_message(f, first, i, s, get_le64(p + 8 * (size_t)s));
		} else {
			for (uint64_t m = f->batch.mask; m != 0; m &= m - 1) {
				uint32_t s = (uint32_t)__builtin_ctzll(m);
				add_message(f, first, i, s, f->batch.header[s]);
			}
		}
	}
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
	size_t words = f->en->words, used = 0, room = t->entries / t->stride;
	uint32_t old = t->stride, *to = calloc(t->nstates, sizeof *to);
	uint64_t *sets = NULL;
	bool ok = to != NULL;

	for (size_t i = 0; ok && i < f->touched.n; i++) {
		uint32_t *at = &to[f->line_row[f->touched.at[i]] / old];
		used += *at == 0;
		*at = 1;
	}
	if (ok && (used > (room < t->most ? room : t->most) / 4 || t->nsymbols == FAST_SYMBOLS)) {
		free(to);
		return hand_over(f);
	}
	sets = ok ? malloc(((size_t)used + 1) * words * 8) : NULL;
	ok = sets != NULL;
	used = 0;
	for (uint32_t s = 1; ok && s < t->nstates; s++)
		if (to[s] != 0) {
			memcpy(sets + used++ * words, t->sets + s * words, words * 8);
			to[s] = (uint32_t)used;
		}
	if (ok) {
		fast_flush(t, false);
		for (size_t i = 0; i < used; i++)
			fast_state(t, sets + i * words);
		for (size_t i = 0; i < f->touched.n; i++) {
			uint32_t *row = &f->line_row[f->touched.at[i]];
			*row = to[*row / old] * t->stride;
		}
	}
	free(sets);
	free(to);
	return ok;
}

static bool step_visit(struct nfart_filter *f, const struct filter_visit *v)
{
	uint64_t line = f->en->first_line + v->line, *active;
	uint32_t *counts, flags;

	if (!engine_copy(f->en, line, &active, &counts))
		return false;
	fast_step(f->fast, v->key, active);
	flags = fast_flags(f->fast, active);
	f->entry[v->batch] |= flags;
	return (flags & FAST_ACCEPTED) == 0 || filter_hit(f, v->batch, line, active);
}

/* The visit's entry where it has to be made; 0: no room. The row is 0 where the line is new. */
static uint32_t make(struct nfart_filter *f, const struct filter_visit *v)
{
	struct fast *t = f->fast;
	int64_t symbol = fast_find(t, v->key);
	uint32_t row = f->line_row[v->line];

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

static bool visit(struct nfart_filter *f, const struct filter_visit *v)
{
	const struct fast *t = f->fast;
	uint32_t row = f->line_row[v->line], entry = 0;
	int64_t symbol = fast_find(t, v->key);

	if (row != 0 && symbol != FAST_NO_SYMBOL)
		entry = t->next[row + symbol];
	while (entry == 0) {
		entry = make(f, v);
		if (entry == 0 && !make_room(f))
			return false;
		if (f->stepping)
			return step_visit(f, v);
	}
	if (row == 0 && !vec_push(&f->touched, v->line))
		return false;
	f->line_row[v->line] = entry & FAST_ROW;
	f->entry[v->batch] |= entry & ~FAST_ROW;
	return (entry & FAST_ACCEPTED) == 0 ||
	       filter_hit(f, v->batch, f->en->first_line + v->line, fast_set(t, entry));
}

bool filter_lines(struct nfart_filter *f, size_t n)
{
	if (!take_apart(f, n))
		return false;
	memset(f->entry, 0, n * sizeof *f->entry);
	for (size_t i = 0; i < f->visits.n; i++) {
		if (!f->stepping && i + AHEAD < f->visits.n)
			__builtin_prefetch(&f->line_row[f->visits.at[i + AHEAD].line], 1);
		if (!(f->stepping ? step_visit : visit)(f, &f->visits.at[i]))
			return false;
	}
	return true;
}
