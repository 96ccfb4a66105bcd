/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * stats: statistics of random pairs and streams, compared with what is found by sorting and by
 * looking at each cycle.
 *
 *   stats [-s SEED]
 *
 * NFACC_SEED sets the same.
 */
#include <getopt.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "grammar/describe/builtin.h"
#include "runtime/pairs/pairs.h"
#include "runtime/stats/in_flight.h"
#include "runtime/stats/latency.h"
#include "runtime/stats/tally.h"
#include "testsuite/property/counted.h"
#include "testsuite/setting.h"
#include "testsuite/unit/tap.h"
#include "tools/nfagen/traffic/gen_random.h"

enum { ROUNDS = 30, PAIRS = 3000, SLOWEST = 20, CYCLES = 3000, RULES = 2,
       COUNTED = 10 };

static uint64_t stats_below(struct gen_random *r, uint32_t n)
{
	return gen_random_below(r, n);
}

/* ---- latencies ---- */

static uint64_t latency_of(const struct nfart_pair *pair)
{
	return pair->answer_time - pair->time;
}

/* Draws an answered pair of protocol eci. Some latencies are long. */
static struct nfart_pair draw_pair(struct gen_random *r)
{
	static const uint32_t request_slot[] = { 6, 14 + 8 }, answer_slot[] = { 14 + 4, 4 };
	uint32_t rule = (uint32_t)stats_below(r, RULES);
	uint64_t line = stats_below(r, 4), time = stats_below(r, 1 << 20);
	uint64_t latency = stats_below(r, 8) == 0 ? gen_random(r) >> stats_below(r, 50) >> 2
						  : stats_below(r, 300);
	struct nfart_pair pair = { .rule = rule, .outcome = NFART_PAIR_ANSWERED,
				   .slot = request_slot[rule], .answer_slot = answer_slot[rule],
				   .time = time, .answer_time = time + latency };

	pair.header = stats_below(r, 3) << 59 | line << 7;
	pair.answer_header = (9 - 6 * (uint64_t)rule + stats_below(r, 2)) << 59 | line << 7;
	return pair;
}

/* Is the pair in this group? */
static bool is_in(const struct nfart_proto *p, enum latency_by by, const struct latency_group *g,
		  const struct nfart_pair *pair)
{
	uint32_t request = proto_code(p, pair->slot, pair->header);
	uint32_t answer = proto_code(p, pair->answer_slot, pair->answer_header);

	if (g->rule != pair->rule)
		return false;
	if (by == LATENCY_BY_TYPE)
		return g->request == p->codes.type_of[request] &&
		       g->answer == p->codes.type_of[answer];
	if (by == LATENCY_BY_GROUP)
		return g->request == p->slots[pair->slot].group + 1u &&
		       g->answer == p->slots[pair->answer_slot].group + 1u;
	return by != LATENCY_BY_LINE || g->address == (pair->header & 0x180);
}

static int stats_rising(const void *x, const void *y)
{
	uint64_t a = *(const uint64_t *)x, b = *(const uint64_t *)y;

	return (a > b) - (a < b);
}

/* Is `got` the latency `true_one`, or one that is less by at most 1 / 2048 of it? */
static bool is_near(uint64_t got, uint64_t true_one)
{
	return true_one < 4096 ? got == true_one
			       : got <= true_one && true_one - got <= true_one / 2048;
}

/* Compares one group with its pairs. Adds their number to *n. */
static bool check_group(const struct latency *l, const struct nfart_proto *p, enum latency_by by,
			const struct latency_group *g, const struct nfart_pair *pairs, uint64_t *n)
{
	static const unsigned percents[] = { 1, 50, 99, 100 };
	uint64_t v[PAIRS], in_counts = 0;
	size_t k = 0, counts;
	const struct latency_count *c = latency_counts(l, g, &counts);
	bool ok;

	for (size_t i = 0; i < PAIRS; i++)
		if (is_in(p, by, g, &pairs[i]))
			v[k++] = latency_of(&pairs[i]);
	qsort(v, k, sizeof v[0], stats_rising);
	for (size_t i = 0; i < counts; i++)
		in_counts += c[i].n;
	ok = k != 0 && g->n == k && in_counts == k && g->least == v[0] && g->most == v[k - 1];
	for (size_t i = 0; ok && i < sizeof percents / sizeof percents[0]; i++) {
		size_t rank = (k * percents[i] + 99) / 100;
		ok = is_near(latency_percentile(l, g, percents[i]), v[rank - 1]);
	}
	*n += k;
	return ok;
}

