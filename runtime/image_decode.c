/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * From device words to the automaton that is executed. The words are hostile: every element must be
 * one the overlay has, once, and of its size; every number must be in range; truth tables of
 * predecessors must be what a compiler can mean, an OR.
 */
#include <string.h>

#include "runtime/decode.h"

enum { HEADER_WORDS = 2 };

int image_next_element(const uint32_t *device, size_t ndevice, size_t *next,
		       struct image_element *out)
{
	if (*next == ndevice)
		return 0;
	if (ndevice - *next < HEADER_WORDS)
		return -1;
	out->el = element_find(device[*next]);
	out->n = device[*next + 1];
	out->at = *next + HEADER_WORDS;
	if (out->el == NULL || out->n > ndevice - out->at)
		return -1;
	*next = out->at + out->n;
	return 1;
}

static size_t words_of(uint64_t bits)
{
	return (size_t)((bits + 31) / 32);
}

const uint32_t *image_row(const struct nfart_image *im, const struct image_element *e, uint32_t r)
{
	uint32_t rows = element_count(e->el, &im->overlay), before = 0;
	size_t width = words_of(e->el->width(&im->overlay));
	const uint32_t *map = im->device + e->at;

	if ((map[r / 32] >> r % 32 & 1) == 0)
		return NULL;
	for (uint32_t i = 0; i < r / 32; i++)
		before += (uint32_t)__builtin_popcount(map[i]);
	before += (uint32_t)__builtin_popcount(map[r / 32] & ((1u << r % 32) - 1));
	return map + words_of(rows) + before * width;
}

/* ---- the elements, found and measured ---- */

bool decode_fail(struct decode *d, const char *why)
{
	*d->why = why;
	return false;
}

/* The words a ROWS element must have, from its own map; 0: malformed. */
static size_t rows_size(const struct decode *d, const struct image_element *e)
{
	uint32_t rows = element_count(e->el, &d->im->overlay);
	size_t map = words_of(rows), n = map;

	if (e->n < map)
		return 0;
	if (rows % 32 != 0 && d->im->device[e->at + map - 1] >> rows % 32 != 0)
		return 0;
	for (size_t i = 0; i < map; i++)
		n += (size_t)__builtin_popcount(d->im->device[e->at + i]) *
		     words_of(e->el->width(&d->im->overlay));
	return n;
}

static bool measure(struct decode *d, const struct image_element *e)
{
	const struct overlay *o = &d->im->overlay;

	if (e->el->storage == STORAGE_SPARSE)
		return o->none;
	if (element_count(e->el, o) == 0)
		return false;
	if (e->el->storage == STORAGE_ROWS)
		return e->n != 0 && e->n == rows_size(d, e);
	uint64_t bits = element_bits(e->el, o);
	if (e->n != words_of(bits))
		return false;
	return bits % 32 == 0 || d->im->device[e->at + e->n - 1] >> bits % 32 == 0;
}

static bool find_elements(struct decode *d)
{
	struct image_element e;
	size_t next = 0;
	uint32_t last = 0;
	int r;

	while ((r = image_next_element(d->im->device, d->im->ndevice, &next, &e)) > 0) {
		if ((uint32_t)e.el->id <= last || !measure(d, &e))
			return decode_fail(d, "a configuration element of the image is malformed");
		last = e.el->id;
		d->at[e.el->id] = e;
	}
	if (r < 0)
		return decode_fail(d, "the image's device words are malformed");
	for (size_t i = 0; i < nelements; i++) {
		const struct element *el = &elements[i];
		bool wanted = el->storage == STORAGE_SPARSE
				      ? d->im->overlay.none
				      : element_count(el, &d->im->overlay) != 0;
		if (wanted && d->at[el->id].el == NULL)
			return decode_fail(d, "the image lacks a configuration element");
	}
	return true;
}

/* The value of repetition `i` of a CHAIN or REGISTER element, or its bits from `bit` on. */
uint64_t decode_value(const struct decode *d, enum element_id id, uint32_t i, uint32_t bit,
		      uint32_t width)
{
	const struct image_element *e = &d->at[id];
	uint64_t at = (uint64_t)i * e->el->width(&d->im->overlay) + bit;

	return words_get(d->im->device + e->at, at, width);
}

static uint64_t reg(const struct decode *d, enum element_id id)
{
	return decode_value(d, id, 0, 0, d->at[id].el->width(&d->im->overlay));
}

static bool registers(struct decode *d)
{
	struct nfart_image *im = d->im;

	im->by_line = reg(d, EL_by_line) != 0;
	im->first_line = reg(d, EL_base);
	im->nlines = reg(d, EL_count);
	im->window = reg(d, EL_window_size);
	im->limit = reg(d, EL_limit);
	im->loss_reset = reg(d, EL_loss_reset) != 0;
	if (im->by_line && im->nlines == 0)
		return decode_fail(d, "the image observes no line");
	if (!im->overlay.none &&
	    (im->nlines > im->overlay.lines || im->window > im->overlay.window))
		return decode_fail(d, "a register of the image is above what its overlay provides");
	return true;
}

bool decode_successors(struct nfart_image *im, const uint32_t *from, const uint32_t *to,
			    size_t m)
{
	im->succ_first = arena_array(&im->arena, (size_t)im->nstates + 2, sizeof *im->succ_first);
	im->succ = arena_array(&im->arena, m, sizeof *im->succ);
	if (im->succ_first == NULL || im->succ == NULL)
		return false;
	for (size_t i = 0; i < m; i++)
		im->succ_first[from[i] + 2]++;
	for (size_t s = 0; s < im->nstates; s++)
		im->succ_first[s + 2] += im->succ_first[s + 1];
	for (size_t i = 0; i < m; i++)
		im->succ[im->succ_first[from[i] + 1]++] = to[i];
	return true;
}

bool image_decode(struct nfart_image *im, const char **why)
{
	struct decode d = { .im = im, .why = why };

	*why = NULL;
	if (!find_elements(&d) || !registers(&d))
		return false;
	if (!im->overlay.none)
		return decode_mapped(&d);
	return decode_sparse(&d);
}
