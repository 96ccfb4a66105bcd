/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "probes/virtual/program/elf_symbols.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

static int compare(const char *a, const char *b)
{
	return strcmp(a == NULL ? "" : a, b == NULL ? "" : b);
}

/* By name, then by file, then by address. */
static int by_name(const void *a, const void *b)
{
	const struct symbol *const *x = a, *const *y = b;
	int order = compare((*x)->name, (*y)->name);

	if (order == 0)
		order = compare((*x)->file, (*y)->file);
	return order != 0 ? order : ((*x)->at > (*y)->at) - ((*x)->at < (*y)->at);
}

/* Keeps those of n symbols, sorted by name, that are statics and not alone with their name. */
static size_t keep_equal_statics(struct symbol **s, size_t n)
{
	size_t kept = 0;

	for (size_t i = 0, end; i < n; i = end) {
		for (end = i + 1; end < n && strcmp(s[i]->name, s[end]->name) == 0;)
			end++;
		for (size_t k = i; k < end && end - i > 1; k++)
			if (s[k]->rank == SYMBOL_LOCAL)
				s[kept++] = s[k];
	}
	return kept;
}

static bool are_same(const struct symbol *a, const char *name, const struct symbol *b)
{
	return compare(name, b->name) == 0 && compare(a->file, b->file) == 0;
}

/*
 * Calls equal statics by their names and files. A file is named without its folder, so two files
 * can have one name. Their statics get numbers, in the order of addresses. Returns false if there
 * is no memory.
 */
static bool name_statics(struct elf_symbols *x)
{
	struct symbol **s = calloc(x->names.n + 1, sizeof *s);
	size_t n = x->names.n, bytes = 0, at = 0, number = 0;
	const char *last = NULL; /* the name of the static before the current one */

	if (s == NULL)
		return false;
	for (size_t i = 0; i < n; i++)
		s[i] = &x->names.at[i];
	qsort(s, n, sizeof *s, by_name);
	n = keep_equal_statics(s, n);
	for (size_t i = 0; i < n; i++)
		bytes += strlen(s[i]->name) + (s[i]->file == NULL ? 0 : strlen(s[i]->file)) +
			 sizeof "@#18446744073709551615";
	x->made = malloc(bytes + 1);
	for (size_t i = 0; i < n && x->made != NULL; i++) {
		const char *file = s[i]->file == NULL ? "" : s[i]->file, *plain = s[i]->name;
		char *name = x->made + at;

		number = last != NULL && are_same(s[i - 1], last, s[i]) ? number + 1 : 1;
		at += (size_t)sprintf(name, "%s%s%s", plain, *file == 0 ? "" : "@", file);
		if (number > 1 || (i + 1 < n && are_same(s[i], plain, s[i + 1])))
			at += (size_t)sprintf(x->made + at, "#%zu", number);
		at++;
		last = plain;
		s[i]->name = name;
	}
	free(s);
	return x->made != NULL;
}

bool elf_symbols_number(struct elf_symbols *x)
{
	uint32_t places[2] = { 0, 0 };

	x->places = calloc(x->names.n + 1, sizeof *x->places);
	for (size_t i = 0; i < x->names.n && x->places != NULL; i++)
		x->places[i] = ++places[x->names.at[i].code];
	return x->places != NULL;
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
	if (!name_statics(x) || !elf_symbols_number(x))
		return fail_symbols(x, path, "out of memory", e);
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
	free(x->made);
	free(x->entries);
	free(x->places);
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
