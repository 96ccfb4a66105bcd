/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * compare: how often two streams are said to differ, where they are alike and where they are not.
 *
 *   compare [-s SEED]
 *
 * NFACC_SEED sets the same. Latencies are random numbers that depend on the ones before, as those
 * of a queue do.
 */
#include <getopt.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "include/nfart_status.h"
#include "runtime/stats/compare.h"
#include "testsuite/setting.h"
#include "testsuite/unit/tap.h"
#include "tools/nfagen/traffic/gen_random.h"

enum { TRIALS = 400, RECORDS = 6000 };

/* Makes a stream of latencies around `mean`. Each is the mean of a queue that forgets a tenth of
 * its length with each record. NULL: out of memory. */
static struct blocks *stream(struct gen_random *r, double mean, size_t records)
{
	struct blocks *b = blocks_new();
	double queue = 0;

	if (b == NULL || blocks_series(b) != 0 || blocks_series(b) != 1) {
		blocks_free(b);
		return NULL;
	}
	for (size_t i = 0; i < records; i++) {
		queue = queue * 0.9 + (double)gen_random_below(r, 20) - 9.5;
		blocks_add(b, 0, mean + queue);
		blocks_add(b, 1, 1);
		blocks_next(b);
	}
	return b;
}

/* Compares series 0 over series 1 of two streams. */
static bool compare_two(struct comparison *c, const struct blocks *a, const struct blocks *b,
			uint64_t seed)
{
	return compare(c, &(struct quotient){ a, 0, 1 }, &(struct quotient){ b, 0, 1 }, seed);
}

/* Returns how many of n comparisons of streams with these means are beyond noise; -1: one is not
 * known, or contradicts itself. */
static int beyond(struct gen_random *r, double first, double second, int n)
{
	int count = 0;

	for (int i = 0; i < n && count >= 0; i++) {
		struct blocks *a = stream(r, first, RECORDS), *b = stream(r, second, RECORDS);
		struct comparison c = { .known = false }, again = c;
		bool ok = a != NULL && b != NULL && compare_two(&c, a, b, 7) &&
			  compare_two(&again, a, b, 7);
		ok = ok && c.known && c.low <= c.high && c.low == again.low &&
		     c.high == again.high && c.beyond == (c.low > 0 || c.high < 0) &&
		     fabs(c.second - c.first - c.difference) < 1e-9;
		count = ok ? count + c.beyond : -1;
		blocks_free(a);
		blocks_free(b);
	}
	return count;
}

/* Do blocks keep all sums, and does their number stay in its limits, however long the stream is? */
static bool sums(struct gen_random *r)
{
	bool ok = true;

	for (size_t n = 0; n < 1000 && ok; n += 1 + n / 8) {
		struct blocks *b = stream(r, 100, n);
		ok = b != NULL && blocks_sum(b, 1) == (double)n && blocks_count(b) <= BLOCKS_MOST &&
		     (n < BLOCKS_MOST ? blocks_count(b) == n
				      : blocks_count(b) >= BLOCKS_LEAST_FULL);
		blocks_free(b);
	}
	return ok;
}

/* Is nothing said about noise if there are few blocks, and is a divisor of 0 told? */
static bool few(struct gen_random *r)
{
	struct blocks *a = stream(r, 100, COMPARE_LEAST_BLOCKS - 1), *b = stream(r, 200, RECORDS);
	struct blocks *none = stream(r, 0, 0);
	struct comparison c = { .known = true }, d = c;
	bool ok = a != NULL && b != NULL && none != NULL && compare_two(&c, a, b, 1) &&
		  compare_two(&d, none, b, 1);

	ok = ok && !c.known && c.has_first && c.has_second && !d.known && !d.has_first &&
	     d.has_second;
	blocks_free(a);
	blocks_free(b);
	blocks_free(none);
	return ok;
}

int main(int argc, char **argv)
{
	struct gen_random r = { .state = setting("NFACC_SEED", 1) };
	uint64_t seed;
	struct tap tap = { 0 };
	int alike, apart;

	if (!setting_arguments(argc, argv, NULL, &r.state, NULL))
		return NFART_USAGE;
	seed = r.state;
	tap_case(&tap, sums(&r), "blocks keep the sums of a stream");
	tap_case(&tap, few(&r), "few blocks say nothing about noise");
	/* Nominal is 1 %, 4 of 400. At a true rate of 2 % more than 18 come less than once in
	 * 1000 runs. */
	alike = beyond(&r, 100, 100, TRIALS);
	tap_case(&tap, alike >= 0 && alike <= 18, "streams alike: %d of %d are beyond noise", alike,
		 TRIALS);
	/* The mean of a stream has a standard deviation of some 0.75. */
	apart = beyond(&r, 100, 106, TRIALS / 4);
	tap_case(&tap, apart >= TRIALS / 4 - 5, "streams apart: %d of %d are beyond noise", apart,
		 TRIALS / 4);
	printf("# seed %" PRIu64 "\n", seed);
	return tap_end(&tap);
}
