/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Answers two questions. Does a filter fit an overlay? What is the smallest value of one parameter
 * of the overlay with which the filter fits?
 */
#include "backends/overlay/fit/fit_search.h"

#include <string.h>

#include "backends/overlay/fit/fit_place.h"

enum {
	LINEAR = 48,    /* at most so many values that leap() skipped are tried, the lowest first */
	GROWTH = 4,     /* the value that leap() tries after v is v + v / GROWTH + 1 */
	VALUE_SHARE = 4 /* the work on one value is at most 1 / VALUE_SHARE of all work */
};

bool fit_unit_init(struct fit_unit *u, const struct spec *s, const struct nfa *a)
{
	bool *seen = calloc(a->preds->preds.n + 1, 1);

	*u = (struct fit_unit){
		.nfa = a,
		.labels = s->labels.n,
		.lines = s->substreams.by_line ? s->substreams.nlines : 1,
		.window = s->window.before > s->window.after ? s->window.before : s->window.after,
		.proto.slots = s->proto->nslots,
		.proto.op_bits = s->proto->header.op_bits,
		.proto.header_bits = s->proto->header.bits,
		.time = s->stream.tick != 0 || s->stream.end,
		.after = s->window.before != s->window.after,
		.keys = s->substreams.field != NULL,
		.proto.broadcast = s->substreams.by_line &&
			     bits_any(s->proto->codes.broadcast, bits_words(s->proto->codes.n)),
		.proto.joins = s->substreams.by_line && s->proto->joins.n != 0,
		.key_ranges = s->substreams.by_line ? (uint32_t)s->substreams.ranges.n : 0,
	};
	for (size_t i = 0; seen != NULL && i < a->states.n; i++) {
		pred_id_t id = a->states.at[i].pred;
		if (id != PRED_NONE && !seen[id]) {
			seen[id] = true;
			u->needs.preds++;
		}
		if (a->states.at[i].kind == NFA_COUNTER) {
			uint32_t k = a->counters.at[a->states.at[i].counter].k, bits = 1;
			while (bits < 32 && k >> bits != 0)
				bits++;
			u->needs.count_bits =
				bits > u->needs.count_bits ? bits : u->needs.count_bits;
			u->needs.counters++;
		}
	}
	u->needs.stes = a->states.n - u->needs.counters;
	free(seen);
	return seen != NULL;
}

enum nfart_status fit_unit_tests(struct fit_unit *u, struct recode_need *need)
{
	enum nfart_status status;
	struct overlay o;

	overlay_default(&o, u->nfa->preds->alphabet.proto);
	status = recode_least(&o, u->nfa, need);
	u->tested = status == NFART_OK;
	u->least.guards = o.guards;
	u->least.ranges = o.ranges;
	u->least.letter_bits = o.letter_bits;
	u->least.payload = o.payload;
	u->least.payload_tests = o.payload_tests;
	return status;
}

/* ---- one overlay ---- */

bool fit_is_size(const struct overlay_param *p, const struct fit_unit *u, const struct overlay *o)
{
	switch (p->offset) {
	case offsetof(struct overlay, lines):
	case offsetof(struct overlay, labels):
	case offsetof(struct overlay, window):
		return true;
	case offsetof(struct overlay, bank):
		return o->decoder == OVERLAY_BANK;
	case offsetof(struct overlay, counters):
	case offsetof(struct overlay, counter_width):
		return u->needs.counters != 0;
	default:
		return false;
	}
}

