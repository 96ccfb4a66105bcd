/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "tools/nfarun/ask_lines.h"

#include <stdlib.h>
#include <string.h>

#include "contract/image/image.h"
#include "tools/nfarun/ask_merge.h"

/* A shard: `taker` has the labels of its marks, and the batch that comes next, if there is one. */
struct line_shard {
	struct asked_reader reader;
	struct shard_taker taker;
	bool over;
};

struct ask_lines {
	struct ask *a;
	struct line_shard *shard; /* [n] */
	uint32_t n;
	struct nfart_reader_stats stats; /* of the trace, as shard 0 read it */
	uint64_t *labels; /* a set of bits: of the current batch */
};

/* Goes to the next batch of a shard. False: *e says why. */
static bool shard_step(struct line_shard *s, struct nfart_error *e)
{
	struct asked_end end;
	const uint64_t *record;
	int got;

	do {
		got = asked_next(&s->reader, &record, &end, e);
		if (got > 0 && !shard_take_record(&s->taker, s->reader.kind, record))
			return asked_refuse(&s->reader, e);
	} while (got > 0 && s->reader.kind != ASKED_BATCH);
	s->over = got == 0;
	return got >= 0;
}

/* Checks all records of a shard, and goes to the first batch. False: *e says why. */
static bool shard_begin(struct line_shard *s, uint64_t chunks_crc, struct nfart_reader_stats *stats,
			struct nfart_error *e)
{
	struct shard_taker known = { .a = s->taker.a, .lines = true, .check = true };
	struct asked_end end = { .empty = true };
	bool ok = asked_each(s->reader.f, s->reader.name, shard_take_record, &known, &end, e);

	shard_taker_free(&known);
	*stats = end.stats;
	if (ok && (end.empty || end.chunks_crc != chunks_crc)) {
		nfart_fail(e, NFART_INPUT, "the trace was changed since the shard was made");
		snprintf(e->file, sizeof e->file, "%s", s->reader.name);
		ok = false;
	}
	return ok && asked_rewind(&s->reader, e) && shard_step(s, e);
}

struct ask_lines *ask_lines_new(struct ask *a, const struct nfart_reader *r, FILE *const *file,
				const char *const *name, uint32_t n, struct nfart_error *e)
{
	struct ask_lines *x = calloc(1, sizeof *x);
	struct nfart_reader_stats other;
	uint64_t crc;
	bool ok = x != NULL;

	if (ok) {
		x->a = a;
		x->n = n;
		x->shard = calloc(n, sizeof *x->shard);
		x->labels = calloc(bits_words(a->image->labels.n) + 1, sizeof *x->labels);
		ok = x->shard != NULL && x->labels != NULL;
	}
	if (!ok)
		nfart_fail(e, NFART_SYSTEM, "out of memory");
	else if (!(ok = shard_chunks_crc(r, 0, UINT64_MAX, &crc)))
		nfart_fail(e, NFART_SYSTEM, "the trace can't be read");
	for (uint32_t i = 0; i < n && ok; i++) {
		struct line_shard *s = &x->shard[i];
		s->reader = (struct asked_reader){ .f = file[i], .name = name[i] };
		s->taker = (struct shard_taker){ .a = a, .lines = true };
		ok = shard_begin(s, crc, i == 0 ? &x->stats : &other, e);
	}
	if (ok)
		return x;
	ask_lines_free(x);
	return NULL;
}

void ask_lines_free(struct ask_lines *x)
{
	if (x == NULL)
		return;
	for (uint32_t i = 0; x->shard != NULL && i < x->n; i++) {
		shard_taker_free(&x->shard[i].taker);
		vec_free(&x->shard[i].reader.words);
	}
	free(x->shard);
	free(x->labels);
	free(x);
}

bool ask_lines_same(const struct ask_lines *x, const struct nfart_reader_stats *s)
{
	const struct nfart_reader_stats *t = &x->stats;

	return s->batches == t->batches && s->messages == t->messages && s->losses == t->losses &&
	       s->lost == t->lost && s->bad_chunks == t->bad_chunks;
}

int ask_lines_next(struct ask_lines *x, uint64_t last, uint64_t *time, const uint64_t **labels,
		   struct nfart_error *e)
{
	struct labelled_truth *truth = &x->a->labels.truth;
	bool any = false;

	for (uint32_t i = 0; i < x->n; i++) {
		const struct line_shard *s = &x->shard[i];
		if (!s->over && s->taker.time <= last && (!any || s->taker.time < *time)) {
			*time = s->taker.time;
			any = true;
		}
	}
	if (!any || labelled_is_over(x->a->image, truth))
		return 0;
	memset(x->labels, 0, bits_words(x->a->image->labels.n) * sizeof *x->labels);
	for (uint32_t i = 0; i < x->n; i++) {
		struct line_shard *s = &x->shard[i];
		size_t n;
		const uint32_t *l;
		if (s->over || s->taker.time != *time)
			continue;
		l = shard_labels(&s->taker, s->taker.mark, &n);
		for (size_t k = 0; k < n; k++)
			bits_set(x->labels, l[k]);
		if (!shard_step(s, e))
			return -1;
	}
	truth->output++;
	*labels = x->labels;
	return 1;
}
