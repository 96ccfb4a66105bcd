/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * rv_reloc.h: relocations of RISC-V in instructions, of the kinds that modules of Linux have: those
 * relative to the instruction (RISC-V ELF psABI).
 */
#ifndef NFACC_RISCV_RV_RELOC_H
#define NFACC_RISCV_RV_RELOC_H

#include <stdbool.h>
#include <stdint.h>

static inline uint16_t get_le16(const unsigned char *p)
{
	return (uint16_t)(p[0] | p[1] << 8);
}

static inline void put_le16(unsigned char *p, uint16_t x)
{
	p[0] = (unsigned char)x;
	p[1] = (unsigned char)(x >> 8);
}

/* How many bytes a relocation of this type changes; 0: it is none of these. */
unsigned rv_reloc_bytes(unsigned type);

/*
 * Whether it has the low part of a distance. Its symbol is then the instruction with the high part,
 * and the distance is from there.
 */
bool rv_reloc_is_low(unsigned type);

/* Puts a distance into the instruction, or the two instructions, at `at`. */
void rv_reloc_apply(unsigned type, unsigned char *at, uint64_t distance);

#endif
