/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * machine.h: a machine is a deterministic automaton with counters, stepped once a batch
 * (nfacc-filter(5), Machines). It says what the text says, with its names resolved. A machine is
 * executed as it is: no pass changes it, and no NFA is made of it.
 *
 * A batch steps a machine in this order. First each counter, in order of declaration: it becomes 0
 * if one of its `reset` conditions holds; otherwise it goes up by one if one of its `count`
 * conditions holds. Then the first move whose source is the state before the batch and whose
 * condition holds is taken. Labels, log and outputs are those of the state after that.
 *
 * A machine with `orders` has no counters, and is in a set of states. Its moves are taken message by
 * message, in every order of a batch's messages (runtime/engine/orders.h); each has one term, a
 * predicate.
 */
#ifndef NFACC_IR_MACHINE_H
#define NFACC_IR_MACHINE_H

#include "contract/contract.h"
#include "ir/pred.h"
#include "support/diag.h"
#include "support/vec.h"

/* The source of a move that may start in every state: `* -> S`. */
enum { MACHINE_ANY = UINT32_MAX };

enum machine_term_kind {
	MACHINE_PRED,    /* the batch satisfies the predicate `pred` */
	MACHINE_AT,      /* `@C`: counter `counter` is active */
	MACHINE_NOT_AT   /* `!@C` */
};

struct machine_term {
	enum machine_term_kind kind;
	pred_id_t pred; /* an id in spec.preds, which letters of the time slot may stand in, too */
	uint32_t counter; /* index into machine.counters */
	struct diag_range range;
};

/* A condition holds if all its terms hold and the state before the batch is one of `when`. */
struct machine_cond {
	uint32_t nterms;
	const struct machine_term *terms; /* [nterms], at least 1 */
	uint32_t nwhen;                   /* 0: the state does not matter */
	const uint32_t *when;             /* [nwhen] indices into machine.states, rising */
	struct diag_range range;
};

struct machine_counter {
	const char *name;
	uint32_t k;
	enum counter_mode mode;
	/* A condition with `@` names only counters that are declared before this one. */
	VEC(struct machine_cond) count, reset;
	struct diag_range range;
};

struct machine_state {
	const char *name;
	bool log;
	uint32_t nlabels;
	const uint32_t *labels;  /* distinct indices into spec.labels, in rising order */
	uint32_t noutputs;
	const uint32_t *outputs; /* distinct indices into spec.outputs, in rising order */
	struct diag_range range;
};

struct machine_move {
	uint32_t from; /* index into machine.states, or MACHINE_ANY */
	uint32_t to;
	struct machine_cond cond;
	struct diag_range range;
};

/* Names, and the arrays that are not vectors, are in the arena of the spec. */
struct machine {
	const char *name;
	uint32_t orders; /* the most messages that are taken in every order; 0: it is no such one */
	VEC(struct machine_counter) counters;
	VEC(struct machine_state) states;
	VEC(struct machine_move) moves; /* in the order of the text */
	uint32_t start;
	struct diag_range range;
};

/* Steps a machine without `orders` by a batch, from a state and the counts of its counters, which are changed. The
 * bit set `truth` says by id which predicates hold for the batch. Returns the state after it. The
 * machine has at most IMAGE_MACHINE_COUNTERS counters. */
uint32_t machine_next(const struct machine *m, const uint64_t *truth, uint32_t state,
		      uint32_t *counts);

/* Frees the vectors of *m. */
void machine_free(struct machine *m);

#endif
