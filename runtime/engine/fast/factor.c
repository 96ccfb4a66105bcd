/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Runs over bytes by factors (factor.h, Note [factors]).
 */
#include "runtime/engine/fast/factor.h"

#include <string.h>

#include "runtime/engine/filter.h"

enum {
	/* So many steps of walks and states a byte are worth it, over the bytes of a block. */
	FACTOR_WORTH = 2,
	FACTOR_HIT = 16, /* an output counts as so many steps, and more for a large automaton */
	FACTOR_PAUSE = 1 << 16 /* how many bytes the first pause takes; the next one is longer */
};
#define FACTOR_MOST_PAUSE ((uint64_t)1 << 32)
#define FACTOR_WORK ((uint64_t)FACTOR_WORTH * FILTER_BLOCK)

/* ---- lists of states ---- */

void factor_list_begin(struct factor *x)
{
	if (++x->stamps == 0) {
		memset(x->stamp, 0, x->nfa->nstates * sizeof *x->stamp);
		x->stamps = 1;
	}
}

/* ---- steps ---- */

/* Makes x->next the successors of x->active that a byte lets be active. */
static void step_after(struct factor *x, unsigned char byte)
{
	const struct factor_tables *t = &x->table;
	const uint64_t *holds = factor_byte_holds(t, byte);

	x->next->n = 0;
	factor_list_begin(x);
	for (size_t k = 0; k < x->active->n; k++) {
		const struct factor_node *s = &t->node[x->active->at[k]];
		x->work += s[1].first_succ - s->first_succ;
		for (uint32_t i = s->first_succ; i < s[1].first_succ; i++) {
			uint32_t q = t->succ[i];
			if (bits_get(holds, t->node[q].pred) && factor_list_mark(x, q))
				x->next->at[x->next->n++] = q;
		}
	}
}

/* Appends the active states of the cut to x->next, where grams that end at the byte at `place`
 * would begin before the base: any state of the cut may be active. False: out of memory. */
static bool add_any_states(struct factor *x, const struct factor_text *t, uint64_t place)
{
	for (uint32_t s = 0; s < x->nfa->nstates; s++) {
		bool active = false;
		if ((x->table.kind[s] & FACTOR_CUT) != 0 &&
		    factor_holds(x, s, factor_byte(t, place)) &&
		    !factor_confirm(x, t, s, place, &active))
			return false;
		for (size_t k = 0; k < x->next->n && active; k++)
			active = x->next->at[k] != x->table.node_of[s];
		if (active)
			x->next->at[x->next->n++] = x->table.node_of[s];
	}
	x->work = 0; /* this is done once for each base, not for each byte */
	return true;
}

/* Appends the states of the cut that were found at byte i of the block to x->next, in which all
 * nodes are marked. *found is the first of x->found that was not used. */
static void add_found(struct factor *x, size_t i, size_t *found)
{
	for (; *found < x->found.n && x->found.at[*found].at == i; ++*found) {
		uint32_t q = x->found.at[*found].node;
		if (factor_list_mark(x, q))
			x->next->at[x->next->n++] = q;
	}
}

/* The entries of the bytes that are walked: [from, n) of the block. They are only made, and then
 * all of them, if there is an output. */
struct factor_hits {
	size_t from, n;
	bool any;
};

/* Makes the entry and the hit of byte i behind hits->from, if a state with an output is active. */
static bool factor_note(struct nfart_filter *f, size_t i, struct factor_hits *hits)
{
	struct factor *x = f->factor;
	const struct factor_tables *t = &x->table;
	uint32_t flags = 0;
	bool ok = true;

	for (size_t k = 0; k < x->active->n; k++)
		flags |= t->node[x->active->at[k]].flags;
	if (flags == 0)
		return true;
	if (!hits->any)
		memset(f->said.entry + hits->from, 0,
		       (hits->n - hits->from) * sizeof *f->said.entry);
	hits->any = true;
	i += hits->from;
	x->work += FACTOR_HIT + bits_words(x->nfa->nstates) / 8;
	f->said.entry[i] = flags;
	f->said.any |= flags;
	if ((flags & DFA_ACCEPTED) == 0)
		return true;
	for (size_t k = 0; k < x->active->n; k++)
		bits_set(x->set, t->state_of[x->active->at[k]]);
	ok = filter_add_hit(f, i, 0, x->set);
	for (size_t k = 0; k < x->active->n; k++)
		x->set[t->state_of[x->active->at[k]] / 64] = 0;
	return ok;
}

