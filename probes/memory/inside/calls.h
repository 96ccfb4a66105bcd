/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * The system calls of the program. Syscall user dispatch turns each call into a SIGSYS. Calls of
 * kind CALL_HERE are made in the handler of SIGSYS. All other calls are made after the handler has
 * returned, by calls_thunk. It runs on the program's stack, and the program's signals can come in.
 * It makes the call with pointers that were translated to aliases, passes the result to
 * calls_after, and goes on after the program's own instruction.
 */
#ifndef NFACC_PROBES_MEMORY_INSIDE_CALLS_H
#define NFACC_PROBES_MEMORY_INSIDE_CALLS_H
#include "probes/memory/inside/inside.h"

enum { CALL_ARGUMENTS = 6, CALLS_TABLE = 460, SIGNALS_ROOM = 9 << 10 };

/* What a call needs besides the translation of its pointers. */
enum call_kind {
	CALL_PLAIN,
	CALL_HERE,    /* made in the handler: calls_here */
	CALL_IOV,     /* argument 1: array of struct iovec; argument 2: its length */
	CALL_MESSAGE, /* argument 1: struct msghdr; with `fill` it is received */
	CALL_MESSAGES, /* argument 1: array of struct mmsghdr; argument 2: its length */
	CALL_MASK,    /* a set of signals, in argument `mask` */
	CALL_PSELECT, /* argument 5: a pointer to a set of signals, and its size */
	CALL_EXEC,    /* the last two arguments before the flags are arrays of strings */
	CALL_CHILD,   /* clone, fork and the like */
	CALL_EXIT,    /* the end of a thread */
};

/*
 * How a system call is treated. A row of zeros is an unknown call: if it fails with EFAULT, it is
 * made again with all memory open.
 */
struct call_row {
	uint8_t known;
	uint8_t pointers; /* bit i: argument i is a pointer */
	uint8_t kind;     /* enum call_kind */
	uint8_t mask;     /* for CALL_MASK: number of the argument */
	uint8_t fill;     /* 1 + number of the argument that the kernel fills; 0: none */
	uint8_t fetch;    /* 1 + number of the argument that the kernel reads `result` bytes from */
	uint16_t bytes;   /* how many bytes the kernel fills; 0: as many as the result says */
};

extern const struct call_row calls_table[CALLS_TABLE];

/*
 * One system call of the program, on the program's stack. calls_thunk relies on the offsets of the
 * first fields.
 */
struct call {
	uint64_t ip, sp;                    /* where the program goes on */
	uint64_t arguments[CALL_ARGUMENTS]; /* as the program passed them */
	uint64_t flags;                     /* as the kernel left them in r11 */
	uint64_t number;
	uint8_t vectors[16][16]; /* xmm0 to xmm15 */
	uint64_t used[CALL_ARGUMENTS];
	uint64_t bp; /* the rbp of the program */
	const struct call_row *row;
	size_t room; /* bytes of room after this struct */
	void *extra; /* memory allocated for this call, or NULL */
};

/* struct sigaction as the kernel defines it. */
struct kernel_action {
	void (*handler)(int, siginfo_t *, void *);
	uint64_t flags;
	void (*restorer)(void);
	uint64_t mask;
};

enum { KERNEL_RESTORER = 0x04000000 };

/*
 * Makes a system call of the program. The stack pointer is at its struct call, in all but the last
 * instruction. calls_thunk_end is behind it.
 */
void calls_thunk(void) __attribute__((visibility("hidden")));
void calls_thunk_end(void) __attribute__((visibility("hidden")));

/* In fault.c: the return address of handlers. It calls rt_sigreturn. */
void inside_restorer(void) __attribute__((visibility("hidden")));

/*
 * Prepares dispatch. Returns false, and says the reason in the channel, if the kernel has no
 * dispatch.
 */
bool calls_start(void);

/* Turns dispatch on in all threads. */
void calls_go(void);

/* Prepares dispatch in a new thread. */
bool calls_thread(void);

/* Turns dispatch off in all threads, for good. */
void calls_stop(void);

/* Whether the system calls of the program are dispatched. */
bool calls_seen(void);

/* Turns dispatch off in this thread, and forgets that it was on. */
void calls_thread_end(void);

/*
 * For a thread that was asleep in a system call when nfamem attached (attach.h). The words are those
 * of enum mem_call. Makes the struct call with which calls_thunk lets the kernel go on with the sleep.
 */
