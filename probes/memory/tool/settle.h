/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * settle.h: where threads of another process may be stopped to load the library or to let go of it,
 * and how they go on with a system call that the stop has interrupted.
 */
#ifndef NFACC_NFAMEM_SETTLE_H
#define NFACC_NFAMEM_SETTLE_H

#include "probes/memory/tool/target.h"
#include "probes/memory/tool/tracee.h"

/*
 * Finds a thread that holds no lock of the loader or of malloc, and stops it. It is in code of the
 * program, or in a system call that libc makes without such a lock. Waits some seconds for one. On
 * failure no thread is stopped.
 */
enum nfart_status settle_find(struct tracees *t, pid_t *tid, struct nfart_error *e);

/*
 * Lets a stopped thread go on in the library, which now makes the system calls of the program.
 * `asleep`: a function of the library (inside/attach.h). `thunk`: where it makes system calls.
 */
bool settle_attached(struct tracees *t, struct tracee *at, uint64_t asleep, uint64_t thunk,
		     struct nfart_error *e);

/*
 * All threads are stopped. Lets those that are in the library or in copies of instructions run on
 * until they are not. Returns whether all of them can be let go of. `where`: a function of the
 * library.
 */
bool settle_outside(struct tracees *t, uint64_t where, uint64_t thunk, struct nfart_error *e);

/* Puts a thread that is in a system call of calls_thunk back into the program's own. */
bool settle_left(struct tracees *t, struct tracee *at, uint64_t thunk);

/* Whose code an address is in. MAYBE_COPY: in executable memory that has no file. */
enum settle_whose { SETTLE_OTHER, SETTLE_LIBRARY, SETTLE_MAYBE_COPY };
enum settle_whose settle_whose(const struct target_maps *maps, uint64_t at);

#endif
