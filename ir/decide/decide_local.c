/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Builds a local automaton (decide_int.h, struct local): what matters to one question in both NFAs.
 * A search goes backward from the outputs of the targets and, for configurations, from the ports of
 * every counter on the way. What no stream reaches is left out. The remaining states are numbered
 * anew, and each transition leads to all states that epsilon transitions reach from its end.
 */
#include "ir/decide/decide_int.h"

enum { MOST_LIST = 1 << 26 };

struct build {
	struct decider *d;
	const struct decide_target *t;
	bool free_bits;
	struct local *l;
	/* for each side, [counters]: the counter matters to the question */
	bool *relevant[2];
	VEC(uint32_t) found[2];        /* for each side: the states that are marked as useful */
	VEC(uint32_t) todo;
	VEC(uint32_t) seen;            /* the states visited by close_list() */
	bool failed;
};

static bool has_label(const struct nfa *a, uint32_t state, uint32_t label)
{
	const struct labelset *l = &a->labelsets.at[a->states.at[state].labels];

	for (uint32_t i = 0; i < l->n; i++)
		if (l->labels[i] == label)
			return true;
	return false;
}

/* Does the state accept for the target? */
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

static void local_push(struct build *b, uint32_t state)
{
	if (!vec_push(&b->todo, state))
		b->failed = true;
}

static void local_use(struct build *b, int side, uint32_t state)
{
	bool *useful = &b->d->side[side].useful[state];

	if (*useful)
		return;
	if (!vec_push(&b->found[side], state)) {
		b->failed = true;
		return;
	}
	*useful = true;
	local_push(b, state);
}

/* Marks all states with the label or port as useful. */
static void use_label(struct build *b, int side, uint32_t label)
{
	const struct side *s = &b->d->side[side];

	for (uint32_t i = s->label_first[label]; i < s->label_first[label + 1]; i++)
		local_use(b, side, s->label_state[i]);
}

/* Marks the states that accept for the target of the side as useful. */
static void use_outputs(struct build *b, int side)
{
	const struct side *s = &b->d->side[side];
	const struct decide_target *t = &b->t[side];

	switch (t->kind) {
	case DECIDE_LABEL:
		use_label(b, side, t->label);
		break;
	case DECIDE_ANY_LABEL:
		for (uint32_t l = 0; l < s->a->spec->labels.n; l++)
			use_label(b, side, l);
		break;
	case DECIDE_LOG:
		for (uint32_t q = 0; q < s->n - 1; q++)
			if (s->a->states.at[q].log)
				local_use(b, side, q);
		break;
	case DECIDE_EVERYTHING:
		local_use(b, side, s->n - 1);
		break;
	case DECIDE_NOTHING:
		break;
	}
}

/* Does the state have a port of a counter c with fresh[c]? */
static bool has_port(const struct nfa *a, uint32_t state, const bool *fresh)
{
	const struct labelset *l = &a->labelsets.at[a->states.at[state].labels];

	for (uint32_t i = nfa_nlabels(a, a->states.at[state].labels); i < l->n; i++)
		if (fresh[nfa_port_counter(a, l->labels[i])])
			return true;
	return false;
}

/* Marks the useful states of a side: those that accept, and backward over all transitions those
 * that lead to them. With `follow_ports`, a counter on the way makes the states with its ports
 * useful as well. False: at the limit, or out of memory. */
static bool find_useful(struct build *b, int side, bool follow_ports)
{
	const struct side *s = &b->d->side[side];
	uint64_t done = 1;

	use_outputs(b, side);
	while (b->todo.n != 0 && !b->failed) {
		uint32_t q = b->todo.at[--b->todo.n];
		if (q < s->n - 1 && s->a->states.at[q].kind == NFA_COUNTER) {
			uint32_t c = s->a->states.at[q].counter;
			b->relevant[side][c] = true;
			for (int reset = 0; reset < 2 && follow_ports; reset++)
				use_label(b, side, nfa_port(s->a, c, reset != 0));
		}
		for (uint32_t i = s->in_first[q]; i < s->in_first[q + 1]; i++)
			local_use(b, side, s->in[i]);
		done += 1 + s->in_first[q + 1] - s->in_first[q];
	}
	return b->failed ? decide_no_memory(b->d) : decide_spend(b->d, done);
}

/* Does the state get a number in the local automaton? It does if a stream reaches it and it
 * accepts, has a port of a counter that matters (for configurations), or has a transition that
 * consumes a batch. */
static bool is_kept(const struct build *b, int side, uint32_t q)
{
	const struct side *s = &b->d->side[side];

	if (!s->reached[q])
		return false;
	if (is_output(s, q, &b->t[side]) ||
	    (!b->free_bits && q < s->n - 1 && has_port(s->a, q, b->relevant[side])))
		return true;
	for (uint32_t i = s->first[q]; i < s->first[q + 1]; i++)
		if (s->out[i].lit != LIT_EPS && s->useful[s->out[i].to])
			return true;
	return false;
}

/* Appends to l->list the numbers of all states that epsilon transitions reach from the states in
 * b->todo, these included: they become list[*at … *at + *n). All of them are useful. During the
 * walk a visited state has useful[] switched off. False: at the limit, or out of memory. */
