/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "support/elf/elf_file.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "support/bits.h"
#include "support/buf.h"

/* ---- fields ---- */

static uint64_t get_le(const unsigned char *p, size_t bytes)
{
	uint64_t x = 0;

	for (size_t i = bytes; i-- > 0;)
		x = x << 8 | p[i];
	return x;
}

/* The field `f` of the structure T at p, which need not be aligned. */
#define FIELD(p, T, f) get_le((p) + offsetof(T, f), sizeof((T *)NULL)->f)

/* Returns n bytes from an offset on; NULL: the file does not have them. */
static const unsigned char *bytes_at(const struct elf_file *x, uint64_t offset, uint64_t n)
{
	return offset <= x->n && n <= x->n - offset ? x->at + offset : NULL;
}

/* ---- headers of sections ---- */

/* Returns the string at an offset; NULL: there is none. */
static const char *string_at(const struct elf_strings *s, uint64_t offset)
{
	return offset < s->n ? s->at + offset : NULL;
}

static bool header_of(const struct elf_file *x, size_t i, struct elf_section *s, uint64_t *name)
{
	const unsigned char *h;

	if (i >= x->sections)
		return false;
	h = x->at + FIELD(x->at, Elf64_Ehdr, e_shoff) + i * sizeof(Elf64_Shdr);
	*name = FIELD(h, Elf64_Shdr, sh_name);
	*s = (struct elf_section){ .name = "" };
	s->type = (unsigned)FIELD(h, Elf64_Shdr, sh_type);
	s->link = (uint32_t)FIELD(h, Elf64_Shdr, sh_link);
	s->flags = FIELD(h, Elf64_Shdr, sh_flags);
	s->address = FIELD(h, Elf64_Shdr, sh_addr);
	if (s->type != SHT_NOBITS)
		s->bytes =
			bytes_at(x, FIELD(h, Elf64_Shdr, sh_offset), FIELD(h, Elf64_Shdr, sh_size));
	if (s->bytes != NULL)
		s->n = (size_t)FIELD(h, Elf64_Shdr, sh_size);
	return true;
}

/* Finds the strings of a section. Bytes behind the last one that ends are none. */
static struct elf_strings strings_of(const struct elf_file *x, size_t i)
{
	struct elf_strings none = { NULL, 0 };
	struct elf_section s;
	uint64_t name;

	if (!header_of(x, i, &s, &name))
		return none;
	while (s.n > 0 && s.bytes[s.n - 1] != 0)
		s.n--;
	return s.n == 0 ? none : (struct elf_strings){ (const char *)s.bytes, s.n };
}

/* ---- the header of the file ---- */

/* Returns how many headers of `size` bytes there are: at most n, and at most those in the file. */
static size_t elf_count(const struct elf_file *x, uint64_t table, uint64_t n, uint64_t entry,
			size_t size)
{
	uint64_t most = table < x->n ? (x->n - table) / size : 0;

	if (table == 0 || entry != size)
		return 0;
	return (size_t)(n < most ? n : most);
}

/* Numbers that are too large for the header of the file stand in the header of section 0. */
static void read_header(struct elf_file *x)
{
	const unsigned char *h = x->at, *first;
	uint64_t table = FIELD(h, Elf64_Ehdr, e_shoff), sections = FIELD(h, Elf64_Ehdr, e_shnum),
		 segments = FIELD(h, Elf64_Ehdr, e_phnum), names = FIELD(h, Elf64_Ehdr, e_shstrndx);

	x->type = (unsigned)FIELD(h, Elf64_Ehdr, e_type);
	x->machine = (unsigned)FIELD(h, Elf64_Ehdr, e_machine);
	x->entry = FIELD(h, Elf64_Ehdr, e_entry);
	first = table == 0 ? NULL : bytes_at(x, table, sizeof(Elf64_Shdr));
	if (first != NULL && sections == 0)
		sections = FIELD(first, Elf64_Shdr, sh_size);
	if (first != NULL && segments == PN_XNUM)
		segments = FIELD(first, Elf64_Shdr, sh_info);
	if (first != NULL && names == SHN_XINDEX)
		names = FIELD(first, Elf64_Shdr, sh_link);
	x->sections = elf_count(x, table, sections, FIELD(h, Elf64_Ehdr, e_shentsize),
				sizeof(Elf64_Shdr));
	x->segments = elf_count(x, FIELD(h, Elf64_Ehdr, e_phoff), segments,
				FIELD(h, Elf64_Ehdr, e_phentsize), sizeof(Elf64_Phdr));
	x->names = strings_of(x, names);
}

enum nfart_status elf_file_wrong(const char *path, const char *what, struct nfart_error *e)
{
	nfart_fail(e, NFART_INPUT, "%s", what);
	if (e != NULL)
		snprintf(e->file, sizeof e->file, "%s", path);
	return NFART_INPUT;
}

enum nfart_status elf_file_parse(struct elf_file *x, const void *bytes, size_t n, const char *path,
				 struct nfart_error *e)
{
	*x = (struct elf_file){ .at = bytes, .n = n };
	if (n < sizeof(Elf64_Ehdr) || memcmp(bytes, ELFMAG, SELFMAG) != 0)
		return elf_file_wrong(path, "this is no ELF file", e);
	if (x->at[EI_CLASS] != ELFCLASS64 || x->at[EI_DATA] != ELFDATA2LSB)
		return elf_file_wrong(path,
				      "this ELF file is not for a 64-bit little-endian machine", e);
	read_header(x);
	return NFART_OK;
}

