/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * The channel: the memory that nfamem shares with a program it watches. The program writes into it
 * what happened, and nfamem reads it. Each thread of the program has a ring of its own.
 *
 * Layout: struct mem_channel comes first, then sites_max times struct mem_site, then threads_max
 * rings, then threads_max times `counters` counters (mem_counters). A ring is a struct mem_ring on
 * a page of its own, followed by ring_words words (mem_ring_at). ring_words is a power of two and
 * at least 2^17. Each ring has one writer (its thread) and one reader (nfamem). Words are numbered
 * from 0, and the numbers only grow. Word n is at index n & (ring_words - 1).
 *
 * A word is an access or the start of an event. An access has the address in the low 47 bits and
 * the site number in the 17 bits above. A number below MEM_SITE_FIRST is an event, not a site. The
 * low bits of an event then say how many words follow it (mem_event_words). The comment beside each
 * event names these words in order. A writer publishes words by adding to `written`. It always
 * publishes a whole event, never a part of one.
 *
 * Order. Each ring holds the events of its thread in order. A stamp (MEM_STAMP) orders the events
 * of different threads. It is a number taken from `stamp` by one atomic addition. A thread takes a
 * stamp before it lets other threads go on (unlock, create, exit), and after another thread let it
 * go on (lock, join, start). It takes stamps before and after what may be either (atomic
 * instructions, system calls). When the reader has seen stamp s, it first reads all other rings up
 * to their stamps below s. Only then does it read on after s. So events that synchronisation orders
 * are in order.
 */
#ifndef NFACC_PROBES_MEMORY_READER_CHANNEL_H
#define NFACC_PROBES_MEMORY_READER_CHANNEL_H
#include <stdatomic.h>
#include <stdint.h>
#include <sys/syscall.h>

enum {
	MEM_MAGIC = 0x4d46636e, /* "ncFM" */
	MEM_VERSION = 10,
	MEM_ADDRESS_BITS = 47,
	MEM_SITES_MAX = 1 << 17,
	MEM_SITE_FIRST = 64,
};

/*
 * `pc` is the address of the instruction. For a function that this library wraps it is the return
 * address of the call.
 */
enum mem_event {
	MEM_NONE,
	MEM_STAMP,  /* stamp */
	MEM_ACCESS, /* pc, address, bytes, enum mem_kind: no site number was left, or rep string */
	MEM_COPY,   /* Y: to, from, bytes, pc */
	MEM_STORE,  /* W: to, bytes, pc */
	MEM_FETCH,  /* G: from, bytes, pc */
	MEM_FILL,   /* W by a system call or the like (read): to, bytes, pc */
	MEM_MALLOC,   /* M: address, bytes, pc (new and memalign, too) */
	MEM_CALLOC,   /* C: address, bytes, pc */
	MEM_REALLOC,  /* R: address, bytes, old address, pc, enum mem_freed */
	MEM_FREE,     /* F: address, pc, enum mem_freed */
	MEM_MMAP,     /* P: address, bytes, pc, prot, flags */
	MEM_MREMAP,   /* E: address, bytes, old address, old bytes, pc */
	MEM_MUNMAP,   /* U: address, bytes, pc */
	MEM_BRK,      /* old end, new end, pc */
	MEM_MODULE,   /* load bias, lowest address, highest address + 1, path in words, 0-padded */
	MEM_UNMODULE, /* lowest address */
	MEM_REGION,   /* address, bytes, enum mem_region_kind: the range is watched from now on */
	MEM_UNREGION, /* address, bytes: the range is no longer watched */
	/*
	 * object, pc, and 1 if others may hold it too (a mutex, rwlock, spin lock or semaphore was
	 * taken)
	 */
	MEM_LOCK,
	MEM_UNLOCK,   /* object, pc */
	MEM_INIT,     /* object, pc (pthread_mutex_init and its like) */
	MEM_DESTROY,  /* object, pc */
	MEM_THREAD,   /* this thread begins: number of its creator's ring, pc, its pthread_t */
	MEM_EXIT,     /* this thread ends; later words are from the next owner of this ring */
	MEM_BEGIN,    /* the program called MadT__start */
	MEM_END,      /* the program called MadT__stop */
	MEM_FORK,     /* process id of the child, number of its channel or 0 */
	MEM_EXEC,     /* path of the program that will run, in words, 0-padded; exec may fail */
	MEM_JOIN,     /* pthread_t of a thread that has ended and was waited for, pc */
	MEM_SPAWN,    /* process id of a child of vfork that calls exec, path */
	/*
	 * object, pc, enum mem_object. GIVE: what this thread did is ordered before what threads do
	 * after their TAKE of the object.
	 */
	MEM_GIVE,
	MEM_TAKE,
	MEM_LANES,    /* mask: of the access that comes next, by a site with lanes (mem_lanes) */
	/*
	 * The call stack of what this thread does next at pc: pc, then return addresses, innermost
	 * first. pc alone: the return addresses are those of the thread's last MEM_STACK. A 0 after
	 * pc: there are none.
	 */
	MEM_STACK,
	/*
	 * The program exits, and a block is in use: address, enum mem_leak, and the lost block that
	 * leads to it (MEM_LEAK_INDIRECT). Address 0: there are no more.
	 */
	MEM_LEAK,
	/*
	 * What --stack needs to know of a function: its first address, the address behind it, enum
	 * mem_function, and the distances from the CFA of what it takes the address of in its frame.
	 */
	MEM_FUNCTION,
	/*
	 * An access to a stack, before it happens: pc, address, bytes, what it is (enum mem_kind,
	 * MEM_STORE, MEM_FETCH or MEM_FILL), enum mem_local, `from`: an address that the access
	 * begins with, the stack pointer, and the frame that `from` is in: an address in its
	 * function, and its CFA. If `from` is below the stack pointer, by at most 128 bytes, they
	 * are those of the instruction. If it is further below, or in a call, both are 0.
	 */
	MEM_LOCAL,
	MEM_EVENTS
};

