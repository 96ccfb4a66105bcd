/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "probes/profile/tool/walk.h"

#include <stdlib.h>

bool walk_begin(struct walk *w, const struct profile_view *v, const struct profile_children *c)
{
	*w = (struct walk){ .v = v, .c = c };
	w->frames = malloc((v->tree.nodes.n + 1) * sizeof *w->frames);
	if (w->frames == NULL)
		return false;
	w->frames[0] = (struct walk_frame){ 0, c->first[0] };
	return true;
}

const struct call_node *walk_next(struct walk *w)
{
	for (;;) {
		struct walk_frame *top = &w->frames[w->depth];
		const struct call_node *node;
		uint32_t child;

		if (top->next == w->c->first[top->node + 1]) {
			if (w->depth == 0)
				return NULL;
			w->depth--;
			continue;
		}
		child = w->c->order[top->next++];
		w->frames[++w->depth] = (struct walk_frame){ child, w->c->first[child] };
		node = &w->v->tree.nodes.at[child];
		if (node->cycles != 0 || node->instructions != 0)
			return node;
	}
}

void walk_end(struct walk *w)
{
	free(w->frames);
}
