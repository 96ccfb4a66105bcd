/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Random filters and streams on three engines: the reference matcher, the software engine with its
 * window, and the engine in Verilog, simulated. A scenario of a seed is one to three segments, each a
 * filter over a part of a stream; between two stand a stop, a reset, a new image or a swap, and
 * batches that nobody may see. Gaps between batches and pauses of whoever takes the output are random.
 *
 *   rtl_random [-n PAIRS] [-s SEED] [-l] [-d] [-p PROTOCOL] [-I DIR] [-P POSITIONS] OVERLAY MODEL.so
 *
 * -l: the model's output buffer is small, records may be lost; each loss must stand in its place with
 * its count. -d: one seed in detail, batch by batch, with the states of both sides and waveforms in
 * seed-N.vcd (of a model that has them); a scenario that differs is shown so without being asked.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "compiler/pipeline.h"
#include "grammar/proto_text.h"
#include "ir/oracle.h"
#include "runtime/image.h"
#include "runtime/nfacc_registers.h"
#include "runtime/rtl_engine.h"
#include "testsuite/property/gen.h"

enum { MOST_BATCHES = 60, SEGMENTS = 3, BLOCK = 100, MOST_WAIT = 10000000 };

struct expected {
	const struct nfart_batch *batch;
	uint64_t labels;
};

/* A filter over batches [from, to) of the stream. */
struct segment {
	struct pipeline made;
	struct nfart_image *image;
	size_t from, to;
	struct expected want[MOST_BATCHES]; /* without the limit */
	size_t nwant;
};

struct got {
	struct nfart_batch batch;
	uint64_t labels;
};

struct test {
	const char *model;
	struct pipeline_options options;
	struct gen_options gen;
	struct nfart_proto *proto;
	bool lossy, shadow;
	struct rtl_engine *en;
	const char *vcd;
	bool detail;

	uint64_t seed, random;
	struct nfart_batch stream[MOST_BATCHES], strange[8];
	size_t n;
	struct segment segment[SEGMENTS];
	size_t nsegments;
	unsigned gap, pause;  /* how often, of 16 */
	bool burst;
	uint64_t burst_until;
	VEC(struct got) got;
	size_t seen;          /* records of got that were checked */
	uint64_t unseen;      /* batches that the engine must count as such */
	bool *active;         /* detail: [lines][states] what the image says is active */
	char why[256];

	uint64_t scenarios, pairs, nofit, batches, records, losses, swaps, resets, corrupt, restarts;
};

static uint64_t draw(struct test *t, uint64_t n)
{
	t->random ^= t->random << 13;
	t->random ^= t->random >> 7;
	t->random ^= t->random << 17;
	return (t->random * 0x2545f4914f6cdd1du >> 33) % n;
}

static bool fails(struct test *t, const char *what)
{
	if (t->why[0] == 0)
		snprintf(t->why, sizeof t->why, "%s%s%s", what,
			 rtl_engine_why(t->en) != NULL ? ": " : "",
			 rtl_engine_why(t->en) != NULL ? rtl_engine_why(t->en) : "");
	return false;
}

/* ---- pins ---- */

static void sink(void *ctx, const struct nfart_batch *b, uint64_t labels)
{
	struct test *t = ctx;
	struct got g = { *b, labels };

	if (!vec_push(&t->got, g))
		abort();
}

static bool ready(void *ctx)
{
	struct test *t = ctx;

	if (!t->burst)
		return t->pause == 0 || draw(t, 16) >= t->pause;
	if (t->burst_until == 0)
		t->burst_until = draw(t, 400) + 1;
	t->burst_until--;
	return t->burst_until < 100;
}

static bool open_engine(struct test *t)
{
	struct rtl_options o = { t->model, t->vcd, ready, sink, t };
	struct nfart_error e;

	rtl_engine_close(t->en);
	t->unseen = 0;
	t->en = rtl_engine_open(contract_fingerprint(&t->options.overlay.o, t->proto), &o, &e);
	if (t->en == NULL)
		nfart_error_print(stderr, &e);
	return t->en != NULL;
}

