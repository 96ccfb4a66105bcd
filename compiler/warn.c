/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "compiler/warn.h"

#include <inttypes.h>

#include "ir/decide/decide.h"

/* The most steps for the answer to one question, and to all questions together. All of them take
 * well under a millisecond. */
enum { MOST_ONE = 20000, MOST_ALL = 100000 };

struct warn {
	const struct nfa *a;
	const struct spec *s;
	struct diags *d;
	struct decider *decider;
	uint64_t work; /* how many steps all questions have taken so far */
	bool *empty;  /* [labels]: it is proved that the label accepts no stream */
	bool failed;
};

static const struct decide_target nothing = { DECIDE_NOTHING, 0 };

/* Can it be proved within the limits that y accepts everything that x accepts? */
static bool contained(struct warn *w, struct decide_target x, struct decide_target y)
{
	uint64_t left = MOST_ALL - w->work;
	struct decide_answer r;

	if (w->failed || left == 0)
		return false;
	r = decide_contains(w->decider, x, y, left < MOST_ONE ? left : MOST_ONE);
	w->work += r.work < left ? r.work : left;
	w->failed = r.verdict == DECIDE_NO_MEMORY;
	return r.verdict == DECIDE_YES;
}

static struct decide_target label(uint32_t i)
{
	return (struct decide_target){ DECIDE_LABEL, i };
}

/* Returns the place in the source where label l is defined. */
static struct diag_range range_of(const struct spec *s, uint32_t l)
{
	for (size_t i = 0; i < s->filters.n; i++)
		if (s->filters.at[i].label == l)
			return s->filters.at[i].range;
	for (size_t i = 0; i < s->automata.n; i++) {
		const struct spec_automaton *m = &s->automata.at[i];
		for (size_t q = 0; q < m->states.n; q++)
			for (uint32_t k = 0; k < m->states.at[q].nlabels; k++)
				if (m->states.at[q].labels[k] == l)
					return m->states.at[q].range;
	}
	return (struct diag_range){ DIAG_NO_SOURCE, 0, 0 };
}

/* Was automaton i derived? The front end does not warn of single predicates in it. */
static bool is_derived(const struct warn *w, size_t i)
{
	const struct spec_automaton *m = &w->s->automata.at[i];

	return m->states.n != 0 && diag_is_derived(w->d, m->states.at[0].range);
}

/* Is there a predicate that can't match? The front end warns of it, so an empty label that may
 * follow from it needs no warning. */
static bool is_explained(const struct warn *w)
{
	const struct spec *s = w->s;

	for (size_t i = 0; i < s->nodes.n; i++)
		if (s->nodes.at[i].kind == RX_PRED && pred_never(&s->preds, s->nodes.at[i].pred))
			return true;
	for (size_t i = 0; i < s->automata.n; i++)
		for (size_t k = 0; k < s->automata.at[i].edges.n && !is_derived(w, i); k++) {
			pred_id_t p = s->automata.at[i].edges.at[k].pred;
			if (p != PRED_EPS && pred_never(&s->preds, p))
				return true;
		}
	return false;
}

/* Is this a label of a machine? The NFA knows nothing of it. */
static bool is_of_machine(const struct spec *s, uint32_t l)
{
	for (size_t i = 0; i < s->machines.n; i++)
		for (size_t q = 0; q < s->machines.at[i].states.n; q++) {
			const struct machine_state *t = &s->machines.at[i].states.at[q];
			for (uint32_t k = 0; k < t->nlabels; k++)
				if (t->labels[k] == l)
					return true;
		}
	return false;
}

/* Is there a machine that logs batches? */
static bool machine_logs(const struct spec *s)
{
	for (size_t i = 0; i < s->machines.n; i++)
		for (size_t q = 0; q < s->machines.at[i].states.n; q++)
			if (s->machines.at[i].states.at[q].log)
				return true;
	return false;
}

static void warn_empty(struct warn *w)
{
	bool explained = is_explained(w);

	for (uint32_t i = 0; i < w->s->labels.n; i++) {
		if (is_of_machine(w->s, i)) {
			w->empty[i] = true; /* it is compared with no other label */
			continue;
		}
		w->empty[i] = contained(w, label(i), nothing);
		if (w->empty[i] && !explained)
			diag_report(w->d, DIAG_WARNING, "empty-filter", range_of(w->s, i),
				    "no stream is accepted with label '%s'", w->s->labels.at[i]);
	}
}

