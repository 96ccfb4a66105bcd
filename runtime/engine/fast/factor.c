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

/* The bytes of a block, and those before it. */
struct factor_text {
	/* The byte of place p is at[p - first]. */
	unsigned char at[FACTOR_PAST + FILTER_BLOCK];
	uint64_t first;
};

static inline unsigned char byte_at(const struct factor_text *t, uint64_t place)
{
	return t->at[place - t->first];
}

/* ---- lists of states ---- */

/* Begins a list: no state is marked. */
static void list_begin(struct factor *x)
{
	if (++x->stamps == 0) {
		memset(x->stamp, 0, x->nfa->nstates * sizeof *x->stamp);
		x->stamps = 1;
	}
}

/* Marks a state. False: it was marked in this list before. */
static inline bool list_mark(struct factor *x, uint32_t s)
{
	bool new = x->stamp[s] != x->stamps;

	x->stamp[s] = x->stamps;
	return new;
}

static inline void list_swap(struct factor_list *a, struct factor_list *b)
{
	struct factor_list x = *a;

	*a = *b;
	*b = x;
}

/* ---- walks ---- */

/* Returns where a byte of the set came last, plus 1, of `seen`. */
static uint64_t last_of(const uint64_t seen[256], const uint64_t set[4], bool in_set)
{
	uint64_t last = 0;

	for (unsigned b = 0; b < 256; b++)
		if ((set[b / 64] >> b % 64 & 1) == in_set && seen[b] > last)
			last = seen[b];
	return last;
}

/* Is a loop active after the byte behind those in `seen`, for which its predicate holds? */
static bool loop_is_active(const struct factor *x, uint32_t s, const uint64_t seen[256])
{
	const struct factor_tables *t = &x->table;
	uint64_t broken = last_of(seen, t->letters[x->nfa->states[s].pred], false);

	if ((x->nfa->states[s].flags & STATE_ALWAYS) != 0)
		return true;
	for (uint32_t i = t->pred_first[s]; i < t->pred_first[s + 1]; i++) {
		uint32_t p = t->pred[i], pred = x->nfa->states[p].pred;
		uint64_t entered;
		if (broken == 0 && bits_get(x->stream.base_set, p))
			return true;
		if (p == s || pred == IMAGE_NO_PRED)
			continue;
		entered = last_of(seen, t->letters[pred], true);
		if (entered != 0 && entered >= broken)
			return true;
	}
	return false;
}

/* Makes x->walk[1] the predecessors before the cut of the states in x->walk[0], as far as `byte`
 * lets them be active. False: out of memory. */
static bool walk_back(struct factor *x, unsigned char byte)
{
	const struct factor_tables *t = &x->table;

	x->walk[1].n = 0;
	list_begin(x);
	for (size_t k = 0; k < x->walk[0].n; k++) {
		uint32_t s = x->walk[0].at[k];
		for (uint32_t i = t->pred_first[s]; i < t->pred_first[s + 1]; i++) {
			uint32_t p = t->pred[i];
			x->work++;
			if ((t->kind[p] & FACTOR_AFTER) == 0 && factor_holds(x, p, byte) &&
			    list_mark(x, p) && !vec_push(&x->walk[1], p))
				return false;
		}
	}
	return true;
}

/* Is one of the states in x->walk[0], which the byte at `place` lets be active, active for sure? If
 * that is not so, *more says whether a walk may go on. */
static bool is_begun(const struct factor *x, uint64_t place, bool *more)
{
	const struct factor_stream *s = &x->stream;
	uint64_t kept = s->at - s->base > FACTOR_PAST ? s->at - FACTOR_PAST : s->base;

	*more = place > kept;
	for (size_t k = 0; k < x->walk[0].n; k++) {
		uint32_t q = x->walk[0].at[k];
		if ((x->nfa->states[q].flags & STATE_ALWAYS) != 0)
			return true;
		for (uint32_t i = x->table.pred_first[q];
		     place == s->base && i < x->table.pred_first[q + 1]; i++)
			if (bits_get(s->base_set, x->table.pred[i]))
				return true;
		if (place == kept && kept != s->base && (x->table.kind[q] & FACTOR_LOOP) != 0 &&
		    loop_is_active(x, q, s->seen))
			return true;
	}
	return false;
}

