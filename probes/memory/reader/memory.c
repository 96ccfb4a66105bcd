/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Above 500 lines, as each kind of event is taken here: all of them change the same tables, of
 * threads, blocks, modules and stacks.
 */
#include "probes/memory/reader/memory.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "probes/memory/reader/string_code.h"

enum { MOST_PATH = 4096 };

#define ADDRESS_MASK (((uint64_t)1 << MEM_ADDRESS_BITS) - 1)

bool memory_init(struct memory *m, struct mem_channel *c, const char *program)
{
	*m = (struct memory){ .channel_sites = mem_sites(c), .program = program };
	m->names = names_new();
	m->places = m->names != NULL ? places_new(m->names) : NULL;
	m->stacks = call_stacks_new();
	m->sites = calloc(MEM_SITES_MAX, sizeof m->sites[0]);
	m->threads.mask = calloc(MEMORY_THREADS, sizeof m->threads.mask[0]);
	m->threads.stack = calloc(MEMORY_THREADS, sizeof m->threads.stack[0]);
	m->threads.handle = calloc(MEMORY_THREADS, sizeof m->threads.handle[0]);
	return m->places != NULL && m->sites != NULL && m->threads.mask != NULL &&
	       m->threads.handle != NULL && m->threads.stack != NULL && m->stacks != NULL;
}

void memory_free(struct memory *m)
{
	places_free(m->places);
	names_free(m->names);
	call_stacks_free(m->stacks);
	free(m->sites);
	free(m->threads.stack);
	free(m->threads.mask);
	free(m->threads.handle);
	vec_free(&m->chosen);
}

void memory_add_output(struct memory *m, const struct memory_output *o)
{
	m->output[m->noutputs++] = *o;
}

static bool out_of_memory(struct memory *m)
{
	nfart_fail(&m->error, NFART_SYSTEM, "out of memory");
	return false;
}

bool memory_settle(struct memory *m)
{
	for (unsigned i = 0; i < m->noutputs; i++)
		if (m->output[i].settle != NULL &&
		    !m->output[i].settle(m->output[i].ctx, &m->error))
			return false;
	return places_settle(m->places) || out_of_memory(m);
}

enum memory_code memory_code_of(const struct memory *m, uint64_t pc)
{
	static const struct {
		const char *pattern;
		enum memory_code code;
	} known[] = { { "libc.so.*", MEMORY_CODE_LIBC },    { "libc-2.*", MEMORY_CODE_LIBC },
		      { "libpthread*", MEMORY_CODE_LIBC },  { "ld-linux*", MEMORY_CODE_LIBC },
		      { "libgomp.so.*", MEMORY_CODE_OPENMP } };
	const struct names_module *module = names_module(m->names, pc);

	for (size_t i = 0; module != NULL && i < sizeof known / sizeof *known; i++)
		if (fnmatch(known[i].pattern, module->file->base, 0) == 0)
			return known[i].code;
	return MEMORY_CODE_OTHER;
}

/* ---- call stacks ---- */

/* The number of a stack with another innermost address, and the return addresses of stack `last`. */
static uint32_t stack_as_last(struct memory *m, uint64_t pc, uint32_t last)
{
	uint64_t addresses[1 + MEM_FRAMES_MAX];
	size_t n;
	const uint64_t *at = call_stacks_at(m->stacks, last, &n);

	if (n == 0 || at[0] == pc)
		return last;
	memcpy(addresses, at, n * sizeof *at);
	addresses[0] = pc;
	return call_stacks_number(m->stacks, addresses, n);
}

static void take_stack(struct memory *m, uint32_t ring, const uint64_t *words, size_t n)
{
	struct memory_stack *s = &m->threads.stack[ring];

	if (n > 1 + MEM_FRAMES_MAX)
		n = 1 + MEM_FRAMES_MAX;
	s->pc = words[0];
	if (n == 1)
		s->number = stack_as_last(m, words[0], s->last);
	else
		s->number = call_stacks_number(m->stacks, words, words[1] != 0 ? n : 1);
	s->last = s->number;
}

/* The call stack that was recorded for what a thread does now at pc. It counts once. */
static uint32_t stack_for(struct memory *m, uint32_t ring, uint64_t pc)
{
	struct memory_stack *s = &m->threads.stack[ring];
	const uint32_t number = s->pc == pc ? s->number : 0;

	if (number != 0)
		s->number = 0;
	return number;
}

