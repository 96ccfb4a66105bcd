/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * compose.h: rules as a system composed of parts (contract/image/kept.h, Note [composed systems]),
 * for which no state is listed. Its states are those of state.h: each queue of messages is a part,
 * and so is how many messages of a node are under way.
 */
#ifndef NFACC_COMPILER_COMPOSE_H
#define NFACC_COMPILER_COMPOSE_H

#include "compiler/coherence/system.h"
#include "contract/image/kept.h"

/* What is composed. A zeroed one is empty. */
struct composed {
	VEC(struct kept_part) parts;
	VEC(struct kept_step) steps;
	VEC(struct kept_moves) moves;
	/* By compose_check(): all states that can be reached, and how many they are. */
	VEC(struct kept_node) nodes;
	VEC(struct kept_edge) edges;
	double states;
};

/* Returns it as an image keeps it; it is valid as long as *x is. */
static inline struct kept_composed composed_kept(const struct composed *x)
{
	return (struct kept_composed){ { (uint32_t)x->parts.n, x->parts.at },
				       { (uint32_t)x->steps.n, x->steps.at },
				       { (uint32_t)x->moves.n, x->moves.at },
				       { (uint32_t)x->nodes.n, x->nodes.at },
				       { (uint32_t)x->edges.n, x->edges.at } };
}

/* Composes the system of rules. Returns NFART_OK, NFART_GAVEUP (not reported) if there are more
 * than KEPT_PARTS parts, KEPT_MOST_STEPS steps or KEPT_TESTS tests of a rule, or too many values to
 * try in tests that compare variables; or NFART_SYSTEM. Free *x with composed_free() in any case.
 * The cost is linear in the moves; a test that compares two variables makes a move for each
 * value. */
enum nfart_status compose(const struct coh *c, struct composed *x);
void composed_free(struct composed *x);

/* Finds all states that can be reached, and what system_of_rules() says of them but the moves:
 * s->values, s->used and s->blocked. A state that no move leaves is an error in the rules; it is
 * reported without the moves that lead there. Returns NFART_OK, NFART_INPUT after that error,
 * NFART_GAVEUP (not reported) at a limit of ksets.h, or if the
 * set of all states has more than KEPT_MOST_NODES nodes or edges; or NFART_SYSTEM. */
enum nfart_status compose_check(const struct coh *c, struct composed *x, struct diags *d,
				struct coh_system *s);

#endif
