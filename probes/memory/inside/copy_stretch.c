/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/* The copies that stretch.h describes. */
#include "probes/memory/inside/stretch.h"

#include "probes/memory/inside/copy.h"
#include "probes/memory/inside/emit.h"
#include "probes/memory/inside/made.h"

enum { REX_W = 0x48, REX_B = 1, SEGMENT_FS = 4 };

/* The instruction's opcode, after prefixes. */
static const uint8_t *opcode_of(const struct decode *d)
{
	const uint8_t *b = d->bytes;
	while (*b == 0x66 || *b == 0xf2 || *b == 0xf3 || *b == 0xf0 || *b == 0x2e || *b == 0x36 ||
	       *b == 0x3e || *b == 0x26 || *b == 0x64 || *b == 0x65 || *b == 0x67)
		b++;
	return (*b & 0xf0) == 0x40 ? b + 1 : b;
}

/*
 * Whether an instruction has a meaning for more than registers and memory: it sets the trap flag
 * (popf) or a segment, or the processor reads code anew after it (cpuid, serialize).
 */
static bool is_special(const struct decode *d)
{
	const uint8_t *b = opcode_of(d);
	if (b[0] != 0x0f)
		return b[0] == 0x9d || b[0] == 0x8e;
	return b[1] == 0x00 || b[1] == 0x01 || b[1] == 0xa1 || b[1] == 0xa2 || b[1] == 0xa9 ||
	       b[1] == 0xb2 || b[1] == 0xb4 || b[1] == 0xb5 ||
	       (b[1] == 0xae && d->form == FORM_NONE);
}

/* lea of an address relative to rip: 8d, ModRM, distance. */
static bool is_far_lea(const struct decode *d)
{
	return d->form == FORM_NONE && d->is.relative && d->length == 7 && d->bytes[1] == 0x8d &&
	       (d->bytes[2] & 0xc7) == 5 && (d->bytes[0] & 0xf8) == REX_W && d->set < 16;
}

/*
 * Whether an instruction runs as well in another place. If its memory is watched, it faults there.
 */
static bool goes_as_is(const struct decode *d)
{
	if (d->is.relative || d->is.branch || d->is.ends || is_special(d))
		return false;
	if (d->form == FORM_NONE)
		return true;
	return d->operands == 1 && d->operand[0].base != REGISTER_RIP &&
	       (d->form == FORM_PLAIN ||
		(d->form == FORM_OTHER && d->operand[0].segment == SEGMENT_FS));
}

/* Whether an instruction that is copied as it is may write code. */
static bool may_write(const struct decode *d)
{
	return d->is.stack || (d->operands && d->operand[0].kind != MEM_LOAD);
}

/* The site of an instruction, if its part is to count. */
static const struct site *counted(uintptr_t pc)
{
	const struct site *s = sites_find(pc);
	return s && s->watched && !s->copy_unsure && s->d.operand[0].base != REGISTER_RIP &&
			       copy_count_can_be_sure(s)
		       ? s
		       : NULL;
}

/* Plans the jump or call at the end of a stretch. Returns false if it is none. */
static bool plan_end(struct stretch_plan *p, const struct decode *d)
{
	int64_t away;
	const bool calls = copy_is_call(d, &away);
	if (!calls && !copy_is_jump(d, &p->condition, &away))
		return false;
	p->to = p->next + (uint64_t)away;
	if (!p->to)
		return false;
	p->calls = calls;
	if (!calls && !p->condition)
		p->next = 0;
	return true;
}

bool copy_plan_stretch(uintptr_t pc, struct stretch_plan *p)
{
	const bool writable = made_writable(pc);
	bool ended = false;
	*p = (struct stretch_plan){ .pc = pc, .next = pc };
	while (!ended && p->n < STRETCH_STEPS && p->bytes + DECODE_BYTES <= STRETCH_BYTES) {
		struct decode *d = &p->step[p->n];
		const uintptr_t at = p->next;
		sites_check(at);
		const struct site *known = sites_find(at);
		if ((known && known->reach) || made_writable(at) != writable ||
		    !decode_again(at, d) || made_writable(at + d->length - 1) != writable)
			break;
		p->next += d->length;
		ended = plan_end(p, d);
		p->counts[p->n] = ended ? NULL : counted(at);
		if (!ended && !p->counts[p->n] && !goes_as_is(d) && !is_far_lea(d)) {
			p->next = at;
			break;
		}
		raw_copy(p->code + p->bytes, d->bytes, d->length);
		p->bytes += d->length;
		/* A jump by an address in memory. */
		if (!ended && d->is.branch)
			p->next = 0;
		ended |= d->is.branch || (p->counts[p->n] ? d->is.stack : may_write(d));
		p->n++;
	}
	/* What lies behind a short stretch is compared, too. */
	if (p->bytes < STRETCH_WORD && (pc ^ (pc + STRETCH_WORD - 1)) >= INSIDE_PAGE)
		return false;
	if (p->bytes < STRETCH_WORD)
		raw_copy(p->code + p->bytes, (const void *)(pc + p->bytes),
			 STRETCH_WORD - p->bytes);
	return p->n > 0;
}

