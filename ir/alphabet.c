/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "ir/alphabet.h"

#include <stdlib.h>
#include <string.h>

#include "ir/header_tests.h"

void alphabet_codes(struct alphabet *a, const struct nfart_proto *p)
{
	*a = (struct alphabet){ .proto = p, .nletters = p->codes.n, .time = IMAGE_NO_TIME };
}

/* ---- drafts ---- */

void alphabet_draft_free(struct alphabet_draft *d)
{
	vec_free(&d->tests);
	vec_free(&d->uses);
	hash_free(&d->hash);
	memset(d, 0, sizeof *d);
}

static uint64_t hash_test(const struct header_test *t)
{
	uint64_t h = t->mask * 0x9e3779b97f4a7c15u ^ t->lo * 0xff51afd7ed558ccdu ^
		     t->hi * 0xc4ceb9fe1a85ec53u ^ t->word;

	return h ^ h >> 32;
}

static uint64_t hash_of(const void *draft, uint32_t id)
{
	const struct alphabet_draft *d = draft;

	return hash_test(&d->tests.at[id]);
}

static bool alphabet_same(const void *draft, uint32_t id, const void *key)
{
	const struct alphabet_draft *d = draft;
	const struct header_test *a = &d->tests.at[id], *b = key;

	return a->mask == b->mask && a->lo == b->lo && a->hi == b->hi &&
	       a->word == b->word;
}

/* A test and its complement tell the same headers apart. So they are one test here. */
bool alphabet_note(struct alphabet_draft *d, uint32_t code, struct header_test t)
{
	size_t i;

	t.not = false;
	if (!hash_room(&d->hash, hash_of, d))
		return false;
	i = hash_find(&d->hash, hash_test(&t), alphabet_same, d, &t);
	if (hash_id(&d->hash, i) == HASH_NONE) {
		if (!vec_push(&d->tests, t))
			return false;
		hash_put(&d->hash, i, (uint32_t)d->tests.n - 1);
	}
	return vec_push(&d->uses, (uint64_t)code << 32 | hash_id(&d->hash, i));
}

/* ---- classes ---- */

/* The classes of codes with the same tests, and the tests that tell them apart. They are found for
 * the first of these codes, and used for all if no test looks at the opcode. */
struct shape {
	const uint64_t *uses; /* [n]: the uses of the code; their lower halves are the tests */
	size_t n;
	bool of_opcode;       /* a test looks at the opcode, so the shape is of one code only */
	struct diagram_classes classes;
	struct header_tests tests;
};

struct maker {
	struct alphabet *a;
	const struct nfart_proto *p;
	struct alphabet_draft *d;
	struct arena *arena;
	VEC(struct shape) shapes;
	VEC(struct alphabet_code) codes; /* the codes with tests */
	VEC(uint32_t) shape_of;          /* for each of them, its shape */
	enum nfart_status status;
};

static bool give_up(struct maker *m, enum nfart_status status)
{
	if (m->status == NFART_OK)
		m->status = status;
	return false;
}

/* A test as a diagram. */
static diagram_t diagram_of_test(struct diagrams *g, const struct header_test *t)
{
	diagram_t no = diagram_leaf(g, 0), below, most;

	if (t->lo > t->hi)
		return no;
	if (t->lo == t->hi)
		return diagram_test(g, t->word, t->mask, t->lo, false);
	most = diagram_test(g, t->word, t->mask, t->hi, true);
	if (t->lo == 0)
		return most;
	below = diagram_test(g, t->word, t->mask, t->lo - 1, true);
	return diagram_choose(g, below, most, no);
}

/* The pairs of pairs … of what the tests of uses[0 … n) say: halves first, so that each test is in
 * as few products as possible. */
