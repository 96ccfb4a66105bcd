/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "probes/memory/inside/pages.h"

#include "probes/memory/inside/calls.h"
#include "probes/memory/inside/inside.h"
#include "probes/memory/inside/own.h"
#include "probes/memory/inside/raw.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/membarrier.h>
#include <sys/mman.h>

/* A process may have 65,530 mappings, and the program needs some of them. */
enum { PAGES_MAX = 40000, GRAIN = 64, CHUNK = 16, TRIES = 64, REFUSED = 1024 };

/* Where copies lie that may lie anywhere. It is far from all other memory. */
static const uintptr_t anywhere = 0x190000000000;

/* Sorted by address. */
static struct code_page *pages;
static uint32_t count;

/*
 * File descriptor of /proc/self/mem, or -1. Open between the first write after pages_begin and
 * pages_end; if it is `kept`, until the next pages_end or pages_before_call.
 */
static long memory;
static bool kept, shared;

void pages_begin(void)
{
	if (!kept)
		memory = -1;
	kept = false;
}

void pages_end(void)
{
	if (memory >= 0)
		RAW3(SYS_close, memory, 0, 0);
}

/* To open it takes as long as two writes, and a program that starts has many faults in a row. */
void pages_end_fault(void)
{
	kept = memory >= 0 && !inside.threads && !shared && calls_seen();
	if (!kept)
		pages_end();
}

void pages_before_call(void)
{
	if (kept)
		RAW3(SYS_close, memory, 0, 0);
	kept = false;
}

void pages_forget(void)
{
	kept = false;
}

void pages_shared(void)
{
	shared = true;
}

/* Writes memory that may not be written. */
static bool write_closed(uintptr_t at, const void *code, size_t bytes)
{
	const int flags = O_WRONLY | O_CLOEXEC;
	if (memory < 0)
		memory = raw_call(SYS_openat, AT_FDCWD, (long)"/proc/self/mem", flags, 0, 0, 0);
	if (memory < 0)
		return false;
	long n = raw_call(SYS_pwrite64, memory, (long)code, (long)bytes, (long)at, 0, 0);
	return n == (long)bytes;
}

static bool is_writable(uintptr_t at)
{
	const struct code_page *p = pages_find(at);
	return p && p->writable;
}

bool pages_write(uintptr_t at, const void *code, size_t bytes)
{
	if (!is_writable(at) || !is_writable(at + bytes - 1))
		return write_closed(at, code, bytes);
	raw_copy((void *)at, code, bytes);
	return true;
}

static bool tell_all(void)
{
	return RAW3(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED_SYNC_CORE, 0, 0) == 0;
}

bool pages_replace(uintptr_t at, const uint8_t *code, size_t bytes)
{
	static const uint8_t trap = 0xcc;
	uint8_t old = *(const uint8_t *)at;
	if (!pages_write(at, &trap, 1))
		return false;
	bool good = tell_all() && (bytes == 1 || pages_write(at + 1, code + 1, bytes - 1)) &&
		    tell_all() && pages_write(at, code, 1);
	if (!good)
		pages_write(at, &old, 1);
	tell_all();
	return good;
}

bool pages_can_replace(void)
{
	return RAW3(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED_SYNC_CORE, 0, 0) == 0;
}

bool pages_start(void)
{
	void *p = own_map(0, PAGES_MAX * sizeof *pages);
	if (!p) {
		inside_reason("there is no memory for a table of copied instructions");
		return false;
	}
	pages = p;
	static const uint8_t halt = 0xf4;
	uintptr_t at = pages_take_anywhere(1);
	pages_begin();
	bool good = at && write_closed(at, &halt, 1);
	pages_end();
	if (good)
		return true;
	inside_reason("its code can't be changed, because /proc/self/mem can't be written");
	return false;
}

/* The number of the first page at or after `at`. */
static uint32_t place_of(uintptr_t at)
{
	uint32_t from = 0, to = count;
	while (from < to) {
		uint32_t middle = (from + to) / 2;
		if (pages[middle].at < at)
			from = middle + 1;
		else
			to = middle;
	}
	return from;
}

struct code_page *pages_find(uintptr_t at)
{
	at &= ~(uintptr_t)(INSIDE_PAGE - 1);
	uint32_t i = place_of(at);
	return i < count && pages[i].at == at ? &pages[i] : NULL;
}

