/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * clauses.h: decides whether clauses and cardinality constraints can hold together.
 *
 * The method is conflict-driven clause learning (Marques-Silva, Sakallah 1999; Moskewicz and others
 * 2001). Each conflict is resolved back to the first literal that implies it at its own level, and
 * the resolvent is kept as a clause. Every kept clause follows from the constraints alone, never
 * from assumptions, so it stays valid when more constraints come.
 *
 * A cardinality constraint is propagated by a counter, not written as clauses. That is why this
 * module exists beside CaDiCaL and other SAT solvers, which know clauses alone. Written as clauses,
 * the constraints of intervals make the same proofs 5 to 40 times slower, or impossible
 * (doc/develop/mapping.md has the figures).
 *
 * The same calls give the same answers: activities are integers, and ties go to the lower variable.
 */
#ifndef NFACC_MAP_CLAUSES_H
#define NFACC_MAP_CLAUSES_H

#include <stdbool.h>
#include <stdint.h>

#include "include/nfart_status.h"

/* Variable v is true as literal 2 * v and false as literal 2 * v + 1. */
typedef uint32_t literal_t;

static inline literal_t literal_not(literal_t l)
{
	return l ^ 1;
}

struct clauses;

/* Makes a problem of `nvars` variables without constraints. NULL: out of memory. */
struct clauses *clauses_new(uint32_t nvars);
void clauses_free(struct clauses *s);

/* Adds the constraint that one of the n literals holds. They are of different variables. */
void clauses_add(struct clauses *s, const literal_t *literals, uint32_t n);

/* Adds the constraint that at most `most` of the n literals hold. They are of different
 * variables. */
void clauses_add_most(struct clauses *s, const literal_t *literals, uint32_t n, uint32_t most);

/* Looks for values of all variables with which all constraints and the assumption hold. Lowers
 * *steps by the work that was done: literals and constraints that were looked at.
 *
 *   NFART_OK      found; clauses_holds() gives the values until the next call
 *   NFART_NOFIT   the constraints do not hold with the assumption
 *   NFART_GAVEUP  *steps is 0
 *   NFART_SYSTEM  out of memory, now or in an earlier call that added a constraint */
enum nfart_status clauses_solve(struct clauses *s, literal_t assumption, uint64_t *steps);

/* Does the literal hold in the values that were found? */
bool clauses_holds(const struct clauses *s, literal_t l);

#endif
