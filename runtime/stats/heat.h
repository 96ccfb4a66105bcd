/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * heat.h: how many messages there are for which line at which time, in rows and columns that fit
 * into a picture. A row is one line at first. When there are too many rows, a row becomes a block
 * of two lines, of four, and so on; blocks without messages have no row. So memory does not grow
 * with the stream.
 */
#ifndef NFART_STATS_HEAT_H
#define NFART_STATS_HEAT_H

#include "contract/proto/proto.h"
#include "include/nfart.h"
#include "runtime/stats/timeline.h"

struct heat;

/* Makes an empty one with at most `rows` rows, at least 1, and `columns` columns, at least 2. The
 * protocol must outlive it. NULL: out of memory. Free with heat_free(). */
struct heat *heat_new(const struct nfart_proto *p, size_t rows, size_t columns);
void heat_free(struct heat *h);

/* Counts the messages of a batch. Cost: a search among the rows for each message. */
void heat_put(struct heat *h, const struct nfart_batch *b);

/* Adds what another one has, which was made with the same sizes and given the same first time.
 * Each had some of the batches of a stream; then h has what it would have of all of them. `from`
 * is of no use afterwards. */
void heat_join(struct heat *h, struct heat *from);

/* heat_rows() returns how many rows there are, by rising address. heat_address() returns the byte
 * address of the first line of row i, and heat_row() the row of the timeline that has its
 * messages. */
size_t heat_rows(const struct heat *h);
uint64_t heat_address(const struct heat *h, size_t i);
size_t heat_row(const struct heat *h, size_t i);

/* Returns how many lines a row stands for. */
uint64_t heat_lines(const struct heat *h);

/* Returns how many messages there are that have no address, and so are in no row. */
uint64_t heat_others(const struct heat *h);

/* Returns the timeline. It belongs to h. */
const struct timeline *heat_timeline(const struct heat *h);

#endif
