/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Reads the statement of a protocol description that says that messages are misses of caches, so
 * what a type stands for may happen without a message:
 *
 *	misses [except TYPE, ...];
 *
 * It changes no bit of an image. nfacc warns of filters that take silence for proof.
 */
#include "grammar/describe/proto_build.h"

void build_misses(struct build *b)
{
	struct diag_range at = b->c.range;
	size_t words;
	uint64_t *nothing;

	build_slots(b);
	words = bits_words(b->p->codes.n);
	if (b->unit != &b->own)
		desc_error(&b->c, at, "a description that another one uses has no 'misses'");
	if (b->misses_except != NULL)
		desc_error(&b->c, at, "second 'misses'");
	nothing = arena_array(b->arena, words + 1, 8);
	b->misses_except = arena_array(b->arena, words + 1, 8);
	if (nothing == NULL || b->misses_except == NULL) {
		build_no_memory(b);
		return;
	}
	if (desc_accept(&b->c, "except"))
		build_type_list(b, nothing, b->misses_except);
	desc_expect(&b->c, ";");
}

bool build_missed(struct build *b)
{
	struct proto_codes *codes = &b->p->codes;

	if (b->misses_except == NULL)
		return true;
	codes->missed = arena_array(b->arena, bits_words(codes->n) + 1, 8);
	if (codes->missed == NULL)
		return false;
	for (uint32_t i = 0; i < codes->n; i++)
		if (codes->type_of[i] != 0 && !bits_get(b->misses_except, i))
			bits_set(codes->missed, i);
	return true;
}
