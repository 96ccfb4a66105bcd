/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * bench_rv: how fast call stacks are made of tokens in memory, as a share of a plain pass that
 * reads them, and beside the chains of the paper on FirePerf in user space
 * (probes/profile/stacks/rv_chain.h).
 *
 *   bench_rv TOKENS ELF...
 *
 * All times are CPU times of this process; each is the least of several passes, in turns.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probes/profile/stacks/rv_chain.h"
#include "probes/profile/stacks/rv_profile.h"
#include "probes/profile/stacks/token_reader.h"
#include "support/clock.h"
#include "support/vec.h"
#include "testsuite/bench/measure.h"

enum { PASSES = 5, MOST = 40000000, BLOCK = 1 << 16, FETCH_BYTES = 2048 };

struct tokens {
	VEC(struct nfaperf_token) v;
	uint64_t user;
};

static void read_tokens(struct tokens *all, const char *path, const struct rv_code *code)
{
	struct token_reader r;
	struct nfart_error e;
	const struct nfaperf_token *t;
	size_t n;
	bool last = false;

	if (token_reader_open(&r, &(struct token_source){ .path = path }, code, &e) != NFART_OK)
		die(e.what);
	while (!last && all->v.n < MOST) {
		if (token_reader_need(&r, BLOCK, &t, &n, &last, &e) != NFART_OK)
			die(e.what);
		if (!vec_reserve(&all->v, n))
			die("out of memory");
		memcpy(all->v.at + all->v.n, t, n * sizeof *t);
		all->v.n += n;
		token_reader_take(&r, n);
	}
	token_reader_close(&r);
	for (size_t i = 0; i < all->v.n; i++)
		all->user += all->v.at[i].privilege == NFAPERF_USER;
}

/* Reads each byte of each token, and fetches ahead as the short way does. */
static uint64_t plain_pass(const struct tokens *all)
{
	uint64_t sum[4] = { 0 }, x[4];

	for (size_t i = 0; i < all->v.n; i++) {
		__builtin_prefetch((const void *)((uintptr_t)&all->v.at[i] + FETCH_BYTES));
		memcpy(x, &all->v.at[i], sizeof x);
		for (int k = 0; k < 4; k++)
			sum[k] += x[k];
	}
	return sum[0] ^ sum[1] ^ sum[2] ^ sum[3];
}

/*
 * A listener that does nothing. With a listener only tokens within a function take the short way.
 */
static void ignore(void *ctx, const struct rv_profile *p, const struct rv_hart *h,
		   const struct rv_move *change)
{
	(void)ctx, (void)p, (void)h, (void)change;
}

/* Makes all stacks; the short way (Note [short way]), or with a listener. Returns the seconds that
 * it took, without those for the index of the code, which chains need, too. */
static double stacks(const struct tokens *all, struct rv_code *code, bool listens, uint64_t *cycles,
		     uint64_t *unknown, size_t *nodes)
{
	struct rv_profile p;
	double before;

	if (!rv_profile_init(&p, code, false) || !code_index_make(&p.spaces.index, code))
		die("out of memory");
	p.listener.changed = listens ? ignore : NULL;
	before = clock_cpu_seconds();
	if (rv_profile_put(&p, all->v.at, all->v.n, true) != all->v.n || rv_profile_failed(&p))
		die("the tokens are not taken");
	rv_profile_settle(&p);
	before = clock_cpu_seconds() - before;
	*cycles = p.counts.cycles;
	*unknown = p.counts.unknown;
	*nodes = p.tree.nodes.n;
	rv_profile_free(&p);
	return before;
}

struct chain_form {
	const char *name;
	uint32_t depth;
	bool cached;
	double time;
	uint64_t matched, hits;
};

static void chains(const struct tokens *all, const struct rv_code *code, struct chain_form *f)
{
	struct rv_chains c;
	double before;

	if (!rv_chains_init(&c, code, f->depth, f->cached))
		die("out of memory");
	before = clock_cpu_seconds();
	rv_chains_put(&c, all->v.at, all->v.n);
	before = clock_cpu_seconds() - before;
	if (f->time == 0 || before < f->time)
		f->time = before;
	f->matched = 0;
	for (size_t i = 0; i < code->modules.n; i++)
		f->matched += c.matched[i];
	f->hits = c.hits;
	rv_chains_free(&c);
}

static void print_row(const char *name, double rate, double plain, double ours)
{
	printf("%-34s %8.1f %8.1f %% %8.2f", name, rate / 1e6, 100 * rate / plain, ours / rate);
}

int main(int argc, char **argv)
{
	struct chain_form forms[] = {
		{ "chains of 4", 4, false, 0, 0, 0 },   { "chains of 8", 8, false, 0, 0, 0 },
		{ "chains of 16", 16, false, 0, 0, 0 }, { "chains of 8, with the cache", 8, true, 0, 0, 0 }
	};
	struct tokens all = { 0 };
	struct rv_code code;
	struct nfart_error e;
	double plain = 0, ours = 0, slow = 0;
	uint64_t sum = 0, cycles = 0, unknown = 0;
	size_t nodes = 0, nforms = sizeof forms / sizeof forms[0];

	if (argc < 3 || !rv_code_init(&code))
		die("usage: bench_rv TOKENS ELF...");
	for (int i = 2; i < argc; i++)
		if (rv_code_add(&code, argv[i], &e) != NFART_OK)
			die(e.what);
	rv_code_switches(&code, "__switch_to");
	read_tokens(&all, argv[1], &code);
	if (all.v.n == 0 || all.user == 0)
		die("no tokens of programs");
	for (int pass = 0; pass < PASSES; pass++) {
		double t0 = clock_cpu_seconds(), t1, t;

		sum ^= plain_pass(&all);
		t1 = clock_cpu_seconds();
		t = stacks(&all, &code, true, &cycles, &unknown, &nodes);
		slow = pass == 0 || t < slow ? t : slow;
		t = stacks(&all, &code, false, &cycles, &unknown, &nodes);
		plain = pass == 0 || t1 - t0 < plain ? t1 - t0 : plain;
		ours = pass == 0 || t < ours ? t : ours;
		for (size_t i = 0; i < nforms && pass < 2; i++)
			chains(&all, &code, &forms[i]);
	}
	plain = (double)all.v.n / plain;
	ours = (double)all.v.n / ours;
	slow = (double)all.v.n / slow;
	printf("%zu tokens, %llu of programs; %llu cycles; %zu nodes; check %llx\n", all.v.n,
	       (unsigned long long)all.user, (unsigned long long)cycles, nodes,
	       (unsigned long long)sum);
	printf("%-34s %8s %10s %8s %9s\n", "", "M tok/s", "of plain", "slower", "matched");
	printf("%-34s %8.1f\n", "plain pass", plain / 1e6);
	print_row("call stacks", ours, plain, ours);
	printf(" %7.3f %%\n", 100 - 100 * (double)unknown / (double)all.v.n);
	print_row("without the short way", slow, plain, ours);
	putchar('\n');
	for (size_t i = 0; i < nforms; i++) {
		print_row(forms[i].name, (double)all.user / forms[i].time, plain, ours);
		printf(" %7.3f %%", 100 * (double)forms[i].matched / (double)all.user);
		if (forms[i].cached)
			printf(", %.1f %% by the cache", 100 * (double)forms[i].hits / (double)all.user);
		putchar('\n');
	}
	vec_free(&all.v);
	rv_code_free(&code);
	return 0;
}
