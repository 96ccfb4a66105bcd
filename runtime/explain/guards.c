/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "runtime/explain/guards.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "support/order.h"

/* ---- reading ---- */

/* What is not read yet of a line. `failed`: out of memory; `bad`: it does not have the form. */
struct line {
	const char *at, *end;
	bool bad, failed;
};

/* Takes the word if the line goes on with it. */
static bool take_word(struct line *l, const char *word)
{
	size_t n = strlen(word);

	if ((size_t)(l->end - l->at) < n || memcmp(l->at, word, n) != 0)
		return false;
	l->at += n;
	return true;
}

/* Takes a decimal number from 0 to `most`. */
static uint64_t take_number(struct line *l, uint64_t most)
{
	const char *begin = l->at;
	uint64_t v = 0;

	for (; l->at != l->end && *l->at >= '0' && *l->at <= '9'; l->at++) {
		unsigned digit = (unsigned)(*l->at - '0');
		if (v > (UINT64_MAX - digit) / 10)
			l->bad = true;
		else
			v = v * 10 + digit;
	}
	l->bad |= l->at == begin || v > most;
	return v;
}

/* Takes a blank and a number. */
static uint64_t take_next(struct line *l, uint64_t most)
{
	l->bad |= !take_word(l, " ");
	return l->bad ? 0 : take_number(l, most);
}

static void read_codes(struct guards *g, struct line *l, uint32_t set)
{
	do {
		struct guard_codes c = { .set = set };
		c.first = (uint32_t)take_number(l, g->im->proto->codes.n);
		l->bad |= !take_word(l, "..");
		c.last = (uint32_t)take_number(l, g->im->proto->codes.n);
		if (!l->bad && !vec_push(&g->codes, c))
			l->failed = true;
	} while (!l->bad && !l->failed && take_word(l, ","));
}

/* Terms are added to the nodes of the last line of nodes, which are those from `first` on. */
static void read_nodes(struct guards *g, struct line *l, size_t *first)
{
	*first = g->nodes.n;
	do {
		struct guard_node n = { .first_term = g->terms.n };
		n.node = (uint32_t)take_next(l, UINT32_MAX);
		if (!l->bad && !vec_push(&g->nodes, n))
			l->failed = true;
	} while (!l->bad && !l->failed && l->at != l->end);
}

static void read_term(struct guards *g, struct line *l, size_t first, uint32_t nsets)
{
	struct guard_term t = { .first_test = g->tests.n };

	t.set = (uint32_t)take_next(l, UINT32_MAX);
	l->bad |= t.set >= nsets || first == g->nodes.n;
	if (l->bad)
		return;
	if (!vec_push(&g->terms, t))
		l->failed = true;
	for (size_t i = first; i < g->nodes.n; i++)
		g->nodes.at[i].nterms++;
}

static void read_test(struct guards *g, struct line *l)
{
	struct guard_test t = { .name_size = 0 };

	l->bad |= !take_word(l, " ") || g->terms.n == 0;
	t.name = l->at;
	while (l->at != l->end && *l->at > ' ' && *l->at < 0x7f)
		l->at++;
	l->bad |= l->at == t.name || l->at - t.name > 100;
	t.name_size = (uint32_t)(l->at - t.name);
	t.lsb = (uint32_t)take_next(l, 64 * (1 + RECORD_MOST_PAYLOAD) - 1);
	t.bits = (uint32_t)take_next(l, 64);
	t.shift = (uint32_t)take_next(l, 63);
	t.mask = take_next(l, UINT64_MAX);
	t.lo = take_next(l, UINT64_MAX);
	t.hi = take_next(l, UINT64_MAX);
	t.not = take_next(l, 1) != 0;
	l->bad |= t.bits == 0 || t.lsb % 64 + t.bits > 64;
	if (l->bad)
		return;
	if (!vec_push(&g->tests, t))
		l->failed = true;
	g->terms.at[g->terms.n - 1].ntests++;
}

/* Reads all lines of the section. Sets l->bad or l->failed if it can't. */
static void read_all(struct guards *g, const struct image_section *s, struct line *l)
{
	const char *at = (const char *)s->at, *end = at + s->n;
	uint32_t nsets = 0;
	size_t first = 0;

	while (at != end && !l->bad && !l->failed) {
		l->at = at;
		l->end = memchr(at, '\n', (size_t)(end - at));
		if (l->end == NULL) {
			l->bad = true;
			return;
		}
		if (take_word(l, "codes "))
			read_codes(g, l, nsets++);
		else if (take_word(l, "nodes"))
			read_nodes(g, l, &first);
		else if (take_word(l, "term"))
			read_term(g, l, first, nsets);
		else if (take_word(l, "test"))
			read_test(g, l);
		else
			l->bad = true;
		l->bad |= l->at != l->end;
		at = l->end + 1;
	}
}

