/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/* Comes first: it asks the C library for functions beyond POSIX. */
#include "config.h"

#include "probes/memory/tool/settle.h"

#include <dirent.h>
#include <errno.h>
#include <linux/futex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/ucontext.h>
#include <unistd.h>

#include "probes/memory/reader/channel.h"

/* Results of an interrupted system call, and what the kernel then does. errno.h has them not. */
enum {
	RESTART_SYS = -512,   /* makes it again, or EINTR after a handler */
	RESTART_BLOCK = -516, /* goes on with what is left of the time */
	SYSCALL_BYTES = 2
};

enum {
	TRIES = 400,     /* how often a thread is looked for that can load the library */
	APART = 5000,    /* microseconds between two tries */
	DEEP = 1 << 18,  /* bytes of a stack that are looked at for a signal handler */
	ROOM = 64 << 10, /* bytes of stack that dlopen needs */
	STEPS = 400,     /* most steps that lead out of a copy */
	RUNS = 50,       /* how often a thread runs on, to come out of the library */
	SHORT_RUN = 200  /* microseconds of each time */
};

static bool is_interrupted(const struct user_regs_struct *r)
{
	const int64_t result = (int64_t)r->rax;

	return (int64_t)r->orig_rax >= 0 &&
	       ((result <= RESTART_SYS && result >= RESTART_BLOCK) || result == -EINTR);
}

static bool sleeps(uint64_t number)
{
	return number == SYS_nanosleep || number == SYS_clock_nanosleep ||
	       number == SYS_restart_syscall;
}

/* Makes the system call again. */
static void make_again(struct user_regs_struct *r)
{
	r->rip -= SYSCALL_BYTES;
	r->rax = r->orig_rax;
	r->orig_rax = (unsigned long long)-1;
}

/*
 * The kernel makes most calls again by itself. Not so those that are made for a part of the time:
 * how much is left of it, only the kernel knows, and it has addresses of the program. And some end
 * with EINTR after any stop (signal(7)), which the program would see.
 */
static void make_others_again(struct tracees *t, struct tracee *at)
{
	struct user_regs_struct *r = &at->regs;
	const int64_t result = (int64_t)r->rax;

	if (is_interrupted(r) && (result == RESTART_BLOCK || result == -EINTR) &&
	    !sleeps(r->orig_rax) && r->orig_rax != SYS_close && !target_has_signal(t->pid, at->tid))
		make_again(r);
}

/* ---- a thread that can load the library ---- */

static const struct target_map *map_at(const struct target_maps *maps, uint64_t at)
{
	for (size_t i = 0; i < maps->list.n; i++)
		if (at >= maps->list.at[i].from && at < maps->list.at[i].to)
			return &maps->list.at[i];
	return NULL;
}

static bool begins(const struct target_map *m, const char *name)
{
	return m != NULL && strncmp(m->name, name, strlen(name)) == 0;
}

/* Whether code holds locks that dlopen takes, or may: the loader, libc, other allocators. */
static bool may_hold(const struct target_maps *maps, uint64_t pc)
{
	const struct target_map *m = map_at(maps, pc);

	return m == NULL || begins(m, "ld-linux") || begins(m, "libc.so") ||
	       begins(m, "libnfamem") || strstr(m->name, "malloc") != NULL;
}

/* Whether libc may make a system call with such a lock. lll_lock_wait() is FUTEX_WAIT. */
static bool may_hold_in(const struct user_regs_struct *r)
{
	switch (r->orig_rax) {
	case SYS_futex:
		return ((int)r->rsi & FUTEX_CMD_MASK) != FUTEX_WAIT_BITSET;
	case SYS_open:
	case SYS_openat:
	case SYS_clone:
	case SYS_clone3:
		return true;
	default:
		return mem_call_maps(r->orig_rax);
	}
}

