/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * With substreams, steps all copies in the batches that are for all of them (engine.h, Note [the
 * rest]): those with a tick, the end, or a message of a broadcast type.
 *
 * Note [lines that ticks move]
 * A tick is for all lines, but changes few of them. In most states a tick leads back to the same
 * state, and nothing is accepted or logged. So a list has the lines of which this is not known. A
 * tick alone visits only these. A line is added to the list when its row changes, and is removed
 * when a tick leaves it where it was. All lines that never had a message of their own share one
 * row, that of the rest.
 */
#include <stdlib.h>
#include <string.h>

#include "runtime/engine/filter.h"

/* The row of a line is prefetched so many visits before its own. */
enum { AHEAD = 16 };

bool dfa_everyone_init(struct nfart_filter *f)
{
	struct filter_everyone *e = &f->at.everyone;
	const struct nfart_image *im = f->en->im;

	e->any = im->alphabet.time != IMAGE_NO_TIME ||
		 bits_any(im->proto->codes.broadcast, bits_words(im->proto->codes.n));
	if (f->at.stepping || im->stream.tick == 0)
		return true;
	e->tick = f->dfa->keys.of_time[NFART_TICK] | 1;
	e->is_moving = calloc(bits_words(f->en->map.n) + 1, 8);
	return e->is_moving != NULL;
}

static void clear_moving(struct nfart_filter *f)
{
	struct filter_everyone *e = &f->at.everyone;

	for (size_t i = 0; i < e->moving.n; i++)
		e->is_moving[e->moving.at[i] / 64] = 0;
	e->moving.n = 0;
}

void dfa_everyone_reset(struct nfart_filter *f)
{
	f->at.everyone.rest_row = 0;
	clear_moving(f);
}

/* Does a tick alone lead from this row to itself, with no effect? */
static bool is_still(const struct nfart_filter *f, uint32_t row)
{
	const struct dfa_cache *t = f->dfa;
	int64_t symbol = symbol_find(&t->symbols, f->at.everyone.tick);

	return symbol != NO_SYMBOL && t->next[row + symbol] == row;
}

bool dfa_note_moving(struct nfart_filter *f, uint64_t line)
{
	struct filter_everyone *e = &f->at.everyone;

	/* The row is at hand, the bit may be far away. */
	if (is_still(f, f->at.line_row[line]) || bits_get(e->is_moving, line))
		return true;
	bits_set(e->is_moving, line);
	return vec_push(&e->moving, (uint32_t)line);
}

/* Removes the lines that the last tick left where they were. */
static void drop_still(struct nfart_filter *f)
{
	struct filter_everyone *e = &f->at.everyone;
	size_t k = 0;

	for (size_t i = 0; i < e->moving.n; i++) {
		uint32_t line = e->moving.at[i];
		if (!is_still(f, f->at.line_row[line]))
			e->moving.at[k++] = line;
		else
			e->is_moving[line / 64] &= ~((uint64_t)1 << line % 64);
	}
	e->moving.n = k;
}

/* ---- one batch for all copies ---- */

/* Does one of the n visits at v belong to this line? */
static bool is_own(const struct line_visit *v, size_t n, uint64_t line)
{
	for (size_t i = 0; i < n; i++)
		if (visit_line(&v[i]) == line)
			return true;
	return false;
}

/* Notes the flags of the rest after a batch. If it accepts, it adds hits for its copies, all of
 * which are in the states `set`. `is_rest` says which copies these are. */
static bool note_rest(struct nfart_filter *f, const struct line_visit *v, uint32_t flags,
		      const uint64_t *set, bool (*is_rest)(const struct nfart_filter *, uint64_t))
{
	bool ok;

	f->said.entry[visit_batch(v)] |= flags;
	f->said.any |= flags;
	if ((flags & DFA_ACCEPTED) == 0)
		return true;
	if (!f->en->lines)
		return filter_add_hit(f, visit_batch(v), 0, set);
	ok = engine_names_rest(f->en);
	for (uint64_t i = 0; ok && i < f->en->map.n; i++)
		if (is_rest(f, i))
			ok = filter_add_hit(f, visit_batch(v), i, set);
	return ok;
}

static bool has_no_row(const struct nfart_filter *f, uint64_t line)
{
	return f->at.line_row[line] == 0;
}

static bool has_no_copy(const struct nfart_filter *f, uint64_t line)
{
	return engine_in_rest(f->en, line);
}

