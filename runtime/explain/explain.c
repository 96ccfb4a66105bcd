/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Implements nfarun --explain: which batches of a trace are explained, and what window and limit do
 * with them.
 */
#include "runtime/explain/explain.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "runtime/explain/explain_batch.h"
#include "runtime/trace/batch.h"

/* Writes the text to the output and empties it. Returns `done`, or what went wrong. */
static enum nfart_status write_out(struct explain_state *s, enum nfart_status done)
{
	struct buf *b = &s->text.b;
	bool ok;

	if (b->failed)
		return explain_no_memory(s);
	if (done == NFART_NO && s->x->chart != EXPLAIN_TEXT)
		return nfart_fail(s->e, NFART_NO, "%.*s", (int)(b->n - 1), b->at);
	errno = 0;
	ok = fwrite(b->at != NULL ? b->at : "", 1, b->n, s->x->out) == b->n &&
	     fflush(s->x->out) == 0;
	b->n = 0;
	if (ok)
		return done;
	return nfart_fail(s->e, NFART_SYSTEM, "can't write: %s",
			  strerror(errno != 0 ? errno : EIO));
}

/* Call this after a logged batch was explained. Reads on until the window has decided whether that
 * batch is output, and says what was decided. */
static enum nfart_status explain_decide(struct explain_state *s)
{
	uint64_t left = s->x->image->window.before;
	struct nfart_result r;
	int got = 1;

	while (left != 0 && !s->output.target && !nfart_window_full(s->window) &&
	       (got = explain_next(s)) > 0) {
		if (!explain_take(s, &r))
			return explain_no_memory(s);
		left -= r.logged && !batch_is_loss(&s->b);
	}
	if (got < 0)
		return s->e->status;
	if (got == 0 && *s->x->stop != 0)
		buf_addf(&s->text.b,
			 "logged; interrupted before it was decided whether it is output\n");
	else if (s->output.target)
		buf_addf(&s->text.b,
			 "output all the same: it is logged, and in the window of an accepted "
			 "batch\n");
	else
		buf_addf(&s->text.b,
			 "not output: it is logged, but not in the window of an accepted batch\n");
	return write_out(s, NFART_OK);
}

/* Says what limit and window do with the batch that was explained. `full`: the limit was reached
 * before it. */
static enum nfart_status output_of(struct explain_state *s, const struct nfart_result *r, bool full)
{
	if (full && (r->accepted || r->logged)) {
		buf_addf(&s->text.b,
			 "not output: after the limit of %" PRIu64 ", reached at %" PRIu64 "\n",
			 s->x->image->stream.limit, s->output.last);
		return write_out(s, NFART_OK);
	}
	return r->logged && !r->accepted ? explain_decide(s) : NFART_OK;
}

/* Says that there is no batch at the time that was asked for, and which batches are next to it.
 * `after`: s->b is the first batch after that time. */
static enum nfart_status no_batch(struct explain_state *s, bool after)
{
	struct buf *b = &s->text.b;

	buf_addf(b, "no batch at %" PRIu64 ":", s->x->time);
	if (s->before.any)
		buf_addf(b, " the last before is at %" PRIu64, s->before.last);
	else
		buf_addf(b, " there is none before");
	if (after)
		buf_addf(b, ", the next at %" PRIu64, s->b.time);
	else
		buf_addf(b, ", there is none after it");
	if (s->before.losses != 0)
		buf_addf(b, "; %" PRIu64 " loss record%s between", s->before.losses,
			 s->before.losses == 1 ? "" : "s");
	buf_addf(b, "\n");
	return write_out(s, NFART_NO);
}

/* Takes the current record. If it is the batch at the time that was asked for, explains it. *more
 * says whether more records are wanted. */
static enum nfart_status at_time(struct explain_state *s, bool *more)
{
	bool full = nfart_window_full(s->window);
	enum nfart_status status;
	struct nfart_result r;

	*more = s->b.time < s->x->time || batch_is_loss(&s->b);
	if (s->b.time > s->x->time && !batch_is_loss(&s->b))
		return no_batch(s, true);
	if (!explain_take(s, &r))
		return explain_no_memory(s);
	if (*more)
		return NFART_OK;
	status = explain_batch(s, &r);
	if (status == NFART_OK)
		status = write_out(s, NFART_OK);
	if (status != NFART_OK || s->x->chart != EXPLAIN_TEXT)
		return status;
	return output_of(s, &r, full);
}

/* Takes the current record, and explains it if it is an accepted batch. *more says whether more
 * records are wanted. */
static enum nfart_status accepted(struct explain_state *s, bool *more)
{
	struct nfart_result r;
	enum nfart_status status;

	*more = true;
	if (!explain_take(s, &r))
		return explain_no_memory(s);
	if (batch_is_loss(&s->b) || !explain_any_goal(s, &r, true))
		return NFART_OK;
	status = explain_batch(s, &r);
	if (status == NFART_OK)
		status = write_out(s, NFART_OK);
	*more = s->x->what == EXPLAIN_ALL && !nfart_window_full(s->window);
	return status;
}

static enum nfart_status at_end(struct explain_state *s)
{
	if (*s->x->stop != 0 || s->found != 0)
		return NFART_OK;
	if (s->x->what == EXPLAIN_TIME)
		return no_batch(s, false);
	if (s->ngoals != 0 && explain_is_output(s, 0)) {
		buf_addf(&s->text.b, "output %s is never on%s\n", s->x->label,
			 nfart_window_full(s->window) ? " within the limit" : "");
		return write_out(s, NFART_NO);
	}
	buf_addf(&s->text.b, "no batch is %s%s\n",
		 s->x->label != NULL && strcmp(s->x->label, "log") == 0 ? "logged" : "accepted",
		 nfart_window_full(s->window) ? " within the limit" : "");
	return write_out(s, NFART_NO);
}

enum { PROGRESS_EVERY = 1024 }; /* records between two calls of explain.progress */

static enum nfart_status explain_loop(struct explain_state *s)
{
	enum nfart_status status = NFART_OK;
	bool more = true;
	uint32_t n = 0;
	int got;

	while (more && status == NFART_OK) {
		if (s->x->progress != NULL && ++n % PROGRESS_EVERY == 0)
			s->x->progress(s->x->progress_ctx, nfart_reader_stats(s->x->reader));
		if (s->x->what != EXPLAIN_TIME && nfart_window_full(s->window))
			return at_end(s);
		got = explain_next(s);
		if (got <= 0)
			return got < 0 ? s->e->status : at_end(s);
		status = s->x->what == EXPLAIN_TIME ? at_time(s, &more) : accepted(s, &more);
		s->before.losses = batch_is_loss(&s->b) ? s->before.losses + 1 : 0;
		s->before.any |= !batch_is_loss(&s->b);
		s->before.last = batch_is_loss(&s->b) ? s->before.last : s->b.time;
	}
	return status;
}

enum nfart_status explain_run(const struct explain *x, struct nfart_error *e)
{
	struct explain_state s = { .x = x, .e = e };
	enum nfart_status status;

	memset(e, 0, sizeof *e);
	status = explain_begin(&s);
	if (status == NFART_OK)
		status = explain_loop(&s);
	if ((status == NFART_OK || status == NFART_NO) && x->chart == EXPLAIN_TEXT &&
	    rules_forgot(&s.rules)) {
		buf_addf(&s.text.b, "%s\n", RULES_FORGOT);
		status = write_out(&s, status);
	}
	explain_end(&s);
	if (status == NFART_OK && (*x->stop != 0 || nfart_reader_stats(x->reader)->bad_chunks != 0))
		return NFART_PARTIAL;
	return status;
}
