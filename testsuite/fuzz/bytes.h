/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * bytes.h: takes an input of the fuzzer apart, byte by byte. An input that has ended continues with
 * zeros.
 */
#ifndef NFACC_TESTSUITE_FUZZ_BYTES_H
#define NFACC_TESTSUITE_FUZZ_BYTES_H

#include <stddef.h>
#include <stdint.h>

struct bytes {
	const uint8_t *p;
	size_t n; /* bytes left */
};

static inline uint8_t bytes_next(struct bytes *b)
{
	if (b->n == 0)
		return 0;
	b->n--;
	return *b->p++;
}

static inline uint32_t bytes_next16(struct bytes *b)
{
	uint32_t low = bytes_next(b);

	return low | (uint32_t)bytes_next(b) << 8;
}

#endif
