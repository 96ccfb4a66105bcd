/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * The method of MadT (section II.A of the paper): open the page, execute one instruction, close the
 * page.
 */
#include "probes/memory/inside/copy.h"
#include "probes/memory/inside/engines.h"

#include <signal.h>
#include <sys/mman.h>
#include <sys/ucontext.h>

enum { OPENED_MAX = sizeof inside_self.opened / sizeof *inside_self.opened, TRAP_FLAG = 0x100 };

void engine_record(const struct site *s, const ucontext_t *context)
{
	if (s->d.is.atomic)
		ring_stamp();
	for (unsigned round = 0; round < 2; round++) {
		for (unsigned i = 0; i < s->d.operands; i++) {
			const struct decode_operand *o = &s->d.operand[i];
			uintptr_t at = decode_address(&s->d, i, s->pc, context);
			if ((o->kind == MEM_SAVE) == round && !o->vector && mirror_covers(at))
				ring_access(s->number[i], s->pc, at, o->bytes, o->kind);
		}
	}
}

/*
 * Opens the page of an address until the single step is done. A page may need opening twice,
 * because another thread closes it when its own step is done. Returns false if the page is not
 * watched, or if too many pages are open.
 */
static bool open_page(uintptr_t at)
{
	struct inside_thread *t = &inside_self;
	uint32_t i = 0;
	at &= ~(uintptr_t)(INSIDE_PAGE - 1);
	while (i < t->opened_count && t->opened[i] != at)
		i++;
	if (i == OPENED_MAX || !mirror_covers(at))
		return false;
	t->opened[i] = at;
	if (i == t->opened_count)
		t->opened_count++;
	raw_mprotect(at, INSIDE_PAGE, mirror_prot(at));
	return true;
}

/*
 * Prepares the single step. Blocks all signals until the trap, except those that the instruction
 * itself can cause.
 */
static void begin_step(ucontext_t *context)
{
	struct inside_thread *t = &inside_self;
	uint64_t mask, causes = UINT64_C(1) << (SIGSEGV - 1) | UINT64_C(1) << (SIGTRAP - 1) |
				UINT64_C(1) << (SIGFPE - 1) | UINT64_C(1) << (SIGILL - 1) |
				UINT64_C(1) << (SIGBUS - 1) | UINT64_C(1) << (SIGSYS - 1);
	raw_copy(&t->step_mask, &context->uc_sigmask, sizeof t->step_mask);
	mask = ~causes;
	raw_copy(&context->uc_sigmask, &mask, sizeof mask);
	context->uc_mcontext.gregs[REG_EFL] |= TRAP_FLAG;
}

void engine_step(const struct site *s, ucontext_t *context, uintptr_t at)
{
	engine_record(s, context);
	/* A gather has many addresses. Only the element that faulted is recorded. */
	for (unsigned i = 0; i < s->d.operands; i++)
		if (s->d.operand[i].vector)
			ring_access(s->number[i], s->pc, at, s->d.operand[i].bytes,
				    s->d.operand[i].kind);
	open_page(at);
	for (unsigned i = 0; i < s->d.operands; i++) {
		uintptr_t from = decode_address(&s->d, i, s->pc, context);
		open_page(from);
		open_page(from + s->d.operand[i].bytes - 1);
	}
	inside_self.stamps = s->d.is.atomic;
	begin_step(context);
}

bool engine_step_copy(const struct site *s, ucontext_t *context)
{
	for (unsigned i = 0; i < s->d.operands; i++) {
		uint64_t *r = decode_register(context, copy_register(s, i));
		*r = (uint64_t)mirror_own((const void *)*r);
		open_page(*r);
		open_page(*r + s->d.operand[i].bytes - 1);
	}
	if (inside_self.opened_count == 0)
		return false;
	inside_self.scratch[KEEP_RSI_MOVED] = inside_self.scratch[KEEP_RDI_MOVED] = 0;
	begin_step(context);
	return true;
}

bool engine_step_more(uintptr_t at, bool store)
{
	if (inside_self.opened_count == 0 || !mirror_covers(at))
		return false;
	int allowed = mirror_prot(at);
	return allowed > 0 && (allowed & (store ? PROT_WRITE : PROT_READ)) && open_page(at);
}

bool engine_stepped(ucontext_t *context)
{
	struct inside_thread *t = &inside_self;
	if (t->opened_count == 0)
		return false;
	while (t->opened_count) {
		uintptr_t at = t->opened[--t->opened_count];
		if (mirror_covers(at))
			raw_mprotect(at, INSIDE_PAGE, PROT_NONE);
	}
	if (t->stamps)
		ring_stamp();
	t->stamps = false;
	context->uc_mcontext.gregs[REG_EFL] &= ~(greg_t)TRAP_FLAG;
	raw_copy(&context->uc_sigmask, &t->step_mask, sizeof t->step_mask);
	return true;
}
