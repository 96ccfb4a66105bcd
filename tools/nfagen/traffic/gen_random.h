/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * gen_random.h: the random numbers of the traffic generator, made by SplitMix64 (Steele, Lea, Flood
 * 2014). There are only integers, so that a seed gives the same trace on every machine.
 */
#ifndef NFART_GEN_RANDOM_H
#define NFART_GEN_RANDOM_H

#include <stdint.h>

struct gen_random {
	uint64_t state; /* at the beginning the seed, which may have any value */
};

/* Returns the next 64 random bits. */
static inline uint64_t gen_random(struct gen_random *r)
{
	uint64_t z = r->state += 0x9e3779b97f4a7c15u;
	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	return z ^ z >> 31;
}

/* Returns a random number below n, or 0 if n is 0. */
static inline uint32_t gen_random_below(struct gen_random *r, uint32_t n)
{
	return (uint32_t)((gen_random(r) >> 32) * n >> 32);
}

#endif
