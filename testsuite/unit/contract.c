/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include <stdlib.h>
#include <string.h>

#include "grammar/describe/builtin.h"
#include "grammar/describe/overlay_text.h"
#include "testsuite/unit/unit.h"

static uint32_t modulo(int a, uint32_t n)
{
	return (uint32_t)((a % (int)n + (int)n) % (int)n);
}

static uint32_t contract_least(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

/* Are the cliques a and b neighbours, by the two conditions of T 3.3.2? */
static bool connected(const struct overlay *o, uint32_t a, uint32_t b)
{
	int l = (int)(a % o->length), r = (int)(a / o->length);
	int l2 = (int)(b % o->length), r2 = (int)(b / o->length);

	if (l == l2 &&
	    contract_least(modulo(r - r2, o->rings), modulo(r2 - r, o->rings)) <= o->reach)
		return true;
	return r == r2 && contract_least(modulo(l - l2, o->length), modulo(l2 - l, o->length)) == 1;
}

static void check_neighbours(const struct overlay *o)
{
	uint32_t n = overlay_ncliques(o), *got = calloc(n + 1, sizeof *got);
	uint32_t degree = contract_degree(o);

	ck_assert_ptr_nonnull(got);
	unit_eq(n, o->length * o->rings);
	ck_assert_uint_le(degree, n);
	unit_eq(overlay_npred(o), degree * o->clique);
	for (uint32_t b = 0; b < n; b++) {
		uint32_t k = 0;
		got[degree] = 12345;
		contract_neighbours(o, b, got);
		unit_eq(got[degree], 12345);
		for (uint32_t a = 0; a < n; a++) {
			bool is = connected(o, a, b);
			if (is) {
				unit_check(k < degree);
				unit_eq(got[k], a);
			}
			for (uint32_t i = 0; i < o->clique; i++)
				for (uint32_t j = 0; j < o->clique; j++)
					unit_eq(contract_pred_index(o, a * o->clique + i,
									     b * o->clique + j),
							 is ? (int)(k * o->clique + i) : -1);
			k += is;
		}
		unit_eq(k, degree);
	}
	free(got);
}

START_TEST(neighbours)
{
	struct overlay o = { .clique = 1 };

	for (o.length = 1; o.length <= 6; o.length++)
		for (o.rings = 1; o.rings <= 7; o.rings++)
			for (o.reach = 0; o.reach <= 8; o.reach++)
				for (o.clique = 1; o.clique <= 3; o.clique += 2)
					check_neighbours(&o);
}
END_TEST

START_TEST(shapes)
{
	/* Overlays of the thesis, with the number of their STEs and of an STE's predecessors. */
	static const struct {
		uint32_t c, l, r, n, nste, npred;
	} want[] = {
		{ 5, 20, 3, 1, 300, 25 }, { 8, 20, 1, 0, 160, 24 }, { 10, 5, 3, 1, 150, 50 },
		{ 100, 1, 1, 0, 100, 100 }, { 2, 151, 2, 0, 604, 6 }, { 2, 2, 1, 0, 4, 4 },
		{ 1, 12, 3, 1, 36, 5 }, { 1, 1, 1, 0, 1, 1 }, { 5, 20, 4, 1, 400, 25 },
	};

	for (size_t i = 0; i < sizeof want / sizeof want[0]; i++) {
		struct overlay o = { .clique = want[i].c, .length = want[i].l, .rings = want[i].r,
				     .reach = want[i].n };
		unit_eq(overlay_nste(&o), want[i].nste);
		unit_eq(overlay_npred(&o), want[i].npred);
		check_neighbours(&o);
	}
}
END_TEST

START_TEST(words)
{
	enum { N = 20 };
	uint32_t w[N + 1];
	bool bit[N * 32];
	uint64_t seed = 9;

	for (int round = 0; round < 2000; round++) {
		uint64_t at = 0;
		memset(w, 0, sizeof w);
		memset(bit, 0, sizeof bit);
		while (at < N * 32) {
			uint32_t width = unit_below(&seed, 65);
			uint64_t v = unit_random(&seed);
			if (at + width > N * 32)
				width = (uint32_t)(N * 32 - at);
			if (width < 64)
				v &= ((uint64_t)1 << width) - 1;
			words_set(w, at, width, v);
			unit_eq(words_get(w, at, width), v);
			for (uint32_t i = 0; i < width; i++)
				bit[at + i] = v >> i & 1;
			at += width + unit_below(&seed, 9);
		}
		unit_eq(w[N], 0);
		for (uint32_t i = 0; i < N * 32; i++)
			unit_check((w[i / 32] >> i % 32 & 1) == bit[i]);
	}
}
END_TEST

static uint64_t bits_of(enum element_id id, const struct overlay *o)
{
	const struct element *el = element_find((uint32_t)id);

	ck_assert_ptr_nonnull(el);
	unit_eq(el->id, id);
	return element_bits(el, o);
}

START_TEST(element_sizes)
{
	struct nfart_proto *p = proto_builtin("eci");
	struct overlay o;

	ck_assert_ptr_nonnull(p);
	overlay_default(&o, p);
	ck_assert_ptr_null(overlay_check(&o));
	unit_eq(bits_of(EL_match, &o), 28 * 32 * 300);
	unit_eq(element_count(element_find(EL_match), &o), 28 * 32);
	unit_eq(bits_of(EL_pred_lut, &o), 300 * 5 * 32);
	unit_eq(bits_of(EL_pred_mask, &o), 0);
	unit_eq(bits_of(EL_decode, &o), 0);
	unit_eq(bits_of(EL_bank, &o), 0);
	unit_eq(bits_of(EL_none, &o), 300);
	unit_eq(bits_of(EL_start, &o), 300);
	unit_eq(bits_of(EL_label, &o), 60 * 8 * 32);
	unit_eq(bits_of(EL_log, &o), 60 * 32);
	unit_eq(bits_of(EL_always, &o), 0);
	unit_eq(bits_of(EL_window_size, &o), 64);
	unit_eq(bits_of(EL_by_line, &o), 1);
	o.decoder = OVERLAY_STE;
	o.predecessors = OVERLAY_MASK;
	unit_eq(bits_of(EL_decode, &o), 300 * 28 * 32);
	unit_eq(bits_of(EL_match, &o), 0);
	unit_eq(bits_of(EL_pred_mask, &o), 300 * 25);
	unit_eq(bits_of(EL_pred_lut, &o), 0);
	o.decoder = OVERLAY_BANK;
	unit_eq(bits_of(EL_bank, &o), 28 * 32 * 16);
	unit_eq(bits_of(EL_select, &o), 300 * 4);
	unit_eq(bits_of(EL_bank_none, &o), 16);
	unit_eq(bits_of(EL_none, &o), 0);
	o.bank = 17;
	unit_eq(bits_of(EL_select, &o), 300 * 5);
	o.time = OVERLAY_TIME_YES;
	unit_eq(bits_of(EL_bank, &o), 29 * 32 * 17);
	unit_eq(bits_of(EL_tick, &o), 64);
	unit_eq(bits_of(EL_window_after, &o), 0);
	o.window_after = OVERLAY_AFTER_OWN;
	unit_eq(bits_of(EL_window_after, &o), 64);
	unit_eq(bits_of(EL_copies, &o), 0);
	o.key_ranges = 3;
	unit_eq(bits_of(EL_copies, &o), 2 * (64 + 4 + 3));
	unit_eq(bits_of(EL_keyed, &o), 0);
	o.keys = OVERLAY_KEYS_YES;
	unit_eq(bits_of(EL_copies, &o), 12 + 2 * (64 + 4 + 3));
	unit_eq(bits_of(EL_keyed, &o), 28 * 32);
	o.decoder = OVERLAY_STE;
	unit_eq(bits_of(EL_decode, &o), 300 * 29 * 32);
	o.op_bits = 1;
	unit_eq(overlay_nrow(&o), 29 * 4);
	o.none = true;
	unit_eq(bits_of(EL_tick, &o), 0);
	unit_eq(bits_of(EL_bank, &o), 0);
	unit_eq(bits_of(EL_start, &o), 0);
	unit_eq(bits_of(EL_limit, &o), 64);
	ck_assert_ptr_null(element_find(0));
	ck_assert_ptr_null(element_find(99));
	for (size_t i = 1; i < nelements; i++)
		ck_assert_uint_lt(elements[i - 1].id, elements[i].id);
	proto_free(p);
}
END_TEST

START_TEST(log2_counts)
{
	for (uint32_t n = 1; n < 5000; n++) {
		uint32_t bits = 1;
		while (((uint32_t)1 << bits) < n)
			bits++;
		unit_eq(contract_log2(n), bits);
	}
	unit_eq(contract_log2(UINT32_MAX), 32);
}
END_TEST

START_TEST(too_large)
{
	struct overlay_desc v;

	overlay_desc_default(&v);
	v.o.clique = 4096;
	v.o.length = 65536;
	v.o.rings = 65536;
	ck_assert_ptr_nonnull(overlay_check(&v.o));
	v.o.none = true;
	ck_assert_ptr_null(overlay_check(&v.o));
	overlay_desc_default(&v);
	v.o.data = 33;
	ck_assert_ptr_nonnull(overlay_check(&v.o));
	overlay_desc_default(&v);
	v.o.payload = 96;
	ck_assert_pstr_eq(overlay_check(&v.o), "payload is a multiple of 64");
	v.o.payload = 512;
	v.o.payload_tests = 2;
	ck_assert_ptr_null(overlay_check(&v.o));
	v.o.shadow = OVERLAY_SHADOW_YES;
	ck_assert_ptr_null(overlay_check(&v.o));
	v.o.label_swap = OVERLAY_LABEL_SWAP_YES;
	ck_assert_ptr_null(overlay_check(&v.o));
	v.o.payload = 0;
	ck_assert_pstr_eq(overlay_check(&v.o), "payload_tests needs payload");
	overlay_desc_default(&v);
	v.o.banks = 2;
	ck_assert_pstr_eq(overlay_check(&v.o), "banks 2 needs state memory and two lines");
	v.o.state = OVERLAY_STATE_MEMORY;
	ck_assert_ptr_null(overlay_check(&v.o));
	v.o.lines = 1;
	ck_assert_pstr_eq(overlay_check(&v.o), "banks 2 needs state memory and two lines");
	overlay_desc_default(&v);
	v.o.slots = 64;
	v.o.op_bits = 8;
	v.o.clique = 4096;
	v.o.length = 17;
	v.o.rings = 1;
	ck_assert_ptr_nonnull(overlay_check(&v.o));
}
END_TEST

/* Overlay parameters that change the bits of an image change its fingerprint. Other parameters and
 * names don't. */
START_TEST(fingerprints)
{
	uint64_t seen[800];
	size_t n = 0, first = 0;

	for (const struct builtin *b = builtin_protocols; b->name != NULL; b++) {
		struct nfart_proto *p = proto_builtin(b->name);
		struct overlay o;
		ck_assert_ptr_nonnull(p);
		overlay_default(&o, p);
		seen[n++] = contract_fingerprint(&o, p);
		unit_eq(contract_fingerprint(&o, p), seen[n - 1]);
		for (size_t i = 0; i < noverlay_params; i++) {
			struct overlay t = o;
			*overlay_field(&t, &overlay_params[i]) += 1;
			if (overlay_params[i].shapes)
				seen[n++] = contract_fingerprint(&t, p);
			else
				unit_eq(contract_fingerprint(&t, p), contract_fingerprint(&o, p));
		}
		o.none = true;
		seen[n++] = contract_fingerprint(&o, p);
		for (size_t i = first; i < n; i++)
			for (size_t k = 0; k < i; k++)
				ck_assert_uint_ne(seen[i], seen[k]);
		/* Two that are laid out automatically may have one layout, as axi4 and
		 * axi4-lite. */
		if (p->taps == NULL)
			first = n;
		else
			n = first;
		proto_free(p);
	}
}
END_TEST

START_TEST(fingerprints_of_protocols)
{
	static const char *const texts[] = {
		"protocol t; header 32; opcode 0..4; idle 3; address 8..15 line 8; groups a, b;"
		"types T { X 1 address; Y 2; }",
		"protocol t; header 33; opcode 0..4; idle 3; address 8..15 line 8; groups a, b;"
		"types T { X 1 address; Y 2; }",
		"protocol t; header 32; opcode 1..5; idle 3; address 8..15 line 8; groups a, b;"
		"types T { X 1 address; Y 2; }",
		"protocol t; header 32; opcode 0..3; idle 3; address 8..15 line 8; groups a, b;"
		"types T { X 1 address; Y 2; }",
		"protocol t; header 32; opcode 0..4; idle 4; address 8..15 line 8; groups a, b;"
		"types T { X 1 address; Y 2; }",
		"protocol t; header 32; opcode 0..4; idle 3; address 9..16 line 8; groups a, b;"
		"types T { X 1 address; Y 2; }",
		"protocol t; header 32; opcode 0..4; idle 3; address 8..15 line 16; groups a, b;"
		"types T { X 1 address; Y 2; }",
		"protocol t; header 32; opcode 0..4; idle 3; address 8..15 line 8; groups a, b, c;"
		"types T { X 1 address; Y 2; }",
		"protocol t; header 32; opcode 0..4; idle 3; address 8..15 line 8; groups a, b;"
		"types T { X 1 address; Y 2 address; }",
		"protocol t; header 32; opcode 0..4; idle 3; address 8..15 line 8; groups a, c;"
		"types T { X 1 address; Z 2; }",
	};
	enum { N = sizeof texts / sizeof texts[0] };
	struct nfart_proto *p[N];

	for (size_t i = 0; i < N; i++)
		p[i] = unit_proto(texts[i]);
	for (size_t i = 0; i < N; i++)
		for (size_t k = 0; k < i; k++) {
			bool names_only = i == N - 1 && k == 0;
			unit_check((p[i]->fp.hardware == p[k]->fp.hardware) == names_only);
		}
	ck_assert_uint_ne(p[0]->fp.names, p[N - 1]->fp.names);
	for (size_t i = 0; i < N; i++)
		proto_free(p[i]);
}
END_TEST

Suite *suite_contract(void)
{
	const TTest *const tests[] = { neighbours,   shapes,
				       words,        element_sizes,
				       log2_counts,  too_large,
				       fingerprints, fingerprints_of_protocols,
				       NULL };

	return unit_suite("contract", tests);
}
