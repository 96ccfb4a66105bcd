/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "probes/memory/inside/stacks.h"

#include "probes/memory/inside/calls.h"
#include "probes/memory/inside/copy.h"
#include "probes/memory/inside/modules.h"
#include "probes/memory/inside/own.h"
#include "probes/memory/inside/raw.h"
#include "probes/memory/inside/shadow.h"
#include "probes/memory/inside/unwind.h"

/* UNSET_MOST: so many words of a site keep their mark after a load. */
enum { RULES = 1024, WORD = 8, UNSET_MOST = 16, CALLERS_MOST = 256 };

/*
 * What a thread has found out. The thread with number i has entry i, so the next thread with this
 * number goes on with it.
 */
struct finder {
	uint64_t age;        /* that of `forgotten` when the rest was found */
	uintptr_t low, high; /* memory is there, from page to page */
	struct {
		uintptr_t pc;
		struct unwind_rule rule;
	} rules[RULES];      /* of instructions, by their address */
	uint64_t last[MEM_FRAMES_MAX]; /* the return addresses of the last stack */
	uint32_t nlast;                /* 0: there is none */
};

static struct finder *finders; /* of all threads that the channel has rings for */
static _Atomic uint64_t forgotten;

void stacks_start(void)
{
	const struct mem_channel *c = inside.channel;
	if (!c->stacks.frames && !c->code.wanted)
		return;
	finders = own_map(0, c->size.threads_max * sizeof *finders);
	inside.locals = finders && c->code.wanted;
	if (!finders || (c->stacks.frames && !shadow_start(c->stacks.suspects))) {
		inside_reason("there is no memory for the tables of --stacks. Stacks are missing");
		return;
	}
	if (!c->stacks.frames)
		return;
	inside.suspects = c->stacks.suspects;
	inside.stacks = c->stacks.frames < MEM_FRAMES_MAX ? c->stacks.frames : MEM_FRAMES_MAX;
}

void stacks_forget(void)
{
	atomic_fetch_add(&forgotten, 1);
}

/* Reads a word of a stack. A page is looked at by the kernel once, then it is read at once. */
static bool read_stack(void *with, uintptr_t at, uint64_t *word)
{
	struct finder *f = with;
	const uintptr_t page = at & ~(uintptr_t)(INSIDE_PAGE - 1);
	if (at % WORD != 0)
		return false;
	if (at - f->low >= f->high - f->low) {
		if (!calls_read(word, at, WORD))
			return false;
		if (page == f->high)
			f->high += INSIDE_PAGE;
		else if (page + INSIDE_PAGE == f->low)
			f->low = page;
		else {
			f->low = page;
			f->high = page + INSIDE_PAGE;
		}
		return true;
	}
	*word = *(const uint64_t *)mirror_alias((const void *)at);
	return true;
}

static const struct unwind_rule *rule_of(struct finder *f, uintptr_t pc)
{
	const size_t i = (pc ^ pc >> 10) % RULES;
	if (f->rules[i].pc != pc) {
		f->rules[i].rule = modules_unwind(pc);
		f->rules[i].pc = pc;
	}
	return &f->rules[i].rule;
}

/* What this thread has found out; NULL if it has no ring. */
static struct finder *own_finder(void)
{
	if (!inside_self.ring)
		ring_start();
	if (inside_self.number >= inside.channel->size.threads_max)
		return NULL;
	struct finder *f = &finders[inside_self.number];
	const uint64_t age = atomic_load_explicit(&forgotten, memory_order_acquire);
	if (f->age != age) {
		raw_fill(f, 0, sizeof *f);
		f->age = age;
	}
	return f;
}

/* After the return from a handler, the program goes on where the signal came. */
static bool step_signal(struct unwind_frame *from, struct finder *f)
{
	const uintptr_t saved = from->sp + offsetof(ucontext_t, uc_mcontext.gregs);
	uint64_t pc, sp, bp;
	if (!read_stack(f, saved + REG_RIP * sizeof(greg_t), &pc) ||
	    !read_stack(f, saved + REG_RSP * sizeof(greg_t), &sp) ||
	    !read_stack(f, saved + REG_RBP * sizeof(greg_t), &bp) || sp <= from->sp)
		return false;
	*from = (struct unwind_frame){ pc, sp, bp };
	return true;
}

