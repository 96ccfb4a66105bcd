/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * The memory that nfamem shares with a program it watches: what happened there, a ring a thread.
 *
 * Layout: struct mem_channel, then sites_max struct mem_site, then threads_max rings, each a struct
 * mem_ring on its own page followed by ring_words words (a power of two, at least 2^17; see
 * mem_ring_at). One writer (the thread) and one reader (nfamem) a ring; numbers of words only grow,
 * an index is such a number & (ring_words - 1).
 *
 * A word is an access: address in the low 47 bits, site number in the 17 above. Site numbers below
 * MEM_SITE_FIRST are events instead: the low bits then hold how many words follow
 * (mem_event_words), which the comment beside each event names in order. A writer publishes by
 * moving `written` behind a whole event, never in the middle of one.
 *
 * Order. Each ring is in its thread's order. MEM_STAMP carries a number from `stamp`, taken by one
 * atomic addition: before a thread lets others go on (unlock, create, exit) and after it was let go
 * (lock, join, start), and on both sides of what may be either (atomic instructions, system calls).
 * A reader that has seen stamp s reads all other rings up to stamps below s before it goes on
 * behind s; then what synchronisation orders is in order.
 */
#ifndef NFACC_PROBES_MEMORY_READER_CHANNEL_H
#define NFACC_PROBES_MEMORY_READER_CHANNEL_H
#include <stdatomic.h>
#include <stdint.h>

enum {
	MEM_MAGIC = 0x4d46636e, /* "ncFM" */
	MEM_VERSION = 2,
	MEM_ADDRESS_BITS = 47,
	MEM_SITES_MAX = 1 << 17,
	MEM_SITE_FIRST = 64,
};

/*
 * pc is always the address of the instruction, or of the call's return address for what wrappers
 * record.
 */
enum mem_event {
	MEM_NONE,
	MEM_STAMP,  /* stamp */
	MEM_ACCESS, /* pc, address, bytes, enum mem_kind: no site number left, or a rep string */
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
	MEM_REGION,   /* address, bytes, enum mem_region_kind: this range is watched from here on */
	MEM_UNREGION, /* address, bytes */
	MEM_LOCK,     /* object, pc (mutex, rwlock, spin lock, semaphore: taken) */
	MEM_UNLOCK,   /* object, pc */
	MEM_INIT,     /* object, pc (pthread_mutex_init and its like) */
	MEM_DESTROY,  /* object, pc */
	MEM_THREAD,   /* number of the ring of a thread that this one made, pc */
	MEM_EXIT,     /* of this thread: what follows is of the next that has this ring */
	MEM_BEGIN,    /* MadT__start */
	MEM_END,      /* MadT__stop */
	MEM_FORK,     /* pid of the child, number of its channel or 0 */
	MEM_EXEC,     /* path of the program in words, 0-padded; it may fail */
	MEM_SPAWN,    /* pid of a child of vfork that does so, path */
	MEM_EVENTS
};

enum mem_kind { MEM_LOAD, MEM_SAVE, MEM_BOTH, MEM_KINDS };
enum mem_region_kind { MEM_DATA, MEM_BSS, MEM_HEAP, MEM_MAPPED, MEM_REGION_KINDS };
enum mem_engine { MEM_PATCH, MEM_STUB, MEM_STEP, MEM_ENGINES };

/* How a site is handled now. */
enum mem_site_state { MEM_SITE_STEPPED, MEM_SITE_STUBBED, MEM_SITE_PATCHED };

struct mem_site {
	uint64_t pc;
	uint16_t bytes; /* of one access */
	uint8_t kind : 7;   /* enum mem_kind */
	uint8_t atomic : 1; /* with a lock prefix, or xchg */
	uint8_t state;  /* enum mem_site_state */
	uint32_t faults;
};

struct mem_ring {
	_Atomic uint64_t written; /* by the thread, in words */
	uint8_t pad[56];
	_Atomic uint64_t read; /* by nfamem, in words */
	uint32_t tid;
	uint32_t pid;
	_Atomic uint32_t ended; /* its thread has ended: one that begins may go on with this ring */
};

/* MEM_REPLACED: the process runs another program now, which has a channel of its own. */
enum mem_state { MEM_STARTING, MEM_RUNNING, MEM_DETACHED, MEM_REPLACED };

/*
 * Channels of children. With --follow the file holds `slots` channels, one behind the other, and
 * every process maps all of them. The first is that of the program that nfamem starts. A child of
 * fork, and a program that is executed, takes one that is free, says who it is, and waits until it
 * is attached. Once it has ended nfamem gives the channel's memory back, which is zero then: free.
 */
struct mem_follow {
	uint32_t slots;  /* 0: this channel is the only one */
	uint32_t slot;   /* number of this one */
	uint32_t choose; /* programs that are executed wait for --watch */
	uint32_t pid;
	uint64_t pid_space; /* where that is the process id: inode of /proc/self/ns/pid */
	uint32_t origin;    /* slot of the process before, or of its parent */
	uint32_t program;   /* how many programs this process has executed before */
	uint32_t executed;  /* a program that was executed; 0: a child of fork */
	/* Set one after the other: it is not free; all of the above is there; nfamem reads it. */
	_Atomic uint32_t taken, ready, attached;
	/* In the first channel only: how many programs were executed, and 1 + the last slot that
	 * was ever taken. */
	_Atomic uint32_t arrivals, used;
	char path[48]; /* where a program that is executed finds the file */
};

struct mem_channel {
	uint32_t magic, version;
	uint64_t bytes; /* of all of it */
	uint32_t sites_max, threads_max, ring_words, engine;
	uint32_t reader; /* process id of nfamem: when it is gone, the program goes on unwatched */
	_Atomic uint32_t sites;   /* numbers handed out, from MEM_SITE_FIRST */
	_Atomic uint32_t threads; /* that began; each has a ring of its own while there are some */
	_Atomic uint64_t stamp;
	_Atomic uint32_t state;  /* enum mem_state */
	_Atomic uint32_t detach; /* set by nfamem: open everything at the next chance */
	_Atomic uint64_t faults; /* SIGSEGVs that were accesses */
	char reason[256];        /* why the program runs unwatched, where it does */
	struct mem_follow follow;
	/*
	 * --watch: only these. nfamem sets watch_pending to 1 before the program starts. The
	 * program sets it to 2 once all MEM_MODULE are written, and waits. nfamem reads them, fills
	 * in the rest and sets it to 0. First come watch_ranges of data, then watch_callers of
	 * code, whose allocations are meant.
	 */
	_Atomic uint32_t watch_pending;
	uint32_t watch_ranges, watch_callers;
	struct {
		uint64_t from, bytes;
	} watch[64];
};

/*
 * Bytes from the channel's start to its table of sites, to ring `number`, and of the whole channel.
 */
static inline uint64_t mem_sites_at(void)
{
	return (sizeof(struct mem_channel) + 4095) & ~UINT64_C(4095);
}

static inline uint64_t mem_ring_at(const struct mem_channel *c, uint32_t number)
{
	uint64_t sites = (c->sites_max * sizeof(struct mem_site) + 4095) & ~UINT64_C(4095);
	return mem_sites_at() + sites + number * (4096 + (uint64_t)c->ring_words * 8);
}

static inline uint64_t mem_channel_bytes(const struct mem_channel *c)
{
	return mem_ring_at(c, c->threads_max);
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
