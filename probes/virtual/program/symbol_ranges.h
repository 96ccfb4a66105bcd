/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * symbol_ranges.h: the functions and objects of a program, in the form for rtl/virt_messages.v:
 * ranges of lines, each with the slot and the opcode of its messages. A line without a range is
 * `other`, as in symbol_protocol.h.
 */
#ifndef NFACC_SOURCES_SYMBOL_RANGES_H
#define NFACC_SOURCES_SYMBOL_RANGES_H

#include <stdio.h>

#include "probes/virtual/program/elf_symbols.h"
#include "probes/virtual/program/symbol_protocol.h"
#include "support/vec.h"

struct symbol_range {
	uint64_t first, last; /* addresses of lines, at which the program runs */
	unsigned slot, opcode;
	bool code;
	bool entry;    /* of all reads, only those of byte `word` of the first line have messages */
	unsigned word;
	size_t name; /* index of the name */
};

struct symbol_ranges {
	VEC(struct symbol_range) ranges; /* sorted; no range overlaps the next */
};

/*
 * Whether a name has a line in a program whose names are `base` bytes below the addresses at which
 * it runs, modulo 2^64. Without a line it never has messages.
 */
bool symbol_has_line(const struct symbol *name, uint64_t base);

/*
 * Makes the ranges of a program whose names are `base` bytes below the addresses at which it runs.
 * A line belongs to the name that has its first byte. A name without such a line gets no range. The
 * same holds for names that have no place in the protocol, and for addresses of more than
 * VIRT_VA_BITS bits. A function in x->entries has its entry line, too (entries.h). Returns false if
 * there is no memory. The caller always frees out->ranges.
 */
bool symbol_ranges(const struct elf_symbols *x, struct symbol_slots slots, uint64_t base,
		   struct symbol_ranges *out);

/*
 * Writes the register writes that set the ranges in virt_messages. Each is a line for $readmemh: 3
 * digits of the address, `_`, 16 digits of the data. The first write stops messages, and the last
 * one starts them again. The number of ranges must fit into the field RANGES of MSG_CTRL.
 */
void symbol_ranges_write(const struct elf_symbols *x, struct symbol_slots slots,
			 const struct symbol_ranges *r, FILE *f);

#endif
