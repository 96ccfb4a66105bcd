/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Takes the files of shards of a question, and makes the answer of them (ask_shard.h).
 */
#include "tools/nfarun/ask_merge.h"

#include <stdlib.h>
#include <string.h>

#include "contract/crc.h"
#include "contract/image/image.h"
#include "runtime/pairs/pairs_part.h"
#include "runtime/trace/reader.h"
#include "tools/nfarun/ask_jobs.h"
#include "tools/nfarun/ask_lines.h"
#include "tools/nfarun/ask_shard.h"

bool shard_question_key(const struct ask *a, const struct nfart_reader *r, uint64_t number,
			uint64_t total, struct asked_key *k, struct nfart_error *e)
{
	const struct nfarun_ask *q = &a->o->ask;

	*k = (struct asked_key){ { 0 } };
	k->word[ASKED_AT_QUESTION] = (uint64_t)q->question | (uint64_t)q->by << 8;
	k->word[ASKED_AT_PERIOD] = q->period;
	k->word[ASKED_AT_SLOWEST] = q->slowest;
	if (a->image != NULL)
		k->word[ASKED_AT_IMAGE] = crc32c(0, a->image->file.bytes, a->image->file.n);
	return asked_key_fill(k, r, number, total, e);
}

/* ---- records ---- */

void shard_taker_free(struct shard_taker *t)
{
	vec_free(&t->labels);
	vec_free(&t->first);
	engine_state_free(&t->state[0]);
	engine_state_free(&t->state[1]);
	vec_free(&t->flight.above);
}

/* Takes one more label of the latest mark, or the first one of the next. */
static bool take_label(struct shard_taker *t, const uint64_t *w)
{
	const struct nfart_image *im = t->a->image;
	bool next = w[0] == t->first.n + 1, more = t->first.n != 0 && w[0] == t->first.n;

	if (im == NULL || w[1] >= im->labels.n - im->labels.noutputs || (!next && !more) ||
	    (more && t->labels.at[t->labels.n - 1] >= w[1]))
		return false;
	t->a->failed |= (next && !vec_push(&t->first, t->labels.n)) ||
			!vec_push(&t->labels, (uint32_t)w[1]);
	return !t->a->failed;
}

static bool take_state(struct shard_taker *t, const uint64_t *w)
{
	if (t->a->image == NULL || w[0] > 1)
		return false;
	t->a->failed |= !vec_push(&t->state[w[0]].words, w[1]);
	return !t->a->failed;
}

/* Makes *state what the words of a file say. False: they can't be a state, or memory is short. */
static bool read_state(const struct engine_state *from, struct piece_state *state)
{
	enum { HEAD = 4 };
	const uint64_t *w = from->words.at;
	size_t n = from->words.n, losses;

	if (n < HEAD || w[0] > 7 || w[3] > (n - HEAD) / 2)
		return false;
	losses = (size_t)w[3];
	state->time = (struct filter_time_state){
		.ticker = { .any = (w[0] & 1) != 0, .over = (w[0] & 2) != 0, .due = w[1] },
		.any = (w[0] & 4) != 0, .latest = w[2]
	};
	w += HEAD;
	for (size_t i = 0; i < losses; i++, w += 2)
		if (!vec_push(&state->time.waiting, ((struct filter_loss){ w[0], w[1] })))
			return false;
	for (; w < from->words.at + n; w++)
		if (!vec_push(&state->engine.words, *w))
			return false;
	return true;
}

/* Could this be what is known of time at a border? */
static bool time_can_be(const struct filter_time_state *t, const struct trace_clock *c)
{
	uint64_t last = 0;

	for (size_t i = 0; i < t->waiting.n; i++) {
		if (t->waiting.at[i].time < last || t->waiting.at[i].time > c->last)
			return false;
		last = t->waiting.at[i].time;
	}
	return !t->ticker.any ||
	       (c->any_batch && (t->ticker.over || t->ticker.due > c->last_batch));
}

const uint32_t *shard_labels(const struct shard_taker *t, uint32_t mark, size_t *n)
{
	size_t from = mark != 0 ? t->first.at[mark - 1] : 0,
	       to = mark == 0 ? 0 : mark < t->first.n ? t->first.at[mark] : t->labels.n;

	*n = to - from;
	return t->labels.at + from;
}

