/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * system.h: a small computer. For each snoop the model knows what really caused it. The computer
 * has cores with first-level caches and TLBs, a shared second-level cache, page tables in memory,
 * an operating system, and the front end at the interconnect. It is deterministic: the same
 * settings give the same snoops.
 *
 * Time is counted in steps. In one step one core does one access, or one phase of a task of its
 * operating system. Without races, an invalidation is complete before anything else happens, and so
 * is a task. With races, both take several steps, and other cores go on meanwhile.
 */
#ifndef NFACC_PROBES_VIRTUAL_SYSTEM_H
#define NFACC_PROBES_VIRTUAL_SYSTEM_H

#include "probes/virtual/kernel/policy.h"
#include "probes/virtual/model/front.h"

enum {
	SYS_CORES = 4,
	SYS_PROCESSES = 3, /* 0: the traced one; 1: another one; 2: the child of a fork */
	SYS_THREADS = 4,   /* 0, 1: of process 0; 2: of process 1; 3: of the child */
	SYS_MOST_FRAMES = 65536,
	SYS_HUGE_FRAMES = 2048, /* the first frames are for four huge pages */
	SYS_LINE_WORDS = 8,
	SYS_TLB = 512,
	SYS_TLB_BLOCKS = 8,
	SYS_WALKS = 16, /* tables that a core's walk cache can hold */
	SYS_MESSAGES = 256,
	SYS_RECENT = 256 /* number of recently used addresses that are remembered */
};

/* What causes a snoop. */
enum sys_cause_kind { SYS_ACCESS, SYS_PREFETCH, SYS_WALK, SYS_KERNEL };

struct sys_cause {
	enum sys_cause_kind kind;
	int process;
	uint64_t va; /* of the access, or of the line that is prefetched */
};

enum sys_access_kind { SYS_FETCH, SYS_LOAD, SYS_STORE };

/* A snoop, and what really caused it. */
struct sys_snoop {
	struct virt_snoop snoop;
	struct virt_annotated annotated;
	struct sys_cause cause;
};

/* How many annotations were right, compared with the truth. */
struct sys_truth {
	uint64_t right;    /* the address of the access that caused the snoop */
	uint64_t wrong;    /* another address */
	uint64_t foreign;  /* an address, but the process did not cause the snoop */
	uint64_t missed;   /* no address, but the process caused the snoop in the range */
	uint64_t shared;   /* no address given, because other processes map the frame, too */
	/*
	 * For observation points in the range, while tracing. Hits include snoops of shared frames
	 * that the process itself caused.
	 */
	uint64_t point_accesses, point_prefetches, point_hits;
};

/* The computer. */
struct sys_machine {
	unsigned cores, levels; /* levels: of the page tables, 3 or 4 */
	unsigned frames;        /* of memory: above SYS_HUGE_FRAMES, up to SYS_MOST_FRAMES */
	unsigned latency;       /* most steps that an invalidation takes; 0: no races */
	unsigned l1_lines, l2_lines, l2_ways;
	unsigned tlb_entries; /* of a core: a power of two, at most SYS_TLB */
	unsigned prefetch;    /* one in this many misses prefetches the next line; 0: none */
	unsigned speculate;   /* one in this many steps does a speculative walk; 0: none */
};

/* The front end. */
struct sys_tracing {
	bool front;     /* there is a front end */
	bool published; /* it works as published */
	unsigned rtlb_entries;
	uint64_t start, end; /* the range that is traced */
	unsigned npoints;
	uint64_t point[VIRT_POINTS]; /* addresses of the lines of observation points */
};

/* One in this many accesses or steps begins such a task of the operating system; 0: none does. */
struct sys_tasks {
	unsigned migrate, unmap, fork, age, alias, rollover, switches;
};

/* Synthetic accesses. */
struct sys_synthetic {
	unsigned pages; /* of each thread */
	bool huge;      /* one of their regions may have huge pages */
	bool apart;     /* threads of a process share no pages */
};

struct sys_options {
	uint64_t seed;
	struct sys_machine machine;
	struct sys_tracing tracing;
	struct sys_tasks tasks;
	struct sys_synthetic synthetic;
};

