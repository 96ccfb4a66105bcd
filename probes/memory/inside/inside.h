/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * libnfamem-inside.so: the library that nfamem preloads into a program to see its memory accesses.
 *
 * Each watched page is mapped twice. Its own address is where the program uses it. There the page
 * is closed: it has PROT_NONE, so every access faults. Its alias is a second address, where the
 * page is open. The handler of the fault records the access and makes the instruction work on the
 * alias.
 *
 * mirror_pages has one byte for each page of the address space. It is 0 if the page is not watched,
 * as for the stack, code, this library and the loader. Else it is the number of the distance
 * between own address and alias.
 *
 *              own address, closed   alias, open
 *     program  0x5555_5555_4000      0x1555_5555_4000
 *     not PIE  0x0000_0040_0000      0x3000_0040_0000
 *     heap     0x6000_0000_0000      0x2000_0000_0000
 *     library  0x7fff_f7dd_0000      0x3fff_f7dd_0000
 *
 * While copies count, they reach an alias by gs, which holds one distance. So in a program that is
 * not PIE, its data and the heap then have the same one:
 *
 *     not PIE  0x0000_0040_0000      0x4000_0040_0000
 *     heap     0x2000_0000_0000      0x6000_0000_0000
 *
 * An event in the ring (channel.h) is recorded. To detach is to open all watched memory for good,
 * so that the program runs on unwatched.
 *
 * Rules for code in this library:
 *   - It never touches watched memory at the own address. The data of libc is watched. So it calls
 *     no function of libc, except for functions that touch only the pointers they get, and those
 *     pointers come from mirror_alias. System calls are raw (raw.h). There is no errno.
 *   - No instruction of this library may fault. A fault in it is a bug.
 *   - Code that changes the state of this thread (its ring) runs between inside_enter and
 *     inside_leave. A handler of the program that comes in between is put off until inside_leave
 *     (signals.c).
 */
#ifndef NFACC_PROBES_MEMORY_INSIDE_INSIDE_H
#define NFACC_PROBES_MEMORY_INSIDE_INSIDE_H
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <ucontext.h>

#include "probes/memory/reader/channel.h"

#define INSIDE_EXPORT __attribute__((visibility("default")))

/*
 * A function here that takes the place of one of libc's has that one's name in the library only, as
 * an assembler label. In C it has a name of its own, so that no tool that reads sources takes each
 * call of `free` anywhere for a call of a function of this folder. INSIDE_FOR() declares it with
 * the type that libc's has.
 */
#define INSIDE_NAMED(name) __asm__(name) INSIDE_EXPORT
#define INSIDE_FOR(name) __typeof__(name) inside_##name INSIDE_NAMED(#name)
#define INSIDE_TLS __attribute__((tls_model("initial-exec")))

enum { INSIDE_PAGE = 4096 };

/* Places where a copy of an instruction keeps registers while it runs (copy.h). */
enum inside_scratch {
	KEEP_RCX,
	KEEP_ADDRESS,
	KEEP_TEMPORARY,
	KEEP_TARGET,
	KEEP_RSI_MOVED, /* what the copy added to rsi, and to rdi */
	KEEP_RDI_MOVED,
	KEEP_FLAGS,   /* in the format of lahf and seto */
	KEEP_STAMPED, /* not 0: a stamp was written before the instruction; one must follow */
	KEEPS
};

/* Who called a function of this library: where it goes on, and its rsp and rbp then. */
struct inside_caller {
	uintptr_t pc, sp, bp;
};

