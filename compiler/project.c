/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "compiler/project.h"

#include <string.h>

/* The mapper's search gets this many steps for each set of projections. */
enum { STEPS = 200000, CANDIDATES = 1 << PROJECT_GROUPS };

/* A set of groups. */
struct candidate {
	char *text;           /* as --project takes it; NULL: no such set, or it doesn't fit */
	uint64_t found[SCORE_WORDS];
};

struct choice {
	const struct pipeline_options *options;
	const struct pipeline_file *files;
	size_t nfiles;
	struct candidate *candidate; /* [CANDIDATES]: by the bit set of its groups */
	uint64_t found[SCORE_WORDS]; /* what those chosen so far find */
};

/* ---- candidates ---- */

static const struct nfart_proto *find_protocol(void *ctx, const char *name, size_t n)
{
	const struct pipeline *p = ctx;

	for (size_t i = 0; i < p->protocols.found.n; i++)
		if (strncmp(p->protocols.found.at[i]->name, name, n) == 0 &&
		    p->protocols.found.at[i]->name[n] == 0)
			return p->protocols.found.at[i];
	return NULL;
}

/* Returns the names of a set of groups, separated by commas. NULL: out of memory. */
static char *project_names(const struct coh *c, uint32_t groups)
{
	struct buf b = { 0 };

	for (uint32_t i = 0; i < c->ngroups; i++)
		if ((groups >> i & 1) != 0)
			buf_addf(&b, "%s%s", b.n == 0 ? "" : ",", c->groups[i].name);
	if (b.failed)
		buf_free(&b);
	return b.at;
}

static uint64_t events_of(const struct coh *c, uint32_t groups)
{
	uint64_t events = 0;

	for (uint32_t i = 0; i < c->ngroups; i++)
		if ((groups >> i & 1) != 0)
			events |= c->groups[i].events;
	return coherence_with_homes(c, events);
}

/* Derives the beliefs of a set of events, and finds out which runs they find. */
static enum nfart_status find_runs(const struct choice *k, const struct coh *c,
				   const struct coh_system *s, const struct score_runs *runs,
				   uint64_t seen, uint64_t found[static SCORE_WORDS])
{
	struct beliefs_options how = coherence_beliefs(&k->options->coherence);
	struct beliefs b;
	enum nfart_status status =
		beliefs_find(s, c->nevents, seen & coh_tap_events(c), c->known, &how, &b);

	if (status == NFART_OK)
		score_find(runs, &b, found);
	beliefs_free(&b);
	return status == NFART_GAVEUP ? NFART_OK : status;
}

/* Fills the table of candidates. */
static enum nfart_status list_candidates(struct choice *k, const struct coh *c,
					 const struct coh_system *s, struct project *p)
{
	struct score_runs *runs = malloc(sizeof *runs);
	uint64_t all[SCORE_WORDS] = { 0 }, none[SCORE_WORDS] = { 0 };
	enum nfart_status status = runs != NULL ? NFART_OK : NFART_SYSTEM;

	if (status == NFART_OK) {
		score_draw(c, s, runs);
		status = find_runs(k, c, s, runs, UINT64_MAX, all);
		p->exact = score_gain(all, none);
	}
	for (uint32_t i = 1; i < (uint32_t)1 << c->ngroups && status == NFART_OK; i++) {
		struct candidate *one = &k->candidate[i];

		status = find_runs(k, c, s, runs, events_of(c, i), one->found);
		one->text = project_names(c, i);
		if (one->text == NULL)
			status = NFART_SYSTEM;
	}
	free(runs);
	return status;
}

/* Makes the table of candidates from the description among the files. */
static enum nfart_status read_candidates(struct choice *k, struct project *p)
{
	struct pipeline_options o = *k->options;
	struct system_options explores = coherence_explores(&k->options->coherence);
	struct coh_system s = { .nstates = 0 };
	struct diags d = { .werror = false };
	enum nfart_status status;
	struct pipeline made;
	struct coh c;
	uint32_t source;
	size_t file = 0;

