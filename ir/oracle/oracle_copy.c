/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "ir/oracle/oracle_copy.h"

#include <string.h>

/*
 * A set of prefixes 0 … n takes `words` words; prefix i + 1 ends with seen[i].
 *
 * `from` and `to` hold a set for each node: the start set of its last evaluation, and the ends that
 * it gave. Results are kept there, and they serve as a memo. A zeroed pair is right from the
 * beginning: where no match begins, none ends. Evaluating a node again replaces its pair.
 */
struct copy {
	const struct spec *spec;
	const struct oracle_sight *seen; /* [n]: the batches */
	size_t n, words;
	struct arena arena;
	uint64_t *origin;                /* the set {0} */
	uint64_t *from, *to;             /* [nodes * words]: the memo, see above */
	/* [counters * words]: the prefixes after which a counter is active */
	uint64_t *active;
	uint64_t *labels;                /* [n * label_words]: the result, labels by batch */
	size_t label_words;
	bool *logged;                    /* [n]: the result, is the batch logged? */
};

static bool holds(const struct copy *c, pred_id_t id, const struct oracle_sight *x)
{
	const struct nfart_proto *proto = c->spec->proto;
	const struct pred *p = &c->spec->preds.preds.at[id];
	bool hit = false;

	for (uint32_t slot = 0; slot < proto->nslots; slot++)
		if (x->slots >> slot & 1 &&
		    bits_get(p->ops, proto_code(proto, slot, x->batch->header[slot])))
			hit = true;
	return p->none ? !hit : hit;
}

/* ---- expressions ---------------------------------------------------------------------------- */

static const uint64_t *ends(struct copy *c, rx_id_t e, const uint64_t *start);

static void copy_set(const struct copy *c, uint64_t *set, const uint64_t *from)
{
	memcpy(set, from, c->words * sizeof *set);
}

static void unite(const struct copy *c, uint64_t *set, const uint64_t *with)
{
	for (size_t i = 0; i < c->words; i++)
		set[i] |= with[i];
}

static bool same(const struct copy *c, const uint64_t *x, const uint64_t *y)
{
	return memcmp(x, y, c->words * sizeof *x) == 0;
}

/* Replaces *set by the ends of one more match of the body that begins at a prefix in *set. False:
 * that changes nothing. */
static bool once_more(struct copy *c, rx_id_t body, const uint64_t **set)
{
	*set = ends(c, body, *set);
	return !same(c, c->from + body * c->words, *set);
}

/* Computes into `to` the ends of lo … hi matches of the body. If one more match leaves the set as
 * it is, so do all further ones. This happens after at most n + 2 matches. If the body can be
 * empty, sets only grow; else their smallest prefix rises until nothing is left. */
static void repeat(struct copy *c, const struct rx *x, const uint64_t *start, uint64_t *to)
{
	const uint64_t *set = start;
	uint32_t i = 0;

	while (i < x->lo && once_more(c, x->sub[0], &set))
		i++;
	copy_set(c, to, set);
	for (i = x->lo; i < x->hi && once_more(c, x->sub[0], &set); i++)
		unite(c, to, set);
}

/* Returns the prefixes that end a match of e begun at a prefix in `start`. The result lives until e
 * is evaluated again, which may be as a part of another expression. */
static const uint64_t *ends(struct copy *c, rx_id_t e, const uint64_t *start)
{
	const struct rx *x = &c->spec->nodes.at[e];
	uint64_t *from = c->from + e * c->words, *to = c->to + e * c->words;
	const uint64_t *set = from;

	if (same(c, from, start))
		return to;
	copy_set(c, from, start);
	memset(to, 0, c->words * sizeof *to);
	switch (x->kind) {
	case RX_EPS:
		copy_set(c, to, from);
		break;
	case RX_PRED:
		for (size_t i = 0; i < c->n; i++)
			if (bits_get(from, i) && holds(c, x->pred, &c->seen[i]))
				bits_set(to, i + 1);
		break;
	case RX_CAT:
		for (uint32_t i = 0; i < x->n; i++)
			set = ends(c, x->sub[i], set);
		copy_set(c, to, set);
		break;
	case RX_ALT:
		for (uint32_t i = 0; i < x->n; i++)
			unite(c, to, ends(c, x->sub[i], from));
		break;
	case RX_REP:
		repeat(c, x, from, to);
		break;
	case RX_COUNTER: /* @NAME stands only where an expression begins: at prefix 0 */
		if (bits_get(from, 0))
			copy_set(c, to, c->active + x->counter * c->words);
		break;
	}
	return to;
}

/* ---- counters, filters, log ----------------------------------------------------------------- */

/* Fills in the counter's set of active prefixes. The sets of earlier counters are filled in
 * already. False: out of memory. */
