/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "ir/pass/passes.h"

#include <string.h>

#include "ir/pass/split.h"
#include "support/clock.h"

static enum nfart_status epsilon_literal(struct nfa *a)
{
	return pass_epsilon(a, false);
}

static enum nfart_status epsilon_pruned(struct nfa *a)
{
	return pass_epsilon(a, true);
}

/* The passes in their order, and the levels at which they run. */
static const struct {
	const char *name;
	enum nfart_status (*run)(struct nfa *a);
	int lowest, highest;
	size_t most; /* the pass does nothing if there are more states than this; 0: no limit */
} table[] = {
	{ "epsilon", epsilon_literal, 0, 0, 0 },
	{ "epsilon", epsilon_pruned, 1, PASS_LEVEL_S, 0 },
	{ "join", pass_join, 1, PASS_LEVEL_S, 0 },
	{ "homogenise", pass_homogenise, 0, PASS_LEVEL_S, 0 },
	{ "trim", pass_trim, 1, PASS_LEVEL_S, 0 },
	{ "always", pass_always, PASS_LEVEL_S, PASS_LEVEL_S, 0 },
	{ "trim", pass_trim, PASS_LEVEL_S, PASS_LEVEL_S, 0 },
	{ "merge", pass_merge, 1, PASS_LEVEL_S, 0 },
	{ "always", pass_always, 1, PASS_LEVEL_S, 0 },
	{ "trim", pass_trim, 1, PASS_LEVEL_S, 0 },
	{ "merge", pass_merge, 1, PASS_LEVEL_S, 0 },
	{ "simulate", pass_simulate, 2, PASS_LEVEL_S, PASS_PAIRS_MOST },
	{ "search", pass_search, 2, PASS_LEVEL_S, PASS_PAIRS_MOST },
	{ "simulate", pass_simulate, 2, PASS_LEVEL_S, PASS_PAIRS_MOST },
	{ "share", pass_share, 2, PASS_LEVEL_S, PASS_PAIRS_MOST },
	{ "trim", pass_trim, 2, PASS_LEVEL_S, 0 },
};
enum { NPASSES = sizeof table / sizeof table[0] };
_Static_assert((int)NPASSES <= (int)PASS_MAX, "a report has a record for each pass");
_Static_assert(PASS_MAX <= 32, "pass_options.off has a bit for each pass");

const char *pass_name(size_t i)
{
	return i < NPASSES ? table[i].name : NULL;
}

bool pass_at_level(size_t i, int level)
{
	return i < NPASSES && level >= table[i].lowest && level <= table[i].highest;
}

static void pass_measure(const struct nfa *a, struct pass_record *r, int when)
{
	r->states[when] = a->states.n;
	r->edges[when] = nfa_count_edges(a, true);
}

/* ---- the best so far, at PASS_LEVEL_S ---- */

struct best {
	struct nfa nfa;
	bool there;
	uint64_t need;
};

/* Sets *need to the least number of states that are there after every state with more than `most`
 * neighbours was split. If `most` is 0, no state is split. False: out of memory. */
static bool find_need(const struct nfa *a, uint64_t most, uint64_t *need)
{
	uint32_t *degree = calloc(a->states.n + 1, sizeof *degree);
	bool ok = degree != NULL && nfa_degrees(a, degree);

	*need = a->states.n;
	for (size_t s = 0; ok && most != 0 && s < a->states.n; s++)
		*need += degree[s] > most ? (degree[s] - 1) / most : 0;
	free(degree);
	return ok;
}

static bool keep_best(struct best *b, const struct nfa *a, const struct pass_options *o)
{
	uint64_t need;

	if (!find_need(a, o->most_degree, &need))
		return false;
	if (b->there) {
		if (need != b->need ? need > b->need
				    : nfa_count_edges(a, true) > nfa_count_edges(&b->nfa, true))
			return true;
		nfa_free(&b->nfa);
	}
	b->need = need;
	b->there = nfa_copy(&b->nfa, a);
	return b->there;
}

/* What the runner does after each pass: verifies the NFA, dumps it, and at PASS_LEVEL_S keeps it if
 * it is the best so far. */
static enum nfart_status pass_check(struct nfa *a, const struct pass_options *o,
				    struct pass_report *r, struct best *best)
{
	r->broken = nfa_verify(a);
	if (r->broken != NULL)
		return NFART_INTERNAL;
	if (o->dump != NULL)
		o->dump(o->ctx, r->at[r->n - 1].name, a);
	if (o->level == PASS_LEVEL_S && o->stop_after == NULL && a->homogeneous &&
	    !keep_best(best, a, o))
		return NFART_SYSTEM;
	return NFART_OK;
}

enum nfart_status passes_run(struct nfa *a, const struct pass_options *o, struct pass_report *r)
{
	enum nfart_status status = NFART_OK;
	struct best best = { .there = false };

	memset(r, 0, sizeof *r);
	for (size_t i = 0; i < NPASSES && status == NFART_OK; i++) {
		struct pass_record *rec = &r->at[r->n];
		uint64_t begin;
		if (!pass_at_level(i, o->level) || (o->off >> i & 1) != 0)
			continue;
		rec->name = table[i].name;
		rec->most = table[i].most;
		progress_at(o->progress, "automaton", 0, rec->name);
		pass_measure(a, rec, 0);
		begin = clock_nanoseconds();
		status = table[i].run(a);
		rec->nanoseconds = clock_nanoseconds() - begin;
		if (status != NFART_OK)
			break;
		pass_measure(a, rec, 1);
		r->n++;
		status = pass_check(a, o, r, &best);
		if (o->stop_after != NULL && strcmp(o->stop_after, rec->name) == 0)
			break;
	}
	if (status == NFART_OK && best.there) {
		nfa_free(a);
		*a = best.nfa;
	} else if (best.there) {
		nfa_free(&best.nfa);
	}
	return status;
}
