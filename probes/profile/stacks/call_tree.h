/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * call_tree.h: all stacks that were seen, as a tree. A node is a function called from the node
 * above it, and has what was spent there. Node 0 is the root.
 */
#ifndef NFACC_RISCV_CALL_TREE_H
#define NFACC_RISCV_CALL_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "support/vec.h"

struct call_node {
	uint32_t parent;       /* always a lower number, but for the root itself */
	uint32_t function;
	uint64_t cycles;       /* in the function itself */
	uint64_t instructions; /* in the function itself */
	uint64_t calls;        /* how often it was entered from its parent */
};

struct call_tree {
	VEC(struct call_node) nodes;
	uint32_t *slots; /* hash table of nodes by (parent, function); 0: empty */
	size_t nslots;   /* a power of two */
	bool failed;     /* out of memory: the sums are incomplete */
};

/* Makes a tree of a root. False: out of memory. */
bool call_tree_init(struct call_tree *t, uint32_t function);
void call_tree_free(struct call_tree *t);

/* Returns the node of a function below `parent`, which is made if it is not there. If memory is
 * short, it returns `parent`, and t->failed is set. */
uint32_t call_tree_child(struct call_tree *t, uint32_t parent, uint32_t function);

#endif
