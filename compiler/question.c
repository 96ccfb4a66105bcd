/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "compiler/question.h"

#include <inttypes.h>
#include <string.h>

#include "compiler/proof/counterexample.h"
#include "compiler/proof/joint.h"
#include "compiler/proof/reference.h"
#include "ir/decide/decide.h"

/* The default for the most steps that the answer for one label may take. So many steps take some
 * seconds and some hundred megabytes. */
enum { MOST_STEPS = 100000000 };

struct ask {
	const struct question_input *in;
	struct arena arena;
	struct alphabet letters;      /* the letters of both files */
	struct reference source[2];   /* the automaton of each file; there may be only one file */
	const struct spec *s[2];      /* the spec of each file; a single file's spec is in both */
	struct decider *d;
	struct buf *out;
	size_t shortest;              /* length of the witness in `out`; SIZE_MAX: there is none */
	bool gave_up;                 /* for some label the limit was reached */
	uint64_t depth;               /* with gave_up: every witness has more batches than this */
};

/* ---- can the files be compared? ---- */

static bool has_log(const struct nfa *a)
{
	for (size_t i = 0; i < a->states.n; i++)
		if (a->states.at[i].log)
			return true;
	return false;
}

/* Returns the label of file k that is compared with label i of the other file. UINT32_MAX: file k
 * has no such label. */
static uint32_t partner(const struct ask *a, int k, uint32_t i)
{
	const struct spec *from = a->s[1 - k], *to = a->s[k];

	if (from->labels.n == 1 && to->labels.n == 1)
		return 0;
	for (uint32_t l = 0; l < to->labels.n; l++)
		if (strcmp(to->labels.at[l], from->labels.at[i]) == 0)
			return l;
	return UINT32_MAX;
}

/* Does file k have a label to compare with every label of the other file? If not, says so in
 * `out`. */
static bool have_partners(struct ask *a, int k)
{
	for (uint32_t i = 0; i < a->s[1 - k]->labels.n; i++)
		if (partner(a, k, i) == UINT32_MAX) {
			buf_addf(a->out, "%s has no label '%s', which %s has\n", a->in->name[k],
				 a->s[1 - k]->labels.at[i], a->in->name[1 - k]);
			return false;
		}
	return true;
}

static bool same_copies(const struct spec *x, const struct spec *y)
{
	if (x->substreams.by_line != y->substreams.by_line ||
	    x->substreams.ranges.n != y->substreams.ranges.n ||
	    (x->substreams.field != NULL) != (y->substreams.field != NULL) ||
	    (x->substreams.field != NULL && strcmp(x->substreams.field, y->substreams.field) != 0))
		return false;
	for (size_t i = 0; i < x->substreams.ranges.n; i++)
		if (x->substreams.ranges.at[i].first != y->substreams.ranges.at[i].first ||
		    x->substreams.ranges.at[i].count != y->substreams.ranges.at[i].count)
			return false;
	return true;
}

static bool same_protocol(struct ask *a)
{
	const struct nfart_proto *x = a->in->ast[0]->proto, *y = a->in->ast[1]->proto;

	if (x->fp.hardware == y->fp.hardware && x->fp.names == y->fp.names)
		return true;
	buf_addf(a->out, "%s is for protocol '%s' and %s for '%s'\n", a->in->name[0], x->name,
		 a->in->name[1], y->name);
	return false;
}

/* A period of ticks is no part of what a filter says of a stream, so filters with different periods
 * can't be asked about one stream. */
static bool same_ticks(struct ask *a)
{
	const struct spec *x = a->s[0], *y = a->s[1];

	if (x->stream.tick == y->stream.tick)
		return true;
	buf_addf(a->out, "%s has tick %" PRIu64 " and %s tick %" PRIu64 "\n", a->in->name[0],
		 x->stream.tick, a->in->name[1], y->stream.tick);
	return false;
}

static bool comparable(struct ask *a)
{
	const struct spec *x = a->s[0], *y = a->s[1];

	if (!same_copies(x, y)) {
		buf_addf(a->out, "%s and %s observe different lines\n", a->in->name[0],
			 a->in->name[1]);
		return false;
	}
	return have_partners(a, 1) && (a->in->question != QUESTION_EQUAL || have_partners(a, 0));
}

/* ---- answers ---- */

/* Writes the answer "no" to `out`, with the witness in r, unless a shorter witness is there. The
 * first line, behind that of counterexample_begin(), is a comment made of `verb`, `what` and `label`:
 * FILE accepts with label 'x'. */
static void print_no(struct ask *a, const char *verb, const char *what, const char *label,
		     const struct decide_answer *r)
{
	const char *quote = label != NULL ? "'" : "";
	int side = r->left ? 0 : 1;

	if (r->witness.n >= a->shortest)
		return;
	a->shortest = r->witness.n;
	a->out->n = 0;
	counterexample_begin(a->s[0], a->out);
	if (a->in->question == QUESTION_UNIVERSAL)
		buf_addf(a->out, "# %s does not accept", a->in->name[0]);
	else
		buf_addf(a->out, "# %s %s", a->in->name[side], verb);
	buf_addf(a->out, "%s%s%s%s", what, quote, label != NULL ? label : "", quote);
	if (a->in->question == QUESTION_EQUAL || a->in->question == QUESTION_CONTAINS)
		buf_addf(a->out, ", %s does not", a->in->name[1 - side]);
	buf_addf(a->out, "\n");
	counterexample_print(a->s[0], &r->witness, a->out);
}

