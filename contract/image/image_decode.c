/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Decodes device words to the automaton that is executed. The words are hostile, so everything
 * is checked. The elements must be those of the overlay, each once and of the right size.
 * Numbers must be in range. A truth table of predecessors must be an OR, because a compiler
 * can mean nothing else.
 */
#include <string.h>

#include "contract/crc.h"
#include "contract/image/decode.h"

int image_next_element(const struct nfart_image *im, size_t *next, struct image_element *out)
{
	const uint32_t *device = im->device.halves;
	uint32_t halves = overlay_data(&im->overlay) / 32;
	size_t at = *next == 0 ? DEVICE_FIRST : *next;

	if (im->device.n < at + DEVICE_HEAD)
		return -1;
	out->at = at + DEVICE_HEAD;
	if (device[at + 1] > (im->device.n - out->at) / halves)
		return -1;
	out->el = element_find(device[at]);
	out->n = (size_t)device[at + 1] * halves;
	*next = out->at + out->n;
	if (device[at] != 0)
		return out->el != NULL ? 1 : -1;
	if (device[at + 1] != 1 || *next != im->device.n ||
	    (halves == 2 && device[out->at + 1] != 0))
		return -1;
	return device[out->at] == crc32c(0, image_find_section(im, SEC_device)->at, 4 * out->at) ?
		       0 : -1;
}

static size_t words_of(uint64_t bits)
{
	return (size_t)((bits + 31) / 32);
}

/* Returns how many halves a row of a ROWS element takes. A row fills whole configuration words. */
static size_t row_halves(const struct element *el, const struct overlay *o)
{
	return words_of(el->width(o)) + (o->data == 64 && words_of(el->width(o)) % 2 != 0);
}

const uint32_t *image_row(const struct nfart_image *im, const struct image_element *e, uint32_t r)
{
	size_t width = row_halves(e->el, &im->overlay), step = im->overlay.data / 32;
	const uint32_t *map = im->device.halves + e->at;

	for (uint32_t i = 0; i < r / 32; i++)
		map += step + (size_t)__builtin_popcount(*map) * width;
	if ((*map >> r % 32 & 1) == 0)
		return NULL;
	return map + step + (size_t)__builtin_popcount(*map & ((1u << r % 32) - 1)) * width;
}

void image_rows(const struct nfart_image *im, const struct image_element *e, const uint32_t **row)
{
	size_t width = row_halves(e->el, &im->overlay), step = im->overlay.data / 32;
	uint32_t n = element_count(e->el, &im->overlay);
	const uint32_t *at = im->device.halves + e->at, *map = at;

	for (uint32_t r = 0; r < n; r++) {
		if (r % 32 == 0) {
			map = at;
			at += step;
		}
		row[r] = (*map >> r % 32 & 1) != 0 ? at : NULL;
		at += row[r] != NULL ? width : 0;
	}
}

/* ---- finding and checking the elements ---- */

bool decode_fail(struct decode *d, const char *why)
{
	*d->why = why;
	return false;
}

/* Looks at the n halves at `at`. Are all their bits 0 from bit `from` on? */
static bool clear_from(const uint32_t *at, uint64_t from, size_t n)
{
	for (uint64_t i = from / 32; i < n; i++)
		if (at[i] >> (i == from / 32 ? from % 32 : 0) != 0)
			return false;
	return true;
}

/* Is the payload of a ROWS element exactly as long as its bit maps and rows, and are all bits 0
 * that they do not use? */
static bool rows_fit(const struct decode *d, const struct image_element *e)
{
	const struct overlay *o = &d->im->overlay;
	uint32_t rows = element_count(e->el, o), width = e->el->width(o);
	size_t halves = row_halves(e->el, o), step = o->data / 32, i = 0;

	for (uint32_t r = 0; r < rows; r += 32) {
		const uint32_t *map = d->im->device.halves + e->at + i;
		uint32_t n = rows - r < 32 ? rows - r : 32;
		if (e->n - i < step || !clear_from(map, n, step))
			return false;
		i += step;
		for (uint32_t k = (uint32_t)__builtin_popcount(*map); k != 0; k--, i += halves)
			if (e->n - i < halves ||
			    !clear_from(d->im->device.halves + e->at + i, width, halves))
				return false;
	}
	return i == e->n;
}

/* Tables are stored in groups of `data` tables, and the last group may be incomplete. Are all bits
 * 0 that belong to the tables which the last group lacks? */
static bool tables_fit(const struct decode *d, const struct image_element *e)
{
	uint32_t data = d->im->overlay.data;
	uint64_t tables = element_bits(e->el, &d->im->overlay) / 32, last = tables % data;

	for (size_t k = 0; last != 0 && k < 32; k++) {
		size_t halves = data / 32;
		const uint32_t *word = d->im->device.halves + e->at + e->n - (k + 1) * halves;
		if (!clear_from(word, last, halves))
			return false;
	}
	return true;
}

/* Does the overlay have this element, and is its payload well-formed? */
static bool decode_measure(struct decode *d, const struct image_element *e)
{
	const struct overlay *o = &d->im->overlay;

	if (element_is_list(e->el))
		return o->none;
	if (element_count(e->el, o) == 0)
		return false;
	if (e->el->storage == STORAGE_ROWS)
		return rows_fit(d, e);
	if (e->el->storage == STORAGE_WRITES)
		return e->n != 0 && e->n <= element_words(e->el, o) * (overlay_data(o) / 32);
	if (e->n != element_words(e->el, o) * (overlay_data(o) / 32))
		return false;
	if (e->el->storage == STORAGE_TABLES)
		return tables_fit(d, e);
	return clear_from(d->im->device.halves + e->at, element_bits(e->el, o), e->n);
}