/* ---- what must come out ---- */

static bool same(const struct nfart_batch *a, const struct nfart_batch *b)
{
	if (a->time != b->time || a->mask != b->mask)
		return false;
	for (uint64_t m = a->mask; m != 0; m &= m - 1)
		if (a->header[__builtin_ctzll(m)] != b->header[__builtin_ctzll(m)])
			return false;
	return true;
}

struct software {
	struct segment *s;
	size_t next;
	bool wrong;
};

static bool software_sink(void *ctx, const struct nfart_batch *b, const struct nfart_result *r)
{
	struct software *w = ctx;
	uint64_t labels = r->nlabels != 0 ? r->labels[0] : 0;

	if (b->mask == 0)
		return true;
	if (w->next == w->s->nwant || !same(w->s->want[w->next].batch, b) ||
	    w->s->want[w->next].labels != labels)
		w->wrong = true;
	else
		w->next++;
	return true;
}

/* Does the software engine say what the reference matcher says? */
static bool run_software(struct test *t, struct segment *s)
{
	struct nfart_engine_options o = { .reset_on_loss = true };
	struct software w = { .s = s };
	struct nfart_error e;
	struct nfart_engine *en = nfart_engine_new(s->image, &o, &e);
	struct nfart_window *window = nfart_window_new(s->image->window, 0, software_sink, &w);
	struct nfart_result r;
	bool ok = en != NULL && window != NULL;

	for (size_t i = s->from; ok && i < s->to; i++)
		ok = nfart_engine_step(en, &t->stream[i], &r) &&
		     nfart_window_put(window, &t->stream[i], &r);
	ok = ok && nfart_window_end(window) && !w.wrong && w.next == s->nwant;
	nfart_window_free(window);
	nfart_engine_free(en);
	return ok || fails(t, "the software engine differs from the reference matcher");
}

static bool expect(struct test *t, struct segment *s)
{
	struct oracle_options o = { .reset_on_loss = true };
	struct oracle_record *want = NULL;
	uint64_t limit = s->made.spec.limit;
	size_t n = s->to - s->from;

	s->made.spec.limit = 0;
	s->nwant = 0;
	if (oracle_run(&s->made.spec, t->stream + s->from, n, &o, &want) != NFART_OK)
		return fails(t, "the reference matcher failed");
	s->made.spec.limit = limit;
	for (size_t i = 0; i < n; i++)
		if (want[i].output && t->stream[s->from + i].mask != 0) {
			struct expected x = { &t->stream[s->from + i], 0 };
			if (s->image->nlabels != 0)
				x.labels = want[i].labels[0];
			s->want[s->nwant++] = x;
		}
	oracle_free(want, n);
	return run_software(t, s);
}

/* ---- what came out ---- */

static bool differs(struct test *t, const char *what, size_t k)
{
	if (t->why[0] == 0)
		snprintf(t->why, sizeof t->why, "record %zu from the engine: %s", k, what);
	return false;
}

/* Takes the records of one segment; `part`: it was cut off, any beginning is right. */
static bool check_segment(struct test *t, struct segment *s, bool part)
{
	uint64_t limit = s->image->limit, stored = 0, last = 0;
	size_t k = 0;

	for (; t->seen < t->got.n; t->seen++) {
		const struct got *g = &t->got.at[t->seen];
		if (limit != 0 && stored == limit)
			break;
		if (t->seen != 0 && g->batch.time < last)
			return differs(t, "time falls", t->seen);
		last = g->batch.time;
		t->records++;
		if (g->batch.mask != 0) {
			if (k == s->nwant)
				break;
			if (!same(&g->batch, s->want[k].batch))
				return differs(t, "another batch was due", t->seen);
			if (g->labels != s->want[k].labels)
				return differs(t, "labels differ", t->seen);
			k++;
			stored++;
			continue;
		}
		if (!t->lossy)
			return differs(t, "a loss though there was room", t->seen);
		t->losses++;
		for (uint64_t lost = g->batch.lost; lost != 0; k++) {
			uint64_t n = k == s->nwant ? 0 :
				(uint64_t)__builtin_popcountll(s->want[k].batch->mask);
			if (n == 0 || n > lost)
				return differs(t, "the loss counts wrong", t->seen);
			lost -= n;
		}
	}
	if (!part && !(limit != 0 && stored == limit) && k != s->nwant)
		return differs(t, "output is missing", t->seen);
	return true;
}

