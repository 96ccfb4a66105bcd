/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "compiler/coherence/coherence.h"

#include <inttypes.h>
#include <string.h>

#include "compiler/coherence/compose.h"
#include "compiler/coherence/effect.h"
#include "compiler/coherence/print.h"
#include "compiler/coherence/size.h"

/* The stage that the progress line shows. */
#define FINDING "rules of coherence"

static const struct diag_range nowhere = { DIAG_NO_SOURCE, 0, 0 };

/* Does an event of the description have messages of this event of the protocol? */
static bool has_messages(const struct coh *c, const struct coh_event *e, uint32_t proto)
{
	for (uint32_t i = 0; i < e->parts.n; i++)
		if (c->parts.at[e->parts.first + i].proto == proto)
			return true;
	return false;
}

/* Does an event have messages that, if they are for the wrong home, are of the home's event? */
static bool has_strays(const struct coh *c, const struct coh_event *e, const struct coh_event *home)
{
	for (uint32_t i = 0; i < home->parts.n && e->node == home->node; i++)
		if (has_messages(c, e, c->parts.at[home->parts.first + i].proto))
			return true;
	return false;
}

uint64_t coherence_with_homes(const struct coh *c, uint64_t events)
{
	uint64_t all = events;

	for (uint32_t i = 0; i < c->nevents; i++)
		for (uint32_t k = 0; k < c->nevents && c->events[i].home != COH_NONE; k++)
			if ((events >> k & 1) != 0 && c->events[k].home == COH_NONE &&
			    has_strays(c, &c->events[k], &c->events[i]))
				all |= (uint64_t)1 << i;
	return all;
}

/* Reads the names of a projection, and appends the name of its checker to `name`. Returns the
 * events that it sees; 0: it names something else, or nothing that the tap sees (reported). */
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
	events = coherence_with_homes(c, events);
	if ((events & coh_tap_events(c)) == 0)
		diag_report(d, DIAG_ERROR, "projection", nowhere,
			    "the tap sees no event of '%s'", text);
	return events & coh_tap_events(c);
}

static void note_project(struct diags *d, size_t record)
{
	diag_note(d, record, nowhere, "--project makes a checker that sees fewer events, which may "
		  "be smaller");
}

/* Returns how many checkers are derived. */
static size_t checkers(const struct coherence_options *o)
{
	return o->nprojections != 0 ? o->nprojections : 1;
}

/* Notes why an engine can't follow the rules. */
static void note_follow(struct diags *d, size_t record, const struct coh *c,
			const struct coh_system *s, const struct coherence_options *o)
{
	diag_note(d, record, nowhere, "software can't follow these rules: %s",
		  keep_refuses(c, s, checkers(o)));
}

/* Reports that a checker is too large: `n` beliefs were found. */
static void report_beliefs(const struct coh *c, const struct coh_system *s, struct diags *d,
			   const char *name, uint32_t n, const struct coherence_options *o)
{
	struct beliefs_options how = coherence_beliefs(o);
	size_t record = diag_report(d, DIAG_ERROR, "gave-up",
				    size_place(c, &s->largest, c->name.range),
				    "gave up: the rules allow %" PRIu32 " states, and what the tap "
				    "can know of them, the states of checker %s, are more than %"
				    PRIu32 " sets of states%s", s->nstates, name, n,
				    n < how.most ? ", too large to find more" : "");

	size_note(c, d, record, &s->largest);
	note_project(d, record);
	if (!o->orders)
		diag_note(d, record, nowhere, "an overlay needs them all; --overlay none makes a "
			  "checker for software that finds them while it runs");
	else
		note_follow(d, record, c, s, o);
}

/* What coherence_derive_one() needs beside its checker. */
struct deriving {
	const struct coh *c;
	const struct coh_system *s;
	const struct coherence_options *o;
	struct diags *d;
	struct buf *text;
	uint64_t named; /* bit set: the events that the text names */
	struct keep keep;
	uint32_t slots; /* the most slots in which a checker sees messages */
	bool too_long;  /* derive_states() gave up for its work, not for the moves */
	bool follow;    /* a checker is followed */
	struct composed composed; /* if it has parts, the system has no states */
};

