/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * random.h: the random numbers of a test (xorshift, by Marsaglia).
 */
#ifndef NFACC_MEMORY_TESTS_RANDOM_H
#define NFACC_MEMORY_TESTS_RANDOM_H

#include <stdint.h>

/* The test sets this to its seed, which is not 0. */
static uint64_t random_state;

/* Returns a number below n. */
static uint64_t random_below(uint64_t n)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return random_state % n;
}

#endif