/* Finds out whether state s, whose predicate holds for the byte at `place`, is active after it by a
 * path before the cut. False: out of memory. */
static bool factor_confirm(struct factor *x, const struct factor_text *t, uint32_t s,
			   uint64_t place, bool *active)
{
	bool more;

	x->walk[0].n = 0;
	*active = false;
	if (!vec_push(&x->walk[0], s))
		return false;
	while (!(*active = is_begun(x, place, &more)) && more && x->walk[0].n != 0) {
		if (!walk_back(x, byte_at(t, --place)))
			return false;
		list_swap(&x->walk[0], &x->walk[1]);
	}
	return true;
}

/* ---- steps ---- */

/* Appends state s of the cut to x->next if the state `from`, which leads to it, is active after the
 * byte at `place`. */
static bool add_cut(struct factor *x, const struct factor_text *t, uint32_t s, uint32_t from,
		    uint64_t place)
{
	bool active;

	for (size_t k = 0; k < x->next.n; k++)
		if (x->next.at[k] == s)
			return true;
	x->work += x->next.n;
	return factor_confirm(x, t, from, place, &active) && (!active || vec_push(&x->next, s));
}

/* Appends the active states of the cut to x->next, where the byte at `place` ends a gram `word`. */
static bool add_gram_states(struct factor *x, const struct factor_text *t, uint64_t word,
			    uint64_t place)
{
	size_t mask = x->table.grams - 1, i = (size_t)factor_gram_hash(word) & mask;

	x->work++;
	while (x->table.gram[i].first_plus_1 != 0 && x->table.gram[i].word != word)
		i = (i + 1) & mask;
	for (uint32_t k = x->table.gram[i].first_plus_1; k != 0;
	     k = x->table.of_gram.at[k - 1].next_plus_1)
		if (!add_cut(x, t, x->table.of_gram.at[k - 1].state,
			     x->table.of_gram.at[k - 1].from, place - (x->table.length - 1)))
			return false;
	return true;
}

/* The same where grams would begin before the base: any state of the cut may be active. */
static bool add_any_states(struct factor *x, const struct factor_text *t, uint64_t place)
{
	for (uint32_t s = 0; s < x->nfa->nstates; s++)
		if ((x->table.kind[s] & FACTOR_CUT) != 0 && factor_holds(x, s, byte_at(t, place)) &&
		    !add_cut(x, t, s, s, place))
			return false;
	x->work = 0; /* this is done once for each base, not for each byte */
	return true;
}

/* Makes x->next the successors of x->active that a byte lets be active. */
static bool step_after(struct factor *x, unsigned char byte)
{
	const struct image_nfa *a = x->nfa;

	x->next.n = 0;
	list_begin(x);
	for (size_t k = 0; k < x->active.n; k++) {
		uint32_t s = x->active.at[k];
		for (uint32_t i = a->succ_first[s]; i < a->succ_first[s + 1]; i++) {
			uint32_t q = a->succ[i];
			x->work++;
			if (factor_holds(x, q, byte) && list_mark(x, q) && !vec_push(&x->next, q))
				return false;
		}
	}
	return true;
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
	bool any = false, ok = true;
	uint32_t flags;

	for (size_t k = 0; k < x->active.n; k++)
		any |= (x->table.kind[x->active.at[k]] & FACTOR_OUTPUT) != 0;
	if (!any)
		return true;
	if (!hits->any)
		memset(f->said.entry + hits->from, 0,
		       (hits->n - hits->from) * sizeof *f->said.entry);
	hits->any = true;
	i += hits->from;
	x->work += FACTOR_HIT + bits_words(x->nfa->nstates) / 8;
	for (size_t k = 0; k < x->active.n; k++)
		bits_set(x->set, x->active.at[k]);
	flags = dfa_flags(f->dfa, x->set);
	f->said.entry[i] = flags;
	f->said.any |= flags;
	if ((flags & DFA_ACCEPTED) != 0)
		ok = filter_add_hit(f, i, 0, x->set);
	for (size_t k = 0; k < x->active.n; k++)
		x->set[x->active.at[k] / 64] = 0;
	return ok;
}

