/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "compiler/proof/joint.h"

#include <stdlib.h>
#include <string.h>

#include "grammar/ast_match.h"
#include "ir/image_letters.h"
#include "support/order.h"

/* A test of a source, for the messages of one code. */
struct use {
	uint32_t code;
	uint32_t tree;
	const struct ast_test *test;
};

/* What decides the classes of a code, if no test looks at the opcode: where the tests of the
 * sources look, and the tests of the image, with the letters of the code numbered from 0. */
struct key {
	struct buf bytes;
	const struct diagram_classes *classes; /* what was found for the first code with this key */
};

/* How much a sum of sizes may be wrong where bits of payload decide, as a part of it (diagram.h). */
#define ROUNDING 0x1p-40L

struct joint {
	const struct joint_input *in;
	int (*slot_of)[PROTO_SLOTS]; /* [trees]: joint_slots() */
	VEC(struct key) keys;
	VEC(struct use) uses; /* by rising code */
	VEC(struct alphabet_code) codes;
	struct diagram_classes *classes; /* [codes of the protocol] */
	enum nfart_status status;
};

void joint_slots(const struct nfart_proto *from, const struct nfart_proto *to,
		 int slot_of[static PROTO_SLOTS])
{
	for (uint32_t k = 0; k < to->nslots; k++) {
		slot_of[k] = -1;
		for (uint32_t i = 0; i < from->nslots; i++)
			if (from->slots[i].channel == to->slots[k].channel &&
			    strcmp(from->names.groups[from->slots[i].group],
				   to->names.groups[to->slots[k].group]) == 0)
				slot_of[k] = (int)i;
	}
}

static bool joint_fail(struct joint *j, enum nfart_status status)
{
	if (j->status == NFART_OK)
		j->status = status;
	return false;
}

/* ---- where tests look ---- */

/* A field in the headers of one code, or bits of payload: `bits` bits from `lsb` on. Each value
 * stands for `unit` numbers, of which the first is the one that the source writes. */
struct field_place {
	uint32_t lsb, bits, shift;
	uint32_t word; /* index in record_message.word */
};

static bool field_of(const struct nfart_proto *p, const struct ast_test *t, uint32_t code,
		     struct field_place *f)
{
	const struct proto_field *x;
	uint32_t field = t->field;

	if (field == PROTO_PAYLOAD) {
		*f = (struct field_place){
			(uint32_t)t->lowest.value % 64,
			(uint32_t)(t->highest.value - t->lowest.value) + 1, 0,
			(uint32_t)t->lowest.value / 64 + 1,
		};
		return true;
	}
	if (field == PROTO_ADDR) {
		*f = (struct field_place){ p->header.addr_lsb, p->header.addr_bits,
					   p->header.line_shift, 0 };
		return bits_get(p->codes.has_addr, code);
	}
	x = &p->names.fields[field];
	for (uint32_t i = 0; i < x->nplaces; i++)
		if (x->places[i].codes == NULL || bits_get(x->places[i].codes, code)) {
			*f = (struct field_place){ x->places[i].lsb, x->places[i].bits, 0, 0 };
			return true;
		}
	return false;
}

/* Notes the tests of a basic predicate for each code of the tap that has the field and that the
 * predicate, guard aside, may match. A let is taken to match every message. */
static void note_basic(struct joint *j, uint32_t tree, const struct ast_basic *x,
		       const int *slot_of)
{
	const struct ast *a = j->in->trees[tree];
	const struct nfart_proto *to = j->in->tap;
	uint32_t ops = 1u << to->header.op_bits;
	struct field_place f;

	for (uint32_t c = 0; c < to->codes.n && x->ntests != 0; c++) {
		int slot = slot_of[c / ops];
		if (slot < 0 || (int32_t)(c % ops) == to->header.idle ||
		    (x->let == AST_NIL && !ast_basic_matches(a, x, (uint32_t)slot, c % ops)))
			continue;
		for (uint32_t i = 0; i < x->ntests; i++) {
			const struct ast_test *t = &a->tests.at[x->first_test + i];
			if (field_of(a->proto, t, (uint32_t)slot * ops + c % ops, &f) &&
			    !vec_push(&j->uses, ((struct use){ c, tree, t })))
				joint_fail(j, NFART_SYSTEM);
		}
	}
}

