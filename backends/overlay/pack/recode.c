/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "backends/overlay/pack/recode.h"

#include <stdlib.h>
#include <string.h>

#include "support/hash.h"

/* The recoding that is being made. */
struct maker {
	struct recode *r;
	const struct overlay *o;
	const struct alphabet *a;
	const struct pred_table *preds;
	VEC(pred_id_t) used;    /* the predicates of the states, each once */
	uint64_t *mark;         /* [letters]: a hash of which of them name the letter */
	VEC(uint32_t) holder;   /* of the rows of the current slot: a letter with it; NONE: none */
	struct hash_ids rows;   /* finds `holder`, by what its predicates are */
	uint8_t *asked;         /* [alphabet.asked]: the current slot needs the test */
	/* The tests of the current slot, as indices into alphabet.asked; NONE: not used. */
	uint32_t unit[OVERLAY_MOST_guards + OVERLAY_MOST_ranges + OVERLAY_MOST_payload_tests];
	struct recode_need *need;
};

enum { NONE = UINT32_MAX };

/* Collects the predicates of the states, and marks each letter with a hash of those that name
 * it. */
static bool mark_letters(struct maker *m, const struct nfa *a)
{
	bool *seen = calloc(m->preds->preds.n + 1, sizeof *seen), ok = seen != NULL;

	for (size_t i = 0; ok && i < a->states.n; i++) {
		pred_id_t id = a->states.at[i].pred;
		if (id == PRED_NONE || seen[id])
			continue;
		seen[id] = true;
		ok = vec_push(&m->used, id);
	}
	for (size_t i = 0; ok && i < m->used.n; i++) {
		const uint64_t *letters = m->preds->preds.at[m->used.at[i]].letters;
		for (uint32_t l = 0; l < m->a->nletters; l++)
			if (bits_get(letters, l))
				m->mark[l] = hash_add(m->mark[l], i + 1);
	}
	free(seen);
	return ok;
}

/* Do all predicates treat two letters alike? */
static bool alike(const struct maker *m, uint32_t x, uint32_t y)
{
	if (m->mark[x] != m->mark[y])
		return false;
	for (size_t i = 0; i < m->used.n; i++) {
		const uint64_t *letters = m->preds->preds.at[m->used.at[i]].letters;
		if (bits_get(letters, x) != bits_get(letters, y))
			return false;
	}
	return true;
}

static uint32_t class_letter(const struct maker *m, const struct alphabet_guard *g, uint32_t k)
{
	return m->a->classes[g->first_class + k].letter;
}

/* Must the slot tell the classes of a code apart? */
static bool matters(const struct maker *m, const struct alphabet_guard *g)
{
	for (uint32_t k = 1; k < g->nclasses; k++)
		if (!alike(m, g->code, class_letter(m, g, k)))
			return true;
	return false;
}

/* ---- tests ---- */

/* If the test is one for a value under a mask, makes it one with lo == hi: a range of 2^n values
 * that begins at a multiple of 2^n looks at the higher bits only. */
static struct header_test as_mask(struct header_test t)
{
	uint64_t low = t.mask & -t.mask, span = t.hi - t.lo + low;

	if (t.lo >= t.hi || (span & (span - 1)) != 0 || (t.lo & (span - low)) != 0)
		return t;
	t.mask &= ~(span - low);
	t.hi = t.lo;
	return t;
}

/* Adds a test of the slot to what the slot needs. */
static void add_need(struct recode_need *need, const struct header_test *t)
{
	if (t->word == 0)
		*(t->lo == t->hi ? &need->equal : &need->range) += 1;
	else
		need->payload++;
	need->words = t->word > need->words ? t->word : need->words;
}

/* Gives each test of the slot that is needed one of the overlay's tests. A test that looks at no
 * bit has the same result for all headers, and gets none. Tests for one value take range tests when
 * mask tests run out. False: m->need says what there is too little of. */
