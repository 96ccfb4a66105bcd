/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "runtime/trace/batch.h"

#include "support/bits.h"

const uint64_t *nfart_batch_payload(const struct nfart_batch *b, uint32_t slot)
{
	uint64_t below = ((uint64_t)1 << slot) - 1;

	if (b->payload_words == 0 || (b->mask >> slot & 1) == 0)
		return NULL;
	return b->payload + bits_count(b->mask & below) * b->payload_words;
}
