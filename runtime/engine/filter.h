/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * filter.h: the inside of struct nfart_filter.
 *
 * A filter works on one block of at most FILTER_BLOCK batches at a time; longer input is cut into
 * such blocks. Each batch of a block has a key (fast/keys.h). The automata give each batch an entry
 * (fast/dfa_walk.h), whose flags say whether the batch is accepted or logged. filter.c then decides
 * what goes to the window.
 */
#ifndef NFART_FILTER_H
#define NFART_FILTER_H

#include "include/nfart.h"
#include "runtime/engine/fast/bit_parallel.h"
#include "runtime/engine/fast/decode_keys.h"
#include "runtime/engine/fast/dfa_cache.h"
#include "runtime/engine/fast/dfa_walk.h"
#include "runtime/engine/window.h"

/* The forms in which the batches of a block lie in memory. */
enum block_form {
	BLOCK_RECORDS, /* records in a chunk's payload, each at its own offset */
	BLOCK_ROWS,    /* dense rows; a row without messages is no batch, and its key is 0 */
	BLOCK_BYTES,   /* bytes, each of which is a batch; they have no keys, only symbols */
	BLOCK_ONE,     /* a single batch, in f->batch */
	BLOCK_KEYS     /* only the keys are there; key 0 stands for a dense row that is no batch */
};

struct filter_block {
	enum block_form form;
	const unsigned char *at; /* the payload, the first row or the first byte */
	const uint32_t *offset;  /* the offset of each record in the payload, in bytes */
	uint32_t label_words;    /* words that a record has for its label set */
	uint64_t time;           /* the time of the first byte */
	uint64_t *key;           /* the key of each batch */
};

/* A hit says that a copy of the automaton accepts in a batch of the block, on which line, and which
 * states are active in the copy then. */
struct filter_hit {
	uint32_t batch;
	uint64_t line;
	size_t set; /* the index of its set of states in f->sets */
};

/* The keys of a chunk's records, and where the records are. They are found while the reader checks
 * the chunk. */
struct filter_records {
	const struct key_table *keys;
	VEC(uint64_t) key;
	VEC(uint32_t) offset; /* the record's place in the payload, in bytes */
	bool plain;           /* the last chunk has no loss record */
	bool failed;          /* memory ran out */
};

/* The states that the automata are in. They are kept in the engine's copies if `stepping`, and
 * otherwise as rows of the cache. */
struct filter_states {
	bool stepping;
	uint32_t row;          /* without substreams: the row of the only copy */
	uint32_t *line_row;    /* [lines]: each copy's row; 0: it is in its start states */
	VEC(uint32_t) touched; /* the lines whose line_row is not 0 */
};

struct nfart_filter {
	struct nfart_engine *en;
	struct dfa_cache *dfa;     /* NULL: every batch goes through nfart_engine_step() */
	struct bit_parallel *bits; /* NULL: not needed so far, or the image does not fit */
	struct filter_states at;
	struct dfa_pace pace;
	struct dfa_speculation speculation;

	/* the input */
	size_t most;                   /* the most batches in a block; tests make it smaller */
	struct filter_block block;
	struct filter_records records; /* the records of the current chunk */
	struct nfart_batch batch;      /* a batch that did not come in a block */

	/* what the automata say of the batches of the block */
	uint64_t own_key[FILTER_BLOCK];
	uint32_t entry[FILTER_BLOCK];
	uint16_t symbol[FILTER_BLOCK]; /* used where the block is stepped bit-parallel */
	uint32_t any;                  /* the flags of all entries made since it was set to 0 */
	VEC(struct filter_hit) hits;   /* by rising batch */
	VEC(uint64_t) sets;            /* the sets of the hits, en->words words each */
	struct share_visits share;

	/* the output */
	struct nfart_window *window;
	nfart_sink *sink;
	void *ctx;
	struct nfart_filter_stats stats;
	uint64_t *labels;              /* [nlabels]: the counts behind stats.labels */
	bool keep, fetched;            /* keep matches; the caller has fetched those in `matches` */
	VEC(struct nfart_match) matches;
	struct nfart_batch held;       /* the batch that filter_batch() returns */
};

/* Can the image of the filter be stepped bit-parallel (Note [bit-parallel steps])? */
static inline bool filter_fits_bit_parallel(const struct nfart_filter *f)
{
	return f->en->im->nstates <= BP_MOST_STATES && f->en->im->ncounters == 0;
}

/* Does the filter use the cache? If it does not, threads step engines instead of filters. */
bool filter_is_fast(const struct nfart_filter *f);

/* Filters the n batches at `at`, whose form is that of f->block. *end becomes how many were
 * filtered before the limit was reached. False: out of memory, or the output can't be written. */
bool filter_take(struct nfart_filter *f, const unsigned char *at, size_t n, size_t *end);

/* Makes a block of one batch from f->batch, with its key. */
void filter_take_one(struct nfart_filter *f);

/* Puts together batch i of the block. It is valid until the next call. */
const struct nfart_batch *filter_batch(struct nfart_filter *f, size_t i);

/* Notes that the copy of `line` accepts in batch i of the block, and that `set` has its active
 * states. False: out of memory. */
bool filter_add_hit(struct nfart_filter *f, size_t i, uint64_t line, const uint64_t *set);

/* Makes the result of batch i of the block, which is accepted. On entry *hit is the first hit of
 * batch i, as an index into f->hits; afterwards it is the first hit of a later batch. False: out of
 * memory. */
bool filter_result(struct nfart_filter *f, size_t i, size_t *hit, struct nfart_result *r);

/* Checks the records of a chunk in place of the reader (struct nfart_reader, check). ctx is a
 * struct filter_records; the keys and offsets of the chunk's records are written after those it
 * counts already. False: the payload is not valid, or memory ran out (`failed`). */
bool filter_check_records(void *ctx, const struct nfart_reader *r, struct trace_clock *clock,
			  const unsigned char *p, size_t n, uint32_t count);

/* ---- the states of the automata (filter_state.c) ---- */

struct engine_state;

/* Puts every copy of the automaton back into its start states. False: out of memory. */
bool filter_start(struct nfart_filter *f);

/* Without substreams: lets the filter go on from the active states of the engine's only copy.
 * False: out of memory. */
bool filter_enter(struct nfart_filter *f);

/* Without substreams: the filter's state is saved and loaded as by engine_save() and engine_load()
 * (engine_state.h). */
bool filter_save(struct nfart_filter *f, struct engine_state *s);
bool filter_load(struct nfart_filter *f, const struct engine_state *s);

#endif
