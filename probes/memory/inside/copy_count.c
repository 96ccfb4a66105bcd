/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Copies that count. Such a copy has two parts. The first one takes it for certain that the access is
 * to watched memory, and goes there by gs (count.c):
 *
 *     head:   counter of the site += 1
 *             the instruction, with prefix gs
 *             jump to the next instruction of the program
 *     end:    a copy as in copy.h, with the counter in place of the ring
 *
 * If the memory is not watched, there is nothing at that distance, so the instruction faults. The
 * handler takes 1 from the counter, and makes the head a jump to the end (fault.c).
 *
 * The counter is added to by inc if nobody needs the flags: the instruction sets them all, or one of
 * those behind it does before any is read. Otherwise a register is needed. The best one is that which
 * the instruction sets anyway. A register is saved in any case, so that the handler can restore it.
 */
#include "probes/memory/inside/copy.h"
#include "probes/memory/inside/emit.h"

enum { REX_W = 0x48, REX_R = 4, REX_B = 1, PREFIX_GS = 0x65, LONGEST = 15, SHORT = 127, R12 = 12 };

/* mov between a register, which may be one of the upper eight, and [disp32], in fs or not. */
static void move_far(struct code *c, bool fs, bool store, unsigned r, uint32_t at)
{
	if (fs)
		byte(c, 0x64);
	BYTES(c, (uint8_t)(REX_W | (r > 7 ? REX_R : 0)), store ? 0x89 : 0x8b,
	      (uint8_t)(0x04 | (r & 7) << 3), 0x25);
	emit_word(c, at, 4);
}

static uint32_t counter_at(const struct site *s)
{
	return s->number[0] * (uint32_t)sizeof(uint64_t);
}

/* value += 1 by lea. It is neither rsp nor r12. */
static void add_one(struct code *c, unsigned value)
{
	BYTES(c, (uint8_t)(REX_W | (value > 7 ? REX_R | REX_B : 0)), 0x8d,
	      (uint8_t)(0x40 | (value & 7) << 3 | (value & 7)), 1);
}

void copy_count_access(struct code *c, const struct site *s, const struct copy *l)
{
	const unsigned b = l->temporary;
	thread_move(c, false, b, &inside_self.counters);
	BYTES(c, REX_W, 0x8b, (uint8_t)(0x80 | RCX << 3 | b));
	emit_word(c, counter_at(s), 4);
	add_one(c, RCX);
	BYTES(c, REX_W, 0x89, (uint8_t)(0x80 | RCX << 3 | b));
	emit_word(c, counter_at(s), 4);
}

/* Whether the instruction itself, or what comes after it, sets all flags before any is read. */
static bool flags_are_free(const struct site *s)
{
	if (s->d.flags_read)
		return false;
	return s->d.flags_set == DECODE_FLAGS || s->flags_free;
}

static void keep(struct code *c, bool store, unsigned r, unsigned where)
{
	move_far(c, true, store, r, in_thread(&inside_self.scratch[where]));
}

/* Counts, with the counters at a fixed address. */
static void count_alone(struct code *c, const struct site *s, struct copy *l, unsigned free)
{
	const uint32_t at = (uint32_t)(uintptr_t)inside.counters + counter_at(s);
	if (flags_are_free(s)) {
		l->sure.saved = (uint16_t)c->n;
		BYTES(c, REX_W, 0xff, 0x04, 0x25);
		emit_word(c, at, 4);
		l->sure.committed = (uint16_t)c->n;
		return;
	}
	const unsigned value = free != REGISTER_NONE ? free : RCX;
	l->sure.value = (uint8_t)value;
	keep(c, true, value, KEEP_RCX);
	l->sure.saved = (uint16_t)c->n;
	move_far(c, false, false, value, at);
	add_one(c, value);
	move_far(c, false, true, value, at);
	l->sure.committed = (uint16_t)c->n;
	if (value != free)
		keep(c, false, value, KEEP_RCX);
}