static bool close_list(struct build *b, int side, uint32_t *at, uint32_t *n)
{
	const struct side *s = &b->d->side[side];
	uint64_t done = b->todo.n;

	*at = (uint32_t)b->l->list.n;
	b->seen.n = 0;
	for (size_t i = 0; i < b->todo.n && !b->failed; i++) {
		b->failed = !vec_push(&b->seen, b->todo.at[i]);
		s->useful[b->todo.at[i]] = false;
	}
	while (b->todo.n != 0 && !b->failed) {
		uint32_t q = b->todo.at[--b->todo.n];
		if (s->number[q] != UINT32_MAX && !vec_push(&b->l->list, s->number[q]))
			b->failed = true;
		for (uint32_t i = s->first[q]; i < s->first[q + 1] && !b->failed; i++) {
			uint32_t to = s->out[i].to;
			done++;
			if (s->out[i].lit != LIT_EPS || !s->useful[to])
				continue;
			b->failed = !vec_push(&b->seen, to);
			s->useful[to] = false;
			local_push(b, to);
		}
	}
	for (size_t i = 0; i < b->seen.n; i++)
		s->useful[b->seen.at[i]] = true;
	*n = (uint32_t)(b->l->list.n - *at);
	if (b->failed)
		return decide_no_memory(b->d);
	if (b->l->list.n > MOST_LIST)
		b->d->effort.state = DECIDE_AT_LIMIT;
	return decide_spend(b->d, done);
}

static bool add_moves(struct build *b, int side, uint32_t q)
{
	const struct side *s = &b->d->side[side];

	for (uint32_t i = s->first[q]; i < s->first[q + 1]; i++) {
		const struct side_edge *e = &s->out[i];
		struct move m = { .lit = e->lit };
		bool by_bit = e->lit < LIT_NEVER && e->lit / 2 >= b->d->letters.natoms;
		if (e->lit == LIT_EPS || !s->useful[e->to] || (by_bit && !b->free_bits))
			continue;
		local_push(b, e->to);
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
	uint32_t n = s->number[q];

	b->l->first[n] = (uint32_t)b->l->moves.n;
	b->l->port_first[n] = (uint32_t)b->l->ports.n;
	b->l->accepts[n] = is_output(s, q, &b->t[side]);
	return add_moves(b, side, q) && (b->free_bits || q == s->n - 1 || add_ports(b, side, q));
}

/* Adds the counters that matter and the states that they activate, for configurations. False: at
 * the limit, or out of memory. */
static bool add_counters(struct build *b, int side)
{
	const struct side *s = &b->d->side[side];

	for (uint32_t c = 0; c < s->a->counters.n; c++) {
		const struct nfa_counter *k = &s->a->counters.at[c];
		struct local_counter x = { (uint32_t)side, c, k->k, k->mode, 0, 0 };
		if (!b->relevant[side][c])
			continue;
		local_push(b, s->counter[c]);
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

	for (size_t i = 0; i < b->found[side].n; i++) {
		uint32_t q = b->found[side].at[i];
		if (q == s->n - 1 || s->a->states.at[q].start)
			local_push(b, q);
	}
	if (!close_list(b, side, &at, &n))
		return false;
	for (uint32_t i = 0; i < n; i++)
		if (!vec_push(&b->l->start[side], b->l->list.at[at + i]))
			return decide_no_memory(b->d);
	return true;
}

static bool local_allocate(struct build *b)
{
	for (int k = 0; k < 2; k++) {
		b->relevant[k] = calloc(b->d->side[k].a->counters.n + 1, 1);
		if (b->relevant[k] == NULL)
			return decide_no_memory(b->d);
	}
	return decide_spend(b->d, 1);
}

static void local_release(struct build *b)
{
	for (int k = 0; k < 2; k++) {
		for (size_t i = 0; i < b->found[k].n; i++) {
			b->d->side[k].useful[b->found[k].at[i]] = false;
			b->d->side[k].number[b->found[k].at[i]] = UINT32_MAX;
		}
		free(b->relevant[k]);
		vec_free(&b->found[k]);
	}
	vec_free(&b->todo);
	vec_free(&b->seen);
}

static bool number_states(struct build *b)
{
	struct local *l = b->l;

	for (int k = 0; k < 2; k++) {
		l->left = l->n;
		for (size_t i = 0; i < b->found[k].n; i++)
			if (is_kept(b, k, b->found[k].at[i]))
				b->d->side[k].number[b->found[k].at[i]] = l->n++;
	}
	l->first = calloc((size_t)l->n + 1, sizeof *l->first);
	l->port_first = calloc((size_t)l->n + 1, sizeof *l->port_first);
	l->accepts = calloc((size_t)l->n + 1, 1);
	return l->first != NULL && l->port_first != NULL && l->accepts != NULL
		       ? true
		       : decide_no_memory(b->d);
}

bool local_build(struct decider *d, const struct decide_target t[2], bool free_bits,
		 struct local *l)
{
	struct build b = { .d = d, .t = t, .free_bits = free_bits, .l = l };
	bool ok;

	memset(l, 0, sizeof *l);
	ok = local_allocate(&b) && find_useful(&b, 0, !free_bits) &&
	     find_useful(&b, 1, !free_bits) && number_states(&b);
	for (int k = 0; k < 2 && ok && !free_bits; k++)
		ok = add_counters(&b, k);
	for (int k = 0; k < 2 && ok; k++) {
		for (size_t i = 0; i < b.found[k].n && ok; i++)
			if (d->side[k].number[b.found[k].at[i]] != UINT32_MAX)
				ok = add_state(&b, k, b.found[k].at[i]);
		ok = ok && add_start(&b, k);
	}
	if (ok) {
		l->first[l->n] = (uint32_t)l->moves.n;
		l->port_first[l->n] = (uint32_t)l->ports.n;
	}
	local_release(&b);
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

	if (local_allocate(&b) && find_useful(&b, side, false)) {
		out = b.relevant[side];
		b.relevant[side] = NULL;
	}
	local_release(&b);
	return out;
}
