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
	/* By code the messages that checkers see; bit i % 64 is set if checker i does. */
	struct shared_messages {
		const struct kept *kept;
		const struct kept_messages *messages;
		uint64_t checkers;
		uint32_t next;   /* of the same code; KEPT_NONE: the last */
	} *seen;
	uint32_t n, *first;      /* first: [codes] */
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

/* Returns the checkers in which order matters and which see an event. */
static uint64_t shared_checkers(const struct kept *k, uint32_t event, uint32_t bit)
{
	uint64_t checkers = 0;

	for (uint32_t j = 0; j < k->checkers.n; j++)
		if ((k->checkers.at[j].how & KEPT_ONLY) == 0 &&
		    (k->checkers.at[j].seen >> event & 1) != 0)
			checkers |= (uint64_t)1 << (bit + j) % 64;
	return checkers;
}

static void shared_fill(struct shared *s, const struct nfart_image *im)
{
	uint32_t bit = 0;

	for (uint32_t code = 0; code < im->proto->codes.n; code++)
		s->first[code] = KEPT_NONE;
	for (uint32_t i = 0; i < im->kept.n; i++) {
		const struct kept *k = &im->kept.at[i];

		for (uint32_t e = 0; e < k->events.n; e++)
			for (uint32_t j = 0; j < k->events.at[e].messages.n; j++) {
				const struct kept_messages *m = &k->events.at[e].messages.at[j];

				s->seen[s->n] = (struct shared_messages){
					k, m, shared_checkers(k, e, bit), s->first[m->code]
				};
				s->first[m->code] = s->n++;
			}
		bit += k->checkers.n;
	}
}

/* Returns how many messages the events of an image have. */
static size_t shared_count(const struct nfart_image *im)
{
	size_t n = 0;

	for (uint32_t i = 0; i < im->kept.n; i++)
		for (uint32_t e = 0; e < im->kept.at[i].events.n; e++)
			n += im->kept.at[i].events.at[e].messages.n;
	return n;
}

/* Returns the checkers that see a message. */
static uint64_t shared_sees(const struct shared *s, uint32_t code, uint64_t header)
{
	uint64_t checkers = 0;

	for (uint32_t i = s->first[code]; i != KEPT_NONE; i = s->seen[i].next)
		if ((s->seen[i].checkers & ~checkers) != 0 &&
		    kept_passes(s->seen[i].kept, s->seen[i].messages, header))
			checkers |= s->seen[i].checkers;
	return checkers;
}

struct shared *shared_new(const struct nfart_image *im, const struct nfart_engine_options *o,
			  struct nfart_error *e)
{
	struct shared *s = calloc(1, sizeof *s);

	if (s != NULL) {
		s->image = im;
		s->first = calloc(im->proto->codes.n, sizeof *s->first);
		s->seen = calloc(shared_count(im) + 1, sizeof *s->seen);
	}
	if (s == NULL || s->first == NULL || s->seen == NULL) {
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
	if (s == NULL)
		return;
	free(s->first);
	free(s->seen);
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

		sees[n] = shared_sees(s, code, b->header[slot]);
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
