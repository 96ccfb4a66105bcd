/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "runtime/stats/heat.h"

#include <stdlib.h>
#include <string.h>

/* A block of lines that has messages. */
struct block {
	uint64_t index; /* index of its first line, divided by the number of lines in a block */
	size_t row;     /* its row of the timeline */
};

struct heat {
	const struct nfart_proto *p;
	struct timeline *timeline;
	int shift;            /* a block has 1 << shift lines */
	size_t most_rows;
	struct block *blocks; /* [n]: the blocks by rising index; there is room for most_rows */
	size_t n;
	size_t *unused;       /* [most_rows - n]: rows of the timeline that no block has */
	uint64_t others;
};

struct heat *heat_new(const struct nfart_proto *p, size_t rows, size_t columns)
{
	struct heat *h = calloc(1, sizeof *h);

	if (h == NULL)
		return NULL;
	h->p = p;
	h->most_rows = rows;
	h->blocks = calloc(rows, sizeof *h->blocks);
	h->unused = calloc(rows, sizeof *h->unused);
	h->timeline = timeline_new(rows, columns);
	if (h->blocks == NULL || h->unused == NULL || h->timeline == NULL) {
		heat_free(h);
		return NULL;
	}
	for (size_t i = 0; i < rows; i++)
		h->unused[i] = i;
	return h;
}

void heat_free(struct heat *h)
{
	if (h == NULL)
		return;
	timeline_free(h->timeline);
	free(h->blocks);
	free(h->unused);
	free(h);
}

/* Makes blocks twice as large. */
static void enlarge(struct heat *h)
{
	size_t n = 0, free_rows = h->most_rows - h->n;

	h->shift++;
	for (size_t i = 0; i < h->n; i++) {
		struct block x = { h->blocks[i].index >> 1, h->blocks[i].row };
		if (n != 0 && h->blocks[n - 1].index == x.index) {
			timeline_merge(h->timeline, h->blocks[n - 1].row, x.row);
			h->unused[free_rows++] = x.row;
		} else {
			h->blocks[n++] = x;
		}
	}
	h->n = n;
}

/* Returns the place among the blocks of the first one whose index is not below `index`. */
static size_t place_of(const struct heat *h, uint64_t index)
{
	size_t low = 0, high = h->n;

	while (low < high) {
		size_t middle = (low + high) / 2;
		if (h->blocks[middle].index < index)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Returns the row of the timeline for a line, which it makes if need be. */
static size_t row_of(struct heat *h, uint64_t line)
{
	size_t i = place_of(h, line >> h->shift);

	if (i < h->n && h->blocks[i].index == line >> h->shift)
		return h->blocks[i].row;
	if (h->n == h->most_rows) {
		enlarge(h);
		return row_of(h, line);
	}
	memmove(h->blocks + i + 1, h->blocks + i, (h->n - i) * sizeof *h->blocks);
	h->blocks[i] = (struct block){ line >> h->shift, h->unused[h->most_rows - h->n - 1] };
	h->n++;
	return h->blocks[i].row;
}

void heat_put(struct heat *h, const struct nfart_batch *b)
{
	const struct nfart_proto *p = h->p;
	uint64_t slots = b->mask & (UINT64_MAX >> (64 - p->nslots));

	/* Messages without an address, and losses, belong to the time of the stream, too. */
	timeline_add(h->timeline, 0, b->time, 0);
	for (; slots != 0; slots &= slots - 1) {
		uint32_t slot = (uint32_t)__builtin_ctzll(slots);
		if (bits_get(p->codes.has_addr, proto_code(p, slot, b->header[slot])))
			timeline_add(h->timeline, row_of(h, proto_line(p, b->header[slot])),
				     b->time, 1);
		else
			h->others++;
	}
}

void heat_join(struct heat *h, struct heat *from)
{
	while (h->shift < from->shift)
		enlarge(h);
	for (size_t i = 0; i < from->n; i++)
		timeline_add_row(h->timeline, row_of(h, from->blocks[i].index << from->shift),
				 from->timeline, from->blocks[i].row);
	/* The time of a stream goes on without messages, too. All rows are empty then. */
	if (from->n == 0)
		timeline_add_row(h->timeline, 0, from->timeline, 0);
	h->others += from->others;
}

size_t heat_rows(const struct heat *h)
{
	return h->n;
}

uint64_t heat_address(const struct heat *h, size_t i)
{
	return h->blocks[i].index << h->shift << h->p->header.line_shift;
}

size_t heat_row(const struct heat *h, size_t i)
{
	return h->blocks[i].row;
}

uint64_t heat_lines(const struct heat *h)
{
	return (uint64_t)1 << h->shift;
}

uint64_t heat_others(const struct heat *h)
{
	return h->others;
}

const struct timeline *heat_timeline(const struct heat *h)
{
	return h->timeline;
}
