/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * queues.h: requests that wait for their answers in order (contract/proto/proto.h, Note [pairs]).
 *
 * There is a queue for each rule and each value of its keys. A queue exists while a request waits
 * in it, so memory depends on the requests that wait and not on the keys that were seen. The caller
 * keeps the number of requests at QUEUES_MOST or below.
 */
#ifndef NFART_PAIRS_QUEUES_H
#define NFART_PAIRS_QUEUES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "support/vec.h"

enum { QUEUES_MOST = 1 << 20 }; /* so many requests wait at most, in all queues together */

/* A request that is open. In a table it stands for a free place if its rule_plus_1 is 0. */
struct open {
	uint64_t key, time, header;
	uint16_t rule_plus_1;
	uint16_t slot;
	uint32_t mark;
};

/* A request in a queue. The numbers are indices into struct queues.pool, plus 1; 0: none. */
struct queued {
	struct open request;
	uint32_t next;         /* the request behind it in its queue, or the next free one */
	uint32_t older, newer; /* those that came before and after it, whatever their queues */
};

/* A queue, or a free place of the table: its rule_plus_1 is 0. */
struct queue {
	uint64_t key;
	uint32_t first, last; /* indices into struct queues.pool, plus 1 */
	uint16_t rule_plus_1;
};

/* A zeroed one is empty. */
struct queues {
	struct queue *at; /* [places]: a hash table; `places` is a power of two */
	size_t places, n; /* n: how many queues there are */
	VEC(struct queued) pool;
	uint32_t free;           /* the first free element of the pool, plus 1; 0: none */
	uint32_t oldest, newest; /* of all that wait, plus 1; 0: none waits */
	uint32_t waiting;        /* how many requests wait */
};

void queues_free(struct queues *q);

/* Appends a request to its queue. False: out of memory, and the queues are as they were. Cost: one
 * look-up in the table. */
bool queues_put(struct queues *q, const struct open *request);

/* Takes the request that has waited longest out of the queue of this rule and key, and writes it to
 * *out. False: none waits there. Cost: one look-up in the table. */
bool queues_take(struct queues *q, uint16_t rule_plus_1, uint64_t key, struct open *out);

/* Returns the request that has waited longest in all queues; NULL: none waits. The result is valid
 * until the next call that changes the queues. */
const struct open *queues_oldest(const struct queues *q);

/* Returns the hash of a key of a rule. */
static inline uint64_t queues_hash(uint64_t rule_plus_1, uint64_t key)
{
	return (key + rule_plus_1) * 0x9e3779b97f4a7c15u >> 32;
}

#endif
