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
		.seed = seed,
		.machine.frames = 6144,
		.machine.cores = 2 + (unsigned)(sys_random(&r) % 3),
		.machine.levels = 3 + (unsigned)(sys_random(&r) % 2),
		.machine.latency =
			races ? 1 + (unsigned)(sys_random(&r) % (seed % 2 == 0 ? 24 : 3)) : 0,
		.machine.l1_lines = 64,
		.machine.l2_lines = 256 << sys_random(&r) % 4,
		.machine.l2_ways = 8,
		.machine.tlb_entries = 16u << sys_random(&r) % 4,
		.machine.prefetch = (unsigned)(sys_random(&r) % 4),
		.machine.speculate = 8,
		.tracing.rtlb_entries = sys_one_of(&r, 4) ? 32 : VIRT_ENTRIES,
		.tracing.front = true,
		.tracing.start = sys_one_of(&r, 4) ? 0x10000000 : 0,
		.tracing.end = sys_one_of(&r, 4) ? UINT64_C(0x7f80080000) : UINT64_C(1) << 39,
		.tasks.migrate = 200,
		.tasks.unmap = 150,
		.tasks.fork = sys_one_of(&r, 2) ? 3000 : 0,
		.tasks.age = 300,
		.tasks.alias = sys_one_of(&r, 3) ? 1500 : 0,
		.tasks.rollover = 5000,
		.tasks.switches = 300,
		.synthetic.pages = 64 << sys_random(&r) % 3,
		.synthetic.huge = sys_one_of(&r, 2),
		.synthetic.apart = races,
	};
}

struct sys_options sys_options_board(void)
{
	return (struct sys_options){
		.seed = 1,
		.machine.frames = SYS_MOST_FRAMES,
		.machine.cores = 4,
		.machine.levels = 3,
		.machine.l1_lines = 512,
		.machine.l2_lines = 16384,
		.machine.l2_ways = 16,
		.machine.tlb_entries = 512,
		.machine.prefetch = 4,
		.machine.speculate = 64,
		.tracing.rtlb_entries = VIRT_ENTRIES,
		.tracing.front = true,
		.tracing.start = 0,
		.tracing.end = UINT64_C(1) << 39,
		.synthetic.pages = 256,
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
	free(s->frames.memory);
	free(s->frames.maps);
	free(s->frames.free);
	free(s->front);
	free(s);
}

static bool make_caches(struct sys *s)
{
	for (unsigned i = 0; i < s->o.machine.cores; i++)
		if (!sys_cache_new(&s->core[i].l1d, s->o.machine.l1_lines, 4) ||
		    !sys_cache_new(&s->core[i].l1i, s->o.machine.l1_lines, 2))
			return false;
	return sys_cache_new(&s->l2, s->o.machine.l2_lines, s->o.machine.l2_ways);
}

struct sys *sys_new(const struct sys_options *o)
{
	struct sys *s = calloc(1, sizeof *s);

	if (s == NULL)
		return NULL;
	s->o = *o;
	if (o->tracing.front)
		s->front = malloc(sizeof *s->front);
	if ((o->tracing.front && s->front == NULL) || !sys_kernel_new(s) || !make_caches(s)) {
		sys_free(s);
		return NULL;
	}
	if (o->tracing.front)
		virt_front_init(s->front, o->tracing.rtlb_entries);
	s->schedule.random = o->seed;
	s->requests.front_random = ~o->seed;
	for (int t = 0; t < SYS_THREADS; t++) {
		s->thread[t].random = o->seed * SYS_THREADS + (uint64_t)t;
		s->thread[t].process = t < 2 ? 0 : t - 1;
	}
	for (unsigned i = 0; i < SYS_CORES; i++)
		s->core[i].thread = (int)i < SYS_THREADS - 1 ? (int)i : -1;
	return s;
}

struct nfavirt_setup sys_setup(const struct sys_options *o, uint64_t pgd, uint64_t asid)
{
	const struct sys_tracing *t = &o->tracing;
	struct nfavirt_setup x = { .pgd = pgd,
				   .asid = asid,
				   .start = t->start,
				   .end = t->end,
				   .levels = o->machine.levels,
				   .published = t->published,
				   .npoints = t->npoints };