static void add_comment(struct deriving *x, const char *name, uint32_t n, const char *what)
{
	buf_addf(x->text, "// %s: %" PRIu32 " states of the system, ", name, x->s->nstates);
	if (x->s->norbits != x->s->nstates)
		buf_addf(x->text, "%" PRIu32 " up to renaming of equal nodes, ", x->s->norbits);
	buf_addf(x->text, "%" PRIu32 " %s\n", n, what);
}

/* Derives a checker that keeps sets of states: states.h, Note [states instead of beliefs]. */
static enum nfart_status derive_states(struct deriving *x, uint64_t seen, const char *name)
{
	struct checker checker = { .coh = x->c, .system = x->s, .name = name, .only = true,
				   .orders = true };
	uint32_t how = KEPT_ONLY | (x->o->never ? 0 : KEPT_ANEW);
	struct states_options limits = coherence_moves(x->o);
	struct coh_states states;
	enum nfart_status status = states_find(x->s, seen, &limits, &states);

	if (status == NFART_OK) {
		x->named |= seen;
		add_comment(x, name, states.n, "that the tap tells apart, in sets");
		checker_print_states(&checker, &states, seen, !x->o->never, x->text);
		if (!keep_checker(&x->keep, name, seen, how))
			status = NFART_SYSTEM;
	}
	x->too_long = states.too_long;
	states_free(&states);
	return status;
}

/* Reports that a checker that keeps sets of states is too large. */
static void report_moves(const struct deriving *x)
{
	struct diag_range place = size_place(x->c, &x->s->largest, x->c->name.range);
	size_t record = x->too_long
		? diag_report(x->d, DIAG_ERROR, "gave-up", place,
			      "gave up: the rules allow %" PRIu32 " states, and it takes too long "
			      "to find their moves without what the tap does not see",
			      x->s->nstates)
		: diag_report(x->d, DIAG_ERROR, "gave-up", place,
			      "gave up: the rules allow %" PRIu32 " states, which have more than "
			      "%" PRIu32 " moves without what the tap does not see",
			      x->s->nstates, coherence_moves(x->o).most);

	size_note(x->c, x->d, record, &x->s->largest);
	note_project(x->d, record);
	diag_note(x->d, record, nowhere, "--form=follow makes a checker that finds them while it "
		  "runs");
	diag_note(x->d, record, nowhere, "--form=only makes a checker of what the tap can know "
		  "of the states, which may be smaller");
}

/* Reports that an engine can't follow the rules. */
static void report_follow(const struct deriving *x)
{
	size_t record = diag_report(x->d, DIAG_ERROR, "gave-up",
				    size_place(x->c, &x->s->largest, x->c->name.range),
				    "gave up: an engine can't follow the rules, which allow %"
				    PRIu32 " states", x->s->nstates);

	note_follow(x->d, record, x->c, x->s, x->o);
	size_note(x->c, x->d, record, &x->s->largest);
}

/* Derives a checker that the engine follows: print.h, Note [following]. */
static enum nfart_status derive_follow(struct deriving *x, uint64_t seen, const char *name)
{
	struct checker checker = { .coh = x->c, .system = x->s, .name = name };
	uint32_t how = KEPT_FOLLOWED | KEPT_ONLY | (x->o->never ? 0 : KEPT_ANEW) |
		       (x->c->known ? KEPT_KNOWN : 0);

	if (keep_refuses(x->c, x->s, checkers(x->o)) != NULL)
		return NFART_GAVEUP;
	buf_addf(x->text, "// %s: %.0f states of the system, whose sets an engine finds\n"
		 "// Not to be compiled: without the rules this machine accepts every batch.\n",
		 name, x->s->nstates != 0 ? x->s->nstates : x->composed.states);
	checker_print_follow(&checker, x->text);
	x->follow = true;
	return keep_checker(&x->keep, name, seen, how) ? NFART_OK : NFART_SYSTEM;
}

/* Derives a checker that finds sets of states while it runs, because it has too many beliefs. */
static enum nfart_status derive_instead(struct deriving *x, uint64_t seen, const char *name,
					uint32_t n)
{
	enum nfart_status status = NFART_GAVEUP;
	const char *form = "states";

	progress_at(x->o->progress, FINDING, x->s->nstates, "states, sets of them");
	if (x->o->orders && !x->c->known)
		status = derive_states(x, seen, name);
	if (x->o->orders && status == NFART_GAVEUP) {
		form = "follow";
		status = derive_follow(x, seen, name);
	}
	if (status == NFART_OK)
		diag_report(x->d, DIAG_WARNING, "checker-sets", x->c->name.range,
			    "what the tap can know is more than %" PRIu32 " sets of states: "
			    "checker %s finds them while it runs, in the form '%s', which "
			    "takes longer for each message", n, name, form);
	else if (status == NFART_GAVEUP)
		report_beliefs(x->c, x->s, x->d, name, n, x->o);
	return status;
}

