/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * splits: programs follow each other in one page table, and no token says where one begins, because
 * the first instruction of each program is missing. A later token contradicts what was known. The
 * programs are different ones, or they have the first half of their functions in common, at the
 * same addresses. With all files, and with each file left out in turn, no program may have more
 * cycles than it ran, and the sum of all must be right. Different programs must have most of their
 * cycles.
 *
 * NFACC_RISCV_MACHINES is the number of machines, and NFACC_SEED chooses them.
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "probes/profile/tests/machine_profile.h"
#include "testsuite/setting.h"
#include "testsuite/unit/tap.h"

enum { PROCESSES = 24 };

/* The cycles of programs: those that they ran, and those that they have in the stacks. */
struct share {
	uint64_t ran, found;
};

/* Adds to *share. Returns whether no program has more cycles than it ran. */
static bool nothing_wrong(const struct random_machine *x, const char *folder,
			  const struct buf *truth, int left_out, struct share *share)
{
	struct buf got = { 0 };
	struct profile_size size;
	bool ok = machine_profile(x, folder, left_out, 1, &got, &size) &&
		  folded_total(&got) == folded_total(truth);

	for (size_t m = LIBRARY + 1; m < x->modules.n && ok; m++) {
		const char *name = x->modules.at[m].name;
		uint64_t is = folded_under(&got, name), most = folded_under(truth, name);

		most = (int)m == left_out ? 0 : most;
		share->ran += most;
		share->found += is;
		ok = is <= most;
		if (!ok)
			printf("# %s has %llu cycles, at most %llu are true\n", name,
			       (unsigned long long)is, (unsigned long long)most);
	}
	buf_free(&got);
	return ok;
}

static void try_splits(struct tap *tap, uint64_t seed, const char *folder,
		       struct machine_rules rules)
{
	struct gen_random random = { seed };
	struct random_machine x;
	struct buf truth = { 0 };
	struct share all = { 0 }, rest = { 0 };
	bool ok = machine_write_all(&x, &random, seed, folder, PROCESSES, rules);

	machine_truth(&x, &truth);
	ok = ok && nothing_wrong(&x, folder, &truth, NOBODY, &all);
	for (int m = LIBRARY; m < (int)x.modules.n && ok; m++)
		ok = nothing_wrong(&x, folder, &truth, m, &rest);
	printf("# programs have %.1f %% of their cycles, with a file left out %.1f %%\n",
	       100 * (double)all.found / (double)all.ran,
	       100 * (double)rest.found / (double)rest.ran);
	tap_case(tap, ok && (rules.alike || all.found >= all.ran / 2),
		 "seed %llu: %s programs at %u bases, %s kernel, %s libraries",
		 (unsigned long long)seed, rules.alike ? "alike" : "different",
		 (unsigned)rules.bases, rules.hides_kernel ? "no" : "with a",
		 rules.hides_libraries ? "no" : "with");
	buf_free(&truth);
	machine_clear(&x, folder);
}

int main(void)
{
	uint64_t seed = setting("NFACC_SEED", 1), n = setting("NFACC_RISCV_MACHINES", 2);
	char folder[] = "/tmp/nfacc-splits-XXXXXX";
	struct tap tap = { 0 };

	if (mkdtemp(folder) == NULL)
		return 99;
	for (uint64_t i = 0; i < n; i++)
		for (unsigned k = 0; k < 16; k++)
			try_splits(&tap, seed + i, folder,
				   (struct machine_rules){ .bases = k & 1 ? 3 : 1,
							   .hides_entry = true,
							   .hides_kernel = k & 2,
							   .hides_libraries = k & 4,
							   .alike = k & 8 });
	rmdir(folder);
	return tap_end(&tap);
}