struct sys_line {
	uint64_t pa; /* address of the line + 1; 0: the place is free */
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

/* A table that a core found on a walk: its level, and the addresses that it translates. */
struct sys_walk_entry {
	bool used;
	uint16_t asid;
	uint64_t va, pa;
	unsigned level;
};

/* A DVM message that has not reached its core yet. */
struct sys_message {
	struct virt_dvm dvm;
	uint64_t due; /* the step in which the core receives it */
};

/* What the operating system does on a core, in several phases. */
enum sys_task_kind {
	SYS_NO_TASK,
	SYS_UNMAP,
	SYS_MIGRATE,
	SYS_COPY,  /* a store to a page that others map, too: makes a copy for the process */
	SYS_AGE,   /* clears the access flag, to see whether the page is used */
	SYS_ALIAS, /* gives a frame a second address */
	SYS_FORK,  /* a child begins; if there is one, it ends */
	SYS_EXIT
};

struct sys_task {
	enum sys_task_kind kind;
	unsigned phase;
	int process;
	uint64_t va;
	uint64_t entry, old;   /* address of the table entry, and its old value */
	uint64_t table;        /* the frame of a table that became empty */
	uint64_t wait; /* the task goes on in this step */
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
	uint64_t random, count; /* its own random numbers; number of accesses done */
	uint64_t page;          /* the page that it is using */
	bool pending;           /* the access below faulted, and must be done again */
	enum sys_task_kind want; /* a task to begin before the next access */
	uint64_t want_va;
	enum sys_access_kind kind;
	uint64_t va;
};

/* The memory of the computer, in frames. */
struct sys_frames {
	uint64_t *memory; /* [frames * 512] words */
	uint16_t *maps;   /* [frames]: number of mappings of each frame; 1 for a table */
	uint16_t *free;   /* free frames; the last one is used first */
	unsigned nfree;
	uint8_t huge_used;
};

/* Which step it is, and what decides what happens next. */
struct sys_schedule {
	uint64_t random;
	uint64_t step;
	unsigned micro; /* memory operations in this step */
};

/* Requests of the front end that are under way. */
struct sys_requests {
	uint64_t front_random;
	bool cleaning, sending;
	struct virt_request clean, send;
	uint64_t clean_due, send_due;
};

/* What is known about the snoops, but not to the front end. */
struct sys_known {
	struct sys_cause cause;      /* of the snoops that come now */
	uint64_t recent[SYS_RECENT]; /* addresses, used only by sys_access() */
	struct sys_truth truth;
};

struct sys_counts {
	uint64_t snoops, accesses, misses[2]; /* misses: first level, second level */
};

/* If `sink` is not NULL, it is called for each read snoop that is not of a table line. */
struct sys_listener {
	void (*sink)(void *ctx, const struct sys_snoop *s);
	void *ctx;
};

struct sys {
	struct sys_options o;
	struct virt_front *front;
	struct sys_frames frames;
	struct sys_cache l2;
	struct sys_core core[SYS_CORES];
	struct sys_process process[SYS_PROCESSES];
	struct sys_thread thread[SYS_THREADS];
	uint16_t next_asid;
	struct sys_schedule schedule;
	struct sys_requests requests;
	struct sys_known known;
	struct sys_counts counts;
	bool tracing, failed; /* failed: no memory is left */
	struct sys_listener listener;
};

/* Settings for random runs. The caches are small, so that there are many snoops. */
struct sys_options sys_options_random(uint64_t seed, bool races);

/*
 * Settings of a Cortex-A53 in a Zynq UltraScale+: its caches and TLBs, and a second level of 1 MiB.
 */
struct sys_options sys_options_board(void);

/* Makes a system. Returns NULL if there is no memory. */
struct sys *sys_new(const struct sys_options *o);
void sys_free(struct sys *s);

/* What a driver is told to trace of a process: its tables, its number, and the rest by options. */
struct nfavirt_setup sys_setup(const struct sys_options *o, uint64_t pgd, uint64_t asid);

/* Begins to trace. Before that the front end does nothing. */
void sys_trace(struct sys *s);

/* Runs the synthetic processes until each thread of the traced process has done n more accesses. */
void sys_run(struct sys *s, uint64_t n);

/*
 * Does one access of the traced process on a core. Also handles its page faults and the tasks that
 * are due.
 */
void sys_access(struct sys *s, unsigned core, enum sys_access_kind kind, uint64_t va,
		unsigned bytes);

/* Finishes everything that is under way, and writes all dirty lines to memory. */
void sys_finish(struct sys *s);

/*
 * sys_hash() returns a hash of every byte in memory. sys_hash_seen() returns a hash of what process
 * 0 sees at its addresses, independent of the frames.
 */
uint64_t sys_hash(const struct sys *s);
uint64_t sys_hash_seen(struct sys *s);

#endif
