/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * explain_machine.h: functions that put into words what a witness remembers of machines
 * (witness_machine.h).
 */
#ifndef NFART_EXPLAIN_MACHINE_H
#define NFART_EXPLAIN_MACHINE_H

#include "runtime/explain/explain_text.h"

/* Returns the first machine of the part, from number `from` on, that accepts for the goal (for an
 * output: shows it) after the batch. Returns the image's number of machines if none does. */
uint32_t explain_machine_find(const struct explain_text *x, const struct witness_part *p,
			      uint32_t goal, uint32_t from);

/* Is there a machine with a state that accepts for the goal? */
bool explain_machine_has(const struct explain_text *x, uint32_t goal);

/* Appends why machine number i accepts for the goal after the batch at `time`. If `told`, only
 * appends that this was told above. */
void explain_machine_why(struct explain_text *x, const struct witness_part *p, uint32_t goal,
			 uint32_t i, uint64_t time, bool told);

/* Appends, for each machine that has a state which accepts for the goal, in which state it is and
 * which transitions it could have taken. A machine that was told for an earlier goal is only
 * mentioned, so all goals must be told in order. */
void explain_machine_why_not(struct explain_text *x, const struct witness_part *p, uint32_t goal,
			     uint64_t time);

#endif
