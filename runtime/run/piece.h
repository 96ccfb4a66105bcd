/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * piece.h: the piece of a trace that one thread works on. It holds the records of the piece and
 * what the automata found in them.
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
 * unites what the shares found in a batch. No state has to be guessed.
 *
 * Without substreams the state in which a piece begins is not known while the piece before it still
 * runs. It is guessed: the guess is the state at the end of the last piece that was combined. The
 * runner also keeps *marks*, the states that the guess led to after 16, 64, 256, … records:
 *
 *   guess ──16──▸ mark 0 ──48──▸ mark 1 ──192──▸ mark 2 ─── … ──▸ last
 *   truth ──16──▸ other  ──48──▸ the same: all that was found after mark 1 is right
 *
 * Combining compares the guess with the true state. If the guess was wrong, the piece is run again
 * from the true state until that leads to the state of a mark. What was found after this mark is
 * right. Most filters soon forget where they came from. For a filter that never does, the combining
 * thread runs every piece again.
 *
 * Note [forms of a piece]
 * A piece holds its records in one of three forms:
 *
 *   PIECE_WORDS     Words, record after record. A record is its time; its mask of slots; damaged |
 *                   2 * (bad chunks of the piece so far); then the headers or, for a loss record,
 *                   how many messages were lost.
 *   PIECE_DECODED   The piece is not read record by record but decoded (decoded.h). This form needs
 *                   a trace that is a file in chunks, and filters with a cache for the image. Its
 *                   records are *items*, counted from 0.
 *   PIECE_SPARSE    A piece out of a shard's file. Only the records that were noted are there.
 */
#ifndef NFART_PIECE_H
#define NFART_PIECE_H

#include "include/nfart.h"
#include "runtime/engine/engine_state.h"
#include "runtime/run/decoded.h"
#include "runtime/trace/border.h"

enum {
	PIECE_MARKS = 8,
	PIECE_FIRST_MARK = 16, /* records between the piece's beginning and the first mark */
	/* The number of records before a mark grows by this factor from one mark to the next. */
	PIECE_MARK_STEP = 4,
	PIECE_RECORD = 3,      /* words of a record before its headers: time, mask, and a sum of: */
	PIECE_DAMAGED = 1,     /* nfart_batch.damaged */
	PIECE_PAYLOAD_AT = 1,  /* nfart_batch.payload_words, four bits from this one on */
	PIECE_BAD_AT = 5,      /* the number of bad chunks before the record, from this bit on */
	/* Decoding stops after this many times the usual bytes of a piece, so that a damaged index
	 * can't make it grow without bound. */
	PIECE_MOST_USUAL = 8
};

/* ---- records ---- */

enum piece_form { PIECE_WORDS, PIECE_DECODED, PIECE_SPARSE };

struct shared;

/* Names a record of a piece. Refs rise in the order of the records. What `n` counts depends on the
 * form of the piece. PIECE_WORDS: the words before the record. PIECE_DECODED: the items before it.
 * PIECE_SPARSE: n is the same as in the piece that the shard ran. */
struct piece_ref {
	size_t n;
};

struct piece_records {
	enum piece_form form;
	/* PIECE_WORDS and PIECE_SPARSE: all records. PIECE_DECODED: only the records that the
	 * reader delivered one by one. */
	VEC(uint64_t) words;
	struct decoded decoded;
	/* PIECE_SPARSE: the record whose piece_ref is n begins at words.at[where.at[n]]. There is
	 * room for the n of all refs below `end`. */
	VEC(size_t) where;
	struct piece_ref end;   /* PIECE_SPARSE: the ref after the piece's last record */
};

/* The part of a file that a piece is read from. */
struct piece_source {
	/* `entry` is where the piece begins, `exit` is up to where it was read. */
	struct trace_border entry, exit;
	/* the offset in the file up to which the piece should be read */
	uint64_t until;
	size_t usual;                    /* how many bytes of the trace a piece usually has */
	bool rest;                       /* decoding stopped before `until`: the index is damaged */
};

/* ---- what was found ---- */

/* What was found in a piece, or in one share of it: entries. An entry is PIECE_ENTRY words (enum
 * piece_entry), then the set of its labels, then two words, label and address, for each accepting
 * line. */
struct piece_found {
	VEC(uint64_t) words;
	/* number of logged batches without an entry, because no window or limit needs one */
	uint64_t logged;
};

enum piece_entry {
	ENTRY_REF,   /* the n of the record's piece_ref */
	/* PIECE_WORDS: the number of batches in the piece up to this record, including it.
	 * PIECE_DECODED: the number of items up to this record, including it unless it is a loss.
	 * Nothing reads this word of an entry with a record. */
	ENTRY_BATCH,
	ENTRY_WHAT,  /* flags (ENTRY_ACCEPTED, …) | number of lines << 8 */
	PIECE_ENTRY
};
enum {
	ENTRY_ACCEPTED = 1,
	ENTRY_LOGGED = 2,
	ENTRY_SECOND = 4, /* found by the second image */
	/* Of an image with a time slot, entries without a record. ENTRY_BATCH is their time, and
	 * ENTRY_REF how many messages were lost. */
	ENTRY_TICK = 8,   /* of a tick alone, or the end */
	ENTRY_LOSS = 16,
	ENTRY_TIME = ENTRY_TICK | ENTRY_LOSS,
	ENTRY_EARLY = 32, /* of a tick before a loss that had waited: more was read */
	ENTRY_WHEN_AT = 6 /* nfart_batch.when, two bits from this one on */
};

