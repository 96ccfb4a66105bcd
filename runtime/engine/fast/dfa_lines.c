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

/* 16 visits take less time than a line of a million comes from memory, 160 more than are in flight
 * at once. */
enum { AHEAD = 64 };

bool dfa_lines_hand_over(struct nfart_filter *f)
{
	uint64_t *active;
	uint32_t *counts;

	if (f->at.everyone.rest_row != 0) {
		engine_rest(f->en, &active, &counts);
		memcpy(active, dfa_set(f->dfa, f->at.everyone.rest_row), f->en->words * 8);
	}
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
	uint32_t *rest = &f->at.everyone.rest_row;
	bool ok = to != NULL;

	for (size_t i = 0; ok && i < f->at.touched.n; i++) {
		uint32_t *at = &to[f->at.line_row[f->at.touched.at[i]] / old];
		used += *at == 0;
		*at = 1;
	}
	if (ok && *rest != 0)
		to[*rest / old] = 1;
	room = room < t->states.most ? room : t->states.most;
	if (ok && (used > room / 4 || (dfa_symbols_full(t) && t->stride == SYMBOLS_MOST))) {
		free(to);
		return dfa_lines_hand_over(f);
	}
	ok = ok && dfa_keep(t, to);
	for (size_t i = 0; ok && i < f->at.touched.n; i++) {
		uint32_t *row = &f->at.line_row[f->at.touched.at[i]];
		*row = to[*row / old];
	}
	if (ok && *rest != 0)
		*rest = to[*rest / old];
	free(to);
	return ok;
}

bool dfa_step_line(struct nfart_filter *f, const struct line_visit *v, uint64_t line)
{
	uint64_t *active;
	uint32_t *counts, flags;

	if (!engine_copy(f->en, line, &active, &counts))
		return false;
	dfa_step(f->dfa, v->key, active, counts);
	flags = dfa_flags(f->dfa, active);
	f->said.entry[visit_batch(v)] |= flags;
	f->said.any |= flags;
	return (flags & DFA_ACCEPTED) == 0 || filter_add_hit(f, visit_batch(v), line, active);
}

/* Returns the entry of a row for a visit, and makes it if it is missing. 0: there is no room. Row 0
 * stands for the state of the rest. */
static uint32_t line_make(struct nfart_filter *f, const struct line_visit *v, uint32_t row)
{
	struct dfa_cache *t = f->dfa;
	int64_t symbol = symbol_find(&t->symbols, v->key);

	if (symbol == NO_SYMBOL) {
		if (!dfa_add_symbol(t, v->key))
			return 0;
		symbol = symbol_find(&t->symbols, v->key);
	}
	if (row == 0)
		row = f->at.everyone.rest_row;
	if (row == 0)
		row = dfa_row(t, f->en->table.start);
	if (row == 0 || t->next[row + symbol] != 0)
		return row == 0 ? 0 : t->next[row + symbol];
	return dfa_make_entry(t, row, (uint32_t)symbol);
}

/* Returns the counts of a line's copy, or those of the rest. */
static uint32_t *counts_of(struct nfart_filter *f, uint64_t line)
{
	uint64_t *active;
	uint32_t *counts;

	if (line == VISIT_EVERYONE)
		engine_rest(f->en, &active, &counts);
	else if (!engine_copy(f->en, line, &active, &counts))
		return NULL;
	return counts;
}

/* Finds where a visit leads: *entry becomes the entry of the line's row, after counting. If the
 * engine took over, *entry becomes 0. False: out of memory. */
static bool find_entry(struct nfart_filter *f, const struct line_visit *v, uint64_t line,
		       uint32_t *entry)
{
	struct dfa_cache *t = f->dfa;
	int64_t symbol = symbol_find(&t->symbols, v->key);
	uint32_t row = line == VISIT_EVERYONE ? f->at.everyone.rest_row : f->at.line_row[line];
	uint32_t *counts;

	*entry = row != 0 && symbol != NO_SYMBOL ? t->next[row + symbol] : 0;
	while (*entry == 0 || ((*entry & DFA_COUNT) != 0 && !dfa_has_room(t))) {
		row = line == VISIT_EVERYONE ? f->at.everyone.rest_row : f->at.line_row[line];
		*entry = *entry == 0 ? line_make(f, v, row) : 0;
		if (*entry == 0 && !make_room(f))
			return false;
		if (f->at.stepping) {
			*entry = 0;
			return true;
		}
	}
	if ((*entry & DFA_COUNT) == 0)
		return true;
	counts = counts_of(f, line);
	if (counts != NULL)
		*entry = dfa_count(t, *entry, counts);
	return counts != NULL && *entry != 0;
}

/* Makes the engine's copy of a line that leaves the rest. Its counts begin as those of the rest are
 * now, and so do its states, which count if the engine takes over before the line has a row. */
static bool leave_rest(struct nfart_filter *f, uint64_t line)
{
	uint32_t row = f->at.everyone.rest_row, *counts;
	uint64_t *active;

	if (!engine_copy(f->en, line, &active, &counts))
		return false;
	memcpy(active, row != 0 ? dfa_set(f->dfa, row) : f->en->table.start, f->en->words * 8);
	return true;
}

