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
 * A chain begins in one of three ways. An always state becomes active because its predicate holds.
 * A start state leads to another state in the first batch of its copy. Or a counter becomes active.
 * Where a filter goes round through several states, a chain would grow without bound. So only its
 * last steps are kept: at least WITNESS_KEEP, at most twice as many. Memory is bounded by the
 * number of these steps times copies times active states, plus the batches to which steps refer.
 *
 * Note [far]
 * A *goal* is that a batch is accepted with a certain label, or that a batch is logged. How *far* a
 * state is from a goal is a number of batches. It is 1 if one of the state's successors accepts for
 * the goal, else one more than the least such number of its successors. Ways through a counter are
 * left out, because it is not known how many batches they take.
 */
#ifndef NFART_WITNESS_H
#define NFART_WITNESS_H

#include "contract/image/image.h"
#include "include/nfart.h"
#include "runtime/engine/copies.h"
#include "runtime/engine/joins.h"
#include "support/arena.h"
#include "support/hash.h"
#include "support/vec.h"

enum {
	WITNESS_KEEP = 100,
	/* A counter remembers so many of the last times at which it counted. */
	WITNESS_TIMES = 4,
	WITNESS_MOST_FAR = 1 << 24       /* the most that goals times states may be */
};
#define WITNESS_LOG UINT32_MAX           /* the goal "a batch is logged" */
#define WITNESS_NEVER UINT32_MAX         /* a distance: there is no way to the goal */

/* A batch. It has the headers of its messages, of all lines, in the order of their slots, and after
 * them, in the same order, the numbers of the copies that the messages are for, and then their
 * payload, if the image looks at it. */
struct witness_batch {
	size_t refs;
	uint64_t time, mask;
	uint64_t own;                    /* the slots whose messages are for one copy */
	uint8_t when;                    /* nfart_batch.when */
	uint8_t payload_words;           /* of each message; 0: the payload is not kept */
	uint64_t header[];
};

/* The state of a counter. A counter's step has a copy of it, from the batch in which the counter
 * became active. */
struct witness_count {
	/* The count. In the copy that a step has, it is the count before a rolling counter is set
	 * back. */
	uint32_t n;
	uint64_t counted;                /* how often the counter counted since it was last 0 */
	/* The last times at which the counter counted, as a ring. The i-th time it counted, from 0,
	 * is times[i % WITNESS_TIMES]. */
	uint64_t times[WITNESS_TIMES];
	bool was_reset;
	uint64_t reset;                  /* if was_reset: the time of the last reset */
};

/* What a copy sees of a batch. */
struct witness_seen {
	const uint64_t *header;          /* by slot */
	uint64_t slots;                  /* the slots with messages that the copy sees */
	uint8_t when;                    /* nfart_batch.when */
	uint8_t payload_words;           /* of each message */
	uint64_t mask;                   /* the slots of all the messages of the batch, */
	const uint64_t *payload;         /* and their payload */
};

enum witness_origin { WITNESS_STEP, WITNESS_ALWAYS, WITNESS_START, WITNESS_COUNTER };

struct witness_step {
	size_t refs;
	/* WITNESS_STEP: another step led to this one. All other values: this is the first step of
	 * its chain. */
	enum witness_origin origin;
	/* The step that led to this one; NULL if there is none or it is no longer kept. */
	struct witness_step *before;
	/* The state of `before` stayed active in `held` more batches before this step. The last of
	 * them was at the time held_until. */
	uint64_t held, held_until;
	struct witness_batch *batch;     /* the batch that made the state active */
	/* in the step of a counter: the state of the counter; else NULL */
	struct witness_count *count;
	uint32_t state;
	/* number of steps of the chain that are kept, this one included */
	uint32_t kept;
	uint64_t steps;                  /* number of steps of the whole chain, this one included */
	/* `begin` is the number, from 1, of the chain's first batch among the batches of the copy;
	 * begin_time is the time of that batch. */
	uint64_t begin, begin_time;
};