/* The state of each thread. Copies of instructions rely on the offsets of the first fields. */
struct inside_thread {
	uint64_t scratch[KEEPS]; /* indexed by enum inside_scratch */
	struct mem_ring *ring;   /* NULL before ring_start */
	uint64_t *chunk;         /* the chunk of `words` that is now being written (ring.c) */
	uint64_t *words;         /* all words of the ring */
	_Atomic uint64_t *stamp; /* of the channel; if the thread has no ring, a dummy */
	uint64_t *counters;      /* of the channel; if the thread has no ring, a dummy */
	uint32_t number;         /* number of the ring */
	uint32_t busy;           /* depth of inside_enter */
	uint64_t deferred;       /* signals that came while busy: bit signal - 1 (signals.c) */
	uintptr_t opened[40];    /* pages that a single step has opened: two for each of 16 lanes */
	uint32_t opened_count;
	bool stamps; /* the instruction in the single step is atomic */
	uintptr_t gathers; /* pc of the gather or scatter in the single step; 0: another instruction */
	uint64_t step_mask;
	uintptr_t retried[2]; /* pc and address of the last fault that was tried again */
	struct inside_caller caller; /* for stacks_call() */
	uintptr_t top; /* the stack pointer when the thread began, about; 0: not known */
	struct mem_ring *paused;     /* the ring, while it is paused; else NULL */
	bool allocates; /* the system call comes from libc's malloc (outer.c) */
};

extern __thread struct inside_thread inside_self INSIDE_TLS;

/* The state of the whole process. start.c sets it before there is a second thread. */
struct inside {
	struct mem_channel *channel; /* NULL: the program runs unwatched */
	bool watching;               /* becomes false again in mirror_open_all */
	bool attached;               /* nfamem attached to the program when it ran (attach.h) */
	void *program;               /* then: what dlopen returns for the program */
	bool low;                    /* watched data may lie below 2^40 (the program is not PIE) */
	bool threads;                /* there is, or was, a second thread */
	uint32_t engine;             /* enum mem_engine */
	uint32_t stacks;             /* most frames of a call stack; 0: none are recorded */
	uint32_t suspects;           /* enum mem_suspect: what stacks are recorded for */
	bool locals;                 /* accesses to stacks are recorded (locals.h) */
	bool counting;               /* copies count accesses (copy_count.c) */
	bool gs;                     /* then: gs is mirror_distances[mirror_gs] */
	uint64_t *counters; /* then: those of the only thread, below 2^31; NULL: there are others */
};

extern struct inside inside;

/* start.c */

/*
 * Says in the channel why the program, or a part of it, is not watched. Only the first reason is
 * kept.
 */
void inside_reason(const char *text);

/*
 * The first and the second part of what comes before anything is watched. start_handlers is called
 * when no other thread runs. If something is missing, they say so in the channel and return false.
 */
bool start_tables(void);
bool start_handlers(void);

/* Counts something that is not seen. */
static inline void inside_unseen(enum mem_unseen cause)
{
	if (inside.watching || cause == MEM_UNSEEN_MODULE || cause == MEM_UNSEEN_HOOK)
		atomic_fetch_add_explicit(&inside.channel->count.unseen[cause], 1,
					  memory_order_relaxed);
}

/* Whether this program is being watched. False if called before the constructor. */
static inline bool inside_watching(void)
{
	return inside.watching;
}

/* Whether pc is in the code of this library. */
static inline bool inside_library(uintptr_t pc)
{
	extern const char __ehdr_start[] __attribute__((visibility("hidden")));
	extern const char etext[] __attribute__((visibility("hidden")));
	return pc - (uintptr_t)__ehdr_start < (uintptr_t)(etext - __ehdr_start);
}

static inline void inside_enter(void)
{
	inside_self.busy++;
}

/* signals.c: runs the handlers that were put off. Called at the last inside_leave. */
void inside_deferred(void);

static inline void inside_leave(void)
{
	if (--inside_self.busy == 0 && inside_self.deferred)
		inside_deferred();
}

/* family.c: the channels of child processes. */

/*
 * Maps the channel that the environment variable NFAMEM_CHANNEL names. Its value has one of three
 * forms: "FD", a file descriptor; "PATH", the path of the file; or "PATH:SLOT". SLOT is the slot of
 * the process that executed this program. In that case, takes a new channel from the file and fills
 * it in. Returns NULL if there is no channel.
 */
struct mem_channel *family_open(const char *value);

/* For a child of fork: takes a channel from the same file. Returns NULL if none is free. */
struct mem_channel *family_take(void);

/*
 * The path of this library, as in LD_PRELOAD. The first call must come before anything is watched.
 */
const char *family_library(void);

/* Waits until nfamem reads this channel. Returns false if nfamem will not read it. */
bool family_wait(struct mem_channel *c);

/*
 * Gives the shared memory of all channels back. Copies and other threads may still write to the
 * channel, so private memory takes its place.
 */
