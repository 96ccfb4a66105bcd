/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "probes/virtual/program/elf_symbols.h"

#include <elf.h>

#include "support/vec.h"

/* Drops names whose size is not known, and names that reach beyond the end of the address space. */
static void drop_sizeless(struct symbols *s)
{
	size_t n = 0;

	for (size_t i = 0; i < s->n; i++)
		if (s->at[i].bytes != 0 && s->at[i].at <= UINT64_MAX - s->at[i].bytes)
			s->at[n++] = s->at[i];
	s->n = n;
}

/* Shortens names that overlap the next one. */
static void cut_symbols(struct symbols *s)
{
	for (size_t i = 0; i + 1 < s->n; i++)
		if (s->at[i + 1].at - s->at[i].at < s->at[i].bytes)
			s->at[i].bytes = s->at[i + 1].at - s->at[i].at;
}

static enum nfart_status fail_symbols(struct elf_symbols *x, const char *path, const char *what,
				      struct nfart_error *e)
{
	elf_symbols_close(x);
	return elf_file_wrong(path, what, e);
}

static enum nfart_status read_names(struct elf_symbols *x, const char *path, struct nfart_error *e)
{
	static const unsigned types[] = { SHT_SYMTAB, SHT_DYNSYM };

	x->moves = x->file.type == ET_DYN;
	for (unsigned t = 0; t < 2 && x->names.n == 0; t++) {
		if (!elf_file_symbols(&x->file, types[t], ELF_FUNCTIONS | ELF_OBJECTS, &x->names))
			return fail_symbols(x, path, "out of memory, or too many symbols", e);
		drop_sizeless(&x->names);
	}
	if (x->names.n == 0)
		return fail_symbols(x, path, "this ELF file has no symbols of functions or objects",
				    e);
	symbols_order(&x->names);
	cut_symbols(&x->names);
	return NFART_OK;
}

enum nfart_status elf_symbols_parse(struct elf_symbols *x, const void *bytes, size_t n,
				    const char *path, struct nfart_error *e)
{
	enum nfart_status status;

	*x = (struct elf_symbols){ 0 };
	status = elf_file_parse(&x->file, bytes, n, path, e);
	return status != NFART_OK ? status : read_names(x, path, e);
}

enum nfart_status elf_symbols_open(struct elf_symbols *x, const char *path, struct nfart_error *e)
{
	enum nfart_status status;

	*x = (struct elf_symbols){ 0 };
	status = elf_file_open(&x->file, path, e);
	return status != NFART_OK ? status : read_names(x, path, e);
}

void elf_symbols_close(struct elf_symbols *x)
{
	vec_free(&x->names);
	elf_file_close(&x->file);
	*x = (struct elf_symbols){ 0 };
}

ptrdiff_t elf_symbols_find(const struct elf_symbols *x, uint64_t va)
{
	size_t i = symbols_up_to(x->names.at, x->names.n, va);

	if (i == 0 || va - x->names.at[i - 1].at >= x->names.at[i - 1].bytes)
		return -1;
	return (ptrdiff_t)i - 1;
}
