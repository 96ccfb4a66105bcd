/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Tests the algebra of predicates against the definition: whether a predicate is true, on every
 * batch of a tiny protocol.
 */
#include <stdlib.h>
#include <string.h>

#include "grammar/describe/builtin.h"
#include "ir/pred_logic.h"
#include "testsuite/unit/unit.h"

/* A protocol, and every batch that its visible messages can make. */
struct world {
	struct arena arena;
	struct nfart_proto *proto;
	struct pred_table t;
	struct batch {
		uint32_t n, codes[4];
	} *batches;
	size_t n;
};

/* What a time slot has, if there is one. */
enum { NO_TIME, TICKS = 1, ENDS = 2 };

/* Adds the batch, unless it is empty. With a time slot, adds it with each time; plain time needs a
 * message. */
static void add_batch(struct world *w, struct batch b)
{
	uint32_t time = w->t.alphabet.time;

	if (time == IMAGE_NO_TIME && b.n != 0)
		w->batches[w->n++] = b;
	for (uint32_t i = 0; i < IMAGE_TIMES && time != IMAGE_NO_TIME; i++)
		if (bits_get(w->t.visible, time + i) && (i != 0 || b.n != 0)) {
			struct batch more = b;
			more.codes[more.n++] = time + i;
			w->batches[w->n++] = more;
		}
}

static void add_batches(struct world *w, struct batch b, uint32_t slot)
{
	const struct nfart_proto *p = w->proto;

	if (slot == p->nslots) {
		add_batch(w, b);
		return;
	}
	add_batches(w, b, slot + 1);
	for (uint32_t op = 0; op < 1u << p->header.op_bits; op++) {
		struct batch more = b;
		uint32_t code = slot << p->header.op_bits | op;
		more.codes[more.n++] = code;
		if (bits_get(w->t.visible, code))
			add_batches(w, more, slot + 1);
	}
}

static void open_world(struct world *w, const char *text, bool by_line, int time)
{
	struct alphabet_draft none = { 0 };
	struct alphabet a;
	size_t most = IMAGE_TIMES;

	memset(w, 0, sizeof *w);
	w->proto = unit_proto(text);
	ck_assert_uint_le(w->proto->nslots, 3);
	unit_eq(alphabet_make(&a, &none, w->proto, (time & TICKS) != 0, (time & ENDS) != 0,
			      &w->arena),
		NFART_OK);
	unit_eq(a.nletters, w->proto->codes.n + (time != NO_TIME ? IMAGE_TIMES : 0));
	unit_check(pred_table_init(&w->t, &a, (struct pred_view){ by_line, NULL, NULL }));
	for (uint32_t s = 0; s < w->proto->nslots; s++)
		most *= ((size_t)1 << w->proto->header.op_bits) + 1;
	w->batches = malloc(most * sizeof *w->batches);
	ck_assert_ptr_nonnull(w->batches);
	add_batches(w, (struct batch){ 0 }, 0);
}

static void close_world(struct world *w)
{
	pred_table_free(&w->t);
	arena_free(&w->arena);
	proto_free(w->proto);
	free(w->batches);
}

static bool table_holds(const struct world *w, pred_id_t p, size_t i)
{
	return pred_holds(&w->t, p, w->batches[i].codes, w->batches[i].n);
}

/* Is predicate p true on batch i, by the definition in nfacc-filter(5), section Predicates?
 * pred_holds() is tested against this function. */
static bool defined(const struct world *w, pred_id_t p, size_t i)
{
	const struct pred *x = &w->t.preds.at[p];
	bool some = false;

	for (uint32_t k = 0; k < w->batches[i].n; k++)
		some |= bits_get(x->letters, w->batches[i].codes[k]);
	return x->none ? !some : some;
}

static void check_one(struct world *w, pred_id_t p)
{
	pred_id_t no = pred_not(&w->t, p);
	bool always = true, never = true;

	unit_check(no != PRED_NONE);
	unit_eq(pred_not(&w->t, no), p);
	unit_check(no != p);
	for (size_t i = 0; i < w->n; i++) {
		bool h = table_holds(w, p, i);
		unit_check(h == defined(w, p, i));
		unit_check(h != table_holds(w, no, i));
		always &= h;
		never &= !h;
	}
	unit_check(pred_always(&w->t, p) == always);
	unit_check(pred_never(&w->t, p) == never);
}

