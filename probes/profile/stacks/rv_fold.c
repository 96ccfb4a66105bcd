/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "probes/profile/stacks/rv_fold.h"

#include <stdlib.h>

#include "support/bits.h"

/* The state while a tree is folded. */
struct fold {
	struct call_tree tree; /* the new tree */
	uint32_t *to;          /* for each node of the old tree: its node in the new tree */
	uint32_t *process;     /* for each node of the old tree: its process; UINT32_MAX: none */
};

/*
 * Counts the mappings of a module in a process (`user`), or in the kernel. n[0] is the number of
 * valid ones, and n[1] the number of those that were withdrawn.
 */
static void count_mappings(const struct rv_profile *p, uint32_t process, uint32_t module, bool user,
			   size_t n[2])
{
	n[0] = n[1] = 0;
	for (size_t i = 0; i < p->spaces.inferred.n; i++) {
		const struct rv_inferred *x = &p->spaces.inferred.at[i];

		if (x->mapping.module == module && x->user == user &&
		    (!user || x->process == process))
			n[x->withdrawn]++;
	}
}

static bool is_withdrawn_in(const struct rv_profile *p, uint32_t process, uint32_t function,
			    bool with_kernel)
{
	size_t user[2], kernel[2] = { 0 };
	uint32_t module = function < p->code->functions.n ? p->code->functions.at[function].module
							  : UINT32_MAX;

	if (module == UINT32_MAX)
		return false;
	count_mappings(p, process, module, true, user);
	if (with_kernel)
		count_mappings(p, process, module, false, kernel);
	return user[false] + kernel[false] == 0 && user[true] + kernel[true] != 0;
}

bool rv_is_withdrawn(const struct rv_profile *p, uint32_t process, uint32_t function)
{
	return is_withdrawn_in(p, process, function, true);
}

/* ---- the tree ---- */

static bool has_ended(const struct rv_profile *p, uint32_t process)
{
	return process != UINT32_MAX && p->spaces.processes.at[process].ended;
}

/*
 * Returns the process that stands for all processes of the same program that have ended. Returns
 * UINT32_MAX if there is no memory.
 */
static uint32_t merged_of(struct rv_profile *p, uint32_t process)
{
	struct rv_process all = { .program = p->spaces.processes.at[process].program };
	size_t at = all.program == UINT32_MAX ? p->code->modules.n : all.program;

	while (p->folding.merged.n <= p->code->modules.n)
		if (!vec_push(&p->folding.merged, UINT32_MAX))
			return UINT32_MAX;
	if (p->folding.merged.at[at] != UINT32_MAX)
		return p->folding.merged.at[at];
	return p->folding.merged.at[at] = rv_spaces_process(&p->spaces, &all);
}

/*
 * Copies node i. In a process that has ended, functions of withdrawn modules become unknown for
 * good.
 */
static bool fold_node(struct rv_profile *p, struct fold *f, uint32_t i)
{
	const struct call_node *node = &p->tree.nodes.at[i];
	uint32_t function = node->function, process = f->process[node->parent];
	struct call_node *to;

	if (function >= RV_PROCESS) {
		process = function - RV_PROCESS;
		if (has_ended(p, process)) {
			uint32_t merged = merged_of(p, process);

			if (merged == UINT32_MAX)
				return false;
			function = RV_PROCESS + merged;
		}
	} else if (p->spaces.nwithdrawn != 0 && has_ended(p, process) &&
		   is_withdrawn_in(p, process, function, false)) {
		function = RV_UNKNOWN;
	}
	f->process[i] = process;
	f->to[i] = call_tree_child(&f->tree, f->to[node->parent], function);
	if (f->tree.failed)
		return false;
	to = &f->tree.nodes.at[f->to[i]];
	to->cycles += node->cycles;
	to->instructions += node->instructions;
	to->calls += node->calls;
	if (!has_ended(p, process)) {
		to->since = node->since;
		to->proof = node->proof;
	}
	return true;
}

