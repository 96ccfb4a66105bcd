/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Names come from the symbol table and from the table of dynamic symbols. A file without a symbol
 * table may have a debug file with one, which is read instead (Note [debug file]). The index of the
 * unwind tables, .eh_frame_hdr, has a row for each function. So it gives the starts of functions
 * that have no name.
 */
#include "probes/profile/stacks/elf_text.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "probes/profile/stacks/packed_file.h"
#include "support/bits.h"

enum { MOST_PARTS = 4096, DYNAMIC_BYTES = 16 };

/* ---- text ---- */

static bool add_part(struct elf_text *x, uint64_t address, const unsigned char *bytes, size_t n)
{
	if (bytes == NULL || n < 2)
		return true;
	return x->parts.n < MOST_PARTS &&
	       vec_push(&x->parts, ((struct elf_part){ address, bytes, n }));
}

/*
 * Takes the sections with instructions. Returns false if there is no memory, or if there are too
 * many.
 */
static bool read_sections(struct elf_text *x)
{
	struct elf_section s;

	for (size_t i = 0; elf_file_section(&x->file, i, &s); i++)
		if (s.type == SHT_PROGBITS &&
		    (s.flags & (SHF_ALLOC | SHF_EXECINSTR)) == (SHF_ALLOC | SHF_EXECINSTR) &&
		    !add_part(x, s.address, s.bytes, s.n))
			return false;
	return true;
}

/* What the dynamic section says about the file. */
struct dynamic {
	bool program; /* it is a program that is position-independent */
	bool library; /* it has a name as a library */
};

static void read_dynamic(const struct elf_segment *s, struct dynamic *d)
{
	for (size_t i = 0; i < s->n / DYNAMIC_BYTES; i++) {
		uint64_t tag = get_le64(s->bytes + i * DYNAMIC_BYTES);

		if (tag == DT_FLAGS_1)
			d->program |= (get_le64(s->bytes + i * DYNAMIC_BYTES + 8) & DF_1_PIE) != 0;
		d->library |= tag == DT_SONAME;
		if (tag == DT_NULL)
			break;
	}
}

/*
 * For a file without sections: takes the executable segments. Also finds out whether it is a
 * program. A program that is static and position-independent has no interpreter. Only its dynamic
 * section says that it is no library.
 */
static bool read_segments(struct elf_text *x, bool want_text)
{
	struct elf_segment s;
	struct dynamic d = { 0 };

	for (size_t i = 0; elf_file_segment(&x->file, i, &s); i++) {
		if (s.type == PT_INTERP && s.n != 0 && memchr(s.bytes, 0, s.n) != NULL)
			x->interpreter = (const char *)s.bytes;
		if (s.type == PT_DYNAMIC)
			read_dynamic(&s, &d);
		if (want_text && s.type == PT_LOAD && (s.flags & PF_X) != 0 &&
		    !add_part(x, s.address, s.bytes, s.n))
			return false;
	}
	x->program = d.program || (x->interpreter != NULL && !d.library);
	return true;
}

static int by_address(const void *a, const void *b)
{
	const struct elf_part *x = a, *y = b;

	return (x->address > y->address) - (x->address < y->address);
}

/*
 * Sorts the parts. Drops parts that overlap another one, or reach beyond the end of the address
 * space.
 */
static void order_parts(struct elf_text *x)
{
	size_t n = 0;
	uint64_t end = 0;

	if (x->parts.n > 1)
		qsort(x->parts.at, x->parts.n, sizeof x->parts.at[0], by_address);
	for (size_t i = 0; i < x->parts.n; i++) {
		struct elf_part p = x->parts.at[i];

		if (p.address % 2 != 0 || p.address > UINT64_MAX - p.n || (n > 0 && p.address < end))
			continue;
		end = p.address + p.n;
		x->parts.at[n++] = p;
	}
	x->parts.n = n;
}

/* ---- names ---- */

/*
 * Takes the starts of functions from the n bytes of .eh_frame_hdr at `bytes`. 4 bytes say how
 * numbers are stored. Two numbers follow. After them comes a pair of 32-bit distances for each
 * function. Only the format that linkers write is accepted.
 */
static bool read_places(struct elf_text *x, const unsigned char *bytes, size_t n, uint64_t address)
{
	static const unsigned char form[] = { 1, 0x1b, 0x03, 0x3b };
	size_t rows;

	if (bytes == NULL || n < 12 || memcmp(bytes, form, sizeof form) != 0)
		return true;
	rows = get_le32(bytes + 8);
	if (rows > (n - 12) / 8)
		rows = (n - 12) / 8;
	for (size_t i = 0; i < rows && x->symbols.n < ELF_MOST_SYMBOLS; i++) {
		int32_t distance = (int32_t)get_le32(bytes + 12 + 8 * i);
		struct symbol s = { .at = address + (uint64_t)(int64_t)distance,
				    .rank = SYMBOL_PLACE, .code = true };

		if (!vec_push(&x->symbols, s))
			return false;
	}
	return true;
}