static enum nfart_status question_take(struct ask *a, const char *verb, const char *what,
				       const char *label, const struct decide_answer *r)
{
	switch (r->verdict) {
	case DECIDE_YES:
		return NFART_OK;
	case DECIDE_NO:
		print_no(a, verb, what, label, r);
		return NFART_OK;
	case DECIDE_BOUNDED:
	case DECIDE_GAVEUP:
		if (!a->gave_up || r->depth < a->depth)
			a->depth = r->depth;
		a->gave_up = true;
		return NFART_OK;
	case DECIDE_NO_MEMORY:
		return NFART_SYSTEM;
	case DECIDE_BROKEN:
		break;
	}
	a->out->n = 0;
	buf_addf(a->out, "internal error: a witness that proves nothing\n");
	return NFART_INTERNAL;
}

static enum nfart_status ask_label(struct ask *a, uint32_t i)
{
	struct decide_target x = { DECIDE_LABEL, i }, y = { DECIDE_LABEL, i },
			     none = { DECIDE_NOTHING, 0 }, all = { DECIDE_EVERYTHING, 0 };
	uint64_t most = a->in->steps != 0 ? a->in->steps : MOST_STEPS;
	enum question q = a->in->question;
	const char *label = a->s[0]->labels.at[i];
	struct decide_answer r;

	if (q == QUESTION_EQUAL || q == QUESTION_CONTAINS)
		y.label = partner(a, 1, i);
	progress_at(a->in->progress, "answer", 0, label);
	r = q == QUESTION_EQUAL	     ? decide_equal(a->d, x, y, most)
	    : q == QUESTION_CONTAINS ? decide_contains(a->d, x, y, most)
	    : q == QUESTION_EMPTY    ? decide_equal(a->d, x, none, most)
				     : decide_equal(a->d, all, y, most);
	if (q == QUESTION_EQUAL && r.verdict == DECIDE_NO && !r.left)
		label = a->s[1]->labels.at[y.label];
	return question_take(a, "accepts", " with label ", label, &r);
}

static enum nfart_status ask_all(struct ask *a)
{
	struct decide_target log = { DECIDE_LOG, 0 };
	enum nfart_status status = NFART_OK;

	for (uint32_t i = 0; i < a->s[0]->labels.n && status == NFART_OK; i++)
		status = ask_label(a, i);
	if (status == NFART_OK && a->in->question == QUESTION_EQUAL &&
	    (has_log(&a->source[0].nfa) || has_log(&a->source[1].nfa))) {
		struct decide_answer r =
			decide_equal(a->d, log, log, a->in->steps != 0 ? a->in->steps : MOST_STEPS);
		status = question_take(a, "logs", "", NULL, &r);
	}
	if (status != NFART_OK || a->shortest != SIZE_MAX)
		return status != NFART_OK ? status : NFART_NO;
	if (!a->gave_up)
		return NFART_OK;
	buf_addf(a->out, "gave up: all that is known is that no stream of up to %" PRIu64
			 " batches says no\n", a->depth);
	return NFART_GAVEUP;
}

enum nfart_status question_answer(const struct question_input *in, struct buf *out)
{
	bool two = in->question == QUESTION_EQUAL || in->question == QUESTION_CONTAINS;
	struct ask a = { .in = in, .out = out, .shortest = SIZE_MAX };
	const struct joint_input joint = { in->ast, two ? 2 : 1, in->ast[0]->proto, NULL };
	enum nfart_status status = NFART_OK;

	a.s[0] = &a.source[0].spec;
	a.s[1] = &a.source[two ? 1 : 0].spec;
	if (two && !same_protocol(&a))
		return out->failed ? NFART_SYSTEM : NFART_INPUT;
	status = joint_letters(&a.letters, &joint, &a.arena);
	if (status == NFART_GAVEUP)
		buf_addf(out, "gave up: the guards tell too many classes of messages apart\n");
	else if (status == NFART_INTERNAL)
		buf_addf(out, "the classes of messages don't add up to all messages\n");
	if (status != NFART_OK) {
		arena_free(&a.arena);
		return out->failed ? NFART_SYSTEM : status;
	}
	for (int k = 0; k < (two ? 2 : 1) && status == NFART_OK; k++)
		status = reference_build(&a.source[k], in->ast[k], &a.letters);
	if (status == NFART_GAVEUP)
		buf_addf(out, "gave up: the automaton has more than %d states or %d transitions\n",
			 REFERENCE_MOST_STATES, REFERENCE_MOST_EDGES);
	if (status == NFART_OK && two && !comparable(&a))
		status = NFART_INPUT;
	if (status == NFART_OK && two && !same_ticks(&a))
		status = NFART_USAGE;
	if (status == NFART_OK) {
		a.d = decide_new(&a.source[0].nfa, &a.source[two ? 1 : 0].nfa, NULL);
		status = a.d != NULL ? ask_all(&a) : NFART_SYSTEM;
	}
	decide_free(a.d);
	reference_free(&a.source[0]);
	reference_free(&a.source[1]);
	arena_free(&a.arena);
	return out->failed ? NFART_SYSTEM : status;
}
