/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "probes/memory/reader/names.h"

#include <elfutils/libdwfl.h>
#include <fcntl.h>
#include <gelf.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "probes/memory/reader/frames.h"
#include "probes/memory/reader/libdw.h"
#include "probes/profile/stacks/demangle.h"
#include "support/elf/elf_file.h"
#include "support/arena.h"
#include "support/buf.h"
#include "support/vec.h"

enum {
	PLT_ENTRY = 16, /* size of an entry of a procedure linkage table on x86-64 */
	/*
	 * A symbol may lie inside a larger one. So this many symbols before an address are looked
	 * at.
	 */
	MOST_NESTED = 8
};

/* What a symbol is called in its source. */
struct readable {
	const char *name, *text;
};

struct names {
	struct arena arena;
	bool failed; /* there was too little memory to read a file */
	VEC(struct names_file *) files;
	VEC(struct names_module) modules;
	bool keeps_symbols;
	VEC(struct readable) readable;
};

struct names *names_new(void)
{
	return calloc(1, sizeof(struct names));
}

void names_free(struct names *n)
{
	if (n == NULL)
		return;
	for (size_t i = 0; i < n->files.n; i++) {
		if (n->files.at[i]->dwfl != NULL)
			dwfl_end(n->files.at[i]->dwfl);
		if (n->files.at[i]->fd >= 0)
			close(n->files.at[i]->fd);
		vec_free(&n->files.at[i]->symbols);
		frames_forget(n->files.at[i]->frames);
	}
	vec_free(&n->files);
	vec_free(&n->modules);
	vec_free(&n->readable);
	arena_free(&n->arena);
	free(n);
}

/* ---- symbols of a file ---- */

/* Adds a symbol. Its name is the first `length` bytes of `name`, followed by `suffix`. */
static bool add_symbol(struct names *n, struct symbols *v, const struct symbol *symbol,
		       size_t length, const char *suffix)
{
	struct symbol s = *symbol;
	char *text = arena_alloc(&n->arena, length + strlen(suffix) + 1);

	if (text == NULL)
		return false;
	memcpy(text, symbol->name, length);
	strcpy(text + length, suffix);
	s.name = text;
	return vec_push(v, s);
}

static bool read_symbols(struct names *n, Dwfl_Module *module, struct symbols *v)
{
	int count = dwfl_module_getsymtab(module);

	for (int i = 1; i < count; i++) {
		GElf_Sym sym;
		GElf_Addr at;
		GElf_Word section;
		struct symbol s = { 0 };
		const char *name = dwfl_module_getsym_info(module, i, &sym, &at, &section, NULL,
							   NULL);

		if (name == NULL || section == SHN_UNDEF || section == SHN_ABS ||
		    !elf_symbol_is(ELF_FUNCTIONS | ELF_OBJECTS, sym.st_info, name, &s))
			continue;
		s.at = at;
		s.bytes = sym.st_size;
		/* The name ends before "@"; after it comes the version of the symbol. */
		if (!add_symbol(n, v, &s, strcspn(s.name, "@"), ""))
			return false;
	}
	return true;
}

/* Finds the section called `name`. Returns false if there is none. */
static bool find_section(Elf *elf, const char *name, GElf_Shdr *h, Elf_Scn **found)
{
	size_t names;

	if (elf_getshdrstrndx(elf, &names) != 0)
		return false;
	for (Elf_Scn *s = NULL; (s = elf_nextscn(elf, s)) != NULL;) {
		const char *own;

		if (gelf_getshdr(s, h) == NULL)
			continue;
		own = elf_strptr(elf, names, h->sh_name);
		if (own != NULL && strcmp(own, name) == 0) {
			*found = s;
			return true;
		}
	}
	return false;
}

/*
 * Returns the name of the symbol that the i-th relocation of a table refers to; NULL if there is
 * none.
 */
static const char *relocated_name(Elf *elf, const GElf_Shdr *table, Elf_Data *data, int i)
{
	Elf_Scn *symbols = elf_getscn(elf, table->sh_link);
	Elf_Data *symbol_data = symbols != NULL ? elf_getdata(symbols, NULL) : NULL;
	GElf_Shdr h;
	GElf_Rela rela;
	GElf_Sym sym;

	if (symbol_data == NULL || gelf_getshdr(symbols, &h) == NULL ||
	    gelf_getrela(data, i, &rela) == NULL ||
	    gelf_getsym(symbol_data, (int)GELF_R_SYM(rela.r_info), &sym) == NULL)
		return NULL;
	return elf_strptr(elf, h.sh_link, sym.st_name);
}

