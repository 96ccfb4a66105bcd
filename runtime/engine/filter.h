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
#include "runtime/engine/fast/factor.h"
#include "runtime/engine/fast/must.h"
#include "runtime/engine/filter_time.h"
#include "runtime/engine/window.h"

/* The forms in which the batches of a block lie in memory. */
enum block_form {
	BLOCK_RECORDS,  /* records in a chunk's payload, each at its own offset */
	BLOCK_ROWS,     /* dense rows; a row without messages is no batch, and its key is 0 */
	BLOCK_MESSAGES, /* headers, each of which is a batch, and their slots */
	BLOCK_BYTES,    /* bytes, each of which is a batch; they have no keys, only symbols */
	BLOCK_ONE,      /* a single batch, in the filter's member `batch` */
	BLOCK_KEYS,     /* keys alone; key 0 stands for a dense row that is no batch */
	BLOCK_TIMED     /* batches of another block, with ticks between them (filter_time.h) */
};

struct filter_block {
	enum block_form form;
	/* Where the payload of the records begins, or the first dense row, or the first byte. */
	const unsigned char *at;
	const uint32_t *offset;  /* [record]: its offset in the payload, in bytes */
	uint32_t label_words;    /* how many 64-bit words the label set of a record takes */
	const uint64_t *header;  /* [message] */
	const uint8_t *slot;     /* [message] */
	uint64_t time;           /* the time of the first byte, or message */
	uint64_t *key;           /* the key of each batch; not used for BLOCK_BYTES */
};

/* A hit: after a batch of the block, one copy of the automaton accepts. */
struct filter_hit {
	uint32_t batch; /* the number of the batch in the block */
	uint64_t line;  /* the line that the copy belongs to; 0 without substreams */
	size_t set;     /* where the copy's set of active states begins in nfart_filter.said.sets */
};

/* The keys of a chunk's records or rows, and where the records are in its payload. They are found
 * while the reader checks the chunk. */
struct filter_records {
	const struct key_table *keys;
	VEC(uint64_t) key;
	VEC(uint32_t) offset; /* the offset of each record in the payload, in bytes */
	bool plain;           /* the chunk that was checked last has no loss record */
	bool failed;          /* memory ran out while a chunk was checked */
	struct rows_pace pace;
};

/* With substreams, and an image that has batches for all copies: the rest (engine.h, Note [the
 * rest]), and the lines that ticks move (dfa_everyone.c, Note [lines that ticks move]). */
struct filter_everyone {
	bool any;              /* the image has batches for all copies */
	uint32_t rest_row;     /* the row of the rest; 0: it is in its start states */
	uint64_t tick;         /* the key of a batch of a tick alone; 0: there are no ticks */
	VEC(uint32_t) moving;  /* the lines that the next tick may move */
	uint64_t *is_moving;   /* [lines]: the set of these lines */
	VEC(uint32_t) turn;    /* scratch: the lines that the current batch is for */
};

/* The states that the automata are in. If `stepping` is true, the engine's copies have them;
 * otherwise they are rows of the cache (fast/dfa_cache.h). */
struct filter_states {
	bool stepping;
	uint32_t row;          /* without substreams: the row of the only copy */
	/* With substreams: the row of each line's copy. 0: the copy is in its start states. The
	 * index is the line, counted from the first observed line. */
	uint32_t *line_row;
	VEC(uint32_t) touched; /* the indexes of the entries of line_row that are not 0 */
	struct filter_everyone everyone;
};

/* A timed block (filter_time.h, Note [timed blocks]). */
struct timed_block {
	struct filter_block source; /* the block that the batches are in */
	size_t n;
	struct timed_item item[FILTER_BLOCK];
	uint64_t key[FILTER_BLOCK];
};

/* What a filter reads. */
struct filter_input {
	size_t most;                   /* the most batches in a block; tests make it smaller */
	struct filter_block block;
	struct filter_records records; /* the records of the current chunk */
	struct nfart_batch batch;      /* a batch that came alone, not in a block */
	struct nfart_batch held;       /* where filter_batch() puts a batch together */
};

/* What the automata say of the batches of the current block. */
struct filter_said {
	uint64_t own_key[FILTER_BLOCK];
	uint32_t entry[FILTER_BLOCK];
	uint16_t symbol[FILTER_BLOCK]; /* the symbol of each batch; only for bit-parallel steps */
	uint32_t any;                  /* the OR of the flags of all entries made since any = 0 */
	VEC(struct filter_hit) hits;   /* the hits in the block, by rising batch */
	VEC(uint64_t) sets;            /* the states active at each hit, en->words words a hit */
	struct share_visits share;
};

/* Where the results go. */
struct filter_output {
	struct nfart_window *window;
	nfart_sink *sink;
	void *ctx;
	struct nfart_filter_stats stats;
	uint64_t *labels;              /* [label]: how many batches it accepted (stats.labels) */
};

struct filter_notes;

/* The matches for nfart_filter_matches(). */
struct filter_matches {
	bool keep,                     /* matches are kept */
	     fetched;                  /* the caller has fetched what is in `matches` */
	VEC(struct nfart_match) matches;
};

/* What nfart_filter_quiet() answered (filter_quiet.c, Note [quiet messages]). */
struct quiet_answer {
	uint64_t emptied;              /* the value of dfa_cache.emptied */
	uint64_t header, varies;
	uint64_t opcodes;              /* the answer */
	uint32_t row, slot;            /* row 0: there is no answer */
};

enum { QUIET_BITS = 8, QUIET_ANSWERS = 1 << QUIET_BITS };

struct filter_quiet {
	bool known;                    /* the filter can say what is quiet, unless the engine steps */
	struct quiet_answer answer[QUIET_ANSWERS];
	uint64_t asked, computed;      /* how often the table was asked, and did not know */
};

