/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/* Comes first: it asks the C library for functions beyond POSIX. */
#include "config.h"

#include "probes/memory/tool/tracee.h"

#include <dirent.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
	STOP_WITHIN = 5000,  /* milliseconds in which a thread must have stopped */
	CALL_WITHIN = 20000, /* and in which a call must have come back */
	RED_ZONE = 128,
	PUSHED = 4096,     /* bytes below the stack pointer that calls leave to tracees_push() */
	SYSCALL_BYTES = 2, /* length of the instruction `syscall` */
	DIRECTION = 0x400, /* flags that a function must not find set */
	SYSCALL_STOP = SIGTRAP | 0x80
};

/* Signals that a fault raises. They are not blocked in calls: the kernel would change handlers. */
static const uint64_t faults = UINT64_C(1) << (SIGSEGV - 1) | UINT64_C(1) << (SIGTRAP - 1) |
			       UINT64_C(1) << (SIGSYS - 1) | UINT64_C(1) << (SIGILL - 1) |
			       UINT64_C(1) << (SIGBUS - 1) | UINT64_C(1) << (SIGFPE - 1);

enum nfart_status tracees_open(struct tracees *t, pid_t pid, struct nfart_error *e)
{
	char path[64];

	*t = (struct tracees){ .pid = pid };
	snprintf(path, sizeof path, "/proc/%ld/mem", (long)pid);
	t->mem = open(path, O_RDWR | O_CLOEXEC);
	if (t->mem < 0)
		return nfart_fail(e, NFART_SYSTEM, "its memory can't be opened: %s",
				  strerror(errno));
	return NFART_OK;
}

void tracees_free(struct tracees *t)
{
	tracees_go(t);
	free(t->at);
	if (t->mem >= 0)
		close(t->mem);
	*t = (struct tracees){ .mem = -1 };
}

bool tracees_read(const struct tracees *t, uint64_t from, void *to, size_t bytes)
{
	return pread(t->mem, to, bytes, (off_t)from) == (ssize_t)bytes;
}

bool tracees_write(const struct tracees *t, uint64_t to, const void *from, size_t bytes)
{
	return pwrite(t->mem, from, bytes, (off_t)to) == (ssize_t)bytes;
}

struct tracee *tracees_find(struct tracees *t, pid_t tid)
{
	for (size_t i = 0; i < t->n; i++)
		if (t->at[i].tid == tid)
			return &t->at[i];
	return NULL;
}

static void nap(long microseconds)
{
	const struct timespec some = { 0, microseconds * 1000 };

	nanosleep(&some, NULL);
}

static void forget(struct tracees *t, struct tracee *at)
{
	free(at->vectors);
	*at = t->at[--t->n];
}

/* ---- stops ---- */

/* Waits for the next stop of a thread. Returns its status; -1 if it has ended or does not stop. */
static int wait_for_stop(pid_t tid, unsigned milliseconds)
{
	for (unsigned waited = 0; waited < milliseconds * 10; waited++) {
		int status;
		const pid_t got = waitpid(tid, &status, __WALL | WNOHANG);

		if (got == tid)
			return WIFSTOPPED(status) ? status : -1;
		if (got < 0 && errno != EINTR)
			return -1;
		if (waited > 20)
			nap(100);
	}
	return -1;
}

static bool is_interrupt(int status)
{
	return status >> 16 == PTRACE_EVENT_STOP;
}

/*
 * Waits until a thread stops because of PTRACE_INTERRUPT. Signals that come before are for the
 * thread, and are passed to it.
 */
static bool wait_for_interrupt(pid_t tid)
{
	int status;

	while ((status = wait_for_stop(tid, STOP_WITHIN)) >= 0) {
		const int signal = WSTOPSIG(status) == SYSCALL_STOP ? 0 : WSTOPSIG(status);

		if (is_interrupt(status))
			return true;
		ptrace(PTRACE_CONT, tid, NULL, (void *)(long)(status >> 16 ? 0 : signal));
	}
	return false;
}

static bool read_state(struct tracee *at)
{
	return ptrace(PTRACE_GETREGS, at->tid, NULL, &at->regs) == 0 &&
	       ptrace(PTRACE_GETSIGMASK, at->tid, (void *)sizeof at->mask, &at->mask) == 0;
}

static struct tracee *add_tracee(struct tracees *t, pid_t tid)
{
	struct tracee *more = realloc(t->at, (t->n + 1) * sizeof *more);

	if (more == NULL)
		return NULL;
	t->at = more;
	more[t->n] = (struct tracee){ .tid = tid };
	return &more[t->n++];
}

