/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "probes/profile/stacks/call_tree.h"

static uint64_t node_hash(uint32_t parent, uint32_t function)
{
	return ((uint64_t)parent << 32 | function) * 0x9e3779b97f4a7c15u >> 32;
}

static uint64_t hash_of_node(const void *ctx, uint32_t i)
{
	const struct call_tree *t = ctx;

	return node_hash(t->nodes.at[i].parent, t->nodes.at[i].function);
}

HASH_INLINE bool is_node(const void *ctx, uint32_t i, const void *key)
{
	const struct call_node *node = &((const struct call_tree *)ctx)->nodes.at[i], *k = key;

	return node->parent == k->parent && node->function == k->function;
}

bool call_tree_init(struct call_tree *t, uint32_t function)
{
	*t = (struct call_tree){ .failed = false };
	return vec_push(&t->nodes, (struct call_node){ .function = function });
}

void call_tree_free(struct call_tree *t)
{
	vec_free(&t->nodes);
	hash_free(&t->children);
}

uint32_t call_tree_child(struct call_tree *t, uint32_t parent, uint32_t function)
{
	const struct call_node new = { .parent = parent, .function = function };
	uint32_t child;
	size_t at;

	if (!hash_room(&t->children, hash_of_node, t)) {
		t->failed = true;
		return parent;
	}
	at = hash_find(&t->children, node_hash(parent, function), is_node, t, &new);
	child = hash_id(&t->children, at);
	if (child != HASH_NONE)
		return child;
	child = (uint32_t)t->nodes.n;
	if (child >= UINT32_MAX / 2 || !vec_push(&t->nodes, new)) {
		t->failed = true;
		return parent;
	}
	hash_put(&t->children, at, child);
	return child;
}
