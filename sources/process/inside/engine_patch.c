/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Instruction punning: an instruction becomes `jmp rel32` to its logging copy. Where it is shorter
 * than the jump, the upper bytes of rel32 are those of the code behind it, which does not change:
 *
 *     48 8b 07     mov rax,(rdi)        e9 xx xx     jmp to a copy within the 64 KiB that
 *     48 85 c0     test rax,rax         48 85 c0     0x8548xxxx leaves
 *
 * So every instruction stays where it is, and code may jump to any of them. Prefixes, which a jump
 * ignores, move the jump within the instruction and give other places (as in E9Patch, Duck and
 * others, "Binary Rewriting without Control Flow Recovery", PLDI 2020, section 2.1.3 there).
 *
 * Bytes that a jump depends on must never change, so of several instructions in a row the last is
 * replaced first: a fault has those behind it replaced, too.
 */
#include "sources/process/inside/copy.h"
#include "sources/process/inside/engines.h"
#include "sources/process/inside/pages.h"

#include <sys/ucontext.h>

enum { AHEAD = 12, JUMP = 5, REACH_MAX = DECODE_BYTES + JUMP, FAR = 9, RSP = 4, RBP = 5 };

/* Whether a jump before pc depends on bytes of the instruction at pc. */
static bool depended_on(uintptr_t pc)
{
	for (uintptr_t p = pc - 1; p > pc - REACH_MAX; p--) {
		const struct site *s = sites_find(p);
		if (s && p + s->reach > pc)
			return true;
	}
	return false;
}

/* A place from..to for a copy whose entry is at a distance from the end of the jump. */
static uintptr_t take_between(uintptr_t end, int64_t from, int64_t to, size_t bytes)
{
	const int64_t lowest = 1 << 16, highest = (INT64_C(1) << MEM_ADDRESS_BITS) - (1 << 16);
	int64_t first = (int64_t)end + from - 1, last = (int64_t)end + to - 1;
	first = first < lowest ? lowest : first;
	last = last > highest ? highest : last;
	return first <= last ? pages_take((uintptr_t)first, (uintptr_t)last, bytes) : 0;
}

/* A place for a copy, when the jump begins k bytes behind pc. */
static uintptr_t take(const struct site *s, unsigned k, size_t bytes)
{
	unsigned own = s->d.length - 1U - k;
	uintptr_t end = s->pc + k + JUMP;
	const int64_t close = 1 << 24, far = INT64_C(0x70000000);
	if (own >= 4) {
		uintptr_t at = take_between(end, -far, -close, bytes);
		return at ? at : take_between(end, close, far, bytes);
	}
	uint32_t upper = 0;
	for (unsigned i = own; i < 4; i++)
		upper |= (uint32_t)((const uint8_t *)s->pc)[k + 1 + i] << 8 * i;
	int64_t from = (int32_t)upper;
	return take_between(end, from, from + (INT64_C(1) << 8 * own) - 1, bytes);
}

/* Replaces one instruction. */
static bool patch(struct site *s)
{
	uint8_t code[COPY_MAX], text[DECODE_BYTES + JUMP];
	struct copy l;
	if (s->state == MEM_SITE_PATCHED || s->patch_failed)
		return s->state == MEM_SITE_PATCHED;
	s->patch_failed = true;
	if (s->copy.at || s->d.form == FORM_STRING || s->number[0] == 0 || depended_on(s->pc))
		return false;
	size_t n = copy_make(s, s->pc, true, code, &l) + FAR;
	if (n == FAR)
		return false;
	unsigned k = 0;
	uintptr_t at = 0;
	while (k < s->d.length && !(at = take(s, k, n)))
		k++;
	if (!at)
		return false;
	n = copy_make(s, at, true, code, &l);
	int32_t rel = (int32_t)(at + l.entry - (s->pc + k + JUMP));
	unsigned own = s->d.length - 1U - k;
	for (unsigned i = 0; i < k; i++)
		text[i] = 0x26;
	text[k] = 0xe9;
	raw_copy(text + k + 1, &rel, 4);
	if (!pages_write(at, code, n) || !pages_write(s->pc, text, k + 1 + (own < 4 ? own : 4))) {
		pages_return(at, n + FAR);
		return false;
	}
	s->copy = l;
	s->reach = (uint8_t)(k + JUMP);
	sites_placed(s);
	sites_state(s, MEM_SITE_PATCHED);
	return true;
}

/* Whether an instruction ahead is worth replacing before it faults: its operand is not a local. */
static bool likely(const struct decode *d, const ucontext_t *context)
{
	uint64_t sp = (uint64_t)context->uc_mcontext.gregs[REG_RSP];
	uint64_t bp = (uint64_t)context->uc_mcontext.gregs[REG_RBP];
	const struct decode_operand *o = &d->operand[0];
	if (d->form != FORM_PLAIN || o->base == RSP)
		return false;
	return o->base != RBP || bp < sp || bp - sp > 1 << 20;
}

bool engine_patch(struct site *s, const ucontext_t *context)
{
	struct site *ahead[AHEAD] = { s };
	unsigned n = 1;
	if (s->patch_failed || s->d.form == FORM_STRING || s->d.form == FORM_OTHER)
		return false;
	struct decode d = s->d;
	for (uintptr_t pc = s->pc; n < AHEAD && !d.branch;) {
		pc += d.length;
		struct site *known = sites_find(pc);
		if (known)
			d = known->d;
		else if (!decode(pc, &d))
			break;
		if (!likely(&d, context))
			continue;
		ahead[n] = known ? known : sites_make(pc);
		if (!ahead[n])
			break;
		n++;
	}
	while (n > 0)
		patch(ahead[--n]);
	return s->state == MEM_SITE_PATCHED;
}