static bool assign_tests(struct maker *m, uint32_t slot, size_t nasked)
{
	uint32_t guards = 0, ranges = m->o->guards, payload = m->o->guards + m->o->ranges;
	uint32_t most = overlay_ntest(m->o), headers = payload;
	struct recode_test *at = m->r->test + (size_t)slot * most;

	*m->need = (struct recode_need){ .slot = slot };
	for (uint32_t i = 0; i < most; i++)
		m->unit[i] = NONE;
	for (uint32_t i = 0; i < nasked; i++) {
		struct header_test t = as_mask(m->a->asked[i]);
		if (m->asked[i] != 0 && t.mask != 0)
			add_need(m->need, &t);
	}
	if (m->need->range > m->o->ranges || m->need->range + m->need->equal > headers ||
	    m->need->payload > m->o->payload_tests || m->need->words > overlay_payload_words(m->o))
		return false;
	for (uint32_t i = 0; i < nasked; i++) {
		struct header_test t = as_mask(m->a->asked[i]);
		uint32_t unit;
		if (m->asked[i] == 0 || t.mask == 0)
			continue;
		if (t.word != 0)
			unit = payload++;
		else
			unit = t.lo == t.hi && guards < m->o->guards ? guards++ : ranges++;
		m->unit[unit] = i;
		at[unit] = (struct recode_test){ t.mask, t.lo, t.hi, t.word };
	}
	return true;
}

/* ---- rows ---- */

static bool row_same(const void *ctx, uint32_t row, const void *letter)
{
	const struct maker *m = ctx;

	return alike(m, m->holder.at[row], *(const uint32_t *)letter);
}

static uint64_t row_hash(const void *ctx, uint32_t row)
{
	const struct maker *m = ctx;

	return m->mark[m->holder.at[row]];
}

/* Gives a letter of the slot the next row, or unless that is an opcode's, the first one of a letter
 * that all predicates treat alike. False: out of memory. */
static bool give_row(struct maker *m, uint32_t slot, uint32_t letter)
{
	bool opcode = m->holder.n < overlay_opcodes(m->o);
	uint32_t row;
	size_t place;

	if (!hash_room(&m->rows, row_hash, m))
		return false;
	place = hash_find(&m->rows, m->mark[letter], row_same, m, &letter);
	row = hash_id(&m->rows, place);
	if (row == HASH_NONE)
		hash_put(&m->rows, place, (uint32_t)m->holder.n);
	if (row == HASH_NONE || opcode) {
		row = (uint32_t)m->holder.n;
		if (!vec_push(&m->holder, letter))
			return false;
	}
	m->r->row[letter] = slot << overlay_row_bits(m->o) | row;
	return true;
}

/* The opcodes keep their rows: the first class of a code has the row of its opcode. The idle one's
 * row is no letter's. If the overlay has too few rows, m->need says how many the slot needs. */
static enum nfart_status assign_rows(struct maker *m, uint32_t slot)
{
	uint32_t opcodes = overlay_opcodes(m->o);
	bool ok = true;

	m->holder.n = 0;
	hash_clear(&m->rows);
	for (uint32_t i = 0; ok && i < opcodes; i++)
		ok = (int32_t)i == m->a->proto->header.idle ?
			     vec_push(&m->holder, NONE) :
			     give_row(m, slot, slot << m->o->op_bits | i);
	for (uint32_t l = m->a->more[slot]; ok && l < m->a->more[slot + 1]; l++)
		ok = give_row(m, slot, l);
	if (!ok)
		return NFART_SYSTEM;
	if (m->holder.n <= overlay_row_codes(m->o))
		return NFART_OK;
	m->need->rows = (uint32_t)m->holder.n;
	return NFART_NOFIT;
}

/* ---- the recoding memory ---- */

/* Is test `i` of the filter one that code g has? */
static bool has_test(const struct maker *m, const struct alphabet_guard *g, uint32_t i)
{
	for (uint32_t k = 0; k < g->nuses; k++)
		if (m->a->uses[g->first_use + k] == i)
			return true;
	return false;
}

