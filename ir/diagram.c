/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "ir/diagram.h"

#include <stdlib.h>
#include <string.h>

/* The result of diagram_choose(test, no, yes), or of diagram_pair(test, no) if `yes` is
 * DIAGRAM_NONE. A free place has the result DIAGRAM_NONE. */
struct diagram_result {
	uint32_t test, no, yes;
	diagram_t is;
};

void diagrams_init(struct diagrams *d, uint32_t header_bits, uint64_t fixed, uint64_t value)
{
	uint64_t above = header_bits == 64 ? 0 : ~(((uint64_t)1 << header_bits) - 1);

	memset(d, 0, sizeof *d);
	d->fixed = fixed | above;
	d->value = value & fixed & ~above;
}

void diagrams_free(struct diagrams *d)
{
	vec_free(&d->nodes);
	vec_free(&d->pairs);
	hash_free(&d->hash);
	hash_free(&d->pair_hash);
	free(d->cache);
	memset(d, 0, sizeof *d);
}

static diagram_t diagram_fail(struct diagrams *d)
{
	d->failed = true;
	return DIAGRAM_NONE;
}

static size_t mix(uint32_t a, uint32_t b, uint32_t c)
{
	uint64_t h = (a * 0x9e3779b97f4a7c15u) ^ (b * 0xff51afd7ed558ccdu) ^
		     (c * 0xc4ceb9fe1a85ec53u);

	return (size_t)(h ^ h >> 29 ^ h >> 43);
}

/* ---- nodes ---- */

static uint64_t hash_of(const void *diagrams, uint32_t id)
{
	const struct diagram_node *x = &((const struct diagrams *)diagrams)->nodes.at[id];

	return mix(x->bit, x->no, x->yes);
}

static bool diagram_same(const void *diagrams, uint32_t id, const void *key)
{
	const struct diagram_node *x = &((const struct diagrams *)diagrams)->nodes.at[id];
	const struct diagram_node *y = key;

	return x->bit == y->bit && x->no == y->no && x->yes == y->yes;
}

/* Makes room for one more node, and for as many results as the table of nodes has places. */
static bool diagram_room(struct diagrams *d)
{
	struct diagram_result *cache;

	if (!hash_room(&d->hash, hash_of, d))
		return false;
	if (d->ncache == d->hash.size)
		return true;
	cache = malloc(d->hash.size * sizeof *cache);
	if (cache == NULL)
		return false;
	memset(cache, 0xff, d->hash.size * sizeof *cache);
	free(d->cache);
	d->cache = cache;
	d->ncache = d->hash.size;
	return true;
}

static diagram_t diagram_make_node(struct diagrams *d, uint32_t bit, uint32_t no, uint32_t yes)
{
	struct diagram_node x = { bit, no, yes };
	size_t at;

	if (no == yes && bit != DIAGRAM_LEAF)
		return no;
	if (!diagram_room(d))
		return diagram_fail(d);
	at = hash_find(&d->hash, mix(bit, no, yes), diagram_same, d, &x);
	if (hash_id(&d->hash, at) != HASH_NONE)
		return hash_id(&d->hash, at);
	if (d->nodes.n == DIAGRAM_MOST_NODES) {
		d->too_large = true;
		return DIAGRAM_NONE;
	}
	if (!vec_push(&d->nodes, x))
		return diagram_fail(d);
	hash_put(&d->hash, at, (uint32_t)d->nodes.n - 1);
	return (diagram_t)(d->nodes.n - 1);
}

diagram_t diagram_leaf(struct diagrams *d, uint32_t leaf)
{
	return diagram_make_node(d, DIAGRAM_LEAF, leaf, 0);
}

/* ---- tests ---- */

/* The masked bits of a header are compared with the value from the lowest bit to the highest.
 * `below` is the diagram of the bits so far: 1 if they are at most, or equal to, those of the
 * value. */
