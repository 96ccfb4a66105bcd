/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "compiler/proof/verify.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

#include "compiler/proof/counterexample.h"
#include "compiler/proof/joint.h"
#include "compiler/proof/reference.h"
#include "ir/decide/decide.h"
#include "ir/decide/machine_decide.h"
#include "support/clock.h"

/* The most steps of the decision procedure for all labels and the log together. 10^6 steps take
 * some milliseconds. A comparison may use an equal share of the steps that are left, and
 * FEWEST_STEPS in any case while there are so many. A comparison without a proof is repeated in a
 * second round, with the steps that other comparisons did not need. */
enum { FEWEST_STEPS = 5000, ROUNDS = 2 };
static const uint64_t most_steps[] = {
	[VERIFY_OFF] = 0,
	[VERIFY_BOUNDED] = 5000000,
	[VERIFY_FULL] = 4000000000,
};

struct verify {
	const struct verify_input *in;
	struct verify_report *r;
	struct arena arena;
	struct alphabet letters;     /* the letters that source and image are compared over */
	struct reference source;     /* what the source says */
	struct target_reading image; /* what the bits of the image say */
	struct decider *d;
	/* [labels + 1]: the language of each label, and of the log after them, is proved to be
	 * right for all streams of up to so many batches */
	uint64_t *depth;
};

/* The depth of a language that is proved to be right for all streams. */
static const uint64_t all_streams = UINT64_MAX;

