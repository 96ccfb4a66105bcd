/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "sources/process/inside/copy.h"

#include <cpuid.h>

enum { RAX, RCX, RDX, RBX, RSP, RBP, RSI, RDI };

struct code {
	uint8_t *to;
	size_t n;
};

static void byte(struct code *c, unsigned b)
{
	c->to[c->n++] = (uint8_t)b;
}

static void word(struct code *c, uint64_t value, unsigned bytes)
{
	for (unsigned i = 0; i < bytes; i++)
		byte(c, (unsigned)(value >> 8 * i) & 0xff);
}

static void bytes_of(struct code *c, const uint8_t *from, size_t n)
{
	for (size_t i = 0; i < n; i++)
		byte(c, from[i]);
}

#define BYTES(c, ...)                                                                              \
	do {                                                                                       \
		const uint8_t bytes_[] = { __VA_ARGS__ };                                          \
		bytes_of(c, bytes_, sizeof bytes_);                                                \
	} while (0)

/* Bytes from the thread pointer to a field of inside_self: the same in every thread. */
static uint32_t in_thread(const void *field)
{
	uintptr_t self;
	__asm__ volatile("mov %%fs:0, %0" : "=r"(self));
	return (uint32_t)((uintptr_t)field - self);
}

/* mov to or from a field of the thread. */
static void thread_move(struct code *c, bool store, unsigned r, const void *field)
{
	BYTES(c, 0x64, 0x48, store ? 0x89 : 0x8b, (uint8_t)(0x04 | r << 3), 0x25);
	word(c, in_thread(field), 4);
}

static void keep(struct code *c, unsigned r, unsigned where)
{
	thread_move(c, true, r, &inside_self.scratch[where]);
}

static void restore(struct code *c, unsigned r, unsigned where)
{
	thread_move(c, false, r, &inside_self.scratch[where]);
}

static void load_constant(struct code *c, unsigned r, uint64_t value)
{
	BYTES(c, 0x48, (uint8_t)(0xb8 | r));
	word(c, value, 8);
}

/* lea of the site's operand. */
static void load_address(struct code *c, const struct site *s, unsigned r)
{
	const struct decode_operand *o = &s->d.operand[0];
	if (o->base == REGISTER_RIP) {
		load_constant(c, r, s->pc + s->d.length + (uint64_t)o->displacement);
		return;
	}
	bool base = o->base < 16, index = o->index < 16;
	if (s->d.short_address)
		byte(c, 0x67);
	unsigned scale = o->scale == 8 ? 3 : o->scale == 4 ? 2 : o->scale == 2 ? 1 : 0;
	byte(c, 0x48 | (index && o->index > 7 ? 2U : 0) | (base && o->base > 7 ? 1U : 0));
	byte(c, 0x8d);
	byte(c, (base ? 0x84U : 0x04U) | r << 3);
	byte(c, scale << 6 | (index ? o->index & 7U : 4U) << 3 | (base ? o->base & 7U : 5U));
	word(c, (uint64_t)o->displacement, 4);
}

/* A jump to `to`, from where the code will be. */
static void jump(struct code *c, uintptr_t at, uintptr_t to)
{
	int64_t far = (int64_t)(to - (at + c->n + 5));
	if (far == (int32_t)far) {
		byte(c, 0xe9);
		word(c, (uint64_t)far, 4);
		return;
	}
	BYTES(c, 0xff, 0x25, 0, 0, 0, 0);
	word(c, to, 8);
}

/* The instruction with (r) as its operand: no SIB, no displacement, no segment, no prefix 67. */
static void with_register(struct code *c, const struct decode *d, unsigned r)
{
	bool past = false;
	unsigned i = 0;
	for (; i < d->modrm; i++) {
		unsigned b = d->bytes[i];
		bool legacy = b == 0x66 || b == 0xf2 || b == 0xf3 || b == 0xf0;
		/* Prefixes come before everything else. */
		bool dropped = b == 0x26 || b == 0x2e || b == 0x36 || b == 0x3e || b == 0x67;
		if (!past && dropped)
			continue;
		past |= !legacy;
		if (i == d->rex && d->encoding == ENCODING_LEGACY)
			b &= ~3U;
		else if (i == d->rex)
			b |= 0x60U;
		byte(c, b);
	}
	byte(c, (d->bytes[d->modrm] & 0x38U) | r);
	for (i = d->rest; i < d->length; i++)
		byte(c, d->bytes[i]);
}

