/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * profile_view.h: the call tree in the form in which it is shown. Functions have names. All
 * processes of one program are merged. Functions with the same name below the same parent are
 * merged, too.
 */
#ifndef NFACC_RISCV_PROFILE_VIEW_H
#define NFACC_RISCV_PROFILE_VIEW_H

#include "probes/profile/stacks/rv_profile.h"
#include "support/buf.h"

struct profile_view {
	/*
	 * The functions of the nodes are indices into `names`. Children have higher numbers than
	 * their parent.
	 */
	struct call_tree tree;
	VEC(char *) names;       /* each name is there once */
	/*
	 * For each name: the module that its functions are in; UINT32_MAX: they are in none, or in
	 * several.
	 */
	VEC(uint32_t) modules;
	struct hash_ids numbers; /* indices into `names`, by name */
	uint64_t *cycles, *instructions; /* of each node together with all nodes below it */
};

/* Appends the name of a function or process in the tree of the profile to b. */
void profile_name(const struct rv_profile *p, uint32_t function, struct buf *b);

/*
 * Makes a view of a profile. rv_profile_settle() must have been called. If `program` is not NULL,
 * the view has only the processes of this program. Returns false if there is no memory; *v must be
 * freed in any case.
 */
bool profile_view_make(struct profile_view *v, const struct rv_profile *p, const char *program);
void profile_view_free(struct profile_view *v);

/* Returns the name of a node of the view. */
static inline const char *view_name(const struct profile_view *v, uint32_t node)
{
	return v->names.at[v->tree.nodes.at[node].function];
}

/*
 * The children of all nodes, sorted by name. Those of node i are order[first[i]] up to
 * order[first[i + 1] - 1].
 */
struct profile_children {
	uint32_t *first;
	uint32_t *order;
};

/* Makes the sorted children. Returns false if there is no memory; *c must be freed in any case. */
bool profile_children_make(struct profile_children *c, const struct profile_view *v);
void profile_children_free(struct profile_children *c);

#endif
