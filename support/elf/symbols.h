/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * symbols.h: a table of symbols, whichever file they are from: in order, with one name for each
 * place.
 *
 * How far a symbol reaches differs between the tools, and each decides it for itself. nfavirt cuts
 * a symbol where the next one begins (probes/virtual/program/elf_symbols.h). nfamem asks several
 * symbols before an address, since one can lie inside another (probes/memory/reader/names.h).
 * nfaperf knows the calls of the code, and so finds the end of functions of unknown size
 * (probes/profile/stacks/rv_code.h).
 */
#ifndef NFACC_SOURCES_SYMBOLS_H
#define NFACC_SOURCES_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "support/vec.h"

/* What is known of a place. The greater, the better the symbol. */
enum symbol_rank {
	SYMBOL_PLACE, /* something begins here, without a name */
	SYMBOL_LABEL, /* a label of assembly code */
	SYMBOL_LOCAL, /* a function or an object that its source file has for itself */
	SYMBOL_GLOBAL /* one that other files can name, also weakly */
};

struct symbol {
	uint64_t at;      /* address as linked */
	uint64_t bytes;   /* 0: not known */
	const char *name; /* borrowed; at least one character; NULL: SYMBOL_PLACE */
	enum symbol_rank rank;
	bool code; /* a function, label or place; else an object */
	const char *file; /* SYMBOL_LOCAL: its source file, borrowed; NULL: not known */
};

/* A zeroed one is empty. Append with vec_push(), free with vec_free() (support/vec.h). */
struct symbols {
	struct symbol *at;
	size_t n, cap;
};

/* Sorts the symbols by rising address, and keeps the best one of each place: the one of the highest
 * rank, of these the longest, and of these the one with the fewest underscores in front, so `read`
 * and not `__libc_read`; then the first by name. How they came makes no difference. Cost: n log n.
 * */
void symbols_order(struct symbols *s);

/* Returns how many of n symbols in order begin at or below an address: the symbol in front of this
 * index may hold it. Cost: log n. */
size_t symbols_up_to(const struct symbol *s, size_t n, uint64_t at);

#endif
