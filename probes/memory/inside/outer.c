/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Functions that allocate and free, in a process that nfamem attached to. The blocks are those of
 * the program's own allocator, because it must be able to free them when nfamem has let go. What
 * that allocator does with its memory is not recorded.
 *
 * new and delete only note who called them. They call malloc and free, which record the event.
 */
#include <stdlib.h>
#include <string.h>

#include "probes/memory/inside/calls.h"
#include "probes/memory/inside/hooks.h"

/* Who called new or delete; 0: nobody did. */
static __thread uintptr_t caller INSIDE_TLS;

static uintptr_t who(uintptr_t pc)
{
	const uintptr_t by = caller ? caller : pc;
	caller = 0;
	return by;
}

#define CALLER who((uintptr_t)__builtin_return_address(0))

/*
 * Begins and ends a call of the program's allocator. Returns whether this is the outermost one, and has
 * to be recorded. That does not depend on inside_watching(): when nfamem lets go, memory is opened
 * region by region, and accesses to the last ones are still recorded.
 */
static bool begin(void)
{
	const bool outermost = ring_pause();
	inside_enter();
	return outermost;
}

static void end(bool outermost)
{
	if (outermost)
		ring_resume();
	inside_leave();
}

static struct {
	void *(*malloc)(size_t), *(*calloc)(size_t, size_t), *(*realloc)(void *, size_t);
	void *(*reallocarray)(void *, size_t, size_t), *(*memalign)(size_t, size_t);
	void *(*aligned_alloc)(size_t, size_t), *(*valloc)(size_t), *(*pvalloc)(size_t);
	void (*free)(void *);
	int (*posix_memalign)(void **, size_t, size_t);
	size_t (*malloc_usable_size)(void *);
	void *news[6], *deletes[4];
} next;

static void allocated(bool outermost, void *p, size_t bytes, enum mem_event kind, uintptr_t pc)
{
	if (outermost && p)
		RECORD(kind, (uintptr_t)p, bytes, pc);
}

/* It reads the head of a block, which is no access of the program. */
static size_t outer_malloc_usable_size(void *p)
{
	const bool outermost = begin();
	const size_t bytes = next.malloc_usable_size(p);
	end(outermost);
	return bytes;
}

/* A function that allocates `bytes`. */
#define ALLOCATES(name, kind, parameters, arguments, bytes)                                        \
	static void *outer_##name parameters                                                       \
	{                                                                                          \
		const uintptr_t pc = CALLER;                                                       \
		const bool outermost = begin();                                                    \
		void *p = next.name arguments;                                                     \
		end(outermost);                                                                    \
		allocated(outermost, p, bytes, kind, pc);                                          \
		return p;                                                                          \
	}

ALLOCATES(malloc, MEM_MALLOC, (size_t n), (n), n)
ALLOCATES(calloc, MEM_CALLOC, (size_t count, size_t size), (count, size), count * size)
ALLOCATES(memalign, MEM_MALLOC, (size_t alignment, size_t n), (alignment, n), n)
ALLOCATES(aligned_alloc, MEM_MALLOC, (size_t alignment, size_t n), (alignment, n), n)
ALLOCATES(valloc, MEM_MALLOC, (size_t n), (n), n)
ALLOCATES(pvalloc, MEM_MALLOC, (size_t n), (n), (n + INSIDE_PAGE - 1) & -(size_t)INSIDE_PAGE)

/* The event comes before the block is given back: afterwards another thread may get it. */
static void released(void *p, uintptr_t pc)
{
	if (p && !ring_paused())
		RECORD(MEM_FREE, (uintptr_t)p, pc, MEM_FREED);
}

static void outer_free(void *p)
{
	const uintptr_t pc = CALLER;
	released(p, pc);
	const bool outermost = begin();
	next.free(p);
	end(outermost);
}

/*
 * libc's realloc() gives the old block back before this thread can record it, and another thread
 * may get it in between. So a block that has to grow beyond its room is moved here.
 */
