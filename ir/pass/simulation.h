/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * simulation.h: simulation preorders of homogeneous NFAs with predicates, after Henzinger, Henzinger
 * and Kopke, "Computing simulations on finite and infinite graphs" (FOCS 1995), in bit rows.
 *
 * future: r simulates q if r has all labels of q, and for each successor q' of q and each batch that
 *         satisfies its predicate r has a successor that simulates q' and whose predicate the batch
 *         satisfies; several successors of r may share this out. The predicates of q and r themselves
 *         are not compared. Then whatever follows from q being active follows from r being active.
 * past:   r simulates q if the predicate of q implies that of r, r can be entered by the first batch
 *         (or always) if q can, and each predecessor of q is simulated by one of r. Then r is active
 *         whenever q is. Counters are simulated by themselves alone.
 */
#ifndef NFACC_IR_SIMULATION_H
#define NFACC_IR_SIMULATION_H

#include "ir/dense/dense.h"

/* The coarsest such relation into sim[n * words]: row q has the states that simulate q, q too; rows of
 * dead states are empty. *work falls by what it cost, in words; NFART_GAVEUP where it is used up, and
 * sim is void then. About rounds * (transitions + pairs in relation) * words; n^2 rounds at most. */
enum nfart_status simulate_future(const struct dense *d, uint64_t *sim, uint64_t *work);
enum nfart_status simulate_past(const struct dense *d, uint64_t *sim, uint64_t *work);

/* Do the states of `set` together do what y does, by the future simulation `sim`? Each of them that
 * simulates y does it for the batches of its own predicate. */
bool simulation_covers(const struct dense *d, const uint64_t *sim, uint32_t y, const uint64_t *set);

#endif