static bool check_slowest(const struct latency *l, const struct nfart_pair *pairs)
{
	uint64_t v[PAIRS];
	size_t n;
	const struct nfart_pair *slowest = latency_slowest(l, &n);
	bool ok = n == SLOWEST;

	for (size_t i = 0; i < PAIRS; i++)
		v[i] = latency_of(&pairs[i]);
	qsort(v, PAIRS, sizeof v[0], stats_rising);
	for (size_t i = 0; i < n && ok; i++)
		ok = latency_of(&slowest[i]) == v[PAIRS - 1 - i];
	return ok;
}

static bool latencies(const struct nfart_proto *p, uint64_t seed, enum latency_by by)
{
	struct gen_random r = { .state = seed };
	struct latency *l = latency_new(p, by, SLOWEST);
	struct nfart_pair *pairs = calloc(PAIRS, sizeof *pairs);
	const struct latency_group *g;
	bool ok = l != NULL && pairs != NULL;
	uint64_t n = 0;
	size_t groups;

	for (size_t i = 0; i < PAIRS && ok; i++) {
		pairs[i] = draw_pair(&r);
		ok = latency_add(l, &pairs[i]);
	}
	ok = ok && latency_finish(l);
	if (ok) {
		g = latency_groups(l, &groups);
		for (size_t i = 0; i < groups && ok; i++)
			ok = check_group(l, p, by, &g[i], pairs, &n);
		ok = ok && n == PAIRS && check_slowest(l, pairs);
	}
	latency_free(l);
	free(pairs);
	return ok;
}

/* ---- requests in flight ---- */

/* The sink of pairs. */
static bool take_flights(void *ctx, const struct nfart_pair *pairs, size_t n)
{
	return in_flight_take(ctx, pairs, n);
}

/* Compares a rule with how many of its requests were open in each cycle. */
static bool check_flight(const struct in_flight *f, uint32_t rule, const uint64_t *open,
			 uint64_t first, uint64_t last)
{
	uint64_t cycles[64] = { 0 }, most = 0, time = 0, got_time;
	double sum = 0;
	size_t n;
	const uint64_t *got = in_flight_cycles(f, rule, &n);
	bool ok;

	for (uint64_t t = first; t <= last; t++) {
		if (open[t] > most) {
			most = open[t];
			time = t;
		}
		if (t == last)
			break;
		cycles[open[t]]++;
		sum += (double)open[t];
	}
	ok = in_flight_most(f, rule, &got_time) == most && got_time == time &&
	     fabs(in_flight_mean(f, rule) - sum / (double)(last - first)) < 1e-9;
	for (size_t i = 0; i < 64 && ok; i++)
		ok = cycles[i] == (i < n ? got[i] : 0);
	return ok;
}

/* Runs a stream in which requests of both rules come and go. open[i][t] is how many of rule i are
 * open after cycle t; the last i is for all rules. */
static bool flights(const struct nfart_proto *p, uint64_t seed)
{
	struct gen_random r = { .state = seed };
	uint64_t(*open)[CYCLES + 1] = calloc(RULES + 1, sizeof *open);
	struct nfart_error e;
	struct in_flight *f = in_flight_new(RULES);
	struct nfart_pairs *q =
		pairs_new(p, (struct pairs_want){ .asked = true }, take_flights, f, &e);
	uint64_t first = 0, last = 0;
	bool ok = q != NULL && f != NULL && open != NULL;

	for (uint64_t t = 1; t <= CYCLES && ok; t++) {
		struct nfart_batch b = { .time = t, .lost = NFART_LOST_UNKNOWN };
		uint64_t id = stats_below(&r, 16);
		b.header[6] = 5ull << 59 | id << 50;
		b.header[14 + 4] = 10ull << 59 | stats_below(&r, 16) << 50;
		b.header[14 + 8] = 14ull << 59 | id << 50;
		b.header[4] = 4ull << 59 | stats_below(&r, 16) << 50;
		for (uint32_t s = 0; s < p->nslots; s++)
			if (b.header[s] != 0 && stats_below(&r, 3) == 0)
				b.mask |= (uint64_t)1 << s;
		if (b.mask != 0 || stats_below(&r, 40) == 0) { /* without messages: a loss record */
			ok = nfart_pairs_put(q, &b);
			first = first == 0 ? t : first;
			last = t;
		}
		for (uint32_t i = 0; i < RULES; i++) {
			open[i][t] = nfart_pairs_in_flight(q, i);
			open[RULES][t] += open[i][t];
		}
	}
	ok = ok && in_flight_end(f, first, last);
	for (uint32_t i = 0; i <= RULES && ok; i++)
		ok = check_flight(f, i, open[i], first, last);
	nfart_pairs_free(q);
	in_flight_free(f);
	free(open);
	return ok;
}

