/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * simulation.h: simulation preorders of homogeneous NFAs with predicates, after Henzinger,
 * Henzinger and Kopke, "Computing simulations on finite and infinite graphs" (FOCS 1995), in bit
 * rows.
 *
 *   future: r simulates q if r has all labels of q and can follow it. To follow means: for each
 *     successor q' of q and each batch that satisfies the predicate of q', r has a successor that
 *     simulates q' and whose predicate the batch satisfies. Several successors of r may share out
 *     the batches. The predicates of q and r themselves are not compared. Then whatever follows
 *     from q being active follows from r being active.
 *   past: r simulates q under three conditions. The predicate of q implies that of r. If the first
 *     batch (or every batch) can enter q, it can enter r, too. Each predecessor of q is simulated
 *     by a predecessor of r. Then r is active whenever q is. A counter is simulated only by itself.
 */
#ifndef NFACC_IR_SIMULATION_H
#define NFACC_IR_SIMULATION_H

#include "ir/dense/dense.h"

/* Compute the greatest such relation into sim[n * words]: row q has the states that simulate q, and
 * q itself; rows of dead states are empty. *work falls by the cost, in words. NFART_GAVEUP: *work
 * is used up, and sim is void. NFART_SYSTEM: out of memory. The cost is about rounds * (transitions
 * + pairs in the relation) * words, with at most n^2 rounds. */
enum nfart_status simulate_future(const struct dense *d, uint64_t *sim, uint64_t *work);
enum nfart_status simulate_past(const struct dense *d, uint64_t *sim, uint64_t *work);

/* Do the states of `set` together do what y does, by the future simulation `sim`? A state of the
 * set that simulates y does this for the batches that satisfy its own predicate. */
bool simulation_covers(const struct dense *d, const uint64_t *sim, uint32_t y, const uint64_t *set);

#endif
