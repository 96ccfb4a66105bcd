/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Names come from the table of symbols and from that of dynamic symbols. The index of the unwind
 * tables, .eh_frame_hdr, has a row for each function: where a function without a name begins.
 */
#include "sources/riscv/elf_text.h"

#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <string.h>
#include <unistd.h>

#include "support/bits.h"

enum { MOST_PARTS = 4096 };

/* ---- text ---- */

static bool add_part(struct elf_text *x, uint64_t address, const Elf_Data *data)
{
	struct elf_part part = { address, data->d_buf, data->d_size };

	if (part.bytes == NULL || part.n < 2)
		return true;
	return x->parts.n < MOST_PARTS && vec_push(&x->parts, part);
}

/* Takes the sections with instructions. False: out of memory, or too many of them. */
static bool read_sections(struct elf_text *x)
{
	GElf_Shdr h;

	for (Elf_Scn *s = NULL; (s = elf_nextscn(x->handle, s)) != NULL;) {
		Elf_Data *data;

		if (gelf_getshdr(s, &h) == NULL || h.sh_type != SHT_PROGBITS ||
		    (h.sh_flags & (SHF_ALLOC | SHF_EXECINSTR)) != (SHF_ALLOC | SHF_EXECINSTR))
			continue;
		data = elf_rawdata(s, NULL);
		if (data != NULL && !add_part(x, h.sh_addr, data))
			return false;
	}
	return true;
}

/* Does the dynamic section say that the file is a program? One that is static and
 * position-independent has no interpreter, and is like a library but for this. */
static bool says_program(const struct elf_text *x, const GElf_Phdr *h)
{
	Elf_Data *data = elf_getdata_rawchunk(x->handle, (int64_t)h->p_offset, h->p_filesz,
					      ELF_T_DYN);
	GElf_Dyn d;

	for (int i = 0; data != NULL && gelf_getdyn(data, i, &d) != NULL && d.d_tag != DT_NULL; i++)
		if (d.d_tag == DT_FLAGS_1)
			return (d.d_un.d_val & DF_1_PIE) != 0;
	return false;
}

/* Takes the executable segments, of a file without sections, and looks for signs of a program. */
static bool read_segments(struct elf_text *x, bool want_text)
{
	size_t n;
	GElf_Phdr h;

	if (elf_getphdrnum(x->handle, &n) != 0)
		return true;
	for (size_t i = 0; i < n; i++) {
		Elf_Data *data;

		if (gelf_getphdr(x->handle, (int)i, &h) == NULL)
			continue;
		x->program |= h.p_type == PT_INTERP ||
			      (h.p_type == PT_DYNAMIC && says_program(x, &h));
		if (!want_text || h.p_type != PT_LOAD || (h.p_flags & PF_X) == 0)
			continue;
		data = elf_getdata_rawchunk(x->handle, (int64_t)h.p_offset, h.p_filesz,
					    ELF_T_BYTE);
		if (data != NULL && !add_part(x, h.p_vaddr, data))
			return false;
	}
	return true;
}

static int by_address(const void *a, const void *b)
{
	const struct elf_part *x = a, *y = b;

	return (x->address > y->address) - (x->address < y->address);
}

/* Sorts the parts, and drops what overlaps or wraps around. */
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

static unsigned rank_of(const GElf_Sym *s, const char *name)
{
	unsigned type = GELF_ST_TYPE(s->st_info);

	if (type == STT_FUNC || type == STT_GNU_IFUNC)
		return GELF_ST_BIND(s->st_info) == STB_LOCAL ? 2 : 3;
	/* Labels of assembly code; those of the assembler itself begin with a dot or a dollar. */
	return type == STT_NOTYPE && name[0] != '.' && name[0] != '$' ? 1 : 0;
}

static bool read_symbols_of(struct elf_text *x, Elf_Scn *section, const GElf_Shdr *h)
{
	Elf_Data *data = elf_getdata(section, NULL);
	size_t n = h->sh_entsize == 0 || data == NULL ? 0 : h->sh_size / h->sh_entsize;

	for (size_t i = 0; i < n && x->symbols.n < ELF_MOST_SYMBOLS; i++) {
		GElf_Sym s;
		const char *name;
		unsigned rank;

		if (gelf_getsym(data, (int)i, &s) == NULL || s.st_shndx == SHN_UNDEF)
			continue;
		name = elf_strptr(x->handle, h->sh_link, s.st_name);
		if (name == NULL || name[0] == 0 || (rank = rank_of(&s, name)) == 0)
			continue;
		if (!vec_push(&x->symbols,
			      ((struct elf_symbol){ s.st_value, s.st_size, name, rank })))
			return false;
	}
	return true;
}

static bool read_symbols(struct elf_text *x)
{
	GElf_Shdr h;

	for (Elf_Scn *s = NULL; (s = elf_nextscn(x->handle, s)) != NULL;)
		if (gelf_getshdr(s, &h) != NULL &&
		    (h.sh_type == SHT_SYMTAB || h.sh_type == SHT_DYNSYM) &&
		    !read_symbols_of(x, s, &h))
			return false;
	return true;
}

/* Takes the places of functions from the n bytes of .eh_frame_hdr at `bytes`: 4 bytes say how numbers
 * are stored, two numbers follow, and then a pair of 32-bit distances for each function. Linkers
 * write this one form. */