/* An active state. */
struct witness_active {
	/* The step that made the state active. NULL: it is a start state, and there was no batch
	 * yet. */
	struct witness_step *step;
	/* The state stayed active in `held` more batches after the step. The last of them was at
	 * the time held_until. */
	uint64_t held, held_until;
	uint32_t state;
};

struct witness_list {
	struct witness_active *at;       /* [n], ordered by state */
	size_t n, cap;
};

/* What one copy has lost with respect to one goal. A *loss* is a batch after which the goal is
 * further away than before. It is remembered until the copy accepts for the goal, or is as near to
 * the goal as it was before the loss. */
struct witness_lost {
	/* How far the goal is from the nearest active state after the last batch. Ways that begin
	 * with an always state are left out. */
	uint32_t now;
	/* how far the goal was before the loss; 0: nothing was lost */
	uint32_t far;
	struct witness_active was;       /* the active state from which the goal was `far` away */
	/* the loss: the batch after which the goal was further away */
	struct witness_batch *by;
	/* After the last batch the copy is as near as before the loss, or accepts. So the next
	 * batch forgets the loss. */
	bool over;
};

/* A batch with a tick, the end or a broadcast message is for every copy. Copies that never had a
 * message of their own have all seen the same. One copy stands for them: the *rest* (engine.h, Note
 * [the rest]). A copy with a first message of its own goes on from what the rest has seen. */
#define WITNESS_REST UINT64_MAX

struct witness_copy {
	/* `line` is the number of the copy (copies.h), or WITNESS_REST */
	uint64_t line, epoch;
	uint64_t stamp;                  /* witness.pool.batches when the copy was last stepped */
	/* `batches` counts the batches that the copy has seen. `first` is the number, from 1, of
	 * the first batch that it saw after it was last put into its start states. */
	uint64_t batches, first;
	struct witness_list active;
	struct witness_lost *lost;       /* [goals]: what was lost with respect to each goal */
	struct witness_count *counts;    /* [counters]: the state of each counter */
	struct witness_machine *machines; /* [machines] (witness_machine.h) */
	uint32_t *machine_counts;        /* [image_nfa.ncounts]: those of machines are used */
};

/* What the last batch did to one copy. */
struct witness_part {
	const struct witness_copy *copy; /* as it is after the batch */
	struct witness_seen seen;        /* `header` is that of the batch */
	struct witness_list before;      /* the states that were active before the batch */
};

/* What is asked for. */
struct witness_goals {
	uint32_t n;
	/* [n]: each is the index of a label, or WITNESS_LOG */
	const uint32_t *at;
	/* [n][states]: how far each state is from each goal (Note [far]). */
	uint32_t *far;
	/* [n]: how far the goal is for a way that begins with an always state. */
	uint32_t *far_always;
};

/* A predicate is evaluated once for each batch and copy. `stamp` counts these pairs. answer[p] is
 * the value of predicate p if at[p] equals `stamp`. */
struct witness_asked {
	uint64_t stamp, *at;
	bool *answer;
};

/* The copies, as in struct engine_copies. */
struct witness_copies {
	uint64_t epoch;                  /* counts the calls of witness_reset() */
	uint64_t batches;                /* how many batches were stepped */
	uint64_t live;                   /* how many copies were used in this epoch */
	struct witness_copy *rest;       /* NULL: there was no batch for all copies */
	VEC(struct witness_copy *) copies;
	struct hash_ids hash;            /* finds `copies` by line */
};

/* The batch that is being stepped. */
struct witness_current {
	const struct nfart_batch *at;
	uint64_t own;                  /* the slots whose messages are for one copy */
	uint64_t number[NFART_SLOTS];  /* with `own`, by slot: that copy */
	/* A copy of *at that steps share. It is made when something first refers to it. */
	struct witness_batch *batch;
	uint32_t *from;        /* [states]: how each state becomes active */
	VEC(uint32_t) touched; /* the states for which `from` is set */
	bool counted;          /* the count of a counter changed */
};

