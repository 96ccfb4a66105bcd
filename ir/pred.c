/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "ir/pred.h"

#include <string.h>

bool pred_table_init_like(struct pred_table *t, const struct pred_table *like)
{
	memset(t, 0, sizeof *t);
	t->alphabet = like->alphabet;
	t->proto = like->proto;
	t->words = like->words;
	t->visible = arena_array(&t->arena, t->words, 8);
	t->scratch = arena_array(&t->arena, PRED_SCRATCH * t->words, 8);
	if (t->visible == NULL || t->scratch == NULL)
		return false;
	if (like->visible != NULL)
		memcpy(t->visible, like->visible, t->words * 8);
	return true;
}

/* Are there copies that see messages with the code? */
static bool is_seen(const struct nfart_proto *p, uint32_t code, struct pred_view view, int field)
{
	if (!bits_get(p->codes.valid, code))
		return false;
	if (!view.by_line || bits_get(p->codes.broadcast, code) || proto_is_joined(p, code))
		return true;
	if (view.key != NULL)
		return view.key[code].has;
	return field < 0 ? bits_get(p->codes.has_addr, code)
			 : proto_field_place(p, (uint32_t)field, code) != NULL;
}

bool pred_table_init(struct pred_table *t, const struct alphabet *a, struct pred_view view)
{
	const struct nfart_proto *p = a->proto;
	struct pred_table like = { .alphabet = *a, .proto = p, .words = bits_words(a->nletters) };
	int field = view.field == NULL ? -1 : proto_find_field(p, view.field, strlen(view.field));
	bool any = false;

	if (!pred_table_init_like(t, &like))
		return false;
	for (uint32_t code = 0; code < p->codes.n; code++)
		if (is_seen(p, code, view, field)) {
			bits_set(t->visible, code);
			any = true;
		}
	for (uint32_t i = 0; i < a->nguards; i++)
		for (uint32_t k = 1; k < a->guards[i].nclasses; k++)
			if (bits_get(t->visible, a->guards[i].code))
				bits_set(t->visible,
					 a->classes[a->guards[i].first_class + k].letter);
	for (uint32_t i = 0; a->time != IMAGE_NO_TIME && i < IMAGE_TIMES; i++)
		if ((i != 0 || any) && ((i & IMAGE_TICK) == 0 || a->tick) &&
		    ((i & IMAGE_END) == 0 || a->end))
			bits_set(t->visible, a->time + i);
	return true;
}

bool pred_table_init_codes(struct pred_table *t, const struct nfart_proto *p,
			   struct pred_view view)
{
	struct alphabet a;

	alphabet_codes(&a, p);
	return pred_table_init(t, &a, view);
}

void pred_table_free(struct pred_table *t)
{
	arena_free(&t->arena);
	vec_free(&t->preds);
	hash_free(&t->hash);
}

static uint64_t hash_pred(const struct pred_table *t, const struct pred *p)
{
	return hash_words(p->none ? 0x9e3779b97f4a7c15u : 1, p->letters, t->words);
}

static uint64_t hash_of(const void *table, uint32_t id)
{
	const struct pred_table *t = table;

	return hash_pred(t, &t->preds.at[id]);
}

static bool pred_same(const void *table, uint32_t id, const void *key)
{
	const struct pred_table *t = table;
	const struct pred *p = &t->preds.at[id], *q = key;

	return p->none == q->none && memcmp(p->letters, q->letters, t->words * 8) == 0;
}

pred_id_t pred_intern(struct pred_table *t, bool none, const uint64_t *letters)
{
	struct pred p = { none, letters };
	uint64_t *copy;
	size_t i;

	if (!hash_room(&t->hash, hash_of, t))
		return PRED_NONE;
	i = hash_find(&t->hash, hash_pred(t, &p), pred_same, t, &p);
	if (hash_id(&t->hash, i) != HASH_NONE)
		return hash_id(&t->hash, i);
	copy = arena_array(&t->arena, t->words, 8);
	if (copy == NULL)
		return PRED_NONE;
	memcpy(copy, letters, t->words * 8);
	p.letters = copy;
	if (t->preds.n >= PRED_EPS || !vec_push(&t->preds, p))
		return PRED_NONE;
	hash_put(&t->hash, i, (uint32_t)t->preds.n - 1);
	return (pred_id_t)(t->preds.n - 1);
}

pred_id_t pred_true(struct pred_table *t)
{
	memset(t->scratch, 0, t->words * 8);
	return pred_intern(t, true, t->scratch);
}

pred_id_t pred_not(struct pred_table *t, pred_id_t p)
{
	return pred_intern(t, !t->preds.at[p].none, t->preds.at[p].letters);
}

pred_id_t pred_join(struct pred_table *t, pred_id_t p, pred_id_t q)
{
	const struct pred *x = &t->preds.at[p], *y = &t->preds.at[q];

	if (x->none != y->none)
		return PRED_NONE;
	for (size_t i = 0; i < t->words; i++)
		t->scratch[i] = x->letters[i] | y->letters[i];
	return pred_intern(t, x->none, t->scratch);
}

/* ---- what predicates say of all batches ---- */

static bool in(const uint64_t *set, uint32_t letter)
{
	return set != NULL && bits_get(set, letter);
}

/* Is there a visible letter below `end`, not before `from`, that is in none of the sets? b may be
 * NULL for the empty set. */