struct nfart_filter {
	struct nfart_engine *en;
	struct dfa_cache *dfa;     /* the cache; NULL: nfart_engine_step() steps every batch */
	struct factor *factor;     /* NULL: the image has no factors that pay */
	struct must *must;         /* NULL: all visits to lines are made */
	struct bit_parallel *bits; /* NULL: no bit-parallel steps were needed, or are possible */
	struct filter_states at;
	struct dfa_pace pace;
	struct dfa_speculation speculation;
	struct filter_input in;
	struct filter_said said;
	struct filter_time time;
	struct filter_output to;
	struct filter_notes *notes; /* NULL; or results go there, and not to the window */
	struct filter_matches match;
	struct filter_quiet quiet;
};

/* Can the image of the filter be stepped bit-parallel (Note [bit-parallel steps])? */
static inline bool filter_fits_bit_parallel(const struct nfart_filter *f)
{
	return f->en->im->nfa.nstates <= BP_MOST_STATES && f->en->im->nfa.ncounters == 0;
}

/* Returns the set of the protocol's slots in which b has a message. */
static inline uint64_t filter_mask(const struct nfart_filter *f, const struct nfart_batch *b)
{
	return b->mask & UINT64_MAX >> (64 - f->en->im->proto->nslots);
}

/* Finds out whether the filter can say what is quiet. Call it last when a filter is made. */
void filter_quiet_init(struct nfart_filter *f);

/* Says in *e why the filter failed, and returns the status. */
enum nfart_status filter_failed(const struct nfart_filter *f, struct nfart_error *e);

/* Does the filter use the cache? If it does not, threads step engines instead of filters. */
bool filter_is_fast(const struct nfart_filter *f);

/* Filters the n batches of the current block. *end becomes the batch after the one that reached the
 * limit, or n if none did. False: out of memory, or the output can't be written. */
bool filter_run_block(struct nfart_filter *f, size_t n, size_t *end);

/* Filters a record, as nfart_filter_put() does, but looks for no ticks before it. */
bool filter_put_record(struct nfart_filter *f, const struct nfart_batch *b);

/* Ends the stream as nfart_filter_end() does, but without ticks up to a stated last time, and
 * without the end. */
bool filter_cut(struct nfart_filter *f);

/* judge_forgot() of the engine. */
bool filter_forgot(const struct nfart_filter *f);

/* Filters the n batches at `at`, whose form is f->block.form. `key` has their keys; NULL: they are
 * not made yet, or the form has none. For messages `at` has no meaning; the block says where they
 * are. *end becomes the number of batches that were filtered: n, or fewer if the limit was reached.
 * False: out of memory, or the output can't be written. */
bool filter_take(struct nfart_filter *f, const unsigned char *at, size_t n, uint64_t *key,
		 size_t *end);

/* Makes a block of one batch from f->batch, with its key. */
void filter_take_one(struct nfart_filter *f);

/* Puts together batch i of the block and returns it. The batch is valid until the next call. */
const struct nfart_batch *filter_batch(struct nfart_filter *f, size_t i);

/* Counts the labels of a batch at `time`, and keeps its matches for nfart_filter_matches(). False:
 * out of memory. */
bool filter_count_result(struct nfart_filter *f, uint64_t time, const struct nfart_result *r);

/* Adds a hit: after batch i of the block the copy of `line` accepts, and `set` has the active
 * states of this copy. False: out of memory. */
bool filter_add_hit(struct nfart_filter *f, size_t i, uint64_t line, const uint64_t *set);

/* Makes the result of batch i of the block, which is accepted. On entry *hit is the first hit of
 * batch i, as an index into f->hits; afterwards it is the first hit of a later batch. False: out of
 * memory. */
bool filter_result(struct nfart_filter *f, size_t i, size_t *hit, struct nfart_result *r);

/* Checks the records of a chunk in place of the reader (struct nfart_reader, check). ctx is a
 * struct filter_records. The keys and offsets of the chunk's records are written to its arrays
 * `key` and `offset`, after the first key.n and offset.n entries; key.n and offset.n stay as they
 * are. False: the payload is not valid, or memory ran out (`failed` says so). */
bool filter_check_records(void *ctx, const struct nfart_reader *r, struct trace_clock *clock,
			  const unsigned char *p, size_t n, uint32_t count);

/* Makes the keys of a chunk's rows while the reader checks them (struct nfart_reader, rows), and
 * writes them after the first key.n entries of `key`. ctx is a struct filter_records. False: memory
 * ran out, and `failed` says so. */
bool filter_check_rows(void *ctx, const unsigned char *p, uint32_t from, uint32_t to,
		       uint32_t count);

/* ---- the states of the automata (filter_state.c) ---- */

struct engine_state;

/* Puts every copy of the automaton back into its start states. False: out of memory. */
bool filter_start(struct nfart_filter *f);

/* Without substreams: lets the filter go on from the active states of the engine's only copy.
 * False: out of memory. */
bool filter_enter(struct nfart_filter *f);

/* Gives the states to the cache, if the factors (fast/factor.h) run. False: out of memory. */
bool filter_leave_factors(struct nfart_filter *f);

/* Lets the factors run, if there are any and they are not in a pause. The n bytes of a block come
 * next. False: out of memory. */
bool filter_try_factors(struct nfart_filter *f, size_t n);

/* Save and load the filter's state, without substreams. They do for a filter what engine_save() and
 * engine_load() do for an engine (engine_state.h). */
bool filter_save(struct nfart_filter *f, struct engine_state *s);
bool filter_load(struct nfart_filter *f, const struct engine_state *s);

#endif
