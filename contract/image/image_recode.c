/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Decodes the tests of an overlay and its recoding memory (contract.def, elements guard, range,
 * payload_test and recode). They become the letters and tests of an image (image.h, Note
 * [letters]).
 *
 * Each slot has its tests, whose results and an opcode are the address of a number, the row that
 * the decoders read. So all messages of one code with the same row are one letter. The tests of a
 * code become a decision diagram: a level for each test, and equal parts only once. Equal is what
 * leads to the same row, so tests that do not matter to a code are not in its diagram.
 */
#include <stdlib.h>
#include <string.h>

#include "contract/image/decode.h"
#include "support/vec.h"

enum {
	MOST_TESTS = OVERLAY_MOST_guards + OVERLAY_MOST_ranges + OVERLAY_MOST_payload_tests,
	WORD_TABLES = 32 /* of a test of payload, for each word */
};

/* A test of a slot: the bits under `mask` of a word of the message are lo … hi. If it is
 * `constant`, it has the result `passes` for every message. */
struct slot_test {
	uint64_t mask, lo, hi;
	uint32_t word; /* index in record_message.word */
	bool constant, passes;
};

struct recode {
	struct decode *d;
	uint16_t *row; /* [slots << recode_bits]: the row that each address leads to, in its slot */
	uint32_t *letter; /* [row_codes]: the current code's letter with this row; NONE: none */
	/* The diagram of the current code, each node after those that it leads to. `no` and `yes`
	 * are indices of nodes, or IMAGE_LETTER with a row. */
	VEC(struct image_test) nodes;
	VEC(struct image_test) tests;   /* of all codes so far */
	VEC(uint32_t) codes, rows;      /* of the letters after those numbered like codes */
};

enum { NONE = UINT32_MAX };

/* If the table is 1 exactly for those numbers of `bits` bits that are v under a mask m, fills in
 * *m and *v. Not for a table of zeros. False: it is not. */
static bool is_cube(uint32_t table, uint32_t bits, uint32_t *m, uint32_t *v)
{
	uint32_t n = 1u << bits, differs = 0;

	if (table == 0)
		return false;
	*v = (uint32_t)__builtin_ctz(table);
	for (uint32_t i = 0; i < n; i++)
		if ((table >> i & 1) != 0)
			differs |= i ^ *v;
	*m = ~differs & (n - 1);
	for (uint32_t i = 0; i < n; i++)
		if ((table >> i & 1) != ((i & *m) == *v))
			return false;
	return true;
}

static bool malformed(struct recode *r)
{
	return decode_fail(r->d, "a test of the image's overlay is malformed");
}

/* Has a mask bits that no header has? */
static bool too_wide(const struct recode *r, uint64_t mask)
{
	uint32_t bits = r->d->im->proto->header.bits;

	return bits < 64 && mask >> bits != 0;
}

static bool mask_test(struct recode *r, uint32_t i, struct slot_test *t)
{
	uint32_t n = overlay_guard_tables(&r->d->im->overlay), m, v;

	*t = (struct slot_test){ .constant = false };
	for (uint32_t k = 0; k < n; k++) {
		uint32_t table = (uint32_t)decode_value(r->d, EL_guard, i, 32 * k, 32);
		if (table == 0)
			t->constant = true;
		else if (!is_cube(table, 5, &m, &v) || (k == 12 && m >> 4 != 0))
			return malformed(r);
		else {
			t->mask |= (uint64_t)m << 5 * k;
			t->lo |= (uint64_t)v << 5 * k;
		}
	}
	t->hi = t->lo;
	if (t->mask == 0 && !t->constant)
		t->constant = t->passes = true;
	return !too_wide(r, t->mask) || malformed(r);
}

/* Reads one of the two tables that a range test has for the four bits from 4k on, and the bound's
 * bits there. `above` says which one. */
static bool bound(struct recode *r, uint32_t table, bool above, uint32_t *m, uint32_t *v)
{
	if (!is_cube(table & 0xffff, 4, m, v))
		return malformed(r);
	for (uint32_t i = 0; i < 16; i++)
		if ((table >> (16 + i) & 1) != (above ? (i & *m) > *v : (i & *m) < *v))
			return malformed(r);
	return true;
}

