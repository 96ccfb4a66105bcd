/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * nfarun --engine=rtl: the loop of run.c, with the simulated engine instead of the software engine
 * and its window. A cycle of the trace takes a cycle of the simulation, except that gaps are cut to
 * a chosen length. The times in the output are those of the trace.
 *
 * The tap knows no loss records. They are put back into the output, each before the first batch
 * that came after it. Without a window an engine that is at rest has decided on every batch it was
 * given, so loss records are output then. With a window they wait for the next batch in the output,
 * since batches that the engine still holds may precede them.
 */
#include <stdlib.h>
#include <string.h>

#include "contract/contract.h"
#include "runtime/device/nfacc_registers.h"
#include "runtime/device/rtl_engine.h"
#include "runtime/engine/engine.h"
#include "runtime/run/named_lines.h"
#include "runtime/run/run.h"
#include "runtime/trace/batch.h"

enum {
	/* Records that the engine is given between two calls of rtl_run_settle(): fewer than the
	 * output FIFO of a model has room for. */
	SETTLE_EVERY = 64,
	MOST_RESTART = 10000000,     /* the most refused restarts in a run */
	MOST_SETTLE = 100000000      /* the most cycles that an engine takes to come to rest */
};

struct loss {
	uint64_t time, lost;
	bool any;       /* there was a batch before the loss */
	uint64_t after; /* the time of the last batch before the loss, or of the last tick */
};

struct rtl_run {
	struct run *r;
	struct rtl_engine *en;
	struct nfart_error *e;
	const struct nfart_image *image; /* the image that runs */
	VEC(struct loss) losses;
	size_t next;             /* index of the first loss that is not output yet */
	struct {
		VEC(uint64_t) times; /* of losses at which the engine is still to be restarted */
		size_t next;         /* index of the first of these */
		bool waits;          /* a restart waits for the next batch or tick */
		uint64_t refused;    /* how many restarts were refused and asked for again */
	} restart;
	bool failed;
	/* What the engine was given. */
	struct {
		bool any;        /* there was a batch */
		uint64_t first;  /* time of the first batch */
		uint64_t time;   /* time of the last batch */
		uint64_t passed; /* time of the last batch or tick */
	} given;
	uint64_t latest;         /* time of the last loss record */
	uint64_t tick;           /* cycles between two ticks; 0: there are none */
	bool changing;           /* the image is being replaced */
	uint64_t phase_output;   /* how many batches the engine has output for `image` */
	uint64_t last_output;    /* time of the last record that the engine has output */
	uint64_t since_settle;
	struct {
		struct copies copies; /* of `image` */
		struct nfart_line line[NAMED_MOST_LINES];
	} named;
};

/* ---- the output ---- */

static void pass_loss(struct rtl_run *x)
{
	struct nfart_result none = { .nlabels = 0 };
	const struct loss *l = &x->losses.at[x->next++];
	struct nfart_batch b = { .time = l->time, .lost = l->lost };

	if (x->r->writer != NULL && !nfart_writer_put(x->r->writer, &b, &none))
		x->failed = true;
}

/* Puts the lines that the record names into the result of its batch. */
static void name_lines(struct rtl_run *x, struct nfart_result *res)
{
	const struct record_names *names = rtl_engine_names(x->en);

	res->nlines = named_lines(&x->named.copies, names, x->image->labels.n, x->named.line);
	for (size_t i = 0; x->r->result.swapped && i < res->nlines; i++)
		x->named.line[i].label = x->r->work.map[x->named.line[i].label];
	res->lines = x->named.line;
	res->by_line = true;
	res->more_lines = names->more;
	x->r->result.unnamed += names->more;
}

static void rtl_run_sink(void *ctx, const struct nfart_batch *b, uint64_t labels)
{
	struct rtl_run *x = ctx;
	struct run *r = x->r;
	struct nfart_result res = { .labels = r->work.label_words, .nlabels = r->nlabels };
	struct nfart_batch timed = *b;

	/* The end of a filter that is swapped away is no end of the stream. */
	if (x->changing && (b->when & IMAGE_END) != 0)
		return;
	/* The record of a batch with messages does not say whether it has a tick. */
	if (x->tick != 0 && b->mask != 0 && b->time % x->tick == 0 &&
	    b->time > x->given.first)
		timed.when |= IMAGE_TICK;
	while (x->next < x->losses.n &&
	       (!x->losses.at[x->next].any || x->losses.at[x->next].after < b->time))
		pass_loss(x);
	memset(r->work.label_words, 0, (bits_words(r->nlabels) + 1) * 8);
	for (uint64_t m = labels; m != 0; m &= m - 1) {
		uint32_t l = (uint32_t)__builtin_ctzll(m);
		if (l >= x->image->labels.n)
			continue;
		l = r->result.swapped ? r->work.map[l] : l;
		bits_set(r->work.label_words, l);
		r->result.accepted[l]++;
		res.accepted = true;
	}
	if (r->engine.lines && x->named.copies.any && !batch_is_loss(b))
		name_lines(x, &res);
	r->result.accepted_any += res.accepted;
	r->result.output += !batch_is_loss(b);
	x->phase_output += !batch_is_loss(b);
	x->last_output = b->time;
	if (!run_count_bin(r, b, res.accepted) ||
	    (r->writer != NULL && !nfart_writer_put(r->writer, &timed, &res)))
		x->failed = true;
}

