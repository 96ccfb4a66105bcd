/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * witness.h: executes an image over batches as the engine does, but remembers why each state is
 * active. nfarun --explain uses it.
 *
 * Note [witness]
 * A state can become active in many ways. The one that is remembered is the shortest: the way that
 * began last and, among such ways, the one with the fewest steps. A *step* is a state and the batch
 * by which it became active; later batches that only kept it active are counted. Each step links
 * back to the step before it:
 *
 *   state 7 ─▸ step (7, batch 30) ─▸ step (4, batch 21) ─▸ step (1, batch 20)
 *   state 9 ─▸ step (9, batch 30) ──────┘
 *
 * The steps that lead to an active state are its *chain*. Two states that became active from a
 * third share the steps that led there. So a batch costs one step for each state it makes active.
 * Steps to which no active state leads back are freed.
 *
 * A chain begins with one of three things: an always state, which becomes active whenever its
 * predicate holds; a state to which a start state leads in the first batch of its copy; or a
 * counter. Where a filter goes round through several states a chain would grow without bound, so
 * only its last steps are kept: at least WITNESS_KEEP, at most twice that. Memory is bounded by
 * copies times active states times that number, plus the batches they refer to.
 *
 * Note [far]
 * A *goal* is a label, or that a batch is logged. How *far* a state is from a goal: 1 if one of its
 * successors accepts, else one more than the least distance of its successors. Ways through a
 * counter do not count, since how many batches they take is not known.
 */
#ifndef NFART_WITNESS_H
#define NFART_WITNESS_H

#include "contract/image.h"
#include "include/nfart.h"
#include "support/arena.h"
#include "support/vec.h"

enum {
	WITNESS_KEEP = 100,
	WITNESS_TIMES = 4,               /* how many times at which a counter counted are kept */
	WITNESS_MOST_FAR = 1 << 24       /* the most that goals times states may be */
};
#define WITNESS_LOG UINT32_MAX           /* the goal "a batch is logged" */
#define WITNESS_NEVER UINT32_MAX         /* a distance: there is no way to the goal */

/* The messages of a batch, those of all lines, in the order of their slots. */
struct witness_batch {
	size_t refs;
	uint64_t time, mask;
	uint64_t header[];
};

/* The state of a counter. A counter's step has a copy of it, from the batch in which the counter
 * became active. */
struct witness_count {
	uint32_t n;                      /* the count; in a step, that before the counter rolled */
	uint64_t counted;                /* how often it counted since it was 0 */
	/* The last times at which it counted, as a ring: the i-th is at i % WITNESS_TIMES. */
	uint64_t times[WITNESS_TIMES];
	bool was_reset;
	uint64_t reset;                  /* the time of the last reset */
};

enum witness_origin { WITNESS_STEP, WITNESS_ALWAYS, WITNESS_START, WITNESS_COUNTER };

struct witness_step {
	size_t refs;
	/* WITNESS_STEP: another step led to this one; else this is the first step of its chain. */
	enum witness_origin origin;
	/* The step that led to this one; NULL if there is none or it is no longer kept. */
	struct witness_step *before;
	/* How many more batches kept the state of `before` active, and the time of the last of
	 * them. */
	uint64_t held, held_until;
	struct witness_batch *batch;     /* the batch that made the state active */
	struct witness_count *count;     /* of a counter's step: its state; else NULL */
	uint32_t state;
	uint32_t kept;                   /* steps of the chain that are kept, this one included */
	uint64_t steps;                  /* steps of the whole chain */
	/* The first batch of the chain: its number among the batches of its copy, from 1, and its
	 * time. */
	uint64_t begin, begin_time;
};

/* An active state. */
struct witness_active {
	struct witness_step *step;       /* NULL: a start state, before the first batch */
	/* How many more batches kept this state active, and the time of the last of them. */
	uint64_t held, held_until;
	uint32_t state;
};

struct witness_list {
	struct witness_active *at;       /* by rising state */
	size_t n, cap;
};

/* For one goal in one copy: how near to the goal the copy came since it last accepted, or since it
 * was as near again, and how that was lost. */
struct witness_lost {
	/* How far the goal is from the nearest active state after the last batch. Ways that begin
	 * with an always state are left out. */
	uint32_t now;
	uint32_t far;                    /* how far it was before the loss; 0: nothing was lost */
	struct witness_active was;       /* the active state that was so far from the goal */
	struct witness_batch *by;        /* the batch after which the goal was further away */
	/* The last batch came as near again, or accepted: the next batch forgets what was lost. */
	bool over;
};

