/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "probes/memory/reader/page_map.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "support/escape.h"
#include "support/hash.h"

enum {
	PAGE_BITS = 12,
	FIRST_ROOM = 1 << 10,
	/*
	 * If two pages of a region are farther apart than this, they are drawn in separate groups.
	 */
	MOST_GAP = 64,
	MOST_CIRCLES = 20000,
	/* The sizes of the picture, in pixels. */
	COLUMNS = 64,
	STEP = 11,
	RADIUS = 4,
	MARGIN = 12,
	ABOVE = 44,
	TEXT = 300
};

struct page {
	uint64_t number;   /* address >> PAGE_BITS */
	uint64_t accesses; /* 0: the entry is empty */
	const char *region;
};

struct page_map {
	struct page *at; /* a hash table (support/hash.h) of `room` entries, n of them in use */
	size_t n, room;
	struct page *last; /* the page that was counted last */
};

/* The sorted pages [first, last], which are drawn together. */
struct group {
	const struct page *first, *last;
};

struct page_map *page_map_new(void)
{
	return calloc(1, sizeof(struct page_map));
}

void page_map_free(struct page_map *p)
{
	if (p == NULL)
		return;
	free(p->at);
	free(p);
}

void page_map_clear(struct page_map *p)
{
	free(p->at);
	p->at = NULL;
	p->n = p->room = 0;
	p->last = NULL;
}

/* ---- counting ---- */

HASH_INLINE uint64_t page_hash(uint64_t number)
{
	return number * 0x9e3779b97f4a7c15U >> 32;
}

static bool page_hash_of(const void *entry, uint64_t *h)
{
	const struct page *p = entry;

	*h = page_hash(p->number);
	return p->accesses != 0;
}

HASH_INLINE bool page_ends(const void *ctx, size_t place, const void *key)
{
	const struct page *p = &((const struct page_map *)ctx)->at[place];

	return p->accesses == 0 || p->number == *(const uint64_t *)key;
}

static bool count_page(struct page_map *p, uint64_t number, const struct place *place,
		       struct nfart_error *e)
{
	if (p->last != NULL && p->last->number == number) {
		p->last->accesses++;
		return true;
	}
	if (2 * p->n >= p->room &&
	    !hash_widen((void **)&p->at, &p->room, sizeof *p->at, FIRST_ROOM, page_hash_of)) {
		nfart_fail(e, NFART_SYSTEM, "out of memory");
		return false;
	}
	p->last = &p->at[hash_probe(p->room, page_hash(number), page_ends, p, &number)];
	if (p->last->accesses == 0) {
		p->last->number = number;
		p->last->region = place != NULL ? place->region : "";
		p->n++;
	}
	p->last->accesses++;
	return true;
}

static bool count_access(void *ctx, const struct memory_access *a, struct nfart_error *e)
{
	return count_page(ctx, a->address >> PAGE_BITS, a->place, e);
}

/*
 * Counts an access on each page of a range. The length may be wrong, so only pages of the place at
 * the start of the range are counted.
 */
static bool count_range(struct page_map *p, uint64_t at, uint64_t bytes, const struct place *place,
			struct nfart_error *e)
{
	uint64_t rest = place != NULL ? place->at + place->bytes - at : 0;

	if (place == NULL || bytes == 0 || at - place->at >= place->bytes)
		return true;
	bytes = bytes < rest ? bytes : rest;
	for (uint64_t page = at >> PAGE_BITS; page <= (at + bytes - 1) >> PAGE_BITS; page++)
		if (!count_page(p, page, place, e))
			return false;
	return true;
}

static bool count_event(void *ctx, const struct memory_event *v, struct nfart_error *e)
{
	switch (v->kind) {
	case MEM_COPY:
		return count_range(ctx, v->from, v->bytes, v->other, e) &&
		       count_range(ctx, v->address, v->bytes, v->place, e);
	case MEM_STORE:
	case MEM_FETCH:
	case MEM_FILL:
		return count_range(ctx, v->address, v->bytes, v->place, e);
	default:
		return true;
	}
}

struct memory_output page_map_output(struct page_map *p)
{
	return (struct memory_output){ .access = count_access, .event = count_event, .ctx = p };
}

/* ---- drawing ---- */

static int by_number(const void *a, const void *b)
{
	const struct page *p = a, *q = b;

	return (p->number > q->number) - (p->number < q->number);
}

/* Returns the pages sorted by address. Returns NULL if there is no memory. */
static struct page *sorted(const struct page_map *p)
{
	struct page *pages = malloc((p->n + 1) * sizeof *pages);
	size_t n = 0;

	for (size_t i = 0; pages != NULL && i < p->room; i++)
		if (p->at[i].accesses != 0)
			pages[n++] = p->at[i];
	if (pages != NULL)
		qsort(pages, n, sizeof *pages, by_number);
	return pages;
}

/* Returns the group that begins with a page. `end` points after the last page. */
static struct group group_at(const struct page *first, const struct page *end)
{
	struct group g = { first, first };

