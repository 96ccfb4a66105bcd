/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Fuzzes the memory dump of a capture, and that of an engine's ring in memory. The bytes are read as
 * both: as a capture with the built-in map of sources. If they begin with a brace, they are also a
 * JSON map up to the first zero byte, and samples after it.
 */
#include <string.h>

#include "testsuite/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct nfart_reader_options o = { .format = NFART_FORMAT_DUMP };
	const uint8_t *end = n != 0 && data[0] == '{' ? memchr(data, 0, n) : NULL;

	fuzz_trace(data, n, "eci", &o);
	o.format = NFART_FORMAT_RING_MEMORY;
	fuzz_trace(data, n, "eci", &o);
	o.strict = true;
	fuzz_trace(data, n, "eci", &o);
	o = (struct nfart_reader_options){ .format = NFART_FORMAT_DUMP };
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
