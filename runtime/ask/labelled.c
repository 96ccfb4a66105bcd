/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "runtime/ask/labelled.h"

#include <stdlib.h>
#include <string.h>

#include "contract/image/image.h"
#include "runtime/trace/batch.h"
#include "runtime/trace/border.h"
#include "runtime/trace/reader.h"

/* The caller bounds the bytes of a piece. */
#define UNBOUNDED ((size_t)1 << 40)

struct labelled {
	struct piece piece;
	struct piece_runner runner;
	struct nfart_filter *decoder;
	enum labelled_way way;
	struct piece_found repaired; /* what is right before a mark */
	/* What labelled_next() tells: first `repaired`, then the piece's own from `from` on. */
	size_t from, at;
	bool over; /* the limit was reached: what is in pieces does not matter */
};

enum labelled_way labelled_way(const struct nfart_image *im)
{
	return im->substreams.by_line || im->stream.follow ? LABELLED_FOLLOWED : LABELLED_GUESSED;
}

bool labelled_is_over(const struct nfart_image *im, const struct labelled_truth *truth)
{
	return im->stream.limit != 0 && !truth->unlimited && truth->output >= im->stream.limit;
}

void labelled_truth_free(struct labelled_truth *t)
{
	piece_state_free(&t->state);
	runner_close(&t->runner);
	nfart_window_free(t->window);
}

/* Returns what runs over a share of pieces. */
static struct piece_runner runner_of(const struct nfart_image *im, uint32_t share, uint32_t shares)
{
	bool limit = im->stream.limit != 0;

	return (struct piece_runner){ .image = { im }, .share = share, .shares = shares,
				      .decoded = true,
				      .keep_logged = limit && image_has_window(im),
				      .keep_ticks = limit,
				      .most_ticks = im->stream.limit };
}

struct labelled *labelled_new(const struct nfart_image *im, uint32_t share, uint32_t shares,
			      struct nfart_error *e)
{
	struct labelled *x = calloc(1, sizeof *x);
	/* Ticks are for all lines, so that visits can't be sorted without them. */
	bool sorted = im->substreams.by_line && im->alphabet.time == IMAGE_NO_TIME;

	if (x == NULL || !piece_init(&x->piece, shares, UNBOUNDED) ||
	    !decoded_init(&x->piece.records.decoded, sorted ? shares : 0, share, sorted)) {
		nfart_fail(e, NFART_SYSTEM, "out of memory");
		labelled_free(x);
		return NULL;
	}
	x->way = labelled_way(im);
	x->runner = runner_of(im, share, shares);
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

bool labelled_fill(struct labelled *x, struct nfart_reader *r, struct nfart_error *e)
{
	struct piece_source *s = &x->piece.source;

	e->status = NFART_OK;
	if (x->over)
		return true;
	reader_border(r, &s->entry);
	s->until = r->in.buffer.until != 0 ? r->in.buffer.until : UINT64_MAX;
	piece_fill(&x->piece, r, x->decoder);
	if (x->piece.status != NFART_OK)
		*e = x->piece.error;
	return x->piece.status != NFART_SYSTEM &&
	       (x->way != LABELLED_GUESSED || runner_run(&x->runner, &x->piece));
}

void labelled_rewind(const struct labelled *x, struct nfart_reader *r)
{
	if (!x->over)
		reader_enter(r, &x->piece.source.entry, x->piece.source.until);
}

/* Counts what comes out. */
static bool count_output(void *ctx, const struct nfart_batch *b, const struct nfart_result *r)
{
	struct labelled_truth *t = ctx;

	(void)r;
	t->output += !batch_is_loss(b);
	return true;
}

/* Makes what goes over the pieces in their order. False: memory is short. */
static bool truth_begin(const struct labelled *x, struct labelled_truth *t)
{
	const struct nfart_image *im = x->runner.image[0];
	struct nfart_error e;

	if (t->begun)
		return true;
	t->begun = true;
	if (im->stream.limit != 0) {
		t->window = nfart_window_new_sides(im->window.before, im->window.after, 0,
						   count_output, t);
		if (t->window == NULL)
			return false;
	}
	t->runner = runner_of(im, x->runner.share, x->runner.shares);
	return labelled_way(im) != LABELLED_FOLLOWED || runner_open(&t->runner, &e);
}

bool labelled_settle(struct labelled *x, struct labelled_truth *truth)
{
	const struct nfart_image *im = x->runner.image[0];
	struct piece *p = &x->piece;
	uint32_t mark;

	x->at = x->from = 0;
	x->repaired.words.n = 0;
	x->over = labelled_is_over(im, truth);
	if (x->over) {
		x->from = p->found[x->runner.share].words.n;
		return true;
	}
	if (!truth_begin(x, truth))
		return false;
	if (x->way == LABELLED_FOLLOWED)
		return runner_run_share(&truth->runner, p);
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

/* Counts what comes out with the entry at w, up to the limit. False: memory is short. */
static bool count_entry(const struct labelled *x, struct labelled_truth *t, const uint64_t *w)
{
	const struct nfart_result r = { .accepted = (w[ENTRY_WHAT] & ENTRY_ACCEPTED) != 0,
					.logged = (w[ENTRY_WHAT] & ENTRY_LOGGED) != 0 };
	struct nfart_batch b = { .when = NFART_TICK };

	/* A window that keeps no batches does not look at them. */
	if (image_has_window(x->runner.image[0]) && (w[ENTRY_WHAT] & ENTRY_TIME) == 0)
		piece_record(&x->piece, (struct piece_ref){ w[ENTRY_REF] }, &b);
	return nfart_window_put(t->window, &b, &r);
}

int labelled_next(struct labelled *x, struct labelled_truth *truth, uint64_t *time,
		  const uint64_t **labels)
{
	const struct nfart_image *im = x->runner.image[0];
	size_t lw = bits_words(im->labels.n);
	const struct piece_found *own = &x->piece.found[x->runner.share];

	for (;;) {
		bool first = x->at < x->repaired.words.n;
		size_t at = first ? x->at : x->from + x->at - x->repaired.words.n;
		const uint64_t *w = (first ? x->repaired.words.at : own->words.at) + at;
		struct nfart_batch b;
		if ((!first && at >= own->words.n) || labelled_is_over(im, truth))
			return 0;
		x->at += PIECE_ENTRY + lw + 2 * (w[ENTRY_WHAT] >> 8);
		if (truth->window != NULL && !count_entry(x, truth, w))
			return -1;
		if ((w[ENTRY_WHAT] & (ENTRY_ACCEPTED | ENTRY_TICK)) != ENTRY_ACCEPTED)
			continue;
		piece_record(&x->piece, (struct piece_ref){ w[ENTRY_REF] }, &b);
		*time = b.time;
		*labels = w + PIECE_ENTRY;
		return 1;
	}
}
