/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * sample.h: some of many requests, as many as a picture shows well. All are kept at first. When
 * there are too many, every second one of them is dropped, and from then on only every second one
 * that comes is kept, and so on. The result depends on the stream alone.
 */
#ifndef NFART_STATS_SAMPLE_H
#define NFART_STATS_SAMPLE_H

#include "include/nfart.h"

struct sample;

/* Makes an empty one, which keeps at most `most` requests; that is at least 2. NULL: out of memory.
 * Free with sample_free(). */
struct sample *sample_new(size_t most);
void sample_free(struct sample *s);

/* Takes the next request, whatever became of it. */
void sample_add(struct sample *s, const struct nfart_pair *pair);

/* Returns the requests that were kept, in the order in which they came, *n of them. One of `every`
 * requests was kept. */
const struct nfart_pair *sample_kept(const struct sample *s, size_t *n);
uint64_t sample_every(const struct sample *s);

#endif
