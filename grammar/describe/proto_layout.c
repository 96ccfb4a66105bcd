/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Places and numbers of a protocol that is laid out automatically (nfacc-protocol(5), Automatic
 * layout). The rules are simple on purpose, and never change: an image and a trace that were made
 * with a description still fit what it is laid out to today.
 */
#include <stdlib.h>
#include <string.h>

#include "grammar/describe/proto_build.h"

enum {
	MOST_NUMBER = 4096, /* numbers that are tried for a type; 255 are the most of a slot */
	MOST_BITS = 1024    /* bits that are tried for a field; 64 are the most of a header */
};

/* Adds the fields of a unit to those of all. A field of one name is one field, as wide as the
 * widest. */
static void merge_fields(struct build *b, const struct build_unit *u)
{
	struct build_auto *a = &b->automatic;

	for (size_t i = 0; i < u->fields.n && !b->c.failed; i++) {
		const struct build_auto_field *f = &u->fields.at[i];
		size_t k = 0;
		while (k < a->fields.n && strcmp(a->fields.at[k].name, f->name) != 0)
			k++;
		if (k == a->fields.n) {
			struct build_auto_field copy = *f;
			copy.types = arena_array(b->arena, bits_words(AUTO_TYPES), 8);
			if (copy.types == NULL || !vec_push(&a->fields, copy)) {
				build_no_memory(b);
				return;
			}
		}
		struct build_auto_field *m = &a->fields.at[k];
		m->bits = m->bits > f->bits ? m->bits : f->bits;
		for (size_t w = 0; w < bits_words(AUTO_TYPES); w++)
			m->types[w] |= f->types[w];
	}
}

/* Gives each type the lowest number that no type before it has in any of its slots. Fills `number`,
 * and returns one more than the highest. */
static uint32_t number_types(struct build *b, uint32_t *number)
{
	enum { WORDS = MOST_NUMBER / 64 };
	uint64_t(*taken)[WORDS] = calloc(PROTO_SLOTS, sizeof *taken);
	uint32_t most = 0, full = 0;

	if (taken == NULL)
		build_no_memory(b);
	for (size_t i = 0; i < b->automatic.types.n && !b->c.failed; i++) {
		const struct build_auto_type *t = &b->automatic.types.at[i];
		uint32_t k = MOST_NUMBER - 1;
		for (uint32_t w = 0; w < WORDS; w++) {
			uint64_t any = 0;
			for (uint32_t s = 0; s < b->p->nslots; s++)
				any |= (t->slots >> s & 1) != 0 ? taken[s][w] : 0;
			if (~any == 0)
				continue;
			k = w * 64 + (uint32_t)__builtin_ctzll(~any);
			break;
		}
		number[i] = k;
		most = k + 1 > most ? k + 1 : most;
		for (uint32_t s = 0; s < b->p->nslots; s++)
			if ((t->slots >> s & 1) != 0) {
				bits_set(taken[s], k);
				full = k + 1 == most ? s : full;
			}
	}
	free(taken);
	if (!b->c.failed && most > 255) {
		char slot[80];
		proto_slot_name(b->p, full, slot);
		desc_error(&b->c, b->automatic.at, "%u types in slot %s, %u more than 255", most,
			   slot, most - 255);
	}
	return most;
}

/* Are `bits` bits free from bit k on? */
static bool is_free(const uint64_t *used, uint32_t k, uint32_t bits)
{
	for (uint32_t i = k; i < k + bits; i++)
		if (bits_get(used, i))
			return false;
	return true;
}

/* Gives each field the lowest bits that are free in all its types. Fills `lsb`, and returns how
 * many bits are needed. The word at `used`, MOST_BITS bits for each type, are the bits that are
 *
 * taken. */
static uint32_t place_fields(struct build *b, uint64_t *used, uint32_t *lsb)
{
	enum { WORDS = MOST_BITS / 64 };
	const struct build_auto *a = &b->automatic;
	uint32_t top = 0;

	for (size_t i = 0; i < a->types.n; i++)
		if (a->types.at[i].address) {
			used[i * WORDS] = ((uint64_t)1 << a->addr_bits) - 1;
			top = a->addr_bits;
		}
	for (size_t i = 0; i < a->fields.n; i++) {
		const struct build_auto_field *f = &a->fields.at[i];
		uint64_t any[WORDS] = { 0 };
		uint32_t k = 0;
		for (size_t t = bits_next(f->types, a->types.n, 0); t < a->types.n;
		     t = bits_next(f->types, a->types.n, t + 1))
			for (uint32_t w = 0; w < WORDS; w++)
				any[w] |= used[t * WORDS + w];
		while (k + f->bits < MOST_BITS && !is_free(any, k, f->bits))
			k++;
		lsb[i] = k;
		top = k + f->bits > top ? k + f->bits : top;
		for (size_t t = bits_next(f->types, a->types.n, 0); t < a->types.n;
		     t = bits_next(f->types, a->types.n, t + 1))
			for (uint32_t x = k; x < k + f->bits; x++)
				bits_set(&used[t * WORDS], x);
	}
	return top;
}

