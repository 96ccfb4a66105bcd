/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * variables.h: where the variables of a function are in its frame, by debug information.
 *
 * Only code that gcc compiled without optimisation is known to hold to these rules: each variable
 * has its place in the frame for as long as its scope runs; what has no name does not share the
 * place of a variable of the outermost scope.
 */
#ifndef NFACC_PROBES_MEMORY_READER_VARIABLES_H
#define NFACC_PROBES_MEMORY_READER_VARIABLES_H

#include <stdbool.h>
#include <stdint.h>

#include "probes/memory/reader/names.h"
#include "support/vec.h"

struct variable {
	int64_t low, high; /* from the CFA: it has [low, high) */
	const char *name, *file; /* file: where it is declared; NULL: not known */
	int line;
	uint32_t scope;    /* index in function.scopes */
};

/* Instructions of a scope, relative to the load bias. A scope may have several ranges. */
struct variable_range {
	uint64_t low, high;
	uint32_t scope;
};

/* Texts live as long as the names. */
struct function {
	const void *die; /* where libdw has it */
	const char *name;
	bool plain;   /* compiled by gcc, without optimisation */
	/*
	 * It is plain C without a stack protector: nothing runs after the end of a scope, and a
	 * variable of less than VARIABLES_SMALL bytes shares its place with nothing.
	 */
	bool scopes;
	uint32_t nscopes; /* scope 0 is the outermost */
	VEC(struct variable_range) ranges;
	VEC(struct variable) list;
};

enum { VARIABLES_SMALL = 32 };

struct variables;

/* Returns NULL if there is no memory. Free it with variables_free(). */
struct variables *variables_new(struct names *n);
void variables_free(struct variables *v);

/*
 * The function that an instruction is in; NULL: it is not known, or there is no memory. Cost: for
 * the first time for an instruction, linear in the functions of its source file.
 */
const struct function *variables_function(struct variables *v, uint64_t pc);

/* Whether the instruction at pc, relative to the load bias, is in the scope of a variable. */
bool variables_in_scope(const struct function *f, const struct variable *x, uint64_t pc);

/* Whether a module has debug information. */
bool variables_known(struct names *n, const struct names_module *m);

#endif
