/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * joins.h: the tables of joins (contract/proto/proto.h, Note [joins]), which give answers without
 * the key of the substreams the copy of their request.
 */
#ifndef NFART_JOINS_H
#define NFART_JOINS_H

#include "runtime/engine/copies.h"

enum joins_entry_state {
	JOINS_NEVER, /* no request had this number */
	JOINS_OPEN,
	JOINS_CLOSED /* the answer has come */
};

struct joins_entry {
	enum joins_entry_state state;
	bool seen;       /* there is a copy for the request */
	uint64_t number; /* with `seen`: that of the copy */
};

struct joins {
	const struct copies *map;       /* borrowed, as is the protocol */
	const struct nfart_proto *proto;
	/* [joins][1 << PROTO_JOIN_BITS]. NULL: nothing is joined, as there are no joins or no
	 * substreams. */
	struct joins_entry *entry;
	struct nfart_joins count;
};

/* Makes empty tables for an image with these copies. False: out of memory. joins_free() frees what
 * they hold. */
bool joins_init(struct joins *j, const struct nfart_image *im, const struct copies *map);
void joins_free(struct joins *j);

/* Empties the tables. The counts stay. */
void joins_reset(struct joins *j);

/* Finds the copies that the messages of a batch are for. `mask` is the set of slots that have a
 * message. Returns the set of those whose message is for one copy, and writes the copies' numbers to
 * number[], by slot. Moves the tables on, so that each batch is given once. */
uint64_t joins_batch(struct joins *j, uint64_t mask, const uint64_t *header,
		     uint64_t number[static NFART_SLOTS]);

#endif
