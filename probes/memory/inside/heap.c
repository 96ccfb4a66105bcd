/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Address space is dealt out in units of 64 KiB. A span is a run of units. It holds either small
 * blocks of one size, or one large block at its start. A table with two levels leads from an
 * address to its span. A span of small blocks has one unit, so it is enough to look up the unit of
 * an address.
 *
 * Freed small blocks wait in a queue, one queue for each size. They are used again only when more
 * than QUEUE_BYTES wait there.
 */
#include "probes/memory/inside/heap.h"

#include <sys/mman.h>

#include "probes/memory/inside/inside.h"
#include "probes/memory/inside/lock.h"
#include "probes/memory/inside/own.h"
#include "probes/memory/inside/shadow.h"

enum {
	UNIT_BITS = 16,
	UNIT = 1 << UNIT_BITS,
	STEP = 16,
	FINE_MAX = 1024,  /* up to here sizes grow in steps of 16 */
	SMALL_MAX = 8192, /* up to here there are four sizes from one power of two to the next */
	FINE = FINE_MAX / STEP,
	CLASSES = FINE + 3 * 4,
	QUEUE_BYTES = 1 << 20,
	LARGE_QUEUE_BYTES = 16 << 20,
	CHUNK_FIRST = 1 << 20,
	CHUNK_LAST = 64 << 20,
	AROUND_MOST = 64 << 20, /* heap_around() looks so far for the beginning of a block */
	KEPT_BYTES = 256 << 10, /* a larger block gives its pages back to the kernel */
};

/* A small block: the size asked for, and who made it (enum mem_maker). */
struct small {
	uint16_t bytes;
	uint8_t maker;
	bool freed;
};

struct span {
	uintptr_t base;
	size_t units;
	uint32_t size;   /* of each small block; 0: the span is one large block */
	uint32_t carved; /* number of small blocks that were handed out at least once */
	struct small *small;
	size_t bytes;    /* size asked for, of the large block */
	uint8_t maker;   /* of the large block */
	bool live;       /* the large block is in use */
	bool watched;    /* the span belongs to the pool of watched memory */
	bool used;       /* the pages of the large block may hold other bytes than 0 */
	struct span *next;
};

/* A queue of addresses (first in, first out). It is a ring buffer that doubles its size. */
struct queue {
	uintptr_t *at;
	size_t first, count, room;
	size_t bytes;
};

/* A pool holds either watched memory or unwatched memory. */
struct pool {
	struct queue freed[CLASSES];
	struct span *filling[CLASSES];
	struct span *large_first, *large_last; /* freed large blocks that wait */
	size_t large_bytes;
	struct span *runs; /* free runs of units, from large blocks that have waited */
	uintptr_t chunk, chunk_end;
	size_t chunk_bytes;
};

static struct {
	struct lock lock;
	struct span **spans[1 << (MEM_ADDRESS_BITS - 32)];
	struct pool pools[2];   /* 0: unwatched memory, 1: watched memory */
} heap;

/*
 * Unused bytes after a block, at least. The element after the last one of an array shall lie in
 * them, so longer blocks have more.
 */
static size_t gap_of(size_t bytes)
{
	return bytes <= 48 ? 16 : bytes <= 96 ? 32 : bytes <= 512 ? 64 : 128;
}

/*
 * The room that a small block takes. A block of 0 bytes has room for one, so that it has a gap
 * behind its own address, too.
 */
static size_t room_of(size_t bytes)
{
	return (bytes ? bytes : 1) + gap_of(bytes);
}

static uint32_t class_of(size_t bytes)
{
	if (bytes <= FINE_MAX)
		return bytes ? (uint32_t)((bytes - 1) / STEP) : 0;
	uint32_t log = 63 - (uint32_t)__builtin_clzl(bytes - 1);
	return FINE + (log - 10) * 4 + (uint32_t)(((bytes - 1) >> (log - 2)) & 3);
}

static uint32_t class_bytes(uint32_t class)
{
	if (class < FINE)
		return (class + 1) * STEP;
	uint32_t log = 10 + (class - FINE) / 4;
	return (1U << log) + ((class - FINE) % 4 + 1) * (1U << (log - 2));
}

