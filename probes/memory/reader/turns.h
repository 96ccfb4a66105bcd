/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * turns.h: a lock for processes that write to the same file. What a process writes while it holds
 * the lock stays together. It must flush the file before it gives the lock back.
 */
#ifndef NFACC_PROBES_MEMORY_READER_TURNS_H
#define NFACC_PROBES_MEMORY_READER_TURNS_H

struct turns;

/*
 * Makes a lock that this process shares with the processes that it forks. Returns NULL if there is
 * no memory. Each of these processes frees it with turns_free().
 */
struct turns *turns_new(void);
void turns_free(struct turns *t);

/*
 * Takes the lock, or gives it back. If `t` is NULL, nothing is done. If a process dies while it
 * holds the lock, the lock is given back.
 */
void turns_take(struct turns *t);
void turns_give(struct turns *t);

#endif
