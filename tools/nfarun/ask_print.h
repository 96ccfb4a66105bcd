/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * ask_print.h: writes the answers to questions about a trace (ask.h).
 */
#ifndef NFART_NFARUN_ASK_PRINT_H
#define NFART_NFARUN_ASK_PRINT_H

#include <signal.h>

#include "runtime/pairs/pairs.h"
#include "runtime/stats/in_flight.h"
#include "runtime/stats/latency.h"
#include "runtime/stats/tally.h"
#include "tools/nfarun/ask_label.h"
#include "tools/nfarun/nfarun_options.h"
#include "tools/nfarun/reading.h"
#include "tools/nfarun/table.h"

enum {
	ASK_CELLS = 12, /* the most cells of a row */
	/* How wide columns of text are at least (struct column). */
	ASK_PAIR = -10,
	ASK_TYPE = -14,
	ASK_NUMBER = 9,
	ASK_TIME = 12,
	ASK_LINE = 12,
	ASK_MESSAGE = -32,
	ASK_KEYS = -24
};

/* What came in a period of --rate, which begins at `begin`. */
struct ask_rate {
	uint64_t begin, batches, messages, gaps;
};

/* A question while it is answered. Only what the question needs is not NULL. */
struct ask {
	const struct nfarun_options *o;
	const volatile sig_atomic_t *stop; /* not 0: the run is to end early */
	bool failed;                       /* memory was short */
	bool ending;                       /* the current trace was read to its end */
	bool done;                         /* the output is there already (--resume) */
	const struct nfart_proto *p;
	struct nfart_pairs *pairs;
	struct latency *latency;
	struct nfart_image *image; /* for latencies by label; else NULL */
	struct ask_labels labels;
	struct in_flight *flight;
	bool flight_told; /* a shard tells what is in flight (runtime/ask/asked_flight.h) */
	struct tally *tally;
	struct {
		struct nfart_reader *reader;   /* of the current trace */
		struct reading reading;
		struct nfart_reader_stats stats; /* of the current trace, once it was read */
		struct nfart_reader_stats sum; /* of all traces so far */
	} trace;
	uint64_t outcomes[PAIRS_ASKED + 1]; /* how often each came */
	struct ask_rate rate;               /* the current period */
	/* What is printed. */
	struct {
		struct table table;
		/* of the table, where they depend on the question */
		struct column columns[ASK_CELLS];
		struct buf text, other, keys; /* for cells */
	} out;
};

/* Is the question about requests and answers? */
static inline bool ask_needs_pairs(const struct nfarun_options *o)
{
	return o->ask.question == ASK_LATENCY || o->ask.question == ASK_OPEN ||
	       o->ask.question == ASK_IN_FLIGHT;
}

/* A row while its cells are put together. */
struct ask_row {
	struct cell cell[ASK_CELLS];
	size_t n;
};

static inline void ask_add(struct ask_row *r, struct cell c)
{
	r->cell[r->n++] = c;
}

/* Returns a cell with a message, such as `cpu.MREQ_RLDX@6:0x8080`. It is valid until the next call
 * with the same buffer. */
struct cell ask_message(const struct ask *a, struct buf *b, uint32_t slot, uint64_t header);

/* Returns a cell with the keys of a request, such as `line=0x8080 rreqid=7`. It is valid until the
 * next call. */
struct cell ask_keys(struct ask *a, const struct nfart_pair *pair);

/* What a latency of one cycle is written as: its nanoseconds with --clock, else 1. */
static inline double ask_cycle(const struct nfarun_options *o)
{
	return o->output.clock != 0 ? 1e9 / (double)o->output.clock : 1;
}

/* Returns a cell with a latency. */
static inline struct cell ask_latency_cell(const struct nfarun_options *o, uint64_t cycles)
{
	return o->output.clock != 0 ? cell_real((double)cycles * ask_cycle(o))
				    : cell_number(cycles);
}

/* Begins a table whose columns are an array. */
#define BEGIN(a, columns) table_begin(&(a)->out.table, columns, sizeof columns / sizeof columns[0])

/* Begins the table of a question whose rows come while the trace is read. */
void ask_print_begin(struct ask *a);

/* Writes the row of a request without an answer. */
void ask_print_open(struct ask *a, const struct nfart_pair *pair);

/* Writes the row of the current period, unless it is empty, and empties it. */
void ask_print_rate(struct ask *a);

/* Writes latencies, after the trace was read. False: out of memory. */
bool ask_print_latency(struct ask *a);

/* Writes what remains to be written after a trace was read. False: out of memory. */
bool ask_print_end(struct ask *a);

/* Writes counts, after all traces were read. False: out of memory. */
bool ask_print_counts(struct ask *a);

/* Prints on standard error how much was read and what became of the requests, unless the options
 * forbid it. */
void ask_print_summary(const struct ask *a, const struct nfart_reader_stats *s, bool interrupted);

#endif