/* Tails. A jump through memory leaves by a place that no register is needed for. */
static void jump_tail(struct code *c, const struct site *s, const struct copy *l)
{
	unsigned a = l->address;
	BYTES(c, 0x48, 0x8b, (uint8_t)(a << 3 | a));
	keep(c, a, KEEP_TARGET);
	if (s->d.form == FORM_CALL) {
		BYTES(c, 0x48, 0x8d, 0x64, 0x24, 0xf8);
		load_constant(c, a, s->pc + s->d.length);
		BYTES(c, 0x48, 0x89, (uint8_t)(0x04 | a << 3), 0x24);
	}
	restore(c, a, KEEP_ADDRESS);
	BYTES(c, 0x64, 0xff, 0x24, 0x25);
	word(c, in_thread(&inside_self.scratch[KEEP_TARGET]), 4);
}

/* What was added to rsi and rdi is taken off again: r + ~moved + 1 changes no flags. */
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
	jump(c, l->at, s->pc + s->d.length);
}

/* Writes how far a short jump goes that ends at `from`. */
static void land(struct code *c, size_t from)
{
	c->to[from - 1] = (uint8_t)(c->n - from);
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

bool copy_can_move(const struct decode *d)
{
	unsigned condition;
	int64_t away;
	if (d->form != FORM_NONE)
		return false;
	return copy_is_jump(d, &condition, &away) || (!d->relative && !d->branch);
}

static void moved(struct code *c, const struct site *s, const struct copy *l)
{
	unsigned condition;
	int64_t away;
	uintptr_t next = s->pc + s->d.length;
	if (!copy_is_jump(&s->d, &condition, &away)) {
		bytes_of(c, s->d.bytes, s->d.length);
		jump(c, l->at, next);
		return;
	}
	if (condition) {
		/* The opposite condition leaves by the second jump. */
		BYTES(c, (uint8_t)(0x70 | ((condition & 15) ^ 1)), 0);
		size_t from = c->n;
		jump(c, l->at, next + (uint64_t)away);
		land(c, from);
		jump(c, l->at, next);
	} else {
		jump(c, l->at, next + (uint64_t)away);
	}
}

static void tail(struct code *c, const struct site *s, const struct copy *l)
{
	switch (s->d.form) {
	case FORM_JUMP:
	case FORM_CALL:
		jump_tail(c, s, l);
		return;
	case FORM_STRING:
		string_tail(c, s, l);
		return;
	case FORM_NONE:
		moved(c, s, l);
		return;
	default:
		with_register(c, &s->d, l->address);
		restore(c, l->address, KEEP_ADDRESS);
		jump(c, l->at, s->pc + s->d.length);
	}
}

/* The hlt, and from the entry on: the scratch registers are saved. */
static void begin(struct code *c, struct copy *l)
{
	byte(c, 0xf4);
	l->entry = (uint16_t)c->n;
	keep(c, RCX, KEEP_RCX);
	keep(c, l->address, KEEP_ADDRESS);
	keep(c, l->temporary, KEEP_TEMPORARY);
	l->saved = (uint16_t)c->n;
}

/* rcx = ring->written % 65536; if 0, back to the hlt */
static void place_in_chunk(struct code *c)
{
	thread_move(c, false, RCX, &inside_self.ring);
	BYTES(c, 0x48, 0x8b, 0x09, 0x0f, 0xb7, 0xc9);
	BYTES(c, 0xe3, (uint8_t)(0 - (c->n + 2)));
}

/*
 * One operand of a string instruction: its word goes into the ring, at number B, and what is to be
 * added to its register into the thread's scratch. B counts the word where memory is watched.
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
	keep(c, a, copy_moved(r));
	/* if rcx, b++ */
	BYTES(c, 0xe3, 4, 0x48, 0x8d, (uint8_t)(0x40 | b << 3 | b), 1);
}

