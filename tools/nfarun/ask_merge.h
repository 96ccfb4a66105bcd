/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * ask_merge.h: what shards of questions (ask_shard.h) and merging them have in common.
 */
#ifndef NFART_NFARUN_ASK_MERGE_H
#define NFART_NFARUN_ASK_MERGE_H

#include "runtime/ask/asked_file.h"
#include "runtime/ask/asked_flight.h"
#include "tools/nfarun/ask_print.h"

/* Fills in the key of a shard of the question. False: *e says why. */
bool shard_question_key(const struct ask *a, const struct nfart_reader *r, uint64_t number,
			uint64_t total, struct asked_key *k, struct nfart_error *e);

/* Takes the records of a shard, once: what is not set is zeroed before. Free with
 * shard_taker_free(). */
struct shard_taker {
	struct ask *a;
	bool check; /* nothing is taken, but records are checked as far as each tells by itself */
	bool lines; /* the shard is a share of the lines (ask_lines.h) */
	bool unlabelled; /* by label: no batch of the shard has any, since the limit was reached */
	/* By label: the labels of each mark, one after the other; and for mark 0, which has none,
	 * and all others where theirs begin. */
	VEC(uint32_t) labels;
	VEC(size_t) first;
	/* By label, the words of the states of the filter before the part, and after it. */
	struct engine_state state[2];
	struct flight_taker flight; /* of requests in flight; `rules` is set before */
	/* When records are checked: the first event of a key, which the shard tells after the
	 * switch, meets a request from before the part. */
	bool meets;
	/* Of a shard of lines: the latest batch, if one came. */
	bool any;
	uint64_t time;
	uint32_t mark;
};

void shard_taker_free(struct shard_taker *t);

/* A sink of asked_each(); the context is a struct shard_taker. */
asked_sink shard_take_record;

/* Returns the labels of a mark, which was told; *n says how many. */
const uint32_t *shard_labels(const struct shard_taker *t, uint32_t mark, size_t *n);

#endif
