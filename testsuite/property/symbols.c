/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Random symbols, written as ELF files and read back: each place must have the name that an obvious
 * search finds, and each address its symbol. Half of the files have their numbers in the header of
 * section 0, as files with many sections do. A file that is cut off or damaged must not lead
 * outside of its bytes, which a build with sanitizers sees.
 */
#include <elf.h>
#include <string.h>

#include "support/buf.h"
#include "support/elf/elf_file.h"
#include "support/vec.h"
#include "testsuite/setting.h"
#include "testsuite/unit/tap.h"
#include "tools/nfagen/traffic/gen_random.h"

enum { MOST = 60, PLACES = 40 };

struct trial {
	struct gen_random random;
	struct symbol all[MOST]; /* as drawn; names are in `names` */
	size_t n;
	char names[MOST][16];
	struct buf file;
};

static uint32_t symbols_below(struct trial *t, uint32_t n)
{
	return gen_random_below(&t->random, n);
}

static void symbols_draw(struct trial *t)
{
	t->n = symbols_below(t, MOST + 1);
	for (size_t i = 0; i < t->n; i++) {
		struct symbol *s = &t->all[i];
		bool label = symbols_below(t, 4) == 0;

		snprintf(t->names[i], sizeof t->names[i], "%.*s%c%u", (int)symbols_below(t, 4),
			 "___", (int)('A' + symbols_below(t, 40)), symbols_below(t, 3));
		s->name = t->names[i];
		s->at = symbols_below(t, 8) == 0 ? UINT64_MAX - symbols_below(t, 4)
						 : symbols_below(t, PLACES);
		s->bytes = symbols_below(t, 4) == 0 ? 0 : symbols_below(t, 9);
		s->rank = label                      ? SYMBOL_LABEL
			  : symbols_below(t, 2) == 0 ? SYMBOL_LOCAL
						     : SYMBOL_GLOBAL;
		s->code = label || symbols_below(t, 2) == 0;
	}
}

/* ---- the file ---- */

static void add_symbol(struct trial *t, size_t i, struct buf *table, struct buf *strings)
{
	const struct symbol *s = &t->all[i];
	unsigned type = s->rank == SYMBOL_LABEL ? STT_NOTYPE
			: !s->code              ? STT_OBJECT
			: i % 3 == 0            ? STT_GNU_IFUNC
						: STT_FUNC,
		 bind = s->rank == SYMBOL_LOCAL ? STB_LOCAL
			: i % 2 == 0            ? STB_GLOBAL
						: STB_WEAK;
	Elf64_Sym sym = { .st_name = (uint32_t)strings->n,
			  .st_shndx = 1,
			  .st_value = s->at,
			  .st_size = s->bytes,
			  .st_info = (unsigned char)ELF64_ST_INFO(bind, type) };

	buf_add(table, &sym, sizeof sym);
	/* Not wanted: one that is not defined, one without a name, and one of the assembler. */
	sym.st_value = PLACES + 1;
	sym.st_shndx = SHN_UNDEF;
	buf_add(table, &sym, sizeof sym);
	sym.st_shndx = 1;
	sym.st_name = 0;
	buf_add(table, &sym, sizeof sym);
	buf_add(strings, s->name, strlen(s->name) + 1);
	sym.st_name = (uint32_t)strings->n;
	sym.st_info = STT_NOTYPE;
	buf_add(table, &sym, sizeof sym);
	buf_add(strings, i % 2 == 0 ? ".L" : "$x", 3);
	/* Nor one that moves a terminal's cursor. */
	sym.st_name = (uint32_t)strings->n;
	sym.st_info = STT_FUNC;
	buf_add(table, &sym, sizeof sym);
	buf_add(strings, i % 2 == 0 ? "\033[H" : "\302\233H", 4);
}

/* Writes the file: header, sections, symbols, and strings. The last one does not end, so the symbol
 * that it names is not wanted either. */
static void write_file(struct trial *t, bool large)
{
	struct buf table = { 0 }, strings = { 0 };
	Elf64_Sym sym = { .st_info = STT_FUNC, .st_shndx = 1, .st_value = PLACES + 1 };
	Elf64_Ehdr h = { .e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT },
			 .e_type = ET_DYN,
			 .e_machine = EM_RISCV,
			 .e_shoff = sizeof h,
			 .e_shentsize = sizeof(Elf64_Shdr),
			 .e_shnum = large ? 0 : 4,
			 .e_shstrndx = large ? SHN_XINDEX : 3 };
	Elf64_Shdr s[4] = { { .sh_size = 4, .sh_link = 3 },
			    { .sh_type = large ? SHT_NOBITS : SHT_PROGBITS },
			    { .sh_type = SHT_SYMTAB, .sh_link = 3, .sh_name = 1 },
			    { .sh_type = SHT_STRTAB } };

	buf_add(&strings, "\0symbols", 9);
	for (size_t i = 0; i < t->n; i++)
		add_symbol(t, i, &table, &strings);
	sym.st_name = (uint32_t)strings.n;
	buf_add(&table, &sym, sizeof sym);
	buf_add(&strings, "open", 4);
	s[1].sh_size = UINT64_MAX;
	s[2].sh_offset = sizeof h + sizeof s;
	s[2].sh_size = table.n;
	s[3].sh_offset = s[2].sh_offset + table.n;
	s[3].sh_size = strings.n;
	t->file.n = 0;
	buf_add(&t->file, &h, sizeof h);
	buf_add(&t->file, s, sizeof s);
	buf_add(&t->file, table.at, table.n);
	buf_add(&t->file, strings.at, strings.n);
	buf_free(&table);
	buf_free(&strings);
}

