/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "probes/profile/tests/random_machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_AT = 0x1000 };

static uint32_t random_below(struct random_machine *x, uint32_t n)
{
	return gen_random_below(x->random, n);
}

/* ---- programs ---- */

static struct item plain_code(struct random_machine *x)
{
	uint32_t r = (uint32_t)gen_random(x->random);

	if (r % 3 == 0) /* c.addi */
		return (struct item){ .kind = ITEM_PLAIN, .size = 2,
				      .bits = (r >> 8 & 0x107c) | (8 + (r >> 20) % 8) << 7 | 1 };
	return (struct item){ .kind = ITEM_PLAIN, .size = 4,
			      .bits = (r & 0xfff00000) | (r & 0x1f) << 15 |
				      (10 + (r >> 5) % 8) << 7 | 0x13 };
}

static void add_function(struct function *f, struct item item)
{
	if (!vec_push(&f->items, item))
		abort();
}

/* A function calls only later functions, so that all calls end. */
static void make_function(struct random_machine *x, uint32_t m, uint32_t i, uint32_t n)
{
	struct module *module = &x->modules.at[m];
	struct function *f = &module->functions.at[i];
	/*
	 * The first function of a program has many calls, so that there is enough evidence to find
	 * it.
	 */
	bool first = i == 0 && m != KERNEL;
	/*
	 * All other functions call only the second half of the functions. Otherwise they would run
	 * for very long.
	 */
	uint32_t items = first ? (m == 1 ? 25 : 60) : 4 + random_below(x, 12);

	snprintf(f->name, sizeof f->name, "%s_f%u", module->name, i);
	for (int k = 0; k < (first ? 35 : 1); k++)
		add_function(f, plain_code(x));
	/* This comes before the call of a library, which may run for very long. */
	if (first)
		add_function(f, (struct item){ ITEM_CALL, .size = 4, .module = m,
					       .target = 1 + random_below(x, n - 1) });
	for (uint32_t k = 0; k < items; k++) {
		uint32_t what = random_below(x, first ? 9 : 14), last = m > 1 ? 1 : 0;

		if (what < 3 && i < n / 2)
			add_function(
				f, (struct item){
					   ITEM_CALL, .size = 4, .module = m,
					   .target = first ? 1 + random_below(x, n - 1)
							   : n / 2 + random_below(x, n - n / 2) });
		else if (what == 3 && first && last > 0)
			add_function(f, (struct item){ ITEM_CALL_FAR, .bits = 0x000300e7, .size = 4,
						       .module = last, .target = 0 });
		/*
		 * The first function of a program has a loop at its end. An activation counts the
		 * rounds of one loop.
		 */
		else if (what == 4 && k + 1 == items && !first)
			add_function(f, (struct item){ ITEM_LOOP, .size = 4,
						       .times = 1 + random_below(x, 3) });
		else if (what == 5 && first)
			add_function(f, (struct item){ ITEM_ECALL, .bits = 0x73, .size = 4 });
		else
			add_function(f, plain_code(x));
	}
	if (first && module->program) {
		add_function(f, (struct item){ ITEM_LOOP, .size = 4, .times = 1 });
		add_function(f, (struct item){ ITEM_EXIT, .bits = 0x73, .size = 4 });
	} else if (random_below(x, 5) == 0 && i + 1 < n)
		add_function(f, (struct item){ ITEM_TAIL, .size = 4, .module = m,
					       .target = i + 1 + random_below(x, n - i - 1) });
	else
		add_function(f, (struct item){ ITEM_RETURN, .bits = 0x8082, .size = 2 });
}

/*
 * The kernel's own functions: the start of traps, the switch of tasks, and the kernel's own thread.
 */
