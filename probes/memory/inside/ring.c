/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * The ring of each thread. A ring consists of chunks of 65,536 words. A thread waits only before
 * the first word of a chunk, until the whole chunk has been read. So logging copies need not check
 * for room at each word. They check only whether the number of words written is a multiple of the
 * chunk size. That check is one jrcxz.
 */
#include "probes/memory/inside/calls.h"
#include "probes/memory/inside/raw.h"
#include "probes/memory/inside/stacks.h"

#include <errno.h>
#include <sys/mman.h>
#include <time.h>

enum { RING_CHUNK = 1 << 16 };

/*
 * The ring of threads that have none. What they write is dropped. `written` is 1, not 0, because 0
 * is the start of a chunk. Copies do not count words for unwatched memory. So in an unwatched child
 * of fork, `written` would stay at 0 and each access would stop in the hlt.
 */
static struct mem_ring sink = { .written = 1 };
static uint64_t sink_words[RING_CHUNK];
static _Atomic uint64_t sink_stamp;
static uint64_t sink_counters[MEM_SITES_MAX];

/* Sets `chunk` to the chunk that word number `written` is in. */
static void place_stamp(struct inside_thread *t, uint64_t written)
{
	uint64_t ring_words = t->ring == &sink ? RING_CHUNK : inside.channel->size.ring_words;
	t->chunk = t->words + (written & (ring_words - 1) & ~(uint64_t)(RING_CHUNK - 1));
}

/* Takes a ring that no thread has: one never used, or that of a thread that has ended. */
static bool take_ring(struct mem_channel *c, uint32_t *number)
{
	*number = atomic_fetch_add(&c->threads, 1);
	if (*number < c->size.threads_max)
		return true;
	for (uint32_t i = 0; i < c->size.threads_max; i++) {
		uint32_t ended = 1;
		if (atomic_compare_exchange_strong(&mem_ring(c, i)->ended, &ended, 0)) {
			*number = i;
			return true;
		}
	}
	return false;
}

bool ring_start(void)
{
	struct inside_thread *t = &inside_self;
	struct mem_channel *c = inside.channel;
	if (!c || !take_ring(c, &t->number)) {
		inside_reason("it has more threads at a time than nfamem can record. "
			      "Accesses of the others are missing");
		if (c)
			inside_unseen(MEM_UNSEEN_THREAD);
		ring_forget();
		return false;
	}
	t->ring = mem_ring(c, t->number);
	t->words = mem_words(t->ring);
	t->stamp = &c->stamp;
	t->counters = mem_counters(c, t->number);
	t->ring->tid = (uint32_t)RAW3(SYS_gettid, 0, 0, 0);
	t->ring->pid = (uint32_t)RAW3(SYS_getpid, 0, 0, 0);
	place_stamp(t, atomic_load_explicit(&t->ring->written, memory_order_relaxed));
	return true;
}

static void go_to_sink(struct inside_thread *t)
{
	sink.written = 1;
	t->ring = &sink;
	t->words = sink_words;
	t->chunk = sink_words;
	t->stamp = &sink_stamp;
	t->counters = sink_counters;
}

void ring_end(void)
{
	struct mem_ring *ring = inside_self.ring;
	if (!ring || ring == &sink)
		return;
	ring_forget();
	atomic_store_explicit(&ring->ended, 1, memory_order_release);
}

void ring_forget(void)
{
	struct inside_thread *t = &inside_self;
	stacks_forget();
	t->paused = NULL;
	go_to_sink(t);
}

bool ring_pause(void)
{
	struct inside_thread *t = &inside_self;
	if (!t->ring || t->ring == &sink || t->paused)
		return false;
	t->paused = t->ring;
	go_to_sink(t);
	return true;
}

void ring_resume(void)
{
	struct inside_thread *t = &inside_self;
	if (!t->paused)
		return;
	t->ring = t->paused;
	t->paused = NULL;
	t->words = mem_words(t->ring);
	t->stamp = &inside.channel->stamp;
	t->counters = mem_counters(inside.channel, t->number);
	place_stamp(t, atomic_load_explicit(&t->ring->written, memory_order_relaxed));
}

