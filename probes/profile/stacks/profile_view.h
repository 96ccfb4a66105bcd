/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * profile_view.h: the tree of calls as it is shown: processes of one program are one, functions
 * have names, and functions of one name below the same parent are one.
 */
#ifndef NFACC_RISCV_PROFILE_VIEW_H
#define NFACC_RISCV_PROFILE_VIEW_H

#include "probes/profile/stacks/rv_profile.h"
#include "support/buf.h"

struct profile_view {
	/* The functions of the nodes are indices into `names`. Children have higher numbers than
	 * their parents. */
	struct call_tree tree;
	VEC(char *) names;       /* each is there once */
	uint32_t *slots;         /* hash table of names: index + 1 */
	size_t nslots;
	uint64_t *cycles, *instructions; /* of each node, with all nodes below it */
};

/* Puts the name of a function of the profile's tree, which may be a process, into b. */
void profile_name(const struct rv_profile *p, uint32_t function, struct buf *b);

/* Makes a view of the profile, which must be settled. If `program` is not NULL, the view has only
 * this program's processes. False: out of memory; *v can be freed. */
bool profile_view_make(struct profile_view *v, const struct rv_profile *p, const char *program);
void profile_view_free(struct profile_view *v);

/* The children of all nodes, by name: those of node i are order[first[i]] up to
 * order[first[i + 1] - 1]. */
struct profile_children {
	uint32_t *first;
	uint32_t *order;
};

/* Orders all children by name. False: out of memory; *c can be freed. */
bool profile_children_make(struct profile_children *c, const struct profile_view *v);
void profile_children_free(struct profile_children *c);

#endif
