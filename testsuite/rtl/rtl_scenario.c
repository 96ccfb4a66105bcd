/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/* Runs a scenario: compiles its filters, sends its batches, and does what comes between two
 * segments. */
#include "testsuite/rtl/rtl_random.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/device/nfacc_registers.h"

enum { MOST_WAIT = 10000000 };

/* Appends a filter that looks at payload alone, so that every batch shows by which tests. */
static void payload_filter(struct test *t, struct buf *text)
{
	uint64_t low = 64 * rnd_draw(t, t->options.overlay.o.payload / 64);

	buf_addf(text, "protocol %s;\nfilter f = true* any[payload[%u..%u] == %u];\n",
		 t->proto->name, (unsigned)low + 2, (unsigned)low, (unsigned)rnd_draw(t, 6));
}

static bool compile_segment(struct test *t, struct segment *s, uint64_t seed)
{
	struct buf text = { 0 };
	struct pipeline_file f = { "filter.re", NULL, 0, false };
	struct nfart_error e;
	enum nfart_status status;

	if (t->gen.payload && t->kind.shadow && rnd_draw(t, 2) == 0)
		payload_filter(t, &text);
	else
		gen_filter(seed, &t->gen, &text);
	f.text = text.at;
	f.n = text.n;
	status = pipeline_run(&s->made, &t->options, &f, 1);
	if (status == NFART_OK)
		s->image = nfart_image_load(s->made.job.made.image.at, s->made.job.made.image.n,
					    "image", &e);
	if (status == NFART_OK && s->image == NULL)
		rnd_fails(t, "the image is refused");
	if (t->kind.detail && status == NFART_OK)
		fwrite(text.at, 1, text.n, stdout);
	buf_free(&text);
	if (status == NFART_OK && s->image != NULL)
		return true;
	if (status != NFART_OK && status != NFART_NOFIT && status != NFART_GAVEUP)
		rnd_fails(t, "the filter does not compile");
	t->tally.nofit++;
	pipeline_free(&s->made);
	return false;
}

/* Compiles the filters and chooses the parts of the stream for them. Returns false if no filter
 * fits. */
static bool scenario_prepare(struct test *t)
{
	size_t from = 0, n = 0, want = 1 + rnd_draw(t, SEGMENTS), tries = want;
	bool restarts;

	t->in.n = gen_stream(t->seed, &t->gen, t->in.stream, MOST_BATCHES);
	/* A loss record in the stream becomes a restart, since the tap knows no losses. */
	restarts = rnd_draw(t, 3) == 0;
	for (size_t i = 0; i < t->in.n; i++)
		if (restarts || t->in.stream[i].mask != 0)
			t->in.stream[n++] = t->in.stream[i];
	t->in.n = n;
	gen_stream(t->seed + 1000003, &t->gen, t->in.strange, 8);
	t->in.nsegments = 0;
	/* Few filters with tests of payload fit, and a swap needs two. */
	if (t->gen.payload && t->kind.shadow) {
		want = SEGMENTS;
		tries = 6 * SEGMENTS;
	}
	for (size_t i = 0; i < tries && t->in.nsegments < want; i++) {
		struct segment *s = &t->in.segment[t->in.nsegments];
		memset(s, 0, sizeof *s);
		if (!compile_segment(t, s, i == 0 ? t->seed : rnd_draw(t, 1u << 30)))
			continue;
		s->from = from;
		t->in.nsegments++;
		from += rnd_draw(t, t->in.n - from + 1);
		s->to = from;
	}
	if (t->in.nsegments != 0)
		t->in.segment[t->in.nsegments - 1].to = t->in.n;
	return t->in.nsegments != 0;
}

/* Sends batches while the engine must not take them. */
static void give_strange(struct test *t)
{
	size_t n = rnd_draw(t, 5);

	for (size_t i = 0; i < n; i++)
		if (t->in.strange[i].mask != 0) {
			rnd_batch(t, &t->in.strange[i]);
			t->out.now = t->in.strange[i].time;
			t->out.unseen++;
		}
}

/* Loads an image with one wrong bit, or with too few words. The engine must refuse it. */
static bool load_corrupt(struct test *t, const struct nfart_image *im)
{
	uint32_t *words = malloc(im->device.n * 4);
	size_t n = im->device.n, at = rnd_draw(t, n);
	uint32_t step = im->overlay.data / 32;
	int result;

	if (words == NULL)
		return rnd_fails(t, "out of memory");
	memcpy(words, im->device.halves, n * 4);
	if (rnd_draw(t, 4) == 0)
		n = (at + 1) / step * step;
	if (n == im->device.n)
		words[at] ^= 1u << rnd_draw(t, 32);
	result = rtl_engine_load(t->en, words, n);
	free(words);
	t->tally.corrupt++;
	if (result < 0)
		return rnd_fails(t, "loading");
	return result != (int)NFACC_LOAD_OK || rnd_fails(t, "a corrupt image was taken");
}