/* Reads the n tables from `from` on of test i of an element, which test a range of values of a
 * word. If all are 0, the test is constant. */
static bool word_test(struct recode *r, enum element_id id, uint32_t i, uint32_t from, uint32_t n,
		      struct slot_test *t)
{
	uint32_t any = 0, last, first, v;

	*t = (struct slot_test){ .passes = true };
	for (uint32_t k = 0; k < n; k++)
		any |= (uint32_t)decode_value(r->d, id, i, 32 * (from + k), 32);
	for (uint32_t k = 0; any != 0 && k < n; k += 2) {
		uint32_t at = 32 * (from + k);
		uint32_t below = (uint32_t)decode_value(r->d, id, i, at + 32, 32);
		if (!bound(r, (uint32_t)decode_value(r->d, id, i, at, 32), true, &last, &v))
			return false;
		t->hi |= (uint64_t)v << 2 * k;
		if (!bound(r, below, false, &first, &v))
			return false;
		t->lo |= (uint64_t)v << 2 * k;
		if (first != last)
			return malformed(r);
		t->mask |= (uint64_t)first << 2 * k;
	}
	t->constant = t->mask == 0;
	return true;
}

static bool range_test(struct recode *r, uint32_t i, struct slot_test *t)
{
	return word_test(r, EL_range, i, 0, overlay_range_tables(&r->d->im->overlay), t) &&
	       (!too_wide(r, t->mask) || malformed(r));
}

/* Reads a test of payload. It looks at one word. */
static bool payload_test(struct recode *r, uint32_t i, struct slot_test *t)
{
	struct slot_test one;

	*t = (struct slot_test){ .constant = true, .passes = true };
	for (uint32_t w = 0; w < overlay_payload_words(&r->d->im->overlay); w++) {
		if (!word_test(r, EL_payload_test, i, w * WORD_TABLES, WORD_TABLES, &one))
			return false;
		if (one.constant)
			continue;
		if (!t->constant)
			return malformed(r);
		*t = one;
		t->word = w + 1;
	}
	return true;
}

/* Reads the recoding memory: all 0, but for the writes of element recode. */
static bool memory(struct recode *r)
{
	const struct nfart_image *im = r->d->im;
	const struct overlay *o = &im->overlay;
	const struct image_element *e = &r->d->at[EL_recode];
	uint32_t bits = overlay_recode_bits(o), step = o->data / 32, next = 0;

	for (uint32_t i = 0; i < o->slots << bits; i++)
		r->row[i] = (uint16_t)(i & (overlay_opcodes(o) - 1));
	for (size_t i = 0; i < e->n; i += step) {
		uint32_t w = im->device.halves[e->at + i], at = w >> RECODE_ADDRESS;
		uint32_t opcode = at & (overlay_opcodes(o) - 1);
		uint32_t row = opcode ^ (w & ((1u << RECODE_ADDRESS) - 1));
		if (at < next || at >= o->slots << bits || row >= overlay_row_codes(o) ||
		    (step == 2 && im->device.halves[e->at + i + 1] != 0) ||
		    (row != opcode && (int32_t)row == im->proto->header.idle))
			return decode_fail(r->d, "the image's recoding memory is malformed");
		next = at + 1;
		r->row[at] = (uint16_t)row;
	}
	return true;
}

/* ---- the diagram of a code ---- */

/* Finds or adds the node among the nodes from `first` on. NONE: out of memory. */
static uint32_t add_node(struct recode *r, size_t first, struct image_test t)
{
	if (t.no == t.yes)
		return t.no;
	for (size_t i = first; i < r->nodes.n; i++) {
		const struct image_test *x = &r->nodes.at[i];
		if (x->no == t.no && x->yes == t.yes && x->at_most == t.at_most &&
		    x->value == t.value && x->mask == t.mask && x->word == t.word)
			return (uint32_t)i;
	}
	return vec_push(&r->nodes, t) ? (uint32_t)r->nodes.n - 1 : NONE;
}

