/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "runtime/engine/joins.h"

#include <stdlib.h>
#include <string.h>

enum { JOINS_ENTRIES = 1 << PROTO_JOIN_BITS };

bool joins_init(struct joins *j, const struct nfart_image *im, const struct copies *map)
{
	*j = (struct joins){ .map = map, .proto = im->proto };
	if (im->proto->joins.n == 0 || !map->any)
		return true;
	j->entry = calloc((size_t)im->proto->joins.n * JOINS_ENTRIES, sizeof *j->entry);
	return j->entry != NULL;
}

void joins_free(struct joins *j)
{
	free(j->entry);
	j->entry = NULL;
}

void joins_reset(struct joins *j)
{
	if (j->entry != NULL)
		memset(j->entry, 0,
		       (size_t)j->proto->joins.n * JOINS_ENTRIES * sizeof *j->entry);
}

/* Returns the entry of join i for the number whose lowest bit in the header is `lsb`. */
static struct joins_entry *joins_entry(const struct joins *j, uint32_t i, uint32_t lsb,
				       uint64_t header)
{
	uint64_t number = header >> lsb & ((UINT64_C(1) << j->proto->joins.at[i].bits) - 1);

	return &j->entry[(size_t)i * JOINS_ENTRIES + number];
}

/* Returns the entry of an answer. NULL: the message is no answer of a join. */
static struct joins_entry *joins_answer(const struct joins *j, uint32_t code, uint64_t header)
{
	const struct proto_joins *joins = &j->proto->joins;
	uint32_t i = 0;

	if (!bits_get(joins->answers, code))
		return NULL;
	while (!bits_get(joins->at[i].answers, code))
		i++;
	return joins_entry(j, i, joins->at[i].answer_lsb, header);
}

/* Counts an answer to the entry, and says whether the answer gets the copy of its request. */
static bool joins_look_up(struct joins *j, const struct joins_entry *e)
{
	j->count.joined += e->state == JOINS_OPEN;
	j->count.late += e->state == JOINS_CLOSED;
	j->count.wrong += e->state == JOINS_NEVER;
	return e->state == JOINS_OPEN && e->seen;
}

/* Finds the copies of all messages, with the tables as they are. */
static uint64_t joins_find(struct joins *j, uint64_t mask, const uint64_t *header,
			   uint64_t *number)
{
	uint64_t seen = 0;

	for (uint64_t m = mask; m != 0; m &= m - 1) {
		uint32_t s = (uint32_t)__builtin_ctzll(m);
		uint32_t code = proto_code(j->proto, s, header[s]);
		bool one = copies_of_message(j->map, code, header[s], &number[s]);
		const struct joins_entry *e = j->entry == NULL ? NULL
							       : joins_answer(j, code, header[s]);
		if (e != NULL && joins_look_up(j, e) && !j->map->key[code].has) {
			one = true;
			number[s] = e->number;
		}
		seen |= one ? m & -m : 0;
	}
	return seen;
}

uint64_t joins_batch(struct joins *j, uint64_t mask, const uint64_t *header,
		     uint64_t number[static NFART_SLOTS])
{
	const struct nfart_proto *p = j->proto;
	uint64_t seen = joins_find(j, mask, header, number);
	struct joins_entry *e;

	if (j->entry == NULL)
		return seen;
	for (uint64_t m = mask; m != 0; m &= m - 1) {
		uint32_t s = (uint32_t)__builtin_ctzll(m);
		e = joins_answer(j, proto_code(p, s, header[s]), header[s]);
		if (e != NULL && e->state == JOINS_OPEN)
			e->state = JOINS_CLOSED;
	}
	for (uint64_t m = mask; m != 0; m &= m - 1) {
		uint32_t s = (uint32_t)__builtin_ctzll(m), code = proto_code(p, s, header[s]);
		for (uint32_t i = 0; i < p->joins.n; i++)
			if (bits_get(p->joins.at[i].requests, code))
				*joins_entry(j, i, p->joins.at[i].request_lsb, header[s]) =
					(struct joins_entry){ JOINS_OPEN, (seen & m & -m) != 0,
							      number[s] };
	}
	return seen;
}
