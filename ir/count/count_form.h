/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * count_form.h: what takes the place of one repetition (Note [counting repetitions] in count.c).
 * Internal to count*.c.
 */
#ifndef NFACC_IR_COUNT_FORM_H
#define NFACC_IR_COUNT_FORM_H

#include "ir/count/count_make.h"

/* A repetition X{lo,hi} after A, as it was analysed. */
struct count_repetition {
	const struct count_prefix *a;
	rx_id_t x;
	uint32_t lo, hi;
	struct diag_range range;
	/* Filled by count_form(). */
	struct count_body body;
	bool closed;
	enum count_how why; /* with COUNT_LOWER: why no counter counts what is left */
};

/* Decides what to do with it. A reason with places puts its two places into `other`. */
enum count_how count_form(struct count_prover *c, const struct count_options *o,
			  struct count_repetition *r, struct diag_range *other);

/* The form `how` (up to COUNT_LOWER) of A X{lo,hi}, to be built. counter[0] receives the c of the form,
 * counter[1] a second counter where there is one. Steps as in make_prefix(). */
rx_id_t count_rewrite(struct count_maker *m, uint64_t *steps, const struct count_repetition *r,
		      enum count_how how, uint32_t *counter);

#endif