	while (g.last + 1 < end && strcmp(g.last[1].region, first->region) == 0 &&
	       g.last[1].number - g.last->number <= MOST_GAP)
		g.last++;
	return g;
}

static uint64_t span(const struct group *g)
{
	return g->last->number - g->first->number + 1;
}

/*
 * How many pages one circle stands for. It is more than one if there were too many circles
 * otherwise.
 */
static uint64_t pages_of_circle(const struct page *pages, size_t n, uint64_t *most)
{
	uint64_t all = 0, each = 1;

	*most = 1;
	for (const struct page *p = pages; p < pages + n;) {
		struct group g = group_at(p, pages + n);

		all += span(&g);
		p = g.last + 1;
	}
	for (size_t i = 0; i < n; i++)
		*most = pages[i].accesses > *most ? pages[i].accesses : *most;
	while (all / each > MOST_CIRCLES)
		each *= 2;
	return each;
}

static unsigned digits(uint64_t x)
{
	unsigned n = 0;

	for (; x != 0; x >>= 1)
		n++;
	return n;
}

/* Writes a colour from light to dark red. It depends on the logarithm of the number of accesses. */
static void colour_circle(struct buf *b, uint64_t accesses, uint64_t most)
{
	unsigned share = 100 * digits(accesses) / digits(most);

	if (accesses == 0)
		buf_addf(b, "#ffffff");
	else
		buf_addf(b, "#%02x%02x%02x", 253 - 130 * share / 100, 215 - 215 * share / 100,
			 208 - 188 * share / 100);
}

/* Draws the circles of a group, from `top` downwards. Returns their height. */
static uint64_t draw_group(struct buf *b, const struct group *g, uint64_t each, uint64_t most,
			   uint64_t top)
{
	const struct page *p = g->first;
	uint64_t circles = (span(g) - 1) / each + 1, accesses = 0;

	for (uint64_t i = 0; i < circles; i++) {
		uint64_t first = g->first->number + i * each, here = 0;

		for (; p <= g->last && p->number < first + each; p++)
			here += p->accesses;
		accesses += here;
		buf_addf(b, "<circle cx=\"%" PRIu64 "\" cy=\"%" PRIu64 "\" r=\"%d\" fill=\"",
			 TEXT + MARGIN + i % COLUMNS * STEP, top + STEP / 2 + i / COLUMNS * STEP,
			 RADIUS);
		colour_circle(b, here, most * each);
		buf_addf(b, "\"><title>0x%" PRIx64 ": %" PRIu64 "</title></circle>\n",
			 first << PAGE_BITS, here);
	}
	buf_addf(b, "<text x=\"%d\" y=\"%" PRIu64 "\">", MARGIN, top + STEP - 2);
	escape_xml(b, g->first->region, strlen(g->first->region));
	buf_addf(b, " 0x%" PRIx64 ": %" PRIu64 "</text>\n", g->first->number << PAGE_BITS,
		 accesses);
	return ((circles - 1) / COLUMNS + 1) * STEP;
}

/* Draws all groups. Returns the height of the picture. */
static uint64_t draw_groups(struct buf *b, const struct page *pages, size_t n)
{
	uint64_t top = ABOVE, most, each = pages_of_circle(pages, n, &most);

	for (const struct page *p = pages; p < pages + n;) {
		struct group g = group_at(p, pages + n);

		top += draw_group(b, &g, each, most, top) + STEP / 2;
		buf_addf(b, "<path d=\"M%d %" PRIu64 "H%d\"/>\n", MARGIN, top,
			 TEXT + COLUMNS * STEP);
		top += STEP / 2;
		p = g.last + 1;
	}
	buf_addf(b,
		 "<text x=\"%d\" y=\"%" PRIu64 "\">a circle: %" PRIu64
		 " page%s of 4 KiB; the darkest: %" PRIu64 " accesses a page; white: none</text>\n",
		 MARGIN, top + STEP, each, each == 1 ? "" : "s", most);
	return top + STEP + MARGIN;
}

bool page_map_draw(const struct page_map *p, const char *title, struct buf *b)
{
	struct page *pages = sorted(p);
	struct buf body = { 0 };
	uint64_t height;

	if (pages == NULL)
		return false;
	height = draw_groups(&body, pages, p->n);
	free(pages);
	buf_addf(b,
		 "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%" PRIu64
		 "\" font-family=\"sans-serif\" font-size=\"10\" stroke=\"#999\" "
		 "stroke-width=\"0.5\">\n<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\" "
		 "stroke=\"none\"/>\n<style>text{stroke:none}</style>\n"
		 "<text x=\"%d\" y=\"24\" font-size=\"16\">",
		 TEXT + COLUMNS * STEP + 2 * MARGIN, height, MARGIN);
	escape_xml(b, title, strlen(title));
	buf_addf(b, "</text>\n");
	if (body.failed)
		b->failed = true;
	else
		buf_add(b, body.at, body.n);
	buf_addf(b, "</svg>\n");
	buf_free(&body);
	return !b->failed;
}