void family_leave(void);

/* Unmaps the channels. Nothing may be recorded any more. */
void family_end(void);

/* Whether child processes are watched. */
static inline bool family_follows(void)
{
	return inside.watching && inside.channel->follow.slots > 1;
}

/*
 * mirror.c. Addresses and sizes are rounded outwards to whole pages, unless a comment says
 * otherwise.
 */

/*
 * Maps the tables. If the address space has no room for them, says so in the channel and returns
 * false.
 */
bool mirror_start(void);

/*
 * Watches private memory that exists already (data, bss, brk). Moves its contents to new pages with
 * an alias. Rounds inwards to whole pages. Records MEM_REGION. On failure returns false, and the
 * memory is unchanged.
 */
bool mirror_adopt(uintptr_t at, size_t bytes, enum mem_region_kind kind);

/*
 * Makes new watched memory, zeroed: for the heap, and for mmap of private anonymous memory. `at` is
 * 0, or an address whose memory may be replaced (MAP_FIXED). With 0 it takes the next free address,
 * counting upwards from the same address in every run. The kernel gives memory only when a page is
 * touched. Records MEM_REGION, unless `kind` is MEM_HEAP: there, heap.c records each block. Returns
 * the own address, or NULL.
 */
void *mirror_map(uintptr_t at, size_t bytes, enum mem_region_kind kind);

/*
 * Watches shared memory that the program has mapped already: a file (MAP_SHARED), or anonymous
 * memory. The alias maps the same file. Returns false on failure.
 */
bool mirror_share(uintptr_t at, size_t bytes);

/*
 * Stops watching a range: unmaps its own address and its alias, and gives the pages back. Records
 * MEM_UNREGION if `record`.
 */
void mirror_drop(uintptr_t at, size_t bytes, bool record);

/*
 * Opens a range at its own address for good, as private memory. It is not watched any more. Used
 * for code: shared memory that may not be written cannot be written through /proc/self/mem either.
 * Also used for stacks, and where no site can be made. A thread that is just using the alias faults
 * there.
 */
void mirror_give(uintptr_t at, size_t bytes);

/* Whether memory at an address may have been watched before. It is not watched now. */
bool mirror_left(uintptr_t at);

/* Whether an address can have been the alias of memory that is not watched any more. */
bool mirror_was_alias(uintptr_t at);

/*
 * Opens all watched memory. The program then runs as if it had never been watched. Sets
 * inside.watching to false.
 */
void mirror_open_all(void);

/* Whether an address is in a region: watched now, or watched before mirror_open_all. */
bool mirror_known(uintptr_t at);

/* The alias of an address for which mirror_known is true. */
void *mirror_before(const void *p);

/*
 * Called in a child of fork while the parent waits. Gives every region private memory with the same
 * contents, and opens it. Nothing is watched in the child afterwards.
 */
void mirror_private(void);

/*
 * Like mirror_private, for a child that is watched: the child gets pages of its own, at the own
 * addresses and at the aliases.
 */
void mirror_copy(void);

/*
 * Called before and after a fork, so that the table is consistent in the child, and no thread
 * changes a mapping while the memory is copied.
 */
void mirror_hold(void);
void mirror_release(void);

/*
 * mprotect: sets what the program may do. It is applied to the alias, since the own address is
 * closed. `prot` is as for mprotect. Returns 0 or -errno.
 */
long mirror_protect(uintptr_t at, size_t bytes, int prot);

/*
 * madvise. After MADV_DONTNEED or MADV_FREE, memory of mirror_map reads as zero. Returns 0 or
 * -errno.
 */
long mirror_advise(uintptr_t at, size_t bytes, int advice);

/* What the program may do with the memory at `at`, as for mprotect; -1 if it is not in a region. */
int mirror_prot(uintptr_t at);

/* Calls `each` for every region, in order of addresses. */
void mirror_each(void (*each)(uintptr_t at, size_t bytes, void *with), void *with);

extern uint8_t *mirror_pages;       /* indexed by address >> 12; NULL before mirror_start */
extern int64_t mirror_distances[4]; /* indexed by a value of mirror_pages; entry 0 is 0 */
extern uint8_t mirror_gs; /* the value of mirror_pages for memory that copies reach by gs */