struct call *calls_asleep(const uint64_t *words);

/* Makes a call of kind CALL_HERE in the handler of SIGSYS. Returns the result of the call. */
long calls_here(ucontext_t *context, uint64_t number, const uint64_t *arguments);

/* Opens all watched memory, makes the call again, and closes the memory. */
long calls_open(uint64_t number, const uint64_t *arguments);

/* Copies from the program's memory, watched or not. Returns false if no memory is there. */
bool calls_read(void *to, uint64_t from, size_t bytes);

/* Records an event for bytes that the kernel read or wrote, if they are watched. */
void calls_moved(const struct call *call, uint64_t at, uint64_t bytes);

/*
 * vectors.c, for CALL_IOV, CALL_MESSAGE and CALL_MESSAGES. vectors_room returns the bytes needed
 * after struct call. vectors_before is called before the system call, and vectors_after is called
 * after it.
 */
size_t vectors_room(const struct call_row *row, const uint64_t *arguments);
void vectors_before(struct call *call);
void vectors_after(const struct call *call, long result);

/* signals.c: the signal handlers and masks that the program has set. */

/* Takes over the handlers that exist now. */
void signals_start(void);

/*
 * Called in each thread that begins. `room`: SIGNALS_ROOM bytes for signals that are put off.
 * `stack`: what the program has set with sigaltstack.
 */
void signals_thread(void *room, const stack_t *stack);

/* Gives all handlers, except those of fault.c, back to the kernel as the program set them. */
void signals_give_back(void);

/*
 * When nfamem lets go of a process that it attached to. signals_end gives all handlers back.
 * signals_thread_end does so with the alternate stack of this thread. It returns the signals that
 * the program has blocked and this library has not. It sets *stays if the thread is in a handler on
 * the stack of this library, which must stay then.
 */
void signals_end(void);
uint64_t signals_thread_end(bool *stays);

/* Blocks in a new view of this thread what the program has blocked: `mask` (attach.h). */
void signals_blocked(uint64_t mask);

/* rt_sigaction, rt_sigprocmask, sigaltstack and rt_sigreturn. `context` is that of the call. */
long signals_call(ucontext_t *context, uint64_t number, const uint64_t *arguments);

/* Removes from a set of signals those that this library must receive. */
uint64_t signals_allowed(uint64_t set);

/*
 * A child of vfork shares our memory, but not our handlers. Its changes must not change our tables,
 * so these are saved and restored: size in bytes, save, restore.
 */
size_t signals_bytes(void);
void signals_save(void *to);
void signals_restore(const void *from);

/* Before exec, and after exec has failed: sets the state of signals that a new program inherits. */
void signals_exec(ucontext_t *context);
void signals_not_exec(void);

/* maps.c: mmap, munmap, mprotect, mremap, madvise, brk. */
long maps_call(uintptr_t pc, uint64_t number, const uint64_t *arguments);

/* life.c */

/* Before clone, clone3, fork and vfork. Returns the call, which may have moved to new memory. */
struct call *life_before(struct call *call, ucontext_t *context);

/* After the call, in the parent and in the child. */
void life_after(struct call *call, long result);

/* Whether this process is the one that the ring belongs to. False in a child of vfork. */
bool life_own_process(void);

/* Records the end of this thread or process. */
void life_end(void);

/* Ends a thread. Runs on the thread's own stack. */
_Noreturn void life_exit(long status);

/*
 * Opens all memory for good, so that the program runs unwatched. Its system calls and signals still
 * come here, because copies of instructions need the handlers of fault.c.
 */
void life_detach(void);

/*
 * Called when nfamem was killed. The program ends, or goes on unwatched, as --when-lost says. The
 * channel is private memory then.
 */
void life_lost(void);

/*
 * Like life_detach, before the program restricts its own system calls. Afterwards system calls no
 * longer come here.
 */
void life_restrict(void);

/*
 * exec.c. exec_before is called before execve and execveat. exec_after is called after a call that
 * failed. exec_forget is called in the parent after a child of vfork has called exec.
 */
void exec_before(struct call *call, ucontext_t *context);
void exec_after(void);
void exec_forget(void);

/* threads.c: who is calling pthread_create now, for MEM_THREAD; 0: nobody. */
extern __thread uintptr_t threads_pc INSIDE_TLS;
#endif