static bool nothing_more(struct test *t)
{
	return t->seen == t->got.n || differs(t, "nothing more was due", t->seen);
}

/* ---- detail: the states of both sides ---- */

static void step_line(const struct nfart_image *im, bool *active, const uint32_t *codes, size_t n)
{
	bool *next = calloc(im->nstates + 1, sizeof *next);

	for (uint32_t s = 0; next != NULL && s < im->nstates; s++) {
		const struct image_state *q = &im->states[s];
		bool match = q->pred != IMAGE_NO_PRED && im->preds[q->pred].none, entered = false;
		if (q->pred == IMAGE_NO_PRED)
			continue;
		for (size_t i = 0; i < n; i++)
			for (uint32_t c = 0; c < im->preds[q->pred].codes.n; c++)
				if (im->preds[q->pred].codes.at[c] == codes[i])
					match = !im->preds[q->pred].none;
		entered = (q->flags & STATE_ALWAYS) != 0;
		for (uint32_t p = 0; p < im->nstates; p++)
			for (uint32_t k = im->succ_first[p]; k < im->succ_first[p + 1]; k++)
				entered |= active[p] && im->succ[k] == s;
		next[s] = match && entered;
	}
	memcpy(active, next, im->nstates * sizeof *next);
	free(next);
}

static void print_states(const char *who, uint64_t line, const struct nfart_image *im,
			 const bool *active, const uint32_t *bits)
{
	uint32_t n = overlay_nste(&im->overlay);

	printf("#   %s, line %" PRIu64 ": STEs {", who, line);
	if (active != NULL)
		for (uint32_t s = 0; s < im->nstates; s++)
			printf(active[s] ? " %" PRIu32 : "", im->states[s].node);
	for (uint32_t s = 0; bits != NULL && s < n; s++)
		if ((bits[(line * n + s) / 32] >> (line * n + s) % 32 & 1) != 0)
			printf(" %" PRIu32, s);
	printf(" }\n");
}

/* After a batch, with nothing under way: what the image says and what the engine has. */
static void show_states(struct test *t, const struct segment *s, const struct nfart_batch *b)
{
	const struct nfart_image *im = s->image;
	const struct nfacc_model_info *info = rtl_engine_info(t->en);
	uint32_t *bits = calloc(info->states / 32 + 2, 4), codes[NFART_SLOTS];

	rtl_engine_idle(t->en, 12);
	rtl_engine_states(t->en, bits);
	for (uint64_t line = 0; bits != NULL && line < (im->by_line ? im->nlines : 1); line++) {
		size_t n = 0;
		for (uint64_t m = b->mask; m != 0; m &= m - 1) {
			uint32_t slot = (uint32_t)__builtin_ctzll(m);
			uint32_t code = proto_code(im->proto, slot, b->header[slot]);
			if (!im->by_line ||
			    (bits_get(im->proto->has_addr, code) &&
			     proto_line(im->proto, b->header[slot]) == im->first_line + line))
				codes[n++] = code;
		}
		if (n != 0)
			step_line(im, t->active + line * im->nstates, codes, n);
		print_states("image", line, im, t->active + line * im->nstates, NULL);
		print_states("engine", line, im, NULL, bits);
	}
	free(bits);
}