static inline bool mirror_covers(uintptr_t at)
{
	return mirror_pages && at >> MEM_ADDRESS_BITS == 0 && mirror_pages[at >> 12];
}

/*
 * The address at which this library or the kernel may access memory of the program: the alias if it
 * is watched, else p.
 */
static inline void *mirror_alias(const void *p)
{
	uintptr_t at = (uintptr_t)p;
	return mirror_covers(at) ? (void *)(at + (uintptr_t)mirror_distances[mirror_pages[at >> 12]])
				 : (void *)at;
}

/* The own address for an alias; p itself if it is no alias. */
void *mirror_own(const void *p);

/* ring.c */

/*
 * Gives this thread a ring. Returns false if no ring is left. Accesses of the thread are then not
 * recorded.
 */
bool ring_start(void);

/*
 * Begins the next chunk of the ring: waits until nfamem has read it, and writes a stamp. Called in
 * a new thread, and when the number of words written is a multiple of the chunk size. A copy that
 * writes several words also calls it when they do not fit into the current chunk.
 */
void ring_wait(void);

/* Writes an event with n words. Call it between inside_enter and inside_leave. */
void ring_event(enum mem_event kind, const uint64_t *words, uint32_t n);

/* Records an access: by its site number, or as MEM_ACCESS if `site` is 0. */
void ring_access(uint32_t site, uintptr_t pc, uintptr_t address, uint64_t bytes,
		 enum mem_kind kind);

/* Records the mask of the access that is recorded next, by a site with lanes. */
void ring_lanes(uint64_t mask);

/*
 * Takes a stamp and writes it. Called before this thread lets others go on, and after another
 * thread let it go on (channel.h).
 */
void ring_stamp(void);

/*
 * Between these two calls nothing of this thread is recorded. ring_pause returns false, and does
 * nothing, if the ring is paused already, or if there is none.
 */
bool ring_pause(void);
void ring_resume(void);

static inline bool ring_paused(void)
{
	return inside_self.paused != NULL;
}

/* Called in a child of fork: the child gives up the ring of the parent and has no ring. */
void ring_forget(void);

/* Called after MEM_EXIT was written: a new thread may use this ring. */
void ring_end(void);

/* count.c: prepares counting, before anything is watched. */
void count_start(void);

/* There will be a second thread: copies that are made from now on count for each thread. */
void count_threads(void);

/* Nothing is watched any more, so nothing is counted for nfamem. */
void count_stop(void);

/* In an unwatched child of fork: gs is 0, as the program has it, and nothing is counted. */
void count_forked(void);

/* arch_prctl of the program. Returns what the call returns. */
long count_arch_prctl(uint64_t code, uint64_t argument);

/* Whether the process that reads a channel is gone. */
bool ring_reader_gone(struct mem_channel *c);

/* Writes an event with its words, for example RECORD(MEM_FREE, address, pc). */
#define RECORD(kind, ...)                                                                          \
	do {                                                                                       \
		const uint64_t record_[] = { __VA_ARGS__ };                                        \
		inside_enter();                                                                    \
		ring_event(kind, record_, sizeof record_ / sizeof *record_);                       \
		inside_leave();                                                                    \
	} while (0)

/* fault.c */

/* Installs the handlers of SIGSEGV and SIGTRAP. */
bool fault_start(void);

/*
 * Finds out whether instructions can be replaced while several threads run. Called again after a
 * fork.
 */
void fault_replaces(void);

/*
 * Sets up an alternate stack for this thread, on which the handlers run. Called in each new thread.
 */
void fault_thread(void);

/*
 * In signals.c: called for a SIGSEGV or SIGTRAP that this library did not cause, so that the
 * program gets it. The context must be as the program would see it: with the pc and registers of
 * its own instruction, and with own addresses.
 */
void signals_foreign(int signal, siginfo_t *info, ucontext_t *context);

/*
 * Called before a handler of the program runs. If the thread was interrupted in the head of a copy
 * before the access was recorded, the context goes back to the instruction itself. Otherwise the
 * copy has to finish after the handler. The caller saves inside_self.scratch and restores it then.
 */
void fault_settle(ucontext_t *context);
#endif
