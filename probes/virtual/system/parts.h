/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * parts.h: the functions that the files of the system model share: memory and caches, the
 * interconnect, translation, and the operating system.
 */
#ifndef NFACC_PROBES_VIRTUAL_MODEL_PARTS_H
#define NFACC_PROBES_VIRTUAL_MODEL_PARTS_H

#include "probes/virtual/system/system.h"

/* Returns the next random number of a stream. */
static inline uint64_t sys_random(uint64_t *stream)
{
	uint64_t z = *stream += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

/* True once in n times, at random. Never true if n is 0. */
static inline bool sys_one_of(uint64_t *stream, unsigned n)
{
	return n != 0 && sys_random(stream) % n == 0;
}

/* ---- memory.c: every word goes through the caches; each function is one memory operation ---- */

bool sys_cache_new(struct sys_cache *c, unsigned lines, unsigned ways);
uint64_t sys_load(struct sys *s, unsigned core, uint64_t pa);
void sys_store(struct sys *s, unsigned core, uint64_t pa, uint64_t value);
void sys_fetch(struct sys *s, unsigned core, uint64_t pa);
/* Copies a frame, line by line. */
void sys_copy(struct sys *s, unsigned core, uint64_t from, uint64_t to);
/* Reads a table entry for a walk. Walks read from the second-level cache. */
uint64_t sys_walk_read(struct sys *s, uint64_t pa);
/* Writes zeros to a frame, line by line. The lines are not read for that. */
void sys_zero(struct sys *s, unsigned core, uint64_t pa);
/* Returns the current value of a word. The caches do not change. */
uint64_t sys_peek(const struct sys *s, uint64_t pa);
/* Writes a line to memory and removes it from all caches except for the instruction caches. */
void sys_clean_line(struct sys *s, uint64_t pa);
/* sys_drop_code(): removes a line from the instruction caches. */
void sys_drop_code(struct sys *s, uint64_t pa);
void sys_clean_all(struct sys *s);

/* ---- bus.c: the interconnect ---- */

/* Whether the address is in the line of an observation point, and in the range. */
bool sys_is_point(const struct sys *s, uint64_t va);
/* Passes a snoop of the line of an address. The reader wants this address first. */
void sys_snoop(struct sys *s, enum virt_snoop_kind kind, uint64_t pa);
/* Called after each memory operation: the front end may now have lines cleaned. */
void sys_after_operation(struct sys *s);
/*
 * Called after a speculative walk, or after a part of a walk. Without races, carries out the front
 * end's requests. Returns whether a message was sent. It may have invalidated what the walk has
 * found.
 */
bool sys_between_operations(struct sys *s);
/* Called between two steps: messages arrive at the cores. */
void sys_between_steps(struct sys *s);
/* A core sends a message and then a Sync. Returns the step in which the Sync is complete. */
uint64_t sys_broadcast(struct sys *s, const struct virt_dvm *m);

/* ---- translate.c ---- */

/*
 * Translates an address for a core. Returns false on a page fault. A speculative walk causes no
 * fault, and changes only the TLB.
 */
bool sys_translate(struct sys *s, unsigned core, uint64_t va, bool store, uint64_t *pa);
void sys_tlb_take(struct sys_core *c, const struct virt_dvm *m);
void sys_tlb_flush(struct sys_core *c);

/* ---- kernel.c: the operating system ---- */

bool sys_kernel_new(struct sys *s);
/*
 * Handles a page fault of the process in s->cause: maps a page, or begins a task. Does nothing if
 * another core is changing the tables.
 */
void sys_fault(struct sys *s, unsigned core, uint64_t va);
/*
 * Begins a task for process p at an address. Returns false if another core is changing the tables.
 */
bool sys_begin(struct sys *s, unsigned core, enum sys_task_kind kind, int p, uint64_t va);
/* Does the next phase of the core's task. Without races it does all phases. */
void sys_work(struct sys *s, unsigned core);
/* Gives all processes new address space numbers. */
void sys_rollover(struct sys *s);
/*
 * Returns the physical address of the entry that translates va, and its level. Returns 0 if a table
 * above it does not exist.
 */
uint64_t sys_entry_of(const struct sys *s, int p, uint64_t va, unsigned *level);
/* Calls `visit` for each valid translation of process p, in order of addresses. */
void sys_each_page(struct sys *s, int p,
		   void (*visit)(struct sys *s, void *ctx, uint64_t va, uint64_t entry,
				 unsigned level),
		   void *ctx);
/* Whether a core may run this thread: there is one, and its process exists. */
bool sys_thread_lives(const struct sys *s, int thread);

#endif