static diagram_t product(struct maker *m, struct diagrams *g, const uint64_t *uses, size_t n)
{
	diagram_t x, y;

	if (n == 1)
		return diagram_of_test(g, &m->d->tests.at[(uint32_t)uses[0]]);
	x = product(m, g, uses, n / 2);
	y = product(m, g, uses + n / 2, n - n / 2);
	return diagram_pair(g, x, y);
}

static bool make_shape(struct maker *m, struct shape *s, uint32_t code)
{
	struct diagrams g;
	diagram_t root;
	bool ok;

	diagrams_init(&g, m->p->header.bits, proto_opcode_mask(m->p),
		      proto_opcode_bits(m->p, code));
	root = product(m, &g, s->uses, s->n);
	if (root == DIAGRAM_NONE)
		ok = give_up(m, g.failed ? NFART_SYSTEM : NFART_GAVEUP);
	else if (!diagram_leaves(&g, root, &s->classes))
		ok = give_up(m, NFART_SYSTEM);
	else if (s->classes.n > ALPHABET_MOST)
		ok = give_up(m, NFART_GAVEUP);
	else
		ok = header_tests_make(&s->tests, &g, root, &s->classes) ||
		     give_up(m, NFART_SYSTEM);
	diagrams_free(&g);
	return ok;
}

static bool same_uses(const struct shape *s, const uint64_t *uses, size_t n)
{
	if (s->n != n || s->of_opcode)
		return false;
	for (size_t i = 0; i < n; i++)
		if ((uint32_t)s->uses[i] != (uint32_t)uses[i])
			return false;
	return true;
}

/* Finds or makes the shape of a code whose uses are uses[0 … n). */
static bool find_shape(struct maker *m, uint32_t code, const uint64_t *uses, size_t n)
{
	struct shape s = { .uses = uses, .n = n };
	struct alphabet_code c = { .code = code };
	uint32_t i = 0;

	for (size_t k = 0; k < n; k++) {
		const struct header_test *t = &m->d->tests.at[(uint32_t)uses[k]];
		if (t->word == 0 && (t->mask & proto_opcode_mask(m->p)) != 0)
			s.of_opcode = true;
	}
	while (i < m->shapes.n && (s.of_opcode || !same_uses(&m->shapes.at[i], uses, n)))
		i++;
	if (i == m->shapes.n &&
	    (!make_shape(m, &s, code) || !vec_push(&m->shapes, s))) {
		vec_free(&s.classes);
		vec_free(&s.tests);
		return give_up(m, NFART_SYSTEM);
	}
	return (vec_push(&m->codes, c) && vec_push(&m->shape_of, i)) ||
	       give_up(m, NFART_SYSTEM);
}

static int by_number(const void *x, const void *y)
{
	uint64_t a = *(const uint64_t *)x, b = *(const uint64_t *)y;

	return (a > b) - (a < b);
}

/* Sorts the uses by code and test, and finds the shape of each code. */
static bool find_shapes(struct maker *m)
{
	struct alphabet_draft *d = m->d;
	size_t n = 0;

	if (d->uses.n != 0)
		qsort(d->uses.at, d->uses.n, sizeof *d->uses.at, by_number);
	for (size_t i = 0; i < d->uses.n; i++)
		if (n == 0 || d->uses.at[n - 1] != d->uses.at[i])
			d->uses.at[n++] = d->uses.at[i];
	d->uses.n = n;
	for (size_t i = 0, end; i < n; i = end) {
		uint32_t code = (uint32_t)(d->uses.at[i] >> 32);
		for (end = i; end < n && d->uses.at[end] >> 32 == code; end++)
			;
		if (!find_shape(m, code, d->uses.at + i, end - i))
			return false;
	}
	return true;
}

/* ---- numbers ---- */

/* Copies the tests of a code, whose guard is g, behind those of the code before. */
static void number_tests(struct alphabet *a, const struct header_tests *t, struct alphabet_guard *g)
{
	uint32_t at = a->ntests, first = a->classes[g->first_class + 1].letter;

	g->first_test = at;
	for (size_t i = 0; i < t->n; i++) {
		struct image_test x = t->at[i];
		x.no = header_tests_moved(x.no, at, g->code, first);
		x.yes = header_tests_moved(x.yes, at, g->code, first);
		a->tests[a->ntests++] = x;
	}
}

