/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/* Writes the pieces of code that copies of instructions consist of (copy.c, copy_atomic.c). */
#ifndef NFACC_PROBES_MEMORY_INSIDE_EMIT_H
#define NFACC_PROBES_MEMORY_INSIDE_EMIT_H
#include "probes/memory/inside/sites.h"

enum { RAX, RCX, RDX, RBX, RSP, RBP, RSI, RDI };

/* The buffer for the code. It has room for COPY_MAX bytes. */
struct code {
	uint8_t *to;
	size_t n;
};

static inline void byte(struct code *c, unsigned b)
{
	c->to[c->n++] = (uint8_t)b;
}

static inline void emit_word(struct code *c, uint64_t value, unsigned bytes)
{
	for (unsigned i = 0; i < bytes; i++)
		byte(c, (unsigned)(value >> 8 * i) & 0xff);
}

static inline void bytes_of(struct code *c, const uint8_t *from, size_t n)
{
	for (size_t i = 0; i < n; i++)
		byte(c, from[i]);
}

#define BYTES(c, ...)                                                                              \
	do {                                                                                       \
		const uint8_t bytes_[] = { __VA_ARGS__ };                                          \
		bytes_of(c, bytes_, sizeof bytes_);                                                \
	} while (0)

/* The offset from the thread pointer to a field of inside_self. It is the same in every thread. */
static inline uint32_t in_thread(const void *field)
{
	uintptr_t self;
	__asm__ volatile("mov %%fs:0, %0" : "=r"(self));
	return (uint32_t)((uintptr_t)field - self);
}

/* mov of a register to a field of the thread (`store`), or from it. */
static inline void thread_move(struct code *c, bool store, unsigned r, const void *field)
{
	BYTES(c, 0x64, 0x48, store ? 0x89 : 0x8b, (uint8_t)(0x04 | r << 3), 0x25);
	emit_word(c, in_thread(field), 4);
}

static inline void emit_keep(struct code *c, unsigned r, unsigned where)
{
	thread_move(c, true, r, &inside_self.scratch[where]);
}

static inline void restore(struct code *c, unsigned r, unsigned where)
{
	thread_move(c, false, r, &inside_self.scratch[where]);
}

static inline void load_constant(struct code *c, unsigned r, uint64_t value)
{
	BYTES(c, 0x48, (uint8_t)(0xb8 | r));
	emit_word(c, value, 8);
}

/* lea: loads the address of the site's operand into a register. */
static inline void load_address(struct code *c, const struct site *s, unsigned r)
{
	const struct decode_operand *o = &s->d.operand[0];
	if (o->base == REGISTER_RIP) {
		load_constant(c, r, s->pc + s->d.length + (uint64_t)o->displacement);
		return;
	}
	bool base = o->base < 16, index = o->index < 16;
	if (s->d.is.short_address)
		byte(c, 0x67);
	unsigned scale = o->scale == 8 ? 3 : o->scale == 4 ? 2 : o->scale == 2 ? 1 : 0;
	byte(c, 0x48 | (index && o->index > 7 ? 2U : 0) | (base && o->base > 7 ? 1U : 0));
	byte(c, 0x8d);
	byte(c, (base ? 0x84U : 0x04U) | r << 3);
	byte(c, scale << 6 | (index ? o->index & 7U : 4U) << 3 | (base ? o->base & 7U : 5U));
	emit_word(c, (uint64_t)o->displacement, 4);
}

/* A jump to `to`. `at` is the address where the copy will begin. */
static inline void emit_jump(struct code *c, uintptr_t at, uintptr_t to)
{
	int64_t far = (int64_t)(to - (at + c->n + 5));
	if (far == (int32_t)far) {
		byte(c, 0xe9);
		emit_word(c, (uint64_t)far, 4);
		return;
	}
	BYTES(c, 0xff, 0x25, 0, 0, 0, 0);
	emit_word(c, to, 8);
}

/*
 * The instruction, with (r) as its operand. SIB, displacement, segment and prefix 67 are dropped.
 */
static inline void with_register(struct code *c, const struct decode *d, unsigned r)
{
	bool past = false;
	unsigned i = 0;
	for (; i < d->modrm; i++) {
		unsigned b = d->bytes[i];
		bool legacy = b == 0x66 || b == 0xf2 || b == 0xf3 || b == 0xf0;
		/* Prefixes come before all other bytes, so they are looked for only there. */
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

/* Sets the target of the short jump that ends at `from` to the current place. */
static inline void land(struct code *c, size_t from)
{
	c->to[from - 1] = (uint8_t)(c->n - from);
}

/*
 * copy_count.c: what comes after the hlt in a copy that counts: the parts that are sure of the
 * page, if there can be any; and code that counts in the head of other copies.
 */
void copy_count_parts(struct code *c, const struct site *s, struct copy *l);
void copy_count_access(struct code *c, const struct site *s, const struct copy *l);

/* Whether a part that is sure of the page is worth trying. */
bool copy_count_can_be_sure(const struct site *s);

/* Writes a part that counts. Returns false if there is none, and writes nothing. */
bool copy_count_part(struct code *c, const struct site *s, uintptr_t at, struct copy_part *p);

/* copy_stretch.c: the copy of instructions up to a return to code that may have stretches. */
void copy_return(struct code *c, const struct site *s, struct copy *l);

/*
 * copy_suspect.c: looks up the access of an operand, whose address is in copy_register(), in the
 * tables of shadow.h. Changes rcx and the temporary register, and no flags. Nothing is written if
 * there are no stacks.
 */
void copy_suspect(struct code *c, const struct site *s, unsigned operand, struct copy *l);

/*
 * copy_atomic.c: the copy of an atomic instruction (copy.h). copy_atomic_head writes the whole
 * copy, from the hlt to the end. copy_atomic_tail writes only the tail. Both set the fields of *l.
 */
void copy_atomic_head(struct code *c, const struct site *s, struct copy *l);
void copy_atomic_tail(struct code *c, const struct site *s, struct copy *l);
#endif
