/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * system.h: a small computer in which the truth beside every snoop is known: cores with first-level
 * caches and TLBs, a shared second-level cache, page tables in memory, an operating system, and the
 * front end at the interconnect. It is deterministic: the same settings give the same snoops.
 *
 * Time is counted in steps. In a step one core does one access, or a part of the work of its
 * operating system. Without races every invalidation is complete before anything else happens, and
 * so is a task of the operating system. With races, both take several steps, and cores go on.
 */
#ifndef NFACC_PROBES_VIRTUAL_SYSTEM_H
#define NFACC_PROBES_VIRTUAL_SYSTEM_H

#include "probes/virtual/model/front.h"

enum {
	SYS_CORES = 4,
	SYS_PROCESSES = 3, /* 0: the traced one; 1: another one; 2: the child of a fork */
	SYS_THREADS = 4,   /* 0, 1: of process 0; 2: of process 1; 3: of the child */
	SYS_MOST_FRAMES = 65536,
	SYS_HUGE_FRAMES = 2048, /* the first frames: four huge pages */
	SYS_LINE_WORDS = 8,
	SYS_TLB = 512,
	SYS_TLB_BLOCKS = 8,
	SYS_WALKS = 16, /* tables that the walk cache of a core knows */
	SYS_MESSAGES = 256,
	SYS_RECENT = 256 /* addresses used lately that are remembered */
};

/* Who causes a snoop. */
enum sys_cause_kind { SYS_ACCESS, SYS_PREFETCH, SYS_WALK, SYS_KERNEL };

struct sys_cause {
	enum sys_cause_kind kind;
	int process;
	uint64_t va; /* of the access, or of the line that is prefetched */
};

enum sys_access_kind { SYS_FETCH, SYS_LOAD, SYS_STORE };

/* A snoop and the truth beside it. */
struct sys_snoop {
	struct virt_snoop snoop;
	struct virt_annotated annotated;
	struct sys_cause cause;
};

/* What became of the snoops, held against the truth. */
struct sys_truth {
	uint64_t right;    /* the address of the access that caused the snoop */
	uint64_t wrong;    /* another address than that */
	uint64_t foreign;  /* an address, but the process did not cause the snoop */
	uint64_t missed;   /* the process caused the snoop, in the range, and it has no address */
	uint64_t shared;   /* withheld, because other processes map the frame, too */
	/* Of observation points in the range, while it is traced. Hits include snoops that are shared
	 * and the process's own. */
	uint64_t point_accesses, point_prefetches, point_hits;
};

struct sys_options {
	uint64_t seed;
	unsigned cores, levels;   /* of the page tables: 3 or 4 */
	unsigned frames;          /* of memory: more than SYS_HUGE_FRAMES, at most SYS_MOST_FRAMES */
	unsigned latency;         /* the most steps that an invalidation takes; 0: no races */
	unsigned l1_lines, l2_lines, l2_ways;
	unsigned tlb_entries;     /* of a core: a power of two, at most SYS_TLB */
	unsigned prefetch;        /* one of so many misses prefetches the next line; 0: none */
	unsigned speculate;       /* one of so many steps walks for an address; 0: none */
	unsigned rtlb_entries;
	bool front;               /* there is a front end */
	bool published;           /* it works as published */
	uint64_t start, end;      /* the range that it traces */
	unsigned npoints;
	uint64_t point[VIRT_POINTS]; /* observation points: addresses of lines */
	/* One of so many steps of the process begins such a task; 0: none does. */
	unsigned migrate, unmap, fork, age, alias, rollover, switches;
	/* Synthetic accesses: pages of each process, and every n-th region is of huge pages. */
	unsigned pages;
	bool huge;
	bool apart;   /* threads of a process share no pages */
};

struct sys_line {
	uint64_t pa; /* of the line, plus one; 0: there is none */
	uint32_t used;
	bool dirty;
	uint64_t word[SYS_LINE_WORDS];
};

struct sys_cache {
	unsigned sets, ways;
	uint32_t clock;
	struct sys_line *line;
};

struct sys_tlb_entry {
	bool used, writable;
	uint16_t asid;
	uint64_t va, pa;
	unsigned level;
};

/* A table that a core has found on a walk: the level, and what it translates. */
struct sys_walk_entry {
	bool used;
	uint16_t asid;
	uint64_t va, pa;
	unsigned level;
};

