/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Code that the program makes at run time (just-in-time compilers). The program may change such code
 * at any time, so an instruction there cannot simply be replaced by a jump.
 *
 *     may be written now      an access faults, and a copy of the instruction carries it out; at
 *                             each fault the copy is compared with the code
 *     may not be written now  instructions are replaced; before the program may write again, all of
 *                             them get their own bytes back (mprotect, munmap, mmap)
 */
#include "probes/memory/inside/made.h"

#include <sys/mman.h>

#include "probes/memory/inside/inside.h"
#include "probes/memory/inside/raw.h"
#include "probes/memory/inside/sites.h"

enum { RANGES_MAX = 4096 };

/* Ranges that may be executed, and were not mapped by the loader. In no order, without overlaps. */
static struct made {
	uintptr_t at;
	size_t bytes;
	bool writable;
} ranges[RANGES_MAX];
static uint32_t count;
/* Ranges were lost, because there are too many. Then all code that no module has counts as writable. */
static bool lost;

static void add_range(uintptr_t at, size_t bytes, bool writable)
{
	if (bytes == 0)
		return;
	for (uint32_t i = 0; i < count; i++)
		if (ranges[i].at + ranges[i].bytes == at && ranges[i].writable == writable) {
			ranges[i].bytes += bytes;
			return;
		}
	if (count == RANGES_MAX)
		lost = true;
	else
		ranges[count++] = (struct made){ at, bytes, writable };
}

/* Removes a range from the table. Returns whether any of it was there. */
static bool take_range(uintptr_t at, size_t bytes)
{
	bool found = false;
	const uintptr_t end = at + bytes;
	for (uint32_t i = 0; i < count;) {
		const struct made m = ranges[i];
		if (m.at >= end || m.at + m.bytes <= at) {
			i++;
			continue;
		}
		found = true;
		ranges[i] = ranges[--count];
		if (m.at < at)
			add_range(m.at, at - m.at, m.writable);
		if (m.at + m.bytes > end)
			add_range(end, m.at + m.bytes - end, m.writable);
	}
	return found;
}

void made_change(uintptr_t at, size_t bytes, int prot, bool kept)
{
	const bool executable = prot & PROT_EXEC;
	if (count == 0 && !executable && !lost)
		return;
	lock_take(&sites_lock);
	if (take_range(at, bytes) || lost)
		sites_restore(at, bytes, kept);
	if (executable)
		add_range(at, bytes, prot & PROT_WRITE);
	lock_give(&sites_lock);
}

static const struct made *range_of(uintptr_t pc)
{
	for (uint32_t i = 0; i < count; i++)
		if (pc - ranges[i].at < ranges[i].bytes)
			return &ranges[i];
	return NULL;
}

bool made_writable(uintptr_t pc)
{
	const struct made *r = range_of(pc);
	return r ? r->writable : lost;
}

bool made_contains(uintptr_t pc)
{
	return lost || range_of(pc) != NULL;
}
