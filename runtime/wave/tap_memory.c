/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "runtime/wave/tap_memory.h"

#include <stdlib.h>
#include <string.h>

static uint64_t mask(uint32_t bits)
{
	return bits >= 64 ? UINT64_MAX : ((uint64_t)1 << bits) - 1;
}

struct tap_queue_state *tap_memory_new(const struct tap_interface *x)
{
	struct tap_queue_state *q = calloc(x->nqueues + 1, sizeof *q);
	bool ok = q != NULL;

	/* What registers get has a place behind the queues. */
	for (uint32_t i = 0; i <= x->nqueues && ok; i++) {
		size_t n = i < x->nqueues ? x->queues[i].deep : x->nregisters + 1;
		q[i].entries = calloc(n, sizeof *q[i].entries);
		ok = q[i].entries != NULL;
	}
	if (ok)
		return q;
	tap_memory_free(q, x);
	return NULL;
}

void tap_memory_free(struct tap_queue_state *q, const struct tap_interface *x)
{
	for (uint32_t i = 0; q != NULL && i <= x->nqueues; i++)
		free(q[i].entries);
	free(q);
}

void tap_memory_clear(struct tap_queue_state *q, struct tap_code_state *s,
		      const struct tap_interface *x)
{
	for (uint32_t i = 0; i < x->nqueues; i++)
		q[i].n = 0;
	for (uint32_t i = 0; i < x->nregisters; i++) {
		uint32_t signal = x->registers[i].signal;
		s->value[s->place[signal]] = 0;
		s->known[s->place[signal]] = mask(x->signals[signal].bits);
	}
}

/* Evaluates a value and a key. */
static void evaluate(struct tap_code_state *s, const struct tap_interface *x,
		     const struct tap_expr *value, const struct tap_expr *key, bool has_key,
		     struct tap_entry *e)
{
	*e = (struct tap_entry){ .has_key = true };
	if (value != NULL) {
		tap_code_run(s, value);
		e->value = s->value[s->place[value->result]];
		e->known = s->known[s->place[value->result]];
	}
	if (!has_key)
		return;
	tap_code_run(s, key);
	e->key = s->value[s->place[key->result]];
	e->has_key = s->known[s->place[key->result]] == mask(tap_width(x, key->result));
}

static bool same_key(const struct tap_entry *a, const struct tap_entry *b)
{
	return a->has_key && b->has_key && a->key == b->key;
}

static void look(struct tap_queue_state *q, struct tap_code_state *s, const struct tap_interface *x,
		 const struct tap_queue *form)
{
	uint64_t all = mask(x->signals[form->signal].bits);
	uint32_t width = tap_width(x, form->put.result), at = s->place[form->signal],
		 there = s->place[form->signal + 1], i = 0;
	struct tap_entry wanted;
	const struct tap_entry *e;
	bool doubt = false, told; /* doubt: a value of an unknown key may be the wanted one */

	q->putting = tap_code_truth(s, &form->put_when);
	evaluate(s, x, NULL, &form->take_key, form->key_bits != 0, &wanted);
	if (q->putting != TAP_FALSE)
		evaluate(s, x, &form->put, &form->put_key, form->key_bits != 0, &q->next);
	q->next.known |= all & ~mask(width);
	for (; i < q->n && !same_key(&q->entries[i], &wanted); i++)
		doubt |= !q->entries[i].has_key;
	if (i == q->n && q->putting != TAP_FALSE)
		doubt |= !q->next.has_key;
	e = i < q->n ? &q->entries[i] : &q->next;
	if (i == q->n && (q->putting != TAP_TRUE || !same_key(&q->next, &wanted)))
		i = UINT32_MAX;
	told = wanted.has_key && !doubt && (i != UINT32_MAX || q->putting != TAP_UNTOLD);
	q->found = i;
	q->told = told;
	s->value[at] = i != UINT32_MAX ? e->value : 0;
	s->known[at] = !told ? 0 : i != UINT32_MAX ? e->known : all;
	s->value[there] = i != UINT32_MAX;
	s->known[there] = told;
}

void tap_memory_look(struct tap_queue_state *q, struct tap_code_state *s,
		     const struct tap_interface *x)
{
	for (uint32_t i = 0; i < x->nqueues; i++)
		look(&q[i], s, x, &x->queues[i]);
}

static void count(struct tap_queue_state *q, enum tap_queue_count what, uint64_t cycle)
{
	if (q->counts[what].n++ == 0)
		q->counts[what].first = cycle;
}

static void remove_entry(struct tap_queue_state *q, uint32_t i)
{
	memmove(&q->entries[i], &q->entries[i + 1], (q->n - i - 1) * sizeof *q->entries);
	q->n--;
}

/* Returns whether the queue changed, or something was counted: then the next sample must be looked
 * at, even if no signal changes. */
static bool step(struct tap_queue_state *q, struct tap_code_state *s, const struct tap_queue *form,
		 uint64_t cycle)
{
	enum tap_truth take = tap_code_truth(s, &form->take_when);
	bool put = q->putting == TAP_TRUE, changed = false;

	if (q->putting == TAP_UNTOLD || take == TAP_UNTOLD || (take == TAP_TRUE && !q->told)) {
		count(q, TAP_QUEUE_UNTOLD, cycle);
		changed = true;
	}
	if (take == TAP_TRUE && q->found == UINT32_MAX) {
		if (q->told)
			count(q, TAP_QUEUE_EMPTY, cycle);
		changed = true;
	} else if (take == TAP_TRUE && q->found == q->n) {
		put = false;
	} else if (take == TAP_TRUE) {
		remove_entry(q, q->found);
		changed = true;
	}
	if (!put)
		return changed;
	if (q->n == form->deep) {
		count(q, TAP_QUEUE_FULL, cycle);
		remove_entry(q, 0);
	}
	q->entries[q->n++] = q->next;
	return true;
}

bool tap_memory_step(struct tap_queue_state *q, struct tap_code_state *s,
		     const struct tap_interface *x, uint64_t cycle)
{
	bool changed = false;

	for (uint32_t i = 0; i < x->nqueues; i++)
		changed |= step(&q[i], s, &x->queues[i], cycle);
	/* Registers change together, after all of their expressions. The result of one that is a
	 * name alone is the register of that signal, so results are put aside. */
	for (uint32_t i = 0; i < x->nregisters; i++) {
		const struct tap_expr *e = &x->registers[i].next;
		tap_code_run(s, e);
		q[x->nqueues].entries[i].value = s->value[s->place[e->result]];
		q[x->nqueues].entries[i].known = s->known[s->place[e->result]];
	}
	for (uint32_t i = 0; i < x->nregisters; i++) {
		const struct tap_register *r = &x->registers[i];
		const struct tap_entry *e = &q[x->nqueues].entries[i];
		uint64_t all = mask(x->signals[r->signal].bits),
			 known = e->known | (all & ~mask(tap_width(x, r->next.result)));
		uint32_t at = s->place[r->signal];
		changed |= s->value[at] != e->value || s->known[at] != known;
		s->value[at] = e->value;
		s->known[at] = known;
	}
	return changed;
}
