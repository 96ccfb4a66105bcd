/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include <stdlib.h>
#include <string.h>

#include "runtime/explain/witness_chain.h"
#include "runtime/explain/witness_machine.h"

/* Values of witness.current.from[t]: how state t becomes active in the current batch. FROM_FIRST +
 * i: the i-th active state of the copy leads to t. */
enum { FROM_NOTHING, FROM_ALWAYS, FROM_COUNTER, FROM_FIRST };

struct witness_batch *witness_share_batch(struct witness *w)
{
	const struct nfart_batch *b = w->current.at;
	size_t n = 0, messages = (size_t)__builtin_popcountll(b->mask);
	size_t words = w->im->alphabet.payload_words == 0 ? 0 : b->payload_words;

	if (w->current.batch == NULL) {
		w->current.batch = malloc(sizeof *w->current.batch + (2 + words) * messages *
					  sizeof w->current.batch->header[0]);
		if (w->current.batch == NULL)
			return NULL;
		w->current.batch->refs = 1;
		w->current.batch->time = b->time;
		w->current.batch->mask = b->mask;
		w->current.batch->when = b->when;
		w->current.batch->payload_words = (uint8_t)words;
		w->current.batch->own = w->current.own;
		for (uint64_t m = b->mask; m != 0; m &= m - 1, n++) {
			uint32_t s = (uint32_t)__builtin_ctzll(m);
			bool one = (w->current.own & m & -m) != 0;
			w->current.batch->header[n] = b->header[s];
			w->current.batch->header[messages + n] = one ? w->current.number[s] : 0;
		}
		if (words * messages != 0)
			memcpy(w->current.batch->header + 2 * messages, b->payload,
			       words * messages * sizeof *b->payload);
	}
	w->current.batch->refs++;
	return w->current.batch;
}

struct witness_seen witness_see_batch(const struct nfart_batch *b, uint64_t slots)
{
	return (struct witness_seen){ b->header, slots, b->when, b->payload_words, b->mask,
				      b->payload };
}

struct record_message witness_message(const struct witness_seen *seen, uint32_t slot)
{
	struct record_message m = { { seen->header[slot] } };
	size_t words = seen->payload_words;

	if (words != 0)
		memcpy(m.word + 1,
		       seen->payload + words * bits_count(seen->mask & (((uint64_t)1 << slot) - 1)),
		       words * sizeof *m.word);
	return m;
}

uint32_t witness_letter(const struct nfart_image *im, const struct witness_seen *seen,
			uint32_t slot)
{
	uint32_t code = proto_code(im->proto, slot, seen->header[slot]);
	struct record_message m;

	if (im->alphabet.payload_words == 0)
		return image_letter(im, code, seen->header[slot]);
	m = witness_message(seen, slot);
	return image_letter_of(im, code, &m);
}

bool witness_names(const struct image_pred *p, uint32_t letter)
{
	size_t lo = 0, hi = p->letters.n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		if (p->letters.at[mid] < letter)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < p->letters.n && p->letters.at[lo] == letter;
}

bool witness_pred_holds(const struct nfart_image *im, uint32_t pred,
			const struct witness_seen *seen)
{
	const struct image_pred *p = &im->nfa.preds[pred];

	if (im->alphabet.time != IMAGE_NO_TIME && witness_names(p, im->alphabet.time + seen->when))
		return !p->none;
	for (uint64_t m = seen->slots; m != 0; m &= m - 1) {
		uint32_t s = (uint32_t)__builtin_ctzll(m);
		if (witness_names(p, witness_letter(im, seen, s)))
			return !p->none;
	}
	return p->none;
}

bool witness_holds(const struct nfart_image *im, uint32_t state, const struct witness_seen *seen)
{
	return im->nfa.states[state].pred != IMAGE_NO_PRED &&
	       witness_pred_holds(im, im->nfa.states[state].pred, seen);
}

/* Does what witness_holds() does, for the current batch. Each predicate is evaluated only once for
 * a batch and copy. */
static bool witness_passes(struct witness *w, uint32_t state, const struct witness_seen *seen)
{
	uint32_t p = w->im->nfa.states[state].pred;

	if (p == IMAGE_NO_PRED)
		return false;
	if (w->asked.at[p] != w->asked.stamp) {
		w->asked.at[p] = w->asked.stamp;
		w->asked.answer[p] = witness_holds(w->im, state, seen);
	}
	return w->asked.answer[p];
}

static bool touch(struct witness *w, uint32_t state, uint32_t from)
{
	if (w->current.from[state] == FROM_NOTHING && !vec_push(&w->current.touched, state))
		return false;
	w->current.from[state] = from;
	return true;
}