static void start_states(struct test *t, const struct segment *s)
{
	const struct nfart_image *im = s->image;
	size_t lines = im->by_line ? im->nlines : 1;

	free(t->active);
	t->active = calloc(lines * im->nstates + 1, sizeof *t->active);
	for (size_t i = 0; t->active != NULL && i < lines * im->nstates; i++)
		t->active[i] = (im->states[i % im->nstates].flags & STATE_START) != 0;
}

/* ---- a scenario ---- */

static bool compile_segment(struct test *t, struct segment *s, uint64_t seed)
{
	struct buf text = { 0 };
	struct pipeline_file f = { "filter.re", NULL, 0, false };
	struct nfart_error e;
	enum nfart_status status;

	gen_filter(seed, &t->gen, &text);
	f.text = text.at;
	f.n = text.n;
	status = pipeline_run(&s->made, &t->options, &f, 1);
	if (status == NFART_OK)
		s->image = nfart_image_load(s->made.image.at, s->made.image.n, "image", &e);
	if (status == NFART_OK && s->image == NULL)
		fails(t, "the image is refused");
	if (t->detail && status == NFART_OK)
		fwrite(text.at, 1, text.n, stdout);
	buf_free(&text);
	if (status == NFART_OK && s->image != NULL)
		return true;
	if (status != NFART_OK && status != NFART_NOFIT && status != NFART_GAVEUP)
		fails(t, "the filter does not compile");
	t->nofit++;
	pipeline_free(&s->made);
	return false;
}

/* Filters and the parts of the stream they see. False: none of the filters fits. */
static bool prepare(struct test *t)
{
	size_t from = 0, n = 0, want = 1 + draw(t, SEGMENTS);
	bool restarts;

	t->n = gen_stream(t->seed, &t->gen, t->stream, MOST_BATCHES);
	restarts = draw(t, 3) == 0; /* loss records, each a restart: the tap knows no losses */
	for (size_t i = 0; i < t->n; i++)
		if (restarts || t->stream[i].mask != 0)
			t->stream[n++] = t->stream[i];
	t->n = n;
	gen_stream(t->seed + 1000003, &t->gen, t->strange, 8);
	t->nsegments = 0;
	for (size_t i = 0; i < want; i++) {
		struct segment *s = &t->segment[t->nsegments];
		memset(s, 0, sizeof *s);
		if (!compile_segment(t, s, i == 0 ? t->seed : draw(t, 1u << 30)))
			continue;
		s->from = from;
		t->nsegments++;
		from += draw(t, t->n - from + 1);
		s->to = from;
	}
	if (t->nsegments != 0)
		t->segment[t->nsegments - 1].to = t->n;
	return t->nsegments != 0;
}

/* Batches that come while the engine is not to look at them. */
static void give_strange(struct test *t)
{
	size_t n = draw(t, 5);

	for (size_t i = 0; i < n; i++)
		if (t->strange[i].mask != 0) {
			rtl_engine_batch(t->en, &t->strange[i]);
			t->unseen++;
		}
}

/* Words with one bit wrong, or cut off: what the engine must say of them. */
static bool load_corrupt(struct test *t, const struct nfart_image *im)
{
	uint32_t *words = malloc(im->ndevice * 4);
	size_t n = im->ndevice, at = draw(t, n);
	uint32_t step = im->overlay.data / 32;
	int result;

	if (words == NULL)
		return fails(t, "out of memory");
	memcpy(words, im->device, n * 4);
	if (draw(t, 4) == 0)
		n = (at + 1) / step * step;
	if (n == im->ndevice)
		words[at] ^= 1u << draw(t, 32);
	result = rtl_engine_load(t->en, words, n);
	free(words);
	t->corrupt++;
	if (result < 0)
		return fails(t, "loading");
	return result != (int)NFACC_LOAD_OK || fails(t, "a corrupt image was taken");
}

