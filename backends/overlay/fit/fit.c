/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "backends/overlay/fit/fit.h"
#include "backends/overlay/overlay.h"

#include <inttypes.h>
#include <string.h>

#include "backends/overlay/fit/explain_fit.h"
#include "backends/overlay/fit/fit_place.h"
#include "backends/overlay/map/map.h"
#include "backends/overlay/pack/pack_copies.h"
#include "backends/overlay/pack/recode.h"

static const struct diag_range nowhere = { DIAG_NO_SOURCE, 0, 0 };

/* Returns the first of the n links that leads from a counter, or NULL if no link does. Every link
 * ends in a counter (ir/nfa.h, Note [counters]), so such a link connects two counters. */
static const struct nfa_link *chained(const struct nfa *a, const struct nfa_link *l, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (a->states.at[l[i].from].kind == NFA_COUNTER)
			return &l[i];
	return NULL;
}

/* Reports the first counter that counts, or is reset by, another counter: NFART_NOFIT, since no
 * overlay can do that. */
static enum nfart_status compare_chains(struct target_job *job)
{
	const struct nfa *a = job->nfa;
	size_t n = 0;
	struct nfa_link *l = nfa_links(a, &n);
	const struct nfa_link *chain;
	enum nfart_status status = NFART_OK;

	if (l == NULL)
		return NFART_SYSTEM;
	chain = chained(a, l, n);
	if (chain != NULL) {
		size_t at = diag_report(
			job->diags, DIAG_ERROR, "no-fit", a->states.at[chain->to].range,
			"counter '%s' counts or is reset by counter '%s' in the same batch, "
			"which no overlay can do",
			a->counters.at[a->states.at[chain->to].counter].name,
			a->counters.at[a->states.at[chain->from].counter].name);
		explain_none(job, at);
		status = NFART_NOFIT;
	}
	free(l);
	return status;
}

/* Reports an error if the overlay has too few counters, or if they have too few bits. *at becomes
 * the index of the last error in the diagnostics. */
static enum nfart_status compare_counters(struct target_job *job, const struct fit_unit *u,
					  size_t *at)
{
	const struct overlay *o = &job->made.overlay;
	const struct nfa *a = job->nfa;
	const char *name = job->setup->name;
	size_t errors = job->diags->errors;

	for (size_t s = 0, k = 0; s < a->states.n; s++) {
		const struct nfa_counter *c;
		if (a->states.at[s].kind != NFA_COUNTER)
			continue;
		c = &a->counters.at[a->states.at[s].counter];
		if (o->counters == 0)
			*at = diag_report(job->diags, DIAG_ERROR, "no-counters", c->range,
					  "counter '%s': overlay '%s' has no counters", c->name,
					  name);
		else if (k++ == overlay_ncounters(o))
			*at = diag_report(job->diags, DIAG_ERROR, "no-fit", c->range,
					  "%" PRIu64 " counters, but overlay '%s' has %" PRIu32,
					  u->needs.counters, name, overlay_ncounters(o));
		if (o->counters != 0 && o->counter_width < 32 && c->k >> o->counter_width != 0)
			*at = diag_report(job->diags, DIAG_ERROR, "no-fit", c->range,
					  "counter '%s' counts to %" PRIu32
					  ", but those of overlay '%s' "
					  "have %" PRIu32 " bits",
					  c->name, c->k, name, o->counter_width);
	}
	return job->diags->errors == errors ? NFART_OK : NFART_NOFIT;
}

/* Returns the place in the source of the first state that needs one decoder too many: the states up
 * to this one have more than `most` different predicates. */
static struct diag_range pred_above(const struct nfa *a, size_t most)
{
	bool *seen = calloc(a->preds->preds.n + 1, 1);
	struct diag_range r = nowhere;

	for (size_t s = 0, n = 0; seen != NULL && s < a->states.n && n <= most; s++) {
		pred_id_t id = a->states.at[s].pred;
		if (id == PRED_NONE || seen[id])
			continue;
		seen[id] = true;
		if (++n > most)
			r = a->states.at[s].range;
	}
	free(seen);
	return r;
}

/* Reports an error for each of labels, lines, window and shared decoders of which the overlay has
 * too few. *at becomes the index of the last error in the diagnostics. */
