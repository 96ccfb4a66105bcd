/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Note [construction]. Every expression becomes a fragment with one entering and one leaving state.
 * Fragments are joined by epsilon transitions as in T figure 6:
 *
 *   predicate   in -p-> out                                     2 states, 1 transition
 *   X Y         X.out -> Y.in                                   + 1 transition
 *   X | Y       in -> X.in, Y.in;  X.out, Y.out -> out          + 2 states, 4 transitions
 *   X*          s -> X.in, X.out -> s;  in = out = s            + 1 state, 2 transitions
 *   X+          as X*, but entered at X.in
 *   X{n,m}      X … X, then m-n nested optional copies (X (X …)?)?, each with a way out
 *   @NAME       the counter's state -> out; nothing leaves in
 *
 * A fragment may have transitions into its entering state and out of its leaving state. This is why
 * fragments are joined by epsilon transitions and never by merging states. Nested optional copies
 * keep the number of transitions linear, also after epsilon removal; X? X? X? would make it
 * quadratic.
 */
#include "ir/build.h"

#include <string.h>

enum { NO_STATE = UINT32_MAX };

/* A node of the expression that is being built. `done` says how many of its operands or copies are
 * in its fragment. */
struct frame {
	rx_id_t id;
	bool begun;
	uint32_t done;
	nfa_state_t in, out; /* the ends of the fragment so far; NO_STATE: there is none yet */
	nfa_state_t exit;    /* of X{n,m}: the state to which every optional copy has a way out */
};

struct build {
	struct nfa *a;
	const struct spec *s;
	VEC(struct frame) stack;
	nfa_state_t in, out; /* the ends of the fragment of the node that was finished last */
	nfa_state_t *counter; /* [counters]: the state of each counter */
	bool failed;
};

static nfa_state_t build_state(struct build *b, struct diag_range range)
{
	struct nfa_state q = { .kind = NFA_STE, .pred = PRED_NONE, .range = range };
	nfa_state_t id = nfa_add_state(b->a, q);

	if (id == UINT32_MAX)
		b->failed = true;
	return id;
}

static void build_edge(struct build *b, nfa_state_t from, nfa_state_t to, pred_id_t p)
{
	if (!b->failed && !nfa_add_edge(b->a, from, to, p))
		b->failed = true;
}

static void build_push(struct build *b, rx_id_t id)
{
	struct frame f = { .id = id, .in = NO_STATE, .out = NO_STATE, .exit = NO_STATE };

	if (!vec_push(&b->stack, f))
		b->failed = true;
}

/* Finishes the node on top of the stack. Its fragment is (in, out). */
static void pop(struct build *b, nfa_state_t in, nfa_state_t out)
{
	b->in = in;
	b->out = out;
	b->stack.n--;
}

static void leaf(struct build *b, const struct rx *x, pred_id_t p)
{
	nfa_state_t in = build_state(b, x->range), out = build_state(b, x->range);

	if (!b->failed)
		b->a->states.at[in].leaf = true;
	build_edge(b, in, out, p);
	pop(b, in, out);
}

/* Builds @NAME. Only the counter's state leads to `out`, so what follows begins where the counter
 * is active and nowhere else. */
static void build_counted(struct build *b, const struct rx *x)
{
	nfa_state_t in = build_state(b, x->range), out = build_state(b, x->range);

	build_edge(b, b->counter[x->counter], out, PRED_EPS);
	pop(b, in, out);
}

/* Appends the fragment (in, out) to the fragment of frame f, by an epsilon transition. */
static void build_append(struct build *b, struct frame *f, nfa_state_t in, nfa_state_t out)
{
	if (f->in == NO_STATE)
		f->in = in;
	else
		build_edge(b, f->out, in, PRED_EPS);
	f->out = out;
}

/* Goes on with the next operand of x. After the last one, the fragment is complete. */
static void build_next(struct build *b, struct frame *f, const struct rx *x)
{
	f->begun = true;
	if (f->done == x->n)
		pop(b, f->in, f->out);
	else
		build_push(b, x->sub[f->done]);
}

static void step_cat(struct build *b, struct frame *f, const struct rx *x)
{
	if (f->begun) {
		build_append(b, f, b->in, b->out);
		f->done++;
	}
	build_next(b, f, x);
}

static void step_alt(struct build *b, struct frame *f, const struct rx *x)
{
	if (!f->begun) {
		f->in = build_state(b, x->range);
		f->out = build_state(b, x->range);
	} else {
		build_edge(b, f->in, b->in, PRED_EPS);
		build_edge(b, b->out, f->out, PRED_EPS);
		f->done++;
	}
	build_next(b, f, x);
}

/* Takes one step in building X{lo,}. It becomes max(lo, 1) copies of X; the last copy has a loop
 * around it. */