static bool is_outside(const struct pred_table *t, const uint64_t *a, const uint64_t *b,
		       uint32_t from, uint32_t end)
{
	for (size_t i = from / 64; i < bits_words(end); i++) {
		uint64_t w = t->visible[i] & ~(a[i] | (b != NULL ? b[i] : 0));
		if (i == from / 64)
			w &= UINT64_MAX << from % 64;
		if (w != 0 && i * 64 + (uint64_t)__builtin_ctzll(w) < end)
			return true;
	}
	return false;
}

/* The letters of messages end here, and those of the time slot begin. */
static uint32_t messages_end(const struct pred_table *t)
{
	return t->alphabet.time != IMAGE_NO_TIME ? t->alphabet.time : t->alphabet.nletters;
}

/* Can a batch be without letters of the sets a and b? b may be NULL for the empty set. */
static bool is_avoidable(const struct pred_table *t, const uint64_t *a, const uint64_t *b)
{
	uint32_t time = t->alphabet.time;
	bool message = is_outside(t, a, b, 0, messages_end(t));

	if (time == IMAGE_NO_TIME)
		return message;
	return is_outside(t, a, b, time + 1, time + IMAGE_TIMES) ||
	       (message && !in(a, time) && !in(b, time));
}

/* Does the set contain any visible letter? */
static bool pred_meets(const struct pred_table *t, const uint64_t *letters)
{
	for (size_t i = 0; i < t->words; i++)
		if ((t->visible[i] & letters[i]) != 0)
			return true;
	return false;
}

/* Every visible letter is in some batch. */
bool pred_always(const struct pred_table *t, pred_id_t p)
{
	const struct pred *x = &t->preds.at[p];

	return x->none ? !pred_meets(t, x->letters) : !is_avoidable(t, x->letters, NULL);
}

bool pred_never(const struct pred_table *t, pred_id_t p)
{
	const struct pred *x = &t->preds.at[p];

	return x->none ? !is_avoidable(t, x->letters, NULL) : !pred_meets(t, x->letters);
}

/* Does every batch with a letter of a have one of b? A counterexample needs a letter of a that is
 * not in b. It is alone with a time that is not in b; or it is a time itself, alone unless it is
 * plain. */
static bool is_hit_too(const struct pred_table *t, const uint64_t *a, const uint64_t *b)
{
	uint32_t time = t->alphabet.time;
	bool message = false, special = false, plain = false;

	for (size_t i = 0; i < t->words; i++)
		for (uint64_t w = t->visible[i] & a[i] & ~b[i]; w != 0; w &= w - 1) {
			uint32_t letter = (uint32_t)(i * 64) + (uint32_t)__builtin_ctzll(w);
			plain |= letter == time;
			special |= time != IMAGE_NO_TIME && letter > time;
			message |= letter < messages_end(t);
		}
	if (time == IMAGE_NO_TIME)
		return !message;
	return !special && !(message && is_outside(t, b, NULL, time, time + IMAGE_TIMES)) &&
	       !(plain && is_outside(t, b, NULL, 0, time));
}

enum { NO_SLOT = UINT32_MAX, SOME_SLOTS = UINT32_MAX - 1 };

/* Returns the slot in which the set has visible letters. NO_SLOT: in none; SOME_SLOTS: in several.
 * */
static uint32_t only_slot(const struct pred_table *t, const uint64_t *letters)
{
	uint32_t slot = NO_SLOT;

	for (size_t i = 0; i < t->words; i++)
		for (uint64_t w = t->visible[i] & letters[i]; w != 0; w &= w - 1) {
			uint32_t letter = (uint32_t)(i * 64) + (uint32_t)__builtin_ctzll(w);
			uint32_t s = alphabet_slot(&t->alphabet, letter);
			if (slot != NO_SLOT && slot != s)
				return SOME_SLOTS;
			slot = s;
		}
	return slot;
}

/* Can no batch have a letter of both sets? So one of them is empty, or both lie in one slot and
 * have no letter in common. */
static bool are_apart(const struct pred_table *t, const uint64_t *a, const uint64_t *b)
{
	uint32_t s = only_slot(t, a), r = only_slot(t, b);

	if (s == NO_SLOT || r == NO_SLOT)
		return true;
	if (s != r || s == SOME_SLOTS)
		return false;
	for (size_t i = 0; i < t->words; i++)
		if ((t->visible[i] & a[i] & b[i]) != 0)
			return false;
	return true;
}

/*
 * p implies q if no batch satisfies p and not q. P and Q are the visible letters of the two sets.
 * The implication holds exactly if:
 *   Any P  => Any Q:   every batch that hits P hits Q
 *   None P => None Q:  every batch that hits Q hits P
 *   Any P  => None Q:  no batch has a letter of P and a letter of Q
 *   None P => Any Q:   no batch is without letters of both
 */
bool pred_implies(const struct pred_table *t, pred_id_t p, pred_id_t q)
{
	const struct pred *x = &t->preds.at[p], *y = &t->preds.at[q];

	if (!x->none)
		return y->none ? are_apart(t, x->letters, y->letters) :
				 is_hit_too(t, x->letters, y->letters);
	return y->none ? is_hit_too(t, y->letters, x->letters) :
			 !is_avoidable(t, x->letters, y->letters);
}

bool pred_holds(const struct pred_table *t, pred_id_t p, const uint32_t *letters, size_t n)
{
	const struct pred *x = &t->preds.at[p];

	for (size_t i = 0; i < n; i++)
		if (bits_get(x->letters, letters[i]))
			return !x->none;
	return x->none;
}
