/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * ask_label.h: which labels a filter gives to the batches of requests and answers, for latencies by
 * label.
 */
#ifndef NFART_NFARUN_ASK_LABEL_H
#define NFART_NFARUN_ASK_LABEL_H

#include "include/nfart.h"
#include "runtime/ask/labelled.h"
#include "support/vec.h"

struct ask_lines;

/* Labels that accept a batch: `n` of them, from `first` on in ask_labels.all. */
struct label_set {
	uint32_t first, n;
};

/* A batch that has labels. */
struct labelled_batch {
	uint64_t time;
	uint32_t set;
};

/* Sets are kept once each, so that a request needs only the number of its set. The number of sets
 * does not grow with the trace, but it is only bounded by the combinations of labels that come. */
struct ask_labels {
	struct nfart_filter *filter;
	uint32_t nlabels;           /* without the outputs of machines */
	VEC(uint32_t) all;
	VEC(struct label_set) sets; /* the first one is empty */
	uint32_t now;               /* number of the set of the current batch */
	VEC(uint32_t) pair;         /* the labels of a pair, while it is handled */
	/* Of a trace in pieces: the batches of the piece that have labels, by rising time; how many
	 * of them are before the latest request and answer; and the filter after the piece. */
	VEC(struct labelled_batch) batches;
	size_t requests, answers;
	struct labelled_truth truth;
	bool pieces;
	/* Where shards of lines have the labels of pieces; NULL: the filter runs here. */
	struct ask_lines *lines;
	struct nfart_error error; /* their files could not be read any more */
};

/* Begins a stream with the image, which must outlive it. False: *e says why. Free with
 * ask_labels_free(), after an error too. */
bool ask_labels_begin(struct ask_labels *l, const struct nfart_image *im, struct nfart_error *e);
void ask_labels_free(struct ask_labels *l);

/* Takes in the next batch or loss record, before its messages are joined to pairs. False: out of
 * memory. Cost: that of the filter, and linear in the sets so far if the labels change. */
bool ask_labels_put(struct ask_labels *l, const struct nfart_batch *b);

/* Takes in the next piece of a trace, before its messages are joined to pairs; a trace comes either
 * in batches or in pieces. x is not used if shards have the labels; then *last is the time of
 * the last batch up to the end of the piece, and NULL says that none came. False: out of memory, or
 * as l->error says. */
bool ask_labels_piece(struct ask_labels *l, struct labelled *x, const uint64_t *last);

/* Sets `now` to the set of these n labels, which rise. From now on neither batches nor pieces come,
 * until the next piece does. False: out of memory. */
bool ask_labels_now(struct ask_labels *l, const uint32_t *labels, size_t n);

/* Returns the number of the set of the batch of a request that is put in now. */
uint32_t ask_labels_mark(struct ask_labels *l, uint64_t time);

/* Says that the pairs which come now are answered at this time. */
void ask_labels_answer(struct ask_labels *l, uint64_t time);

/* Returns the labels of a pair that is answered by the current batch; *n says how many. They are
 * those that accepted the batch of the request, whose set has the number `mark`, or that of the
 * answer. They are valid until the next call. NULL: out of memory. */
const uint32_t *ask_labels_of(struct ask_labels *l, uint32_t mark, size_t *n);

#endif
