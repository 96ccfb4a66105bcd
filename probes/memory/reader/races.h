/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * races.h: an output (memory.h) that finds races (race.h). It writes each pair of instructions
 * once:
 *
 *   race: store of 8 bytes, sum+0, by add+35 (list.c:12), thread 2; before: load of 8 bytes, by
 *   add+25 (list.c:12), thread 1
 *
 * in one line. Accesses by code of the C library are left out, also those to its own locks:
 * a thread that ends and one that is created use the same ones.
 */
#ifndef NFACC_PROBES_MEMORY_READER_RACES_H
#define NFACC_PROBES_MEMORY_READER_RACES_H

#include "probes/memory/reader/findings.h"
#include "probes/memory/reader/memory.h"

struct races;

/* It writes to w. m and w must outlive it. Returns NULL if there is no memory. */
struct races *races_new(struct memory *m, struct findings *w);
void races_free(struct races *x);

struct memory_output races_output(struct races *x);

/* As matches_ignore() and matches_count(). */
void races_ignore(struct races *x, const char *pattern);
uint64_t races_count(const struct races *x);

/* From now on the events are those of a child process, which has one thread. */
void races_inherit(struct races *x);

#endif
