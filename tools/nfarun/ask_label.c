/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "tools/nfarun/ask_label.h"

#include <string.h>

#include "contract/image/image.h"
#include "runtime/ask/labelled.h"
#include "tools/nfarun/ask_lines.h"

bool ask_labels_begin(struct ask_labels *l, const struct nfart_image *im, struct nfart_error *e)
{
	const struct nfart_filter_options options = { .matches = true };

	*l = (struct ask_labels){ .filter = nfart_filter_new(im, &options, e),
				  .nlabels = im->labels.n - im->labels.noutputs };
	if (l->filter == NULL)
		return false;
	if (vec_reserve(&l->all, 1) && vec_push(&l->sets, ((struct label_set){ 0, 0 })))
		return true;
	nfart_fail(e, NFART_SYSTEM, "out of memory");
	return false;
}

void ask_labels_free(struct ask_labels *l)
{
	nfart_filter_free(l->filter);
	vec_free(&l->all);
	vec_free(&l->sets);
	vec_free(&l->pair);
	vec_free(&l->batches);
	labelled_truth_free(&l->truth);
	l->filter = NULL;
}

static bool is_set(const struct ask_labels *l, const struct label_set *s, const uint32_t *labels,
		   size_t n)
{
	return s->n == n &&
	       (n == 0 || memcmp(l->all.at + s->first, labels, n * sizeof *labels) == 0);
}

/* Sets `now` to the number of the set of these labels, which rise. Makes the set if it is new. */
static bool find_set(struct ask_labels *l, const uint32_t *labels, size_t n)
{
	struct label_set new = { (uint32_t)l->all.n, (uint32_t)n };

	if (is_set(l, &l->sets.at[l->now], labels, n))
		return true;
	for (size_t i = 0; i < l->sets.n; i++) {
		l->now = (uint32_t)i;
		if (is_set(l, &l->sets.at[i], labels, n))
			return true;
	}
	for (size_t i = 0; i < n; i++)
		if (!vec_push(&l->all, labels[i]))
			return false;
	l->now = (uint32_t)l->sets.n;
	return vec_push(&l->sets, new);
}

bool ask_labels_put(struct ask_labels *l, const struct nfart_batch *b)
{
	const struct nfart_match *m;
	size_t n;

	if (!nfart_filter_put(l->filter, b))
		return false;
	m = nfart_filter_matches(l->filter, &n);
	l->pair.n = 0;
	for (size_t i = 0; i < n; i++) /* ticks before the batch have matches of their own */
		if (m[i].time == b->time && !vec_push(&l->pair, m[i].label))
			return false;
	return find_set(l, l->pair.at, l->pair.n);
}

/* Returns what labelled_next() does, of labels that are found here or were found by shards. */
static int next_batch(struct ask_labels *l, struct labelled *x, const uint64_t *last,
		      uint64_t *time, const uint64_t **labels)
{
	if (l->lines == NULL)
		return labelled_next(x, &l->truth, time, labels);
	return last != NULL ? ask_lines_next(l->lines, *last, time, labels, &l->error) : 0;
}

bool ask_labels_piece(struct ask_labels *l, struct labelled *x, const uint64_t *last)
{
	const uint64_t *labels;
	uint64_t time;
	int got;

	l->pieces = true;
	l->requests = l->answers = l->batches.n = 0;
	if (l->lines == NULL && !labelled_settle(x, &l->truth))
		return false;
	while ((got = next_batch(l, x, last, &time, &labels)) > 0) {
		l->pair.n = 0;
		for (uint32_t i = 0; i < l->nlabels; i++)
			if (bits_get(labels, i) && !vec_push(&l->pair, i))
				return false;
		if (!find_set(l, l->pair.at, l->pair.n) ||
		    !vec_push(&l->batches, ((struct labelled_batch){ time, l->now })))
			return false;
	}
	return got == 0;
}

bool ask_labels_now(struct ask_labels *l, const uint32_t *labels, size_t n)
{
	l->pieces = false;
	return find_set(l, labels, n);
}

/* Returns the number of the set of the batch at a time. *at is how many batches are before it. */
static uint32_t set_at(const struct ask_labels *l, size_t *at, uint64_t time)
{
	while (*at < l->batches.n && l->batches.at[*at].time < time)
		++*at;
	return *at < l->batches.n && l->batches.at[*at].time == time ? l->batches.at[*at].set : 0;
}

uint32_t ask_labels_mark(struct ask_labels *l, uint64_t time)
{
	return l->pieces ? set_at(l, &l->requests, time) : l->now;
}

void ask_labels_answer(struct ask_labels *l, uint64_t time)
{
	if (l->pieces)
		l->now = set_at(l, &l->answers, time);
}

const uint32_t *ask_labels_of(struct ask_labels *l, uint32_t mark, size_t *n)
{
	const struct label_set *a = &l->sets.at[mark], *b = &l->sets.at[l->now];
	const uint32_t *x = l->all.at + a->first, *y = l->all.at + b->first;
	size_t i = 0, k = 0;

	l->pair.n = 0;
	if (!vec_reserve(&l->pair, (size_t)a->n + b->n + 1))
		return NULL;
	while (i < a->n || k < b->n) {
		uint32_t label = k == b->n || (i < a->n && x[i] < y[k]) ? x[i] : y[k];
		i += i < a->n && x[i] == label;
		k += k < b->n && y[k] == label;
		l->pair.at[l->pair.n++] = label;
	}
	*n = l->pair.n;
	return l->pair.at;
}