/* After a system call that this library makes for the program. */
static bool step_call(struct unwind_frame *from, struct finder *f)
{
	uint64_t pc, sp;
	if (!read_stack(f, from->sp + offsetof(struct call, ip), &pc) ||
	    !read_stack(f, from->sp + offsetof(struct call, sp), &sp) || sp <= from->sp)
		return false;
	*from = (struct unwind_frame){ pc, sp, from->bp };
	return true;
}

static bool is_call(uintptr_t pc)
{
	return pc >= (uintptr_t)calls_thunk && pc < (uintptr_t)calls_thunk_end;
}

/* Goes to the caller. `returned`: from->pc is where a call returns. Sets it for the caller. */
static bool step(struct unwind_frame *from, struct finder *f, bool *returned)
{
	const bool signal = from->pc == (uintptr_t)inside_restorer, after = *returned;
	*returned = !signal;
	if (signal)
		return step_signal(from, f);
	if (is_call(from->pc))
		return step_call(from, f);
	return unwind_step(from, rule_of(f, from->pc - after), read_stack, f);
}

/* The code of this library. */
extern const char __ehdr_start[] __attribute__((visibility("hidden")));
extern const char _etext[] __attribute__((visibility("hidden")));

static bool is_own(uintptr_t pc)
{
	return pc - (uintptr_t)__ehdr_start < (uintptr_t)_etext - (uintptr_t)__ehdr_start;
}

/*
 * Finds the return addresses of the code at from.pc, but for those in this library. `returned`: a
 * call returns there, and it may be the last instruction of its function.
 */
static uint32_t find(struct finder *f, struct unwind_frame from, bool returned, uint64_t *to)
{
	uint32_t n = 0;
	while (n < inside.stacks && step(&from, f, &returned) && from.pc >= INSIDE_PAGE &&
	       from.pc >> MEM_ADDRESS_BITS == 0)
		if (!is_own(from.pc))
			to[n++] = from.pc;
	return n;
}

/* As step(), but without guesses: not if the function has no call frame information. */
static bool step_surely(struct unwind_frame *from, struct finder *f, bool *returned)
{
	const bool special = from->pc == (uintptr_t)inside_restorer || is_call(from->pc);
	return (special || rule_of(f, from->pc - *returned)->cfa != UNWIND_NONE) &&
	       step(from, f, returned);
}

bool stacks_frame(const struct inside_caller *from, bool returned, uintptr_t at,
		  struct stacks_frame *found)
{
	struct unwind_frame f = { from->pc, from->sp, from->bp };
	struct finder *finder = own_finder();
	for (uint32_t n = 0; finder && at >= f.sp && n < CALLERS_MOST; n++) {
		const uintptr_t pc = f.pc - returned;
		const enum unwind_cfa rule = (enum unwind_cfa)rule_of(finder, pc)->cfa;
		if (!step_surely(&f, finder, &returned))
			return false;
		if (f.sp <= at)
			continue;
		*found = (struct stacks_frame){ pc, f.sp };
		return rule == UNWIND_RSP || rule == UNWIND_RBP;
	}
	return false;
}

uintptr_t stacks_outermost(const struct inside_caller *from, bool returned)
{
	struct unwind_frame f = { from->pc, from->sp, from->bp };
	struct finder *finder = own_finder();
	uint32_t n = 0;
	while (finder && n < CALLERS_MOST && step_surely(&f, finder, &returned))
		n++;
	return f.sp;
}

/* Whether two stacks are the same. Sets *last to the new one. */
static bool is_last(struct finder *f, const uint64_t *now, uint32_t n)
{
	bool same = f->nlast == n;
	for (uint32_t i = 0; same && i < n; i++)
		same = f->last[i] == now[i];
	for (uint32_t i = 0; !same && i < n; i++)
		f->last[i] = now[i];
	f->nlast = n;
	return same;
}

/* Records the stack of the code at from.pc. */
static void record(struct unwind_frame from, bool returned)
{
	uint64_t words[1 + MEM_FRAMES_MAX];
	inside_enter();
	struct finder *f = own_finder();
	if (f) {
		uint32_t n = find(f, from, returned, words + 1);
		words[0] = from.pc;
		if (n == 0)
			words[++n] = 0;
		ring_event(MEM_STACK, words, is_last(f, words + 1, n) ? 1 : 1 + n);
	}
	inside_leave();
}