bool ring_reader_gone(struct mem_channel *c)
{
	return mem_reader_died(c) ||
	       (c->loss.reader && RAW3(SYS_kill, c->loss.reader, 0, 0) == -ESRCH);
}

/* Sleeps, longer in each round. nfamem needs a millisecond or more for a chunk. */
static void nap(unsigned round)
{
	const unsigned longest = 5;
	struct timespec t = { 0, 25000L << (round < longest ? round : longest) };
	if (round == 1)
		RAW3(SYS_sched_yield, 0, 0, 0);
	else
		RAW3(SYS_nanosleep, &t, 0, 0);
}

/* Waits until there is room for `words` words and a chunk. */
static void wait_for(struct inside_thread *t, uint64_t words)
{
	struct mem_channel *c = inside.channel;
	for (unsigned round = 1;; round++) {
		uint64_t written = atomic_load_explicit(&t->ring->written, memory_order_relaxed);
		uint64_t read = atomic_load_explicit(&t->ring->read, memory_order_acquire);
		if (c->size.ring_words - (written - read) >= words + RING_CHUNK)
			break;
		if (mem_reader_died(c) || (round % 64 == 0 && ring_reader_gone(c)))
			life_lost();
		if (!inside_watching()) {
			ring_forget();
			return;
		}
		nap(round);
	}
	if (c->detach && inside.watching)
		life_detach();
}

void ring_wait(void)
{
	struct inside_thread *t = &inside_self;
	if (!t->ring)
		ring_start();
	if (t->ring == &sink) {
		sink.written = 1;
		t->chunk = t->words;
		return;
	}
	const uint64_t stamp = atomic_fetch_add(t->stamp, 1);
	ring_event(MEM_STAMP, &stamp, 1);
}

void ring_event(enum mem_event kind, const uint64_t *words, uint32_t n)
{
	struct inside_thread *t = &inside_self;
	if (!inside.channel)
		return;
	if (!t->ring)
		ring_start();
	if (t->ring == &sink)
		return;
	if (inside.counting && mem_only_counted(kind)) {
		t->counters[kind]++;
		return;
	}
	uint64_t at = atomic_load_explicit(&t->ring->written, memory_order_relaxed);
	uint64_t used = at & (RING_CHUNK - 1);
	if (used == 0 || used + n + 1 >= RING_CHUNK)
		wait_for(t, n + 1);
	if (t->ring == &sink)
		return;
	uint64_t mask = inside.channel->size.ring_words - 1;
	t->words[at++ & mask] = (uint64_t)kind << MEM_ADDRESS_BITS | n;
	for (uint32_t i = 0; i < n; i++)
		t->words[at++ & mask] = words[i];
	place_stamp(t, at);
	atomic_store_explicit(&t->ring->written, at, memory_order_release);
}

void ring_access(uint32_t site, uintptr_t pc, uintptr_t address, uint64_t bytes, enum mem_kind kind)
{
	const uint64_t words[] = { pc, address, bytes, kind };
	if (!site) {
		ring_event(MEM_ACCESS, words, 4);
		return;
	}
	struct inside_thread *t = &inside_self;
	if (!t->ring || (t->ring->written & (RING_CHUNK - 1)) == 0)
		ring_wait();
	uint64_t at = atomic_load_explicit(&t->ring->written, memory_order_relaxed);
	t->chunk[at & (RING_CHUNK - 1)] = (uint64_t)site << MEM_ADDRESS_BITS | address;
	atomic_store_explicit(&t->ring->written, at + 1, memory_order_release);
}

/*
 * A stamp must not come between a mask and its access. So there has to be room for both: 2 words,
 * and one more that makes ring_access find the chunk begun.
 */
void ring_lanes(uint64_t mask)
{
	struct inside_thread *t = &inside_self;
	if (!t->ring || ((t->ring->written + 2) & (RING_CHUNK - 1)) < 3)
		ring_wait();
	ring_event(MEM_LANES, &mask, 1);
}

void ring_stamp(void)
{
	if (!inside.channel || inside.counting)
		return;
	inside_enter();
	if (!inside_self.ring)
		ring_start();
	const uint64_t stamp = atomic_fetch_add(inside_self.stamp, 1);
	ring_event(MEM_STAMP, &stamp, 1);
	inside_leave();
}
