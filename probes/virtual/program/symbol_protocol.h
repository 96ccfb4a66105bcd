/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * symbol_protocol.h: makes messages from annotated snoops. The slot and the opcode of a message say
 * which function or object of a program was read, so filters can use names. A slot holds 255 names.
 * Code and data each have as many slots as the program needs. The bits of the header are in
 * probes/virtual/contract/virtual.def.
 */
#ifndef NFACC_SOURCES_SYMBOL_PROTOCOL_H
#define NFACC_SOURCES_SYMBOL_PROTOCOL_H

#include "include/nfart.h"
#include "probes/virtual/program/elf_symbols.h"
#include "support/buf.h"

/* Limits on names. Reads of any further names have messages of type `other`. */
enum { SYMBOL_PER_SLOT = 255, SYMBOL_MOST_SLOTS = 32 };

/* Numbers of slots: for code, which come first, and for data. Each is 1 to SYMBOL_MOST_SLOTS. */
struct symbol_slots {
	size_t code, data;
};

/* Returns how many slots the names need, at least `least`. */
struct symbol_slots symbol_slots(const struct elf_symbols *x, struct symbol_slots least);

/*
 * Appends the description of the protocol `name` with these slots to b. Types are fn_NAME for reads
 * of code, var_NAME for reads of data, other_code and other_data. Opcodes without a name have
 * types, too. So all programs with the same number of slots need the same hardware. A character
 * that is not allowed in a name becomes `_`. If the name exists already, it gets a number. The
 * description says that messages are misses of caches, except those of the symbols in `observed`, a
 * bit set over x->names; NULL: there are none. Returns false if there is no memory.
 */
bool symbol_protocol(const struct elf_symbols *x, struct symbol_slots slots, const char *name,
		     const uint64_t *observed, struct buf *b);

/* A read of a line, as an annotated snoop tells it. */
struct symbol_read {
	uint64_t line; /* the address of the line, at which the program runs */
	uint64_t base; /* names are at addresses that are less by this */
	unsigned word; /* which byte of the line the reader wants first */
	unsigned kind; /* of the snoop; VIRT_READ_CLEAN is a fetch */
	bool observed; /* the line is an observation point */
};

/*
 * Makes a batch with the message of a read. Returns false if the read has none, because it is one
 * of a function that has messages of its calls only (entries.h). Cost: logarithmic.
 */
bool symbol_message(const struct elf_symbols *x, struct symbol_slots slots,
		    const struct symbol_read *r, struct nfart_batch *out);

#endif
