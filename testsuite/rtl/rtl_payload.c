/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/* Gives batches with payload to the engine, and checks the payload of records. Each word follows
 * from its message and place, so the payload of another batch, slot or word is seen to be wrong.
 * With tests of payload, filters look at it, and the reference matcher gets the same. */
#include "testsuite/rtl/rtl_random.h"

static uint32_t words_of(const struct test *t)
{
	return t->options.overlay.o.payload / 64;
}

/* With tests of payload most words are small, as the numbers that filters look for are. */
static uint64_t word(const struct test *t, const struct nfart_batch *b, uint32_t slot, uint32_t k)
{
	uint64_t x = b->time * 0x9e3779b97f4a7c15u ^ b->header[slot];

	x = (x ^ (x >> 29)) * 0xbf58476d1ce4e5b9u + (uint64_t)slot * 64 + k;
	x = (x ^ (x >> 32)) * 0x94d049bb133111ebu;
	x ^= x >> 31;
	if (t->gen.payload && x >> 61 != 0)
		return (x & 0xffff) % 6 | ((x >> 16 & 3) == 0 ? x & (uint64_t)15 << 60 : 0);
	return x;
}

/* Writes the payload of b. */
static void fill(const struct test *t, const struct nfart_batch *b, uint64_t *words)
{
	for (uint64_t m = b->mask; m != 0; m &= m - 1)
		for (uint32_t k = 0; k < words_of(t); k++)
			*words++ = word(t, b, (uint32_t)__builtin_ctzll(m), k);
}

void rnd_fill_payload(struct test *t, size_t from, size_t to)
{
	for (size_t i = from; t->gen.payload && i < to; i++) {
		t->in.stream[i].payload_words = (uint8_t)words_of(t);
		t->in.stream[i].payload = t->in.payload[i];
		fill(t, &t->in.stream[i], t->in.payload[i]);
	}
}

void rnd_batch(struct test *t, const struct nfart_batch *b)
{
	uint64_t words[NFART_SLOTS * NFART_PAYLOAD_WORDS];
	struct nfart_batch with = *b;

	with.payload_words = (uint8_t)words_of(t);
	with.payload = words;
	fill(t, b, words);
	rtl_engine_batch(t->en, &with);
}

void rnd_check_payload(struct test *t, const struct nfart_batch *b)
{
	const uint64_t *p = b->payload;

	if (b->mask != 0 && b->payload_words != words_of(t))
		rnd_fails(t, "a record has payload of another size");
	for (uint64_t m = b->mask; m != 0; m &= m - 1)
		for (uint32_t k = 0; k < b->payload_words; k++)
			if (*p++ != word(t, b, (uint32_t)__builtin_ctzll(m), k))
				rnd_fails(t, "a record has payload that is not its own");
	t->tally.payloads += b->payload_words != 0;
}
