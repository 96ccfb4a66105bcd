/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "probes/profile/stacks/kernel_module.h"

#include <elf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "probes/profile/stacks/rv_reloc.h"
#include "support/bits.h"

/* ---- where sections are ---- */

/* Takes a line apart, in place. Returns whether it is one. */
static bool read_line(struct kernel_modules *k, char *line, bool *failed)
{
	static const char inner[] = "/sections/";
	char *at = strstr(line, inner), *colon = at == NULL ? NULL : strchr(at, ':'), *end;
	struct module_section s;
	char *module;

	if (colon == NULL)
		return false;
	errno = 0;
	s.address = strtoull(colon + 1, &end, 16);
	if (end == colon + 1 || errno != 0 || strspn(end, " \r\n") != strlen(end))
		return false;
	*at = *colon = 0;
	module = strrchr(line, '/');
	module = module == NULL ? line : module + 1;
	s.module = malloc((size_t)(colon - module) + 1);
	if (s.module == NULL) {
		*failed = true;
		return true;
	}
	memcpy(s.module, module, (size_t)(colon - module) + 1);
	s.section = s.module + (at - module) + sizeof inner - 1;
	if (!vec_push(&k->sections, s)) {
		free(s.module);
		*failed = true;
	}
	return true;
}

enum nfart_status kernel_modules_read(struct kernel_modules *k, const char *path,
				      struct nfart_error *e)
{
	FILE *f = fopen(path, "re");
	char *line = NULL;
	size_t room = 0, number = 0;
	bool good = true, failed = false;

	if (f == NULL)
		return nfart_fail(e, NFART_SYSTEM, "can't read %s: %s", path, strerror(errno));
	while (good && !failed && getline(&line, &room, f) > 0) {
		number++;
		good = read_line(k, line, &failed);
	}
	free(line);
	failed |= ferror(f) != 0;
	fclose(f);
	if (failed)
		return nfart_fail(e, NFART_SYSTEM, "%s: out of memory, or it can't be read", path);
	if (!good)
		return nfart_fail(e, NFART_INPUT,
				  "%s:%zu: expected is /sys/module/NAME/sections/SECTION:ADDRESS, "
				  "as `grep -H '' /sys/module/*/sections/.[a-z]*` prints",
				  path, number);
	return NFART_OK;
}

void kernel_modules_free(struct kernel_modules *k)
{
	for (size_t i = 0; i < k->sections.n; i++)
		free(k->sections.at[i].module);
	vec_free(&k->sections);
}

/* ---- linking ---- */

/*
 * Headers, names and relocations are read in the file, and only the copy is written. So sections
 * that overlap headers, or each other, change nothing that was checked.
 */
struct linking {
	const struct kernel_modules *k;
	const struct elf_file *x;
	unsigned char *bytes;   /* the copy */
	uint64_t *at;           /* for each section, where it was loaded; 0: not known */
	unsigned char *symbols; /* the table of symbols, in the copy */
	size_t nsymbols;
	struct elf_strings names;
};

/* Where the copy has what is at a place in the file. */
static unsigned char *copy_of(const struct linking *l, const unsigned char *in_file)
{
	return l->bytes + (in_file - l->x->at);
}

static const unsigned char *section_header(const struct linking *l, size_t i)
{
	return l->x->at + get_le64(l->x->at + offsetof(Elf64_Ehdr, e_shoff)) +
	       i * sizeof(Elf64_Shdr);
}

static bool same_name(const char *loaded, const char *path)
{
	const char *slash = strrchr(path, '/'), *name = slash == NULL ? path : slash + 1;

	for (; *loaded != 0; loaded++, name++)
		if (*loaded != (*name == '-' ? '_' : *name))
			return false;
	return *name == '.' || *name == 0;
}

/* Gives sections their addresses. Code that has none is no code. Returns whether any has one. */
static bool place_sections(struct linking *l, const char *path)
{
	struct elf_section s;
	bool any = false;

	for (size_t i = 0; elf_file_section(l->x, i, &s); i++) {
		unsigned char *h = copy_of(l, section_header(l, i));

		for (size_t j = 0; j < l->k->sections.n && l->at[i] == 0; j++) {
			const struct module_section *m = &l->k->sections.at[j];

			if (strcmp(m->section, s.name) == 0 && same_name(m->module, path))
				l->at[i] = m->address;
		}
		put_le64(h + offsetof(Elf64_Shdr, sh_addr), l->at[i]);
		if (l->at[i] == 0 && (s.flags & SHF_EXECINSTR) != 0)
			put_le64(h + offsetof(Elf64_Shdr, sh_flags), 0);
		any |= l->at[i] != 0 && (s.flags & SHF_EXECINSTR) != 0;
	}
	return any;
}

/* Finds the table of symbols, and makes addresses of what is relative to a section. */
static void place_symbols(struct linking *l)
{
	struct elf_section s, strings;

	for (size_t i = 0; elf_file_section(l->x, i, &s); i++) {
		if (s.type != SHT_SYMTAB || !elf_file_section(l->x, s.link, &strings))
			continue;
		l->nsymbols = s.n / sizeof(Elf64_Sym);
		if (l->nsymbols > 0)
			l->symbols = copy_of(l, s.bytes);
		l->names = (struct elf_strings){ (const char *)strings.bytes, strings.n };
		break;
	}
	for (size_t i = 0; i < l->nsymbols; i++) {
		unsigned char *p = l->symbols + i * sizeof(Elf64_Sym);
		unsigned section = get_le16(p + offsetof(Elf64_Sym, st_shndx));
		unsigned char *value = p + offsetof(Elf64_Sym, st_value);

		if (section >= SHN_LORESERVE || section == SHN_UNDEF)
			continue;
		if (section < l->x->sections && l->at[section] != 0)
			put_le64(value, get_le64(value) + l->at[section]);
		else
			put_le16(p + offsetof(Elf64_Sym, st_shndx), SHN_UNDEF);
	}
}