static bool verify_refute(struct verify *v, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static bool verify_refute(struct verify *v, const char *format, ...)
{
	char text[512];
	va_list ap;

	va_start(ap, format);
	vsnprintf(text, sizeof text, format, ap);
	va_end(ap);
	v->r->verdict = VERIFY_REFUTED;
	buf_addf(&v->r->text, "%s\n", text);
	return false;
}

/* ---- languages ---- */

static bool report_witness(struct verify *v, const char *what, const char *name,
			   const struct decide_answer *a)
{
	verify_refute(v, "after these batches the %s has %s%s%s%s, the %s has not",
		      a->left ? "source" : "image", what, name != NULL ? " '" : "",
		      name != NULL ? name : "", name != NULL ? "'" : "",
		      a->left ? "image" : "source");
	counterexample_begin(&v->source.spec, &v->r->text);
	counterexample_print(&v->source.spec, &a->witness, &v->r->text);
	return false;
}

/* Compares the language of label i in image and source. If i is the number after the last label, it
 * compares that of the log. `more` languages are still to be compared after this one. False: the
 * image is wrong, or memory is short. */
static bool verify_compare(struct verify *v, uint32_t i, uint64_t more, enum verify_level level)
{
	const struct spec *s = &v->source.spec;
	bool log = i == s->labels.n;
	const char *what = log ? "the log mark" : "label", *name = log ? NULL : s->labels.at[i];
	struct decide_target t = { log ? DECIDE_LOG : DECIDE_LABEL, log ? 0 : i };
	uint64_t all = v->in->steps != 0 ? v->in->steps : most_steps[level],
		 left = all - v->r->work, share = left / (more + 1),
		 few = left < FEWEST_STEPS ? left : FEWEST_STEPS;
	struct decide_answer a;

	progress_at(v->in->progress, "proof", 0, name != NULL ? name : what);
	a = decide_equal(v->d, t, t, share > few ? share : few);
	v->r->work = a.work > left ? all : v->r->work + a.work;
	switch (a.verdict) {
	case DECIDE_YES:
		v->depth[i] = all_streams;
		return true;
	case DECIDE_BOUNDED:
	case DECIDE_GAVEUP:
		v->depth[i] = a.depth > v->depth[i] ? a.depth : v->depth[i];
		return true;
	case DECIDE_NO:
		return report_witness(v, what, name, &a);
	case DECIDE_BROKEN:
		return verify_refute(v, "the proof of %s%s%s found a stream that proves nothing",
				     what, name != NULL ? " " : "", name != NULL ? name : "");
	case DECIDE_NO_MEMORY:
		break;
	}
	v->r->text.failed = true;
	return false;
}

/* Compares the labels and the log that are not proved yet for all streams. False: the image is
 * wrong, or memory is short. */
static bool compare_open(struct verify *v, enum verify_level level)
{
	size_t n = v->source.spec.labels.n + 1, open = 0;

	for (size_t i = 0; i < n; i++)
		open += v->depth[i] != all_streams;
	for (uint32_t i = 0; i < n; i++)
		if (v->depth[i] != all_streams && !verify_compare(v, i, --open, level))
			return false;
	return true;
}

/* Fills the report from v->depth. */
static void sum_up(struct verify *v)
{
	struct verify_report *r = v->r;

	r->total = v->source.spec.labels.n + 1;
	r->depth = all_streams;
	for (uint32_t i = 0; i < r->total; i++) {
		r->proved += v->depth[i] == all_streams;
		if (v->depth[i] < r->depth) {
			r->depth = v->depth[i];
			r->weakest = i;
		}
	}
	if (r->proved < r->total)
		r->verdict = VERIFY_UP_TO;
	else
		r->depth = 0;
}

/* Compares machine i of image and source. The compiler keeps the form of machines, so they are
 * written alike; machines of other form that nothing tells apart within the steps are refuted, too.
 * False: they differ, or memory is short. */
static bool compare_machine(struct verify *v, size_t i, enum verify_level level)
{
	const struct spec *source = &v->source.spec, *image = &v->image.spec;
	uint64_t all = v->in->steps != 0 ? v->in->steps : most_steps[level];
	struct machine_answer a;
	bool ok = true;

	machine_decide(&source->preds, &source->machines.at[i], &image->preds,
		       &image->machines.at[i], all - v->r->work, &a);
	v->r->work += a.work < all - v->r->work ? a.work : all - v->r->work;
	if (a.verdict == DECIDE_NO) {
		ok = verify_refute(v, "after these batches machine %zu has other %s in the image",
				   i + 1, a.what);
		counterexample_begin(source, &v->r->text);
		counterexample_print(source, &a.witness, &v->r->text);
	} else if (a.verdict == DECIDE_NO_MEMORY) {
		v->r->text.failed = true;
		ok = false;
	} else if (a.verdict != DECIDE_YES) {
		ok = verify_refute(v,
				   "machine %zu of the image has another form, and is not proved "
				   "to be equal for streams of more than %" PRIu64 " batches",
				   i + 1, a.depth);
	}
	machine_answer_free(&a);
	return ok;
}

static bool compare_machines(struct verify *v, enum verify_level level)
{
	size_t n = v->source.spec.machines.n;

	if (v->image.spec.machines.n != n)
		return verify_refute(v, "the image has %zu machines, not %zu",
				     v->image.spec.machines.n, n);
	for (size_t i = 0; i < n; i++)
		if (!compare_machine(v, i, level))
			return false;
	return true;
}

/* Compares the languages of all labels and of the log in image and source. False: the image is
 * wrong, or memory is short. */
static bool compare_languages(struct verify *v, enum verify_level level)
{
	const char *broken = nfa_verify(&v->image.nfa);

	if (broken != NULL)
		return verify_refute(v, "the image's automaton is malformed: %s", broken);
	v->depth = calloc(v->source.spec.labels.n + 1, sizeof *v->depth);
	if (v->depth != NULL)
		v->d = decide_new(&v->source.nfa, &v->image.nfa, v->image.counter);
	if (v->d == NULL) {
		v->r->text.failed = true;
		return false;
	}
	if (!compare_machines(v, level))
		return false;
	for (int round = 0; round < ROUNDS; round++)
		if (!compare_open(v, level))
			return false;
	sum_up(v);
	return true;
}

static enum nfart_status find_letters(struct verify *v)
{
	const struct joint_input in = { &v->in->ast, 1, v->in->tap, v->in->job->made.loaded };

	return joint_letters(&v->letters, &in, &v->arena);
}

/* There are no letters to compare over: too many, or their sizes are wrong. */
static void verify_refuse(struct verify *v, enum nfart_status why)
{
	if (why == NFART_INTERNAL)
		verify_refute(v, "the classes of messages don't add up to all messages");
	else
		v->r->verdict = VERIFY_UP_TO;
}

/* Makes the whole comparison and fills the report. If memory is short, text.failed is set in the
 * report, and nothing else in it counts. */
static void compare_all(struct verify *v, enum verify_level level)
{
	struct verify_report *r = v->r;
	enum nfart_status built = NFART_SYSTEM;

	if (v->in->tap != NULL)
		built = find_letters(v);
	if (built == NFART_GAVEUP || built == NFART_INTERNAL) {
		verify_refuse(v, built);
		return;
	}
	if (built == NFART_OK)
		built = reference_build(&v->source, v->in->ast, &v->letters);
	if (built == NFART_SYSTEM ||
	    !v->in->job->target->verify(v->in->job, &v->source.spec, &v->image, &r->text))
		r->text.failed = true;
	else if (r->text.n != 0)
		r->verdict = VERIFY_REFUTED;
	else if (built == NFART_NOFIT)
		verify_refute(v, "a predicate of the source names a message that the target does "
				 "not see");
	else if (built == NFART_GAVEUP)
		r->verdict = VERIFY_UP_TO;
	else
		compare_languages(v, level);
}

bool verify_image(const struct verify_input *in, enum verify_level level, struct verify_report *r)
{
	struct verify v = { .in = in, .r = r };
	uint64_t begin = clock_nanoseconds();

	verify_report_free(r);
	if (level == VERIFY_OFF)
		return true;
	r->verdict = VERIFY_PROVED;
	compare_all(&v, level);
	decide_free(v.d);
	free(v.depth);
	target_reading_free(&v.image);
	reference_free(&v.source);
	arena_free(&v.arena);
	r->nanoseconds = clock_nanoseconds() - begin;
	return !r->text.failed;
}

void verify_report_free(struct verify_report *r)
{
	buf_free(&r->text);
	memset(r, 0, sizeof *r);
}
