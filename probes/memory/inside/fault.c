/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/* The handlers of SIGSEGV and SIGTRAP. */
#include "probes/memory/inside/calls.h"
#include "probes/memory/inside/copy.h"
#include "probes/memory/inside/engines.h"
#include "probes/memory/inside/grounds.h"
#include "probes/memory/inside/locals.h"
#include "probes/memory/inside/made.h"
#include "probes/memory/inside/modules.h"
#include "probes/memory/inside/pages.h"
#include "probes/memory/inside/settle.h"
#include "probes/memory/inside/stacks.h"
#include "probes/memory/inside/stretch.h"

#include <signal.h>
#include <sys/mman.h>
#include <sys/ucontext.h>

/* The program's handlers with SA_ONSTACK run on this stack, too. Unused pages cost nothing. */
enum { STACK_BYTES = 1 << 20 };
enum { NOT_SURE_JUMP = 5 };
enum { FAULT_STORE = 2 }; /* a bit in the error code of a page fault */

__asm__(".text\n"
	".globl inside_restorer\n"
	".hidden inside_restorer\n"
	".type inside_restorer, @function\n"
	"inside_restorer:\n"
	"	mov $15, %eax\n"
	"	syscall\n"
	"	nop\n"
	".size inside_restorer, . - inside_restorer\n");

/* Whether an instruction can be replaced while several threads run. */
static bool replaces;

static void set_pc(ucontext_t *context, uintptr_t pc)
{
	context->uc_mcontext.gregs[REG_RIP] = (greg_t)pc;
}

/*
 * The instruction itself faulted. Changes the context and the siginfo to what the program would see
 * without a copy.
 */
static void blame(const struct site *s, ucontext_t *context, siginfo_t *info)
{
	for (unsigned i = 0; i < s->d.operands && s->d.form == FORM_STRING; i++) {
		unsigned r = s->d.operand[i].base;
		*decode_register(context, r) -= inside_self.scratch[copy_moved(r)];
	}
	if (s->d.form != FORM_NONE)
		*decode_register(context, s->copy.address) = inside_self.scratch[KEEP_ADDRESS];
	set_pc(context, s->pc);
	info->si_addr = mirror_own(info->si_addr);
}

/*
 * Whether an access of a copy begins in one page and the fault was in another page of the access.
 */
static bool crosses(const struct site *s, ucontext_t *context, uintptr_t at)
{
	for (unsigned i = 0; i < s->d.operands; i++) {
		uintptr_t from = *decode_register(context, copy_register(s, i));
		if (at - from < s->d.operand[i].bytes && (at ^ from) >= INSIDE_PAGE)
			return true;
	}
	return false;
}

/*
 * Whether the thread tries the instruction again. Another thread may have opened the page for good
 * since the fault. If the same instruction faults at the same address twice, the fault is the
 * program's own.
 */
static bool tries_again(uintptr_t pc, uintptr_t at)
{
	struct inside_thread *t = &inside_self;
	bool again = inside.threads && (t->retried[0] != pc || t->retried[1] != at);
	t->retried[0] = pc;
	t->retried[1] = at;
	return again;
}

/*
 * An instruction with prefix gs faulted, since its memory is not watched, or may not be accessed.
 * From now on, the program's own instruction is executed, or the rest of its copy.
 */
static void not_sure(struct site *s, const struct copy_part *p, ucontext_t *context)
{
	const uintptr_t from = s->copy.at + p->at, pc = s->pc + p->away;
	const uintptr_t to = p->away ? pc : s->copy.at + s->copy.other;
	const int64_t far = (int64_t)(to - (from + NOT_SURE_JUMP));
	uint8_t jump[NOT_SURE_JUMP] = { 0xe9 };
	struct site *of = sites_find(pc);
	const int32_t distance = (int32_t)far;
	settle_unsave(s, context);
	inside_self.counters[p->number]--;
	if (of)
		of->copy_unsure = true;
	set_pc(context, to);
	if (far != distance)
		return;
	raw_copy(jump + 1, &distance, sizeof distance);
	pages_begin();
	if (inside.threads)
		pages_replace(from, jump, sizeof jump);
	else
		pages_write(from, jump, sizeof jump);
	pages_end_fault();
}

