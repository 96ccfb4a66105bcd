/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * ways: the short way of tokens (Note [short way]) must make the same tree as the long way, node by
 * node. The tokens are those of random machines, with their kernel and without, with one base and
 * several. Then tokens are missing, also twice in a row. Then tokens are left out without a mark,
 * most of them after calls, jumps and returns, so that these lead to any place. At the end a cycle
 * falls, where both ways must stop. The tokens come in blocks of random sizes.
 *
 * NFACC_RISCV_MACHINES is the number of machines, and NFACC_SEED chooses them.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "probes/profile/stacks/rv_profile.h"
#include "probes/profile/tests/random_machine.h"
#include "testsuite/setting.h"
#include "testsuite/unit/tap.h"

enum { PROCESSES = 6, LARGEST_BLOCK = 100000, LOSS = 4000, LEAP = 40 };

/* With a listener all tokens that leave a function go the long way. */
static void listen(void *ctx, const struct rv_profile *p, const struct rv_hart *h,
		   const struct rv_move *change)
{
	(void)p, (void)h, (void)change;
	++*(size_t *)ctx;
}

static bool load(const struct random_machine *x, const char *folder, struct rv_code *code)
{
	struct nfart_error e;
	bool ok = rv_code_init(code);
	char path[256];

	for (uint32_t m = 0; m < x->modules.n && ok; m++) {
		snprintf(path, sizeof path, "%s/%s", folder, x->modules.at[m].name);
		ok = machine_write_elf(x, m, path) && rv_code_add(code, path, &e) == NFART_OK;
		unlink(path);
	}
	rv_code_switches(code, "__switch_to");
	return ok;
}

/* Takes all tokens in blocks, as nfaperf does, until one is wrong. */
static bool take(struct rv_profile *p, const struct random_machine *x, struct gen_random random)
{
	size_t done = 0, end = 0;

	while (end < x->tokens.n && p->stop == RV_STOP_NOT) {
		end += 1 + gen_random_below(&random, LARGEST_BLOCK);
		end = end < x->tokens.n ? end : x->tokens.n;
		done += rv_profile_put(p, x->tokens.at + done, end - done, end == x->tokens.n);
	}
	rv_profile_settle(p);
	return p->taken == done && !rv_profile_failed(p);
}

static bool same_tree(const struct call_tree *a, const struct call_tree *b)
{
	if (a->nodes.n != b->nodes.n)
		return false;
	for (size_t i = 0; i < a->nodes.n; i++) {
		const struct call_node *x = &a->nodes.at[i], *y = &b->nodes.at[i];

		if (x->parent != y->parent || x->function != y->function ||
		    x->cycles != y->cycles || x->instructions != y->instructions ||
		    x->calls != y->calls) {
			printf("# node %zu: %llu and %llu cycles, %llu and %llu calls\n", i,
			       (unsigned long long)x->cycles, (unsigned long long)y->cycles,
			       (unsigned long long)x->calls, (unsigned long long)y->calls);
			return false;
		}
	}
	return true;
}

static bool same_ways(const struct random_machine *x, const char *folder, struct gen_random random)
{
	struct rv_code code[2];
	struct rv_profile p[2] = { 0 };
	size_t moves = 0;
	bool ok = true;

	for (int way = 0; way < 2; way++) {
		ok = load(x, folder, &code[way]) && ok;
		ok = rv_profile_init(&p[way], &code[way], false) && ok;
		p[way].listener.changed = way == 0 ? NULL : listen;
		p[way].listener.changed_ctx = &moves;
		ok = ok && take(&p[way], x, random);
	}
	ok = ok && moves != 0 && same_tree(&p[0].tree, &p[1].tree) && p[0].stop == p[1].stop &&
	     p[0].taken == p[1].taken && p[0].taken > x->tokens.n / 2 &&
	     p[0].counts.unknown == p[1].counts.unknown && p[0].counts.cycles == p[1].counts.cycles;
	for (int way = 0; way < 2; way++) {
		rv_profile_free(&p[way]);
		rv_code_free(&code[way]);
	}
	return ok;
}

/* Marks tokens as those after a loss: some alone, and each time also the two after them. */
static void lose(struct random_machine *x)
{
	for (size_t i = LOSS; i + 2 < x->tokens.n; i += LOSS) {
		x->tokens.at[i].flags |= NFAPERF_LOST;
		x->tokens.at[i + 1].flags |= i % (2 * LOSS) == 0 ? NFAPERF_LOST : 0;
		x->tokens.at[i + 2].flags |= i % (2 * LOSS) == 0 ? NFAPERF_LOST : 0;
	}
}

/* Lets the cycle fall from token n on, or from a later one that comes after a jump. */
static void fall(struct random_machine *x, size_t n)
{
	struct nfaperf_token *t = x->tokens.at;

	while (n < x->tokens.n && (t[n].cycle != t[n - 1].cycle + 1 ||
				   rv_decode(t[n - 1].instruction).class == RV_PLAIN))
		n++;
	if (n < x->tokens.n)
		t[n].cycle -= 2;
}

/*
 * Leaves out up to LEAP tokens after each fourth instruction that is not plain, and after some of
 * the others. In streams of programs alone, half of the indirect calls lead to the loader's entry
 * point, where the stream began.
 */
static void leap(struct random_machine *x, struct gen_random *random)
{
	struct nfaperf_token *t = x->tokens.at, first = t[0];
	size_t n = 0;

	for (size_t i = 0; i < x->tokens.n; i++) {
		enum rv_class class = rv_decode(t[i].instruction).class;

		if (class == RV_CALL_TO && i + 1 < x->tokens.n && first.satp == t[i].satp &&
		    first.privilege == t[i].privilege && gen_random_below(random, 2) == 0) {
			first.cycle = t[i + 1].cycle;
			t[i + 1] = first;
		}
		t[n++] = t[i];
		if (gen_random_below(random, class == RV_PLAIN ? 60 : 4) == 0)
			i += gen_random_below(random, LEAP);
	}
	x->tokens.n = n;
	fall(x, n - n / 8);
}

static void try_ways(struct tap *tap, uint64_t seed, const char *folder)
{
	struct gen_random random = { seed };
	struct machine_rules rules = { .bases = (uint32_t)(seed % 3),
				       .loader = seed % 3 == 0 ? 0 : 200,
				       .hides_kernel = seed % 3 == 1 };
	struct random_machine x;

	machine_make(&x, &random, seed % 2 == 0, rules);
	machine_run(&x, PROCESSES);
	tap_case(tap, same_ways(&x, folder, random), "seed %llu: both ways, %zu tokens",
		 (unsigned long long)seed, x.tokens.n);
	lose(&x);
	tap_case(tap, same_ways(&x, folder, random), "seed %llu: both ways, with losses",
		 (unsigned long long)seed);
	leap(&x, &random);
	tap_case(tap, same_ways(&x, folder, random), "seed %llu: both ways, with leaps",
		 (unsigned long long)seed);
	machine_free(&x);
}

int main(void)
{
	uint64_t seed = setting("NFACC_SEED", 1), n = setting("NFACC_RISCV_MACHINES", 12);
	char folder[] = "/tmp/nfacc-ways-XXXXXX";
	struct tap tap = { 0 };

	if (mkdtemp(folder) == NULL)
		return 99;
	for (uint64_t i = 0; i < n; i++)
		try_ways(&tap, seed + i, folder);
	rmdir(folder);
	return tap_end(&tap);
}
