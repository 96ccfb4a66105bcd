/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Mappings that the program makes. Private anonymous memory for data is watched. All other mappings
 * are made just as the program asks: files, shared memory, stacks, code, and address space that is
 * only reserved. What the loader maps is not watched here either.
 */
#include "probes/memory/inside/calls.h"
#include "probes/memory/inside/made.h"
#include "probes/memory/inside/modules.h"

#include <errno.h>
#include <sys/auxv.h>
#include <sys/mman.h>

#include "probes/memory/inside/raw.h"
#include "probes/memory/inside/roots.h"
#include "probes/memory/inside/stacks.h"

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

typedef long part(uintptr_t at, size_t bytes, int what);

/*
 * Calls `watched` for each part that is watched, and `other` for each other part.
 * Ends at the first failure.
 */
static long each_part(uintptr_t at, size_t bytes, int what, part *watched, part *other)
{
	const uintptr_t end = at + pages(bytes);
	while (at < end) {
		const bool covered = mirror_known(at);
		uintptr_t to = at;
		while (to < end && mirror_known(to) == covered)
			to += INSIDE_PAGE;
		const long failed = (covered ? watched : other)(at, to - at, what);
		if (failed)
			return failed;
		at = to;
	}
	return 0;
}

static bool for_data(const uint64_t *a)
{
	const uint64_t odd = MAP_SHARED | MAP_STACK | MAP_GROWSDOWN | MAP_32BIT | MAP_HUGETLB |
			     MAP_LOCKED;
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

/*
 * Watches new memory at `at`, if nothing is mapped there. Returns NULL if something is, or if memory
 * there cannot be watched.
 */
static void *map_free(uintptr_t at, size_t bytes)
{
	void *p = raw_mmap(at, bytes, PROT_NONE,
			   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
	if (!raw_good(p))
		return NULL;
	if ((uintptr_t)p == at) {
		void *watched = mirror_map(at, bytes, MEM_MAPPED);
		if (watched)
			return watched;
	}
	raw_munmap((uintptr_t)p, bytes);
	return NULL;
}

/*
 * New watched memory where the program wants it. An address without MAP_FIXED is a hint. The kernel
 * honours it if the place is free. NULL: the kernel shall map the memory.
 */
static void *map_watched(const uint64_t *a)
{
	const size_t bytes = pages(a[1]);
	if (a[3] & MAP_FIXED_NOREPLACE)
		return map_free(a[0], bytes);
	if (a[3] & MAP_FIXED)
		return mirror_map(a[0], bytes, MEM_MAPPED);
	if (!a[0])
		return mirror_map(0, bytes, MEM_MAPPED);
	void *p = map_free(a[0], bytes);
	if (p)
		return p;
	/* The place is taken, or is free but cannot be watched. Then the hint counts for more. */
	p = raw_mmap(a[0], bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (raw_good(p))
		raw_munmap((uintptr_t)p, bytes);
	return (uintptr_t)p == a[0] ? NULL : mirror_map(0, bytes, MEM_MAPPED);
}

static long map_memory(uintptr_t pc, const uint64_t *a)
{
	if (a[3] & MAP_FIXED && !(a[0] & (INSIDE_PAGE - 1))) {
		made_change(a[0], pages(a[1]), 0, false);
		unwatch(a[0], a[1]);
	}
	long at = 0;
	if (for_data(a)) {
		at = (long)map_watched(a);
		if (at && (a[2] & (PROT_READ | PROT_WRITE)) != (PROT_READ | PROT_WRITE))
			mirror_protect((uintptr_t)at, pages(a[1]), (int)a[2]);
	}
	const bool watched = at;
	if (!at)
		at = raw_call(SYS_mmap, (long)a[0], (long)a[1], (long)a[2], (long)a[3], (long)a[4],
			      (long)a[5]);
	if (raw_good((void *)at) && a[3] & MAP_STACK)
		roots_stack((uintptr_t)at, pages(a[1]));
	if (!watched && raw_good((void *)at) && a[2] & PROT_WRITE && !(a[2] & PROT_EXEC))
		inside_unseen(MEM_UNSEEN_MAPPING);
	/* Code in shared memory may be written through another mapping. */
	const int writes = a[3] & MAP_SHARED ? PROT_WRITE : 0;
	if (raw_good((void *)at) && a[2] & PROT_EXEC)
		made_change((uintptr_t)at, pages(a[1]), (int)a[2] | writes, false);
	if (inside_watching() && raw_good((void *)at))
		RECORD(MEM_MMAP, (uint64_t)at, a[1], pc, a[2], a[3]);
	return at;
}

static long unmap_memory(uintptr_t pc, uint64_t at, uint64_t bytes)
{
	if (at & (INSIDE_PAGE - 1) || bytes == 0 || bytes >> MEM_ADDRESS_BITS)
		return -EINVAL;
	made_change(at, pages(bytes), 0, false);
	unwatch(at, bytes);
	const long failed = raw_munmap(at, bytes);
	if (!failed)
		roots_unmapped(at, pages(bytes));
	if (!failed && inside_watching())
		RECORD(MEM_MUNMAP, at, bytes, pc);
	return failed;
}

/*
 * libc's malloc reserves address space and asks for its use piece by piece. It serves a program only
 * if nfamem attached to it.
 */
static long open_reserve(uintptr_t at, size_t bytes, int prot)
{
	const long failed = raw_mprotect(at, bytes, prot);
	if (!failed && prot == (PROT_READ | PROT_WRITE) && inside_watching())
		mirror_adopt(at, bytes, MEM_MAPPED);
	return failed;
}

static long protect_plainly(uintptr_t at, size_t bytes, int prot)
{
	return raw_mprotect(at, bytes, prot);
}

static long advise_plainly(uintptr_t at, size_t bytes, int advice)
{
	return RAW3(SYS_madvise, at, bytes, advice);
}

static long protect(uintptr_t at, size_t bytes, int prot)
{
	if (prot & PROT_EXEC) {
		mirror_give(at, bytes);
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
	if (a[3] & MREMAP_FIXED) {
		made_change(a[4], new, 0, false);
		unwatch(a[4], new);
	}
	if (!range_covers(from, old)) {
		made_change(from, old, 0, true);
		const long at = raw_call(SYS_mremap, (long)from, (long)a[1], (long)a[2], (long)a[3],
					 (long)a[4], 0);
		if (raw_good((void *)at) && inside_watching())
			RECORD(MEM_MREMAP, (uint64_t)at, a[2], from, a[1], pc);
		return at;
	}
	if (!(a[3] & MREMAP_FIXED) && new > old && map_free(from + old, new - old)) {
		RECORD(MEM_MREMAP, from, a[2], from, a[1], pc);
		return (long)from;
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

/*
 * brk. The program break is watched from the first call that moves it. The kernel moves the break
 * back only if memory is mapped there, so what is given back is unwatched afterwards.
 */
static long move_break(uintptr_t pc, uint64_t to)
{
	const uint64_t from = (uint64_t)raw_call(SYS_brk, 0, 0, 0, 0, 0, 0);
	const uint64_t at = (uint64_t)raw_call(SYS_brk, (long)to, 0, 0, 0, 0, 0);
	if (at < from)
		unwatch(pages(at), pages(from) - pages(at));
	if (at == from || !inside_watching())
		return (long)at;
	if (at > from && !inside.channel->watch.ranges && !inside.channel->watch.callers)
		mirror_adopt(pages(from), pages(at) - pages(from),
			     inside.attached ? MEM_MAPPED : MEM_HEAP);
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

static long make_call(uintptr_t pc, uint64_t number, const uint64_t *a)
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
		if (!from_loader(pc))
			made_change(a[0], pages(a[1]), (int)a[2], true);
		return each_part(a[0], a[1], (int)a[2], protect,
				 inside_self.allocates ? open_reserve : protect_plainly);
	case SYS_madvise:
		if (a[0] & (INSIDE_PAGE - 1))
			return -EINVAL;
		return each_part(a[0], a[1], (int)a[2], mirror_advise, advise_plainly);
	case SYS_mremap:
		return remap(pc, a);
	default:
		return move_break(pc, a[0]);
	}
}

long maps_call(uintptr_t pc, uint64_t number, const uint64_t *a)
{
	const bool fresh = number == SYS_madvise || number == SYS_brk ||
			   (number == SYS_mmap && !(a[3] & MAP_FIXED));
	const long result = make_call(pc, number, a);
	if (!fresh)
		stacks_forget();
	if (number == SYS_mprotect && inside.attached && from_loader(pc))
		modules_relocated(a[0]);
	return result;
}