/* Whether only the number of such events matters if nothing but numbers is wanted. */
static inline int mem_only_counted(enum mem_event kind)
{
	return (kind >= MEM_COPY && kind <= MEM_BRK) || (kind >= MEM_LOCK && kind <= MEM_DESTROY) ||
	       kind == MEM_GIVE || kind == MEM_TAKE;
}

/*
 * MEM_FUNCTION_CALLS: it has a call, so it uses nothing below its stack pointer.
 * MEM_FUNCTION_KNOWN: it keeps a frame pointer, and takes no other addresses in its frame than those
 * that are listed.
 */
enum mem_function { MEM_FUNCTION_CALLS = 1, MEM_FUNCTION_KNOWN = 2 };

/*
 * MEM_LOCAL_POINTER: the address came from a register, and `from` is the address itself.
 * MEM_LOCAL_INDEX: `from` is an address in the frame, to which an index was added.
 * MEM_LOCAL_CALL: `from` is the address that the program gave to a function of libc.
 */
enum mem_local { MEM_LOCAL_POINTER, MEM_LOCAL_INDEX, MEM_LOCAL_CALL, MEM_LOCAL_KINDS };

/* How far a block in use can be reached when the program exits (leaks.h). */
enum mem_leak {
	MEM_LEAK_LOST,
	MEM_LEAK_INDIRECT,
	MEM_LEAK_POSSIBLE,
	MEM_LEAK_REACHABLE,
	MEM_LEAK_KINDS
};

/*
 * MEM_OBJECT_BARRIER: a GIVE is an arrival, and a TAKE follows all arrivals of the same round.
 * MEM_OBJECT_OTHER: a condition variable, or a pthread_once_t.
 */
enum mem_object { MEM_OBJECT_OTHER, MEM_OBJECT_BARRIER };

/* Which functions make a block, and may free it: malloc and its like, new, or new[]. */
enum mem_maker { MEM_BY_MALLOC, MEM_BY_NEW, MEM_BY_NEW_ARRAY, MEM_MAKERS };

/*
 * MEM_FREED_FOREIGN: no block is there, nor any watched memory. From MEM_FREED_MISMATCHED on: a
 * block in use that another kind of function made. MEM_MAKERS times the kind that made it is added,
 * and the kind whose blocks the function frees (enum mem_maker). Not recorded with -p.
 */
enum mem_freed { MEM_FREED, MEM_FREED_FOREIGN, MEM_FREED_MISMATCHED };

enum mem_kind { MEM_LOAD, MEM_SAVE, MEM_BOTH, MEM_KINDS };
enum mem_region_kind { MEM_DATA, MEM_BSS, MEM_HEAP, MEM_MAPPED, MEM_REGION_KINDS };
enum mem_engine { MEM_PATCH, MEM_STUB, MEM_STEP, MEM_ENGINES };