static int by_code(const void *x, const void *y)
{
	const struct use *a = x, *b = y;

	return order_3(a->code, b->code, a->tree, b->tree, (uintptr_t)a->test, (uintptr_t)b->test);
}

static void note_all(struct joint *j)
{
	for (uint32_t k = 0; k < j->in->n; k++) {
		const struct ast *a = j->in->trees[k];
		joint_slots(a->proto, j->in->tap, j->slot_of[k]);
		for (size_t i = 0; i < a->basics.n && a->tests.n != 0; i++)
			note_basic(j, k, &a->basics.at[i], j->slot_of[k]);
	}
	if (j->uses.n > 1)
		qsort(j->uses.at, j->uses.n, sizeof *j->uses.at, by_code);
}

/* ---- classes ---- */

static uint64_t ones(const struct field_place *f)
{
	return f->bits == 64 ? UINT64_MAX : ((uint64_t)1 << f->bits) - 1;
}

/* 1 where the field's value, as the source writes it, is at most `most`. */
static diagram_t at_most(struct diagrams *g, const struct field_place *f, uint64_t most)
{
	uint64_t highest = ones(f), v = most >> f->shift;

	v = v < highest ? v : highest;
	return diagram_test(g, f->word, highest << f->lsb, v << f->lsb, true);
}

/* 1 where the bits of the field's value under `mask` are `value`: bit by bit. */
static diagram_t has_bits(struct diagrams *g, const struct field_place *f, uint64_t mask,
			  uint64_t value)
{
	diagram_t no = diagram_leaf(g, 0), all = diagram_leaf(g, 1);

	for (uint32_t i = 0; i < 64; i++) {
		uint64_t one = (uint64_t)1 << i;
		bool in_field = i >= f->shift && i - f->shift < f->bits;
		uint64_t bit = in_field ? (uint64_t)1 << (f->lsb + i - f->shift) : 0;
		if ((mask & one) == 0 && (value & one) == 0)
			continue;
		if (((mask & one) == 0 || !in_field) && (value & one) != 0)
			return no;
		if (in_field)
			all = diagram_choose(g, diagram_test(g, f->word, bit,
							     (value & one) != 0 ? bit : 0, false),
					     no, all);
	}
	return all;
}

/* 1 where a header passes the test, or fails it: both tell the same classes apart. */
static diagram_t test_diagram(struct diagrams *g, const struct field_place *f,
			      const struct ast_test *t)
{
	uint64_t first = t->value.value;
	diagram_t no = diagram_leaf(g, 0), below;

	switch (t->kind) {
	case AST_TEST_IS:
	case AST_TEST_IS_NOT:
		return has_bits(g, f, UINT64_MAX, first);
	case AST_TEST_MASK_IS:
	case AST_TEST_MASK_IS_NOT:
		return has_bits(g, f, t->mask.value, first);
	case AST_TEST_IN:
		below = first == 0 ? no : at_most(g, f, first - 1);
		return diagram_choose(g, below, at_most(g, f, t->last.value), no);
	}
	return DIAGRAM_NONE;
}

/* The diagram of use i of the joint's uses. */
static struct field_place place_of(const struct joint *j, const struct use *u)
{
	const struct ast *a = j->in->trees[u->tree];
	uint32_t ops = 1u << j->in->tap->header.op_bits;
	uint32_t slot = (uint32_t)j->slot_of[u->tree][u->code / ops];
	struct field_place f = { 0, 0, 0, 0 };

	field_of(a->proto, u->test, slot * ops + u->code % ops, &f);
	return f;
}

static diagram_t use_diagram(struct joint *j, struct diagrams *g, const struct use *u)
{
	struct field_place f = place_of(j, u);

	return test_diagram(g, &f, u->test);
}