static bool step_rest(struct nfart_filter *f, const struct line_visit *v)
{
	uint64_t *active;
	uint32_t *counts;

	if (f->en->pool.live == f->en->map.n)
		return true;
	engine_rest(f->en, &active, &counts);
	dfa_step(f->dfa, v->key, active, counts);
	return note_rest(f, v, dfa_flags(f->dfa, active), active, has_no_copy);
}

static bool visit_rest(struct nfart_filter *f, const struct line_visit *v)
{
	uint32_t entry;

	if (f->at.touched.n == f->en->map.n)
		return true;
	if (!dfa_visit_rest(f, v, &entry))
		return false;
	return f->at.stepping ? step_rest(f, v) :
				note_rest(f, v, entry & ~DFA_ROW, dfa_set(f->dfa, entry),
					  has_no_row);
}

/* Steps the engine's copies that are not among the lines of the n visits at own, and the rest. */
static bool step_everyone(struct nfart_filter *f, const struct line_visit *v,
			  const struct line_visit *own, size_t n)
{
	for (size_t i = 0; i < f->en->pool.copies.n; i++) {
		const struct copy *c = &f->en->pool.copies.at[i];
		if (c->epoch == f->en->pool.epoch && !is_own(own, n, c->number) &&
		    !dfa_step_line(f, v, c->number))
			return false;
	}
	return step_rest(f, v);
}

/* Makes a visit for all copies but those of the n visits at `own`, which the batch has besides. */
static bool visit_everyone(struct nfart_filter *f, const struct line_visit *v,
			   const struct line_visit *own, size_t n)
{
	struct filter_everyone *e = &f->at.everyone;
	bool tick = v->key == e->tick && e->tick != 0;
	size_t lines;

	if (f->at.stepping)
		return step_everyone(f, v, own, n);
	/* The list may change, or be freed, while its lines are visited. */
	lines = tick ? e->moving.n : f->at.touched.n;
	e->turn.n = 0;
	if (lines != 0 && !vec_reserve(&e->turn, lines))
		return false;
	if (lines != 0)
		memcpy(e->turn.at, tick ? e->moving.at : f->at.touched.at,
		       lines * sizeof *e->turn.at);
	for (size_t i = 0; i < lines; i++) {
		uint32_t line = e->turn.at[i];
		if (!is_own(own, n, line) &&
		    !(f->at.stepping ? dfa_step_line : dfa_visit_line)(f, v, line))
			return false;
	}
	if (!(f->at.stepping ? step_rest : visit_rest)(f, v))
		return false;
	if (tick && !f->at.stepping)
		drop_still(f);
	return true;
}

bool dfa_everyone_visits(struct nfart_filter *f, const struct line_visit *v, size_t nvisits)
{
	for (size_t i = 0, own = 0; i < nvisits; i++) {
		/* Where ticks move lines, each visit notes if it moves one. */
		if (!f->at.stepping && f->at.everyone.tick == 0)
			i = dfa_follow(f, v, i, nvisits);
		if (i == nvisits)
			break;
		size_t ahead = i + AHEAD < nvisits ? i + AHEAD : i;
		if (!f->at.stepping && visit_line(&v[ahead]) != VISIT_EVERYONE)
			__builtin_prefetch(&f->at.line_row[visit_line(&v[ahead])], 1);
		if (visit_batch(&v[i]) != visit_batch(&v[own]))
			for (own = i; own > 0 && visit_batch(&v[own - 1]) == visit_batch(&v[i]);)
				own--;
		if (visit_line(&v[i]) == VISIT_EVERYONE) {
			if (!visit_everyone(f, &v[i], v + own, i - own))
				return false;
		} else if (!(f->at.stepping ? dfa_step_line : dfa_visit_line)(f, &v[i],
									      visit_line(&v[i]))) {
			return false;
		}
	}
	return true;
}

/* ---- leaps ---- */

/* The lines that ticks move, in groups that leap together. Without counters these are the lines of
 * one row; with counters each line is a group. The rest is the first group, even if all lines have
 * left it. */
struct groups {
	struct nfart_filter *f;
	VEC(uint64_t) sets;      /* the states of each group, en->words words each */
	VEC(uint64_t) line;      /* a line of each group; VISIT_EVERYONE: the rest */
	VEC(uint32_t) of_moving; /* the group of each line that ticks move */
	uint32_t *of_state;      /* [states of the cache]: 1 + its group; 0: none */
	uint32_t *none;          /* counts, where there are no counters */
};

static bool add_group(struct groups *g, uint32_t row, uint64_t line)
{
	size_t words = g->f->en->words;

	if (!vec_reserve(&g->sets, words) || !vec_push(&g->line, line))
		return false;
	memcpy(g->sets.at + g->sets.n, row != 0 ? dfa_set(g->f->dfa, row) : g->f->en->table.start,
	       words * 8);
	g->sets.n += words;
	return true;
}

