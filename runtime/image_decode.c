/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * From device words to the automaton that is executed. The words are hostile: every element must be
 * one the overlay has, once, and of its size; every number must be in range; truth tables of
 * predecessors must be what a compiler can mean, an OR.
 */
#include <stdlib.h>
#include <string.h>

#include "compiler/support/vec.h"
#include "runtime/image.h"

enum { HEADER_WORDS = 2, MOST_STATES = 1 << 26 };

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

struct decode {
	struct nfart_image *im;
	struct image_element at[64]; /* by id; el is NULL where it is absent */
	const char **why;
};

static bool fail(struct decode *d, const char *why)
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
			return fail(d, "a configuration element of the image is malformed");
		last = e.el->id;
		d->at[e.el->id] = e;
	}
	if (r < 0)
		return fail(d, "the image's device words are malformed");
	for (size_t i = 0; i < nelements; i++) {
		const struct element *el = &elements[i];
		bool wanted = el->storage == STORAGE_SPARSE ? d->im->overlay.none
							    : element_count(el, &d->im->overlay) != 0;
		if (wanted && d->at[el->id].el == NULL)
			return fail(d, "the image lacks a configuration element");
	}
	return true;
}

/* The value of repetition `i` of a CHAIN or REGISTER element, or its bits from `bit` on. */
static uint64_t value(const struct decode *d, enum element_id id, uint32_t i, uint32_t bit,
		      uint32_t width)
{
	const struct image_element *e = &d->at[id];
	uint64_t at = (uint64_t)i * e->el->width(&d->im->overlay) + bit;

	return words_get(d->im->device + e->at, at, width);
}

static uint64_t reg(const struct decode *d, enum element_id id)
{
	return value(d, id, 0, 0, d->at[id].el->width(&d->im->overlay));
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
		return fail(d, "the image observes no line");
	if (!im->overlay.none && (im->nlines > im->overlay.lines || im->window > im->overlay.window))
		return fail(d, "a register of the image is above what its overlay provides");
	return true;
}

/* ---- an overlay's STEs ---- */

struct stes {
	struct decode *d;
	uint32_t n;
	bool *used;           /* can be active */
	uint32_t *number;     /* of a used STE: its state */
	uint32_t *npred;      /* predecessors of an STE */
	VEC(uint32_t) preds;  /* of all STEs, one after the other */
	VEC(uint32_t) codes;  /* scratch: the codes of one predicate */
	uint32_t *hash;       /* of predicates: index + 1 */
	size_t nhash;
	VEC(struct image_pred) table;
};

/* Is predecessor i of STE s configured? Truth tables are checked: an OR of those that count. */
static int has_pred(const struct stes *t, uint32_t s, uint32_t i)
{
	if (t->d->im->overlay.predecessors == OVERLAY_MASK)
		return (int)value(t->d, EL_pred_mask, s, i, 1);
	return (int)value(t->d, EL_pred_lut, s, 32 * (i / 5) + (1u << i % 5), 1);
}

static bool luts_are_ors(const struct stes *t, uint32_t s, uint32_t npred)
{
	if (t->d->im->overlay.predecessors == OVERLAY_MASK)
		return true;
	for (uint32_t g = 0; g < (npred + 4) / 5; g++) {
		uint64_t table = value(t->d, EL_pred_lut, s, 32 * g, 32);
		uint32_t mask = 0;
		for (uint32_t i = 0; i < 5; i++)
			mask |= (uint32_t)(table >> (1u << i) & 1) << i;
		if (g * 5 + 5 > npred && mask >> (npred - g * 5) != 0)
			return false;
		for (uint32_t k = 0; k < 32; k++)
			if ((table >> k & 1) != ((k & mask) != 0))
				return false;
	}
	return true;
}

static bool predecessors(struct stes *t)
{
	const struct overlay *o = &t->d->im->overlay;
	uint32_t degree = contract_degree(o), npred = overlay_npred(o);
	uint32_t *near = malloc((degree + 1) * sizeof *near);

	for (uint32_t s = 0; near != NULL && s < t->n; s++) {
		if (s % o->clique == 0)
			contract_neighbours(o, s / o->clique, near);
		if (!luts_are_ors(t, s, npred)) {
			free(near);
			return fail(t->d, "a predecessor table of the image is no OR");
		}
		for (uint32_t i = 0; i < npred; i++) {
			if (!has_pred(t, s, i))
				continue;
			t->npred[s]++;
			if (!vec_push(&t->preds, near[i / o->clique] * o->clique + i % o->clique)) {
				free(near);
				return false;
			}
		}
	}
	free(near);
	return near != NULL;
}

