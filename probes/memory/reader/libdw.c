/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "probes/memory/reader/libdw.h"

#include <dlfcn.h>

static const char library[] = "libdw.so.1";

/* The functions of libdw and libelf that are called. One that is not here is missed by the
 * linker. */
#define FUNCTIONS(X) \
	X(dwarf_aggregate_size) X(dwarf_attr) X(dwarf_attr_integrate) X(dwarf_child) \
	X(dwarf_decl_file) X(dwarf_decl_line) X(dwarf_diename) X(dwarf_filesrc) \
	X(dwarf_formref_die) X(dwarf_formstring) X(dwarf_formudata) X(dwarf_getfuncs) \
	X(dwarf_getlocation) X(dwarf_getscopes) X(dwarf_getscopes_die) X(dwarf_getsrcfiles) \
	X(dwarf_haspc) X(dwarf_peel_type) X(dwarf_ranges) X(dwarf_siblingof) \
	X(dwarf_srclang) X(dwarf_tag) X(dwfl_begin) X(dwfl_build_id_find_debuginfo) \
	X(dwfl_build_id_find_elf) X(dwfl_end) X(dwfl_frame_pc) X(dwfl_getthread_frames) \
	X(dwfl_line_comp_dir) X(dwfl_lineinfo) X(dwfl_linux_proc_attach) \
	X(dwfl_linux_proc_find_elf) X(dwfl_linux_proc_report) X(dwfl_module_addrdie) \
	X(dwfl_module_getelf) X(dwfl_module_getsrc) X(dwfl_module_getsym_info) \
	X(dwfl_module_getsymtab) X(dwfl_module_nextcu) X(dwfl_report_elf) X(dwfl_report_end) \
	X(dwfl_standard_find_debuginfo) X(elf_getdata) X(elf_getscn) X(elf_getshdrstrndx) \
	X(elf_nextscn) X(elf_strptr) X(gelf_getrela) X(gelf_getshdr) X(gelf_getsym)

/* The function `name` of nfamem goes on to that of the library, whose address is libdw_at_name. */
#define GO_ON(name)                                                                                \
	extern void *libdw_at_##name __attribute__((visibility("hidden")));                        \
	void *libdw_at_##name;                                                                     \
	__asm__(".pushsection .text\n"                                                             \
		".globl " #name "\n"                                                               \
		".hidden " #name "\n"                                                              \
		".type " #name ", @function\n" #name ":\n"                                         \
		"	endbr64\n"                                                                     \
		"	jmp *libdw_at_" #name "(%rip)\n"                                               \
		".size " #name ", . - " #name "\n"                                                 \
		".popsection\n");
FUNCTIONS(GO_ON)

#define ENTRY(name) { #name, &libdw_at_##name },
static const struct entry {
	const char *name;
	void **to;
} entries[] = { FUNCTIONS(ENTRY) };

static enum { NOT_ASKED, LOADED, MISSING } state;

static enum nfart_status load(struct nfart_error *e)
{
	void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);

	if (handle == NULL)
		return nfart_fail(e, NFART_SYSTEM, "names need %s: %s", library, dlerror());
	for (size_t i = 0; i < sizeof entries / sizeof entries[0]; i++) {
		*entries[i].to = dlsym(handle, entries[i].name);
		if (*entries[i].to == NULL)
			return nfart_fail(e, NFART_SYSTEM, "names need a newer %s: it lacks %s",
					  library, entries[i].name);
	}
	return NFART_OK;
}

enum nfart_status libdw_load(struct nfart_error *e)
{
	if (state != LOADED)
		state = load(e) == NFART_OK ? LOADED : MISSING;
	return state == LOADED ? NFART_OK : NFART_SYSTEM;
}

bool libdw_missing(void)
{
	return state == MISSING;
}