static bool load_image(struct test *t, const struct nfart_image *im)
{
	int result = rtl_engine_load(t->en, im->device, im->ndevice);

	if (result == (int)NFACC_LOAD_OK)
		return true;
	if (t->why[0] == 0)
		snprintf(t->why, sizeof t->why, "STATUS.load is %d", result);
	return fails(t, "loading");
}

static bool arm(struct test *t)
{
	return (rtl_engine_command(t->en, NFACC_CONTROL_ARM) &&
		rtl_engine_write(t->en, NFACC_REG_ENABLE, 1)) ||
	       fails(t, "arm was refused");
}

/* Loads and arms an engine that is not armed. */
static bool begin_segment(struct test *t, struct segment *s)
{
	if (draw(t, 6) == 0) {
		if (!load_corrupt(t, s->image))
			return false;
		if (rtl_engine_command(t->en, NFACC_CONTROL_ARM))
			return fails(t, "a corrupt image was armed");
	}
	if (!load_image(t, s->image))
		return false;
	give_strange(t);
	return arm(t);
}

/* Before the next batch; refused in a swap, while the last one is not through, and behind the limit. */
static void restart(struct test *t)
{
	uint32_t status = NFACC_STATUS_ARMED;

	t->restarts++;
	for (int i = 0; i < 100000 && (status & (NFACC_STATUS_ARMED | NFACC_STATUS_SWAPPING)) != 0; i++)
		if (rtl_engine_command(t->en, NFACC_CONTROL_RESTART) ||
		    !rtl_engine_read(t->en, NFACC_REG_STATUS, &status))
			return;
}

static void give(struct test *t, struct segment *s, size_t i)
{
	if (t->stream[i].mask == 0) {
		restart(t);
		return;
	}
	if (t->gap != 0 && draw(t, 16) < t->gap)
		rtl_engine_idle(t->en, draw(t, 6));
	rtl_engine_batch(t->en, &t->stream[i]);
	if (t->detail) {
		printf("# batch %zu, time %" PRIu64 "\n", i, t->stream[i].time);
		show_states(t, s, &t->stream[i]);
	}
	t->batches++;
}

static bool counters(struct test *t, const struct segment *s)
{
	static const uint32_t offsets[] = { NFACC_REG_PACKETS_LO, NFACC_REG_DROPPED_LO,
					    NFACC_REG_BATCHES_LO, NFACC_REG_UNSEEN_LO };
	uint64_t v[4], stored = 0, lost = 0, given = 0;
	size_t first = s->from;

	for (int i = 0; i < 4; i++) {
		uint32_t low, high;
		if (!rtl_engine_read(t->en, offsets[i], &low) ||
		    !rtl_engine_read(t->en, offsets[i] + 4, &high))
			return fails(t, "reading counters");
		v[i] = low | (uint64_t)high << 32;
	}
	while (first < s->to && t->stream[first].mask == 0)
		first++;
	for (size_t i = t->seen; first < s->to && i-- > 0;) {
		if (t->got.at[i].batch.time < t->stream[first].time)
			break;
		stored += t->got.at[i].batch.mask != 0;
		lost += t->got.at[i].batch.lost;
	}
	if (v[0] != stored)
		return fails(t, "PACKETS is wrong");
	for (size_t i = 0; i < t->nsegments; i++)
		if (t->segment[i].image->limit != 0)
			t->unseen = v[3]; /* what comes behind the limit is unseen as well */
	if (s->image->limit != 0 && stored >= s->image->limit)
		return true;
	if (t->nsegments == 1 && v[1] != lost)
		return fails(t, "DROPPED is wrong");
	for (size_t i = s->from; i < s->to; i++)
		given += t->stream[i].mask != 0;
	if (v[2] != given)
		return fails(t, "BATCHES is wrong");
	return v[3] == t->unseen || fails(t, "UNSEEN is wrong");
}