/* Returns the number of the first batch of the chain that ends in the active state a. */
static uint64_t begin_of(const struct witness_copy *c, const struct witness_active *a)
{
	return a->step != NULL ? a->step->begin : c->first;
}

/* Returns how many steps the chain of the active state a has after it is continued to state t. */
static uint64_t steps_to(const struct witness_active *a, uint32_t t)
{
	return (a->step != NULL ? a->step->steps : 0) + (a->step == NULL || a->state != t);
}

/* Is the way to state t through the active state a shorter than the shortest way known so far? */
static bool shorter(const struct witness *w, const struct witness_copy *c,
		    const struct witness_active *a, uint32_t t)
{
	const struct witness_active *b;

	if (w->current.from[t] == FROM_NOTHING)
		return true;
	if (w->current.from[t] < FROM_FIRST)
		return false;
	b = &c->active.at[w->current.from[t] - FROM_FIRST];
	if (begin_of(c, a) != begin_of(c, b))
		return begin_of(c, a) > begin_of(c, b);
	return steps_to(a, t) < steps_to(b, t);
}

static bool find_next(struct witness *w, const struct witness_copy *c,
		      const struct witness_seen *seen)
{
	const struct nfart_image *im = w->im;

	for (uint32_t i = 0; i < w->nalways; i++)
		if (witness_passes(w, w->always[i], seen) && !touch(w, w->always[i], FROM_ALWAYS))
			return false;
	for (size_t i = 0; i < c->active.n; i++) {
		const struct witness_active *a = &c->active.at[i];
		for (uint32_t k = im->nfa.succ_first[a->state];
		     k < im->nfa.succ_first[a->state + 1]; k++)
			if (witness_passes(w, im->nfa.succ[k], seen) &&
			    shorter(w, c, a, im->nfa.succ[k]) &&
			    !touch(w, im->nfa.succ[k], FROM_FIRST + (uint32_t)i))
				return false;
	}
	return true;
}

static bool any_next(const struct witness *w, const struct image_list *l)
{
	for (uint32_t i = 0; i < l->n; i++)
		if (w->current.from[l->at[i]] != FROM_NOTHING)
			return true;
	return false;
}

static bool witness_counts(struct witness *w, struct witness_copy *c)
{
	for (uint32_t i = 0; i < w->im->nfa.ncounters; i++) {
		const struct image_counter *ic = &w->im->nfa.counters[i];
		struct witness_count *k = &c->counts[i];
		bool reached = false;
		if (any_next(w, &ic->reset)) {
			w->current.counted |= k->n != 0;
			*k = (struct witness_count){ .was_reset = true,
						     .reset = w->current.at->time };
		} else if (k->n < ic->k && any_next(w, &ic->count)) {
			w->current.counted = true;
			k->times[k->counted++ % WITNESS_TIMES] = w->current.at->time;
			reached = ++k->n == ic->k;
		}
		if ((reached || (ic->mode == COUNTER_LATCH && k->n == ic->k)) &&
		    !touch(w, ic->state, FROM_COUNTER))
			return false;
	}
	return true;
}

/* Sets rolling counters that reached their bound back to 0. Call this after the steps of the batch
 * were made, because the step of a counter shows the count before it is set back. */
static void roll(const struct nfart_image *im, struct witness_copy *c)
{
	for (uint32_t i = 0; i < im->nfa.ncounters; i++)
		if (im->nfa.counters[i].mode == COUNTER_ROLL &&
		    c->counts[i].n == im->nfa.counters[i].k)
			c->counts[i] = (struct witness_count){ .was_reset = false };
}

/* Returns the witness_count of the counter whose state is `state`. Counters are ordered by state,
 * so the search is binary. */
static const struct witness_count *count_of(const struct witness *w, const struct witness_copy *c,
					    uint32_t state)
{
	size_t lo = 0, hi = w->im->nfa.ncounters;

	while (hi - lo > 1) {
		size_t mid = lo + (hi - lo) / 2;
		if (w->im->nfa.counters[mid].state <= state)
			lo = mid;
		else
			hi = mid;
	}
	return &c->counts[lo];
}

/* Fills *s for a step to state t, except for its pointers to other objects. */
static void describe(const struct witness *w, const struct witness_copy *c, uint32_t t,
		     struct witness_step *s)
{
	uint32_t from = w->current.from[t];
	const struct witness_active *a =
		from < FROM_FIRST ? NULL : &c->active.at[from - FROM_FIRST];