static enum nfart_status compare_sizes(struct target_job *job, const struct fit_unit *u, size_t *at)
{
	const struct overlay *o = &job->made.overlay;
	const struct spec *s = job->spec;
	const char *name = job->setup->name;
	size_t before = job->diags->errors;

	if (s->labels.n > o->labels) {
		struct diag_range r = nowhere;
		for (size_t i = 0; i < s->filters.n; i++)
			if (s->filters.at[i].label >= o->labels && r.source == DIAG_NO_SOURCE)
				r = s->filters.at[i].range;
		*at = diag_report(job->diags, DIAG_ERROR, "no-fit", r,
				  "%zu labels, but overlay '%s' has %" PRIu32, s->labels.n, name,
				  o->labels);
	}
	if (s->substreams.by_line && s->substreams.nlines > o->lines)
		*at = diag_report(job->diags, DIAG_ERROR, "no-fit", s->substreams.range,
				  "%" PRIu64 " lines, but overlay '%s' observes at most %" PRIu32,
				  s->substreams.nlines, name, o->lines);
	if (u->window > o->window)
		*at = diag_report(job->diags, DIAG_ERROR, "no-fit", s->window.range,
				  "window %" PRIu64 ", but overlay '%s' holds at most %" PRIu32,
				  u->window, name, o->window);
	if (o->decoder == OVERLAY_BANK && u->needs.preds > o->bank)
		*at = diag_report(job->diags, DIAG_ERROR, "no-fit", pred_above(job->nfa, o->bank),
				  "%" PRIu64 " distinct predicates, but overlay '%s' has %" PRIu32
				  " shared decoders",
				  u->needs.preds, name, o->bank);
	return job->diags->errors == before ? NFART_OK : NFART_NOFIT;
}

size_t fit_parts(const struct spec *s, struct diags *d, const char *name, const struct overlay *o)
{
	const struct nfart_proto *p = s->proto;
	bool time = o == NULL || o->time == OVERLAY_TIME_YES;
	bool after = o == NULL || o->window_after == OVERLAY_AFTER_OWN;
	bool broadcast = o == NULL || o->broadcast == OVERLAY_BROADCAST_YES;
	bool joins = o == NULL || o->joins == OVERLAY_JOINS_YES;
	bool keys = o == NULL || o->keys == OVERLAY_KEYS_YES;
	uint32_t ranges = o != NULL ? o->key_ranges : OVERLAY_MOST_key_ranges;
	struct proto_place place;
	char some[60] = "one range of substreams only";
	const struct {
		bool used;
		struct diag_range where;
		const char *what;
	} parts[] = {
		{ s->stream.tick != 0 && !time, s->stream.tick_range, "no ticks" },
		{ s->stream.end && !time, s->stream.end_range, "no end" },
		{ s->substreams.field != NULL && !keys, s->substreams.range,
		  "substreams of lines only" },
		{ s->substreams.field != NULL && keys && !copies_place(s, &place),
		  s->substreams.range,
		  "substreams only of fields that have one place in all headers" },
		{ s->substreams.ranges.n > ranges, s->substreams.range, some },
		{ s->substreams.by_line && !broadcast &&
			  bits_any(p->codes.broadcast, bits_words(p->codes.n)),
		  s->substreams.range, "no broadcast messages" },
		{ s->substreams.by_line && !joins && p->joins.n != 0, s->substreams.range,
		  "no joins" },
		{ s->window.before != s->window.after && !after, s->window.range,
		  "windows that are as long before as after an accepted batch only" },
	};
	size_t at = SIZE_MAX;

	if (ranges > 1)
		snprintf(some, sizeof some, "%" PRIu32 " ranges of substreams only", ranges);
	for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
		if (parts[i].used) {
			at = 0;
			if (d != NULL)
				at = diag_report(d, DIAG_ERROR, "no-fit", parts[i].where,
						 "%s has %s", name, parts[i].what);
		}
	return at;
}

/* Reports an error if the overlay has too few tests of headers, or too few rows for the letters
 * that they tell apart. *at becomes the index of the error in the diagnostics. */
static enum nfart_status compare_tests(struct target_job *job, size_t *at)
{
	const struct overlay *o = &job->made.overlay;
	struct recode_need need;
	struct recode r;
	enum nfart_status status = recode_make(&r, o, job->nfa, &need);
	char slot[80];

