/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * rv_stay.h: splits a process whose program has ended unnoticed.
 *
 * Note [stays]
 * A program may end, and another one may begin in its address space, without a token that says so.
 * A token contradicts the mapping of the first program then, or a second program is found. But the
 * tokens before may be of both, if they are in code that both have, such as libraries. So a program
 * is proven again and again while it runs: the tokens to come must allow no other mapping there,
 * with the evidence of Note [mappings]. All that was attributed before a proof is certain. At a
 * contradiction, all that was attributed since the last proof is taken back. It belongs to a
 * process without a program from then on, and its functions of programs are unknown. What comes
 * after the contradiction is a new process.
 *
 * Proofs are made after a sixteenth of the tokens since the program was found, at most. So with
 * enough evidence no more than that share of a program is taken back.
 *
 * A program goes on elsewhere if a token arrives from the kernel, and not where any thread has
 * stopped; or, without a kernel, if it does not follow the token before. If it contradicts the
 * mappings at once, another program has begun there, and nothing is taken back. If the tokens to
 * come prove the program, it is the same. Otherwise the process is doubtful until the next proof.
 * What was attributed to a doubtful process since the last proof is taken back at its next proof,
 * or at its end. A process is also doubtful before its program is found, if pages were unknown
 * that the program does not explain.
 *
 * A program that was not given, and that has the code of a given one at the same addresses, cannot
 * be told from it before its first token that differs.
 */
#ifndef NFACC_RISCV_RV_STAY_H
#define NFACC_RISCV_RV_STAY_H

#include "probes/profile/stacks/rv_profile.h"

/*
 * Proves the program of the hart again, if the first token of `ahead` allows that. Sets h->check to
 * the number of the token at which this must be called again.
 */
void rv_stay_check(struct rv_profile *p, struct rv_hart *h, struct rv_ahead ahead);

/*
 * The program of address space x goes on elsewhere, at the first token of `ahead`, and does not
 * contradict the mappings. If the tokens to come do not prove the program, the process is doubtful.
 */
void rv_stay_doubt(struct rv_profile *p, struct rv_space *x, struct rv_ahead ahead);

/* There are no more tokens: what is doubtful is taken back. */
void rv_stay_end(struct rv_profile *p);

/*
 * Does what rv_space_find() and rv_space_resume() have found at a token of the hart: the process
 * p->spaces.split is split, and the hart's program is proven if p->spaces.found is set.
 */
void rv_stay_settle(struct rv_profile *p, struct rv_hart *h);

#endif
