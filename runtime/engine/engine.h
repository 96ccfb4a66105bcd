/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * engine.h: the inside of the software engine. The faster ways to run a filter (fast/) use the
 * engine's tables and single steps. Where they can't continue, they write their states into the
 * engine's copies and let the engine step.
 */
#ifndef NFART_ENGINE_H
#define NFART_ENGINE_H

#include "contract/image/image.h"
#include "include/nfart.h"
#include "runtime/engine/copies.h"
#include "runtime/engine/joins.h"
#include "runtime/engine/orders.h"
#include "runtime/rules/judge.h"
#include "support/hash.h"
#include "support/vec.h"

/* Note [the rest]
 * With substreams, some batches are for every copy: those with a tick, the end, or a message of a
 * broadcast type. There may be far more copies than memory. But all copies that never had a message
 * of their own have seen the same, and are in the same state: that of the *rest*. So a copy is made
 * when it first has a message of its own, and begins in the state of the rest.
 */
struct copy {
	uint64_t number; /* the copy's number (copies.h) */
	uint64_t epoch;  /* the engine's epoch when the copy was last used. If the engine has a
			  * newer one, the copy belongs to the rest. */
	uint64_t batch;  /* the engine's count of batches when the copy was last stepped */
};

/* What the engine makes of the image. */
struct engine_tables {
	/* [nletters][pwords]: for each letter (image.h), the predicates that name it */
	uint64_t *rows;
	uint64_t *none;          /* the set of predicates of mode None */
	uint64_t *start,         /* the set of states with a start mark */
		 *output;        /* the set of states with labels or a log mark */
	uint32_t *always;        /* [nalways]: the states that need no predecessor to be active */
	uint32_t nalways;
};

/* The copies that do not belong to the rest, and how far the stream is. */
struct engine_copies {
	uint64_t epoch;
	uint64_t batches;        /* how many batches were stepped */
	uint64_t live;           /* how many copies do not belong to the rest */
	VEC(struct copy) copies;
	uint64_t *active;        /* [cap][words]: the set of active states of each copy */
	uint32_t *counts;        /* [cap][ncounts + 1]: the counts of each copy */
	size_t cap;              /* how many copies `active` and `counts` have room for */
	struct hash_ids hash;    /* finds `copies` by number */
};

struct nfart_engine {
	const struct nfart_image *im;
	struct arena arena;
	bool lines, reset_on_loss;
	struct copies map;       /* which messages are for which copy */
	struct joins joins;      /* the copies of answers that do not say it themselves */
	uint64_t tick;           /* cycles between two ticks; 0: there are no ticks */
	size_t words,            /* how many 64-bit words a set of states takes */
	       pwords;           /* how many 64-bit words a set of predicates takes */
	struct engine_tables table;
	struct {
		uint64_t *truth,    /* the set of predicates that hold for the batch */
			 *next;     /* the set of states that are active after the batch */
		uint64_t *after;    /* the set of states of machines after the batch */
		uint64_t *orders;   /* [orders_words()] */
		struct orders_batch batch; /* what engine_truth() was told of it */
	} scratch;
	uint64_t *labels;        /* the set of labels in the current result */
	VEC(struct nfart_line) found;
	bool unnamed;            /* did engine_names_rest() say no? */
	struct judge judge;      /* if the image has rules to be followed */
	struct {
		uint64_t epoch;   /* as struct copy's `epoch` */
		uint64_t *active; /* [words]: the active states */
		uint32_t *counts; /* [ncounts + 1] */
	} rest;
	struct engine_copies pool;
};

/* Does a loss record put every copy back into its start states? The image says so, unless the
 * options say otherwise. */
static inline bool engine_resets(const struct nfart_image *im, const struct nfart_engine_options *o)
{
	return o->reset_on_loss || (im->stream.reset_on_loss && !o->keep_on_loss);
}

/* Finds the active states and the counts of a copy, and makes the copy if there is none. Without
 * substreams its number is 0. A copy that is new, or was reset, is in the state of the rest. The
 * pointers are valid until the next call. False: out of memory. */
bool engine_copy(struct nfart_engine *en, uint64_t number, uint64_t **active, uint32_t **counts);

/* Finds the active states and the counts of the rest (Note [the rest]). */
void engine_rest(struct nfart_engine *en, uint64_t **active, uint32_t **counts);

/* Does this copy belong to the rest? */
bool engine_in_rest(const struct nfart_engine *en, uint64_t number);

/* Can a batch that the rest accepts name each copy of the rest? No, if there are more than
 * ENGINE_MOST_NAMED of them. */
enum { ENGINE_MOST_NAMED = 1 << 24 };
bool engine_names_rest(struct nfart_engine *en);

/* Fills en->truth with the predicates that hold for a batch with these n letters, and en->batch with
 * those of its messages. */
void engine_truth(struct nfart_engine *en, const uint32_t *letters, size_t n);

/* Lets all counters count, after a batch. On entry `active` has the states that are active after
 * the batch, without those of counters. The states of counters that are active are added to it. */
void engine_count(const struct nfart_engine *en, uint64_t *active, uint32_t *counts);

/* Steps the set of states at `active` by the predicates in en->truth. This does not step counters:
 * the caller calls engine_count() afterwards. */
void engine_advance(struct nfart_engine *en, uint64_t *active);

/* These make the result of a batch. engine_begin() empties it. engine_collect() adds the labels and
 * the log mark of the active states of one copy, engine_collect_rest() those of the rest; false:
 * out of memory, or it can't name the rest. engine_end() completes the result, which is valid until
 * the next engine_begin(). */
void engine_begin(struct nfart_engine *en, struct nfart_result *r);
bool engine_collect(struct nfart_engine *en, const uint64_t *active, uint64_t number,
		    struct nfart_result *r);
bool engine_collect_rest(struct nfart_engine *en, const uint64_t *active, struct nfart_result *r);
void engine_end(struct nfart_engine *en, struct nfart_result *r);

#endif