static int by_node(const void *x, const void *y)
{
	const struct guard_node *a = x, *b = y;

	return order_2(a->node, b->node, a->first_term, b->first_term);
}

bool guards_init(struct guards *g, const struct nfart_image *im)
{
	const struct image_section *s = image_find_section(im, SEC_guards);
	struct line l = { NULL, NULL, false, false };

	memset(g, 0, sizeof *g);
	g->im = im;
	if (s == NULL || s->n == 0)
		return true;
	read_all(g, s, &l);
	if (l.bad)
		g->nodes.n = 0;
	if (g->nodes.n > 1)
		qsort(g->nodes.at, g->nodes.n, sizeof *g->nodes.at, by_node);
	return !l.failed;
}

void guards_free(struct guards *g)
{
	vec_free(&g->codes);
	vec_free(&g->nodes);
	vec_free(&g->terms);
	vec_free(&g->tests);
}

/* ---- telling ---- */

static const struct guard_node *find_node(const struct guards *g, uint32_t node)
{
	size_t lo = 0, hi = g->nodes.n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		if (g->nodes.at[mid].node < node)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < g->nodes.n && g->nodes.at[lo].node == node ? &g->nodes.at[lo] : NULL;
}

static bool has_code(const struct guards *g, uint32_t set, uint32_t code)
{
	for (size_t i = 0; i < g->codes.n; i++) {
		const struct guard_codes *c = &g->codes.at[i];
		if (c->set == set && code >= c->first && code <= c->last)
			return true;
	}
	return false;
}

static uint64_t value_of(const struct guard_test *t, const struct record_message *m)
{
	return (m->word[t->lsb / 64] >> t->lsb % 64 & UINT64_MAX >> (64 - t->bits)) << t->shift;
}

static bool guard_passes(const struct guard_test *t, const struct record_message *m)
{
	uint64_t v = value_of(t, m) & t->mask;

	return (v >= t->lo && v <= t->hi) != t->not;
}

/* Appends a number: addresses and masked values in hexadecimal, as filters mostly have them. */
static void guard_put(struct buf *b, const struct guard_test *t, uint64_t v)
{
	if (t->shift != 0 || t->mask != UINT64_MAX)
		buf_addf(b, "0x%" PRIx64, v);
	else
		buf_addf(b, "%" PRIu64, v);
}

/* Appends `addr 0x8080 is not in 0x9000..0x9fff`, or `addr & 0xf80 is 0x80, not 0x100`. */
static void put_failed(struct buf *b, const struct guard_test *t, const struct record_message *m)
{
	uint64_t v = value_of(t, m) & t->mask;

	buf_add_shown(b, t->name, t->name_size);
	if (t->mask != UINT64_MAX)
		buf_addf(b, " & 0x%" PRIx64 " is ", t->mask);
	else
		buf_addf(b, t->not ? " is " : " ");
	guard_put(b, t, v);
	if (t->not)
		return;
	buf_addf(b, t->mask != UINT64_MAX ? ", not " : t->lo != t->hi ? " is not in " : " is not ");
	guard_put(b, t, t->lo);
	if (t->lo == t->hi)
		return;
	buf_addf(b, "..");
	guard_put(b, t, t->hi);
}

bool guards_failed(const struct guards *g, uint32_t state, uint32_t code,
		   const struct record_message *m, struct buf *b)
{
	const struct guard_node *n = find_node(g, g->im->nfa.states[state].node);
	bool any = false;

	for (size_t i = 0; n != NULL && i < n->nterms; i++) {
		const struct guard_term *t = &g->terms.at[n->first_term + i];
		const char *before = any ? " or " : "";
		if (!has_code(g, t->set, code))
			continue;
		for (size_t k = 0; k < t->ntests; k++) {
			const struct guard_test *x = &g->tests.at[t->first_test + k];
			if (guard_passes(x, m))
				continue;
			buf_addf(b, "%s", before);
			put_failed(b, x, m);
			before = ", ";
			any = true;
		}
	}
	return any;
}
