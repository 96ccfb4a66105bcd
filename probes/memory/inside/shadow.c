/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "probes/memory/inside/shadow.h"

#include "probes/memory/inside/own.h"
#include "probes/memory/inside/raw.h"

#define SHADOW_BYTES ((size_t)1 << (SHADOW_BITS - 3))

struct shadow shadow;

bool shadow_start(uint32_t suspects)
{
	if (suspects & MEM_SUSPECT_LOST)
		shadow.lost = own_map(0, SHADOW_BYTES);
	if (suspects & MEM_SUSPECT_UNSET)
		shadow.unset = own_map(0, SHADOW_BYTES);
	return (!(suspects & MEM_SUSPECT_LOST) || shadow.lost) &&
	       (!(suspects & MEM_SUSPECT_UNSET) || shadow.unset);
}

/* The entry of an address, in a table with an entry for each 8 bytes. */
static uint8_t *entry(uint8_t *table, uintptr_t at)
{
	return &table[(at & ((UINT64_C(1) << SHADOW_BITS) - 1)) / SHADOW_WORD];
}

/*
 * Sets or clears the bits of a range. Blocks begin at multiples of 16, so no other thread writes to
 * the same bytes of the table.
 */
static void mark(uintptr_t at, size_t bytes, bool lost)
{
	uintptr_t end = at + bytes, low = (at + SHADOW_WORD - 1) & ~(uintptr_t)(SHADOW_WORD - 1);
	for (; at < low && at < end; at++)
		if (lost)
			*entry(shadow.lost, at) |= (uint8_t)(1U << at % SHADOW_WORD);
	if (at >= end)
		return;
	raw_fill(entry(shadow.lost, at), lost ? 0xff : 0, (end - at) / SHADOW_WORD);
	const uint8_t rest = (uint8_t)((1U << end % SHADOW_WORD) - 1);
	if (rest && lost)
		*entry(shadow.lost, end) |= rest;
	else if (rest)
		*entry(shadow.lost, end) &= (uint8_t)~rest;
}

void shadow_empty(uintptr_t at, size_t bytes)
{
	if (shadow.lost)
		mark(at, bytes, true);
}

void shadow_block(uintptr_t at, size_t bytes, bool unset)
{
	if (shadow.lost)
		mark(at, bytes, false);
	if (shadow.unset)
		raw_fill(entry(shadow.unset, at), unset, (bytes + SHADOW_WORD - 1) / SHADOW_WORD);
}

void shadow_free(uintptr_t at, size_t bytes)
{
	if (shadow.lost)
		mark(at, bytes, true);
}

void shadow_resize(uintptr_t at, size_t old, size_t bytes)
{
	if (shadow.lost && old > bytes)
		mark(at + bytes, old - bytes, true);
	if (shadow.lost)
		mark(at, bytes, false);
	const size_t whole = (old + SHADOW_WORD - 1) & ~(size_t)(SHADOW_WORD - 1);
	if (shadow.unset && bytes > whole)
		raw_fill(entry(shadow.unset, at + whole), 1,
			 (bytes - whole + SHADOW_WORD - 1) / SHADOW_WORD);
}

void shadow_store(uintptr_t at, size_t bytes)
{
	if (shadow.unset && bytes)
		raw_fill(entry(shadow.unset, at), 0,
			 (at % SHADOW_WORD + bytes + SHADOW_WORD - 1) / SHADOW_WORD);
}

static bool is_lost(uintptr_t at)
{
	return *entry(shadow.lost, at) >> at % SHADOW_WORD & 1;
}

bool shadow_suspects(uintptr_t at, size_t bytes, enum mem_kind kind)
{
	const uintptr_t last = at + bytes - 1;
	if (shadow.lost && (is_lost(at) || is_lost(last)))
		return true;
	if (!shadow.unset || kind == MEM_SAVE)
		return false;
	for (uintptr_t p = at & ~(uintptr_t)(SHADOW_WORD - 1); p <= last; p += SHADOW_WORD)
		if (*entry(shadow.unset, p))
			return true;
	return false;
}