static void step_unbounded(struct build *b, struct frame *f, const struct rx *x)
{
	uint32_t copies = x->lo == 0 ? 1 : x->lo;

	if (f->begun && ++f->done == copies) {
		nfa_state_t s = build_state(b, x->range);
		build_edge(b, s, b->in, PRED_EPS);
		build_edge(b, b->out, s, PRED_EPS);
		build_append(b, f, x->lo == 0 ? s : b->in, s);
		pop(b, f->in, f->out);
		return;
	}
	if (f->begun)
		build_append(b, f, b->in, b->out);
	f->begun = true;
	build_push(b, x->sub[0]);
}

/* Takes one step in building X{lo,hi}. The first lo copies must match. After them, and after each
 * further copy, an epsilon transition leads to f->exit. */
static void step_bounded(struct build *b, struct frame *f, const struct rx *x)
{
	if (x->hi == 0) {
		leaf(b, x, PRED_EPS);
		return;
	}
	if (f->begun) {
		build_append(b, f, b->in, b->out);
		f->done++;
	} else if (x->lo < x->hi) {
		f->exit = build_state(b, x->range);
		if (x->lo == 0)
			f->in = f->out = build_state(b, x->range);
	}
	f->begun = true;
	if (f->done >= x->lo && x->lo < x->hi)
		build_edge(b, f->out, f->exit, PRED_EPS);
	if (f->done == x->hi)
		pop(b, f->in, x->lo < x->hi ? f->exit : f->out);
	else
		build_push(b, x->sub[0]);
}

/* Takes one step in building the node on top of the stack: pushes an operand, or finishes the
 * node. */
static void build_step(struct build *b)
{
	struct frame *f = &b->stack.at[b->stack.n - 1];
	const struct rx *x = &b->s->nodes.at[f->id];

	switch (x->kind) {
	case RX_EPS:
		leaf(b, x, PRED_EPS);
		break;
	case RX_COUNTER:
		build_counted(b, x);
		break;
	case RX_PRED:
		leaf(b, x, x->pred);
		break;
	case RX_CAT:
		step_cat(b, f, x);
		break;
	case RX_ALT:
		step_alt(b, f, x);
		break;
	case RX_REP:
		if (x->hi == RX_INF)
			step_unbounded(b, f, x);
		else
			step_bounded(b, f, x);
		break;
	}
}

/* Builds a whole expression. Its entering state becomes a start state; *out receives its leaving
 * state. */
static void expression(struct build *b, rx_id_t id, nfa_state_t *out)
{
	build_push(b, id);
	while (!b->failed && b->stack.n != 0)
		build_step(b);
	if (b->failed)
		return;
	b->a->states.at[b->in].start = true;
	*out = b->out;
}

static void automaton(struct build *b, const struct spec_automaton *m)
{
	nfa_state_t first = (nfa_state_t)b->a->states.n;

	for (size_t i = 0; i < m->states.n && !b->failed; i++) {
		const struct spec_state *q = &m->states.at[i];
		nfa_state_t s = build_state(b, q->range);
		labelset_t l = nfa_labelset(b->a, q->labels, q->nlabels);
		if (b->failed || l == UINT32_MAX) {
			b->failed = true;
			return;
		}
		b->a->states.at[s].start = q->start;
		b->a->states.at[s].log = q->log;
		b->a->states.at[s].labels = l;
	}
	for (size_t i = 0; i < m->edges.n; i++)
		build_edge(b, first + m->edges.at[i].from, first + m->edges.at[i].to,
			   m->edges.at[i].pred);
}

/* Makes the states of all counters, in the order of their definition. */
static void counter_states(struct build *b)
{
	b->counter = malloc((b->s->counters.n + 1) * sizeof *b->counter);
	b->failed = b->failed || b->counter == NULL;
	for (uint32_t i = 0; i < b->s->counters.n && !b->failed; i++) {
		const struct spec_counter *c = &b->s->counters.at[i];
		struct nfa_counter n = { c->name, c->k, c->mode, c->range };
		b->counter[i] = build_state(b, c->range);
		if (b->failed || !vec_push(&b->a->counters, n)) {
			b->failed = true;
			return;
		}
		b->a->states.at[b->counter[i]].kind = NFA_COUNTER;
		b->a->states.at[b->counter[i]].counter = i;
	}
}

/* Builds an expression whose matches make a counter count or reset: its leaving state carries the
 * port. */
static void port(struct build *b, rx_id_t id, uint32_t counter, bool reset)
{
	uint32_t label = nfa_port(b->a, counter, reset);
	labelset_t l = nfa_labelset(b->a, &label, 1);
	nfa_state_t out = 0;

	expression(b, id, &out);
	if (b->failed || l == UINT32_MAX)
		b->failed = true;
	else
		b->a->states.at[out].labels = l;
}

static rx_id_t counted_or(rx_id_t counted, rx_id_t written)
{
	return counted == RX_NONE ? written : counted;
}

enum nfart_status nfa_build(struct nfa *a, struct spec *s)
{
	struct build b = { .a = a, .s = s };
	nfa_state_t out = 0;