uint64_t fit_need(const struct fit_unit *u, const struct overlay_param *p, const struct overlay *o)
{
	uint64_t cliques = (uint64_t)o->length * o->rings;

	switch (p->offset) {
	case offsetof(struct overlay, labels):
		return u->labels;
	case offsetof(struct overlay, lines):
		return u->lines;
	case offsetof(struct overlay, window):
		return u->window;
	case offsetof(struct overlay, bank):
		return o->decoder == OVERLAY_BANK ? u->needs.preds : 0;
	case offsetof(struct overlay, counters):
		return (u->needs.counters + cliques - 1) / cliques;
	case offsetof(struct overlay, counter_width):
		return u->needs.count_bits;
	case offsetof(struct overlay, guards):
		return u->least.guards;
	case offsetof(struct overlay, ranges):
		return u->least.ranges;
	case offsetof(struct overlay, letter_bits):
		return u->least.letter_bits;
	case offsetof(struct overlay, payload):
		return u->least.payload;
	case offsetof(struct overlay, payload_tests):
		return u->least.payload_tests;
	case offsetof(struct overlay, time):
		return u->time ? OVERLAY_TIME_YES : OVERLAY_TIME_NO;
	case offsetof(struct overlay, window_after):
		return u->after ? OVERLAY_AFTER_OWN : OVERLAY_AFTER_SAME;
	case offsetof(struct overlay, keys):
		return u->keys ? OVERLAY_KEYS_YES : OVERLAY_KEYS_NO;
	case offsetof(struct overlay, broadcast):
		return u->proto.broadcast ? OVERLAY_BROADCAST_YES : OVERLAY_BROADCAST_NO;
	case offsetof(struct overlay, joins):
		return u->proto.joins ? OVERLAY_JOINS_YES : OVERLAY_JOINS_NO;
	case offsetof(struct overlay, key_ranges):
		return u->key_ranges;
	default:
		return 0;
	}
}

/* Has the overlay enough tests and letters for the unit? Range tests can do what mask tests do. */
static bool has_tests(const struct fit_unit *u, const struct overlay *o)
{
	struct overlay t = *o;

	if (u->tested && o->guards >= u->least.guards && o->ranges >= u->least.ranges &&
	    o->letter_bits >= u->least.letter_bits && o->payload >= u->least.payload &&
	    o->payload_tests >= u->least.payload_tests)
		return true;
	overlay_tap(&t, u->nfa->preds->alphabet.proto);
	return recode_fits(&t, u->nfa);
}

static bool is_tests(const struct overlay_param *p)
{
	return p->offset == offsetof(struct overlay, guards) ||
	       p->offset == offsetof(struct overlay, ranges) ||
	       p->offset == offsetof(struct overlay, letter_bits) ||
	       p->offset == offsetof(struct overlay, payload) ||
	       p->offset == offsetof(struct overlay, payload_tests);
}

static bool has_sizes(const struct fit_unit *u, const struct overlay *o)
{
	struct overlay t = *o;

	for (size_t i = 0; i < noverlay_params; i++)
		if (!is_tests(&overlay_params[i]) &&
		    fit_need(u, &overlay_params[i], o) > *overlay_field(&t, &overlay_params[i]))
			return false;
	return u->needs.stes <= (uint64_t)o->clique * o->length * o->rings && has_tests(u, o);
}

uint64_t fit_most_states(const struct fit_unit *u, size_t n)
{
	uint64_t most = 1;

	for (size_t i = 0; i < n; i++)
		most = u[i].needs.stes > most ? u[i].needs.stes : most;
	return most;
}

enum fit_answer fit_all(const struct fit_unit *u, size_t n, const struct overlay *o,
			const struct map_options *map, fit_work_t *left)
{
	enum fit_answer answer = FIT_YES;

	if (overlay_check(o) != NULL)
		return FIT_NO;
	for (size_t i = 0; i < n; i++)
		if (!has_sizes(&u[i], o))
			return FIT_NO;
	if (fit_most_states(u, n) <= o->clique || contract_degree(o) == overlay_ncliques(o))
		/* Any placement will do: one clique is enough, or all cliques are adjacent. */
		return FIT_YES;
	for (size_t i = 0; i < n && (answer == FIT_YES || answer == FIT_UNKNOWN); i++) {
		struct placement p;
		enum nfart_status status = placement_find(&p, u[i].nfa, o, map, left);
		placement_free(&p);
		if (status != NFART_OK)
			answer = status == NFART_NOFIT    ? FIT_NO
				 : status == NFART_SYSTEM ? FIT_NO_MEMORY
							  : FIT_UNKNOWN;
	}
	return answer;
}

enum fit_answer fit_share(const struct fit_unit *u, size_t n, const struct overlay *o,
			  const struct map_options *map, fit_work_t *left, fit_work_t share)
{
	fit_work_t own = share < *left ? share : *left, before = own;
	enum fit_answer answer = fit_all(u, n, o, map, &own);

	*left -= before - own;
	return answer;
}

