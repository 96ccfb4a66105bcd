/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * A memory dump: with the built-in map; and, where the bytes begin with a brace, with the JSON map
 * that ends at the first zero byte, then samples.
 */
#include <string.h>

#include "testsuite/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct nfart_reader_options o = { .format = NFART_FORMAT_DUMP };
	const uint8_t *end = n != 0 && data[0] == '{' ? memchr(data, 0, n) : NULL;

	fuzz_trace(data, n, "eci", &o);
	if (end != NULL) {
		o.map = (const char *)data;
		fuzz_trace(end + 1, n - (size_t)(end + 1 - data), "eci", &o);
		o.has_ring_start = true;
		o.ring_start = 1;
		fuzz_trace(end + 1, n - (size_t)(end + 1 - data), "eci", &o);
		o.format = NFART_FORMAT_ILA;
		fuzz_trace(end + 1, n - (size_t)(end + 1 - data), "eci", &o);
	}
	return 0;
}
