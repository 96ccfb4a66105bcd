/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "probes/profile/stacks/call_tree.h"

enum { FIRST_SLOTS = 1024 };

static size_t slot_of(const struct call_tree *t, uint32_t parent, uint32_t function)
{
	uint64_t x = ((uint64_t)parent << 32 | function) * 0x9e3779b97f4a7c15u;

	return (size_t)(x >> 32) & (t->nslots - 1);
}

bool call_tree_init(struct call_tree *t, uint32_t function)
{
	*t = (struct call_tree){ .nslots = FIRST_SLOTS };
	t->slots = calloc(t->nslots, sizeof *t->slots);
	return t->slots != NULL && vec_push(&t->nodes, (struct call_node){ .function = function });
}

void call_tree_free(struct call_tree *t)
{
	vec_free(&t->nodes);
	free(t->slots);
	t->slots = NULL;
}

/* Doubles the hash table. */
static bool grow(struct call_tree *t)
{
	uint32_t *old = t->slots, *slots = calloc(t->nslots * 2, sizeof *slots);

	if (slots == NULL)
		return false;
	t->slots = slots;
	t->nslots *= 2;
	for (uint32_t i = 1; i < t->nodes.n; i++) {
		size_t at = slot_of(t, t->nodes.at[i].parent, t->nodes.at[i].function);
		while (slots[at] != 0)
			at = (at + 1) & (t->nslots - 1);
		slots[at] = i;
	}
	free(old);
	return true;
}

uint32_t call_tree_child(struct call_tree *t, uint32_t parent, uint32_t function)
{
	size_t at = slot_of(t, parent, function);

	for (uint32_t i; (i = t->slots[at]) != 0; at = (at + 1) & (t->nslots - 1))
		if (t->nodes.at[i].parent == parent && t->nodes.at[i].function == function)
			return i;
	if (t->nodes.n * 2 >= t->nslots) {
		if (!grow(t)) {
			t->failed = true;
			return parent;
		}
		at = slot_of(t, parent, function);
		while (t->slots[at] != 0)
			at = (at + 1) & (t->nslots - 1);
	}
	if (t->nodes.n >= UINT32_MAX / 2 ||
	    !vec_push(&t->nodes, ((struct call_node){ .parent = parent, .function = function }))) {
		t->failed = true;
		return parent;
	}
	t->slots[at] = (uint32_t)t->nodes.n - 1;
	return t->slots[at];
}
