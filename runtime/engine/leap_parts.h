/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * leap_parts.h: the parts into which an automaton falls while there are only ticks (leap.h, Note
 * [leaps]). The states of a part have places in it, counted from 0.
 */
#ifndef NFART_LEAP_PARTS_H
#define NFART_LEAP_PARTS_H

#include "runtime/engine/leap.h"

enum {
	LEAP_POWERS = 64,
	LEAP_MOST_LINEAR = 1 << 10 /* the most states of a part whose powers are computed */
};
#define LEAP_NEVER UINT32_MAX
#define LEAP_NO_PART UINT32_MAX

struct leap_part {
	uint32_t n;
	const uint32_t *state;    /* [n]: the state at each place */
	/* The successors of place s are leap.succ[succ_first[s]] to leap.succ[succ_first[s + 1] -
	 * 1], also places. */
	const uint32_t *succ_first;
	uint64_t *source;         /* the places that need no predecessor */
	bool sourced;             /* there are such places */
	bool may_log;
	uint64_t *logs;           /* the places with a log mark */
	/* [1]: the places with labels or a log mark; [0]: those with labels. */
	uint64_t *stop[2];
	/* [n], for both sets of `stop`: how many ticks there are at least from this place to one of
	 * them; LEAP_NEVER: none leads there. source_far is the same for ways that begin anew. */
	uint32_t *far[2], source_far[2];
	uint32_t ncounters;
	const struct image_counter **counter; /* [ncounters], in the order of the image */
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
	uint32_t *place;          /* [states]: the place of a state in its part, or LEAP_NO_PART */
	uint32_t *succ;
	/* Scratch, for the largest part. */
	uint64_t *now, *next, *mark[2], *row[2];
	uint32_t *now_counts, *next_counts, *mark_counts[2];
};

/* Fills in *l, which is zeroed. False: out of memory. */
bool leap_parts_find(struct leap *l, struct nfart_engine *en);

/* Computes p->power[k], if it is not there. False: out of memory. */
bool leap_power(struct leap *l, struct leap_part *p, uint32_t k);

/* Makes *to the union of those rows of a matrix that `from` names. All sets have `words` words. */
void leap_multiply(const uint64_t *from, const uint64_t *matrix, size_t words, uint64_t *to);

#endif
