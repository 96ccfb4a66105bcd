/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Lets time pass at the tap. While a segment runs whose filter has ticks or the end, the time goes
 * from a batch to the next one in steps of one cycle, or from multiple to multiple of the period.
 * Both give all ticks. Sometimes it jumps over multiples, and then stands still until the engine
 * knows the next tick again: the ticks at these multiples are lost.
 */
#include "testsuite/rtl/rtl_random.h"

#include "runtime/device/nfacc_registers.h"

enum {
	MOST_FIND = 1000,   /* how often a refused arm is asked for again */
	SETTLE_EVERY = 64,  /* batches between two waits, fewer than the output FIFO has room for */
	MOST_WAIT = 10000000
};

/* Does time pass for the segment? */
static bool is_running(const struct test *t, const struct segment *s)
{
	return t->out.begun && s->image->alphabet.time != IMAGE_NO_TIME;
}

static void set_time(struct test *t, uint64_t time)
{
	t->out.now = time;
	rtl_engine_set_time(t->en, time);
	rtl_engine_idle(t->en, 1);
}

/* Lets the output FIFO become empty, so that ticks alone don't fill it. */
static bool time_settle(struct test *t)
{
	if (t->kind.lossy)
		return true;
	rtl_engine_idle(t->en, 4); /* after 4 cycles STATUS.busy shows a batch of the tap */
	return rtl_engine_wait(t->en, NFACC_STATUS_BUSY, 0, MOST_WAIT) || rnd_fails(t, "settling");
}

/* Jumps to a time before `time`, at random. */
static bool time_jump(struct test *t, struct segment *s, uint64_t time)
{
	uint64_t tick = s->image->stream.tick,
		 next = tick != 0 ? (t->out.now / tick + 1) * tick : UINT64_MAX;
	struct jump j = { .from = t->out.now,
			  .to = t->out.now + 1 + rnd_draw(t, time - t->out.now - 1) };

	if (j.to <= next)
		return true;
	t->tally.jumps++;
	rtl_engine_set_time(t->en, j.to);
	rtl_engine_idle(t->en, RTL_FIND_TICK);
	t->out.now = j.to;
	return vec_push(&s->jumps, j) || rnd_fails(t, "out of memory");
}

bool rnd_pass_time(struct test *t, struct segment *s, uint64_t time)
{
	uint64_t tick = s->image->stream.tick;
	unsigned cycles = 0;
	bool steps;

	if (!is_running(t, s))
		return true;
	steps = rnd_draw(t, 2) == 0;
	if (time > t->out.now + 1 && rnd_draw(t, 16) == 0 && !time_jump(t, s, time))
		return false;
	while (time > t->out.now + 1) {
		uint64_t next = t->out.now + 1;
		if (!steps && tick == 0)
			break;
		if (!steps)
			next = (t->out.now / tick + 1) * tick;
		if (next >= time)
			break;
		set_time(t, next);
		if (++cycles % SETTLE_EVERY == 0 && !time_settle(t))
			return false;
	}
	/* With the states in memory a tick takes the engine more than one cycle. */
	return cycles == 0 || (cycles < SETTLE_EVERY && !t->kind.memory) || time_settle(t);
}

void rnd_give_batch(struct test *t, struct segment *s, const struct nfart_batch *b)
{
	bool first = !t->out.begun && s->image->alphabet.time != IMAGE_NO_TIME;
	bool before = first && rnd_draw(t, 2) == 0;

	if (before) {
		rtl_engine_set_time(t->en, b->time);
		rtl_engine_idle(t->en, RTL_FIND_TICK);
	}
	rnd_batch(t, b);
	t->out.now = b->time;
	t->out.begun = true;
	if (first && !before)
		rtl_engine_idle(t->en, RTL_FIND_TICK);
}

/* Returns the time at which the segment shall be stopped: not before its last record, and if it may
 * be, two cycles before the next segment, since the end comes one cycle after it. */
static uint64_t stop_time(struct test *t, const struct segment *s)
{
	uint64_t last = t->in.stream[s->to - 1].time;

	if (s->to == t->in.n)
		return last + rnd_draw(t, 300);
	return t->in.stream[s->to].time > last + 2 ? t->in.stream[s->to].time - 2 : last;
}

bool rnd_post_stop(struct test *t, struct segment *s)
{
	if (is_running(t, s)) {
		uint64_t time = stop_time(t, s);
		if (!rnd_pass_time(t, s, time + 1))
			return false;
		if (time > t->out.now)
			set_time(t, time);
	}
	s->until = t->out.now;
	rtl_engine_post(t->en, NFACC_REG_CONTROL, NFACC_CONTROL_STOP);
	/* The time goes on while the engine stops. At a limit it may have stopped earlier. */
	if (is_running(t, s) && s->image->stream.limit == 0 && s->to == t->in.n &&
	    rnd_draw(t, 2) == 0)
		while (rtl_engine_writing(t->en) && rtl_engine_why(t->en) == NULL)
			set_time(t, t->out.now + 1);
	s->stopped_by = t->out.now;
	return true;
}

bool rnd_stopped(struct test *t, struct segment *s)
{
	uint64_t stopped;

	if (!t->kind.timed || !t->out.begun || s->image->stream.limit != 0)
		return true;
	if (!rnd_read64(t, NFACC_REG_STOPPED_LO, &stopped))
		return false;
	if (stopped < s->until || stopped > s->stopped_by)
		return rnd_fails(t, "STOPPED is wrong");
	s->until = stopped;
	return true;
}

bool rnd_arm(struct test *t)
{
	int asked = 0;

	while (!rtl_engine_command(t->en, NFACC_CONTROL_ARM))
		if (!t->kind.timed || ++asked > MOST_FIND || rtl_engine_why(t->en) != NULL)
			return rnd_fails(t, "arm was refused");
	return rtl_engine_write(t->en, NFACC_REG_ENABLE, 1) || rnd_fails(t, "enable");
}