/* Has the limit been reached? Then all that comes after the last batch in the output is ignored. */
static bool full(const struct rtl_run *x)
{
	return x->image->stream.limit != 0 && x->phase_output >= x->image->stream.limit;
}

/* Outputs the losses, or without `all` those before which no tick is still to come. */
static void pass_losses(struct rtl_run *x, bool all)
{
	while (x->next < x->losses.n && (all || x->losses.at[x->next].after <= x->given.passed)) {
		const struct loss *l = &x->losses.at[x->next];
		if (full(x) && l->any && l->after >= x->last_output)
			x->next++;
		else
			pass_loss(x);
	}
	if (x->next == x->losses.n)
		x->next = x->losses.n = 0;
}

/* ---- the engine ---- */

static bool rtl_run_settle(struct rtl_run *x)
{
	x->since_settle = 0;
	rtl_engine_idle(x->en, 4); /* after 4 cycles STATUS.busy shows a batch of the tap */
	if (!rtl_engine_wait(x->en, NFACC_STATUS_BUSY | NFACC_STATUS_SWAPPING, 0, MOST_SETTLE))
		return false;
	if (x->image->window.before == 0)
		pass_losses(x, false);
	return true;
}

static bool set64(struct rtl_run *x, uint32_t offset, uint64_t value)
{
	rtl_engine_post(x->en, offset, (uint32_t)value);
	return rtl_engine_write(x->en, offset + 4, (uint32_t)(value >> 32));
}

static bool rtl_run_load(struct rtl_run *x, const struct nfart_image *im)
{
	int result = rtl_engine_load(x->en, im->device.halves, im->device.n);

	if (result >= 0 && result != (int)NFACC_LOAD_OK)
		nfart_fail(x->e, NFART_INTERNAL, "the engine refuses the image: STATUS.load is %d",
			   result);
	return result == (int)NFACC_LOAD_OK;
}

/* Starts image im: arms the engine, or with `swap` lets the staged image take over. */
static bool rtl_run_start(struct rtl_run *x, const struct nfart_image *im, bool swap)
{
	const struct nfart_engine_options *o = &x->r->engine;

	if (!copies_init(&x->named.copies, im, o, x->e))
		return false;
	x->image = im;
	x->tick = im->stream.tick != 0 && o->tick != 0 ? o->tick : im->stream.tick;
	x->phase_output = 0;
	if (swap)
		return rtl_engine_command(x->en, NFACC_CONTROL_SWAP);
	x->restart.waits = false;
	if (o->has_substream &&
	    !(rtl_engine_write(x->en, NFACC_REG_BY_LINE, 1) &&
	      set64(x, NFACC_REG_BASE_LO,
		    o->base >> (im->substreams.by_field ? 0 : im->proto->header.line_shift)) &&
	      set64(x, NFACC_REG_COUNT_LO, o->count)))
		return false;
	if (im->overlay.time == OVERLAY_TIME_YES) {
		if (!rtl_engine_write(x->en, NFACC_REG_TICK, (uint32_t)x->tick))
			return false;
		rtl_engine_idle(x->en, RTL_FIND_TICK);
	}
	return rtl_engine_command(x->en, NFACC_CONTROL_ARM) &&
	       rtl_engine_write(x->en, NFACC_REG_ENABLE, 1);
}

/* Puts the engine back to its start states before the next batch or tick. The engine refuses this
 * during a swap; then this function asks again. A swap ends by itself. An engine whose limit is
 * reached needs no restart. */
static bool rtl_run_restart(struct rtl_run *x)
{
	uint32_t status = x->restart.waits ? 0 : NFACC_STATUS_ARMED;

	x->restart.waits = true;
	while ((status & (NFACC_STATUS_ARMED | NFACC_STATUS_SWAPPING)) != 0) {
		if (rtl_engine_command(x->en, NFACC_CONTROL_RESTART))
			return true;
		if (!rtl_engine_read(x->en, NFACC_REG_STATUS, &status) ||
		    ++x->restart.refused > MOST_RESTART)
			return false;
	}
	return true;
}

