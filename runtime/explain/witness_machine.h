/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * witness_machine.h: what a witness remembers of the machines of a copy (nfacc-filter(5),
 * Machines).
 *
 * A machine has one way to its state. The last transitions that changed its state are kept, with
 * their batches and the counts that their conditions saw. Transitions from a state to itself only
 * count as batches after which the machine was still in its state.
 */
#ifndef NFART_WITNESS_MACHINE_H
#define NFART_WITNESS_MACHINE_H

#include "runtime/engine/machine.h"
#include "runtime/engine/orders.h"
#include "runtime/explain/witness.h"

enum { WITNESS_MOVES = 8 }; /* so many transitions of a machine are kept */

/* A transition that changed the state. */
struct witness_move {
	struct witness_batch *batch;
	uint32_t from, to, move;     /* states, and the transition's index, in the machine */
	/* [terms of the condition]: the counter of each term that has one; NULL: none has */
	struct witness_count *counts;
	/* After it the machine was in its state for `held` more batches, the last at held_until. */
	uint64_t held, held_until;
};

struct witness_machine {
	uint32_t was, state;              /* the states before and after the last batch */
	/* With `orders`: the set of states of the image in which it is. `state` is a marked one
	 * of them, or the first. */
	uint64_t *set;
	uint32_t move;                    /* the transition of the last batch; MACHINE_NO_MOVE */
	struct machine_counting *did;     /* [counters]: what the last batch did to them */
	/* [counters]: after the last batch, before it sets rolling counters back */
	struct witness_count *counts;
	/* the batches before the first transition */
	uint64_t held, held_until;
	/* How many transitions changed the state since the start. The i-th of them, from 0, is
	 * moves[i % WITNESS_MOVES]. */
	uint64_t nmoves;
	struct witness_move moves[WITNESS_MOVES];
};

/* Returns the machines of a new copy, not yet started. NULL: out of memory. */
struct witness_machine *witness_machines_new(const struct nfart_image *im);
void witness_machines_free(const struct nfart_image *im, struct witness_machine *m);

/* Puts the machines of a copy into their start states. */
void witness_machines_start(const struct nfart_image *im, struct witness_copy *c);

/* Makes the machines of copy c like those of `other`. False: out of memory. */
bool witness_machines_like(const struct nfart_image *im, struct witness_copy *c,
			   const struct witness_copy *other);

/* Steps the machines of a copy over what it sees of the current batch. False: out of memory. */
bool witness_step_machines(struct witness *w, struct witness_copy *c,
			   const struct witness_seen *seen);

/* Goes over n batches like the last one, the last of them at `time`. */
void witness_skip_machines(const struct nfart_image *im, struct witness_copy *c, uint64_t n,
			   uint64_t time);

/* Does machine number i accept for the goal (or show the output) in its state number s? */
bool witness_machine_accepts(const struct witness *w, uint32_t goal, uint32_t i, uint32_t s);

#endif
