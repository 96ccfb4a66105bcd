/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * libnfamem-inside.so: what nfamem preloads into a program to see its memory accesses.
 *
 * Watched memory is there twice, as one set of pages with two mappings: at its own address, where
 * the program is and where it is closed (PROT_NONE), and at its alias, which is open. An access
 * faults; the handler records it and has the instruction work on the alias. Which page is watched
 * is in mirror_pages, one byte a page of the address space: the number of the distance to the
 * alias, 0 where memory is not watched (the stack, text, this library, the loader).
 *
 *              own address, closed   alias, open
 *     program  0x5555_5555_4000      0x1555_5555_4000
 *     not PIE  0x0000_0040_0000      0x3000_0040_0000
 *     heap     0x6000_0000_0000      0x2000_0000_0000
 *     library  0x7fff_f7dd_0000      0x3fff_f7dd_0000
 *
 * Rules for code in this library:
 *   - It never touches watched memory at its own address: libc's data is watched. So no libc
 *     functions but those that touch only what they are given through mirror_alias; system calls
 *     are raw (raw.h). No errno.
 *   - No instruction of this library is ever handled: a fault in it is a bug.
 *   - What changes the state of this thread (its ring) is between inside_enter and inside_leave, so
 *     that a handler of the program which comes in between waits (signals.c).
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
#define INSIDE_TLS __attribute__((tls_model("initial-exec")))

enum { INSIDE_PAGE = 4096 };

/* Places for registers while a copy of an instruction runs (copy.h). */
enum inside_scratch {
	KEEP_RCX,
	KEEP_ADDRESS,
	KEEP_TEMPORARY,
	KEEP_TARGET,
	KEEP_RSI_MOVED, /* what the copy has added to rsi, and to rdi */
	KEEP_RDI_MOVED,
	KEEP_FLAGS,   /* as lahf and seto give them */
	KEEP_STAMPED, /* not 0: a stamp was taken before the instruction; one behind it follows */
	KEEPS
};

/* What each thread has. Logging copies of instructions know where the first fields are. */
struct inside_thread {
	uint64_t scratch[KEEPS]; /* by enum inside_scratch */
	struct mem_ring *ring;   /* NULL before ring_start */
	uint64_t *chunk;         /* the part of its words that is written now (ring.c) */
	uint64_t *words;         /* of the ring */
	_Atomic uint64_t *stamp; /* of the channel, or one that nobody reads */
	uint32_t number;         /* of the ring */
	uint32_t busy;           /* depth of inside_enter */
	uint64_t deferred;       /* signals that came meanwhile: bit signal - 1 (signals.c) */
	uintptr_t opened[8];     /* pages that are open for a single step, and the mask before it */
	uint32_t opened_count;
	bool stamps; /* the instruction that is stepped is atomic */
	uint64_t step_mask;
	uintptr_t retried[2]; /* instruction and address of the last fault that was tried again */
};

extern __thread struct inside_thread inside_self INSIDE_TLS;

/*
 * What holds for the whole process. Written by start.c, before any thread but the first is there.
 */
struct inside {
	struct mem_channel *channel; /* NULL: the program runs unwatched */
	bool watching;               /* false again after mirror_open_all */
	bool low;                    /* there is a region below 2^40 (the program is not PIE) */
	bool threads;                /* there is, or was, more than one thread */
	uint32_t engine;             /* enum mem_engine */
};

extern struct inside inside;

/* start.c */

/* Says in the channel why the program, or part of it, is not watched; the first reason stays. */
void inside_reason(const char *text);

/*
 * Whether this program is watched now. Wrappers that are called before the constructor see false.
 */
static inline bool inside_watching(void)
{
	return inside.watching;
}

static inline void inside_enter(void)
{
	inside_self.busy++;
}

/* Handlers that waited run in signals.c's inside_deferred, once the last one leaves. */
void inside_deferred(void);

static inline void inside_leave(void)
{
	if (--inside_self.busy == 0 && inside_self.deferred)
		inside_deferred();
}

/* family.c: channels of processes. */

/*
 * Maps the channel that the value of NFAMEM_CHANNEL is: "FD", or "PATH" of its file, or "PATH:SLOT"
 * with the slot of the process that executed this program. The last takes a new channel from that
 * file, and announces itself. NULL if there is none.
 */
struct mem_channel *family_open(const char *value);

/* Takes a channel from the file of inside.channel, for a child of fork. NULL if there is none. */
struct mem_channel *family_take(void);

/* The path of this library, as LD_PRELOAD has it. First called before anything is watched. */
const char *family_library(void);

/* Waits until nfamem reads this channel. False where it does not. */
bool family_wait(const struct mem_channel *c);

/* Whether children are watched. */
static inline bool family_follows(void)
{
	return inside.watching && inside.channel->follow.slots > 1;
}

/* mirror.c. Addresses and sizes are rounded outwards to pages, unless they say otherwise. */

/* Maps the tables. False, with the reason said, where the address space has no room for them. */
bool mirror_start(void);

/*
 * Watches private memory that is there (data, bss, brk): its contents move to pages with an alias.
 * Rounded inwards. False where that does not work; the memory is then as it was. Records
 * MEM_REGION.
 */
bool mirror_adopt(uintptr_t at, size_t bytes, enum mem_region_kind kind);