/* Warns that a checker is followed whose states are not listed. */
static void report_composed(const struct deriving *x, const char *name)
{
	diag_report(x->d, DIAG_WARNING, "checker-sets", x->c->name.range,
		    "the rules allow %.0f states, too many to be listed: checker %s finds sets of "
		    "them while it runs, in the form 'follow', which takes longer for each message",
		    x->composed.states, name);
}

/* Derives one checker that sees the events of a set. */
static enum nfart_status coherence_derive_one(struct deriving *x, uint64_t seen, const char *name)
{
	struct beliefs_options how = coherence_beliefs(x->o);
	struct beliefs beliefs = { .n = 0 };
	enum nfart_status status;

	if (x->o->follow || x->composed.parts.n != 0) {
		status = derive_follow(x, seen, name);
		if (status == NFART_GAVEUP)
			report_follow(x);
		else if (status == NFART_OK && !x->o->follow)
			report_composed(x, name);
		return status;
	}
	if (x->o->sets) {
		status = derive_states(x, seen, name);
		if (status == NFART_GAVEUP)
			report_moves(x);
		return status;
	}
	progress_at(x->o->progress, FINDING, x->s->nstates, "states, what the tap knows of them");
	status = beliefs_find(x->s, x->c->nevents, seen, x->c->known, &how, &beliefs);
	if (status == NFART_OK) {
		struct checker checker = { x->c, x->s, &beliefs, name, x->o->only, x->o->small,
					   x->o->only && x->o->orders };
		uint32_t slots = checker_slots(x->c, seen);

		x->slots = slots > x->slots ? slots : x->slots;
		x->named |= seen;
		add_comment(x, name, beliefs.n, "beliefs");
		checker_print(&checker, x->text);
		if (!keep_checker(&x->keep, name, seen, checker_how(&checker)))
			status = NFART_SYSTEM;
	}
	if (status == NFART_GAVEUP) {
		uint32_t n = beliefs.n;

		beliefs_free(&beliefs);
		memset(&beliefs, 0, sizeof beliefs);
		status = derive_instead(x, seen, name, n);
	}
	beliefs_free(&beliefs);
	return status;
}

/* Warns of the form "any", and of "only" for an overlay, if batches of the protocol can hold
 * several messages of a line. */
static void warn_order(const struct deriving *x)
{
	if (x->slots <= 1)
		return;
	if (x->o->only && !x->o->orders)
		diag_report(x->d, DIAG_WARNING, "checker-order", x->c->name.range,
			    "an overlay can't take messages in every order: after a batch with "
			    "several messages of a line this checker knows nothing, and in such a "
			    "batch it misses most errors; --overlay none finds them");
	if (!x->o->only)
		diag_report(x->d, DIAG_WARNING, "checker-order", x->c->name.range,
			    "messages that the checker sees can come in %" PRIu32 " slots: if "
			    "several of a line share a batch, which does not tell their order, "
			    "there can be false alarms; --form=only has none", x->slots);
}

static enum nfart_status derive_all(struct deriving *x)
{
	const struct coh *c = x->c;
	uint64_t all = coh_tap_events(c);
	enum nfart_status status = NFART_OK;

	if (x->o->nprojections == 0)
		return coherence_derive_one(x, all, c->name.text);
	for (size_t i = 0; i < x->o->nprojections && status == NFART_OK; i++) {
		struct buf made = { 0 }, name = { 0 };
		uint64_t seen;

		buf_addf(&made, "%s", c->name.text);
		seen = project(c, x->d, x->o->projections[i], &made);
		if (!made.failed)
			checker_print_name(c->proto, made.at, &name);
		if (made.failed || name.failed)
			status = NFART_SYSTEM;
		else if (seen == 0)
			status = NFART_INPUT;
		else
			status = coherence_derive_one(x, seen, name.at);
		buf_free(&made);
		buf_free(&name);
	}
	return status;
}

