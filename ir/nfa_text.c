/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Note [IR text]. An NFA is printed as a filter file that means the same: the protocol, window,
 * limit and substream of its spec, and one automaton block. Counters are the exception. The block
 * has no syntax for them, so they are printed as comments, and such a text does not mean the same.
 * Two details:
 *
 *   - A state `labels`, which no transition enters, gives the labels their order.
 *   - `always` is printed as transitions from a start state `every` that loops on `true`. The pass
 *     `always` turns them back into the flag. In the same way `homogenise` makes a homogeneous NFA
 *     that was printed homogeneous again, and changes nothing else in it.
 */
#include <inttypes.h>

#include "ir/nfa.h"
#include "support/escape.h"

static void print_substream(const struct spec *s, struct buf *b)
{
	if (!s->substreams.by_line)
		return;
	buf_addf(b, "substream %s", s->substreams.field != NULL ? s->substreams.field : "cl");
	for (size_t i = 0; i < s->substreams.ranges.n; i++) {
		const struct image_range *r = &s->substreams.ranges.at[i];
		buf_addf(b, "%s from ", i == 0 ? "" : ",");
		if (s->substreams.field != NULL)
			buf_addf(b, "%" PRIu64, r->first);
		else
			buf_addf(b, "0x%" PRIx64, r->first << s->proto->header.line_shift);
		buf_addf(b, " count %" PRIu64, r->count);
	}
	buf_addf(b, ";\n");
}

static void print_head(const struct nfa *a, struct buf *b)
{
	const struct spec *s = a->spec;

	buf_addf(b, "// %zu states, %zu transitions%s\n", a->states.n, a->edges.n,
		 a->homogeneous ? ", homogeneous" : "");
	buf_addf(b, "protocol %s;\n", s->proto->name);
	print_substream(s, b);
	if (s->window.before != s->window.after)
		buf_addf(b, "window %" PRIu64 ", %" PRIu64 ";\n", s->window.before,
			 s->window.after);
	else if (s->window.before != 0)
		buf_addf(b, "window %" PRIu64 ";\n", s->window.before);
	if (s->stream.tick != 0)
		buf_addf(b, "tick %" PRIu64 ";\n", s->stream.tick);
	if (s->stream.limit != 0)
		buf_addf(b, "limit %" PRIu64 ";\n", s->stream.limit);
	/* The stream has a batch of the end even if no predicate looks for it. */
	if (s->stream.end)
		buf_addf(b, "let at_end = end;\n");
}

static void print_state(const struct nfa *a, size_t i, struct buf *b)
{
	const struct nfa_state *q = &a->states.at[i];
	const struct labelset *l = &a->labelsets.at[q->labels];
	uint32_t n = nfa_nlabels(a, q->labels);

	buf_addf(b, "\tstate s%zu%s%s", i, q->start ? " start" : "", q->log ? " log" : "");
	for (uint32_t k = 0; k < n; k++)
		buf_addf(b, " accept(%s)", a->spec->labels.at[l->labels[k]]);
	buf_addf(b, ";");
	if (q->kind == NFA_COUNTER)
		buf_addf(b, " // @%s, counter at %" PRIu32 " %s", a->counters.at[q->counter].name,
			 a->counters.at[q->counter].k,
			 counter_modes[a->counters.at[q->counter].mode]);
	for (uint32_t k = n; k < l->n; k++)
		buf_addf(b, " // %s @%s", nfa_port_resets(a, l->labels[k]) ? "resets" : "counts",
			 a->counters.at[nfa_port_counter(a, l->labels[k])].name);
	buf_addf(b, "\n");
}

static void print_trigger(const struct nfa *a, pred_id_t p, struct buf *b)
{
	if (p == PRED_EPS)
		buf_addf(b, "eps");
	else
		pred_print(a->preds, p, b);
	buf_addf(b, ";\n");
}