static void check_two(struct world *w, pred_id_t p, pred_id_t q)
{
	pred_id_t both = pred_join(&w->t, p, q);
	bool none = w->t.preds.at[p].none, implies = true;

	unit_check((both != PRED_NONE) == (none == w->t.preds.at[q].none));
	unit_eq(both, pred_join(&w->t, q, p));
	for (size_t i = 0; i < w->n; i++) {
		bool x = table_holds(w, p, i), y = table_holds(w, q, i);
		implies &= !x || y;
		if (both != PRED_NONE)
			unit_check(table_holds(w, both, i) == (none ? x && y : x || y));
	}
	unit_check(pred_implies(&w->t, p, q) == implies);
}

/* Is r true exactly where p or q is true, on every batch? */
static bool is_or(const struct world *w, pred_id_t r, pred_id_t p, pred_id_t q)
{
	for (size_t i = 0; i < w->n; i++)
		if (table_holds(w, r, i) != (table_holds(w, p, i) || table_holds(w, q, i)))
			return false;
	return true;
}

/* Checks that what pred_or() returns for p and q means p or q. With `search`, also checks that
 * pred_or() returns a predicate if one of the first n in the table means p or q. With a time slot
 * it may miss some: it returns none that has no text. */
static void check_or(struct world *w, pred_id_t p, pred_id_t q, uint32_t n, bool search)
{
	pred_id_t r;

	unit_check(pred_or(&w->t, p, q, &r));
	unit_check(r == PRED_NONE || is_or(w, r, p, q));
	for (pred_id_t k = 0; search && r == PRED_NONE && k < n; k++)
		unit_check(!is_or(w, k, p, q));
}

/* Draws predicates from the first n in the table: some that must hold, and some that must not hold.
 * Checks whether pred_satisfiable() says rightly that some batch satisfies all of them. */
static void check_several(struct world *w, uint32_t n, uint64_t *seed)
{
	size_t nyes = unit_below(seed, 5), nno = unit_below(seed, 4);
	pred_id_t yes[4], no[3];
	bool some = false;

	for (size_t k = 0; k < nyes; k++)
		yes[k] = unit_below(seed, n);
	for (size_t k = 0; k < nno; k++)
		no[k] = unit_below(seed, n);
	for (size_t i = 0; i < w->n; i++) {
		bool all = true;
		for (size_t k = 0; k < nyes; k++)
			all &= table_holds(w, yes[k], i);
		for (size_t k = 0; k < nno; k++)
			all &= !table_holds(w, no[k], i);
		some |= all;
	}
	unit_eq(pred_satisfiable(&w->t, yes, nyes, no, nno), some ? PRED_YES : PRED_NO);
}

static pred_id_t table_intern(struct world *w, bool none, const uint64_t *ops)
{
	size_t before = w->t.preds.n;
	pred_id_t p = pred_intern(&w->t, none, ops);

	ck_assert_uint_ne(p, PRED_NONE);
	unit_eq(pred_intern(&w->t, none, ops), p);
	unit_check(p == before || w->t.preds.n == before);
	unit_check(w->t.preds.at[p].none == none);
	ck_assert_mem_eq(w->t.preds.at[p].letters, ops, w->t.words * 8);
	return p;
}

/* ---- every pair of predicates of a protocol ---- */

static void check_all(const char *text, bool by_line, int time)
{
	uint64_t seed = 7;
	struct world w;
	uint32_t n;

	open_world(&w, text, by_line, time);
	ck_assert_uint_le(w.t.alphabet.nletters, 8);
	for (uint64_t set = 0; set < (uint64_t)1 << w.t.alphabet.nletters; set++)
		for (int none = 0; none < 2; none++)
			table_intern(&w, none != 0, &set);
	n = (uint32_t)w.t.preds.n;
	unit_eq(n, 2u << w.t.alphabet.nletters);
	for (pred_id_t p = 0; p < n; p++)
		check_one(&w, p);
	for (pred_id_t p = 0; p < n; p++)
		for (pred_id_t q = 0; q < n; q++)
			check_two(&w, p, q);
	unit_eq(w.t.preds.n, n);
	for (pred_id_t p = 0; p < n; p++)
		for (pred_id_t q = 0; q < n; q++)
			check_or(&w, p, q, n,
				 time == NO_TIME && (n <= 32 || unit_below(&seed, 500) == 0));
	for (int i = 0; i < 50000; i++)
		check_several(&w, n, &seed);
	close_world(&w);
}

