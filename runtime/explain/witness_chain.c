/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "runtime/explain/witness_chain.h"

void chain_batch_free(struct witness_batch *b)
{
	if (b != NULL && --b->refs == 0)
		free(b);
}

void chain_free(struct witness_step *s)
{
	while (s != NULL && --s->refs == 0) {
		struct witness_step *before = s->before;
		chain_batch_free(s->batch);
		free(s->count);
		free(s);
		s = before;
	}
}

struct witness_step *chain_share(struct witness_step *s)
{
	if (s != NULL)
		s->refs++;
	return s;
}

void chain_list_free(struct witness_list *l)
{
	for (size_t i = 0; i < l->n; i++)
		chain_free(l->at[i].step);
	vec_free(l);
}

struct witness_count *chain_count(const struct witness_count *k)
{
	struct witness_count *copy = malloc(sizeof *copy);

	if (copy != NULL)
		*copy = *k;
	return copy;
}

struct witness_step *chain_shorten(const struct witness_step *s)
{
	struct witness_step *chain = NULL, **link = &chain;

	for (uint32_t i = 0; i < WITNESS_KEEP; i++, s = s->before) {
		struct witness_step *t = malloc(sizeof *t);
		struct witness_count *count = s->count != NULL ? chain_count(s->count) : NULL;
		if (t == NULL || (s->count != NULL && count == NULL)) {
			free(t);
			free(count);
			chain_free(chain);
			return NULL;
		}
		*t = *s;
		t->refs = 1;
		t->kept = WITNESS_KEEP - i;
		t->count = count;
		t->before = NULL;
		t->batch->refs++;
		*link = t;
		link = &t->before;
	}
	return chain;
}