/* Notes who frees a block, unless it was freed before. */
static void note_freed(struct place *p, uint64_t at, uint32_t stack)
{
	if (p != NULL && !p->gone && p->at == at)
		p->freed = stack;
}

/* ---- accesses ---- */

/* Copies the description of a site from the channel, because the program could change it later. */
static void learn_site(struct memory *m, uint32_t number)
{
	struct mem_site site = m->channel_sites[number];

	m->sites[number].pc = site.pc;
	m->sites[number].bytes = site.bytes;
	m->sites[number].kind = site.kind < MEM_KINDS ? site.kind : MEM_LOAD;
	m->sites[number].atomic = site.atomic;
	m->sites[number].lanes = site.lanes;
	if (site.lanes.kind >= MEM_MASK_KINDS)
		m->sites[number].lanes.kind = MEM_MASK_NONE;
	/* This reads names. Only outputs need names, so it is skipped if there is no output. */
	m->sites[number].ahead = m->noutputs > 0 && m->sites[number].kind == MEM_LOAD &&
				 string_code_loads(m->names, site.pc, site.bytes);
	m->sites[number].code =
		(uint8_t)(m->noutputs > 0 ? memory_code_of(m, site.pc) : MEMORY_CODE_OTHER);
	m->sites[number].known = true;
}

static void count_access(struct memory *m, enum mem_kind kind)
{
	m->counts.accesses++;
	m->counts.loads += kind != MEM_SAVE;
	m->counts.stores += kind != MEM_LOAD;
}

/* Whether an access or event is about memory that was chosen with --watch. */
static bool is_chosen(const struct memory *m, const struct place *place, uint64_t address)
{
	return m->chosen.n == 0 || place == NULL || place->where > MEM_BSS ||
	       ranges_find(&m->chosen, address) != 0;
}

static bool give_access(struct memory *m, const struct memory_access *a)
{
	for (unsigned i = 0; i < m->noutputs; i++)
		if (!m->output[i].access(m->output[i].ctx, a, &m->error))
			return false;
	return true;
}

/* If an access is about chosen memory, counts it and passes it to the outputs. */
static bool pass_access(struct memory *m, const struct memory_access *a)
{
	if (!is_chosen(m, a->place, a->address))
		return true;
	count_access(m, a->kind);
	return give_access(m, a);
}

/* The description of the instruction of an access. */
static inline struct memory_site *site_of(struct memory *m, uint64_t word)
{
	uint32_t number = (uint32_t)(word >> MEM_ADDRESS_BITS);

	if (!m->sites[number].known)
		learn_site(m, number);
	return &m->sites[number];
}

/*
 * What an access adds to a sum whose lower half counts loads, and whose upper half counts stores.
 * So one register is enough.
 */
static inline uint64_t kind_sum(const struct memory_site *site)
{
	static const uint64_t of_kind[MEM_KINDS] = {
		[MEM_LOAD] = 1, [MEM_SAVE] = UINT64_C(1) << 32, [MEM_BOTH] = UINT64_C(1) << 32 | 1
	};

	return of_kind[site->kind];
}

/* Counts n accesses. Used if no memory was chosen, so that all accesses count. */
static void count_sum(struct memory *m, size_t n, uint64_t sum)
{
	m->counts.accesses += n;
	m->counts.loads += (uint32_t)sum;
	m->counts.stores += sum >> 32;
}

static void count_words(struct memory *m, const uint64_t *words, size_t n)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += kind_sum(site_of(m, words[i]));
	count_sum(m, n, sum);
}

void memory_counts_in(struct memory *m, struct mem_channel *c)
{
	m->counters.at = mem_counters(c, 0);
	m->counters.size = c->size;
}

