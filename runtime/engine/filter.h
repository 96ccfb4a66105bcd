/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * filter.h: the inside of struct nfart_filter, shared by filter.c (what goes in and out), filter_read.c
 * (from a trace), dfa_walk.c, dfa_speculate.c, dfa_shuffle.c and dfa_walk_counting.c (one copy of the
 * automaton), dfa_lines.c (a copy for each line) and filter_note.c (over pieces, for threads).
 *
 * Batches are filtered in parts of at most PART. Of a part each batch has a key (dfa_cache.h), and then an
 * entry, whose flags say what became of it.
 */
#ifndef NFART_FILTER_H
#define NFART_FILTER_H

#include "include/nfart.h"
#include "runtime/engine/fast/bit_parallel.h"
#include "runtime/engine/window.h"

enum {
	PART = 2048,
	FILTER_LOOK = 1024,
	FILTER_WORTH = 16,
	FILTER_WORTH_LANES = 128,
	FILTER_CALM = 4096
};

/* A copy that accepted: in which batch of the part, which line, with which states active. */
struct filter_hit {
	uint32_t batch;
	uint64_t line;
	size_t set; /* index into sets */
};

/* A line's part of a batch. The line is counted from the first one observed, the batch is one of the part. */
struct filter_visit {
	uint64_t key, at; /* at: line << VISIT_BATCH | batch */
};
enum { VISIT_BATCH = 11, VISIT_LINE = 64 - VISIT_BATCH /* bits */ };

_Static_assert(PART == 1 << VISIT_BATCH, "a visit has room for a batch of a part");

static inline uint64_t visit_line(const struct filter_visit *v)
{
	return v->at >> VISIT_BATCH;
}

static inline uint32_t visit_batch(const struct filter_visit *v)
{
	return (uint32_t)(v->at & (PART - 1));
}

/* Visits of the lines of one of several parts. */
struct filter_share {
	VEC(struct filter_visit) visits;
	size_t begin;    /* those of the batches that were taken apart last */
	VEC(size_t) end; /* by stretch (decoded.h): where its visits end */
};

/* Which of `parts` parts a line is of; `n` of them, from `first` on, are wanted. Neighbours go to different
 * parts where there are few lines, so that each part gets as many; else lines that share memory stay
 * together. */
struct filter_split {
	uint32_t parts, first, n;
	unsigned shift;
	uint64_t magic;             /* 2^64 / parts, rounded up */
	struct filter_share *share; /* [n] */
};

struct filter_split filter_split(uint64_t nlines, uint32_t parts);

/* Of the i-th line. */
static inline uint32_t filter_part_of(const struct filter_split *s, uint64_t i)
{
	uint64_t low;

	i >>= s->shift;
	if (s->parts == 1 || i > UINT32_MAX)
		return (uint32_t)(i % s->parts);
	/* The remainder without a division, which is exact for 32 bits (Lemire, Kaser and Kurz, "Faster
	 * remainder by direct computation", 2019): low * parts / 2^64. */
	low = s->magic * i;
	return (uint32_t)(((low >> 32) * s->parts + ((low & UINT32_MAX) * s->parts >> 32)) >> 32);
}

/* A table of few states, as bytes: see dfa_shuffle.c. */
enum { FEW_STATES = 16, FEW_SYMBOLS = 63 };

struct filter_few {
	_Alignas(16) uint8_t to[FEW_SYMBOLS + 1][FEW_STATES]; /* [symbol + 1][state] */
	uint32_t entry[FEW_STATES];
	uint64_t made, emptied; /* of the table, when this was made */
	uint32_t nsymbols;      /* likewise; 0: it was not */
};

/* Records of chunks, decoded as they are checked. */
struct filter_records {
	const struct fast *fast;
	VEC(uint64_t) key;
	VEC(uint32_t) place;     /* in their chunk's payload */
	bool plain, failed;      /* no loss record in the last chunk; out of memory */
};

/* What a reader calls in place of its own check of records (trace.h); ctx: a struct filter_records, behind
 * whose n elements it puts those of the chunk. */
bool filter_check_records(void *ctx, const struct nfart_reader *r, struct trace_clock *clock,
			  const unsigned char *p, size_t n, uint32_t count);

struct nfart_filter {
	struct nfart_engine *en;
	struct nfart_window *window;
	nfart_sink *sink;
	void *ctx;
	struct fast *fast;       /* NULL: everything goes through nfart_engine_step() */
	struct nfart_filter_stats stats;
	uint64_t *labels;
	bool keep, fetched;      /* matches are kept; those there have been fetched */
	VEC(struct nfart_match) matches;

	struct lanes *lanes;     /* NULL: not needed yet, or not filter_has_lanes() */

	/* Where the states are: with the engine, in its copies, or in rows of the table. */
	bool stepping;
	uint32_t row;            /* without substreams */
	uint32_t *line_row;      /* [lines]: 0 at the start */
	VEC(uint32_t) touched;   /* the lines whose row is not 0 */

	/* When to stop making entries, without substreams. */
	uint64_t made, walked;   /* entries made since the last look, and batches */
	uint64_t before, emptied; /* batches, and fast.emptied, when the last look said to stop */
	uint64_t look;           /* entries between two looks */
	uint64_t worth;          /* batches that an entry must serve: more where steps are cheap */
	uint64_t pause, steps;   /* batches to step before the next try; still to step */