/* Adds what decides test t: one node, or two for a range with two ends. */
static uint32_t add_test(struct recode *r, size_t first, const struct slot_test *t, uint32_t no,
			 uint32_t yes)
{
	struct image_test x = { t->mask, t->hi, t->lo != t->hi, no, yes, t->word };

	if (t->lo != t->hi && t->lo != 0) {
		struct image_test below = { t->mask, t->lo - 1, true, yes, no, t->word };
		x.yes = add_node(r, first, below);
		if (x.yes == NONE)
			return NONE;
	}
	return add_node(r, first, x);
}

/* Makes the diagram of a code from the bottom up. test[0 … n) are the tests of its slot; node[] has
 * room for each combination of results. Returns where it begins; NONE: out of memory. */
static uint32_t diagram(struct recode *r, uint32_t code, const struct slot_test *test, uint32_t n,
			uint32_t *node)
{
	const struct overlay *o = &r->d->im->overlay;
	uint32_t active[MOST_TESTS], results = 0, m = 0;
	const uint16_t *row = r->row + ((size_t)(code >> o->op_bits) << overlay_recode_bits(o)) +
			      (code & (overlay_opcodes(o) - 1));

	for (uint32_t k = 0; k < n; k++) {
		if (!test[k].constant)
			active[m++] = k;
		else
			results |= (uint32_t)test[k].passes << k;
	}
	for (uint32_t i = 0; i < 1u << m; i++) {
		uint32_t all = results;
		for (uint32_t k = 0; k < m; k++)
			all |= (i >> k & 1) << active[k];
		node[i] = (uint32_t)IMAGE_LETTER | row[(size_t)all << o->op_bits];
	}
	r->nodes.n = 0;
	while (m-- != 0) {
		size_t first = r->nodes.n;
		for (uint32_t i = 0; i < 1u << m; i++) {
			node[i] = add_test(r, first, &test[active[m]], node[i], node[i | 1u << m]);
			if (node[i] == NONE)
				return NONE;
		}
	}
	return node[0];
}

/* Returns the letter of a code for a row. Makes it if it is new: first the letter with the number
 * of the code, then further ones. NONE: out of memory. */
static uint32_t letter_of(struct recode *r, uint32_t code, uint32_t row, bool *named)
{
	if (r->letter[row] != NONE)
		return r->letter[row];
	if (!*named) {
		*named = true;
		r->d->row_of[code] = (code >> r->d->im->overlay.op_bits)
					     << overlay_row_bits(&r->d->im->overlay) |
				     row;
		return r->letter[row] = code;
	}
	if (!vec_push(&r->codes, code) || !vec_push(&r->rows, row))
		return NONE;
	return r->letter[row] = r->d->im->proto->codes.n + (uint32_t)r->codes.n - 1;
}

/* Moves the diagram of a code to the tests of the image. Each test stands before those that it
 * leads to. */
static bool recode_move(struct recode *r, uint32_t code, uint32_t root)
{
	uint32_t base = (uint32_t)r->tests.n, n = (uint32_t)r->nodes.n;
	struct nfart_image *im = r->d->im;
	bool named = false;

	memset(r->letter, 0xff, overlay_row_codes(&im->overlay) * sizeof *r->letter);
	if ((root & (uint32_t)IMAGE_LETTER) != 0)
		return letter_of(r, code, root & ~(uint32_t)IMAGE_LETTER, &named) != NONE;
	im->alphabet.guard[code] = base;
	for (uint32_t i = n; i-- != 0;) {
		struct image_test t = r->nodes.at[i];
		uint32_t *to[2] = { &t.no, &t.yes };
		for (int k = 0; k < 2; k++) {
			uint32_t row = *to[k] & ~(uint32_t)IMAGE_LETTER, letter;
			if (row == *to[k]) {
				*to[k] = base + n - 1 - row;
				continue;
			}
			letter = letter_of(r, code, row, &named);
			if (letter == NONE)
				return false;
			*to[k] = (uint32_t)IMAGE_LETTER | letter;
		}
		if (!vec_push(&r->tests, t))
			return false;
		if (t.word > im->alphabet.payload_words)
			im->alphabet.payload_words = t.word;
	}
	return true;
}