void memory_take_counters(struct memory *m, const struct mem_channel *c)
{
	const struct mem_sizes size = m->counters.size;
	uint32_t sites = c->sites, rings = c->threads;
	struct memory_counts n = { 0 };

	if (m->counters.at == NULL)
		return;
	sites = sites < size.sites_max ? sites : size.sites_max;
	rings = rings < size.threads_max ? rings : size.threads_max;
	for (uint32_t ring = 0; ring < rings; ring++) {
		const uint64_t *at = m->counters.at + ring * (size_t)size.counters;

		for (uint32_t i = 0; i < MEM_EVENTS; i++)
			n.event[i] += at[i];
		for (uint32_t i = MEM_SITE_FIRST; i < sites; i++) {
			const uint64_t times = at[i];

			if (times == 0)
				continue;
			if (!m->sites[i].known)
				learn_site(m, i);
			n.accesses += times;
			n.loads += m->sites[i].kind != MEM_SAVE ? times : 0;
			n.stores += m->sites[i].kind != MEM_LOAD ? times : 0;
		}
	}
	for (uint32_t i = 0; i < MEM_EVENTS; i++)
		m->counts.event[i] += n.event[i] - m->counters.taken.event[i];
	m->counts.accesses += n.accesses - m->counters.taken.accesses;
	m->counts.loads += n.loads - m->counters.taken.loads;
	m->counts.stores += n.stores - m->counters.taken.stores;
	m->counters.taken = n;
}

/*
 * Takes an access with the mask that came before it. What the mask leaves together is one access. Its
 * size may differ from that of its site.
 */
static bool take_lanes(struct memory *m, uint32_t ring, uint64_t word)
{
	struct memory_site *site = &m->sites[word >> MEM_ADDRESS_BITS];
	struct memory_access a = { .thread = ring };
	uint64_t mask = m->threads.mask[ring].mask;
	uint32_t lane = 0, offset, bytes;

	if (!site->known)
		learn_site(m, (uint32_t)(word >> MEM_ADDRESS_BITS));
	a.site = site;
	a.pc = site->pc;
	a.kind = site->kind;
	a.stack = stack_for(m, ring, a.pc);
	while ((bytes = mem_run(site->lanes, site->bytes, mask, &lane, &offset)) != 0) {
		a.address = (word & ADDRESS_MASK) + offset;
		a.bytes = bytes;
		a.place = places_find(m->places, a.address);
		if (!pass_access(m, &a))
			return false;
	}
	return true;
}

static bool take_accesses(void *ctx, uint32_t ring, const uint64_t *words, size_t n)
{
	struct memory *m = ctx;
	struct memory_access a = { .thread = ring };
	const bool all = m->chosen.n == 0;
	/* Whether place.quiet is about all outputs. Where memory was chosen, not all accesses count. */
	const bool alone = all && m->noutputs == 1;
	uint64_t sum = 0;

	if (m->threads.mask[ring].waits) {
		m->threads.mask[ring].waits = false;
		if (m->recording && !take_lanes(m, ring, *words))
			return false;
		words++;
		n--;
	}
	if (!m->recording || n == 0)
		return true;
	if (all && m->noutputs == 0) {
		count_words(m, words, n);
		return true;
	}
	for (size_t i = 0; i < n; i++) {
		struct memory_site *site = site_of(m, words[i]);

		sum += kind_sum(site);
		a.address = words[i] & ADDRESS_MASK;
		a.stack = m->threads.stack[ring].number != 0 ? stack_for(m, ring, site->pc) : 0;
		if (alone && site->last != NULL &&
		    place_is_quiet(site->last, m->calm, a.address, site->bytes, site->kind))
			continue;
		if (site->last == NULL || !place_has(site->last, a.address))
			site->last = places_find(m->places, a.address);
		a.place = site->last;
		a.site = site;
		a.bytes = site->bytes;
		a.pc = site->pc;
		a.kind = site->kind;
		if (!(all ? give_access(m, &a) : pass_access(m, &a)))
			return false;
	}
	if (all)
		count_sum(m, n, sum);
	return true;
}

static bool take_single(struct memory *m, uint32_t ring, const uint64_t *words)
{
	struct memory_access a = { .pc = words[0], .address = words[1], .bytes = words[2],
				   .thread = ring, .kind = (enum mem_kind)words[3] };

	if (words[3] >= MEM_KINDS)
		a.kind = MEM_LOAD;
	if (!m->recording)
		return true;
	a.place = places_find(m->places, a.address);
	a.stack = stack_for(m, ring, a.pc);
	return pass_access(m, &a);
}

/* ---- modules and regions ---- */

/*
 * After an unload, a new module may have the addresses of the old one. So what is known of sites is
 * dropped, and is read again.
 */
