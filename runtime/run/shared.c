/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "runtime/run/shared.h"

#include "runtime/engine/copies.h"
#include "runtime/rules/rules.h"
#include "support/bits.h"

struct shared {
	const struct nfart_image *image;
	struct copies map;
	uint64_t *checkers; /* [codes]: bit i % 64 is set if checker i sees messages of the code */
	uint64_t batches;
};

bool shared_matters(const struct nfart_image *im)
{
	struct nfart_error e;
	struct rules r;
	bool any = false;

	if (image_find_section(im, SEC_rules) == NULL)
		return false;
	if (rules_init(&r, im, &e) == NFART_OK)
		for (size_t i = 0; i < r.checkers.n; i++)
			any = any || (r.checkers.at[i]->checker->how & KEPT_ONLY) == 0;
	rules_free(&r);
	return any;
}

static void shared_fill(struct shared *s, const struct rules *r)
{
	for (size_t i = 0; i < r->checkers.n; i++) {
		const struct follow *f = r->checkers.at[i];

		for (uint32_t code = 0; code < s->image->proto->codes.n; code++)
			if ((f->checker->how & KEPT_ONLY) == 0 &&
			    follow_event(f, code) != KEPT_NONE)
				s->checkers[code] |= (uint64_t)1 << i % 64;
	}
}

struct shared *shared_new(const struct nfart_image *im, const struct nfart_engine_options *o,
			  struct nfart_error *e)
{
	struct shared *s = calloc(1, sizeof *s);
	struct rules r = { .nkept = 0 };

	if (s != NULL) {
		s->image = im;
		s->checkers = calloc(im->proto->codes.n, sizeof *s->checkers);
	}
	if (s == NULL || s->checkers == NULL) {
		nfart_fail(e, NFART_SYSTEM, "out of memory");
	} else if (rules_init(&r, im, e) == NFART_OK && copies_init(&s->map, im, o, e)) {
		shared_fill(s, &r);
		rules_free(&r);
		return s;
	}
	rules_free(&r);
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
