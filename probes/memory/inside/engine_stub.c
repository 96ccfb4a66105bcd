/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/* An engine with one fault for each access. Watched memory stays closed. */
#include "probes/memory/inside/copy.h"
#include "probes/memory/inside/engines.h"
#include "probes/memory/inside/pages.h"
#include "probes/memory/inside/stacks.h"

#include <sys/ucontext.h>

enum { RCX = 1, DIRECTION_FLAG = 0x400 };

/* Gives a site a copy with only a tail. */
static bool make_tail(struct site *s)
{
	uint8_t code[COPY_MAX];
	struct copy l;
	if (s->copy.at)
		return true;
	size_t n = copy_make(s, UINT64_C(1) << 62, false, code, &l);
	uintptr_t at = n ? pages_take_anywhere(n) : 0;
	if (!at)
		return false;
	n = copy_make(s, at, false, code, &l);
	if (!pages_write(at, code, n)) {
		pages_return(at, n);
		return false;
	}
	s->copy = l;
	sites_placed(s, n);
	return true;
}

/* The memory that one operand of a string instruction goes through. */
struct run {
	uintptr_t low;
	uint64_t bytes;
	int64_t distance;
};

/*
 * Finds the memory of an operand. Returns false if the memory is only partly watched, or if its
 * pages have different distances to their aliases.
 */
static bool find_run(struct run *r, uintptr_t at, uint64_t times, unsigned bytes, bool down)
{
	r->bytes = times * bytes;
	r->low = down ? at - (times - 1) * bytes : at;
	if (r->low >> MEM_ADDRESS_BITS || r->bytes >> MEM_ADDRESS_BITS)
		return false;
	uint8_t first = mirror_pages[r->low >> 12];
	for (uintptr_t p = r->low >> 12; p <= (r->low + r->bytes - 1) >> 12; p++)
		if (mirror_pages[p] != first)
			return false;
	r->distance = mirror_distances[first];
	return true;
}

/* How many rounds cmps or scas will do with its rep prefix. */
static uint64_t compared(const struct site *s, const ucontext_t *context, const struct run *runs,
			 uint64_t most, bool down)
{
	bool while_same = true;
	for (unsigned i = 0; i < s->d.modrm + 1U && i < s->d.length; i++)
		if (s->d.bytes[i] == 0xf2)
			while_same = false;
	unsigned bytes = s->d.operand[0].bytes;
	uint64_t accumulator = (uint64_t)context->uc_mcontext.gregs[REG_RAX];
	for (uint64_t i = 0; i < most; i++) {
		uint64_t away = (down ? most - 1 - i : i) * bytes;
		const char *a = (const char *)(runs[0].low + (uintptr_t)runs[0].distance + away);
		const char *b = s->d.operands == 2
					? (const char *)(runs[1].low + (uintptr_t)runs[1].distance + away)
					: (const char *)&accumulator;
		if ((raw_same(a, b, bytes) != 0) != while_same)
			return i + 1;
	}
	return most;
}

static void record_run(const struct site *s, const ucontext_t *context, unsigned i,
		       const struct run *r, uint64_t times, bool down)
{
	const struct decode_operand *o = &s->d.operand[i];
	if (r->distance == 0)
		return;
	uintptr_t low = down ? r->low + r->bytes - times * o->bytes : r->low;
	stacks_access(s->pc, context, low, times * o->bytes, o->kind);
	ring_access(s->d.is.repeated ? 0 : s->number[i], s->pc, low, times * o->bytes, o->kind);
}

/*
 * Executes a string instruction by its copy. The distance to the aliases is added to rsi and rdi
 * before it, and subtracted after it.
 */
static bool stub_string(struct site *s, ucontext_t *context)
{
	uint64_t times = s->d.is.repeated ? *decode_register(context, RCX) : 1;
	bool down = context->uc_mcontext.gregs[REG_EFL] & DIRECTION_FLAG;
	struct run runs[DECODE_OPERANDS] = { { 0, 0, 0 } };
	if (times == 0 || times >> 40)
		return false;
	for (unsigned i = 0; i < s->d.operands; i++) {
		const struct decode_operand *o = &s->d.operand[i];
		uintptr_t at = decode_address(&s->d, i, s->pc, context);
		if (!find_run(&runs[i], at, times, o->bytes, down))
			return false;
	}
	if (!make_tail(s))
		return false;
	if (s->d.is.compares && s->d.is.repeated)
		times = compared(s, context, runs, times, down);
	for (unsigned round = 0; round < 2; round++)
		for (unsigned i = 0; i < s->d.operands; i++)
			if ((s->d.operand[i].kind == MEM_SAVE) == round)
				record_run(s, context, i, &runs[i], times, down);
	inside_self.scratch[KEEP_ADDRESS] = *decode_register(context, s->copy.address);
	for (unsigned i = 0; i < s->d.operands; i++) {
		unsigned r = s->d.operand[i].base;
		*decode_register(context, r) += (uint64_t)runs[i].distance;
		inside_self.scratch[copy_moved(r)] = (uint64_t)runs[i].distance;
	}
	return true;
}

bool engine_stub(struct site *s, ucontext_t *context)
{
	if (s->d.form == FORM_NONE || s->d.form == FORM_OTHER)
		return false;
	if (s->d.form == FORM_STRING) {
		if (!stub_string(s, context))
			return false;
	} else {
		uintptr_t at = decode_address(&s->d, 0, s->pc, context);
		if (!mirror_covers(at) || !make_tail(s))
			return false;
		engine_record(s, context);
		uint64_t *address = decode_register(context, s->copy.address);
		inside_self.scratch[KEEP_ADDRESS] = *address;
		inside_self.scratch[KEEP_STAMPED] = 1;
		*address = (uint64_t)mirror_alias((void *)at);
	}
	context->uc_mcontext.gregs[REG_RIP] = (greg_t)(s->copy.at + s->copy.tail);
	if (s->state == MEM_SITE_STEPPED)
		sites_state(s, MEM_SITE_STUBBED);
	return true;
}
