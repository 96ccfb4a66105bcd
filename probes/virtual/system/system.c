/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * system.c: threads, their accesses, and the steps of the cores.
 *
 * Each thread has its own random numbers and writes only its own words. So its accesses, and what
 * it leaves in memory, do not depend on the speed of other threads.
 */
#include <stdlib.h>
#include <string.h>

#include "probes/virtual/system/parts.h"

/* With a trace, another process does one access in this many. */
enum { OTHERS = 8 };

struct sys_options sys_options_random(uint64_t seed, bool races)
{
	uint64_t r = seed * 2 + races;

	return (struct sys_options){
		.seed = seed, .frames = 6144,
		.cores = 2 + (unsigned)(sys_random(&r) % 3),
		.levels = 3 + (unsigned)(sys_random(&r) % 2),
		.latency = races ? 1 + (unsigned)(sys_random(&r) % (seed % 2 == 0 ? 24 : 3)) : 0,
		.l1_lines = 64, .l2_lines = 256 << sys_random(&r) % 4, .l2_ways = 8,
		.tlb_entries = 16u << sys_random(&r) % 4,
		.prefetch = (unsigned)(sys_random(&r) % 4), .speculate = 8,
		.rtlb_entries = sys_one_of(&r, 4) ? 32 : VIRT_ENTRIES,
		.front = true,
		.start = sys_one_of(&r, 4) ? 0x10000000 : 0,
		.end = sys_one_of(&r, 4) ? UINT64_C(0x7f80080000) : UINT64_C(1) << 39,
		.migrate = 200, .unmap = 150, .fork = sys_one_of(&r, 2) ? 3000 : 0, .age = 300,
		.alias = sys_one_of(&r, 3) ? 1500 : 0, .rollover = 5000, .switches = 300,
		.pages = 64 << sys_random(&r) % 3, .huge = sys_one_of(&r, 2), .apart = races,
	};
}

struct sys_options sys_options_board(void)
{
	return (struct sys_options){
		.seed = 1, .frames = SYS_MOST_FRAMES, .cores = 4, .levels = 3,
		.l1_lines = 512, .l2_lines = 16384, .l2_ways = 16, .tlb_entries = 512,
		.prefetch = 4, .speculate = 64,
		.rtlb_entries = VIRT_ENTRIES, .front = true, .start = 0, .end = UINT64_C(1) << 39,
		.pages = 256,
	};
}

void sys_free(struct sys *s)
{
	if (s == NULL)
		return;
	for (unsigned i = 0; i < SYS_CORES; i++) {
		free(s->core[i].l1d.line);
		free(s->core[i].l1i.line);
	}
	free(s->l2.line);
	free(s->memory);
	free(s->maps);
	free(s->free);
	free(s->front);
	free(s);
}

static bool make_caches(struct sys *s)
{
	for (unsigned i = 0; i < s->o.cores; i++)
		if (!sys_cache_new(&s->core[i].l1d, s->o.l1_lines, 4) ||
		    !sys_cache_new(&s->core[i].l1i, s->o.l1_lines, 2))
			return false;
	return sys_cache_new(&s->l2, s->o.l2_lines, s->o.l2_ways);
}

struct sys *sys_new(const struct sys_options *o)
{
	struct sys *s = calloc(1, sizeof *s);

	if (s == NULL)
		return NULL;
	s->o = *o;
	if (o->front)
		s->front = malloc(sizeof *s->front);
	if ((o->front && s->front == NULL) || !sys_kernel_new(s) || !make_caches(s)) {
		sys_free(s);
		return NULL;
	}
	if (o->front)
		virt_front_init(s->front, o->rtlb_entries);
	s->random = o->seed;
	s->front_random = ~o->seed;
	for (int t = 0; t < SYS_THREADS; t++) {
		s->thread[t].random = o->seed * SYS_THREADS + (uint64_t)t;
		s->thread[t].process = t < 2 ? 0 : t - 1;
	}
	for (unsigned i = 0; i < SYS_CORES; i++)
		s->core[i].thread = (int)i < SYS_THREADS - 1 ? (int)i : -1;
	return s;
}

void sys_trace(struct sys *s)
{
	struct virt_front *f = s->front;

	if (f == NULL)
		return;
	s->tracing = true;
	virt_front_write(f, VIRT_PGD_AT, s->process[0].pgd);
	virt_front_write(f, VIRT_ASID_AT, s->process[0].asid);
	virt_front_write(f, VIRT_START_AT, s->o.start);
	virt_front_write(f, VIRT_END_AT, s->o.end);
	for (unsigned i = 0; i < s->o.npoints; i++)
		virt_front_write(f, VIRT_POINT_AT + i * 8,
				 VIRT_PUT(POINT, LINE, s->o.point[i] >> VIRT_POINT_LINE_LSB) |
					 VIRT_PUT(POINT, CODE, 1) | VIRT_PUT(POINT, ENABLE, 1));
	virt_front_write(f, VIRT_CTRL_AT, VIRT_PUT(CTRL, ENABLE, 1) |
						  VIRT_PUT(CTRL, PUBLISHED, s->o.published) |
						  VIRT_PUT(CTRL, LEVELS, s->o.levels));
	sys_between_steps(s);
}

