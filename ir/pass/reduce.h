/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * reduce.h: the rewriting rules of pass_simulate(), each by itself. See Note [simulation] in reduce.c
 * for what they do and why they are sound.
 *
 * `sim` is what simulate_future() or simulate_past() makes of d as it is; a rule leaves relations void
 * unless it says otherwise. False: out of memory.
 */
#ifndef NFACC_IR_REDUCE_H
#define NFACC_IR_REDUCE_H

#include "ir/pass/simulation.h"

/* By the future simulation: drop transitions that others cover; add all that others cover; merge. */
bool reduce_prune_future(struct dense *d, const uint64_t *sim);
void reduce_saturate_future(struct dense *d, const uint64_t *sim);
bool reduce_merge_future(struct dense *d, const uint64_t *sim);

/* By the past simulation: the same, and for labels as for transitions. */
bool reduce_prune_past(struct dense *d, const uint64_t *sim);
bool reduce_saturate_past(struct dense *d, const uint64_t *sim);
bool reduce_merge_past(struct dense *d, const uint64_t *sim);

/* Makes always states of all that can be entered by every batch anyway. No relation is needed. */
bool reduce_always(struct dense *d);

#endif
