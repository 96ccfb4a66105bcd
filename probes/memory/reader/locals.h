/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * locals.h: finds wrong accesses to stacks, for --stack, and writes each once a place:
 *
 *   stack (beyond): store of 1 byte, 1 byte past the end of text of fill (a.c:9), by put+20 (a.c:4)
 *
 * It reports only what is wrong in any case. Note [stack variables]:
 *
 * Debug information says where the variables of a frame are. It does not say what a pointer was made
 * from, and it does not know what has no name: temporaries, saved registers, arguments. In code of
 * gcc without optimisation, a pointer into a frame comes from a lea with the frame pointer. The
 * library lists them all, or says that the function may make pointers in another way
 * (MEM_FUNCTION_KNOWN). If each of them is in a variable, then an access by a pointer must be in one
 * of these variables. A variable of an inner scope may share its place with something without a name,
 * so what is behind it counts as its own, up to the next variable of the outermost scope.
 *
 * For an index to an array in the frame, and for a call with a pointer, the beginning is known to be
 * in a variable, and so must be the rest.
 *
 * In all other code, only two things are wrong for certain: a store over a return address, and an
 * access below the stack pointer by a function that uses nothing there.
 */
#ifndef NFACC_PROBES_MEMORY_READER_LOCALS_H
#define NFACC_PROBES_MEMORY_READER_LOCALS_H

#include "probes/memory/reader/findings.h"
#include "probes/memory/reader/memory.h"

struct locals;

/* It writes to w. m and w must outlive it. Returns NULL if there is no memory. */
struct locals *locals_new(struct memory *m, struct findings *w);
void locals_free(struct locals *l);

struct memory_output locals_output(struct locals *l);

/* As matches_count() and matches_ignore(). */
uint64_t locals_count(const struct locals *l);
void locals_ignore(struct locals *l, const char *pattern);

/*
 * Fills in the modules whose code is to be checked: those with debug information, but for the C
 * library.
 */
void locals_choose(const struct memory *m, struct mem_code *c);

#endif