static bool run_counter(struct copy *c, size_t index)
{
	const struct spec_counter *k = &c->spec->counters.at[index];
	uint64_t *active = c->active + index * c->words;
	uint64_t *up = arena_array(&c->arena, c->words, sizeof *up);
	uint64_t *zero = arena_array(&c->arena, c->words, sizeof *zero);
	uint32_t count = 0;

	if (up == NULL || zero == NULL)
		return false;
	copy_set(c, up, ends(c, k->count, c->origin));
	if (k->reset != RX_NONE)
		copy_set(c, zero, ends(c, k->reset, c->origin));
	for (size_t i = 1; i <= c->n; i++) {
		uint32_t before = count;
		bool reached;

		if (bits_get(zero, i))
			count = 0;
		else if (bits_get(up, i) && count < k->k)
			count++;
		reached = count == k->k && before != k->k;
		if (k->mode == COUNTER_LATCH ? count == k->k : reached)
			bits_set(active, i);
		if (k->mode == COUNTER_ROLL && reached)
			count = 0;
	}
	return true;
}

static void run_filters(struct copy *c)
{
	const struct spec *s = c->spec;

	for (size_t f = 0; f < s->filters.n; f++) {
		const uint64_t *set = ends(c, s->filters.at[f].rx, c->origin);

		for (size_t i = 0; i < c->n; i++)
			if (bits_get(set, i + 1))
				bits_set(c->labels + i * c->label_words, s->filters.at[f].label);
	}
	if (s->log != RX_NONE) {
		const uint64_t *set = ends(c, s->log, c->origin);

		for (size_t i = 0; i < c->n; i++)
			c->logged[i] = c->logged[i] || bits_get(set, i + 1);
	}
}

/* ---- automata ------------------------------------------------------------------------------- */

/* Adds every state that epsilon transitions lead to from states in the set. */
static void close_states(const struct spec_automaton *a, bool *set)
{
	for (bool more = true; more;) {
		more = false;
		for (size_t i = 0; i < a->edges.n; i++) {
			const struct spec_edge *e = &a->edges.at[i];

			if (e->pred == PRED_EPS && set[e->from] && !set[e->to])
				set[e->to] = more = true;
		}
	}
}

/* Makes `next` the states that are active after batch x, if those of `now` were active before
 * it. */
static void step(const struct copy *c, const struct spec_automaton *a,
		 const struct oracle_sight *x, const bool *now, bool *next)
{
	memset(next, 0, a->states.n * sizeof *next);
	for (size_t i = 0; i < a->edges.n; i++) {
		const struct spec_edge *e = &a->edges.at[i];

		if (e->pred != PRED_EPS && now[e->from] && holds(c, e->pred, x))
			next[e->to] = true;
	}
	close_states(a, next);
}

static bool run_automaton(struct copy *c, const struct spec_automaton *a)
{
	bool *now = arena_array(&c->arena, a->states.n, sizeof *now);
	bool *next = arena_array(&c->arena, a->states.n, sizeof *next);

	if (now == NULL || next == NULL)
		return false;
	for (size_t q = 0; q < a->states.n; q++)
		now[q] = a->states.at[q].start;
	close_states(a, now);
	for (size_t i = 0; i < c->n; i++) {
		bool *before = now;

		step(c, a, &c->seen[i], now, next);
		now = next;
		next = before;
		for (size_t q = 0; q < a->states.n; q++) {
			const struct spec_state *x = &a->states.at[q];

			for (uint32_t l = 0; now[q] && l < x->nlabels; l++)
				bits_set(c->labels + i * c->label_words, x->labels[l]);
			c->logged[i] = c->logged[i] || (now[q] && x->log);
		}
	}
	return true;
}

/* ---- the copy ------------------------------------------------------------------------------- */

static bool allocate(struct copy *c)
{
	size_t set = c->words * sizeof(uint64_t);

	c->origin = arena_array(&c->arena, 1, set);
	c->from = arena_array(&c->arena, c->spec->nodes.n, set);
	c->to = arena_array(&c->arena, c->spec->nodes.n, set);
	c->active = arena_array(&c->arena, c->spec->counters.n, set);
	return c->origin != NULL && c->from != NULL && c->to != NULL && c->active != NULL;
}

bool oracle_copy_run(const struct spec *s, const struct oracle_sight *seen, size_t n,
		     uint64_t *labels, size_t label_words, bool *logged)
{
	struct copy c = { .spec = s, .seen = seen, .n = n, .words = bits_words(n + 1),
			  .labels = labels, .label_words = label_words, .logged = logged };
	bool ok = allocate(&c);

	if (ok)
		bits_set(c.origin, 0);
	for (size_t i = 0; ok && i < s->counters.n && !s->counters.at[i].made; i++)
		ok = run_counter(&c, i);
	if (ok)
		run_filters(&c);
	for (size_t i = 0; ok && i < s->automata.n; i++)
		ok = run_automaton(&c, &s->automata.at[i]);
	arena_free(&c.arena);
	return ok;
}
