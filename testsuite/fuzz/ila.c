/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Fuzzes the CSV of a logic analyser. The bytes are read twice: first the reader finds the start of
 * the ring itself, then the start is given.
 */
#include "testsuite/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct nfart_reader_options o = { .format = NFART_FORMAT_ILA };

	fuzz_trace(data, n, "eci", &o);
	o.has_ring_start = true;
	o.ring_start = n % 5;
	fuzz_trace(data, n, "eci", &o);
	return 0;
}
