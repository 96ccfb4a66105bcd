/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "probes/memory/inside/own.h"

#include <sys/mman.h>

#include "probes/memory/inside/lock.h"
#include "probes/memory/inside/raw.h"

enum { RANGES_MAX = 4096, PIECES = 1 << 20 };

static struct {
	struct lock lock;
	uint32_t n;
	struct {
		uintptr_t from, to;
	} range[RANGES_MAX]; /* in no order */
	struct lock piece_lock;
	uintptr_t piece, piece_end; /* memory for own_new() */
} own;

/* Notes a range. A range beside a noted one becomes a part of it. */
void own_note(uintptr_t at, size_t bytes)
{
	const uintptr_t to = at + bytes;
	uint32_t i = 0;
	lock_take(&own.lock);
	while (i < own.n && own.range[i].from != to && own.range[i].to != at)
		i++;
	if (i < own.n && own.range[i].from == to) {
		own.range[i].from = at;
	} else if (i < own.n) {
		own.range[i].to = to;
	} else if (own.n < RANGES_MAX) {
		own.range[own.n].from = at;
		own.range[own.n++].to = to;
	}
	lock_give(&own.lock);
}

bool own_next(uintptr_t at, uintptr_t *from, uintptr_t *to)
{
	bool found = false;
	lock_take(&own.lock);
	for (uint32_t i = 0; i < own.n; i++)
		if (own.range[i].to > at && (!found || own.range[i].from < *from)) {
			*from = own.range[i].from;
			*to = own.range[i].to;
			found = true;
		}
	lock_give(&own.lock);
	return found;
}

void *own_map(uintptr_t at, size_t bytes)
{
	const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
	void *p = raw_mmap(at, bytes, PROT_READ | PROT_WRITE,
			   at ? flags | MAP_FIXED_NOREPLACE : flags, -1, 0);
	if (!raw_good(p))
		return NULL;
	if (at && (uintptr_t)p != at) {
		raw_munmap((uintptr_t)p, bytes);
		return NULL;
	}
	own_note((uintptr_t)p, bytes);
	return p;
}

void *own_new(size_t bytes)
{
	void *p = NULL;
	bytes = (bytes + 15) & ~(size_t)15;
	lock_take(&own.piece_lock);
	if (own.piece_end - own.piece < bytes) {
		const size_t chunk = bytes > PIECES ? bytes : PIECES;
		own.piece = (uintptr_t)own_map(0, chunk);
		own.piece_end = own.piece ? own.piece + chunk : 0;
	}
	if (own.piece) {
		p = (void *)own.piece;
		own.piece += bytes;
	}
	lock_give(&own.piece_lock);
	return p;
}

void own_unmap(void)
{
	while (own.n > 0) {
		own.n--;
		raw_munmap(own.range[own.n].from, own.range[own.n].to - own.range[own.n].from);
	}
}
