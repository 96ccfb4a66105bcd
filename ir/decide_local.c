/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * What of both NFAs matters to one question (decide_int.h): a search backwards from the targets (and,
 * with configurations, from the ports of every counter found on the way), cut with what any stream
 * reaches; the rest numbered anew, each transition with what epsilon transitions make of its end.
 */
#include "ir/decide_int.h"

struct build {
	struct decider *d;
	const struct decide_target *t;
	bool free_bits;
	struct local *l;
	bool *useful[2], *relevant[2]; /* [states], [counters] of each side */
	uint32_t *number[2];           /* [states]: their number, UINT32_MAX: none */
	uint32_t *todo;
	size_t ntodo;
	uint32_t *seen, stamp;         /* [states]: for walking epsilon */
};

static bool has_label(const struct nfa *a, uint32_t state, uint32_t label)
{
	const struct labelset *l = &a->labelsets.at[a->states.at[state].labels];

	for (uint32_t i = 0; i < l->n; i++)
		if (l->labels[i] == label)
			return true;
	return false;
}

/* Is the state an output for the target? */
static bool is_output(const struct side *s, uint32_t state, const struct decide_target *t)
{
	bool top = state == s->n - 1;

	switch (t->kind) {
	case DECIDE_LABEL:
		return !top && has_label(s->a, state, t->label);
	case DECIDE_ANY_LABEL:
		return !top && nfa_nlabels(s->a, s->a->states.at[state].labels) != 0;
	case DECIDE_LOG:
		return !top && s->a->states.at[state].log;
	case DECIDE_EVERYTHING:
		return top;
	case DECIDE_NOTHING:
		break;
	}
	return false;
}

static void use(struct build *b, int side, uint32_t state)
{
	if (!b->useful[side][state]) {
		b->useful[side][state] = true;
		b->todo[b->ntodo++] = state;
	}
}

/* Does the state have a port of a counter of which `fresh` says that it was just found to matter? */
static bool has_port(const struct nfa *a, uint32_t state, const bool *fresh)
{
	const struct labelset *l = &a->labelsets.at[a->states.at[state].labels];

	for (uint32_t i = nfa_nlabels(a, a->states.at[state].labels); i < l->n; i++)
		if (fresh[nfa_port_counter(a, l->labels[i])])
			return true;
	return false;
}

/* Backwards over all transitions from what is on the list; marks the counters that it meets. */
static void backwards(struct build *b, int side, bool *fresh)
{
	const struct side *s = &b->d->side[side];

	while (b->ntodo != 0) {
		uint32_t q = b->todo[--b->ntodo];
		if (q < s->n - 1 && s->a->states.at[q].kind == NFA_COUNTER) {
			uint32_t c = s->a->states.at[q].counter;
			if (!b->relevant[side][c])
				fresh[c] = true;
			b->relevant[side][c] = true;
		}
		for (uint32_t i = s->in_first[q]; i < s->in_first[q + 1]; i++)
			use(b, side, s->in[i]);
	}
}

static bool find_useful(struct build *b, int side, bool follow_ports)
{
	const struct side *s = &b->d->side[side];
	size_t nc = s->a->counters.n;
	bool *fresh = calloc(nc + 1, 1), *now = calloc(nc + 1, 1);
	bool more = true, ok = fresh != NULL && now != NULL;

	for (uint32_t q = 0; ok && q < s->n; q++)
		if (is_output(s, q, &b->t[side]))
			use(b, side, q);
	while (ok && more) {
		backwards(b, side, fresh);
		more = follow_ports && memchr(fresh, 1, nc) != NULL;
		memcpy(now, fresh, nc);
		memset(fresh, 0, nc);
		for (uint32_t q = 0; more && q < s->n - 1; q++)
			if (has_port(s->a, q, now))
				use(b, side, q);
		ok = decide_spend(b->d, s->n);
	}
	free(fresh);
	free(now);
	return ok || (b->d->state == DECIDE_RUNS && decide_no_memory(b->d));
}

