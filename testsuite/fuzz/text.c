/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Fuzzes batch text and raw bytes, and lets the reader guess the format from the first bytes.
 */
#include "testsuite/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct nfart_reader_options o = { .format = NFART_FORMAT_TEXT };

	fuzz_trace(data, n, "eci", &o);
	fuzz_trace(data, n, "bytes", &o);
	o.format = NFART_FORMAT_AUTO;
	fuzz_trace(data, n, "eci", &o);
	o.format = NFART_FORMAT_RAW;
	fuzz_trace(data, n, "bytes", &o);
	return 0;
}