/* Whether a word on the stack is where a signal handler returns to, which interrupted such code. */
static bool is_frame(const struct tracees *t, const struct target_maps *maps, uint64_t at,
		     uint64_t word)
{
	static const uint8_t restorer[] = { 0x48, 0xc7, 0xc0, 0x0f, 0, 0, 0, 0x0f, 0x05 };
	const struct target_map *m = map_at(maps, word);
	uint8_t code[sizeof restorer];
	ucontext_t c;

	return m != NULL && m->executable && tracees_read(t, word, code, sizeof code) &&
	       memcmp(code, restorer, sizeof code) == 0 &&
	       tracees_read(t, at + sizeof word, &c, offsetof(ucontext_t, uc_sigmask)) &&
	       may_hold(maps, (uint64_t)c.uc_mcontext.gregs[REG_RIP]);
}

/* Whether a signal handler runs that has interrupted code with such locks. */
static bool in_handler(const struct tracees *t, const struct target_maps *maps,
		       const struct target_map *stack, uint64_t sp)
{
	static uint64_t words[DEEP / sizeof(uint64_t)];
	size_t n = stack->to - (sp & ~UINT64_C(7));

	if (n > sizeof words)
		n = sizeof words;
	if (!tracees_read(t, sp & ~UINT64_C(7), words, n))
		return true;
	for (size_t i = 0; i < n / sizeof *words; i++)
		if (is_frame(t, maps, (sp & ~UINT64_C(7)) + i * sizeof *words, words[i]))
			return true;
	return false;
}

static bool can_load(const struct tracees *t, const struct target_maps *maps,
		     const struct tracee *at)
{
	const struct user_regs_struct *r = &at->regs;
	const struct target_map *stack = map_at(maps, r->rsp), *code = map_at(maps, r->rip);

	if (stack == NULL || code == NULL || begins(code, "ld-linux") ||
	    (r->rsp - stack->from < ROOM && strcmp(stack->name, "[stack]") != 0))
		return false;
	if (is_interrupted(r) ? may_hold_in(r) : may_hold(maps, r->rip))
		return false;
	return !in_handler(t, maps, stack, r->rsp);
}

/* Looks at each thread of the process. Returns one that can load the library, stopped; else 0. */
static pid_t look_at_threads(struct tracees *t, struct nfart_error *e)
{
	char path[64];
	struct target_maps maps;
	struct dirent *entry;
	pid_t found = 0;
	DIR *d;

	snprintf(path, sizeof path, "/proc/%ld/task", (long)t->pid);
	d = opendir(path);
	if (d == NULL)
		return 0;
	while (found == 0 && (entry = readdir(d)) != NULL) {
		const pid_t tid = (pid_t)strtol(entry->d_name, NULL, 10);
		struct tracee *at;

		if (tid <= 0 || tracees_stop_one(t, tid, e) != NFART_OK)
			continue;
		at = tracees_find(t, tid);
		if (at != NULL && target_read_maps(t->pid, &maps)) {
			found = can_load(t, &maps, at) ? tid : 0;
			make_others_again(t, at);
			vec_free(&maps.list);
		}
		if (found == 0)
			tracees_go(t);
	}
	closedir(d);
	return found;
}

enum nfart_status settle_find(struct tracees *t, pid_t *tid, struct nfart_error *e)
{
	*e = (struct nfart_error){ 0 };
	for (unsigned i = 0; i < TRIES; i++) {
		*tid = look_at_threads(t, e);
		if (*tid != 0)
			return NFART_OK;
		tracees_go(t);
		if (e->status != NFART_OK && i > 2)
			return e->status;
		usleep(APART);
	}
	return nfart_fail(e, NFART_SYSTEM,
			  "no thread of it can load the library: each is in malloc or in the "
			  "loader, or waits for a lock; try again later");
}

/* ---- going on ---- */

bool settle_attached(struct tracees *t, struct tracee *at, uint64_t asleep, uint64_t thunk,
		     struct nfart_error *e)
{
	struct user_regs_struct *r = &at->regs;
	const uint64_t words[MEM_CALL_WORDS] = { r->rip, r->rsp, r->rdi, r->rsi, r->rdx,
						 r->r10, r->r8,  r->r9,  0,      r->orig_rax,
						 r->rbp };
	const uint64_t argument = tracees_push(t, at, words, sizeof words);
	uint64_t frame;