/* ---- synthetic accesses ---- */

/*
 * Returns the i-th page of a thread. The pages are for instructions, for a heap that needs several
 * tables, for pages that may be huge, and for a stack next to pages that each need their own table.
 */
static uint64_t page_of(const struct sys *s, int thread, uint64_t i)
{
	static const uint64_t base[] = { 0x400000, 0x10000000, 0x40000000, UINT64_C(0x7f80000000) };
	uint64_t n = i / 4, stride = i % 4 == 1 ? 0x41000 : 0x1000;

	if (s->o.apart)
		n = n * 2 + (uint64_t)(thread == 1);
	if (i % 4 == 3 && n % 4 == 0)
		stride += UINT64_C(1) << virt_span_bits(2);
	return base[i % 4] + n * stride;
}

static void choose_access(struct sys *s, int thread)
{
	struct sys_thread *t = &s->thread[thread];
	uint64_t r = sys_random(&t->random);

	if (r % 8 == 0 || t->count == 0)
		t->page = sys_random(&t->random) % s->o.pages;
	t->va = page_of(s, thread, t->page);
	t->kind = t->page % 4 == 0 ? SYS_FETCH : r >> 8 & 1 ? SYS_STORE : SYS_LOAD;
	if (t->kind != SYS_FETCH && (r >> 10) % 16 == 0 && s->o.alias != 0)
		t->va ^= UINT64_C(0x2000000000);
	t->va += (r >> 16) % VIRT_TABLE_LINES * VIRT_LINE_BYTES + (uint64_t)thread * 16 +
		 (r >> 24 & 1) * 8;
}

/* Chooses what the operating system does for the thread after an access. */
static void choose_task(struct sys *s, int thread)
{
	struct sys_thread *t = &s->thread[thread];
	const struct sys_options *o = &s->o;
	static const enum sys_task_kind kind[] = { SYS_MIGRATE, SYS_UNMAP, SYS_AGE, SYS_ALIAS,
						   SYS_FORK };
	const unsigned every[] = { o->migrate, o->unmap, o->age, o->alias, o->fork };

	t->want_va = page_of(s, thread, sys_random(&t->random) % o->pages);
	for (unsigned i = 0; i < sizeof kind / sizeof kind[0]; i++)
		if (sys_one_of(&t->random, every[i]) && t->want == SYS_NO_TASK &&
		    (kind[i] != SYS_FORK || t->process == 0) &&
		    (kind[i] != SYS_ALIAS || t->process == 0))
			t->want = kind[i];
}

/* Does an access if its page is mapped. If not, handles the page fault and returns false. */
static bool access_once(struct sys *s, unsigned core, int process, enum sys_access_kind kind,
			uint64_t va, uint64_t value)
{
	uint64_t pa;

	s->cause = (struct sys_cause){ .kind = SYS_ACCESS, .process = process, .va = va };
	if (!sys_translate(s, core, va, kind == SYS_STORE, &pa)) {
		sys_fault(s, core, va);
		return false;
	}
	if (kind == SYS_FETCH)
		sys_fetch(s, core, pa);
	else if (kind == SYS_LOAD)
		sys_load(s, core, pa);
	else
		sys_store(s, core, pa, value);
	return true;
}

static void count_point(struct sys *s, int process, uint64_t va)
{
	if (process != 0)
		return;
	s->accesses++;
	if (s->tracing && sys_is_point(s, va))
		s->truth.point_accesses++;
}

static void speculate(struct sys *s, unsigned core, int thread)
{
	uint64_t r = sys_random(&s->random), pa;

	if (s->o.speculate == 0 || r % s->o.speculate != 0)
		return;
	s->cause = (struct sys_cause){ .kind = SYS_WALK, .process = s->thread[thread].process };
	sys_translate(s, core, page_of(s, thread, (r >> 32) % s->o.pages), false, &pa);
	sys_between_operations(s);
}

bool sys_thread_lives(const struct sys *s, int thread)
{
	return thread >= 0 && s->process[s->thread[thread].process].alive;
}

/* One step of a core: a phase of a task, or an access. */
static void do_step(struct sys *s, unsigned core, uint64_t until)
{
	int thread = s->core[core].thread;
	struct sys_thread *t = &s->thread[thread < 0 ? 0 : thread];

	if (s->core[core].task.kind != SYS_NO_TASK) {
		sys_work(s, core);
		return;
	}
	if (!sys_thread_lives(s, thread) || (t->process == 0 && t->count == until))
		return;
	speculate(s, core, thread);
	if (t->want != SYS_NO_TASK) {
		if (sys_begin(s, core, t->want, t->process, t->want_va))
			t->want = SYS_NO_TASK;
		return;
	}
	if (!t->pending)
		choose_access(s, thread);
	t->pending = !access_once(s, core, t->process, t->kind, t->va, t->count * 4 + (unsigned)thread);
	if (t->pending)
		return;
	t->count++;
	count_point(s, t->process, t->va);
	choose_task(s, thread);
}

