/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include <stdlib.h>
#include <string.h>

#include "support/hash.h"
#include "testsuite/unit/unit.h"

enum { KEYS = 600 };

/* Numbers by keys: key[i] has number i. */
struct interned {
	struct hash_ids hash;
	uint32_t key[KEYS];
	unsigned form; /* the hash: 0: all the same, 1: bad, 2: good */
};

static uint64_t hash_form(unsigned form, uint32_t key)
{
	return form == 0 ? UINT64_MAX : form == 1 ? key & 7 : hash_add(0, key);
}

static uint64_t hash_of(const void *ctx, uint32_t id)
{
	const struct interned *t = ctx;

	return hash_form(t->form, t->key[id]);
}

static bool ids_same(const void *ctx, uint32_t id, const void *key)
{
	return ((const struct interned *)ctx)->key[id] == *(const uint32_t *)key;
}

static size_t ids_find(const struct interned *t, uint32_t key)
{
	return hash_find(&t->hash, hash_form(t->form, key), ids_same, t, &key);
}

/* A table against the search of an array, with good and bad hashes, and emptied now and then. */
START_TEST(ids_like_an_array)
{
	static struct interned t;
	uint64_t seed = 11;

	for (unsigned round = 0; round < 60; round++) {
		uint32_t n = 0, below = 1 + unit_below(&seed, round % 3 == 0 ? 60 : KEYS);
		uint32_t steps = round % 3 == 0 ? 200 : 3000;

		t.form = round % 3;
		hash_clear(&t.hash);
		if (round % 10 == 9)
			hash_free(&t.hash);
		for (uint32_t i = 0; i < steps; i++) {
			uint32_t key = unit_below(&seed, below) * 0x10001, k = 0;
			size_t place;

			while (k < n && t.key[k] != key)
				k++;
			unit_check(hash_room(&t.hash, hash_of, &t));
			unit_check(2 * t.hash.n < t.hash.size);
			place = ids_find(&t, key);
			unit_eq(hash_id(&t.hash, place), k < n ? k : HASH_NONE);
			if (k < n)
				continue;
			t.key[n] = key;
			hash_put(&t.hash, place, n++);
			unit_eq(hash_id(&t.hash, ids_find(&t, key)), n - 1);
		}
		unit_eq(t.hash.n, n);
		for (uint32_t k = 0; k < n; k++)
			unit_eq(hash_id(&t.hash, ids_find(&t, t.key[k])), k);
	}
	hash_free(&t.hash);
	ck_assert_ptr_null(t.hash.at);
	hash_clear(&t.hash);
	unit_eq(t.hash.n + t.hash.size, 0);
}
END_TEST

/* A count that stands in a table. */
struct entry {
	uint32_t key, n;
	unsigned form;
};

static bool hash_of_count(const void *entry, uint64_t *h)
{
	const struct entry *e = entry;

	*h = hash_form(e->form, e->key);
	return e->n != 0;
}

static bool ids_end(const void *ctx, size_t place, const void *key)
{
	const struct entry *e = (const struct entry *)ctx + place;

	return e->n == 0 || e->key == *(const uint32_t *)key;
}

/* Counts that come and go, against an array of them. Removal must leave all others to be found. */
START_TEST(entries_like_an_array)
{
	uint64_t seed = 12;

	for (unsigned round = 0; round < 60; round++) {
		uint32_t count[KEYS] = { 0 }, n = 0, below = 1 + unit_below(&seed, round % 3 ? KEYS : 40);
		unsigned form = round % 3;
		struct entry *at = NULL;
		size_t size = 0;

		for (uint32_t i = 0; i < 3000; i++) {
			uint32_t key = unit_below(&seed, below);
			struct entry *e;

			if (2 * (n + 1) > size)
				unit_check(hash_widen((void **)&at, &size, sizeof *at, 4,
						      hash_of_count));
			e = &at[hash_probe(size, hash_form(form, key), ids_end, at, &key)];
			unit_eq(e->n, count[key]);
			if (e->n != 0 && unit_below(&seed, 3) == 0) {
				hash_take_out(at, size, sizeof *at, (size_t)(e - at), hash_of_count);
				count[key] = 0;
				n--;
				continue;
			}
			n += e->n == 0;
			*e = (struct entry){ key, ++count[key], form };
		}
		for (uint32_t key = 0; key < KEYS; key++)
			unit_eq(at[hash_probe(size, hash_form(form, key), ids_end, at, &key)].n,
				count[key]);
		for (size_t i = 0; i < size; i++)
			n -= at[i].n != 0;
		unit_eq(n, 0);
		free(at);
	}
}
END_TEST

/* What is refused leaves a table as it was. */
START_TEST(refuses)
{
	struct hash_ids t = { .size = SIZE_MAX / 2 + 1 };
	size_t size = SIZE_MAX / 2 + 1;
	void *at = &size;

	unit_check(!hash_grow(&t, NULL, NULL));
	unit_eq(t.size, SIZE_MAX / 2 + 1);
	unit_check(!hash_widen(&at, &size, sizeof(struct entry), 4, NULL));
	unit_eq(size, SIZE_MAX / 2 + 1);
	ck_assert_ptr_eq(at, &size);
	t.size = 0;
	size = 0;
	unit_check(!hash_widen(&at, &size, SIZE_MAX / 2, 4, NULL));
}
END_TEST

/* The low bits of a hash, by which tables search, must depend on all bits of a number. */
START_TEST(bits_mix)
{
	for (unsigned bit = 0; bit < 64; bit++) {
		unsigned differ = 0;

		for (uint64_t i = 0; i < 256; i++)
			differ += ((hash_add(0, i) ^ hash_add(0, i ^ (uint64_t)1 << bit)) & 1023) != 0;
		unit_check(differ > 250);
	}
	unit_check(hash_words(0, (uint64_t[]){ 1, 2 }, 2) != hash_words(0, (uint64_t[]){ 2, 1 }, 2));
	unit_eq(hash_numbers(3, (uint32_t[]){ 1, 2 }, 2), hash_words(3, (uint64_t[]){ 1, 2 }, 2));
	unit_eq(hash_words(3, NULL, 0), 3);
}
END_TEST

Suite *suite_hash(void)
{
	const TTest *const tests[] = { ids_like_an_array, entries_like_an_array, refuses, bits_mix,
				       NULL };

	return unit_suite("hash", tests);
}