	/* Whether to walk in several places at once, see dfa_speculate.c. */
	uint64_t calm;   /* batches since an entry was last missing */
	uint64_t enough; /* such batches */
	uint32_t alone;  /* stretches to walk in one place before the next try */
	struct filter_few few;

	/* The part at hand. */
	size_t most;             /* batches in a part; tests make it smaller */
	uint64_t *key;           /* of records those of the chunk, else of own_key */
	uint64_t own_key[PART];
	uint32_t entry[PART];
	uint32_t any;            /* the flags of all entries made since it was last looked at */
	uint16_t symbol[PART];   /* where it is stepped by lanes */
	const unsigned char *at; /* batches as they lie in the trace, `size` bytes each or at place[] */
	size_t size;             /* of a dense row, 1 for bytes, 0: records */
	const uint32_t *place;
	uint32_t label_words;    /* of records */
	uint64_t time;           /* of the first byte */
	bool single;             /* the part is the batch in `batch` */
	VEC(struct filter_hit) hits;
	VEC(uint64_t) sets;
	struct filter_share share;

	struct filter_records records; /* of a chunk */
	struct nfart_batch batch, held; /* one that was read; one of the part, for the window */
};

/* Fills entry[0 … n) from key[]. False: out of memory. `done` is how many came to that; where it is
 * fewer than n the caller is done with the entries before it goes on from there. */
bool filter_walk(struct nfart_filter *f, size_t from, size_t n, size_t *done);

/* Follows entries of the table that are there, for the batches [i, n). The first that lacks one, or n. */
size_t filter_follow(struct nfart_filter *f, size_t i, size_t n);

/* What of filter_walk() follows entries where there are counters. *end: the next batch to look at. */
bool filter_count(struct nfart_filter *f, size_t i, size_t n, size_t *end);

/* Can it be stepped by lanes? */
static inline bool filter_has_lanes(const struct nfart_filter *f)
{
	return f->en->im->nstates <= LANES_MOST && f->en->im->ncounters == 0;
}

/* The same for some of them, where the table has few states and no entry was missing for long. */
size_t filter_follow_few(struct nfart_filter *f, size_t i, size_t n);

/* Fills entry[0 … n) and hits. False: out of memory. */
bool filter_lines(struct nfart_filter *f, size_t n);

/* Takes the n batches of the part that keys, places and so on name apart, and appends their visits to the
 * shares. False: out of memory. */
bool filter_take_apart(struct nfart_filter *f, size_t n, const struct filter_split *to);

/* Makes visits of n batches: fills entry[0 … n) and hits. False: out of memory. */
bool filter_visits(struct nfart_filter *f, const struct filter_visit *v, size_t nvisits, size_t n);

/* Is there a fast way for what the filter is to do? */
bool filter_is_fast(const struct nfart_filter *f);

/* Filters n rows, bytes or records at `at`, as f->size says. *end: how many of them there were before the
 * limit. False: out of memory, or the output can't be written. */
bool filter_block(struct nfart_filter *f, const unsigned char *at, size_t n, size_t *end);

/* Batch i of the part, until the next call. */
const struct nfart_batch *filter_batch(struct nfart_filter *f, size_t i);

/* Makes the batch in f->batch the part at hand, its key in key[0]; f->single is to be reset. */
void filter_single(struct nfart_filter *f);

/* The result of batch i of the part, which is accepted; *hit is the first of its hits, and goes behind
 * them. False: out of memory. */
bool filter_result(struct nfart_filter *f, size_t i, size_t *hit, struct nfart_result *r);

/* Every copy back to its start states. False: out of memory. */
bool filter_start(struct nfart_filter *f);

/* Goes on from the states of the engine's copy, without substreams. False: out of memory. */
bool filter_enter(struct nfart_filter *f);

/* ---- notes (filter_note.c) ---- */

/* What is found in items that are decoded. */
struct filter_notes {
	bool (*note)(void *ctx, size_t item, const struct nfart_result *r); /* false: out of memory */
	void *ctx;
	size_t first;      /* number of the first item */
	bool logged;       /* items that are logged only are noted as well */
	uint64_t left_out; /* those that were not */
};

/* Runs over n <= PART keys, without substreams; over visits of n <= PART items, with them. Every item
 * that is accepted is noted. False: out of memory. */
bool filter_note_keys(struct nfart_filter *f, uint64_t *key, size_t n, struct filter_notes *notes);
bool filter_note_visits(struct nfart_filter *f, const struct filter_visit *v, size_t nvisits, size_t n,
			struct filter_notes *notes);

/* The state, without substreams, as engine_save() and engine_load() (engine_state.h) have it. */
struct engine_state;
bool filter_save(struct nfart_filter *f, struct engine_state *s);
bool filter_load(struct nfart_filter *f, const struct engine_state *s);

/* Notes that a copy accepted in batch i. False: out of memory. */
bool filter_hit(struct nfart_filter *f, size_t i, uint64_t line, const uint64_t *set);

#endif