/* Does the decoder of STE s match `code`? */
static bool matches(const struct stes *t, uint32_t s, uint32_t code)
{
	const struct nfart_image *im = t->d->im;
	const struct overlay *o = &im->overlay;
	uint32_t column = s;
	const uint32_t *row;

	if (o->decoder == OVERLAY_STE)
		return value(t->d, EL_decode, s * o->slots + (code >> o->op_bits),
			     code & ((1u << o->op_bits) - 1), 1) != 0;
	if (o->decoder == OVERLAY_BANK)
		column = (uint32_t)value(t->d, EL_select, s, 0, overlay_select_bits(o));
	row = image_row(im, &t->d->at[o->decoder == OVERLAY_BANK ? EL_bank : EL_match], code);
	return row != NULL && (row[column / 32] >> column % 32 & 1) != 0;
}

/* The place of the predicate in t->codes with mode `none`. */
static size_t place(const struct stes *t, bool none, const uint32_t *codes, uint32_t n)
{
	uint64_t h = none;
	size_t i;

	for (uint32_t k = 0; k < n; k++)
		h = (h ^ codes[k]) * 0xff51afd7ed558ccdu + (h >> 31);
	for (i = h & (t->nhash - 1); t->hash[i] != 0; i = (i + 1) & (t->nhash - 1)) {
		const struct image_pred *p = &t->table.at[t->hash[i] - 1];
		if (p->none == none && p->codes.n == n &&
		    (n == 0 || memcmp(p->codes.at, codes, n * sizeof *codes) == 0))
			break;
	}
	return i;
}

static bool grow_hash(struct stes *t)
{
	t->nhash = t->nhash == 0 ? 64 : 2 * t->nhash;
	free(t->hash);
	t->hash = calloc(t->nhash, sizeof *t->hash);
	for (size_t i = 0; t->hash != NULL && i < t->table.n; i++) {
		const struct image_pred *p = &t->table.at[i];
		t->hash[place(t, p->none, p->codes.at, p->codes.n)] = (uint32_t)i + 1;
	}
	return t->hash != NULL;
}

/* Interns the predicate of STE s; IMAGE_NO_PRED: out of memory, or *why. */
static uint32_t predicate(struct stes *t, uint32_t s)
{
	struct nfart_image *im = t->d->im;
	const struct overlay *o = &im->overlay;
	struct image_pred p = { 0 };
	uint32_t *copy;
	size_t at;

	p.none = o->decoder == OVERLAY_BANK
			 ? value(t->d, EL_bank_none,
				 (uint32_t)value(t->d, EL_select, s, 0, overlay_select_bits(o)), 0, 1)
			 : value(t->d, EL_none, s, 0, 1);
	t->codes.n = 0;
	for (uint32_t c = 0; c < im->proto->ncodes; c++) {
		if (!matches(t, s, c))
			continue;
		if (!bits_get(im->proto->valid, c)) {
			*t->d->why = "a predicate of the image names the idle opcode";
			return IMAGE_NO_PRED;
		}
		if (!vec_push(&t->codes, c))
			return IMAGE_NO_PRED;
	}
	if (t->table.n * 2 >= t->nhash && !grow_hash(t))
		return IMAGE_NO_PRED;
	at = place(t, p.none, t->codes.at, (uint32_t)t->codes.n);
	if (t->hash[at] != 0)
		return t->hash[at] - 1;
	copy = arena_array(&im->arena, t->codes.n, sizeof *copy);
	if (copy == NULL)
		return IMAGE_NO_PRED;
	if (t->codes.n != 0)
		memcpy(copy, t->codes.at, t->codes.n * sizeof *copy);
	p.codes = (struct image_list){ (uint32_t)t->codes.n, copy };
	if (!vec_push(&t->table, p))
		return IMAGE_NO_PRED;
	t->hash[at] = (uint32_t)t->table.n;
	return (uint32_t)t->table.n - 1;
}

static bool select_in_range(const struct stes *t)
{
	const struct overlay *o = &t->d->im->overlay;

	for (uint32_t s = 0; o->decoder == OVERLAY_BANK && s < t->n; s++)
		if (value(t->d, EL_select, s, 0, overlay_select_bits(o)) >= o->bank)
			return false;
	return true;
}

