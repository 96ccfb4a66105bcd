/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Mappings that the program makes. Private anonymous memory for data is watched. All other mappings
 * are made just as the program asks: files, shared memory, stacks, code, and address space that is
 * only reserved. What the loader maps is not watched here either.
 */
#include "probes/memory/inside/calls.h"
#include "probes/memory/inside/modules.h"

#include <errno.h>
#include <sys/auxv.h>
#include <sys/mman.h>

#include "probes/memory/inside/raw.h"

/* A larger mapping is likely to be reserved address space. */
#define WATCHED_MAX ((size_t)1 << 36)

static size_t pages(size_t bytes)
{
	return (bytes + INSIDE_PAGE - 1) & ~(size_t)(INSIDE_PAGE - 1);
}

/* Whether any page of a range is in a region of mirror.c. */
static bool range_covers(uintptr_t at, size_t bytes)
{
	for (uintptr_t p = at; p - at < bytes; p += INSIDE_PAGE)
		if (mirror_known(p))
			return true;
	return false;
}

/*
 * Calls `watched` for each part that is watched, and the system call `number` for each other part.
 * Ends at the first failure.
 */
static long each_part(uintptr_t at, size_t bytes, int what, long (*watched)(uintptr_t, size_t, int),
		      long number)
{
	const uintptr_t end = at + pages(bytes);
	while (at < end) {
		const bool covered = mirror_known(at);
		uintptr_t to = at;
		while (to < end && mirror_known(to) == covered)
			to += INSIDE_PAGE;
		const long failed =
			covered ? watched(at, to - at, what) : RAW3(number, at, to - at, what);
		if (failed)
			return failed;
		at = to;
	}
	return 0;
}

static bool for_data(const uint64_t *a)
{
	const uint64_t odd = MAP_SHARED | MAP_STACK | MAP_GROWSDOWN | MAP_32BIT | MAP_HUGETLB |
			     MAP_FIXED_NOREPLACE | MAP_LOCKED;
	return inside_watching() && !inside.channel->watch.ranges &&
	       !inside.channel->watch.callers && a[3] & MAP_ANONYMOUS && !(a[3] & odd) &&
	       a[2] & PROT_WRITE && !(a[2] & PROT_EXEC) && a[1] && a[1] <= WATCHED_MAX &&
	       !(a[0] & (INSIDE_PAGE - 1));
}

static void unwatch(uintptr_t at, size_t bytes)
{
	if (range_covers(at, bytes))
		mirror_drop(at, pages(bytes), true);
}

static long map_memory(uintptr_t pc, const uint64_t *a)
{
	const bool fixed = a[3] & MAP_FIXED;
	if (fixed && !(a[0] & (INSIDE_PAGE - 1)))
		unwatch(a[0], a[1]);
	long at = 0;
	if (for_data(a)) {
		at = (long)mirror_map(fixed ? a[0] : 0, pages(a[1]), MEM_MAPPED);
		if (at && (a[2] & (PROT_READ | PROT_WRITE)) != (PROT_READ | PROT_WRITE))
			mirror_protect((uintptr_t)at, pages(a[1]), (int)a[2]);
	}
	if (!at)
		at = raw_call(SYS_mmap, (long)a[0], (long)a[1], (long)a[2], (long)a[3], (long)a[4],
			      (long)a[5]);
	if (inside_watching() && raw_good((void *)at))
		RECORD(MEM_MMAP, (uint64_t)at, a[1], pc, a[2], a[3]);
	return at;
}

static long unmap_memory(uintptr_t pc, uint64_t at, uint64_t bytes)
{
	if (at & (INSIDE_PAGE - 1) || bytes == 0 || bytes >> MEM_ADDRESS_BITS)
		return -EINVAL;
	unwatch(at, bytes);
	const long failed = raw_munmap(at, bytes);
	if (!failed && inside_watching())
		RECORD(MEM_MUNMAP, at, bytes, pc);
	return failed;
}