/* ---- blocks ---- */

/* Returns the first byte of [i, n), by strides from i on, at which a window ends, or less than four
 * strides before n. */
static size_t next_window(const struct factor_set *windows, const unsigned char *at, size_t stride,
			  size_t i, size_t n)
{
	const struct factor_set w = *windows;

	for (; n - i > 4 * stride; i += 4 * stride) {
		bool a = factor_has(&w, key_load(at + i - 7));
		bool b = factor_has(&w, key_load(at + i + stride - 7));
		bool c = factor_has(&w, key_load(at + i + 2 * stride - 7));
		bool d = factor_has(&w, key_load(at + i + 3 * stride - 7));
		if (a | b | c | d)
			return a ? i : b ? i + stride : c ? i + 2 * stride : i + 3 * stride;
	}
	return i;
}

/* Returns the first byte of [i, n) at which a gram may end, or n. */
static size_t next_gram(const struct factor_tables *t, const unsigned char *at, size_t i, size_t n)
{
	if (t->teddy.bytes != 0)
		i = teddy_next(t, at, i, n);
	while (i < n) {
		size_t next;
		i = next_window(&t->windows, at, t->stride, i, n);
		next = n - i < t->stride ? n : i + t->stride;
		for (; i < next; i++)
			if (factor_has(&t->grams_of, key_load(at + i - 7)))
				return i;
	}
	return n;
}

/* Moves the stream behind the first n bytes of the block. */
static void factor_move(struct factor *x, const struct factor_text *t, size_t n)
{
	struct factor_stream *s = &x->stream;
	uint64_t kept = s->at - s->base > FACTOR_PAST ? s->at - FACTOR_PAST : s->base;
	uint64_t to = s->at + n;
	uint64_t keep = to - s->base > FACTOR_PAST ? to - FACTOR_PAST : s->base;

	for (; x->table.loops && kept < keep; kept++)
		s->seen[byte_at(t, kept)] = kept + 1;
	memcpy(s->past, t->at + n, FACTOR_PAST);
	s->at = to;
}

/* Steps over byte i of the block. */
static bool factor_step(struct nfart_filter *f, const struct factor_text *t, size_t i,
			struct factor_hits *hits)
{
	struct factor *x = f->factor;
	uint64_t place = x->stream.at + i;
	uint64_t eight = key_load(t->at + FACTOR_PAST + i - 7);
	bool ok = true;

	if (!step_after(x, byte_at(t, place)))
		return false;
	if (place < x->stream.base + x->table.length)
		ok = add_any_states(x, t, place);
	else if (factor_has(&x->table.grams_of, eight))
		ok = add_gram_states(x, t, eight >> 8 * (8 - x->table.length), place);
	list_swap(&x->active, &x->next);
	return ok && (x->active.n == 0 || factor_note(f, i, hits));
}

/* ---- from engine to engine ---- */

bool factor_begin(struct factor *x, const uint64_t *active)
{
	struct factor_stream *s = &x->stream;

	memcpy(s->base_set, active, bits_words(x->nfa->nstates) * 8);
	memset(s->seen, 0, sizeof s->seen);
	s->base = s->at;
	s->on = true;
	x->active.n = 0;
	for (uint32_t q = 0; q < x->nfa->nstates; q++)
		if (bits_get(active, q) && (x->table.kind[q] & FACTOR_AFTER) != 0 &&
		    !vec_push(&x->active, q))
			return false;
	return true;
}