	o.last = STAGE_AST;
	o.coherence.nprojections = 0;
	status = pipeline_run(&made, &o, k->files, k->nfiles);
	while (k->files[file].form != FORM_COHERENCE)
		file++;
	source = diag_add_source(&d, k->files[file].name, k->files[file].text, k->files[file].n);
	if (status == NFART_OK && source == DIAG_NO_SOURCE)
		status = NFART_SYSTEM;
	if (status == NFART_OK) {
		status = coh_parse(&d, source, &(struct coh_options){ find_protocol, &made }, &c);
		if (status == NFART_OK && c.ngroups > PROJECT_GROUPS)
			status = NFART_USAGE;
		if (status == NFART_OK && c.rules)
			status = system_of_rules(&c, &d, &explores, &s);
		else if (status == NFART_OK && !system_of_tables(&c, &s))
			status = NFART_SYSTEM;
		if (status == NFART_OK)
			status = list_candidates(k, &c, &s, p);
		system_free(&s);
		coh_free(&c);
	}
	pipeline_free(&made);
	diag_free(&d);
	return status;
}

/* ---- the choice ---- */

/* Do these projections fit the overlay together? */
static enum nfart_status project_fits(const struct choice *k, const struct project *p, bool *yes)
{
	struct pipeline_options o = *k->options;
	enum nfart_status status;
	struct pipeline made;

	o.last = STAGE_MAP;
	o.unexplained = true;
	o.map.steps = o.map.steps < STEPS ? o.map.steps : STEPS;
	o.coherence.projections = (const char *const *)p->text.at;
	o.coherence.nprojections = p->text.n;
	status = pipeline_run(&made, &o, k->files, k->nfiles);
	pipeline_free(&made);
	*yes = status == NFART_OK;
	return status == NFART_SYSTEM || status == NFART_INTERNAL ? status : NFART_OK;
}

/* Returns the candidate that finds most of what is not yet found. NULL: none finds enough. */
static struct candidate *best(struct choice *k)
{
	struct candidate *chosen = NULL;
	uint32_t most = SCORE_RUNS / 100 - 1;

	for (size_t i = 0; i < CANDIDATES; i++) {
		struct candidate *one = &k->candidate[i];
		uint32_t gain = one->text != NULL ? score_gain(one->found, k->found) : 0;

		if (gain > most) {
			most = gain;
			chosen = one;
		}
	}
	return chosen;
}

/* Tries the best candidate beside those that are chosen. Afterwards it is chosen, or it is no
 * candidate any more: what doesn't fit now does not fit with more beside it either. */
static enum nfart_status try(struct choice *k, struct candidate *one, struct project *p)
{
	enum nfart_status status;
	bool yes = false;

	if (!vec_push(&p->text, one->text))
		return NFART_SYSTEM;
	status = project_fits(k, p, &yes);
	one->text = NULL;
	if (yes) {
		for (size_t i = 0; i < SCORE_WORDS; i++)
			k->found[i] |= one->found[i];
	} else {
		free(p->text.at[--p->text.n]);
	}
	return status;
}

enum nfart_status project_choose(const struct pipeline_options *o,
				 const struct pipeline_file *files, size_t n, struct project *p)
{
	struct choice k = { .options = o, .files = files, .nfiles = n };
	uint64_t none[SCORE_WORDS] = { 0 };
	struct candidate *one;
	enum nfart_status status;
	size_t descriptions = 0;

	memset(p, 0, sizeof *p);
	for (size_t i = 0; i < n; i++)
		descriptions += files[i].form == FORM_COHERENCE;
	if (descriptions != 1)
		return NFART_USAGE;
	k.candidate = calloc(CANDIDATES, sizeof *k.candidate);
	status = k.candidate != NULL ? read_candidates(&k, p) : NFART_SYSTEM;
	while (status == NFART_OK && (one = best(&k)) != NULL)
		status = try(&k, one, p);
	p->found = score_gain(k.found, none);
	for (size_t i = 0; i < CANDIDATES && k.candidate != NULL; i++)
		free(k.candidate[i].text);
	free(k.candidate);
	return status == NFART_INPUT || status == NFART_GAVEUP ? NFART_OK : status;
}

void project_free(struct project *p)
{
	for (size_t i = 0; i < p->text.n; i++)
		free(p->text.at[i]);
	vec_free(&p->text);
}
