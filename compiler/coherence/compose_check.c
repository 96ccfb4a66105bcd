/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include <string.h>

#include "compiler/coherence/compose.h"
#include "contract/image/ksets.h"
#include "support/buf.h"

/* The most steps to find all states, and to look at them: less than two seconds each. Who waits for
 * a compiler waits less than for a run (KSETS_MOST_STEPS). */
#define COMPOSE_MOST_STEPS (UINT64_C(49) << 18)

struct check {
	const struct coh *c;
	struct composed *x;
	struct coh_system *s;
	struct kept_composed system;
	struct ksets sets;
	uint32_t all;   /* the states that can be reached */
	uint32_t stuck; /* those of them that no move leaves, of the moves that were looked at */
};

/* Returns the states in which the tests of a move hold. */
static uint32_t check_tests(struct check *k, const struct kept_moves *m)
{
	uint32_t values[KEPT_PARTS];

	memset(values, 0xff, sizeof values);
	for (uint32_t i = m->first; i < m->first + m->n; i++)
		if (k->system.steps.at[i].op == KEPT_TEST)
			values[k->system.steps.at[i].part] = k->system.steps.at[i].a;
	return ksets_meets(&k->sets, k->all, values);
}

/* Looks at a step of a node. One that changes nothing is no move. */
static void check_step(struct check *k, const struct kept_moves *m, uint32_t can)
{
	for (uint32_t i = m->first; i < m->first + m->n; i++) {
		const struct kept_step *s = &k->system.steps.at[i];
		uint32_t values[KEPT_PARTS], changes;

		if (s->set == KEPT_NONE)
			continue;
		memset(values, 0xff, sizeof values);
		values[s->part] = ~((uint32_t)1 << s->set);
		changes = ksets_meets(&k->sets, can, values);
		k->stuck = ksets_minus(&k->sets, k->stuck, changes);
		if (changes != KSETS_NONE)
			k->s->used.at[m->rule] = true;
	}
}

static void check_move(struct check *k, uint32_t move)
{
	const struct kept_moves *m = &k->system.moves.at[move];
	const struct coh_rule *r = m->rule != KEPT_NONE ? &k->c->list.at[m->rule] : NULL;
	uint32_t leaves = ksets_leaving(&k->sets, k->all, move);

	if (r != NULL && r->kind == COH_STEP) {
		check_step(k, m, leaves);
		return;
	}
	k->stuck = ksets_minus(&k->sets, k->stuck, leaves);
	if (r != NULL && r->kind == COH_SEND) {
		uint32_t can = check_tests(k, m);

		if (can != KSETS_NONE)
			k->s->used.at[m->rule] = true;
		if (can != leaves && k->s->blocked[r->node] == COH_NONE)
			k->s->blocked[r->node] = m->rule;
	} else if (r != NULL && leaves != KSETS_NONE) {
		k->s->used.at[m->rule] = true;
	}
}

static void report_composed_stuck(struct check *k, struct diags *d)
{
	const struct diag_range nowhere = { DIAG_NO_SOURCE, 0, 0 };
	const struct coh *c = k->c;
	struct buf b = { 0 };
	uint64_t state[KEPT_PARTS];
	size_t record;

	ksets_any(&k->sets, k->stuck, state);
	for (uint32_t i = 0, n = 0; i < k->system.parts.n; i++) {
		uint32_t var = k->system.parts.at[i].var;

		if (var != KEPT_NONE)
			buf_addf(&b, "%s%s.%s=%s", n++ != 0 ? " " : "",
				 c->net.names[c->vars[var].node],
				 c->vars[var].name, c->vars[var].values[state[i]]);
	}
	record = diag_report(d, DIAG_ERROR, "stuck", c->name.range,
			     "in a state that can be reached %s can move, and no message: %s",
			     c->net.nnodes == 2 ? "neither node" : "no node",
			     b.failed ? "" : b.at);
	diag_note(d, record, nowhere, "the states are too many to be listed, so the moves that "
		  "lead there are not searched");
	buf_free(&b);
}

/* Takes all states, which are the only set that there is. */
static void take_all_states(struct check *k)
{
	uint32_t first = KSETS_ZERO + 1;
	size_t nnodes = k->sets.nodes.n - first, nedges = k->sets.edges.n;

	k->x->states = ksets_count(&k->sets, k->all);
	if (nnodes > KEPT_MOST_NODES || nedges > KEPT_MOST_NODES) {
		k->sets.full = true;
	} else if (!vec_reserve(&k->x->nodes, nnodes + 1) ||
		   !vec_reserve(&k->x->edges, nedges + 1)) {
		k->sets.failed = true;
	} else if (nnodes != 0) {
		memcpy(k->x->nodes.at, k->sets.nodes.at + first, nnodes * sizeof *k->x->nodes.at);
		memcpy(k->x->edges.at, k->sets.edges.at, nedges * sizeof *k->x->edges.at);
		k->x->nodes.n = nnodes;
		k->x->edges.n = nedges;
	}
}

static void check_all(struct check *k)
{
	uint32_t values[KEPT_PARTS] = { 0 };

	k->all = ksets_close(&k->sets, KSETS_ZERO, KSETS_ALL);
	if (ksets_stop(&k->sets))
		return;
	ksets_begin(&k->sets);
	ksets_keep(&k->sets, &k->all, 1);
	k->stuck = k->all;
	take_all_states(k);
	for (uint32_t i = 0; i < k->system.moves.n && !ksets_stop(&k->sets); i++)
		check_move(k, i);
	if (ksets_stop(&k->sets))
		return;
	ksets_values(&k->sets, k->all, values);
	for (uint32_t i = 0; i < k->system.parts.n; i++)
		if (k->system.parts.at[i].var != KEPT_NONE)
			k->s->values[k->system.parts.at[i].var] = values[i];
}

enum nfart_status compose_check(const struct coh *c, struct composed *x, struct diags *d,
				struct coh_system *s)
{
	struct check k = { .c = c, .x = x, .s = s, .system = composed_kept(x) };
	enum nfart_status status = NFART_SYSTEM;

	if (system_init(c, s) && ksets_init(&k.sets, &k.system, 0)) {
		k.sets.most_steps = COMPOSE_MOST_STEPS;
		check_all(&k);
		status = k.sets.failed ? NFART_SYSTEM : k.sets.full ? NFART_GAVEUP : NFART_OK;
		if (status == NFART_OK && k.stuck != KSETS_NONE) {
			report_composed_stuck(&k, d);
			status = NFART_INPUT;
		}
	}
	ksets_free(&k.sets);
	return status;
}