static bool load_image(struct test *t, const struct nfart_image *im)
{
	int result = rtl_engine_load(t->en, im->device.halves, im->device.n);

	if (result == (int)NFACC_LOAD_OK)
		return true;
	if (t->why[0] == 0)
		snprintf(t->why, sizeof t->why, "STATUS.load is %d", result);
	return rnd_fails(t, "loading");
}

/* Loads an image into an engine that is not armed, and arms it. */
static bool begin_segment(struct test *t, struct segment *s)
{
	if (rnd_draw(t, 6) == 0) {
		if (!load_corrupt(t, s->image))
			return false;
		if (rtl_engine_command(t->en, NFACC_CONTROL_ARM))
			return rnd_fails(t, "a corrupt image was armed");
	}
	if (!load_image(t, s->image))
		return false;
	give_strange(t);
	return rnd_begin_bins(t) && rnd_arm(t);
}

/* Asks for a restart before the next batch. The engine refuses the restart during a swap, while the
 * last restart is still on its way, and after the limit was reached. */
static void scenario_restart(struct test *t)
{
	uint32_t status = NFACC_STATUS_ARMED;

	t->tally.restarts++;
	for (int i = 0; i < 100000 && (status & (NFACC_STATUS_ARMED | NFACC_STATUS_SWAPPING)) != 0;
	     i++)
		if (rtl_engine_command(t->en, NFACC_CONTROL_RESTART) ||
		    !rtl_engine_read(t->en, NFACC_REG_STATUS, &status))
			return;
}

static bool give(struct test *t, struct segment *s, size_t i)
{
	if (!rnd_pass_time(t, s, t->in.stream[i].time))
		return false;
	if (t->in.stream[i].mask == 0) {
		scenario_restart(t);
		return true;
	}
	if (t->rate.gap != 0 && rnd_draw(t, 16) < t->rate.gap)
		rtl_engine_idle(t->en, rnd_draw(t, 6));
	rnd_give_batch(t, s, &t->in.stream[i]);
	if (t->kind.detail) {
		printf("# batch %zu, time %" PRIu64 "\n", i, t->in.stream[i].time);
		rnd_show_states(t, s, &t->in.stream[i]);
	}
	t->tally.batches++;
	return true;
}

static bool stop(struct test *t, struct segment *s)
{
	uint32_t status;

	if (!rnd_post_stop(t, s))
		return false;
	if (rnd_draw(t, 2) == 0) {
		while (rtl_engine_writing(t->en) && rtl_engine_why(t->en) == NULL)
			rtl_engine_idle(t->en, 1);
		give_strange(t);
	}
	if (!rtl_engine_wait(t->en, NFACC_STATUS_DONE, NFACC_STATUS_DONE, MOST_WAIT))
		return rnd_fails(t, "stop");
	if (!rnd_stopped(t, s) || !rnd_check_segment(t, s, false) || !rnd_nothing_more(t) ||
	    !rnd_check_counts(t, s))
		return false;
	return rtl_engine_read(t->en, NFACC_REG_STATUS, &status) || rnd_fails(t, "status");
}

static bool reset(struct test *t, struct segment *s)
{
	t->tally.resets++;
	s->until = t->out.now;
	if (!rtl_engine_write(t->en, NFACC_REG_CONTROL, NFACC_CONTROL_RESET) ||
	    !rtl_engine_wait(t->en, NFACC_STATUS_BUSY, 0, MOST_WAIT))
		return rnd_fails(t, "reset");
	t->out.unseen = 0;
	if (!rnd_check_segment(t, s, true) || !rnd_nothing_more(t))
		return false;
	rtl_engine_idle(t->en, 200);
	return rnd_nothing_more(t) &&
	       (rtl_engine_why(t->en) == NULL || rnd_fails(t, "after reset"));
}

/* Stores in *can whether an image may be staged now. It may if the last swap is over and the limit
 * was not reached. Returns false if the engine failed. */
static bool can_stage(struct test *t, bool *can)
{
	uint32_t status = 0;

	/* A label that swaps may still have to accept. */
	*can = rtl_engine_wait(t->en, NFACC_STATUS_SWAPPING | NFACC_STATUS_STAGED, 0, MOST_WAIT) &&
	       rtl_engine_read(t->en, NFACC_REG_STATUS, &status) &&
	       (status & NFACC_STATUS_ARMED) != 0;
	return rtl_engine_why(t->en) == NULL || rnd_fails(t, "the last swap");
}

/* Swaps before the next batch. After swaps without free cycles the engine may have no room for one
 * more. It then refuses until there were enough cycles without a batch. */