/* ---- blocks ---- */

/* Moves the stream behind the first n bytes of the block. */
static void factor_move(struct factor *x, const struct factor_text *t, size_t n)
{
	struct factor_stream *s = &x->stream;
	uint64_t kept = s->at - s->base > FACTOR_PAST ? s->at - FACTOR_PAST : s->base;
	uint64_t to = s->at + n;
	uint64_t keep = to - s->base > FACTOR_PAST ? to - FACTOR_PAST : s->base;

	for (; x->table.loops && kept < keep; kept++)
		s->seen[factor_byte(t, kept)] = kept + 1;
	memcpy(s->past, t->at + n, FACTOR_PAST);
	s->at = to;
}

/* Makes x->active the nodes in x->next, and notes byte i of the block. */
static bool factor_stepped(struct nfart_filter *f, size_t i, struct factor_hits *hits)
{
	struct factor *x = f->factor;
	struct factor_list *active = x->next;

	x->next = x->active;
	x->active = active;
	return active->n == 0 || factor_note(f, i, hits);
}

/* Steps over bytes of [*i, n) of the block, of which x->found is made, while that is worth it. */
static bool factor_piece(struct nfart_filter *f, const struct factor_text *t, size_t *i, size_t n,
			 struct factor_hits *hits)
{
	struct factor *x = f->factor;
	size_t found = 0;

	while (*i < n && x->work <= FACTOR_WORK) {
		if (x->active->n == 0)
			*i = found < x->found.n ? x->found.at[found].at : n;
		if (*i >= n)
			break;
		step_after(x, factor_byte(t, x->stream.at + *i));
		add_found(x, *i, &found);
		if (!factor_stepped(f, *i, hits))
			return false;
		++*i;
	}
	*i = *i < n ? *i : n;
	return true;
}

/* Steps over byte i of the block, at which a gram would begin before the base. */
static bool factor_early(struct nfart_filter *f, const struct factor_text *t, size_t i,
			 struct factor_hits *hits)
{
	struct factor *x = f->factor;
	uint64_t place = x->stream.at + i;

	step_after(x, factor_byte(t, place));
	return add_any_states(x, t, place) && factor_stepped(f, i, hits);
}

/* ---- from engine to engine ---- */

void factor_begin(struct factor *x, const uint64_t *active)
{
	struct factor_stream *s = &x->stream;

	memcpy(s->base_set, active, bits_words(x->nfa->nstates) * 8);
	memset(s->seen, 0, sizeof s->seen);
	s->base = s->at;
	s->on = true;
	x->active->n = 0;
	for (uint32_t q = 0; q < x->nfa->nstates; q++)
		if (bits_get(active, q) && (x->table.kind[q] & FACTOR_AFTER) != 0)
			x->active->at[x->active->n++] = x->table.node_of[q];
}

/* Makes x->walk[0] the states before the cut that are active after the byte behind those in `seen`.
 * False: out of memory. */
static bool find_loops(struct factor *x, const uint64_t seen[256], unsigned char byte)
{
	x->walk[0].n = 0;
	for (uint32_t s = 0; s < x->nfa->nstates; s++) {
		bool always = (x->nfa->states[s].flags & STATE_ALWAYS) != 0;
		uint8_t kind = x->table.kind[s];
		if ((kind & FACTOR_AFTER) == 0 && (always || (kind & FACTOR_LOOP) != 0) &&
		    factor_holds(x, s, byte) && (always || factor_loop_is_active(x, s, seen)) &&
		    !vec_push(&x->walk[0], s))
			return false;
	}
	return true;
}