enum mem_when_lost { MEM_LOST_RUN, MEM_LOST_KILL };
enum { MEM_OWNER_DIED = 0x40000000 }; /* FUTEX_OWNER_DIED */

/*
 * Where a thread is that nfamem has stopped to let go of it. OUTSIDE: in code of the program. COPY: in
 * the copy of an instruction. INSIDE: in code of the library, or in code that it called. CALL: in a
 * system call of the program, which the library makes for it; rsp points to the words below.
 */
enum mem_where { MEM_OUTSIDE, MEM_COPYING, MEM_INSIDE, MEM_CALL };

/* The words of a system call of the program. MEM_CALL_IP: where the program goes on. */
enum mem_call {
	MEM_CALL_IP,
	MEM_CALL_SP,
	MEM_CALL_ARGUMENTS,
	MEM_CALL_NUMBER = 9,
	MEM_CALL_BP, /* only in what nfamem passes to nfamem_asleep() */
	MEM_CALL_WORDS
};

/* Whether a system call changes the mappings of its process. */
static inline int mem_call_maps(uint64_t number)
{
	return number == SYS_mmap || number == SYS_munmap || number == SYS_mprotect ||
	       number == SYS_mremap || number == SYS_madvise || number == SYS_brk;
}

#define MEM_ALONE_STAYS (UINT64_C(1) << 63) /* a bit of what nfamem_alone() returns */

/*
 * How accesses of a site are handled now. PATCHED: in a copy, without a fault; one that counts may
 * be that of an instruction before it.
 */
enum mem_site_state { MEM_SITE_STEPPED, MEM_SITE_STUBBED, MEM_SITE_PATCHED };

/* What a bit of a mask stands for. MEM_MASK_NONE: the access has all its bytes. */
enum mem_mask_kind {
	MEM_MASK_NONE,
	MEM_MASK_EACH,   /* bit i: element i is accessed */
	MEM_MASK_ANY,    /* if any bit is set, all bytes are accessed */
	MEM_MASK_PACKED, /* as many elements as bits are set, one after the other */
	MEM_MASK_KINDS
};

/* The lanes of a vector instruction whose mask comes with each access. */
struct mem_lanes {
	uint8_t kind;    /* enum mem_mask_kind */
	uint8_t element; /* bytes of an element in memory */
	uint8_t count;
};

struct mem_site {
	uint64_t pc;
	uint16_t bytes; /* size of one access */
	uint8_t kind : 7;   /* enum mem_kind */
	uint8_t atomic : 1; /* the instruction has a lock prefix or is xchg */
	uint8_t state;  /* enum mem_site_state */
	uint32_t faults;
	struct mem_lanes lanes;
};

/*
 * The next run of bytes that an access of `bytes` bytes with a mask consists of. *lane is 0 for the
 * first run and is set for the next call. Returns the size of the run, and its offset in *offset;
 * 0 at the end.
 */
static inline uint32_t mem_run(struct mem_lanes l, uint32_t bytes, uint64_t mask, uint32_t *lane,
			       uint32_t *offset)
{
	uint32_t from;
	if (l.count < 64)
		mask &= (UINT64_C(1) << l.count) - 1;
	*offset = 0;
	if (l.kind != MEM_MASK_EACH) {
		const uint32_t ones = (uint32_t)__builtin_popcountll(mask);
		if ((*lane)++ != 0 || ones == 0)
			return 0;
		return l.kind == MEM_MASK_PACKED ? ones * l.element : bytes;
	}
	while (*lane < 64 && !(mask >> *lane & 1))
		++*lane;
	from = *lane;
	while (*lane < 64 && mask >> *lane & 1)
		++*lane;
	*offset = from * l.element;
	return (*lane - from) * l.element;
}

struct mem_ring {
	_Atomic uint64_t written; /* number of words that the thread has written */
	uint8_t pad[56];
	_Atomic uint64_t read; /* number of words that nfamem has read */
	uint32_t tid;
	uint32_t pid;
	_Atomic uint32_t ended; /* 1: the thread has ended, and a new thread may use this ring */
};

/* MEM_REPLACED: the process now runs another program, which has a channel of its own. */
enum mem_state { MEM_STARTING, MEM_RUNNING, MEM_DETACHED, MEM_REPLACED };