static bool swap(struct test *t)
{
	uint32_t status = NFACC_STATUS_STAGED;

	for (int i = 0; i < MOST_WAIT && (status & NFACC_STATUS_STAGED) != 0; i++) {
		if (rtl_engine_command(t->en, NFACC_CONTROL_SWAP))
			return true;
		if (!rtl_engine_read(t->en, NFACC_REG_STATUS, &status))
			break;
	}
	return rnd_fails(t, "swap was refused");
}

/* Lets a swap begin. Batches come at any time of it, mostly while the last words are read again,
 * those of the tests of payload: memories are cleared before. */
static void pass_swap(struct test *t, const struct segment *next)
{
	const struct overlay *o = &t->options.overlay.o;
	uint64_t words = next->image->device.n / (o->data / 32);
	uint64_t cycles = (1u << overlay_recode_bits(o)) + words;
	uint64_t tests = (uint64_t)o->slots * o->payload_tests * overlay_payload_tables(o);

	if (t->gen.payload && rnd_draw(t, 8) != 0)
		rtl_engine_idle(t->en, cycles - rnd_draw(t, tests + MOST_BATCHES));
}

/* Gives the batches of segment s from *at on, without waiting, while the last words of an image
 * are written. It is staged after they came. Sets *at to the first of the others. */
static bool give_before_staged(struct test *t, struct segment *s, size_t *at)
{
	uint64_t words = rnd_draw(t, 60);

	while (rtl_engine_queued(t->en) > words && rtl_engine_why(t->en) == NULL)
		rtl_engine_idle(t->en, 1);
	for (; *at < s->to && rtl_engine_queued(t->en) > 1; ++*at)
		if (!give(t, s, *at))
			return false;
	return true;
}

/* Segment s has the image of the next one staged, and its batches before `from` were given. Has
 * these labels swap, gives the others, and moves the border between the segments to where the
 * labels make it. With `early` they were to swap before the image was staged. Stores in *swapped
 * whether there is such a place; if not, all batches were given and no label swaps any more. */
static bool swap_by_label(struct test *t, struct segment *s, struct segment *next, size_t from,
			  uint64_t labels, bool early, bool *swapped)
{
	size_t at, to;

	/* The batches before have left the NFA. */
	if (!early)
		rtl_engine_idle(t->en, 300);
	if ((!early && !rtl_engine_write(t->en, NFACC_REG_SWAP_ON_LO, (uint32_t)labels)) ||
	    !rnd_first_with(t, s, from, labels, &at))
		return rnd_fails(t, "writing SWAP_ON");
	*swapped = at != s->to;
	to = *swapped ? at + 1 : s->to;
	for (size_t i = from; i < to; i++)
		if (!give(t, s, i))
			return false;
	if (!*swapped) {
		rtl_engine_idle(t->en, 300);
		return rtl_engine_write(t->en, NFACC_REG_SWAP_ON_LO, 0);
	}
	next->from = s->to = to;
	t->tally.label_swaps++;
	/* A restart may come while batches go back from the NFA. */
	if (to + 2 < next->to && rnd_draw(t, 2) == 0) {
		struct nfart_batch *b = &t->in.stream[to + 1];
		*b = (struct nfart_batch){ .time = b->time, .lost = 1 };
	}
	return true;
}

/* Runs segment s. Meanwhile loads the image of the next segment and swaps it in, unless the limit
 * is reached before. Stores in *swapped whether it did. */
