/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Prints predicates as filter text. What a set has of a code with guards is printed as guards: its
 * headers as a disjunction of conjunctions of tests, which are read off a decision diagram.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "ir/header_tests.h"
#include "ir/pred.h"

/* A field as guards name it, whose values are multiples of 2^shift; or a word of payload, without a
 * name. Bits are counted as in diagrams. */
struct field {
	const char *name;
	uint32_t lsb, bits, shift;
};

struct printer {
	const struct pred_table *t;
	struct buf *b;
	bool first;        /* no item is printed yet */
	uint32_t code;     /* the code whose headers are printed */
	struct diagrams d;
	struct buf item;   /* the basic predicate that guards stand behind */
	struct buf tests;  /* the tests of the conjunction so far */
	bool failed;
};

/* ---- items ---- */

static void separate(struct printer *p)
{
	buf_addf(p->b, p->first ? "" : ", ");
	p->first = false;
}

/* Makes p->item the basic predicate of exactly this code, such as `cpu.MREQ_RLDD@6`. */
static void name_code(struct printer *p, uint32_t code)
{
	const struct nfart_proto *proto = p->t->proto;
	uint32_t slot = code >> proto->header.op_bits, type = proto->codes.type_of[code];

	p->item.n = 0;
	buf_addf(&p->item, "%s.", proto->names.groups[proto->slots[slot].group]);
	if (type != 0)
		buf_addf(&p->item, "%s", proto->names.types[type - 1]);
	else
		buf_addf(&p->item, "#%" PRIu32, code & ((1u << proto->header.op_bits) - 1));
	if (proto->slots[slot].channel != PROTO_NO_CHANNEL)
		buf_addf(&p->item, "@%d", proto->slots[slot].channel);
}

/* ---- guards ---- */

/* Finds the field of the current code that has the bit, best one that ends with it. */
static struct field field_with(const struct printer *p, uint32_t bit)
{
	const struct nfart_proto *proto = p->t->proto;
	struct field best = { "header", 0, proto->header.bits, 0 };

	if (bit >= 64)
		return (struct field){ NULL, bit / 64 * 64, 64, 0 };
	for (uint32_t i = 0; i <= proto->names.nfields; i++) {
		struct field f = { "addr", proto->header.addr_lsb, proto->header.addr_bits,
				   proto->header.line_shift };
		const struct proto_place *at = NULL;
		if (i < proto->names.nfields) {
			at = proto_field_place(proto, i, p->code);
			if (at == NULL)
				continue;
			f = (struct field){ proto->names.fields[i].name, at->lsb, at->bits, 0 };
		} else if (!bits_get(proto->codes.has_addr, p->code)) {
			continue;
		}
		if (bit < f.lsb || bit >= f.lsb + f.bits)
			continue;
		if (bit + 1 == f.lsb + f.bits)
			return f;
		if (strcmp(best.name, "header") == 0)
			best = f;
	}
	return best;
}

static uint64_t ones(uint32_t n)
{
	return n == 64 ? UINT64_MAX : ((uint64_t)1 << n) - 1;
}

static void print_name(struct printer *p, const struct field *f)
{
	if (f->name != NULL)
		buf_addf(&p->tests, "%s", f->name);
	else
		buf_addf(&p->tests, "payload[%" PRIu32 "..%" PRIu32 "]", f->lsb - 1, f->lsb - 64);
}

/* A number of the field as the field's protocol writes it: addresses in hexadecimal. */
static void print_number(struct printer *p, const struct field *f, uint64_t v)
{
	if (f->shift != 0 || v > 4096)
		buf_addf(&p->tests, "0x%" PRIx64, v << f->shift);
	else
		buf_addf(&p->tests, "%" PRIu64, v);
}

static void print_headers(struct printer *p, diagram_t x);

/* Prints the headers of `next` with one more test before those of the lower bits. */
static void with_test(struct printer *p, const struct field *f, const char *op, uint64_t a,
		      const char *between, uint64_t b, diagram_t next)
{
	size_t before = p->tests.n;

	buf_addf(&p->tests, "%s", before == 0 ? "" : ", ");
	print_name(p, f);
	buf_addf(&p->tests, " %s ", op);
	print_number(p, f, a);
	if (between != NULL) {
		buf_addf(&p->tests, "%s", between);
		print_number(p, f, b);
	}
	print_headers(p, next);
	p->tests.n = before;
}