diagram_t diagram_test(struct diagrams *d, uint32_t word, uint64_t mask, uint64_t value,
		       bool at_most)
{
	diagram_t never = diagram_leaf(d, 0), always = diagram_leaf(d, 1), below = always;
	uint64_t fixed = word == 0 ? d->fixed : 0;

	if ((value & ~mask) != 0 && !at_most)
		return never;
	for (uint32_t bit = 0; bit < 64 && below != DIAGRAM_NONE; bit++) {
		uint64_t one = (uint64_t)1 << bit;
		bool wanted = (value & one) != 0;
		diagram_t no = wanted ? (at_most ? always : never) : below,
			  yes = wanted ? below : never;
		/* A bit outside the mask is 0 in what is compared. */
		if ((mask & one) == 0)
			below = no;
		else if ((fixed & one) != 0)
			below = (d->value & one) != 0 ? yes : no;
		else
			below = diagram_make_node(d, 64 * word + bit, no, yes);
	}
	return below;
}

/* ---- operations ---- */

static uint32_t bit_of(const struct diagrams *d, diagram_t x)
{
	return d->nodes.at[x].bit;
}

/* Of two nodes, which decides on the higher bit? Leaves decide on none. */
static uint32_t higher(uint32_t a, uint32_t b)
{
	if (a == DIAGRAM_LEAF || b == DIAGRAM_LEAF)
		return a == DIAGRAM_LEAF ? b : a;
	return a > b ? a : b;
}

/* The part of x for which bit `bit` has the value `is`. */
static diagram_t diagram_part(const struct diagrams *d, diagram_t x, uint32_t bit, bool is)
{
	const struct diagram_node *n = &d->nodes.at[x];

	return n->bit != bit ? x : is ? n->yes : n->no;
}

static struct diagram_result *diagram_known(const struct diagrams *d, uint32_t a, uint32_t b,
					    uint32_t c)
{
	return &d->cache[mix(a, b, c) & (d->ncache - 1)];
}

static bool is_known(const struct diagram_result *r, uint32_t a, uint32_t b, uint32_t c)
{
	return r->is != DIAGRAM_NONE && r->test == a && r->no == b && r->yes == c;
}

static diagram_t diagram_remember(struct diagrams *d, uint32_t a, uint32_t b, uint32_t c,
				  diagram_t is)
{
	if (is != DIAGRAM_NONE)
		*diagram_known(d, a, b, c) = (struct diagram_result){ a, b, c, is };
	return is;
}

diagram_t diagram_choose(struct diagrams *d, diagram_t test, diagram_t no, diagram_t yes)
{
	const struct diagram_result *r;
	uint32_t bit;
	diagram_t zero, one;

	if (test == DIAGRAM_NONE || no == DIAGRAM_NONE || yes == DIAGRAM_NONE)
		return DIAGRAM_NONE;
	if (no == yes)
		return no;
	if (bit_of(d, test) == DIAGRAM_LEAF)
		return d->nodes.at[test].no != 0 ? yes : no;
	r = diagram_known(d, test, no, yes);
	if (is_known(r, test, no, yes))
		return r->is;
	bit = higher(bit_of(d, test), higher(bit_of(d, no), bit_of(d, yes)));
	zero = diagram_choose(d, diagram_part(d, test, bit, false), diagram_part(d, no, bit, false),
			      diagram_part(d, yes, bit, false));
	one = diagram_choose(d, diagram_part(d, test, bit, true), diagram_part(d, no, bit, true),
			     diagram_part(d, yes, bit, true));
	if (zero == DIAGRAM_NONE || one == DIAGRAM_NONE)
		return DIAGRAM_NONE;
	return diagram_remember(d, test, no, yes, diagram_make_node(d, bit, zero, one));
}

/* ---- pairs ---- */

static uint64_t hash_of_pair(const void *diagrams, uint32_t pair)
{
	return mix(diagram_first(diagrams, pair), diagram_second(diagrams, pair), 0);
}

