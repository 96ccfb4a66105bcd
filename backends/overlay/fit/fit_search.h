/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * fit_search.h: searches for overlays on which filters fit. It finds the cheapest overlay, the
 * Pareto front of STEs and fan-in, and the smallest sufficient value of one parameter alone. An
 * overlay fits a filter if compiling the filter for it ends with a placement, of the NFA or of
 * one with states split.
 */
#ifndef NFACC_BACKENDS_FIT_SEARCH_H
#define NFACC_BACKENDS_FIT_SEARCH_H

#include "backends/overlay/fit/fit_cost.h"
#include "backends/overlay/fit/fit_place.h"
#include "support/buf.h"
#include "support/vec.h"

/* A filter, and what it needs of an overlay besides connections. */
struct fit_unit {
	const struct nfa *nfa; /* the filter's NFA: homogeneous, borrowed */
	uint64_t labels, lines, window;
	/* what the NFA needs; count_bits: bits of a counter for its largest K;
	 * preds: distinct predicates */
	uint64_t stes, counters, count_bits, preds;
	uint32_t slots, op_bits; /* the filter's protocol: slots, bits of an opcode */
};

/* Fills *u with what s and the NFA made of s need; borrows `a`. False: out of memory. */
bool fit_unit_init(struct fit_unit *u, const struct spec *s, const struct nfa *a);

/* Is the parameter a size: does it say how much of something other than STEs there is room for?
 * `bank` is a size only if the overlay has shared decoders, and the counters and their width only
 * if the unit has counters. */
bool fit_is_size(const struct overlay_param *p, const struct fit_unit *u, const struct overlay *o);

/* How large parameter p must at least be for the unit, in an overlay otherwise
 * like o; 0 if p is no size. */
uint64_t fit_need(const struct fit_unit *u, const struct overlay_param *p, const struct overlay *o);

enum fit_answer { FIT_NO, FIT_YES, FIT_UNKNOWN, FIT_NO_MEMORY };

/* Do all n units fit overlay o? They must fit its sizes and must have a placement. *left falls by
 * the work done. FIT_UNKNOWN: the mapper gave up, or no work is left. */
enum fit_answer fit_all(const struct fit_unit *u, size_t n, const struct overlay *o,
			const struct map_options *map, fit_work_t *left);

/* fit_all() with at most `share` of the work *left. */
enum fit_answer fit_share(const struct fit_unit *u, size_t n, const struct overlay *o,
			  const struct map_options *map, fit_work_t *left, fit_work_t share);

/* How many STEs the largest of n units needs if no state is split; at least 1. */
uint64_t fit_most_states(const struct fit_unit *u, size_t n);

/* What fit_smallest() finds: the smallest value of one parameter with which all filters fit. */
struct fit_smallest {
	bool found;
	/* It is known that no smaller value works or, if `found` is false, that no value does. If
	 * `proved` is false, a limit was reached before that was known. */
	bool proved;
	uint32_t value;
};
/* Searches for the smallest value of `param` with which all n units fit; all other parameters are
 * those of `o`. Starts with the smallest value that gives enough STEs, goes on in growing steps
 * until one fits, then tries the values that were skipped one by one, until `work` is spent.
 * False: out of memory. */
bool fit_smallest(const struct fit_unit *u, size_t n, const struct overlay *o,
		  const struct overlay_param *param, const struct map_options *map, fit_work_t work,
		  struct fit_smallest *out);

/* The overlays that are searched. Each parameter goes from its lowest value up
 * to the one given here. */
struct fit_range {
	uint32_t clique, length, rings, reach;
	uint32_t stes; /* the most STEs; 0: four times those of the largest filter, plus 16 */
};

struct fit_options {
	struct fit_range range;
	struct fit_weights weights;
	uint64_t probes; /* at most so many overlays are tried, so that the search ends */
	fit_work_t work; /* the most work on all overlays together */
	bool cheapest;   /* stop at the first overlay that fits: it is the cheapest */
	struct map_options map;
	const struct progress *progress; /* may be NULL; map.progress is ignored */
};
void fit_options_init(struct fit_options *o);

struct fit_point {
	struct overlay o;
	struct fit_cost cost;
};

struct fit_result {
	/* The overlays found, by rising cost. None has at most as many STEs and at most the
	 * fan-in of another one. */
	VEC(struct fit_point) front;
	uint64_t probes;  /* how many overlays were tried */
	uint64_t unknown; /* for how many of these the mapper gave up */
	bool complete;    /* was the whole range looked at? */
};

/* Returns a parameter (labels, lines or window) of which some unit needs more than any overlay can
 * have, and sets *need to what it needs; NULL: there is no such parameter. */
const struct overlay_param *fit_impossible(const struct fit_unit *u, size_t n, uint64_t *need);

/* Searches the range in the order of cost. Parameters other than C, L, R and N are those of `base`,
 * with these exceptions: lines, labels, window and shared decoders are as few as the units need,
 * and counters are raised to what they need. *r is overwritten; free it with fit_result_free().
 * NFART_OK, even if nothing fits; NFART_SYSTEM: out of memory. */
enum nfart_status fit_search(const struct fit_unit *u, size_t n, const struct overlay *base,
			     const struct fit_options *o, struct fit_result *r);

/* Appends the front as a table, and a line that says how much was searched. */
void fit_print(const struct fit_result *r, struct buf *b);
void fit_result_free(struct fit_result *r);

#endif
