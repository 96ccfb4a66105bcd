/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * What nfamem calls in a process that it attaches to, and when it lets go of it. nfamem traces the
 * process (ptrace), loads this library with dlopen, and makes threads of the process call these
 * functions, one call at a time:
 *
 *     nfamem_begin     in one thread, while the others run: it may take the loader's lock
 *     ...              all threads stop
 *     nfamem_watch     in the same thread
 *     nfamem_adopt     for each mapping that is watched besides the data of modules
 *     nfamem_thread    in each other thread
 *     nfamem_asleep    in each thread that sleeps
 *     nfamem_go        in the first thread
 *     ...              the threads run on, and are watched
 *     nfamem_where     in each thread that is stopped: whether it can be let go of there
 *     nfamem_leave     in one thread: the process gets its code, its memory and its handlers back
 *     nfamem_alone     in each thread
 *     nfamem_unload    in one thread, while the others run: before dlclose
 *     nfamem_unmap     the last call
 *
 * A thread may be stopped anywhere, so the functions from nfamem_watch on call nothing of libc.
 */
#ifndef NFACC_PROBES_MEMORY_INSIDE_ATTACH_H
#define NFACC_PROBES_MEMORY_INSIDE_ATTACH_H
#include <stdint.h>

#include "probes/memory/inside/inside.h"

/* Opens the channel in the descriptor `fd`, and closes that. Returns 1, or 0 on failure. */
INSIDE_EXPORT long nfamem_begin(long fd);

/* `threads`: how many there are. Returns 1, or 0 on failure. */
INSIDE_EXPORT long nfamem_watch(long threads);

/* Returns how many bytes of the mapping are watched now. */
INSIDE_EXPORT long nfamem_adopt(uintptr_t at, size_t bytes);

/* `blocked`: the signals that the thread has blocked. Returns 1, or 0 on failure. */
INSIDE_EXPORT long nfamem_thread(uint64_t blocked);
INSIDE_EXPORT long nfamem_go(uint64_t blocked);

/*
 * For a thread that sleeps: makes what calls_thunk needs from the words (enum mem_call). Returns
 * its address, at which rsp must be.
 */
INSIDE_EXPORT uint64_t nfamem_asleep(const uint64_t *words);
INSIDE_EXPORT uint64_t nfamem_thunk(void);

/* enum mem_where of the calling thread, which was stopped at pc. */
INSIDE_EXPORT long nfamem_where(uintptr_t pc);
INSIDE_EXPORT long nfamem_leave(void);

/*
 * Returns the signals that the program has blocked in this thread; and MEM_ALONE_STAYS, if the
 * thread is in a handler on a stack of this library.
 */
INSIDE_EXPORT uint64_t nfamem_alone(void);
INSIDE_EXPORT long nfamem_unload(void);
INSIDE_EXPORT long nfamem_unmap(void);
#endif
