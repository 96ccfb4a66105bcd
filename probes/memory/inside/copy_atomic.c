/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "probes/memory/inside/emit.h"
#include "probes/memory/inside/stacks.h"

enum { CHUNK = 1 << 16, ACCESS_AT = 2, HEAD_WORDS = 3, STAMP_WORDS = 2 };

/* Puts the flags into rax and saves them. add and sahf later restore them from rax. */
static void save_flags(struct code *c)
{
	BYTES(c, 0x9f, 0x0f, 0x90, 0xc0);
	emit_keep(c, RAX, KEEP_FLAGS);
}

static void restore_all(struct code *c, const struct copy *l)
{
	restore(c, RAX, KEEP_FLAGS);
	BYTES(c, 0x04, 0x7f, 0x9e);
	restore(c, RAX, KEEP_TARGET);
	restore(c, RCX, KEEP_RCX);
	restore(c, l->temporary, KEEP_TEMPORARY);
}

/*
 * Writes a conditional jump whose target is not known yet. Returns the offset of its end;
 * set_target later sets the target.
 */
static size_t jump_if(struct code *c, unsigned condition)
{
	BYTES(c, 0x0f, (uint8_t)condition, 0, 0, 0, 0);
	return c->n;
}

/* Sets the target of the jump that ends at `from`. */
static void set_target(struct code *c, size_t from, size_t to)
{
	struct code jump = { c->to, from - 4 };
	emit_word(&jump, to - from, 4);
}

/*
 * Sets the temporary register to the next word of the chunk. Returns the end of a jump. That jump
 * is taken if the chunk has no room for `words` words, or if it has no word yet.
 */
static size_t find_words(struct code *c, const struct copy *l, unsigned words)
{
	const unsigned b = l->temporary;
	thread_move(c, false, RAX, &inside_self.ring);
	/* rax = ring->written % 65536; jump if rax - 1 > 65536 - words - 1, unsigned */
	BYTES(c, 0x48, 0x8b, 0x00, 0x0f, 0xb7, 0xc0, 0x8d, 0x48, 0xff, 0x81, 0xf9);
	emit_word(c, CHUNK - words - 1, 4);
	const size_t slow = jump_if(c, 0x87);
	thread_move(c, false, b, &inside_self.chunk);
	BYTES(c, 0x48, 0x8d, (uint8_t)(0x04 | b << 3), (uint8_t)(0xc0 | RAX << 3 | b));
	return slow;
}

/* Stores rcx in word i after the temporary register. */
static void put_word(struct code *c, const struct copy *l, unsigned i)
{
	BYTES(c, 0x48, 0x89, (uint8_t)(0x40 | RCX << 3 | l->temporary), (uint8_t)(8 * i));
}

/*
 * Takes a stamp, writes it, and adds `words` to ring->written: the words of the stamp and those
 * that the caller wrote after it.
 */
static void stamp(struct code *c, const struct copy *l, unsigned words, uint16_t *taken)
{
	load_constant(c, RCX, (uint64_t)MEM_STAMP << MEM_ADDRESS_BITS | 1);
	put_word(c, l, 0);
	thread_move(c, false, RAX, &inside_self.stamp);
	/* rcx = 1; lock xadd [rax], rcx */
	BYTES(c, 0xb9, 1, 0, 0, 0, 0xf0, 0x48, 0x0f, 0xc1, 0x08);
	*taken = (uint16_t)c->n;
	put_word(c, l, 1);
	thread_move(c, false, RAX, &inside_self.ring);
	BYTES(c, 0x48, 0x83, 0x00, (uint8_t)words);
}

