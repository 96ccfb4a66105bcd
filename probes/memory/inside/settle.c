/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "probes/memory/inside/settle.h"

#include "probes/memory/inside/copy.h"
#include "probes/memory/inside/stretch.h"

#include <sys/ucontext.h>

enum { RCX = 1, LOW_FLAGS = 0xd5, OVERFLOW_FLAG = 0x800 };

static void set_pc(ucontext_t *context, uintptr_t pc)
{
	context->uc_mcontext.gregs[REG_RIP] = (greg_t)pc;
}

/*
 * The address of the program's code for one where copies go on: the beginning of a stretch, or
 * code.
 */
static uintptr_t own_pc(uintptr_t to)
{
	const struct site *s = sites_of_copy(to);
	return s && s->stretch ? s->pc : to;
}

void settle_return(const struct site *s, ucontext_t *context)
{
	const uintptr_t away = (uintptr_t)context->uc_mcontext.gregs[REG_RIP] - s->copy.at;
	if (away >= s->copy.committed) {
		set_pc(context, own_pc(inside_self.scratch[KEEP_TARGET]));
		return;
	}
	const uintptr_t back = copy_returns_at(s), before = s->returns - 1U;
	if (away >= s->copy.saved)
		settle_unsave(s, context);
	if (away < s->copy.lookup)
		set_pc(context, s->pc + (away ? s->d.length : 0U));
	else
		set_pc(context, away < before ? s->pc + away : back);
}

/* At a jump by a door, ff 25 and the distance of the door: the thread is where that leads. */
static void settle_door(ucontext_t *context)
{
	enum { BYTES = 6, OPCODE = 2 };
	const uintptr_t pc = (uintptr_t)context->uc_mcontext.gregs[REG_RIP];
	int32_t away;
	raw_copy(&away, (const void *)(pc + OPCODE), sizeof away);
	const struct door *d = (const void *)(pc + BYTES + (uint64_t)(int64_t)away);
	set_pc(context, d->pc);
}

void stretch_settle(const struct site *s, ucontext_t *context)
{
	const uintptr_t away = (uintptr_t)context->uc_mcontext.gregs[REG_RIP] - s->copy.at;
	const struct copy_part *p = settle_part(s, away);
	if (away < s->copy.tail) {
		if (away == 0 || away >= s->copy.saved)
			settle_unsave(s, context);
		set_pc(context, s->pc);
		return;
	}
	if (!p) {
		settle_door(context);
		return;
	}
	if (p->committed && away >= p->saved)
		settle_unsave(s, context);
	if (p->committed && away >= p->committed)
		inside_self.counters[p->number]--;
	set_pc(context, s->pc + p->away);
}

/* Restores the flags that lahf and seto have saved. */
static void unsave_flags(ucontext_t *context)
{
	const uint64_t kept = inside_self.scratch[KEEP_FLAGS];
	greg_t *flags = &context->uc_mcontext.gregs[REG_EFL];
	*flags &= ~(greg_t)(LOW_FLAGS | OVERFLOW_FLAG);
	*flags |= (greg_t)(kept >> 8 & LOW_FLAGS) | (kept & 1 ? OVERFLOW_FLAG : 0);
}

const struct copy_part *settle_part(const struct site *s, uintptr_t away)
{
	for (unsigned i = 0; i < s->copy.parts; i++)
		if (away >= s->copy.part[i].at && away < s->copy.part[i].end)
			return &s->copy.part[i];
	return NULL;
}

void settle_unsave(const struct site *s, ucontext_t *context)
{
	const uintptr_t away = (uintptr_t)context->uc_mcontext.gregs[REG_RIP] - s->copy.at;
	const struct copy_part *p = settle_part(s, away);
	if (p) {
		if (p->value != REGISTER_NONE)
			*decode_register(context, p->value) = inside_self.scratch[KEEP_RCX];
		if (p->pointer != REGISTER_NONE)
			*decode_register(context, p->pointer) = inside_self.scratch[KEEP_TEMPORARY];
		return;
	}
	if (s->d.is.stamped) {
		context->uc_mcontext.gregs[REG_RAX] = (greg_t)inside_self.scratch[KEEP_TARGET];
		if (away == 0 || away >= s->copy.flagged)
			unsave_flags(context);
	}
	*decode_register(context, RCX) = inside_self.scratch[KEEP_RCX];
	*decode_register(context, s->copy.address) = inside_self.scratch[KEEP_ADDRESS];
	*decode_register(context, s->copy.temporary) = inside_self.scratch[KEEP_TEMPORARY];
}

void settle_stamp(const struct site *s, uintptr_t away, ucontext_t *context)
{
	const uint64_t stamp = (uint64_t)context->uc_mcontext.gregs[REG_RCX];
	if (away < s->copy.after.taken || away == s->copy.after.slow)
		ring_wait();
	else
		ring_event(MEM_STAMP, &stamp, 1);
	set_pc(context, s->copy.at + s->copy.after.leave);
}

void fault_settle(ucontext_t *context)
{
	uintptr_t pc = (uintptr_t)context->uc_mcontext.gregs[REG_RIP];
	lock_take(&sites_lock);
	const struct site *s = sites_of_copy(pc);
	if (s && s->stretch)
		stretch_settle(s, context);
	else if (s && s->returns)
		settle_return(s, context);
	const uintptr_t jumps = s ? 0 : sites_of_nop(pc);
	if (jumps)
		set_pc(context, jumps);
	lock_give(&sites_lock);
	if (!s || pc != (uintptr_t)context->uc_mcontext.gregs[REG_RIP])
		return;
	const uintptr_t away = pc - s->copy.at;
	const struct copy_part *p = settle_part(s, away);
	if (p && !p->committed)
		set_pc(context, s->pc + p->away + (away - p->at));
	if (p && away < p->committed) {
		if (away >= p->saved)
			settle_unsave(s, context);
		set_pc(context, s->pc + p->away);
	}
	if (p || (away && s->copy.parts && away < s->copy.other))
		return;
	if (s->d.form == FORM_NONE && away == 0)
		set_pc(context, s->pc);
	if (s->d.is.stamped && ((away >= s->copy.after.flagged && away < s->copy.after.leave) ||
			       away == s->copy.after.slow))
		settle_stamp(s, away, context);
	if (away >= s->copy.committed)
		return;
	if (s->d.is.stamped && away >= s->copy.taken) {
		const uint64_t stamp = (uint64_t)context->uc_mcontext.gregs[REG_RCX];
		ring_event(MEM_STAMP, &stamp, 1);
	}
	if (away >= s->copy.saved || away == 0)
		settle_unsave(s, context);
	set_pc(context, s->pc);
}
