/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * witness.h: executes an image over batches as the engine does, but remembers why each state is
 * active: for nfarun --explain.
 *
 * Note [witness]. A state can become active in many ways. The one that is remembered is the
 * shortest: the way that began last and, of these, the one with the fewest steps. A *step* is a
 * state and the batch by which it became active; later batches that only kept it active are
 * counted. Each step links back to the step before it:
 *
 *   state 7 ─▸ step (7, batch 30) ─▸ step (4, batch 21) ─▸ step (1, batch 20)
 *   state 9 ─▸ step (9, batch 30) ──────┘
 *
 * Two states that became active from a third share the steps that led there. So a batch costs one
 * step for each state it makes active. Steps to which no active state leads back are freed.
 *
 * A chain begins with an always state; or with what a start state leads to in the first batch of
 * its copy; or with a counter. Where a filter goes round through several states a chain would grow
 * without bound, so only its last steps are kept: at least WITNESS_KEEP, at most twice that. Memory
 * is bounded by copies times active states times that number, plus the batches they refer to.
 *
 * Note [far]. How *far* a state is from a goal (a label, or log): 1 if a successor accepts, else
 * one more than the least of its successors. Ways through a counter do not count, since how many
 * batches they take is not known.
 */
#ifndef NFART_WITNESS_H
#define NFART_WITNESS_H

#include "contract/image.h"
#include "include/nfart.h"
#include "support/arena.h"
#include "support/vec.h"

enum {
	WITNESS_KEEP = 100,
	WITNESS_TIMES = 4,               /* times at which a counter counted, kept */
	WITNESS_MOST_FAR = 1 << 24       /* goals times states, at most */
};
#define WITNESS_LOG UINT32_MAX           /* the goal that a batch is logged */
#define WITNESS_NEVER UINT32_MAX         /* as a distance: there is no way */

/* The messages of a batch, of all lines, in the order of their slots. */
struct witness_batch {
	size_t refs;
	uint64_t time, mask;
	uint64_t header[];
};

/* The state of a counter; in a counter's step, its state when it became active. */
struct witness_count {
	uint32_t n;                      /* the count; before a roll */
	uint64_t counted;                /* how often it counted since it was 0; the last times: */
	uint64_t times[WITNESS_TIMES];   /* [counted % WITNESS_TIMES] is the oldest */
	bool was_reset;
	uint64_t reset;                  /* the time of the last reset */
};

enum witness_origin { WITNESS_STEP, WITNESS_ALWAYS, WITNESS_START, WITNESS_COUNTER };

struct witness_step {
	size_t refs;
	enum witness_origin origin;      /* WITNESS_STEP: another step led here; else it is the first */
	struct witness_step *before;     /* that step; NULL also where it is no longer kept */
	uint64_t held, held_until;       /* so many more batches kept the state before active, the
					  * last one at this time */
	struct witness_batch *batch;     /* the batch that made the state active */
	struct witness_count *count;     /* of a counter; else NULL */
	uint32_t state;
	uint32_t kept;                   /* steps of the chain that are kept, with this one */
	uint64_t steps;                  /* of the whole chain */
	uint64_t begin, begin_time;      /* its first batch, counted in its copy from 1 */
};

/* An active state. */
struct witness_active {
	struct witness_step *step;       /* NULL: a start state before the first batch */
	uint64_t held, held_until;       /* as in a step */
	uint32_t state;
};

struct witness_list {
	struct witness_active *at;       /* by rising state */
	size_t n, cap;
};

/* For one goal in one copy: how near it came since it last accepted, or was as near, and how that
 * was lost. */
struct witness_lost {
	uint32_t now;                    /* how far after the last batch, without always states */
	uint32_t far;                    /* how far before it was lost; 0: there is nothing to tell */
	struct witness_active was;       /* a state that was so far */
	struct witness_batch *by;        /* the batch that lost it */
	bool over;                       /* the last batch came as near again, or accepted */
};

struct witness_copy {
	uint64_t line, epoch;
	uint64_t batches, first;         /* seen; the first since it was in its start states */
	struct witness_list active;
	struct witness_lost *lost;       /* [goals] */
	struct witness_count *counts;    /* [counters] */
};

/* What the last batch did to one copy. */
struct witness_part {
	const struct witness_copy *copy; /* as it is after the batch */
	uint64_t slots;                  /* its messages */
	struct witness_list before;      /* what was active before the batch */
};

struct witness {
	const struct nfart_image *im;
	bool by_line;
	uint64_t first_line, nlines;

	uint32_t ngoals;
	const uint32_t *goals;           /* labels, or WITNESS_LOG */
	uint32_t *far;                   /* [goals][states] */
	uint32_t *far_always;            /* [goals]: from before the first step of an always state */

	bool any_reset;
	uint64_t reset_time;             /* of the last loss that put the copies back */
	VEC(struct witness_part) parts;  /* of the last batch, one for each line it touched */

	/* inside */
	struct arena arena;
	uint32_t *always, nalways;
	uint64_t epoch, stamp, *asked;   /* [predicates]: the stamp of the question last answered, */
	bool *answer;                    /* and the answer */
	uint32_t *from;                  /* [states]: by what it becomes active */
	VEC(uint32_t) touched;           /* states with from set */
	VEC(struct witness_copy *) copies;
	uint32_t *hash;                  /* line to copy: index + 1 */
	size_t nhash;
	const struct nfart_batch *at;    /* the batch of this step, */
	struct witness_batch *batch;     /* its copy once something refers to it */
};

/* Goals are borrowed. NULL: *e says why; memory, or NFART_GAVEUP above WITNESS_MOST_FAR. */
struct witness *witness_new(const struct nfart_image *im, const struct nfart_engine_options *o,
			    const uint32_t *goals, uint32_t ngoals, struct nfart_error *e);
void witness_free(struct witness *w);

/* Steps over a batch, which has messages. Fills parts; they and all they refer to are valid until
 * the next call. False: out of memory. The cost of a part is its active states times (their
 * successors + goals). */
bool witness_step(struct witness *w, const struct nfart_batch *b);

/* Fills far and far_always, for witness_new(). False: out of memory. Linear in goals times
 * transitions. */
bool witness_find_far(struct witness *w);

/* Puts every copy back to its start states: there was a loss at this time, with --on-loss reset. */
void witness_reset(struct witness *w, uint64_t time);

/* The slots of those messages of a batch that the copy of a line sees. */
uint64_t witness_slots(const struct witness *w, uint64_t mask, const uint64_t *header, uint64_t line);

/* Does state s accept for the goal? */
bool witness_accepts(const struct witness *w, uint32_t goal, uint32_t s);

/* Does the state's predicate hold for the messages of these slots? */
bool witness_holds(const struct nfart_image *im, uint32_t state, const uint64_t *header, uint64_t slots);

/* The active state that accepts for the goal, by the shortest way; or NULL. */
const struct witness_active *witness_find(const struct witness *w, const struct witness_list *l,
					  uint32_t goal);

/* How far the nearest active state is from the goal, or WITNESS_NEVER; *at (may be NULL): that
 * state. */
uint32_t witness_far(const struct witness *w, const struct witness_list *l, uint32_t goal,
		     const struct witness_active **at);

/* The batch's headers by slot. */
void witness_headers(const struct witness_batch *b, uint64_t header[static NFART_SLOTS]);

#endif