static enum nfart_status open_descriptor(struct elf_file *x, int fd, const char *path,
					 struct nfart_error *e)
{
	off_t size = lseek(fd, 0, SEEK_END);
	void *mapped;
	enum nfart_status status;

	if (size < 0)
		return elf_file_wrong(path, "this is no regular file", e);
	if (size > ELF_MOST_BYTES)
		return elf_file_wrong(path, "this ELF file is above 1 GiB", e);
	if (size == 0)
		return elf_file_wrong(path, "this is no ELF file", e);
	mapped = mmap(NULL, (size_t)size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (mapped == MAP_FAILED)
		return nfart_fail(e, NFART_SYSTEM, "can't read %s: %s", path, strerror(errno));
	status = elf_file_parse(x, mapped, (size_t)size, path, e);
	x->mapped = mapped;
	if (status != NFART_OK)
		elf_file_close(x);
	return status;
}

enum nfart_status elf_file_open(struct elf_file *x, const char *path, struct nfart_error *e)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	enum nfart_status status;

	*x = (struct elf_file){ 0 };
	if (fd < 0)
		return nfart_fail(e, NFART_SYSTEM, "can't read %s: %s", path, strerror(errno));
	status = open_descriptor(x, fd, path, e);
	close(fd);
	return status;
}

void elf_file_close(struct elf_file *x)
{
	if (x->mapped != NULL)
		munmap(x->mapped, x->n);
	*x = (struct elf_file){ 0 };
}

/* ---- sections and segments ---- */

bool elf_file_section(const struct elf_file *x, size_t i, struct elf_section *s)
{
	const char *own;
	uint64_t name;

	if (!header_of(x, i, s, &name))
		return false;
	own = string_at(&x->names, name);
	if (own != NULL)
		s->name = own;
	return true;
}

bool elf_file_segment(const struct elf_file *x, size_t i, struct elf_segment *s)
{
	const unsigned char *h;

	if (i >= x->segments)
		return false;
	h = x->at + FIELD(x->at, Elf64_Ehdr, e_phoff) + i * sizeof(Elf64_Phdr);
	*s = (struct elf_segment){ (unsigned)FIELD(h, Elf64_Phdr, p_type),
				   (unsigned)FIELD(h, Elf64_Phdr, p_flags),
				   FIELD(h, Elf64_Phdr, p_vaddr), NULL, 0 };
	s->bytes = bytes_at(x, FIELD(h, Elf64_Phdr, p_offset), FIELD(h, Elf64_Phdr, p_filesz));
	if (s->bytes != NULL)
		s->n = (size_t)FIELD(h, Elf64_Phdr, p_filesz);
	return true;
}

/* ---- symbols ---- */

bool elf_symbol_is(unsigned want, unsigned info, const char *name, struct symbol *s)
{
	unsigned type = ELF64_ST_TYPE(info);
	bool function = type == STT_FUNC || type == STT_GNU_IFUNC;

	if (name == NULL || name[0] == 0 || !buf_is_name(name, strlen(name)))
		return false;
	s->name = name;
	s->code = type != STT_OBJECT;
	s->rank = type == STT_NOTYPE                 ? SYMBOL_LABEL
		  : ELF64_ST_BIND(info) == STB_LOCAL ? SYMBOL_LOCAL
						     : SYMBOL_GLOBAL;
	if (type == STT_NOTYPE)
		return (want & ELF_LABELS) != 0 && name[0] != '.' && name[0] != '$';
	return (function && (want & ELF_FUNCTIONS) != 0) ||
	       (type == STT_OBJECT && (want & ELF_OBJECTS) != 0);
}

/* Returns the name of a source file if it is one; else NULL. */
static const char *file_name(const char *name)
{
	return name != NULL && name[0] != 0 && buf_is_name(name, strlen(name)) ? name : NULL;
}

static bool read_table(const struct elf_file *x, const struct elf_section *table, unsigned want,
		       struct symbols *out)
{
	struct elf_strings names = strings_of(x, table->link);
	const char *file = NULL;

	for (size_t i = 0; i < table->n / sizeof(Elf64_Sym); i++) {
		const unsigned char *p = table->bytes + i * sizeof(Elf64_Sym);
		struct symbol s = { FIELD(p, Elf64_Sym, st_value), FIELD(p, Elf64_Sym, st_size),
				    NULL, SYMBOL_PLACE, false, NULL };
		unsigned info = p[offsetof(Elf64_Sym, st_info)];

		if (ELF64_ST_TYPE(info) == STT_FILE) /* the file of the local symbols after it */
			file = file_name(string_at(&names, FIELD(p, Elf64_Sym, st_name)));
		if (FIELD(p, Elf64_Sym, st_shndx) == SHN_UNDEF ||
		    !elf_symbol_is(want, info,
				   string_at(&names, FIELD(p, Elf64_Sym, st_name)), &s))
			continue;
		if (ELF64_ST_BIND(info) == STB_LOCAL)
			s.file = file;
		if (out->n >= ELF_MOST_SYMBOLS || !vec_push(out, s))
			return false;
	}
	return true;
}

bool elf_file_symbols(const struct elf_file *x, unsigned type, unsigned want, struct symbols *s)
{
	struct elf_section h;
	uint64_t name;

	for (size_t i = 0; header_of(x, i, &h, &name); i++)
		if (h.type == type)
			return read_table(x, &h, want, s);
	return true;
}
