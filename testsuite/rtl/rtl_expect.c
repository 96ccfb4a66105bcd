/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/* Computes what must come out of a segment, and compares it with what came out of the engine. */
#include "testsuite/rtl/rtl_random.h"

#include <inttypes.h>

#include "ir/oracle/oracle.h"
#include "runtime/device/nfacc_registers.h"

/* ---- what must come out of the engine ---- */

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

/* Does the software engine give the same as the reference matcher? */
static bool run_software(struct test *t, struct segment *s)
{
	struct nfart_engine_options o = { .reset_on_loss = true };
	struct software w = { .s = s };
	struct nfart_error e;
	struct nfart_engine *en = nfart_engine_new(s->image, &o, &e);
	struct nfart_window *window = nfart_window_new(s->image->window_before, 0, software_sink, &w);
	struct nfart_result r;
	bool ok = en != NULL && window != NULL;

	for (size_t i = s->from; ok && i < s->to; i++)
		ok = nfart_engine_step(en, &t->stream[i], &r) &&
		     nfart_window_put(window, &t->stream[i], &r);
	ok = ok && nfart_window_end(window) && !w.wrong && w.next == s->nwant;
	nfart_window_free(window);
	nfart_engine_free(en);
	return ok || rnd_fails(t, "the software engine differs from the reference matcher");
}

bool rnd_expect(struct test *t, struct segment *s)
{
	struct oracle_options o = { .reset_on_loss = true, .no_limit = true };
	struct oracle_record *want = NULL;
	size_t n = s->to - s->from;

	s->nwant = 0;
	if (oracle_run(&s->made.front.ast, t->stream + s->from, n, &o, &want) != NFART_OK)
		return rnd_fails(t, "the reference matcher failed");
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

/* ---- what came out of the engine ---- */

static bool differs(struct test *t, const char *what, size_t k)
{
	if (t->why[0] == 0)
		snprintf(t->why, sizeof t->why, "record %zu from the engine: %s", k, what);
	return false;
}

/* Compares the records of one segment with what must come out. If `part`, the stream was cut off,
 * so the records may end early. */
bool rnd_check_segment(struct test *t, struct segment *s, bool part)
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

bool rnd_nothing_more(struct test *t)
{
	return t->seen == t->got.n || differs(t, "nothing more was due", t->seen);
}

bool rnd_check_counts(struct test *t, const struct segment *s)
{
	static const uint32_t offsets[] = { NFACC_REG_PACKETS_LO, NFACC_REG_DROPPED_LO,
					    NFACC_REG_BATCHES_LO, NFACC_REG_UNSEEN_LO };
	uint64_t v[4], stored = 0, lost = 0, given = 0;
	size_t first = s->from;

	for (int i = 0; i < 4; i++) {
		uint32_t low, high;
		if (!rtl_engine_read(t->en, offsets[i], &low) ||
		    !rtl_engine_read(t->en, offsets[i] + 4, &high))
			return rnd_fails(t, "reading counters");
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
		return rnd_fails(t, "PACKETS is wrong");
	for (size_t i = 0; i < t->nsegments; i++)
		if (t->segment[i].image->limit != 0)
			t->unseen = v[3]; /* the engine counts batches after the limit as unseen,
			                   * too */
	if (s->image->limit != 0 && stored >= s->image->limit)
		return true;
	if (t->nsegments == 1 && v[1] != lost)
		return rnd_fails(t, "DROPPED is wrong");
	for (size_t i = s->from; i < s->to; i++)
		given += t->stream[i].mask != 0;
	if (v[2] != given)
		return rnd_fails(t, "BATCHES is wrong");
	return v[3] == t->unseen || rnd_fails(t, "UNSEEN is wrong");
}