static bool make_groups(struct groups *g)
{
	struct nfart_filter *f = g->f;
	const struct filter_everyone *e = &f->at.everyone;
	bool each = f->en->im->nfa.ncounters != 0;

	g->of_state = calloc(f->dfa->states.n, sizeof *g->of_state);
	if (g->of_state == NULL || !add_group(g, e->rest_row, VISIT_EVERYONE))
		return false;
	for (size_t i = 0; i < e->moving.n; i++) {
		uint32_t row = f->at.line_row[e->moving.at[i]];
		uint32_t *of = &g->of_state[row / f->dfa->stride];
		if (each || *of == 0) {
			if (!add_group(g, row, e->moving.at[i]))
				return false;
			*of = (uint32_t)g->line.n;
		}
		if (!vec_push(&g->of_moving, *of - 1))
			return false;
	}
	return true;
}

static uint32_t *counts_of(struct groups *g, size_t i)
{
	uint64_t *active;
	uint32_t *counts = NULL;

	if (g->line.at[i] == VISIT_EVERYONE)
		engine_rest(g->f->en, &active, &counts);
	else if (g->f->en->im->nfa.ncounters == 0)
		return g->none;
	else if (!engine_copy(g->f->en, g->line.at[i], &active, &counts))
		return NULL;
	return counts;
}

/* Returns the first group that has lines. */
static size_t first_group(const struct groups *g)
{
	return g->f->at.touched.n == g->f->en->map.n;
}

/* Lets all groups take n ticks. */
static bool everyone_take(struct groups *g, uint64_t n)
{
	uint64_t most = 0;

	for (size_t i = first_group(g); i < g->line.n; i++) {
		uint64_t logged = 0;
		uint32_t *counts = counts_of(g, i);
		if (counts == NULL || !leap_take(g->f->time.leap,
						 g->sets.at + i * g->f->en->words, counts, n,
						 &logged))
			return false;
		most = logged > most ? logged : most;
	}
	/* What one line logs, another one mostly logs, too. */
	g->f->to.stats.logged += most;
	return true;
}

/* The cache has no room for the states of the groups: hands all lines over to the engine. */
static bool give_up(struct groups *g)
{
	struct nfart_filter *f = g->f;
	size_t words = f->en->words;
	uint64_t *active;
	uint32_t *counts;

	if (!dfa_lines_hand_over(f))
		return false;
	engine_rest(f->en, &active, &counts);
	memcpy(active, g->sets.at, words * 8);
	for (size_t i = 0; i < g->of_moving.n; i++) {
		if (!engine_copy(f->en, f->at.everyone.moving.at[i], &active, &counts))
			return false;
		memcpy(active, g->sets.at + g->of_moving.at[i] * words, words * 8);
	}
	return true;
}

/* Gives the lines the rows of their groups' states. */
static bool put_rows(struct groups *g)
{
	struct nfart_filter *f = g->f;
	size_t words = f->en->words;
	uint32_t *row = calloc(g->line.n, sizeof *row);
	bool ok = row != NULL, room = ok;

	for (size_t i = 0; room && i < g->line.n; i++) {
		row[i] = dfa_row(f->dfa, g->sets.at + i * words);
		room = row[i] != 0;
	}
	if (room) {
		f->at.everyone.rest_row = row[0];
		for (size_t i = 0; i < g->of_moving.n; i++)
			f->at.line_row[f->at.everyone.moving.at[i]] = row[g->of_moving.at[i]];
	} else if (ok) {
		ok = give_up(g);
	}
	free(row);
	return ok;
}

bool dfa_everyone_leap(struct nfart_filter *f, struct leap_limits limits, uint64_t *n)
{
	struct groups g = { .f = f };
	uint32_t none = 0, *counts;
	bool ok;

	g.none = &none;
	ok = make_groups(&g);
	for (size_t i = first_group(&g); ok && i < g.line.n && limits.most != 0; i++) {
		counts = counts_of(&g, i);
		ok = counts != NULL;
		if (ok)
			limits.most = leap_quiet(f->time.leap, g.sets.at + i * f->en->words,
						 counts, &limits);
	}
	*n = limits.most;
	if (ok && *n != 0)
		ok = everyone_take(&g, *n) && put_rows(&g);
	vec_free(&g.sets);
	vec_free(&g.line);
	vec_free(&g.of_moving);
	free(g.of_state);
	return ok;
}
