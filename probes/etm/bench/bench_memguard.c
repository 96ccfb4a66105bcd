/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * bench_memguard: MemGuard beside regulators in a macrocell, on the model: what each lets through
 * in windows of three lengths, and what it costs. doc/use/memguard.md has what this prints.
 */
#include <inttypes.h>
#include <stdio.h>

#include "probes/etm/tests/beside.h"
#include "probes/etm/tests/slowdown.h"

static const struct subject subjects[] = {
	{ "MemGuard 1000 us", REGULATORS, 1000 }, { "MemGuard 50 us", REGULATORS, 50 },
	{ "MemGuard 20 us", REGULATORS, 20 },     { "MemGuard 5 us", REGULATORS, 5 },
	{ "PR 50 us", PR, 50 },                   { "PR 20 us", PR, 20 },
	{ "PR 5 us", PR, 5 },                     { "PR 1:3 5 us", PR13, 5 },
	{ "TB 3:1 50 us", TB31, 50 },             { "TB 2:2 5 us", TB22, 5 },
};

static bool print_table(const struct experiment *x, enum access kind, uint32_t target)
{
	printf("\n%s at %" PRIu32 " MB/s, of %d: bytes over the target's share in the worst window "
	       "of a length\n  %-17s %7s", access_names[kind], target,
	       LINE_BYTES * CYCLES_PER_US / GAP, "", "budget");
	for (unsigned w = 0; w < BESIDE_WINDOWS; w++)
		printf(" %6" PRIu32 " us", beside_windows_us[w]);
	printf("  %9s %9s %6s\n", "long run", "irqs/ms", "lost");
	for (size_t i = 0; i < sizeof subjects / sizeof *subjects; i++) {
		const struct subject *s = &subjects[i];
		uint32_t us = s->us < 100 ? 3000 : 6000;
		struct beside b;

		if (!beside_measure(x, s, kind, target, us, TIMER, &b))
			return false;
		printf("  %-17s %7" PRIu32, s->name, beside_budget(s, target));
		for (unsigned w = 0; w < BESIDE_WINDOWS; w++)
			printf(" %9.0f", (double)b.most[w] * LINE_BYTES -
					 (double)target * beside_windows_us[w]);
		printf("  %4.0f MB/s %9.1f %5.1f%%\n", b.mean * LINE_BYTES / 1000, b.interrupts,
		       100 * b.lost);
	}
	return true;
}

int main(void)
{
	struct experiment x;

	return !experiment_init(&x, GAP) || !print_table(&x, ACCESS_READ, 200) ||
	       !print_table(&x, ACCESS_WRITE, 200);
}