/* Steps the states in x->walk[0], which are all that are active before the cut, by a byte. */
static bool step_before(struct factor *x, unsigned char byte)
{
	const struct image_nfa *a = x->nfa;

	x->walk[1].n = 0;
	factor_list_begin(x);
	for (uint32_t s = 0; s < a->nstates; s++)
		if ((a->states[s].flags & STATE_ALWAYS) != 0 &&
		    (x->table.kind[s] & FACTOR_AFTER) == 0 && factor_holds(x, s, byte) &&
		    factor_list_mark(x, s) && !vec_push(&x->walk[1], s))
			return false;
	for (size_t k = 0; k < x->walk[0].n; k++) {
		uint32_t s = x->walk[0].at[k];
		for (uint32_t i = a->succ_first[s]; i < a->succ_first[s + 1]; i++) {
			uint32_t q = a->succ[i];
			if ((x->table.kind[q] & FACTOR_AFTER) == 0 && factor_holds(x, q, byte) &&
			    factor_list_mark(x, q) && !vec_push(&x->walk[1], q))
				return false;
		}
	}
	factor_list_swap(&x->walk[0], &x->walk[1]);
	return true;
}

/* Makes x->walk[0] the states before the cut that are active now. */
static bool find_before(struct factor *x)
{
	struct factor_stream *s = &x->stream;
	const unsigned char *past = s->past + FACTOR_PAST; /* behind the last byte */
	uint64_t seen[256], place = s->base;
	bool ok = true;

	x->walk[0].n = 0;
	if (s->at - s->base > FACTOR_PAST) {
		memcpy(seen, s->seen, sizeof seen);
		for (place = s->at - FACTOR_PAST; place < s->at - x->table.depth - 1; place++)
			seen[past[-(ptrdiff_t)(s->at - place)]] = place + 1;
		ok = find_loops(x, seen, past[-(ptrdiff_t)(s->at - place)]);
		place++;
	} else {
		for (uint32_t q = 0; q < x->nfa->nstates && ok; q++)
			if (bits_get(s->base_set, q) && (x->table.kind[q] & FACTOR_AFTER) == 0)
				ok = vec_push(&x->walk[0], q);
	}
	for (; place < s->at && ok; place++)
		ok = step_before(x, past[-(ptrdiff_t)(s->at - place)]);
	return ok;
}

bool factor_leave(struct factor *x, uint64_t *active)
{
	memset(active, 0, bits_words(x->nfa->nstates) * 8);
	if (!find_before(x))
		return false;
	for (size_t k = 0; k < x->walk[0].n; k++)
		bits_set(active, x->walk[0].at[k]);
	for (size_t k = 0; k < x->active->n; k++)
		bits_set(active, x->table.state_of[x->active->at[k]]);
	x->stream.on = false;
	return true;
}

/* Ends a run that is not worth it, and begins a pause. */
static bool factor_give_up(struct nfart_filter *f)
{
	struct factor_stream *s = &f->factor->stream;

	/* The work is looked at between bytes; one byte alone can have made very much. */
	if (f->factor->work > 8 * FACTOR_WORK)
		s->pause = FACTOR_MOST_PAUSE;
	else if (s->pause == 0)
		s->pause = FACTOR_PAUSE;
	else if (s->at - s->base > 4 * s->pause)
		s->pause = FACTOR_PAUSE;
	else if (s->pause < FACTOR_MOST_PAUSE)
		s->pause *= 2;
	s->wait = s->pause;
	return filter_leave_factors(f);
}

bool factor_walk(struct nfart_filter *f, size_t from, size_t n, size_t *done)
{
	struct factor *x = f->factor;
	struct factor_hits hits = { from, n, false };
	size_t i = 0, size = n - from;
	struct factor_text t;

	t.first = x->stream.at - FACTOR_PAST;
	memcpy(t.at, x->stream.past, FACTOR_PAST);
	memcpy(t.at + FACTOR_PAST, f->in.block.at + from, size);
	x->work = 0;
	while (i < size && x->work <= FACTOR_WORK) {
		size_t end = size - i > FACTOR_PIECE ? i + FACTOR_PIECE : size;
		bool early = x->stream.at + i < x->stream.base + x->table.length;
		if (early ? !factor_early(f, &t, i++, &hits)
			  : !factor_find(x, &t, i, end, FACTOR_WORK) ||
				    !factor_piece(f, &t, &i, end, &hits))
			return false;
	}
	factor_move(x, &t, i);
	*done = from + i;
	return x->work <= FACTOR_WORK || factor_give_up(f);
}