/*
 * New watched memory, zeroed: for the heap, and for mmap of private anonymous memory. `at` is 0, or
 * a place that is free or may be replaced (MAP_FIXED). Returns its own, closed address, or NULL.
 * Address space is taken upwards from the same place in every run; memory is used when it is
 * touched. Records MEM_REGION if `kind` is not MEM_HEAP (heap.c says what of its memory is a
 * block).
 */
void *mirror_map(uintptr_t at, size_t bytes, enum mem_region_kind kind);

/*
 * Watches a file mapping of the program (MAP_SHARED), or shared anonymous memory, which is mapped
 * and open at its own place: its alias is the same file. False where that does not work.
 */
bool mirror_share(uintptr_t at, size_t bytes);

/*
 * No longer watches: unmaps both mappings, gives the pages back. Records MEM_UNREGION where
 * `record`.
 */
void mirror_drop(uintptr_t at, size_t bytes, bool record);

/* Opens a part for good, at its own place, as memory that is not watched (stacks in the heap). */
void mirror_open(uintptr_t at, size_t bytes);

/*
 * Opens everything: the program runs as if it had never been watched. inside.watching is false
 * then.
 */
void mirror_open_all(void);

/* Whether memory is watched, or was before mirror_open_all: its pages are shared. */
bool mirror_known(uintptr_t at);

/* The alias that known memory has, or had. */
void *mirror_before(const void *p);

/*
 * In the child after fork, while the parent waits: every watched page gets private memory of the
 * same contents, open. Nothing is watched in the child then.
 */
void mirror_private(void);

/*
 * The same for a child that is watched: the pages are shared between its own two mappings only.
 */
void mirror_copy(void);

/* Around a fork: the table is whole in the child, and no mapping changes while that copies. */
void mirror_hold(void);
void mirror_release(void);

/*
 * What the program asks for its own address holds at the alias. prot as for mprotect. 0 or -errno.
 */
long mirror_protect(uintptr_t at, size_t bytes, int prot);

/* madvise. MADV_DONTNEED and MADV_FREE give zeros in memory of mirror_map. 0 or -errno. */
long mirror_advise(uintptr_t at, size_t bytes, int advice);

/* What the program may do with the memory at `at`, as in mprotect; -1 where it is not watched. */
int mirror_prot(uintptr_t at);

/* Calls `each` for every watched range, in order of addresses. */
void mirror_each(void (*each)(uintptr_t at, size_t bytes, void *with), void *with);

extern uint8_t *mirror_pages;       /* by address >> 12; NULL before mirror_start */
extern int64_t mirror_distances[4]; /* by what mirror_pages holds; 0 at 0 */

static inline bool mirror_covers(uintptr_t at)
{
	return mirror_pages && at >> MEM_ADDRESS_BITS == 0 && mirror_pages[at >> 12];
}

/* Where the library itself, or the kernel, finds memory of the program: p, or its alias. */
static inline void *mirror_alias(const void *p)
{
	uintptr_t at = (uintptr_t)p;
	return mirror_covers(at) ? (void *)(at + mirror_distances[mirror_pages[at >> 12]])
				 : (void *)at;
}

/* The own address of an alias; p itself where it is none. */
void *mirror_own(const void *p);

/* ring.c */

/*
 * Gives this thread a ring. False if there is none left; the thread's accesses are then not
 * recorded.
 */
bool ring_start(void);

/*
 * Begins the next chunk of the ring: waits until nfamem has read that, and records a stamp.
 * Called where the number of words written is a multiple of a chunk's, or near the next one if a
 * copy writes several words, and in a new thread.
 */
void ring_wait(void);

/* Records an event of n words. Between inside_enter and inside_leave. */
void ring_event(enum mem_event kind, const uint64_t *words, uint32_t n);

/* Records an access by a site number, or by MEM_ACCESS where site is 0. */
void ring_access(uint32_t site, uintptr_t pc, uintptr_t address, uint64_t bytes,
		 enum mem_kind kind);

/* Takes a stamp and records it: before others are let go, after this thread was (channel.h). */
void ring_stamp(void);

/* In the child of a fork: no ring, and none of the parent's. */
void ring_forget(void);

/* Behind MEM_EXIT: a thread that begins may go on with the ring of this one. */
void ring_end(void);

/* Whether nobody reads a channel any more. */
bool ring_reader_gone(const struct mem_channel *c);

/* RECORD(MEM_FREE, address, pc): an event with its words, by number. */
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

/* Finds out whether instructions can be replaced while several threads run; again after a fork. */
void fault_replaces(void);

/* An alternate stack for this thread, on which those run. Called in each new thread. */
void fault_thread(void);

/*
 * Called for a SIGSEGV or SIGTRAP which is none of ours. signals.c gives it to the program. The
 * context is what the program would see: pc and registers of its own instruction, own addresses.
 */
void signals_foreign(int signal, siginfo_t *info, ucontext_t *context);

/*
 * Before a handler of the program runs: where the thread was interrupted in a logging copy, before
 * it recorded, the context goes back to the instruction itself. Else the copy has still to finish:
 * the caller keeps inside_self.scratch and puts it back when the handler returns.
 */
void fault_settle(ucontext_t *context);
#endif
