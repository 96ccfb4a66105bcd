/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "runtime/engine/copies.h"

#include <inttypes.h>
#include <stdlib.h>

#include "support/order.h"

static bool copies_choose(struct copies *c, const struct nfart_image *im,
			  const struct nfart_engine_options *o, struct nfart_error *e)
{
	if (!o->has_substream) {
		c->nranges = im->substreams.nranges;
		c->ranges = im->substreams.ranges;
		c->n = im->substreams.nlines;
	} else {
		c->nranges = 1;
		c->own = (struct image_range){ o->base >> c->shift, o->count };
		/* Lines and values end at UINT64_MAX. What the range would have beyond is cut off,
		 * so that no sum wraps. */
		if (c->own.count > UINT64_MAX - c->own.first)
			c->own.count = UINT64_MAX - c->own.first;
		c->n = c->own.count;
	}
	if (c->n == 0) {
		nfart_fail(e, NFART_USAGE, "a substream has at least one line");
		return false;
	}
	if (!im->overlay.none && c->n > im->overlay.lines) {
		nfart_fail(e, NFART_NOFIT,
			   "%" PRIu64 " lines, but the overlay observes at most %" PRIu32,
			   c->n, im->overlay.lines);
		return false;
	}
	return true;
}

bool copies_init(struct copies *c, const struct nfart_image *im,
		 const struct nfart_engine_options *o, struct nfart_error *e)
{
	*c = (struct copies){ .any = im->substreams.by_line || o->has_substream,
			      .key = im->substreams.key,
			      .n = 1,
			      .shift = im->substreams.by_field ? 0 : im->proto->header.line_shift };
	return !c->any || copies_choose(c, im, o, e);
}

uint64_t copies_shown(const struct copies *c, uint64_t number)
{
	const struct image_range *r = copies_ranges(c);
	uint32_t i = 0;

	if (!c->any)
		return 0;
	while (i + 1 < c->nranges && number >= r[i].count)
		number -= r[i++].count;
	return (r[i].first + number) << c->shift;
}

uint64_t copies_number(const struct copies *c, uint64_t shown)
{
	uint64_t number = 0;

	if (c->any)
		copies_find(c, shown >> c->shift, &number);
	return number;
}

static int by_label(const void *x, const void *y)
{
	const struct nfart_line *a = x, *b = y;

	return order_2(a->label, b->label, a->address, b->address);
}

void copies_sort(const struct copies *c, struct nfart_line *line, size_t n)
{
	for (size_t i = 0; c->nranges > 1 && i < n; i++)
		line[i].address = copies_number(c, line[i].address);
	if (n > 1)
		qsort(line, n, sizeof *line, by_label);
	for (size_t i = 0; c->nranges > 1 && i < n; i++)
		line[i].address = copies_shown(c, line[i].address);
}
