/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * picture: what plots are made of, for random streams, compared with what is found by looking at
 * each cycle and each message. What parts of a stream have must join to what the stream has.
 *
 *   picture [-s SEED]
 *
 * NFACC_SEED sets the same.
 */
#include <getopt.h>
#include <inttypes.h>
#include <stdlib.h>

#include "grammar/describe/builtin.h"
#include "runtime/stats/heat.h"
#include "runtime/stats/sample.h"
#include "runtime/stats/timeline.h"
#include "testsuite/setting.h"
#include "testsuite/unit/tap.h"
#include "tools/nfagen/traffic/gen_random.h"

enum { ROUNDS = 30, CYCLES = 5000, ROWS = 3, MESSAGES = 3000, PARTS = 4 };

static uint64_t picture_below(struct gen_random *r, uint32_t n)
{
	return gen_random_below(r, n);
}

/* ---- timelines ---- */

/* The truth: what was added in each cycle, and the level in each cycle. */
struct truth {
	uint64_t added[CYCLES], level[CYCLES];
};

/* Compares a row with the truth, whose cycle 0 has the time `begin`. */
static bool check_row(const struct timeline *t, size_t row, const struct truth *true_one,
		      uint64_t begin)
{
	uint64_t width = timeline_width(t), c = 0;

	if ((width & (width - 1)) != 0 || timeline_time(t, 0) != begin)
		return false;
	for (size_t i = 0; i < timeline_columns(t); i++) {
		uint64_t sum = 0, most = 0;
		if (timeline_time(t, i) != begin + i * width)
			return false;
		for (; c < (i + 1) * width && c < CYCLES; c++) {
			sum += true_one->added[c] + true_one->level[c];
			most = true_one->level[c] > most ? true_one->level[c] : most;
		}
		if (timeline_sum(t, row, i) != sum || timeline_most(t, row, i) != most)
			return false;
	}
	for (; c < CYCLES; c++)
		if (true_one->added[c] != 0 || true_one->level[c] != 0)
			return false;
	return true;
}

static bool timelines(uint64_t seed)
{
	struct gen_random r = { .state = seed };
	struct truth *row = calloc(ROWS, sizeof *row);
	size_t columns = 2 + picture_below(&r, 300);
	struct timeline *t = timeline_new(ROWS, columns);
	struct timeline *part[PARTS], *joined = timeline_new(ROWS, columns);
	uint64_t begin = gen_random(&r) >> 1;
	bool ok = row != NULL && t != NULL && joined != NULL;

	for (size_t i = 0; i < PARTS; i++) {
		part[i] = timeline_new(ROWS, columns);
		ok = ok && part[i] != NULL;
		/* The last part is empty. */
		if (ok && i + 1 < PARTS)
			timeline_add(part[i], 0, begin, 0);
	}

	for (uint64_t c = 0, n; c < CYCLES && ok; c += n) {
		size_t which = picture_below(&r, ROWS);
		struct timeline *some = part[picture_below(&r, PARTS - 1)];
		uint64_t level = picture_below(&r, 5);
		n = 1 + picture_below(&r, picture_below(&r, 10) == 0 ? 1000 : 10);
		n = n > CYCLES - c ? CYCLES - c : n;
		timeline_add(t, 0, begin + c, 0);
		timeline_hold(t, which, begin + c, begin + c + n, level);
		timeline_add(t, which, begin + c + n - 1, level);
		timeline_hold(some, which, begin + c, begin + c + n, level);
		timeline_add(some, which, begin + c + n - 1, level);
		row[which].added[c + n - 1] += level;
		for (uint64_t k = c; k < c + n; k++)
			row[which].level[k] = level;
	}
	ok = ok && timeline_columns(t) <= columns && timeline_columns(t) > columns / 2;
	for (size_t i = 0; i < ROWS && ok; i++)
		ok = check_row(t, i, &row[i], begin);
	for (size_t i = 0; i < PARTS * ROWS && ok; i++)
		timeline_add_row(joined, i % ROWS, part[i / ROWS], i % ROWS);
	ok = ok && timeline_width(joined) == timeline_width(t) &&
	     timeline_columns(joined) == timeline_columns(t);
	for (size_t i = 0; i < ROWS && ok; i++)
		ok = check_row(joined, i, &row[i], begin);
	timeline_widen(t);
	for (size_t i = 0; i < ROWS && ok; i++)
		ok = check_row(t, i, &row[i], begin);
	for (size_t i = 0; i < PARTS; i++)
		timeline_free(part[i]);
	timeline_free(joined);
	timeline_free(t);
	free(row);
	return ok;
}

/* ---- heat maps ---- */

