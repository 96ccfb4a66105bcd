/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * gen_random.h: the generator's random numbers: SplitMix64 (Steele, Lea, Flood 2014), integers
 * only, so that a seed gives the same trace on every machine.
 */
#ifndef NFART_GEN_RANDOM_H
#define NFART_GEN_RANDOM_H

#include <stdint.h>

struct gen_random {
	uint64_t state; /* the seed; any value */
};

static inline uint64_t gen_random(struct gen_random *r)
{
	uint64_t z = r->state += 0x9e3779b97f4a7c15u;
	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	return z ^ z >> 31;
}

/* A number below n; 0 where n is 0. */
static inline uint32_t gen_random_below(struct gen_random *r, uint32_t n)
{
	return (uint32_t)((gen_random(r) >> 32) * n >> 32);
}

#endif