static void make_kernel(struct random_machine *x, uint32_t n)
{
	static const struct {
		const char *name;
		struct item end;
	} own[OTHERS] = {
		[ENTRY] = { "handle_trap", { ITEM_SRET, .bits = 0x10200073, .size = 4 } },
		[SWITCH] = { "__switch_to", { ITEM_RETURN, .bits = 0x8082, .size = 2 } },
		[SCHEDULE] = { "schedule", { ITEM_RETURN, .bits = 0x8082, .size = 2 } },
		[FORKED] = { "ret_from_fork", { ITEM_SRET, .bits = 0x10200073, .size = 4 } },
		[WORKER] = { "worker", { ITEM_AGAIN, .size = 4, .times = 1 } },
	};
	struct module *k = &x->modules.at[KERNEL];

	for (uint32_t i = 0; i < OTHERS; i++) {
		struct function *f = &k->functions.at[i];

		f->items.n = 0;
		snprintf(f->name, sizeof f->name, "%s", own[i].name);
		for (uint32_t j = 0; j < 3; j++)
			add_function(f, plain_code(x));
		if (i != SWITCH)
			add_function(
				f,
				(struct item){
					ITEM_CALL, .size = 4,
					.target = i == SCHEDULE
							  ? SWITCH
							  : OTHERS + random_below(x, n - OTHERS) });
		add_function(f, plain_code(x));
		/*
		 * Only a trap from a program switches tasks. An interrupt of the kernel skips the
		 * switch.
		 */
		if (i == ENTRY)
			add_function(f, (struct item){ ITEM_SKIP, .size = 4 });
		if (i == ENTRY || i == WORKER)
			add_function(f, (struct item){ ITEM_CALL, .size = 4, .target = SCHEDULE });
		/* Sometimes another switch follows at once. */
		if (i == SCHEDULE)
			add_function(f, (struct item){ ITEM_AGAIN, .size = 4, .times = 4 });
		add_function(f, own[i].end);
	}
}

static uint32_t encode_jal(uint32_t rd, int32_t d)
{
	uint32_t u = (uint32_t)d;

	return (u >> 20 & 1) << 31 | (u >> 1 & 0x3ff) << 21 | (u >> 11 & 1) << 20 |
	       (u >> 12 & 0xff) << 12 | rd << 7 | 0x6f;
}

static uint32_t encode_bne(int32_t d)
{
	uint32_t u = (uint32_t)d;

	return (u >> 12 & 1) << 31 | (u >> 5 & 0x3f) << 25 | 11u << 20 | 10u << 15 | 1u << 12 |
	       (u >> 1 & 0xf) << 8 | (u >> 11 & 1) << 7 | 0x63;
}

/*
 * Makes function n of the library, the loader. The kernel begins a program with it. It goes through
 * its code many times, and then jumps to the program.
 */
static void make_loader(struct random_machine *x, uint32_t n)
{
	struct function *f = &x->modules.at[LIBRARY].functions.at[n];

	snprintf(f->name, sizeof f->name, "loader");
	for (uint32_t k = 0; k < 45; k++)
		add_function(f, plain_code(x));
	add_function(f, (struct item){ ITEM_LOOP, .size = 4, .times = x->rules.loader });
	add_function(f, (struct item){ ITEM_START, .bits = 0x00030067, .size = 4 });
}

/* Places the functions one after the other, and encodes the jumps. */
static void lay_out(struct random_machine *x, struct module *m)
{
	uint32_t at = random_below(x, 100) * 4;

	for (size_t i = 0; i < m->functions.n; i++, at += random_below(x, 3) * 2)
		for (size_t k = 0; k < m->functions.at[i].items.n; k++) {
			m->functions.at[i].items.at[k].offset = at;
			at += m->functions.at[i].items.at[k].size;
		}
	m->size = at;
	for (size_t i = 0; i < m->functions.n; i++)
		for (size_t k = 0; k < m->functions.at[i].items.n; k++) {
			struct item *t = &m->functions.at[i].items.at[k];
			uint32_t to = m->functions.at[t->target].items.at[0].offset;

			if (t->kind == ITEM_CALL || t->kind == ITEM_TAIL)
				t->bits = encode_jal(t->kind == ITEM_CALL, (int32_t)(to - t->offset));
			else if (t->kind == ITEM_SKIP)
				t->bits = encode_bne(8);
			else if (t->kind == ITEM_LOOP || t->kind == ITEM_AGAIN)
				t->bits = encode_bne((int32_t)(m->functions.at[i].items.at[0].offset -
							       t->offset));
		}
}