/* Reports that the header has too many bits, and what takes most of them. */
static void too_wide(struct build *b, uint32_t need)
{
	const struct build_auto *a = &b->automatic;
	struct buf widest = { 0 };
	uint64_t shown = 0;

	if (a->addr_bits != 0)
		buf_addf(&widest, "addr %u", a->addr_bits);
	for (int n = 0; n < 3; n++) {
		size_t best = a->fields.n;
		for (size_t i = 0; i < a->fields.n && i < 64; i++)
			if ((shown >> i & 1) == 0 &&
			    (best == a->fields.n || a->fields.at[i].bits > a->fields.at[best].bits))
				best = i;
		if (best == a->fields.n)
			break;
		shown |= (uint64_t)1 << best;
		buf_addf(&widest, "%s%s %u", widest.n != 0 ? ", " : "", a->fields.at[best].name,
			 a->fields.at[best].bits);
	}
	desc_error(&b->c, b->automatic.at,
		   "a header of %u bits, %u more than 64; the widest fields: %s", need, need - 64,
		   widest.n != 0 && !widest.failed ? widest.at : "none");
	buf_free(&widest);
}

/* Adds a field with its one place to the tables. */
static void add_field(struct build *b, const char *name, uint32_t lsb, uint32_t bits,
		      const uint64_t *codes)
{
	struct build_place x = { (uint32_t)b->tables.fields.n, { lsb, bits, codes } };

	if (!vec_push(&b->tables.fields, name) || !vec_push(&b->tables.places, x))
		build_no_memory(b);
}

/* Returns the codes of a set of types. NULL: out of memory. */
static uint64_t *codes_of(struct build *b, const uint64_t *types, const uint32_t *number)
{
	uint64_t *codes = arena_array(b->arena, bits_words(b->p->codes.n), 8);

	for (size_t t = bits_next(types, b->automatic.types.n, 0);
	     codes != NULL && t < b->automatic.types.n;
	     t = bits_next(types, b->automatic.types.n, t + 1))
		for (uint32_t s = 0; s < b->p->nslots; s++)
			if ((b->automatic.types.at[t].slots >> s & 1) != 0)
				bits_set(codes, s << b->p->header.op_bits | number[t]);
	if (codes == NULL)
		build_no_memory(b);
	return codes;
}

/* Fills the tables, of which p has the sizes. */
static void fill(struct build *b, const uint32_t *number, const uint32_t *lsb)
{
	struct nfart_proto *p = b->p;
	const struct build_auto *a = &b->automatic;
	uint64_t *with_address = arena_array(b->arena, bits_words(AUTO_TYPES), 8);

	if (with_address == NULL || !proto_alloc_codes(p)) {
		build_no_memory(b);
		return;
	}
	for (size_t i = 0; i < a->types.n; i++) {
		const struct build_auto_type *t = &a->types.at[i];
		for (uint32_t s = 0; s < p->nslots; s++) {
			uint32_t code = s << p->header.op_bits | number[i];
			if ((t->slots >> s & 1) == 0)
				continue;
			p->codes.type_of[code] = (uint32_t)i + 1;
			if (t->address)
				bits_set(p->codes.has_addr, code);
		}
		if (t->address)
			bits_set(with_address, i);
		if (!vec_push(&b->tables.types, t->type))
			build_no_memory(b);
	}
	if (a->address && a->line_shift != 0 && !b->c.failed) {
		const uint64_t *codes = codes_of(b, with_address, number);
		if (codes != NULL && bits_any(codes, bits_words(p->codes.n)))
			add_field(b, "offset", 0, a->line_shift, codes);
	}
	for (size_t i = 0; i < a->fields.n && !b->c.failed; i++) {
		const uint64_t *codes = codes_of(b, a->fields.at[i].types, number);
		if (codes != NULL)
			add_field(b, a->fields.at[i].name, lsb[i], a->fields.at[i].bits, codes);
	}
}

/* Sets the places of opcode, idle and address. `top` is how many bits fields take, and `most` how
 * many types the fullest slot has. */
static void set_header(struct build *b, uint32_t top, uint32_t most)
{
	struct nfart_proto *p = b->p;

	p->header.op_bits = 1;
	while (most >> p->header.op_bits != 0)
		p->header.op_bits++;
	if (top + p->header.op_bits > 64) {
		too_wide(b, top + p->header.op_bits);
		return;
	}
	for (p->header.bits = 8; p->header.bits < top + p->header.op_bits;)
		p->header.bits *= 2;
	p->header.op_lsb = p->header.bits - p->header.op_bits;
	p->header.idle = (1 << p->header.op_bits) - 1;
	if (b->automatic.address) {
		p->header.line_shift = p->header.addr_lsb = b->automatic.line_shift;
		p->header.addr_bits = b->automatic.addr_bits - p->header.line_shift;
	}
}

void build_layout(struct build *b)
{
	struct build_auto *a = &b->automatic;
	uint32_t *number = calloc(a->types.n + 1, sizeof *number), most = 0, top = 0, *lsb = NULL;
	uint64_t *used = calloc(a->types.n + 1, MOST_BITS / 8);

	if (b->uses.n == 0)
		merge_fields(b, &b->own);
	for (size_t i = 0; i < b->uses.n && !b->c.failed; i++)
		merge_fields(b, b->uses.at[i]);
	lsb = calloc(a->fields.n + 1, sizeof *lsb);
	if (!b->c.failed && (number == NULL || used == NULL || lsb == NULL))
		build_no_memory(b);
	if (!b->c.failed)
		most = number_types(b, number);
	if (!b->c.failed)
		top = place_fields(b, used, lsb);
	if (!b->c.failed)
		set_header(b, top, most);
	if (!b->c.failed)
		fill(b, number, lsb);
	free(number);
	free(used);
	free(lsb);
}