bool dfa_visit_line(struct nfart_filter *f, const struct line_visit *v, uint64_t line)
{
	bool was_rest = f->at.line_row[line] == 0;
	uint32_t entry;

	if (was_rest && f->at.everyone.any && f->en->im->nfa.ncounters != 0 && !leave_rest(f, line))
		return false;
	if (!find_entry(f, v, line, &entry))
		return false;
	if (f->at.stepping)
		return dfa_step_line(f, v, line);
	if (was_rest && !vec_push(&f->at.touched, (uint32_t)line))
		return false;
	f->at.line_row[line] = entry & DFA_ROW;
	f->said.entry[visit_batch(v)] |= entry & ~DFA_ROW;
	f->said.any |= entry & ~DFA_ROW;
	if (f->at.everyone.tick != 0 && !dfa_note_moving(f, line))
		return false;
	return (entry & DFA_ACCEPTED) == 0 ||
	       filter_add_hit(f, visit_batch(v), line, dfa_set(f->dfa, entry));
}

bool dfa_visit_rest(struct nfart_filter *f, const struct line_visit *v, uint32_t *entry)
{
	if (!find_entry(f, v, VISIT_EVERYONE, entry))
		return false;
	if (!f->at.stepping)
		f->at.everyone.rest_row = *entry & DFA_ROW;
	return true;
}

static bool line_follow(struct nfart_filter *f, const struct line_visit *v)
{
	return dfa_visit_line(f, v, visit_line(v));
}

static bool step_visit(struct nfart_filter *f, const struct line_visit *v)
{
	return dfa_step_line(f, v, visit_line(v));
}

/* Makes the first visit of a line as dfa_follow() makes others. *row is that of lines that were not
 * visited yet, or 0 if it is not known. False: this is not such a visit, and nothing was done. */
static __attribute__((noinline)) bool first_visit(struct nfart_filter *f,
						  const struct line_visit *v, int64_t symbol,
						  uint32_t *row)
{
	uint64_t line = visit_line(v);
	uint32_t entry;

	if (f->at.everyone.any || symbol == NO_SYMBOL)
		return false;
	if (*row == 0)
		*row = dfa_row(f->dfa, f->en->table.start);
	entry = *row != 0 ? f->dfa->next[*row + symbol] : 0;
	if (entry == 0 || (entry & (DFA_ACCEPTED | DFA_COUNT)) != 0 ||
	    !vec_push(&f->at.touched, (uint32_t)line))
		return false;
	f->at.line_row[line] = entry & DFA_ROW;
	f->said.entry[visit_batch(v)] |= entry & ~DFA_ROW;
	f->said.any |= entry & ~DFA_ROW;
	return true;
}

size_t dfa_follow(struct nfart_filter *f, const struct line_visit *v, size_t i, size_t n)
{
	const struct dfa_cache *t = f->dfa;
	uint32_t *line_row = f->at.line_row, any = 0, new = 0;
	const uint32_t *next = t->next;

	for (; i < n; i++) {
		uint64_t line = visit_line(&v[i]);
		uint32_t row = line != VISIT_EVERYONE ? line_row[line] : 0, entry;
		int64_t symbol = symbol_find(&t->symbols, v[i].key);
		__builtin_prefetch(&line_row[visit_line(&v[i + AHEAD < n ? i + AHEAD : i])], 1);
		if (row == 0 || symbol == NO_SYMBOL) {
			if (row != 0 || !first_visit(f, &v[i], symbol, &new))
				break;
			next = t->next;
			continue;
		}
		entry = next[row + symbol];
		if (entry == 0 || (entry & (DFA_ACCEPTED | DFA_COUNT)) != 0)
			break;
		line_row[line] = entry & DFA_ROW;
		f->said.entry[visit_batch(&v[i])] |= entry & ~DFA_ROW;
		any |= entry & ~DFA_ROW;
	}
	f->said.any |= any;
	return i;
}

bool dfa_visits(struct nfart_filter *f, const struct line_visit *v, size_t nvisits, size_t n)
{
	memset(f->said.entry, 0, n * sizeof *f->said.entry);
	if (f->at.everyone.any)
		return dfa_everyone_visits(f, v, nvisits);
	if (!must_drop(f, &v, &nvisits))
		return false;
	/* dfa_follow() fetches the rows of all visits but the first. */
	for (size_t i = 0; i < nvisits && i < AHEAD && !f->at.stepping; i++)
		__builtin_prefetch(&f->at.line_row[visit_line(&v[i])], 1);
	for (size_t i = 0; i < nvisits; i++) {
		if (!f->at.stepping)
			i = dfa_follow(f, v, i, nvisits);
		if (i < nvisits && !(f->at.stepping ? step_visit : line_follow)(f, &v[i]))
			return false;
	}
	return true;
}

bool dfa_lines(struct nfart_filter *f, size_t n)
{
	if (must_is_quiet(f, n)) {
		memset(f->said.entry, 0, n * sizeof *f->said.entry);
		return true;
	}
	return visits_make(f, n) &&
	       dfa_visits(f, f->said.share.visits.at, f->said.share.visits.n, n);
}