static long protect(uintptr_t at, size_t bytes, int prot)
{
	if (prot & PROT_EXEC) {
		mirror_open(at, bytes);
		return raw_mprotect(at, bytes, prot);
	}
	return mirror_protect(at, bytes, prot);
}

/* mremap of watched memory. A move, or a larger size, needs new memory. */
static long remap(uintptr_t pc, const uint64_t *a)
{
	const uintptr_t from = a[0];
	const size_t old = pages(a[1]), new = pages(a[2]);
	uintptr_t to = from;
	if (from & (INSIDE_PAGE - 1) || !new || !old)
		return -EINVAL;
	if (a[3] & MREMAP_FIXED)
		unwatch(a[4], new);
	if (!range_covers(from, old)) {
		const long at = raw_call(SYS_mremap, (long)from, (long)a[1], (long)a[2], (long)a[3],
					 (long)a[4], 0);
		if (raw_good((void *)at) && inside_watching())
			RECORD(MEM_MREMAP, (uint64_t)at, a[2], from, a[1], pc);
		return at;
	}
	if (a[3] & MREMAP_FIXED || new > old) {
		if (!(a[3] & MREMAP_MAYMOVE))
			return -ENOMEM;
		if (a[3] & MREMAP_FIXED)
			raw_munmap(a[4], new);
		to = (uintptr_t)mirror_map(a[3] & MREMAP_FIXED ? a[4] : 0, new, MEM_MAPPED);
		if (!to)
			return -ENOMEM;
		for (size_t i = 0; i < old && i < new; i += INSIDE_PAGE)
			raw_copy(mirror_alias((void *)(to + i)), mirror_alias((void *)(from + i)),
				 INSIDE_PAGE);
		mirror_drop(from, old, true);
	} else if (new < old) {
		mirror_drop(from + new, old - new, true);
	}
	RECORD(MEM_MREMAP, to, a[2], from, a[1], pc);
	return (long)to;
}

/* brk. The program break is watched from the first call that moves it. */
static long move_break(uintptr_t pc, uint64_t to)
{
	const uint64_t from = (uint64_t)raw_call(SYS_brk, 0, 0, 0, 0, 0, 0);
	if (to && to < from)
		unwatch(pages(to), pages(from) - pages(to));
	const uint64_t at = (uint64_t)raw_call(SYS_brk, (long)to, 0, 0, 0, 0, 0);
	if (at == from || !inside_watching())
		return (long)at;
	if (at > from && !inside.channel->watch.ranges && !inside.channel->watch.callers)
		mirror_adopt(pages(from), pages(at) - pages(from), MEM_HEAP);
	RECORD(MEM_BRK, from, at, pc);
	return (long)at;
}

/* Whether pc is in the loader. What the loader maps is a library, or the loader's own memory. */
static bool from_loader(uintptr_t pc)
{
	static uintptr_t loader;
	if (!loader)
		loader = getauxval(AT_BASE);
	return pc - loader < (UINT64_C(1) << 18);
}

long maps_call(uintptr_t pc, uint64_t number, const uint64_t *a)
{
	if (from_loader(pc) && (number == SYS_mmap || number == SYS_munmap)) {
		if (number == SYS_munmap)
			modules_unmap(a[0], pages(a[1]));
		else if (a[3] & MAP_FIXED)
			unwatch(a[0], a[1]);
		return raw_call((long)number, (long)a[0], (long)a[1], (long)a[2], (long)a[3],
				(long)a[4], (long)a[5]);
	}
	switch (number) {
	case SYS_mmap:
		return map_memory(pc, a);
	case SYS_munmap:
		return unmap_memory(pc, a[0], a[1]);
	case SYS_mprotect:
		if (a[0] & (INSIDE_PAGE - 1))
			return -EINVAL;
		return each_part(a[0], a[1], (int)a[2], protect, SYS_mprotect);
	case SYS_madvise:
		if (a[0] & (INSIDE_PAGE - 1))
			return -EINVAL;
		return each_part(a[0], a[1], (int)a[2], mirror_advise, SYS_madvise);
	case SYS_mremap:
		return remap(pc, a);
	default:
		return move_break(pc, a[0]);
	}
}