/* ---- counts ---- */

/* What the count `by` calls a message; UINT64_MAX: nothing. */
static uint64_t what_of(const struct nfart_proto *p, enum tally_by by, uint32_t slot,
			uint64_t header)
{
	uint32_t code = proto_code(p, slot, header);

	if (by == TALLY_BY_GROUP)
		return slot >= 14;
	if (by == TALLY_BY_LINE)
		return bits_get(p->codes.has_addr, code) ? header & 0xffffffff80u : UINT64_MAX;
	return p->codes.type_of[code] != 0 ? p->codes.type_of[code] - 1
					   : p->names.ntypes + (header >> 59);
}

static bool stats_counts(const struct nfart_proto *p, uint64_t seed, enum tally_by by)
{
	enum { BATCHES = 2000, LINES = 2000 };
	struct gen_random r = { .state = seed };
	struct tally *t = tally_new(p, by);
	const struct tally_count *c;
	uint64_t what[BATCHES], all = 0, unnamed = 0, others = 0, sum = 0;
	size_t n;
	bool ok = t != NULL;

	for (size_t i = 0; i < BATCHES && ok; i++) {
		uint32_t slot = (uint32_t)stats_below(&r, p->nslots);
		struct nfart_batch b = { .time = i, .mask = (uint64_t)1 << slot };
		b.header[slot] = stats_below(&r, 31) << 59 | stats_below(&r, LINES) << 7;
		what[i] = what_of(p, by, slot, b.header[slot]);
		unnamed += what[i] == UINT64_MAX;
		all++;
		ok = tally_put(t, &b);
	}
	c = ok ? tally_finish(t, &n, &others) : NULL;
	ok = c != NULL && others == unnamed;
	for (size_t i = 0; ok && i < n; i++) {
		uint64_t same = 0;
		for (size_t k = 0; k < BATCHES; k++)
			same += what[k] == c[i].what;
		sum += same;
		ok = same == c[i].n && same != 0 &&
		     (i == 0 || c[i - 1].n > c[i].n ||
		      (c[i - 1].n == c[i].n && c[i - 1].what < c[i].what));
	}
	tally_free(t);
	return ok && sum + others == all;
}

int main(int argc, char **argv)
{
	uint64_t seed = setting("NFACC_SEED", 1);
	struct nfart_proto *eci = proto_builtin("eci");
	struct tap tap = { 0 };
	bool ok[3] = { true, true, true }, counted = true;

	if (!setting_arguments(argc, argv, NULL, &seed, NULL))
		return NFART_USAGE;
	if (eci == NULL)
		return 99;
	for (uint64_t i = 0; i < ROUNDS; i++) {
		ok[0] &= latencies(eci, seed + i, (enum latency_by)(i % 4));
		ok[1] &= flights(eci, seed + i);
		ok[2] &= stats_counts(eci, seed + i, (enum tally_by)(i % 3));
	}
	tap_case(&tap, ok[0], "latencies are those found by sorting");
	tap_case(&tap, ok[1], "requests in flight are those of each cycle");
	tap_case(&tap, ok[2], "counts are those of each message");
	for (uint64_t i = 0; i < COUNTED; i++) {
		bool same = true;
		for (int by = LATENCY_BY_PAIR; by <= LATENCY_BY_GROUP; by++)
			same = same && counted_pairs(seed + i, (enum latency_by)by);
		if (!same)
			printf("# seed %" PRIu64 "\n", seed + i);
		counted = counted && same;
	}
	tap_case(&tap, counted, "pairs counted where they are joined are those that are told");
	printf("# %d rounds from seed %" PRIu64 "\n", ROUNDS, seed);
	proto_free(eci);
	return tap_end(&tap);
}
