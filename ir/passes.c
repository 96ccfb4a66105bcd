/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "ir/passes.h"

#include <string.h>
#include <time.h>

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
} table[] = {
	{ "epsilon", epsilon_literal, 0, 0 },
	{ "epsilon", epsilon_pruned, 1, 2 },
	{ "homogenise", pass_homogenise, 0, 2 },
	{ "trim", pass_trim, 1, 2 },
	{ "merge", pass_merge, 1, 2 },
	{ "always", pass_always, 1, 2 },
	{ "trim", pass_trim, 1, 2 },
	{ "merge", pass_merge, 1, 2 },
	{ "simulate", pass_simulate, 2, 2 },
	{ "search", pass_search, 2, 2 },
	{ "simulate", pass_simulate, 2, 2 },
	{ "trim", pass_trim, 2, 2 },
};
enum { NPASSES = sizeof table / sizeof table[0] };

const char *pass_name(size_t i)
{
	return i < NPASSES ? table[i].name : NULL;
}

bool pass_at_level(size_t i, int level)
{
	return i < NPASSES && level >= table[i].lowest && level <= table[i].highest;
}

static uint64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void measure(const struct nfa *a, struct pass_record *r, int when)
{
	r->states[when] = a->states.n;
	r->edges[when] = nfa_count_edges(a, true);
}

enum nfart_status passes_run(struct nfa *a, const struct pass_options *o, struct pass_report *r)
{
	memset(r, 0, sizeof *r);
	for (size_t i = 0; i < NPASSES; i++) {
		struct pass_record *rec = &r->at[r->n];
		enum nfart_status status;
		uint64_t begin;
		if (!pass_at_level(i, o->level) || (o->off >> i & 1) != 0)
			continue;
		rec->name = table[i].name;
		measure(a, rec, 0);
		begin = now();
		status = table[i].run(a);
		rec->nanoseconds = now() - begin;
		if (status != NFART_OK)
			return status;
		measure(a, rec, 1);
		r->n++;
		r->broken = nfa_verify(a);
		if (r->broken != NULL)
			return NFART_INTERNAL;
		if (o->dump != NULL)
			o->dump(o->ctx, rec->name, a);
		if (o->stop_after != NULL && strcmp(o->stop_after, rec->name) == 0)
			break;
	}
	return NFART_OK;
}