/* Handles a fault in the copy of a return: the stack cannot be read. */
static bool in_return(const struct site *s, const siginfo_t *info, ucontext_t *context)
{
	const uintptr_t at = (uintptr_t)info->si_addr;
	settle_return(s, context);
	if (info->si_code == SEGV_ACCERR && mirror_covers(at)) {
		grounds_found(at);
		return false;
	}
	return !tries_again(s->pc, at);
}

/* Handles a fault in a copy. Returns whether the program sees the fault. */
static bool in_copy(struct site *s, siginfo_t *info, ucontext_t *context)
{
	uintptr_t away = (uintptr_t)context->uc_mcontext.gregs[REG_RIP] - s->copy.at;
	uintptr_t at = (uintptr_t)info->si_addr;
	if (s->returns)
		return in_return(s, info, context);
	if (s->d.is.stamped && away == s->copy.after.slow) {
		settle_stamp(s, away, context);
		return false;
	}
	for (unsigned i = 0; i < s->d.operands && away != 0; i++)
		if (away == s->copy.suspect[i].lost || away == s->copy.suspect[i].unset) {
			stacks_site(s, i, context);
			set_pc(context, s->copy.at + away + 1);
			return false;
		} else if (away == s->copy.suspect[i].local) {
			locals_site(s, i, context);
			set_pc(context, s->copy.at + away + 1);
			return false;
		}
	const struct copy_part *p = settle_part(s, away);
	if (p && !p->committed) {
		set_pc(context, s->pc + p->away + (away - p->at));
		return false;
	}
	if (p && away >= p->committed) {
		not_sure(s, p, context);
		return false;
	}
	if (p) {
		/* The thread has no counters yet. */
		settle_unsave(s, context);
		ring_wait();
		set_pc(context, s->pc + p->away);
		return false;
	}
	if (s->copy.entry && away == 0) {
		settle_unsave(s, context);
		ring_wait();
		set_pc(context, s->copy.at + s->copy.entry);
		return false;
	}
	if (s->copy.entry && away < s->copy.tail && !inside_self.ring) {
		settle_unsave(s, context);
		ring_wait();
		set_pc(context, s->pc);
		return false;
	}
	if (s->copy.entry && away < s->copy.tail) {
		/* The address is not canonical: no user memory can have it. */
		settle_unsave(s, context);
		set_pc(context, s->pc);
		return true;
	}
	bool closed = info->si_code == SEGV_ACCERR && mirror_covers(at);
	bool store = context->uc_mcontext.gregs[REG_ERR] & FAULT_STORE;
	if (closed && engine_step_more(at, store))
		return false;
	if (inside_self.opened_count == 0 && crosses(s, context, at) &&
	    engine_step_copy(s, context)) {
		sites_fault(s);
		return false;
	}
	if (closed && inside_self.opened_count == 0) {
		grounds_found(at);
		return false;
	}
	/* Another thread has given this memory back, so it has no alias any more (mirror_give). */
	const bool given = mirror_was_alias(at) && tries_again(s->pc, at);
	blame(s, context, info);
	return !given;
}

/* Handles an access to watched memory by an instruction of the program. */
static void on_access(ucontext_t *context, uintptr_t at)
{
	const uintptr_t pc = (uintptr_t)context->uc_mcontext.gregs[REG_RIP];
	const bool changes = made_writable(pc);
	decode_forget();
	if (changes)
		sites_check(pc);
	struct site *s = sites_make(pc);
	sites_fault(s);
	if (!s || (s->d.form == FORM_NONE && s->d.is.stack)) {
		/*
		 * A stack is not watched. Memory is not watched either if no site can be made for
		 * its access.
		 */
		if (s) {
			grounds_found(at);
		} else {
			inside_unseen(MEM_UNSEEN_FAULT);
			mirror_give(at & ~(uintptr_t)(INSIDE_PAGE - 1), INSIDE_PAGE);
		}
		return;
	}
	if (inside.engine == MEM_STEP) {
		engine_step(s, context, at);
		return;
	}
	pages_begin();
	bool patches = inside.engine == MEM_PATCH && (!inside.threads || replaces);
	bool done = patches &&
		    (changes ? stretch_enter(s, context) : engine_patch(s, context));
	if (patches && !changes && !done)
		stretch_lead(s, context);
	done = done || engine_stub(s, context);
	pages_end_fault();
	if (!done)
		engine_step(s, context, at);
}

