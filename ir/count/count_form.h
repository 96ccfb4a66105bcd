/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * count_form.h: chooses and builds the form that takes the place of one repetition (Note [counting
 * repetitions] in count.c). Internal to count*.c.
 */
#ifndef NFACC_IR_COUNT_FORM_H
#define NFACC_IR_COUNT_FORM_H

#include "ir/count/count_make.h"

/* A repetition X{lo,hi} that stands after the prefix A, and what its analysis found. */
struct count_repetition {
	const struct count_prefix *a;
	rx_id_t x;
	uint32_t lo, hi;
	struct diag_range range;
	/* count_form() fills in the members below. */
	struct count_body body;
	bool closed;
	enum count_how why; /* if the form is COUNT_LOWER: why X{lo} is not counted either */
};

/* Chooses the form of the repetition r, or finds the reason why it stays as written. If the reason
 * has places in the source, they go to other[0] and other[1]. */
enum count_how count_form(struct count_prover *c, const struct count_options *o,
			  struct count_repetition *r, struct diag_range *other);

/* Builds the form `how` (at most COUNT_LOWER) of A X{lo,hi} and returns its node, or RX_NONE: out
 * of memory. counter[0] receives the number of the form's counter c, and counter[1] that of a
 * second counter if the form has one. *steps falls as in make_prefix(). */
rx_id_t count_rewrite(struct count_maker *m, uint64_t *steps, const struct count_repetition *r,
		      enum count_how how, uint32_t *counter);

#endif
