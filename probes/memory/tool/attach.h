/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * attach.h: loads the library of nfamem into a process that runs, and lets go of it again. Between
 * the two the process is not traced. probes/memory/inside/attach.h has the order of the calls.
 */
#ifndef NFACC_NFAMEM_ATTACH_H
#define NFACC_NFAMEM_ATTACH_H

#include "probes/memory/tool/tracee.h"

/* Addresses of functions in the library. */
struct attach_functions {
	uint64_t begin, watch, adopt, thread, asleep, thunk, go, where, leave, alone, unload, unmap;
};

/* Addresses in the process's libc: an instruction `syscall`, and functions. */
struct attach_libc {
	uint64_t gate, errno_location, open, close, error;
};

/*
 * BEGUN: nfamem_begin() was called. WATCHES: nfamem_watch() was called, in all threads that
 * stopped.
 */
enum attach_stage { ATTACH_NOTHING, ATTACH_BEGUN, ATTACH_WATCHES };

struct attach {
	struct tracees threads;
	pid_t leader; /* the thread that calls what may take locks of libc; 0: none is chosen */
	int remote;   /* the descriptor of the channel in the process */
	uint64_t library; /* what dlopen returned; 0: it is not loaded */
	enum attach_stage stage;
	bool broken; /* a call in the process ended by a signal, or with its thread */
	struct attach_libc libc;
	uint64_t errno_at; /* where the leader's errno is, and what it was */
	uint32_t errno_was;
	struct attach_functions call;
	uint64_t thunk; /* where the library makes system calls of the program */
	bool attached;
	bool begun;      /* nfamem_thread() was called in all threads but the leader */
	size_t watched;  /* number of threads that were there */
	uint64_t older;  /* bytes that the program had allocated before, or might have */
};

/*
 * Stops a thread of the process, makes a file for the channel there, and opens it as *fd. Says in
 * *e why it cannot, and then leaves the process as it was.
 */
enum nfart_status attach_open(struct attach *a, pid_t pid, int *fd, struct nfart_error *e);

/*
 * Loads the library, which then watches all threads, and lets them go on. The channel is filled in.
 * Says in *e why it cannot. Then the process goes on unwatched, and the library is unloaded again;
 * if it is not, *e says that, too.
 */
enum nfart_status attach_begin(struct attach *a, struct nfart_error *e);

/*
 * Gives the process back its code, its memory and its handlers, and unloads the library. Returns a
 * text that says what could not be given back; NULL if nothing remains.
 */
const char *attach_end(struct attach *a);

/* Lets all threads go on, whatever has happened. */
void attach_free(struct attach *a);

#endif
