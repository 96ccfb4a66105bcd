/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "runtime/stats/sample.h"

#include <stdlib.h>

struct sample {
	size_t most, n;
	uint64_t every;           /* one of so many requests is kept */
	uint64_t skip;            /* how many requests are left out before the next one is kept */
	struct nfart_pair kept[]; /* [n] of `most` */
};

struct sample *sample_new(size_t most)
{
	struct sample *s = calloc(1, sizeof *s + most * sizeof s->kept[0]);

	if (s == NULL)
		return NULL;
	s->most = most;
	s->every = 1;
	return s;
}

void sample_free(struct sample *s)
{
	free(s);
}

/* Drops every second request that was kept. The kept ones have the numbers 0, e, 2e, … in the
 * stream, where e is `every`, and the next request would have been kept, too. Afterwards the next
 * one is kept only if its number is a multiple of 2e. */
static void thin(struct sample *s)
{
	size_t n = 0;

	for (size_t i = 0; i < s->n; i += 2)
		s->kept[n++] = s->kept[i];
	s->skip = s->n % 2 == 0 ? 0 : s->every;
	s->n = n;
	s->every *= 2;
}

void sample_add(struct sample *s, const struct nfart_pair *pair)
{
	if (s->skip == 0 && s->n == s->most)
		thin(s);
	if (s->skip != 0) {
		s->skip--;
		return;
	}
	s->kept[s->n++] = *pair;
	s->skip = s->every - 1;
}

const struct nfart_pair *sample_kept(const struct sample *s, size_t *n)
{
	*n = s->n;
	return s->kept;
}

uint64_t sample_every(const struct sample *s)
{
	return s->every;
}