static struct span *span_of(uintptr_t at)
{
	if (at >> MEM_ADDRESS_BITS)
		return NULL;
	struct span **table = heap.spans[at >> 32];
	return table ? table[(at >> UNIT_BITS) & 0xffff] : NULL;
}

static bool span_enter(struct span *s)
{
	struct span ***table = &heap.spans[s->base >> 32];
	if (!*table)
		*table = own_new((size_t)65536 * sizeof **table);
	if (!*table)
		return false;
	(*table)[(s->base >> UNIT_BITS) & 0xffff] = s;
	return true;
}

static bool queue_put(struct queue *q, uintptr_t at)
{
	if (q->count == q->room) {
		size_t room = q->room ? 2 * q->room : 64;
		uintptr_t *grown = own_new(room * sizeof *grown);
		if (!grown)
			return false;
		for (size_t i = 0; i < q->count; i++)
			grown[i] = q->at[(q->first + i) % q->room];
		*q = (struct queue){ grown, 0, q->count, room, q->bytes };
	}
	q->at[(q->first + q->count++) % q->room] = at;
	return true;
}

static uintptr_t queue_take(struct queue *q)
{
	uintptr_t at = q->at[q->first];
	q->first = (q->first + 1) % q->room;
	q->count--;
	return at;
}

