/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "probes/profile/tool/print.h"

#include <stdlib.h>
#include <string.h>

#include "probes/profile/tool/walk.h"

/* ---- folded stacks ---- */

uint64_t print_own(const struct call_node *node, enum print_unit unit)
{
	return unit == PRINT_CYCLES ? node->cycles : node->instructions;
}

/* Appends the name of a frame, with `_` for each character that separates frames or lines. */
static void add_frame(struct buf *b, const char *name)
{
	size_t from = b->n;

	buf_addf(b, "%s", name);
	for (size_t i = from; i < b->n; i++)
		if (b->at[i] == ';' || (unsigned char)b->at[i] <= ' ' || b->at[i] == 127)
			b->at[i] = '_';
}

void print_folded(const struct profile_view *v, const struct profile_children *c,
		  enum print_unit unit, struct buf *b)
{
	struct walk w;
	const struct call_node *node;

	if (!walk_begin(&w, v, c)) {
		b->failed = true;
		return;
	}
	while ((node = walk_next(&w)) != NULL) {
		if (print_own(node, unit) == 0)
			continue;
		for (size_t i = 1; i <= w.depth; i++) {
			if (i > 1)
				buf_add(b, ";", 1);
			add_frame(b, view_name(v, w.frames[i].node));
		}
		buf_addf(b, " %llu\n", (unsigned long long)print_own(node, unit));
	}
	walk_end(&w);
}

/* ---- the top ---- */

struct total {
	uint64_t self, all, calls;
	const char *name;
};

static int by_self(const void *a, const void *b)
{
	const struct total *x = a, *y = b;

	if (x->self != y->self)
		return x->self > y->self ? -1 : 1;
	return strcmp(x->name, y->name);
}

/* Whether a function with the same name is above this node in its stack. */
static bool is_recursive(const struct profile_view *v, uint32_t i)
{
	const struct call_node *nodes = v->tree.nodes.at;

	for (uint32_t at = nodes[i].parent; at != 0; at = nodes[at].parent)
		if (nodes[at].function == nodes[i].function)
			return true;
	return false;
}

void print_top(const struct profile_view *v, enum print_unit unit, size_t n, struct buf *b)
{
	struct total *totals = calloc(v->names.n, sizeof *totals);
	const uint64_t *below = unit == PRINT_CYCLES ? v->cycles : v->instructions;
	double whole = below[0] == 0 ? 1 : (double)below[0];

	if (totals == NULL) {
		b->failed = true;
		return;
	}
	for (uint32_t i = 0; i < v->names.n; i++)
		totals[i].name = v->names.at[i];
	for (uint32_t i = 1; i < v->tree.nodes.n; i++) {
		const struct call_node *node = &v->tree.nodes.at[i];
		struct total *t = &totals[node->function];
		t->self += print_own(node, unit);
		t->calls += node->calls;
		if (!is_recursive(v, i))
			t->all += below[i];
	}
	qsort(totals, v->names.n, sizeof *totals, by_self);
	buf_addf(b, "%15s %6s %15s %6s %12s  %s\n", "self", "%", "with callees", "%", "calls",
		 "function");
	for (size_t i = 0; i < n && i < v->names.n && totals[i].self != 0; i++)
		buf_addf(b, "%15llu %6.2f %15llu %6.2f %12llu  %s\n",
			 (unsigned long long)totals[i].self, 100 * (double)totals[i].self / whole,
			 (unsigned long long)totals[i].all, 100 * (double)totals[i].all / whole,
			 (unsigned long long)totals[i].calls, totals[i].name);
	free(totals);
}

/* ---- mappings, and the summary ---- */

void print_maps(const struct rv_profile *p, struct buf *b)
{
	for (size_t i = 0; i < p->spaces.inferred.n; i++) {
		const struct rv_inferred *x = &p->spaces.inferred.at[i];
		const struct rv_process *process = &p->spaces.processes.at[x->process];

		buf_addf(b, "process %u satp 0x%llx base 0x%llx %s from token %llu%s\n",
			 x->process, (unsigned long long)process->satp,
			 (unsigned long long)x->mapping.base,
			 p->code->modules.at[x->mapping.module].name,
			 (unsigned long long)x->mapping.first, x->withdrawn ? " withdrawn" : "");
	}
}

void print_chains(const struct rv_chains *c, struct buf *b)
{
	uint64_t matched = 0;
	double whole = c->tokens == 0 ? 1 : (double)c->tokens;

	for (size_t i = 0; i < c->code->modules.n; i++) {
		matched += c->matched[i];
		if (c->matched[i] != 0)
			buf_addf(b, "%s %llu\n", c->code->modules.at[i].name,
				 (unsigned long long)c->matched[i]);
	}
	buf_addf(b, "tokens of programs: %llu, matched: %llu (%.3f %%), by the cache: %llu\n",
		 (unsigned long long)c->tokens, (unsigned long long)matched,
		 100 * (double)matched / whole, (unsigned long long)c->hits);
}

/* Returns how many tokens belong to modules that were withdrawn. */
static uint64_t withdrawn(const struct rv_profile *p)
{
	struct profile_view v;
	uint64_t n = 0;

	if (p->spaces.nwithdrawn != 0 && profile_view_make(&v, p, NULL)) {
		for (size_t i = 0; i < v.tree.nodes.n; i++)
			if (strcmp(v.names.at[v.tree.nodes.at[i].function], "[unknown]") == 0)
				n += v.tree.nodes.at[i].instructions;
		n = n > p->counts.unknown ? n - p->counts.unknown : 0;
		profile_view_free(&v);
	}
	return n;
}

void print_summary(const struct rv_profile *p, struct buf *b)
{
	const struct rv_counts *n = &p->counts;

	buf_addf(b, "tokens: %llu, cycles: %llu\n", (unsigned long long)n->tokens,
		 (unsigned long long)n->cycles);
	buf_addf(b, "unknown: %llu tokens, %llu of them in user mode\n",
		 (unsigned long long)n->unknown, (unsigned long long)n->unknown_user);
	if (p->spaces.nwithdrawn != 0)
		buf_addf(b, "unknown after a file was withdrawn: %llu tokens\n",
			 (unsigned long long)withdrawn(p));
}