/* Gives a core another thread. */
static void switch_thread(struct sys *s, uint64_t r)
{
	struct sys_core *c = &s->core[r % s->o.cores];
	int thread = (int)(r >> 8) % SYS_THREADS;

	for (unsigned i = 0; i < s->o.cores; i++)
		if (s->core[i].thread == thread)
			return;
	if (c->task.kind == SYS_NO_TASK)
		c->thread = thread;
}

void sys_run(struct sys *s, uint64_t n)
{
	uint64_t until = s->thread[0].count + n;

	while ((s->thread[0].count < until || s->thread[1].count < until) && !s->failed) {
		uint64_t r = sys_random(&s->random) >> 16;

		do_step(s, (unsigned)(r >> 16) % s->o.cores, until);
		if (sys_one_of(&s->random, s->o.switches))
			switch_thread(s, r);
		if (sys_one_of(&s->random, s->o.rollover))
			sys_rollover(s);
		sys_between_steps(s);
	}
}

/* ---- accesses from elsewhere ---- */

/* From time to time, makes another process do an access on another core. */
static void run_others(struct sys *s, unsigned core)
{
	uint64_t r = sys_random(&s->random) >> 16;
	unsigned other;

	if (s->o.cores == 1 || r % OTHERS != 0)
		return;
	other = (core + 1 + (unsigned)(r >> 8) % (s->o.cores - 1)) % s->o.cores;
	if (s->core[other].task.kind == SYS_NO_TASK)
		s->core[other].thread = 2 + (int)(r >> 16) % 2;
	do_step(s, other, 0);
}

/* Steps in which the core only works on its task, until the task is done. */
static void work_on(struct sys *s, unsigned core)
{
	do {
		sys_between_steps(s);
		sys_work(s, core);
	} while (s->core[core].task.kind != SYS_NO_TASK && !s->failed);
}

/* If a task of the operating system is due, does it for a recently used page. */
static void do_task(struct sys *s, unsigned core)
{
	struct sys_thread *t = &s->thread[0];

	choose_task(s, 0);
	if (t->want == SYS_NO_TASK)
		return;
	sys_begin(s, core, t->want, 0, s->recent[sys_random(&t->random) % SYS_RECENT]);
	t->want = SYS_NO_TASK;
	work_on(s, core);
}

void sys_access(struct sys *s, unsigned core, enum sys_access_kind kind, uint64_t va,
		unsigned bytes)
{
	uint64_t last = virt_align(va + (bytes > 0 ? bytes - 1 : 0), 6);

	s->core[core].thread = 0;
	for (uint64_t at = va; virt_align(at, 6) <= last && !s->failed;
	     at = virt_align(at, 6) + VIRT_LINE_BYTES) {
		uint64_t word = virt_align(at, 3);

		while (!access_once(s, core, 0, kind, word, s->accesses) && !s->failed)
			work_on(s, core);
		count_point(s, 0, word);
		s->recent[s->accesses % SYS_RECENT] = word;
		do_task(s, core);
		run_others(s, core);
		sys_between_steps(s);
	}
	s->core[core].thread = -1;
}

/* ---- the end ---- */

void sys_finish(struct sys *s)
{
	for (unsigned n = 0; n < 1u << 20; n++) {
		bool busy = s->front != NULL && VIRT_GET(STATUS, BUSY,
							 virt_front_read(s->front, VIRT_STATUS_AT));

		for (unsigned i = 0; i < s->o.cores; i++) {
			sys_work(s, i);
			busy |= s->core[i].task.kind != SYS_NO_TASK;
		}
		sys_between_steps(s);
		if (!busy)
			break;
	}
	sys_clean_all(s);
}

static uint64_t hash_words(uint64_t h, const uint64_t *word, size_t n)
{
	for (size_t i = 0; i < n; i++)
		h = (h ^ word[i]) * UINT64_C(0x9e3779b97f4a7c15) ^ h >> 29;
	return h;
}

uint64_t sys_hash(const struct sys *s)
{
	return hash_words(0, s->memory, (size_t)s->o.frames << VIRT_INDEX_BITS);
}

static void hash_page(struct sys *s, void *ctx, uint64_t va, uint64_t entry, unsigned level)
{
	uint64_t *h = ctx;
	uint64_t to = sys_peek(s, entry) & VIRT_PTE_ADDRESS;

	*h = hash_words(*h, &va, 1);
	*h = hash_words(*h, s->memory + to / 8, (size_t)1 << (virt_span_bits(level) - 3));
}

uint64_t sys_hash_seen(struct sys *s)
{
	uint64_t h = 0;

	sys_each_page(s, 0, hash_page, &h);
	return h;
}
