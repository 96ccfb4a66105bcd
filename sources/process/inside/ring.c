/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * The ring of each thread. Logging copies write a word where `cursor` points and count `room` down;
 * both are recomputed here at the end of a lap and where nfamem has not read far enough.
 */
#include "sources/process/inside/inside.h"
#include "sources/process/inside/raw.h"

#include <errno.h>
#include <sys/mman.h>
#include <time.h>

enum { SINK_WORDS = 512 };

/* For threads that have no ring: what they write goes nowhere. */
static struct mem_ring sink;
static uint64_t sink_words[SINK_WORDS];

bool ring_start(void)
{
	struct inside_thread *t = &inside_self;
	struct mem_channel *c = inside.channel;
	uint32_t number = c ? atomic_fetch_add(&c->threads, 1) : 0;
	bool good = c && number < c->threads_max;
	if (good) {
		t->ring = mem_ring(c, number);
		t->words = mem_words(t->ring);
		t->ring->tid = (uint32_t)RAW3(SYS_gettid, 0, 0, 0);
		t->ring->pid = (uint32_t)RAW3(SYS_getpid, 0, 0, 0);
	} else {
		inside_reason("more threads than there are rings: the later ones are not recorded");
		t->ring = &sink;
		t->words = sink_words;
	}
	t->number = number;
	t->room = 0;
	return good;
}

void ring_forget(void)
{
	struct inside_thread *t = &inside_self;
	t->ring = &sink;
	t->words = sink_words;
	t->room = 0;
}

/* Whether nobody reads any more. */
static bool reader_gone(const struct mem_channel *c)
{
	return c->reader && RAW3(SYS_kill, c->reader, 0, 0) == -ESRCH;
}

/* Says where the next word goes, and how many there may be before somebody looks again. */
static uint64_t place(struct inside_thread *t, const struct mem_channel *c)
{
	uint64_t written = atomic_load_explicit(&t->ring->written, memory_order_relaxed);
	uint64_t read = atomic_load_explicit(&t->ring->read, memory_order_acquire);
	uint64_t left = c->ring_words - 1 - (written - read);
	uint64_t index = written & (c->ring_words - 1);
	t->cursor = t->words + index;
	t->room = left < c->ring_words - index ? left : c->ring_words - index;
	return left;
}

void ring_wait(uint32_t words)
{
	struct inside_thread *t = &inside_self;
	if (!t->ring)
		ring_start();
	if (t->ring == &sink) {
		t->cursor = t->words;
		t->room = SINK_WORDS - 1;
		return;
	}
	struct mem_channel *c = inside.channel;
	for (unsigned rounds = 1; place(t, c) < words; rounds++) {
		if (rounds % 1024 == 0 && reader_gone(c)) {
			mirror_open_all();
			ring_forget();
			ring_wait(words);
			return;
		}
		struct timespec nap = { 0, 50000 };
		if (rounds < 16)
			RAW3(SYS_sched_yield, 0, 0, 0);
		else
			RAW3(SYS_nanosleep, &nap, 0, 0);
	}
	if (c->detach && inside.watching)
		mirror_open_all();
}

void ring_event(enum mem_event kind, const uint64_t *words, uint32_t n)
{
	struct inside_thread *t = &inside_self;
	if (!inside.channel)
		return;
	ring_wait(n + 1);
	if (t->ring == &sink)
		return;
	struct mem_ring *r = t->ring;
	uint64_t mask = inside.channel->ring_words - 1;
	uint64_t at = atomic_load_explicit(&r->written, memory_order_relaxed);
	t->words[at++ & mask] = (uint64_t)kind << MEM_ADDRESS_BITS | n;
	for (uint32_t i = 0; i < n; i++)
		t->words[at++ & mask] = words[i];
	atomic_store_explicit(&r->written, at, memory_order_release);
	place(t, inside.channel);
}

void ring_access(uint32_t site, uintptr_t pc, uintptr_t address, uint64_t bytes, enum mem_kind kind)
{
	const uint64_t words[] = { pc, address, bytes, kind };
	if (!site) {
		ring_event(MEM_ACCESS, words, 4);
		return;
	}
	struct inside_thread *t = &inside_self;
	if (t->room == 0)
		ring_wait(1);
	*t->cursor++ = (uint64_t)site << MEM_ADDRESS_BITS | address;
	t->room--;
	atomic_fetch_add_explicit(&t->ring->written, 1, memory_order_release);
}

void ring_stamp(void)
{
	if (!inside.channel)
		return;
	inside_enter();
	const uint64_t stamp = atomic_fetch_add(&inside.channel->stamp, 1);
	ring_event(MEM_STAMP, &stamp, 1);
	inside_leave();
}
