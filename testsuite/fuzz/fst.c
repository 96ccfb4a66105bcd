/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Fuzzes FST waveforms. The steps with changes must be the same whether the others are asked for or
 * not.
 */
#include "testsuite/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct fuzz_wave_options o = { .few = false };
	uint64_t all = fuzz_wave(data, n, &o);

	o.every = true;
	fuzz_expect(fuzz_wave(data, n, &o) == all);
	o.few = true;
	fuzz_wave(data, n, &o);
	return 0;
}