/* Counts, with the counters of the thread that runs the copy. */
static void count_in_thread(struct code *c, const struct site *s, struct copy *l, unsigned free)
{
	const bool flags = flags_are_free(s);
	const unsigned pointer = flags && free < 8 ? free : RAX;
	const unsigned value = free != REGISTER_NONE && free != RAX ? free : RCX;
	l->sure.pointer = (uint8_t)pointer;
	keep(c, true, pointer, KEEP_TEMPORARY);
	if (!flags) {
		l->sure.value = (uint8_t)value;
		keep(c, true, value, KEEP_RCX);
	}
	l->sure.saved = (uint16_t)c->n;
	thread_move(c, false, pointer, &inside_self.counters);
	if (flags) {
		BYTES(c, REX_W, 0xff, (uint8_t)(0x80 | pointer));
		emit_word(c, counter_at(s), 4);
	} else {
		const uint8_t rex = (uint8_t)(REX_W | (value > 7 ? REX_R : 0));
		const uint8_t modrm = (uint8_t)(0x80 | (value & 7) << 3 | pointer);
		BYTES(c, rex, 0x8b, modrm);
		emit_word(c, counter_at(s), 4);
		add_one(c, value);
		BYTES(c, rex, 0x89, modrm);
		emit_word(c, counter_at(s), 4);
	}
	l->sure.committed = (uint16_t)c->n;
	if (pointer != free)
		keep(c, false, pointer, KEEP_TEMPORARY);
	if (!flags && value != free)
		keep(c, false, value, KEEP_RCX);
}

/*
 * The instruction with prefix gs. If its address is relative to rip, the distance is changed. Returns
 * false if it cannot be.
 */
static bool with_gs(struct code *c, const struct site *s, uintptr_t at)
{
	const struct decode *d = &s->d;
	const bool relative = d->operand[0].base == REGISTER_RIP;
	bool past = false;
	byte(c, PREFIX_GS);
	for (unsigned i = 0; i < d->length; i++) {
		const unsigned b = d->bytes[i];
		past |= i >= d->modrm || !(b == 0x66 || b == 0xf2 || b == 0xf3 || b == 0xf0 ||
					   b == 0x67 || b == 0x26 || b == 0x2e || b == 0x36 ||
					   b == 0x3e);
		if (past || !(b == 0x26 || b == 0x2e || b == 0x36 || b == 0x3e))
			byte(c, b);
	}
	if (!relative)
		return true;
	const uintptr_t to = s->pc + d->length + (uint64_t)d->operand[0].displacement;
	const int64_t far = (int64_t)(to - (at + c->n));
	const struct code place = { c->to, c->n - d->length + d->modrm + 1 };
	struct code distance = place;
	emit_word(&distance, (uint64_t)far, 4);
	return far == (int32_t)far;
}

/* Whether the part that is sure of the page is worth trying. */
static bool can_be_sure(const struct site *s)
{
	const struct decode *d = &s->d;
	if (!inside.gs || (d->form != FORM_PLAIN && d->form != FORM_JUMP) ||
	    d->operand[0].shape != DECODE_WHOLE || d->length == LONGEST)
		return false;
	if (d->operand[0].base != REGISTER_RIP)
		return true;
	const uintptr_t to = s->pc + d->length + (uint64_t)d->operand[0].displacement;
	return !d->is.short_address && mirror_covers(to) && mirror_pages[to >> 12] == 1;
}

void copy_count_sure(struct code *c, const struct site *s, struct copy *l)
{
	const size_t before = c->n;
	const unsigned set = s->d.set;
	l->sure.end = 0;
	l->sure.value = l->sure.pointer = REGISTER_NONE;
	if (!can_be_sure(s))
		return;
	const unsigned free = set == RSP || set == R12 ? REGISTER_NONE : set;
	if (inside.counters)
		count_alone(c, s, l, free);
	else
		count_in_thread(c, s, l, free);
	const bool fits = with_gs(c, s, l->at);
	if (s->d.form == FORM_PLAIN)
		emit_jump(c, l->at, s->pc + s->d.length);
	if (fits && c->n - before <= SHORT)
		l->sure.end = (uint16_t)c->n;
	else
		c->n = before;
}