/* Makes the labels of a mark those of now; *set is their number here. */
static bool enter_mark(struct shard_taker *t, uint32_t mark, uint32_t *set)
{
	size_t n;
	const uint32_t *labels = shard_labels(t, mark, &n);

	t->a->failed |= !ask_labels_now(&t->a->labels, labels, n);
	*set = t->a->labels.now;
	return !t->a->failed;
}

static bool take_entry(struct shard_taker *t, const uint64_t *w)
{
	bool asked, wrong, by_label = t->a->image != NULL, levels = t->a->flight != NULL;
	struct pairs_entry x = asked_entry(w);

	if (t->a->pairs == NULL || x.mark > t->first.n || !pairs_entry_can_be(t->a->pairs, &x) ||
	    (levels && !flight_allows(&t->flight, &x)))
		return false;
	if (t->check) {
		t->meets |= levels && pairs_entry_meets(t->a->pairs, &x);
		return flight_took(&t->flight, &x);
	}
	if (by_label && !enter_mark(t, t->unlabelled ? 0 : x.mark, &x.mark))
		return false;
	/* Events wait to be joined, but the labels of now are those of this entry alone. */
	if (!pairs_put_entry(t->a->pairs, &x, &asked, &wrong) ||
	    (by_label && !pairs_put_entries(t->a->pairs))) {
		t->a->failed |= !wrong;
		return false;
	}
	if (asked && t->a->outcomes[NFART_PAIR_UNASKED] == 0)
		return false;
	t->a->outcomes[NFART_PAIR_UNASKED] -= asked;
	t->a->failed |= levels && !flight_took(&t->flight, &x);
	t->a->flight_told = t->flight.told;
	return !t->a->failed;
}

static bool take_slow(struct shard_taker *t, const uint64_t *w)
{
	struct nfart_pair x = { .rule = w[0] & 0xffff, .outcome = NFART_PAIR_ANSWERED,
				.slot = w[0] >> 16 & 255, .answer_slot = w[0] >> 24 & 255,
				.time = w[1], .header = w[2], .answer_time = w[3],
				.answer_header = w[4] };
	struct pairs_entry request = { PAIRS_FIRST_REQUEST, x.rule, x.slot, x.time, x.header, 0 },
			   answer = { PAIRS_FIRST_ANSWER, x.rule, x.answer_slot, x.answer_time,
				      x.answer_header, 0 };

	if (t->a->latency == NULL || w[0] >> 32 != 0 || x.time >= x.answer_time ||
	    !pairs_entry_can_be(t->a->pairs, &request) ||
	    !pairs_entry_can_be(t->a->pairs, &answer))
		return false;
	if (!t->check)
		latency_keep(t->a->latency, &x);
	return true;
}

static bool take_latency(struct shard_taker *t, const uint64_t *w)
{
	struct latency_group g = { .rule = (uint32_t)w[0], .request = (uint32_t)w[1],
				   .answer = (uint32_t)(w[1] >> 32), .address = w[2],
				   .least = w[3], .most = w[4] };
	struct latency_count c = { .latency = w[5], .n = w[6] };

	if (t->a->latency == NULL || w[0] > UINT32_MAX ||
	    !latency_can_be(t->a->latency, &g, &c) ||
	    (t->a->image != NULL &&
	     g.request >= t->a->image->labels.n - t->a->image->labels.noutputs))
		return false;
	t->a->failed |= !t->check && !t->unlabelled &&
			!latency_add_count(t->a->latency, &g, &c);
	return !t->a->failed;
}

static bool take_tally(struct shard_taker *t, const uint64_t *w)
{
	struct tally_part x = { w[0] != 0, w[1], w[2] };

	if (t->a->tally == NULL || !tally_can_be(t->a->tally, &x))
		return false;
	t->a->failed |= !t->check && !tally_add_part(t->a->tally, &x);
	return !t->a->failed;
}

static bool take_batch(struct shard_taker *t, const uint64_t *w)
{
	if (!t->lines || w[1] > t->first.n || (t->any && w[0] <= t->time))
		return false;
	t->any = true;
	t->time = w[0];
	t->mark = (uint32_t)w[1];
	return true;
}

