/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include <elf.h>
#include <stdio.h>
#include <string.h>

#include "probes/profile/tests/random_machine.h"

/* The address at which a kernel would begin the module. */
static uint64_t entry_of(const struct random_machine *x, uint32_t module)
{
	const struct module *m = &x->modules.at[module];
	bool loader = x->rules.loader != 0 && !m->program && !m->kernel;
	const struct function *f = &m->functions.at[loader ? m->functions.n - 1 : 0];

	return m->link + f->items.at[0].offset;
}

bool machine_write_elf(const struct random_machine *x, uint32_t module, const char *path)
{
	static const char names[] = "\0.text\0.symtab\0.strtab";
	const char *interpreter = x->rules.loader != 0 ? "/lib/mod1" : "/lib/none";
	size_t ninterpreter = strlen(interpreter) + 1;
	const struct module *m = &x->modules.at[module];
	struct buf text = { 0 }, symbols = { 0 }, strings = { 0 };
	Elf64_Ehdr h = { .e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT },
			 .e_type = m->fixed ? ET_EXEC : ET_DYN, .e_machine = EM_RISCV,
			 .e_version = EV_CURRENT, .e_entry = entry_of(x, module), .e_phoff = sizeof h,
			 .e_ehsize = sizeof h, .e_phentsize = sizeof(Elf64_Phdr), .e_phnum = 2,
			 .e_shentsize = sizeof(Elf64_Shdr), .e_shnum = 4, .e_shstrndx = 3 };
	Elf64_Sym s = { 0 };
	FILE *f = fopen(path, "wb");
	bool ok = f != NULL;

	if (!ok)
		return false;
	buf_add(&strings, names, sizeof names);
	buf_add(&symbols, &s, sizeof s);
	for (size_t i = 0; i < m->functions.n; i++) {
		const struct function *g = &m->functions.at[i];
		const struct item *last = &g->items.at[g->items.n - 1];

		s = (Elf64_Sym){ .st_name = (uint32_t)strings.n, .st_shndx = 1,
				 .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC),
				 .st_value = m->link + g->items.at[0].offset,
				 .st_size = last->offset + last->size - g->items.at[0].offset };
		buf_add(&symbols, &s, sizeof s);
		buf_add(&strings, g->name, strlen(g->name) + 1);
		for (size_t k = 0; k < g->items.n; k++) {
			while (text.n < g->items.at[k].offset)
				buf_add(&text, "", 1);
			buf_add(&text, &g->items.at[k].bits, g->items.at[k].size);
		}
	}
	uint64_t text_at = sizeof h + 2 * sizeof(Elf64_Phdr), symbols_at = text_at + text.n,
		 strings_at = symbols_at + symbols.n, interpreter_at = strings_at + strings.n;
	Elf64_Phdr p[2] = { { .p_type = PT_LOAD, .p_flags = PF_R | PF_X, .p_offset = text_at,
			      .p_vaddr = m->link, .p_filesz = text.n, .p_memsz = text.n },
			    { .p_type = m->program ? PT_INTERP : PT_NOTE,
			      .p_offset = interpreter_at, .p_filesz = ninterpreter } };
	Elf64_Shdr sections[4] = {
		{ 0 },
		{ .sh_name = 1, .sh_type = SHT_PROGBITS, .sh_flags = SHF_ALLOC | SHF_EXECINSTR,
		  .sh_addr = m->link, .sh_offset = text_at, .sh_size = text.n },
		{ .sh_name = 7, .sh_type = m->stripped ? SHT_PROGBITS : SHT_SYMTAB,
		  .sh_offset = symbols_at, .sh_size = symbols.n, .sh_link = 3,
		  .sh_entsize = sizeof(Elf64_Sym) },
		{ .sh_name = 15, .sh_type = SHT_STRTAB, .sh_offset = strings_at,
		  .sh_size = strings.n },
	};
	h.e_shoff = interpreter_at + ninterpreter;
	ok = !text.failed && !symbols.failed && !strings.failed &&
	     fwrite(&h, sizeof h, 1, f) == 1 && fwrite(p, sizeof p, 1, f) == 1 &&
	     fwrite(text.at, 1, text.n, f) == text.n &&
	     fwrite(symbols.at, 1, symbols.n, f) == symbols.n &&
	     fwrite(strings.at, 1, strings.n, f) == strings.n &&
	     fwrite(interpreter, ninterpreter, 1, f) == 1 &&
	     fwrite(sections, sizeof sections, 1, f) == 1;
	buf_free(&text);
	buf_free(&symbols);
	buf_free(&strings);
	return fclose(f) == 0 && ok;
}