struct piece_state {
	bool second; /* the state is one of the image that was swapped in */
	struct engine_state engine;
	struct filter_time_state time; /* of an image with a time slot */
};

/* How far a runner has come in a piece. */
struct piece_progress {
	uint64_t records, batches;
	size_t word;  /* PIECE_WORDS: index of the first word of the next record */
	size_t block; /* PIECE_DECODED: index of the block that has the next item */
};

struct piece_mark {
	struct piece_progress progress;
	struct piece_state state;
	size_t found;    /* number of words in piece_found that were found before the mark */
	uint64_t logged; /* piece_found.logged at the mark */
};

struct piece {
	struct piece_records records;
	struct piece_source source;
	struct nfart_reader_stats stats; /* statistics of the piece's records */
	uint64_t stated;                 /* the stream's last time, if the piece states it */
	enum nfart_status status;        /* how reading the piece ended */
	struct nfart_error error;

	uint64_t before;                 /* number of batches in the trace before this piece */
	struct piece_found *found;       /* [shares]: what each share found */
	uint32_t shares;                 /* how many elements `found` has: 1 without substreams */
	/* Without substreams: `guess` is the state in which the run of the piece begins, and `last`
	 * is the state after the run. */
	struct piece_state guess, last;
	struct piece_mark marks[PIECE_MARKS];
	uint32_t nmarks;
	bool failed;                     /* memory ran out while the piece was run */
};

/* Makes an empty piece for `shares` shares. `usual` is how many bytes of the trace a piece usually
 * has. False: out of memory. Call piece_free() in either case. */
bool piece_init(struct piece *p, uint32_t shares, size_t usual);
void piece_free(struct piece *p);

/* Empties the piece, so that it can take in other records. Its memory stays for them. */
void piece_clear(struct piece *p);

/* Appends a record that the reader delivered after `bad_chunks` bad chunks of this piece. False:
 * out of memory. */
bool piece_add(struct piece *p, const struct nfart_batch *b, uint64_t bad_chunks);

/* Fills a piece from source.entry up to source.until, with a reader that nobody else uses
 * meanwhile. p->status and p->error say how reading ended. If `decoder` is NULL, the piece is read
 * into words. Else it is decoded; `decoder` is a filter with the same options as the one that will
 * run over the piece. Its state does not matter. */
void piece_fill(struct piece *p, struct nfart_reader *r, struct nfart_filter *decoder);

/* Fills a piece by decoding; piece_fill() calls it (decoded.c). */
void piece_decode(struct piece *p, struct nfart_reader *r, struct nfart_filter *f);

/* Gives the records of q to p and empties q. */
void piece_swap_records(struct piece *p, struct piece *q);

/* Returns the ref after the last record of the piece. */
struct piece_ref piece_end(const struct piece *p);

/* Copies the record that `ref` names to *b. */
void piece_record(const struct piece *p, struct piece_ref ref, struct nfart_batch *b);

/* Adds to *s the statistics of all records up to and including `last`. Linear in these records. */
void piece_count(const struct piece *p, struct piece_ref last, struct nfart_reader_stats *s);

/* Counts in *s the batches up to and including record `last`, but at most `most` of them. A piece
 * in the form PIECE_SPARSE lacks batches, and is not counted. */
void piece_count_shared(const struct piece *p, struct piece_ref last, uint64_t most,
			struct shared *s);

/* ---- what these functions use ---- */

/* Copies the record that begins at words.at[word] to *b. Returns where the next record begins. */
size_t piece_word_record(const struct piece_records *r, size_t word, struct nfart_batch *b);

/* Returns how many words of payload the messages of a record have, by its third word. */
static inline uint8_t piece_payload_words(uint64_t word)
{
	return word >> PIECE_PAYLOAD_AT & 15;
}

/* Returns how many words the record has that begins at w. */
size_t piece_record_words(const uint64_t *w);

/* In decoded.c, for decoded pieces: piece_item() copies an item to *b. piece_items_block() makes *k
 * a block that begins with the item, and returns how many items from there on lie together in
 * memory; 0: it is a record by itself. piece_count_items() adds the statistics of all items below
 * `end` to *s. */
void piece_item(const struct piece_records *r, size_t item, struct nfart_batch *b);
size_t piece_items_block(const struct piece_records *r, size_t item, struct filter_block *k);
void piece_count_items(const struct piece_records *r, size_t end, struct nfart_reader_stats *s);

/* Adds one record to the statistics. A record without messages is a loss record, which says that
 * `lost` messages were lost. */
void piece_count_record(struct nfart_reader_stats *s, size_t messages, uint64_t lost, bool damaged);

bool piece_state_same(const struct piece_state *a, const struct piece_state *b);
bool piece_state_copy(struct piece_state *to, const struct piece_state *from);
void piece_state_free(struct piece_state *s);

#endif
