/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "probes/profile/stacks/rv_stay.h"

#include <stdlib.h>

#include "probes/profile/stacks/rv_flow.h"
#include "probes/profile/stacks/rv_resolve.h"

enum {
	SOON = 256,            /* tokens until the next check, if this one can't be made */
	LEAST_WAIT = 1024,     /* tokens between two proofs */
	MOST_WAIT = 1 << 18,
	SHARE = 16,
	LOOK = 4096            /* tokens in which a program must come that goes on elsewhere */
};

/* ---- taking back ---- */

static uint32_t process_node(struct rv_profile *p, uint32_t process)
{
	return call_tree_child(&p->tree, 0, RV_PROCESS + process);
}

enum { INSIDE = 1, WANTED = 2, IN_KERNEL = 4 };

static bool is_open(const struct call_node *node, uint64_t proof)
{
	return node->proof == proof && (node->since.cycles | node->since.instructions |
					node->since.calls) != 0;
}

/* Marks the nodes of a process, and those that were changed since its last proof. */
static void mark_nodes(const struct rv_profile *p, uint32_t base, uint8_t *marks)
{
	const struct call_node *nodes = p->tree.nodes.at;
	uint32_t n = (uint32_t)p->tree.nodes.n;

	marks[base] = INSIDE;
	for (uint32_t i = base + 1; i < n; i++) {
		marks[i] = marks[nodes[i].parent] & (INSIDE | IN_KERNEL);
		if (marks[i] != 0 && (nodes[i].function == RV_KERNEL ||
				      nodes[i].function == RV_FIRMWARE))
			marks[i] |= IN_KERNEL;
	}
	for (uint32_t i = n; i-- > base;) {
		if (marks[i] != 0 && is_open(&nodes[i], nodes[base].proof))
			marks[i] |= WANTED;
		if ((marks[i] & WANTED) != 0)
			marks[nodes[i].parent] |= WANTED;
	}
}

/* Takes what was added to node `from` since the last proof, and adds it to node `to`. */
static void move_sums(struct rv_profile *p, uint32_t from, uint32_t to, uint64_t proof)
{
	struct call_node *a = &p->tree.nodes.at[from], *b = &p->tree.nodes.at[to];

	if (a->proof != proof)
		return;
	a->cycles -= a->since.cycles;
	a->instructions -= a->since.instructions;
	a->calls -= a->since.calls;
	b->cycles += a->since.cycles;
	b->instructions += a->since.instructions;
	b->calls += a->since.calls;
	a->since = (struct call_sums){ 0 };
}

/*
 * Takes back what was attributed to a process since its last proof. Returns false if there is no
 * memory.
 */
static bool take_back(struct rv_profile *p, uint32_t process)
{
	struct rv_process unknown = { .satp = p->spaces.processes.at[process].satp,
				      .program = UINT32_MAX, .ended = true };
	uint32_t base = process_node(p, process), n = (uint32_t)p->tree.nodes.n, other;
	uint64_t proof = p->tree.nodes.at[base].proof;
	uint8_t *marks = calloc(n, sizeof *marks);
	uint32_t *to = calloc(n, sizeof *to);
	bool ok = marks != NULL && to != NULL;

	if (ok)
		mark_nodes(p, base, marks);
	if (ok && (marks[base] & WANTED) != 0) {
		other = rv_spaces_process(&p->spaces, &unknown);
		p->spaces.nended++;
		ok = other != UINT32_MAX;
		to[base] = ok ? process_node(p, other) : 0;
	}
	for (uint32_t i = base; ok && i < n; i++) {
		const struct call_node node = p->tree.nodes.at[i];
		uint32_t function = node.function, module;

		if ((marks[i] & (INSIDE | WANTED)) != (INSIDE | WANTED))
			continue;
		module = i == base || (marks[i] & IN_KERNEL) != 0
				 ? UINT32_MAX : p->code->functions.at[function].module;
		if (module != UINT32_MAX && p->code->modules.at[module].program) {
			function = RV_UNKNOWN;
			p->counts.unknown += node.proof == proof ? node.since.instructions : 0;
			p->counts.unknown_user += node.proof == proof ? node.since.instructions : 0;
		}
		if (i != base)
			to[i] = call_tree_child(&p->tree, to[node.parent], function);
		move_sums(p, i, to[i], proof);
	}
	free(marks);
	free(to);
	return ok;
}

/* ---- proofs ---- */

