/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Decodes which copies an image with substreams has, and which messages are for which copy.
 */
#include <stdlib.h>

#include "contract/decode.h"

/* The line in a header is the key, where the type has an address. */
static void line_keys(struct nfart_image *im)
{
	const struct nfart_proto *p = im->proto;

	for (uint32_t c = 0; c < p->ncodes; c++)
		im->key[c] = (struct image_key){
			.has = bits_get(p->has_addr, c),
			.lsb = (uint8_t)p->addr_lsb,
			.bits = (uint8_t)p->addr_bits,
		};
}

static bool field_keys(struct decode *d, struct cursor *c)
{
	struct nfart_image *im = d->im;
	uint32_t next = 0;

	while (c->n != 0) {
		uint32_t code = cursor_take(c), lsb = cursor_take(c), bits = cursor_take(c);
		if (c->bad || code < next || code >= im->proto->ncodes || bits == 0 || bits > 63 ||
		    lsb > 63 || lsb + bits > im->proto->header_bits)
			return decode_fail(d, "the image's key is malformed");
		next = code + 1;
		im->key[code] = (struct image_key){ .has = true, .lsb = (uint8_t)lsb,
						    .bits = (uint8_t)bits };
	}
	return true;
}

static bool keys(struct decode *d)
{
	struct cursor c = cursor_open(d, EL_key);
	struct nfart_image *im = d->im;

	im->by_field = c.n != 0;
	im->key = arena_array(&im->arena, im->proto->ncodes, sizeof *im->key);
	if (im->key == NULL)
		return false;
	if (!im->by_field)
		line_keys(im);
	else if (!field_keys(d, &c))
		return false;
	for (uint32_t i = 0; i < im->proto->ncodes; i++)
		im->key[i].broadcast = bits_get(im->proto->broadcast, i);
	return true;
}

/* Does the name of the field, if there is one, end with its only 0 byte? */
static bool field_name(struct decode *d)
{
	const struct image_section *s = image_find_section(d->im, SEC_field);

	if (!d->im->by_field || s == NULL)
		return true;
	for (size_t i = 0; i < s->n; i++)
		if ((s->at[i] == 0) != (i + 1 == s->n))
			return decode_fail(d, "the image's name of a field is damaged");
	d->im->field = s->n > 1 ? (const char *)s->at : NULL;
	return true;
}

static bool overlap(const struct image_range *a, const struct image_range *b)
{
	return a->first <= b->first ? b->first - a->first < a->count
				    : a->first - b->first < b->count;
}

static int by_first(const void *x, const void *y)
{
	const struct image_range *a = x, *b = y;

	return (a->first > b->first) - (a->first < b->first);
}

/* Are no two of the n ranges for the same line or value? */
static bool disjoint(const struct image_range *r, uint32_t n, bool *ok)
{
	struct image_range *sorted = malloc((n + 1) * sizeof *sorted);

	*ok = true;
	if (sorted == NULL)
		return false;
	for (uint32_t i = 0; i < n; i++)
		sorted[i] = r[i];
	qsort(sorted, n, sizeof *sorted, by_first);
	for (uint32_t i = 1; i < n; i++)
		*ok = *ok && !overlap(&sorted[i - 1], &sorted[i]);
	free(sorted);
	return true;
}

bool decode_copies(struct decode *d)
{
	struct cursor c = cursor_open(d, EL_ranges);
	struct nfart_image *im = d->im;
	bool ok;

	if (!keys(d) || !field_name(d))
		return false;
	if (c.n % 4 != 0 || c.n / 4 >= UINT32_MAX || (c.n != 0 && !im->by_line))
		return decode_fail(d, "the image's ranges of substreams are malformed");
	if (!im->by_line)
		return true;
	im->nranges = (uint32_t)(c.n / 4) + 1;
	im->ranges = arena_array(&im->arena, im->nranges, sizeof *im->ranges);
	if (im->ranges == NULL)
		return false;
	im->ranges[0] = (struct image_range){ im->first_line, im->nlines };
	for (uint32_t i = 1; i < im->nranges; i++) {
		uint64_t first = cursor_take64(&c), count = cursor_take64(&c);
		im->ranges[i] = (struct image_range){ first, count };
		if (count == 0 || count > UINT64_MAX - im->nlines)
			return decode_fail(d, "the image's ranges of substreams are malformed");
		im->nlines += count;
	}
	if (!disjoint(im->ranges, im->nranges, &ok))
		return false;
	return ok || decode_fail(d, "the image's ranges of substreams overlap");
}