/* Reports for each label the first other label that is equal to it or contains it. Of two equal
 * labels the later one is reported. The warning for contained labels is off by default, because
 * authors often write such a label on purpose: it says more about some of the batches that another
 * label accepts. */
static void warn_contained(struct warn *w)
{
	uint32_t n = (uint32_t)w->s->labels.n;

	for (uint32_t i = 0; i < n; i++)
		for (uint32_t k = 0; k < n && w->work < MOST_ALL; k++) {
			bool equal;
			size_t at;
			if (k == i || w->empty[i] || w->empty[k] ||
			    !contained(w, label(i), label(k)))
				continue;
			equal = contained(w, label(k), label(i));
			if (equal && k > i)
				continue;
			at = diag_report(w->d, DIAG_WARNING,
					 equal ? "equal-labels" : "contained-label",
					 range_of(w->s, i),
					 equal ? "label '%s' accepts exactly what '%s' accepts"
					       : "all that label '%s' accepts is accepted by '%s'",
					 w->s->labels.at[i], w->s->labels.at[k]);
			if (at == SIZE_MAX)
				continue;
			diag_note(w->d, at, range_of(w->s, k), "it is defined here");
			break;
		}
}

/* Stores in *r the first place in the source that marks batches as logged: the log statement, or a
 * state with `log`. False: there is none. */
static bool log_range(const struct spec *s, struct diag_range *r)
{
	if (s->log.rx != RX_NONE) {
		*r = s->nodes.at[s->log.rx].range;
		return true;
	}
	for (size_t i = 0; i < s->automata.n; i++)
		for (size_t q = 0; q < s->automata.at[i].states.n; q++)
			if (s->automata.at[i].states.at[q].log) {
				*r = s->automata.at[i].states.at[q].range;
				return true;
			}
	return false;
}

/* A log is useless without a window, because then no batch is output for being logged. It is
 * useless too when every logged batch is accepted, because then the batch is output anyway. */
static void warn_log(struct warn *w)
{
	struct decide_target log = { DECIDE_LOG, 0 }, any = { DECIDE_ANY_LABEL, 0 };
	struct diag_range r;

	if (!log_range(w->s, &r))
		return;
	if (w->s->window.before == 0 && w->s->window.after == 0)
		diag_report(w->d, DIAG_WARNING, "useless-log", r,
			    "log makes no difference without a window");
	else if (!machine_logs(w->s) && contained(w, log, any))
		diag_report(w->d, DIAG_WARNING, "useless-log", r,
			    "log makes no difference: every logged batch is accepted");
}

bool warn_automaton(const struct nfa *a, struct diags *d)
{
	struct warn w = { .a = a, .s = a->spec, .d = d };

	w.decider = decide_new(a, a, NULL);
	w.empty = calloc(a->spec->labels.n + 1, 1);
	w.failed = w.decider == NULL || w.empty == NULL;
	if (!w.failed) {
		decide_without_witness(w.decider);
		warn_empty(&w);
		warn_contained(&w);
		warn_log(&w);
	}
	decide_free(w.decider);
	free(w.empty);
	return !w.failed && !d->failed;
}

void warn_bounded(const struct spec *s, const struct verify_report *r, bool full_helps,
		  struct diags *d)
{
	struct diag_range where = { DIAG_NO_SOURCE, 0, 0 };
	char what[300], more[60] = "";
	size_t at;

	if (r->verdict != VERIFY_UP_TO)
		return;
	if (r->total == 0) {
		snprintf(what, sizeof what, "the image");
	} else if (r->weakest == s->labels.n) {
		snprintf(what, sizeof what, "the log mark");
		log_range(s, &where);
	} else {
		snprintf(what, sizeof what, "label '%s'", s->labels.at[r->weakest]);
		where = range_of(s, r->weakest);
	}
	if (r->total - r->proved > 1)
		snprintf(more, sizeof more, " (and %zu more)", r->total - r->proved - 1);
	if (r->depth == 0)
		at = diag_report(d, DIAG_WARNING, "bounded", where,
				 "%s%s is not proved to be right", what, more);
	else
		at = diag_report(d, DIAG_WARNING, "bounded", where,
				 "%s%s is proved to be right only for streams of up to %" PRIu64
				 " batches", what, more, r->depth);
	if (full_helps && r->total != 0)
		diag_note(d, at, (struct diag_range){ DIAG_NO_SOURCE, 0, 0 },
			  "--verify=full takes longer and goes further");
}