/*
 * Ranges in which something else was mapped, by their first page. Copies ask for the same places
 * again and again. If a range has become free meanwhile, others are taken all the same.
 */
static uintptr_t refused[REFUSED];

static uintptr_t *refused_entry(uintptr_t at)
{
	return &refused[at / INSIDE_PAGE % REFUSED];
}

/*
 * Maps n pages and adds them to the table. They may be written as well as executed, if the kernel
 * lets them. That saves a system call for each copy.
 */
static bool map_pages(uintptr_t at, uint32_t n)
{
	const int prot = PROT_READ | PROT_EXEC;
	const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE;
	if (count + n > PAGES_MAX || *refused_entry(at) == (at | n))
		return false;
	void *p = raw_mmap(at, n * INSIDE_PAGE, prot | PROT_WRITE, flags, -1, 0);
	const bool writable = p != (void *)-EACCES && p != (void *)-EPERM;
	if (!writable)
		p = raw_mmap(at, n * INSIDE_PAGE, prot, flags, -1, 0);
	if (raw_good(p) && (uintptr_t)p != at)
		raw_munmap((uintptr_t)p, n * INSIDE_PAGE);
	if (!raw_good(p) || (uintptr_t)p != at) {
		*refused_entry(at) = at | n;
		return false;
	}
	uint32_t where = place_of(at);
	for (uint32_t i = count; i > where; i--)
		pages[i - 1 + n] = pages[i - 1];
	for (uint32_t i = 0; i < n; i++)
		pages[where + i] = (struct code_page){ .at = at + i * INSIDE_PAGE,
							 .writable = writable };
	count += n;
	return true;
}

static uint64_t grains(uintptr_t at, size_t bytes)
{
	unsigned first = at % INSIDE_PAGE / GRAIN;
	unsigned last = (unsigned)((at % INSIDE_PAGE + bytes - 1) / GRAIN);
	uint64_t upto = last >= 63 ? ~UINT64_C(0) : (UINT64_C(1) << (last + 1)) - 1;
	return upto & ~((UINT64_C(1) << first) - 1);
}

/* Marks the bytes of a copy as used or as free, in each page that it touches. */
static void mark_range(uintptr_t at, size_t bytes, bool used)
{
	while (bytes) {
		size_t here = INSIDE_PAGE - at % INSIDE_PAGE;
		here = here < bytes ? here : bytes;
		struct code_page *p = pages_find(at);
		if (used)
			p->used |= grains(at, here);
		else
			p->used &= ~grains(at, here);
		at += here;
		bytes -= here;
	}
}

/* Whether a copy of `bytes` at `at` lies in known pages only, and its bytes are free. */
static bool is_free(uintptr_t at, size_t bytes)
{
	while (bytes) {
		size_t here = INSIDE_PAGE - at % INSIDE_PAGE;
		here = here < bytes ? here : bytes;
		struct code_page *p = pages_find(at);
		if (!p || p->used & grains(at, here))
			return false;
		at += here;
		bytes -= here;
	}
	return true;
}

/* The first address at or after `at` where the bits of (address - end) have the wanted values. */
static uintptr_t next_wanted(const struct pages_want *w, uintptr_t at)
{
	const uint64_t x = at - w->end, fixed = w->mask, y = (x & ~fixed) | w->value;
	if (y == x)
		return at;
	/* All bits below the highest bit that differs. */
	const uint64_t below = (UINT64_C(1) << (63 - __builtin_clzl(x ^ y))) - 1;
	const uint64_t free = y > x ? y & ~below : (x | fixed | below) + 1;
	return w->end + ((free & ~fixed) | w->value);
}

/*
 * Takes a place in a known page. It is at the start of a grain, at w->from, or where the wanted
 * bits require.
 */
static uintptr_t take_in_page(uintptr_t page, const struct pages_want *w, size_t bytes)
{
	uintptr_t at = next_wanted(w, w->from > page ? w->from : page);
	while (at <= w->to && at < page + INSIDE_PAGE) {
		if (is_free(at, bytes)) {
			mark_range(at, bytes, true);
			return at;
		}
		at = next_wanted(w, (at + GRAIN) & ~(uintptr_t)(GRAIN - 1));
	}
	return 0;
}