static bool same_pair(const void *diagrams, uint32_t pair, const void *key)
{
	const uint32_t *leaf = key;

	return diagram_first(diagrams, pair) == leaf[0] &&
	       diagram_second(diagrams, pair) == leaf[1];
}

static diagram_t pair_leaf(struct diagrams *d, uint32_t x, uint32_t y)
{
	uint32_t leaf[2] = { x, y };
	size_t at;

	if (!hash_room(&d->pair_hash, hash_of_pair, d))
		return diagram_fail(d);
	at = hash_find(&d->pair_hash, mix(x, y, 0), same_pair, d, leaf);
	if (hash_id(&d->pair_hash, at) != HASH_NONE)
		return diagram_leaf(d, hash_id(&d->pair_hash, at));
	if (!vec_reserve(&d->pairs, 2))
		return diagram_fail(d);
	d->pairs.at[d->pairs.n++] = x;
	d->pairs.at[d->pairs.n++] = y;
	hash_put(&d->pair_hash, at, (uint32_t)(d->pairs.n / 2) - 1);
	return diagram_leaf(d, (uint32_t)(d->pairs.n / 2) - 1);
}

diagram_t diagram_pair(struct diagrams *d, diagram_t x, diagram_t y)
{
	const struct diagram_result *r;
	uint32_t bit;
	diagram_t zero, one;

	if (x == DIAGRAM_NONE || y == DIAGRAM_NONE)
		return DIAGRAM_NONE;
	if (bit_of(d, x) == DIAGRAM_LEAF && bit_of(d, y) == DIAGRAM_LEAF)
		return pair_leaf(d, d->nodes.at[x].no, d->nodes.at[y].no);
	r = diagram_known(d, x, y, DIAGRAM_NONE);
	if (is_known(r, x, y, DIAGRAM_NONE))
		return r->is;
	bit = higher(bit_of(d, x), bit_of(d, y));
	zero = diagram_pair(d, diagram_part(d, x, bit, false), diagram_part(d, y, bit, false));
	one = diagram_pair(d, diagram_part(d, x, bit, true), diagram_part(d, y, bit, true));
	if (zero == DIAGRAM_NONE || one == DIAGRAM_NONE)
		return DIAGRAM_NONE;
	return diagram_remember(d, x, y, DIAGRAM_NONE, diagram_make_node(d, bit, zero, one));
}

uint32_t diagram_first(const struct diagrams *d, uint32_t pair)
{
	return d->pairs.at[2 * (size_t)pair];
}

uint32_t diagram_second(const struct diagrams *d, uint32_t pair)
{
	return d->pairs.at[2 * (size_t)pair + 1];
}

/* ---- what a diagram says ---- */

/* Compares messages as numbers whose highest bits are those of the payload. */
static int compare_samples(const struct record_message *a, const struct record_message *b)
{
	for (int i = RECORD_MOST_PAYLOAD; i >= 0; i--)
		if (a->word[i] != b->word[i])
			return a->word[i] > b->word[i] ? 1 : -1;
	return 0;
}

static int by_sample(const void *x, const void *y)
{
	const struct diagram_class *a = x, *b = y;

	return compare_samples(&a->sample, &b->sample);
}

/* A node arrives at `to`: `size` headers do, of which `sample` is the least. */
static void diagram_arrive(struct diagram_class *to, const struct record_message *sample,
			   long double size)
{
	if (to->size == 0 || compare_samples(sample, &to->sample) < 0)
		to->sample = *sample;
	to->size += size;
}

/* Every node is made after the nodes below it. So a walk from x down to node 0 meets all nodes
 * above a node before the node itself. Half of the headers that arrive at a node take either
 * way. */
