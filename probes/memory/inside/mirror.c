/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * A page is mapped a second time without a file descriptor, which the program might close: mremap
 * with a size of 0 maps shared pages again. So the alias is shared anonymous memory, or the
 * program's own shared mapping. The mapping at the own address is made from it, and then closed.
 * The file is a little over 500 lines because all of it changes the same list of regions.
 */
#include "probes/memory/inside/inside.h"
#include "probes/memory/inside/lock.h"
#include "probes/memory/inside/own.h"
#include "probes/memory/inside/raw.h"

#include <errno.h>
#include <linux/sysinfo.h>
#include <sys/auxv.h>
#include <sys/mman.h>

enum { NEAR = 1, LOW, REGIONS_MAX = 1 << 16 };

static const uint64_t near_from = UINT64_C(1) << 46, low_to = UINT64_C(1) << 40;
#define SHADOW_APART (UINT64_C(1) << 36)
static const uintptr_t pages_at = 0x100000000000, heap_at = 0x600000000000;
/* Where the heap of a program that is not PIE lies while copies count, and what it ends before. */
static const uintptr_t heap_low = 0x200000000000, heap_low_to = 0x300000000000;

uint8_t *mirror_pages;
int64_t mirror_distances[4] = { 0, -(INT64_C(1) << 46), INT64_C(0x300000000000), 0 };
uint8_t mirror_gs = NEAR;

struct region {
	uintptr_t at;
	size_t bytes;
	uint16_t prot; /* what the program asked for */
	bool own;      /* private to the program: after a fork the child gets a copy */
};

/* Sorted by address, without overlaps. */
static struct region *regions;
static uint32_t region_count;
static struct lock lock;
static uintptr_t heap_next;
static bool gave; /* some memory is not watched any more (mirror_give) */

/* The number of the distance that a range has to its alias; 0 if it cannot have an alias. */
static uint8_t distance_of(uintptr_t at, size_t bytes)
{
	uintptr_t end = at + bytes;
	if (bytes == 0 || end < at || end > UINT64_C(1) << MEM_ADDRESS_BITS)
		return 0;
	if (at >= near_from)
		return NEAR;
	/* What was taken for the heap, and nothing else that a program has there. */
	if (mirror_gs == LOW && at >= heap_low && end <= heap_next && end <= heap_low_to)
		return LOW;
	return inside.low && end <= low_to ? LOW : 0;
}

/* The number of the first region that ends after `at`. */
static uint32_t find_region(uintptr_t at)
{
	uint32_t from = 0, to = region_count;
	while (from < to) {
		uint32_t middle = (from + to) / 2;
		if (regions[middle].at + regions[middle].bytes <= at)
			from = middle + 1;
		else
			to = middle;
	}
	return from;
}

static void insert(uint32_t where, struct region r)
{
	for (uint32_t i = region_count++; i > where; i--)
		regions[i] = regions[i - 1];
	regions[where] = r;
}

/* Splits the region that contains `at` into two, so that a region begins there. */
static void split(uintptr_t at)
{
	uint32_t i = find_region(at);
	if (i == region_count || regions[i].at >= at)
		return;
	struct region behind = regions[i];
	behind.bytes -= at - behind.at;
	behind.at = at;
	regions[i].bytes = at - regions[i].at;
	insert(i + 1, behind);
}

static void mark_pages(uintptr_t at, size_t bytes, uint8_t what)
{
	raw_fill(mirror_pages + (at >> 12), what, bytes >> 12);
}

static void add_region(uintptr_t at, size_t bytes, int prot, bool own, uint8_t what)
{
	lock_take(&lock);
	insert(find_region(at), (struct region){ at, bytes, (uint16_t)prot, own });
	mark_pages(at, bytes, what);
	lock_give(&lock);
}

/* Whether the table has room for two more splits. */
static bool regions_left(void)
{
	return region_count + 4 < REGIONS_MAX;
}

static size_t round_up(size_t bytes)
{
	return (bytes + INSIDE_PAGE - 1) & ~(size_t)(INSIDE_PAGE - 1);
}

static uintptr_t round_down(uintptr_t at)
{
	return at & ~(uintptr_t)(INSIDE_PAGE - 1);
}

/* Copies pages. Pages that are all zero are skipped, so that they take up no memory. */
static void copy_pages(uintptr_t to, uintptr_t from, size_t bytes)
{
	for (size_t i = 0; i < bytes; i += INSIDE_PAGE) {
		const uint64_t *words = (const uint64_t *)(from + i);
		size_t n = 0;
		while (n < INSIDE_PAGE / 8 && words[n] == 0)
			n++;
		if (n < INSIDE_PAGE / 8)
			raw_copy((void *)(to + i), words, INSIDE_PAGE);
	}
}

