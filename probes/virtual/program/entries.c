/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "probes/virtual/program/entries.h"

#include <stdlib.h>

#include "probes/virtual/contract/virtual.h"
#include "support/bits.h"

bool entries_has(const struct elf_symbols *x, size_t i)
{
	return x->entries != NULL && bits_get(x->entries, i);
}

ptrdiff_t entries_find(const struct elf_symbols *x, uint64_t va)
{
	size_t i = symbols_up_to(x->names.at, x->names.n, va);

	if (x->entries == NULL)
		return -1;
	if (i > 0 && x->names.at[i - 1].at == va)
		i--;
	for (; i < x->names.n && x->names.at[i].at - va < UINT64_C(1) << VIRT_LINE_BITS; i++)
		if (bits_get(x->entries, i))
			return (ptrdiff_t)i;
	return -1;
}

bool entries_add(struct elf_symbols *x, size_t i)
{
	if (x->entries == NULL)
		x->entries = calloc(bits_words(x->names.n), sizeof *x->entries);
	if (x->entries == NULL)
		return false;
	bits_set(x->entries, i);
	return true;
}