/* One state for each STE that can be active. Label set i + 1 is that of state i; 0 is empty. */
static bool make_states(struct stes *t)
{
	struct nfart_image *im = t->d->im;
	uint32_t n = 0;

	for (uint32_t s = 0; s < t->n; s++) {
		t->used[s] = value(t->d, EL_start, s, 0, 1) || value(t->d, EL_always, s, 0, 1) ||
			     t->npred[s] != 0;
		t->number[s] = n;
		n += t->used[s];
	}
	im->nstates = n;
	im->states = arena_array(&im->arena, n, sizeof *im->states);
	im->nlabelsets = n + 1;
	im->labelsets = arena_array(&im->arena, (size_t)n + 1, sizeof *im->labelsets);
	if (im->states == NULL || im->labelsets == NULL)
		return false;
	for (uint32_t s = 0; s < t->n; s++) {
		struct image_state *q = &im->states[t->number[s]];
		uint64_t mask = value(t->d, EL_label, s, 0, im->overlay.labels);
		uint32_t count = 0, *labels;
		if (!t->used[s])
			continue;
		q->node = s;
		q->flags = (uint8_t)((value(t->d, EL_start, s, 0, 1) ? STATE_START : 0) |
				     (value(t->d, EL_always, s, 0, 1) ? STATE_ALWAYS : 0) |
				     (value(t->d, EL_log, s, 0, 1) ? STATE_LOG : 0));
		q->pred = IMAGE_NO_PRED;
		if ((t->npred[s] != 0 || (q->flags & STATE_ALWAYS) != 0) &&
		    (q->pred = predicate(t, s)) == IMAGE_NO_PRED)
			return false;
		if (im->nlabels < 64 && mask >> im->nlabels != 0)
			return fail(t->d, "a state of the image has a label that does not exist");
		labels = arena_array(&im->arena, (size_t)__builtin_popcountll(mask), sizeof *labels);
		if (labels == NULL)
			return false;
		for (uint32_t l = 0; l < 64; l++)
			if ((mask >> l & 1) != 0)
				labels[count++] = l;
		q->labelset = mask == 0 ? 0 : t->number[s] + 1;
		im->labelsets[t->number[s] + 1] = (struct image_list){ count, labels };
	}
	return true;
}

