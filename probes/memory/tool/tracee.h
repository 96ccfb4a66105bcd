/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * tracee.h: the threads of another process, stopped and made to call functions (ptrace). A thread
 * that was stopped goes on as if nothing had been: with its registers, vectors, signals and the
 * system call that it was in.
 *
 * A call returns to an instruction `syscall` of the process. The kernel stops the thread there,
 * before that call is made. So no signal is needed, and no code of the process changes.
 */
#ifndef NFACC_NFAMEM_TRACEE_H
#define NFACC_NFAMEM_TRACEE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <sys/user.h>

#include "include/nfart_status.h"

enum { TRACEE_ARGUMENTS = 6, TRACEE_VECTORS = 16384 };

struct tracee {
	pid_t tid;
	bool stopped;
	struct user_regs_struct regs; /* with which the thread goes on */
	uint64_t mask;                /* of its signals */
	size_t nvectors;
	uint8_t *vectors; /* the state of its vector registers: NULL until a call needs it saved */
};

struct tracees {
	pid_t pid;
	int mem;         /* descriptor of /proc/PID/mem */
	uint64_t gate;   /* address of an instruction `syscall` */
	bool restores;   /* calls may change what the process does at signals */
	struct tracee *at;
	size_t n;
};

/* Opens the memory of a process. Undo it with tracees_free(), which lets all threads go on. */
enum nfart_status tracees_open(struct tracees *t, pid_t pid, struct nfart_error *e);
void tracees_free(struct tracees *t);

/* Reads and writes memory of the process. */
bool tracees_read(const struct tracees *t, uint64_t from, void *to, size_t bytes);
bool tracees_write(const struct tracees *t, uint64_t to, const void *from, size_t bytes);

/* Stops one thread, or all. On failure sets *e; some threads may have been stopped. */
enum nfart_status tracees_stop_one(struct tracees *t, pid_t tid, struct nfart_error *e);
enum nfart_status tracees_stop(struct tracees *t, struct nfart_error *e);

/* The thread with this number, or NULL. */
struct tracee *tracees_find(struct tracees *t, pid_t tid);

/* Lets all threads go on, and traces them no more. */
void tracees_go(struct tracees *t);

/* Gives a stopped thread the registers with which it will go on, so that others can see them. */
void tracees_show(const struct tracee *at);

/* Lets a stopped thread run for some microseconds, or for one instruction, and stops it again. */
bool tracees_run(struct tracees *t, struct tracee *at, unsigned microseconds);
bool tracees_step(struct tracees *t, struct tracee *at);

/*
 * Makes a stopped thread call a function, and waits until that returns, however long it takes: a
 * thread that is left in a call is lost. Signals for the program wait meanwhile. Returns false, and
 * sets *e, if the thread has ended or the function has made a fault.
 */
bool tracees_call(struct tracees *t, struct tracee *at, uint64_t function,
		  const uint64_t *arguments, unsigned n, uint64_t *result, struct nfart_error *e);

/* Makes a stopped thread make a system call. *result is -errno on failure. */
bool tracees_syscall(struct tracees *t, struct tracee *at, long number, const uint64_t *arguments,
		     unsigned n, int64_t *result, struct nfart_error *e);

/* Puts bytes on the stack of a stopped thread, for a call. Returns their address, or 0. */
uint64_t tracees_push(struct tracees *t, const struct tracee *at, const void *bytes, size_t n);

#endif