/* Returns the time of the last tick before `time`; 0: there is none. */
static uint64_t tick_before(const struct rtl_run *x, uint64_t time)
{
	return x->tick == 0 || time == 0 ? 0 : (time - 1) / x->tick * x->tick;
}

/* Lets the time of the tap pass until just before `time`, through every multiple at which there is
 * a tick. */
static bool pass_ticks(struct rtl_run *x, uint64_t time)
{
	while (tick_before(x, time) > x->given.passed) {
		x->given.passed = (x->given.passed / x->tick + 1) * x->tick;
		x->restart.waits = false;
		rtl_engine_set_time(x->en, x->given.passed);
		rtl_engine_idle(x->en, 1);
		if (++x->since_settle >= SETTLE_EVERY && !rtl_run_settle(x))
			return false;
	}
	return true;
}

/* Does the same with the restarts that fall into that time. Ticks and restarts wait for what comes
 * after them: behind the last batch there are none, unless a later last time is stated. */
static bool pass_time(struct rtl_run *x, uint64_t time)
{
	if (x->image->alphabet.time == IMAGE_NO_TIME || !x->given.any)
		return true;
	while (x->restart.next < x->restart.times.n && x->restart.times.at[x->restart.next] <= time)
		if (!pass_ticks(x, x->restart.times.at[x->restart.next++]) || !rtl_run_restart(x))
			return false;
	if (x->restart.next == x->restart.times.n)
		x->restart.next = x->restart.times.n = 0;
	return pass_ticks(x, time);
}

/* Adds the answers that the joins counted since the engine was armed. */
static bool add_answers(struct rtl_run *x)
{
	uint32_t late, wrong;

	if (x->image->overlay.joins != OVERLAY_JOINS_YES || x->image->proto->joins.n == 0)
		return true;
	if (!rtl_engine_read(x->en, NFACC_REG_JOIN_LATE, &late) ||
	    !rtl_engine_read(x->en, NFACC_REG_JOIN_WRONG, &wrong))
		return false;
	run_add_joins(&x->r->result.joins, (struct nfart_joins){ 0, late, wrong });
	return true;
}

static bool stop(struct rtl_run *x)
{
	uint32_t status;
	uint64_t last = x->r->how.until > x->given.time ? x->r->how.until : x->given.time;

	if (x->image->stream.end && x->latest > last)
		last = x->latest;
	if (!x->changing && last > x->given.time) {
		if (!pass_time(x, last))
			return false;
		rtl_engine_set_time(x->en, last);
		rtl_engine_idle(x->en, 2);
	}
	if (!rtl_engine_read(x->en, NFACC_REG_STATUS, &status))
		return false;
	if ((status & NFACC_STATUS_ARMED) != 0)
		rtl_engine_post(x->en, NFACC_REG_CONTROL, NFACC_CONTROL_STOP);
	if (!rtl_engine_wait(x->en, NFACC_STATUS_DONE, NFACC_STATUS_DONE, MOST_SETTLE))
		return false;
	pass_losses(x, true);
	return add_answers(x);
}

static bool rtl_run_change(struct rtl_run *x)
{
	bool shadow = rtl_engine_info(x->en)->shadow == OVERLAY_SHADOW_YES;

	if (shadow && !x->r->engine.has_substream) {
		if (!rtl_run_settle(x) ||
		    !rtl_engine_wait(x->en, NFACC_STATUS_STAGED, NFACC_STATUS_STAGED, MOST_SETTLE))
			return false;
		pass_losses(x, true);
	} else {
		bool ok;
		x->changing = true;
		ok = stop(x) && rtl_run_load(x, x->r->second);
		x->changing = false;
		if (!ok)
			return false;
	}
	x->given.any = x->given.any && x->image->alphabet.time == IMAGE_NO_TIME;
	x->restart.next = x->restart.times.n = 0;
	x->r->result.swapped = true;
	return rtl_run_start(x, x->r->second, shadow && !x->r->engine.has_substream);
}

static bool give_loss(struct rtl_run *x, const struct nfart_batch *b)
{
	struct loss l = { .time = b->time, .lost = b->lost, .any = x->given.any };
	bool timed = x->given.any && x->image->alphabet.time != IMAGE_NO_TIME;
	bool resets = engine_resets(x->image, &x->r->engine);

	l.after = x->given.time;
	if (timed && tick_before(x, b->time) > l.after)
		l.after = tick_before(x, b->time);
	x->latest = b->time;
	if (full(x))
		return true;
	/* Once half of the losses in the array have been output, removes them from it. */
	if (x->next * 2 >= x->losses.n && x->next != 0) {
		x->losses.n -= x->next;
		memmove(x->losses.at, x->losses.at + x->next, x->losses.n * sizeof l);
		x->next = 0;
	}
	if (!vec_push(&x->losses, l)) {
		x->failed = true;
		return false;
	}
	if (resets && timed && !vec_push(&x->restart.times, b->time)) {
		x->failed = true;
		return false;
	}
	if (resets && !timed && !rtl_run_restart(x))
		return false;
	return ++x->since_settle < SETTLE_EVERY || rtl_run_settle(x);
}