bool shard_take_record(void *ctx, enum asked_kind kind, const uint64_t *w)
{
	struct shard_taker *t = ctx;
	struct ask_rate rate;

	if (t->lines && kind != ASKED_LABEL && kind != ASKED_BATCH)
		return false;
	switch (kind) {
	case ASKED_ENTRY:
		return take_entry(t, w);
	case ASKED_SLOW:
		return take_slow(t, w);
	case ASKED_LATENCY:
		return take_latency(t, w);
	case ASKED_TALLY:
		return take_tally(t, w);
	case ASKED_LABEL:
		return take_label(t, w);
	case ASKED_STATE:
		return take_state(t, w);
	case ASKED_BATCH:
		return take_batch(t, w);
	case ASKED_LEVEL:
		return flight_take_level(&t->flight, w, &t->a->failed);
	case ASKED_STRETCH:
		return flight_take_stretch(&t->flight, w, &t->a->failed);
	default:
		break;
	}
	rate = (struct ask_rate){ w[0], w[1], w[2], w[3] };
	if (t->a->o->ask.question != ASK_RATE || rate.begin % t->a->o->ask.period != 0)
		return false;
	if (!t->check)
		ask_take_rate(t->a, &rate);
	return true;
}

/* ---- merging ---- */

struct shard_merger {
	struct ask *a;
	struct nfart_reader *r;
	FILE **file; /* [n]: by number */
	const char **name;
	uint32_t n;
	struct trace_border border;
	struct ask_slot slot; /* for parts that are read again */
	enum ask_parts parts;
};

static bool merge_open(struct shard_merger *m, struct nfart_error *e)
{
	const struct nfarun_shards *s = &m->a->o->shards;
	struct asked_key k;

	if (!shard_question_key(m->a, m->r, 0, m->n, &k, e))
		return false;
	for (uint32_t i = 0; i < m->n; i++) {
		uint64_t number;
		FILE *f;
		if (!asked_open(&f, s->files[i], &k, &number, e))
			return false;
		if (m->file[number] != NULL) {
			fclose(f);
			nfart_fail(e, NFART_INPUT, "this shard is here already");
			snprintf(e->file, sizeof e->file, "%s", s->files[i]);
			return false;
		}
		m->file[number] = f;
		m->name[number] = s->files[i];
	}
	return true;
}

/* Reads the part of shard i from the true border on, in place of its file. False: *e says why, or
 * the run was interrupted. */
static bool merge_read(struct shard_merger *m, uint32_t i, struct nfart_error *e)
{
	struct trace_border guess;
	uint64_t until;

	shard_part(m->r, i, m->n, &guess, &until);
	return ask_pieces_read(m->a, &m->slot, m->r, &m->border, until, e);
}

/* Does what a shard says of labels hold after what was merged? Sets t->unlabelled. If it does, what
 * was merged gets the state after the shard. */
static bool labels_follow(const struct shard_merger *m, const struct shard_taker *known,
			  const struct asked_end *end, struct shard_taker *t)
{
	const struct nfart_image *im = m->a->image;
	struct labelled_truth *truth = &m->a->labels.truth;
	struct piece_state before = { .second = false }, after = { .second = false };
	bool ok;

	t->unlabelled = labelled_is_over(im, truth);
	ok = t->unlabelled ||
	     (read_state(&known->state[0], &before) && read_state(&known->state[1], &after) &&
	      piece_state_same(&truth->state, &before) && labelled_fits(m->slot.labelled, &after) &&
	      time_can_be(&after.time, &end->exit.clock) &&
	      (im->stream.limit == 0 || end->output <= im->stream.limit - truth->output) &&
	      piece_state_copy(&truth->state, &after));
	piece_state_free(&before);
	piece_state_free(&after);
	return ok;
}

/* Did a shard begin as the trace goes on, where the file says what is known of it? */
static bool merge_follows(const struct shard_merger *m, const struct shard_taker *known,
			  struct asked_end *end, struct shard_taker *t)
{
	return trace_border_follows(&m->border, &end->entry, &end->exit) &&
	       (m->a->image == NULL || labels_follow(m, known, end, t));
}