/* For each combination of results of the slot's tests, finds the row of the code's messages. Which
 * class they are of is said by the tests of the code; the other tests can have any result, but
 * unused ones have one: a mask test fails, the others pass. */
static void write_code(struct maker *m, const struct alphabet_guard *g, uint16_t *row)
{
	uint32_t n = overlay_ntest(m->o), own = 0, others = 0, idle = 0;
	uint32_t opcode = g->code & (overlay_opcodes(m->o) - 1);

	for (uint32_t i = 0; i < n; i++) {
		if (m->unit[i] == NONE)
			idle |= i < m->o->guards ? 0 : 1u << i;
		else if (has_test(m, g, m->unit[i]))
			own |= 1u << i;
		else
			others |= 1u << i;
	}
	for (uint32_t k = 0; k < g->nclasses; k++) {
		const struct alphabet_class *c = &m->a->classes[g->first_class + k];
		uint32_t results = idle, subset = 0;
		for (uint32_t i = 0; i < n; i++)
			if ((own >> i & 1) != 0 &&
			    header_test_passes(&m->a->asked[m->unit[i]], &c->sample))
				results |= 1u << i;
		/* All subsets of `others`. */
		do {
			row[(size_t)(results | subset) << m->o->op_bits | opcode] =
				(uint16_t)(m->r->row[c->letter] & (overlay_row_codes(m->o) - 1));
			subset = (subset - others) & others;
		} while (subset != 0);
	}
}

/* Appends the writes of a slot, whose guards are those numbered from … to - 1. row[] has room for
 * its addresses. */
static bool write_slot(struct maker *m, uint32_t slot, uint32_t from, uint32_t to, uint16_t *row)
{
	uint32_t bits = overlay_recode_bits(m->o), opcodes = overlay_opcodes(m->o);

	for (uint32_t i = 0; i < 1u << bits; i++)
		row[i] = (uint16_t)(i & (opcodes - 1));
	for (uint32_t i = from; i < to; i++)
		if (matters(m, &m->a->guards[i]))
			write_code(m, &m->a->guards[i], row);
	for (uint32_t i = 0; i < 1u << bits; i++) {
		uint32_t value = row[i] ^ (i & (opcodes - 1));
		if (value != 0 && !vec_push(&m->r->writes,
					    (slot << bits | i) << RECODE_ADDRESS | value))
			return false;
	}
	return true;
}

/* Makes the tests, rows and writes of a slot, whose guards are those numbered from … to - 1. */
static enum nfart_status make_slot(struct maker *m, uint32_t slot, uint32_t from, uint32_t to,
				   uint16_t *row)
{
	enum nfart_status status;
	size_t nasked = 0;

	for (uint32_t i = from; i < to; i++) {
		const struct alphabet_guard *g = &m->a->guards[i];
		for (uint32_t k = 0; k < g->nuses && matters(m, g); k++)
			m->asked[m->a->uses[g->first_use + k]] = 1;
		for (uint32_t k = 0; k < g->nuses; k++)
			if (m->a->uses[g->first_use + k] >= nasked)
				nasked = m->a->uses[g->first_use + k] + (size_t)1;
	}
	if (!assign_tests(m, slot, nasked))
		return NFART_NOFIT;
	status = assign_rows(m, slot);
	if (status != NFART_OK)
		return status;
	memset(m->asked, 0, nasked);
	return write_slot(m, slot, from, to, row) ? NFART_OK : NFART_SYSTEM;
}

static enum nfart_status make_slots(struct maker *m)
{
	uint16_t *row = calloc((size_t)1 << overlay_recode_bits(m->o), sizeof *row);
	enum nfart_status status = row != NULL ? NFART_OK : NFART_SYSTEM;
	const struct alphabet *a = m->a;

