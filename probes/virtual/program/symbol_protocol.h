/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * symbol_protocol.h: an annotated snoop as a message. The slot and the opcode say which function or
 * object of a program the snoop is of, so that filters speak of names. A slot holds 255 names; the
 * group of code, and that of data, have as many channels as the program needs.
 * probes/virtual/contract/virtual.def has the bits of the header.
 */
#ifndef NFACC_SOURCES_SYMBOL_PROTOCOL_H
#define NFACC_SOURCES_SYMBOL_PROTOCOL_H

#include "include/nfart.h"
#include "probes/virtual/program/elf_symbols.h"
#include "support/buf.h"

/* How many names a program may have: of all others the messages are `other`. */
enum { SYMBOL_PER_SLOT = 255, SYMBOL_MOST_SLOTS = 32 };

/* Slots of code, which come first, and of data: 1 to SYMBOL_MOST_SLOTS each. */
struct symbol_slots {
	size_t code, data;
};

/* Returns how many slots the names need, or `least` where that is more. */
struct symbol_slots symbol_slots(const struct elf_symbols *x, struct symbol_slots least);

/* Appends the description of the protocol `name` with these slots to b: the types fn_NAME of snoops
 * of code, var_NAME of snoops of data, and other_code and other_data. Opcodes without a name have
 * types, so that all programs with as many slots need the same hardware. Characters that a name may
 * not have become `_`, and a name that is there already gets a number. False: out of memory. */
bool symbol_protocol(const struct elf_symbols *x, struct symbol_slots slots, const char *name,
		     struct buf *b);

/* Makes a batch with one message of an annotated snoop. `va` is the address as linked, and `line`
 * the one as the program runs. `code`: it is a fetch. */
void symbol_message(const struct elf_symbols *x, struct symbol_slots slots, uint64_t va,
		    uint64_t line, bool code, unsigned kind, bool observed,
		    struct nfart_batch *out);

#endif