	recode_free(&r);
	if (status != NFART_NOFIT)
		return status;
	proto_slot_name(job->spec->proto, need.slot, slot);
	if (overlay_ntest(o) == 0)
		*at = diag_report(job->diags, DIAG_ERROR, "no-fit", job->spec->guards.range,
				  "overlay '%s' has no guards", job->setup->name);
	else if (need.payload > o->payload_tests || need.words > overlay_payload_words(o))
		*at = diag_report(job->diags, DIAG_ERROR, "no-fit", job->spec->guards.payload_range,
				  "slot %s needs %zu tests of payload up to bit %" PRIu32
				  ", but in overlay '%s' a slot has %" PRIu32
				  " payload tests and %" PRIu32 " bits of payload",
				  slot, need.payload, 64 * need.words - 1, job->setup->name,
				  o->payload_tests, o->payload);
	else if (need.rows == 0)
		*at = diag_report(job->diags, DIAG_ERROR, "no-fit", job->spec->guards.range,
				  "slot %s needs %zu tests of a value and %zu of a range, but in "
				  "overlay '%s' a slot has %" PRIu32 " mask tests and %" PRIu32
				  " range tests",
				  slot, need.equal, need.range, job->setup->name, o->guards,
				  o->ranges);
	else
		*at = diag_report(job->diags, DIAG_ERROR, "no-fit", job->spec->guards.range,
				  "slot %s needs %" PRIu32
				  " letters, but in overlay '%s' a slot has %" PRIu32,
				  slot, need.rows, job->setup->name, overlay_row_codes(o));
	return NFART_NOFIT;
}

/* ---- mapping ---- */

/* Reports in a sentence how the mapper proved that there is no placement. Returns the index of the
 * record in the diagnostics. */
static size_t report_nofit(struct target_job *job, const struct map_report *r)
{
	const char *name = job->setup->name;
	struct diag_range at =
		r->state < job->nfa->states.n ? job->nfa->states.at[r->state].range : nowhere;

	switch (r->reason) {
	case MAP_STATES:
		return diag_report(job->diags, DIAG_ERROR, "no-fit", nowhere,
				   "%" PRIu64 " states, but overlay '%s' has %" PRIu64 " STEs",
				   r->need, name, r->have);
	case MAP_DEGREE:
		return diag_report(job->diags, DIAG_ERROR, "no-fit", at,
				   "the state of this predicate is connected with %" PRIu64
				   " others, but an STE of "
				   "overlay '%s' only with %" PRIu64,
				   r->need, name, r->have);
	case MAP_BALL:
		return diag_report(job->diags, DIAG_ERROR, "no-fit", at,
				   "%" PRIu64 " states are within %" PRIu32
				   " steps of this one, but overlay '%s' has "
				   "only %" PRIu64 " STEs within that distance",
				   r->need, r->radius, name, r->have);
	case MAP_COMPONENT:
		return diag_report(job->diags, DIAG_ERROR, "no-fit", at,
				   "%" PRIu64
				   " states are connected with this one, but only %" PRIu64
				   " STEs of "
				   "overlay '%s' are connected with each other",
				   r->need, r->have, name);
	case MAP_COMPONENTS:
		return diag_report(job->diags, DIAG_ERROR, "no-fit", nowhere,
				   "the automaton's parts need %" PRIu64
				   " separate rings, but overlay '%s' has %" PRIu64,
				   r->need, name, r->have);
	case MAP_HUBS:
		return diag_report(job->diags, DIAG_ERROR, "no-fit", at,
				   "%" PRIu64
				   " states have no common neighbours and as many as this one, "
				   "but of such states overlay '%s' has room for %" PRIu64
				   " at most",
				   r->need, name, r->have);
	case MAP_SEARCH:
	case MAP_FITS:
		return diag_report(
			job->diags, DIAG_ERROR, "no-fit", nowhere,
			"there is no placement of these %zu states on overlay '%s': all were tried",
			job->nfa->states.n, name);
	}
	return SIZE_MAX;
}