/* Is it worth a number: does it count, or lead on by a batch? */
static bool is_kept(const struct build *b, int side, uint32_t q)
{
	const struct side *s = &b->d->side[side];

	if (!b->useful[side][q] || !s->reached[q])
		return false;
	if (is_output(s, q, &b->t[side]) ||
	    (!b->free_bits && q < s->n - 1 && has_port(s->a, q, b->relevant[side])))
		return true;
	for (uint32_t i = s->first[q]; i < s->first[q + 1]; i++)
		if (s->out[i].lit != LIT_EPS && b->useful[side][s->out[i].to])
			return true;
	return false;
}

/* Appends to l->list the numbers of what epsilon transitions reach from the states on the list. */
static bool close_list(struct build *b, int side, uint32_t *at, uint32_t *n)
{
	const struct side *s = &b->d->side[side];
	size_t done = b->ntodo;

	*at = (uint32_t)b->l->list.n;
	for (size_t i = 0; i < b->ntodo; i++)
		b->seen[b->todo[i]] = b->stamp;
	while (b->ntodo != 0) {
		uint32_t q = b->todo[--b->ntodo];
		if (b->number[side][q] != UINT32_MAX && !vec_push(&b->l->list, b->number[side][q]))
			return decide_no_memory(b->d);
		for (uint32_t i = s->first[q]; i < s->first[q + 1]; i++) {
			uint32_t to = s->out[i].to;
			done++;
			if (s->out[i].lit != LIT_EPS || !b->useful[side][to] ||
			    b->seen[to] == b->stamp)
				continue;
			b->seen[to] = b->stamp;
			b->todo[b->ntodo++] = to;
		}
	}
	b->stamp++;
	*n = (uint32_t)(b->l->list.n - *at);
	if (b->l->list.n > UINT32_MAX / 4)
		b->d->state = DECIDE_AT_LIMIT;
	return decide_spend(b->d, done);
}

static bool add_moves(struct build *b, int side, uint32_t q)
{
	const struct side *s = &b->d->side[side];

	for (uint32_t i = s->first[q]; i < s->first[q + 1]; i++) {
		const struct side_edge *e = &s->out[i];
		struct move m = { .lit = e->lit };
		bool by_bit = e->lit < LIT_NEVER && e->lit / 2 >= b->d->natoms;
		if (e->lit == LIT_EPS || !b->useful[side][e->to] || (by_bit && !b->free_bits))
			continue;
		b->todo[b->ntodo++] = e->to;
		if (!close_list(b, side, &m.at, &m.n))
			return false;
		if (m.n != 0 && !vec_push(&b->l->moves, m))
			return decide_no_memory(b->d);
	}
	return true;
}

static bool add_ports(struct build *b, int side, uint32_t q)
{
	const struct nfa *a = b->d->side[side].a;
	const struct labelset *l = &a->labelsets.at[a->states.at[q].labels];

	for (uint32_t i = nfa_nlabels(a, a->states.at[q].labels); i < l->n; i++)
		for (uint32_t c = 0; c < b->l->counters.n; c++) {
			const struct local_counter *k = &b->l->counters.at[c];
			if (k->side == (uint32_t)side &&
			    k->counter == nfa_port_counter(a, l->labels[i]) &&
			    !vec_push(&b->l->ports, 2 * c + nfa_port_resets(a, l->labels[i])))
				return decide_no_memory(b->d);
		}
	return true;
}

static bool add_state(struct build *b, int side, uint32_t q)
{
	const struct side *s = &b->d->side[side];
	uint32_t n = b->number[side][q];

	b->l->first[n] = (uint32_t)b->l->moves.n;
	b->l->port_first[n] = (uint32_t)b->l->ports.n;
	b->l->accepts[n] = is_output(s, q, &b->t[side]);
	return add_moves(b, side, q) && (b->free_bits || q == s->n - 1 || add_ports(b, side, q));
}

/* The counters that configurations count, with what they make active. */
static bool add_counters(struct build *b, int side)
{
	const struct side *s = &b->d->side[side];

	for (uint32_t c = 0; c < s->a->counters.n; c++) {
		const struct nfa_counter *k = &s->a->counters.at[c];
		struct local_counter x = { (uint32_t)side, c, k->k, k->mode, 0, 0 };
		if (!b->relevant[side][c])
			continue;
		b->todo[b->ntodo++] = s->counter[c];
		if (!close_list(b, side, &x.at, &x.n))
			return false;
		if (!vec_push(&b->l->counters, x))
			return decide_no_memory(b->d);
	}
	if (side == 0)
		b->l->nleft = (uint32_t)b->l->counters.n;
	return true;
}