static enum nfart_status why_not(struct tracees *t, pid_t tid, struct nfart_error *e)
{
	(void)t;
	if (errno == EPERM)
		return nfart_fail(e, NFART_SYSTEM, "the kernel does not permit it (ptrace)");
	return nfart_fail(e, NFART_SYSTEM, "thread %ld can't be stopped: %s", (long)tid,
			  strerror(errno));
}

enum nfart_status tracees_stop_one(struct tracees *t, pid_t tid, struct nfart_error *e)
{
	struct tracee *at = tracees_find(t, tid);

	if (at == NULL) {
		if (ptrace(PTRACE_SEIZE, tid, NULL, (void *)PTRACE_O_TRACESYSGOOD) != 0)
			return errno == ESRCH ? NFART_OK : why_not(t, tid, e);
		at = add_tracee(t, tid);
		if (at == NULL) {
			ptrace(PTRACE_DETACH, tid, NULL, NULL);
			return nfart_fail(e, NFART_SYSTEM, "out of memory");
		}
	}
	if (at->stopped)
		return NFART_OK;
	ptrace(PTRACE_INTERRUPT, tid, NULL, NULL);
	if (wait_for_interrupt(tid) && read_state(at)) {
		at->stopped = true;
		return NFART_OK;
	}
	if (kill(tid, 0) != 0 && errno == ESRCH) {
		forget(t, at);
		return NFART_OK;
	}
	return nfart_fail(e, NFART_SYSTEM,
			  "thread %ld does not stop: it is in a system call that can't be "
			  "interrupted, or waits for a child of vfork; try again later",
			  (long)tid);
}

enum nfart_status tracees_stop(struct tracees *t, struct nfart_error *e)
{
	char path[64];
	enum nfart_status status = NFART_OK;
	bool more = true;

	snprintf(path, sizeof path, "/proc/%ld/task", (long)t->pid);
	/* A thread that still runs may make another one. So look again until there is none. */
	while (more && status == NFART_OK) {
		DIR *d = opendir(path);
		struct dirent *entry;

		more = false;
		if (d == NULL)
			return nfart_fail(e, NFART_SYSTEM, "the process has ended");
		while (status == NFART_OK && (entry = readdir(d)) != NULL) {
			const pid_t tid = (pid_t)strtol(entry->d_name, NULL, 10);
			const struct tracee *known = tid > 0 ? tracees_find(t, tid) : NULL;

			if (tid <= 0 || (known != NULL && known->stopped))
				continue;
			more = true;
			status = tracees_stop_one(t, tid, e);
		}
		closedir(d);
	}
	return status;
}

/* ---- going on ---- */

static struct iovec vectors_of(const struct tracee *at)
{
	return (struct iovec){ at->vectors, at->nvectors };
}

static void restore(struct tracee *at)
{
	struct iovec v = vectors_of(at);

	ptrace(PTRACE_SETREGS, at->tid, NULL, &at->regs);
	ptrace(PTRACE_SETSIGMASK, at->tid, (void *)sizeof at->mask, &at->mask);
	if (at->vectors != NULL)
		ptrace(PTRACE_SETREGSET, at->tid, (void *)NT_X86_XSTATE, &v);
	free(at->vectors);
	at->vectors = NULL;
}

void tracees_show(const struct tracee *at)
{
	ptrace(PTRACE_SETREGS, at->tid, NULL, &at->regs);
}

void tracees_go(struct tracees *t)
{
	while (t->n > 0) {
		struct tracee *at = &t->at[--t->n];

		if (at->stopped)
			restore(at);
		else if (ptrace(PTRACE_INTERRUPT, at->tid, NULL, NULL) == 0)
			wait_for_interrupt(at->tid);
		ptrace(PTRACE_DETACH, at->tid, NULL, NULL);
	}
}

bool tracees_run(struct tracees *t, struct tracee *at, unsigned microseconds)
{
	struct nfart_error ignored;
	const pid_t tid = at->tid;

	restore(at);
	at->stopped = false;
	ptrace(PTRACE_CONT, tid, NULL, NULL);
	nap(microseconds);
	return tracees_stop_one(t, tid, &ignored) == NFART_OK && tracees_find(t, tid) != NULL;
}

bool tracees_step(struct tracees *t, struct tracee *at)
{
	int status;

	(void)t;
	restore(at);
	if (ptrace(PTRACE_SINGLESTEP, at->tid, NULL, NULL) != 0)
		return false;
	status = wait_for_stop(at->tid, STOP_WITHIN);
	/* A signal came instead of the step. It is sent again. */
	if (status >= 0 && !is_interrupt(status) && WSTOPSIG(status) != SIGTRAP)
		tgkill(t->pid, at->tid, WSTOPSIG(status));
	return status >= 0 && read_state(at);
}

/* ---- calls ---- */

