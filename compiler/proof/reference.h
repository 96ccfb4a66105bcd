/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * reference.h: the automaton that an image is held against, made from the checked syntax tree.
 *
 * The compiler makes its automaton by lowering (compiler/lower.c), construction (ir/build.c) and
 * its algebra of predicates (ir/pred.c). This one is made by another method and shares no code with
 * these three, so a mistake in one of them is not repeated here. It relies on the tree and on the
 * tables of the protocol. The method is that of partial derivatives (derive.c).
 */
#ifndef NFACC_COMPILER_PROOF_REFERENCE_H
#define NFACC_COMPILER_PROOF_REFERENCE_H

#include "grammar/ast.h"
#include "ir/nfa.h"

struct reference {
	struct arena arena;
	/* Protocol, predicates, labels, outputs, machines, window, limit and lines of the source.
	 * Filters, automata, counters and log are in `nfa` alone. */
	struct spec spec;
	/* The automaton is neither homogeneous nor minimal. Its epsilon transitions are those of
	 * the source's automata, and those that leave counters. */
	struct nfa nfa;
};

/* A reference automaton beyond these bounds is given up. */
enum { REFERENCE_MOST_STATES = 1 << 22, REFERENCE_MOST_EDGES = 1 << 23 };

/* Fills *r, which borrows from the tree. Batches arrive in the slots of a protocol with the letters
 * `letters` (joint.h), none of which a guard of the tree may split. The protocol is a->proto or one
 * with fewer slots. *r borrows what `letters` points to. NFART_GAVEUP: the automaton exceeds the
 * bounds; `spec` is complete. NFART_NOFIT: a predicate names a message in a slot that the protocol
 * of `letters` does not have. NFART_SYSTEM: out of memory. Free *r with reference_free() in any
 * case. The cost is linear in the states and transitions of the automaton, and in the letters for
 * each distinct basic predicate. */
enum nfart_status reference_build(struct reference *r, const struct ast *a,
				  const struct alphabet *letters);
void reference_free(struct reference *r);

#endif