static const char *const tiny[] = {
	"protocol t; header 3; opcode 2; groups g; channels 0..2;",
	"protocol t; header 3; opcode 0..1; groups g, h;",
	"protocol t; header 3; opcode 1..2; idle 2; groups g, h;",
	("protocol t; header 9; opcode 3; address 4..5; groups g; channels 0..2;"
	 "types T { A 0 on 0 address; B 1 on 0, 2 address; C 0 on 1; }"),
	("protocol t; header 9; opcode 3..4; idle 0; address 5; groups g, h;"
	 "types T { A 1 address; B 2 from g address; C 3 from h; }"),
	"protocol t; header 9; opcode 3..4; address 5; groups g; types T { A 1 address; }",
};

START_TEST(exhaustive)
{
	for (size_t i = 0; i < sizeof tiny / sizeof tiny[0]; i++)
		for (int by_line = 0; by_line < 2; by_line++)
			check_all(tiny[i], by_line != 0, NO_TIME);
}
END_TEST

static const char *const tinier[] = {
	"protocol t; header 3; opcode 2; groups g, h;",
	"protocol t; header 3; opcode 1..2; idle 2; groups g;",
	"protocol t; header 9; opcode 3; address 5; groups g, h; types T { A 1 address; }",
	"protocol t; header 9; opcode 3; groups g, h;",
};

START_TEST(with_time)
{
	for (size_t i = 0; i < sizeof tinier / sizeof tinier[0]; i++)
		for (int time = TICKS; time <= (TICKS | ENDS); time++)
			check_all(tinier[i], i == 2, time);
}
END_TEST

/* ---- random pairs, for every width of opcodes ---- */

/* Draws a set of a random shape: sparse, dense, within one slot, empty, all codes, or all visible
 * codes. */
static void random_set(const struct world *w, uint64_t *seed, uint64_t *ops)
{
	uint32_t n = w->proto->codes.n, each = 1u << w->proto->header.op_bits,
		 shape = unit_below(seed, 6);
	uint32_t slot = unit_below(seed, w->proto->nslots);

	memset(ops, 0, w->t.words * 8);
	if (shape == 5) {
		memcpy(ops, w->t.visible, w->t.words * 8);
		bits_set(ops, unit_below(seed, n));
		return;
	}
	for (uint32_t c = 0; c < n; c++) {
		uint32_t dice = unit_below(seed, 8);
		if (shape == 0   ? dice == 0
		    : shape == 1 ? dice != 0
		    : shape == 2 ? c / each == slot && dice < 4
		    : shape == 3 ? c / each == slot
				 : dice < 9)
			bits_set(ops, c);
	}
	if (shape == 4 && unit_below(seed, 2) == 0)
		memset(ops, 0, w->t.words * 8);
}

static void check_width(uint32_t bits, bool idle, bool by_line, uint64_t *seed)
{
	uint64_t ops[3 * 256 / 64];
	int pairs = bits < 7 ? 400 : 60;
	char text[400];
	struct world w;

	snprintf(text, sizeof text,
		 "protocol t; header 20; opcode 5..%u;%s address 15..18; groups g%s;"
		 "types T { A 0 address;%s } types U from g { B %u address; }",
		 4 + bits, idle ? " idle 1;" : "", bits < 6 ? ", h, i" : ", h",
		 bits > 1 ? " C 2;" : "",
		 bits > 1 ? 3u
		 : idle   ? 0u
			  : 1u);
	/* If opcodes have one bit and one of the two is idle, only one opcode is left for types.
	 * Type A takes it, so there is no type B. */
	if (bits == 1 && idle)
		snprintf(text, sizeof text,
			 "protocol t; header 20; opcode 5; idle 1; address 15..18; "
			 "groups g, h; types T from g { A 0 address; }");
	open_world(&w, text, by_line, NO_TIME);
	for (int i = 0; i < pairs; i++) {
		pred_id_t p, q;
		random_set(&w, seed, ops);
		p = table_intern(&w, unit_below(seed, 2) != 0, ops);
		random_set(&w, seed, ops);
		q = table_intern(&w, unit_below(seed, 2) != 0, ops);
		check_one(&w, p);
		check_two(&w, p, q);
		check_two(&w, q, p);
		check_two(&w, p, p);
	}
	close_world(&w);
}

