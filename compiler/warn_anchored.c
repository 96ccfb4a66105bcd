/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Note [anchored]. An expression describes the whole stream from its first batch on. An author who
 * wants to search for a pattern may forget the `true*` at the front. Then the filter never accepts
 * unless the first batches of the stream match.
 *
 * So there is a warning for an expression that is anchored. An expression is not anchored if it
 * can begin with a part of any length: with a repetition that has no upper bound, or with @NAME,
 * which waits for any number of batches. A predicate that is always true, such as `.`, is no such
 * part, because it only moves the beginning by one batch. An author who means the anchor writes
 * `eps` at the front and gets no warning.
 */
#include "compiler/warn.h"

#include "ir/spec.h"

/* How an expression begins (Note [anchored]). */
enum head {
	HEAD_PASSED, /* with nothing that can fail, so what comes after the expression decides */
	HEAD_FAILS,  /* with a predicate that can fail, so the expression is anchored */
	HEAD_OPEN    /* with a part of any length, or with an `eps` that marks an intended anchor */
};

static enum head head_of_list(const struct spec *s, const struct rx *x, const unsigned char *head)
{
	bool passed = false, open = x->kind == RX_CAT && s->nodes.at[x->sub[0]].kind == RX_EPS;

	for (uint32_t i = 0; i < x->n; i++) {
		enum head h = (enum head)head[x->sub[i]];
		if (x->kind == RX_CAT && !open && h != HEAD_PASSED)
			return h;
		passed = passed || h == HEAD_PASSED;
		open = open || h == HEAD_OPEN;
	}
	return open ? HEAD_OPEN : passed ? HEAD_PASSED : HEAD_FAILS;
}

static enum head head_of(const struct spec *s, const struct rx *x, const unsigned char *head)
{
	switch (x->kind) {
	case RX_EPS:
		return HEAD_PASSED;
	case RX_PRED:
		return pred_always(&s->preds, x->pred) ? HEAD_PASSED : HEAD_FAILS;
	case RX_CAT:
	case RX_ALT:
		return head_of_list(s, x, head);
	case RX_REP:
		if (x->hi == RX_INF || head[x->sub[0]] == HEAD_OPEN)
			return HEAD_OPEN;
		return x->lo == 0 ? HEAD_PASSED : (enum head)head[x->sub[0]];
	case RX_COUNTER:
		break;
	}
	return HEAD_OPEN;
}

static void warn_of(const unsigned char *head, rx_id_t id, struct diag_range range,
		    const char *what, const char *name, struct diags *d)
{
	size_t at;

	if (id == RX_NONE || head[id] == HEAD_OPEN)
		return;
	at = diag_report(d, DIAG_WARNING, "anchored", range,
			 "%s%s%s%s is anchored: it can begin to match only with the first batch",
			 what, name != NULL ? " '" : "", name != NULL ? name : "",
			 name != NULL ? "'" : "");
	diag_note(d, at, range,
		  "begin it with 'true*' to match anywhere, or with 'eps' if this is meant");
}

bool warn_anchored(const struct spec *s, struct diags *d)
{
	unsigned char *head = malloc(s->nodes.n + 1);

	if (head == NULL)
		return false;
	for (size_t i = 0; i < s->nodes.n; i++)
		head[i] = (unsigned char)head_of(s, &s->nodes.at[i], head);
	for (size_t i = 0; i < s->filters.n; i++)
		warn_of(head, s->filters.at[i].rx, s->filters.at[i].range, "filter",
			s->labels.at[s->filters.at[i].label], d);
	if (s->log.rx != RX_NONE)
		warn_of(head, s->log.rx, s->nodes.at[s->log.rx].range, "log", NULL, d);
	for (size_t i = 0; i < s->counters.n; i++) {
		const struct spec_counter *c = &s->counters.at[i];
		warn_of(head, c->count, c->range, "counter", c->name, d);
		warn_of(head, c->reset, c->range, "the reset of counter", c->name, d);
	}
	free(head);
	return !d->failed;
}
