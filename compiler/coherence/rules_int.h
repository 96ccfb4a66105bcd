/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * rules_int.h: what the exploration of rules (rules.c) shares with the report that they get stuck
 * (stuck.c).
 */
#ifndef NFACC_COMPILER_RULES_INT_H
#define NFACC_COMPILER_RULES_INT_H

#include "compiler/coherence/symmetry.h"
#include "compiler/coherence/system.h"

/* How a state was reached first. */
struct reached {
	uint32_t from, rule, event; /* as in struct coh_edge; the start has `from` COH_NONE */
	uint16_t renamed; /* the renaming of the state that makes it what the move led to */
};

/* Its states stand for orbits (symmetry.h). */
struct explorer {
	const struct coh *c;
	struct coh_system *s;
	struct symmetry y;
	VEC(struct state) states;
	VEC(struct reached) reached;
	VEC(uint16_t) renamed; /* by edge: as in struct reached */
	VEC(uint64_t) hashes;  /* of the states */
	struct hash_ids hash;  /* finds `states` */
	uint64_t tries;        /* what system_options.tries counts */
	uint64_t all;          /* how many states the orbits have in all, at least */
	bool failed;
};

/* Reports that no move leaves a state, with a shortest trace that leads there. Returns NFART_INPUT,
 * or NFART_SYSTEM. */
enum nfart_status report_stuck(const struct explorer *e, struct diags *d, uint32_t state);

#endif
