/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * The channels of child processes. struct mem_follow in channel.h says how processes get channels.
 */
#include "probes/memory/inside/inside.h"
#include "probes/memory/inside/raw.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>

/*
 * The address of the first channel. The other channels follow, below the addresses that pages.c
 * uses.
 */
static const uintptr_t channels_at = 0x180000000000;

/* The first channel of the file. */
static struct mem_channel *first;

static struct mem_channel *channel(uint32_t slot)
{
	return (struct mem_channel *)((char *)first + slot * first->bytes);
}

/* Maps all channels of a file. Returns false if the file does not hold channels. */
static bool map_channels(long fd)
{
	const int prot = PROT_READ | PROT_WRITE;
	struct mem_channel *c = raw_mmap(0, sizeof *c, prot, MAP_SHARED, (int)fd, 0);
	if (!raw_good(c))
		return false;
	const bool good = c->magic == MEM_MAGIC && c->version == MEM_VERSION &&
			  c->bytes == mem_channel_bytes(c);
	const uint64_t bytes = c->bytes * (c->follow.slots ? c->follow.slots : 1);
	raw_munmap((uintptr_t)c, sizeof *c);
	if (!good)
		return false;
	c = raw_mmap(channels_at, bytes, prot, MAP_SHARED | MAP_NORESERVE, (int)fd, 0);
	if (!raw_good(c))
		return false;
	RAW3(SYS_madvise, c, bytes, MADV_DONTDUMP);
	first = c;
	return true;
}

/* Writes into a channel which process it belongs to. */
static void introduce(struct mem_channel *c)
{
	struct stat space;
	c->follow.pid = (uint32_t)RAW3(SYS_getpid, 0, 0, 0);
	if (RAW3(SYS_stat, "/proc/self/ns/pid", &space, 0) == 0)
		c->follow.pid_space = space.st_ino;
}

/* Fills in a new channel: the same sizes and settings as in the first channel. */
static void begin_channel(struct mem_channel *c, uint32_t origin, uint32_t slot, bool executed)
{
	c->magic = first->magic;
	c->version = first->version;
	c->bytes = first->bytes;
	c->size.sites_max = first->size.sites_max;
	c->size.threads_max = first->size.threads_max;
	c->size.ring_words = first->size.ring_words;
	c->engine = first->engine;
	c->ordered = first->ordered;
	c->stacks = first->stacks;
	c->code.wanted = first->code.wanted;
	c->leaks = first->leaks;
	c->loss.reader = first->loss.reader;
	c->loss.when = first->loss.when;
	c->follow.slots = first->follow.slots;
	c->follow.slot = slot;
	c->follow.choose = first->follow.choose;
	raw_copy(c->follow.path, first->follow.path, sizeof c->follow.path);
	c->follow.origin = origin;
	c->follow.executed = executed;
	c->watch.pending = executed && first->follow.choose;
	introduce(c);
}

/* Takes a free channel. `taken` makes sure that only one process gets it. */
static struct mem_channel *take_channel(uint32_t origin, bool executed)
{
	for (uint32_t i = 1; i < first->follow.slots; i++) {
		struct mem_channel *c = channel(i);
		uint32_t none = 0, used = atomic_load(&first->follow.used);
		if (atomic_load(&c->follow.taken) ||
		    !atomic_compare_exchange_strong(&c->follow.taken, &none, 1))
			continue;
		begin_channel(c, origin, i, executed);
		while (used < i + 1 &&
		       !atomic_compare_exchange_weak(&first->follow.used, &used, i + 1))
			;
		return c;
	}
	return NULL;
}

struct mem_channel *family_take(void)
{
	struct mem_channel *c = take_channel(inside.channel->follow.slot, false);
	if (!c) {
		inside_reason("it has more processes at a time than nfamem can follow. Some are "
			      "not watched");
		return NULL;
	}
	c->watch.ranges = inside.channel->watch.ranges;
	c->watch.callers = inside.channel->watch.callers;
	raw_copy(c->watch.range, inside.channel->watch.range, sizeof c->watch.range);
	/* A child of fork has the same sites as its parent, with the same numbers. */
	c->sites = atomic_load(&inside.channel->sites);
	raw_copy(mem_sites(c), mem_sites(inside.channel), c->sites * sizeof(struct mem_site));
	for (uint32_t i = 0; i < c->sites; i++)
		mem_sites(c)[i].faults = 0;
	atomic_store(&c->follow.ready, 1);
	return c;
}

/*
 * Takes a channel for a newly executed program. The process with the channel `origin` executed it,
 * or a child of vfork of that process did. The process with the channel `origin` may have ended.
 */
static struct mem_channel *arrive_at_channel(uint32_t origin)
{
	struct mem_channel *c = take_channel(origin, true), *from = channel(origin);
	if (!c)
		return NULL;
	const bool replaced = c->follow.pid == from->follow.pid;
	c->follow.program = replaced ? from->follow.program + 1 : 0;
	atomic_store(&c->follow.ready, 1);
	atomic_fetch_add(&first->follow.arrivals, 1);
	if (replaced)
		atomic_store(&from->state, MEM_REPLACED);
	return c;
}

static long number_in(const char *s)
{
	long n = 0;
	for (; *s >= '0' && *s <= '9'; s++)
		n = n * 10 + (*s - '0');
	return n;
}

const char *family_library(void)
{
	static char path[4096];
	Dl_info self;
	if (path[0] == 0 && dladdr(&inside, &self) && raw_length(self.dli_fname) < sizeof path)
		raw_copy(path, self.dli_fname, raw_length(self.dli_fname) + 1);
	return path;
}

struct mem_channel *family_open(const char *value)
{
	char path[256];
	size_t n = 0;
	long fd = number_in(value);
	for (; value[n] && value[n] != ':' && n < sizeof path - 1; n++)
		path[n] = value[n];
	path[n] = 0;
	if (path[0] == '/')
		fd = raw_call(SYS_openat, AT_FDCWD, (long)path, O_RDWR | O_CLOEXEC, 0, 0, 0);
	if (fd < 0)
		return NULL;
	const bool mapped = map_channels(fd);
	RAW3(SYS_close, fd, 0, 0);
	if (!mapped)
		return NULL;
	if (value[n] == ':') {
		const uint32_t from = (uint32_t)number_in(value + n + 1);
		return from < first->follow.slots ? arrive_at_channel(from) : NULL;
	}
	introduce(first);
	return first;
}

void family_end(void)
{
	if (!first)
		return;
	raw_munmap((uintptr_t)first,
		   first->bytes * (first->follow.slots ? first->follow.slots : 1));
}

void family_leave(void)
{
	const uint64_t bytes = first->bytes * (first->follow.slots ? first->follow.slots : 1);
	void *own = raw_mmap(0, bytes, PROT_READ | PROT_WRITE,
			     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (!raw_good(own))
		return;
	const uintptr_t away = (uintptr_t)inside.channel - (uintptr_t)first;
	raw_copy(own, first, sizeof *first);
	raw_copy((char *)own + away, inside.channel, sizeof *first);
	raw_call(SYS_mremap, (long)own, (long)bytes, (long)bytes, MREMAP_MAYMOVE | MREMAP_FIXED,
		 (long)first, 0);
}

bool family_wait(struct mem_channel *c)
{
	for (unsigned rounds = 1; !atomic_load(&c->follow.attached); rounds++) {
		struct timespec nap = { 0, 50000 };
		RAW3(SYS_nanosleep, &nap, 0, 0);
		if (mem_reader_died(first) || (rounds % 1024 == 0 && ring_reader_gone(c)))
			return false;
	}
	return !c->detach;
}
