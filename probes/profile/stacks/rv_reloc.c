/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "probes/profile/stacks/rv_reloc.h"

#include <elf.h>

#include "support/bits.h"

unsigned rv_reloc_bytes(unsigned type)
{
	switch (type) {
	case R_RISCV_CALL:
	case R_RISCV_CALL_PLT:
		return 8;
	case R_RISCV_BRANCH:
	case R_RISCV_JAL:
	case R_RISCV_PCREL_HI20:
	case R_RISCV_PCREL_LO12_I:
	case R_RISCV_PCREL_LO12_S:
		return 4;
	case R_RISCV_RVC_BRANCH:
	case R_RISCV_RVC_JUMP:
		return 2;
	default:
		return 0;
	}
}

bool rv_reloc_is_low(unsigned type)
{
	return type == R_RISCV_PCREL_LO12_I || type == R_RISCV_PCREL_LO12_S;
}

/* Returns bits `from` and up of a distance, n of them, at bit `to`. */
static uint32_t part(uint64_t distance, unsigned from, unsigned n, unsigned to)
{
	return (uint32_t)(distance >> from & ((UINT64_C(1) << n) - 1)) << to;
}

/* Bits of an instruction become those of a distance; the others are kept. */
static void put(unsigned char *at, uint32_t kept, uint32_t bits)
{
	put_le32(at, (get_le32(at) & kept) | bits);
}

static void put_compressed(unsigned char *at, uint32_t kept, uint32_t bits)
{
	put_le16(at, (uint16_t)((get_le16(at) & kept) | bits));
}

/* The high part is such that the low one, which has a sign, completes it. */
static void put_high(unsigned char *at, uint64_t distance)
{
	put(at, 0xfff, (uint32_t)(distance + 0x800) & 0xfffff000);
}

static void put_low(unsigned char *at, uint64_t distance)
{
	put(at, 0xfffff, part(distance, 0, 12, 20));
}

void rv_reloc_apply(unsigned type, unsigned char *at, uint64_t d)
{
	switch (type) {
	case R_RISCV_CALL:
	case R_RISCV_CALL_PLT:
		put_high(at, d);
		put_low(at + 4, d);
		break;
	case R_RISCV_PCREL_HI20:
		put_high(at, d);
		break;
	case R_RISCV_PCREL_LO12_I:
		put_low(at, d);
		break;
	case R_RISCV_PCREL_LO12_S:
		put(at, 0x1fff07f, part(d, 0, 5, 7) | part(d, 5, 7, 25));
		break;
	case R_RISCV_BRANCH:
		put(at, 0x1fff07f,
		    part(d, 12, 1, 31) | part(d, 5, 6, 25) | part(d, 1, 4, 8) | part(d, 11, 1, 7));
		break;
	case R_RISCV_JAL:
		put(at, 0xfff,
		    part(d, 20, 1, 31) | part(d, 1, 10, 21) | part(d, 11, 1, 20) |
			    part(d, 12, 8, 12));
		break;
	case R_RISCV_RVC_BRANCH:
		put_compressed(at, 0xe383,
			       part(d, 8, 1, 12) | part(d, 3, 2, 10) | part(d, 6, 2, 5) |
				       part(d, 1, 2, 3) | part(d, 5, 1, 2));
		break;
	case R_RISCV_RVC_JUMP:
		put_compressed(at, 0xe003,
			       part(d, 11, 1, 12) | part(d, 4, 1, 11) | part(d, 8, 2, 9) |
				       part(d, 10, 1, 8) | part(d, 6, 1, 7) | part(d, 7, 1, 6) |
				       part(d, 1, 3, 3) | part(d, 5, 1, 2));
		break;
	default:
		break;
	}
}