/*
 * Of a string instruction that is not repeated. All its words go into one chunk; the first that is
 * read comes first.
 */
static void string_head(struct code *c, const struct site *s, struct copy *l)
{
	unsigned a = l->address, b = l->temporary;
	begin(c, l);
	place_in_chunk(c);
	if (s->d.operands == 2) {
		/* rcx = (rcx + 1) % 65536; if 0, back to the hlt */
		BYTES(c, 0x8d, 0x49, 1, 0x0f, 0xb7, 0xc9);
		BYTES(c, 0xe3, (uint8_t)(0 - (c->n + 2)));
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

static void head(struct code *c, const struct site *s, struct copy *l)
{
	unsigned a = l->address, b = l->temporary;
	begin(c, l);
	load_address(c, s, a);
	place_in_chunk(c);
	/* chunk[rcx] = site << 47 + a */
	thread_move(c, false, b, &inside_self.chunk);
	BYTES(c, 0x48, 0x8d, (uint8_t)(0x04 | b << 3), (uint8_t)(0xc0 | RCX << 3 | b));
	load_constant(c, RCX, (uint64_t)s->number[0] << MEM_ADDRESS_BITS);
	BYTES(c, 0x48, 0x8d, 0x0c, (uint8_t)(a << 3 | RCX));
	BYTES(c, 0x48, 0x89, (uint8_t)(RCX << 3 | b));
	/* rcx = a >> 12 */
	BYTES(c, 0xb9, 12, 0, 0, 0, 0xc4, 0xe2, 0xf3, 0xf7, (uint8_t)(0xc8 | a));
	load_constant(c, b, (uintptr_t)mirror_pages);
	l->lookup = (uint16_t)c->n;
	/* movzx ecx, byte (b + rcx) */
	BYTES(c, 0x0f, 0xb6, 0x0c, (uint8_t)(RCX << 3 | b), 0xe3, 0);
	size_t plain = c->n;
	/* b = mirror_distances[rcx] */
	load_constant(c, b,
		      inside.low ? (uintptr_t)mirror_distances : (uint64_t)mirror_distances[1]);
	if (inside.low)
		BYTES(c, 0x48, 0x8b, (uint8_t)(0x04 | b << 3), (uint8_t)(0xc0 | RCX << 3 | b));
	/* a += b */
	BYTES(c, 0x48, 0x8d, (uint8_t)(0x04 | a << 3), (uint8_t)(b << 3 | a));
	/* ring->written++: what was written counts */
	thread_move(c, false, b, &inside_self.ring);
	BYTES(c, 0x48, 0x8b, (uint8_t)(RCX << 3 | b), 0x48, 0x8d, 0x49, 1);
	BYTES(c, 0x48, 0x89, (uint8_t)(RCX << 3 | b));
	l->committed = (uint16_t)c->n;
	land(c, plain);
	restore(c, RCX, KEEP_RCX);
	restore(c, b, KEEP_TEMPORARY);
	l->tail = (uint16_t)c->n;
	tail(c, s, l);
}

bool copy_can_log(void)
{
	unsigned a, b, c, d;
	return __get_cpuid_count(7, 0, &a, &b, &c, &d) && b & bit_BMI2;
}

bool copy_can_have_head(const struct decode *d)
{
	return d->form == FORM_STRING ? !d->repeated
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
	if (s->d.form == FORM_NONE && (logs || !copy_can_move(&s->d)))
		return 0;
	if (s->d.form == FORM_NONE)
		i = 0;
	if (i == sizeof candidates || s->d.form == FORM_OTHER)
		return 0;
	*layout = (struct copy){ .at = at, .address = candidates[i] };
	layout->temporary = layout->address == RAX ? RDX : RAX;
	if (logs && s->d.form == FORM_STRING)
		string_head(&c, s, layout);
	else if (logs)
		head(&c, s, layout);
	else
		tail(&c, s, layout);
	layout->bytes = (uint16_t)c.n;
	return c.n;
}
