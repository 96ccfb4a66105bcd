/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "runtime/stats/tally.h"

#include <stdlib.h>

#include "support/hash.h"
#include "support/order.h"

enum { FIRST_PLACES = 1024 };

struct tally {
	const struct nfart_proto *p;
	enum tally_by by;
	struct tally_count *lines; /* [nplaces]: hash table; a free place has n = 0 */
	size_t nplaces, nlines;
	struct tally_count *sorted;
	uint64_t codes[]; /* [ncodes]: messages of each code */
};

struct tally *tally_new(const struct nfart_proto *p, enum tally_by by)
{
	struct tally *t = calloc(1, sizeof *t + p->codes.n * sizeof t->codes[0]);

	if (t == NULL)
		return NULL;
	t->p = p;
	t->by = by;
	return t;
}

void tally_free(struct tally *t)
{
	if (t == NULL)
		return;
	free(t->lines);
	free(t->sorted);
	free(t);
}

/* ---- lines: a hash table with open addressing ---- */

static bool hash_of(const void *entry, uint64_t *h)
{
	const struct tally_count *c = entry;

	*h = c->what * 0x9e3779b97f4a7c15u >> 20;
	return c->n != 0;
}

static bool tally_ends(const void *tally, size_t place, const void *line)
{
	const struct tally_count *c = &((const struct tally *)tally)->lines[place];

	return c->n == 0 || c->what == *(const uint64_t *)line;
}

static size_t place_of(const struct tally *t, uint64_t line)
{
	return hash_probe(t->nplaces, line * 0x9e3779b97f4a7c15u >> 20, tally_ends, t, &line);
}

static bool tally_grow(struct tally *t)
{
	return hash_widen((void **)&t->lines, &t->nplaces, sizeof *t->lines, FIRST_PLACES, hash_of);
}

static inline bool count_line(struct tally *t, uint64_t line, uint64_t n)
{
	struct tally_count *c;

	if (2 * t->nlines >= t->nplaces && !tally_grow(t))
		return false;
	c = &t->lines[place_of(t, line)];
	c->what = line;
	t->nlines += c->n == 0;
	c->n += n;
	return true;
}

bool tally_put(struct tally *t, const struct nfart_batch *b)
{
	const struct nfart_proto *p = t->p;
	uint64_t slots = b->mask & (UINT64_MAX >> (64 - p->nslots));

	for (; slots != 0; slots &= slots - 1) {
		uint32_t slot = (uint32_t)__builtin_ctzll(slots);
		uint32_t code = proto_code(p, slot, b->header[slot]);
		t->codes[code]++;
		if (t->by == TALLY_BY_LINE && bits_get(p->codes.has_addr, code) &&
		    !count_line(t, proto_line(p, b->header[slot]), 1))
			return false;
	}
	return true;
}

bool tally_each(const struct tally *t, bool (*take)(void *ctx, const struct tally_part *x),
		void *ctx)
{
	bool ok = true;

	for (uint32_t c = 0; c < t->p->codes.n && ok; c++)
		if (t->codes[c] != 0)
			ok = take(ctx, &(struct tally_part){ false, c, t->codes[c] });
	for (size_t i = 0; i < t->nplaces && ok; i++)
		if (t->lines[i].n != 0)
			ok = take(ctx, &(struct tally_part){ true, t->lines[i].what,
							     t->lines[i].n });
	return ok;
}

bool tally_can_be(const struct tally *t, const struct tally_part *x)
{
	return x->n != 0 && (x->line ? t->by == TALLY_BY_LINE : x->what < t->p->codes.n);
}

bool tally_add_part(struct tally *t, const struct tally_part *x)
{
	if (x->line)
		return count_line(t, x->what, x->n);
	t->codes[x->what] += x->n;
	return true;
}

bool tally_add(struct tally *t, const struct tally *from)
{
	for (uint32_t c = 0; c < t->p->codes.n; c++)
		t->codes[c] += from->codes[c];
	for (size_t i = 0; i < from->nplaces; i++)
		if (from->lines[i].n != 0 && !count_line(t, from->lines[i].what, from->lines[i].n))
			return false;
	return true;
}

/* ---- the result ---- */

static int by_count(const void *x, const void *y)
{
	const struct tally_count *a = x, *b = y;

	return order_2(b->n, a->n, a->what, b->what);
}

/* Returns the type or group of a code, as tally_count.what has it. */
static uint64_t kind_of(const struct tally *t, uint32_t code)
{
	const struct nfart_proto *p = t->p;

	if (t->by == TALLY_BY_GROUP)
		return p->slots[code >> p->header.op_bits].group;
	if (p->codes.type_of[code] != 0)
		return p->codes.type_of[code] - 1;
	return p->names.ntypes + (code & ((1u << p->header.op_bits) - 1));
}

/* Fills `sorted` with the counts of types or groups. Returns how many there are. */
static size_t sum_codes(struct tally *t)
{
	size_t kinds = t->p->names.ntypes + t->p->names.ngroups +
		       ((size_t)1 << t->p->header.op_bits),
	       n = 0;

	for (size_t i = 0; i < kinds; i++)
		t->sorted[i] = (struct tally_count){ i, 0 };
	for (uint32_t c = 0; c < t->p->codes.n; c++)
		t->sorted[kind_of(t, c)].n += t->codes[c];
	for (size_t i = 0; i < kinds; i++)
		if (t->sorted[i].n != 0)
			t->sorted[n++] = t->sorted[i];
	return n;
}

/* Fills `sorted` with the counts of lines. Returns how many there are. */
static size_t take_lines(struct tally *t)
{
	size_t n = 0;

	for (size_t i = 0; i < t->nplaces; i++)
		if (t->lines[i].n != 0)
			t->sorted[n++] = (struct tally_count){
				t->lines[i].what << t->p->header.line_shift, t->lines[i].n
			};
	return n;
}

const struct tally_count *tally_finish(struct tally *t, size_t *n, uint64_t *others)
{
	size_t kinds =
		t->p->names.ntypes + t->p->names.ngroups + ((size_t)1 << t->p->header.op_bits);

	t->sorted = calloc(t->by == TALLY_BY_LINE ? t->nlines + 1 : kinds, sizeof *t->sorted);
	if (t->sorted == NULL)
		return NULL;
	*n = t->by == TALLY_BY_LINE ? take_lines(t) : sum_codes(t);
	*others = 0;
	for (uint32_t c = 0; c < t->p->codes.n && t->by == TALLY_BY_LINE; c++)
		*others += bits_get(t->p->codes.has_addr, c) ? 0 : t->codes[c];
	if (*n > 1)
		qsort(t->sorted, *n, sizeof *t->sorted, by_count);
	return t->sorted;
}