/* Takes new units. Returns the address of the first one, or 0. Their memory is zero. */
static uintptr_t units_map(bool watched, size_t units)
{
	struct pool *o = &heap.pools[watched];
	size_t bytes = units << UNIT_BITS;
	if (o->chunk_end - o->chunk < bytes) {
		size_t chunk = o->chunk_bytes ? 2 * o->chunk_bytes : CHUNK_FIRST;
		chunk = chunk > CHUNK_LAST ? CHUNK_LAST : chunk;
		size_t wanted = (bytes > chunk ? bytes : chunk) + UNIT;
		void *p = watched ? mirror_map(0, wanted, MEM_HEAP)
				  : raw_mmap(0, wanted, PROT_READ | PROT_WRITE,
					     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
		if (!p || !raw_good(p))
			return 0;
		own_note((uintptr_t)p, wanted);
		/* There is a gap before the first block, too. */
		o->chunk = ((uintptr_t)p + UNIT) & ~(uintptr_t)(UNIT - 1);
		if (watched)
			shadow_empty((uintptr_t)p, o->chunk - (uintptr_t)p);
		o->chunk_end = (uintptr_t)p + wanted;
		o->chunk_bytes = chunk;
	}
	uintptr_t at = o->chunk;
	o->chunk += bytes;
	return at;
}

static struct span *span_new(bool watched, size_t units)
{
	struct span *s = own_new(sizeof *s);
	if (!s)
		return NULL;
	s->base = units_map(watched, units);
	s->watched = watched;
	s->units = units;
	return s->base ? s : NULL;
}

static void *small_new(bool watched, size_t bytes, uint32_t class)
{
	uint32_t size = class_bytes(class);
	struct pool *o = &heap.pools[watched];
	struct queue *q = &o->freed[class];
	struct span *s = o->filling[class];
	if (q->bytes > QUEUE_BYTES) {
		uintptr_t at = queue_take(q);
		q->bytes -= size;
		s = span_of(at);
		s->small[(at - s->base) / size] = (struct small){ .bytes = (uint16_t)bytes };
		return (void *)at;
	}
	if (!s || s->carved == UNIT / size) {
		s = span_new(watched, 1);
		struct small *small = s ? own_new(UNIT / size * sizeof *small) : NULL;
		if (!small || !span_enter(s))
			return NULL;
		s->small = small;
		s->size = size;
		if (watched)
			shadow_empty(s->base, UNIT);
		o->filling[class] = s;
	}
	s->small[s->carved] = (struct small){ .bytes = (uint16_t)bytes };
	return (void *)(s->base + (uintptr_t)size * s->carved++);
}

/*
 * Takes the first free run with at least `units` units. A run of more than twice as many is left
 * alone, because otherwise small requests would take up all large runs.
 */
static struct span *run_take(struct pool *o, size_t units)
{
	for (struct span **p = &o->runs; *p; p = &(*p)->next)
		if ((*p)->units >= units && (*p)->units <= 2 * units) {
			struct span *s = *p;
			*p = s->next;
			return s;
		}
	return NULL;
}

static void *large_new(bool watched, size_t bytes, size_t alignment, bool zero)
{
	if (bytes > (size_t)1 << 46 || alignment > (size_t)1 << 40)
		return NULL;
	size_t units = (bytes + gap_of(bytes) + UNIT - 1) >> UNIT_BITS;
	struct span *s = alignment <= UNIT ? run_take(&heap.pools[watched], units) : NULL;
	if (!s) {
		s = span_new(watched, units + (alignment > UNIT ? alignment >> UNIT_BITS : 0));
		if (!s)
			return NULL;
		if (alignment > UNIT) {
			s->base = (s->base + alignment - 1) & ~(alignment - 1);
			s->units = units;
		}
		if (!span_enter(s))
			return NULL;
	}
	if (zero && s->used)
		raw_fill(mirror_alias((void *)s->base), 0, bytes);
	if (watched)
		shadow_empty(s->base + bytes, (s->units << UNIT_BITS) - bytes);
	s->bytes = bytes;
	s->maker = MEM_BY_MALLOC;
	s->live = s->used = true;
	s->next = NULL;
	return (void *)s->base;
}

void *heap_new(bool watched, size_t bytes, size_t alignment, bool zero)
{
	void *p;
	/* A block larger than SMALL_MAX is large anyway, so the gap is not added here. */
	size_t size = bytes > SMALL_MAX ? bytes : room_of(bytes);
	/* A block whose size is a power of two lies at a multiple of its size. */
	if (alignment > STEP && size <= SMALL_MAX && alignment <= SMALL_MAX) {
		size_t wanted = size;
		size = alignment;
		while (size < wanted)
			size *= 2;
	}
	inside_enter();
	lock_take(&heap.lock);
	if (size <= SMALL_MAX && alignment <= SMALL_MAX)
		p = small_new(watched, bytes, class_of(size));
	else
		p = large_new(watched, bytes ? bytes : 1, alignment, zero);
	if (p && watched)
		shadow_block((uintptr_t)p, bytes, !zero);
	lock_give(&heap.lock);
	inside_leave();
	if (p && zero && size <= SMALL_MAX && alignment <= SMALL_MAX)
		raw_fill(mirror_alias(p), 0, bytes);
	return p;
}

/* The span of a block that is in use; NULL if `p` is no such block. */
static struct span *block(const void *p, uint32_t *index)
{
	uintptr_t at = (uintptr_t)p;
	struct span *s = span_of(at);
	if (!s)
		return NULL;
	if (!s->size)
		return s->live && at == s->base ? s : NULL;
	*index = (uint32_t)((at - s->base) / s->size);
	if ((at - s->base) % s->size || *index >= s->carved || s->small[*index].freed)
		return NULL;
	return s;
}

/* Large blocks that have waited long enough become free runs. */
static void large_retire(struct pool *o)
{
	while (o->large_bytes > LARGE_QUEUE_BYTES) {
		struct span *s = o->large_first;
		o->large_first = s->next;
		o->large_bytes -= s->bytes;
		if (s->bytes > KEPT_BYTES) {
			size_t bytes = s->units << UNIT_BITS;
			long failed = mirror_known(s->base)
					      ? mirror_advise(s->base, bytes, MADV_DONTNEED)
					      : RAW3(SYS_madvise, s->base, bytes, MADV_DONTNEED);
			s->used = failed != 0;
		}
		s->next = o->runs;
		o->runs = s;
	}
}

void heap_free(void *p)
{
	uint32_t index = 0;
	inside_enter();
	lock_take(&heap.lock);
	struct span *s = block(p, &index);
	if (s && s->watched)
		shadow_free((uintptr_t)p, s->size ? s->small[index].bytes : s->bytes);
	if (s && s->size) {
		struct queue *q = &heap.pools[s->watched].freed[class_of(s->size)];
		s->small[index].freed = true;
		if (queue_put(q, (uintptr_t)p))
			q->bytes += s->size;
	} else if (s) {
		struct pool *o = &heap.pools[s->watched];
		s->live = false;
		s->next = NULL;
		if (o->large_first)
			o->large_last->next = s;
		else
			o->large_first = s;
		o->large_last = s;
		o->large_bytes += s->bytes;
		large_retire(o);
	}
	lock_give(&heap.lock);
	inside_leave();
}

bool heap_size(const void *p, size_t *bytes)
{
	uint32_t index = 0;
	inside_enter();
	lock_take(&heap.lock);
	const struct span *s = block(p, &index);
	if (s)
		*bytes = s->size ? s->small[index].bytes : s->bytes;
	lock_give(&heap.lock);
	inside_leave();
	return s;
}

void heap_mark(void *p, enum mem_maker maker)
{
	uint32_t index = 0;
	inside_enter();
	lock_take(&heap.lock);
	struct span *s = block(p, &index);
	if (s && s->size)
		s->small[index].maker = (uint8_t)maker;
	else if (s)
		s->maker = (uint8_t)maker;
	lock_give(&heap.lock);
	inside_leave();
}

bool heap_made(const void *p, enum mem_maker *maker)
{
	uint32_t index = 0;
	inside_enter();
	lock_take(&heap.lock);
	const struct span *s = block(p, &index);
	if (s)
		*maker = (enum mem_maker)(s->size ? s->small[index].maker : s->maker);
	lock_give(&heap.lock);
	inside_leave();
	return s;
}

bool heap_around(uintptr_t at, uintptr_t *from, uintptr_t *to)
{
	/* Only the first unit of a large block leads to its span. */
	for (uintptr_t unit = at; unit >= UNIT && at - unit < AROUND_MOST; unit -= UNIT) {
		const struct span *s = span_of(unit);
		if (!s)
			continue;
		/* Another thread may make another block of the span meanwhile. */
		const uintptr_t base = __atomic_load_n(&s->base, __ATOMIC_RELAXED);
		const size_t bytes = __atomic_load_n(&s->units, __ATOMIC_RELAXED) << UNIT_BITS;
		const uint32_t size = __atomic_load_n(&s->size, __ATOMIC_RELAXED);
		if (at - base >= bytes)
			continue;
		*from = size ? at - (at - base) % size : base;
		*to = size ? *from + size : base + bytes;
		return true;
	}
	return false;
}

bool heap_resize(void *p, size_t bytes)
{
	uint32_t index = 0;
	bool fits = false;
	inside_enter();
	lock_take(&heap.lock);
	struct span *s = block(p, &index);
	const size_t size = bytes > SMALL_MAX ? bytes : room_of(bytes);
	const size_t old = !s ? 0 : s->size ? s->small[index].bytes : s->bytes;
	if (s && s->size) {
		fits = size <= SMALL_MAX && class_bytes(class_of(size)) == s->size;
		if (fits)
			s->small[index].bytes = (uint16_t)bytes;
	} else if (s) {
		fits = size > SMALL_MAX && bytes + gap_of(bytes) <= s->units << UNIT_BITS &&
		       bytes >= (s->units << UNIT_BITS) / 4;
		if (fits)
			s->bytes = bytes;
	}
	if (fits && s->watched)
		shadow_resize((uintptr_t)p, old, bytes);
	lock_give(&heap.lock);
	inside_leave();
	return fits;
}

static void each_of(const struct span *s, void (*each)(void *, uintptr_t, size_t), void *with)
{
	if (!s->size && s->live)
		each(with, s->base, s->bytes);
	for (uint32_t i = 0; s->size && i < s->carved; i++)
		if (!s->small[i].freed)
			each(with, s->base + (uintptr_t)s->size * i, s->small[i].bytes);
}

void heap_each(void (*each)(void *with, uintptr_t at, size_t bytes), void *with)
{
	for (size_t i = 0; i < sizeof heap.spans / sizeof *heap.spans; i++)
		for (size_t k = 0; heap.spans[i] && k < 65536; k++)
			if (heap.spans[i][k])
				each_of(heap.spans[i][k], each, with);
}

void heap_hold(void)
{
	lock_take(&heap.lock);
}

void heap_release(void)
{
	lock_give(&heap.lock);
}
