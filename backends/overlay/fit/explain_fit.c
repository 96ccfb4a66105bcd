/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "backends/overlay/fit/explain_fit.h"
#include "backends/overlay/overlay.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "backends/overlay/fit/fit.h"

static const struct diag_range nowhere = { DIAG_NO_SOURCE, 0, 0 };

enum {
	REPETITIONS = 4,       /* how many repetitions without a counter get a note */
	PROBES = 2000,         /* most overlays that the search for the cheapest one tries */
	PARAM_WORK = 6000000,  /* most units of work (fit_work_t) for one parameter */
	SEARCH_WORK = 20000000 /* most units of work of the search for the cheapest overlay */
};

/* Is the parameter C, L, R or N? Only these four change which STEs are connected, so only they can
 * help if there is no placement. */
static bool is_shape(const struct overlay_param *p)
{
	return p->offset <= offsetof(struct overlay, reach);
}

/* Can another value of this parameter alone make the filter fit? `sizes` says that the overlay has
 * too few labels, lines, decoders or counters or too small a window. `states` says that there is no
 * placement. If both are true, no single parameter can help. */
static bool may_help(const struct overlay_param *p, bool sizes, bool states)
{
	return is_shape(p) ? states && !sizes : sizes && !states;
}

static void list_name(struct buf *b, const char *name)
{
	buf_addf(b, "%s%s", b->n != 0 ? ", " : "", name);
}

/* Adds notes to diagnostic record `at`. They say for each parameter the smallest value with which
 * the filter fits, and list the parameters of which no value is enough. */
static bool explain_params(struct target_job *job, const struct fit_unit *u, bool sizes,
			   bool states, const struct map_options *map, size_t at)
{
	struct buf none = { 0 }, unknown = { 0 };
	bool ok = true;

	for (size_t i = 0; ok && i < noverlay_params; i++) {
		const struct overlay_param *param = &overlay_params[i];
		struct fit_smallest v = { .proved = true };
		if (!is_shape(param) && !fit_is_size(param, u, &job->made.overlay))
			continue;
		progress_at(job->setup->progress, "search for what would fit", 0, param->name);
		if (may_help(param, sizes, states))
			ok = fit_smallest(u, 1, &job->made.overlay, param, map, PARAM_WORK, &v);
		if (v.found)
			diag_note(job->diags, at, nowhere,
				  "it fits with %s %s%" PRIu32 " in place of %" PRIu32, param->name,
				  v.proved ? "" : "\xe2\x89\xa4 ", v.value,
				  *overlay_field(&job->made.overlay, param));
		else
			list_name(v.proved ? &none : &unknown, param->name);
	}
	if (ok && none.n != 0)
		diag_note(job->diags, at, nowhere, "no value of one of these alone: %.*s",
			  (int)none.n, none.at);
	if (ok && unknown.n != 0)
		diag_note(job->diags, at, nowhere,
			  "no value was found, up to a limit, of one of these "
			  "alone: %.*s",
			  (int)unknown.n, unknown.at);
	ok = ok && !none.failed && !unknown.failed;
	buf_free(&none);
	buf_free(&unknown);
	return ok;
}

/* Adds a note to diagnostic record `at` that names the cheapest overlay that was found for the
 * filter. False: out of memory. */
static bool explain_cheapest(struct target_job *job, const struct fit_unit *u,
			     const struct map_options *map, size_t at)
{
	struct fit_options o;
	struct fit_result r;
	bool ok;

	fit_options_init(&o);
	o.probes = PROBES;
	o.work = SEARCH_WORK;
	o.cheapest = true;
	o.map = *map;
	o.progress = job->setup->progress;
	ok = fit_search(u, 1, &job->made.overlay, &o, &r) == NFART_OK;
	if (ok && r.front.n != 0) {
		const struct fit_point *x = &r.front.at[0];
		char counters[60] = "";
		if (x->o.counters != 0)
			snprintf(counters, sizeof counters,
				 ", counters %" PRIu32 " of %" PRIu32 " bits", x->o.counters,
				 x->o.counter_width);
		diag_note(job->diags, at, nowhere,
			  "the cheapest overlay found that fits: %" PRIu32 ",%" PRIu32 ",%" PRIu32
			  ",%" PRIu32 " with lines %" PRIu32 ", labels %" PRIu32 ", window %" PRIu32
			  "%s: %" PRIu32 " STEs of fan-in %" PRIu32 ", %" PRIu64 " LUTs, %" PRIu64
			  " FFs",
			  x->o.clique, x->o.length, x->o.rings, x->o.reach, x->o.lines, x->o.labels,
			  x->o.window, counters, overlay_nste(&x->o), overlay_npred(&x->o),
			  x->cost.luts, x->cost.ffs);
	} else if (ok) {
		diag_note(job->diags, at, nowhere, "no overlay was found that fits");
	}
	fit_result_free(&r);
	return ok;
}

