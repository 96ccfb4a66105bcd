/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * The channel: the memory that nfamem shares with a program it watches. The program writes into it
 * what happened, and nfamem reads it. Each thread of the program has a ring of its own.
 *
 * Layout: struct mem_channel comes first, then sites_max times struct mem_site, then threads_max
 * rings. A ring is a struct mem_ring on a page of its own, followed by ring_words words
 * (mem_ring_at). ring_words is a power of two and at least 2^17. Each ring has one writer (its
 * thread) and one reader (nfamem). Words are numbered from 0, and the numbers only grow. Word n is
 * at index n & (ring_words - 1).
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

enum {
	MEM_MAGIC = 0x4d46636e, /* "ncFM" */
	MEM_VERSION = 3,
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
	MEM_REALLOC,  /* R: address, bytes, old address, pc */
	MEM_FREE,     /* F: address, pc */
	MEM_MMAP,     /* P: address, bytes, pc, prot, flags */
	MEM_MREMAP,   /* E: address, bytes, old address, old bytes, pc */
	MEM_MUNMAP,   /* U: address, bytes, pc */
	MEM_BRK,      /* old end, new end, pc */
	MEM_MODULE,   /* load bias, lowest address, highest address + 1, path in words, 0-padded */
	MEM_UNMODULE, /* lowest address */
	MEM_REGION,   /* address, bytes, enum mem_region_kind: the range is watched from now on */
	MEM_UNREGION, /* address, bytes: the range is no longer watched */
	MEM_LOCK,     /* object, pc (a mutex, rwlock, spin lock or semaphore was taken) */
	MEM_UNLOCK,   /* object, pc */
	MEM_INIT,     /* object, pc (pthread_mutex_init and its like) */
	MEM_DESTROY,  /* object, pc */
	MEM_THREAD,   /* number of the ring of a thread that this one created, pc */
	MEM_EXIT,     /* this thread ends; later words are from the next owner of this ring */
	MEM_BEGIN,    /* the program called MadT__start */
	MEM_END,      /* the program called MadT__stop */
	MEM_FORK,     /* process id of the child, number of its channel or 0 */
	MEM_EXEC,     /* path of the program that will run, in words, 0-padded; exec may fail */
	MEM_SPAWN,    /* process id of a child of vfork that calls exec, path */
	MEM_EVENTS
};

enum mem_kind { MEM_LOAD, MEM_SAVE, MEM_BOTH, MEM_KINDS };
enum mem_region_kind { MEM_DATA, MEM_BSS, MEM_HEAP, MEM_MAPPED, MEM_REGION_KINDS };
enum mem_engine { MEM_PATCH, MEM_STUB, MEM_STEP, MEM_ENGINES };

/* How accesses of a site are handled now. */
enum mem_site_state { MEM_SITE_STEPPED, MEM_SITE_STUBBED, MEM_SITE_PATCHED };

struct mem_site {
	uint64_t pc;
	uint16_t bytes; /* size of one access */
	uint8_t kind : 7;   /* enum mem_kind */
	uint8_t atomic : 1; /* the instruction has a lock prefix or is xchg */
	uint8_t state;  /* enum mem_site_state */
	uint32_t faults;
};

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

/* How many sites and rings there are, and how many words a ring has. */
struct mem_sizes {
	uint32_t sites_max, threads_max, ring_words;
};

/*
 * For --watch: only these ranges are watched. nfamem sets `pending` to 1 before the program starts.
 * The program writes all MEM_MODULE events, sets `pending` to 2 and waits. nfamem reads the events,
 * fills in the fields below and sets `pending` to 0. `range` holds first `ranges` ranges of data,
 * then `callers` ranges of code. Memory that this code allocates is watched.
 */
struct mem_watch {
	_Atomic uint32_t pending;
	uint32_t ranges, callers;
	struct {
		uint64_t from, bytes;
	} range[64];
};

struct mem_channel {
	uint32_t magic, version;
	uint64_t bytes; /* size of the whole channel */
	struct mem_sizes size;
	uint32_t engine;
	uint32_t reader; /* process id of nfamem; when it is gone, the program runs on unwatched */
	_Atomic uint32_t sites;   /* the next site number; numbers begin at MEM_SITE_FIRST */
	_Atomic uint32_t threads; /* that began; each gets its own ring while rings are left */
	_Atomic uint64_t stamp;
	_Atomic uint32_t state;  /* enum mem_state */
	_Atomic uint32_t detach; /* nfamem sets it: open all memory at the next chance */
	_Atomic uint64_t faults; /* number of SIGSEGVs that were accesses */
	char reason[256];        /* why the program, or a part of it, is not watched */
	struct mem_follow follow;
	struct mem_watch watch;
};

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
	return mem_ring_at(c, c->size.threads_max);
}

static inline struct mem_site *mem_sites(struct mem_channel *c)
{
	return (struct mem_site *)((char *)c + mem_sites_at());
}

static inline struct mem_ring *mem_ring(struct mem_channel *c, uint32_t number)
{
	return (struct mem_ring *)((char *)c + mem_ring_at(c, number));
}

/* The words of a ring. */
static inline uint64_t *mem_words(struct mem_ring *r)
{
	return (uint64_t *)((char *)r + 4096);
}
#endif