static bool find_elements(struct decode *d)
{
	struct image_element e;
	size_t next = 0;
	uint32_t last = 0;
	int r;

	if (d->im->device.n < DEVICE_FIRST ||
	    (d->im->device.halves[0] | (uint64_t)d->im->device.halves[1] << 32) !=
		    d->im->fp.hardware)
		return decode_fail(d, "the image's configuration words are for other hardware");
	while ((r = image_next_element(d->im, &next, &e)) > 0) {
		if ((uint32_t)e.el->id <= last || !decode_measure(d, &e))
			return decode_fail(d, "a configuration element of the image is malformed");
		last = e.el->id;
		d->at[e.el->id] = e;
	}
	if (r < 0)
		return decode_fail(d, "the image's configuration words are malformed");
	for (size_t i = 0; i < nelements; i++) {
		const struct element *el = &elements[i];
		bool wanted = el->storage != STORAGE_OPTION &&
			      element_count(el, &d->im->overlay) != 0;
		if (wanted && d->at[el->id].el == NULL)
			return decode_fail(d, "the image lacks a configuration element");
	}
	return true;
}

uint64_t decode_value(const struct decode *d, enum element_id id, uint32_t i, uint32_t bit,
		      uint32_t width)
{
	const struct image_element *e = &d->at[id];
	const uint32_t *at = d->im->device.halves + e->at;
	uint64_t v = 0, place = 0;

	if (e->el->storage != STORAGE_TABLES)
		return words_get(at, element_place(e->el, &d->im->overlay, i, bit), width);
	for (uint32_t k = 0; k < width; k++) {
		/* Bits of one table are at a fixed distance from each other (element_place()). */
		place = k == 0 || (bit + k) % 32 == 0
				? element_place(e->el, &d->im->overlay, i, bit + k)
				: place - d->im->overlay.data;
		v |= (uint64_t)(at[place / 32] >> place % 32 & 1) << k;
	}
	return v;
}

static uint64_t reg(const struct decode *d, enum element_id id)
{
	return decode_value(d, id, 0, 0, d->at[id].el->width(&d->im->overlay));
}

static bool decode_registers(struct decode *d)
{
	struct nfart_image *im = d->im;
	struct cursor after = cursor_open(d, EL_after);

	im->substreams.by_line = reg(d, EL_by_line) != 0;
	im->substreams.first_line = reg(d, EL_base);
	im->substreams.nlines = reg(d, EL_count);
	im->window.before = im->window.after = reg(d, EL_window_size);
	if (after.n != 0)
		im->window.after = cursor_take64(&after);
	if (d->at[EL_window_after].el != NULL)
		im->window.after = reg(d, EL_window_after);
	im->stream.limit = reg(d, EL_limit);
	if (d->at[EL_tick].el != NULL) {
		im->stream.tick = reg(d, EL_tick);
		im->stream.end = reg(d, EL_end) != 0;
	}
	if (after.bad || after.n != 0)
		return decode_fail(d, "the image's window is malformed");
	if (im->substreams.by_line && im->substreams.nlines == 0)
		return decode_fail(d, "the image observes no line");
	if (im->stream.tick >> 32 != 0)
		return decode_fail(d, "the image's ticks are too far apart");
	if (!im->overlay.none &&
	    (im->substreams.nlines > im->overlay.lines || im->window.before > im->overlay.window ||
	     im->window.after > im->overlay.window))
		return decode_fail(d, "a register of the image is above what its overlay provides");
	return true;
}

bool decode_successors(struct nfart_image *im, const uint32_t *from, const uint32_t *to,
			    size_t m)
{
	im->nfa.succ_first =
		arena_array(&im->arena, (size_t)im->nfa.nstates + 2, sizeof *im->nfa.succ_first);
	im->nfa.succ = arena_array(&im->arena, m, sizeof *im->nfa.succ);
	if (im->nfa.succ_first == NULL || im->nfa.succ == NULL)
		return false;
	for (size_t i = 0; i < m; i++)
		im->nfa.succ_first[from[i] + 2]++;
	for (size_t s = 0; s < im->nfa.nstates; s++)
		im->nfa.succ_first[s + 2] += im->nfa.succ_first[s + 1];
	for (size_t i = 0; i < m; i++)
		im->nfa.succ[im->nfa.succ_first[from[i] + 1]++] = to[i];
	return true;
}

bool image_decode(struct nfart_image *im, const char **why)
{
	struct decode d = { .im = im, .why = why };

	*why = NULL;
	if (!find_elements(&d) || !decode_registers(&d) || !decode_letters(&d) ||
	    !decode_copies(&d))
		return false;
	if (!(im->overlay.none ? decode_sparse(&d) : decode_mapped(&d)))
		return false;
	if (im->nfa.nmachines == 0) {
		im->nfa.nplain = im->nfa.nstates;
		im->nfa.ncounts = im->nfa.ncounters;
	}
	return im->nfa.nmachines != 0 || im->labels.noutputs == 0 ||
	       decode_fail(&d, "the image has outputs without machines");
}
