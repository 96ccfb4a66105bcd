/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "runtime/ask/labelled.h"

#include <stdlib.h>

#include "contract/image/image.h"
#include "runtime/run/piece_runner.h"
#include "runtime/trace/border.h"
#include "runtime/trace/reader.h"

/* The caller bounds the bytes of a piece. */
#define UNBOUNDED ((size_t)1 << 40)

struct labelled {
	struct piece piece;
	struct piece_runner runner;
	struct nfart_filter *decoder;
	struct piece_found repaired; /* what is right before a mark */
	/* What labelled_next() tells: first `repaired`, then the piece's own from `from` on. */
	size_t from, at;
};

bool labelled_can_be(const struct nfart_image *im)
{
	return !im->substreams.by_line && im->alphabet.time == IMAGE_NO_TIME &&
	       im->stream.limit == 0;
}

struct labelled *labelled_new(const struct nfart_image *im, struct nfart_error *e)
{
	struct labelled *x = calloc(1, sizeof *x);

	if (x == NULL || !piece_init(&x->piece, 1, UNBOUNDED) ||
	    !decoded_init(&x->piece.records.decoded, 0, 0, 0)) {
		nfart_fail(e, NFART_SYSTEM, "out of memory");
		labelled_free(x);
		return NULL;
	}
	x->runner = (struct piece_runner){ .image = { im }, .shares = 1, .decoded = true };
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
	return x->piece.status != NFART_SYSTEM && runner_run(&x->runner, &x->piece);
}

bool labelled_settle(struct labelled *x, struct piece_state *truth)
{
	struct piece *p = &x->piece;
	uint32_t mark;

	x->at = x->from = 0;
	x->repaired.words.n = 0;
	if (!piece_state_same(&p->guess, truth)) {
		if (!runner_repair(&x->runner, p, truth, &x->repaired, &mark))
			return false;
		x->from = mark < p->nmarks ? p->marks[mark].found : p->found[0].words.n;
	}
	return piece_state_copy(truth, &p->last) && piece_state_copy(&p->guess, truth);
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
