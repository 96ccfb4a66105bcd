/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * stacks: random programs and libraries run under a random kernel. The stacks that are made from
 * the tokens must be those of the machine, with the same cycles. The same must hold if the data of
 * ended processes is merged after each end. Then each file is left out in turn, and no token may be
 * attributed to a wrong function. Programs also follow each other at the same addresses, with the
 * same satp and the same loader; see try_reuse(). In a long run, the nodes of the tree and the
 * memory must not grow with the number of processes.
 *
 * NFACC_RISCV_MACHINES is the number of machines, and NFACC_SEED chooses them.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "probes/profile/stacks/rv_profile.h"
#include "probes/profile/tests/machine_profile.h"
#include "testsuite/setting.h"
#include "testsuite/unit/tap.h"

enum {
	PROCESSES = 6,
	MANY_PROCESSES = 40,
	REUSED = 8,
	LOSSES = 3,
	SHORT_PROCESSES = 200,
	SHORT_RUNS = 50,
	NEVER = 1 << 30
};

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Sorts the lines. Returns false if there is no memory. */
static bool sort_lines(struct buf *b)
{
	VEC(char *) lines = { 0 };
	struct buf sorted = { 0 };
	bool ok = true;

	for (char *s = b->at, *end; ok && s != NULL && *s != 0; s = end + 1) {
		end = strchr(s, '\n');
		*end = 0;
		ok = vec_push(&lines, s);
	}
	if (lines.n > 1)
		qsort(lines.at, lines.n, sizeof lines.at[0], by_text);
	for (size_t i = 0; i < lines.n; i++)
		buf_addf(&sorted, "%s\n", lines.at[i]);
	vec_free(&lines);
	buf_free(b);
	*b = sorted;
	return ok && !b->failed;
}

/* Returns the cycles in functions whose name begins with the n letters at `name`. */
static uint64_t cycles_in(const struct buf *b, const char *name, size_t n)
{
	uint64_t sum = 0;

	for (const char *s = b->at; s != NULL && *s != 0; s = strchr(s, '\n') + 1) {
		const char *end = s + strcspn(s, " "), *last = end;
		while (last > s && last[-1] != ';')
			last--;
		if (strncmp(last, name, n) == 0)
			sum += strtoull(end, NULL, 10);
	}
	return sum;
}

/* Prints the first lines that differ. */
static void show_stacks(const struct buf *want, const struct buf *got)
{
	const char *a = want->at, *b = got->at;

	for (int shown = 0; *a != 0 && *b != 0 && shown < 3;) {
		int na = (int)strcspn(a, "\n"), nb = (int)strcspn(b, "\n");
		if (na != nb || strncmp(a, b, (size_t)na) != 0) {
			printf("# expected %.*s\n# found    %.*s\n", na, a, nb, b);
			shown++;
		}
		a += na + 1;
		b += nb + 1;
	}
}

static bool same_stacks(const struct random_machine *x, const char *folder, const struct buf *truth,
			size_t fold_ends, struct profile_size *size)
{
	struct buf got = { 0 };
	bool ok = machine_profile(x, folder, NOBODY, fold_ends, &got, size) && sort_lines(&got) &&
		  strcmp(got.at, truth->at) == 0;

	if (!ok && got.at != NULL)
		show_stacks(truth, &got);
	buf_free(&got);
	return ok;
}

/* No function may have more cycles than in the truth, and the sum must be the same. */
static bool nothing_wrong(const struct random_machine *x, const char *folder,
			  const struct buf *truth, int left_out)
{
	struct buf got = { 0 };
	struct profile_size size;
	bool ok = machine_profile(x, folder, left_out, 1, &got, &size) &&
		  folded_total(&got) == folded_total(truth);

	for (size_t m = 0; m < x->modules.n && ok; m++) {
		const struct module *module = &x->modules.at[m];
		for (size_t i = 0; i < module->functions.n && ok; i++) {
			char name[32];
			uint64_t most;
			size_t n = (size_t)snprintf(name, sizeof name, "%s ",
						    module->functions.at[i].name);
			most = (int)m == left_out ? 0 : cycles_in(truth, name, n);
			ok = cycles_in(&got, name, n) <= most;
			if (!ok)
				printf("# %s has %llu cycles, at most %llu are true\n", name,
				       (unsigned long long)cycles_in(&got, name, n),
				       (unsigned long long)most);
		}
	}
	buf_free(&got);
	return ok;
}

static void try_machine(struct tap *tap, uint64_t seed, const char *folder)
{
	struct gen_random random = { seed };
	struct random_machine x;
	struct buf truth = { 0 };
	struct profile_size size;
	bool ok = machine_write_all(&x, &random, seed, folder, PROCESSES,
			      (struct machine_rules){ 0 });

	machine_truth(&x, &truth);
	tap_case(tap, ok && same_stacks(&x, folder, &truth, NEVER, &size),
		 "seed %llu: the stacks of %zu processes in %zu tokens",
		 (unsigned long long)seed, x.processes.n, x.tokens.n);
	tap_case(tap, ok && same_stacks(&x, folder, &truth, 1, &size),
		 "seed %llu: the same with trees merged", (unsigned long long)seed);
	for (uint32_t m = 0; m < x.modules.n && ok; m++)
		ok = nothing_wrong(&x, folder, &truth, (int)m);
	tap_case(tap, ok, "seed %llu: nothing is taken for something else",
		 (unsigned long long)seed);
	buf_free(&truth);
	machine_clear(&x, folder);
}

