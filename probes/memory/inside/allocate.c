/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * malloc and the like, and new and delete of C++. The program and its libraries, libc included,
 * call these functions instead of libc's. Each function records who called it. delete works like
 * free, and new works like malloc.
 *
 * A wrong call is recorded. A second free of the same block, and a free of an address that is no
 * block, have no other effect. A block that delete frees and malloc made is freed.
 */
#include <errno.h>
#include <gnu/libc-version.h>
#include <malloc.h>
#include <stdlib.h>

#include "probes/memory/inside/heap.h"
#include "probes/memory/inside/inside.h"
#include "probes/memory/inside/next.h"
#include "probes/memory/inside/operators.h"
#include "probes/memory/inside/raw.h"
#include "probes/memory/inside/shadow.h"
#include "probes/memory/inside/stacks.h"

enum { ALIGNED = 16 };

#define CALLER                                                                                     \
	stacks_caller(__builtin_frame_address(0), (uintptr_t)__builtin_return_address(0))

/*
 * Whether a block that the code at `pc` allocates is watched. Without --watch all blocks are. With
 * --watch only the blocks of the functions that it names are.
 */
static bool wanted(uintptr_t pc)
{
	const struct mem_channel *c = inside.channel;
	if (!inside_watching())
		return false;
	const uint32_t end = c->watch.ranges + c->watch.callers;
	for (uint32_t i = c->watch.ranges; i < end; i++)
		if (pc - c->watch.range[i].from < c->watch.range[i].bytes)
			return true;
	return end == 0;
}

static void *allocate_block(size_t bytes, size_t alignment, uintptr_t pc)
{
	void *p =
		alignment & (alignment - 1) ? NULL : heap_new(wanted(pc), bytes, alignment, false);
	if (!p)
		errno = ENOMEM;
	else if (inside_watching())
		RECORD_CALL(MEM_MALLOC, (uintptr_t)p, bytes, pc);
	return p;
}

static void *aligned(size_t alignment, size_t bytes, uintptr_t pc)
{
	return allocate_block(bytes, alignment < ALIGNED ? ALIGNED : alignment, pc);
}

/*
 * memalign() takes any alignment, and rounds it up to a power of two. Returns 0 if that is too
 * large.
 */
static size_t rounded(size_t alignment)
{
	if (alignment <= ALIGNED)
		return ALIGNED;
	if (alignment > SIZE_MAX / 2 + 1)
		return 0;
	return (size_t)1 << (64 - __builtin_clzl(alignment - 1));
}

static void *rounded_block(size_t alignment, size_t bytes, uintptr_t pc)
{
	const size_t power = rounded(alignment);

	if (power)
		return allocate_block(bytes, power, pc);
	errno = EINVAL;
	return NULL;
}

/* Whether aligned_alloc() is memalign(). From glibc 2.38 on it takes only powers of two. */
static bool rounds_aligned(void)
{
	unsigned minor = 0;

	for (const char *s = gnu_get_libc_version() + 2; *s >= '0' && *s <= '9'; s++)
		minor = 10 * minor + (unsigned)(*s - '0');
	return minor < 38;
}

/* What is wrong with freeing a block by a function that frees those of `maker`: enum mem_freed. */
static unsigned freed_how(const void *p, enum mem_maker maker)
{
	enum mem_maker by;
	if (heap_made(p, &by)) {
		const bool malloced = by == MEM_BY_MALLOC || maker == MEM_BY_MALLOC;
		return by != maker && operators_certain(malloced)
			       ? MEM_FREED_MISMATCHED + MEM_MAKERS * by + maker
			       : MEM_FREED;
	}
	return mirror_covers((uintptr_t)p) ? MEM_FREED : MEM_FREED_FOREIGN;
}

static void release_block(void *p, uintptr_t pc, enum mem_maker maker)
{
	if (!p)
		return;
	if (inside_watching()) {
		const unsigned how = freed_how(p, maker);
		RECORD_CALL(MEM_FREE, (uintptr_t)p, pc, how);
	}
	heap_free(p);
}

static void *reallocate(void *p, size_t bytes, uintptr_t pc)
{
	size_t old;
	if (!p)
		return allocate_block(bytes, ALIGNED, pc);
	if (!bytes) {
		release_block(p, pc, MEM_BY_MALLOC);
		return NULL;
	}
	if (!heap_size(p, &old)) {
		errno = ENOMEM;
		return NULL;
	}
	const unsigned how = freed_how(p, MEM_BY_MALLOC);
	void *q = heap_resize(p, bytes) ? p : heap_new(wanted(pc), bytes, ALIGNED, false);
	if (!q) {
		errno = ENOMEM;
		return NULL;
	}
	if (q != p)
		raw_copy(mirror_alias(q), mirror_alias(p), old < bytes ? old : bytes);
	shadow_store((uintptr_t)q, old < bytes ? old : bytes);
	if (inside_watching())
		RECORD_CALL(MEM_REALLOC, (uintptr_t)q, bytes, (uintptr_t)p, pc, how);
	if (q != p)
		heap_free(p);
	else if (how >= MEM_FREED_MISMATCHED)
		heap_mark(p, MEM_BY_MALLOC);
	return q;
}