static bool fold_tree(struct rv_profile *p, struct fold *f)
{
	size_t n = p->tree.nodes.n;

	f->to = calloc(n, sizeof *f->to);
	f->process = calloc(n, sizeof *f->process);
	if (f->to == NULL || f->process == NULL || !call_tree_init(&f->tree, RV_ROOT))
		return false;
	f->process[0] = UINT32_MAX;
	for (uint32_t i = 1; i < n; i++)
		if (!fold_node(p, f, i))
			return false;
	return true;
}

/* Gives the threads the new numbers of nodes, and their bases the new numbers of processes. */
static void renumber(struct rv_profile *p, const struct fold *f)
{
	for (size_t i = 0; i < p->threads.n; i++) {
		struct rv_thread *x = p->threads.at[i];

		for (size_t k = 0; k < x->frames.n; k++)
			x->frames.at[k].node = f->to[x->frames.at[k].node];
		x->frames.at[0].function = f->tree.nodes.at[x->frames.at[0].node].function;
	}
}

/* ---- threads, mappings and address spaces ---- */

/* Frees the stopped threads of processes that have ended. */
static void drop_threads(struct rv_profile *p)
{
	for (size_t i = p->threads.n; i-- > 0;) {
		struct rv_thread *x = p->threads.at[i];
		uint32_t base = x->frames.at[0].function;

		if (x->parked == 0 || base < RV_PROCESS || !has_ended(p, base - RV_PROCESS))
			continue;
		rv_thread_free(x);
		p->threads.at[i] = p->threads.at[--p->threads.n];
	}
}

static void drop_mappings(struct rv_profile *p)
{
	struct rv_spaces *s = &p->spaces;
	size_t n = 0;

	for (size_t i = 0; i < s->inferred.n; i++)
		if (!s->inferred.at[i].user || !has_ended(p, s->inferred.at[i].process))
			s->inferred.at[n++] = s->inferred.at[i];
	s->inferred.n = n;
}

/* Frees the address spaces of processes that have ended, except for those in which a hart is. */
static void drop_spaces(struct rv_profile *p)
{
	for (size_t i = 0; i < p->most_harts; i++)
		if (p->harts[i] != NULL && p->harts[i]->space != NULL)
			p->harts[i]->space->held = true;
	rv_spaces_drop(&p->spaces);
	for (size_t i = 0; i < p->spaces.all.n; i++)
		p->spaces.all.at[i]->held = false;
}

/* ---- processes ---- */

/*
 * Marks the numbers of processes that are not used any more as free. If there is no memory, marks
 * none.
 */
static void free_numbers(struct rv_profile *p)
{
	struct rv_spaces *s = &p->spaces;
	uint64_t *used = calloc(bits_words(s->processes.n), sizeof *used);

	if (used == NULL)
		return;
	for (size_t i = 0; i < s->all.n; i++)
		bits_set(used, s->all.at[i]->process);
	for (size_t i = 0; i < s->inferred.n; i++)
		bits_set(used, s->inferred.at[i].process);
	for (size_t i = 0; i < p->folding.merged.n; i++)
		if (p->folding.merged.at[i] != UINT32_MAX)
			bits_set(used, p->folding.merged.at[i]);
	for (size_t i = 0; i < p->tree.nodes.n; i++)
		if (p->tree.nodes.at[i].function >= RV_PROCESS)
			bits_set(used, p->tree.nodes.at[i].function - RV_PROCESS);
	for (size_t i = 0; i < s->processes.n; i++)
		s->processes.at[i].free = !bits_get(used, i);
	s->next_free = 0;
	free(used);
}

bool rv_fold(struct rv_profile *p)
{
	struct fold f = { 0 };
	bool ok = fold_tree(p, &f);

	if (ok) {
		drop_threads(p);
		renumber(p, &f);
		call_tree_free(&p->tree);
		p->tree = f.tree;
		p->folding.folded++;
		p->spaces.nended = 0;
		if (!p->folding.keeps_mappings)
			drop_mappings(p);
		drop_spaces(p);
		if (!p->folding.keeps_mappings && !p->folding.keeps_numbers)
			free_numbers(p);
	} else {
		call_tree_free(&f.tree);
	}
	free(f.to);
	free(f.process);
	return ok;
}