static bool run_to_swap(struct test *t, struct segment *s, struct segment *next, bool *swapped)
{
	size_t begin = s->from + rnd_draw(t, s->to - s->from + 1);
	size_t last = s->to;
	bool corrupt = rnd_draw(t, 4) == 0, posted = false, by_label = false, early = false;
	uint64_t labels = 0;
	uint32_t status;

	if (t->options.overlay.o.label_swap == OVERLAY_LABEL_SWAP_YES && rnd_draw(t, 2) == 0) {
		/* Enough batches are left for one that a label accepts. */
		if (t->gen.payload)
			begin -= (begin - s->from) * 3 / 4;
		last = begin;
		by_label = begin < s->to;
	}
	if (by_label)
		labels = rnd_draw(t, 1u << t->options.overlay.o.labels);
	/* No batch that came before the tests of payload of an image swaps it in. */
	if (by_label && t->gen.payload)
		early = rnd_draw(t, 2) == 0;
	if (early || (t->gen.payload && labels % 2 == 0))
		labels = (1u << t->options.overlay.o.labels) - 1;
	for (size_t i = s->from; i <= last; i++) {
		if (i == begin) {
			if (!can_stage(t, swapped))
				return false;
			posted = *swapped;
			if (posted && corrupt && !load_corrupt(t, next->image))
				return false;
			if (posted && early)
				rtl_engine_post(t->en, NFACC_REG_SWAP_ON_LO, (uint32_t)labels);
			if (posted)
				rtl_engine_post_words(t->en, next->image->device.halves,
						      next->image->device.n);
			if (posted && early) {
				if (!give_before_staged(t, s, &last))
					return false;
				break;
			}
		}
		if (i < last && !give(t, s, i))
			return false;
	}
	/* The image is now staged. There is an exception: if the limit was reached after
	 * can_stage() and before batch `begin`, the stream had ended, and the image is in use. */
	if (posted && (!rtl_engine_wait(t->en, NFACC_STATUS_LOADING, 0, MOST_WAIT) ||
		       !rtl_engine_read(t->en, NFACC_REG_STATUS, &status)))
		return rnd_fails(t, "staging");
	*swapped = posted && (status & NFACC_STATUS_STAGED) != 0;
	if (posted && early && !*swapped && !rtl_engine_write(t->en, NFACC_REG_SWAP_ON_LO, 0))
		return rnd_fails(t, "writing SWAP_ON");
	if (posted && !*swapped && s->image->stream.limit == 0)
		return rnd_fails(t, "the image is not staged");
	if (*swapped && by_label) {
		bool done = false;
		if (!swap_by_label(t, s, next, last, labels, early, &done))
			return false;
		if (done)
			return true;
	} else {
		for (size_t i = last; i < s->to; i++)
			if (!give(t, s, i))
				return false;
	}
	if (!*swapped)
		return true;
	t->tally.swaps++;
	return swap(t);
}

static bool play(struct test *t)
{
	bool armed = false, swapped = false;

	for (size_t k = 0; k < t->in.nsegments; k++) {
		struct segment *s = &t->in.segment[k],
			       *next = k + 1 < t->in.nsegments ? s + 1 : NULL;
		t->out.begun = false;
		if (!armed && !begin_segment(t, s))
			return false;
		if (t->kind.detail)
			rnd_start_states(t, s);
		t->tally.pairs++;
		t->tally.counting += s->image->nfa.ncounters != 0;
		if (next != NULL && t->kind.shadow && rnd_draw(t, 4) != 0) {
			bool done = false;
			if (!run_to_swap(t, s, next, &done))
				return false;
			if (done) {
				armed = swapped = true;
				pass_swap(t, next);
				continue;
			}
		} else {
			for (size_t i = s->from; i < s->to; i++)
				if (!give(t, s, i))
					return false;
		}
		armed = false;
		/* Segments that ended in a swap are checked here, in order. */
		size_t first = k;
		while (first > 0 && swapped && !t->in.segment[first - 1].checked)
			first--;
		if (next != NULL && !swapped && rnd_draw(t, 4) == 0) {
			if (!reset(t, s))
				return false;
		} else if (swapped) {
			rtl_engine_post(t->en, NFACC_REG_CONTROL, NFACC_CONTROL_STOP);
			if (!rtl_engine_wait(t->en, NFACC_STATUS_DONE, NFACC_STATUS_DONE,
					     MOST_WAIT))
				return rnd_fails(t, "stop after swaps");
			for (size_t i = first; i <= k; i++)
				if (!rnd_check_segment(t, &t->in.segment[i], false))
					return false;
			if (!rnd_nothing_more(t) || !rnd_check_counts(t, s))
				return false;
		} else if (!stop(t, s)) {
			return false;
		}
		for (size_t i = first; i <= k; i++)
			t->in.segment[i].checked = true;
		swapped = false;
	}
	return rtl_engine_why(t->en) == NULL || rnd_fails(t, "the engine");
}

bool rnd_scenario(struct test *t, uint64_t seed)
{
	bool ok = true;

	t->seed = seed;
	t->random = seed * 0x9e3779b97f4a7c15u + 1;
	rnd_draw(t, 2);
	t->why[0] = 0;
	t->out.got.n = t->out.seen = 0;
	t->rate.gap = rnd_draw(t, 2) == 0 ? 0 : (unsigned)rnd_draw(t, 14) + 1;
	t->rate.pause = rnd_draw(t, 2) == 0 ? 0 : (unsigned)rnd_draw(t, 15);
	t->rate.burst = rnd_draw(t, t->kind.lossy ? 2 : 8) == 0;
	t->rate.burst_until = 0;
	t->tally.scenarios++;
	if (scenario_prepare(t))
		ok = play(t);
	ok = ok && t->why[0] == 0;
	for (size_t i = 0; i < t->in.nsegments; i++) {
		nfart_image_free(t->in.segment[i].image);
		vec_free(&t->in.segment[i].jumps);
		vec_free(&t->in.segment[i].all);
		vec_free(&t->in.segment[i].want);
		vec_free(&t->in.segment[i].lines);
		pipeline_free(&t->in.segment[i].made);
	}
	return ok;
}
