/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * The system calls of the program. Syscall user dispatch turns each into a SIGSYS. Some are done in
 * its handler (CALL_HERE). All others are made at the program's own level, on its own stack and with
 * its signals let in, by calls_thunk: it makes the call with pointers that have been translated to
 * aliases, says to calls_after what came of it, and goes on behind the program's instruction.
 */
#ifndef NFACC_PROBES_MEMORY_INSIDE_CALLS_H
#define NFACC_PROBES_MEMORY_INSIDE_CALLS_H
#include "probes/memory/inside/inside.h"

enum { CALL_ARGUMENTS = 6, CALLS_TABLE = 460 };

/* What a call needs besides the translation of its pointers. */
enum call_kind {
	CALL_PLAIN,
	CALL_HERE,    /* done in the handler: calls_here */
	CALL_IOV,     /* argument 1: array of struct iovec, argument 2: its length */
	CALL_MESSAGE, /* argument 1: struct msghdr; `fill`: it is received */
	CALL_MESSAGES, /* argument 1: array of struct mmsghdr, argument 2: its length */
	CALL_MASK,    /* a set of signals, argument `mask` */
	CALL_PSELECT, /* argument 5: a pointer to a set of signals, and its size */
	CALL_EXEC,    /* the last two arguments before flags: arrays of strings */
	CALL_CHILD,   /* clone and its like */
	CALL_EXIT,    /* of a thread */
};

/* How a system call is treated; all 0: nothing is known of it, and EFAULT opens what is watched. */
struct call_row {
	uint8_t known;
	uint8_t pointers; /* bit i: argument i is a pointer */
	uint8_t kind;     /* enum call_kind */
	uint8_t mask;     /* of CALL_MASK */
	uint8_t fill;     /* 1 + the argument that the kernel fills; 0: none */
	uint8_t fetch;    /* 1 + the argument that it reads as many bytes from as the result says */
	uint16_t bytes;   /* that it fills; 0: as many as the result says */
};

extern const struct call_row calls_table[CALLS_TABLE];

/* A call while it is made, on the program's stack. The thunk knows where the first fields are. */
struct call {
	uint64_t ip, sp;                    /* where the program goes on */
	uint64_t arguments[CALL_ARGUMENTS]; /* its own */
	uint64_t flags;                     /* as the kernel left them in r11 */
	uint64_t number;
	uint8_t vectors[16][16]; /* xmm0 to xmm15 */
	uint64_t used[CALL_ARGUMENTS];
	const struct call_row *row;
	size_t room; /* bytes behind the call */
	void *extra; /* own memory of the call, or NULL */
};

/* As the kernel has it. */
struct kernel_action {
	void (*handler)(int, siginfo_t *, void *);
	uint64_t flags;
	void (*restorer)(void);
	uint64_t mask;
};

enum { KERNEL_RESTORER = 0x04000000 };

/* fault.c: rt_sigreturn, as a handler's return address. */
void inside_restorer(void) __attribute__((visibility("hidden")));

/* Makes dispatch ready. False, with the reason said, where the kernel has none. */
bool calls_start(void);

/* From here on calls are dispatched, in all threads. */
void calls_go(void);

/* The same for a thread that was just made. */
bool calls_thread(void);

/* Turns it off in all threads at once, for good. */
void calls_stop(void);

/* Done in the handler of SIGSYS; the result is the call's. */
long calls_here(ucontext_t *context, uint64_t number, const uint64_t *arguments);

/* Opens all that is watched, calls again, and closes. */
long calls_open(uint64_t number, const uint64_t *arguments);

/* Copies from the program's memory, wherever it is. False where it is none. */
bool calls_read(void *to, uint64_t from, size_t bytes);

/* An event for what the kernel has read or written, where that is watched. */
void calls_moved(const struct call *call, uint64_t at, uint64_t bytes);

/* vectors.c: the bytes that CALL_IOV, _MESSAGE and _MESSAGES need behind the call; before the call;
 * and after it. */
size_t vectors_room(const struct call_row *row, const uint64_t *arguments);
void vectors_before(struct call *call);
void vectors_after(const struct call *call, long result);

/* signals.c: what the program believes to have set. */

/* Takes over the handlers that are there. */
void signals_start(void);

/* Gives all handlers but those of fault.c to the kernel as the program set them. */
void signals_give_back(void);

/* rt_sigaction, rt_sigprocmask, sigaltstack, rt_sigreturn: context is that of the call. */
long signals_call(ucontext_t *context, uint64_t number, const uint64_t *arguments);

/* A set of signals as the kernel may have it: without those that nfamem needs. */
uint64_t signals_allowed(uint64_t set);

/* A process that shares memory, but not handlers, must not change ours: bytes, save, restore. */
size_t signals_bytes(void);
void signals_save(void *to);
void signals_restore(const void *from);

/* Before exec, and where it failed: what a new program inherits. */
void signals_exec(ucontext_t *context);
void signals_not_exec(void);

/* maps.c: mmap, munmap, mprotect, mremap, madvise, brk. */
long maps_call(uintptr_t pc, uint64_t number, const uint64_t *arguments);

/* life.c */

/* Before clone, clone3, fork, vfork. May move the call to memory of its own: returns it. */
struct call *life_before(struct call *call, ucontext_t *context);

/* After, in parent and child. */
void life_after(struct call *call, long result);

/* Whether this is the process whose ring is at hand: not a child of vfork. */
bool life_own_process(void);

/* Records that this thread, or the process, ends. */
void life_end(void);

/* A thread ends; on its own stack. */
_Noreturn void life_exit(long status);

/*
 * Opens everything for good: the program goes on as if it had not been watched. Its system calls
 * and signals still come here, since copies of its instructions need the handlers of fault.c.
 */
void life_detach(void);

/* The same before the program forbids itself system calls: these come here no longer, either. */
void life_restrict(void);

/* exec.c: before execve and execveat; after, where it failed; after that of a child of vfork. */
void exec_before(struct call *call, ucontext_t *context);
void exec_after(void);
void exec_forget(void);

/* threads.c: who calls pthread_create now, for MEM_THREAD; 0: nobody. */
extern __thread uintptr_t threads_pc INSIDE_TLS;
#endif