/*
 * If the code at rdx + away is not as it was, goes to the hlt. Changes rcx and rax, and no flags.
 */
static void check_word(struct code *c, const uint8_t *was, unsigned away)
{
	enum { JUMP = 5 };
	uint64_t word;
	raw_copy(&word, was + away, sizeof word);
	BYTES(c, REX_W, 0x8b, 0x40 | RCX << 3 | RDX, (uint8_t)away);
	load_constant(c, RAX, 0 - word);
	BYTES(c, REX_W, 0x8d, 0x04 | RCX << 3, RAX << 3 | RCX, 0xe3, JUMP, 0xe9);
	emit_word(c, (uint32_t)(0 - (c->n + 4)), 4);
}

static void keep_all(struct code *c)
{
	emit_keep(c, RCX, KEEP_RCX);
	emit_keep(c, RDX, KEEP_ADDRESS);
	emit_keep(c, RAX, KEEP_TEMPORARY);
}

static void restore_all(struct code *c)
{
	restore(c, RCX, KEEP_RCX);
	restore(c, RDX, KEEP_ADDRESS);
	restore(c, RAX, KEEP_TEMPORARY);
}

static void check(struct code *c, const struct stretch_plan *p, struct copy *l)
{
	unsigned i = 0;
	keep_all(c);
	l->saved = (uint16_t)c->n;
	load_constant(c, RDX, p->pc);
	for (; i + STRETCH_WORD <= p->bytes; i += STRETCH_WORD)
		check_word(c, p->code, i);
	if (p->bytes < STRETCH_WORD)
		check_word(c, p->code, 0);
	else if (i < p->bytes)
		check_word(c, p->code, p->bytes - STRETCH_WORD);
	restore_all(c);
	l->tail = (uint16_t)c->n;
}

/* jmp or push of the word at `to`, relative to rip. Returns false if that is too far away. */
static bool by_word(struct code *c, uint8_t how, uintptr_t at, uintptr_t to)
{
	const int64_t far = (int64_t)(to - (at + c->n + 6));
	BYTES(c, 0xff, how);
	emit_word(c, (uint64_t)far, 4);
	return far == (int32_t)far;
}

static bool jump_to_door(struct code *c, uintptr_t at, uintptr_t pc)
{
	const struct door *d = stretch_door(pc);
	return d && by_word(c, 0x25, at, (uintptr_t)&d->target);
}

/* A part of instructions as they are. */
static struct copy_part *as_is(const struct code *c, struct copy *l, uintptr_t away)
{
	struct copy_part *p = &l->part[l->parts++];
	*p = (struct copy_part){ .at = (uint16_t)c->n, .away = (uint16_t)away };
	return p;
}

static void step(struct code *c, const struct decode *d, uintptr_t pc)
{
	int32_t distance;
	if (!is_far_lea(d)) {
		bytes_of(c, d->bytes, d->length);
		return;
	}
	raw_copy(&distance, d->bytes + 3, sizeof distance);
	BYTES(c, (uint8_t)(REX_W | (d->set > 7 ? REX_B : 0)), (uint8_t)(0xb8 | (d->set & 7)));
	emit_word(c, pc + d->length + (uint64_t)(int64_t)distance, 8);
}

/* The push of a call, whose constant lies behind the jump to the function; and that jump. */
static bool call(struct code *c, const struct stretch_plan *p, struct copy *l, uintptr_t away)
{
	enum { PUSH_AND_JUMP = 12 };
	struct copy_part *part = as_is(c, l, away);
	bool good = by_word(c, 0x35, l->at, l->at + c->n + PUSH_AND_JUMP);
	part->end = (uint16_t)c->n;
	good &= jump_to_door(c, l->at, p->to);
	emit_word(c, p->next, 8);
	return good;
}

static bool leave(struct code *c, const struct stretch_plan *p, struct copy *l, uintptr_t away)
{
	enum { JUMP = 6 };
	if (p->calls)
		return call(c, p, l, away);
	if (!p->to && !p->next)
		return true;
	if (p->to && !p->condition)
		return jump_to_door(c, l->at, p->to);
	if (p->to) {
		struct copy_part *part = as_is(c, l, away);
		BYTES(c, 0x0f, (uint8_t)p->condition);
		emit_word(c, JUMP, 4);
		part->end = (uint16_t)c->n;
	}
	return jump_to_door(c, l->at, p->next) && (!p->to || jump_to_door(c, l->at, p->to));
}

