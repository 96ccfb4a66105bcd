/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "probes/profile/qemu/cost.h"

/* The kind of a 16-bit instruction. Bits 1:0 are the quadrant, and bits 15:13 the operation. */
static enum insn_kind compressed_kind(uint32_t insn)
{
	unsigned operation = insn >> 13 & 7;

	switch (insn & 3) {
	case 0:
		if (operation == 0)
			return INSN_PLAIN;
		return operation < 4 ? INSN_LOAD : INSN_STORE;
	case 1:
		return operation >= 5 ? INSN_JUMP : INSN_PLAIN;
	default:
		break;
	}
	if (operation >= 5)
		return INSN_STORE;
	if (operation >= 1 && operation <= 3)
		return INSN_LOAD;
	if (operation == 0 || (insn >> 2 & 31) != 0)
		return INSN_PLAIN; /* c.slli, c.mv, c.add */
	return insn == 0x9002 ? INSN_SYSTEM : INSN_JUMP; /* c.ebreak; c.jr and c.jalr */
}

static enum insn_kind float_kind(uint32_t insn)
{
	unsigned operation = insn >> 27;

	return operation == 3 || operation == 11 ? INSN_DIVIDE : INSN_MULTIPLY;
}

enum insn_kind insn_kind(uint32_t insn)
{
	if ((insn & 3) != 3)
		return compressed_kind(insn);
	switch (insn & 0x7f) {
	case 0x03:
	case 0x07:
		return INSN_LOAD;
	case 0x23:
	case 0x27:
		return INSN_STORE;
	case 0x2f:
		return INSN_ATOMIC;
	case 0x33:
	case 0x3b:
		if (insn >> 25 != 1)
			return INSN_PLAIN;
		return insn >> 14 & 1 ? INSN_DIVIDE : INSN_MULTIPLY;
	case 0x43:
	case 0x47:
	case 0x4b:
	case 0x4f:
		return INSN_MULTIPLY;
	case 0x53:
		return float_kind(insn);
	case 0x63:
	case 0x67:
	case 0x6f:
		return INSN_JUMP;
	case 0x73:
		return INSN_SYSTEM;
	default:
		return INSN_PLAIN;
	}
}

unsigned cost_of(enum insn_kind kind)
{
	switch (kind) {
	case INSN_LOAD:
		return 2;
	case INSN_ATOMIC:
		return 5;
	case INSN_MULTIPLY:
		return 4;
	case INSN_DIVIDE:
		return 33;
	default:
		return 1;
	}
}

/* Marsaglia's xorshift. The result is never 0 if the state was not 0. */
static uint64_t draw_random(uint64_t *random)
{
	*random ^= *random << 13;
	*random ^= *random >> 7;
	*random ^= *random << 17;
	return *random;
}

unsigned cost_of_stall(enum insn_kind kind, uint64_t *random)
{
	uint64_t drawn;

	if (kind != INSN_LOAD && kind != INSN_STORE)
		return 0;
	drawn = draw_random(random) >> 16;
	return drawn % 64 ? 0 : 1 + (unsigned)(drawn / 64 % 64);
}

uint64_t cost_seed(uint64_t seed, unsigned hart)
{
	uint64_t random = seed * 0x9e3779b97f4a7c15u + hart + 1;

	if (random == 0)
		random = 1;
	for (int i = 0; i < 8; i++)
		draw_random(&random);
	return random;
}
