/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * elf_file.h: an ELF file for a 64-bit little-endian machine, whichever it is: its sections,
 * segments and symbols. The file is hostile input: nothing that it says about itself is believed
 * before it was checked, and what lies outside of it is not there. A field that makes no sense is
 * no error by itself, since tools strip and damage files in many ways; its section, segment or
 * symbol is missing then. Nothing is copied: all pointers lead into the bytes of the file.
 *
 * nfamem finds separate debug information with libdw, which reads such files by itself
 * (probes/memory/reader/names.h); what symbols are worth it also decides with elf_symbol_is().
 */
#ifndef NFACC_SUPPORT_ELF_FILE_H
#define NFACC_SUPPORT_ELF_FILE_H

#include "include/nfart_status.h"
#include "support/elf/symbols.h"

enum {
	ELF_MOST_BYTES = 1 << 30,  /* of a file that elf_file_open() opens */
	ELF_MOST_SYMBOLS = 1 << 22 /* in all that elf_file_symbols() appends to */
};

/* Strings, of which the last one ends with the n bytes. */
struct elf_strings {
	const char *at;
	size_t n;
};

struct elf_file {
	const unsigned char *at; /* n bytes */
	size_t n;
	void *mapped;              /* what elf_file_close() unmaps; NULL: the bytes are borrowed */
	unsigned type, machine;    /* ET_EXEC and others, EM_RISCV and others: <elf.h> has them */
	uint64_t entry;            /* the address of the first instruction, as linked */
	size_t sections, segments; /* how many there are */
	struct elf_strings names;  /* of sections */
};

/* A section. Numbers are as its header has them. */
struct elf_section {
	const char *name; /* "" if it has none */
	unsigned type;    /* SHT_SYMTAB and others */
	uint32_t link;    /* the section of strings of a table of symbols */
	uint64_t flags, address;
	const unsigned char *bytes; /* n bytes in the file; NULL and 0: it has none there */
	size_t n;
};

struct elf_segment {
	unsigned type, flags; /* PT_LOAD and others; PF_X and others */
	uint64_t address;
	const unsigned char *bytes; /* n bytes in the file; NULL and 0: it has none there */
	size_t n;
};

/* Opens the file at `path`. On failure *e says why, with the file, and x is closed. Cost: the file
 * is mapped, so only what is used of it is read. */
enum nfart_status elf_file_open(struct elf_file *x, const char *path, struct nfart_error *e);

/* The same for n bytes, which must outlive x. `path` is for errors. */
enum nfart_status elf_file_parse(struct elf_file *x, const void *bytes, size_t n, const char *path,
				 struct nfart_error *e);

/* Does nothing if *x is zeroed or closed. */
void elf_file_close(struct elf_file *x);

/* Says in *e what is wrong with the file at `path`. Returns NFART_INPUT. */
enum nfart_status elf_file_wrong(const char *path, const char *what, struct nfart_error *e);

/* Finds section or segment i. False: there is none. */
bool elf_file_section(const struct elf_file *x, size_t i, struct elf_section *s);
bool elf_file_segment(const struct elf_file *x, size_t i, struct elf_segment *s);

/* Which symbols are wanted. */
enum elf_want {
	ELF_FUNCTIONS = 1,
	ELF_OBJECTS = 2,
	ELF_LABELS =
		4 /* of assembly code; those of the assembler itself begin with a dot or a dollar */
};

/* Is a symbol that has the byte st_info and this name wanted? Sets rank, code and name of *s. A
 * name with control characters is never wanted: it could deceive whoever sees it on a terminal. */
bool elf_symbol_is(unsigned want, unsigned info, const char *name, struct symbol *s);

/* Appends the symbols that the file defines, of its first table of one type: SHT_SYMTAB or
 * SHT_DYNSYM. No linker writes a second one. False: out of memory, or too many. Cost: linear in the
 * table. */
bool elf_file_symbols(const struct elf_file *x, unsigned type, unsigned want, struct symbols *s);

#endif
