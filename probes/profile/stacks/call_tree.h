/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * call_tree.h: all call stacks that were seen, as a tree. A node is a function that was called from
 * the node above it. It has the cycles and instructions that were spent there. Node 0 is the root.
 */
#ifndef NFACC_RISCV_CALL_TREE_H
#define NFACC_RISCV_CALL_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "support/hash.h"
#include "support/vec.h"

struct call_sums {
	uint64_t cycles;       /* in the function itself, without its calls */
	uint64_t instructions; /* in the function itself, without its calls */
	uint64_t calls;        /* number of calls from its parent */
};

struct call_node {
	uint32_t parent;       /* has a lower number than this node; 0 for the root */
	uint32_t function;
	uint64_t cycles, instructions, calls; /* as in struct call_sums */
	/*
	 * The part of these sums that was added since the proof with this number (Note [stays]). A
	 * process counts its proofs in its own node.
	 */
	struct call_sums since;
	uint64_t proof;
};

struct call_tree {
	VEC(struct call_node) nodes;
	struct hash_ids children; /* nodes by parent and function, without the root */
	bool failed;              /* there was too little memory: the sums are incomplete */
};

/* Makes a tree that has only a root. Returns false if there is no memory. */
bool call_tree_init(struct call_tree *t, uint32_t function);
void call_tree_free(struct call_tree *t);

/*
 * Returns the node of a function below `parent`. Makes the node if it does not exist. If there is
 * no memory, returns `parent` and sets t->failed.
 */
uint32_t call_tree_child(struct call_tree *t, uint32_t parent, uint32_t function);

/* Adds to the sums of a node. `base` is the node of its process. */
static inline void call_tree_add(struct call_tree *t, uint32_t base, uint32_t node,
				 struct call_sums sums)
{
	struct call_node *x = &t->nodes.at[node];
	uint64_t proof = t->nodes.at[base].proof;

	if (x->proof != proof) {
		x->proof = proof;
		x->since = (struct call_sums){ 0 };
	}
	x->cycles += sums.cycles;
	x->instructions += sums.instructions;
	x->calls += sums.calls;
	x->since.cycles += sums.cycles;
	x->since.instructions += sums.instructions;
	x->since.calls += sums.calls;
}

#endif
