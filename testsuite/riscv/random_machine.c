/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "testsuite/riscv/random_machine.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KERNEL = 0, ENTRY = 0, SWITCH = 1, SCHEDULE = 2, FORKED = 3, THREADS = 4, TEXT_AT = 0x1000 };

static uint32_t below(struct random_machine *x, uint32_t n)
{
	return gen_random_below(x->random, n);
}

/* ---- programs ---- */

static struct item plain(struct random_machine *x)
{
	uint32_t r = (uint32_t)gen_random(x->random);

	if (r % 3 == 0) /* c.addi */
		return (struct item){ .kind = ITEM_PLAIN, .size = 2,
				      .bits = (r >> 8 & 0x107c) | (8 + (r >> 20) % 8) << 7 | 1 };
	return (struct item){ .kind = ITEM_PLAIN, .size = 4,
			      .bits = (r & 0xfff00000) | (r & 0x1f) << 15 |
				      (10 + (r >> 5) % 8) << 7 | 0x13 };
}

static void add(struct function *f, struct item item)
{
	if (!vec_push(&f->items, item))
		abort();
}

/* A function calls only functions behind it, so that all of them end. */
static void make_function(struct random_machine *x, uint32_t m, uint32_t i, uint32_t n)
{
	struct module *module = &x->modules.at[m];
	struct function *f = &module->functions.at[i];
	/* A program's first function calls many, so that there is enough to find it by. */
	bool first = i == 0 && m != KERNEL;
	/* The others call only those of the second half, or all would run for very long. */
	uint32_t items = first ? (m == 1 ? 25 : 60) : 4 + below(x, 12);

	snprintf(f->name, sizeof f->name, "%s_f%u", module->name, i);
	for (int k = 0; k < (first ? 35 : 1); k++)
		add(f, plain(x));
	/* Before a library is called, which may run for very long. */
	if (first)
		add(f, (struct item){ ITEM_CALL, .size = 4, .module = m,
				      .target = 1 + below(x, n - 1) });
	for (uint32_t k = 0; k < items; k++) {
		uint32_t what = below(x, first ? 9 : 14), last = m > 1 ? 1 : 0;

		if (what < 3 && i < n / 2)
			add(f, (struct item){ ITEM_CALL, .size = 4, .module = m,
					      .target = first ? 1 + below(x, n - 1)
							      : n / 2 + below(x, n - n / 2) });
		else if (what == 3 && first && last > 0)
			add(f, (struct item){ ITEM_CALL_FAR, .bits = 0x000300e7, .size = 4,
					      .module = last, .target = 0 });
		/* A program's first function has a loop at its end, and an activation counts one loop. */
		else if (what == 4 && k + 1 == items && !first)
			add(f, (struct item){ ITEM_LOOP, .size = 4, .times = 1 + below(x, 3) });
		else if (what == 5 && first)
			add(f, (struct item){ ITEM_ECALL, .bits = 0x73, .size = 4 });
		else
			add(f, plain(x));
	}
	if (first && module->program) {
		add(f, (struct item){ ITEM_LOOP, .size = 4, .times = 1 });
		add(f, (struct item){ ITEM_EXIT, .bits = 0x73, .size = 4 });
	} else if (below(x, 5) == 0 && i + 1 < n)
		add(f, (struct item){ ITEM_TAIL, .size = 4, .module = m,
				      .target = i + 1 + below(x, n - i - 1) });
	else
		add(f, (struct item){ ITEM_RETURN, .bits = 0x8082, .size = 2 });
}

