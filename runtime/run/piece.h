/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * piece.h: the piece of a trace that one thread works on: its records and what the automata found
 * in them.
 *
 * Note [pieces]
 * The result of a trace is made piece by piece, in three steps. The first two take most of the
 * time, and need nothing of other pieces:
 *
 *   read      records come from a part of the file, or out of the one reader of a pipe;
 *   run       automata step over them and note what may matter later (piece_runner.h);
 *   combine   in the order of the trace the notes go to counters, window and writer (combine.h).
 *
 * With substreams the copy of a line sees only its own messages. So there are as many runners as
 * threads, each for a share of the lines. Every runner goes over all pieces in order, and combining
 * unites what the shares found in a batch. This is exact.
 *
 * Without substreams the state in which a piece begins is not known while the piece before it still
 * runs. It is guessed: the state at the end of the last piece that was combined. The runner also
 * keeps *marks*, the states that the guess led to after 16, 64, 256, … records:
 *
 *   guess ──16──▸ mark 0 ──48──▸ mark 1 ──192──▸ mark 2 ─── … ──▸ last
 *   truth ──16──▸ other  ──48──▸ the same: all that was found after mark 1 is right
 *
 * Combining compares the guess with the true state. If the guess was wrong, the piece is run again
 * from the true state until that leads to the state of a mark. What was found after this mark is
 * right. Most filters soon forget where they came from; one that never does is run by the combining
 * thread alone.
 *
 * Note [forms of a piece]
 * A piece holds its records in one of three forms:
 *
 *   PIECE_WORDS     words, record after record: time; mask; damaged | 2 * (bad chunks of the piece so
 *                   far); then the headers, or, for a loss record, how many messages were lost.
 *   PIECE_DECODED   where the trace is a file in chunks and filters have a cache for the image, the piece
 *                   is not read but decoded (decoded.h). Its records are *items*, counted from 0.
 *   PIECE_SPARSE    of the piece of a shard only the records that were noted are there.
 */
#ifndef NFART_PIECE_H
#define NFART_PIECE_H

#include "include/nfart.h"
#include "runtime/engine/engine_state.h"
#include "runtime/run/decoded.h"
#include "runtime/trace/border.h"

enum {
	PIECE_MARKS = 8,
	PIECE_FIRST_MARK = 16, /* records before the first mark */
	PIECE_MARK_STEP = 4,   /* so many times more before the next */
	PIECE_RECORD = 3,      /* words of a record before its headers */
	PIECE_MOST_USUAL = 8   /* decoding stops at so many times the usual bytes */
};

/* ---- records ---- */

enum piece_form { PIECE_WORDS, PIECE_DECODED, PIECE_SPARSE };

/* Names a record of a piece. Refs rise in the order of the records. What `n` counts is known to the
 * form: words, items, or, in a sparse piece, what it was in the piece that the shard ran. */
struct piece_ref {
	size_t n;
};

struct piece_records {
	enum piece_form form;
	VEC(uint64_t) words;    /* of PIECE_DECODED those records that did not come in a block */
	struct decoded decoded;
	VEC(size_t) where;      /* PIECE_SPARSE: [end.n]: where in words the record of a ref begins */
	struct piece_ref end;   /* PIECE_SPARSE: after the last record */
};

/* Where in a file a piece comes from. */
struct piece_source {
	struct trace_border entry, exit; /* where it begins; up to where it was read */
	uint64_t until;                  /* up to where it should be read */
	size_t usual;                    /* bytes of a usual piece */
	bool rest;                       /* decoding stopped before `until`: the index is damaged */
};

/* ---- what was found ---- */

/* Entries of PIECE_ENTRY words, each followed by the words of its labels and by its lines, two
 * words each: label and address. */
struct piece_found {
	VEC(uint64_t) words;
	uint64_t logged; /* logged batches that were not worth an entry */
};

enum piece_entry {
	ENTRY_REF,   /* of the record */
	ENTRY_BATCH, /* its number in the piece, from 1; of a loss record: the batches before it */
	ENTRY_WHAT,  /* ENTRY_ACCEPTED … | lines << 8 */
	PIECE_ENTRY
};
enum { ENTRY_ACCEPTED = 1, ENTRY_LOGGED = 2, ENTRY_SECOND = 4 /* by the image swapped in */ };

struct piece_state {
	bool second; /* of the image swapped in */
	struct engine_state engine;
};

/* How far a runner has come in a piece. */
struct piece_progress {
	uint64_t records, batches;
	size_t word;  /* PIECE_WORDS: of the next record */
	size_t block; /* PIECE_DECODED: of the next item */
};

struct piece_mark {
	struct piece_progress progress;
	struct piece_state state;
	size_t found;    /* words that were found before it */
	uint64_t logged; /* likewise */
};

struct piece {
	struct piece_records records;
	struct piece_source source;
	struct nfart_reader_stats stats; /* of the records */
	enum nfart_status status;        /* how reading ended */
	struct nfart_error error;

	uint64_t before;                 /* batches of the trace before this piece */
	struct piece_found *found;       /* [shares] */
	uint32_t shares;                 /* 1 without substreams */
	struct piece_state guess, last;  /* without substreams: before and after the piece */
	struct piece_mark marks[PIECE_MARKS];
	uint32_t nmarks;
	bool failed;                     /* out of memory */
};

/* False: out of memory. piece_free() in every case. */
bool piece_init(struct piece *p, uint32_t shares, size_t usual);
void piece_free(struct piece *p);

/* Empties the piece, for other records. */
void piece_clear(struct piece *p);

/* Appends a record that the reader delivered. False: out of memory. */
bool piece_add(struct piece *p, const struct nfart_batch *b, uint64_t bad_chunks);

/* Fills a piece from source.entry up to source.until, with a reader of its own; status and error
 * say how that ended. It is decoded with a filter of the options with which it will be run; the
 * filter's state does not matter. NULL: it is read. */
void piece_fill(struct piece *p, struct nfart_reader *r, struct nfart_filter *decoder);

/* The part of piece_fill() that decodes (decoded.c). */
void piece_decode(struct piece *p, struct nfart_reader *r, struct nfart_filter *f);

/* The records of q become those of p. q is emptied. */
void piece_swap_records(struct piece *p, struct piece *q);

/* After the last record. */
struct piece_ref piece_end(const struct piece *p);

/* The record of a ref. */
void piece_record(const struct piece *p, struct piece_ref ref, struct nfart_batch *b);

/* Adds the statistics of the records up to and with this one. Linear. */
void piece_count(const struct piece *p, struct piece_ref last, struct nfart_reader_stats *s);

/* ---- what these use ---- */

/* The record in words.at[word …]. Returns where the next begins. */
size_t piece_word_record(const struct piece_records *r, size_t word, struct nfart_batch *b);

/* The words of the record that begins at w. */
size_t piece_record_words(const uint64_t *w);

/* An item of a decoded piece; the statistics of the items below `end` (decoded.c). */
void piece_item(const struct piece_records *r, size_t item, struct nfart_batch *b);
void piece_count_items(const struct piece_records *r, size_t end, struct nfart_reader_stats *s);

/* Adds a record. messages 0: a loss record. */
void piece_count_record(struct nfart_reader_stats *s, size_t messages, uint64_t lost, bool damaged);

bool piece_state_same(const struct piece_state *a, const struct piece_state *b);
bool piece_state_copy(struct piece_state *to, const struct piece_state *from);

#endif
