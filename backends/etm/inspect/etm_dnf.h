/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * etm_dnf.h: events of a trace unit as alternatives of conditions, the form that conditions have in
 * the language. A state here is a state of the sequencer together with the levels of counters:
 * state s with the set l of counters at zero has the number s + 4 * l.
 */
#ifndef NFACC_BACKENDS_ETM_ETM_DNF_H
#define NFACC_BACKENDS_ETM_ETM_DNF_H

#include "backends/etm/etm_decode.h"

enum { ETM_ALL_STATES = ETM_STATES << ETM_COUNTERS, ETM_DNF_ANY = 4, ETM_DNF_TERMS = 48 };

/* All of this holds. */
struct etm_term {
	unsigned nany;
	uint64_t any[ETM_DNF_ANY]; /* of each set of inputs, at least one is active */
	uint64_t none;             /* none of these inputs is */
	uint8_t at, not_at;        /* pulses that there are, and that there are not */
	uint64_t states;           /* the state is one of these */
};

/* At least one of the terms holds. */
struct etm_dnf {
	unsigned n;
	struct etm_term term[ETM_DNF_TERMS];
	bool too_large; /* there was no room for all terms */
};

/* Returns the event, or with `inv` its negation. `levels` are the counters without RLDSELF. */
struct etm_dnf etm_dnf_of(const struct etm_event *e, bool inv, uint8_t levels);

/* Returns: both hold; at least one holds. */
struct etm_dnf etm_dnf_and(const struct etm_dnf *x, const struct etm_dnf *y);
struct etm_dnf etm_dnf_or(const struct etm_dnf *x, const struct etm_dnf *y);

/* Returns what always holds in the set of states. */
struct etm_dnf etm_dnf_in(uint64_t states);

#endif