/*
 * A thread that has just gone to another stack may get a signal before it uses that. The kernel
 * then writes there. So each handler looks where the thread is. Returns whether the stack was
 * watched.
 */
static bool look_at_stack(const ucontext_t *context)
{
	const uintptr_t sp = (uintptr_t)context->uc_mcontext.gregs[REG_RSP];
	const bool watched = inside_self.opened_count == 0 && mirror_covers(sp - 1);
	if (watched) {
		lock_take(&sites_lock);
		grounds_found(sp - 1);
		lock_give(&sites_lock);
	}
	return watched;
}

static void on_fault(int signal, siginfo_t *info, void *with)
{
	ucontext_t *context = with;
	uintptr_t at = (uintptr_t)info->si_addr;
	bool foreign = false;
	/* SI_KERNEL: the kernel could not write a signal's frame to a stack. That signal is
	 * lost. */
	if (info->si_code == SI_KERNEL && look_at_stack(context))
		return;
	lock_take(&sites_lock);
	uintptr_t pc = (uintptr_t)context->uc_mcontext.gregs[REG_RIP];
	bool closed = info->si_code == SEGV_ACCERR;
	struct site *in = sites_of_copy(pc);
	if (in && in->stretch) {
		if (stretch_fault(in, context, closed ? at : 0))
			on_access(context, at);
	} else if (in)
		foreign = in_copy(in, info, context);
	else if (closed && engine_step_more(at, context->uc_mcontext.gregs[REG_ERR] & FAULT_STORE))
		;
	else if (closed && mirror_covers(at) && inside_self.opened_count == 0)
		on_access(context, at);
	else
		foreign = !closed || !tries_again(pc, at);
	if (foreign)
		engine_stepped(context, false);
	lock_give(&sites_lock);
	if (foreign)
		signals_foreign(signal, info, context);
	else
		look_at_stack(context);
}

static void on_trap(int signal, siginfo_t *info, void *with)
{
	ucontext_t *context = with;
	if (engine_stepped(context, true) || modules_trap(context)) {
		look_at_stack(context);
		return;
	}
	/* The int3 was part of a replacement. It is complete, because the lock was free. */
	uintptr_t pc = (uintptr_t)context->uc_mcontext.gregs[REG_RIP] - 1;
	lock_take(&sites_lock);
	bool replaced = sites_find(pc) != NULL || sites_of_copy(pc) != NULL;
	lock_give(&sites_lock);
	if (replaced)
		set_pc(context, pc);
	else
		signals_foreign(signal, info, context);
}

void fault_replaces(void)
{
	replaces = pages_can_replace();
}

bool fault_start(void)
{
	struct kernel_action a = {
		.handler = on_fault,
		.flags = SA_SIGINFO | SA_ONSTACK | KERNEL_RESTORER,
		.restorer = inside_restorer,
		.mask = ~UINT64_C(0),
	};
	long failed = raw_call(SYS_rt_sigaction, SIGSEGV, (long)&a, 0, 8, 0, 0);
	a.handler = on_trap;
	failed |= raw_call(SYS_rt_sigaction, SIGTRAP, (long)&a, 0, 8, 0, 0);
	fault_replaces();
	if (inside.engine == MEM_PATCH && !copy_can_log()) {
		inside_reason(
			"the processor has no BMI2 instructions, so each access faults, as with "
			"--engine=stub");
		inside.engine = MEM_STUB;
	}
	return failed == 0;
}

void fault_thread(void)
{
	void *p = raw_mmap(0, STACK_BYTES, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (!raw_good(p))
		return;
	stack_t s = { .ss_sp = p, .ss_size = STACK_BYTES }, before = { .ss_flags = SS_DISABLE };
	RAW3(SYS_sigaltstack, &s, &before, 0);
	/* The deepest part of the stack: what is left there is too little for a handler. */
	signals_thread(p, &before);
}