static size_t report_gaveup(struct target_job *job, const struct map_report *r)
{
	return diag_report(
		job->diags, DIAG_ERROR, "gave-up", nowhere,
		"gave up mapping %zu states onto overlay '%s' at %s; whether they fit is not known",
		job->nfa->states.n, job->setup->name, map_limit_texts[r->limit]);
}

/* Appends a line for --stats that says which solver found the mapping, and in how many steps. */
static void report_mapping(struct target_job *job, const struct map_report *r)
{
	buf_addf(&job->made.report, "mapping: %s, %" PRIu64 " steps\n", map_method_names[r->method],
		 r->steps);
}

/* What fit_sizes() and fit_states() find out. It is kept in job->own for the functions of the
 * target that are called after them. */
struct found {
	struct fit_unit unit;
	bool stop;   /* the counters or the tests can't fit, so a placement is pointless */
	bool tests;  /* too few tests of headers, or too few letters */
	bool sizes;  /* too few labels, lines, decoders or counters, or the window is too small */
	bool states; /* the states have no placement, or no placement was found */
	size_t at;   /* index of the diagnostic that explain() adds notes to; SIZE_MAX: none */
};

enum nfart_status fit_sizes(struct target_job *job)
{
	struct found *f = calloc(1, sizeof *f);
	enum nfart_status status;
	char name[80];
	size_t parts;

	job->made.own = f;
	job->made.overlay = *job->setup->overlay;
	overlay_tap(&job->made.overlay, job->spec->proto);
	if (f == NULL || !fit_unit_init(&f->unit, job->spec, job->nfa))
		return NFART_SYSTEM;
	f->at = SIZE_MAX;
	f->stop = true;
	if (overlay_check(&job->made.overlay) != NULL) {
		diag_report(job->diags, DIAG_ERROR, "no-fit", nowhere, "overlay '%s': %s",
			    job->setup->name, overlay_check(&job->made.overlay));
		return NFART_NOFIT;
	}
	status = compare_chains(job);
	if (status != NFART_OK)
		return status;
	snprintf(name, sizeof name, "overlay '%.60s'", job->setup->name);
	parts = fit_parts(job->spec, job->diags, name, &job->made.overlay);
	if (parts != SIZE_MAX) {
		explain_none(job, parts);
		return NFART_NOFIT;
	}
	status = compare_counters(job, &f->unit, &f->at);
	f->stop = status != NFART_OK;
	status = compare_tests(job, &f->at);
	if (status != NFART_OK && status != NFART_NOFIT)
		return status;
	f->tests = status != NFART_OK;
	f->stop = f->stop || f->tests;
	f->sizes = f->stop;
	if (compare_sizes(job, &f->unit, &f->at) != NFART_OK)
		f->sizes = true;
	return f->sizes ? NFART_NOFIT : NFART_OK;
}

enum nfart_status fit_states(struct target_job *job)
{
	struct found *f = job->made.own;
	struct placement found;
	enum nfart_status status;

	if (f->stop)
		return NFART_OK;
	status = placement_find(&found, job->nfa, &job->made.overlay, overlay_map_options(job),
				NULL);
	if (status == NFART_NOFIT)
		f->at = report_nofit(job, &found.map);
	else if (status == NFART_GAVEUP)
		f->at = report_gaveup(job, &found.map);
	else if (status == NFART_INTERNAL || status == NFART_USAGE)
		diag_report(job->diags, DIAG_ERROR, "internal", nowhere,
			    "internal error in the mapper: %s",
			    found.map.wrong != NULL ? found.map.wrong : "unknown");
	f->states = status != NFART_OK;
	if (status == NFART_OK) {
		report_mapping(job, &found.map);
		job->made.ste = found.ste;
		found.ste = NULL;
		if (found.log.splits.n != 0) {
			nfa_free(job->nfa);
			*job->nfa = found.split;
			job->made.splits = found.log;
			memset(&found.log, 0, sizeof found.log);
		}
	}
	placement_free(&found);
	return status == NFART_USAGE ? NFART_INTERNAL : status;
}

bool fit_explain(struct target_job *job)
{
	const struct found *f = job->made.own;

	if (f->tests)
		return explain_tests(job, &f->unit, f->at);
	return f->at == SIZE_MAX || explain_fit(job, &f->unit, f->sizes, f->states, f->at);
}
