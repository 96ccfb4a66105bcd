/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Instruction punning. An instruction is replaced by `jmp rel32` to its logging copy. The jump has
 * 5 bytes. If the instruction is shorter, the upper bytes of rel32 are the bytes of the next
 * instructions, and these bytes do not change. They fix the upper part of the jump's distance:
 *
 *     48 8b 07     mov rax,(rdi)        e9 xx xx     jmp to a copy in the 64 KiB of memory that
 *     48 85 c0     test rax,rax         48 85 c0     rel32 = 0x8548xxxx can reach
 *
 * So every instruction keeps its address, and code may jump to any instruction. Prefixes before the
 * jump have no effect, but they shift the jump within the instruction. That gives other possible
 * places for the copy. The method is from E9Patch (Duck and others, "Binary Rewriting without
 * Control Flow Recovery", PLDI 2020, section 2.1.3).
 *
 * Bytes that a jump depends on must never change again. So of several instructions in a row, the
 * last one is replaced first. For that reason a fault also replaces instructions that come after
 * the one that faulted. A copy that counts goes on to them itself (copy_count.c). Then only those are
 * replaced whose bytes the jump depends on; the others if they fault. Of the possible places for
 * the last copy, one is chosen that leaves a possible place for the copy before it.
 *
 * If there is no place, but a nop of eight bytes or more within some hundred bytes, as compilers
 * put them before aligned code, a short jump leads there, and the nop holds the jump to the copy:
 *
 *     8b 07                      mov eax,(rdi)      eb xx
 *     c3                         ret                c3
 *     0f 1f 84 00 00 00 00 00    nop                0f 1f 84 e9 xx xx xx xx
 *
 * Its last five bytes belong to an address that it does not use, so it still does nothing if the
 * program executes it.
 */
#include "probes/memory/inside/copy.h"
#include "probes/memory/inside/engines.h"
#include "probes/memory/inside/made.h"
#include "probes/memory/inside/pages.h"

#include <sys/ucontext.h>

enum {
	AHEAD = 24,
	STEPS = 96,
	DEEPEST = 8,
	JUMP = 5,
	REACH_MAX = DECODE_BYTES + JUMP,
	FAR = 9,
	LOW_END = 0x70000000, /* no jump goes further than that */
	SHORT_JUMP = 2,
	SHORT_FAR = 120,
	RSP = 4,
	RBP = 5
};

/* Whether the jump of an earlier site depends on bytes of the instruction at pc. */
static bool depended_on(uintptr_t pc)
{
	for (uintptr_t p = pc - 1; p > pc - REACH_MAX; p--) {
		const struct site *s = sites_find(p);
		if (s && p + s->reach > pc)
			return true;
	}
	return false;
}

/*
 * Takes a place for the copy of an instruction. k is the number of prefixes before the jump.
 * `behind` points to the bytes after the instruction.
 *
 * With `vary` from 1 to 15, some bits of rel32 must have that value. Other jumps that depend on
 * these bytes then get other places. With 0 any place is right. Near either end of the address
 * space, copies can lie on one side of pc only. Then the sign bits of the first two bytes of rel32
 * are set to fit, because these bytes may become the upper bytes of the jump of the instruction
 * before this one.
 */
static uintptr_t take_copy_place(const struct site *s, unsigned k, size_t bytes,
				 const uint8_t *behind, unsigned vary)
{
	const int64_t lowest = 1 << 16, highest = (INT64_C(1) << MEM_ADDRESS_BITS) - (1 << 16);
	const int64_t far = LOW_END;
	unsigned own = s->d.length - 1U - k;
	int64_t end = (int64_t)s->pc + k + JUMP, first, last;
	uint32_t upper = 0;
	for (unsigned i = own; i < 4; i++)
		upper |= (uint32_t)behind[i - own] << 8 * i;
	first = own >= 4 ? end - far : end + (int32_t)upper;
	last = own >= 4 ? end + far : first + (INT64_C(1) << 8 * own) - 1;
	/* A copy with a head begins with the hlt, and the jump goes to the byte after it. */
	int64_t entry = s->d.form != FORM_NONE;
	first = first - entry < lowest ? lowest : first - entry;
	last = last - entry > highest ? highest : last - entry;
	if (first > last)
		return 0;
	struct pages_want want = { (uintptr_t)first, (uintptr_t)last, (uintptr_t)(end - entry), 0,
				   0 };
	if (vary) {
		want.mask = own >= 2 ? 0xf0f0 : 0xf0;
		want.value = (vary << 4 | vary << 12) & want.mask;
		return pages_take(&want, bytes);
	}
	if (own >= 2 && (end > highest - far || end < far)) {
		want.mask = 0x8080;
		want.value = end < far ? 0 : want.mask;
		uintptr_t at = pages_take(&want, bytes);
		if (at)
			return at;
		want.mask = want.value = 0;
	}
	return pages_take(&want, bytes);
}

/* A planned replacement: where the jump begins in the instruction, and where the copy will be. */
struct plan {
	unsigned k;
	uintptr_t at;
	size_t bytes;
	uint8_t text[DECODE_BYTES + JUMP]; /* the bytes to write at pc */
	size_t text_bytes;
	uint8_t reach; /* bytes from pc on that the jump depends on */
	uint8_t code[COPY_MAX]; /* the copy */
	size_t code_bytes;
	struct copy copy;
};

/*
 * The fewest prefixes before the jump. Near the low end of the address space, no jump goes back.
 * Then e9 cannot be the last byte of another jump, but a prefix can. So one is put before a jump
 * that has room for it.
 */
static unsigned prefixed(const struct site *s)
{
	return s->d.length > JUMP && s->pc < LOW_END;
}

/*
 * Plans the replacement of a site, with at least so many prefixes. Returns false if there is no
 * place for its copy.
 */
static bool find_prefixed_place(const struct site *s, unsigned prefixes, const uint8_t *behind,
				unsigned vary, struct plan *p)
{
	bool logs = s->d.form != FORM_NONE;
	p->bytes = copy_make(s, s->pc, logs, p->code, &p->copy);
	if (p->bytes == 0)
		return false;
	p->bytes += 2 * FAR;
	p->k = prefixes;
	while (p->k < s->d.length && !(p->at = take_copy_place(s, p->k, p->bytes, behind, vary)))
		p->k++;
	if (p->k == s->d.length)
		return false;
	/* The jump has bytes of what lies behind, which must not change without notice. */
	if (p->k + JUMP > s->d.length && made_writable(s->pc + p->k + JUMP - 1)) {
		pages_return(p->at, p->bytes);
		return false;
	}
	p->code_bytes = copy_make(s, p->at, logs, p->code, &p->copy);
	int32_t rel = (int32_t)(p->at + p->copy.entry - (s->pc + p->k + JUMP));
	unsigned own = s->d.length - 1U - p->k;
	for (unsigned i = 0; i < p->k; i++)
		p->text[i] = 0x26;
	p->text[p->k] = 0xe9;
	raw_copy(p->text + p->k + 1, &rel, 4);
	p->text_bytes = p->k + 1 + (own < 4 ? own : 4);
	p->reach = (uint8_t)(p->k + JUMP);
	return true;
}

static bool find_place(const struct site *s, const uint8_t *behind, unsigned vary, struct plan *p)
{
	return find_prefixed_place(s, prefixed(s), behind, vary, p);
}

static bool write_text(uintptr_t pc, const uint8_t *text, size_t bytes)
{
	return inside.threads ? pages_replace(pc, text, bytes) : pages_write(pc, text, bytes);
}

/* Notes in the channel that a copy goes on to other sites. Those that faulted have their own
 * state. */
static void mark_parts(const struct copy *l)
{
	struct mem_site *all = mem_sites(inside.channel);
	for (unsigned i = 1; i < l->parts; i++)
		if (l->part[i].committed && all[l->part[i].number].faults == 0)
			all[l->part[i].number].state = MEM_SITE_PATCHED;
}

/* Carries out a plan: writes the copy, then the jump. */
static bool carry_out(struct site *s, const struct plan *p)
{
	if (p->code_bytes > p->bytes) {
		pages_return(p->at, p->bytes);
		return false;
	}
	bool again = s->copy.at, keeps = !again || sites_keep_copy(s);
	if (!keeps || !pages_write(p->at, p->code, p->code_bytes) ||
	    !write_text(s->pc, p->text, p->text_bytes)) {
		if (again && keeps)
			sites_placed(s, s->room);
		pages_return(p->at, p->bytes);
		return false;
	}
	s->copy = p->copy;
	s->reach = p->reach;
	sites_placed(s, p->bytes);
	sites_state(s, MEM_SITE_PATCHED);
	mark_parts(&s->copy);
	return true;
}

/* Whether an instruction is a nop that holds the jump of another one. */
static bool holds_jump(const struct site *s)
{
	for (unsigned i = 0; i < s->d.length; i++)
		if (sites_of_nop(s->pc + i))
			return true;
	return false;
}

/* Whether an instruction can still be replaced, or be replaced again with another jump. */
static bool can_choose(const struct site *s)
{
	/* The copy of a return is made of the program's bytes, which are no longer there. */
	if (s->returns || s->apart || holds_jump(s))
		return false;
	bool replaced = s->reach, moves = !s->copy.at && !s->patch_failed && copy_can_move(&s->d);
	return (replaced || moves) && !depended_on(s->pc);
}

static bool patch(struct site *s, unsigned depth);

/*
 * Replaces the instructions after this one first, if its jump may depend on their bytes. As in
 * look_ahead(), a zero is no instruction.
 */
static void patch_behind(const struct site *s, unsigned depth)
{
	struct decode d = s->d;
	uintptr_t pc = s->pc + d.length;
	while (!d.is.ends && depth < DEEPEST && pc < s->pc + s->d.length - 1U + JUMP) {
		struct site *behind = sites_find(pc);
		if (behind)
			d = behind->d;
		else if (!decode_again(pc, &d))
			return;
		if (d.bytes[0] == 0)
			return;
		if (copy_can_have_head(&d)) {
			behind = behind ? behind : sites_make(pc);
			if (behind)
				patch(behind, depth + 1);
		}
		pc += d.length;
	}
}

/*
 * Replaces an instruction together with `next`, which comes after it. The latter is moved as it is,
 * or was replaced before and now gets another jump, with at least so many prefixes.
 */
static bool patch_with(struct site *s, struct site *next, unsigned prefixes)
{
	const uint8_t *behind = (const uint8_t *)next->pc + next->d.length;
	const uintptr_t end = s->pc + s->d.length;
	for (unsigned vary = 0; vary < 16; vary++) {
		struct plan first, second;
		if (!find_prefixed_place(next, prefixes, behind, vary, &second)) {
			if (vary == 0)
				return false; /* there is none with a value, either */
			continue;
		}
		uint8_t bytes[DECODE_BYTES + JUMP];
		raw_copy(bytes, (const void *)end, sizeof bytes);
		raw_copy(bytes + (next->pc - end), second.text, second.text_bytes);
		if (find_place(s, bytes, 0, &first)) {
			if (carry_out(next, &second)) {
				/* It may go on to the next one, which has changed. */
				first.code_bytes = copy_make(s, first.at, s->d.form != FORM_NONE,
							     first.code, &first.copy);
				return carry_out(s, &first);
			}
			pages_return(first.at, first.bytes);
			return false;
		}
		pages_return(second.at, second.bytes);
	}
	return false;
}

/* Whether a nop of several bytes is at pc. Compilers put such nops before aligned code. */
static bool is_padding(uintptr_t pc)
{
	const uint8_t *b = (const uint8_t *)pc;
	while (*b == 0x66 || *b == 0x2e)
		b++;
	return b[0] == 0x0f && b[1] == 0x1f;
}

/*
 * Replaces an instruction together with one that comes after it, so that bytes which the first jump
 * depends on can be chosen (tactic T2 of E9Patch). After a return or a jump there may be no code.
 * Only padding is moved there.
 */
static bool patch_both(struct site *s, unsigned depth)
{
	struct decode d = s->d;
	bool ended = false;
	uintptr_t end = s->pc + d.length;
	for (uintptr_t pc = end; pc < end + JUMP - 1; pc += d.length) {
		ended |= d.is.ends;
		if (ended && !is_padding(pc))
			return false;
		struct site *next = sites_make(pc);
		if (!next)
			return false;
		if (!ended)
			patch_behind(next, depth);
		for (unsigned k = prefixed(next); k < next->d.length && can_choose(next); k++)
			if (patch_with(s, next, k))
				return true;
		d = next->d;
	}
	return false;
}

/* The site whose instruction ends at pc, if it can be replaced later. NULL if there is none. */
static const struct site *site_before(uintptr_t pc)
{
	for (uintptr_t p = pc - 1; p > pc - JUMP; p--) {
		const struct site *s = sites_find(p);
		if (s && p + s->d.length == pc && !s->copy.at && !s->patch_failed &&
		    copy_can_have_head(&s->d) && !depended_on(p))
			return s;
	}
	return NULL;
}

/* Whether the instruction before this one has a place for its copy once the plan is carried out. */
static bool leaves_room(const struct site *before, const struct site *s, const struct plan *p)
{
	uint8_t bytes[DECODE_BYTES + JUMP];
	struct plan other;
	raw_copy(bytes, (const void *)s->pc, sizeof bytes);
	raw_copy(bytes, p->text, p->text_bytes);
	if (!find_place(before, bytes, 0, &other))
		return false;
	pages_return(other.at, other.bytes);
	return true;
}

/* Plans the replacement of a site. If possible, it leaves a place for the instruction before it. */
static bool find_friendly_place(const struct site *s, struct plan *p)
{
	const uint8_t *behind = (const uint8_t *)s->pc + s->d.length;
	const struct site *before = site_before(s->pc);
	for (unsigned vary = 0; before && vary < 16; vary++) {
		if (!find_place(s, behind, vary, p)) {
			if (vary == 0)
				return false;
			continue;
		}
		if (leaves_room(before, s, p))
			return true;
		pages_return(p->at, p->bytes);
	}
	return find_place(s, behind, 0, p);
}

/* Whether there is aligned code at pc, but for nops before it. */
static bool is_before_aligned(uintptr_t pc)
{
	enum { ALIGNED = 16 };
	struct decode d;
	while (pc % ALIGNED && is_padding(pc) && decode_again(pc, &d))
		pc += d.length;
	return pc % ALIGNED == 0;
}

/*
 * The address of a nop that a short jump reaches and that can hold another jump; 0 if there is
 * none. It may begin with up to seven prefixes before, in the same page. Nothing else looks like
 * it, but for a constant 0x841f0f of eight bytes that ends where code is aligned.
 */
static uintptr_t find_nop(uintptr_t pc)
{
	static const char nop[] = "\x0f\x1f\x84\0\0\0\0\0";
	enum { BYTES = sizeof nop - 1, PREFIXES = 7 };
	const uintptr_t page = pc / INSIDE_PAGE * INSIDE_PAGE;
	uintptr_t at = pc + SHORT_JUMP - SITES_IN_NOP - SHORT_FAR;
	uintptr_t to = pc + SHORT_JUMP - SITES_IN_NOP + SHORT_FAR;
	at = at < page + PREFIXES ? page + PREFIXES : at;
	to = to > page + INSIDE_PAGE - BYTES ? page + INSIDE_PAGE - BYTES : to;
	for (; at <= to; at++)
		if (raw_same((const char *)at, nop, BYTES) && is_before_aligned(at + BYTES) &&
		    !depended_on(at + SITES_IN_NOP))
			return at;
	return 0;
}

/*
 * Replaces an instruction by a short jump to a nop that holds the jump to its copy. In code made at
 * run time a thread could be between the two jumps while the program changes it.
 */
static bool patch_by_nop(struct site *s)
{
	const int64_t lowest = 1 << 16, highest = (INT64_C(1) << MEM_ADDRESS_BITS) - (1 << 16);
	struct plan p = { .reach = SHORT_JUMP, .text_bytes = SHORT_JUMP };
	if (s->d.length < SHORT_JUMP || !s->number[0] || s->copy.at || depended_on(s->pc) ||
	    made_contains(s->pc))
		return false;
	const uintptr_t at = find_nop(s->pc);
	struct site *nop = at ? sites_make(at) : NULL;
	s->copy_alone = false;
	p.bytes = nop ? copy_make(s, s->pc, true, p.code, &p.copy) : 0;
	if (p.bytes == 0)
		return false;
	p.bytes += 2 * FAR;
	const int64_t end = (int64_t)(at + SITES_IN_NOP + JUMP);
	const struct pages_want want = {
		.from = (uintptr_t)(end - LOW_END < lowest ? lowest : end - LOW_END),
		.to = (uintptr_t)(end + LOW_END > highest ? highest : end + LOW_END),
		.end = (uintptr_t)end,
	};
	p.at = pages_take(&want, p.bytes);
	if (!p.at)
		return false;
	p.code_bytes = copy_make(s, p.at, true, p.code, &p.copy);
	const int32_t rel = (int32_t)(p.at + p.copy.entry - (uintptr_t)end);
	uint8_t jump[JUMP] = { 0xe9 };
	raw_copy(jump + 1, &rel, sizeof rel);
	p.text[0] = 0xeb;
	p.text[1] = (uint8_t)(at + SITES_IN_NOP - (s->pc + SHORT_JUMP));
	if (!write_text(at + SITES_IN_NOP, jump, sizeof jump)) {
		pages_return(p.at, p.bytes);
		return false;
	}
	nop->reach = nop->d.length;
	nop->nop = true;
	nop->apart = (int8_t)(s->pc - at);
	s->apart = (int8_t)(at - s->pc);
	return carry_out(s, &p);
}

/* Replaces the instruction of one site. */
static bool patch(struct site *s, unsigned depth)
{
	struct plan p;
	if (s->state == MEM_SITE_PATCHED || s->patch_failed)
		return s->state == MEM_SITE_PATCHED;
	if (s->copy.at || !copy_can_have_head(&s->d) || s->number[0] == 0 || depended_on(s->pc)) {
		s->patch_failed = true;
		return false;
	}
	if (s->d.length < JUMP)
		patch_behind(s, depth);
	s->patch_failed = true;
	if (inside.counting)
		copy_count_flags(s);
	if (find_friendly_place(s, &p))
		return carry_out(s, &p);
	/* A shorter copy may have a place. */
	s->copy_alone = inside.counting;
	if (s->copy_alone && find_friendly_place(s, &p))
		return carry_out(s, &p);
	return patch_both(s, depth);
}

/*
 * Whether an instruction is worth replacing before it faults. It is not if its operand is a local
 * variable on the stack.
 */
static bool likely(const struct decode *d, const ucontext_t *context)
{
	uint64_t sp = (uint64_t)context->uc_mcontext.gregs[REG_RSP];
	uint64_t bp = (uint64_t)context->uc_mcontext.gregs[REG_RBP];
	const struct decode_operand *o = &d->operand[0];
	if ((d->form != FORM_PLAIN && d->form != FORM_STRING) || o->base == RSP)
		return false;
	return o->base != RBP || bp < sp || bp - sp > 1 << 20;
}

/*
 * The address of the instruction that is executed next; 0 if it is not known. A conditional jump is
 * taken as not taken.
 */
static uintptr_t next_of(uintptr_t pc, const struct decode *d)
{
	unsigned condition;
	int64_t away;
	if (!d->is.ends)
		return pc + d->length;
	return copy_is_jump(d, &condition, &away) ? pc + d->length + (uint64_t)away : 0;
}

/*
 * Finds instructions that are likely to be executed soon after ahead[0]. Returns their number,
 * including that one. A call may not return. Then what comes after it may be the zeros between two
 * sections, and the next instruction begins in the middle of what they are decoded as. So a zero
 * ends the search.
 */
static unsigned look_ahead(const ucontext_t *context, struct site **ahead)
{
	uintptr_t pc = ahead[0]->pc;
	unsigned n = 1;
	struct decode d = ahead[0]->d;
	for (unsigned steps = 0; n < AHEAD && steps < STEPS; steps++) {
		pc = next_of(pc, &d);
		struct site *known = pc ? sites_find(pc) : NULL;
		if (known)
			d = known->d;
		else if (!pc || !decode_again(pc, &d))
			break;
		if (d.bytes[0] == 0)
			break;
		if ((known && known->copy.at) || !likely(&d, context))
			continue;
		ahead[n] = known ? known : sites_make(pc);
		if (!ahead[n])
			break;
		n++;
	}
	return n;
}

bool engine_patch(struct site *s, const ucontext_t *context)
{
	struct site *ahead[AHEAD];
	if (s->patch_failed || !copy_can_have_head(&s->d))
		return false;
	copy_count_begin();
	ahead[0] = s;
	unsigned n = inside.counting ? 1 : look_ahead(context, ahead);
	while (n > 0)
		patch(ahead[--n], 0);
	return s->state == MEM_SITE_PATCHED || patch_by_nop(s);
}

bool engine_patch_one(struct site *s)
{
	return patch(s, 0);
}

/*
 * Replaces an instruction whose copy is to go on up to a return `before` bytes behind it, or at the
 * target of the instruction, if that is a jump.
 */
static bool patch_up_to(uintptr_t pc, uintptr_t before)
{
	struct plan p;
	struct site *s = sites_make(pc);
	if (!s || s->copy.at || depended_on(pc) || holds_jump(s))
		return false;
	s->returns = (uint8_t)(1 + before);
	if (find_place(s, (const uint8_t *)pc + s->d.length, 0, &p) && carry_out(s, &p))
		return true;
	s->returns = 0;
	return false;
}

/* Whether an instruction runs as well in another place, and is still that of the program. */
static bool goes_along(uintptr_t pc)
{
	const struct site *known = sites_find(pc);
	struct decode d;
	if (known && (known->copy.at || known->nop))
		return false;
	return decode_again(pc, &d) && copy_can_move(&d) && !d.is.relative;
}

/* What lies behind the return may be no code, so it stays, and it may leave the jump no place. */
void engine_patch_return(uintptr_t pc, const uintptr_t *before, unsigned n)
{
	const struct site *known = sites_find(pc);
	bool done = (known && known->copy.at) || patch_up_to(pc, 0);
	for (unsigned i = 0; i < n && !done && goes_along(before[i]); i++)
		done = patch_up_to(before[i], pc - before[i]);
}

void engine_patch_jump_to_return(uintptr_t pc, uintptr_t back)
{
	const struct site *known = sites_find(back);
	if (!(known && known->copy.at) && !patch_up_to(back, 0))
		patch_up_to(pc, 0);
}

bool engine_patch_call(struct site *s)
{
	struct plan p;
	if (s->copy.at || depended_on(s->pc))
		return false;
	s->leads = true;
	if (find_place(s, (const uint8_t *)s->pc + s->d.length, 0, &p) && carry_out(s, &p))
		return true;
	s->leads = false;
	return false;
}
