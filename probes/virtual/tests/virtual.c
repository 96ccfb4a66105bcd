/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * The front end in systems with random migration, unmapping and reuse, switches, forks, huge pages
 * and races: no annotation is wrong or another process's, what is missed is counted, and the
 * memory is left as it would be without tracing.
 */
#include <stdio.h>

#include "probes/virtual/system/system.h"
#include "testsuite/setting.h"

struct total {
	unsigned long runs, right, missed, perhaps, shared, accesses, hits, restarts, blind;
};

static int failures;

static void expect_truth(bool good, const char *what, uint64_t seed, bool races, uint64_t a,
			 uint64_t b)
{
	if (good)
		return;
	if (failures++ < 10)
		printf("# seed %llu %s: %s: %llu, %llu\n", (unsigned long long)seed,
		       races ? "with races" : "without races", what, (unsigned long long)a,
		       (unsigned long long)b);
}

/* Runs a system, and returns it at its end. */
static struct sys *run_system(const struct sys_options *o, uint64_t accesses)
{
	struct sys *s = sys_new(o);

	if (s == NULL)
		return NULL;
	sys_run(s, accesses / 8);
	sys_trace(s);
	sys_run(s, accesses - accesses / 8);
	sys_finish(s);
	return s;
}

static void one_system(uint64_t seed, bool races, uint64_t accesses, struct total *t)
{
	struct sys_options o = sys_options_random(seed, races);
	struct sys *with, *without;
	const uint64_t *counts;
	bool blind, calm;

	if (!races) {
		o.tracing.npoints = 2;
		o.tracing.point[0] = 0x400000 + seed % 8 * 0x1000 + 0x40;
		o.tracing.point[1] = 0x10000000 + seed % 4 * 0x41000 + 0x80;
	}
	with = run_system(&o, accesses);
	o.tracing.front = false;
	without = run_system(&o, accesses);
	if (with == NULL || without == NULL || with->failed) {
		expect_truth(false, "memory is used up", seed, races, 0, 0);
	} else {
		const struct sys_truth *x = &with->known.truth;

		counts = with->front->regs.count;
		blind = VIRT_GET(STATUS, BLIND, virt_front_read(with->front, VIRT_STATUS_AT)) != 0;
		/* Nothing can have been missed: no races, and no table or line was too many. */
		calm = !races && !blind && counts[VIRT_COUNT_RESTARTS] == 1;
		expect_truth(x->wrong == 0, "wrong", seed, races, x->wrong, x->right);
		expect_truth(x->foreign == 0, "foreign", seed, races, x->foreign, x->right);
		expect_truth(x->missed <= counts[VIRT_COUNT_PERHAPS], "missed, not counted", seed,
			     races, x->missed, counts[VIRT_COUNT_PERHAPS]);
		expect_truth(x->right > 0 || blind, "nothing is annotated", seed, races, x->right,
			     x->missed);
		expect_truth(counts[VIRT_COUNT_ANNOTATED] == x->right, "counted annotations", seed,
			     races, counts[VIRT_COUNT_ANNOTATED], x->right);
		expect_truth(counts[VIRT_COUNT_RESTARTS] > 0, "set-ups", seed, races,
			     counts[VIRT_COUNT_RESTARTS], 1);
		expect_truth(counts[VIRT_COUNT_SHARED] == x->shared, "counted as shared", seed,
			     races, counts[VIRT_COUNT_SHARED], x->shared);
		if (calm) {
			expect_truth(counts[VIRT_COUNT_PERHAPS] == 0, "counted", seed, races,
				     counts[VIRT_COUNT_PERHAPS], x->missed);
			expect_truth(x->point_hits == x->point_accesses + x->point_prefetches,
				     "observation points", seed, races, x->point_hits,
				     x->point_accesses + x->point_prefetches);
		}
		if (!races)
			expect_truth(sys_hash(with) == sys_hash(without), "memory", seed, races, 0,
				     0);
		if (o.tasks.alias == 0)
			expect_truth(sys_hash_seen(with) == sys_hash_seen(without),
				     "what the process sees", seed, races, 0, 0);
		t->runs++;
		t->right += x->right;
		t->missed += x->missed;
		t->perhaps += counts[VIRT_COUNT_PERHAPS];
		t->shared += x->shared;
		t->accesses += x->point_accesses;
		t->hits += x->point_hits;
		t->restarts += counts[VIRT_COUNT_RESTARTS] - 1;
		t->blind += blind;
	}
	sys_free(with);
	sys_free(without);
}

int main(void)
{
	uint64_t first = setting("NFACC_SEED", 1), n = setting("NFACC_VIRTUAL_SEEDS", 50);
	uint64_t accesses = setting("NFACC_ACCESSES", 4000);
	bool failed = false;

	printf("1..2\n");
	for (int races = 0; races < 2; races++) {
		struct total t = { 0 };

		failures = 0;
		for (uint64_t i = 0; i < n; i++)
			one_system(first + i, races != 0, accesses, &t);
		printf("# %lu runs: right %lu, missed %lu, perhaps %lu, shared %lu, points %lu of %lu\n",
		       t.runs, t.right, t.missed, t.perhaps, t.shared, t.hits, t.accesses);
		printf("# begun anew %lu times, blind at the end of %lu runs\n", t.restarts, t.blind);
		printf("%sok %d - seeds %llu to %llu %s\n", failures == 0 ? "" : "not ",
		       races + 1, (unsigned long long)first, (unsigned long long)(first + n - 1),
		       races != 0 ? "with races" : "without races");
		failed |= failures != 0;
	}
	return failed;
}
