/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * The method of MadT (section II.A of the paper): open the page, execute one instruction, close the
 * page.
 */
#include "probes/memory/inside/copy.h"
#include "probes/memory/inside/elements.h"
#include "probes/memory/inside/engines.h"
#include "probes/memory/inside/stacks.h"

#include <signal.h>
#include <sys/mman.h>
#include <sys/ucontext.h>

enum { OPENED_MAX = sizeof inside_self.opened / sizeof *inside_self.opened, TRAP_FLAG = 0x100 };

/* Records the elements of an operand that are watched. */
static void record_elements(const struct site *s, const ucontext_t *context)
{
	const struct decode_operand *o = &s->d.operand[0];
	struct element list[ELEMENTS_MAX];
	const unsigned n = elements_of(&s->d, s->pc, context, list);
	if (o->shape == DECODE_UNKNOWN)
		inside_unseen(MEM_UNSEEN_KIND);
	for (unsigned i = 0; i < n; i++)
		if (mirror_covers(list[i].at)) {
			stacks_access(s->pc, context, list[i].at, list[i].bytes, o->kind);
			ring_access(list[i].bytes == o->bytes ? s->number[0] : 0, s->pc, list[i].at,
				    list[i].bytes, o->kind);
		}
}

static void record_operand(const struct site *s, unsigned i, const ucontext_t *context)
{
	const struct decode_operand *o = &s->d.operand[i];
	const uintptr_t at = decode_address(&s->d, i, s->pc, context);
	if (o->shape == DECODE_WHOLE || o->shape == DECODE_BIT) {
		if (!mirror_covers(at))
			return;
		stacks_access(s->pc, context, at, o->bytes, o->kind);
		ring_access(s->number[i], s->pc, at, o->bytes, o->kind);
	} else if (o->shape == DECODE_MASKED && mirror_covers(at) && s->number[i]) {
		stacks_access(s->pc, context, at, o->bytes, o->kind);
		ring_lanes(elements_mask(&s->d, context));
		ring_access(s->number[i], s->pc, at, o->bytes, o->kind);
	} else {
		record_elements(s, context);
	}
}

void engine_record(const struct site *s, const ucontext_t *context)
{
	if (s->d.is.stamped)
		ring_stamp();
	for (unsigned round = 0; round < 2; round++)
		for (unsigned i = 0; i < s->d.operands; i++)
			if ((s->d.operand[i].kind == MEM_SAVE) == round)
				record_operand(s, i, context);
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
	atomic_fetch_add_explicit(&inside.channel->count.steps, 1, memory_order_relaxed);
	if (inside.threads)
		inside_unseen(MEM_UNSEEN_STEP);
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
	struct element list[ELEMENTS_MAX];
	engine_record(s, context);
	open_page(at);
	const bool whole = s->d.operands == 0 || s->d.operand[0].shape == DECODE_WHOLE;
	const unsigned n = whole ? 0 : elements_of(&s->d, s->pc, context, list);
	for (unsigned i = 0; i < n; i++) {
		open_page(list[i].at);
		open_page(list[i].at + list[i].bytes - 1);
	}
	for (unsigned i = whole ? 0 : 1; i < s->d.operands; i++) {
		uintptr_t from = decode_address(&s->d, i, s->pc, context);
		open_page(from);
		open_page(from + s->d.operand[i].bytes - 1);
	}
	/* nfamem has let go meanwhile, so all memory is open and no step is needed. */
	if (inside_self.opened_count == 0)
		return;
	inside_self.stamps = s->d.is.stamped;
	inside_self.gathers = 0;
	if (!whole && s->d.operand[0].shape == DECODE_INDEXED)
		inside_self.gathers = s->pc;
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

bool engine_stepped(ucontext_t *context, bool trapped)
{
	struct inside_thread *t = &inside_self;
	if (t->opened_count == 0)
		return false;
	/* A gather may trap after each element. It goes on with those that are left. */
	if (trapped && t->gathers == (uintptr_t)context->uc_mcontext.gregs[REG_RIP])
		return true;
	t->gathers = 0;
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
