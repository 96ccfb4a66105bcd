/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Counting. If nfamem wants numbers only, copies of instructions write no words: they add 1 to the
 * counter of their site (copy_count.c). Each thread has counters of its own, in the channel. While
 * there is one thread, copies find them at a fixed address below 2^31.
 *
 * gs holds the distance from most addresses to their aliases (inside.h). Linux programs have no
 * use for gs. If one sets it nevertheless, its copies are made anew without it.
 */
#include "probes/memory/inside/calls.h"

#include <asm/prctl.h>
#include <errno.h>
#include <sys/auxv.h>
#include <sys/mman.h>

#include "probes/memory/inside/raw.h"
#include "probes/memory/inside/sites.h"

#ifndef HWCAP2_FSGSBASE
#define HWCAP2_FSGSBASE 2 /* the program may use wrgsbase */
#endif

enum { LOW_FROM = 0x10000000, LOW_TO = 0x7f000000, LOW_STEP = 1 << 24 };

static uint64_t *low; /* what map_low() returned; it stays mapped */

static size_t counters_bytes(void)
{
	return inside.channel->size.counters * sizeof(uint64_t);
}

/* Maps the counters of the first ring a second time, at a low address. Returns NULL on failure. */
static uint64_t *map_low(void)
{
	const size_t bytes = counters_bytes();
	const uintptr_t from = (uintptr_t)mem_counters(inside.channel, 0);
	for (uintptr_t at = LOW_TO; at >= LOW_FROM; at -= LOW_STEP) {
		void *p = raw_mmap(at, bytes, PROT_NONE,
				   MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
		if (!raw_good(p))
			continue;
		if ((uintptr_t)p == at &&
		    raw_call(SYS_mremap, (long)from, 0, (long)bytes, MREMAP_MAYMOVE | MREMAP_FIXED,
			     (long)at, 0) == (long)at)
			return p;
		raw_munmap((uintptr_t)p, bytes);
	}
	return NULL;
}

/* arch_prctl sets no negative value. */
static void set_gs(uint64_t base)
{
	__asm__ volatile("wrgsbase %0" : : "r"(base));
}

void count_start(void)
{
	uint64_t before = 0;
	inside.counting = true;
	if (inside_self.number == 0)
		inside.counters = low = map_low();
	inside.gs = getauxval(AT_HWCAP2) & HWCAP2_FSGSBASE &&
		    RAW3(SYS_arch_prctl, ARCH_GET_GS, &before, 0) == 0 && before == 0;
	if (inside.gs)
		set_gs((uint64_t)mirror_distances[mirror_gs]);
}

/* Gives all replaced instructions their own bytes back. They are replaced anew when they fault. */
static void make_anew(void)
{
	lock_take(&sites_lock);
	sites_restore(0, UINT64_C(1) << MEM_ADDRESS_BITS, true);
	lock_give(&sites_lock);
}

void count_threads(void)
{
	if (!inside.counters)
		return;
	inside.counters = NULL;
	inside.threads = true;
	make_anew();
}

static void make_private(void *at, size_t bytes)
{
	raw_mmap((uintptr_t)at, bytes, PROT_READ | PROT_WRITE,
		 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
}

/* Memory stays mapped there, since copies go on counting. */
void count_stop(void)
{
	if (!inside.counting)
		return;
	if (low)
		make_private(low, counters_bytes());
	make_private(mem_counters(inside.channel, 0),
		     inside.channel->size.threads_max * counters_bytes());
}

/* Copies that address gs go on: at distance 0 is the memory itself. */
void count_forked(void)
{
	if (inside.gs)
		set_gs(0);
	inside.threads = false;
	count_stop();
}

/* Copies go on addressing gs when nothing is watched any more, too. */
long count_arch_prctl(uint64_t code, uint64_t argument)
{
	const bool gets = code == ARCH_GET_GS || code == ARCH_GET_FS;
	uint64_t *const to = mirror_alias((void *)argument);
	if (inside.gs && code == ARCH_SET_GS) {
		if (inside.threads)
			return -EPERM;
		inside.gs = false;
		make_anew();
	}
	const long result = RAW3(SYS_arch_prctl, code, gets ? (uint64_t)to : argument, 0);
	if (inside.gs && code == ARCH_GET_GS && result == 0)
		*to = 0;
	return result;
}