	b.failed = !nfa_init(a, s);
	counter_states(&b);
	for (uint32_t i = 0; i < s->counters.n && !b.failed; i++) {
		port(&b, s->counters.at[i].count, i, false);
		if (s->counters.at[i].reset != RX_NONE && !b.failed)
			port(&b, s->counters.at[i].reset, i, true);
	}
	for (size_t i = 0; i < s->filters.n && !b.failed; i++) {
		labelset_t l = nfa_labelset(a, &s->filters.at[i].label, 1);
		expression(&b, counted_or(s->filters.at[i].counted, s->filters.at[i].rx), &out);
		if (b.failed || l == UINT32_MAX)
			b.failed = true;
		else
			a->states.at[out].labels = l;
	}
	for (size_t i = 0; i < s->automata.n && !b.failed; i++)
		automaton(&b, &s->automata.at[i]);
	if (s->log.rx != RX_NONE && !b.failed) {
		expression(&b, counted_or(s->log.counted, s->log.rx), &out);
		if (!b.failed)
			a->states.at[out].log = true;
	}
	if (!b.failed && !nfa_sort_edges(a))
		b.failed = true;
	vec_free(&b.stack);
	free(b.counter);
	if (!b.failed)
		return NFART_OK;
	return a->states.n >= NFA_MAX_STATES || a->edges.n >= NFA_MAX_EDGES ? NFART_GAVEUP
									    : NFART_SYSTEM;
}

static uint64_t sizes_add(uint64_t x, uint64_t y)
{
	return x > UINT64_MAX - y ? UINT64_MAX : x + y;
}

static uint64_t sizes_times(uint64_t x, uint64_t n)
{
	return n != 0 && x > UINT64_MAX / n ? UINT64_MAX : x * n;
}

/* Computes v[id], the bounds on states and transitions of node id, from those of its operands. */
static void bounds_of(const struct rx *x, uint64_t (*v)[2], rx_id_t id)
{
	uint64_t copies, extra;

	switch (x->kind) {
	case RX_EPS:
	case RX_PRED:
	case RX_COUNTER:
		v[id][0] = 2;
		v[id][1] = 1;
		return;
	case RX_CAT:
	case RX_ALT:
		v[id][0] = x->kind == RX_ALT ? 2 * (uint64_t)(x->n - 1) : 0;
		v[id][1] = (x->kind == RX_ALT ? 4 : 1) * (uint64_t)(x->n - 1);
		for (uint32_t i = 0; i < x->n; i++)
			for (int k = 0; k < 2; k++)
				v[id][k] = sizes_add(v[id][k], v[x->sub[i]][k]);
		return;
	case RX_REP:
		/* Each copy but the first is joined by one transition. X{n,} has a star around the
		 * last copy. In X{n,m} each optional copy costs as much as X | eps: 4 states and 5
		 * transitions besides X. */
		copies = x->hi == RX_INF ? (x->lo == 0 ? 1 : x->lo) : x->hi;
		extra = x->hi == RX_INF ? 0 : x->hi - x->lo;
		v[id][0] = copies == 0 ? 2 : sizes_add(sizes_times(v[x->sub[0]][0], copies),
						       x->hi == RX_INF ? 1 : sizes_times(extra, 4));
		v[id][1] = copies == 0 ? 1
				       : sizes_add(sizes_add(sizes_times(v[x->sub[0]][1], copies),
							     copies - 1),
						   x->hi == RX_INF ? 2 : sizes_times(extra, 5));
		return;
	}
}

bool nfa_bounds(const struct spec *s, uint64_t *states, uint64_t *edges)
{
	uint64_t (*v)[2] = calloc(s->nodes.n + 1, sizeof *v);

	if (v == NULL)
		return false;
	*states = *edges = 0;
	for (size_t i = 0; i < s->nodes.n; i++)
		bounds_of(&s->nodes.at[i], v, (rx_id_t)i);
	for (size_t i = 0; i <= s->filters.n; i++) {
		rx_id_t id = i < s->filters.n ? s->filters.at[i].rx : s->log.rx;
		if (id == RX_NONE)
			continue;
		*states = sizes_add(*states, v[id][0]);
		*edges = sizes_add(*edges, v[id][1]);
	}
	for (size_t i = 0; i < s->counters.n && !s->counters.at[i].made; i++)
		for (int k = 0; k < 2; k++) {
			rx_id_t id = k == 0 ? s->counters.at[i].count : s->counters.at[i].reset;
			if (id == RX_NONE)
				continue;
			*states = sizes_add(*states, v[id][0]);
			*edges = sizes_add(*edges, v[id][1]);
		}
	for (size_t i = 0; i < s->automata.n; i++) {
		*states = sizes_add(*states, s->automata.at[i].states.n);
		*edges = sizes_add(*edges, s->automata.at[i].edges.n);
	}
	free(v);
	return true;
}