	memcpy(x.point, t->point, sizeof x.point);
	return x;
}

void sys_trace(struct sys *s)
{
	struct nfavirt_setup x = sys_setup(&s->o, s->process[0].pgd, s->process[0].asid);
	struct nfavirt_write w[NFAVIRT_WRITES];
	unsigned n = nfavirt_writes(&x, w);

	if (s->front == NULL)
		return;
	s->tracing = true;
	for (unsigned i = 0; i < n; i++)
		virt_front_write(s->front, w[i].offset, w[i].value);
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

	if (s->o.synthetic.apart)
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
		t->page = sys_random(&t->random) % s->o.synthetic.pages;
	t->va = page_of(s, thread, t->page);
	t->kind = t->page % 4 == 0 ? SYS_FETCH : r >> 8 & 1 ? SYS_STORE : SYS_LOAD;
	if (t->kind != SYS_FETCH && (r >> 10) % 16 == 0 && s->o.tasks.alias != 0)
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
	const unsigned every[] = { o->tasks.migrate, o->tasks.unmap, o->tasks.age, o->tasks.alias,
				   o->tasks.fork };

	t->want_va = page_of(s, thread, sys_random(&t->random) % o->synthetic.pages);
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

	s->known.cause = (struct sys_cause){ .kind = SYS_ACCESS, .process = process, .va = va };
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
	s->counts.accesses++;
	if (s->tracing && sys_is_point(s, va))
		s->known.truth.point_accesses++;
}

static void speculate(struct sys *s, unsigned core, int thread)
{
	uint64_t r = sys_random(&s->schedule.random), pa;

	if (s->o.machine.speculate == 0 || r % s->o.machine.speculate != 0)
		return;
	s->known.cause =
		(struct sys_cause){ .kind = SYS_WALK, .process = s->thread[thread].process };
	sys_translate(s, core, page_of(s, thread, (r >> 32) % s->o.synthetic.pages), false, &pa);
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
	struct sys_core *c = &s->core[r % s->o.machine.cores];
	int thread = (int)(r >> 8) % SYS_THREADS;

	for (unsigned i = 0; i < s->o.machine.cores; i++)
		if (s->core[i].thread == thread)
			return;
	if (c->task.kind == SYS_NO_TASK)
		c->thread = thread;
}

void sys_run(struct sys *s, uint64_t n)
{
	uint64_t until = s->thread[0].count + n;

	while ((s->thread[0].count < until || s->thread[1].count < until) && !s->failed) {
		uint64_t r = sys_random(&s->schedule.random) >> 16;

		do_step(s, (unsigned)(r >> 16) % s->o.machine.cores, until);
		if (sys_one_of(&s->schedule.random, s->o.tasks.switches))
			switch_thread(s, r);
		if (sys_one_of(&s->schedule.random, s->o.tasks.rollover))
			sys_rollover(s);
		sys_between_steps(s);
	}
}

/* ---- accesses from elsewhere ---- */

/* From time to time, makes another process do an access on another core. */
static void run_others(struct sys *s, unsigned core)
{
	uint64_t r = sys_random(&s->schedule.random) >> 16;
	unsigned other;

	if (s->o.machine.cores == 1 || r % OTHERS != 0)
		return;
	other = (core + 1 + (unsigned)(r >> 8) % (s->o.machine.cores - 1)) % s->o.machine.cores;
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
	sys_begin(s, core, t->want, 0, s->known.recent[sys_random(&t->random) % SYS_RECENT]);
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
		uint64_t word = kind == SYS_FETCH ? at : virt_align(at, 3);

		while (!access_once(s, core, 0, kind, word, s->counts.accesses) && !s->failed)
			work_on(s, core);
		count_point(s, 0, word);
		s->known.recent[s->counts.accesses % SYS_RECENT] = word;
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

		for (unsigned i = 0; i < s->o.machine.cores; i++) {
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
	return hash_words(0, s->frames.memory, (size_t)s->o.machine.frames << VIRT_INDEX_BITS);
}

static void hash_page(struct sys *s, void *ctx, uint64_t va, uint64_t entry, unsigned level)
{
	uint64_t *h = ctx;
	uint64_t to = sys_peek(s, entry) & VIRT_PTE_ADDRESS;

	*h = hash_words(*h, &va, 1);
	*h = hash_words(*h, s->frames.memory + to / 8, (size_t)1 << (virt_span_bits(level) - 3));
}

uint64_t sys_hash_seen(struct sys *s)
{
	uint64_t h = 0;

	sys_each_page(s, 0, hash_page, &h);
	return h;
}
