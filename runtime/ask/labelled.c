/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "runtime/ask/labelled.h"

#include <stdlib.h>
#include <string.h>

#include "contract/image/image.h"
#include "runtime/trace/border.h"
#include "runtime/trace/reader.h"

/* The caller bounds the bytes of a piece. */
#define UNBOUNDED ((size_t)1 << 40)

struct labelled {
	struct piece piece;
	struct piece_runner runner;
	struct nfart_filter *decoder;
	enum labelled_way way;
	/* what is right before a mark; or all, if the filter goes batch after batch */
	struct piece_found repaired;
	/* What labelled_next() tells: first `repaired`, then the piece's own from `from` on. */
	size_t from, at;
};

enum labelled_way labelled_way(const struct nfart_image *im)
{
	if (im->alphabet.time != IMAGE_NO_TIME || im->stream.limit != 0)
		return LABELLED_BATCHES;
	return im->substreams.by_line ? LABELLED_FOLLOWED : LABELLED_GUESSED;
}

void labelled_truth_free(struct labelled_truth *t)
{
	engine_state_free(&t->state.engine);
	runner_close(&t->runner);
	nfart_filter_free(t->filter);
}

struct labelled *labelled_new(const struct nfart_image *im, struct nfart_error *e)
{
	struct labelled *x = calloc(1, sizeof *x);
	enum labelled_way way = labelled_way(im);
	uint32_t shares = way == LABELLED_FOLLOWED;

	if (x == NULL || !piece_init(&x->piece, 1, UNBOUNDED) ||
	    !decoded_init(&x->piece.records.decoded, shares, 0, shares)) {
		nfart_fail(e, NFART_SYSTEM, "out of memory");
		labelled_free(x);
		return NULL;
	}
	x->way = way;
	x->runner = (struct piece_runner){ .image = { im }, .shares = 1,
					   .decoded = way != LABELLED_BATCHES };
	if (runner_open(&x->runner, e) && runner_decoder(&x->runner, &x->decoder, e))
		return x;
	labelled_free(x);
	return NULL;
}

void labelled_free(struct labelled *x)
{
	if (x == NULL)
		return;
	runner_close(&x->runner);
	nfart_filter_free(x->decoder);
	piece_free(&x->piece);
	vec_free(&x->repaired.words);
	free(x);
}

bool labelled_fill(struct labelled *x, struct nfart_reader *r)
{
	struct piece_source *s = &x->piece.source;

	reader_border(r, &s->entry);
	s->until = r->in.buffer.until != 0 ? r->in.buffer.until : UINT64_MAX;
	piece_fill(&x->piece, r, x->decoder);
	reader_enter(r, &s->entry, s->until);
	return x->piece.status != NFART_SYSTEM &&
	       (x->way != LABELLED_GUESSED || runner_run(&x->runner, &x->piece));
}

/* Makes the runner or the filter that goes over the pieces in their order. False: memory is
 * short. */
static bool truth_begin(const struct labelled *x, struct labelled_truth *t)
{
	const struct nfart_filter_options o = { .matches = true };
	struct nfart_error e;

	if (t->begun)
		return true;
	t->begun = true;
	t->runner = (struct piece_runner){ .image = { x->runner.image[0] }, .shares = 1,
					   .decoded = true };
	if (x->way == LABELLED_FOLLOWED)
		return runner_open(&t->runner, &e);
	t->filter = nfart_filter_new(x->runner.image[0], &o, &e);
	return t->filter != NULL;
}

/* Appends an entry of the record at `word` with the labels that came out with it, if any. False:
 * memory is short. */
static bool note_matches(struct labelled *x, struct nfart_filter *f, size_t word, uint64_t time)
{
	size_t lw = bits_words(x->runner.image[0]->labels.n), n;
	const struct nfart_match *m = nfart_filter_matches(f, &n);
	uint64_t *w;

	if (!vec_reserve(&x->repaired.words, PIECE_ENTRY + lw))
		return false;
	w = x->repaired.words.at + x->repaired.words.n;
	memset(w, 0, (PIECE_ENTRY + lw) * sizeof *w);
	w[ENTRY_REF] = word;
	for (size_t i = 0; i < n; i++) /* ticks before the batch have matches of their own */
		if (m[i].time == time) {
			w[ENTRY_WHAT] = ENTRY_ACCEPTED;
			bits_set(w + PIECE_ENTRY, m[i].label);
		}
	x->repaired.words.n += w[ENTRY_WHAT] != 0 ? PIECE_ENTRY + lw : 0;
	return true;
}

/* Runs the filter over the batches of the piece. False: memory is short. */
static bool run_batches(struct labelled *x, struct nfart_filter *f)
{
	const struct piece_records *r = &x->piece.records;
	struct nfart_batch b;

	for (size_t word = 0, next; word < r->words.n; word = next) {
		next = piece_word_record(r, word, &b);
		if (!nfart_filter_put(f, &b) || !note_matches(x, f, word, b.time))
			return false;
	}
	return true;
}

bool labelled_settle(struct labelled *x, struct labelled_truth *truth)
{
	struct piece *p = &x->piece;
	uint32_t mark;

	x->at = x->from = 0;
	x->repaired.words.n = 0;
	if (x->way != LABELLED_GUESSED)
		return truth_begin(x, truth) && (x->way == LABELLED_FOLLOWED
							 ? runner_run_share(&truth->runner, p)
							 : run_batches(x, truth->filter));
	if (!piece_state_same(&p->guess, &truth->state)) {
		if (!runner_repair(&x->runner, p, &truth->state, &x->repaired, &mark))
			return false;
		x->from = mark < p->nmarks ? p->marks[mark].found : p->found[0].words.n;
	}
	return piece_state_copy(&truth->state, &p->last) &&
	       piece_state_copy(&p->guess, &truth->state);
}

bool labelled_fits(const struct labelled *x, const struct piece_state *state)
{
	return runner_fits(&x->runner, state);
}

bool labelled_next(struct labelled *x, uint64_t *time, const uint64_t **labels)
{
	size_t lw = bits_words(x->runner.image[0]->labels.n);
	const struct piece_found *own = &x->piece.found[0];

	for (;;) {
		bool first = x->at < x->repaired.words.n;
		size_t at = first ? x->at : x->from + x->at - x->repaired.words.n;
		const uint64_t *w = (first ? x->repaired.words.at : own->words.at) + at;
		struct nfart_batch b;
		if (!first && at >= own->words.n)
			return false;
		x->at += PIECE_ENTRY + lw + 2 * (w[ENTRY_WHAT] >> 8);
		if ((w[ENTRY_WHAT] & ENTRY_ACCEPTED) == 0)
			continue;
		piece_record(&x->piece, (struct piece_ref){ w[ENTRY_REF] }, &b);
		*time = b.time;
		*labels = w + PIECE_ENTRY;
		return true;
	}
}
