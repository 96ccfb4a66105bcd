/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "sources/virtual/elf_symbols.h"

#include <string.h>

#include "support/bits.h"

/* Where fields are, from the specification of ELF. */
enum {
	EHDR_BYTES = 64,
	E_TYPE = 16,
	E_SHOFF = 40,
	E_SHENTSIZE = 58,
	E_SHNUM = 60,
	SHDR_BYTES = 64,
	SH_TYPE = 4,
	SH_OFFSET = 24,
	SH_SIZE = 32,
	SH_LINK = 40,
	SYM_BYTES = 24,
	ST_INFO = 4,
	ST_SHNDX = 6,
	ST_VALUE = 8,
	ST_SIZE = 16,
	TYPE_SYMTAB = 2,
	TYPE_DYNSYM = 11,
	TYPE_DYN = 3,
	STT_IS_OBJECT = 1,
	STT_IS_FUNC = 2
};

static const unsigned char *at(const struct elf_symbols *x, uint64_t offset)
{
	return (const unsigned char *)x->file.at + offset;
}

static unsigned get_le16(const unsigned char *p)
{
	return p[0] | (unsigned)p[1] << 8;
}

/* Are there n bytes from this offset on? */
static bool has(const struct elf_symbols *x, uint64_t offset, uint64_t n)
{
	return offset <= x->file.n && n <= x->file.n - offset;
}

/* Finds the header of section i; NULL: there is none. */
static const unsigned char *section(const struct elf_symbols *x, unsigned i)
{
	uint64_t table = get_le64(at(x, E_SHOFF));

	if (i >= get_le16(at(x, E_SHNUM)) || table > x->file.n ||
	    !has(x, table + (uint64_t)i * SHDR_BYTES, SHDR_BYTES))
		return NULL;
	return at(x, table + (uint64_t)i * SHDR_BYTES);
}

/* Returns the string at `offset` of a section of strings; NULL: it does not end, or is empty. */
static const char *string(const struct elf_symbols *x, const unsigned char *strings, uint64_t offset)
{
	uint64_t start = get_le64(strings + SH_OFFSET), n = get_le64(strings + SH_SIZE);
	const char *s;

	if (!has(x, start, n) || offset >= n)
		return NULL;
	s = (const char *)at(x, start + offset);
	return *s == 0 || memchr(s, 0, n - offset) == NULL ? NULL : s;
}

/* Takes the functions and objects of a table of symbols. False: out of memory, or too many. */
static bool take_table(struct elf_symbols *x, const unsigned char *table)
{
	uint64_t start = get_le64(table + SH_OFFSET), n = get_le64(table + SH_SIZE);
	const unsigned char *strings = section(x, get_le32(table + SH_LINK));

	if (strings == NULL || !has(x, start, n))
		return true;
	for (uint64_t i = 0; i + SYM_BYTES <= n; i += SYM_BYTES) {
		const unsigned char *s = at(x, start + i);
		unsigned type = s[ST_INFO] & 15;
		struct elf_name name = { get_le64(s + ST_VALUE), get_le64(s + ST_SIZE),
					 string(x, strings, get_le32(s)),
					 type == STT_IS_FUNC };

		if ((type != STT_IS_FUNC && type != STT_IS_OBJECT) || get_le16(s + ST_SHNDX) == 0 ||
		    name.name == NULL || name.bytes == 0 || name.va > UINT64_MAX - name.bytes)
			continue;
		if (x->names.n == ELF_MOST_NAMES || !vec_push(&x->names, name))
			return false;
	}
	return true;
}

static int by_place(const void *a, const void *b)
{
	const struct elf_name *x = a, *y = b;

	if (x->va != y->va)
		return x->va < y->va ? -1 : 1;
	if (x->bytes != y->bytes)
		return x->bytes > y->bytes ? -1 : 1;
	return strcmp(x->name, y->name);
}

/* Sorts the names, and drops or cuts those that overlap. */
static void order(struct elf_symbols *x)
{
	size_t n = 0;

	if (x->names.n > 1)
		qsort(x->names.at, x->names.n, sizeof x->names.at[0], by_place);
	for (size_t i = 0; i < x->names.n; i++) {
		struct elf_name *last = &x->names.at[n > 0 ? n - 1 : 0], next = x->names.at[i];

		if (n > 0 && next.va == last->va)
			continue;
		if (n > 0 && next.va - last->va < last->bytes)
			last->bytes = next.va - last->va;
		x->names.at[n++] = next;
	}
	x->names.n = n;
}

static enum nfart_status fail(struct elf_symbols *x, const char *path, const char *what,
			      struct nfart_error *e)
{
	elf_symbols_close(x);
	nfart_fail(e, NFART_INPUT, "%s", what);
	snprintf(e->file, sizeof e->file, "%s", path);
	return e->status;
}

static enum nfart_status parse(struct elf_symbols *x, const char *path, struct nfart_error *e)
{
	static const unsigned char form[] = { 0x7f, 'E', 'L', 'F', 2, 1 };
	static const unsigned types[] = { TYPE_SYMTAB, TYPE_DYNSYM };

	if (x->file.n < EHDR_BYTES || memcmp(x->file.at, form, 4) != 0)
		return fail(x, path, "this is no ELF file", e);
	if (memcmp(x->file.at, form, sizeof form) != 0)
		return fail(x, path, "this ELF file is not for a 64-bit little-endian machine", e);
	if (get_le16(at(x, E_SHENTSIZE)) != SHDR_BYTES)
		return fail(x, path, "this ELF file has no section headers", e);
	x->moves = get_le16(at(x, E_TYPE)) == TYPE_DYN;
	for (unsigned t = 0; t < 2 && x->names.n == 0; t++)
		for (unsigned i = 0; i < get_le16(at(x, E_SHNUM)); i++) {
			const unsigned char *h = section(x, i);

			if (h != NULL && get_le32(h + SH_TYPE) == types[t] && !take_table(x, h))
				return fail(x, path, "out of memory, or too many symbols", e);
		}
	if (x->names.n == 0)
		return fail(x, path, "this ELF file has no symbols of functions or objects", e);
	order(x);
	return NFART_OK;
}

enum nfart_status elf_symbols_parse(struct elf_symbols *x, struct buf *file, const char *path,
				    struct nfart_error *e)
{
	*x = (struct elf_symbols){ .file = *file };
	*file = (struct buf){ 0 };
	return parse(x, path, e);
}

enum nfart_status elf_symbols_open(struct elf_symbols *x, const char *path, struct nfart_error *e)
{
	struct buf file = { 0 };
	int error = buf_read_file(&file, path, ELF_MOST_BYTES);

	*x = (struct elf_symbols){ 0 };
	if (error != 0) {
		buf_free(&file);
		return nfart_fail(e, NFART_SYSTEM, "can't read %s: %s", path, strerror(error));
	}
	return elf_symbols_parse(x, &file, path, e);
}

void elf_symbols_close(struct elf_symbols *x)
{
	vec_free(&x->names);
	buf_free(&x->file);
	*x = (struct elf_symbols){ 0 };
}

ptrdiff_t elf_symbols_find(const struct elf_symbols *x, uint64_t va)
{
	size_t low = 0, high = x->names.n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (x->names.at[middle].va <= va)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == 0 || va - x->names.at[low - 1].va >= x->names.at[low - 1].bytes)
		return -1;
	return (ptrdiff_t)low - 1;
}
