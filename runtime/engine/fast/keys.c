/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "runtime/engine/fast/keys.h"

#include <stdlib.h>

#include "runtime/trace/reader.h"
#include "support/processor.h"

static bool same_letters(const struct image_list *a, const struct image_list *b)
{
	return a->n == b->n && (a->n == 0 || memcmp(a->at, b->at, a->n * sizeof *a->at) == 0);
}

/* Numbers the distinct sets of letters that predicates have, and writes the bit for each
 * predicate's set to t->bit_of. False: there are too many sets. */
static bool number_sets(struct key_table *t)
{
	const struct nfart_image *im = t->en->im;
	uint32_t first[KEY_SETS], n = 0,
				  most = im->alphabet.guard != NULL ? KEY_SETS - 1 : KEY_SETS;

	for (uint32_t p = 0; p < im->nfa.npreds; p++) {
		uint32_t k = 0;
		while (k < n &&
		       !same_letters(&im->nfa.preds[p].letters, &im->nfa.preds[first[k]].letters))
			k++;
		if (k == most)
			return false;
		if (k == n)
			first[n++] = p;
		t->bit_of[p] = k + KEY_FIRST_SET;
	}
	return true;
}

static uint64_t letter_key(const struct key_table *t, uint32_t letter)
{
	const uint64_t *row = t->en->table.rows + letter * t->en->pwords;
	uint32_t npreds = t->en->im->nfa.npreds;
	uint64_t key = 1;

	for (size_t p = bits_next(row, npreds, 0); p < npreds; p = bits_next(row, npreds, p + 1))
		key |= (uint64_t)1 << t->bit_of[p];
	return key;
}

/* Returns the key of a letter in a protocol with a single slot. t->class_letter has the first
 * letter of each class found so far; if the letter is in none of them, it begins another. */
static uint64_t class_key(struct key_table *t, uint32_t letter)
{
	const struct nfart_engine *en = t->en;
	uint32_t k = 0;

	while (k < t->nclasses && memcmp(en->table.rows + t->class_letter[k] * en->pwords,
					 en->table.rows + letter * en->pwords, en->pwords * 8) != 0)
		k++;
	if (k == t->nclasses)
		t->class_letter[t->nclasses++] = letter;
	return (uint64_t)k << KEY_FIRST_SET | 1;
}

/* Is this the code of a message that the automata never see? With substreams, they see no message
 * without a key, unless it is broadcast. */
static bool is_invisible(const struct key_table *t, uint32_t code)
{
	return t->en->map.any && !t->en->map.key[code].has && !t->en->map.key[code].broadcast;
}

static uint64_t key_of(struct key_table *t, uint32_t code, uint32_t letter)
{
	uint64_t key = is_invisible(t, code) ? 1 :
		       t->single	     ? class_key(t, letter) : letter_key(t, letter);

	return t->en->map.any && !is_invisible(t, code) ? key | KEY_HAS_LINE : key;
}

static void keys_fill(struct key_table *t)
{
	const struct nfart_image *im = t->en->im;
	const struct nfart_proto *p = im->proto;
	uint32_t end =
		im->alphabet.time == IMAGE_NO_TIME ? im->alphabet.nletters : im->alphabet.time;
	uint64_t all = 0;

	for (uint32_t letter = 0; letter < end; letter++) {
		uint32_t code =
			letter < p->codes.n ? letter : im->alphabet.code[letter - p->codes.n];
		if (bits_get(p->codes.valid, code))
			t->of_letter[letter] = key_of(t, code, letter);
		all |= t->of_letter[letter];
	}
	for (uint32_t code = 0; code < p->codes.n; code++)
		t->of_code[code] = !bits_get(p->codes.valid, code) ? KEY_IDLE : t->of_letter[code];
	for (uint32_t i = 0; im->alphabet.time != IMAGE_NO_TIME && i < IMAGE_TIMES; i++)
		all |= t->of_time[i] = letter_key(t, im->alphabet.time + i);
	/* The key of a batch is an OR of keys, so it is not above the OR of all keys. */
	t->small = all < KEY_SMALL;
}

/* Returns a set of opcodes in the order that lanes want. */
static uint64_t lane_set(const struct key_table *t, uint64_t set)
{
	uint64_t out = 0;

	for (uint32_t i = 0; i < 64; i++)
		out |= (set << (i & ((1u << t->op.bits) - 1)) >> 63) << i;
	return out;
}

