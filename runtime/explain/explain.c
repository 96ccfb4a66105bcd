/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Implements nfarun --explain. The engine decides what is accepted and output. A witness runs next
 * to it and remembers why.
 */
#include "runtime/explain/explain.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/engine/engine.h"
#include "runtime/explain/explain_machine.h"
#include "runtime/explain/explain_text.h"
#include "runtime/explain/timed.h"
#include "runtime/trace/batch.h"

enum { MOST_COPIES = 8 }; /* the most copies for which it is told why they don't accept */

struct state {
	const struct explain *x;
	struct nfart_error *e;
	struct nfart_engine *en;
	struct nfart_window *window;
	struct witness *w;
	struct explain_text text;
	uint32_t *goals, ngoals;

	struct timed timed;       /* the records */
	struct nfart_batch b;     /* the current record */
	/* The current record is a tick alone that changed nothing. */
	bool quiet;
	/* What came before the current record. */
	struct {
		bool any;         /* there was a batch */
		uint64_t last;    /* the time of the last batch */
		uint64_t losses;  /* number of loss records after the last batch */
	} before;
	/* The batches that were output. */
	struct {
		uint64_t n, last; /* how many, and the time of the last one */
		bool target;      /* the batch that was asked for is among them */
	} output;
	uint64_t found;           /* how many batches have been explained */
};

static enum nfart_status no_memory(struct state *s)
{
	return nfart_fail(s->e, NFART_SYSTEM, "out of memory");
}

/* ---- making ---- */

static bool explain_sink(void *ctx, const struct nfart_batch *b, const struct nfart_result *r)
{
	struct state *s = ctx;

	(void)r;
	if (batch_is_loss(b))
		return true;
	s->output.n++;
	s->output.last = b->time;
	s->output.target |= s->x->what == EXPLAIN_TIME && b->time == s->x->time;
	return true;
}

static enum nfart_status choose_goals(struct state *s)
{
	const struct nfart_image *im = s->x->image;
	uint32_t n = 0;

	s->goals = malloc(((size_t)im->labels.n + 1) * sizeof *s->goals);
	if (s->goals == NULL)
		return no_memory(s);
	for (uint32_t i = 0; i < im->labels.n; i++) {
		bool output = *im->labels.names[i] == IMAGE_OUTPUT;
		if (s->x->label != NULL ? strcmp(s->x->label, im->labels.names[i] + output) == 0
					: !output || s->x->what == EXPLAIN_TIME)
			s->goals[n++] = i;
	}
	if (s->x->label != NULL && strcmp(s->x->label, "log") == 0)
		s->goals[n++] = WITNESS_LOG;
	s->ngoals = n;
	if (s->x->label != NULL && n == 0)
		return nfart_fail(s->e, NFART_USAGE, "--label: the image has no label%s %s",
				  im->labels.noutputs != 0 ? " and no output" : "", s->x->label);
	return NFART_OK;
}

static enum nfart_status explain_begin(struct state *s)
{
	const struct nfart_image *im = s->x->image;
	enum nfart_status status = choose_goals(s);

	timed_init(&s->timed, im, &s->x->engine, s->x->reader, s->x->until);
	if (status != NFART_OK)
		return status;
	s->en = nfart_engine_new(im, &s->x->engine, s->e);
	if (s->en == NULL)
		return s->e->status;
	s->w = witness_new(im, &s->x->engine, s->goals, s->ngoals, s->e);
	if (s->w == NULL)
		return s->e->status;
	s->window = nfart_window_new_sides(im->window.before, im->window.after, im->stream.limit,
					   explain_sink, s);
	return explain_text_init(&s->text, im, s->w) && s->window != NULL ? NFART_OK : no_memory(s);
}

static void explain_end(struct state *s)
{
	timed_free(&s->timed);
	explain_text_free(&s->text);
	nfart_window_free(s->window);
	witness_free(s->w);
	nfart_engine_free(s->en);
	free(s->goals);
}

/* Writes the text to the output and empties it. Returns `done`, or what went wrong. */
static enum nfart_status write_out(struct state *s, enum nfart_status done)
{
	struct buf *b = &s->text.b;
	bool ok;