/* ---- one parameter ---- */

static uint64_t most_edges(const struct fit_unit *u, size_t n)
{
	uint64_t most = 0;

	for (size_t i = 0; i < n; i++)
		most = u[i].nfa->edges.n > most ? u[i].nfa->edges.n : most;
	return most;
}

/* Finds the values of parameter `param` that are worth trying: *first to *last. With a value below
 * *first the overlay has too few STEs, or cannot hold what the units ask for. With a value above
 * *last its graph stays the same, or has more STEs than the units can use, even if their states are
 * split. */
static void find_values(const struct fit_unit *u, size_t n, const struct overlay *o,
			const struct overlay_param *param, uint64_t *first, uint64_t *last)
{
	struct overlay t = *o;
	uint64_t states = fit_most_states(u, n), others, value = *overlay_field(&t, param);

	*first = param->lowest;
	*last = param->highest;
	if (param->offset == offsetof(struct overlay, reach)) {
		*last = o->rings / 2;
	} else if (param->offset == offsetof(struct overlay, clique) ||
		   param->offset == offsetof(struct overlay, length) ||
		   param->offset == offsetof(struct overlay, rings)) {
		others = (uint64_t)o->clique * o->length * o->rings / value;
		*first = (states + others - 1) / others;
		if (param->offset != offsetof(struct overlay, clique))
			states = 2 * (states + most_edges(u, n)) + 4;
		*last = states < *last ? states : *last;
	} else {
		for (size_t i = 0; i < n; i++) {
			uint64_t need = fit_need(&u[i], param, o);
			*first = need > *first ? need : *first;
		}
		/* a larger size than what is needed never helps */
		*last = *first < *last ? *first : *last;
	}
}

/* Tries values from `first` to `last` in growing steps until one fits, and stores that value in
 * *out. `value` points to the parameter in *o. out->proved becomes false if a smaller value may
 * fit. Returns the answer for the last value tried. */
static enum fit_answer leap(const struct fit_unit *u, size_t n, struct overlay *o, uint32_t *value,
			    uint64_t first, uint64_t last, const struct map_options *map,
			    fit_work_t *left, struct fit_smallest *out)
{
	fit_work_t share = *left / VALUE_SHARE;
	enum fit_answer answer = FIT_NO;

	for (uint64_t v = first, step; v <= last && answer != FIT_NO_MEMORY; v += step) {
		*value = (uint32_t)v;
		answer = fit_share(u, n, o, map, left, share);
		step = v / GROWTH + 1;
		step = v < last && step > last - v ? last - v : step;
		out->proved = out->proved && answer == FIT_NO && (step == 1 || v == last);
		if (answer == FIT_YES) {
			out->found = true;
			out->value = (uint32_t)v;
			break;
		}
	}
	return answer;
}

bool fit_smallest(const struct fit_unit *u, size_t n, const struct overlay *o,
		  const struct overlay_param *param, const struct map_options *map, fit_work_t work,
		  struct fit_smallest *out)
{
	struct overlay t = *o;
	uint32_t *value = overlay_field(&t, param);
	enum fit_answer answer;
	uint64_t first, last, v;
	fit_work_t left = work;

	find_values(u, n, o, param, &first, &last);
	*out = (struct fit_smallest){ .proved = true };
	answer = leap(u, n, &t, value, first, last, map, &left, out);
	if (answer == FIT_NO_MEMORY || (!out->found && out->proved))
		return answer != FIT_NO_MEMORY;
	/* Tries the values that leap() skipped, from the lowest on, until the work is spent or
	 * LINEAR values were tried. */
	out->proved = true;
	last = out->found ? (uint64_t)out->value - 1 : last;
	for (v = first; v <= last && v - first < LINEAR && left != 0; v++) {
		*value = (uint32_t)v;
		answer = fit_share(u, n, &t, map, &left, work / VALUE_SHARE / 2);
		if (answer == FIT_NO_MEMORY)
			return false;
		if (answer == FIT_YES) {
			out->found = true;
			out->value = (uint32_t)v;
			return true;
		}
		out->proved = out->proved && answer == FIT_NO;
	}
	out->proved = out->proved && v > last;
	return true;
}