/*
 * The tree may have at most n + 1 times the nodes that are shown, where n is the number of living
 * processes. Each of these has its own nodes, and all ended processes share theirs.
 */
static void try_many_processes(struct tap *tap, uint64_t seed, const char *folder)
{
	struct gen_random random = { seed };
	struct random_machine x;
	struct buf truth = { 0 };
	struct profile_size all = { 0 }, merged = { 0 };
	bool ok = machine_write_all(&x, &random, seed, folder, MANY_PROCESSES,
			      (struct machine_rules){ 0 });

	machine_truth(&x, &truth);
	ok = ok && same_stacks(&x, folder, &truth, NEVER, &all) &&
	     same_stacks(&x, folder, &truth, 1, &merged);
	printf("# %zu processes, %zu tokens: %zu nodes, merged %zu for %zu processes; shown %zu\n",
	       x.processes.n, x.tokens.n, all.nodes, merged.nodes, merged.processes, merged.shown);
	tap_case(tap, ok && merged.processes * 2 < x.processes.n &&
			      merged.nodes <= merged.shown * (merged.processes + 1) &&
			      merged.nodes * 2 < all.nodes,
		 "seed %llu: nodes do not grow with %zu processes", (unsigned long long)seed,
		 x.processes.n);
	buf_free(&truth);
	machine_clear(&x, folder);
}

/* Returns how many bytes a profile takes, without its code and without the parts of fixed size. */
static size_t bytes_of(const struct rv_profile *p)
{
	const struct rv_spaces *s = &p->spaces;
	size_t n = p->tree.nodes.cap * sizeof *p->tree.nodes.at +
		   p->tree.children.size * sizeof *p->tree.children.at +
		   s->nplaces * sizeof *s->places + s->processes.cap * sizeof *s->processes.at +
		   s->inferred.cap * sizeof *s->inferred.at + s->all.cap * sizeof *s->all.at +
		   p->threads.cap * sizeof *p->threads.at +
		   p->folding.merged.cap * sizeof *p->folding.merged.at;

	for (size_t i = 0; i < s->all.n; i++) {
		const struct rv_space *x = s->all.at[i];

		n += sizeof *x + x->mappings.cap * sizeof *x->mappings.at +
		     x->refuted.cap * sizeof *x->refuted.at + x->capunknown * sizeof *x->unknown;
	}
	for (size_t i = 0; i < p->threads.n; i++)
		n += sizeof *p->threads.at[i] +
		     p->threads.at[i]->frames.cap * sizeof *p->threads.at[i]->frames.at;
	return n;
}

/* Runs the machine's processes once more, later, with other address-space numbers. */
static bool run_again(struct rv_profile *p, struct random_machine *x)
{
	const uint64_t number = (UINT64_C(1) << 16) - 1;
	uint64_t length = x->tokens.at[x->tokens.n - 1].cycle - x->tokens.at[0].cycle;

	if (rv_profile_put(p, x->tokens.at, x->tokens.n, true) != x->tokens.n)
		return false;
	for (size_t i = 0; i < x->tokens.n; i++) {
		struct nfaperf_token *t = &x->tokens.at[i];
		uint64_t asid = t->satp >> 44 & number;

		if (asid != 0)
			t->satp ^= (asid ^ (asid + x->processes.n)) << 44;
		t->cycle += length;
	}
	x->tokens.at[0].flags |= NFAPERF_LOST;
	return true;
}

/*
 * Many short processes must take at most twice the memory of a tenth of them. It is not exactly the
 * same memory, because it depends on how many processes have ended since the last merge, and each
 * run of the machine leaves a thread of its kernel.
 */
static void try_short_processes(struct tap *tap, uint64_t seed, const char *folder)
{
	struct gen_random random = { seed };
	struct random_machine x;
	struct rv_code code;
	struct rv_profile p = { 0 };
	struct nfart_error e;
	size_t tenth = 0, all = 0;
	bool ok = rv_code_init(&code);
	char path[256];

	machine_make(&x, &random, seed % 2 == 0, (struct machine_rules){ 0 });
	x.most_instructions = 60;
	machine_run(&x, SHORT_PROCESSES);
	for (uint32_t m = 0; m < x.modules.n && ok; m++) {
		snprintf(path, sizeof path, "%s/%s", folder, x.modules.at[m].name);
		ok = machine_write_elf(&x, m, path) && rv_code_add(&code, path, &e) == NFART_OK;
	}
	rv_code_switches(&code, "__switch_to");
	ok = ok && rv_profile_init(&p, &code, false);
	for (int i = 0; i < SHORT_RUNS && ok; i++) {
		size_t n;

		ok = run_again(&p, &x);
		n = bytes_of(&p);
		all = n > all ? n : all;
		tenth = i < SHORT_RUNS / 10 ? all : tenth;
	}
	printf("# %zu tokens, at most %zu bytes for a tenth of the processes, %zu for all\n",
	       x.tokens.n * SHORT_RUNS, tenth, all);
	tap_case(tap, ok && all <= 2 * tenth, "seed %llu: memory does not grow with %d processes",
		 (unsigned long long)seed, SHORT_PROCESSES * SHORT_RUNS);
	rv_profile_free(&p);
	rv_code_free(&code);
	machine_clear(&x, folder);
}

