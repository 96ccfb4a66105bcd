/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "compiler/coherence/rules_int.h"

#include "support/buf.h"

static void describe_state(const struct explorer *e, const struct state *x, struct buf *b)
{
	const struct coh *c = e->c;

	for (uint32_t i = 0; i < c->nvars; i++)
		buf_addf(b, "%s%s.%s=%s", i != 0 ? " " : "",
			 c->net.names[c->vars[i].node], c->vars[i].name,
			 c->vars[i].values[x->var[i]]);
	for (uint32_t i = 0; i < x->n; i++)
		buf_addf(b, ", %s under way", coh_event_name(c, x->m[i].event));
}

/* Returns the rule after a renaming. */
static uint32_t renamed_rule(const struct symmetry *y, uint32_t renaming, uint32_t rule)
{
	const struct renaming_made *how = &y->made.at[renaming];
	uint32_t exchanges[COH_NODES * COH_NODES], n = 0;

	for (; renaming != 0; renaming = how->from, how = &y->made.at[renaming])
		exchanges[n++] = how->exchange;
	while (n > 0)
		rule = y->rules_after.at[exchanges[--n] * y->c->list.n + rule];
	return rule;
}

/* A move is that from a state that stands for others, after a renaming. */
static void note_move(const struct explorer *e, struct diags *d, size_t record,
		      const struct reached *how, uint32_t renaming)
{
	static const char *const verbs[] = { "changes its variables", "sends", "receives", "" };
	const struct diag_range nowhere = { DIAG_NO_SOURCE, 0, 0 };
	const struct renaming *g = &e->y.renamings.at[renaming];
	const struct coh_rule *r;

	if (how->rule == COH_NONE) {
		diag_note(d, record, nowhere, "%s passes the tap",
			  coh_event_name(e->c, renamed_event(&e->y, g, how->event)));
		return;
	}
	r = &e->c->list.at[renamed_rule(&e->y, renaming, how->rule)];
	diag_note(d, record, r->range, "%s %s%s%s",
		  e->c->net.names[r->node], verbs[r->kind],
		  r->kind == COH_STEP ? "" : " ",
		  r->kind == COH_STEP ? "" : coh_event_name(e->c, r->event));
}

/* Returns the renaming by which a state becomes what the path to it leads to, after that of the
 * state before it. */
static uint32_t stuck_renaming(const struct explorer *e, uint32_t before, uint32_t state)
{
	const struct renaming *all = e->y.renamings.at;

	return renaming_after(&e->y, &all[before], &all[e->reached.at[state].renamed]);
}

enum nfart_status report_stuck(const struct explorer *e, struct diags *d, uint32_t state)
{
	VEC(uint32_t) path = { 0 };
	struct buf b = { 0 };
	uint32_t rule = 0, renaming = 0; /* the last rule by which a node moved */
	struct state x;
	size_t record;
	bool ok = true;

	for (uint32_t i = state; e->reached.at[i].from != COH_NONE; i = e->reached.at[i].from)
		ok = ok && vec_push(&path, i);
	for (size_t i = path.n; i > 0; i--) {
		const struct reached *how = &e->reached.at[path.at[i - 1]];

		if (how->rule != COH_NONE)
			rule = renamed_rule(&e->y, renaming, how->rule);
		renaming = stuck_renaming(e, renaming, path.at[i - 1]);
	}
	renamed_state(&e->y, &e->y.renamings.at[renaming], &e->states.at[state], &x);
	describe_state(e, &x, &b);
	record = diag_report(d, DIAG_ERROR, "stuck", e->c->list.at[rule].range,
			     "after these moves %s can move, and no message: %s",
			     e->c->net.nnodes == 2 ? "neither node" : "no node",
			     b.failed ? "" : b.at);
	renaming = 0;
	for (size_t i = path.n; ok && i > 0; i--) {
		note_move(e, d, record, &e->reached.at[path.at[i - 1]], renaming);
		renaming = stuck_renaming(e, renaming, path.at[i - 1]);
	}
	vec_free(&path);
	buf_free(&b);
	return ok ? NFART_INPUT : NFART_SYSTEM;
}
