/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "runtime/explain/origin.h"

#include <stdlib.h>
#include <string.h>

#include "support/order.h"

/* Parses the decimal number at s, which ends before `end`. False: there are other characters, or
 * the number is too large. */
static bool origin_number(const char *s, const char *end, uint64_t *v)
{
	*v = 0;
	if (s == end)
		return false;
	for (; s != end; s++) {
		if (*s < '0' || *s > '9' || *v >= UINT64_MAX / 20)
			return false;
		*v = *v * 10 + (uint64_t)(*s - '0');
	}
	return true;
}

/* Returns where the last c is between s and `end`, or NULL. */
static const char *last(const char *s, const char *end, char c)
{
	while (end != s)
		if (*--end == c)
			return end;
	return NULL;
}

bool origin_parse_place(const char *s, const char *end, struct origin_place *p)
{
	const char *column = last(s, end, ':');
	const char *line = column != NULL ? last(s, column, ':') : NULL;
	struct origin_place q = *p;

	if (line == NULL || line - s >= 4096 || !origin_number(line + 1, column, &q.line) ||
	    !origin_number(column + 1, end, &q.column) || q.line == 0 || q.column == 0)
		return false;
	q.name = s;
	q.name_size = (uint32_t)(line - s);
	*p = q;
	return true;
}

/* Parses a line of the section `names`: `NODE NAME:LINE:COLUMN`, which for a counter is followed by
 * ` @COUNTER`. False: it does not have this form. */
static bool origin_parse(const char *s, const char *end, struct origin_place *p)
{
	const char *space = memchr(s, ' ', (size_t)(end - s)), *at = last(s, end, '@');
	const char *counter =
		at != NULL && at - s >= 2 && at[-1] == ' ' && at - 1 > space ? at : end;
	const char *stop = counter != end ? counter - 1 : end;
	uint64_t node;

	if (space == NULL || end - counter > 4096 || !origin_number(s, space, &node) ||
	    node >= UINT32_MAX || !origin_parse_place(space + 1, stop, p))
		return false;
	p->node = (uint32_t)node;
	p->counter = counter;
	p->counter_size = (uint32_t)(end - counter);
	return true;
}

static int by_node(const void *x, const void *y)
{
	const struct origin_place *a = x, *b = y;

	return order_2(a->node, b->node, (uintptr_t)a->name, (uintptr_t)b->name);
}

bool origin_init(struct origin *o, const struct nfart_image *im)
{
	const struct image_section *names = image_find_section(im, SEC_names);
	const char *s = names != NULL ? (const char *)names->at : NULL, *end;
	struct origin_place p = { 0 };
	size_t k = 0, part = 0;

	memset(o, 0, sizeof *o);
	o->im = im;
	if (!origin_add_parts(o))
		return false;
	if (names == NULL || names->n == 0)
		return true;
	end = s + names->n;
	/* The first line is the overlay's name. */
	for (bool first = true; s != end; first = false) {
		const char *newline = memchr(s, '\n', (size_t)(end - s));
		if (newline == NULL)
			break;
		if (!first && origin_parse(s, newline, &p) && !vec_push(&o->places, p))
			return false;
		if (!first && part < o->parts.n)
			part += origin_parse_part(s, newline, &o->parts.at[part]);
		s = newline + 1;
	}
	if (o->places.n > 1)
		qsort(o->places.at, o->places.n, sizeof p, by_node);
	for (size_t i = 0; i < o->places.n; i++)
		if (k == 0 || o->places.at[k - 1].node != o->places.at[i].node)
			o->places.at[k++] = o->places.at[i];
	o->places.n = k;
	return true;
}

void origin_free(struct origin *o)
{
	vec_free(&o->places);
	vec_free(&o->parts);
}

const struct origin_place *origin_find(const struct origin *o, uint32_t state)
{
	uint32_t node = o->im->nfa.states[state].node;
	size_t lo = 0, hi = o->places.n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		if (o->places.at[mid].node < node)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < o->places.n && o->places.at[lo].node == node ? &o->places.at[lo] : NULL;
}

/* Finds the text of the file that p names in the image's source: *n bytes. NULL: there is no such
 * file, or more than one. */
static const char *find_file(const struct origin *o, const struct origin_place *p, size_t *n)
{
	const struct image_section *source = image_find_section(o->im, SEC_source);
	const char *found = NULL, *s, *end;

	if (source == NULL || source->n == 0)
		return NULL;
	s = (const char *)source->at;
	end = s + source->n;
	while (s != end) {
		const char *newline = memchr(s, '\n', (size_t)(end - s));
		const char *space = newline != NULL ? last(s, newline, ' ') : NULL;
		uint64_t size;
		if (space == NULL || !origin_number(space + 1, newline, &size) ||
		    size > (uint64_t)(end - newline - 1))
			return NULL;
		if ((size_t)(space - s) == p->name_size && memcmp(s, p->name, p->name_size) == 0) {
			if (found != NULL)
				return NULL;
			found = newline + 1;
			*n = (size_t)size;
		}
		s = newline + 1 + size;
	}
	return found;
}

const char *origin_line(const struct origin *o, const struct origin_place *p, size_t *n)
{
	size_t left;
	const char *s = find_file(o, p, &left), *newline;

	for (uint64_t line = 1; s != NULL; line++) {
		newline = memchr(s, '\n', left);
		if (line == p->line) {
			*n = newline != NULL ? (size_t)(newline - s) : left;
			return p->column <= *n ? s : NULL;
		}
		if (newline == NULL)
			return NULL;
		left -= (size_t)(newline + 1 - s);
		s = newline + 1;
	}
	return NULL;
}

void origin_text(struct buf *b, const char *s, size_t n)
{
	for (size_t i = 0, end; i < n; i = end + 1) {
		for (end = i; end < n && s[end] != '\t' && s[end] != '\r';)
			end++;
		buf_add_shown(b, s + i, end - i);
		if (end < n)
			buf_add(b, " ", 1);
	}
}
