/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "compiler/verify.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>
#include <time.h>

#include "backends/inspect.h"
#include "compiler/counterexample.h"
#include "ir/build.h"
#include "ir/decide/decide.h"

/* Steps of the decision procedure for all labels and the log together; 10^6 take some milliseconds. Each
 * may use what is left, divided by how many are still to come, and some in any case. */
enum { FEWEST_STEPS = 5000 };
static const uint64_t most_steps[] = {
	[VERIFY_OFF] = 0,
	[VERIFY_BOUNDED] = 5000000,
	[VERIFY_FULL] = 4000000000,
};

struct verify {
	const struct verify_input *in;
	struct verify_report *r;
	const struct nfart_image *im;
	struct spec spec;     /* of the image */
	struct nfa image;     /* what its bits say */
	struct nfa written;   /* what the source says */
	struct decider *d;
};

static bool refute(struct verify *v, const char *format, ...) __attribute__((format(printf, 2, 3)));

static bool refute(struct verify *v, const char *format, ...)
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

/* ---- what is compared directly ---- */

static bool check_register(struct verify *v, const char *name, uint64_t has, uint64_t wanted)
{
	return has == wanted || refute(v, "the image's %s is %" PRIu64 ", not %" PRIu64, name, has, wanted);
}

static bool check_registers(struct verify *v)
{
	const struct nfart_image *im = v->im;
	const struct spec *s = v->in->spec;

	return check_register(v, "window", im->window, s->window) &&
	       check_register(v, "limit", im->limit, s->limit) &&
	       check_register(v, "flag for substreams", im->by_line, s->by_line) &&
	       check_register(v, "first line", im->first_line, s->first_line) &&
	       check_register(v, "number of lines", im->nlines, s->nlines) &&
	       check_register(v, "number of labels", im->nlabels, s->labels.n);
}

static bool check_names(struct verify *v)
{
	for (uint32_t i = 0; i < v->im->nlabels; i++)
		if (strcmp(v->im->labels[i], v->in->spec->labels.at[i]) != 0)
			return refute(v, "label %" PRIu32 " of the image is '%s', not '%s'", i,
				      v->im->labels[i], v->in->spec->labels.at[i]);
	return true;
}

/* The protocol in the image, written out, is that of the spec, byte for byte. */
static bool check_protocol(struct verify *v)
{
	const struct image_section *s = image_find_section(v->im, SEC_protocol);
	struct buf b = { 0 };
	bool same;

	proto_write(v->in->spec->proto, &b);
	same = !b.failed && s != NULL && s->n == b.n && memcmp(s->at, b.at, b.n) == 0;
	if (b.failed)
		v->r->text.failed = true;
	else if (!same)
		refute(v, "the image's protocol is not that of the filters");
	buf_free(&b);
	return same;
}

static bool check_overlay(struct verify *v)
{
	struct overlay has = v->im->overlay, wanted = *v->in->overlay;
	bool same = has.none == wanted.none && (has.none || has.slots == wanted.slots) &&
		    (has.none || has.op_bits == wanted.op_bits);

	for (size_t i = 0; i < noverlay_params && same && !has.none; i++)
		same = *overlay_field(&has, &overlay_params[i]) ==
		       *overlay_field(&wanted, &overlay_params[i]);
	return same || refute(v, "the image is for another overlay");
}

/* ---- languages ---- */

/* Which counter of the spec each counter of the image is likely to be, by where its state was put. NULL:
 * out of memory. */
static uint32_t *guess_counters(const struct verify *v)
{
	const struct nfa *a = v->in->nfa;
	uint32_t *of = malloc((v->im->ncounters + 1) * sizeof *of);
	nfa_state_t *state;
	bool ok = nfa_counter_states(a, &state) && of != NULL;

	for (uint32_t i = 0; ok && i < v->im->ncounters; i++) {
		uint32_t node = v->im->states[v->im->counters[i].state].node;
		of[i] = DECIDE_NO_COUNTER;
		for (uint32_t c = 0; c < a->counters.n; c++)
			if (state[c] != UINT32_MAX &&
			    (v->in->ste != NULL ? v->in->ste[state[c]] : state[c]) == node)
				of[i] = c;
	}
	free(state);
	if (ok)
		return of;
	free(of);
	return NULL;
}