START_TEST(widths)
{
	uint64_t seed = 11;

	for (uint32_t bits = 1; bits <= 8; bits++)
		for (int i = 0; i < 4; i++)
			check_width(bits, (i & 1) != 0, (i & 2) != 0, &seed);
}
END_TEST

START_TEST(truth)
{
	struct world w;
	pred_id_t yes, no;

	open_world(&w, tiny[0], false, NO_TIME);
	yes = pred_true(&w.t);
	no = pred_not(&w.t, yes);
	unit_check(pred_always(&w.t, yes) && !pred_never(&w.t, yes));
	unit_check(pred_never(&w.t, no) && !pred_always(&w.t, no));
	unit_eq(pred_true(&w.t), yes);
	close_world(&w);
}
END_TEST

/* ---- printing: the text must compile to the same normal form ---- */

static void check_print(const struct nfart_proto *proto, bool none, const uint64_t *ops)
{
	struct buf b = { 0 };
	struct pred_table t;
	struct pipeline_options o;
	struct pipeline p;
	const struct pred *got;
	pred_id_t id;

	unit_check(pred_table_init_codes(&t, proto, (struct pred_view){ false, NULL, NULL }));
	id = pred_intern(&t, none, ops);
	ck_assert_uint_ne(id, PRED_NONE);
	buf_addf(&b, "protocol %s; filter f = ", proto->name);
	pred_print(&t, id, &b);
	buf_addf(&b, ";");
	unit_check(!b.failed);
	pipeline_options_init(&o);
	o.last = STAGE_NFA;
	o.passes.level = 0;
	unit_compile(&p, &o, b.at);
	unit_eq(p.nfa.edges.n, 1);
	got = &p.spec.preds.preds.at[p.nfa.edges.at[0].pred];
	if (got->none != none || memcmp(got->letters, ops, t.words * 8) != 0)
		unit_fail("%s", b.at);
	pipeline_free(&p);
	pred_table_free(&t);
	buf_free(&b);
}

START_TEST(print)
{
	static const char *const names[] = { "eci", "eci-coherence", "bytes" };
	uint64_t seed = 17, ops[PROTO_SLOTS * 256 / 64];

	for (size_t k = 0; k < 3; k++) {
		struct nfart_proto *proto = proto_builtin(names[k]);
		ck_assert_ptr_nonnull(proto);
		for (int i = 0; i < 60; i++) {
			uint32_t density = 1 + unit_below(&seed, 20), slots = unit_below(&seed, 4);
			memset(ops, 0, sizeof ops);
			for (uint32_t c = 0; c < proto->codes.n; c++)
				if (bits_get(proto->codes.valid, c) &&
				    unit_below(&seed, 21) < density &&
				    (slots != 0 || c >> proto->header.op_bits < 3))
					bits_set(ops, c);
			/* Sometimes the set has whole slots, which print as `any`. */
			for (uint32_t c = 0; i % 3 == 0 && c < proto->codes.n; c++)
				if (bits_get(proto->codes.valid, c) &&
				    (c >> proto->header.op_bits) % 4 == slots)
					bits_set(ops, c);
			check_print(proto, i % 2 == 0, ops);
		}
		memset(ops, 0, sizeof ops);
		check_print(proto, true, ops);
		check_print(proto, false, ops);
		for (uint32_t c = 0; c < proto->codes.n; c++)
			if (bits_get(proto->codes.valid, c))
				bits_set(ops, c);
		check_print(proto, true, ops);
		check_print(proto, false, ops);
		proto_free(proto);
	}
}
END_TEST

Suite *suite_pred(void)
{
	const TTest *const tests[] = { exhaustive, with_time, widths, truth, print, NULL };

	return unit_suite("pred", tests);
}