bool diagram_leaves(const struct diagrams *d, diagram_t x, struct diagram_classes *out)
{
	struct diagram_class *at = calloc((size_t)x + 1, sizeof *at);
	size_t first = out->n;
	bool ok = at != NULL;

	if (ok)
		diagram_arrive(&at[x], &(struct record_message){ { d->value } },
			       (uint64_t)1 << (64 - __builtin_popcountll(d->fixed)));
	for (size_t i = (size_t)x + 1; ok && i-- > 0;) {
		const struct diagram_node *n = &d->nodes.at[i];
		struct record_message m;
		if (at[i].size == 0)
			continue;
		if (n->bit == DIAGRAM_LEAF) {
			at[i].leaf = n->no;
			ok = vec_push(out, at[i]);
			continue;
		}
		m = at[i].sample;
		diagram_arrive(&at[n->no], &m, at[i].size / 2);
		m.word[n->bit / 64] |= (uint64_t)1 << n->bit % 64;
		diagram_arrive(&at[n->yes], &m, at[i].size / 2);
	}
	free(at);
	if (ok && out->n - first > 1)
		qsort(out->at + first, out->n - first, sizeof *out->at, by_sample);
	return ok;
}

diagram_t diagram_at(const struct diagrams *d, diagram_t x, const struct record_message *m)
{
	while (d->nodes.at[x].bit != DIAGRAM_LEAF) {
		const struct diagram_node *n = &d->nodes.at[x];
		x = (m->word[n->bit / 64] >> n->bit % 64 & 1) != 0 ? n->yes : n->no;
	}
	return x;
}

uint32_t diagram_of(const struct diagrams *d, diagram_t x, const struct record_message *m)
{
	return d->nodes.at[diagram_at(d, x, m)].no;
}

/* ---- intervals ---- */

static bool diagram_push(struct diagram_intervals *v, uint64_t last, diagram_t node)
{
	if (v->n == 0 || v->at[v->n - 1].node != node)
		return vec_push(v, ((struct diagram_interval){ last, node }));
	v->at[v->n - 1].last = last;
	return true;
}

/* Would an interval of several values fall apart into single values if `bit` were added to the
 * run? It would if it goes on at a node that decides on the bit. */
static bool falls_apart(const struct diagrams *d, const struct diagram_intervals *v, uint32_t bit)
{
	uint64_t first = 0;

	for (size_t i = 0; i < v->n; i++) {
		if (bit_of(d, v->at[i].node) == bit && first != v->at[i].last)
			return true;
		first = v->at[i].last + 1;
	}
	return false;
}

/* Writes the intervals of a run that is longer by `bit` to *out. */
static bool diagram_extend(const struct diagrams *d, const struct diagram_intervals *v,
			   uint32_t bit, struct diagram_intervals *out)
{
	bool ok = true;

	out->n = 0;
	for (size_t i = 0; i < v->n && ok; i++) {
		const struct diagram_interval *x = &v->at[i];
		if (bit_of(d, x->node) == bit)
			ok = diagram_push(out, 2 * x->last, diagram_part(d, x->node, bit, false));
		ok = ok && diagram_push(out, 2 * x->last + 1, diagram_part(d, x->node, bit, true));
	}
	return ok;
}

static bool all_leaves(const struct diagrams *d, const struct diagram_intervals *v)
{
	for (size_t i = 0; i < v->n; i++)
		if (bit_of(d, v->at[i].node) != DIAGRAM_LEAF)
			return false;
	return true;
}

bool diagram_intervals(const struct diagrams *d, diagram_t x, uint32_t least,
		       struct diagram_intervals *v, uint32_t *low)
{
	struct diagram_intervals longer = { NULL, 0, 0 }, swap;
	uint32_t bit = bit_of(d, x);
	bool ok;

	*low = bit;
	v->n = 0;
	ok = diagram_push(v, 0, d->nodes.at[x].no) && diagram_push(v, 1, d->nodes.at[x].yes);
	while (ok && bit-- > least && !all_leaves(d, v)) {
		if (bit < 64 && (d->fixed >> bit & 1) != 0)
			continue;
		if (falls_apart(d, v, bit))
			break;
		ok = diagram_extend(d, v, bit, &longer);
		swap = *v;
		*v = longer;
		longer = swap;
		*low = bit;
	}
	vec_free(&longer);
	return ok;
}
