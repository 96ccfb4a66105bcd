/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * merge_traces.h: reads several traces of one protocol as one, in the order of time: those of two
 * taps with one clock, say. Messages of one time become one batch. A loss record stands before
 * the batches of its time that come after it in its own trace. Cost: a comparison for each trace
 * and batch; one batch of each trace is kept.
 */
#ifndef NFART_NFARUN_MERGE_TRACES_H
#define NFART_NFARUN_MERGE_TRACES_H

#include "include/nfart.h"

struct merge_source {
	const char *name;             /* of the file */
	struct nfart_reader *reader;
	struct nfart_batch head;      /* what comes next of it */
	bool has_head;
};

struct merge_traces {
	struct merge_source *sources; /* [n] */
	uint32_t n;
	/* The payload of the batch that was returned last, and how many words each message of it
	 * has: as many as a message of any of the traces, with zeros where it has fewer. */
	struct {
		uint64_t *at;         /* [NFART_SLOTS * words] */
		uint64_t *slot;       /* [NFART_SLOTS * words]: the same by slot */
		uint32_t words;
	} payload;
	uint64_t doubled;             /* batches begun because two traces had the same slot */
	const char *wrong;            /* the file with the error that was returned last */
};

/* Opens the n traces of these names. Returns false and fills in *e and m->wrong if one can't be
 * opened. In any case merge_traces_close() frees all. */
bool merge_traces_open(struct merge_traces *m, const char *const *names, uint32_t n,
		       const struct nfart_proto *p, const struct nfart_reader_options *o,
		       struct nfart_error *e);

/* Does what nfart_reader_next() does. If two traces have a message in the same slot at one time,
 * the second one's batch follows the first one's, with the flag `damaged`. */
int merge_traces_next(struct merge_traces *m, struct nfart_batch *b, struct nfart_error *e);

/* Returns the last time that a trace states; 0: none does. */
uint64_t merge_traces_until(const struct merge_traces *m);

void merge_traces_close(struct merge_traces *m);

#endif