/* The bits from `low` to `bit` hold values from lo to hi. Bits of the field above them are decided
 * already or don't matter, so they are left out: the interval is cut into blocks of equal upper
 * bits. */
static void with_blocks(struct printer *p, const struct field *f, uint32_t bit, uint32_t low,
			uint64_t lo, uint64_t hi, diagram_t next)
{
	uint64_t all = ones(bit + 1 - low);

	while (lo <= hi) {
		uint64_t size = 1, mask;
		while ((lo & size) == 0 && lo + 2 * size - 1 <= hi && size <= all)
			size *= 2;
		mask = (all & ~(size - 1)) << (low - f->lsb);
		with_test(p, f, "&", mask, " == ", lo << (low - f->lsb), next);
		if (hi - lo < size)
			break;
		lo += size;
	}
}

/* Prints the headers whose field has values from lo to hi, the bits below `low` aside. */
static void with_interval(struct printer *p, const struct field *f, uint32_t low, uint64_t lo,
			  uint64_t hi, diagram_t next)
{
	uint32_t free = low - f->lsb;

	lo <<= free;
	hi = hi << free | (((uint64_t)1 << free) - 1);
	if (lo == hi)
		with_test(p, f, "==", lo, NULL, 0, next);
	else
		with_test(p, f, "in", lo, "..", hi, next);
}

/* Prints the headers for which x has leaf 1, each behind p->tests. */
static void print_headers(struct printer *p, diagram_t x)
{
	const struct diagram_node *n = &p->d.nodes.at[x];
	struct diagram_intervals v = { NULL, 0, 0 };
	struct field f;
	uint32_t low, bit = n->bit;
	uint64_t lo = 0;
	bool whole, shared;

	if (bit == DIAGRAM_LEAF) {
		if (n->no == 0 || p->failed)
			return;
		separate(p);
		buf_add(p->b, p->item.at, p->item.n);
		if (p->tests.n != 0)
			buf_addf(p->b, "[%.*s]", (int)p->tests.n, p->tests.at);
		return;
	}
	f = field_with(p, bit);
	/* A field that shares bits with the opcode is printed bit by bit. */
	shared = bit < 64 && (p->d.fixed & ones(bit + 1) & ~ones(f.lsb)) != 0;
	whole = bit + 1 == f.lsb + f.bits && !shared;
	if (!diagram_intervals(&p->d, x, shared ? bit : f.lsb, &v, &low)) {
		p->failed = true;
		return;
	}
	if (v.n == 3 && low == f.lsb && whole &&
	    v.at[0].node == v.at[2].node && v.at[1].last == v.at[0].last + 1) {
		with_test(p, &f, "==", v.at[1].last, NULL, 0, v.at[1].node);
		with_test(p, &f, "!=", v.at[1].last, NULL, 0, v.at[0].node);
	} else {
		for (size_t i = 0; i < v.n; i++) {
			if (whole)
				with_interval(p, &f, low, lo, v.at[i].last, v.at[i].node);
			else
				with_blocks(p, &f, bit, low, lo, v.at[i].last, v.at[i].node);
			lo = v.at[i].last + 1;
		}
	}
	vec_free(&v);
}

/* Prints what the set has of a code, of whose letters it has some and not all. */
static void print_code(struct printer *p, const struct alphabet_guard *g, const uint64_t *set)
{
	const struct alphabet *a = &p->t->alphabet;
	diagram_t x;

	p->code = g->code;
	p->tests.n = 0;
	name_code(p, g->code);
	diagrams_init(&p->d, a->proto->header.bits, proto_opcode_mask(a->proto),
		      proto_opcode_bits(a->proto, g->code));
	x = header_tests_diagram(&p->d, a->tests, a->ntests, g->first_test, set);
	if (x == DIAGRAM_NONE)
		p->failed = true;
	else
		print_headers(p, x);
	diagrams_free(&p->d);
}