/* Lets the library record the call stack if there is a second thread, and goes on. */
static void call_stacks(struct code *c, const struct site *s, const struct copy *l)
{
	/* cmp byte [rcx], 0 */
	load_constant(c, RCX, (uintptr_t)&inside.threads);
	BYTES(c, 0x80, 0x39, 0);
	const size_t alone = jump_if(c, 0x84);
	load_constant(c, RCX, s->pc);
	/* lea of what follows the jump */
	BYTES(c, 0x48, 0x8d, 0x05);
	const size_t from = c->n + 4;
	emit_word(c, 0, 4);
	emit_jump(c, l->at, (uintptr_t)stacks_entry);
	set_target(c, from, c->n);
	set_target(c, alone, c->n);
}

void copy_atomic_head(struct code *c, const struct site *s, struct copy *l)
{
	const unsigned a = l->address, b = l->temporary;
	byte(c, 0xf4);
	l->entry = (uint16_t)c->n;
	emit_keep(c, RCX, KEEP_RCX);
	emit_keep(c, a, KEEP_ADDRESS);
	emit_keep(c, b, KEEP_TEMPORARY);
	emit_keep(c, RAX, KEEP_TARGET);
	l->saved = (uint16_t)c->n;
	load_address(c, s, a);
	copy_suspect(c, s, 0, l);
	save_flags(c);
	l->flagged = (uint16_t)c->n;
	/* rcx = mirror_pages[a >> 12]; if it is 0, nothing is recorded */
	BYTES(c, 0x48, 0x89, (uint8_t)(0xc0 | a << 3 | RCX), 0x48, 0xc1, 0xe9, 12);
	load_constant(c, b, (uintptr_t)mirror_pages);
	l->lookup = (uint16_t)c->n;
	BYTES(c, 0x0f, 0xb6, 0x0c, (uint8_t)(RCX << 3 | b));
	emit_keep(c, RCX, KEEP_STAMPED);
	BYTES(c, 0x85, 0xc9);
	const size_t plain = jump_if(c, 0x84);
	if (inside.suspects & MEM_SUSPECT_RACE)
		call_stacks(c, s, l);
	set_target(c, find_words(c, l, HEAD_WORDS), 0);
	load_constant(c, RCX, (uint64_t)s->number[0] << MEM_ADDRESS_BITS);
	BYTES(c, 0x48, 0x01, (uint8_t)(0xc0 | a << 3 | RCX));
	put_word(c, l, ACCESS_AT);
	stamp(c, l, HEAD_WORDS, &l->taken);
	l->committed = (uint16_t)c->n;
	set_target(c, plain, c->n);
	/* a += mirror_distances[KEEP_STAMPED], which holds the value of mirror_pages */
	restore(c, RCX, KEEP_STAMPED);
	load_constant(c, RAX, (uintptr_t)mirror_distances);
	BYTES(c, 0x48, 0x03, (uint8_t)(0x04 | a << 3), (uint8_t)(0xc0 | RCX << 3 | RAX));
	restore_all(c, l);
	l->tail = (uint16_t)c->n;
	copy_atomic_tail(c, s, l);
}

void copy_atomic_tail(struct code *c, const struct site *s, struct copy *l)
{
	with_register(c, &s->d, l->address);
	emit_keep(c, RCX, KEEP_RCX);
	emit_keep(c, l->temporary, KEEP_TEMPORARY);
	emit_keep(c, RAX, KEEP_TARGET);
	save_flags(c);
	l->after.flagged = (uint16_t)c->n;
	/* compares KEEP_STAMPED with 0 */
	BYTES(c, 0x64, 0x48, 0x83, 0x3c, 0x25);
	emit_word(c, in_thread(&inside_self.scratch[KEEP_STAMPED]), 4);
	byte(c, 0);
	const size_t plain = jump_if(c, 0x84);
	const size_t slow = find_words(c, l, STAMP_WORDS);
	stamp(c, l, STAMP_WORDS, &l->after.taken);
	l->after.leave = (uint16_t)c->n;
	set_target(c, plain, c->n);
	restore_all(c, l);
	restore(c, l->address, KEEP_ADDRESS);
	emit_jump(c, l->at, s->pc + s->d.length);
	l->after.slow = (uint16_t)c->n;
	set_target(c, slow, c->n);
	byte(c, 0xf4);
}
