/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * turns.h: processes that write to one file take turns, so that what one writes in a turn stays
 * together. What is written has to be flushed before the turn ends.
 */
#ifndef NFACC_PROBES_MEMORY_READER_TURNS_H
#define NFACC_PROBES_MEMORY_READER_TURNS_H

struct turns;

/* Makes a lock that this process shares with those that it forks. NULL: out of memory. Free with
 * turns_free(), in each of them. */
struct turns *turns_new(void);
void turns_free(struct turns *t);

/* Waits for a turn, and ends it. NULL: there is nobody else, and nothing is done. A process that
 * dies in its turn ends it. */
void turns_take(struct turns *t);
void turns_give(struct turns *t);

#endif