	if (b->failed)
		return no_memory(s);
	errno = 0;
	ok = fwrite(b->at != NULL ? b->at : "", 1, b->n, s->x->out) == b->n &&
	     fflush(s->x->out) == 0;
	b->n = 0;
	if (ok)
		return done;
	return nfart_fail(s->e, NFART_SYSTEM, "can't write: %s",
			  strerror(errno != 0 ? errno : EIO));
}

/* ---- one batch ---- */

static bool goal_of(const struct state *s, const struct nfart_result *r, uint32_t goal)
{
	return s->goals[goal] == WITNESS_LOG ? r->logged : bits_get(r->labels, s->goals[goal]);
}

static bool is_output(const struct state *s, uint32_t goal)
{
	return s->goals[goal] != WITNESS_LOG &&
	       *s->x->image->labels.names[s->goals[goal]] == IMAGE_OUTPUT;
}

/* Has the result one of the goals? Outputs are not asked for unless `outputs` is set. */
static bool any_goal(const struct state *s, const struct nfart_result *r, bool outputs)
{
	for (uint32_t g = 0; g < s->ngoals; g++)
		if ((outputs || !is_output(s, g)) && goal_of(s, r, g))
			return true;
	return false;
}

/* Prints the batch as nfarun does, with its labels and outputs. */
static void print_batch(struct state *s, const struct nfart_result *r)
{
	const struct nfart_image *im = s->x->image;
	uint32_t nlabels = im->labels.n - im->labels.noutputs, before[2] = { 0, 0 };

	buf_addf(&s->text.b, "%s%" PRIu64 " [", s->found > 1 ? "\n" : "", s->b.time);
	for (uint32_t l = 0; l < im->labels.n; l++) {
		uint32_t *n = &before[l >= nlabels];
		if (!bits_get(r->labels, l))
			continue;
		buf_addf(&s->text.b, "%s%s", *n != 0 ? "," : "",
			 im->labels.names[l] + (l >= nlabels && *n != 0));
		++*n;
	}
	buf_addf(&s->text.b, "]");
	explain_items(&s->text, &(struct witness_seen){ s->b.header, s->b.mask, s->b.when });
	buf_addf(&s->text.b, "\n");
}

/* Explains why machines of the part accept for the goal. Returns whether one does. */
static bool explain_machines(struct state *s, const struct witness_part *p, uint32_t goal)
{
	const struct nfart_image *im = s->x->image;
	bool seen = false;

	for (uint32_t i = explain_machine_find(&s->text, p, goal, 0); i < im->nfa.nmachines;
	     i = explain_machine_find(&s->text, p, goal, i + 1)) {
		bool told = false;
		for (uint32_t g = 0; g < goal && !told; g++)
			told = explain_machine_find(&s->text, p, g, i) == i;
		explain_machine_why(&s->text, p, goal, i, s->b.time, told);
		seen = true;
	}
	return seen;
}

/* Explains one goal in each line that the batch touched. Says why a line accepts. If no line does
 * and why_not is set, says for each line why not. `accepted` is what the engine says about the
 * goal. Returns whether the witness says the same. */
static bool explain_goal(struct state *s, uint32_t goal, bool accepted, bool why_not)
{
	bool seen = false;
	size_t told = 0;

	for (size_t i = 0; i < s->w->parts.n; i++) {
		const struct witness_part *p = &s->w->parts.at[i];
		const struct witness_active *a = witness_find(s->w, &p->copy->active, goal);
		bool machine;
		if (a != NULL)
			explain_why(&s->text, p, goal, a, s->b.time);
		machine = explain_machines(s, p, goal);
		seen |= a != NULL || machine;
		if (a == NULL && !machine && !accepted && why_not &&
		    told++ < MOST_COPIES)
			explain_why_not(&s->text, p, goal, s->b.time);
	}
	if (told > MOST_COPIES)
		buf_addf(&s->text.b, "%zu more copies that do not accept are left out\n",
			 told - MOST_COPIES);
	return seen == accepted;
}

static enum nfart_status explain_batch(struct state *s, const struct nfart_result *r)
{
	bool label = any_goal(s, r, false), any = any_goal(s, r, true);

