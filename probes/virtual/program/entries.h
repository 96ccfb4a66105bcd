/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * entries.h: the functions that --observe names. Such a function has one message a call: the read
 * of its entry line that asks for its first byte. Its other reads have no messages. The entry line
 * is the function's, even if another name has the first byte of the line; reads of it that ask for
 * another byte have no messages, and reads of it as data have no name.
 */
#ifndef NFACC_PROBES_VIRTUAL_ENTRIES_H
#define NFACC_PROBES_VIRTUAL_ENTRIES_H

#include "probes/virtual/program/elf_symbols.h"

/* Whether name i is such a function. */
bool entries_has(const struct elf_symbols *x, size_t i);

/*
 * Returns the index of such a function that begins in the line whose first byte was linked at `va`;
 * -1: none does.
 */
ptrdiff_t entries_find(const struct elf_symbols *x, uint64_t va);

/*
 * Makes name i such a function. Its line must not have the entry of another one. Returns false if
 * there is no memory.
 */
bool entries_add(struct elf_symbols *x, size_t i);

#endif