/* Makes x->active the states before the cut that are active after the byte behind those in `seen`.
 * False: out of memory. */
static bool find_loops(struct factor *x, const uint64_t seen[256], unsigned char byte)
{
	x->next.n = 0;
	for (uint32_t s = 0; s < x->nfa->nstates; s++) {
		bool always = (x->nfa->states[s].flags & STATE_ALWAYS) != 0;
		uint8_t kind = x->table.kind[s];
		if ((kind & FACTOR_AFTER) == 0 && (always || (kind & FACTOR_LOOP) != 0) &&
		    factor_holds(x, s, byte) && (always || loop_is_active(x, s, seen)) &&
		    !vec_push(&x->next, s))
			return false;
	}
	return true;
}

/* Steps the states in x->next, which are all that are active before the cut, by a byte. */
static bool step_before(struct factor *x, unsigned char byte)
{
	const struct image_nfa *a = x->nfa;

	x->walk[0].n = 0;
	list_begin(x);
	for (uint32_t s = 0; s < a->nstates; s++)
		if ((a->states[s].flags & STATE_ALWAYS) != 0 &&
		    (x->table.kind[s] & FACTOR_AFTER) == 0 && factor_holds(x, s, byte) &&
		    list_mark(x, s) && !vec_push(&x->walk[0], s))
			return false;
	for (size_t k = 0; k < x->next.n; k++) {
		uint32_t s = x->next.at[k];
		for (uint32_t i = a->succ_first[s]; i < a->succ_first[s + 1]; i++) {
			uint32_t q = a->succ[i];
			if ((x->table.kind[q] & FACTOR_AFTER) == 0 && factor_holds(x, q, byte) &&
			    list_mark(x, q) && !vec_push(&x->walk[0], q))
				return false;
		}
	}
	list_swap(&x->next, &x->walk[0]);
	return true;
}

/* Makes x->next the states before the cut that are active now. */
static bool find_before(struct factor *x)
{
	struct factor_stream *s = &x->stream;
	const unsigned char *past = s->past + FACTOR_PAST; /* behind the last byte */
	uint64_t seen[256], place = s->base;
	bool ok = true;

	x->next.n = 0;
	if (s->at - s->base > FACTOR_PAST) {
		memcpy(seen, s->seen, sizeof seen);
		for (place = s->at - FACTOR_PAST; place < s->at - x->table.depth - 1; place++)
			seen[past[-(ptrdiff_t)(s->at - place)]] = place + 1;
		ok = find_loops(x, seen, past[-(ptrdiff_t)(s->at - place)]);
		place++;
	} else {
		for (uint32_t q = 0; q < x->nfa->nstates && ok; q++)
			if (bits_get(s->base_set, q) && (x->table.kind[q] & FACTOR_AFTER) == 0)
				ok = vec_push(&x->next, q);
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
	for (size_t k = 0; k < x->next.n; k++)
		bits_set(active, x->next.at[k]);
	for (size_t k = 0; k < x->active.n; k++)
		bits_set(active, x->active.at[k]);
	x->stream.on = false;
	return true;
}

/* Ends a run that is not worth it, and begins a pause. */
static bool factor_give_up(struct nfart_filter *f)
{
	struct factor_stream *s = &f->factor->stream;

	/* The work is looked at between bytes; one byte alone can have made very much. */
	if (f->factor->work > 8 * (uint64_t)FACTOR_WORTH * FILTER_BLOCK)
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
	while (i < size && x->work <= (uint64_t)FACTOR_WORTH * FILTER_BLOCK) {
		if (x->active.n == 0 && x->stream.at + i >= x->stream.base + x->table.length)
			i = next_gram(&x->table, t.at + FACTOR_PAST, i, size);
		if (i < size && !factor_step(f, &t, i++, &hits))
			return false;
	}
	factor_move(x, &t, i);
	*done = from + i;
	return x->work <= (uint64_t)FACTOR_WORTH * FILTER_BLOCK || factor_give_up(f);
}