void stacks_record_call(void)
{
	const struct inside_caller *c = &inside_self.caller;
	if (inside_watching())
		record((struct unwind_frame){ c->pc, c->sp, c->bp }, true);
}

static void record_access(uintptr_t pc, const ucontext_t *context)
{
	const greg_t *r = context->uc_mcontext.gregs;
	if (inside_watching())
		record((struct unwind_frame){ pc, (uintptr_t)r[REG_RSP], (uintptr_t)r[REG_RBP] },
		       false);
}

void stacks_instruction(uintptr_t pc, const ucontext_t *context)
{
	if (inside.stacks)
		record_access(pc, context);
}

static bool is_suspect(uintptr_t at, size_t bytes, enum mem_kind kind)
{
	return (inside.suspects & MEM_SUSPECT_RACE && inside.threads) ||
	       shadow_suspects(at, bytes, kind);
}

void stacks_range(uintptr_t at, size_t bytes, enum mem_kind kind)
{
	if (!inside.stacks || bytes == 0)
		return;
	if (is_suspect(at, bytes, kind))
		stacks_record_call();
	if (kind != MEM_LOAD)
		shadow_store(at, bytes);
}

void stacks_copy(uintptr_t to, uintptr_t from, size_t bytes)
{
	if (!inside.stacks)
		return;
	if (is_suspect(to, bytes, MEM_SAVE) || is_suspect(from, bytes, MEM_LOAD))
		stacks_record_call();
	shadow_store(to, bytes);
}

void stacks_access(uintptr_t pc, const ucontext_t *context, uintptr_t at, size_t bytes,
		   enum mem_kind kind)
{
	if (!inside.stacks || bytes == 0)
		return;
	if (is_suspect(at, bytes, kind))
		record_access(pc, context);
	if (kind != MEM_LOAD)
		shadow_store(at, bytes);
}

/*
 * A loop may load many words that were never stored to. Their marks are removed after the first
 * ones, so that it goes on at its own speed.
 */
void stacks_site(struct site *s, unsigned operand, ucontext_t *context)
{
	record_access(s->pc, context);
	if (s->suspects < UNSET_MOST)
		s->suspects++;
	else
		shadow_store(*decode_register(context, copy_register(s, operand)),
			     s->d.operand[operand].bytes);
}

/*
 * Called with rcx: pc; rax: where to go on. Changes rax, rcx and flags. With the direction flag set
 * nothing is recorded, since C code relies on it.
 */
__asm__(".text\n"
	".globl stacks_entry\n"
	".hidden stacks_entry\n"
	".type stacks_entry, @function\n"
	"stacks_entry:\n"
	"	lea -128(%rsp), %rsp\n"
	"	push %rax\n"
	"	push %rbx\n"
	"	push %rdx\n"
	"	push %rsi\n"
	"	push %rdi\n"
	"	push %r8\n"
	"	push %r9\n"
	"	push %r10\n"
	"	push %r11\n"
	"	pushf\n"
	"	mov %rsp, %rbx\n"
	"	testl $0x400, (%rsp)\n"
	"	jnz 1f\n"
	"	mov %rcx, %rdi\n"
	"	lea 128 + 10 * 8(%rsp), %rsi\n"
	"	mov %rbp, %rdx\n"
	"	and $-16, %rsp\n"
	"	call stacks_ordered\n"
	"	mov %rbx, %rsp\n"
	"1:	lea 8(%rsp), %rsp\n"
	"	pop %r11\n"
	"	pop %r10\n"
	"	pop %r9\n"
	"	pop %r8\n"
	"	pop %rdi\n"
	"	pop %rsi\n"
	"	pop %rdx\n"
	"	pop %rbx\n"
	"	pop %rax\n"
	"	lea 128(%rsp), %rsp\n"
	"	jmp *%rax\n"
	".size stacks_entry, . - stacks_entry\n");

void stacks_ordered(uintptr_t pc, uintptr_t sp, uintptr_t bp) __attribute__((visibility("hidden")));
void stacks_ordered(uintptr_t pc, uintptr_t sp, uintptr_t bp)
{
	if (inside.threads && inside_watching())
		record((struct unwind_frame){ pc, sp, bp }, false);
}