static bool report_witness(struct verify *v, const char *what, const char *name,
			   const struct decide_answer *a)
{
	refute(v, "after these batches the %s has %s%s%s%s, the %s has not",
	       a->left ? "source" : "image", what, name != NULL ? " '" : "", name != NULL ? name : "",
	       name != NULL ? "'" : "", a->left ? "image" : "source");
	witness_print(v->in->spec, &a->witness, &v->r->text);
	return false;
}

/* One label, or the log. False: the image is wrong, or memory is short. */
static bool compare(struct verify *v, struct decide_target t, const char *what, const char *name,
		    enum verify_level level)
{
	uint64_t all = v->in->steps != 0 ? v->in->steps : most_steps[level], left = all - v->r->work,
		 share = left / (v->in->spec->labels.n + 1 - v->r->total),
		 few = left < FEWEST_STEPS ? left : FEWEST_STEPS;
	struct decide_answer a;

	progress_at(v->in->progress, "proof", 0, name != NULL ? name : what);
	a = decide_equal(v->d, t, t, share > few ? share : few);
	v->r->total++;
	v->r->work = a.work > left ? all : v->r->work + a.work;
	switch (a.verdict) {
	case DECIDE_YES:
		v->r->proved++;
		return true;
	case DECIDE_BOUNDED:
	case DECIDE_GAVEUP:
		if (v->r->verdict == VERIFY_PROVED || v->r->depth > a.depth)
			v->r->depth = a.depth;
		v->r->verdict = VERIFY_UP_TO;
		return true;
	case DECIDE_NO:
		return report_witness(v, what, name, &a);
	case DECIDE_BROKEN:
		return refute(v, "the proof of %s%s%s found a stream that proves nothing", what,
			      name != NULL ? " " : "", name != NULL ? name : "");
	case DECIDE_NO_MEMORY:
		break;
	}
	v->r->text.failed = true;
	return false;
}

static bool compare_all(struct verify *v, enum verify_level level)
{
	const struct spec *s = v->in->spec;
	uint32_t *counter = guess_counters(v);
	enum nfart_status built = NFART_OK;
	const char *broken;

	if (counter == NULL || !inspect_nfa(v->im, &v->spec, &v->image) ||
	    (built = nfa_build(&v->written, v->in->spec, true)) == NFART_SYSTEM) {
		free(counter);
		v->r->text.failed = true;
		return false;
	}
	if (built == NFART_GAVEUP) {
		v->r->verdict = VERIFY_UP_TO;
		free(counter);
		return true;
	}
	broken = nfa_verify(&v->image);
	if (broken == NULL)
		v->d = decide_new(&v->written, &v->image, counter);
	free(counter);
	if (broken != NULL)
		return refute(v, "the image's automaton is malformed: %s", broken);
	if (v->d == NULL) {
		v->r->text.failed = true;
		return false;
	}
	for (uint32_t i = 0; i < s->labels.n; i++)
		if (!compare(v, (struct decide_target){ DECIDE_LABEL, i }, "label", s->labels.at[i], level))
			return false;
	return compare(v, (struct decide_target){ DECIDE_LOG, 0 }, "the log mark", NULL, level);
}

static uint64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

bool verify_image(const struct verify_input *in, enum verify_level level, struct verify_report *r)
{
	struct verify v = { .in = in, .r = r };
	uint64_t begin = now();

	verify_report_free(r);
	if (level == VERIFY_OFF)
		return true;
	r->verdict = VERIFY_PROVED;
	v.im = in->image;
	if (check_overlay(&v) && check_protocol(&v) && check_registers(&v) && check_names(&v))
		compare_all(&v, level);
	decide_free(v.d);
	nfa_free(&v.written);
	nfa_free(&v.image);
	spec_free(&v.spec);
	r->nanoseconds = now() - begin;
	return !r->text.failed;
}

void verify_report_free(struct verify_report *r)
{
	buf_free(&r->text);
	memset(r, 0, sizeof *r);
}
