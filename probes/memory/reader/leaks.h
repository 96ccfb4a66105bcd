/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * leaks.h: takes the blocks that were in use when the program exited, and writes those that no
 * pointer leads to, a line for all blocks that the same stack of calls allocated:
 *
 *   leak: 72 bytes in 3 blocks are lost, <malloc0002@push+21>, by push+21 (list.c:12)
 *
 * The name is that of the first of these blocks.
 */
#ifndef NFACC_PROBES_MEMORY_READER_LEAKS_H
#define NFACC_PROBES_MEMORY_READER_LEAKS_H

#include "probes/memory/reader/findings.h"
#include "probes/memory/reader/memory.h"

struct leaks;

/*
 * It writes to w. m and w must outlive it. `reachable`: blocks that a pointer leads to are written,
 * too; they do not count. Returns NULL if there is no memory.
 */
struct leaks *leaks_new(struct memory *m, struct findings *w, bool reachable);
void leaks_free(struct leaks *l);

struct memory_output leaks_output(struct leaks *l);

/* As matches_count(). */
uint64_t leaks_count(const struct leaks *l);

/* As matches_ignore(). The pattern may also fit any caller of the allocating function. */
void leaks_ignore(struct leaks *l, const char *pattern);

/* Whether the program has looked for leaks. It does so when it exits, not if a signal kills it. */
bool leaks_looked(const struct leaks *l);

/* Writes the leaks, those with the most bytes first. On failure returns false and sets *e. */
bool leaks_end(struct leaks *l, struct nfart_error *e);

#endif