static bool save_vectors(struct tracee *at)
{
	struct iovec v;

	if (at->vectors != NULL)
		return true;
	at->vectors = malloc(TRACEE_VECTORS);
	v = (struct iovec){ at->vectors, TRACEE_VECTORS };
	if (at->vectors == NULL ||
	    ptrace(PTRACE_GETREGSET, at->tid, (void *)NT_X86_XSTATE, &v) != 0)
		return false;
	at->nvectors = v.iov_len;
	return true;
}

static uint64_t stack_of(const struct tracee *at)
{
	return (at->regs.rsp - RED_ZONE - PUSHED) & ~UINT64_C(63);
}

uint64_t tracees_push(struct tracees *t, const struct tracee *at, const void *bytes, size_t n)
{
	const uint64_t to = stack_of(at);

	return n <= PUSHED && tracees_write(t, to, bytes, n) ? to : 0;
}

/* The registers with which a call begins. Signals are blocked while it runs. */
static struct user_regs_struct enter(struct tracee *at, const uint64_t *arguments, unsigned n)
{
	struct user_regs_struct r = at->regs;
	unsigned long long *to[TRACEE_ARGUMENTS] = { &r.rdi, &r.rsi, &r.rdx, &r.rcx, &r.r8, &r.r9 };
	const uint64_t none = ~faults;

	for (unsigned i = 0; i < n; i++)
		*to[i] = arguments[i];
	r.r10 = r.rcx;
	r.rsp = stack_of(at) - 64;
	r.eflags &= ~(unsigned long long)DIRECTION;
	r.rax = 0;
	r.orig_rax = (unsigned long long)-1;
	ptrace(PTRACE_SETSIGMASK, at->tid, (void *)sizeof none, &none);
	return r;
}

/* Back to a stop from which the thread goes on as from the one before the call. */
static bool stop_again(struct tracee *at)
{
	ptrace(PTRACE_INTERRUPT, at->tid, NULL, NULL);
	ptrace(PTRACE_CONT, at->tid, NULL, NULL);
	return wait_for_interrupt(at->tid);
}

static bool failed(struct tracee *at, int status, struct nfart_error *e)
{
	if (status < 0)
		nfart_fail(e, NFART_SYSTEM, "thread %ld did not come back from a call",
			   (long)at->tid);
	else
		nfart_fail(e, NFART_SYSTEM, "signal %d ended a call in thread %ld",
			   WSTOPSIG(status), (long)at->tid);
	return false;
}

bool tracees_call(struct tracees *t, struct tracee *at, uint64_t function,
		  const uint64_t *arguments, unsigned n, uint64_t *result, struct nfart_error *e)
{
	struct user_regs_struct r = enter(at, arguments, n);
	const uint64_t sp = r.rsp;

	r.rsp -= sizeof t->gate;
	r.rip = function;
	if (!save_vectors(at) || !tracees_write(t, r.rsp, &t->gate, sizeof t->gate) ||
	    ptrace(PTRACE_SETREGS, at->tid, NULL, &r) != 0)
		return failed(at, -1, e);
	for (;;) {
		int status;

		ptrace(PTRACE_SYSCALL, at->tid, NULL, NULL);
		status = wait_for_stop(at->tid, CALL_WITHIN);
		if (status < 0 || (WSTOPSIG(status) != SYSCALL_STOP && !is_interrupt(status)))
			return failed(at, status, e);
		if (ptrace(PTRACE_GETREGS, at->tid, NULL, &r) != 0)
			return failed(at, -1, e);
		if (WSTOPSIG(status) == SYSCALL_STOP && r.rip == t->gate + SYSCALL_BYTES &&
		    r.rsp == sp)
			break;
	}
	*result = r.orig_rax;
	r.orig_rax = (unsigned long long)-1;
	ptrace(PTRACE_SETREGS, at->tid, NULL, &r);
	return stop_again(at) || failed(at, -1, e);
}

bool tracees_syscall(struct tracees *t, struct tracee *at, long number, const uint64_t *arguments,
		     unsigned n, int64_t *result, struct nfart_error *e)
{
	struct user_regs_struct r = enter(at, arguments, n);

	r.rip = t->gate;
	r.rax = (unsigned long long)number;
	if (ptrace(PTRACE_SETREGS, at->tid, NULL, &r) != 0)
		return failed(at, -1, e);
	for (unsigned stops = 0; stops < 2; stops++) {
		int status;

		ptrace(PTRACE_SYSCALL, at->tid, NULL, NULL);
		status = wait_for_stop(at->tid, CALL_WITHIN);
		if (status < 0 || WSTOPSIG(status) != SYSCALL_STOP)
			return failed(at, status, e);
	}
	if (ptrace(PTRACE_GETREGS, at->tid, NULL, &r) != 0)
		return failed(at, -1, e);
	*result = (int64_t)r.rax;
	return stop_again(at) || failed(at, -1, e);
}