static bool slot(struct recode *r, uint32_t s, uint32_t *node)
{
	struct nfart_image *im = r->d->im;
	const struct overlay *o = &im->overlay;
	struct slot_test test[MOST_TESTS];

	for (uint32_t k = 0; k < o->guards; k++)
		if (!mask_test(r, s * o->guards + k, &test[k]))
			return false;
	for (uint32_t k = 0; k < o->ranges; k++)
		if (!range_test(r, s * o->ranges + k, &test[o->guards + k]))
			return false;
	for (uint32_t k = 0; k < o->payload_tests; k++)
		if (!payload_test(r, s * o->payload_tests + k, &test[o->guards + o->ranges + k]))
			return false;
	for (uint32_t op = 0; op < overlay_opcodes(o); op++) {
		uint32_t code = s << o->op_bits | op, root;
		root = diagram(r, code, test, overlay_ntest(o), node);
		if (root == NONE || !recode_move(r, code, root))
			return false;
	}
	return true;
}

/* Copies what was found to the image. */
static bool recode_keep(struct recode *r)
{
	struct nfart_image *im = r->d->im;
	uint32_t n = (uint32_t)r->codes.n, ncodes = im->proto->codes.n;
	const struct overlay *o = &im->overlay;
	uint32_t *row_of = arena_array(&im->arena, ncodes + n, sizeof *row_of);

	im->alphabet.code = arena_array(&im->arena, n + IMAGE_TIMES, sizeof *im->alphabet.code);
	im->alphabet.tests = arena_array(&im->arena, r->tests.n, sizeof *im->alphabet.tests);
	if (row_of == NULL || im->alphabet.code == NULL || im->alphabet.tests == NULL)
		return false;
	memcpy(row_of, r->d->row_of, ncodes * sizeof *row_of);
	for (uint32_t i = 0; i < n; i++) {
		im->alphabet.code[i] = r->codes.at[i];
		row_of[ncodes + i] = (r->codes.at[i] >> o->op_bits) << overlay_row_bits(o) |
				     r->rows.at[i];
	}
	if (r->tests.n != 0)
		memcpy(im->alphabet.tests, r->tests.at, r->tests.n * sizeof *im->alphabet.tests);
	else
		im->alphabet.guard = NULL;
	im->alphabet.ntests = (uint32_t)r->tests.n;
	im->alphabet.nletters = ncodes + n;
	r->d->row_of = row_of;
	return true;
}

bool decode_recode(struct decode *d)
{
	struct nfart_image *im = d->im;
	const struct overlay *o = &im->overlay;
	struct recode r = { .d = d };
	uint32_t *node = calloc((size_t)1 << overlay_ntest(o), sizeof *node);
	bool ok;

	r.row = calloc((size_t)o->slots << overlay_recode_bits(o), sizeof *r.row);
	r.letter = calloc(overlay_row_codes(o), sizeof *r.letter);
	im->alphabet.guard =
		arena_array(&im->arena, im->proto->codes.n, sizeof *im->alphabet.guard);
	d->row_of = arena_array(&im->arena, im->proto->codes.n, sizeof *d->row_of);
	ok = node != NULL && r.row != NULL && r.letter != NULL && im->alphabet.guard != NULL &&
	     d->row_of != NULL;
	for (uint32_t i = 0; ok && i < im->proto->codes.n; i++)
		im->alphabet.guard[i] = IMAGE_NO_GUARD;
	ok = ok && memory(&r);
	for (uint32_t s = 0; ok && s < o->slots; s++)
		ok = slot(&r, s, node);
	ok = ok && recode_keep(&r);
	free(node);
	free(r.row);
	free(r.letter);
	vec_free(&r.nodes);
	vec_free(&r.tests);
	vec_free(&r.codes);
	vec_free(&r.rows);
	return ok;
}
