/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * target.h: what nfamem finds out about a process that runs: whether it can attach to it, what it
 * has mapped, and where functions of its libraries are. Symbols are read from its memory, so that they
 * are those of the files that it has loaded, whatever lies at their paths now.
 */
#ifndef NFACC_NFAMEM_TARGET_H
#define NFACC_NFAMEM_TARGET_H

#include <stdbool.h>
#include <stdint.h>

#include "probes/memory/tool/tracee.h"
#include "support/vec.h"

struct target_map {
	uint64_t from, to;
	bool readable, writable, executable, shared;
	bool file; /* a file is mapped, or it has another name that is not [heap] */
	char name[128]; /* the end of its path */
};

struct target_maps {
	VEC(struct target_map) list;
};

/* Reads the mappings of a process, in order of addresses. Free the list with vec_free(). */
bool target_read_maps(pid_t pid, struct target_maps *maps);

/* The first mapping of the file whose name begins so; NULL if there is none. */
const struct target_map *target_find(const struct target_maps *maps, const char *name);

/* Address of a function in the module whose first mapping is m; 0 if it has none of this name. */
uint64_t target_symbol(const struct tracees *t, const struct target_map *m, const char *name);

/* Address of an instruction `syscall` in the executable mappings of m's file; 0: there is none. */
uint64_t target_gate(const struct tracees *t, const struct target_maps *maps,
		     const struct target_map *m);

/*
 * Says in *e why nfamem cannot attach to a process. NFART_OK if nothing speaks against it.
 */
enum nfart_status target_check(pid_t pid, struct nfart_error *e);

/* Whether a process ignores a signal; true if that is not known. */
bool target_ignores(pid_t pid, int signal);

/* Whether a signal that the thread does not block is pending. */
bool target_has_signal(pid_t pid, pid_t tid);

#endif
