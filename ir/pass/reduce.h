/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * reduce.h: the rewriting rules of pass_simulate(), each as a function. Note [simulation] in
 * reduce.c says what they do and why they are sound.
 *
 * `sim` must be what simulate_future() or simulate_past() makes of d as it is when the rule is
 * called. After a rule the relations are void, unless the rule says otherwise. False: out of
 * memory.
 */
#ifndef NFACC_IR_REDUCE_H
#define NFACC_IR_REDUCE_H

#include "ir/pass/simulation.h"

/* The rules by the future simulation. Pruning drops transitions that others cover, saturating adds
 * all transitions that others cover, and merging makes one state of equivalent states. */
bool reduce_prune_future(struct dense *d, const uint64_t *sim);
void reduce_saturate_future(struct dense *d, const uint64_t *sim);
bool reduce_merge_future(struct dense *d, const uint64_t *sim);

/* The rules by the past simulation. They do the same to transitions, and they also
 * drop, add and merge labels. */
bool reduce_prune_past(struct dense *d, const uint64_t *sim);
bool reduce_saturate_past(struct dense *d, const uint64_t *sim);
bool reduce_merge_past(struct dense *d, const uint64_t *sim);

/* Makes always states of all states that every batch can enter anyway. Needs no relation. */
bool reduce_always(struct dense *d);

#endif
