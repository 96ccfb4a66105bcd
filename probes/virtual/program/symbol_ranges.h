/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * symbol_ranges.h: the functions and objects of a program as probes/virtual/rtl/virt_messages.v takes them: ranges
 * of lines, each with the slot and the opcode of its messages. What has no range is `other`, as in
 * the messages of symbol_protocol.h.
 */
#ifndef NFACC_SOURCES_SYMBOL_RANGES_H
#define NFACC_SOURCES_SYMBOL_RANGES_H

#include <stdio.h>

#include "probes/virtual/program/elf_symbols.h"
#include "probes/virtual/program/symbol_protocol.h"
#include "support/vec.h"

struct symbol_range {
	uint64_t first, last; /* addresses of lines, as the program runs */
	unsigned slot, opcode;
	bool code;
	size_t name; /* index of the name */
};

struct symbol_ranges {
	VEC(struct symbol_range) ranges; /* by rising address; none overlaps the next */
};

/* Makes the ranges of a program that was loaded `base` bytes above where it was linked. A name has
 * the lines whose first byte it has. One without such a line has no range, nor has one beyond the
 * names that the protocol has, or beyond VIRT_VA_BITS bits of address. False: out of memory. The
 * caller frees out->ranges in either case. */
bool symbol_ranges(const struct elf_symbols *x, struct symbol_slots slots, uint64_t base,
		   struct symbol_ranges *out);

/* Writes the writes to registers of virt_messages that set the ranges, as lines for $readmemh: 3
 * digits of the address, `_`, 16 digits of the data. The first write stops messages, and the last
 * one starts them. There are at most as many ranges as the field RANGES of MSG_CTRL can say. */
void symbol_ranges_write(const struct elf_symbols *x, struct symbol_slots slots,
			 const struct symbol_ranges *r, FILE *f);

#endif
