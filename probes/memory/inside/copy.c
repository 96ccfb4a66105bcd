/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "probes/memory/inside/copy.h"

#include "probes/memory/inside/emit.h"
#include "probes/memory/inside/stretch.h"
#include "support/processor.h"

#include <cpuid.h>

/*
 * The tail of a jmp or call through memory. All registers are restored before it jumps, so the
 * target is in a scratch place.
 */
static void jump_tail(struct code *c, const struct site *s, const struct copy *l)
{
	unsigned a = l->address;
	BYTES(c, 0x48, 0x8b, (uint8_t)(a << 3 | a));
	emit_keep(c, a, KEEP_TARGET);
	if (s->d.form == FORM_CALL) {
		BYTES(c, 0x48, 0x8d, 0x64, 0x24, 0xf8);
		load_constant(c, a, s->pc + s->d.length);
		BYTES(c, 0x48, 0x89, (uint8_t)(0x04 | a << 3), 0x24);
	}
	restore(c, a, KEEP_ADDRESS);
	BYTES(c, 0x64, 0xff, 0x24, 0x25);
	emit_word(c, in_thread(&inside_self.scratch[KEEP_TARGET]), 4);
}

/*
 * Subtracts again what the head added to rsi and rdi. It computes r + ~moved + 1 with lea, because
 * lea changes no flags.
 */
static void string_tail(struct code *c, const struct site *s, const struct copy *l)
{
	unsigned a = l->address;
	bytes_of(c, s->d.bytes, s->d.length);
	for (unsigned i = 0; i < s->d.operands; i++) {
		unsigned r = s->d.operand[i].base;
		restore(c, a, copy_moved(r));
		BYTES(c, 0x48, 0xf7, (uint8_t)(0xd0 | a));
		BYTES(c, 0x48, 0x8d, (uint8_t)(0x44 | r << 3), (uint8_t)(a << 3 | r), 1);
	}
	restore(c, a, KEEP_ADDRESS);
	emit_jump(c, l->at, s->pc + s->d.length);
}

bool copy_is_jump(const struct decode *d, unsigned *condition, int64_t *away)
{
	const uint8_t *b = d->bytes;
	*condition = 0;
	if (d->length == 2 && (b[0] == 0xeb || (b[0] & 0xf0) == 0x70)) {
		*condition = b[0] == 0xeb ? 0 : 0x80U | (b[0] & 15U);
		*away = (int8_t)b[1];
		return true;
	}
	if ((d->length == 5 && b[0] == 0xe9) || (d->length == 6 && b[0] == 0x0f)) {
		*condition = b[0] == 0xe9 ? 0 : b[1];
		int32_t rel;
		raw_copy(&rel, b + d->length - 4, 4);
		*away = rel;
		return b[0] == 0xe9 || (b[1] & 0xf0) == 0x80;
	}
	return false;
}

bool copy_is_call(const struct decode *d, int64_t *away)
{
	int32_t rel;
	if (d->length != 5 || d->bytes[0] != 0xe8)
		return false;
	raw_copy(&rel, d->bytes + 1, sizeof rel);
	*away = rel;
	return true;
}

bool copy_is_return(const uint8_t *code)
{
	return code[0] == 0xc3 || code[0] == 0xc2;
}

bool copy_can_move(const struct decode *d)
{
	unsigned condition;
	int64_t away;
	if (d->form != FORM_NONE)
		return false;
	return copy_is_jump(d, &condition, &away) || copy_is_call(d, &away) ||
	       (!d->is.relative && !d->is.branch);
}

static void push_constant(struct code *c, uint64_t value)
{
	BYTES(c, 0x48, 0x8d, 0x64, 0x24, 0xf8, 0xc7, 0x04, 0x24);
	emit_word(c, value & 0xffffffff, 4);
	BYTES(c, 0xc7, 0x44, 0x24, 4);
	emit_word(c, value >> 32, 4);
}

static void moved(struct code *c, const struct site *s, const struct copy *l)
{
	unsigned condition;
	int64_t away;
	uintptr_t next = s->pc + s->d.length;
	if (copy_is_call(&s->d, &away)) {
		const uintptr_t to = next + (uint64_t)away;
		push_constant(c, next);
		emit_jump(c, l->at, s->leads ? stretch_door(to)->target : to);
		return;
	}
	if (!copy_is_jump(&s->d, &condition, &away)) {
		bytes_of(c, s->d.bytes, s->d.length);
		emit_jump(c, l->at, next);
		return;
	}
	if (condition) {
		/* A short jump with the opposite condition skips to the second jump. */
		BYTES(c, (uint8_t)(0x70 | ((condition & 15) ^ 1)), 0);
		size_t from = c->n;
		emit_jump(c, l->at, next + (uint64_t)away);
		land(c, from);
		emit_jump(c, l->at, next);
	} else {
		emit_jump(c, l->at, next + (uint64_t)away);
	}
}