/*
 * Names the entries of the procedure linkage table. Entries and relocations have the same order. If
 * there is a section .plt.sec, calls go there. Otherwise they go to .plt, whose first entry is
 * special.
 */
static bool read_linkage(struct names *n, Dwfl_Module *module, struct symbols *v)
{
	GElf_Addr bias;
	Elf *elf = dwfl_module_getelf(module, &bias);
	GElf_Shdr table, plt;
	Elf_Scn *table_scn, *plt_scn;
	Elf_Data *data;
	uint64_t skip = 0;
	bool fine = true;

	if (elf == NULL || !find_section(elf, ".rela.plt", &table, &table_scn) ||
	    (data = elf_getdata(table_scn, NULL)) == NULL || table.sh_entsize == 0)
		return true;
	if (!find_section(elf, ".plt.sec", &plt, &plt_scn)) {
		if (!find_section(elf, ".plt", &plt, &plt_scn))
			return true;
		skip = PLT_ENTRY;
	}
	for (uint64_t i = 0; i < table.sh_size / table.sh_entsize && fine; i++) {
		struct symbol s = { plt.sh_addr + skip + i * PLT_ENTRY, PLT_ENTRY, NULL,
				    SYMBOL_LOCAL, true, NULL };

		if (skip + (i + 1) * PLT_ENTRY > plt.sh_size)
			break;
		s.name = relocated_name(elf, &table, data, (int)i);
		if (s.name != NULL && s.name[0] != 0 && buf_is_name(s.name, strlen(s.name)))
			fine = add_symbol(n, v, &s, strlen(s.name), "@plt");
	}
	return fine;
}

/*
 * Whether a file with separate debug information exists under its name. It may be in the folder of
 * `path`, in .debug below that folder, or below /usr/lib/debug.
 */
static bool has_linked_debuginfo(const char *path, const char *name)
{
	static const char *const places[][2] = {
		{ "", "" }, { "", ".debug/" }, { "/usr/lib/debug", "" }
	};
	const char *slash = path != NULL ? strrchr(path, '/') : NULL;
	char candidate[2 * PATH_MAX];

	for (size_t i = 0; slash != NULL && i < sizeof places / sizeof places[0]; i++) {
		snprintf(candidate, sizeof candidate, "%s%.*s/%s%s", places[i][0],
			 (int)(slash - path), path, places[i][1], name);
		if (strcmp(candidate, path) != 0 && access(candidate, R_OK) == 0)
			return true;
	}
	return false;
}

/*
 * Finds separate debug information, as dwfl_standard_find_debuginfo() does. But if that function
 * finds nothing, it loads libdebuginfod and a dozen libraries for the network. That takes longer
 * than many programs run. So it is called only if it can succeed.
 */
static int find_debuginfo(Dwfl_Module *module, void **userdata, const char *name, Dwarf_Addr base,
			  const char *path, const char *link, GElf_Word crc, char **found)
{
	const char *servers = getenv("DEBUGINFOD_URLS");
	int fd = dwfl_build_id_find_debuginfo(module, userdata, name, base, path, link, crc, found);

	if (fd >= 0 || ((servers == NULL || servers[0] == 0) &&
			!(link != NULL && has_linked_debuginfo(path, link))))
		return fd;
	return dwfl_standard_find_debuginfo(module, userdata, name, base, path, link, crc, found);
}

static char *debug_path;
static const Dwfl_Callbacks callbacks = {
	.find_elf = dwfl_build_id_find_elf,
	.find_debuginfo = find_debuginfo,
	.debuginfo_path = &debug_path
};

void names_read(struct names *n, struct names_file *f)
{
	Dwfl *dwfl;
	Dwfl_Module *module;

	if (f->read)
		return;
	f->read = true;
	if (libdw_load(NULL) != NFART_OK)
		return;
	dwfl = dwfl_begin(&callbacks);
	if (dwfl == NULL)
		return;
	module = dwfl_report_elf(dwfl, f->base, f->path, f->fd, 0, true);
	dwfl_report_end(dwfl, NULL, NULL);
	if (module == NULL) {
		dwfl_end(dwfl);
		return;
	}
	f->fd = -1; /* it belongs to libdw now */
	f->dwfl = dwfl;
	f->module = module;
	if (!read_symbols(n, module, &f->symbols) || !read_linkage(n, module, &f->symbols))
		n->failed = true;
	symbols_order(&f->symbols);
}