/* Takes what the file of shard i has. */
static bool merge_take(struct shard_merger *m, uint32_t i, struct shard_taker *t,
		       struct asked_end *end, struct nfart_error *e)
{
	m->border = end->exit;
	m->a->labels.truth.output += t->unlabelled ? 0 : end->output;
	reader_stats_add(&m->a->trace.stats, &end->stats);
	for (int k = 0; k < ASKED_OUTCOMES; k++)
		m->a->outcomes[k] += end->outcomes[k];
	if (m->a->pairs != NULL)
		pairs_put_span(m->a->pairs, end->first, end->last);
	if (!asked_each(m->file[i], m->name[i], shard_take_record, t, end, e))
		return false;
	m->a->failed |= m->a->pairs != NULL && !pairs_put_entries(m->a->pairs);
	m->a->flight_told = false;
	if (m->a->failed || m->a->flight == NULL ||
	    flight_agrees(&t->flight, m->a->pairs))
		return true;
	nfart_fail(e, NFART_INPUT, "what is in flight can't be");
	snprintf(e->file, sizeof e->file, "%s", m->name[i]);
	return false;
}

/* Takes shard i. False: *e says why, or a->failed is set. */
static bool merge_shard(struct shard_merger *m, uint32_t i, struct nfart_error *e)
{
	uint32_t rules = m->a->p->names.npairs;
	struct shard_taker known = { .a = m->a, .check = true, .flight = { .rules = rules } },
			   t = { .a = m->a, .flight = { .f = m->a->flight, .rules = rules } };
	struct asked_end end;
	bool ok = asked_each(m->file[i], m->name[i], shard_take_record, &known, &end, e);

	if (ok && !end.empty && m->parts == ASK_PARTS_CHUNKS) {
		if (!known.meets && merge_follows(m, &known, &end, &t))
			ok = merge_take(m, i, &t, &end, e);
		else
			ok = merge_read(m, i, e);
	}
	shard_taker_free(&known);
	shard_taker_free(&t);
	return ok;
}

/* Takes all shards, and reads the trace where these don't have it. False: *e says why, or a->failed
 * is set. */
static bool merge_all(struct shard_merger *m, struct nfart_error *e)
{
	struct ask *a = m->a;
	bool ok = merge_open(m, e);

	if (ok && m->parts == ASK_PARTS_LINES) {
		a->labels.lines = ask_lines_new(a, m->r, m->file, m->name, m->n, e);
		ok = a->labels.lines != NULL;
	}
	for (uint32_t i = 0;
	     m->parts != ASK_PARTS_LINES && i < m->n && ok && !a->failed && *a->stop == 0; i++)
		ok = merge_shard(m, i, e);
	if (ok && m->parts != ASK_PARTS_CHUNKS && !a->failed)
		ok = ask_pieces_read(a, &m->slot, m->r, &m->border, UINT64_MAX, e);
	if (ok && a->labels.lines != NULL && !a->failed && *a->stop == 0 &&
	    !ask_lines_same(a->labels.lines, &a->trace.stats)) {
		nfart_fail(e, NFART_INPUT, "the trace was changed since the shard was made");
		snprintf(e->file, sizeof e->file, "%s", m->name[0]);
		ok = false;
	}
	if (ok && a->labels.error.status != NFART_OK) {
		*e = a->labels.error;
		ok = a->failed = false;
	}
	ask_lines_free(a->labels.lines);
	a->labels.lines = NULL;
	return ok;
}

int ask_shard_merge(struct ask *a, struct nfart_reader *r, struct nfart_error *e)
{
	struct shard_merger m = { .a = a, .r = r, .n = a->o->shards.nfiles,
				  .parts = ask_parts(a) };
	bool ok;

	m.file = calloc(m.n, sizeof *m.file);
	m.name = calloc(m.n, sizeof *m.name);
	ok = ask_slot_init(&m.slot, a) && m.file != NULL && m.name != NULL;
	if (!ok)
		nfart_fail(e, NFART_SYSTEM, "out of memory");
	a->trace.stats = (struct nfart_reader_stats){ .size = nfart_reader_stats(r)->size };
	reader_border(r, &m.border);
	ok = ok && merge_all(&m, e);
	if (m.slot.tally != NULL)
		a->failed |= !tally_add(a->tally, m.slot.tally);
	ask_slot_free(&m.slot);
	for (uint32_t i = 0; m.file != NULL && i < m.n; i++)
		if (m.file[i] != NULL)
			fclose(m.file[i]);
	free(m.file);
	free(m.name);
	return ok || a->failed ? 0 : -1;
}
