/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * returns.h: where the threads of a stopped process will return to. libdwfl unwinds their stacks.
 */
#ifndef NFACC_NFAMEM_RETURNS_H
#define NFACC_NFAMEM_RETURNS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct returns;

/* Called for each frame of a thread, innermost first. */
typedef void returns_take(void *ctx, uint64_t pc);

/* All threads of the process must be stopped, and be traced by this thread. NULL: it fails. */
struct returns *returns_new(pid_t pid);
void returns_free(struct returns *r);

/* Returns false if the stack could not be followed to its end. */
bool returns_of(struct returns *r, pid_t tid, returns_take *take, void *ctx);

#endif