	*s = (struct witness_step){ .refs = 1, .state = t, .kept = 1, .steps = 1,
				    .begin = c->batches, .begin_time = w->current.at->time };
	s->origin = from == FROM_ALWAYS ? WITNESS_ALWAYS : from == FROM_COUNTER ? WITNESS_COUNTER :
		    a->step == NULL ? WITNESS_START : WITNESS_STEP;
	if (s->origin != WITNESS_STEP)
		return;
	s->held = a->held;
	s->held_until = a->held_until;
	s->kept = a->step->kept + 1;
	s->steps = a->step->steps + 1;
	s->begin = a->step->begin;
	s->begin_time = a->step->begin_time;
}

/* Makes a step to state t. NULL: out of memory. */
static struct witness_step *make_step(struct witness *w, const struct witness_copy *c, uint32_t t)
{
	struct witness_step *s = malloc(sizeof *s);

	if (s == NULL)
		return NULL;
	describe(w, c, t, s);
	if (s->origin == WITNESS_STEP) {
		struct witness_step *before = c->active.at[w->current.from[t] - FROM_FIRST].step;
		s->before = before->kept < 2 * WITNESS_KEEP ? chain_share(before) :
							      chain_shorten(before);
		if (s->before == NULL) {
			free(s);
			return NULL;
		}
		s->kept = s->before->kept + 1;
	}
	s->batch = witness_share_batch(w);
	if (s->origin == WITNESS_COUNTER)
		s->count = chain_count(count_of(w, c, t));
	if (s->batch != NULL && (s->count != NULL || s->origin != WITNESS_COUNTER))
		return s;
	chain_free(s);
	return NULL;
}

/* Adds state t, which is active after this batch, to the list. False: out of memory. */
static bool add_active(struct witness *w, const struct witness_copy *c, uint32_t t,
		       struct witness_list *out)
{
	uint32_t from = w->current.from[t];
	const struct witness_active *a =
		from < FROM_FIRST ? NULL : &c->active.at[from - FROM_FIRST];
	struct witness_active next = { .state = t };

	if (!vec_reserve(out, 1))
		return false;
	if (a != NULL && a->state == t && a->step != NULL) {
		next.step = chain_share(a->step);
		next.held = a->held + 1;
		next.held_until = w->current.at->time;
	} else if ((next.step = make_step(w, c, t)) == NULL) {
		return false;
	}
	out->at[out->n++] = next;
	return true;
}

static int by_number(const void *x, const void *y)
{
	const uint32_t *a = x, *b = y;

	return (*a > *b) - (*a < *b);
}

/* Compares how far the goal was before this batch with how far it is now. If the goal is further
 * away, notes a loss. If the goal is as near as it was before an earlier loss, or the copy accepts,
 * ends that loss. False: out of memory. */
static bool note_lost(struct witness *w, const struct witness_part *p, struct witness_copy *c,
		      uint32_t goal)
{
	struct witness_lost *l = &c->lost[goal];
	const struct witness_active *was;
	uint32_t before = l->now;

	l->now = witness_far(w, &c->active, goal, NULL);
	if (l->over)
		witness_lost_clear(l);
	l->over = l->now <= l->far || witness_find(w, &c->active, goal) != NULL;
	if (l->over)
		return true;
	if (before >= l->now || before >= w->goal.far_always[goal] ||
	    (l->far != 0 && before > l->far))
		return true;
	witness_lost_clear(l);
	witness_far(w, &p->before, goal, &was);
	l->by = witness_share_batch(w);
	if (l->by == NULL)
		return false;
	l->was = *was;
	chain_share(l->was.step);
	l->far = before;
	return true;
}

bool witness_step_copy(struct witness *w, struct witness_copy *c, uint64_t slots)
{
	struct witness_part p = { c, witness_see_batch(w->current.at, slots), { NULL, 0, 0 } };
	struct witness_list next = { NULL, 0, 0 };
	bool ok = c != NULL && vec_reserve(&w->parts, 1);

	if (!ok)
		return false;
	w->asked.stamp++;
	c->stamp = w->pool.batches;
	c->batches++;
	ok = find_next(w, c, &p.seen) && witness_counts(w, c);
	if (ok && w->current.touched.n > 1)
		qsort(w->current.touched.at, w->current.touched.n, sizeof *w->current.touched.at,
		      by_number);
	for (size_t i = 0; i < w->current.touched.n && ok; i++)
		ok = add_active(w, c, w->current.touched.at[i], &next);
	for (size_t i = 0; i < w->current.touched.n; i++)
		w->current.from[w->current.touched.at[i]] = FROM_NOTHING;
	w->current.touched.n = 0;
	roll(w->im, c);
	if (!ok) {
		chain_list_free(&next);
		return false;
	}
	p.before = c->active;
	c->active = next;
	w->parts.at[w->parts.n++] = p;
	ok = witness_step_machines(w, c, &p.seen);
	for (uint32_t g = 0; g < w->goal.n && ok; g++)
		ok = note_lost(w, &p, c, g);
	return ok;
}