static bool stop(struct test *t, struct segment *s)
{
	uint32_t status;

	rtl_engine_post(t->en, NFACC_REG_CONTROL, NFACC_CONTROL_STOP);
	if (draw(t, 2) == 0) {
		while (rtl_engine_writing(t->en) && rtl_engine_why(t->en) == NULL)
			rtl_engine_idle(t->en, 1);
		give_strange(t);
	}
	if (!rtl_engine_wait(t->en, NFACC_STATUS_DONE, NFACC_STATUS_DONE, MOST_WAIT))
		return fails(t, "stop");
	if (!check_segment(t, s, false) || !nothing_more(t) || !counters(t, s))
		return false;
	return rtl_engine_read(t->en, NFACC_REG_STATUS, &status) || fails(t, "status");
}

static bool reset(struct test *t, struct segment *s)
{
	t->resets++;
	if (!rtl_engine_write(t->en, NFACC_REG_CONTROL, NFACC_CONTROL_RESET) ||
	    !rtl_engine_wait(t->en, NFACC_STATUS_BUSY, 0, MOST_WAIT))
		return fails(t, "reset");
	t->unseen = 0;
	if (!check_segment(t, s, true) || !nothing_more(t))
		return false;
	rtl_engine_idle(t->en, 200);
	return nothing_more(t) && (rtl_engine_why(t->en) == NULL || fails(t, "after reset"));
}

/* May an image be staged now? The last swap is over, and the limit was not reached. */
static bool can_stage(struct test *t, bool *can)
{
	uint32_t status = 0;

	*can = rtl_engine_wait(t->en, NFACC_STATUS_SWAPPING, 0, MOST_WAIT) &&
	       rtl_engine_read(t->en, NFACC_REG_STATUS, &status) &&
	       (status & NFACC_STATUS_ARMED) != 0;
	return rtl_engine_why(t->en) == NULL || fails(t, "the last swap");
}

/* The next segment's image is loaded while this one runs, and takes over: *swapped. Not where the limit
 * comes first. */
static bool run_to_swap(struct test *t, struct segment *s, struct segment *next, bool *swapped)
{
	size_t begin = s->from + draw(t, s->to - s->from + 1);
	bool corrupt = draw(t, 4) == 0, posted = false;
	uint32_t status;

	for (size_t i = s->from; i <= s->to; i++) {
		if (i == begin) {
			if (!can_stage(t, swapped))
				return false;
			posted = *swapped;
			if (posted && corrupt && !load_corrupt(t, next->image))
				return false;
			if (posted)
				rtl_engine_post_words(t->en, next->image->device, next->image->ndevice);
		}
		if (i < s->to)
			give(t, s, i);
	}
	if (!posted)
		return true;
	/* Loaded: staged, or at once where the limit came between the question and `begin`. */
	if (!rtl_engine_wait(t->en, NFACC_STATUS_LOADING, 0, MOST_WAIT) ||
	    !rtl_engine_read(t->en, NFACC_REG_STATUS, &status))
		return fails(t, "staging");
	*swapped = (status & NFACC_STATUS_STAGED) != 0;
	if (!*swapped)
		return s->image->limit != 0 || fails(t, "the image is not staged");
	t->swaps++;
	return rtl_engine_command(t->en, NFACC_CONTROL_SWAP) || fails(t, "swap was refused");
}

