/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * system.h: what a description of coherence (grammar/coherence/coh.h) allows, as a graph. Its
 * states are those of the whole system: the legal combinations of tables, or, for rules, the
 * variables of both nodes with the messages under way. An edge is a move. The tap sees an event in
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

struct coh_system {
	uint32_t nstates;  /* state 0 is that at the start of rules */
	VEC(struct coh_edge) edges;  /* by the states that they leave */
	VEC(uint32_t) first; /* [nstates + 1]: the first edge that leaves each state */
	uint32_t values[COH_VARS]; /* bit set: the values that a variable has in any state */
	VEC(bool) used;    /* [rules of the description]: does any state allow the move? */
	/* The rule by which a node first could not send, because `flight` messages were under way;
	 * COH_NONE: it never came to that. */
	uint32_t blocked[COH_NODES];
};

enum { COH_MOST_STATES = 1 << 20 };

/* Makes the system of tables (T eq. 20): an edge for each legal combination, message, and legal
 * combination that can hold after it. False: out of memory. The cost is quadratic in the
 * combinations. */
bool system_of_tables(const struct coh *c, struct coh_system *s);

/* Explores the system of rules from its start. A state that no move leaves is an error in the
 * rules; it is reported with a shortest trace that leads there. Returns NFART_OK, NFART_INPUT after
 * that error, NFART_GAVEUP (reported) if there are more than `most` states, or NFART_SYSTEM. The
 * cost is linear in the states, times the rules. */
enum nfart_status system_of_rules(const struct coh *c, struct diags *d, uint32_t most,
				  struct coh_system *s);

/* Makes room for `used`, with no rule used, and none blocked. False: out of memory. */
bool system_init(const struct coh *c, struct coh_system *s);

void system_free(struct coh_system *s);

#endif