/* Writes the classes of a code, which become the next letters. */
static void number_code(struct alphabet *a, const struct alphabet_code *c, uint32_t shape,
			uint32_t *nclasses)
{
	const struct nfart_proto *p = a->proto;
	struct alphabet_guard *g = &a->guards[a->nguards++];
	uint64_t op = proto_opcode_bits(p, c->code);

	g->code = c->code;
	g->shape = shape;
	g->first_class = *nclasses;
	g->nclasses = (uint32_t)c->classes->n;
	for (uint32_t k = 0; k < c->classes->n; k++) {
		const struct diagram_class *x = &c->classes->at[k];
		uint32_t letter = k == 0 ? c->code : a->nletters++;
		struct alphabet_class *class = &a->classes[*nclasses];
		*class = (struct alphabet_class){ letter, x->sample, x->size };
		class->sample.word[0] = (x->sample.word[0] & ~proto_opcode_mask(p)) | op;
		if (k != 0)
			a->class_of[letter - p->codes.n] = *nclasses;
		++*nclasses;
	}
	if (c->tests != NULL)
		number_tests(a, c->tests, g);
}

/* Numbers the letters of the codes, and notes where those of each slot begin. */
static void number_codes(struct alphabet *a, const struct alphabet_code *codes, size_t n)
{
	uint32_t nclasses = 0, slot = 0, shape;

	for (size_t i = 0; i < n; i++) {
		while (slot <= codes[i].code >> a->proto->header.op_bits)
			a->more[slot++] = a->nletters;
		for (shape = 0; codes[shape].classes != codes[i].classes; shape++)
			;
		if (codes[i].classes->n > 1)
			number_code(a, &codes[i], shape, &nclasses);
	}
	while (slot <= a->proto->nslots)
		a->more[slot++] = a->nletters;
}

enum nfart_status alphabet_number(struct alphabet *a, const struct nfart_proto *p,
				  const struct alphabet_code *codes, size_t n, bool tick, bool end,
				  struct arena *arena)
{
	size_t classes = 0, tests = 0;

	alphabet_codes(a, p);
	a->tick = tick;
	a->end = end;
	if (n == 0 && !tick && !end)
		return NFART_OK;
	for (size_t i = 0; i < n; i++) {
		classes += codes[i].classes->n;
		tests += codes[i].tests != NULL ? codes[i].tests->n : 0;
	}
	a->guards = arena_array(arena, n, sizeof *a->guards);
	a->classes = arena_array(arena, classes, sizeof *a->classes);
	a->class_of = arena_array(arena, classes, sizeof *a->class_of);
	a->more = arena_array(arena, p->nslots + 2, sizeof *a->more);
	a->tests = arena_array(arena, tests, sizeof *a->tests);
	if (a->guards == NULL || a->classes == NULL || a->class_of == NULL || a->more == NULL ||
	    a->tests == NULL)
		return NFART_SYSTEM;
	number_codes(a, codes, n);
	for (uint32_t s = 0; s < p->nslots; s++)
		if (a->more[s + 1] - a->more[s] + (1u << p->header.op_bits) > ALPHABET_MOST)
			return NFART_GAVEUP;
	if (tick || end) {
		a->time = a->nletters;
		a->nletters += IMAGE_TIMES;
	}
	a->more[p->nslots + 1] = a->nletters;
	return NFART_OK;
}