static void forget_sites(struct memory *m)
{
	for (uint32_t i = 0; i < MEM_SITES_MAX; i++) {
		m->sites[i].text = NULL;
		m->sites[i].known = false;
	}
	m->unloaded = false;
	m->replaced++;
}

static bool add_module(struct memory *m, const uint64_t *words, size_t n)
{
	char path[MOST_PATH + 1] = "";
	const struct names_module *module;

	if (m->unloaded)
		forget_sites(m);
	memcpy(path, words + 3, (n - 3) * 8 < MOST_PATH ? (n - 3) * 8 : MOST_PATH);
	module = names_add(m->names, path[0] != 0 ? path : m->program, words[0], words[1], words[2]);
	return (module != NULL && places_module(m->places, module)) || out_of_memory(m);
}

/* Handles events that change the address space. Returns false if there is no memory. */
static bool change_space(struct memory *m, enum mem_event kind, const uint64_t *words, size_t n)
{
	switch (kind) {
	case MEM_MODULE:
		return add_module(m, words, n);
	case MEM_UNMODULE:
		places_unmodule(m->places, words[0]);
		m->unloaded = true;
		return true;
	case MEM_REGION:
		return (words[2] >= MEM_REGION_KINDS ||
			places_region(m->places, words[0], words[1],
				      (enum mem_region_kind)words[2])) || out_of_memory(m);
	case MEM_UNREGION:
		return places_unregion(m->places, words[0], words[1]) || out_of_memory(m);
	default:
		return true;
	}
}

/* ---- other events ---- */

/* Sets the fields of v from the words of an event. */
static void read_words(struct memory_event *v, const uint64_t *words)
{
	switch (v->kind) {
	case MEM_COPY:
		v->address = words[0];
		v->from = words[1];
		v->bytes = words[2];
		v->pc = words[3];
		break;
	case MEM_STORE:
	case MEM_FETCH:
	case MEM_FILL:
	case MEM_MALLOC:
	case MEM_CALLOC:
	case MEM_MMAP:
	case MEM_MUNMAP:
		v->address = words[0];
		v->bytes = words[1];
		v->pc = words[2];
		break;
	case MEM_REALLOC:
		v->address = words[0];
		v->bytes = words[1];
		v->from = words[2];
		v->pc = words[3];
		v->how = words[4];
		break;
	case MEM_MREMAP:
		v->address = words[0];
		v->bytes = words[1];
		v->from = words[2];
		v->pc = words[4];
		break;
	case MEM_FREE:
	case MEM_LOCK:
	case MEM_GIVE:
	case MEM_TAKE:
		v->how = words[2];
		/* fall through */
	case MEM_UNLOCK:
	case MEM_INIT:
	case MEM_DESTROY:
		v->address = words[0];
		v->pc = words[1];
		break;
	case MEM_UNREGION:
		v->address = words[0];
		v->bytes = words[1];
		break;
	case MEM_LEAK:
		v->address = words[0];
		v->how = words[1];
		v->from = words[2];
		break;
	case MEM_FORK:
		v->address = words[0];
		break;
	case MEM_LOCAL:
		v->pc = words[0];
		break;
	default:
		break;
	}
}

/* Makes the block for an allocation. Returns false if there is no memory. */
static bool allocate_place(struct memory *m, struct memory_event *v, enum place_kind kind)
{
	if (v->address == 0)
		return true;
	v->place = places_allocate(m->places, kind, v->address, v->bytes, v->pc);
	if (v->place != NULL)
		v->place->stack = v->stack;
	return v->place != NULL || v->address > ADDRESS_MASK || out_of_memory(m);
}

/*
 * Applies an event to the blocks, and finds its places. free and munmap are applied only after the
 * outputs have seen the event, in change_after().
 */
