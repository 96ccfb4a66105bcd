/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Implements nfart_explainer: what nfarun --explain=all says, while the stream still comes.
 */
#include <stdlib.h>

#include "include/nfart.h"
#include "runtime/explain/explain_batch.h"
#include "runtime/trace/batch.h"

struct nfart_explainer {
	struct explain x;
	struct explain_state s;
	struct nfart_error error; /* the one of s, which outlives a call */
	struct nfart_batch given; /* the record that was put */
	bool idle;                /* all that was put has been taken */
	bool failed;
};

static const volatile sig_atomic_t never;

struct nfart_explainer *nfart_explainer_new(const struct nfart_image *im,
					    const struct nfart_engine_options *o,
					    struct nfart_error *e)
{
	struct nfart_explainer *x = calloc(1, sizeof *x);

	if (x == NULL) {
		nfart_fail(e, NFART_SYSTEM, "out of memory");
		return NULL;
	}
	x->x = (struct explain){ .image = im, .what = EXPLAIN_ALL, .stop = &never };
	if (o != NULL)
		x->x.engine = *o;
	x->s.x = &x->x;
	x->s.e = &x->error;
	x->idle = true;
	if (explain_begin(&x->s) == NFART_OK)
		return x;
	*e = x->error;
	nfart_explainer_free(x);
	return NULL;
}

void nfart_explainer_free(struct nfart_explainer *x)
{
	if (x == NULL)
		return;
	explain_end(&x->s);
	free(x);
}

/* Notes that there is something to take. False: the last call has not been answered to its end, or
 * has failed, and *e says so. */
static bool explainer_opens(struct nfart_explainer *x, struct nfart_error *e)
{
	if (!x->idle || x->failed || x->s.timed.closed) {
		nfart_fail(e, NFART_USAGE, x->failed          ? "the explainer has failed"
					   : x->s.timed.closed ? "the stream has ended"
							      : "nfart_explainer_next() has more");
		return false;
	}
	x->idle = false;
	return true;
}

bool nfart_explainer_put(struct nfart_explainer *x, const struct nfart_batch *b,
			 struct nfart_error *e)
{
	if (!explainer_opens(x, e))
		return false;
	x->given = *b;
	timed_give(&x->s.timed, &x->given);
	return true;
}

bool nfart_explainer_until(struct nfart_explainer *x, uint64_t time, struct nfart_error *e)
{
	if (!explainer_opens(x, e))
		return false;
	timed_until(&x->s.timed, time);
	return true;
}

bool nfart_explainer_end(struct nfart_explainer *x, struct nfart_error *e)
{
	if (!explainer_opens(x, e))
		return false;
	timed_close(&x->s.timed);
	return true;
}

/* Puts the current record, which was accepted, into *out with its text. */
static int explainer_say(struct nfart_explainer *x, struct nfart_explained *out)
{
	struct explain_state *s = &x->s;

	s->found = 0; /* no blank line stands before the text */
	s->text.b.n = 0;
	if (explain_batch(s, &out->result) != NFART_OK)
		return -1;
	if (rules_forgot(&s->rules))
		buf_addf(&s->text.b, "%s\n", RULES_FORGOT);
	buf_add(&s->text.b, "", 1);
	if (s->text.b.failed) {
		explain_no_memory(s);
		return -1;
	}
	out->batch = &s->b;
	out->text = s->text.b.at;
	return 1;
}

/* As nfart_explainer_next(); if it fails, s->e says why. */
static int explainer_next(struct nfart_explainer *x, struct nfart_explained *out)
{
	int got = 0;

	while (!nfart_window_full(x->s.window) && (got = explain_next(&x->s)) > 0) {
		if (!explain_take(&x->s, &out->result)) {
			explain_no_memory(&x->s);
			return -1;
		}
		if (!batch_is_loss(&x->s.b) && out->result.accepted)
			return explainer_say(x, out);
	}
	x->idle = true;
	return nfart_window_full(x->s.window) ? 0 : got;
}

int nfart_explainer_next(struct nfart_explainer *x, struct nfart_explained *out,
			 struct nfart_error *e)
{
	int got = x->idle || x->failed ? 0 : explainer_next(x, out);

	if (got < 0) {
		x->failed = true;
		*e = x->error;
	}
	return got;
}