/* ---- the oracle ---- */

static bool is_better(const struct symbol *x, const struct symbol *y)
{
	size_t low = strspn(x->name, "_"), high = strspn(y->name, "_");
	int names = strcmp(x->name, y->name);

	if (x->rank != y->rank)
		return x->rank > y->rank;
	if (x->bytes != y->bytes)
		return x->bytes > y->bytes;
	return low != high ? low < high : names != 0 ? names < 0 : x->code && !y->code;
}

static const struct symbol *best_at(const struct trial *t, uint64_t at)
{
	const struct symbol *best = NULL;

	for (size_t i = 0; i < t->n; i++)
		if (t->all[i].at == at && (best == NULL || is_better(&t->all[i], best)))
			best = &t->all[i];
	return best;
}

static bool is_same(const struct symbol *x, const struct symbol *y)
{
	return x->at == y->at && x->bytes == y->bytes && x->rank == y->rank && x->code == y->code &&
	       strcmp(x->name, y->name) == 0;
}

static bool is_right(const struct trial *t, const struct symbols *s)
{
	size_t places = 0;

	for (size_t i = 0; i < t->n; i++) {
		const struct symbol *best = best_at(t, t->all[i].at);
		size_t up_to = symbols_up_to(s->at, s->n, best->at);

		places += best == &t->all[i];
		if (up_to == 0 || !is_same(&s->at[up_to - 1], best))
			return false;
	}
	for (uint64_t at = 0; at < PLACES + 4; at++) {
		size_t n = 0;

		while (n < s->n && s->at[n].at <= at)
			n++;
		if (symbols_up_to(s->at, s->n, at) != n)
			return false;
	}
	return places == s->n;
}

/* ---- trials ---- */

/* Reads all that a file has. True: its table of symbols could be read, and is in *s. */
static bool read_file(const void *bytes, size_t n, struct symbols *s)
{
	struct nfart_error e;
	struct elf_file x;
	struct elf_section section;
	struct elf_segment segment;
	unsigned sum = 0;
	bool found = false;

	if (elf_file_parse(&x, bytes, n, "trial", &e) != NFART_OK)
		return false;
	for (size_t i = 0; elf_file_section(&x, i, &section); i++) {
		found |= strcmp(section.name, "symbols") == 0;
		for (size_t k = 0; k < section.n; k++)
			sum += section.bytes[k];
	}
	for (size_t i = 0; elf_file_segment(&x, i, &segment); i++)
		for (size_t k = 0; k < segment.n; k++)
			sum += segment.bytes[k];
	return elf_file_symbols(&x, SHT_SYMTAB, ELF_FUNCTIONS | ELF_OBJECTS | ELF_LABELS, s) &&
	       found && sum > 0;
}

/* Reads a copy of `n` bytes of the file, of which `changes` are changed. */
static void read_damaged(struct trial *t, size_t n, unsigned changes)
{
	struct symbols s = { 0 };
	unsigned char *copy = malloc(n + 1);
	unsigned char *bytes = copy == NULL ? NULL : copy + 1; /* not aligned */

	if (copy == NULL)
		return;
	memcpy(bytes, t->file.at, n);
	for (unsigned i = 0; i < changes && n > 0; i++)
		bytes[symbols_below(t, i % 2 == 0 && n > 320 ? 320 : (uint32_t)n)] =
			(unsigned char)symbols_below(t, 256);
	if (read_file(bytes, n, &s))
		symbols_order(&s);
	vec_free(&s);
	free(copy);
}

int main(void)
{
	uint64_t seed = setting("NFACC_SEED", 1), trials = setting("NFACC_SYMBOLS_TRIALS", 2000), i;
	struct trial t = { .random = { seed } };
	struct tap tap = { 0 };
	bool fine = true;

	for (i = 0; i < trials && fine; i++) {
		struct symbols s = { 0 };

		symbols_draw(&t);
		write_file(&t, i % 2 == 0);
		fine = !t.file.failed && read_file(t.file.at, t.file.n, &s);
		symbols_order(&s);
		fine = fine && is_right(&t, &s);
		vec_free(&s);
		for (unsigned k = 0; k < 4; k++)
			read_damaged(&t, k == 0 ? symbols_below(&t, (uint32_t)t.file.n) : t.file.n,
				     k * k);
	}
	tap_case(&tap, fine, "%llu of %llu files of symbols, seed %llu", (unsigned long long)i,
		 (unsigned long long)trials, (unsigned long long)seed);
	buf_free(&t.file);
	return tap_end(&tap);
}
