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

#include "probes/memory/tool/target.h"
#include "support/clock.h"

enum {
	STOP_WITHIN = 5000, /* milliseconds in which a thread must have stopped */
	NO_LIMIT = 0,       /* in a call it can't be left alone, so that is waited for */
	RED_ZONE = 128,
	PUSHED = 4096,     /* bytes below the stack pointer that calls leave to tracees_push() */
	SYSCALL_BYTES = 2, /* length of the instruction `syscall` */
	DIRECTION = 0x400, /* flags that a function must not find set */
	TRAP_FLAG = 0x100,
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

/* The first thread of a process has not ended before somebody has waited for all others. */
static void reap_others(const struct tracees *t, pid_t tid)
{
	siginfo_t info;

	for (size_t i = 0; i < t->n; i++)
		if (t->at[i].tid != tid)
			waitid(P_PID, (id_t)t->at[i].tid, &info, WEXITED | WNOHANG | __WALL);
}

/* Waits for the next stop of a thread. Returns its status; -1 if it has ended or does not stop. */
static int wait_for_stop(const struct tracees *t, pid_t tid, unsigned milliseconds)
{
	enum { SPINS = 20, SHORT_NAP = 100, LONG_NAP = 5000, IMPATIENT = 2000 };
	const uint64_t begin = clock_nanoseconds();

	for (unsigned tries = 0;; tries++) {
		int status;
		const pid_t got = waitpid(tid, &status, __WALL | WNOHANG);

		if (got == tid)
			return WIFSTOPPED(status) ? status : -1;
		if (got < 0 && errno != EINTR)
			return -1;
		if (milliseconds != NO_LIMIT &&
		    clock_nanoseconds() - begin > milliseconds * UINT64_C(1000000))
			return -1;
		if (tries > SPINS) {
			reap_others(t, tid);
			nap(tries < IMPATIENT ? SHORT_NAP : LONG_NAP);
		}
	}
}

static bool is_interrupt(int status)
{
	return status >> 16 == PTRACE_EVENT_STOP;
}

/*
 * Waits until a thread stops because of PTRACE_INTERRUPT. Signals that come before are for the
 * thread, and are passed to it.
 */
static bool wait_for_interrupt(const struct tracees *t, pid_t tid, unsigned milliseconds)
{
	int status;

	while ((status = wait_for_stop(t, tid, milliseconds)) >= 0) {
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

/* Whether the kernel has a signal of a fault for a thread, which it has not delivered yet. */
static bool has_fault(const struct tracee *at)
{
	enum { MOST = 8 };
	struct __ptrace_peeksiginfo_args which = { .nr = MOST };
	siginfo_t info[MOST];
	const long n = ptrace(PTRACE_PEEKSIGINFO, at->tid, &which, info);

	for (long i = 0; i < n; i++)
		if (faults & ~at->mask & UINT64_C(1) << (info[i].si_signo - 1))
			return true;
	return false;
}

/*
 * A thread may have stopped between a fault and its signal. Such a signal belongs to the registers
 * of that moment. So it is delivered before a call could get it, and the thread stops at the first
 * instruction of the handler.
 */
static bool deliver_faults(struct tracees *t, struct tracee *at)
{
	while (has_fault(at)) {
		int status;

		ptrace(PTRACE_CONT, at->tid, NULL, NULL);
		status = wait_for_stop(t, at->tid, STOP_WITHIN);
		if (status < 0)
			return false;
		ptrace(PTRACE_INTERRUPT, at->tid, NULL, NULL);
		ptrace(PTRACE_CONT, at->tid, NULL,
		       (void *)(long)(is_interrupt(status) ? 0 : WSTOPSIG(status)));
		if (!wait_for_interrupt(t, at->tid, STOP_WITHIN) || !read_state(at))
			return false;
	}
	return true;
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

static enum nfart_status why_not(pid_t tid, struct nfart_error *e)
{
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
			return errno == ESRCH ? NFART_OK : why_not(tid, e);
		at = add_tracee(t, tid);
		if (at == NULL) {
			ptrace(PTRACE_DETACH, tid, NULL, NULL);
			return nfart_fail(e, NFART_SYSTEM, "out of memory");
		}
	}
	if (at->stopped)
		return NFART_OK;
	ptrace(PTRACE_INTERRUPT, tid, NULL, NULL);
	if (wait_for_interrupt(t, tid, STOP_WITHIN) && read_state(at) && deliver_faults(t, at)) {
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
			wait_for_interrupt(t, at->tid, STOP_WITHIN);
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
	int status = 0;

	restore(at);
	at->stopped = false;
	/* If a signal comes instead of the step, that leads to the handler. */
	do {
		ptrace(PTRACE_SINGLESTEP, at->tid, NULL, (void *)(long)WSTOPSIG(status));
		status = wait_for_stop(t, at->tid, STOP_WITHIN);
	} while (status >= 0 && !is_interrupt(status) && WSTOPSIG(status) != SIGTRAP);
	at->stopped = status >= 0 && read_state(at);
	return at->stopped;
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
	r.eflags &= ~(unsigned long long)(DIRECTION | TRAP_FLAG);
	r.rax = 0;
	r.orig_rax = (unsigned long long)-1;
	ptrace(PTRACE_SETSIGMASK, at->tid, (void *)sizeof none, &none);
	return r;
}

/* Back to a stop from which the thread goes on as from the one before the call. */
static bool stop_again(struct tracees *t, struct tracee *at)
{
	ptrace(PTRACE_INTERRUPT, at->tid, NULL, NULL);
	ptrace(PTRACE_CONT, at->tid, NULL, NULL);
	return wait_for_interrupt(t, at->tid, NO_LIMIT);
}

static bool failed(struct tracee *at, int status, struct nfart_error *e)
{
	at->stopped = status >= 0;
	if (status < 0)
		nfart_fail(e, NFART_SYSTEM, "thread %ld has ended", (long)at->tid);
	else
		nfart_fail(e, NFART_SYSTEM, "signal %d ended a call in thread %ld",
			   WSTOPSIG(status), (long)at->tid);
	return false;
}

/* Whether a thread has stopped because it has made a fault. */
static bool is_fault(const struct tracee *at, int status)
{
	siginfo_t info;

	return faults >> (WSTOPSIG(status) - 1) & 1 &&
	       ptrace(PTRACE_GETSIGINFO, at->tid, NULL, &info) == 0 && info.si_code > 0;
}

/*
 * Lets a thread run to a fault or, if `how` is PTRACE_SYSCALL and not PTRACE_CONT, to the next
 * begin or end of a system call. Other signals than those of faults are for the program: they are put
 * into *later. Returns the status; -1 if the thread has ended.
 */
static int run_thread(struct tracees *t, struct tracee *at, enum __ptrace_request how,
		      uint64_t *later)
{
	for (;;) {
		int status;

		ptrace(how, at->tid, NULL, NULL);
		status = wait_for_stop(t, at->tid, NO_LIMIT);
		if (status < 0 || WSTOPSIG(status) == SYSCALL_STOP)
			return status;
		if (is_interrupt(status))
			continue;
		if (is_fault(at, status))
			return status;
		*later |= UINT64_C(1) << (WSTOPSIG(status) - 1);
	}
}

/* Sends signals that came during a call. */
static void send_later(const struct tracees *t, const struct tracee *at, uint64_t later)
{
	for (int signal = 1; later != 0; signal++, later >>= 1)
		if (later & 1)
			tgkill(t->pid, at->tid, signal);
}

/*
 * Where a function returns to. Usually no code is there, so that it stops by a fault, and not at
 * each system call before. But a fault of a signal that the program ignores would change that. So
 * if it ignores SIGSEGV, or may do so when the call returns, it is the gate.
 */
struct back {
	uint64_t to;
	uint64_t rip, rsp; /* when it has returned */
};

/* An address of the kernel: a program can have code at any other one, even at 0. */
static const uint64_t nowhere = UINT64_C(0xffff800000000000);

static struct back back_of(const struct tracees *t, uint64_t sp)
{
	if (t->restores || target_ignores(t->pid, SIGSEGV))
		return (struct back){ t->gate, t->gate + SYSCALL_BYTES, sp };
	return (struct back){ nowhere, nowhere, sp };
}

static bool is_back(const struct back *b, const struct user_regs_struct *r)
{
	return r->rip == b->rip && r->rsp == b->rsp;
}

/* Runs until the function returns, or makes a fault. */
static int run_call(struct tracees *t, struct tracee *at, const struct back *b, uint64_t *later,
		    struct user_regs_struct *r)
{
	const bool stops = b->to != nowhere;
	int status;

	do {
		status = run_thread(t, at, stops ? PTRACE_SYSCALL : PTRACE_CONT, later);
		if (status >= 0 && ptrace(PTRACE_GETREGS, at->tid, NULL, r) != 0)
			return -1;
	} while (status >= 0 && WSTOPSIG(status) == SYSCALL_STOP && !is_back(b, r));
	return status;
}

bool tracees_call(struct tracees *t, struct tracee *at, uint64_t function,
		  const uint64_t *arguments, unsigned n, uint64_t *result, struct nfart_error *e)
{
	struct user_regs_struct r = enter(at, arguments, n);
	const struct back back = back_of(t, r.rsp);
	uint64_t later = 0;
	int status;

	r.rsp -= sizeof back.to;
	r.rip = function;
	if (!save_vectors(at) || !tracees_write(t, r.rsp, &back.to, sizeof back.to) ||
	    ptrace(PTRACE_SETREGS, at->tid, NULL, &r) != 0) {
		nfart_fail(e, NFART_SYSTEM, "thread %ld can't make a call", (long)at->tid);
		return false;
	}
	status = run_call(t, at, &back, &later, &r);
	if (status >= 0 && is_back(&back, &r)) {
		*result = back.to == nowhere ? r.rax : r.orig_rax;
		r.orig_rax = (unsigned long long)-1;
		ptrace(PTRACE_SETREGS, at->tid, NULL, &r);
		status = stop_again(t, at) ? 0 : -1;
	}
	send_later(t, at, later);
	return status == 0 || failed(at, status, e);
}

bool tracees_syscall(struct tracees *t, struct tracee *at, long number, const uint64_t *arguments,
		     unsigned n, int64_t *result, struct nfart_error *e)
{
	struct user_regs_struct r = enter(at, arguments, n);
	uint64_t later = 0;
	int status = -1;

	r.rip = t->gate;
	r.rax = (unsigned long long)number;
	if (ptrace(PTRACE_SETREGS, at->tid, NULL, &r) != 0)
		return failed(at, -1, e);
	for (unsigned stops = 0; stops < 2; stops++) {
		status = run_thread(t, at, PTRACE_SYSCALL, &later);
		if (status < 0 || WSTOPSIG(status) != SYSCALL_STOP)
			break;
	}
	if (status >= 0 && WSTOPSIG(status) == SYSCALL_STOP &&
	    ptrace(PTRACE_GETREGS, at->tid, NULL, &r) == 0) {
		*result = (int64_t)r.rax;
		status = stop_again(t, at) ? 0 : -1;
	}
	send_later(t, at, later);
	return status == 0 || failed(at, status, e);
}