size_t copy_stretch(const struct stretch_plan *p, uintptr_t at, uint8_t *code, struct copy *layout)
{
	struct code c = { code, 0 };
	struct copy *l = layout;
	uintptr_t pc = p->pc;
	*l = (struct copy){ .at = at, .entry = 1, .address = RDX, .temporary = RAX };
	byte(&c, 0xf4);
	check(&c, p, l);
	for (unsigned i = 0; i < p->n - (p->to ? 1 : 0); i++) {
		const uintptr_t away = pc - p->pc;
		if (p->counts[i]) {
			struct copy_part *part = &l->part[l->parts++];
			if (!copy_count_part(&c, p->counts[i], at, part))
				return 0;
			part->away = (uint16_t)away;
		} else {
			struct copy_part *part = as_is(&c, l, away);
			step(&c, &p->step[i], pc);
			part->end = (uint16_t)c.n;
		}
		pc += p->step[i].length;
	}
	if (!leave(&c, p, l, pc - p->pc))
		return 0;
	l->bytes = (uint16_t)c.n;
	return c.n;
}

/* The jump to a return in its place: if it is conditional and not taken, goes on behind it. */
static void jump_not_taken(struct code *c, const struct site *s, struct copy *l, unsigned condition)
{
	if (condition) {
		BYTES(c, (uint8_t)(0x70 | (condition & 15)), 0);
		const size_t from = c->n;
		emit_jump(c, l->at, s->pc + s->d.length);
		land(c, from);
	}
	l->lookup = (uint16_t)c->n;
}

uintptr_t copy_returns_at(const struct site *s)
{
	unsigned condition;
	int64_t away;
	const bool jumps = copy_is_jump(&s->d, &condition, &away);
	return s->pc + (jumps ? s->d.length + (uint64_t)away : s->returns - 1U);
}

/*
 *     the instructions before the return, or the jump to it
 *     rcx, rdx, rax -> scratch
 *     rdx = the first door that an address with these low bits can have
 *     if it is that of the address on the stack:
 *             its target -> scratch; rcx, rdx, rax <- scratch
 *             take the address from the stack and jump to the target
 *     rcx, rdx, rax <- scratch
 *     the return itself
 */
void copy_return(struct code *c, const struct site *s, struct copy *l)
{
	const uint8_t *back = (const uint8_t *)copy_returns_at(s);
	const bool more = *back == 0xc2;
	unsigned condition;
	int64_t away;
	uint16_t pops = 0;
	if (more)
		raw_copy(&pops, back + 1, sizeof pops);
	if (copy_is_jump(&s->d, &condition, &away))
		jump_not_taken(c, s, l, condition);
	else
		bytes_of(c, (const uint8_t *)s->pc, s->returns - 1U);
	l->address = RDX;
	l->temporary = RAX;
	keep_all(c);
	l->saved = (uint16_t)c->n;
	BYTES(c, REX_W, 0x8b, 0x04 | RCX << 3, 0x24);            /* mov rcx, [rsp] */
	BYTES(c, 0x0f, 0xb7, 0xc0 | RAX << 3 | RCX);            /* movzx eax, cx */
	load_constant(c, RDX, (uintptr_t)stretch_doors);
	BYTES(c, REX_W, 0x8d, 0x04 | RAX << 3, RAX << 3 | RAX); /* lea rax, [rax+rax] */
	BYTES(c, REX_W, 0x8d, 0x04 | RDX << 3, 0xc0 | RAX << 3 | RDX); /* lea rdx, [rdx+8*rax] */
	BYTES(c, REX_W, 0x8b, 0x40 | RAX << 3 | RDX, offsetof(struct door, pc));
	BYTES(c, REX_W, 0xf7, 0xd0 | RCX);                      /* not rcx */
	BYTES(c, REX_W, 0x8d, 0x44 | RCX << 3, RAX << 3 | RCX, 1); /* lea rcx, [rcx+rax+1] */
	BYTES(c, 0xe3, 0);
	const size_t from = c->n;
	restore_all(c);
	bytes_of(c, back, more ? 3 : 1);
	land(c, from);
	BYTES(c, REX_W, 0x8b, RDX << 3 | RDX); /* mov rdx, [rdx] */
	emit_keep(c, RDX, KEEP_TARGET);
	restore_all(c);
	BYTES(c, REX_W, 0x8d, 0x84 | RSP << 3, 0x24); /* lea rsp, [rsp+pops] */
	emit_word(c, 8U + pops, 4);
	l->committed = (uint16_t)c->n;
	BYTES(c, 0x64, 0xff, 0x24, 0x25);
	emit_word(c, in_thread(&inside_self.scratch[KEEP_TARGET]), 4);
}