static bool change_blocks(struct memory *m, struct memory_event *v, const uint64_t *words)
{
	switch (v->kind) {
	case MEM_MALLOC:
		return allocate_place(m, v, PLACE_MALLOC);
	case MEM_CALLOC:
		return allocate_place(m, v, PLACE_CALLOC);
	case MEM_MMAP:
		return allocate_place(m, v, PLACE_MMAP);
	case MEM_REALLOC:
		if (v->from != 0) {
			note_freed(places_find(m->places, v->from), v->from, v->stack);
			v->other = places_release(m->places, v->from);
		}
		return allocate_place(m, v, PLACE_REALLOC);
	case MEM_MREMAP:
		v->other = places_unmap(m->places, v->from, words[3]);
		return allocate_place(m, v, PLACE_MREMAP);
	case MEM_COPY:
		v->other = places_find(m->places, v->from);
		v->place = places_find(m->places, v->address);
		return true;
	case MEM_STORE:
	case MEM_FETCH:
	case MEM_FILL:
	case MEM_FREE:
	case MEM_MUNMAP:
	case MEM_LOCK:
	case MEM_UNLOCK:
	case MEM_INIT:
	case MEM_DESTROY:
		v->place = places_find(m->places, v->address);
		return true;
	default:
		return true;
	}
}

static void change_after(struct memory *m, const struct memory_event *v)
{
	if (v->kind == MEM_FREE) {
		note_freed(v->place, v->address, v->stack);
		places_release(m->places, v->address);
	}
	if (v->kind == MEM_MUNMAP)
		places_unmap(m->places, v->address, v->bytes);
}

/* A thread begins. Its event is about its creator. Returns false if the event is damaged. */
static bool begin_thread(struct memory *m, struct memory_event *v, const uint64_t *words)
{
	if (words[0] >= MEMORY_THREADS)
		return false;
	m->threads.handle[v->thread] = words[2];
	if (m->threads.n <= v->thread)
		m->threads.n = v->thread + 1;
	v->address = v->thread;
	v->thread = (uint32_t)words[0];
	v->pc = words[1];
	return true;
}

/*
 * A thread has waited for another one, which the event is then about. Returns false if that thread is
 * not known.
 */
static bool join_thread(struct memory *m, struct memory_event *v, const uint64_t *words)
{
	uint32_t i = 0;

	while (i < m->threads.n && m->threads.handle[i] != words[0])
		i++;
	if (i == m->threads.n)
		return false;
	m->threads.handle[i] = 0;
	v->address = v->thread;
	v->thread = i;
	v->pc = words[1];
	return true;
}

static bool take_event(void *ctx, uint32_t ring, enum mem_event kind, const uint64_t *words,
		       size_t n)
{
	struct memory *m = ctx;
	struct memory_event v = { .kind = kind, .thread = ring };

	if (kind == MEM_ACCESS)
		return take_single(m, ring, words);
	if (kind == MEM_LANES) {
		m->threads.mask[ring] = (struct memory_mask){ words[0], true };
		return true;
	}
	if (kind == MEM_STACK) {
		take_stack(m, ring, words, n);
		return true;
	}
	if (kind == MEM_BEGIN && m->marked)
		m->recording = true;
	/* Nobody asks for blocks if only numbers are wanted. */
	if (m->counters.at != NULL) {
		m->counts.event[kind]++;
		return change_space(m, kind, words, n);
	}
	read_words(&v, words);
	if (kind == MEM_FUNCTION || kind == MEM_LOCAL) {
		v.words = words;
		v.nwords = n;
	}
	v.stack = v.pc != 0 ? stack_for(m, ring, v.pc) : 0;
	if ((kind == MEM_THREAD && !begin_thread(m, &v, words)) ||
	    (kind == MEM_JOIN && !join_thread(m, &v, words)))
		return true;
	if (!change_space(m, kind, words, n) || !change_blocks(m, &v, words))
		return false;
	if (m->recording) {
		m->counts.event[kind]++;
		for (unsigned i = 0; i < m->noutputs; i++)
			if (!m->output[i].event(m->output[i].ctx, &v, &m->error))
				return false;
	}
	if (kind == MEM_END && m->marked)
		m->recording = false;
	change_after(m, &v);
	return true;
}

static bool take_stamp(void *ctx, uint32_t ring)
{
	struct memory *m = ctx;

	for (unsigned i = 0; m->recording && i < m->noutputs; i++)
		if (m->output[i].stamp != NULL &&
		    !m->output[i].stamp(m->output[i].ctx, ring, &m->error))
			return false;
	return true;
}

struct order_sink memory_sink(struct memory *m)
{
	return (struct order_sink){ take_accesses, take_event, m, take_stamp };
}