enum { WANT = ELF_FUNCTIONS | ELF_LABELS };

/* Takes the symbols of the debug file. If they cannot be read, the file is as good as missing. */
static void read_debug(struct elf_text *x, const char *path, struct debug_search *search)
{
	size_t before = x->symbols.n;

	if ((x->linked == NULL && !debug_file_open(&x->debug, &x->file, path, search)) ||
	    x->debug.at == NULL ||
	    elf_file_symbols(&x->debug, SHT_SYMTAB, WANT, &x->symbols))
		return;
	buf_addf(&search->notes, "%s: warning: its debug file is not used: too many symbols\n", path);
	x->symbols.n = before;
}

static bool read_names(struct elf_text *x, const char *path, struct debug_search *search)
{
	struct elf_section s;

	if (!elf_file_symbols(&x->file, SHT_SYMTAB, WANT, &x->symbols))
		return false;
	if (x->symbols.n == 0 || x->linked != NULL)
		read_debug(x, path, search);
	if (!elf_file_symbols(&x->file, SHT_DYNSYM, WANT, &x->symbols))
		return false;
	for (size_t i = 0; elf_file_section(&x->file, i, &s); i++)
		if (s.type == SHT_PROGBITS && strcmp(s.name, ".eh_frame_hdr") == 0 &&
		    !read_places(x, s.bytes, s.n, s.address))
			return false;
	symbols_order(&x->symbols);
	return true;
}

/* ---- files ---- */

static enum nfart_status fail_text(struct elf_text *x, const char *path, const char *what,
				   struct nfart_error *e)
{
	elf_text_close(x);
	return elf_file_wrong(path, what, e);
}

/* Opens the file, or what is compressed in it. */
static enum nfart_status open_file(struct elf_text *x, const char *path, struct nfart_error *e)
{
	enum nfart_status status = elf_file_open(&x->file, path, e);
	size_t n;

	if (status != NFART_INPUT)
		return status;
	status = packed_file_read(&x->unpacked, &n, path, e);
	if (status == NFART_OK)
		status = x->unpacked == NULL ? NFART_INPUT
					     : elf_file_parse(&x->file, x->unpacked, n, path, e);
	return status;
}

/* Links a module, and its debug file, if that is found, for the same addresses. */
static enum nfart_status link_module(struct elf_text *x, const char *path,
				     struct debug_search *search,
				     const struct kernel_modules *modules, struct nfart_error *e)
{
	bool found = debug_file_open(&x->debug, &x->file, path, search);
	struct nfart_error wrong = { 0 };
	enum nfart_status status = kernel_module_link(modules, &x->file, path, &x->linked, e);

	if (status == NFART_OK && found &&
	    kernel_module_link(modules, &x->debug, path, &x->linked_debug, &wrong) != NFART_OK) {
		buf_addf(&search->notes, "%s: warning: its debug file is not used: %s\n", path,
			 wrong.what);
		elf_file_close(&x->debug);
	}
	return status;
}

enum nfart_status elf_text_open(struct elf_text *x, const char *path, struct debug_search *search,
				const struct kernel_modules *modules, struct nfart_error *e)
{
	enum nfart_status status;

	*x = (struct elf_text){ 0 };
	status = open_file(x, path, e);
	if (status != NFART_OK) {
		elf_text_close(x);
		return status;
	}
	if (x->file.machine != EM_RISCV)
		return fail_text(x, path, "this ELF file is not for a 64-bit RISC-V machine", e);
	if (x->file.type == ET_REL)
		status = link_module(x, path, search, modules, e);
	else if (x->file.type != ET_EXEC && x->file.type != ET_DYN)
		status = elf_file_wrong(path, "this ELF file is neither a program nor a library", e);
	if (status != NFART_OK) {
		elf_text_close(x);
		return status;
	}
	x->fixed = x->file.type == ET_EXEC;
	if (!read_sections(x) || !read_segments(x, x->parts.n == 0))
		return fail_text(x, path, "too many parts with instructions", e);
	x->program |= x->fixed;
	order_parts(x);
	if (x->parts.n == 0)
		return fail_text(x, path, "this ELF file has no instructions", e);
	if (!read_names(x, path, search))
		return fail_text(x, path, "out of memory, or too many symbols", e);
	return NFART_OK;
}

void elf_text_close(struct elf_text *x)
{
	vec_free(&x->parts);
	vec_free(&x->symbols);
	elf_file_close(&x->file);
	elf_file_close(&x->debug);
	free(x->linked);
	free(x->linked_debug);
	free(x->unpacked);
	x->linked = x->linked_debug = x->unpacked = NULL;
}