static bool play(struct test *t)
{
	bool armed = false, swapped = false;

	for (size_t k = 0; k < t->nsegments; k++) {
		struct segment *s = &t->segment[k], *next = k + 1 < t->nsegments ? s + 1 : NULL;
		if (!expect(t, s))
			return false;
		if (!armed && !begin_segment(t, s))
			return false;
		if (t->detail)
			start_states(t, s);
		t->pairs++;
		if (next != NULL && t->shadow && draw(t, 4) != 0) {
			bool done = false;
			if (!run_to_swap(t, s, next, &done))
				return false;
			if (done) {
				armed = swapped = true;
				continue;
			}
		} else {
			for (size_t i = s->from; i < s->to; i++)
				give(t, s, i);
		}
		armed = false;
		/* What swaps left behind is looked at in order. */
		size_t first = k;
		while (first > 0 && swapped && t->segment[first - 1].nwant != SIZE_MAX)
			first--;
		if (next != NULL && !swapped && draw(t, 4) == 0) {
			if (!reset(t, s))
				return false;
		} else if (swapped) {
			rtl_engine_post(t->en, NFACC_REG_CONTROL, NFACC_CONTROL_STOP);
			if (!rtl_engine_wait(t->en, NFACC_STATUS_DONE, NFACC_STATUS_DONE, MOST_WAIT))
				return fails(t, "stop after swaps");
			for (size_t i = first; i <= k; i++)
				if (!check_segment(t, &t->segment[i], false))
					return false;
			if (!nothing_more(t) || !counters(t, s))
				return false;
		} else if (!stop(t, s)) {
			return false;
		}
		for (size_t i = first; i <= k; i++)
			t->segment[i].nwant = SIZE_MAX; /* done with */
		swapped = false;
	}
	return rtl_engine_why(t->en) == NULL || fails(t, "the engine");
}

static bool scenario(struct test *t, uint64_t seed)
{
	bool ok = true;

	t->seed = seed;
	t->random = seed * 0x9e3779b97f4a7c15u + 1;
	draw(t, 2);
	t->why[0] = 0;
	t->got.n = t->seen = 0;
	t->gap = draw(t, 2) == 0 ? 0 : (unsigned)draw(t, 14) + 1;
	t->pause = draw(t, 2) == 0 ? 0 : (unsigned)draw(t, 15);
	t->burst = draw(t, t->lossy ? 2 : 8) == 0;
	t->burst_until = 0;
	t->scenarios++;
	if (prepare(t))
		ok = play(t);
	ok = ok && t->why[0] == 0;
	for (size_t i = 0; i < t->nsegments; i++) {
		nfart_image_free(t->segment[i].image);
		pipeline_free(&t->segment[i].made);
	}
	return ok;
}

static void print_stream(const struct test *t)
{
	struct nfart_writer_options o = { .format = NFART_FORMAT_TEXT };
	struct nfart_error e;
	struct nfart_writer *w = nfart_writer_new(stdout, t->proto, &o, &e);

	for (size_t i = 0; i < t->n && w != NULL; i++)
		nfart_writer_put(w, &t->stream[i], NULL);
	nfart_writer_close(w, &e);
}

/* The scenario again, alone, on an engine just switched on. */
static void show(struct test *t, uint64_t seed)
{
	char vcd[64];

	printf("# seed %" PRIu64 ": %s\n", seed, t->why);
	snprintf(vcd, sizeof vcd, "seed-%" PRIu64 ".vcd", seed);
	t->vcd = rtl_engine_info(t->en)->traced ? vcd : NULL;
	if (open_engine(t)) {
		bool ok = scenario(t, seed);
		printf("# alone: %s\n", ok ? "no difference" : t->why);
		for (size_t i = 0; i < t->nsegments; i++)
			printf("# segment %zu: batches %zu to %zu\n", i, t->segment[i].from,
			       t->segment[i].to);
		print_stream(t);
		for (size_t i = 0; i < t->got.n; i++)
			printf("# got time %" PRIu64 ", mask %" PRIx64 ", labels %" PRIx64 ", lost %"
			       PRIu64 "\n", t->got.at[i].batch.time, t->got.at[i].batch.mask,
			       t->got.at[i].labels, t->got.at[i].batch.lost);
		if (t->vcd != NULL)
			printf("# waveforms: %s\n", vcd);
	}
	/* Once more, each batch by itself, to see the states behind it. */
	t->vcd = NULL;
	t->detail = true;
	if (open_engine(t)) {
		bool ok = scenario(t, seed);
		printf("# batch by batch: %s\n", ok ? "no difference" : t->why);
	}
	t->detail = false;
}

