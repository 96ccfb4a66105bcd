/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * leap_parts.h: the parts into which an automaton falls while there are only ticks (leap.h, Note
 * [leaps]).
 *
 * Note [parts of a leap]
 * There are two kinds of parts:
 *
 *   linear    states that transitions connect, without counters. They begin as they are active.
 *   counter   one part for each counter. It has what drives the counter: all states and counters on
 *             which it depends; these are only watched. And it has the effect of the counter: the
 *             states to which its own state leads. These begin inactive, since what is active
 *             already is in a linear part.
 *
 * A state may be in several parts. It is active if it is so in one of those that report it: a
 * linear part, or the effect of a counter. This is right because the next set of active states is
 * the union of what each active state leads to. So counters that do not depend on each other are
 * not in one part, even if the same states drive them, or follow from them.
 */
#ifndef NFART_LEAP_PARTS_H
#define NFART_LEAP_PARTS_H

#include "runtime/engine/leap.h"

enum {
	LEAP_POWERS = 64,
	LEAP_MOST_LINEAR = 1 << 10 /* the most states of a part whose powers are computed */
};
#define LEAP_NEVER UINT32_MAX
#define LEAP_NO_PLACE UINT32_MAX

/* A counter of a part, with its lists as places of the part. */
struct leap_counter {
	const struct image_counter *counter;
	uint32_t place;
	struct image_list count, reset;
};

struct leap_part {
	/* The part has n places, counted from 0; state[i] is the state at place i. */
	uint32_t n;
	const uint32_t *state;
	/* The successors of place s are succ[succ_first[s]] to succ[succ_first[s + 1] - 1]. */
	const uint32_t *succ_first, *succ;
	uint64_t *initial;        /* the places that begin as their states are active */
	uint64_t *report;         /* the places that say which states are active afterwards */
	/* Where ways begin anew. */
	struct {
		uint64_t *set;    /* the places that need no predecessor */
		bool any;         /* there are such places */
		uint32_t far[2];  /* as `far` below, for the ways that begin in them */
	} source;
	bool may_log;
	uint64_t *logs;           /* the reporting places with a log mark */
	/* [1]: the reporting places with labels or a log mark; [0]: those with labels. */
	uint64_t *stop[2];
	/* [n], for both sets of `stop`: how many ticks there are at least from this place to one of
	 * them; LEAP_NEVER: none leads there. */
	uint32_t *far[2];
	uint32_t ncounters;
	/* [ncounters], in the order of the image; the last is the one that the part is for */
	struct leap_counter *counter;
	/* [k]: the matrix of 2^k ticks, or NULL if it was not needed yet. Row s has the places that
	 * s leads to. The last row, n, stands for the source, which also leads to itself. */
	uint64_t *power[LEAP_POWERS];
};

struct leap {
	struct nfart_engine *en;
	struct arena arena;
	struct leap_part *part;
	uint32_t nparts;
	bool many_log;            /* more than one part may log */
	/* Scratch, for the largest part. */
	uint64_t *now, *next, *mark[2], *row[2];
	uint32_t *now_counts, *next_counts, *mark_counts[2];
	uint64_t *result;         /* scratch: [en->words] */
	uint32_t *result_counts;  /* scratch: [ncounters + 1] */
};

/* Fills in *l, which is zeroed. False: out of memory. */
bool leap_parts_find(struct leap *l, struct nfart_engine *en);

/* Computes p->power[k], if it is not there. False: out of memory. */
bool leap_power(struct leap_part *p, uint32_t k);

/* Makes *to the union of those rows of a matrix that `from` names. All sets have `words` words. */
void leap_multiply(const uint64_t *from, const uint64_t *matrix, size_t words, uint64_t *to);

#endif
