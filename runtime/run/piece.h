/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * piece.h: a stretch of a trace that one thread works on by itself: its records, decoded, and what the
 * automata say of them.
 *
 * Note [pieces]
 * The result of a trace is made piece by piece, in three steps, of which the first two take the time
 * and know nothing of other pieces:
 *
 *   read   records come from a range of the file or out of the one reader of a pipe, into `words`;
 *   run    an engine steps over them and notes what may matter later (struct piece_found);
 *   join   (combine.c) in the order of the trace: the notes go to counters, window and writer.
 *
 * With substreams a line's copy sees its own messages only. So every engine of several steps over
 * all pieces in order, with the messages of the lines that are its part; the notes of a batch are
 * united when it is joined. This is exact.
 *
 * Without them the state at a piece's beginning is not known while the piece before is still run. It
 * is guessed: the state at the end of the last piece that was joined. The piece also keeps *marks*,
 * the states that the guess led to after 16, 64, 256, … records. Joining compares the guess with the
 * true state. Where it was wrong, the piece is run again from the true state, until that leads to
 * the state of a mark; what was noted behind this mark is true. Filters forget soon as a rule. One
 * that never does is run by the joining thread alone.
 *
 * Where there is a fast way (dfa_cache.h) and the trace is a file in chunks, a piece is decoded in place of
 * read (decoded.h) and a filter runs over it. Its records then are *items*, by number, and places in it
 * are numbers of items where they are offsets else.
 *
 * A record is: time; mask; damaged | 2 * (bad chunks of the piece up to it); then its headers, or, of
 * a loss record, the count.
 */
#ifndef NFART_PIECE_H
#define NFART_PIECE_H

#include "include/nfart.h"
#include "runtime/engine/engine_state.h"
#include "runtime/run/decoded.h"
#include "runtime/trace/trace.h"

enum { DECODED_MOST = 8 };
enum { PIECE_MARKS = 8, PIECE_FIRST_MARK = 16, PIECE_MARK_STEP = 4, PIECE_RECORD = 3 };

/* What was noted of records: entries of PIECE_ENTRY words, then the words of labels, then the lines,
 * two words each. */
struct piece_found {
	VEC(uint64_t) words;
	uint64_t logged; /* batches that were logged, and not worth an entry */
};

enum piece_entry {
	ENTRY_OFFSET,  /* of the record, in words; or its number */
	ENTRY_BATCH,   /* its number in the piece, from 1; of a loss record: batches before it */
	ENTRY_WHAT,    /* ENTRY_ACCEPTED … | lines << 8 */
	PIECE_ENTRY
};
enum { ENTRY_ACCEPTED = 1, ENTRY_LOGGED = 2, ENTRY_SECOND = 4 /* by the image swapped in */ };

/* A place between two records of a piece. */
struct piece_place {
	size_t offset; /* in words; where it is decoded: stretches before it */
	uint64_t records, batches;
};

struct piece_state {
	bool second; /* of the image swapped in */
	struct engine_state engine;
};

struct piece_mark {
	struct piece_place place;
	struct piece_state state;
	size_t found;    /* words of found at that place */
	uint64_t logged;
};

struct piece {
	/* read */
	VEC(uint64_t) words;
	bool is_decoded;                 /* then all is in here, or in words what it names there */
	struct decoded decoded;
	bool is_sparse;                  /* words has those records only that entries name: where[i] is
					  * where the one at place i begins; there are `places` places */
	VEC(size_t) where;
	uint64_t places;
	struct nfart_reader_stats stats; /* of these records */
	struct trace_border entry, exit; /* of a range: where it begins, up to where it was read */
	uint64_t until;
	size_t usual;                    /* bytes of a range, as a rule; decoding stops at DECODED_MOST
					  * times as many, where the index is damaged */
	bool rest;                       /* so it stopped before `until` */
	enum nfart_status status;        /* of reading, at the end of the records */
	struct nfart_error error;