/*
 * Channels of child processes. With --follow the file holds `slots` channels, one after the other.
 * Every process maps all of them. The first channel belongs to the program that nfamem starts. A
 * child of fork and a newly executed program each take a free channel, write into it who they are,
 * and wait until nfamem has attached. When a process has ended, nfamem gives the memory of its
 * channel back to the kernel. The memory then reads as zero, and that means free.
 */
struct mem_follow {
	uint32_t slots;  /* 0: this is the only channel */
	uint32_t slot;   /* number of this channel */
	uint32_t choose; /* a newly executed program waits for the choice that --watch makes */
	uint32_t pid;
	uint64_t pid_space; /* the namespace of the process id: inode of /proc/self/ns/pid */
	uint32_t origin;    /* slot of the parent, or of the process's own channel before exec */
	uint32_t program;   /* number of programs that this process has executed before */
	uint32_t executed;  /* 1: a newly executed program; 0: a child of fork */
	/*
	 * Set one after the other. taken: the channel is in use. ready: all fields above are
	 * written. attached: nfamem reads the channel.
	 */
	_Atomic uint32_t taken, ready, attached;
	/*
	 * Only in the first channel. arrivals: number of programs executed so far. used: 1 + the
	 * highest slot that was ever taken.
	 */
	_Atomic uint32_t arrivals, used;
	char path[48]; /* path of the channel file, for a newly executed program */
};

/*
 * How many sites and rings there are, how many words a ring has, and how many counters come with
 * each ring: 0, or sites_max rounded up to whole pages.
 */
struct mem_sizes {
	uint32_t sites_max, threads_max, ring_words, counters;
};

/*
 * For --watch: only these ranges are watched. nfamem sets `pending` to 1 before the program starts,
 * also for --stack. The program writes all MEM_MODULE events, sets `pending` to 2 and waits. nfamem
 * reads the events, fills in the fields below and struct mem_code, and sets `pending` to 0. `range`
 * holds first `ranges` ranges of data, then `callers` ranges of code. Memory that this code
 * allocates is watched.
 */
struct mem_watch {
	_Atomic uint32_t pending;
	uint32_t ranges, callers;
	struct {
		uint64_t from, bytes;
	} range[64];
};

/*
 * What is not seen, by cause. Each is counted when it happens. MEM_UNSEEN_STEP: single steps while
 * other threads run, which see an open page. MEM_UNSEEN_FAULT: pages that were opened for good,
 * because there was no site for an access. MEM_UNSEEN_STACK: opened for good as a stack.
 * MEM_UNSEEN_KIND: accesses by instructions whose bytes are not known. MEM_UNSEEN_THREAD: threads
 * without a ring. MEM_UNSEEN_MODULE: programs and libraries whose data is not watched, among them
 * the loader. MEM_UNSEEN_MAPPING: mappings that may be written and are not watched.
 * MEM_UNSEEN_HOOK: with -p, calls of modules, or functions, that were not led to this library,
 * because its table of them was full.
 */
enum mem_unseen {
	MEM_UNSEEN_STEP,
	MEM_UNSEEN_FAULT,
	MEM_UNSEEN_STACK,
	MEM_UNSEEN_KIND,
	MEM_UNSEEN_THREAD,
	MEM_UNSEEN_MODULE,
	MEM_UNSEEN_MAPPING,
	MEM_UNSEEN_HOOK,
	MEM_UNSEEN_KINDS
};

/*
 * Before which accesses the program records its call stack. MEM_SUSPECT_LOST: to bytes of the heap
 * that are in no block. MEM_SUSPECT_UNSET: loads of words from malloc to which nothing was stored.
 * MEM_SUSPECT_LOCK: to locks, by the functions for them. MEM_SUSPECT_RACE: all accesses that take
 * stamps, and those by calls, once there is a second thread.
 */
enum mem_suspect {
	MEM_SUSPECT_LOST = 1,
	MEM_SUSPECT_UNSET = 2,
	MEM_SUSPECT_LOCK = 4,
	MEM_SUSPECT_RACE = 8
};
enum { MEM_FRAMES_MAX = 64 };

/* Call stacks. nfamem sets it before the program starts. */
struct mem_stacks {
	uint32_t frames;   /* most return addresses of a stack; 0: no stacks are recorded */
	uint32_t suspects; /* enum mem_suspect */
};

