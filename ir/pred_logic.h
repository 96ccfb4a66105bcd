/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * pred_logic.h: several predicates at once: can they hold together, does a choice of them cover
 * another, and which single predicate means the same as two alternatives.
 */
#ifndef NFACC_IR_PRED_LOGIC_H
#define NFACC_IR_PRED_LOGIC_H

#include "ir/pred.h"

enum pred_answer { PRED_NO, PRED_YES, PRED_UNKNOWN };

/* Does some batch satisfy all of yes[0 … nyes) and none of no[0 … nno)? PRED_UNKNOWN after
 * PRED_LOGIC_STEPS steps, or where more than PRED_LOGIC_MOST of them ask for a message. */
enum { PRED_LOGIC_MOST = 64, PRED_LOGIC_STEPS = 4096 };
enum pred_answer pred_satisfiable(const struct pred_table *t, const pred_id_t *yes, size_t nyes,
				  const pred_id_t *no, size_t nno);

/* Where p holds one of q[0 … n) does, for certain. */
bool pred_covered(const struct pred_table *t, pred_id_t p, const pred_id_t *q, size_t n);

/* *or: a predicate that holds where p or q does; PRED_NONE where there is none (or none that is found
 * within the bounds above). False: out of memory. */
bool pred_or(struct pred_table *t, pred_id_t p, pred_id_t q, pred_id_t *or);

#endif