static bool add_start(struct build *b, int side)
{
	const struct side *s = &b->d->side[side];
	uint32_t at, n;

	for (uint32_t q = 0; q < s->n; q++)
		if (b->useful[side][q] && (q == s->n - 1 || s->a->states.at[q].start))
			b->todo[b->ntodo++] = q;
	if (!close_list(b, side, &at, &n))
		return false;
	for (uint32_t i = 0; i < n; i++)
		if (!vec_push(&b->l->start[side], b->l->list.at[at + i]))
			return decide_no_memory(b->d);
	return true;
}

static bool allocate(struct build *b)
{
	size_t most = 0;

	for (int k = 0; k < 2; k++) {
		size_t n = b->d->side[k].n;
		most = n > most ? n : most;
		b->useful[k] = calloc(n + 1, 1);
		b->relevant[k] = calloc(b->d->side[k].a->counters.n + 1, 1);
		b->number[k] = malloc((n + 1) * sizeof *b->number[k]);
		if (b->useful[k] == NULL || b->relevant[k] == NULL || b->number[k] == NULL)
			return decide_no_memory(b->d);
	}
	b->todo = malloc((most + 1) * sizeof *b->todo);
	b->seen = calloc(most + 1, sizeof *b->seen);
	b->stamp = 1;
	return b->todo != NULL && b->seen != NULL ? decide_spend(b->d, most / 4)
						  : decide_no_memory(b->d);
}

static void release(struct build *b)
{
	for (int k = 0; k < 2; k++) {
		free(b->useful[k]);
		free(b->relevant[k]);
		free(b->number[k]);
	}
	free(b->todo);
	free(b->seen);
}

static bool number_states(struct build *b)
{
	struct local *l = b->l;

	for (int k = 0; k < 2; k++)
		for (uint32_t q = 0; q < b->d->side[k].n; q++)
			b->number[k][q] = is_kept(b, k, q) ? l->n++ : UINT32_MAX;
	l->first = calloc((size_t)l->n + 1, sizeof *l->first);
	l->port_first = calloc((size_t)l->n + 1, sizeof *l->port_first);
	l->accepts = calloc((size_t)l->n + 1, 1);
	return l->first != NULL && l->port_first != NULL && l->accepts != NULL ? true
									       : decide_no_memory(b->d);
}

bool local_build(struct decider *d, const struct decide_target t[2], bool free_bits, struct local *l)
{
	struct build b = { .d = d, .t = t, .free_bits = free_bits, .l = l };
	bool ok;

	memset(l, 0, sizeof *l);
	ok = allocate(&b) && find_useful(&b, 0, !free_bits) && find_useful(&b, 1, !free_bits) &&
	     number_states(&b);
	for (int k = 0; k < 2 && ok && !free_bits; k++)
		ok = add_counters(&b, k);
	for (int k = 0; k < 2 && ok; k++) {
		for (uint32_t q = 0; q < d->side[k].n && ok; q++)
			if (b.number[k][q] != UINT32_MAX)
				ok = add_state(&b, k, q);
		ok = ok && add_start(&b, k);
	}
	if (ok) {
		l->first[l->n] = (uint32_t)l->moves.n;
		l->port_first[l->n] = (uint32_t)l->ports.n;
	}
	release(&b);
	return ok;
}

void local_free(struct local *l)
{
	free(l->first);
	vec_free(&l->moves);
	vec_free(&l->list);
	free(l->accepts);
	free(l->port_first);
	vec_free(&l->ports);
	vec_free(&l->counters);
	vec_free(&l->start[0]);
	vec_free(&l->start[1]);
}

bool *local_counters(struct decider *d, int side, const struct decide_target *t)
{
	struct decide_target both[2] = { *t, *t };
	struct build b = { .d = d, .t = both, .free_bits = true };
	bool *out = NULL;

	if (allocate(&b) && find_useful(&b, side, false)) {
		out = b.relevant[side];
		b.relevant[side] = NULL;
	}
	release(&b);
	return out;
}