/* Returns the address of symbol i; 0: it is not known. */
static uint64_t address_of(const struct linking *l, uint64_t i)
{
	const unsigned char *p;
	uint64_t name, address;

	if (i >= l->nsymbols)
		return 0;
	p = l->symbols + i * sizeof(Elf64_Sym);
	if (get_le16(p + offsetof(Elf64_Sym, st_shndx)) != SHN_UNDEF)
		return get_le64(p + offsetof(Elf64_Sym, st_value));
	name = get_le32(p + offsetof(Elf64_Sym, st_name));
	if (l->k->find == NULL || name >= l->names.n || l->names.at[name] == 0 ||
	    memchr(l->names.at + name, 0, l->names.n - name) == NULL ||
	    !l->k->find(l->k->ctx, l->names.at + name, &address))
		return 0;
	return address;
}

struct reloc {
	uint64_t offset, symbol, addend;
	unsigned type;
};

static struct reloc reloc_at(const struct elf_section *table, size_t i)
{
	const unsigned char *p = table->bytes + i * sizeof(Elf64_Rela);
	uint64_t info = get_le64(p + offsetof(Elf64_Rela, r_info));

	return (struct reloc){ get_le64(p + offsetof(Elf64_Rela, r_offset)),
			       ELF64_R_SYM(info), get_le64(p + offsetof(Elf64_Rela, r_addend)),
			       (unsigned)ELF64_R_TYPE(info) };
}

/*
 * The low part of an address that is relative to an instruction names that instruction, which has
 * the high part in a relocation before this one. Returns whether that was found; *value is then the
 * whole distance.
 */
static bool whole_distance(const struct linking *l, const struct elf_section *table, size_t i,
			   uint64_t start, uint64_t high, uint64_t *value)
{
	enum { MOST_BACK = 4096 };

	for (size_t back = 1; back <= i && back < MOST_BACK; back++) {
		struct reloc r = reloc_at(table, i - back);
		uint64_t to;

		if (start + r.offset != high || r.type != R_RISCV_PCREL_HI20)
			continue;
		to = address_of(l, r.symbol);
		*value = to + r.addend - high;
		return to != 0;
	}
	return false;
}

/* Applies the relocations in a table to a section. */
static void relocate(const struct linking *l, const struct elf_section *table,
		     const struct elf_section *to, uint64_t start)
{
	for (size_t i = 0; i < table->n / sizeof(Elf64_Rela); i++) {
		struct reloc r = reloc_at(table, i);
		unsigned bytes = rv_reloc_bytes(r.type);
		uint64_t s, value;

		if (bytes == 0 || r.offset > to->n || to->n - r.offset < bytes)
			continue;
		s = address_of(l, r.symbol);
		value = s + r.addend - (start + r.offset);
		if (s == 0 || (rv_reloc_is_low(r.type) &&
			       !whole_distance(l, table, i, start, s + r.addend, &value)))
			continue;
		rv_reloc_apply(r.type, copy_of(l, to->bytes + r.offset), value);
	}
}

static void relocate_all(const struct linking *l)
{
	struct elf_section table, to;

	for (size_t i = 0; elf_file_section(l->x, i, &table); i++) {
		size_t target = get_le32(section_header(l, i) + offsetof(Elf64_Shdr, sh_info));

		if (table.type == SHT_RELA && elf_file_section(l->x, target, &to) &&
		    l->at[target] != 0 && (to.flags & SHF_EXECINSTR) != 0)
			relocate(l, &table, &to, l->at[target]);
	}
}

enum nfart_status kernel_module_link(const struct kernel_modules *k, struct elf_file *x,
				     const char *path, unsigned char **bytes,
				     struct nfart_error *e)
{
	struct linking l = { .k = k, .x = x, .bytes = malloc(x->n) };
	enum nfart_status status = NFART_OK;
	const size_t n = x->n;

	l.at = calloc(x->sections + 1, sizeof *l.at);
	if (l.bytes == NULL || l.at == NULL)
		status = nfart_fail(e, NFART_SYSTEM, "out of memory");
	else
		memcpy(l.bytes, x->at, n);
	if (status == NFART_OK && !place_sections(&l, path))
		status = elf_file_wrong(path,
					"this ELF file is not linked: its addresses are not known, "
					"unless it is a module that --modules names", e);
	if (status == NFART_OK) {
		place_symbols(&l);
		relocate_all(&l);
		put_le16(l.bytes + offsetof(Elf64_Ehdr, e_type), ET_EXEC);
		put_le64(l.bytes + offsetof(Elf64_Ehdr, e_entry), 1); /* nobody begins there */
		elf_file_close(x);
		status = elf_file_parse(x, l.bytes, n, path, e);
	}
	free(l.at);
	*bytes = l.bytes;
	return status;
}
