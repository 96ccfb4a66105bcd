/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "runtime/engine/orders.h"

#include <string.h>

#include "support/bits.h"

/* A machine within a batch. States are numbered within the machine. */
struct stepping {
	const struct image_machine *m;
	const struct orders_batch *b;
	/* The messages that the machine sees, at most m->orders + 1, as indices into the batch. */
	uint32_t n, message[IMAGE_ORDERS + 1];
	size_t words, pwords;            /* of a set of states, and of one of predicates */
};

size_t orders_words(const struct nfart_image *im)
{
	size_t most = 0;

	for (uint32_t i = 0; i < im->nfa.nmachines; i++) {
		const struct image_machine *m = &im->nfa.machines[i];
		size_t n = m->orders != 0 ? bits_words(m->nstates) << m->orders : 0;

		most = n > most ? n : most;
	}
	return most;
}

bool orders_has_state(const struct image_machine *m, const uint64_t *active)
{
	size_t end = m->first_state + m->nstates;
	uint32_t marked = 0;

	for (size_t s = bits_next(active, end, m->first_state); s < end;
	     s = bits_next(active, end, s + 1)) {
		while (marked < m->marked.n && m->marked.at[marked] < s - m->first_state)
			marked++;
		if (marked == m->marked.n || m->marked.at[marked] != s - m->first_state)
			return true;
	}
	return false;
}

/* Can a message alone take this move? */
static bool takes(const struct stepping *x, uint32_t message, const struct image_move *t)
{
	uint32_t pred = t->cond.terms[0].what;

	return bits_get(x->b->row[message], pred) != bits_get(x->b->none, pred);
}

/* Can a message alone take a move of any state without mark? */
static bool is_seen(const struct stepping *x, const uint64_t *row)
{
	for (size_t w = 0; w < x->pwords; w++)
		if (((row[w] ^ x->b->none[w]) & x->m->seen[w]) != 0)
			return true;
	return false;
}

/* Finds the messages that the machine sees. */
static void find_messages(struct stepping *x)
{
	for (uint32_t i = 0; i < x->b->n && x->n <= x->m->orders; i++)
		if (is_seen(x, x->b->row[i]))
			x->message[x->n++] = i;
}

/* Adds to a set the states that a message leads to from those of another set. */
static void add_after(const struct stepping *x, const uint64_t *from, uint32_t message,
		      uint64_t *to)
{
	const struct image_machine *m = x->m;

	for (size_t s = bits_next(from, m->nstates, 0); s < m->nstates;
	     s = bits_next(from, m->nstates, s + 1))
		for (uint32_t k = m->first_move[s]; k < m->first_move[s + 1]; k++) {
			const struct image_move *t = &m->moves[m->by_source[k]];

			if (takes(x, message, t))
				bits_set(to, t->to);
		}
}

static void clear_marked(const struct image_machine *m, uint64_t *set)
{
	for (uint32_t i = 0; i < m->marked.n; i++)
		set[m->marked.at[i] / 64] &= ~((uint64_t)1 << m->marked.at[i] % 64);
}

/* Returns the set after all messages, in every order, from sets[0] on. What leads to a marked state
 * ends there. */
static const uint64_t *after_all(const struct stepping *x, uint64_t *sets)
{
	uint32_t all = ((uint32_t)1 << x->n) - 1;

	memset(sets + x->words, 0, all * x->words * sizeof *sets);
	for (uint32_t some = 1; some <= all; some++) {
		for (uint32_t i = 0; i < x->n; i++)
			if ((some >> i & 1) != 0)
				add_after(x, sets + (some ^ (uint32_t)1 << i) * x->words,
					  x->message[i], sets + some * x->words);
		clear_marked(x->m, sets + some * x->words);
	}
	return sets + all * x->words;
}

static void add_set(const struct stepping *x, const uint64_t *set, uint64_t *after)
{
	for (size_t s = bits_next(set, x->m->nstates, 0); s < x->m->nstates;
	     s = bits_next(set, x->m->nstates, s + 1))
		bits_set(after, x->m->first_state + s);
}

/* Adds the start state, or what the messages lead to from it. */
static void begin_anew(const struct stepping *x, bool messages, uint64_t *sets, uint64_t *after)
{
	const uint64_t *set = sets;

	memset(sets, 0, x->words * sizeof *sets);
	bits_set(sets, x->m->start);
	if (messages)
		set = after_all(x, sets);
	if (!bits_any(set, x->words))
		bits_set(after, x->m->first_state + x->m->start);
	add_set(x, set, after);
}

/* Puts the active states into sets[0], but for the marked ones. Of these those with a transition are
 * added to `after`. */
static void take_active(const struct stepping *x, const uint64_t *active, uint64_t *sets,
			uint64_t *after)
{
	const struct image_machine *m = x->m;
	size_t end = m->first_state + m->nstates;

	memset(sets, 0, x->words * sizeof *sets);
	for (size_t s = bits_next(active, end, m->first_state); s < end;
	     s = bits_next(active, end, s + 1))
		bits_set(sets, s - m->first_state);
	for (uint32_t i = 0; i < m->marked.n; i++) {
		uint32_t s = m->marked.at[i];

		if (bits_get(sets, s) && m->first_move[s] != m->first_move[s + 1])
			bits_set(after, m->first_state + s);
	}
	clear_marked(m, sets);
}

void orders_step(const struct nfart_image *im, const struct image_machine *m,
		 const struct orders_batch *b, const uint64_t *active, uint64_t *after,
		 uint64_t *scratch)
{
	struct stepping x = { .m = m, .b = b, .words = bits_words(m->nstates),
			      .pwords = bits_words(im->nfa.npreds) };
	const uint64_t *set;

	find_messages(&x);
	take_active(&x, active, scratch, after);
	if (x.n > m->orders) {
		begin_anew(&x, false, scratch, after);
		return;
	}
	set = after_all(&x, scratch);
	add_set(&x, set, after);
	if (bits_any(set, x.words))
		return;
	for (uint32_t i = 0; i < m->marked.n; i++)
		bits_set(after, m->first_state + m->marked.at[i]);
	begin_anew(&x, true, scratch, after);
}
