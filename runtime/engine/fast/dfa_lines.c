/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Runs a copy of the automaton for each line. A block is sorted into visits (visits.h). Each visit
 * steps the copy of its line, and prefetches the row number of the line that comes AHEAD visits
 * later.
 *
 * When the cache is full, it forgets the rows that no line is in. If more than a quarter of its
 * room is still in use then, it would soon be full again. So in this case the engine's copies take
 * over for good.
 */
#include <string.h>

#include "runtime/engine/filter.h"

enum { AHEAD = 16 };

/* Writes the states of all lines to the engine's copies. From now on the engine steps them. False:
 * out of memory. */
static bool hand_over(struct nfart_filter *f)
{
	uint64_t *active;
	uint32_t *counts;

	for (size_t i = 0; i < f->at.touched.n; i++) {
		uint64_t line = f->at.touched.at[i];
		if (!engine_copy(f->en, line, &active, &counts))
			return false;
		memcpy(active, dfa_set(f->dfa, f->at.line_row[line]), f->en->words * 8);
	}
	free(f->at.line_row);
	f->at.line_row = NULL;
	vec_free(&f->at.touched);
	f->at.stepping = true;
	return true;
}

/* Forgets all rows but those that lines are in, or hands over to the engine. False: out of
 * memory. */
static bool make_room(struct nfart_filter *f)
{
	struct dfa_cache *t = f->dfa;
	size_t used = 0, room = t->most_entries / t->stride;
	uint32_t old = t->stride, *to = calloc(t->states.n, sizeof *to);
	bool ok = to != NULL;

	for (size_t i = 0; ok && i < f->at.touched.n; i++) {
		uint32_t *at = &to[f->at.line_row[f->at.touched.at[i]] / old];
		used += *at == 0;
		*at = 1;
	}
	room = room < t->states.most ? room : t->states.most;
	if (ok && (used > room / 4 || (dfa_symbols_full(t) && t->stride == SYMBOLS_MOST))) {
		free(to);
		return hand_over(f);
	}
	ok = ok && dfa_keep(t, to);
	for (size_t i = 0; ok && i < f->at.touched.n; i++) {
		uint32_t *row = &f->at.line_row[f->at.touched.at[i]];
		*row = to[*row / old];
	}
	free(to);
	return ok;
}

static bool step_visit(struct nfart_filter *f, const struct line_visit *v)
{
	uint64_t line = visit_line(v), *active;
	uint32_t *counts, flags;

	if (!engine_copy(f->en, line, &active, &counts))
		return false;
	dfa_step(f->dfa, v->key, active, counts);
	flags = dfa_flags(f->dfa, active);
	f->entry[visit_batch(v)] |= flags;
	f->any |= flags;
	return (flags & DFA_ACCEPTED) == 0 || filter_add_hit(f, visit_batch(v), line, active);
}

/* Returns the entry of a visit, and makes it if it is missing. 0: there is no room. A line whose
 * row is 0 is in its start states. */
static uint32_t make(struct nfart_filter *f, const struct line_visit *v)
{
	struct dfa_cache *t = f->dfa;
	int64_t symbol = symbol_find(&t->symbols, v->key);
	uint32_t row = f->at.line_row[visit_line(v)];

	if (symbol == NO_SYMBOL) {
		if (!dfa_add_symbol(t, v->key))
			return 0;
		symbol = symbol_find(&t->symbols, v->key);
	}
	if (row == 0)
		row = dfa_row(t, f->en->start);
	if (row == 0 || t->next[row + symbol] != 0)
		return row == 0 ? 0 : t->next[row + symbol];
	return dfa_make_entry(t, row, (uint32_t)symbol);
}

static bool count(struct nfart_filter *f, const struct line_visit *v, uint32_t *entry)
{
	uint64_t *active;
	uint32_t *counts;

	if (!engine_copy(f->en, visit_line(v), &active, &counts))
		return false;
	*entry = dfa_count(f->dfa, *entry, counts);
	return *entry != 0;
}

static bool visit(struct nfart_filter *f, const struct line_visit *v)
{
	const struct dfa_cache *t = f->dfa;
	uint32_t row = f->at.line_row[visit_line(v)], entry = 0;
	int64_t symbol = symbol_find(&t->symbols, v->key);

	if (row != 0 && symbol != NO_SYMBOL)
		entry = t->next[row + symbol];
	while (entry == 0 || ((entry & DFA_COUNT) != 0 && !dfa_has_room(t))) {
		entry = entry == 0 ? make(f, v) : 0;
		if (entry == 0 && !make_room(f))
			return false;
		if (f->at.stepping)
			return step_visit(f, v);
	}
	if ((entry & DFA_COUNT) != 0 && !count(f, v, &entry))
		return false;
	if (row == 0 && !vec_push(&f->at.touched, (uint32_t)visit_line(v)))
		return false;
	f->at.line_row[visit_line(v)] = entry & DFA_ROW;
	f->entry[visit_batch(v)] |= entry & ~DFA_ROW;
	f->any |= entry & ~DFA_ROW;
	return (entry & DFA_ACCEPTED) == 0 ||
	       filter_add_hit(f, visit_batch(v), visit_line(v),
			      dfa_set(t, entry));
}

/* Makes the visits from i on. Stops before the first visit whose entry is missing, has DFA_COUNT or
 * accepts, and returns its number, or n if there is none. */
static size_t follow(struct nfart_filter *f, const struct line_visit *v, size_t i, size_t n)
{
	const struct dfa_cache *t = f->dfa;
	uint32_t *line_row = f->at.line_row, any = 0;
	const uint32_t *next = t->next;

	for (; i < n; i++) {
		uint32_t row = line_row[visit_line(&v[i])], entry;
		int64_t symbol = symbol_find(&t->symbols, v[i].key);
		__builtin_prefetch(&line_row[visit_line(&v[i + AHEAD < n ? i + AHEAD : i])], 1);
		if (row == 0 || symbol == NO_SYMBOL)
			break;
		entry = next[row + symbol];
		if (entry == 0 || (entry & (DFA_ACCEPTED | DFA_COUNT)) != 0)
			break;
		line_row[visit_line(&v[i])] = entry & DFA_ROW;
		f->entry[visit_batch(&v[i])] |= entry & ~DFA_ROW;
		any |= entry & ~DFA_ROW;
	}
	f->any |= any;
	return i;
}

bool dfa_visits(struct nfart_filter *f, const struct line_visit *v, size_t nvisits, size_t n)
{
	memset(f->entry, 0, n * sizeof *f->entry);
	for (size_t i = 0; i < nvisits; i++) {
		if (!f->at.stepping)
			i = follow(f, v, i, nvisits);
		if (i < nvisits && !(f->at.stepping ? step_visit : visit)(f, &v[i]))
			return false;
	}
	return true;
}

bool dfa_lines(struct nfart_filter *f, size_t n)
{
	struct line_shares all = { .total = 1, .n = 1, .share = &f->share };

	f->share.visits.n = 0;
	return visits_add(f, n, &all) &&
	       dfa_visits(f, f->share.visits.at, f->share.visits.n, n);
}