/*
 * Copies shared pages. A shared page that was never written has no memory, and reading would give
 * it some. So only pages that have memory are read. A page on a swap device cannot be told from a
 * page without memory. So if there is a swap device, all pages are read.
 */
static void copy_shared(uintptr_t to, uintptr_t from, size_t bytes)
{
	struct sysinfo machine;
	const bool swaps = RAW3(SYS_sysinfo, &machine, 0, 0) != 0 || machine.totalswap != 0;
	unsigned char has[256];

	for (size_t i = 0, n; i < bytes; i += n) {
		n = bytes - i < sizeof has * INSIDE_PAGE ? bytes - i : sizeof has * INSIDE_PAGE;
		const bool known = !swaps && RAW3(SYS_mincore, from + i, n, has) == 0;
		for (size_t k = 0; k < n / INSIDE_PAGE; k++)
			if (!known || has[k] & 1)
				copy_pages(to + i + k * INSIDE_PAGE, from + i + k * INSIDE_PAGE,
					   INSIDE_PAGE);
	}
}

/* Maps new pages at the alias of a range. */
static bool map_alias(uintptr_t alias, size_t bytes)
{
	void *p = raw_mmap(alias, bytes, PROT_READ | PROT_WRITE,
			   MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
	if (raw_good(p) && (uintptr_t)p != alias)
		raw_munmap((uintptr_t)p, bytes);
	return raw_good(p) && (uintptr_t)p == alias;
}

/* Maps shared pages a second time, at `to`, and replaces what is mapped there. */
static bool map_again(uintptr_t from, uintptr_t to, size_t bytes)
{
	long p = raw_call(SYS_mremap, (long)from, 0, (long)bytes, MREMAP_MAYMOVE | MREMAP_FIXED,
			  (long)to, 0);
	return (uintptr_t)p == to;
}

/* Whether the kernel can map a page a second time and close it. If not, says so in the channel. */
static bool can_map(void)
{
	const size_t bytes = INSIDE_PAGE;
	void *two = raw_mmap(0, 2 * bytes, PROT_READ | PROT_WRITE,
			     MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (!raw_good(two)) {
		inside_reason("it can't share memory (mmap)");
		return false;
	}
	const uintptr_t at = (uintptr_t)two;
	const bool mapped = map_again(at, at + bytes, bytes);
	const bool closed = raw_mprotect(at, bytes, PROT_NONE) == 0;
	if (!mapped)
		inside_reason("its memory can't be mapped a second time (mremap)");
	else if (!closed)
		inside_reason("its memory can't be protected against access (mprotect)");
	raw_munmap(at, 2 * bytes);
	return mapped && closed;
}

bool mirror_start(void)
{
	size_t pages = UINT64_C(1) << (MEM_ADDRESS_BITS - 12);
	if (!can_map())
		return false;
	void *p = own_map(pages_at, pages);
	if (!p) {
		inside_reason("there is no address space for a table of its pages (32 GiB)");
		return false;
	}
	RAW3(SYS_madvise, p, pages, MADV_DONTDUMP);
	void *r = own_map(0, REGIONS_MAX * sizeof *regions);
	if (!r) {
		inside_reason("there is no memory for a table of its regions");
		return false;
	}
	regions = r;
	mirror_pages = p;
	/* With stacks, the heap shares no entry of shadow.h with a program that is not PIE. */
	heap_next = heap_at + (inside.stacks ? SHADOW_APART : 0);
	if (inside.channel->counting && getauxval(AT_PHDR) < low_to) {
		mirror_gs = LOW;
		mirror_distances[LOW] = INT64_C(1) << 46;
		heap_next = heap_low;
	}
	return true;
}

bool mirror_adopt(uintptr_t at, size_t bytes, enum mem_region_kind kind)
{
	uintptr_t end = round_down(at + bytes);
	at = round_up(at);
	if (!mirror_pages || end <= at || !regions_left())
		return false;
	bytes = end - at;
	uint8_t what = distance_of(at, bytes);
	if (!what || !map_alias(at + (uintptr_t)mirror_distances[what], bytes))
		return false;
	uintptr_t alias = at + (uintptr_t)mirror_distances[what];
	copy_pages(alias, at, bytes);
	if (!map_again(alias, at, bytes)) {
		raw_munmap(alias, bytes);
		return false;
	}
	add_region(at, bytes, PROT_READ | PROT_WRITE, true, what);
	raw_mprotect(at, bytes, PROT_NONE);
	RECORD(MEM_REGION, at, bytes, kind);
	return true;
}

/* The heap could not be given this place. The next one gets it, if no other thread took one since. */
static void not_taken(uintptr_t at, size_t bytes)
{
	lock_take(&lock);
	if (heap_next == at + bytes + INSIDE_PAGE)
		heap_next = at;
	lock_give(&lock);
}

void *mirror_map(uintptr_t at, size_t bytes, enum mem_region_kind kind)
{
	bytes = round_up(bytes);
	if (!mirror_pages || bytes == 0 || !regions_left() || at % INSIDE_PAGE)
		return NULL;
	if (at == 0) {
		lock_take(&lock);
		at = heap_next;
		heap_next += bytes + INSIDE_PAGE;
		lock_give(&lock);
	}
	uint8_t what = distance_of(at, bytes);
	uintptr_t alias = at + (uintptr_t)mirror_distances[what];
	if (!what || !map_alias(alias, bytes)) {
		not_taken(at, bytes);
		return NULL;
	}
	if (!map_again(alias, at, bytes)) {
		raw_munmap(alias, bytes);
		not_taken(at, bytes);
		return NULL;
	}
	raw_mprotect(at, bytes, PROT_NONE);
	add_region(at, bytes, PROT_READ | PROT_WRITE, true, what);
	if (kind != MEM_HEAP)
		RECORD(MEM_REGION, at, bytes, kind);
	return (void *)at;
}

bool mirror_share(uintptr_t at, size_t bytes)
{
	bytes = round_up(at + bytes) - round_down(at);
	at = round_down(at);
	uint8_t what = distance_of(at, bytes);
	if (!mirror_pages || !what || !regions_left())
		return false;
	uintptr_t alias = at + (uintptr_t)mirror_distances[what];
	/* Reserve the alias first, so that the next call replaces no other mapping. */
	if (!map_alias(alias, bytes))
		return false;
	if (!map_again(at, alias, bytes)) {
		raw_munmap(alias, bytes);
		return false;
	}
	raw_mprotect(at, bytes, PROT_NONE);
	add_region(at, bytes, PROT_READ | PROT_WRITE, false, what);
	RECORD(MEM_REGION, at, bytes, MEM_MAPPED);
	return true;
}

/* Removes the regions in a range from the table, and calls `each` for each of them. */
static void take_out(uintptr_t at, size_t bytes, void (*each)(struct region))
{
	lock_take(&lock);
	split(at);
	split(at + bytes);
	uint32_t from = find_region(at), to = from;
	for (; to < region_count && regions[to].at < at + bytes; to++)
		each(regions[to]);
	for (uint32_t i = to; i < region_count; i++)
		regions[from + i - to] = regions[i];
	region_count -= to - from;
	lock_give(&lock);
}

static uintptr_t alias_of(struct region r)
{
	return r.at + (uintptr_t)mirror_distances[distance_of(r.at, r.bytes)];
}

/* Unmaps a region. Its pages are given back first, because other mappings of them may remain. */
static void drop_region(struct region r)
{
	mark_pages(r.at, r.bytes, 0);
	if (r.own)
		RAW3(SYS_madvise, alias_of(r), r.bytes, MADV_REMOVE);
	raw_munmap(alias_of(r), r.bytes);
	raw_munmap(r.at, r.bytes);
}

void mirror_drop(uintptr_t at, size_t bytes, bool record)
{
	bytes = round_up(at + bytes) - round_down(at);
	at = round_down(at);
	if (!mirror_pages || bytes == 0)
		return;
	if (record)
		RECORD(MEM_UNREGION, at, bytes);
	take_out(at, bytes, drop_region);
}

/*
 * The marks go last: until then other threads use the alias. In a handler a thread would die if it
 * used the own address while that is closed.
 */
static void open_region(struct region r)
{
	raw_mprotect(r.at, r.bytes, r.prot);
	mark_pages(r.at, r.bytes, 0);
}

/* The regions stay in the table: their pages are still shared, and a child of fork needs copies. */
void mirror_open_all(void)
{
	inside.watching = false;
	lock_take(&lock);
	for (uint32_t i = 0; i < region_count; i++)
		open_region(regions[i]);
	lock_give(&lock);
}

void *mirror_before(const void *p)
{
	return (void *)((uintptr_t)p + (uintptr_t)mirror_distances[distance_of((uintptr_t)p, 1)]);
}

bool mirror_known(uintptr_t at)
{
	lock_take(&lock);
	const uint32_t i = find_region(at);
	const bool known = i < region_count && regions[i].at <= at;
	lock_give(&lock);
	return known;
}

/* Copies a region to new memory, private or shared as `how` says, and moves that memory to `to`. */
static void copy_region(struct region r, int how, uintptr_t to)
{
	uintptr_t alias = alias_of(r);
	void *copy = raw_mmap(0, r.bytes, PROT_READ | PROT_WRITE,
			      how | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (!raw_good(copy))
		RAW3(SYS_exit_group, 127, 0, 0);
	raw_mprotect(alias, r.bytes, PROT_READ);
	copy_shared((uintptr_t)copy, alias, r.bytes);
	raw_call(SYS_mremap, (long)copy, (long)r.bytes, (long)r.bytes,
		 MREMAP_MAYMOVE | MREMAP_FIXED, (long)to, 0);
}

static void make_private(struct region r)
{
	uintptr_t alias = alias_of(r);
	mark_pages(r.at, r.bytes, 0);
	if (r.own)
		copy_region(r, MAP_PRIVATE, r.at);
	raw_munmap(alias, r.bytes);
	if (!r.own || r.prot != (PROT_READ | PROT_WRITE))
		open_region(r);
}

void mirror_give(uintptr_t at, size_t bytes)
{
	bytes = round_up(at + bytes) - round_down(at);
	at = round_down(at);
	if (!regions_left())
		return;
	RECORD(MEM_UNREGION, at, bytes);
	gave = true;
	take_out(at, bytes, make_private);
}

bool mirror_left(uintptr_t at)
{
	return !mirror_covers(at) && ((gave && distance_of(at, 1)) || mirror_known(at));
}

bool mirror_was_alias(uintptr_t at)
{
	for (unsigned i = NEAR; i <= LOW; i++) {
		const uintptr_t own = at - (uintptr_t)mirror_distances[i];
		if (distance_of(own, 1) == i && !mirror_covers(own))
			return true;
	}
	return false;
}

void mirror_private(void)
{
	inside.watching = false;
	if (mirror_pages)
		take_out(INSIDE_PAGE, (UINT64_C(1) << MEM_ADDRESS_BITS) - INSIDE_PAGE,
			 make_private);
}

void mirror_copy(void)
{
	for (uint32_t i = 0; i < region_count; i++) {
		const struct region r = regions[i];
		if (!r.own)
			continue;
		copy_region(r, MAP_SHARED, alias_of(r));
		map_again(alias_of(r), r.at, r.bytes);
		raw_mprotect(r.at, r.bytes, PROT_NONE);
		if (r.prot != (PROT_READ | PROT_WRITE))
			raw_mprotect(alias_of(r), r.bytes, r.prot);
	}
}

void mirror_hold(void)
{
	lock_take(&lock);
}

void mirror_release(void)
{
	lock_give(&lock);
}

long mirror_protect(uintptr_t at, size_t bytes, int prot)
{
	bytes = round_up(bytes);
	if (at % INSIDE_PAGE)
		return -EINVAL;
	if (!regions_left())
		return -ENOMEM;
	long result = 0;
	lock_take(&lock);
	split(at);
	split(at + bytes);
	for (uint32_t i = find_region(at); i < region_count && regions[i].at < at + bytes; i++) {
		long r = raw_mprotect(alias_of(regions[i]), regions[i].bytes, prot);
		if (r == 0 && !inside.watching)
			r = raw_mprotect(regions[i].at, regions[i].bytes, prot);
		if (r == 0)
			regions[i].prot = (uint16_t)prot;
		else
			result = r;
	}
	lock_give(&lock);
	return result;
}

long mirror_advise(uintptr_t at, size_t bytes, int advice)
{
	bytes = round_up(bytes);
	if (at % INSIDE_PAGE)
		return -EINVAL;
	long result = 0;
	lock_take(&lock);
	for (uint32_t i = find_region(at); i < region_count && regions[i].at < at + bytes; i++) {
		struct region r = regions[i];
		uintptr_t from = at > r.at ? at : r.at, end = r.at + r.bytes;
		int now = advice;
		if (end > at + bytes)
			end = at + bytes;
		if (r.own && (advice == MADV_DONTNEED || advice == MADV_FREE))
			now = MADV_REMOVE;
		uintptr_t alias = from + (uintptr_t)mirror_distances[distance_of(r.at, r.bytes)];
		long failed = RAW3(SYS_madvise, alias, end - from, now);
		if (failed)
			result = failed;
	}
	lock_give(&lock);
	return result;
}

int mirror_prot(uintptr_t at)
{
	lock_take(&lock);
	uint32_t i = find_region(at);
	int prot = i < region_count && regions[i].at <= at ? regions[i].prot : -1;
	lock_give(&lock);
	return prot;
}

void mirror_each(void (*each)(uintptr_t at, size_t bytes, void *with), void *with)
{
	for (uint32_t i = 0; i < region_count; i++)
		each(regions[i].at, regions[i].bytes, with);
}

void *mirror_own(const void *p)
{
	uintptr_t at = (uintptr_t)p;
	uintptr_t near = at - (uintptr_t)mirror_distances[NEAR];
	uintptr_t low = at - (uintptr_t)mirror_distances[LOW];
	if (at < near_from && mirror_covers(near) && mirror_pages[near >> 12] == NEAR)
		return (void *)near;
	if (mirror_covers(low) && mirror_pages[low >> 12] == LOW)
		return (void *)low;
	return (void *)at;
}