/* Looks for the cell of each message. Each cell must have as many messages as fall into it. */
static bool check_cells(const struct heat *h, const uint64_t *address, uint64_t others)
{
	const struct timeline *t = heat_timeline(h);
	uint64_t sum = 0, size = heat_lines(h) << 7;

	for (size_t row = 0; row < heat_rows(h); row++) {
		uint64_t first = heat_address(h, row), in_row = 0;
		if (first % size != 0 || (row != 0 && first <= heat_address(h, row - 1)))
			return false;
		for (size_t i = 0; i < timeline_columns(t); i++) {
			uint64_t n = 0, cell = timeline_sum(t, heat_row(h, row), i);
			for (uint64_t m = i * timeline_width(t);
			     m < (i + 1) * timeline_width(t) && m < MESSAGES; m++)
				n += address[m] - first < size;
			if (n != cell)
				return false;
			in_row += n;
		}
		if (in_row == 0)
			return false;
		sum += in_row;
	}
	return sum + others == MESSAGES && heat_others(h) == others;
}

/* Joins the parts of a heat map. They must be what it is. */
static bool check_joined(struct heat *joined, struct heat *const *part, const uint64_t *address,
			 uint64_t others, const struct heat *whole)
{
	for (size_t i = 0; i < PARTS; i++)
		heat_join(joined, part[i]);
	return heat_lines(joined) == heat_lines(whole) && heat_rows(joined) == heat_rows(whole) &&
	       timeline_width(heat_timeline(joined)) == timeline_width(heat_timeline(whole)) &&
	       timeline_columns(heat_timeline(joined)) == timeline_columns(heat_timeline(whole)) &&
	       check_cells(joined, address, others);
}

static bool heats(const struct nfart_proto *p, uint64_t seed)
{
	const struct nfart_batch nothing = { .time = 0 };
	struct gen_random r = { .state = seed };
	size_t rows = 1 + picture_below(&r, 40), columns = 2 + picture_below(&r, 60);
	struct heat *h = heat_new(p, rows, columns), *joined = heat_new(p, rows, columns),
		    *part[PARTS];
	uint64_t *address = calloc(MESSAGES, sizeof *address), others = 0;
	uint32_t spread = 1u << picture_below(&r, 20), slot = 6;
	bool ok = h != NULL && address != NULL && joined != NULL;

	for (size_t i = 0; i < PARTS; i++) {
		part[i] = heat_new(p, rows, columns);
		ok = ok && part[i] != NULL;
		if (ok)
			heat_put(part[i], &nothing);
	}
	for (uint64_t i = 0; i < MESSAGES && ok; i++) {
		struct nfart_batch b = { .time = i, .mask = (uint64_t)1 << slot };
		uint64_t line = picture_below(&r, spread) +
				(picture_below(&r, 50) == 0) * ((uint64_t)1 << 30);
		/* A message with opcode 30 has no address. */
		bool has_line = picture_below(&r, 10) != 0;
		b.header[slot] = (has_line ? 0ull : 30ull) << 59 | line << 7;
		address[i] = has_line ? line << 7 : UINT64_MAX >> 1;
		others += !has_line;
		heat_put(h, &b);
		/* The last part has nothing but the first time. */
		heat_put(part[picture_below(&r, PARTS - 1)], &b);
	}
	ok = ok && heat_rows(h) <= rows && check_cells(h, address, others) &&
	     check_joined(joined, part, address, others, h);
	for (size_t i = 0; i < PARTS; i++)
		heat_free(part[i]);
	heat_free(joined);
	heat_free(h);
	free(address);
	return ok;
}

/* ---- samples ---- */

static bool samples(uint64_t seed)
{
	struct gen_random r = { .state = seed };
	size_t most = 2 + picture_below(&r, 200), n;
	uint64_t requests = picture_below(&r, 5000), every;
	struct sample *s = sample_new(most);
	const struct nfart_pair *kept;
	bool ok = s != NULL;

	for (uint64_t i = 0; i < requests && ok; i++)
		sample_add(s, &(struct nfart_pair){ .time = i });
	if (!ok)
		return false;
	kept = sample_kept(s, &n);
	every = sample_every(s);
	/* The kept ones are as many as there can be with this step, and no smaller step is
	 * possible. */
	ok = n <= most && n == (requests + every - 1) / every &&
	     (every == 1 || (requests + every / 2 - 1) / (every / 2) > most);
	for (size_t i = 0; i < n && ok; i++)
		ok = kept[i].time == i * every;
	sample_free(s);
	return ok;
}

int main(int argc, char **argv)
{
	uint64_t seed = setting("NFACC_SEED", 1);
	struct nfart_proto *eci = proto_builtin("eci");
	struct tap tap = { 0 };
	bool ok[3] = { true, true, true };

	if (!setting_arguments(argc, argv, NULL, &seed, NULL))
		return NFART_USAGE;
	if (eci == NULL)
		return 99;
	for (uint64_t i = 0; i < ROUNDS; i++) {
		ok[0] &= timelines(seed + i);
		ok[1] &= heats(eci, seed + i);
		ok[2] &= samples(seed + i);
	}
	tap_case(&tap, ok[0], "columns of time have what their cycles have");
	tap_case(&tap, ok[1], "cells of a heat map have what their lines and cycles have");
	tap_case(&tap, ok[2], "a sample has one of so many requests");
	printf("# %d rounds from seed %" PRIu64 "\n", ROUNDS, seed);
	proto_free(eci);
	return tap_end(&tap);
}