static void tail(struct code *c, const struct site *s, struct copy *l)
{
	if (s->d.is.stamped) {
		copy_atomic_tail(c, s, l);
		return;
	}
	switch (s->d.form) {
	case FORM_JUMP:
	case FORM_CALL:
		jump_tail(c, s, l);
		return;
	case FORM_STRING:
		string_tail(c, s, l);
		return;
	case FORM_NONE:
		if (s->returns)
			copy_return(c, s, l);
		else
			moved(c, s, l);
		return;
	default:
		with_register(c, &s->d, l->address);
		restore(c, l->address, KEEP_ADDRESS);
		emit_jump(c, l->at, s->pc + s->d.length);
	}
}

/* Writes the hlt, and after it the code that saves the scratch registers. */
static void begin_copy(struct code *c, const struct site *s, struct copy *l)
{
	byte(c, 0xf4);
	l->entry = (uint16_t)c->n;
	if (inside.counting)
		copy_count_parts(c, s, l);
	l->other = (uint16_t)c->n;
	emit_keep(c, RCX, KEEP_RCX);
	emit_keep(c, l->address, KEEP_ADDRESS);
	emit_keep(c, l->temporary, KEEP_TEMPORARY);
	l->saved = (uint16_t)c->n;
}

/* Goes back to the hlt if rcx is 0. jrcxz reaches 128 bytes back. */
static void slow_if_zero(struct code *c)
{
	if (c->n + 2 <= 128) {
		BYTES(c, 0xe3, (uint8_t)(0 - (c->n + 2)));
		return;
	}
	BYTES(c, 0xe3, 2, 0xeb, 5, 0xe9);
	emit_word(c, (uint32_t)(0 - (c->n + 4)), 4);
}

/* rcx = ring->written % 65536; if it is 0, go back to the hlt */
static void place_in_chunk(struct code *c)
{
	thread_move(c, false, RCX, &inside_self.ring);
	BYTES(c, 0x48, 0x8b, 0x09, 0x0f, 0xb7, 0xc9);
	slow_if_zero(c);
}

/* rcx = (rcx + 1) % 65536; if it is 0, go back to the hlt */
static void next_in_chunk(struct code *c)
{
	BYTES(c, 0x8d, 0x49, 1, 0x0f, 0xb7, 0xc9);
	slow_if_zero(c);
}

/*
 * Code for one operand of a string instruction. It writes the access into the ring at word number
 * B, and the distance to the alias into the thread's scratch. It adds 1 to B if the memory is
 * watched.
 */
static void string_operand(struct code *c, const struct copy *l, unsigned r, uint32_t number)
{
	unsigned a = l->address, b = l->temporary;
	thread_move(c, false, a, &inside_self.chunk);
	BYTES(c, 0x0f, 0xb7, (uint8_t)(0xc0 | RCX << 3 | b));
	BYTES(c, 0x48, 0x8d, (uint8_t)(0x04 | a << 3), (uint8_t)(0xc0 | RCX << 3 | a));
	load_constant(c, RCX, (uint64_t)number << MEM_ADDRESS_BITS);
	BYTES(c, 0x48, 0x8d, 0x0c, (uint8_t)(r << 3 | RCX));
	BYTES(c, 0x48, 0x89, (uint8_t)(RCX << 3 | a));
	/* rcx = mirror_pages[r >> 12] */
	BYTES(c, 0xb9, 12, 0, 0, 0, 0xc4, 0xe2, 0xf3, 0xf7, (uint8_t)(0xc8 | r));
	load_constant(c, a, (uintptr_t)mirror_pages);
	BYTES(c, 0x0f, 0xb6, 0x0c, (uint8_t)(RCX << 3 | a));
	/* a = mirror_distances[rcx] */
	load_constant(c, a, (uintptr_t)mirror_distances);
	BYTES(c, 0x48, 0x8b, (uint8_t)(0x04 | a << 3), (uint8_t)(0xc0 | RCX << 3 | a));
	emit_keep(c, a, copy_moved(r));
	/* if rcx, b++ */
	BYTES(c, 0xe3, 4, 0x48, 0x8d, (uint8_t)(0x40 | b << 3 | b), 1);
}