void nfa_print(const struct nfa *a, struct buf *b)
{
	bool always = false, started = false;

	for (size_t i = 0; i < a->states.n; i++) {
		always |= a->states.at[i].always;
		started |= a->states.at[i].start;
	}
	print_head(a, b);
	buf_addf(b, "automaton nfa {\n\tstate labels");
	for (size_t i = 0; i < a->spec->labels.n; i++)
		buf_addf(b, " accept(%s)", a->spec->labels.at[i]);
	buf_addf(b, ";\n");
	for (size_t i = 0; i < a->states.n; i++)
		print_state(a, i, b);
	if (always || !started)
		buf_addf(b, "\tstate every start;\n");
	for (size_t i = 0; i < a->edges.n; i++) {
		buf_addf(b, "\ts%" PRIu32 " -> s%" PRIu32 " : ", a->edges.at[i].from,
			 a->edges.at[i].to);
		print_trigger(a, a->edges.at[i].pred, b);
	}
	if (always)
		buf_addf(b, "\tevery -> every : true;\n");
	for (size_t i = 0; i < a->states.n; i++)
		if (a->states.at[i].always) {
			buf_addf(b, "\tevery -> s%zu : ", i);
			print_trigger(a, a->states.at[i].pred, b);
		}
	buf_addf(b, "}\n");
}

/* ---- Graphviz ---- */

static void dot_trigger(const struct nfa *a, pred_id_t p, struct buf *b)
{
	struct buf t = { 0 };

	if (p == PRED_EPS)
		buf_addf(&t, "\xce\xb5");
	else
		pred_print(a->preds, p, &t);
	if (t.at != NULL)
		escape_quoted(b, t.at, t.n);
	b->failed |= t.failed;
	buf_free(&t);
}

static void dot_state(const struct nfa *a, size_t i, struct buf *b)
{
	const struct nfa_state *q = &a->states.at[i];
	const struct labelset *l = &a->labelsets.at[q->labels];
	uint32_t n = nfa_nlabels(a, q->labels);

	buf_addf(b, "\ts%zu [shape=%s%s, label=\"%zu", i,
		 q->kind == NFA_COUNTER ? "box" : n != 0 ? "doublecircle" : "circle",
		 q->log ? ", style=filled, fillcolor=gray90" : "", i);
	for (uint32_t k = 0; k < n; k++)
		buf_addf(b, "\\n%s", a->spec->labels.at[l->labels[k]]);
	if (q->kind == NFA_COUNTER)
		buf_addf(b, "\\n@%s at %" PRIu32 " %s", a->counters.at[q->counter].name,
			 a->counters.at[q->counter].k,
			 counter_modes[a->counters.at[q->counter].mode]);
	if (a->homogeneous && q->pred != PRED_NONE) {
		buf_addf(b, "\\n");
		dot_trigger(a, q->pred, b);
	}
	buf_addf(b, "\"];\n");
	if (q->start || q->always)
		buf_addf(b, "\tin%zu [shape=point];\n\tin%zu -> s%zu%s;\n", i, i, i,
			 q->always ? " [label=\"always\"]" : "");
}

/* Draws the links to counters, dashed: with an arrow for counting, with a bar for resetting. */
static void dot_links(const struct nfa *a, struct buf *b)
{
	size_t n = 0;
	struct nfa_link *l = nfa_links(a, &n);

	b->failed |= l == NULL;
	for (size_t i = 0; i < n; i++)
		buf_addf(b, "\ts%" PRIu32 " -> s%" PRIu32 " [style=dashed%s];\n", l[i].from,
			 l[i].to,
			 !l[i].reset  ? ""
			 : l[i].count ? ", arrowhead=normaltee"
				      : ", arrowhead=tee");
	free(l);
}

void nfa_dot(const struct nfa *a, struct buf *b)
{
	buf_addf(b, "digraph nfa {\n\trankdir=LR;\n");
	for (size_t i = 0; i < a->states.n; i++)
		dot_state(a, i, b);
	for (size_t i = 0; i < a->edges.n; i++) {
		buf_addf(b, "\ts%" PRIu32 " -> s%" PRIu32, a->edges.at[i].from, a->edges.at[i].to);
		if (!a->homogeneous) {
			buf_addf(b, " [label=\"");
			dot_trigger(a, a->edges.at[i].pred, b);
			buf_addf(b, "\"]");
		}
		buf_addf(b, ";\n");
	}
	dot_links(a, b);
	buf_addf(b, "}\n");
}