/*
 * For --stack. nfamem sets `wanted` before the program starts. While the program waits
 * (mem_watch.pending), it fills in the modules whose code is to be checked: their lowest addresses.
 */
enum { MEM_CODE_MODULES = 64 };
struct mem_code {
	uint32_t wanted, modules;
	uint64_t module[MEM_CODE_MODULES];
};

struct mem_counts {
	_Atomic uint64_t faults; /* number of SIGSEGVs that were accesses */
	_Atomic uint64_t steps;  /* number of single steps */
	_Atomic uint64_t unseen[MEM_UNSEEN_KINDS];
};

/* Who reads the channel, and what happens when that process is gone. */
struct mem_loss {
	uint32_t reader; /* process id of nfamem */
	uint32_t when;   /* enum mem_when_lost */
	/*
	 * A robust mutex that nfamem holds as long as it reads. If nfamem is killed, the kernel sets
	 * MEM_OWNER_DIED in its first word.
	 */
	_Atomic uint32_t holder[16];
};

struct mem_channel {
	uint32_t magic, version;
	uint64_t bytes; /* size of the whole channel */
	struct mem_sizes size;
	uint32_t engine;
	/*
	 * 1: plain loads and stores of up to 8 bytes take stamps, as atomic instructions do. nfamem
	 * sets it before the program starts.
	 */
	uint32_t ordered;
	uint32_t leaks; /* 1: leaks are looked for at the exit. nfamem sets it before the start */
	/*
	 * 1: accesses by copies of instructions, and events for which mem_only_counted() is true,
	 * are only counted, in each thread's counters, by site number or event. nfamem sets it
	 * before the program starts.
	 */
	uint32_t counting;
	struct mem_stacks stacks;
	struct mem_code code;
	struct mem_loss loss;
	_Atomic uint32_t sites;   /* the next site number; numbers begin at MEM_SITE_FIRST */
	_Atomic uint32_t threads; /* that began; each gets its own ring while rings are left */
	_Atomic uint64_t stamp;
	_Atomic uint32_t state;  /* enum mem_state */
	_Atomic uint32_t detach; /* nfamem sets it: open all memory at the next chance */
	struct mem_counts count;
	char reason[256];        /* why the program, or a part of it, is not watched */
	struct mem_follow follow;
	struct mem_watch watch;
};

/* Whether nfamem ended without letting go of the program. */
static inline int mem_reader_died(struct mem_channel *c)
{
	return (atomic_load_explicit(&c->loss.holder[0], memory_order_relaxed) & MEM_OWNER_DIED) != 0;
}

/*
 * The offset, in bytes from the start of the channel, of its table of sites; the offset of ring
 * `number`; and the size of the whole channel.
 */
static inline uint64_t mem_sites_at(void)
{
	return (sizeof(struct mem_channel) + 4095) & ~UINT64_C(4095);
}

static inline uint64_t mem_ring_at(const struct mem_channel *c, uint32_t number)
{
	uint64_t sites = (c->size.sites_max * sizeof(struct mem_site) + 4095) & ~UINT64_C(4095);
	return mem_sites_at() + sites + number * (4096 + (uint64_t)c->size.ring_words * 8);
}

static inline uint64_t mem_channel_bytes(const struct mem_channel *c)
{
	return mem_ring_at(c, c->size.threads_max) +
	       c->size.threads_max * (uint64_t)c->size.counters * 8;
}

static inline struct mem_site *mem_sites(struct mem_channel *c)
{
	return (struct mem_site *)((char *)c + mem_sites_at());
}

static inline struct mem_ring *mem_ring(struct mem_channel *c, uint32_t number)
{
	return (struct mem_ring *)((char *)c + mem_ring_at(c, number));
}

/*
 * The counters of ring `number`, by site number, or by event below MEM_SITE_FIRST. Only its thread
 * writes them.
 */
static inline uint64_t *mem_counters(struct mem_channel *c, uint32_t number)
{
	const uint64_t rings = mem_ring_at(c, c->size.threads_max);
	return (uint64_t *)((char *)c + rings + number * (uint64_t)c->size.counters * 8);
}

/* The words of a ring. */
static inline uint64_t *mem_words(struct mem_ring *r)
{
	return (uint64_t *)((char *)r + 4096);
}
#endif