	s->found++;
	print_batch(s, r);
	if (s->w->parts.n == 0)
		buf_addf(&s->text.b, "no message of this batch is of an observed line\n");
	for (uint32_t g = 0; g < s->ngoals; g++)
		if (!explain_goal(s, g, goal_of(s, r, g), is_output(s, g) ? !any : !label))
			return nfart_fail(s->e, NFART_INTERNAL,
					  "the witness of the batch at %" PRIu64
					  " is not what the engine says",
					  s->b.time);
	return write_out(s, NFART_OK);
}

/* ---- the run ---- */

/* Reads the next record. Returns 1; 0 at the end, or if the run was interrupted; -1 if *s->e says
 * why. */
static int explain_next(struct state *s)
{
	bool until = s->x->what == EXPLAIN_TIME && s->b.time < s->x->time;
	uint64_t n, time;
	int got;

	n = s->quiet ? timed_skip(&s->timed, until ? s->x->time : UINT64_MAX, &time) : 0;
	if (n != 0)
		witness_skip(s->w, n, time);
	do {
		if (*s->x->stop != 0)
			return 0;
		got = timed_next(&s->timed, &s->b, s->e);
	} while (got < 0 && *s->x->stop != 0);
	return got;
}

/* Gives the current record to engine, witness and window. Puts the engine's result into *r. False:
 * out of memory. */
static bool explain_take(struct state *s, struct nfart_result *r)
{
	s->quiet = false;
	if (!nfart_engine_step(s->en, &s->b, r))
		return false;
	if (batch_is_loss(&s->b)) {
		if (engine_resets(s->x->image, &s->x->engine))
			witness_reset(s->w, s->b.time);
		return nfart_window_put(s->window, &s->b, r);
	}
	if (!witness_step(s->w, &s->b))
		return false;
	s->quiet = s->b.mask == 0 && s->b.when == NFART_TICK && !r->accepted && !r->logged &&
		   witness_is_quiet(s->w);
	return nfart_window_put(s->window, &s->b, r);
}

/* Call this after a logged batch was explained. Reads on until the window has decided whether that
 * batch is output, and says what was decided. */
static enum nfart_status explain_decide(struct state *s)
{
	uint64_t left = s->x->image->window.before;
	struct nfart_result r;
	int got = 1;

	while (left != 0 && !s->output.target && !nfart_window_full(s->window) &&
	       (got = explain_next(s)) > 0) {
		if (!explain_take(s, &r))
			return no_memory(s);
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
static enum nfart_status output_of(struct state *s, const struct nfart_result *r, bool full)
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
static enum nfart_status no_batch(struct state *s, bool after)
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
static enum nfart_status at_time(struct state *s, bool *more)
{
	bool full = nfart_window_full(s->window);
	enum nfart_status status;
	struct nfart_result r;

	*more = s->b.time < s->x->time || batch_is_loss(&s->b);
	if (s->b.time > s->x->time && !batch_is_loss(&s->b))
		return no_batch(s, true);
	if (!explain_take(s, &r))
		return no_memory(s);
	if (*more)
		return NFART_OK;
	status = explain_batch(s, &r);
	return status == NFART_OK ? output_of(s, &r, full) : status;
}

/* Takes the current record, and explains it if it is an accepted batch. *more says whether more
 * records are wanted. */
static enum nfart_status accepted(struct state *s, bool *more)
{
	struct nfart_result r;
	enum nfart_status status;

	*more = true;
	if (!explain_take(s, &r))
		return no_memory(s);
	if (batch_is_loss(&s->b) || !any_goal(s, &r, true))
		return NFART_OK;
	status = explain_batch(s, &r);
	*more = s->x->what == EXPLAIN_ALL && !nfart_window_full(s->window);
	return status;
}

static enum nfart_status at_end(struct state *s)
{
	if (*s->x->stop != 0 || s->found != 0)
		return NFART_OK;
	if (s->x->what == EXPLAIN_TIME)
		return no_batch(s, false);
	if (s->ngoals != 0 && is_output(s, 0)) {
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

static enum nfart_status explain_loop(struct state *s)
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
	struct state s = { .x = x, .e = e };
	enum nfart_status status;

	memset(e, 0, sizeof *e);
	status = explain_begin(&s);
	if (status == NFART_OK)
		status = explain_loop(&s);
	explain_end(&s);
	if (status == NFART_OK && (*x->stop != 0 || nfart_reader_stats(x->reader)->bad_chunks != 0))
		return NFART_PARTIAL;
	return status;
}
