/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * pair_events.h: what messages are to the rules for pairs (contract/proto/proto.h, Note [pairs]).
 *
 * An *event* says that a message is a request, or an answer, of one rule. A message has an event
 * for each such role, and most have one or none. The messages of a batch are simultaneous, and its
 * answers never belong to its own requests: so the events of its answers come before those of its
 * requests. After that it no longer matters which events are of the same batch.
 */
#ifndef NFART_PAIRS_PAIR_EVENTS_H
#define NFART_PAIRS_PAIR_EVENTS_H

#include "contract/proto/proto.h"
#include "include/nfart.h"
#include "support/vec.h"

struct nfart_reader;
struct trace_block;
struct trace_clock;

struct pair_event {
	uint64_t key, time, header; /* key: the values of the rule's keys, one after the other */
	uint16_t rule;
	uint8_t slot;
	bool request;  /* false: it is an answer */
	uint32_t role; /* the index of its role in pair_events.roles */
};

/* A part of a key: where its value is in the header, and where it goes in the key. */
struct pair_part {
	uint8_t lsb, shift;
	uint64_t mask; /* of the value, which begins at bit 0 */
};

/* What messages of a code are to a rule. */
struct pair_role {
	/* The key is what the header has under `mask`, if it has its keys in the same place in all
	 * messages of the rule: then `nparts` is 0. Else it is put together from these parts. */
	uint64_t mask;
	/* What events of the role have, in the order in which they have it, so that one load and
	 * one store copy it. */
	uint16_t rule;
	uint8_t slot;
	bool request;
	uint32_t role;
	uint32_t part, nparts, code;
};

struct pair_events {
	const struct nfart_proto *proto;
	/* [ncodes + 1]: the first role of each code. Roles as answer come before those as
	 * request. */
	uint32_t *first;
	/* [ncodes]: the role of each code that has only one; 0, which is the role of no message: it
	 * has none; PAIR_ROLES_MANY, also for codes of headers that are no messages */
	uint32_t *only;
	VEC(struct pair_role) roles;
	VEC(struct pair_part) parts;
	uint32_t most;  /* the most roles of a code */

	/* ---- filled by the functions below ---- */
	VEC(struct pair_event) all;
	size_t kept; /* so many of `all` are there before those of the current chunk */
	/* Of the chunk, or of what was added since pair_events_clear(): how many batches there
	 * were, with events and without, and their times; first_time > last_time: none. */
	uint64_t batches, messages;
	uint64_t first_time, last_time;
	bool plain;  /* the payload that was checked last has nothing but batches with messages */
	bool failed; /* memory was short */
};

#define PAIR_ROLES_MANY UINT32_MAX

/* Prepares *x for the rules of a protocol, which must outlive it. False: out of memory.
 * pair_events_free() is called in either case. */
bool pair_events_init(struct pair_events *x, const struct nfart_proto *p);
void pair_events_free(struct pair_events *x);

/* Forgets all events but the first `kept` ones, and the batches that they are of. */
void pair_events_clear(struct pair_events *x);

/* Appends the events of the messages in `slots` of a batch at `time`. The headers of these slots
 * are header[slot]. False: out of memory. Cost: linear in messages and roles. */
bool pair_events_add(struct pair_events *x, uint64_t time, uint64_t slots, const uint64_t *header);

/* Appends the events of the `count` dense rows at p. False: out of memory. */
bool pair_events_add_rows(struct pair_events *x, const unsigned char *p, uint32_t count);

/* Makes *v the event that a message is to a rule, as a request or an answer, at time 0. False: it
 * is none, or there is no such message. */
bool pair_events_find(const struct pair_events *x, uint32_t rule, uint32_t slot, uint64_t header,
		      bool request, struct pair_event *v);

/* Checks the records of a chunk in place of the reader (struct nfart_reader, check), and makes the
 * events of *ctx, a struct pair_events, behind the `kept` ones, those of this chunk. False: the
 * payload is not valid, or memory ran out (`failed` says so). */
bool pair_events_check(void *ctx, const struct nfart_reader *r, struct trace_clock *clock,
		       const unsigned char *p, size_t n, uint32_t count);

#endif
