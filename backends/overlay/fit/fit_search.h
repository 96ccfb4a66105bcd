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
#include "backends/overlay/pack/recode.h"
#include "support/buf.h"
#include "support/vec.h"

/* A filter, and what it needs of an overlay besides connections. */
struct fit_unit {
	const struct nfa *nfa; /* the filter's homogeneous NFA, borrowed */
	uint64_t labels, lines, window;
	struct {
		uint64_t stes,      /* how many STEs the NFA needs */
			counters,   /* how many counters the NFA needs */
			count_bits, /* how many bits a counter needs for the largest K */
			preds;      /* how many different predicates the NFA has */
	} needs;
	struct {
		uint32_t slots,      /* how many slots the filter's protocol has */
			op_bits,     /* how many bits an opcode of it has */
			header_bits; /* how many bits a header of it has */
		bool broadcast;      /* it has messages for all substreams */
		bool joins;          /* it has joins, and the filter has substreams */
	} proto;
	bool time,           /* the filter sees ticks or the end */
		after,       /* its window has two sizes */
		keys;        /* its substreams are of a field */
	uint32_t key_ranges; /* how many ranges its substreams have; 0: it has none */
	bool tested;
	/* With `tested`: the least tests, bits of a letter and of payload with which it fits. */
	struct {
		uint32_t guards, ranges, letter_bits, payload, payload_tests;
	} least;
};

/* Fills *u with what a filter needs. s is its spec, and `a` is the NFA made of s, which *u borrows.
 * False: out of memory. */
bool fit_unit_init(struct fit_unit *u, const struct spec *s, const struct nfa *a);

/* Finds the least tests that the unit needs; without this call fit_search() keeps those
 * of its base. Returns what recode_least() returns, and *need is as there. */
enum nfart_status fit_unit_tests(struct fit_unit *u, struct recode_need *need);

/* Is parameter p a size? Sizes say how much of something other than STEs an overlay has: lines,
 * labels, window, shared decoders, counters and their width. Shared decoders are a size only if
 * overlay o has some; counters and their width are sizes only if the unit has counters. */
bool fit_is_size(const struct overlay_param *p, const struct fit_unit *u, const struct overlay *o);

/* Returns how large parameter p must at least be for the unit, in an overlay whose other parameters
 * are those of o. Returns 0 if p is no size. */
uint64_t fit_need(const struct fit_unit *u, const struct overlay_param *p, const struct overlay *o);

enum fit_answer { FIT_NO, FIT_YES, FIT_UNKNOWN, FIT_NO_MEMORY };

/* Do all n units fit overlay o? Each unit must fit the sizes of o and must have a placement. *left
 * falls by the work done. FIT_UNKNOWN: the mapper gave up, or no work is left. */
enum fit_answer fit_all(const struct fit_unit *u, size_t n, const struct overlay *o,
			const struct map_options *map, fit_work_t *left);

/* Does the same as fit_all(), but spends at most `share` units of the work *left. */
enum fit_answer fit_share(const struct fit_unit *u, size_t n, const struct overlay *o,
			  const struct map_options *map, fit_work_t *left, fit_work_t share);

/* Returns how many STEs the largest of n units needs if no state is split; at least 1. */
uint64_t fit_most_states(const struct fit_unit *u, size_t n);

/* What fit_smallest() finds: the smallest value of one parameter with which all filters fit. */
struct fit_smallest {
	bool found;
	/* true: it is certain that no value smaller than `value` works or, if `found` is false,
	 * that no value works. false: a limit was reached before this was certain. */
	bool proved;
	uint32_t value;
};
/* Searches for the smallest value of `param` with which all n units fit; all other parameters are
 * those of `o`. First tries values in growing steps, from the smallest one that gives enough STEs,
 * until a value fits. Then tries the skipped values one by one, until `work` is spent. False: out
 * of memory. */
bool fit_smallest(const struct fit_unit *u, size_t n, const struct overlay *o,
		  const struct overlay_param *param, const struct map_options *map, fit_work_t work,
		  struct fit_smallest *out);

/* The range of overlays that are searched. Each of C, L, R and N goes from its lowest value up to
 * the value given here. */
struct fit_range {
	uint32_t clique, length, rings, reach;
	/* most STEs of an overlay; 0: 4 * s + 16, where the largest filter needs s STEs */
	uint32_t stes;
};

struct fit_options {
	struct fit_range range;
	struct fit_weights weights;
	uint64_t probes; /* how many overlays are tried at most */
	fit_work_t work; /* most work on all overlays together */
	bool cheapest;   /* stop at the first overlay that fits, which is the cheapest */
	struct map_options map;
	/* where progress is reported; NULL: nowhere. The field `progress` of `map` is ignored. */
	const struct progress *progress;
};
void fit_options_init(struct fit_options *o);

struct fit_point {
	struct overlay o;
	struct fit_cost cost;
};

struct fit_result {
	/* The overlays that were found, by rising cost. For any two of them, one has fewer STEs and
	 * the other has a smaller fan-in. */
	VEC(struct fit_point) front;
	uint64_t probes;  /* how many overlays were tried */
	uint64_t unknown; /* for how many of the overlays that were tried the mapper gave up */
	bool complete;    /* true: the whole range of overlays was searched */
	const char *conflict; /* why no overlay is as `base` and has what the units need; or NULL */
};

/* Returns a parameter (for example labels) of which some unit needs more than any overlay can have,
 * and sets *need to the value that the unit needs. NULL: there is no such parameter. */
const struct overlay_param *fit_impossible(const struct fit_unit *u, size_t n, uint64_t *need);

/* Searches the range o->range in the order of cost. Of the parameters other than C, L, R and N,
 * lines, labels, window and shared decoders are as few as the units need; counters, tests of
 * headers, bits of a letter and time are raised to what the units need; the others are those of
 * `base`. *r is overwritten; free it with fit_result_free(). NFART_OK, even if nothing fits;
 * NFART_SYSTEM: out of memory. */
enum nfart_status fit_search(const struct fit_unit *u, size_t n, const struct overlay *base,
			     const struct fit_options *o, struct fit_result *r);

/* Appends the front as a table, and a line that says how much was searched. */
void fit_print(const struct fit_result *r, struct buf *b);
void fit_result_free(struct fit_result *r);

#endif
