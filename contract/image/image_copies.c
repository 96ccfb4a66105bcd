/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Decodes which copies an image with substreams has, and which messages are for which copy.
 */
#include <stdlib.h>

#include "contract/image/decode.h"
#include "support/buf.h"

/* The line in a header is the key, where the type has an address. */
static void line_keys(struct nfart_image *im)
{
	const struct nfart_proto *p = im->proto;

	for (uint32_t c = 0; c < p->codes.n; c++)
		im->substreams.key[c] = (struct image_key){
			.has = bits_get(p->codes.has_addr, c),
			.lsb = (uint8_t)p->header.addr_lsb,
			.bits = (uint8_t)p->header.addr_bits,
		};
}

/* Returns element copies of a mapped image. NULL: the overlay lacks it. */
static const uint32_t *copies_of(const struct decode *d)
{
	return d->at[EL_copies].el == NULL ? NULL : d->im->device.halves + d->at[EL_copies].at;
}

/* The key of an overlay with keys has one place, and a table for each slot says which messages have
 * it. They are for lines if the messages are those with an address and the key is that, unless the
 * image has the name of a field. */
static bool mapped_keys(struct decode *d)
{
	struct nfart_image *im = d->im;
	const struct overlay *o = &im->overlay;
	uint32_t half = overlay_place_bits(o) / 2, codes = overlay_opcodes(o) - 1;
	uint32_t lsb = (uint32_t)words_get(copies_of(d), 0, half);
	uint32_t bits = (uint32_t)words_get(copies_of(d), half, half) + 1;

	if (bits > 63 || lsb + bits > im->proto->header.bits)
		return decode_fail(d, "the image's key is malformed");
	if (!im->substreams.by_line)
		return true;
	im->substreams.by_field = image_find_section(im, SEC_field) != NULL ||
		       lsb != im->proto->header.addr_lsb || bits != im->proto->header.addr_bits;
	for (uint32_t c = 0; c < im->proto->codes.n; c++) {
		bool has = bits_get(im->proto->codes.valid, c) &&
			   decode_value(d, EL_keyed, c >> o->op_bits, c & codes, 1) != 0;
		im->substreams.by_field =
			im->substreams.by_field || has != im->substreams.key[c].has;
		im->substreams.key[c].has = has;
		im->substreams.key[c].lsb = has ? (uint8_t)lsb : 0;
		im->substreams.key[c].bits = has ? (uint8_t)bits : 0;
	}
	return true;
}

static bool field_keys(struct decode *d, struct cursor *c)
{
	struct nfart_image *im = d->im;
	uint32_t next = 0;

	while (c->n != 0) {
		uint32_t code = cursor_take(c), lsb = cursor_take(c), bits = cursor_take(c);
		if (c->bad || code < next || code >= im->proto->codes.n || bits == 0 || bits > 63 ||
		    lsb > 63 || lsb + bits > im->proto->header.bits)
			return decode_fail(d, "the image's key is malformed");
		next = code + 1;
		im->substreams.key[code] = (struct image_key){ .has = true, .lsb = (uint8_t)lsb,
						    .bits = (uint8_t)bits };
	}
	return true;
}

static bool keys(struct decode *d)
{
	struct cursor c = cursor_open(d, EL_key);
	struct nfart_image *im = d->im;

	im->substreams.by_field = c.n != 0;
	im->substreams.key =
		arena_array(&im->arena, im->proto->codes.n, sizeof *im->substreams.key);
	if (im->substreams.key == NULL)
		return false;
	if (!im->substreams.by_field)
		line_keys(im);
	else if (!field_keys(d, &c))
		return false;
	if (!im->overlay.none && im->overlay.keys == OVERLAY_KEYS_YES && !mapped_keys(d))
		return false;
	for (uint32_t i = 0; i < im->proto->codes.n; i++) {
		im->substreams.key[i].broadcast = bits_get(im->proto->codes.broadcast, i);
		im->substreams.key[i].joined = proto_is_joined(im->proto, i);
	}
	return true;
}

/* Does the name of the field, if there is one, end with its only 0 byte? */
static bool field_name(struct decode *d)
{
	const struct image_section *s = image_find_section(d->im, SEC_field);

	if (!d->im->substreams.by_field || s == NULL)
		return true;
	if (s->n != 0 &&
	    (s->at[s->n - 1] != 0 || !buf_is_name((const char *)s->at, s->n - 1)))
		return decode_fail(d, "the image's name of a field is damaged");
	d->im->substreams.field = s->n > 1 ? (const char *)s->at : NULL;
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
static bool ranges_disjoint(const struct image_range *r, uint32_t n, bool *ok)
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

/* Reads the ranges after the first of a sparse image. */
static bool sparse_ranges(struct decode *d)
{
	struct cursor c = cursor_open(d, EL_ranges);
	struct nfart_image *im = d->im;

	for (uint32_t i = 1; c.n != 0; i++) {
		uint64_t first = cursor_take64(&c), count = cursor_take64(&c);
		im->substreams.ranges[i] = (struct image_range){ first, count };
		im->substreams.nranges = i + 1;
		if (count == 0 || count > UINT64_MAX - im->substreams.nlines)
			return decode_fail(d, "the image's ranges of substreams are malformed");
		im->substreams.nlines += count;
	}
	return true;
}

/* Reads the ranges after the first of a mapped image. Those that are not used come last, and have
 * no copies. */
static bool mapped_ranges(struct decode *d)
{
	struct nfart_image *im = d->im;
	const struct overlay *o = &im->overlay;
	uint32_t bits = overlay_line_bits(o);
	uint64_t at = overlay_place_bits(o);

	for (uint32_t i = 1; i < o->key_ranges; i++, at += overlay_range_bits(o)) {
		uint64_t first = words_get(copies_of(d), at, 64);
		uint64_t count = words_get(copies_of(d), at + 64, bits + 1);
		uint64_t number = words_get(copies_of(d), at + 64 + bits + 1, bits);
		if (count == 0 && first == 0 && number == 0)
			continue;
		if (count == 0 || im->substreams.nranges != i || number != im->substreams.nlines)
			return decode_fail(d, "the image's ranges of substreams are malformed");
		im->substreams.ranges[im->substreams.nranges++] =
			(struct image_range){ first, count };
		im->substreams.nlines += count;
	}
	if (im->substreams.nlines > o->lines)
		return decode_fail(d, "a register of the image is above what its overlay provides");
	return true;
}

bool decode_copies(struct decode *d)
{
	size_t n = d->at[EL_ranges].n;
	struct nfart_image *im = d->im;
	bool ok;

	if (!keys(d) || !field_name(d))
		return false;
	if (n % 4 != 0 || n / 4 >= UINT32_MAX || (n != 0 && !im->substreams.by_line))
		return decode_fail(d, "the image's ranges of substreams are malformed");
	if (!im->substreams.by_line)
		return true;
	n = im->overlay.none ? n / 4 + 1 : im->overlay.key_ranges;
	im->substreams.ranges = arena_array(&im->arena, n, sizeof *im->substreams.ranges);
	if (im->substreams.ranges == NULL)
		return false;
	im->substreams.nranges = 1;
	im->substreams.ranges[0] =
		(struct image_range){ im->substreams.first_line, im->substreams.nlines };
	if (!(im->overlay.none ? sparse_ranges(d) : mapped_ranges(d)))
		return false;
	if (!ranges_disjoint(im->substreams.ranges, im->substreams.nranges, &ok))
		return false;
	return ok || decode_fail(d, "the image's ranges of substreams overlap");
}
