/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * explain_rules.h: explains what checkers accept that were derived from rules of coherence, by the
 * rules that the image keeps. The checkers are followed beside the witness.
 */
#ifndef NFART_EXPLAIN_RULES_H
#define NFART_EXPLAIN_RULES_H

#include "runtime/explain/explain_batch.h"
#include "runtime/rules/rules.h"

/* Refuses a chart that a checker does not have: of a composed system no states are listed. Returns
 * NFART_OK; or s->e says why not. */
enum nfart_status explain_rules_check(const struct explain_state *s);

/* Takes what the last batch did to all copies, after witness_step(). False: out of memory. */
bool explain_rules_put(struct explain_state *s);

/* If the goal is a checker, appends why the copy of a part accepts, or why it does not, and returns
 * true. It returns false if the witness has to say it: then the goal is no checker, or the engine
 * accepted a batch that some run of the rules explains, which is said. */
bool explain_rules_why(struct explain_state *s, const struct witness_part *p, uint32_t goal,
		       bool accepted);

/* Appends the chart that was asked for (struct explain) of the batch that was taken last, of the
 * first copy that a checker accepts in. Returns whether there is one. */
bool explain_rules_chart(struct explain_state *s);

#endif