/* Adds a note to diagnostic record `at` that names the cheapest shipped overlay on which the filter
 * fits. */
static void explain_shipped(struct target_job *job, const struct fit_unit *u,
			    const struct map_options *map, size_t at)
{
	const struct fit_weights one = { 1, 1 };
	struct target_shipped x, best = { .name = "" };
	uint64_t least = UINT64_MAX;

	progress_at(job->setup->progress, "search for what would fit", 0, "shipped overlays");
	for (size_t i = 0; job->setup->shipped != NULL && job->setup->shipped(i, &x); i++) {
		fit_work_t work = PARAM_WORK;
		uint64_t cost;
		if (x.tap[0] != 0 && strcmp(x.tap, job->spec->proto->name) != 0)
			continue;
		if (overlay_ntest(&x.overlay) != 0 && job->nfa->preds->alphabet.nguards == 0)
			continue;
		if (fit_parts(job->spec, NULL, x.name, &x.overlay) != SIZE_MAX)
			continue;
		overlay_tap(&x.overlay, job->spec->proto);
		cost = fit_cost(&x.overlay, &one).cost;
		if (cost >= least || overlay_check(&x.overlay) != NULL ||
		    fit_all(u, 1, &x.overlay, map, &work) != FIT_YES)
			continue;
		least = cost;
		best = x;
	}
	if (best.name[0] != 0)
		diag_note(job->diags, at, nowhere,
			  "the smallest shipped overlay that fits: --overlay %s", best.name);
}

/* Adds notes to diagnostic record `at`. They say which repetitions stay unrolled, and why no
 * counter counts them. False: out of memory. */
static bool explain_counts(struct target_job *job, size_t at)
{
	struct buf b = { 0 };
	bool ok;

	for (size_t i = 0, n = 0; i < job->counts->records.n && n < REPETITIONS; i++) {
		const struct count_record *r = &job->counts->records.at[i];
		if (r->how <= COUNT_LOWER || r->how == COUNT_LITTLE)
			continue;
		n++;
		b.n = 0;
		count_print(job->spec, r, job->diags, &b);
		if (!b.failed)
			diag_note(job->diags, at, nowhere, "%.*s", (int)b.n - 1, b.at);
	}
	ok = !b.failed;
	buf_free(&b);
	return ok;
}

void explain_none(struct target_job *job, size_t at)
{
	diag_note(job->diags, at, nowhere,
		  "--overlay none has no such limits: it makes an image "
		  "for the software engine alone");
}

bool explain_tests(struct target_job *job, const struct fit_unit *u, size_t at)
{
	struct map_options map = *overlay_map_options(job);
	struct fit_unit least = *u;
	struct recode_need need;
	char payload[64] = "";

	if (fit_unit_tests(&least, &need) == NFART_OK) {
		if (least.least.payload_tests != 0)
			snprintf(payload, sizeof payload,
				 ", payload %" PRIu32 ", payload_tests %" PRIu32,
				 least.least.payload, least.least.payload_tests);
		diag_note(job->diags, at, nowhere,
			  "guards %" PRIu32 ", ranges %" PRIu32 ", letter_bits %" PRIu32
			  "%s are enough",
			  least.least.guards, least.least.ranges, least.least.letter_bits, payload);
	}
	map.progress = NULL;
	explain_shipped(job, u, &map, at);
	explain_none(job, at);
	return !job->diags->failed;
}

bool explain_fit(struct target_job *job, const struct fit_unit *u, bool sizes, bool states,
		 size_t at)
{
	struct map_options map = *overlay_map_options(job);

	map.progress = NULL;
	if ((states && !explain_counts(job, at)) ||
	    !explain_params(job, u, sizes, states, &map, at) || !explain_cheapest(job, u, &map, at))
		return false;
	if (sizes) {
		explain_shipped(job, u, &map, at);
		explain_none(job, at);
	}
	return !job->diags->failed;
}