/* Gives each slot a lane (Note [lanes]). */
static void lanes_init(struct key_table *t)
{
	struct key_lanes *l = &t->lanes;
	uint32_t n[8] = { 0 }; /* the slots of each group */

	*l = (struct key_lanes){ .any = false };
	for (uint32_t s = 0; s < t->nslots; s++) {
		uint64_t named = lane_set(t, t->sets.named[s]);
		uint64_t plain = lane_set(t, t->sets.plain[s]);
		uint32_t g = 0, lane;
		while (g < 8 && n[g] != 0 &&
		       (n[g] == 8 || l->named[g] != named || l->plain[g] != plain))
			g++;
		if (g == 8 || (g == 7 && n[g] == 7))
			return;
		lane = 8 * g + n[g]++;
		l->named[g] = named;
		l->plain[g] = plain;
		l->slot[lane] = (uint8_t)s;
		l->from[lane] = (uint8_t)(s % 8 * 8 + s / 8);
		l->used |= (uint64_t)1 << lane;
	}
	l->slot[63] = (uint8_t)t->nslots;
#if defined(__x86_64__)
	l->any = processor_has_vbmi() && processor_has_bitalg();
#endif
}

bool key_sets_init(struct key_table *t, uint64_t plain)
{
	uint32_t n = 1u << t->op.bits;
	size_t size = 2 * NFART_SLOTS * sizeof *t->sets.named;

	t->sets = (struct key_sets){ .any = n <= 64, .plain_key = plain };
	if (!t->sets.any)
		return true;
	t->sets.named = aligned_alloc(64, size);
	if (t->sets.named == NULL)
		return false;
	memset(t->sets.named, 0, size);
	t->sets.plain = t->sets.named + NFART_SLOTS;
	for (uint32_t s = 0; s < t->nslots; s++)
		for (uint32_t op = 0; op < n; op++) {
			uint64_t key = t->of_slot[s][op], bit = (uint64_t)1 << (63 - op);
			if (key == plain)
				t->sets.plain[s] |= bit;
			else if (key != KEY_IDLE)
				t->sets.named[s] |= bit;
		}
	lanes_init(t);
	return true;
}

bool key_table_init(struct key_table *t, struct nfart_engine *en, enum nfart_simd level, bool *ok)
{
	const struct nfart_proto *p = en->im->proto;

	*t = (struct key_table){ .en = en,
				 .level = level,
				 .single = p->nslots == 1 && en->im->alphabet.time == IMAGE_NO_TIME,
				 .nslots = p->nslots,
				 .op.lsb = p->header.op_lsb,
				 .op.bits = p->header.op_bits };
	t->op.mask = (((uint64_t)1 << p->header.op_bits) - 1) << p->header.op_lsb;
	t->op.idle = (uint64_t)(uint32_t)p->header.idle << p->header.op_lsb;
	t->bit_of = calloc((size_t)en->im->nfa.npreds + 1, sizeof *t->bit_of);
	t->class_letter = calloc((size_t)en->im->alphabet.nletters + 1, sizeof *t->class_letter);
	t->of_letter = calloc((size_t)en->im->alphabet.nletters + 1, sizeof *t->of_letter);
	t->of_code = calloc(((size_t)p->nslots + 1) << p->header.op_bits, sizeof *t->of_code);
	t->of_slot = calloc((size_t)p->nslots + 1, sizeof *t->of_slot);
	*ok = t->bit_of != NULL && t->class_letter != NULL && t->of_letter != NULL &&
	      t->of_code != NULL &&
	      t->of_slot != NULL;
	if (!*ok || (!t->single && !number_sets(t)))
		return false;
	for (uint32_t s = 0; s <= p->nslots; s++)
		t->of_slot[s] = t->of_code + ((size_t)s << p->header.op_bits);
	keys_fill(t);
	if (en->im->alphabet.guard != NULL && trace_is_bytes(p))
		for (uint32_t code = 0; code < p->codes.n; code++) /* the code is the header */
			t->of_code[code] = t->of_letter[image_letter(en->im, code, code)];
	else if (en->im->alphabet.guard != NULL)
		*ok = key_tests_init(t);
	if (*ok)
		*ok = key_sets_init(t, en->map.any ? 1 | KEY_HAS_LINE : 1);
	return *ok;
}

void key_table_free(struct key_table *t)
{
	free(t->bit_of);
	free(t->class_letter);
	free(t->of_letter);
	free(t->sets.named);
	free(t->tested.place);
	free(t->tested.keys);
	free(t->tested.tests);
	free(t->of_code);
	free(t->of_slot);
}

void key_truth(const struct key_table *t, uint64_t key)
{
	struct nfart_engine *en = t->en;

	if (t->single) {
		engine_truth(en, &t->class_letter[key >> KEY_FIRST_SET], 1);
		return;
	}
	memset(en->scratch.truth, 0, en->pwords * 8);
	for (uint32_t p = 0; p < en->im->nfa.npreds; p++)
		if ((key >> t->bit_of[p] & 1) != 0)
			bits_set(en->scratch.truth, p);
	for (size_t w = 0; w < en->pwords; w++)
		en->scratch.truth[w] ^= en->table.none[w];
}