	make_others_again(t, at);
	if (!is_interrupted(r) || (int64_t)r->rax != RESTART_BLOCK ||
	    target_has_signal(t->pid, at->tid))
		return true;
	if (!tracees_call(t, at, asleep, &argument, 1, &frame, e))
		return false;
	r->rsp = frame;
	r->rip = thunk;
	r->rax = SYS_restart_syscall;
	r->orig_rax = (unsigned long long)-1;
	return true;
}

/* Steps out of the copy of an instruction. */
static bool step_out(struct tracees *t, struct tracee *at)
{
	const uint64_t from = at->regs.rip & ~UINT64_C(4095);

	for (unsigned i = 0; i < STEPS; i++) {
		if (!tracees_step(t, at))
			return false;
		if ((at->regs.rip & ~UINT64_C(4095)) != from)
			return true;
	}
	return false;
}

/* Whether a thread in calls_thunk can be put back into the program's own call. */
static bool can_go_back(const struct user_regs_struct *r, uint64_t thunk)
{
	return r->rip == thunk || (r->rip == thunk + SYSCALL_BYTES && is_interrupted(r));
}

/* Lets a thread run on until it can be let go of. Returns whether it can, or has ended. */
static bool come_out(struct tracees *t, pid_t tid, uint64_t where, uint64_t thunk,
		     struct nfart_error *e)
{
	for (unsigned i = 0; i < RUNS; i++) {
		struct tracee *at = tracees_find(t, tid);
		uint64_t result, argument;

		if (at == NULL)
			return true;
		argument = at->regs.rip;
		if (!tracees_call(t, at, where, &argument, 1, &result, e))
			return false;
		if (result == MEM_OUTSIDE || (result == MEM_CALL && can_go_back(&at->regs, thunk)))
			return true;
		if (result == MEM_COPYING ? !step_out(t, at) : !tracees_run(t, at, SHORT_RUN))
			return false;
	}
	return false;
}

bool settle_outside(struct tracees *t, uint64_t where, uint64_t thunk, struct nfart_error *e)
{
	const size_t n = t->n;
	pid_t *tids = calloc(n + 1, sizeof *tids);
	bool fine = tids != NULL;

	for (size_t i = 0; i < n && fine; i++)
		tids[i] = t->at[i].tid;
	for (size_t i = 0; i < n && fine; i++)
		fine = come_out(t, tids[i], where, thunk, e);
	free(tids);
	for (size_t i = 0; i < t->n && !fine; i++)
		if (t->at[i].stopped)
			make_others_again(t, &t->at[i]);
	return fine;
}

bool settle_left(struct tracees *t, struct tracee *at, uint64_t thunk)
{
	struct user_regs_struct *r = &at->regs;
	unsigned long long *const to[] = { &r->rdi, &r->rsi, &r->rdx, &r->r10, &r->r8, &r->r9 };
	uint64_t words[MEM_CALL_BP];
	const bool made = r->rip != thunk;

	if (r->rip != thunk && r->rip != thunk + SYSCALL_BYTES) {
		make_others_again(t, at);
		return true;
	}
	if (!tracees_read(t, r->rsp, words, sizeof words))
		return false;
	for (size_t i = 0; i < sizeof to / sizeof *to; i++)
		*to[i] = words[MEM_CALL_ARGUMENTS + i];
	r->rsp = words[MEM_CALL_SP];
	r->rip = r->rcx = words[MEM_CALL_IP];
	/* A sleep that goes on for the rest of its time is another call. */
	if (made && (r->orig_rax != SYS_restart_syscall || !sleeps(words[MEM_CALL_NUMBER])))
		r->orig_rax = words[MEM_CALL_NUMBER];
	if (!made && (r->rax != SYS_restart_syscall || !sleeps(words[MEM_CALL_NUMBER])))
		r->rax = words[MEM_CALL_NUMBER];
	if (!made)
		r->rip -= SYSCALL_BYTES;
	make_others_again(t, at);
	return true;
}

enum settle_whose settle_whose(const struct target_maps *maps, uint64_t at)
{
	const struct target_map *m = map_at(maps, at);

	if (begins(m, "libnfamem"))
		return SETTLE_LIBRARY;
	return m != NULL && m->executable && !m->file ? SETTLE_MAYBE_COPY : SETTLE_OTHER;
}