static bool read_overlay(struct test *t, const char *name)
{
	struct diags d = { .werror = false };
	struct buf b = { 0 };
	bool ok = buf_read_file(&b, name, 1 << 20) == 0 &&
		  overlay_parse(&d, name, b.at, b.n, &t->options.overlay);

	diag_print(&d, stderr, false);
	diag_free(&d);
	buf_free(&b);
	return ok;
}

static bool find_protocol(struct test *t, const char *name)
{
	struct diags d = { .werror = false };

	if (t->options.overlay.protocol[0] != 0)
		name = t->options.overlay.protocol;
	proto_find(&d, t->options.dirs, t->options.ndirs, name, strlen(name), &t->proto);
	diag_print(&d, stderr, false);
	diag_free(&d);
	if (t->proto == NULL)
		return false;
	t->gen.proto = t->proto;
	t->gen.counters = t->options.overlay.o.counters != 0;
	t->options.overlay.o.slots = t->proto->nslots;
	t->options.overlay.o.op_bits = t->proto->op_bits;
	t->shadow = t->options.overlay.o.shadow != 0;
	return true;
}

int main(int argc, char **argv)
{
	struct test *t = calloc(1, sizeof *t);
	const char *protocol = "eci-coherence", *dir = ".";
	uint64_t n = 100, seed = 1, bad = 0, test = 0;
	bool detail = false;
	int c;

	if (t == NULL)
		return NFART_SYSTEM;
	pipeline_options_init(&t->options);
	t->gen.max_batches = MOST_BATCHES;
	t->gen.positions = 10;
	while ((c = getopt(argc, argv, "n:s:ldp:I:P:")) != -1) {
		switch (c) {
		case 'n': n = strtoull(optarg, NULL, 10); break;
		case 's': seed = strtoull(optarg, NULL, 10); break;
		case 'l': t->lossy = true; break;
		case 'd': detail = true; break;
		case 'p': protocol = optarg; break;
		case 'I': dir = optarg; break;
		case 'P': t->gen.positions = strtoull(optarg, NULL, 10); break;
		default: return NFART_USAGE;
		}
	}
	t->options.dirs = &dir;
	t->options.ndirs = 1;
	if (argc - optind != 2 || !read_overlay(t, argv[optind]) || !find_protocol(t, protocol))
		return NFART_USAGE;
	t->model = argv[optind + 1];
	if (!open_engine(t))
		return NFART_SYSTEM;
	for (uint64_t i = 0; t->pairs < n && bad < 5; i++) {
		bool ok = scenario(t, seed + i);
		bad += !ok;
		if (!ok || detail) {
			show(t, seed + i);
			if (!open_engine(t))
				return NFART_SYSTEM;
		}
		if (i % BLOCK == BLOCK - 1 || t->pairs >= n)
			printf("%sok %" PRIu64 " - %s up to seed %" PRIu64 "\n", bad == 0 ? "" : "not ",
			       ++test, t->options.overlay.name, seed + i);
		if (detail)
			break;
	}
	printf("# %s: %" PRIu64 " pairs in %" PRIu64 " scenarios from seed %" PRIu64 ", %" PRIu64
	       " filters did not fit; %" PRIu64 " batches, %" PRIu64 " records, %" PRIu64
	       " losses, %" PRIu64 " swaps, %" PRIu64 " resets, %" PRIu64 " restarts, %" PRIu64
	       " corrupt images; %" PRIu64 " differ\n", t->options.overlay.name, t->pairs, t->scenarios, seed,
	       t->nofit, t->batches, t->records, t->losses, t->swaps, t->resets, t->restarts,
	       t->corrupt, bad);
	printf("1..%" PRIu64 "\n", test);
	rtl_engine_close(t->en);
	proto_free(t->proto);
	vec_free(&t->got);
	free(t->active);
	free(t);
	return bad != 0;
}
