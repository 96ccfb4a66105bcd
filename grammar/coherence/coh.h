/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * coh.h: reads descriptions of coherence protocols (nfacc-coherence(5)), from which checkers are
 * derived (compiler/coherence/). A description has one of two forms:
 *
 *   - tables (T 4.3): variables for what the nodes know of a line, the combinations of values that
 *     are legal, and for each message what must hold before it and what holds after it;
 *   - rules: nodes with variables of their own, and rules by which the nodes send and receive.
 *
 * A test compares a variable with values. Tests, settings and rules are kept in arrays, in the
 * order of the text.
 */
#ifndef NFACC_GRAMMAR_COH_H
#define NFACC_GRAMMAR_COH_H

#include "contract/proto/proto.h"
#include "include/nfart_status.h"
#include "support/arena.h"
#include "support/diag.h"
#include "support/vec.h"

/* The most variables of a description, values of a variable, events and groups of events, and
 * messages that may be under way in one direction. */
enum {
	COH_VARS = 32, COH_VALUES = 32, COH_EVENTS = 64, COH_GROUPS = 32, COH_FLIGHT = 8,
	COH_LEGAL = 64, COH_PARTS = 1024
};

enum { COH_NODES = 8, COH_NONE = UINT32_MAX };

/* A variable. Its values are numbered in the order of the text. A *numbered* name was written with
 * a sign for a number of equal nodes, which is its last digit; `number` is that number, or
 * COH_NONE. */
struct coh_var {
	const char *name;
	struct diag_range range; /* where the name is declared */
	uint32_t node;      /* rules: the node whose variable it is */
	uint32_t number;
	uint32_t nvalues;
	const char *values[COH_VALUES]; /* rules: the first is the value at the start */
	struct diag_range ranges[COH_VALUES]; /* where the values are declared */
	uint32_t numbers[COH_VALUES]; /* of the values, as `number` */
};

enum coh_compare { COH_EQUAL, COH_UNEQUAL, COH_LESS, COH_LEAST, COH_MORE, COH_MOST };

/* A variable must have one of the values in `values` (bit set over numbers of values). If `other`
 * is not COH_NONE, its number must compare with that of variable `other` instead; after a message
 * this is the value before it. */
struct coh_test {
	uint32_t var;
	uint32_t values;
	uint32_t other;
	enum coh_compare compare;
	struct diag_range range; /* in a setting: its place, without the value */
};

/* `n` tests or settings from `first` on. */
struct coh_span {
	uint32_t first, n;
};

enum coh_rule_kind {
	COH_STEP,    /* the node changes its variables, and nobody sees it */
	COH_SEND,
	COH_RECEIVE,
	COH_MESSAGE  /* tables: what must hold before a message, and what holds after it */
};

struct coh_rule {
	enum coh_rule_kind kind;
	uint32_t node;        /* rules: the node that acts */
	uint32_t event;       /* index into coh.events; not in a COH_STEP */
	struct coh_span when; /* tests that must hold before */
	struct coh_span then; /* tables: tests that must hold after; rules: settings (value sets of
			       * one value) */
	struct diag_range range;
	uint32_t line;        /* line of the rule in its file, from 1 */
};

/* A test of a message's header, as guards have it (nfacc-filter(5)): the bits of the field under a
 * mask have a value from `first` to `last`; or, if `other` is set, another one than these, which
 * are then equal. */
struct coh_guard {
	uint32_t field; /* index into the protocol's fields, or PROTO_ADDR */
	uint64_t mask, first, last;
	bool other;
};

/* Messages of an event of the protocol that pass tests, which are in coh.guards. */
struct coh_messages {
	uint32_t proto; /* index into the protocol's events; COH_NONE: all that have the fields */
	struct coh_span guards;
	struct diag_range range;
};

/* An event: what is in its parts, from `parts.first` on in coh.parts. A message can be in several
 * parts. `let` is the name of the predicate that the text of checkers has for it; NULL: it is the
 * event of the protocol with all its messages. */
struct coh_event {
	const char *name;
	const char *let;
	struct coh_span parts;
	uint32_t home;  /* COH_NONE; or messages for this home that it has not the line of */
	uint32_t node;  /* rules: the node that sends it */
	uint32_t number; /* as of a variable */
	/* rules: the number of its class among those of the sender. Messages of one class keep
	 * their order. */
	uint32_t class;
	uint32_t receivers; /* rules: bit set over nodes: who receives it */
	struct diag_range range; /* where the description names it first */
};

/* A home: the messages of its parts are for lines whose address passes its guards. */
struct coh_home {
	const char *name;
	struct coh_span guards, parts;
	struct diag_range range; /* the statement */
	uint32_t line;           /* of the statement in its file, from 1 */
};

/* A set of events that has a name. */
struct coh_group {
	const char *name;
	uint64_t events; /* bit set over coh.events */
};