static bool read_places(struct elf_text *x, const unsigned char *bytes, size_t n, uint64_t address)
{
	static const unsigned char form[] = { 1, 0x1b, 0x03, 0x3b };
	size_t rows;

	if (n < 12 || memcmp(bytes, form, sizeof form) != 0)
		return true;
	rows = get_le32(bytes + 8);
	if (rows > (n - 12) / 8)
		rows = (n - 12) / 8;
	for (size_t i = 0; i < rows && x->symbols.n < ELF_MOST_SYMBOLS; i++) {
		int32_t distance = (int32_t)get_le32(bytes + 12 + 8 * i);
		struct elf_symbol s = { .address = address + (uint64_t)(int64_t)distance };
		if (!vec_push(&x->symbols, s))
			return false;
	}
	return true;
}

static bool read_unwind(struct elf_text *x)
{
	GElf_Shdr h;
	size_t names;

	if (elf_getshdrstrndx(x->handle, &names) != 0)
		return true;
	for (Elf_Scn *s = NULL; (s = elf_nextscn(x->handle, s)) != NULL;) {
		const char *name;
		Elf_Data *data;

		if (gelf_getshdr(s, &h) == NULL || h.sh_type != SHT_PROGBITS ||
		    (name = elf_strptr(x->handle, names, h.sh_name)) == NULL ||
		    strcmp(name, ".eh_frame_hdr") != 0)
			continue;
		data = elf_rawdata(s, NULL);
		if (data != NULL && data->d_buf != NULL &&
		    !read_places(x, data->d_buf, data->d_size, h.sh_addr))
			return false;
	}
	return true;
}

/* Of two global names for one place, such as read and __libc_read, the one with fewer underscores in
 * front is better. */
static size_t underscores(const char *name)
{
	return strspn(name, "_");
}

static int by_place(const void *a, const void *b)
{
	const struct elf_symbol *x = a, *y = b;

	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	if (x->rank != y->rank)
		return x->rank > y->rank ? -1 : 1;
	if (x->size != y->size)
		return x->size > y->size ? -1 : 1;
	if (x->name == NULL || y->name == NULL)
		return 0;
	if (underscores(x->name) != underscores(y->name))
		return underscores(x->name) < underscores(y->name) ? -1 : 1;
	return strcmp(x->name, y->name);
}

/* ---- files ---- */

static enum nfart_status fail(struct elf_text *x, const char *path, const char *what,
			      struct nfart_error *e)
{
	elf_text_close(x);
	return nfart_fail(e, NFART_INPUT, "%s: %s", path, what);
}

static enum nfart_status read_all(struct elf_text *x, const char *path, struct nfart_error *e)
{
	GElf_Ehdr h;

	if (elf_kind(x->handle) != ELF_K_ELF || gelf_getehdr(x->handle, &h) == NULL)
		return fail(x, path, "this is no ELF file", e);
	if (h.e_machine != EM_RISCV || h.e_ident[EI_CLASS] != ELFCLASS64 ||
	    h.e_ident[EI_DATA] != ELFDATA2LSB)
		return fail(x, path, "this ELF file is not for a 64-bit RISC-V machine", e);
	if (h.e_type != ET_EXEC && h.e_type != ET_DYN)
		return fail(x, path, "this ELF file is not linked: its addresses are not known", e);
	x->entry = h.e_entry;
	x->fixed = h.e_type == ET_EXEC;
	if (!read_sections(x) || !read_segments(x, x->parts.n == 0))
		return fail(x, path, "too many parts with instructions", e);
	x->program |= x->fixed;
	order_parts(x);
	if (x->parts.n == 0)
		return fail(x, path, "this ELF file has no instructions", e);
	if (!read_symbols(x) || !read_unwind(x))
		return fail(x, path, "out of memory", e);
	if (x->symbols.n > 1)
		qsort(x->symbols.at, x->symbols.n, sizeof x->symbols.at[0], by_place);
	return NFART_OK;
}

enum nfart_status elf_text_open(struct elf_text *x, const char *path, struct nfart_error *e)
{
	off_t size;

	*x = (struct elf_text){ .fd = open(path, O_RDONLY | O_CLOEXEC) };
	if (x->fd < 0)
		return nfart_fail(e, NFART_SYSTEM, "can't read %s: %s", path, strerror(errno));
	size = lseek(x->fd, 0, SEEK_END);
	if (size < 0 || size > ELF_MOST_FILE)
		return fail(x, path, size < 0 ? "this is no regular file"
					      : "this ELF file is above 1 GiB", e);
	elf_version(EV_CURRENT);
	x->handle = elf_begin(x->fd, ELF_C_READ_MMAP, NULL);
	if (x->handle == NULL)
		return fail(x, path, "this is no ELF file", e);
	return read_all(x, path, e);
}

void elf_text_close(struct elf_text *x)
{
	vec_free(&x->parts);
	vec_free(&x->symbols);
	if (x->handle != NULL) {
		elf_end(x->handle);
		close(x->fd);
	} else if (x->fd > 0) {
		close(x->fd);
	}
	*x = (struct elf_text){ .fd = -1 };
}
