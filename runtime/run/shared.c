/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "runtime/run/shared.h"

#include <stdlib.h>

#include "contract/image/kept.h"
#include "runtime/engine/copies.h"
#include "support/bits.h"

struct shared {
	const struct nfart_image *image;
	struct copies map;
	uint64_t *checkers; /* [codes]: bit i % 64 is set if checker i sees messages of the code */
	uint64_t batches;
};

bool shared_matters(const struct nfart_image *im)
{
	for (uint32_t i = 0; i < im->kept.n; i++)
		for (uint32_t j = 0; j < im->kept.at[i].checkers.n; j++)
			if ((im->kept.at[i].checkers.at[j].how & KEPT_ONLY) == 0)
				return true;
	return false;
}

/* Adds the messages that a checker sees, as number `bit`. */
static void shared_add(struct shared *s, const struct kept *k, const struct kept_checker *c,
		       uint32_t bit)
{
	for (uint32_t i = 0; i < k->events.n; i++)
		for (uint32_t j = 0; j < k->events.at[i].messages.n; j++)
			if ((c->seen >> i & 1) != 0)
				s->checkers[k->events.at[i].messages.at[j].code] |=
					(uint64_t)1 << bit;
}

static void shared_fill(struct shared *s, const struct nfart_image *im)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < im->kept.n; i++)
		for (uint32_t j = 0; j < im->kept.at[i].checkers.n; j++, n++)
			if ((im->kept.at[i].checkers.at[j].how & KEPT_ONLY) == 0)
				shared_add(s, &im->kept.at[i], &im->kept.at[i].checkers.at[j],
					   n % 64);
}

struct shared *shared_new(const struct nfart_image *im, const struct nfart_engine_options *o,
			  struct nfart_error *e)
{
	struct shared *s = calloc(1, sizeof *s);

	if (s != NULL) {
		s->image = im;
		s->checkers = calloc(im->proto->codes.n, sizeof *s->checkers);
	}
	if (s == NULL || s->checkers == NULL) {
		nfart_fail(e, NFART_SYSTEM, "out of memory");
	} else if (copies_init(&s->map, im, o, e)) {
		shared_fill(s, im);
		return s;
	}
	shared_free(s);
	return NULL;
}

void shared_free(struct shared *s)
{
	if (s != NULL)
		free(s->checkers);
	free(s);
}

void shared_put(struct shared *s, const struct nfart_batch *b)
{
	uint64_t line[NFART_SLOTS], sees[NFART_SLOTS];
	const struct nfart_proto *p = s->image->proto;
	size_t n = 0;

	for (size_t slot = bits_next(&b->mask, p->nslots, 0); slot < p->nslots;
	     slot = bits_next(&b->mask, p->nslots, slot + 1)) {
		uint32_t code = proto_code(p, (uint32_t)slot, b->header[slot]);

		sees[n] = s->checkers[code];
		line[n] = 0;
		if (sees[n] == 0 || (s->map.any && !copies_of_message(&s->map, code,
								      b->header[slot], &line[n])))
			continue;
		for (size_t i = 0; i < n; i++)
			if (line[i] == line[n] && (sees[i] & sees[n]) != 0) {
				s->batches++;
				return;
			}
		n++;
	}
}

uint64_t shared_batches(const struct shared *s)
{
	return s->batches;
}
