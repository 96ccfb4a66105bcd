/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * rv_quick.h: the short way for tokens that go on in the same function, call, return or jump within
 * one privilege and one address space, in code that is known. rv_profile.c takes all other tokens.
 *
 * Note [short way]
 * The short way makes the same stacks as the long way, and decides nothing: where it is not certain
 * what a token does, it stops before that token. It looks up the token in the mapping of the token
 * before, or in another known mapping of the address space. It adds the cycles of a function to the
 * tree when the function is left.
 *
 * With a listener only tokens that go on in the same function take the short way, because all
 * others must be told.
 */
#ifndef NFACC_RISCV_RV_QUICK_H
#define NFACC_RISCV_RV_QUICK_H

#include "probes/profile/stacks/rv_profile.h"

/*
 * Takes the tokens of hart h that take the short way, up to n. Returns their number. If memory is
 * short, p->tree.failed is set.
 */
size_t rv_quick_take(struct rv_profile *p, struct rv_hart *h, const struct nfaperf_token *t,
		     size_t n);

#endif