bool names_failed(const struct names *n)
{
	return n->failed;
}

/* ---- modules ---- */

/* Returns the last part of a path in printable form. Returns NULL if there is no memory. */
static const char *base_of(struct arena *a, const char *path)
{
	const char *slash = strrchr(path, '/'), *base = slash != NULL ? slash + 1 : path;
	struct buf shown = { 0 };
	const char *copy;

	buf_add_shown(&shown, base, strlen(base));
	copy = shown.failed ? NULL : arena_strndup(a, shown.n == 0 ? "" : shown.at, shown.n);
	buf_free(&shown);
	return copy;
}

static struct names_file *find_file(struct names *n, const char *path)
{
	struct names_file *f;

	for (size_t i = 0; i < n->files.n; i++)
		if (strcmp(n->files.at[i]->path, path) == 0)
			return n->files.at[i];
	f = arena_new(&n->arena, struct names_file);
	if (f == NULL || (f->path = arena_strndup(&n->arena, path, strlen(path))) == NULL ||
	    (f->base = base_of(&n->arena, path)) == NULL)
		return NULL;
	if (!vec_push(&n->files, f))
		return NULL;
	f->fd = open(path, O_RDONLY | O_CLOEXEC);
	return f;
}

const struct names_module *names_add(struct names *n, const char *path, uint64_t bias, uint64_t low,
				     uint64_t high)
{
	struct names_module m = { bias, low, high, find_file(n, path) };
	size_t kept = 0;

	for (size_t i = 0; i < n->modules.n; i++)
		if (n->modules.at[i].low >= high || n->modules.at[i].high <= low)
			n->modules.at[kept++] = n->modules.at[i];
	n->modules.n = kept;
	if (m.file == NULL || !vec_push(&n->modules, m))
		return NULL;
	return &n->modules.at[n->modules.n - 1];
}

const struct names_module *names_module_at(const struct names *n, size_t i)
{
	return i < n->modules.n ? &n->modules.at[i] : NULL;
}

const struct names_module *names_module(const struct names *n, uint64_t address)
{
	for (size_t i = 0; i < n->modules.n; i++)
		if (address >= n->modules.at[i].low && address < n->modules.at[i].high)
			return &n->modules.at[i];
	return NULL;
}

const struct symbol *names_find(struct names *n, uint64_t address, uint64_t *offset)
{
	const struct names_module *m = names_module(n, address);
	const struct symbol *s;
	size_t low;

	if (m == NULL)
		return NULL;
	names_read(n, m->file);
	s = m->file->symbols.at;
	address -= m->bias;
	low = symbols_up_to(s, m->file->symbols.n, address);
	for (size_t i = low; i > 0 && low - i < MOST_NESTED; i--) {
		*offset = address - s[i - 1].at;
		if (*offset < s[i - 1].bytes ||
		    (s[i - 1].bytes == 0 && i == low && s[i - 1].code))
			return &s[i - 1];
	}
	return NULL;
}

void names_each(struct names *n, const char *name, bool code,
		void (*each)(void *ctx, uint64_t at, uint64_t bytes), void *ctx)
{
	bool found = false;

	for (size_t i = 0; i < n->modules.n && !found; i++) {
		const struct symbols *s = &n->modules.at[i].file->symbols;

		names_read(n, n->modules.at[i].file);
		for (size_t k = 0; k < s->n; k++)
			if (s->at[k].code == code && strcmp(s->at[k].name, name) == 0) {
				each(ctx, s->at[k].at + n->modules.at[i].bias, s->at[k].bytes);
				found = true;
			}
	}
}

void names_keep_symbols(struct names *n)
{
	n->keeps_symbols = true;
}

/* Returns the name itself if it cannot be demangled. */
static const char *demangled(struct names *n, const char *name)
{
	struct buf text = { 0 };
	size_t at = SIZE_MAX;
	const char *copy = NULL;

	if (demangle(&name, 1, &text, &at) && at != SIZE_MAX)
		copy = arena_strndup(&n->arena, text.at + at, strlen(text.at + at));
	buf_free(&text);
	return copy != NULL ? copy : name;
}

const char *names_readable(struct names *n, const char *name)
{
	struct readable r = { name, name };

	if (n->keeps_symbols || !is_mangled(name))
		return name;
	for (size_t i = 0; i < n->readable.n; i++)
		if (n->readable.at[i].name == name)
			return n->readable.at[i].text;
	r.text = demangled(n, name);
	return vec_push(&n->readable, r) ? r.text : name;
}
