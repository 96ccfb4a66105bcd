/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * system.h: what a description of coherence (grammar/coherence/coh.h) allows, as a graph. Its
 * states are those of the whole system: the legal combinations of tables, or, for rules, the
 * variables of the nodes with the messages under way. An edge is a move. The tap sees an event in
 * it, or nothing.
 */
#ifndef NFACC_COMPILER_SYSTEM_H
#define NFACC_COMPILER_SYSTEM_H

#include "grammar/coherence/coh.h"

struct coh_edge {
	uint32_t to;
	uint32_t event; /* what the tap sees: index into coh.events, or COH_NONE */
	uint32_t rule;  /* the rule by which a node moves; COH_NONE: a message passes the tap */
};

enum coh_part_kind { COH_PART_NONE, COH_PART_VARIABLE, COH_PART_MESSAGES };

/* A part of a state of the system, with those that a renaming makes of it. */
struct coh_part {
	enum coh_part_kind kind;
	uint32_t of;     /* the variable, or the node that sends the messages */
	bool others;     /* are there such? */
	uint32_t tenths; /* ten times its factor: how many states there are for one without it */
};

struct coh_system {
	uint32_t nstates;  /* state 0 is that at the start of rules */
	uint32_t norbits;  /* states, counted up to renaming of equal nodes (symmetry.h) */
	VEC(struct coh_edge) edges;  /* by the states that they leave */
	VEC(uint32_t) first; /* [nstates + 1]: the first edge that leaves each state */
	VEC(uint8_t) state_values; /* [nstates][nvars]: the values of the variables in each state */
	uint32_t values[COH_VARS]; /* bit set: the values that a variable has in any state */
	VEC(bool) used;    /* [rules of the description]: does any state allow the move? */
	/* The rule by which a node first could not send, because `flight` messages were under way;
	 * COH_NONE: it never came to that. */
	uint32_t blocked[COH_NODES];
	struct coh_part largest; /* of rules: the part that multiplies the states most */
};

/* The most states, counted up to renaming, and how many times as many there can be in all. */
enum { COH_MOST_STATES = 1 << 20, COH_MOST_TIMES = 4 };

/* How rules are explored. */
struct system_options {
	uint32_t most;  /* the most states up to renaming */
	/* How many times a rule is tried in a state, where a move counts as several; UINT64_MAX:
	 * any number. It bounds the time by a count, as in beliefs.h. */
	uint64_t tries;
};

#define COH_MOST_TRIES (UINT64_C(5) << 24)

/* Returns the most states in all. */
static inline uint64_t system_most_all(const struct system_options *how)
{
	uint64_t all = (uint64_t)how->most * COH_MOST_TIMES;

	return all < INT32_MAX ? all : INT32_MAX;
}

static const struct system_options system_usual = { COH_MOST_STATES, COH_MOST_TRIES };

/* Makes the system of tables (T eq. 20): an edge for each legal combination, message, and legal
 * combination that can hold after it. False: out of memory. The cost is quadratic in the
 * combinations. */
bool system_of_tables(const struct coh *c, struct coh_system *s);

/* Explores the system of rules from its start. A state that no move leaves is an error in the
 * rules; it is reported with a shortest trace that leads there. Returns NFART_OK, NFART_INPUT after
 * that error, NFART_GAVEUP (reported) if a limit is reached or there are more than COH_MOST_TIMES
 * `most` states in all, or NFART_SYSTEM. The cost is linear in the states up to
 * renaming, times the rules, and in all states, times the moves that leave each. */
enum nfart_status system_of_rules(const struct coh *c, struct diags *d,
				  const struct system_options *how, struct coh_system *s);

/* Adds the values that the variables have in the next state. False: out of memory. */
bool system_note_state(const struct coh *c, const uint8_t *values, struct coh_system *s);

/* Makes room for `used`, with no rule used, and none blocked. False: out of memory. */
bool system_init(const struct coh *c, struct coh_system *s);

void system_free(struct coh_system *s);

#endif
