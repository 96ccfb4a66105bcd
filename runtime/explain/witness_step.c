/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Steps a witness over batches: finds the copies that a batch is for.
 */
#include "runtime/explain/witness_chain.h"
#include "runtime/explain/witness_machine.h"

void witness_reset(struct witness *w, uint64_t time)
{
	w->pool.epoch++;
	w->pool.live = 0;
	joins_reset(&w->joins);
	w->any_reset = true;
	w->reset_time = time;
}

static bool is_broadcast(const struct witness *w, const uint64_t *header, uint32_t s)
{
	return w->map.key[proto_code(w->im->proto, s, header[s])].broadcast;
}

/* Returns the slots of `mask` that the protocol has. */
static uint64_t known_slots(const struct witness *w, uint64_t mask)
{
	return mask & UINT64_MAX >> (64 - w->im->proto->nslots);
}

/* Returns the slots of `mask` whose messages the copy of a line sees. Those in `own` are for one
 * copy, whose number is in number[]. */
static uint64_t seen_slots(const struct witness *w, uint64_t mask, uint64_t own,
			   const uint64_t *header, const uint64_t *number, uint64_t line)
{
	uint64_t slots = 0;

	mask = known_slots(w, mask);
	if (!w->map.any)
		return mask;
	for (uint64_t m = mask; m != 0; m &= m - 1) {
		uint32_t s = (uint32_t)__builtin_ctzll(m);
		if (is_broadcast(w, header, s) || ((own & m & -m) != 0 && number[s] == line))
			slots |= m & -m;
	}
	return slots;
}

/* Returns the slots of the current batch whose messages the copy of a line sees. */
static uint64_t current_slots(const struct witness *w, uint64_t line)
{
	return seen_slots(w, w->current.at->mask, w->current.own, w->current.at->header,
			  w->current.number, line);
}

struct witness_seen witness_see(const struct witness *w, const struct witness_batch *b,
				uint64_t line, uint64_t header[static NFART_SLOTS])
{
	size_t n = 0, messages = (size_t)__builtin_popcountll(b->mask);
	uint64_t number[NFART_SLOTS];

	for (uint64_t m = b->mask; m != 0; m &= m - 1, n++) {
		header[__builtin_ctzll(m)] = b->header[n];
		number[__builtin_ctzll(m)] = b->header[messages + n];
	}
	return (struct witness_seen){
		header, seen_slots(w, b->mask, b->own, header, number, line), b->when,
		b->payload_words, b->mask, b->header + 2 * messages
	};
}

/* Steps the copies that have a message of their own in the batch. Sets *all if the batch has a
 * message for all copies. */
static bool step_own(struct witness *w, bool *all)
{
	const struct nfart_batch *b = w->current.at;
	struct witness_copy *c;

	for (uint64_t m = known_slots(w, b->mask); m != 0; m &= m - 1) {
		uint32_t s = (uint32_t)__builtin_ctzll(m);
		*all |= is_broadcast(w, b->header, s);
		if ((w->current.own & m & -m) == 0)
			continue;
		c = witness_copy_find(w, w->current.number[s]);
		if (c == NULL)
			return false;
		if (c->stamp != w->pool.batches &&
		    !witness_step_copy(w, c, current_slots(w, w->current.number[s])))
			return false;
	}
	return true;
}

/* Steps all copies that have no message of their own in this batch, and the rest. */
static bool step_others(struct witness *w)
{
	uint64_t slots = current_slots(w, WITNESS_REST);

	for (size_t i = 0; i < w->pool.copies.n; i++) {
		struct witness_copy *c = w->pool.copies.at[i];
		if (c->epoch != w->pool.epoch || c->stamp == w->pool.batches)
			continue;
		if (!witness_step_copy(w, c, slots))
			return false;
	}
	return w->pool.live == w->map.n || witness_step_copy(w, witness_copy_rest(w), slots);
}

bool witness_step(struct witness *w, const struct nfart_batch *b)
{
	bool all = b->when != 0, ok;

	witness_parts_clear(w);
	w->current.at = b;
	w->pool.batches++;
	w->current.counted = false;
	w->current.own = !w->map.any ? 0 : joins_batch(&w->joins, known_slots(w, b->mask),
						       b->header, w->current.number);
	if (w->map.any)
		ok = step_own(w, &all) && (!all || step_others(w));
	else
		ok = witness_step_copy(w, witness_copy_find(w, 0), known_slots(w, b->mask));
	chain_batch_free(w->current.batch);
	w->current.batch = NULL;
	return ok;
}

bool witness_is_quiet(const struct witness *w)
{
	for (size_t i = 0; i < w->parts.n; i++) {
		const struct witness_list *x = &w->parts.at[i].before;
		const struct witness_list *y = &w->parts.at[i].copy->active;
		if (x->n != y->n)
			return false;
		for (size_t k = 0; k < x->n; k++)
			if (x->at[k].step == NULL || x->at[k].step != y->at[k].step)
				return false;
	}
	return !w->current.counted;
}

static void skip_copy(const struct witness *w, struct witness_copy *c, uint64_t n, uint64_t time)
{
	c->batches += n;
	witness_skip_machines(w->im, c, n, time);
	for (size_t i = 0; i < c->active.n; i++) {
		c->active.at[i].held += n;
		c->active.at[i].held_until = time;
	}
}

void witness_skip(struct witness *w, uint64_t n, uint64_t time)
{
	witness_parts_clear(w);
	for (size_t i = 0; i < w->pool.copies.n; i++)
		if (w->pool.copies.at[i]->epoch == w->pool.epoch)
			skip_copy(w, w->pool.copies.at[i], n, time);
	if (w->pool.rest != NULL && w->pool.rest->epoch == w->pool.epoch &&
	    w->pool.live != w->map.n)
		skip_copy(w, w->pool.rest, n, time);
}