INSIDE_FOR(malloc);
void *inside_malloc(size_t bytes)
{
	return allocate_block(bytes, ALIGNED, CALLER);
}

INSIDE_FOR(calloc);
void *inside_calloc(size_t count, size_t size)
{
	size_t bytes;
	void *p = __builtin_mul_overflow(count, size, &bytes)
			  ? NULL
			  : heap_new(wanted(CALLER), bytes, ALIGNED, true);
	if (!p)
		errno = ENOMEM;
	else if (inside_watching())
		RECORD_CALL(MEM_CALLOC, (uintptr_t)p, bytes, CALLER);
	return p;
}

INSIDE_FOR(realloc);
void *inside_realloc(void *p, size_t bytes)
{
	return reallocate(p, bytes, CALLER);
}

INSIDE_FOR(reallocarray);
void *inside_reallocarray(void *p, size_t count, size_t size)
{
	size_t bytes;
	if (__builtin_mul_overflow(count, size, &bytes)) {
		errno = ENOMEM;
		return NULL;
	}
	return reallocate(p, bytes, CALLER);
}

INSIDE_FOR(free);
void inside_free(void *p)
{
	release_block(p, CALLER, MEM_BY_MALLOC);
}

INSIDE_FOR(posix_memalign);
int inside_posix_memalign(void **to, size_t alignment, size_t bytes)
{
	if (alignment < sizeof(void *) || alignment & (alignment - 1))
		return EINVAL;
	int before = errno;
	void *p = aligned(alignment, bytes, CALLER);
	errno = before;
	if (!p)
		return ENOMEM;
	*(void **)mirror_alias(to) = p;
	return 0;
}

INSIDE_FOR(memalign);
void *inside_memalign(size_t alignment, size_t bytes)
{
	return rounded_block(alignment, bytes, CALLER);
}

INSIDE_FOR(aligned_alloc);
void *inside_aligned_alloc(size_t alignment, size_t bytes)
{
	const bool power = alignment && !(alignment & (alignment - 1));

	if (power || rounds_aligned())
		return rounded_block(alignment, bytes, CALLER);
	errno = EINVAL;
	return NULL;
}

INSIDE_FOR(valloc);
void *inside_valloc(size_t bytes)
{
	return aligned(INSIDE_PAGE, bytes, CALLER);
}

INSIDE_FOR(pvalloc);
void *inside_pvalloc(size_t bytes)
{
	return aligned(INSIDE_PAGE, (bytes + INSIDE_PAGE - 1) & ~(size_t)(INSIDE_PAGE - 1), CALLER);
}

INSIDE_FOR(malloc_usable_size);
size_t inside_malloc_usable_size(void *p)
{
	size_t bytes;
	return heap_size(p, &bytes) ? bytes : 0;
}

/*
 * C++. If there is no memory, the operator of libstdc++ is called: it calls the new-handler and
 * throws.
 */
static void *made(void *p, enum mem_maker maker)
{
	if (p)
		heap_mark(p, maker);
	return p;
}

#define NEW(name, maker)                                                                           \
	void *inside##name(size_t bytes) INSIDE_NAMED(#name);                                      \
	void *inside##name(size_t bytes)                                                           \
	{                                                                                          \
		void *p = allocate_block(bytes, ALIGNED, CALLER);                                  \
		return made(p ? p : ((void *(*)(size_t))next_find(#name))(bytes), maker);          \
	}

#define NEW2(name, maker, alignment)                                                               \
	void *inside##name(size_t bytes, size_t more) INSIDE_NAMED(#name);                         \
	void *inside##name(size_t bytes, size_t more)                                              \
	{                                                                                          \
		void *p = aligned(alignment, bytes, CALLER);                                       \
		return made(p ? p                                                                  \
			      : ((void *(*)(size_t, size_t))next_find(#name))(bytes, more),        \
			    maker);                                                                \
	}
#define NEW_NOTHROW(name, maker) NEW2(name, maker, ALIGNED)
#define NEW_ALIGNED(name, maker) NEW2(name, maker, more)

#define NEW3(name, maker)                                                                          \
	void *inside##name(size_t bytes, size_t alignment, const void *nothrow)                    \
		INSIDE_NAMED(#name);                                                               \
	void *inside##name(size_t bytes, size_t alignment, const void *nothrow)                    \
	{                                                                                          \
		void *p = aligned(alignment, bytes, CALLER);                                       \
		return made(p ? p                                                                  \
			      : ((void *(*)(size_t, size_t, const void *))next_find(#name))(       \
					bytes, alignment, nothrow),                                \
			    maker);                                                                \
	}

/* The other arguments (size, alignment, nothrow) are not needed to free a block. */
#define DELETE(name, maker)                                                                        \
	void inside##name(void *p) INSIDE_NAMED(#name);                                            \
	void inside##name(void *p)                                                                 \
	{                                                                                          \
		release_block(p, CALLER, maker);                                                   \
	}

NEWS(NEW, NEW_NOTHROW, NEW_ALIGNED, NEW3)
DELETES(DELETE)