	for (uint32_t s = 0, from = 0, to; status == NFART_OK && s < m->o->slots; s++, from = to) {
		for (to = from; to < a->nguards && a->guards[to].code >> m->o->op_bits == s; to++)
			;
		if (from != to)
			status = make_slot(m, s, from, to, row);
	}
	free(row);
	return status;
}

enum nfart_status recode_make(struct recode *r, const struct overlay *o, const struct nfa *a,
			      struct recode_need *need)
{
	const struct alphabet *al = &a->preds->alphabet;
	struct maker m = { .r = r, .o = o, .a = al, .preds = a->preds, .need = need };
	enum nfart_status status = NFART_SYSTEM;
	uint32_t bits = overlay_row_bits(o), opcodes = overlay_opcodes(o), uses = 0;

	memset(r, 0, sizeof *r);
	for (uint32_t i = 0; i < al->nguards; i++)
		for (uint32_t k = 0; k < al->guards[i].nuses; k++)
			if (al->uses[al->guards[i].first_use + k] >= uses)
				uses = al->uses[al->guards[i].first_use + k] + 1;
	r->row = calloc(al->nletters + (size_t)1, sizeof *r->row);
	r->test = calloc((size_t)o->slots * overlay_ntest(o) + 1, sizeof *r->test);
	m.mark = calloc(al->nletters + (size_t)1, sizeof *m.mark);
	m.asked = calloc(uses + (size_t)1, sizeof *m.asked);
	if (r->row != NULL && r->test != NULL && m.mark != NULL && m.asked != NULL &&
	    mark_letters(&m, a)) {
		for (uint32_t c = 0; c < al->proto->codes.n; c++)
			r->row[c] = (c >> o->op_bits) << bits | (c & (opcodes - 1));
		for (uint32_t l = al->time; l < al->nletters; l++)
			r->row[l] = (o->slots << bits) + l - al->time;
		status = make_slots(&m);
	}
	free(m.mark);
	free(m.asked);
	vec_free(&m.used);
	vec_free(&m.holder);
	hash_free(&m.rows);
	return status;
}

void recode_free(struct recode *r)
{
	free(r->row);
	free(r->test);
	vec_free(&r->writes);
}

enum nfart_status recode_least(struct overlay *o, const struct nfa *a, struct recode_need *need)
{
	enum nfart_status status = NFART_NOFIT;
	size_t tests = 0, ranges = 0, payload = 0;
	struct recode r;

	o->guards = o->ranges = o->letter_bits = o->payload_tests = o->payload = 0;
	while (status == NFART_NOFIT) {
		status = recode_make(&r, o, a, need);
		recode_free(&r);
		if (status != NFART_NOFIT)
			break;
		/* A slot can use its range tests as mask tests, which cost less. */
		ranges = need->range > ranges ? need->range : ranges;
		tests = need->equal + need->range > tests ? need->equal + need->range : tests;
		payload = need->payload > payload ? need->payload : payload;
		if (ranges > OVERLAY_MOST_ranges || tests - ranges > OVERLAY_MOST_guards ||
		    payload > OVERLAY_MOST_payload_tests ||
		    o->op_bits + tests + payload > OVERLAY_MOST_RECODE ||
		    need->rows > 1u << OVERLAY_MOST_letter_bits)
			break;
		o->ranges = (uint32_t)ranges;
		o->guards = (uint32_t)(tests - ranges);
		o->payload_tests = (uint32_t)payload;
		o->payload = 64 * need->words > o->payload ? 64 * need->words : o->payload;
		while (need->rows > overlay_row_codes(o))
			o->letter_bits = overlay_row_bits(o) + 1;
	}
	return status;
}

bool recode_fits(const struct overlay *o, const struct nfa *a)
{
	struct recode_need need;
	struct recode r = { 0 };
	bool ok = a->preds->alphabet.nguards == 0 || recode_make(&r, o, a, &need) == NFART_OK;

	recode_free(&r);
	return ok;
}
