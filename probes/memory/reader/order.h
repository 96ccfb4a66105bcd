/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * order.h: reads the rings of a channel (channel.h) in an order that fits their stamps.
 *
 * The words of one ring come in the order in which its thread wrote them. A stamp is passed only
 * after all stamps with smaller numbers. So events that synchronisation orders in the program come
 * in that order. Other events of different threads may come in any order. The channel is memory of
 * the program, and a bug there may overwrite it. So every value from the channel is checked before
 * it is used. Only the number of words read is written there.
 */
#ifndef NFACC_PROBES_MEMORY_READER_ORDER_H
#define NFACC_PROBES_MEMORY_READER_ORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "include/nfart_status.h"
#include "probes/memory/reader/channel.h"

/*
 * Functions that take the words of a ring. `words` is valid only during the call. If a function
 * returns false, the reading fails.
 */
struct order_sink {
	/* takes n > 0 accesses: words with site numbers */
	bool (*accesses)(void *ctx, uint32_t ring, const uint64_t *words, size_t n);
	/*
	 * takes an event that is not a stamp, with its n words, at least as many as the event needs
	 */
	bool (*event)(void *ctx, uint32_t ring, enum mem_event kind, const uint64_t *words, size_t n);
	void *ctx;
	/* a stamp of the ring was passed; may be NULL */
	bool (*stamp)(void *ctx, uint32_t ring);
};

enum order_found {
	ORDER_NOTHING, /* all words that were written have been read */
	ORDER_SOME,    /* words were read, and there may be more */
	ORDER_WAITS,   /* nothing was read: each ring with words waits for a stamp */
	ORDER_FAILED
};

struct order;

/*
 * Makes a reader of a channel. The channel must outlive it. The sizes in `c` are read now; later
 * changes by the program have no effect. Returns NULL if there is no memory or if the sizes are not
 * valid. Memory: about 40 bytes for each ring. Free it with order_free().
 */
struct order *order_new(struct mem_channel *c, const struct order_sink *sink);
void order_free(struct order *o);

/*
 * Reads what can be read, at most about one ring full from each ring, and tells the writers. On
 * failure returns ORDER_FAILED and sets *e: the channel is damaged, or the sink failed. Cost:
 * linear in the words read and in the rings.
 */
enum order_found order_read(struct order *o, struct nfart_error *e);

/*
 * Call it after ORDER_WAITS. It gives up all missing stamps up to the smallest stamp that a ring
 * waits for. A stamp is missing if its thread was killed after it took the stamp and before it
 * wrote it.
 */
void order_skip(struct order *o);

#endif