	/* run */
	uint64_t before;                 /* batches of the trace before this piece */
	struct piece_found *found;       /* [parts] */
	uint32_t parts;
	struct piece_state guess, last;  /* by time: before and after */
	struct piece_mark marks[PIECE_MARKS];
	uint32_t nmarks;
	bool failed;                     /* out of memory */
};

/* Executes images over pieces: one of several parts of a run by line, or all of it. */
struct stepper {
	const struct nfart_image *image[2];
	struct nfart_engine_options o;
	uint64_t swap_at;                /* the first batch of the second image; 0: never */
	uint32_t part, parts;
	bool keep_logged;                /* logged batches matter to a window or a limit */
	bool decoded;                    /* pieces are, if there is a fast way over them */
	struct nfart_engine *en[2];
	struct nfart_filter *filter;     /* in place of the engines; NULL: there is none */
	bool second;
};

/* False: out of memory. piece_free() in every case. */
bool piece_init(struct piece *p, uint32_t parts, size_t usual);
void piece_free(struct piece *p);

/* Empties the piece for other records. */
void piece_clear(struct piece *p);

/* Appends a record that the reader delivered. False: out of memory. */
bool piece_add(struct piece *p, const struct nfart_batch *b, uint64_t bad_chunks);

/* Reads the range from p->entry to p->until with a reader of its own; status and error say how it
 * ended. */
void piece_read(struct piece *p, struct nfart_reader *r);

/* Decodes it likewise, with a filter of the options that it is to be run with; its state does not
 * matter. */
void piece_decode(struct piece *p, struct nfart_reader *r, struct nfart_filter *f);

/* One of the two; decoder: NULL, or for decoding. */
void piece_take(struct piece *p, struct nfart_reader *r, struct nfart_filter *decoder);

/* The records of q become those of p; q is emptied. */
void piece_swap_records(struct piece *p, struct piece *q);

/* How many places for records there are. */
static inline uint64_t piece_places(const struct piece *p)
{
	return p->is_sparse ? p->places : p->is_decoded ? p->decoded.records.key.n : p->words.n;
}

/* The record at *offset, which goes behind it (but not in a sparse one). */
void piece_record(const struct piece *p, size_t *offset, struct nfart_batch *b);

/* Adds what the records before `offset` come to. */
void piece_count(const struct piece *p, size_t offset, struct nfart_reader_stats *s);

/* The parts of these two: a record in words, an item of a decoded piece, the records before item `end`, a
 * record (messages 0: of a loss). */
void piece_words(const struct piece *p, size_t *offset, struct nfart_batch *b);
void piece_item(const struct piece *p, size_t item, struct nfart_batch *b);
void piece_count_items(const struct piece *p, size_t end, struct nfart_reader_stats *s);
void piece_count_record(struct nfart_reader_stats *s, size_t messages, uint64_t lost, bool damaged);

/* Makes the engines, or a filter where s->decoded and there is a fast way. False: *e says why;
 * step_close() in every case. */
bool step_open(struct stepper *s, struct nfart_error *e);
void step_close(struct stepper *s);

/* Runs the piece: the stepper's part of it, from where its engines are; or all of it, from p->guess
 * to p->last, with marks. False: out of memory. */
bool step_part(struct stepper *s, struct piece *p);
bool step_piece(struct stepper *s, struct piece *p);

/* Runs it again from the state `from`, as far as is needed: *found says what is true up to *mark,
 * p->found what is true behind it. Where no mark was met *mark is p->nmarks and p->last is changed to
 * what is true. False: out of memory. */
bool step_repair(struct stepper *s, struct piece *p, const struct piece_state *from,
		    struct piece_found *found, uint32_t *mark);

/* Makes a filter for piece_take(), where s has one: *decoder is NULL else. False: *e says why. */
bool step_decoder(const struct stepper *s, struct nfart_filter **decoder, struct nfart_error *e);

/* Can this be a state of what s runs? */
bool step_fits(const struct stepper *s, const struct piece_state *state);

bool piece_state_same(const struct piece_state *a, const struct piece_state *b);
bool piece_state_copy(struct piece_state *to, const struct piece_state *from);

#endif