/* ---- predicates ---- */

static size_t letters_in(const struct alphabet *a, const struct alphabet_guard *g,
			 const uint64_t *set)
{
	size_t n = 0;

	for (uint32_t i = 0; i < g->nclasses; i++)
		n += bits_get(set, a->classes[g->first_class + i].letter);
	return n;
}

/* Prints codes with all their letters in the set by name, then the other codes with guards. */
static bool print_messages(struct printer *p, const uint64_t *set)
{
	const struct alphabet *a = &p->t->alphabet;
	uint64_t *codes = calloc(bits_words(a->proto->codes.n) + 1, sizeof *codes);

	if (codes == NULL)
		return false;
	for (size_t c = bits_next(set, a->proto->codes.n, 0); c < a->proto->codes.n;
	     c = bits_next(set, a->proto->codes.n, c + 1)) {
		const struct alphabet_guard *g = alphabet_guard(a, (uint32_t)c);
		if (g == NULL || letters_in(a, g, set) == g->nclasses)
			bits_set(codes, c);
	}
	proto_print_codes(a->proto, codes, &p->first, p->b);
	for (uint32_t i = 0; i < a->nguards; i++) {
		size_t n = letters_in(a, &a->guards[i], set);
		if (n != 0 && n != a->guards[i].nclasses)
			print_code(p, &a->guards[i], set);
	}
	free(codes);
	return !p->failed;
}

/* What tick, notick and end name, as sets of times. */
static const unsigned time_sets[] = { 1u << IMAGE_TICK | 1u << (IMAGE_TICK | IMAGE_END),
				      1u << 0 | 1u << IMAGE_END,
				      1u << IMAGE_END | 1u << (IMAGE_TICK | IMAGE_END) };
static const char *const time_names[] = { "tick", "notick", "end" };

/* Returns the words, as a set, that name the visible times of the set; 8: no words do. */
static unsigned time_words(const struct pred_table *t, const uint64_t *set)
{
	const struct alphabet *a = &t->alphabet;
	unsigned visible = 0, wanted = 0, words;

	for (uint32_t i = 0; i < IMAGE_TIMES; i++) {
		visible |= (unsigned)bits_get(t->visible, a->time + i) << i;
		wanted |= (unsigned)bits_get(set, a->time + i) << i;
	}
	for (words = 0; words < 8; words++) {
		unsigned named = 0;
		for (int k = 0; k < 3; k++)
			if ((words >> k & 1) != 0)
				named |= time_sets[k];
		if (((words & 3) != 0 && !a->tick) || ((words & 4) != 0 && !a->end))
			continue;
		if (((named ^ wanted) & visible) == 0)
			break;
	}
	return words;
}

bool pred_can_print(const struct pred_table *t, const uint64_t *set)
{
	return t->alphabet.time == IMAGE_NO_TIME || time_words(t, set) < 8;
}

static void print_time(struct printer *p, const uint64_t *set)
{
	unsigned words = time_words(p->t, set);

	for (int k = 0; k < 3; k++)
		if (words < 8 && (words >> k & 1) != 0) {
			separate(p);
			buf_addf(p->b, "%s", time_names[k]);
		}
}

void pred_print(const struct pred_table *t, pred_id_t id, struct buf *b)
{
	const struct pred *x = &t->preds.at[id];
	struct printer p = { .t = t, .b = b, .first = true };
	size_t begin = b->n;

	if (t->alphabet.nletters == t->proto->codes.n || !bits_any(x->letters, t->words)) {
		proto_print_pred(t->proto, x->none, x->letters, b);
		return;
	}
	buf_addf(b, x->none ? "None(" : "Any(");
	if (!print_messages(&p, x->letters))
		b->failed = true;
	if (t->alphabet.time != IMAGE_NO_TIME)
		print_time(&p, x->letters);
	if (p.first) { /* only times that are not visible */
		b->n = begin;
		buf_addf(b, x->none ? "true" : "!true");
	} else {
		buf_addf(b, ")");
	}
	buf_free(&p.item);
	buf_free(&p.tests);
}
