/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * pairs.h: pairs (nfart.h, nfart_pairs) for statistics, which read whole traces: many pairs come at
 * once, and only what is asked for is kept of requests.
 */
#ifndef NFART_PAIRS_PAIRS_H
#define NFART_PAIRS_PAIRS_H

#include "include/nfart.h"

/* The outcome of a request that comes now, beside those of enum nfart_pair_outcome. What becomes of
 * it is told later. */
#define PAIRS_ASKED ((enum nfart_pair_outcome)(NFART_PAIR_UNASKED + 1))

/* What is asked for. */
struct pairs_want {
	bool details; /* the slot, header and mark of requests; otherwise these are 0 */
	/* Requests are told when they come, with outcome PAIRS_ASKED, and `answer_time` is when the
	 * outcome was known: for what the end of the stream leaves open it has no meaning. */
	bool asked;
	/* Of a part of a trace, with `asked`: so many of its first events are told one by one
	 * (pairs_part.h, Note [levels of parts]). */
	uint32_t prefix;
};

/* Takes n pairs, in the order in which nfart_pair_sink would get them. False: the call that led to
 * it fails. */
typedef bool pairs_sink(void *ctx, const struct nfart_pair *pairs, size_t n);

/* Does what nfart_pairs_new() does, for a sink that takes many. */
struct nfart_pairs *pairs_new(const struct nfart_proto *p, struct pairs_want want, pairs_sink *sink,
			      void *ctx, struct nfart_error *e);

/* ---- counting ---- */

/* What the answered pairs of a group have in common, beside the rule. */
enum pairs_group_by {
	PAIRS_BY_RULE,  /* nothing: the group of a rule has its number */
	PAIRS_BY_TYPES, /* the types and groups of slots of request and answer */
	PAIRS_BY_LINE   /* the line of the request; a pair without one is in no group */
};

/* A pair, as far as its group depends on it: the codes of its messages, or its line. */
struct pairs_member {
	uint32_t rule, request, answer;
	uint64_t line;
};

/* Where answered pairs are counted in place of being told. */
struct pairs_counts {
	enum pairs_group_by by;
	/* [groups << bits]: how often a latency below 1 << bits came in a group, at group << bits |
	 * latency. */
	uint64_t *n;
	unsigned bits;
	uint32_t groups;
	/* Makes *group the group of a pair, for which it must be the same each time. By line, this
	 * is asked for requests that may get no answer. False: memory is short. */
	bool (*find)(void *ctx, const struct pairs_member *x, uint32_t *group);
	/* Counts a latency for which there is no place in n. False: memory is short. */
	bool (*add)(void *ctx, uint32_t group, uint64_t latency);
	void *ctx;
};

/* Has answered pairs counted from the first event on, if that can be; then the other pairs that are
 * told have no details. This is not for pairs of parts (pairs_part.h). False: memory is short. */
bool pairs_count(struct nfart_pairs *q, const struct pairs_counts *c);

/* Returns how many pairs were counted. */
uint64_t pairs_counted(const struct nfart_pairs *q);

/* Asks between blocks of records whether to read on. */
typedef bool pairs_go_on(void *ctx);

/* Puts in the rest of a trace, as nfart_pairs_put() would for each record, and joins the records of
 * a chunk at once. Returns 0 at the end of the trace, 1 if `go_on` wants no more, and -1 on an
 * error, which *e tells. */
int pairs_read(struct nfart_pairs *q, struct nfart_reader *r, pairs_go_on *go_on, void *ctx,
	       struct nfart_error *e);

/* ---- traces in pieces ---- */

/* What a piece of a trace has for pairs: its events, one after the other. */
struct pairs_piece;

/* Makes an empty piece for the rules of a protocol, which must outlive it. NULL: out of memory.
 * Free with pairs_piece_free(). */
struct pairs_piece *pairs_piece_new(const struct nfart_proto *p);
void pairs_piece_free(struct pairs_piece *x);

/* Makes x what the reader has up to its end. Returns 0 at the end, and -1 on an error, which *e
 * tells; x has what came before. */
int pairs_piece_read(struct pairs_piece *x, struct nfart_reader *r, struct nfart_error *e);

/* Batches that come one after the other, or a loss. */
struct pairs_records {
	/* The times of the first and the last batch; first > last: there is none. Of a loss: its
	 * time, twice. */
	uint64_t first, last;
	bool loss;
};

/* Makes *run number i of what a piece has, in the order of the trace. False: it has no more. */
bool pairs_piece_records(const struct pairs_piece *x, size_t i, struct pairs_records *run);

/* Puts in a piece, as pairs_read() would. False: memory is short, or the sink failed. */
bool pairs_put_piece(struct nfart_pairs *q, const struct pairs_piece *x);

/* Says from when to when records came. False: none came. */
bool pairs_span(const struct nfart_pairs *q, uint64_t *first, uint64_t *last);

#endif
