/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "runtime/trace/batch.h"

#include "support/bits.h"

void batch_narrow(struct nfart_batch *b, uint64_t mask,
		  uint64_t room[NFART_SLOTS * NFART_PAYLOAD_WORDS])
{
	uint64_t *to = room;

	mask &= b->mask;
	if (b->payload_words != 0 && mask != b->mask) {
		for (uint64_t m = mask; m != 0; m &= m - 1, to += b->payload_words)
			memcpy(to, nfart_batch_payload(b, (uint32_t)__builtin_ctzll(m)),
			       b->payload_words * sizeof *to);
		b->payload = room;
	}
	b->mask = mask;
}

const uint64_t *nfart_batch_payload(const struct nfart_batch *b, uint32_t slot)
{
	uint64_t below = ((uint64_t)1 << slot) - 1;

	if (b->payload_words == 0 || (b->mask >> slot & 1) == 0)
		return NULL;
	return b->payload + bits_count(b->mask & below) * b->payload_words;
}
