/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * trial.h: runs an image over a trace in several ways, and compares what comes out. In threads, in
 * shards that are merged, from a pipe and with other instructions of the processor, a run must give
 * the same, byte for byte: output, counters, lines, statistics, status and error.
 */
#ifndef NFACC_TESTSUITE_PROPERTY_TRIAL_H
#define NFACC_TESTSUITE_PROPERTY_TRIAL_H

#include "runtime/run/run.h"
#include "support/buf.h"

/* What is run. Borrows everything. */
struct trial {
	const struct nfart_proto *proto;
	struct nfart_image *image, *second; /* second: as in struct run */
	uint64_t swap_at;
	struct buf trace;
	struct nfart_reader_options reader;
	struct nfart_engine_options engine;
	enum nfart_format to;               /* the form of the output */
	bool count_lines;
	size_t piece;                       /* bytes of the trace in a piece */
};

/* The way in which it is run. All zeros: in one thread. */
struct trial_way {
	unsigned jobs;
	/* The trace comes from standard input, which is a pipe that sometimes has nothing to
	 * read. */
	bool pipe;
	enum nfart_simd simd;
	const char *const *names; /* NULL, or the n files of all shards of the trial: merges them */
	uint32_t n;
};

/* What came out. outcome_free() frees it. */
struct outcome {
	char *out;
	size_t n;
	enum nfart_status status, closed;
	struct nfart_error error;
	struct run run;
	struct nfart_reader_stats stats;
	const char **labels;
	bool parallel;
};

void trial_run(const struct trial *t, const struct trial_way *way, struct outcome *o);
void outcome_free(struct outcome *o);

/* Returns what differs between two runs, or NULL if nothing does. */
const char *outcome_compare(const struct outcome *a, const struct outcome *b);

/* Runs the trial in n shards, of which shard i writes the file names[i]. `one` is what one run
 * gives. Returns what is wrong, or NULL. *made is false if there are no shards to merge. Then the
 * index of the trace is damaged, or a strict reader stopped at damage; in the latter case the one
 * run must have stopped too, unless its limit ended it before. */
const char *trial_shards(const struct trial *t, const struct outcome *one,
			 const char *const *names, uint32_t n, bool *made);

/* Does shard i of n count as done? This looks at the shard's file and the trace, and does not run
 * the shard. */
bool trial_shard_done(const struct trial *t, uint32_t i, uint32_t n, const char *name);

/* Compiles a filter for the software engine alone. NULL: the filter is wrong. */
struct nfart_image *trial_compile(const char *text, size_t n);

#endif
