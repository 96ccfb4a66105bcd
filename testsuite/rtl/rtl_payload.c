/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/* Gives batches with payload to the engine, and checks the payload of records. Each word follows
 * from its message and place, so the payload of another batch, slot or word is seen to be wrong. */
#include "testsuite/rtl/rtl_random.h"

static uint64_t word(const struct nfart_batch *b, uint32_t slot, uint32_t k)
{
	uint64_t x = b->time * 0x9e3779b97f4a7c15u ^ b->header[slot];

	x = (x ^ (x >> 29)) * 0xbf58476d1ce4e5b9u + (uint64_t)slot * 64 + k;
	x = (x ^ (x >> 32)) * 0x94d049bb133111ebu;
	return x ^ (x >> 31);
}

void rnd_batch(struct test *t, const struct nfart_batch *b)
{
	uint64_t words[NFART_SLOTS * NFART_PAYLOAD_WORDS];
	struct nfart_batch with = *b;
	size_t n = 0;

	with.payload_words = (uint8_t)(t->options.overlay.o.payload / 64);
	with.payload = words;
	for (uint64_t m = b->mask; m != 0; m &= m - 1)
		for (uint32_t k = 0; k < with.payload_words; k++)
			words[n++] = word(b, (uint32_t)__builtin_ctzll(m), k);
	rtl_engine_batch(t->en, &with);
}

void rnd_check_payload(struct test *t, const struct nfart_batch *b)
{
	const uint64_t *p = b->payload;

	if (b->mask != 0 && b->payload_words != t->options.overlay.o.payload / 64)
		rnd_fails(t, "a record has payload of another size");
	for (uint64_t m = b->mask; m != 0; m &= m - 1)
		for (uint32_t k = 0; k < b->payload_words; k++)
			if (*p++ != word(b, (uint32_t)__builtin_ctzll(m), k))
				rnd_fails(t, "a record has payload that is not its own");
	t->tally.payloads += b->payload_words != 0;
}