/* Where the messages are seen. */
enum coh_tap {
	COH_TAP_AT,     /* at a node, at the moment in which it sends or receives them */
	COH_TAP_BETWEEN /* between all nodes; messages can be under way on both sides of it */
};

/* The nodes of rules, and what is between them. */
struct coh_net {
	/* The nodes' groups in the protocol, and their names. Equal nodes can share a group: then
	 * their names are that of the group and a number. */
	uint32_t nodes[COH_NODES];
	const char *names[COH_NODES];
	uint32_t nnodes;
	uint32_t equal, nequal; /* the first of the equal nodes, and how many there are */
	uint32_t nclasses[COH_NODES]; /* by sender: how many classes its messages have */
	struct diag_range flight_range[COH_NODES]; /* where it is said; length 0: nowhere */
	uint32_t flight[COH_NODES]; /* by sender: how many messages may be under way */
	enum coh_tap tap;
	uint32_t tap_node;          /* COH_TAP_AT: the node */
};

struct coh {
	struct arena arena;
	struct {
		const char *text; /* the name of the checker, and the label of its errors */
		struct diag_range range;
	} name;
	const struct nfart_proto *proto; /* borrowed */
	bool rules;               /* the description has rules, not tables */
	bool known;               /* the stream begins when the nodes begin */
	uint32_t nvars, nevents, ngroups;
	struct coh_var vars[COH_VARS];
	struct coh_event events[COH_EVENTS];
	struct coh_group groups[COH_GROUPS];
	VEC(struct coh_guard) guards;
	VEC(struct coh_messages) parts;
	VEC(struct coh_home) homes;
	VEC(struct coh_test) tests;
	VEC(struct coh_rule) list; /* the rules, or the messages of tables */
	/* The legal combinations of tables: value v of variable i is entry [k][i] of combination
	 * k. */
	struct {
		uint32_t nlegal;
		uint8_t legal[COH_LEGAL][COH_VARS];
	} tables;
	struct coh_net net; /* of rules */
};

/* The caller's function that finds protocols, as in struct front_options. */
struct coh_options {
	const struct nfart_proto *(*find_protocol)(void *ctx, const char *name, size_t n);
	void *ctx;
};

/* Reads source `source` of d into *c, which need not be initialised. Returns NFART_OK, NFART_INPUT
 * after an error (reported), or NFART_SYSTEM if memory is short. Free *c with coh_free() in any
 * case. The cost is linear in the text. */
enum nfart_status coh_parse(struct diags *d, uint32_t source, const struct coh_options *o,
			    struct coh *c);
void coh_free(struct coh *c);

/* Returns the index of the event whose name is the n bytes at s, or COH_NONE. */
uint32_t coh_find_event(const struct coh *c, const char *s, size_t n);

/* Returns the set of the events that the n bytes at s name, as a group or an event; 0: nothing has
 * this name. */
uint64_t coh_find_events(const struct coh *c, const char *s, size_t n);

/* Returns the set of the events that the tap can see: all, but at a node not those that other nodes
 * send each other. */
uint64_t coh_tap_events(const struct coh *c);

/* Is a group, a type or an event of the protocol named by the n bytes at s? Then nothing in a
 * filter can have this name. */
bool coh_is_taken(const struct nfart_proto *p, const char *s, size_t n);

static inline const char *coh_event_name(const struct coh *c, uint32_t event)
{
	return c->events[event].name;
}

/* Returns the group of the protocol that the messages of an event come from. Those of all parts
 * come from one. */
static inline uint32_t coh_event_group(const struct coh *c, uint32_t event)
{
	const struct coh_messages *p = &c->parts.at[c->events[event].parts.first];

	return c->proto->names.events[p->proto].group;
}

/* Can messages with this code be in a part, by their event and the fields that they have? */
bool coh_part_has(const struct coh *c, const struct coh_messages *p, uint32_t code);

/* The same for the event alone, whatever fields they have. */
bool coh_part_is_of(const struct coh *c, const struct coh_messages *p, uint32_t code);

/* Returns the greatest value of a field in the messages of a part; 0: none of them has it. Of an
 * address it is in bytes. */
uint64_t coh_highest(const struct coh *c, const struct coh_messages *p, uint32_t field);

/* Returns the place of a field in messages with this code. bits = 0: they lack it. That of the
 * address is the index of the line. */
struct proto_place coh_field_place(const struct nfart_proto *p, uint32_t field, uint32_t code);

/* Does the test hold? `now` has the values of the variables, `before` those before a message. */
bool coh_holds(const struct coh_test *t, const uint8_t *now, const uint8_t *before);

/* Do all tests of a span hold? */
bool coh_all_hold(const struct coh *c, struct coh_span tests, const uint8_t *now,
		  const uint8_t *before);

#endif
