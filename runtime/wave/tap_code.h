/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * tap_code.h: the expressions of an interface (contract/proto/tap.h), prepared to run. A register
 * has two rails: `value`, the bits that are 1, and `known`, the bits that are 0 or 1. A bit that is
 * unknown is 0 in both. Registers of at most 64 bits, which are nearly all, are one word, and
 * operations on them are a few instructions. Wider ones are several words, lowest first.
 */
#ifndef NFART_TAP_CODE_H
#define NFART_TAP_CODE_H

#include "contract/proto/tap.h"

struct tap_step; /* a prepared operation */

struct tap_code_state {
	uint64_t *value, *known;  /* the words of all registers: those of signals come first */
	struct tap_step *steps;   /* [ncode] */
	uint32_t nsignals;
	const uint32_t *place;    /* [2 * nsignals + ncode + 1]: the first word of each register,
				   * and how many words there are */
	bool past;                /* there is a sample before */
};

/* The truth of an expression. */
enum tap_truth { TAP_FALSE, TAP_TRUE, TAP_UNTOLD };

/* Prepares the expressions of x. False: out of memory. The caller frees *s with tap_code_free() in
 * every case. All registers are unknown. */
bool tap_code_prepare(struct tap_code_state *s, const struct tap_interface *x);
void tap_code_free(struct tap_code_state *s);

/* Evaluates an expression. Its result is in its register. */
void tap_code_run(struct tap_code_state *s, const struct tap_expr *e);

/* Evaluates a condition, which has one bit. */
static inline enum tap_truth tap_code_truth(struct tap_code_state *s, const struct tap_expr *e)
{
	uint32_t at;

	if (e->begin != e->end)
		tap_code_run(s, e);
	at = s->place[e->result];
	return (s->value[at] & 1) != 0   ? TAP_TRUE
	       : (s->known[at] & 1) != 0 ? TAP_FALSE
					 : TAP_UNTOLD;
}

/* Makes the current values of signals those of the sample before, which exists if `past` is set. */
void tap_code_keep(struct tap_code_state *s, bool past);

#endif