/* Successor lists from predecessor lists: those of state s are list[first[s] … first[s + 1]). */
static bool make_successors(struct nfart_image *im, const uint32_t *from, const uint32_t *to,
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

static bool mapped_edges(struct stes *t)
{
	uint32_t *from = malloc((t->preds.n + 1) * sizeof *from);
	uint32_t *to = malloc((t->preds.n + 1) * sizeof *to), m = 0;
	size_t k = 0;
	bool ok = from != NULL && to != NULL;

	for (uint32_t s = 0; ok && s < t->n; s++)
		for (uint32_t i = 0; i < t->npred[s]; i++, k++)
			if (t->used[t->preds.at[k]]) {
				from[m] = t->number[t->preds.at[k]];
				to[m++] = t->number[s];
			}
	ok = ok && make_successors(t->d->im, from, to, m);
	free(from);
	free(to);
	return ok;
}

static bool decode_mapped(struct decode *d)
{
	struct nfart_image *im = d->im;
	struct stes t = { .d = d, .n = overlay_nste(&im->overlay) };
	bool ok;

	t.used = calloc(t.n + 1, sizeof *t.used);
	t.number = calloc(t.n + 1, sizeof *t.number);
	t.npred = calloc(t.n + 1, sizeof *t.npred);
	ok = t.used != NULL && t.number != NULL && t.npred != NULL;
	if (ok && !select_in_range(&t))
		ok = fail(d, "an STE of the image selects a decoder that does not exist");
	ok = ok && predecessors(&t) && make_states(&t) && mapped_edges(&t);
	if (ok) {
		im->npreds = (uint32_t)t.table.n;
		im->preds = arena_array(&im->arena, t.table.n, sizeof *im->preds);
		ok = im->preds != NULL;
		if (ok && t.table.n != 0)
			memcpy(im->preds, t.table.at, t.table.n * sizeof *im->preds);
	}
	free(t.used);
	free(t.number);
	free(t.npred);
	free(t.hash);
	vec_free(&t.preds);
	vec_free(&t.codes);
	vec_free(&t.table);
	return ok;
}

/* ---- a sparse image ---- */

/* A cursor over the words of one element. */
struct cursor {
	const uint32_t *at;
	size_t n;
	bool bad;
};

static struct cursor open_element(const struct decode *d, enum element_id id)
{
	return (struct cursor){ d->im->device + d->at[id].at, d->at[id].n, false };
}

static uint32_t take(struct cursor *c)
{
	if (c->n == 0) {
		c->bad = true;
		return 0;
	}
	c->n--;
	return *c->at++;
}

/* A count and that many rising numbers below `limit`; the list points into the device words. */
static struct image_list take_list(struct cursor *c, uint32_t limit)
{
	struct image_list l = { take(c), c->at };

	if (l.n > c->n) {
		c->bad = true;
		return (struct image_list){ 0, NULL };
	}
	for (uint32_t i = 0; i < l.n; i++)
		if (l.at[i] >= limit || (i > 0 && l.at[i] <= l.at[i - 1]))
			c->bad = true;
	c->at += l.n;
	c->n -= l.n;
	return l;
}

static bool sparse_preds(struct decode *d)
{
	struct cursor c = open_element(d, EL_predicates);
	struct nfart_image *im = d->im;
	VEC(struct image_pred) v = { 0 };
	bool ok = true;

	while (ok && c.n != 0 && !c.bad) {
		uint32_t none = take(&c);
		struct image_pred p = { none == 1, take_list(&c, im->proto->ncodes) };
		for (uint32_t i = 0; i < p.codes.n && !c.bad; i++)
			c.bad |= !bits_get(im->proto->valid, p.codes.at[i]);
		c.bad |= none > 1;
		ok = vec_push(&v, p);
	}
	im->npreds = (uint32_t)v.n;
	im->preds = arena_array(&im->arena, v.n, sizeof *im->preds);
	ok = ok && im->preds != NULL;
	if (ok && v.n != 0)
		memcpy(im->preds, v.at, v.n * sizeof *v.at);
	vec_free(&v);
	return c.bad ? fail(d, "the image's predicates are malformed") : ok;
}

static bool sparse_labelsets(struct decode *d)
{
	struct cursor c = open_element(d, EL_labelsets);
	struct nfart_image *im = d->im;
	VEC(struct image_list) v = { 0 };
	bool ok = true;

	while (ok && c.n != 0 && !c.bad)
		ok = vec_push(&v, take_list(&c, im->nlabels));
	if (v.n == 0 || v.at[0].n != 0)
		c.bad = true;
	im->nlabelsets = (uint32_t)v.n;
	im->labelsets = arena_array(&im->arena, v.n, sizeof *im->labelsets);
	ok = ok && im->labelsets != NULL;
	if (ok && v.n != 0)
		memcpy(im->labelsets, v.at, v.n * sizeof *v.at);
	vec_free(&v);
	return c.bad ? fail(d, "the image's label sets are malformed") : ok;
}

static bool sparse_states(struct decode *d)
{
	struct cursor c = open_element(d, EL_states);
	struct nfart_image *im = d->im;

	if (c.n % 3 != 0 || c.n / 3 > MOST_STATES)
		return fail(d, "the image's states are malformed");
	im->nstates = (uint32_t)(c.n / 3);
	im->states = arena_array(&im->arena, im->nstates, sizeof *im->states);
	if (im->states == NULL)
		return false;
	for (uint32_t s = 0; s < im->nstates; s++) {
		struct image_state *q = &im->states[s];
		uint32_t flags;
		q->node = s;
		q->pred = take(&c);
		flags = take(&c);
		q->flags = (uint8_t)flags;
		q->labelset = take(&c);
		if ((q->pred != IMAGE_NO_PRED && q->pred >= im->npreds) || flags > 7 ||
		    q->labelset >= im->nlabelsets ||
		    (q->pred == IMAGE_NO_PRED && (flags & STATE_ALWAYS) != 0))
			return fail(d, "the image's states are malformed");
	}
	return true;
}

static bool sparse_edges(struct decode *d)
{
	struct cursor c = open_element(d, EL_edges);
	struct nfart_image *im = d->im;
	size_t most = c.n, m = 0;
	uint32_t *from = malloc((most + 1) * sizeof *from), *to = malloc((most + 1) * sizeof *to);
	bool ok = from != NULL && to != NULL;

	for (uint32_t s = 0; ok && s < im->nstates && !c.bad; s++) {
		struct image_list l = take_list(&c, im->nstates);
		if (l.n != 0 && im->states[s].pred == IMAGE_NO_PRED)
			c.bad = true;
		for (uint32_t i = 0; i < l.n && !c.bad; i++) {
			from[m] = l.at[i];
			to[m++] = s;
		}
	}
	if (ok && (c.bad || c.n != 0))
		ok = fail(d, "the image's transitions are malformed");
	ok = ok && make_successors(im, from, to, m);
	free(from);
	free(to);
	return ok;
}

bool image_decode(struct nfart_image *im, const char **why)
{
	struct decode d = { .im = im, .why = why };

	*why = NULL;
	if (!find_elements(&d) || !registers(&d))
		return false;
	if (!im->overlay.none)
		return decode_mapped(&d);
	return sparse_preds(&d) && sparse_labelsets(&d) && sparse_states(&d) && sparse_edges(&d);
}
