/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "runtime/stats/compare.h"

#include <stdlib.h>

#include "support/vec.h"

struct series {
	double sum[BLOCKS_MOST];
};

struct blocks {
	VEC(struct series) series;
	uint64_t length; /* records of a block */
	uint64_t filled; /* records of the current block */
	size_t at;       /* index of the current block */
};

/* ---- blocks ---- */

struct blocks *blocks_new(void)
{
	struct blocks *b = calloc(1, sizeof *b);

	if (b != NULL)
		b->length = 1;
	return b;
}

void blocks_free(struct blocks *b)
{
	if (b == NULL)
		return;
	vec_free(&b->series);
	free(b);
}

long blocks_series(struct blocks *b)
{
	if (!vec_push(&b->series, ((struct series){ { 0 } })))
		return -1;
	return (long)b->series.n - 1;
}

void blocks_add(struct blocks *b, long series, double x)
{
	b->series.at[series].sum[b->at] += x;
}

/* Joins each two neighbours. The first half of the places has the result, the others are empty. */
static void join_neighbours(struct blocks *b)
{
	for (size_t s = 0; s < b->series.n; s++) {
		double *sum = b->series.at[s].sum;
		for (size_t i = 0; i < BLOCKS_LEAST_FULL; i++)
			sum[i] = sum[2 * i] + sum[2 * i + 1];
		for (size_t i = BLOCKS_LEAST_FULL; i < BLOCKS_MOST; i++)
			sum[i] = 0;
	}
	b->at = BLOCKS_LEAST_FULL;
	b->length *= 2;
}

void blocks_next(struct blocks *b)
{
	if (++b->filled < b->length)
		return;
	b->filled = 0;
	if (++b->at == BLOCKS_MOST)
		join_neighbours(b);
}

size_t blocks_count(const struct blocks *b)
{
	return b->at + (b->filled != 0);
}

/* How many places may have sums: what comes after the last record, such as a request that is found
 * to be open, is in the current block, too. */
static size_t places(const struct blocks *b)
{
	return b->at + 1;
}

double blocks_sum(const struct blocks *b, long series)
{
	double sum = 0;

	for (size_t i = 0; i < places(b); i++)
		sum += b->series.at[series].sum[i];
	return sum;
}

struct blocks_place blocks_place(const struct blocks *b)
{
	return (struct blocks_place){ b->length, b->filled, b->at };
}

bool blocks_enter(struct blocks *b, const struct blocks_place *p)
{
	if (p->length == 0 || (p->length & (p->length - 1)) != 0 || p->filled >= p->length ||
	    p->at >= BLOCKS_MOST || (p->length > 1 && p->at < BLOCKS_LEAST_FULL))
		return false;
	b->length = p->length;
	b->filled = p->filled;
	b->at = (size_t)p->at;
	return true;
}

double blocks_get(const struct blocks *b, long series, size_t i)
{
	return b->series.at[series].sum[i];
}

void blocks_set(struct blocks *b, long series, size_t i, double sum)
{
	b->series.at[series].sum[i] = sum;
}

/* ---- the bootstrap ---- */

/* A stream while it is compared: the blocks in which the divisor is not 0. */
struct stream {
	double top[BLOCKS_MOST], bottom[BLOCKS_MOST];
	size_t n;
	double quotient;
};

static void stream_fill(struct stream *s, const struct quotient *q)
{
	const struct blocks *b = q->blocks;
	double sum_top = 0, sum_bottom = 0;

	s->n = 0;
	for (size_t i = 0; i < places(b); i++) {
		if (b->series.at[q->bottom].sum[i] <= 0)
			continue;
		s->top[s->n] = b->series.at[q->top].sum[i];
		s->bottom[s->n] = b->series.at[q->bottom].sum[i];
		sum_top += s->top[s->n];
		sum_bottom += s->bottom[s->n++];
	}
	s->quotient = sum_bottom > 0 ? sum_top / sum_bottom : 0;
}

/* Returns a random number below n. xorshift64*, Vigna 2016; the bias is below 2^-32 * n. */
static size_t compare_draw(uint64_t *state, size_t n)
{
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return (size_t)(((*state * 0x2545f4914f6cdd1du >> 32) * n) >> 32);
}

/* Returns the quotient of as many blocks as the stream has, drawn with repetition. */
static double resample(const struct stream *s, uint64_t *state)
{
	double top = 0, bottom = 0;

	for (size_t i = 0; i < s->n; i++) {
		size_t k = compare_draw(state, s->n);
		top += s->top[k];
		bottom += s->bottom[k];
	}
	return top / bottom;
}

static int compare_rising(const void *x, const void *y)
{
	double a = *(const double *)x, b = *(const double *)y;

	return (a > b) - (a < b);
}

bool compare(struct comparison *c, const struct quotient *first, const struct quotient *second,
	     uint64_t seed)
{
	/* How many of the sorted differences are outside of the interval at each end. */
	size_t outside = (COMPARE_RESAMPLES + 1) * (100 - COMPARE_CONFIDENCE) / 200;
	uint64_t state = seed * 0x9e3779b97f4a7c15u | 1;
	struct stream *s = calloc(2, sizeof *s);
	double *d = calloc(COMPARE_RESAMPLES, sizeof *d);

	if (s != NULL && d != NULL) {
		stream_fill(&s[0], first);
		stream_fill(&s[1], second);
		*c = (struct comparison){ .first = s[0].quotient, .second = s[1].quotient,
					  .difference = s[1].quotient - s[0].quotient,
					  .has_first = s[0].n != 0, .has_second = s[1].n != 0 };
		c->known = s[0].n >= COMPARE_LEAST_BLOCKS && s[1].n >= COMPARE_LEAST_BLOCKS;
	}
	if (s != NULL && d != NULL && c->known) {
		for (size_t i = 0; i < COMPARE_RESAMPLES; i++) {
			double a = resample(&s[0], &state);
			d[i] = resample(&s[1], &state) - a;
		}
		qsort(d, COMPARE_RESAMPLES, sizeof *d, compare_rising);
		c->low = d[outside - 1];
		c->high = d[COMPARE_RESAMPLES - outside];
		c->beyond = c->low > 0 || c->high < 0;
	}
	free(s);
	free(d);
	return s != NULL && d != NULL;
}
