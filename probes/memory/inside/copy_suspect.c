/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "probes/memory/inside/emit.h"
#include "probes/memory/inside/locals.h"
#include "probes/memory/inside/modules.h"
#include "probes/memory/inside/shadow.h"

enum { SHADOW_ABOVE = 64 - SHADOW_BITS, LANE = 16 };

/* to = from << count, or from >> count: shlx and shrx change no flags. */
static void shift(struct code *c, bool left, unsigned to, unsigned from, unsigned count)
{
	BYTES(c, 0xc4, 0xe2, (uint8_t)(0x80 | (~count & 15) << 3 | (left ? 1 : 3)), 0xf7,
	      (uint8_t)(0xc0 | to << 3 | from));
}

static void set_register(struct code *c, unsigned r, uint32_t value)
{
	byte(c, 0xb8 | r);
	emit_word(c, value, 4);
}

/* The registers of a look-up: that of the address, and the temporary one. rcx is the third. */
struct pair {
	unsigned address, b;
};

/* b = the address of the access, plus `more`. */
static void address_plus(struct code *c, struct pair r, uint32_t more)
{
	BYTES(c, 0x48, 0x8d, (uint8_t)(0x80 | r.b << 3 | r.address));
	emit_word(c, more, 4);
}

/* b = its low SHADOW_BITS bits without the last `bits`, shifted to the right. */
static void index_of(struct code *c, unsigned b, unsigned bits)
{
	set_register(c, RCX, SHADOW_ABOVE);
	shift(c, true, b, b, RCX);
	set_register(c, RCX, SHADOW_ABOVE + bits);
	shift(c, false, b, b, RCX);
}

/* Ends in a hlt if rcx is not 0. */
static void stop_if(struct code *c, uint16_t *at)
{
	BYTES(c, 0xe3, 1);
	*at = (uint16_t)c->n;
	byte(c, 0xf4);
}

/* Looks at the bit of the last byte of the access. */
static void look_for_lost(struct code *c, struct pair r, unsigned bytes, uint16_t *at)
{
	const unsigned b = r.b;
	address_plus(c, r, bytes - 1);
	index_of(c, b, 6);
	load_constant(c, RCX, (uintptr_t)shadow.lost);
	/* rcx = [rcx + 8 * b]: the bits of 64 bytes */
	BYTES(c, 0x48, 0x8b, 0x04 | RCX << 3, (uint8_t)(0xc0 | b << 3 | RCX));
	address_plus(c, r, bytes - 1);
	/* The bit becomes the highest, by a shift by its number from above, and then the only one. */
	BYTES(c, 0x48, 0xf7, (uint8_t)(0xd0 | b));
	shift(c, true, RCX, RCX, b);
	set_register(c, b, 63);
	shift(c, false, RCX, RCX, b);
	stop_if(c, at);
}

/* Looks at the entries of the words that the access begins in, and clears those of a store. */
static void look_for_unset(struct code *c, struct pair r, const struct decode_operand *o,
			   bool looks, uint16_t *stop)
{
	const uint8_t at = (uint8_t)(r.b << 3 | RCX);
	const unsigned words = o->bytes > 32 ? 8 : o->bytes > 16 ? 4 : o->bytes > 8 ? 2 : 1;
	address_plus(c, r, 0);
	index_of(c, r.b, 3);
	load_constant(c, RCX, (uintptr_t)shadow.unset);
	if (o->kind != MEM_SAVE && looks) {
		if (words < 4)
			BYTES(c, 0x0f, words == 1 ? 0xb6 : 0xb7, 0x04 | RCX << 3, at);
		else if (words == 4)
			BYTES(c, 0x8b, 0x04 | RCX << 3, at);
		else
			BYTES(c, 0x48, 0x8b, 0x04 | RCX << 3, at);
		stop_if(c, stop);
		load_constant(c, RCX, (uintptr_t)shadow.unset);
	}
	if (o->kind == MEM_LOAD)
		return;
	if (words == 1)
		BYTES(c, 0xc6, 0x04, at, 0);
	else if (words == 2)
		BYTES(c, 0x66, 0xc7, 0x04, at, 0, 0);
	else if (words == 4)
		BYTES(c, 0xc7, 0x04, at, 0, 0, 0, 0);
	else
		BYTES(c, 0x48, 0xc7, 0x04, at, 0, 0, 0, 0);
}

/* Ends in a hlt if the address is near the stack pointer. */
static void look_for_local(struct code *c, struct pair r, uint16_t *at)
{
	/* rcx = address - rsp + LOCALS_NEAR, with ~rsp = -rsp - 1; not changes no flags */
	BYTES(c, 0x48, 0x89, 0xc0 | RSP << 3 | RCX, 0x48, 0xf7, 0xd0 | RCX);
	BYTES(c, 0x48, 0x8d, 0x84 | RCX << 3, (uint8_t)(r.address << 3 | RCX));
	emit_word(c, LOCALS_NEAR + 1, 4);
	set_register(c, r.b, LOCALS_BITS);
	shift(c, false, RCX, RCX, r.b);
	/* if rcx is 0, go to the hlt, else beyond it */
	BYTES(c, 0xe3, 2, 0xeb, 1);
	*at = (uint16_t)c->n;
	byte(c, 0xf4);
}

void copy_suspect(struct code *c, const struct site *s, unsigned operand, struct copy *l)
{
	const struct decode_operand *o = &s->d.operand[operand];
	const struct pair r = { s->d.form == FORM_STRING ? o->base : l->address, l->temporary };
	if (locals_wants(s, operand))
		look_for_local(c, r, &l->suspect[operand].local);
	if (!inside.stacks)
		return;
	/* The string functions of libc read whole vectors. */
	const bool libc = modules_is_libc(s->pc);
	if (shadow.lost && !(libc && o->kind == MEM_LOAD && o->bytes >= LANE))
		look_for_lost(c, r, o->bytes, &l->suspect[operand].lost);
	if (shadow.unset && !(libc && o->kind == MEM_LOAD))
		look_for_unset(c, r, o, !libc, &l->suspect[operand].unset);
}
