/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * tally.h: how many messages there are of each type, each group or each line. Memory grows with the
 * lines that messages name.
 */
#ifndef NFART_STATS_TALLY_H
#define NFART_STATS_TALLY_H

#include "contract/proto/proto.h"
#include "include/nfart.h"

enum tally_by { TALLY_BY_TYPE, TALLY_BY_GROUP, TALLY_BY_LINE };

/* How many messages there are of one kind. */
struct tally_count {
	/* The index of the type or group; for an opcode without a name, the number of types plus
	 * the opcode; the byte address of the line. */
	uint64_t what;
	uint64_t n;
};

struct tally;

/* Makes an empty one. The protocol must outlive it. NULL: out of memory. Free with tally_free(). */
struct tally *tally_new(const struct nfart_proto *p, enum tally_by by);
void tally_free(struct tally *t);

/* Counts the messages of a batch. False: out of memory. */
bool tally_put(struct tally *t, const struct nfart_batch *b);

/* What tally_each() hands over: how many messages have a code, or a line. */
struct tally_part {
	bool line;
	uint64_t what; /* the code, or the number of the line */
	uint64_t n;
};

/* Hands over all counts. False: `take` failed. */
bool tally_each(const struct tally *t, bool (*take)(void *ctx, const struct tally_part *x),
		void *ctx);

/* May tally_each() hand over such a count, of a tally like t? */
bool tally_can_be(const struct tally *t, const struct tally_part *x);

/* Adds a count that may be. False: memory is short. */
bool tally_add_part(struct tally *t, const struct tally_part *x);

/* Adds the counts of `from`, which counts the same. False: out of memory. Cost: linear in the kinds
 * or lines of `from`. */
bool tally_add(struct tally *t, const struct tally *from);

/* Returns the counts that are not 0, the greatest first, equal ones by `what`. *n says how many.
 * *others is how many messages have no address, with TALLY_BY_LINE. NULL: out of memory. The result
 * belongs to t, which counts no more. Cost: that of sorting the counts. */
const struct tally_count *tally_finish(struct tally *t, size_t *n, uint64_t *others);

#endif