/*
 * The head for a string instruction without a rep prefix. All its words lie in one chunk. Loads are
 * recorded before stores.
 */
static void string_head(struct code *c, const struct site *s, struct copy *l)
{
	unsigned a = l->address, b = l->temporary;
	begin_copy(c, s, l);
	for (unsigned i = 0; i < s->d.operands; i++)
		copy_suspect(c, s, i, l);
	place_in_chunk(c);
	if (s->d.operands == 2) {
		next_in_chunk(c);
	}
	thread_move(c, false, b, &inside_self.ring);
	BYTES(c, 0x48, 0x8b, (uint8_t)(b << 3 | b));
	for (unsigned round = 0; round < 2; round++)
		for (unsigned i = 0; i < s->d.operands; i++)
			if ((s->d.operand[i].kind == MEM_SAVE) == round)
				string_operand(c, l, s->d.operand[i].base, s->number[i]);
	thread_move(c, false, a, &inside_self.ring);
	BYTES(c, 0x48, 0x89, (uint8_t)(b << 3 | a));
	l->committed = (uint16_t)c->n;
	restore(c, RCX, KEEP_RCX);
	restore(c, b, KEEP_TEMPORARY);
	for (unsigned i = 0; i < s->d.operands; i++) {
		unsigned r = s->d.operand[i].base;
		restore(c, a, copy_moved(r));
		BYTES(c, 0x48, 0x8d, (uint8_t)(0x04 | r << 3), (uint8_t)(a << 3 | r));
	}
	l->tail = (uint16_t)c->n;
	tail(c, s, l);
}

/*
 * Sets rcx to the mask of an instruction with lanes. Neither kmovq nor vmovmskps and vmovmskpd
 * change flags.
 */
static void load_mask(struct code *c, const struct decode_mask *m)
{
	if (m->from == MASK_OPMASK)
		BYTES(c, 0xc4, 0xe1, 0xfb, 0x93, (uint8_t)(0xc0 | RCX << 3 | m->number));
	else
		BYTES(c, 0xc4, m->number > 7 ? 0xc1 : 0xe1, m->element == 8 ? 0x7d : 0x7c, 0x50,
		      (uint8_t)(0xc0 | RCX << 3 | (m->number & 7)));
}

/* Writes MEM_LANES into the two words before the access, which the temporary register points to. */
static void put_mask(struct code *c, const struct site *s, const struct copy *l)
{
	const unsigned b = l->temporary;
	load_constant(c, RCX, (uint64_t)MEM_LANES << MEM_ADDRESS_BITS | 1);
	BYTES(c, 0x48, 0x89, (uint8_t)(0x40 | RCX << 3 | b), (uint8_t)-16);
	load_mask(c, &s->d.mask);
	BYTES(c, 0x48, 0x89, (uint8_t)(0x40 | RCX << 3 | b), (uint8_t)-8);
}

/* Writes the access into the ring at word number rcx. Changes the temporary register. */
static void put_access(struct code *c, const struct site *s, const struct copy *l, bool lanes)
{
	unsigned a = l->address, b = l->temporary;
	place_in_chunk(c);
	if (lanes) {
		next_in_chunk(c);
		next_in_chunk(c);
	}
	/* chunk[rcx] = site << 47 + a */
	thread_move(c, false, b, &inside_self.chunk);
	BYTES(c, 0x48, 0x8d, (uint8_t)(0x04 | b << 3), (uint8_t)(0xc0 | RCX << 3 | b));
	load_constant(c, RCX, (uint64_t)s->number[0] << MEM_ADDRESS_BITS);
	BYTES(c, 0x48, 0x8d, 0x0c, (uint8_t)(a << 3 | RCX));
	BYTES(c, 0x48, 0x89, (uint8_t)(RCX << 3 | b));
	if (lanes)
		put_mask(c, s, l);
}