/* Finds the system of rules. If its states can't be listed, an engine can follow it without. */
static enum nfart_status find_system(struct deriving *x, struct coh_system *s)
{
	struct system_options explores = coherence_explores(x->o);
	size_t record = x->d->records.n; /* that of giving up */
	struct coh_system composed = { .nstates = 0 };
	enum nfart_status status;

	progress_at(x->o->progress, FINDING, 0, "states");
	status = system_of_rules(x->c, x->d, &explores, s);
	if (status != NFART_GAVEUP || !x->o->orders || x->o->sets)
		return status;
	progress_at(x->o->progress, FINDING, s->nstates, "states and more, sets of them");
	status = compose(x->c, &x->composed);
	if (status == NFART_OK)
		status = compose_check(x->c, &x->composed, x->d, &composed);
	if (status == NFART_GAVEUP) {
		system_free(&composed);
		diag_note(x->d, record, nowhere, "an engine can't follow these rules "
			  "either: sets of their states take too much room, or too long to find");
		return status;
	}
	system_free(s);
	*s = composed;
	diag_take_back(x->d, record);
	return status;
}

/* The form "only" of an automaton says that all messages of a batch are of some events. Types say
 * that, but no tests. */
static enum nfart_status check_tests(const struct coh *c, struct diags *d)
{
	for (uint32_t i = 0; i < c->nevents; i++)
		for (uint32_t k = 0; k < c->events[i].parts.n; k++) {
			const struct coh_messages *p = &c->parts.at[c->events[i].parts.first + k];

			if (p->guards.n == 0)
				continue;
			diag_report(d, DIAG_ERROR, "tests", p->range,
				    "--form=only for an overlay can't tell messages by tests of "
				    "their fields; --form=any can, and so can --overlay none");
			return NFART_INPUT;
		}
	return NFART_OK;
}

enum nfart_status coherence_derive(struct diags *d, uint32_t source, const struct coh_options *find,
				   const struct coherence_options *o, struct buf *b,
				   struct coherence_made *made)
{
	struct coh_system s = { .nstates = 0 };
	struct coh c;
	struct buf checkers = { 0 };
	struct deriving x = { .c = &c, .s = &s, .o = o, .d = d, .text = &checkers };
	enum nfart_status status;

	memset(&made->kept, 0, sizeof made->kept);
	status = coh_parse(d, source, find, &c);
	made->known = status == NFART_OK && c.known;
	made->name = c.name.range;
	if (status == NFART_OK && c.known && o->only && !o->follow) {
		diag_report(d, DIAG_ERROR, "known", nowhere,
			    "'start known' goes without --form=%s: that form begins anew, in "
			    "unknown states, at any time", o->sets ? "states" : "only");
		status = NFART_INPUT;
	}
	if (status == NFART_OK && (o->sets || o->follow) && !o->orders) {
		diag_report(d, DIAG_ERROR, "sets", c.name.range,
			    "only software keeps sets of states: --form=%s goes with --overlay "
			    "none; for an overlay --project makes a smaller checker",
			    o->sets ? "states" : "follow");
		status = NFART_INPUT;
	}
	if (status == NFART_OK && o->only && !o->orders)
		status = check_tests(&c, d);
	if (status == NFART_OK && c.rules)
		status = find_system(&x, &s);
	else if (status == NFART_OK && !system_of_tables(&c, &s))
		status = NFART_SYSTEM;
	if (status == NFART_OK)
		effect_warn(&c, &s, d);
	if (status == NFART_OK)
		status = derive_all(&x);
	if (status == NFART_OK) {
		buf_addf(b, "protocol %s;\n", c.proto->name);
		checker_print_lets(&c, x.named, b);
		buf_add(b, checkers.at, checkers.n);
	}
	if (status == NFART_OK)
		warn_order(&x);
	if (status == NFART_OK &&
	    !keep_write(&x.keep, &c, &s, &x.composed, &d->sources.at[source], &made->kept))
		status = NFART_SYSTEM;
	made->follow = status == NFART_OK && x.follow;
	if (b->failed || checkers.failed)
		status = NFART_SYSTEM;
	buf_free(&checkers);
	keep_free(&x.keep);
	composed_free(&x.composed);
	system_free(&s);
	coh_free(&c);
	return status;
}
