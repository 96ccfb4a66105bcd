/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * pack_machines.h: what machines add to a sparse image (contract/image/image.h, Note [machines in
 * images]). Each function but the first appends to b; b->failed says that memory was short.
 */
#ifndef NFACC_BACKENDS_IMAGE_PACK_MACHINES_H
#define NFACC_BACKENDS_IMAGE_PACK_MACHINES_H

#include "backends/target.h"

/* Numbers the predicates that the image has: first those of the NFA's states, then those of
 * machines, each in the order of its first use. number[id] becomes the number of predicate id, or
 * UINT32_MAX; order[i] becomes the predicate with number i. Both arrays have an element for each
 * predicate of the spec. Returns how many the image has. Linear. */
uint32_t pack_number_preds(const struct target_job *job, uint32_t *number, pred_id_t *order);

/* Appends the states of machines to the element `states`. Each has a label set of its own, behind
 * those of the NFA. */
void pack_machine_states(const struct target_job *job, struct buf *b);

/* Appends the label sets of the machines' states to the element `labelsets`. Outputs have the
 * numbers after the last label. */
void pack_machine_labelsets(const struct target_job *job, struct buf *b);

/* Appends an empty list for each state of a machine to the element `edges`. */
void pack_machine_edges(const struct target_job *job, struct buf *b);

/* Appends the section `machines`. */
void pack_machines(const struct target_job *job, struct buf *b);

#endif