struct witness_copy {
	uint64_t line, epoch;
	/* How many batches the copy has seen; the first of them since its start states, from 1. */
	uint64_t batches, first;
	struct witness_list active;
	struct witness_lost *lost;       /* [goals] */
	struct witness_count *counts;    /* [counters] */
};

/* What the last batch did to one copy. */
struct witness_part {
	const struct witness_copy *copy; /* as it is after the batch */
	uint64_t slots;                  /* the slots of the copy's messages */
	struct witness_list before;      /* what was active before the batch */
};

struct witness {
	const struct nfart_image *im;
	bool by_line;
	uint64_t first_line, nlines;

	uint32_t ngoals;
	const uint32_t *goals;           /* [ngoals]: labels, or WITNESS_LOG */
	/* [goals][states]: how far each state is from each goal (Note [far]). */
	uint32_t *far;
	/* [goals]: how far the goal is for a way that begins with an always state. */
	uint32_t *far_always;

	bool any_reset;
	uint64_t reset_time;             /* time of the last loss that put the copies back */
	/* What the last batch did: one part for each line that it touched. */
	VEC(struct witness_part) parts;

	/* ---- used inside ---- */
	struct arena arena;
	uint32_t *always, nalways;
	/* Predicates are asked once for a batch and copy, which have a stamp. asked[p] is the stamp
	 * for which answer[p] holds. */
	uint64_t epoch, stamp, *asked;
	bool *answer;
	uint32_t *from;                  /* [states]: by what each becomes active */
	VEC(uint32_t) touched;           /* the states for which `from` is set */
	VEC(struct witness_copy *) copies;
	uint32_t *hash;                  /* hash table by line: the copy's index, plus 1 */
	size_t nhash;
	const struct nfart_batch *at;    /* the current batch */
	/* The witness's own copy of the current batch, made once something refers to it. */
	struct witness_batch *batch;
};

/* Makes a witness with all copies in their start states. The image and the goals must outlive it.
 * NULL: *e says why: memory is short, or NFART_GAVEUP if there are more than WITNESS_MOST_FAR goals
 * times states. Free with witness_free(). */
struct witness *witness_new(const struct nfart_image *im, const struct nfart_engine_options *o,
			    const uint32_t *goals, uint32_t ngoals, struct nfart_error *e);
void witness_free(struct witness *w);

/* Steps over a batch, which must have messages. Fills w->parts; they and all they refer to are
 * valid until the next call. False: out of memory. The cost of a part is its active states times
 * (their successors + goals). */
bool witness_step(struct witness *w, const struct nfart_batch *b);

/* Fills w->far and w->far_always (Note [far]); witness_new() calls it. False: out of memory. Linear
 * in goals times transitions. */
bool witness_find_far(struct witness *w);

/* Puts every copy back to its start states, since there was a loss at this time and --on-loss is
 * reset. */
void witness_reset(struct witness *w, uint64_t time);

/* Returns the slots of those messages of a batch that the copy of a line sees. `mask` and `header`
 * are those of the batch. */
uint64_t witness_slots(const struct witness *w, uint64_t mask, const uint64_t *header,
		       uint64_t line);

/* Does state s accept for the goal? A goal is given by its index in w->goals. */
bool witness_accepts(const struct witness *w, uint32_t goal, uint32_t s);

/* Does the state's predicate hold for the messages of these slots? */
bool witness_holds(const struct nfart_image *im, uint32_t state, const uint64_t *header,
		   uint64_t slots);

/* Returns the active state of the list that accepts for the goal, by the shortest way; or NULL. */
const struct witness_active *witness_find(const struct witness *w, const struct witness_list *l,
					  uint32_t goal);

/* Returns how far the nearest active state of the list is from the goal, or WITNESS_NEVER. *at
 * becomes that state, or NULL; `at` may be NULL. */
uint32_t witness_far(const struct witness *w, const struct witness_list *l, uint32_t goal,
		     const struct witness_active **at);

/* Puts the headers of the batch into header[], by slot. */
void witness_headers(const struct witness_batch *b, uint64_t header[static NFART_SLOTS]);

#endif