/* Makes program m like program `as`. The second half of its functions has other instructions. */
static void make_alike(struct random_machine *x, uint32_t m, uint32_t as)
{
	struct module module = x->modules.at[as];
	size_t n = module.functions.n;

	memset(&module.functions, 0, sizeof module.functions);
	snprintf(module.name, sizeof module.name, "mod%u", m);
	if (!vec_push(&x->modules, module) || !vec_reserve(&x->modules.at[m].functions, n))
		abort();
	x->modules.at[m].functions.n = n;
	memset(x->modules.at[m].functions.at, 0, n * sizeof(struct function));
	for (size_t i = 0; i < n; i++) {
		const struct function *from = &x->modules.at[as].functions.at[i];
		struct function *f = &x->modules.at[m].functions.at[i];

		snprintf(f->name, sizeof f->name, "mod%u_f%u", m, (unsigned)i);
		for (size_t k = 0; k < from->items.n; k++) {
			struct item item = from->items.at[k];

			item.module = item.module == as ? m : item.module;
			if (i >= n / 2 && item.kind == ITEM_PLAIN && item.size == 4)
				item.bits ^= m << 20;
			add_function(f, item);
		}
	}
}

static void make_module(struct random_machine *x, uint32_t m)
{
	uint32_t n = 16 + random_below(x, 30);
	bool loader = m == LIBRARY && x->rules.loader != 0;
	struct module module = { .link = m == KERNEL ? 0xffffffff80000000u : TEXT_AT };

	module.kernel = module.fixed = m == KERNEL;
	module.program = m > 1;
	snprintf(module.name, sizeof module.name, "%s%u", m == KERNEL ? "vmlinux" : "mod", m);
	if (!vec_push(&x->modules, module) ||
	    !vec_reserve(&x->modules.at[m].functions, n + loader))
		abort();
	x->modules.at[m].functions.n = n + loader;
	memset(x->modules.at[m].functions.at, 0, (n + loader) * sizeof(struct function));
	for (uint32_t i = 0; i < n; i++)
		make_function(x, m, i, n);
	if (m == KERNEL)
		make_kernel(x, n);
	if (loader)
		make_loader(x, n);
	lay_out(x, &x->modules.at[m]);
}

void machine_make(struct random_machine *x, struct gen_random *random, bool asids,
		  struct machine_rules rules)
{
	uint32_t modules = 4 + gen_random_below(random, 3);

	*x = (struct random_machine){ .random = random, .asids = asids, .rules = rules };
	for (uint32_t m = 0; m < modules; m++)
		if (m > LIBRARY + 1 && rules.alike)
			make_alike(x, m, LIBRARY + 1);
		else
			make_module(x, m);
	if (!vec_push(&x->paths, ((struct path){ .name = "all" })))
		abort();
}

void machine_free(struct random_machine *x)
{
	for (size_t m = 0; m < x->modules.n; m++) {
		for (size_t i = 0; i < x->modules.at[m].functions.n; i++)
			vec_free(&x->modules.at[m].functions.at[i].items);
		vec_free(&x->modules.at[m].functions);
	}
	for (size_t i = 0; i < x->threads.n; i++) {
		vec_free(&x->threads.at[i]->stack);
		free(x->threads.at[i]);
	}
	for (size_t i = 0; i < x->processes.n; i++)
		free(x->processes.at[i].bases);
	vec_free(&x->modules);
	vec_free(&x->threads);
	vec_free(&x->processes);
	vec_free(&x->tokens);
	vec_free(&x->paths);
}
