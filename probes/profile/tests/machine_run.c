/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/* machine_run.c: runs a random machine, and adds up its cycles. */
#include "probes/profile/tests/random_machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 4, NO_PROCESS = UINT32_MAX };

static uint32_t random_below(struct random_machine *x, uint32_t n)
{
	return gen_random_below(x->random, n);
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

/* Returns the base at which module m is loaded. */
static uint64_t base_of(struct random_machine *x, size_t m)
{
	if (x->rules.bases == 0)
		return (uint64_t)(1 + random_below(x, 1 << 20)) << 12 | (uint64_t)m << 36;
	if (m == LIBRARY)
		return 0x3ff7fc0000;
	return 0x2aaaaaa000 + (uint64_t)random_below(x, x->rules.bases) * 0x1000;
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
		p.bases[m] = base_of(x, m);
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
	bool hidden = (x->rules.hides_kernel && a->module == KERNEL) ||
		      (x->rules.hides_libraries && a->module == LIBRARY) ||
		      (x->rules.hides_entry && a->module > LIBRARY && a->function == 0 &&
		       a->item == 0);
	uint64_t gap = x->tokens.n == 0 || hidden ? 0 : random_below(x, 8) * random_below(x, 3);
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
	if (!hidden && !vec_push(&x->tokens, token))
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

static void start_program(struct random_machine *x, struct machine_thread *t)
{
	t->stack.n--;
	push_function(x, t, x->processes.at[t->process].program, 0);
}

/*
 * The loader jumps to the program. The program's first page often faults. The loader is the last
 * function that has executed an instruction then.
 */
static void jump_to_program(struct random_machine *x, struct machine_thread *t)
{
	if (random_below(x, 2) == 0) {
		top(t)->left = 1;
		push_trap(x, t);
	} else {
		start_program(x, t);
	}
}

/* An sret: the trap ends, or the program begins for the first time. */
static void trap_return(struct random_machine *x, struct machine_thread *t)
{
	uint32_t program;

	t->stack.n--;
	if (top(t)->kind == IN_TRAP) {
		t->stack.n--;
		if (top(t)->kind == IN_FUNCTION && item_of(x, t)->kind == ITEM_START &&
		    top(t)->left != 0)
			start_program(x, t);
		return;
	}
	program = x->processes.at[t->process].program;
	t->stack.n = 0;
	push_frame(x, t, (struct activation){ .kind = IN_BASE }, x->modules.at[program].name);
	if (x->rules.loader != 0)
		push_function(x, t, LIBRARY, (uint32_t)x->modules.at[LIBRARY].functions.n - 1);
	else
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
	case ITEM_START:
		jump_to_program(x, t);
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
