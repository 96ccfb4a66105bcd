/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "compiler/coherence/coherence.h"

#include <inttypes.h>
#include <string.h>

#include "compiler/coherence/effect.h"
#include "compiler/coherence/print.h"

static const struct diag_range nowhere = { DIAG_NO_SOURCE, 0, 0 };

/* Reads the names of a projection, and appends the name of its checker to `name`. Returns the
 * events that it sees; 0: it names something else (reported). */
static uint64_t project(const struct coh *c, struct diags *d, const char *text, struct buf *name)
{
	uint64_t events = 0;
	const char *at = text;

	do {
		size_t n = strcspn(at, ",");
		uint64_t some = coh_find_events(c, at, n);

		if (some == 0) {
			diag_report(d, DIAG_ERROR, "projection", nowhere,
				    "the description has no group or event '%.*s'", (int)n, at);
			return 0;
		}
		events |= some;
		buf_addf(name, "_%.*s", (int)n, at);
		at += n;
	} while (*at++ == ',');
	return events;
}

/* Derives one checker that sees the events of a set. */
static enum nfart_status coherence_derive_one(const struct coh *c, const struct coh_system *s,
					      struct diags *d, uint64_t seen, const char *name,
					      bool only, struct buf *b)
{
	struct beliefs beliefs;
	enum nfart_status status = beliefs_find(s, c->nevents, seen, c->known, &beliefs);

	if (status == NFART_OK) {
		buf_addf(b, "// %s: %" PRIu32 " states of the system, %" PRIu32 " beliefs\n", name,
			 s->nstates, beliefs.n);
		checker_print(&(struct checker){ c, s, &beliefs, name, only }, b);
	} else if (status == NFART_GAVEUP) {
		diag_report(d, DIAG_ERROR, "gave-up", nowhere,
			    "gave up: what the tap can know of the rules are more than %d sets of "
			    "states", COH_MOST_BELIEFS);
	}
	beliefs_free(&beliefs);
	return status;
}

static enum nfart_status derive_all(const struct coh *c, const struct coh_system *s,
				    struct diags *d, const struct coherence_options *o,
				    struct buf *b)
{
	uint64_t all = c->nevents == 64 ? UINT64_MAX : ((uint64_t)1 << c->nevents) - 1;
	enum nfart_status status = NFART_OK;

	buf_addf(b, "protocol %s;\n", c->proto->name);
	if (o->nprojections == 0)
		return coherence_derive_one(c, s, d, all, c->name.text, o->only, b);
	for (size_t i = 0; i < o->nprojections && status == NFART_OK; i++) {
		struct buf made = { 0 }, name = { 0 };
		uint64_t seen;

		buf_addf(&made, "%s", c->name.text);
		seen = project(c, d, o->projections[i], &made);
		if (!made.failed)
			checker_print_name(c->proto, made.at, &name);
		if (made.failed || name.failed)
			status = NFART_SYSTEM;
		else if (seen == 0)
			status = NFART_INPUT;
		else
			status = coherence_derive_one(c, s, d, seen, name.at, o->only, b);
		buf_free(&made);
		buf_free(&name);
	}
	return status;
}

enum nfart_status coherence_derive(struct diags *d, uint32_t source, const struct coh_options *find,
				   const struct coherence_options *o, struct buf *b,
				   struct coherence_made *made)
{
	struct coh_system s = { .nstates = 0 };
	enum nfart_status status;
	struct coh c;

	status = coh_parse(d, source, find, &c);
	made->known = status == NFART_OK && c.known;
	made->name = c.name.range;
	if (status == NFART_OK && c.known && o->only) {
		diag_report(d, DIAG_ERROR, "known", nowhere,
			    "'start known' goes without --form=only: that form begins anew, in "
			    "unknown states, at any time");
		status = NFART_INPUT;
	}
	if (status == NFART_OK && c.rules)
		status = system_of_rules(&c, d, COH_MOST_STATES, &s);
	else if (status == NFART_OK && !system_of_tables(&c, &s))
		status = NFART_SYSTEM;
	if (status == NFART_OK)
		effect_warn(&c, &s, d);
	if (status == NFART_OK)
		status = derive_all(&c, &s, d, o, b);
	if (b->failed)
		status = NFART_SYSTEM;
	system_free(&s);
	coh_free(&c);
	return status;
}
