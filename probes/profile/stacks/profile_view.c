/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "probes/profile/stacks/profile_view.h"

#include <stdlib.h>
#include <string.h>

#include "probes/profile/stacks/rv_fold.h"
#include "support/buf.h"

/* ---- names ---- */

static uint64_t name_hash(const char *s)
{
	uint64_t x = 0xcbf29ce484222325u;

	for (; *s != 0; s++)
		x = (x ^ (unsigned char)*s) * 0x100000001b3u;
	return x ^ x >> 32;
}

static uint64_t hash_of_name(const void *ctx, uint32_t i)
{
	return name_hash(((const struct profile_view *)ctx)->names.at[i]);
}

HASH_INLINE bool is_name(const void *ctx, uint32_t i, const void *key)
{
	return strcmp(((const struct profile_view *)ctx)->names.at[i], key) == 0;
}

/* Returns the number of a name in a module; UINT32_MAX if there is no memory. */
static uint32_t number_of(struct profile_view *v, const char *name, uint32_t module)
{
	uint32_t number;
	size_t at;
	char *copy;

	if (!hash_room(&v->numbers, hash_of_name, v))
		return UINT32_MAX;
	at = hash_find(&v->numbers, name_hash(name), is_name, v, name);
	number = hash_id(&v->numbers, at);
	if (number != HASH_NONE) {
		if (v->modules.at[number] != module)
			v->modules.at[number] = UINT32_MAX;
		return number;
	}
	copy = strdup(name);
	if (copy == NULL || !vec_push(&v->modules, module) || !vec_push(&v->names, copy)) {
		free(copy);
		return UINT32_MAX;
	}
	number = (uint32_t)v->names.n - 1;
	hash_put(&v->numbers, at, number);
	return number;
}

static const char *program_name(const struct rv_profile *p, uint32_t process)
{
	uint32_t module = p->spaces.processes.at[process].program;

	return module == UINT32_MAX ? "[unknown program]" : p->code->modules.at[module].name;
}

void profile_name(const struct rv_profile *p, uint32_t function, struct buf *b)
{
	b->n = 0;
	if (function >= RV_PROCESS)
		buf_addf(b, "%s", program_name(p, function - RV_PROCESS));
	else
		rv_code_name(p->code, function, b);
}

/* Returns the module of a function; for a process, its program. UINT32_MAX: there is none. */
static uint32_t module_of(const struct rv_profile *p, uint32_t function)
{
	return function >= RV_PROCESS ? p->spaces.processes.at[function - RV_PROCESS].program
				      : p->code->functions.at[function].module;
}

/* ---- the tree ---- */

/* The state while a view is made. */
struct copy {
	uint32_t *to;       /* for each node of the profile: its node in the view, or UINT32_MAX */
	uint32_t *process;  /* for each node of the profile: its process; UINT32_MAX: none */
	uint32_t *names;    /* for each function: the number of its name, or UINT32_MAX */
	struct buf b;
};

static bool is_wanted(const struct rv_profile *p, const struct call_node *node, const char *program)
{
	return program == NULL ||
	       (node->function >= RV_PROCESS &&
		strcmp(program_name(p, node->function - RV_PROCESS), program) == 0);
}

/*
 * Returns the number of the name of a function in a process; UINT32_MAX if there is no memory.
 * `names` holds the numbers of functions that were looked up before.
 */
static uint32_t name_of(struct profile_view *v, const struct rv_profile *p, uint32_t function,
			uint32_t process, uint32_t *names, struct buf *b)
{
	uint32_t name;

	if (p->spaces.nwithdrawn != 0 && rv_is_withdrawn(p, process, function))
		function = RV_UNKNOWN;
	if (function < RV_PROCESS && names[function] != UINT32_MAX)
		return names[function];
	profile_name(p, function, b);
	name = b->failed ? UINT32_MAX : number_of(v, b->at, module_of(p, function));
	if (function < RV_PROCESS)
		names[function] = name;
	return name;
}