/* Maps the pages that a copy at `at` needs and that are not known yet. */
static bool complete(uintptr_t at, size_t bytes)
{
	uintptr_t end = at + bytes;
	for (at &= ~(uintptr_t)(INSIDE_PAGE - 1); at < end; at += INSIDE_PAGE)
		if (!pages_find(at) && !map_pages(at, 1))
			return false;
	return true;
}

/*
 * Takes a place in a new page at or after `at`. If many places are right (`wide`), maps several
 * pages at once.
 */
static uintptr_t take_at(uintptr_t at, bool wide, const struct pages_want *w, size_t bytes)
{
	if (wide && w->mask == 0) {
		if (!map_pages(at, CHUNK))
			return 0;
		for (unsigned i = 0; i < CHUNK; i++) {
			uintptr_t found = take_in_page(at + i * INSIDE_PAGE, w, bytes);
			if (found)
				return found;
		}
		return 0;
	}
	at = next_wanted(w, at);
	if (at > w->to || !complete(at, bytes) || !is_free(at, bytes))
		return 0;
	mark_range(at, bytes, true);
	return at;
}

/* Takes a place in new pages. */
static uintptr_t take_new(const struct pages_want *w, size_t bytes)
{
	const uintptr_t chunk = CHUNK * INSIDE_PAGE, room = w->to - w->from;
	bool wide = room > 4 * chunk;
	uintptr_t step = room / TRIES < GRAIN ? GRAIN : room / TRIES, at = w->from;
	if (wide) {
		step = (step + chunk - 1) & ~(chunk - 1);
		at = (at + chunk - 1) & ~(chunk - 1);
	}
	for (; at <= w->to; at += step) {
		if ((at + chunk) >> MEM_ADDRESS_BITS || at < 1 << 16)
			continue;
		uintptr_t found = take_at(at, wide, w, bytes);
		if (found)
			return found;
	}
	return 0;
}

/*
 * Whether a page may have room for a copy. Does not look at copies that continue in the next page.
 */
static bool has_room(const struct code_page *p, size_t bytes)
{
	uint64_t runs = ~p->used;
	for (size_t n = GRAIN; n < bytes && runs; n += GRAIN)
		runs &= runs >> 1;
	return runs != 0;
}

/* Takes a place in the known pages with the numbers i to i + n - 1. */
static uintptr_t take_among(uint32_t i, uint32_t n, const struct pages_want *w, size_t bytes)
{
	for (uint32_t tried = 0; n > 0 && i < count && pages[i].at <= w->to && tried < TRIES;
	     i++, n--) {
		if (!has_room(&pages[i], bytes))
			continue;
		tried++;
		uintptr_t at = take_in_page(pages[i].at, w, bytes);
		if (at)
			return at;
	}
	return 0;
}

uintptr_t pages_take(const struct pages_want *w, size_t bytes)
{
	/*
	 * The page of the last copy that could lie in many places. It is likely to have more room.
	 */
	static uintptr_t recent;
	uintptr_t from = w->from & ~(uintptr_t)(INSIDE_PAGE - 1), at = 0;
	bool wide = w->to - w->from > 4 * CHUNK * INSIDE_PAGE;
	if (wide && recent >= from && recent <= w->to)
		at = take_among(place_of(recent), CHUNK, w, bytes);
	if (!at)
		at = take_among(place_of(from), count, w, bytes);
	if (!at)
		at = take_new(w, bytes);
	if (at && wide)
		recent = at & ~(uintptr_t)(INSIDE_PAGE - 1);
	return at;
}

uintptr_t pages_take_anywhere(size_t bytes)
{
	/* The range is as long as can be filled: take_new() tries so many chunks of it. */
	enum { RANGE = TRIES * CHUNK * INSIDE_PAGE, RANGES = 64 };
	static unsigned full; /* ranges without room */
	uintptr_t at = 0;
	for (; full < RANGES && !at; full += !at) {
		const uintptr_t from = anywhere + (uintptr_t)full * RANGE;
		const struct pages_want want = { from, from + RANGE - 1, 0, 0, 0 };
		at = pages_take(&want, bytes);
	}
	return at;
}

void pages_return(uintptr_t at, size_t bytes)
{
	mark_range(at, bytes, false);
}

void pages_unmap(void)
{
	while (count > 0)
		raw_munmap(pages[--count].at, INSIDE_PAGE);
}
