/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * filter.h: the inside of struct nfart_filter.
 *
 * A filter takes in a block of batches, cut to at most FILTER_BLOCK of them. Each batch of the
 * block has a key (keys.h). The automata give each an entry (fast/dfa_walk.h), whose flags say
 * whether the batch is accepted or logged. filter.c then decides what goes to the window.
 */
#ifndef NFART_FILTER_H
#define NFART_FILTER_H

#include "include/nfart.h"
#include "runtime/engine/fast/bit_parallel.h"
#include "runtime/engine/fast/decode_keys.h"
#include "runtime/engine/fast/dfa_cache.h"
#include "runtime/engine/fast/dfa_walk.h"
#include "runtime/engine/window.h"

/* How the batches of a block lie in memory. */
enum block_form {
	BLOCK_RECORDS, /* in a chunk's payload, each at its offset */
	BLOCK_ROWS,    /* dense rows; one without messages is no batch and has key 0 */
	BLOCK_BYTES,   /* bytes, one a batch; they have no keys, but symbols */
	BLOCK_ONE,     /* one batch, in f->batch */
	BLOCK_KEYS     /* the keys alone; they may be those of rows */
};

struct filter_block {
	enum block_form form;
	const unsigned char *at; /* the payload; the first row; the first byte */
	const uint32_t *offset;  /* of each record in the payload, in bytes */
	uint32_t label_words;    /* of a record */
	uint64_t time;           /* of the first byte */
	uint64_t *key;           /* of each batch */
};

/* A copy of the automaton that accepts: in which batch of the block, of which line, in which
 * states. */
struct filter_hit {
	uint32_t batch;
	uint64_t line;
	size_t set; /* index into sets */
};

/* The records of a chunk, decoded while they are checked. */
struct filter_records {
	const struct key_table *keys;
	VEC(uint64_t) key;
	VEC(uint32_t) offset; /* in the payload, in bytes */
	bool plain;           /* no loss record is in the last chunk */
	bool failed;          /* out of memory */
};

/* Where the states of the automata are: with the engine, in its copies (`stepping`), or in the
 * cache. */
struct filter_states {
	bool stepping;
	uint32_t row;          /* without substreams */
	uint32_t *line_row;    /* [lines]; 0: at the start */
	VEC(uint32_t) touched; /* the lines whose row is not 0 */
};

struct nfart_filter {
	struct nfart_engine *en;
	struct dfa_cache *dfa;     /* NULL: everything goes through nfart_engine_step() */
	struct bit_parallel *bits; /* NULL: not needed yet, or not filter_fits_bit_parallel() */
	struct filter_states at;
	struct dfa_pace pace;
	struct dfa_speculation speculation;

	/* what goes in */
	size_t most;                   /* batches in a block; tests make it smaller */
	struct filter_block block;
	struct filter_records records; /* of the current chunk */
	struct nfart_batch batch;      /* one that came alone */

	/* what the automata say of the block */
	uint64_t own_key[FILTER_BLOCK];
	uint32_t entry[FILTER_BLOCK];
	uint16_t symbol[FILTER_BLOCK]; /* where it is stepped bit-parallel */
	uint32_t any;                  /* the flags of all entries made since it was last set to 0 */
	VEC(struct filter_hit) hits;   /* by batch */
	VEC(uint64_t) sets;            /* en->words each */
	struct share_visits share;

	/* what comes out */
	struct nfart_window *window;
	nfart_sink *sink;
	void *ctx;
	struct nfart_filter_stats stats;
	uint64_t *labels;              /* [labels]: stats.labels */
	bool keep, fetched;            /* matches are kept; those in `matches` have been fetched */
	VEC(struct nfart_match) matches;
	struct nfart_batch held;       /* what filter_batch() returns */
};

/* Can it be stepped bit-parallel? */
static inline bool filter_fits_bit_parallel(const struct nfart_filter *f)
{
	return f->en->im->nstates <= BP_MOST_STATES && f->en->im->ncounters == 0;
}

/* Does the filter go by the cache? Else threads use engines. */
bool filter_is_fast(const struct nfart_filter *f);

/* Filters n batches at `at`, in the form that f->block says. *end: how many it took before the
 * limit was reached. False: out of memory, or the output can't be written. */
bool filter_take(struct nfart_filter *f, const unsigned char *at, size_t n, size_t *end);

/* Makes the batch in f->batch the current block. */
void filter_take_one(struct nfart_filter *f);

/* Batch i of the block, valid until the next call. */
const struct nfart_batch *filter_batch(struct nfart_filter *f, size_t i);

/* Notes that a copy accepts in batch i, with these states active. False: out of memory. */
bool filter_add_hit(struct nfart_filter *f, size_t i, uint64_t line, const uint64_t *set);

/* The result of batch i of the block, which is accepted. *hit is the first of its hits; afterwards
 * it is the first of the next batch's. False: out of memory. */
bool filter_result(struct nfart_filter *f, size_t i, size_t *hit, struct nfart_result *r);

/* What a reader calls in place of its own check of records. ctx is a struct filter_records, to
 * which it appends those of the chunk. */
bool filter_check_records(void *ctx, const struct nfart_reader *r, struct trace_clock *clock,
			  const unsigned char *p, size_t n, uint32_t count);

/* ---- states (filter_state.c) ---- */

struct engine_state;

/* Puts every copy back to its start states. False: out of memory. */
bool filter_start(struct nfart_filter *f);

/* Continues from the states of the engine's copy, without substreams. False: out of memory. */
bool filter_enter(struct nfart_filter *f);

/* As engine_save() and engine_load() (engine_state.h), without substreams. */
bool filter_save(struct nfart_filter *f, struct engine_state *s);
bool filter_load(struct nfart_filter *f, const struct engine_state *s);

#endif