struct witness {
	const struct nfart_image *im;
	struct copies map; /* which messages are for which copy */
	struct joins joins;
	struct witness_goals goal;
	bool any_reset;
	/* time of the loss that last put the copies back to their start states */
	uint64_t reset_time;
	/* What the last batch did: one part for each line that it touched. */
	VEC(struct witness_part) parts;

	/* ---- used inside ---- */
	struct arena arena;
	uint32_t *always, nalways;
	uint64_t *truth; /* the predicates that hold, as a bit set, for machines */
	/* For machines with `orders`: the predicates of mode None; [slots]: those that name a
	 * message, as bit sets; the states after a batch; [orders_words()]. */
	uint64_t *none, *rows, *after, *orders;
	struct witness_asked asked;
	struct witness_copies pool;
	struct witness_current current;
};

/* Makes a witness with all copies in their start states. The image and the goals must outlive it.
 * NULL: *e says why: memory is short, or NFART_GAVEUP if there are more than WITNESS_MOST_FAR goals
 * times states. Free with witness_free(). */
struct witness *witness_new(const struct nfart_image *im, const struct nfart_engine_options *o,
			    const uint32_t *goals, uint32_t ngoals, struct nfart_error *e);
void witness_free(struct witness *w);

/* Steps over a batch, which must have messages, a tick or the end. Fills w->parts; they and all
 * they refer to are valid as long as the batch, and until the next call. False: out of memory. The
 * cost of a part is its active states times (their successors + goals). */
bool witness_step(struct witness *w, const struct nfart_batch *b);

/* Did the last batch leave all copies as they were, so that the same batch at a later time will do
 * that again? The batch was for all copies. */
bool witness_is_quiet(const struct witness *w);

/* Steps over n batches like the last one, the last of them at `time`. witness_is_quiet() must be
 * true. Ends what w->parts has. */
void witness_skip(struct witness *w, uint64_t n, uint64_t time);

/* Fills w->far and w->far_always (Note [far]); witness_new() calls it. False: out of memory. Linear
 * in goals times transitions. */
bool witness_find_far(struct witness *w);

/* Puts every copy back to its start states. `time` is the time of the loss for which --on-loss asks
 * this. */
void witness_reset(struct witness *w, uint64_t time);

/* Returns what the copy of a line saw of a batch. The headers are written to header[]. */
struct witness_seen witness_see(const struct witness *w, const struct witness_batch *b,
				uint64_t line, uint64_t header[static NFART_SLOTS]);

/* Does state s accept for the goal? A goal is given by its index in w->goals. */
bool witness_accepts(const struct witness *w, uint32_t goal, uint32_t s);

/* Returns what a copy with these slots sees of a batch, while that is valid; the message in a slot;
 * and its letter. */
struct witness_seen witness_see_batch(const struct nfart_batch *b, uint64_t slots);
struct record_message witness_message(const struct witness_seen *seen, uint32_t slot);
uint32_t witness_letter(const struct nfart_image *im, const struct witness_seen *seen,
			uint32_t slot);

/* Does the predicate name the letter? */
bool witness_names(const struct image_pred *p, uint32_t letter);

/* Does the state's predicate hold for this? */
bool witness_holds(const struct nfart_image *im, uint32_t state, const struct witness_seen *seen);

/* Does the predicate, which is given by its index, hold for this? */
bool witness_pred_holds(const struct nfart_image *im, uint32_t pred,
			const struct witness_seen *seen);

/* Returns the active state of the list that accepts for the goal, by the shortest way; or NULL. */
const struct witness_active *witness_find(const struct witness *w, const struct witness_list *l,
					  uint32_t goal);

/* Returns how far the nearest active state of the list is from the goal, or WITNESS_NEVER. *at
 * becomes that state, or NULL; `at` may be NULL. */
uint32_t witness_far(const struct witness *w, const struct witness_list *l, uint32_t goal,
		     const struct witness_active **at);

#endif