static void head_of_copy(struct code *c, const struct site *s, struct copy *l)
{
	unsigned a = l->address, b = l->temporary;
	const bool lanes = s->d.operand[0].shape == DECODE_MASKED;
	const bool counts = inside.counting && !lanes;
	const bool several = inside.low || mirror_gs != 1; /* distances */
	begin_copy(c, s, l);
	load_address(c, s, a);
	copy_suspect(c, s, 0, l);
	if (!counts)
		put_access(c, s, l, lanes);
	/* rcx = a >> 12, the number of the page */
	BYTES(c, 0xb9, 12, 0, 0, 0, 0xc4, 0xe2, 0xf3, 0xf7, (uint8_t)(0xc8 | a));
	load_constant(c, b, (uintptr_t)mirror_pages);
	l->lookup = (uint16_t)c->n;
	/* movzx ecx, byte (b + rcx) */
	BYTES(c, 0x0f, 0xb6, 0x0c, (uint8_t)(RCX << 3 | b), 0xe3, 0);
	size_t plain = c->n;
	/* b = mirror_distances[rcx] */
	load_constant(c, b, several ? (uintptr_t)mirror_distances : (uint64_t)mirror_distances[1]);
	if (several)
		BYTES(c, 0x48, 0x8b, (uint8_t)(0x04 | b << 3), (uint8_t)(0xc0 | RCX << 3 | b));
	/* a += b */
	BYTES(c, 0x48, 0x8d, (uint8_t)(0x04 | a << 3), (uint8_t)(b << 3 | a));
	/* From here on the access counts. */
	if (counts) {
		copy_count_access(c, s, l);
	} else {
		/* ring->written++ */
		thread_move(c, false, b, &inside_self.ring);
		BYTES(c, 0x48, 0x8b, (uint8_t)(RCX << 3 | b), 0x48, 0x8d, 0x49, lanes ? 3 : 1);
		BYTES(c, 0x48, 0x89, (uint8_t)(RCX << 3 | b));
	}
	l->committed = (uint16_t)c->n;
	land(c, plain);
	restore(c, RCX, KEEP_RCX);
	restore(c, b, KEEP_TEMPORARY);
	l->tail = (uint16_t)c->n;
	tail(c, s, l);
}

bool copy_can_log(void)
{
	return PROCESSOR_HAS(BMI2, "bmi2");
}

/*
 * Whether a head can read the mask of an instruction. kmovq needs AVX512BW, which all processors
 * with masks have but one. vmovmskps cannot name the registers from 16 on, but neither can VEX.
 */
static bool can_read_mask(const struct decode *d)
{
	static int words; /* 0: not known, 1: no, 2: yes */
	unsigned a, b = 0, c, e;
	if (d->mask.from != MASK_OPMASK)
		return true;
	if (!words)
		words = __get_cpuid_count(7, 0, &a, &b, &c, &e) && b & bit_AVX512BW ? 2 : 1;
	return words == 2;
}

bool copy_can_have_head(const struct decode *d)
{
	if (d->form == FORM_PLAIN && (d->operand[0].shape == DECODE_STATE || !can_read_mask(d)))
		return false;
	return d->form == FORM_STRING ? !d->is.repeated
				      : d->form != FORM_NONE && d->form != FORM_OTHER;
}

unsigned copy_register(const struct site *s, unsigned operand)
{
	return s->d.form == FORM_STRING ? s->d.operand[operand].base : s->copy.address;
}

size_t copy_make(const struct site *s, uintptr_t at, bool logs, uint8_t *code, struct copy *layout)
{
	static const uint8_t candidates[] = { RAX, RDX, RBX, RSI, RDI };
	struct code c = { code, 0 };
	unsigned i = 0;
	while (i < sizeof candidates && s->d.used & 1U << candidates[i])
		i++;
	if (s->d.form == FORM_NONE &&
	    (logs || !(copy_can_move(&s->d) || s->returns)))
		return 0;
	if (s->d.form == FORM_NONE)
		i = 0;
	/* In a copy that takes stamps rax holds flags, so it cannot hold the address. */
	while (s->d.is.stamped && i < sizeof candidates &&
	       (candidates[i] == RAX || s->d.used & 1U << candidates[i]))
		i++;
	if (i == sizeof candidates || s->d.form == FORM_OTHER)
		return 0;
	*layout = (struct copy){ .at = at, .address = candidates[i] };
	layout->temporary = layout->address == RAX ? RDX : RAX;
	if (s->d.is.stamped)
		layout->temporary = layout->address == RDX ? RBX : RDX;
	if (logs && s->d.is.stamped)
		copy_atomic_head(&c, s, layout);
	else if (logs && s->d.form == FORM_STRING)
		string_head(&c, s, layout);
	else if (logs)
		head_of_copy(&c, s, layout);
	else
		tail(&c, s, layout);
	layout->bytes = (uint16_t)c.n;
	return c.n;
}
