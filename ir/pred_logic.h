/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * pred_logic.h: questions about several predicates at once. Can they hold together? Wherever one of
 * them holds, does one of the others hold, too? Which single predicate says "p or q"?
 */
#ifndef NFACC_IR_PRED_LOGIC_H
#define NFACC_IR_PRED_LOGIC_H

#include "ir/pred.h"

enum pred_answer { PRED_NO, PRED_YES, PRED_UNKNOWN };

/* Does some batch satisfy all of yes[0 … nyes) and none of no[0 … nno)? The answer is PRED_UNKNOWN
 * after PRED_LOGIC_STEPS steps of search, or if more than PRED_LOGIC_MOST of the predicates demand
 * a message. */
enum { PRED_LOGIC_MOST = 64, PRED_LOGIC_STEPS = 4096 };
enum pred_answer pred_satisfiable(const struct pred_table *t, const pred_id_t *yes, size_t nyes,
				  const pred_id_t *no, size_t nno);

/* Is it proved that on every batch on which p holds, some q[0 … n) holds? False also if the search
 * gives up. */
bool pred_covered(const struct pred_table *t, pred_id_t p, const pred_id_t *q, size_t n);

/* Makes *or a predicate that holds exactly where p or q holds. *or becomes PRED_NONE if there is no
 * such predicate, or if none is found within the bounds above. False: out of memory. */
bool pred_or(struct pred_table *t, pred_id_t p, pred_id_t q, pred_id_t *or);

#endif