static void *move_block(void *old, size_t room, size_t bytes, uintptr_t pc)
{
	const bool outermost = begin();
	void *p = next.malloc(bytes);
	if (p)
		memcpy(p, old, room);
	end(outermost);
	if (!p)
		return NULL;
	if (outermost)
		RECORD(MEM_REALLOC, (uintptr_t)p, bytes, (uintptr_t)old, pc,
		       MEM_FREED);
	const bool again = begin();
	next.free(old);
	end(again);
	return p;
}

static void *reallocate(void *old, size_t bytes, uintptr_t pc)
{
	if (!bytes)
		released(old, pc);
	const bool outermost = begin();
	const size_t room = old ? next.malloc_usable_size(old) : 0;
	const bool moves = outermost && old && bytes > room;
	void *p = moves ? NULL : next.realloc(old, bytes);
	end(outermost);
	if (moves)
		return move_block(old, room, bytes, pc);
	if (outermost && p)
		RECORD(MEM_REALLOC, (uintptr_t)p, bytes, (uintptr_t)old, pc,
		       MEM_FREED);
	return p;
}

static void *outer_realloc(void *old, size_t bytes)
{
	return reallocate(old, bytes, CALLER);
}

static void *outer_reallocarray(void *old, size_t count, size_t size)
{
	size_t bytes;
	const uintptr_t pc = CALLER;
	if (__builtin_mul_overflow(count, size, &bytes))
		return next.reallocarray(old, count, size);
	return reallocate(old, bytes, pc);
}

static int outer_posix_memalign(void **to, size_t alignment, size_t bytes)
{
	const uintptr_t pc = CALLER;
	const bool outermost = begin();
	const int failed = next.posix_memalign(to, alignment, bytes);
	end(outermost);
	if (!failed)
		allocated(outermost, *(void **)mirror_alias(to), bytes, MEM_MALLOC, pc);
	return failed;
}

#define NOTES(name, to)                                                                            \
	static void *outer##name(uintptr_t a, uintptr_t b, uintptr_t c)                            \
	{                                                                                          \
		caller = (uintptr_t)__builtin_return_address(0);                                   \
		return ((void *(*)(uintptr_t, uintptr_t, uintptr_t))next.to)(a, b, c);             \
	}

NOTES(_Znwm, news[0])
NOTES(_Znam, news[1])
NOTES(_ZnwmRKSt9nothrow_t, news[2])
NOTES(_ZnamRKSt9nothrow_t, news[3])
NOTES(_ZnwmSt11align_val_t, news[4])
NOTES(_ZnamSt11align_val_t, news[5])
NOTES(_ZdlPv, deletes[0])
NOTES(_ZdaPv, deletes[1])
NOTES(_ZdlPvm, deletes[2])
NOTES(_ZdaPvm, deletes[3])

#define HOOK(name) { #name, (void *)outer_##name, (void **)&next.name }
#define NOTING(name, to) { #name, (void *)outer##name, &next.to }

const struct hook outer_hooks[] = {
	HOOK(malloc),
	HOOK(calloc),
	HOOK(realloc),
	HOOK(reallocarray),
	HOOK(memalign),
	HOOK(aligned_alloc),
	HOOK(valloc),
	HOOK(pvalloc),
	HOOK(free),
	HOOK(posix_memalign),
	HOOK(malloc_usable_size),
	NOTING(_Znwm, news[0]),
	NOTING(_Znam, news[1]),
	NOTING(_ZnwmRKSt9nothrow_t, news[2]),
	NOTING(_ZnamRKSt9nothrow_t, news[3]),
	NOTING(_ZnwmSt11align_val_t, news[4]),
	NOTING(_ZnamSt11align_val_t, news[5]),
	NOTING(_ZdlPv, deletes[0]),
	NOTING(_ZdaPv, deletes[1]),
	NOTING(_ZdlPvm, deletes[2]),
	NOTING(_ZdaPvm, deletes[3]),
	{ NULL, NULL, NULL },
};
