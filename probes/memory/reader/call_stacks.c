/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "probes/memory/reader/call_stacks.h"

#include <stdlib.h>
#include <string.h>

#include "support/hash.h"
#include "support/vec.h"

/* Where a stack is in `addresses`. */
struct stack {
	size_t at, n;
};

struct call_stacks {
	VEC(uint64_t) addresses;
	VEC(struct stack) stacks;
	struct hash_ids ids; /* indices in `stacks` */
};

struct key {
	const uint64_t *at;
	size_t n;
};

struct call_stacks *call_stacks_new(void)
{
	return calloc(1, sizeof(struct call_stacks));
}

void call_stacks_free(struct call_stacks *s)
{
	if (s == NULL)
		return;
	vec_free(&s->addresses);
	vec_free(&s->stacks);
	hash_free(&s->ids);
	free(s);
}

HASH_INLINE bool has_key(const void *ctx, uint32_t id, const void *key)
{
	const struct call_stacks *s = ctx;
	const struct key *k = key;

	return s->stacks.at[id].n == k->n &&
	       memcmp(s->addresses.at + s->stacks.at[id].at, k->at, k->n * sizeof *k->at) == 0;
}

static uint64_t hash_of(const void *ctx, uint32_t id)
{
	const struct call_stacks *s = ctx;

	return hash_words(0, s->addresses.at + s->stacks.at[id].at, s->stacks.at[id].n);
}

uint32_t call_stacks_number(struct call_stacks *s, const uint64_t *addresses, size_t n)
{
	const struct key key = { addresses, n };
	struct stack added = { s->addresses.n, n };
	size_t place;

	if (!hash_room(&s->ids, hash_of, s))
		return 0;
	place = hash_find(&s->ids, hash_words(0, addresses, n), has_key, s, &key);
	if (hash_id(&s->ids, place) != HASH_NONE)
		return hash_id(&s->ids, place) + 1;
	if (s->stacks.n >= HASH_NONE - 1 || !vec_reserve(&s->addresses, n) ||
	    !vec_push(&s->stacks, added))
		return 0;
	for (size_t i = 0; i < n; i++)
		s->addresses.at[s->addresses.n++] = addresses[i];
	hash_put(&s->ids, place, (uint32_t)(s->stacks.n - 1));
	return (uint32_t)s->stacks.n;
}

const uint64_t *call_stacks_at(const struct call_stacks *s, uint32_t number, size_t *n)
{
	*n = number != 0 ? s->stacks.at[number - 1].n : 0;
	return number != 0 ? s->addresses.at + s->stacks.at[number - 1].at : NULL;
}
