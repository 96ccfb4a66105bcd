/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Fuzzes value change dumps. Scanning must give what reading word by word gives, and the steps with
 * changes must be the same whether the others are asked for or not.
 */
#include "testsuite/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct fuzz_wave_options o = { .plain = true };
	uint64_t all = fuzz_wave(data, n, &o), few;

	o.few = true;
	few = fuzz_wave(data, n, &o);
	o.plain = false;
	fuzz_expect(fuzz_wave(data, n, &o) == few);
	o.avx2 = true;
	fuzz_expect(fuzz_wave(data, n, &o) == few);
	o.few = false;
	o.every = true;
	fuzz_expect(fuzz_wave(data, n, &o) == all);
	return 0;
}