/* The process has its program for certain, now. All tokens before must be settled. */
static void prove(struct rv_profile *p, uint32_t number)
{
	struct rv_process *process = &p->spaces.processes.at[number];
	struct call_node *node;
	uint32_t base;

	if (process->doubtful && !take_back(p, number))
		p->spaces.failed = true;
	process = &p->spaces.processes.at[number];
	base = process_node(p, number);
	node = &p->tree.nodes.at[base];
	node->proof++;
	node->since = (struct call_sums){ 0 };
	process->proven = true;
	process->doubtful = false;
}

/* Returns the number of the mapping of a program that has token t; SIZE_MAX if there is none. */
static size_t program_with(const struct rv_profile *p, const struct rv_space *x,
			   const struct nfaperf_token *t)
{
	for (size_t i = 0; i < x->mappings.n; i++) {
		const struct rv_mapping *m = &x->mappings.at[i];

		if (t->pc - m->low < m->span)
			return p->code->modules.at[m->module].program &&
					       (uint32_t)*rv_mapping_entry(m, t->pc) ==
						       t->instruction
				       ? i : SIZE_MAX;
	}
	return SIZE_MAX;
}

void rv_stay_check(struct rv_profile *p, struct rv_hart *h, struct rv_ahead ahead)
{
	const struct nfaperf_token *t = ahead.at;
	struct rv_space *x = h->space;
	uint64_t wait;
	size_t m;

	h->check = ahead.number + SOON;
	if (x->kind != RV_SPACE_USER || !rv_space_has(x, t) || !rv_space_has(x, &h->last) ||
	    (t->flags & NFAPERF_LOST) != 0 || rv_spaces_entry(&p->spaces, t->pc) ||
	    (m = program_with(p, x, t)) == SIZE_MAX)
		return;
	wait = (ahead.number - x->mappings.at[m].first) / SHARE;
	wait = wait < LEAST_WAIT ? LEAST_WAIT : wait < MOST_WAIT ? wait : MOST_WAIT;
	h->check = ahead.number + wait;
	if (rv_resolve_again(&p->spaces, x, m, ahead)) {
		rv_profile_settle(p);
		prove(p, x->process);
	}
}

void rv_stay_doubt(struct rv_profile *p, struct rv_space *x, struct rv_ahead ahead)
{
	const struct nfaperf_token *last = NULL;
	struct rv_process *process = &p->spaces.processes.at[x->process];
	size_t m = SIZE_MAX, n = ahead.n < LOOK ? ahead.n : LOOK;

	if (p->user_mode)
		return;
	for (size_t i = 0; i < n && m == SIZE_MAX; i++) {
		const struct nfaperf_token *t = &ahead.at[i];
		struct rv_ahead from = { last, t, ahead.n - i, ahead.number + i };

		if (!rv_space_has(x, t) || t->hart != ahead.at->hart)
			continue;
		if (last != NULL && !rv_follows(last->pc, last->instruction, t->pc))
			break;
		m = program_with(p, x, t);
		if (m != SIZE_MAX && !process->doubtful &&
		    rv_resolve_again(&p->spaces, x, m, from)) {
			rv_profile_settle(p);
			prove(p, x->process);
			return;
		}
		last = t;
	}
	process->doubtful = true;
}

/* ---- splits ---- */

/* Ends the process. Harts that are in its address space begin their stacks anew. */
static void split(struct rv_profile *p, struct rv_hart *h, uint32_t process)
{
	uint64_t satp = p->spaces.processes.at[process].satp;

	rv_profile_settle(p);
	p->spaces.failed |= !take_back(p, process);
	for (size_t i = 0; i < p->most_harts; i++) {
		struct rv_hart *x = p->harts[i];

		if (x == NULL || x == h || !x->thread->has_program || x->thread->satp != satp)
			continue;
		x->split = true;
		x->map = (struct rv_mapping){ 0 };
	}
	rv_switch_drop(p, h, satp);
}

void rv_stay_settle(struct rv_profile *p, struct rv_hart *h)
{
	if (p->spaces.split == 0 && !p->spaces.found)
		return;
	if (p->spaces.split != 0)
		split(p, h, (uint32_t)(p->spaces.split - 1));
	if (p->spaces.found) {
		rv_profile_settle(p);
		prove(p, h->space->process);
	}
	p->spaces.split = 0;
	p->spaces.found = false;
}

void rv_stay_end(struct rv_profile *p)
{
	rv_profile_settle(p);
	for (size_t i = 0; i < p->spaces.all.n; i++) {
		uint32_t process = p->spaces.all.at[i]->process;

		if (p->spaces.processes.at[process].doubtful &&
		    p->spaces.processes.at[process].program != UINT32_MAX)
			p->spaces.failed |= !take_back(p, process);
	}
}
