/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * order.h: reads the rings of a channel (channel.h) in an order that respects their stamps.
 *
 * The words of a ring come in the order in which its thread wrote them. A stamp is passed only
 * after all stamps with smaller numbers, so what synchronisation orders in the program comes in
 * that order here. What nothing orders comes in any order. The channel is memory of a program
 * that may have bugs, and may overwrite it: nothing in it is believed before it was checked,
 * and nothing is written there but how far was read.
 */
#ifndef NFACC_PROBES_MEMORY_READER_ORDER_H
#define NFACC_PROBES_MEMORY_READER_ORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "include/nfart_status.h"
#include "probes/memory/reader/channel.h"

/* What is called for the words of a ring. `words` is valid during the call. If one of the
 * functions returns false, reading fails. */
struct order_sink {
	/* n > 0 accesses, which are words with sites */
	bool (*accesses)(void *ctx, uint32_t ring, const uint64_t *words, size_t n);
	/* an event other than a stamp, with the n words behind it, at least as many as it needs */
	bool (*event)(void *ctx, uint32_t ring, enum mem_event kind, const uint64_t *words, size_t n);
	void *ctx;
};

enum order_found {
	ORDER_NOTHING, /* all that was written is read */
	ORDER_SOME,    /* something was read, and there may be more */
	ORDER_WAITS,   /* nothing was read: what is written stands behind a stamp that is not due */
	ORDER_FAILED
};

struct order;

/* Makes a reader of the channel, which must outlive it. The channel's geometry is that of `c`
 * now, and what the program does to these fields later has no effect. NULL: out of memory, or a
 * geometry that no channel has. Memory: some 40 bytes a ring. Free with order_free(). */
struct order *order_new(struct mem_channel *c, const struct order_sink *sink);
void order_free(struct order *o);

/* Reads what can be read, at most about one ring full from each ring, and tells the writers. On
 * ORDER_FAILED *e says why: the channel is damaged, or the sink failed (then *e is as the sink
 * left it). Cost: linear in the words read and the rings. */
enum order_found order_read(struct order *o, struct nfart_error *e);

/* After ORDER_WAITS: gives up on the stamps that are missing before the least one that waits. A
 * thread that was killed between taking a stamp and writing it leaves such a hole. */
void order_skip(struct order *o);

#endif
