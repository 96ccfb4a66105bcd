/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * walk.h: goes through all stacks of a view in the order of their names, without recursion. Each
 * output that lists stacks so has them in the same order.
 */
#ifndef NFART_NFAPERF_WALK_H
#define NFART_NFAPERF_WALK_H

#include "probes/profile/stacks/profile_view.h"

struct walk_frame {
	uint32_t node;
	uint32_t next; /* its first child that has not been visited, in the order of children */
};

struct walk {
	const struct profile_view *v;
	const struct profile_children *c;
	struct walk_frame *frames; /* the current stack: 1 is its outermost frame, 0 is the root */
	size_t depth;              /* number of frames without the root */
};

/* Begins before the first stack. Returns false if there is no memory. */
bool walk_begin(struct walk *w, const struct profile_view *v, const struct profile_children *c);

/*
 * Goes to the next stack that has cycles or instructions of its own. Returns its innermost node, or
 * NULL after the last stack. Cost of all calls: linear in the nodes.
 */
const struct call_node *walk_next(struct walk *w);

void walk_end(struct walk *w);

#endif