/*
 * With all files but one, no program may have more cycles than in the truth. The sum must be the
 * same. With all files, the programs together must have at least 98 % of their cycles.
 */
static bool programs_right(const struct random_machine *x, const char *folder,
			   const struct buf *truth, int left_out)
{
	struct buf got = { 0 };
	struct profile_size size;
	uint64_t known = 0, all = 0;
	bool ok = machine_profile(x, folder, left_out, 1, &got, &size) &&
		  folded_total(&got) == x->tokens.at[x->tokens.n - 1].cycle - x->tokens.at[0].cycle;

	for (size_t m = 0; m < x->modules.n && ok; m++) {
		const char *name = x->modules.at[m].name;
		uint64_t is = folded_under(&got, name), most = folded_under(truth, name);

		known += is;
		all += most;
		ok = is <= most;
		if (!ok)
			printf("# %s has %llu cycles, at most %llu are true\n", name,
			       (unsigned long long)is, (unsigned long long)most);
	}
	if (left_out != NOBODY)
		known = all;
	if (known < all - all / 50)
		printf("# only %llu of %llu cycles have a program\n", (unsigned long long)known,
		       (unsigned long long)all);
	buf_free(&got);
	return ok && known >= all - all / 50;
}

/* Long rows of tokens get lost, with their cycles. */
static void lose_tokens(struct random_machine *x)
{
	uint64_t lost = 0, last = 0;
	size_t n = 0, every = x->tokens.n / LOSSES + 1, lose = every / 2;

	for (size_t i = 0; i < x->tokens.n; i++) {
		struct nfaperf_token t = x->tokens.at[i];

		if (i % every < lose)
			lost += t.cycle - last;
		last = t.cycle;
		t.cycle -= lost;
		t.flags |= i % every == lose ? NFAPERF_LOST : 0;
		if (i % every >= lose)
			x->tokens.at[n++] = t;
	}
	x->tokens.n = n;
}

/*
 * Programs run one after the other at the same base, in a page table that the program before them
 * had, behind a loader that is the same for all. Only the loader's entry point tells where one ends
 * and the next one begins, and the loader runs longer than tokens are looked at ahead.
 */
static void try_reuse(struct tap *tap, uint64_t seed, const char *folder)
{
	static const char *const seen[] = { "all tokens", "no kernel", "only programs",
					    "programs and kernel" };

	for (uint32_t i = 0; i < 8; i++) {
		struct gen_random random = { seed };
		struct machine_rules rules = { .bases = i < 4 ? 1 : 3, .loader = 1600,
					       .hides_kernel = i % 4 == 1 || i % 4 == 2,
					       .hides_libraries = i % 4 >= 2 };
		struct random_machine x;
		struct buf truth = { 0 };
		struct profile_size size;
		bool ok = machine_write_all(&x, &random, seed, folder, REUSED, rules);

		machine_truth(&x, &truth);
		if (rules.hides_libraries)
			ok = ok && programs_right(&x, folder, &truth, NOBODY);
		else
			ok = ok && same_stacks(&x, folder, &truth, NEVER, &size) &&
			     same_stacks(&x, folder, &truth, 1, &size) &&
			     programs_right(&x, folder, &truth, 1);
		lose_tokens(&x);
		ok = ok && programs_right(&x, folder, &truth, 0);
		tap_case(tap, ok, "seed %llu: %s of programs at %u bases, %s address-space numbers",
			 (unsigned long long)seed, seen[i % 4], (unsigned)rules.bases,
			 seed % 2 == 0 ? "with" : "without");
		buf_free(&truth);
		machine_clear(&x, folder);
	}
}

int main(void)
{
	uint64_t seed = setting("NFACC_SEED", 1), n = setting("NFACC_RISCV_MACHINES", 12);
	char folder[] = "/tmp/nfacc-stacks-XXXXXX";
	struct tap tap = { 0 };

	if (mkdtemp(folder) == NULL)
		return 99;
	for (uint64_t i = 0; i < n; i++)
		try_machine(&tap, seed + i, folder);
	for (uint64_t i = 0; i < 2; i++)
		try_reuse(&tap, seed + i, folder);
	for (uint64_t i = 0; i < 2; i++)
		try_many_processes(&tap, seed + i, folder);
	for (uint64_t i = 0; i < 2; i++)
		try_short_processes(&tap, seed + i, folder);
	rmdir(folder);
	return tap_end(&tap);
}