static bool give_batch(struct rtl_run *x, const struct nfart_batch *b)
{
	uint64_t gap = x->given.any && b->time > x->given.time ? b->time - x->given.time - 1 : 0;

	/* The stream begins when the next tick is known. */
	if (!x->given.any && x->image->alphabet.time != IMAGE_NO_TIME) {
		x->given.first = b->time;
		rtl_engine_set_time(x->en, b->time);
		rtl_engine_idle(x->en, RTL_FIND_TICK);
	}
	rtl_engine_idle(x->en, gap < x->r->rtl->gap ? gap : x->r->rtl->gap);
	if (!pass_time(x, b->time))
		return false;
	rtl_engine_batch(x->en, b);
	x->given.any = true;
	x->restart.waits = false;
	x->given.time = x->given.passed = b->time;
	if (x->image->stream.limit != 0 || ++x->since_settle >= SETTLE_EVERY)
		return rtl_run_settle(x);
	return true;
}

/* ---- the run ---- */

/* Before the reader waits for input, all that can be decided on the batches so far must be
 * output. */
void run_rtl_wait(const struct run *r)
{
	if (r->work.rtl_run != NULL && r->work.rtl_run->since_settle != 0)
		rtl_run_settle(r->work.rtl_run);
}

static bool rtl_run_batch(struct rtl_run *x, const struct nfart_batch *b)
{
	struct run *r = x->r;

	if (r->second != NULL && !r->result.swapped && b->mask != 0 &&
	    nfart_reader_stats(r->reader)->batches >= r->swap_at && !rtl_run_change(x))
		return false;
	return b->mask != 0 ? give_batch(x, b) : give_loss(x, b);
}

static enum nfart_status rtl_run_loop(struct rtl_run *x)
{
	struct run *r = x->r;
	struct nfart_batch b;
	uint64_t records = 0;
	int got = 1;

	while (!full(x) || (r->second != NULL && !r->result.swapped)) {
		if (*r->stop != 0) {
			r->result.interrupted = true;
			break;
		}
		got = nfart_reader_next(r->reader, &b, x->e);
		if (got < 0 && *r->stop == 0)
			return x->e->status;
		if (got == 0)
			break;
		if (got > 0 && (!rtl_run_batch(x, &b) || x->failed))
			return NFART_SYSTEM;
		if (r->progress != NULL && ++records % 1024 == 0)
			r->progress(r->progress_ctx, r);
	}
	return stop(x) && !x->failed ? NFART_OK : NFART_SYSTEM;
}

static bool rtl_run_begin(struct rtl_run *x)
{
	struct run *r = x->r;
	bool ok = rtl_run_load(x, r->image);

	ok = ok && rtl_run_start(x, r->image, false);
	/* The words of the second image are posted now, so that it is loaded while the first one
	 * runs. */
	if (ok && r->second != NULL && rtl_engine_info(x->en)->shadow == OVERLAY_SHADOW_YES)
		rtl_engine_post_words(x->en, r->second->device.halves, r->second->device.n);
	return ok;
}

enum nfart_status run_rtl(struct run *r, struct nfart_error *e)
{
	struct rtl_run x = { .r = r, .e = e, .image = r->image };
	struct rtl_options o = {
		.model = r->rtl->model, .vcd = r->rtl->vcd, .sink = rtl_run_sink, .ctx = &x
	};
	enum nfart_status status = NFART_SYSTEM;

	x.en = rtl_engine_open(r->image->fp.hardware, &o, e);
	if (x.en == NULL)
		return e->status;
	r->work.rtl_run = &x;
	if (rtl_run_begin(&x))
		status = rtl_run_loop(&x);
	r->work.rtl_run = NULL;
	if (rtl_engine_why(x.en) != NULL)
		status = nfart_fail(e, NFART_INTERNAL, "the simulated engine: %s",
				    rtl_engine_why(x.en));
	else if (status == NFART_SYSTEM && e->what[0] == 0)
		nfart_fail(e, NFART_SYSTEM,
			   x.failed ? "out of memory, or the output can't be written"
				    : "the engine refused a command");
	else if (status == NFART_SYSTEM)
		status = e->status;
	rtl_engine_close(x.en);
	vec_free(&x.losses);
	vec_free(&x.restart.times);
	return status;
}
