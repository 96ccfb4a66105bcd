/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "probes/memory/reader/ranges.h"

#include <string.h>

/* Returns the index of the first range that ends after an address. */
static size_t first_behind(const struct ranges *r, uint64_t at)
{
	size_t low = 0, high = r->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (r->at[middle].end <= at)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Makes room for a range at index i. Returns false if there is no memory. */
static bool open_gap(struct ranges *r, size_t i)
{
	if (!vec_reserve(r, 1))
		return false;
	memmove(&r->at[i + 1], &r->at[i], (r->n - i) * sizeof r->at[0]);
	r->n++;
	return true;
}

bool ranges_remove(struct ranges *r, uint64_t at, uint64_t end)
{
	size_t i = first_behind(r, at), kept = i;

	if (i < r->n && r->at[i].at < at && r->at[i].end > end) {
		if (!open_gap(r, i))
			return false;
		r->at[i + 1] = r->at[i];
		r->at[i].end = at;
		r->at[i + 1].at = end;
		return true;
	}
	for (; i < r->n; i++) {
		struct range x = r->at[i];

		if (x.at >= at && x.end <= end)
			continue;
		if (x.at < at)
			x.end = at;
		else if (x.at < end)
			x.at = end;
		r->at[kept++] = x;
	}
	r->n = kept;
	return true;
}

bool ranges_add(struct ranges *r, uint64_t at, uint64_t end, uint32_t number)
{
	size_t i;

	if (!ranges_remove(r, at, end))
		return false;
	i = first_behind(r, at);
	if (!open_gap(r, i))
		return false;
	r->at[i] = (struct range){ at, end, number };
	return true;
}

uint32_t ranges_find(const struct ranges *r, uint64_t at)
{
	size_t i = first_behind(r, at);

	return i < r->n && r->at[i].at <= at ? r->at[i].number : 0;
}