/* Keeps the tests that the filter has for the codes with several classes. */
static bool keep_tests(struct maker *m)
{
	const struct alphabet_draft *d = m->d;
	struct alphabet *a = m->a;
	uint32_t n = 0;

	if (a->nguards == 0)
		return true;
	a->asked = arena_array(m->arena, d->tests.n, sizeof *a->asked);
	a->uses = arena_array(m->arena, d->uses.n, sizeof *a->uses);
	if (a->asked == NULL || a->uses == NULL)
		return give_up(m, NFART_SYSTEM);
	memcpy(a->asked, d->tests.at, d->tests.n * sizeof *a->asked);
	for (uint32_t i = 0, k = 0; i < a->nguards; i++) {
		struct alphabet_guard *g = &a->guards[i];
		while (k < d->uses.n && d->uses.at[k] >> 32 < g->code)
			k++;
		g->first_use = n;
		for (; k < d->uses.n && d->uses.at[k] >> 32 == g->code; k++)
			a->uses[n++] = (uint32_t)d->uses.at[k];
		g->nuses = n - g->first_use;
	}
	return true;
}

static bool make_all(struct maker *m, bool tick, bool end)
{
	enum nfart_status status;

	if (!find_shapes(m))
		return false;
	for (size_t i = 0; i < m->codes.n; i++) {
		const struct shape *s = &m->shapes.at[m->shape_of.at[i]];
		m->codes.at[i].classes = &s->classes;
		m->codes.at[i].tests = &s->tests;
	}
	status = alphabet_number(m->a, m->p, m->codes.at, m->codes.n, tick, end, m->arena);
	return status == NFART_OK ? keep_tests(m) : give_up(m, status);
}

enum nfart_status alphabet_make(struct alphabet *a, struct alphabet_draft *d,
				const struct nfart_proto *p, bool tick, bool end,
				struct arena *arena)
{
	struct maker m = { .a = a, .p = p, .d = d, .arena = arena };

	make_all(&m, tick, end);
	for (size_t i = 0; i < m.shapes.n; i++) {
		vec_free(&m.shapes.at[i].classes);
		vec_free(&m.shapes.at[i].tests);
	}
	vec_free(&m.shapes);
	vec_free(&m.codes);
	vec_free(&m.shape_of);
	return m.status;
}

/* ---- letters ---- */

uint32_t alphabet_next(const struct alphabet *a, uint32_t slot, uint32_t letter)
{
	uint32_t bits = a->proto->header.op_bits, next;

	if (letter == UINT32_MAX && slot < a->proto->nslots)
		return slot << bits;
	if (letter < a->proto->codes.n && letter + 1 < (slot + 1) << bits)
		return letter + 1;
	if (a->more == NULL)
		return UINT32_MAX;
	next = letter == UINT32_MAX || letter < a->proto->codes.n ? a->more[slot] : letter + 1;
	return next < a->more[slot + 1] ? next : UINT32_MAX;
}

const struct alphabet_guard *alphabet_guard(const struct alphabet *a, uint32_t code)
{
	uint32_t lo = 0, hi = a->nguards;

	while (lo < hi) {
		uint32_t mid = (lo + hi) / 2;
		if (a->guards[mid].code < code)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < a->nguards && a->guards[lo].code == code ? &a->guards[lo] : NULL;
}

struct record_message alphabet_message(const struct alphabet *a, uint32_t letter)
{
	const struct nfart_proto *p = a->proto;
	const struct alphabet_guard *g;

	if (letter >= p->codes.n)
		return a->classes[a->class_of[letter - p->codes.n]].sample;
	g = alphabet_guard(a, letter);
	return g != NULL ? a->classes[g->first_class].sample
			 : (struct record_message){ { proto_opcode_bits(p, letter) } };
}

uint64_t alphabet_sample(const struct alphabet *a, uint32_t letter)
{
	return alphabet_message(a, letter).word[0];
}

uint32_t alphabet_code(const struct alphabet *a, uint32_t letter)
{
	const struct nfart_proto *p = a->proto;

	if (letter < p->codes.n)
		return letter;
	return alphabet_slot(a, letter) << p->header.op_bits |
	       proto_opcode(p, alphabet_sample(a, letter));
}
