/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * fit_search.h: overlays on which filters fit: the cheapest, the Pareto front, and how far one
 * parameter alone must go. An overlay fits a filter when compiling for it ends with a placement,
 * splits of states included.
 */
#ifndef NFACC_BACKENDS_FIT_SEARCH_H
#define NFACC_BACKENDS_FIT_SEARCH_H

#include "backends/overlay/fit/fit_cost.h"
#include "backends/overlay/fit/fit_place.h"
#include "support/buf.h"
#include "support/vec.h"

/* A filter and what it needs besides room for its states. */
struct fit_unit {
	const struct nfa *nfa; /* homogeneous, borrowed */
	uint64_t labels, lines, window;
	uint64_t stes, counters, count_bits, preds; /* of the NFA: count_bits for the largest K */
	uint32_t slots, op_bits; /* of its protocol */
};

/* What s, and the NFA made of it, need; preds: distinct predicates. False: out of memory. */
bool fit_unit_init(struct fit_unit *u, const struct spec *s, const struct nfa *a);

/* Does the parameter say how much of something there is room for, other than STEs? `bank` counts only if
 * the overlay has one, counters only if the unit has some. */
bool fit_is_size(const struct overlay_param *p, const struct fit_unit *u, const struct overlay *o);

/* How much of such a parameter the unit needs in an overlay otherwise like o; 0 for other parameters. */
uint64_t fit_need(const struct fit_unit *u, const struct overlay_param *p, const struct overlay *o);

enum fit_answer { FIT_NO, FIT_YES, FIT_UNKNOWN, FIT_NO_MEMORY };

/* Do all n units fit o? Its sizes besides cliques count too. FIT_UNKNOWN: the mapper gave up, or no
 * work is left. */
enum fit_answer fit_all(const struct fit_unit *u, size_t n, const struct overlay *o,
			const struct map_options *map, fit_work_t *left);

/* The same with at most a share of what is left. */
enum fit_answer fit_share(const struct fit_unit *u, size_t n, const struct overlay *o,
			  const struct map_options *map, fit_work_t *left, fit_work_t share);

/* The STEs that the largest of n units needs without splits; at least 1. */
uint64_t fit_most_states(const struct fit_unit *u, size_t n);

/* The smallest value of one parameter with which all filters fit. All other parameters are those of `o`. */
struct fit_smallest {
	bool found;
	bool proved; /* no smaller value (if none was found: no value) lets the compiler place
			 * the filters; false: a limit was reached before that was known */
	uint32_t value;
};
/* Starts with the smallest value that gives enough STEs. Tries values in growing steps, then one by one
 * the values that were skipped, until `work` is spent. False: out of memory. */
bool fit_smallest(const struct fit_unit *u, size_t n, const struct overlay *o,
		  const struct overlay_param *param, const struct map_options *map, fit_work_t work,
		  struct fit_smallest *out);

/* Overlays that are searched: those with parameters from the lowest up to these. */
struct fit_range {
	uint32_t clique, length, rings, reach;
	uint32_t
		stes; /* at most so many STEs; 0: four times the states of the largest filter, and 16 */
};

struct fit_options {
	struct fit_range range;
	struct fit_weights weights;
	uint64_t probes; /* overlays tried at most, so that it ends */
	fit_work_t work; /* on all of them at most */
	bool cheapest;   /* stop with the first that is found: the cheapest */
	struct map_options map;
	const struct progress *progress; /* or NULL; that of map is not looked at */
};
void fit_options_init(struct fit_options *o);

struct fit_point {
	struct overlay o;
	struct fit_cost cost;
};

struct fit_result {
	VEC(struct fit_point)
	front;            /* none has fewer STEs and a smaller fan-in than another; by cost,
				      * so that the cheapest is first */
	uint64_t probes;  /* overlays tried */
	uint64_t unknown; /* of them: the mapper gave up */
	bool complete;    /* the whole range was looked at */
};

/* The parameter (labels, lines or window) of which some unit needs more than any overlay can have, and how
 * much it needs; NULL: there is none. */
const struct overlay_param *fit_impossible(const struct fit_unit *u, size_t n, uint64_t *need);

/* Searches the range by rising cost. Whatever is not C, L, R, N is that of `base`, except that lines,
 * labels, window and (where the decoder is bank) decoders are as few as the units need. *r is
 * overwritten; free it with fit_result_free(). NFART_OK, also where nothing fits; NFART_SYSTEM. */
enum nfart_status fit_search(const struct fit_unit *u, size_t n, const struct overlay *base,
			     const struct fit_options *o, struct fit_result *r);

/* The front as a table with a line on how it was found. */
void fit_print(const struct fit_result *r, struct buf *b);
void fit_result_free(struct fit_result *r);

#endif
