/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "probes/profile/tests/random_machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KERNEL = 0, TEXT_AT = 0x1000, THREADS = 4, NO_PROCESS = UINT32_MAX };

/* Functions of the kernel. Those from OTHERS on are random. */
enum { ENTRY, SWITCH, SCHEDULE, FORKED, WORKER, OTHERS };

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

static void make_module(struct random_machine *x, uint32_t m)
{
	uint32_t n = 16 + random_below(x, 30);
	struct module module = { .link = m == KERNEL ? 0xffffffff80000000u : TEXT_AT };

	module.kernel = module.fixed = m == KERNEL;
	module.program = m > 1;
	snprintf(module.name, sizeof module.name, "%s%u", m == KERNEL ? "vmlinux" : "mod", m);
	if (!vec_push(&x->modules, module) ||
	    !vec_reserve(&x->modules.at[m].functions, n))
		abort();
	x->modules.at[m].functions.n = n;
	memset(x->modules.at[m].functions.at, 0, n * sizeof(struct function));
	for (uint32_t i = 0; i < n; i++)
		make_function(x, m, i, n);
	if (m == KERNEL)
		make_kernel(x, n);
	lay_out(x, &x->modules.at[m]);
}

void machine_make(struct random_machine *x, struct gen_random *random, bool asids)
{
	uint32_t modules = 4 + gen_random_below(random, 3);

	*x = (struct random_machine){ .random = random, .asids = asids };
	for (uint32_t m = 0; m < modules; m++)
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

/* ---- running ---- */

static uint32_t path_of(struct random_machine *x, uint32_t parent, const char *name)
{
	struct path p = { .parent = parent };

	for (uint32_t i = 1; i < x->paths.n; i++)
		if (x->paths.at[i].parent == parent && strcmp(x->paths.at[i].name, name) == 0)
			return i;
	snprintf(p.name, sizeof p.name, "%s", name);
	if (!vec_push(&x->paths, p))
		abort();
	return (uint32_t)x->paths.n - 1;
}

static struct activation *top(struct machine_thread *t)
{
	return &t->stack.at[t->stack.n - 1];
}

static void push_frame(struct random_machine *x, struct machine_thread *t, struct activation a,
		       const char *name)
{
	a.path = path_of(x, t->stack.n == 0 ? 0 : top(t)->path, name);
	if (!vec_push(&t->stack, a))
		abort();
}

static void push_function(struct random_machine *x, struct machine_thread *t, uint32_t module,
			  uint32_t function)
{
	push_frame(x, t, (struct activation){ .module = module, .function = function },
		   x->modules.at[module].functions.at[function].name);
}

static void push_trap(struct random_machine *x, struct machine_thread *t)
{
	bool kernel = top(t)->module == KERNEL && top(t)->kind == IN_FUNCTION;

	push_frame(x, t, (struct activation){ .kind = IN_TRAP, .interrupts = kernel },
		   kernel ? "[interrupt]" : "[kernel]");
	push_function(x, t, KERNEL, ENTRY);
}

/* The part of satp with the address of the page table. */
static const uint64_t TABLE = (UINT64_C(1) << 44) - 1;

/* Returns a satp without an address-space number. No living process has its page table. */
static uint64_t free_satp(const struct random_machine *x)
{
	uint64_t satp = (uint64_t)8 << 60 | 16;

	for (size_t i = 0; i < x->threads.n; i++)
		if (!x->threads.at[i]->dead && x->threads.at[i]->process != NO_PROCESS &&
		    ((x->processes.at[x->threads.at[i]->process].satp ^ satp) & TABLE) == 0) {
			satp++;
			i = SIZE_MAX;
		}
	return satp;
}

/*
 * Begins a new process. Its thread begins in the kernel. It gets the page table of a process that
 * has ended. If processes have no numbers of their own, it also has the satp of that process.
 */
static void new_process(struct random_machine *x)
{
	struct process p = { .program = 2 + random_below(x, (uint32_t)x->modules.n - 2) };
	struct machine_thread *t = calloc(1, sizeof *t);

	p.satp = free_satp(x);
	if (x->asids)
		p.satp |= (uint64_t)(1 + x->processes.n % 65535) << 44;
	p.bases = calloc(x->modules.n, sizeof *p.bases);
	if (p.bases == NULL || t == NULL)
		abort();
	for (size_t m = 1; m < x->modules.n; m++)
		p.bases[m] = (uint64_t)(1 + random_below(x, 1 << 20)) << 12 | (uint64_t)m << 36;
	t->process = (uint32_t)x->processes.n;
	if (!vec_push(&x->processes, p) || !vec_push(&x->threads, t))
		abort();
	push_frame(x, t, (struct activation){ .kind = IN_BASE }, "[kernel]");
	push_function(x, t, KERNEL, FORKED);
}

/* Makes the kernel's thread. It has no page table. That of the process before it stays. */
static void new_worker(struct random_machine *x)
{
	struct machine_thread *t = calloc(1, sizeof *t);

	if (t == NULL || !vec_push(&x->threads, t))
		abort();
	t->process = NO_PROCESS;
	push_frame(x, t, (struct activation){ .kind = IN_BASE }, "[kernel]");
	push_function(x, t, KERNEL, WORKER);
}

static const struct item *item_of(struct random_machine *x, struct machine_thread *t)
{
	const struct activation *a = top(t);

	return &x->modules.at[a->module].functions.at[a->function].items.at[a->item];
}

static void emit_token(struct random_machine *x, struct machine_thread *t, const struct item *item)
{
	const struct activation *a = top(t);
	const struct process *p = t->process == NO_PROCESS ? NULL : &x->processes.at[t->process];
	uint64_t gap = x->tokens.n == 0 ? 0 : random_below(x, 8) * random_below(x, 3);
	struct nfaperf_token token = {
		.pc = x->modules.at[a->module].link + item->offset,
		.cycle = x->cycle += gap, .instruction = item->bits,
		.privilege = a->module == KERNEL ? NFAPERF_SUPERVISOR : NFAPERF_USER
	};

	if (p != NULL) {
		x->satp = p->satp;
		token.pc += p->bases[a->module];
	}
	token.satp = x->satp;
	x->paths.at[a->path].cycles += gap;
	if (!vec_push(&x->tokens, token))
		abort();
}

/* Ends the process while its thread is in the kernel, and begins another one. */
static void end_process(struct random_machine *x, struct machine_thread *t)
{
	t->dead = true;
	x->dead++;
	push_trap(x, t);
	if (x->processes.n < x->most_processes)
		new_process(x);
}

/* Switches to another thread, which goes on after its own switch. A dead thread never goes on. */
static void switch_thread(struct random_machine *x)
{
	uint32_t last = x->current;

	do
		x->current = random_below(x, (uint32_t)x->threads.n);
	while (x->current == last || x->threads.at[x->current]->dead);
}

/* Ends the activation on top, and then what it was called for. */
static void give_back(struct random_machine *x, struct machine_thread *t, bool switches)
{
	t->stack.n--;
	top(t)->item++;
	if (switches)
		switch_thread(x);
}

/* An sret: the trap ends, or the program begins for the first time. */
static void trap_return(struct random_machine *x, struct machine_thread *t)
{
	uint32_t program;

	t->stack.n--;
	if (top(t)->kind == IN_TRAP) {
		t->stack.n--;
		return;
	}
	program = x->processes.at[t->process].program;
	t->stack.n = 0;
	push_frame(x, t, (struct activation){ .kind = IN_BASE }, x->modules.at[program].name);
	push_function(x, t, program, 0);
}

/*
 * Whether a trap may be taken before the next instruction. There are not two traps in a row, and no
 * trap in the middle of a switch.
 */
static bool may_trap(struct random_machine *x, struct machine_thread *t)
{
	size_t traps = 0;

	for (size_t i = 0; i < t->stack.n; i++)
		traps += t->stack.at[i].kind == IN_TRAP;
	/* Right after a call or a return, it is not clear which function the trap interrupts. */
	if (x->last != ITEM_PLAIN)
		return false;
	if (top(t)->module != KERNEL)
		return random_below(x, 150) == 0;
	return traps < 2 && top(t)->function >= OTHERS && top(t)->item > 0 &&
	       random_below(x, 400) == 0;
}

static void step_machine(struct random_machine *x)
{
	struct machine_thread *t = x->threads.at[x->current];
	const struct item *item;
	struct activation *a;

	if (x->most_instructions != 0 && x->last == ITEM_PLAIN && !t->dead &&
	    top(t)->module != KERNEL && ++t->instructions > x->most_instructions)
		end_process(x, t);
	else if (may_trap(x, t))
		push_trap(x, t);
	item = item_of(x, t);
	emit_token(x, t, item);
	a = top(t);
	x->last = item->kind;
	switch (item->kind) {
	case ITEM_PLAIN:
		a->item++;
		break;
	case ITEM_LOOP:
		a->left = a->left == 0 ? item->times : a->left - 1;
		a->item = a->left == 0 ? a->item + 1 : 0;
		break;
	case ITEM_AGAIN:
		a->item = random_below(x, item->times) == 0 ? 0 : a->item + 1;
		break;
	case ITEM_CALL:
	case ITEM_CALL_FAR:
		push_function(x, t, item->module, item->target);
		break;
	case ITEM_TAIL:
		t->stack.n--;
		push_function(x, t, item->module, item->target);
		break;
	case ITEM_ECALL:
		a->item++;
		push_trap(x, t);
		break;
	case ITEM_EXIT:
		end_process(x, t);
		break;
	case ITEM_SKIP:
		a->item += t->stack.at[t->stack.n - 2].interrupts ? 2 : 1;
		break;
	case ITEM_SRET:
		trap_return(x, t);
		break;
	case ITEM_RETURN:
		give_back(x, t, a->module == KERNEL && a->function == SWITCH);
		break;
	}
}

void machine_run(struct random_machine *x, size_t n)
{
	x->most_processes = n;
	for (int i = 0; i < THREADS; i++)
		new_process(x);
	new_worker(x);
	while (x->threads.n != x->dead + 1)
		step_machine(x);
}

/* ---- the truth ---- */

static void spell(const struct random_machine *x, uint32_t path, struct buf *b)
{
	if (x->paths.at[path].parent != 0) {
		spell(x, x->paths.at[path].parent, b);
		buf_addf(b, ";");
	}
	buf_addf(b, "%s", x->paths.at[path].name);
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

void machine_truth(const struct random_machine *x, struct buf *b)
{
	char **lines = calloc(x->paths.n, sizeof *lines);
	size_t n = 0;

	if (lines == NULL)
		abort();
	for (uint32_t i = 1; i < x->paths.n; i++) {
		struct buf line = { 0 };
		if (x->paths.at[i].cycles == 0)
			continue;
		spell(x, i, &line);
		buf_addf(&line, " %llu\n", (unsigned long long)x->paths.at[i].cycles);
		lines[n++] = line.at;
	}
	qsort(lines, n, sizeof *lines, by_text);
	for (size_t i = 0; i < n; i++) {
		buf_addf(b, "%s", lines[i]);
		free(lines[i]);
	}
	free(lines);
}