static bool copy_nodes(struct profile_view *v, const struct rv_profile *p, const char *program,
		       struct copy *c)
{
	for (uint32_t i = 1; i < p->tree.nodes.n; i++) {
		const struct call_node *node = &p->tree.nodes.at[i];
		uint32_t name, at;

		c->to[i] = UINT32_MAX;
		c->process[i] = node->function >= RV_PROCESS ? node->function - RV_PROCESS
							     : c->process[node->parent];
		if (c->to[node->parent] == UINT32_MAX ||
		    (node->parent == 0 && !is_wanted(p, node, program)))
			continue;
		name = name_of(v, p, node->function, c->process[i], c->names, &c->b);
		if (name == UINT32_MAX)
			return false;
		at = c->to[i] = call_tree_child(&v->tree, c->to[node->parent], name);
		v->tree.nodes.at[at].cycles += node->cycles;
		v->tree.nodes.at[at].instructions += node->instructions;
		v->tree.nodes.at[at].calls += node->calls;
	}
	return !v->tree.failed;
}

static bool add_up(struct profile_view *v)
{
	size_t n = v->tree.nodes.n;

	v->cycles = calloc(n, sizeof *v->cycles);
	v->instructions = calloc(n, sizeof *v->instructions);
	if (v->cycles == NULL || v->instructions == NULL)
		return false;
	for (size_t i = n; i-- > 0;) {
		const struct call_node *node = &v->tree.nodes.at[i];
		v->cycles[i] += node->cycles;
		v->instructions[i] += node->instructions;
		if (i != 0) {
			v->cycles[node->parent] += v->cycles[i];
			v->instructions[node->parent] += v->instructions[i];
		}
	}
	return true;
}

bool profile_view_make(struct profile_view *v, const struct rv_profile *p, const char *program)
{
	size_t n = p->tree.nodes.n;
	struct copy c = { .to = calloc(n, sizeof *c.to), .process = calloc(n, sizeof *c.process),
			  .names = malloc(p->code->functions.n * sizeof *c.names) };
	bool ok = c.to != NULL && c.process != NULL && c.names != NULL;

	*v = (struct profile_view){ 0 };
	if (ok) {
		memset(c.names, 0xff, p->code->functions.n * sizeof *c.names);
		c.process[0] = UINT32_MAX;
	}
	ok = ok && number_of(v, "all", UINT32_MAX) == 0 && call_tree_init(&v->tree, 0) &&
	     copy_nodes(v, p, program, &c) && add_up(v);
	buf_free(&c.b);
	free(c.to);
	free(c.process);
	free(c.names);
	return ok;
}

void profile_view_free(struct profile_view *v)
{
	for (size_t i = 0; i < v->names.n; i++)
		free(v->names.at[i]);
	vec_free(&v->names);
	vec_free(&v->modules);
	call_tree_free(&v->tree);
	hash_free(&v->numbers);
	free(v->cycles);
	free(v->instructions);
}

/* ---- children ---- */

struct child {
	uint32_t parent, node;
	const char *name;
};

static int by_name(const void *a, const void *b)
{
	const struct child *x = a, *y = b;

	if (x->parent != y->parent)
		return x->parent < y->parent ? -1 : 1;
	return strcmp(x->name, y->name);
}

bool profile_children_make(struct profile_children *c, const struct profile_view *v)
{
	size_t n = v->tree.nodes.n;
	struct child *all = malloc(n * sizeof *all);

	c->first = calloc(n + 1, sizeof *c->first);
	c->order = malloc(n * sizeof *c->order);
	if (all == NULL || c->first == NULL || c->order == NULL) {
		free(all);
		return false;
	}
	for (uint32_t i = 1; i < n; i++) {
		const struct call_node *node = &v->tree.nodes.at[i];
		all[i - 1] = (struct child){ node->parent, i, v->names.at[node->function] };
		c->first[node->parent + 1]++;
	}
	qsort(all, n - 1, sizeof *all, by_name);
	for (size_t i = 0; i < n; i++)
		c->first[i + 1] += c->first[i];
	for (size_t i = 0; i + 1 < n; i++)
		c->order[i] = all[i].node;
	free(all);
	return true;
}

void profile_children_free(struct profile_children *c)
{
	free(c->first);
	free(c->order);
}
