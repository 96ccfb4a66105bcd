/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * parts.h: what the files of the system model call in each other: memory and caches, the
 * interconnect, translation, the operating system.
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

/* Is it one of n times? Never for 0. */
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
/* Reads a table entry for a walk: from the second level, not the first. */
uint64_t sys_walk_read(struct sys *s, uint64_t pa);
/* Zeroes a frame, line by line, without reading it. */
void sys_zero(struct sys *s, unsigned core, uint64_t pa);
/* Returns the newest value of a word, and leaves the caches as they are. */
uint64_t sys_peek(const struct sys *s, uint64_t pa);
/* Writes a line to memory and removes it from the caches, except those of instructions. */
void sys_clean_line(struct sys *s, uint64_t pa);
/* Removes the line from the caches of instructions. */
void sys_drop_code(struct sys *s, uint64_t pa);
void sys_clean_all(struct sys *s);

/* ---- bus.c: the interconnect ---- */

/* Is the address in an observation point of the range? */
bool sys_is_point(const struct sys *s, uint64_t va);
void sys_snoop(struct sys *s, enum virt_snoop_kind kind, uint64_t pa);
/* After each memory operation: lines that the front end wants out of the caches may go now. */
void sys_after_operation(struct sys *s);
/* Behind a speculative walk, or a part of a walk. Without races, the front end's requests are done
 * now. Returns whether a message was sent, which may have invalidated what the walk has found. */
bool sys_between_operations(struct sys *s);
/* Between steps: messages reach the cores. */
void sys_between_steps(struct sys *s);
/* A core sends a message. Returns the step in which a Sync behind it is complete. */
uint64_t sys_broadcast(struct sys *s, const struct virt_dvm *m);

/* ---- translate.c ---- */

/* Translates an address for a core. False: a page fault. A speculative walk causes no fault, and
 * changes nothing but the TLB. */
bool sys_translate(struct sys *s, unsigned core, uint64_t va, bool store, uint64_t *pa);
void sys_tlb_take(struct sys_core *c, const struct virt_dvm *m);
void sys_tlb_flush(struct sys_core *c);

/* ---- kernel.c: the operating system ---- */

bool sys_kernel_new(struct sys *s);
/* Handles a page fault of the process of s->cause: maps a page, or begins a task. Does nothing if
 * another core is changing the tables. */
void sys_fault(struct sys *s, unsigned core, uint64_t va);
/* Begins a task for process p at an address. False: another core is changing the tables. */
bool sys_begin(struct sys *s, unsigned core, enum sys_task_kind kind, int p, uint64_t va);
/* Does the next part of the core's task. Without races: all parts. */
void sys_work(struct sys *s, unsigned core);
/* Gives all processes new numbers. */
void sys_rollover(struct sys *s);
/* Returns the physical address of the entry that translates va, and its level; 0: a table on the
 * way is missing. */
uint64_t sys_entry_of(const struct sys *s, int p, uint64_t va, unsigned *level);
/* Calls visit for each valid translation of process p, in order of addresses. */
void sys_each_page(struct sys *s, int p,
		   void (*visit)(struct sys *s, void *ctx, uint64_t va, uint64_t entry,
				 unsigned level),
		   void *ctx);
/* Is a core with this thread at work? Threads of processes that do not live are not. */
bool sys_thread_lives(const struct sys *s, int thread);

#endif