/* The kernel's own functions: where traps begin, and how tasks are switched. */
static void make_kernel(struct random_machine *x, uint32_t n)
{
	static const char *const names[] = { "handle_trap", "__switch_to", "schedule",
					     "ret_from_fork" };
	static const enum item_kind ends[] = { ITEM_SRET, ITEM_RETURN, ITEM_RETURN, ITEM_SRET };
	struct module *k = &x->modules.at[KERNEL];

	for (uint32_t i = 0; i < 4; i++) {
		struct function *f = &k->functions.at[i];
		bool calls = i != SWITCH;

		f->items.n = 0;
		snprintf(f->name, sizeof f->name, "%s", names[i]);
		for (uint32_t j = 0; j < 3; j++)
			add(f, plain(x));
		if (calls)
			add(f, (struct item){ ITEM_CALL, .size = 4,
					      .target = i == SCHEDULE ? SWITCH
								      : 4 + below(x, n - 4) });
		add(f, plain(x));
		/* Only a trap of a program switches tasks: an interrupt of the kernel skips it. */
		if (i == ENTRY) {
			add(f, (struct item){ ITEM_SKIP, .size = 4 });
			add(f, (struct item){ ITEM_CALL, .size = 4, .target = SCHEDULE });
		}
		add(f, ends[i] == ITEM_SRET
			       ? (struct item){ ITEM_SRET, .bits = 0x10200073, .size = 4 }
			       : (struct item){ ITEM_RETURN, .bits = 0x8082, .size = 2 });
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

/* Places the functions one behind another, and encodes the jumps. */
static void lay_out(struct random_machine *x, struct module *m)
{
	uint32_t at = below(x, 100) * 4;

	for (size_t i = 0; i < m->functions.n; i++, at += below(x, 3) * 2)
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
			else if (t->kind == ITEM_LOOP)
				t->bits = encode_bne((int32_t)(m->functions.at[i].items.at[0].offset -
							       t->offset));
		}
}

static void make_module(struct random_machine *x, uint32_t m)
{
	uint32_t n = 16 + below(x, 30);
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

/* ---- ELF files ---- */

bool machine_write_elf(const struct random_machine *x, uint32_t module, const char *path)
{
	static const char names[] = "\0.text\0.symtab\0.strtab\0.interp";
	const struct module *m = &x->modules.at[module];
	struct buf text = { 0 }, symbols = { 0 }, strings = { 0 };
	Elf64_Ehdr h = { .e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT },
			 .e_type = m->fixed ? ET_EXEC : ET_DYN, .e_machine = EM_RISCV,
			 .e_version = EV_CURRENT, .e_entry = m->link, .e_phoff = sizeof h,
			 .e_ehsize = sizeof h, .e_phentsize = sizeof(Elf64_Phdr), .e_phnum = 2,
			 .e_shentsize = sizeof(Elf64_Shdr), .e_shnum = 4, .e_shstrndx = 3 };
	Elf64_Sym s = { 0 };
	FILE *f = fopen(path, "wb");
	bool ok = f != NULL;

	if (!ok)
		return false;
	buf_add(&strings, names, sizeof names);
	buf_add(&symbols, &s, sizeof s);
	for (size_t i = 0; i < m->functions.n; i++) {
		const struct function *g = &m->functions.at[i];
		const struct item *last = &g->items.at[g->items.n - 1];

		s = (Elf64_Sym){ .st_name = (uint32_t)strings.n, .st_shndx = 1,
				 .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC),
				 .st_value = m->link + g->items.at[0].offset,
				 .st_size = last->offset + last->size - g->items.at[0].offset };
		buf_add(&symbols, &s, sizeof s);
		buf_add(&strings, g->name, strlen(g->name) + 1);
		for (size_t k = 0; k < g->items.n; k++) {
			while (text.n < g->items.at[k].offset)
				buf_add(&text, "", 1);
			buf_add(&text, &g->items.at[k].bits, g->items.at[k].size);
		}
	}
	uint64_t text_at = sizeof h + 2 * sizeof(Elf64_Phdr), symbols_at = text_at + text.n,
		 strings_at = symbols_at + symbols.n;
	Elf64_Phdr p[2] = { { .p_type = PT_LOAD, .p_flags = PF_R | PF_X, .p_offset = text_at,
			      .p_vaddr = m->link, .p_filesz = text.n, .p_memsz = text.n },
			    { .p_type = m->program ? PT_INTERP : PT_NOTE } };
	Elf64_Shdr sections[4] = {
		{ 0 },
		{ .sh_name = 1, .sh_type = SHT_PROGBITS, .sh_flags = SHF_ALLOC | SHF_EXECINSTR,
		  .sh_addr = m->link, .sh_offset = text_at, .sh_size = text.n },
		{ .sh_name = 7, .sh_type = m->stripped ? SHT_PROGBITS : SHT_SYMTAB,
		  .sh_offset = symbols_at, .sh_size = symbols.n, .sh_link = 3,
		  .sh_entsize = sizeof(Elf64_Sym) },
		{ .sh_name = 15, .sh_type = SHT_STRTAB, .sh_offset = strings_at,
		  .sh_size = strings.n },
	};
	h.e_shoff = strings_at + strings.n;
	ok = !text.failed && !symbols.failed && !strings.failed &&
	     fwrite(&h, sizeof h, 1, f) == 1 && fwrite(p, sizeof p, 1, f) == 1 &&
	     fwrite(text.at, 1, text.n, f) == text.n &&
	     fwrite(symbols.at, 1, symbols.n, f) == symbols.n &&
	     fwrite(strings.at, 1, strings.n, f) == strings.n &&
	     fwrite(sections, sizeof sections, 1, f) == 1;
	buf_free(&text);
	buf_free(&symbols);
	buf_free(&strings);
	return fclose(f) == 0 && ok;
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

static void push(struct random_machine *x, struct machine_thread *t, struct activation a,
		 const char *name)
{
	a.path = path_of(x, t->stack.n == 0 ? 0 : top(t)->path, name);
	if (!vec_push(&t->stack, a))
		abort();
}

static void push_function(struct random_machine *x, struct machine_thread *t, uint32_t module,
			  uint32_t function)
{
	push(x, t, (struct activation){ .module = module, .function = function },
	     x->modules.at[module].functions.at[function].name);
}

static void push_trap(struct random_machine *x, struct machine_thread *t)
{
	bool kernel = top(t)->module == KERNEL && top(t)->kind == IN_FUNCTION;

	push(x, t, (struct activation){ .kind = IN_TRAP, .interrupts = kernel }, kernel ? "[interrupt]" : "[kernel]");
	push_function(x, t, KERNEL, ENTRY);
}

/* The part of satp that says where the page table is. */
static const uint64_t TABLE = (UINT64_C(1) << 44) - 1;

/* Returns a satp without a number of an address space, whose page table no living process has. */
static uint64_t free_satp(const struct random_machine *x)
{
	uint64_t satp = (uint64_t)8 << 60 | 16;

	for (size_t i = 0; i < x->threads.n; i++)
		if (!x->threads.at[i]->dead &&
		    ((x->processes.at[x->threads.at[i]->process].satp ^ satp) & TABLE) == 0) {
			satp++;
			i = SIZE_MAX;
		}
	return satp;
}

/* A new process, whose thread begins in the kernel. Its page table is where that of one was that has
 * ended. Without numbers of their own, processes have the satp of that one, too. */
static void new_process(struct random_machine *x)
{
	struct process p = { .program = 2 + below(x, (uint32_t)x->modules.n - 2) };
	struct machine_thread *t = calloc(1, sizeof *t);

	p.satp = free_satp(x);
	if (x->asids)
		p.satp |= (uint64_t)(1 + x->processes.n % 65535) << 44;
	p.bases = calloc(x->modules.n, sizeof *p.bases);
	if (p.bases == NULL || t == NULL)
		abort();
	for (size_t m = 1; m < x->modules.n; m++)
		p.bases[m] = (uint64_t)(1 + below(x, 1 << 20)) << 12 | (uint64_t)m << 36;
	t->process = (uint32_t)x->processes.n;
	if (!vec_push(&x->processes, p) || !vec_push(&x->threads, t))
		abort();
	push(x, t, (struct activation){ .kind = IN_BASE }, "[kernel]");
	push_function(x, t, KERNEL, FORKED);
}

static const struct item *item_of(struct random_machine *x, struct machine_thread *t)
{
	const struct activation *a = top(t);

	return &x->modules.at[a->module].functions.at[a->function].items.at[a->item];
}

static void emit(struct random_machine *x, struct machine_thread *t, const struct item *item)
{
	const struct activation *a = top(t);
	const struct process *p = &x->processes.at[t->process];
	uint64_t gap = x->tokens.n == 0 ? 0 : below(x, 8) * below(x, 3);
	struct nfaperf_token token = {
		.pc = x->modules.at[a->module].link + item->offset + p->bases[a->module],
		.cycle = x->cycle += gap, .satp = p->satp, .instruction = item->bits,
		.privilege = a->module == KERNEL ? NFAPERF_SUPERVISOR : NFAPERF_USER
	};

	x->paths.at[a->path].cycles += gap;
	if (!vec_push(&x->tokens, token))
		abort();
}

/* The process ends, in the kernel, and another begins. */
static void end_process(struct random_machine *x, struct machine_thread *t)
{
	t->dead = true;
	x->dead++;
	push_trap(x, t);
	if (x->processes.n < x->most_processes)
		new_process(x);
}

/* Another thread goes on, behind its own switch. A dead one goes on no more. */
static void switch_thread(struct random_machine *x)
{
	while (x->dead < x->threads.n)
		if (!x->threads.at[x->current = below(x, (uint32_t)x->threads.n)]->dead)
			return;
}

/* Ends the activation on top, and what it was called for. */
static void give_back(struct random_machine *x, struct machine_thread *t, bool switches)
{
	t->stack.n--;
	top(t)->item++;
	if (switches)
		switch_thread(x);
}

/* An sret: the trap ends; or the program begins for the first time. */
static void trap_return(struct random_machine *x, struct machine_thread *t)
{
	uint32_t program = x->processes.at[t->process].program;

	t->stack.n--;
	if (top(t)->kind == IN_TRAP) {
		t->stack.n--;
		return;
	}
	t->stack.n = 0;
	push(x, t, (struct activation){ .kind = IN_BASE }, x->modules.at[program].name);
	push_function(x, t, program, 0);
}

/* May a trap be taken before the next instruction? Not twice at once, and not in the middle of a
 * switch. */
static bool may_trap(struct random_machine *x, struct machine_thread *t)
{
	size_t traps = 0;

	for (size_t i = 0; i < t->stack.n; i++)
		traps += t->stack.at[i].kind == IN_TRAP;
	/* After a call or a return it would be a matter of taste in which function it is. */
	if (x->last != ITEM_PLAIN)
		return false;
	if (top(t)->module != KERNEL)
		return below(x, 150) == 0;
	return traps < 2 && top(t)->function >= 4 && top(t)->item > 0 && below(x, 400) == 0;
}

static void step(struct random_machine *x)
{
	struct machine_thread *t = x->threads.at[x->current];
	const struct item *item;
	struct activation *a;

	if (may_trap(x, t))
		push_trap(x, t);
	item = item_of(x, t);
	emit(x, t, item);
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
	while (x->threads.n != x->dead)
		step(x);
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