static diagram_t product(struct joint *j, struct diagrams *g, const struct use *u, size_t n)
{
	diagram_t x;

	if (n == 0)
		return diagram_leaf(g, 0);
	if (n == 1)
		return use_diagram(j, g, u);
	x = product(j, g, u, n / 2);
	return diagram_pair(g, x, product(j, g, u + n / 2, n - n / 2));
}

/* Returns the first of the further letters of a code. */
static uint32_t first_letter(const struct nfart_image *im, uint32_t code)
{
	uint32_t lo = im->proto->codes.n, hi = im->alphabet.nletters;

	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;
		if (im->alphabet.code[mid - im->proto->codes.n] < code)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

/* Appends the key of the image's tests of a code. False: some test looks at the opcode. */
static bool key_of_image(const struct nfart_image *im, uint32_t code, struct buf *b)
{
	uint32_t first = im->alphabet.guard[code], n = 0, base = first_letter(im, code);
	uint32_t *number = calloc((size_t)im->alphabet.ntests - first, sizeof *number);
	bool free_of = true;

	b->failed |= number == NULL;
	if (!b->failed)
		number[0] = ++n;
	for (uint32_t i = first; i < im->alphabet.ntests && !b->failed; i++) {
		const struct image_test *t = &im->alphabet.tests[i];
		const uint32_t to[2] = { t->no, t->yes };
		if (number[i - first] == 0)
			continue;
		free_of = free_of && (t->word != 0 ||
				      (t->mask & proto_opcode_mask(im->proto)) == 0);
		buf_le32(b, number[i - first]);
		buf_le64(b, t->mask);
		buf_le64(b, t->value);
		buf_le32(b, t->at_most | t->word << 8);
		for (int k = 0; k < 2; k++) {
			uint32_t l = to[k] & ~(uint32_t)IMAGE_LETTER;
			if (l != to[k]) {
				l = l == code ? 0 : l - base + 1;
				buf_le32(b, (uint32_t)IMAGE_LETTER | l);
				continue;
			}
			if (number[l - first] == 0)
				number[l - first] = ++n;
			buf_le32(b, number[l - first]);
		}
	}
	free(number);
	return free_of;
}

/* Makes the key of a code, of which the sources have the uses u[0 … n). False: some test looks at
 * the opcode. */
static bool key_of(const struct joint *j, uint32_t code, const struct use *u, size_t n,
		   struct buf *b)
{
	const struct nfart_image *im = j->in->im;
	bool free_of = true;

	for (size_t i = 0; i < n; i++) {
		struct field_place f = place_of(j, &u[i]);
		uint64_t mask = ones(&f) << f.lsb;
		free_of = free_of && (f.word != 0 || (mask & proto_opcode_mask(j->in->tap)) == 0);
		buf_le64(b, (uint64_t)(uintptr_t)u[i].test);
		buf_le32(b, f.lsb);
		buf_le32(b, f.bits);
		buf_le32(b, f.shift);
		buf_le32(b, f.word);
	}
	if (im != NULL && im->alphabet.guard != NULL && im->alphabet.guard[code] != IMAGE_NO_GUARD)
		free_of = key_of_image(im, code, b) && free_of;
	return free_of;
}

/* Returns the classes of an earlier code with the same key, or NULL. */
static const struct diagram_classes *joint_known(const struct joint *j, const struct buf *key)
{
	for (size_t i = 0; i < j->keys.n; i++)
		if (j->keys.at[i].bytes.n == key->n &&
		    memcmp(j->keys.at[i].bytes.at, key->at, key->n) == 0)
			return j->keys.at[i].classes;
	return NULL;
}

/* Finds the classes of a code, of which the sources have the uses u[0 … n), by a diagram over all
 * its headers. */
static bool make_classes(struct joint *j, uint32_t code, const struct use *u, size_t n)
{
	const struct nfart_proto *p = j->in->tap;
	struct diagram_classes *out = &j->classes[code];
	struct diagrams g;
	diagram_t x;
	bool payload = j->in->im != NULL && j->in->im->alphabet.payload_words != 0;
	long double sum = 0, all = (uint64_t)1 << (p->header.bits - p->header.op_bits);
	bool ok;

	image_diagrams_init(&g, p, code);
	x = product(j, &g, u, n);
	if (j->in->im != NULL)
		x = diagram_pair(&g, x, image_diagram(&g, j->in->im, code));
	ok = x != DIAGRAM_NONE && diagram_leaves(&g, x, out);
	if (!ok)
		joint_fail(j, g.failed || x != DIAGRAM_NONE ? NFART_SYSTEM : NFART_GAVEUP);
	for (size_t i = 0; ok && i < out->n; i++)
		sum += out->at[i].size;
	for (size_t i = 0; i < n; i++)
		payload = payload || u[i].test->field == PROTO_PAYLOAD;
	if (ok && (payload ? sum < all * (1 - ROUNDING) || sum > all * (1 + ROUNDING)
			   : sum != all))
		ok = joint_fail(j, NFART_INTERNAL);
	diagrams_free(&g);
	return ok;
}

/* Finds the classes of a code, or takes those of an earlier code with the same key. */
static void find_classes(struct joint *j, uint32_t code, const struct use *u, size_t n)
{
	struct key key = { { 0 }, NULL };
	bool shared = key_of(j, code, u, n, &key.bytes);
	const struct diagram_classes *classes = shared ? joint_known(j, &key.bytes) : NULL;

	if (key.bytes.failed)
		joint_fail(j, NFART_SYSTEM);
	else if (classes == NULL && make_classes(j, code, u, n))
		classes = &j->classes[code];
	if (classes != NULL && classes->n > 1 &&
	    !vec_push(&j->codes, ((struct alphabet_code){ code, classes, NULL })))
		joint_fail(j, NFART_SYSTEM);
	key.classes = classes;
	if (classes != &j->classes[code] || !shared || !vec_push(&j->keys, key))
		buf_free(&key.bytes);
}

static void find_all(struct joint *j)
{
	const struct nfart_image *im = j->in->im;
	size_t begin = 0, end;

	for (uint32_t c = 0; c < j->in->tap->codes.n && j->status == NFART_OK; c++, begin = end) {
		for (end = begin; end < j->uses.n && j->uses.at[end].code == c; end++)
			;
		if (end != begin || (im != NULL && im->alphabet.guard != NULL &&
				     im->alphabet.guard[c] != IMAGE_NO_GUARD))
			find_classes(j, c, j->uses.at + begin, end - begin);
	}
}

/* Do trees or image have ticks, and the end? */
static void find_time(const struct joint_input *in, bool *tick, bool *end)
{
	*tick = in->im != NULL && in->im->stream.tick != 0;
	*end = in->im != NULL && in->im->stream.end;
	for (size_t k = 0; k < in->n; k++) {
		for (size_t i = 0; i < in->trees[k]->stmts.n; i++)
			*tick = *tick || in->trees[k]->stmts.at[i].kind == AST_TICK;
		for (size_t i = 0; i < in->trees[k]->basics.n; i++)
			*end = *end || in->trees[k]->basics.at[i].kind == AST_BASIC_END;
	}
}

enum nfart_status joint_letters(struct alphabet *a, const struct joint_input *in,
				struct arena *arena)
{
	struct joint j = { .in = in };
	bool tick, end;

	j.classes = calloc((size_t)in->tap->codes.n + 1, sizeof *j.classes);
	j.slot_of = calloc(in->n + 1, sizeof *j.slot_of);
	if (j.classes == NULL || j.slot_of == NULL)
		j.status = NFART_SYSTEM;
	else
		note_all(&j);
	if (j.status == NFART_OK)
		find_all(&j);
	find_time(in, &tick, &end);
	if (j.status == NFART_OK)
		j.status = alphabet_number(a, in->tap, j.codes.at, j.codes.n, tick, end, arena);
	for (uint32_t c = 0; c < in->tap->codes.n && j.classes != NULL; c++)
		vec_free(&j.classes[c]);
	for (size_t i = 0; i < j.keys.n; i++)
		buf_free(&j.keys.at[i].bytes);
	vec_free(&j.keys);
	free(j.classes);
	free(j.slot_of);
	vec_free(&j.uses);
	vec_free(&j.codes);
	return j.status;
}
