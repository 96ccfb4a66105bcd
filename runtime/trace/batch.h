/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * batch.h: tells batches from loss records. A batch without messages exists if it has a tick or is
 * the end.
 */
#ifndef NFART_TRACE_BATCH_H
#define NFART_TRACE_BATCH_H

#include <string.h>

#include "contract/image/record.h"
#include "include/nfart.h"

static inline bool batch_is_loss(const struct nfart_batch *b)
{
	return b->mask == 0 && b->when == 0;
}

/* Returns the message in a slot, which has one. */
static inline struct record_message batch_message(const struct nfart_batch *b, uint32_t slot)
{
	struct record_message m = { { b->header[slot] } };

	if (b->payload_words != 0)
		memcpy(m.word + 1, nfart_batch_payload(b, slot), b->payload_words * sizeof *m.word);
	return m;
}

/* Leaves of a batch the messages in the slots of `mask`. `room` takes their payload, and must
 * outlive the batch. */
void batch_narrow(struct nfart_batch *b, uint64_t mask,
		  uint64_t room[NFART_SLOTS * NFART_PAYLOAD_WORDS]);

#endif
