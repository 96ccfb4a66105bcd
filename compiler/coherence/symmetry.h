/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * symmetry.h: which of the equal nodes of a description (grammar/coherence/coh_int.h, Note [equal
 * nodes]) can be renamed, and the renaming of states.
 *
 * Note [renaming]. A renaming gives each number of an equal node another number. It acts on the
 * nodes, and on all that has such a number at the end of its name because it was written with a
 * sign: events, variables and values. The description has a renaming as a *symmetry* if it is the
 * same afterwards: the start, the rules, the order of messages, `flight` and the tap. Signs alone
 * don't say so, because a rule can also name one node. So the exchange of each two numbers is
 * tried. Numbers that can be exchanged form classes, and the symmetries used are all renamings
 * within the classes.
 *
 * States that a symmetry leads to each other form an *orbit*. One of them stands for it: the least
 * in memory of those whose numbers are in the order of their hashes.
 */
#ifndef NFACC_COMPILER_SYMMETRY_H
#define NFACC_COMPILER_SYMMETRY_H

#include "compiler/coherence/state.h"
#include "support/vec.h"

enum { SYMMETRY_MOST = 40320 /* the renamings of COH_NODES numbers */ };

/* Number i becomes to[i]. */
struct renaming {
	uint8_t to[COH_NODES];
};

/* How a renaming is made of one before it: by the exchange `exchange` after it. */
struct renaming_made {
	uint16_t from;
	uint8_t exchange;
};

struct symmetry {
	const struct coh *c;        /* borrowed */
	uint32_t n;                 /* the numbers */
	uint8_t class[COH_NODES];   /* by number: the least number of its class */
	/* All symmetries; the first one changes nothing. */
	uint32_t nrenamings;
	VEC(struct renaming) renamings;
	VEC(struct renaming_made) made;
	uint16_t *id_of;            /* [n!]: the index of a renaming by its rank */
	/* The exchanges of which they are made: each has the events and rules after it. */
	uint32_t nexchanges;
	struct renaming exchange[COH_NODES];
	VEC(uint32_t) rules_after;  /* [nexchanges][rules] */
	/* What a thing becomes when its numbers become others; the number n stands for none. A
	 * variable has the number of its node and that of its name. COH_MISSING: there is no such
	 * thing. */
	uint8_t var_to[COH_VARS][COH_NODES + 1][COH_NODES + 1];
	uint8_t value_to[COH_VARS][COH_VALUES][COH_NODES + 1];
	uint8_t event_to[COH_EVENTS][COH_NODES + 1];
	/* What a variable with this value adds to the look of each number (orbit.c), and what
	 * stands for an event whichever number it has. */
	uint64_t look[COH_VARS][COH_VALUES][COH_NODES];
	uint8_t least_event[COH_EVENTS];
};

enum { COH_MISSING = 0xff };

/* Finds the symmetries of a description of rules. False: out of memory. Call symmetry_free() in
 * either case. The cost is that of sorting the rules, and of a search for each, for each two
 * numbers. */
bool symmetry_find(const struct coh *c, struct symmetry *y);
void symmetry_free(struct symmetry *y);

/* Fills in `look` and `least_event` from what is before them. Called by symmetry_find(). */
void symmetry_fill_looks(struct symmetry *y);

/* Are there none but that which changes nothing? */
static inline bool symmetry_is_trivial(const struct symmetry *y)
{
	return y->nrenamings == 1;
}

/* Returns the number of a node among the equal ones; y->n: it is none. */
static inline uint32_t number_of_node(const struct symmetry *y, uint32_t node)
{
	uint32_t i = node - y->c->net.equal;

	return i < y->n ? i : y->n;
}

static inline uint32_t renamed_number(const struct symmetry *y, const struct renaming *g,
				      uint32_t number)
{
	return number < y->n ? g->to[number] : y->n;
}

/* Return what becomes of a node, a variable, its value and an event. */
static inline uint32_t renamed_node(const struct symmetry *y, const struct renaming *g,
				    uint32_t node)
{
	uint32_t number = number_of_node(y, node);

	return number < y->n ? y->c->net.equal + g->to[number] : node;
}

static inline uint32_t renamed_var(const struct symmetry *y, const struct renaming *g, uint32_t var)
{
	const struct coh_var *v = &y->c->vars[var];

	return y->var_to[var][renamed_number(y, g, number_of_node(y, v->node))]
			[renamed_number(y, g, v->number)];
}

static inline uint32_t renamed_value(const struct symmetry *y, const struct renaming *g,
				     uint32_t var, uint32_t value)
{
	return y->value_to[var][value][renamed_number(y, g, y->c->vars[var].numbers[value])];
}

static inline uint32_t renamed_event(const struct symmetry *y, const struct renaming *g,
				     uint32_t event)
{
	return y->event_to[event][renamed_number(y, g, y->c->events[event].number)];
}

/* Writes to *out what becomes of state *x. */
void renamed_state(const struct symmetry *y, const struct renaming *g, const struct state *x,
		   struct state *out);

/* Returns the index of the renaming `g` after `h`. */
uint32_t renaming_after(const struct symmetry *y, const struct renaming *g,
			const struct renaming *h);

/* Writes to *out the state that stands for the orbit of *x, and to *least, unless it is NULL, how
 * many states the orbit has at least: as many as if those numbers that look alike could be
 * exchanged. Returns the index of a renaming by which *out becomes *x. The cost is that of renaming
 * the state once, and once more for each order of the numbers that look alike in it. */
uint32_t symmetry_canonical(const struct symmetry *y, const struct state *x, struct state *out,
			    uint32_t *least);

/* Writes to ids[0 .. nrenamings) the indices of the renamings that do not change state *x, rising,
 * and returns how many they are. */
uint32_t symmetry_fixing(const struct symmetry *y, const struct state *x, uint16_t *ids);

#endif
