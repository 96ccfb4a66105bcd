/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * reference.h: the automaton that an image is held against, made from the checked syntax tree.
 *
 * It is built by another method than the automaton that is compiled, and shares no code with lowering
 * (compiler/lower.c), construction (ir/build.c) and predicates (ir/pred.c), so that a mistake in one
 * of them is no mistake here. `spec` and `nfa` are filled as plain data. What is believed is the tree
 * and the tables of the protocol.
 *
 * Expressions are read by Antimirov's partial derivatives (Antimirov: Partial derivatives of regular
 * expressions and finite automaton constructions, 1996), see derive.c.
 */
#ifndef NFACC_COMPILER_PROOF_REFERENCE_H
#define NFACC_COMPILER_PROOF_REFERENCE_H

#include "grammar/ast.h"
#include "ir/nfa.h"

struct reference {
	struct arena arena;
	struct spec spec; /* protocol, predicates, labels, window, limit and lines; no expressions */
	struct nfa nfa;   /* neither homogeneous nor minimal; with epsilon transitions only where the
			   * source has them, and from counters */
};

/* Bounds that end in NFART_GAVEUP. */
enum { REFERENCE_MOST_STATES = 1 << 22, REFERENCE_MOST_EDGES = 1 << 23 };

/* Fills *r, which borrows from the tree. `tap` is the protocol in whose slots batches arrive: a->proto, or
 * one with fewer slots. NFART_GAVEUP: larger than the bounds. NFART_NOFIT: a predicate names a message in
 * a slot that `tap` does not have. NFART_SYSTEM: out of memory. Free with reference_free() whatever the
 * answer. Linear in the positions and transitions of the automaton, and, for each distinct basic predicate,
 * in the codes of the protocol. */
enum nfart_status reference_build(struct reference *r, const struct ast *a, const struct nfart_proto *tap);
void reference_free(struct reference *r);

#endif