/* A DVM message on its way to a core. */
struct sys_message {
	struct virt_dvm dvm;
	uint64_t due; /* the step in which the core takes it in */
};

/* What the operating system does on a core, in parts. */
enum sys_task_kind {
	SYS_NO_TASK,
	SYS_UNMAP,
	SYS_MIGRATE,
	SYS_COPY,  /* a store to a page that others map, too: the process gets its own */
	SYS_AGE,   /* the access flag is cleared, to see whether the page is used */
	SYS_ALIAS, /* a further address for a frame */
	SYS_FORK,  /* or, if the child lives, its end */
	SYS_EXIT
};

struct sys_task {
	enum sys_task_kind kind;
	unsigned phase;
	int process;
	uint64_t va;
	uint64_t entry, old;   /* the table entry, and what it was */
	uint64_t table;        /* of an empty table: its frame */
	uint64_t wait; /* the step before which the task does not go on */
};

struct sys_core {
	struct sys_cache l1i, l1d;
	struct sys_tlb_entry tlb[SYS_TLB], block[SYS_TLB_BLOCKS];
	struct sys_walk_entry walk[SYS_WALKS];
	unsigned next_block, next_walk, next_way;
	struct sys_message message[SYS_MESSAGES];
	unsigned first_message, nmessages;
	int thread; /* -1: idle */
	struct sys_task task;
};

struct sys_process {
	bool alive;
	uint16_t asid;
	uint64_t pgd;
	int busy; /* the core that changes its tables; -1: none */
};

struct sys_thread {
	int process;
	uint64_t random, count; /* its own random numbers; accesses done */
	uint64_t page;          /* the page that it works on */
	bool pending;           /* the access below faulted, and is to be done again */
	enum sys_task_kind want; /* the task that comes before the next access */
	uint64_t want_va;
	enum sys_access_kind kind;
	uint64_t va;
};

struct sys {
	struct sys_options o;
	struct virt_front *front;
	uint64_t *memory; /* [frames * 512] words */
	uint16_t *maps;   /* [frames]: how many processes map a frame; tables are mapped once */
	uint16_t *free;   /* frames that are free, the last one first to be used */
	unsigned nfree;
	uint8_t huge_used;
	struct sys_cache l2;
	struct sys_core core[SYS_CORES];
	struct sys_process process[SYS_PROCESSES];
	struct sys_thread thread[SYS_THREADS];
	uint16_t next_asid;
	uint64_t random, front_random; /* of the schedule; of invalidations of the front end */
	uint64_t step;
	unsigned micro; /* memory operations done in this step */
	bool cleaning, sending; /* requests of the front end that are under way */
	struct virt_request clean, send;
	uint64_t clean_due, send_due;
	struct sys_cause cause;
	uint64_t recent[SYS_RECENT]; /* by sys_access() */
	struct sys_truth truth;
	uint64_t snoops, accesses, misses[2]; /* first level, second level */
	bool tracing, failed; /* failed: memory is used up */
	/* Called for each read snoop of the front end that is no table, if not NULL. */
	void (*sink)(void *ctx, const struct sys_snoop *s);
	void *ctx;
};

/* Sensible settings for random runs: small caches, so that much is seen. */
struct sys_options sys_options_random(uint64_t seed, bool races);

/* The caches and TLBs of a Cortex-A53 of the Zynq UltraScale+, with a second level of 1 MiB. */
struct sys_options sys_options_board(void);

/* Makes a system. NULL: out of memory. */
struct sys *sys_new(const struct sys_options *o);
void sys_free(struct sys *s);

/* Begins to trace. Before it the front end is silent. */
void sys_trace(struct sys *s);

/* Runs the synthetic processes until each thread of the traced one has done n more accesses. */
void sys_run(struct sys *s, uint64_t n);

/* Does one access of the traced process on a core, with the page faults that it takes and the tasks
 * that are due. */
void sys_access(struct sys *s, unsigned core, enum sys_access_kind kind, uint64_t va,
		unsigned bytes);

/* Lets everything that is under way come to its end, and writes all dirty lines to memory. */
void sys_finish(struct sys *s);

/* Returns a hash of what memory holds: of every byte; or of what process 0 sees at its addresses,
 * whatever frames it is in. */
uint64_t sys_hash(const struct sys *s);
uint64_t sys_hash_seen(struct sys *s);

#endif
