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
	w->any_reset = true;
	w->reset_time = time;
}

/* Finds the copy that the message of slot s is for. False: it is for none, or for all of them. */
static bool own_copy(const struct witness *w, const uint64_t *header, uint32_t s, uint64_t *number)
{
	uint32_t code = proto_code(w->im->proto, s, header[s]);

	return copies_of_message(&w->map, code, header[s], number);
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

uint64_t witness_slots(const struct witness *w, uint64_t mask, const uint64_t *header,
		       uint64_t line)
{
	uint64_t slots = 0, number;

	mask = known_slots(w, mask);
	if (!w->map.any)
		return mask;
	for (uint64_t m = mask; m != 0; m &= m - 1) {
		uint32_t s = (uint32_t)__builtin_ctzll(m);
		if (is_broadcast(w, header, s) ||
		    (own_copy(w, header, s, &number) && number == line))
			slots |= m & -m;
	}
	return slots;
}

struct witness_seen witness_see(const struct witness *w, const struct witness_batch *b,
				uint64_t line, uint64_t header[static NFART_SLOTS])
{
	size_t n = 0;

	for (uint64_t m = b->mask; m != 0; m &= m - 1)
		header[__builtin_ctzll(m)] = b->header[n++];
	return (struct witness_seen){ header, witness_slots(w, b->mask, header, line), b->when };
}

/* Steps the copies that have a message of their own in the batch. Sets *all if the batch has a
 * message for all copies. */
static bool step_own(struct witness *w, bool *all)
{
	const struct nfart_batch *b = w->current.at;
	struct witness_copy *c;
	uint64_t number;

	for (uint64_t m = known_slots(w, b->mask); m != 0; m &= m - 1) {
		uint32_t s = (uint32_t)__builtin_ctzll(m);
		*all |= is_broadcast(w, b->header, s);
		if (!own_copy(w, b->header, s, &number))
			continue;
		c = witness_copy_find(w, number);
		if (c == NULL)
			return false;
		if (c->stamp != w->pool.batches &&
		    !witness_step_copy(w, c, witness_slots(w, b->mask, b->header, number)))
			return false;
	}
	return true;
}

/* Steps all copies that have no message of their own in this batch, and the rest. */
static bool step_others(struct witness *w)
{
	uint64_t slots = witness_slots(w, w->current.at->mask, w->current.at->header, WITNESS_REST);

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
