/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/* Shows a scenario in detail: which states are active after a batch by the image, and which in the
 * engine. */
#include "testsuite/rtl/rtl_random.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static bool one_active(const struct image_list *l, const bool *active)
{
	for (uint32_t i = 0; i < l->n; i++)
		if (active[l->at[i]])
			return true;
	return false;
}

/* Steps the counters of one line after a batch. `active` has the states of STEs after the batch.
 * The states of counters in it are still those before the batch, and are replaced. */
static void step_counters(const struct nfart_image *im, bool *active, uint32_t *count)
{
	for (uint32_t i = 0; i < im->nfa.ncounters; i++) {
		const struct image_counter *c = &im->nfa.counters[i];
		uint32_t before = count[i];
		if (one_active(&c->reset, active))
			count[i] = 0;
		else if (one_active(&c->count, active) && count[i] < c->k)
			count[i]++;
		active[c->state] = count[i] == c->k && (c->mode == COUNTER_LATCH || before < c->k);
		if (c->mode == COUNTER_ROLL && count[i] == c->k)
			count[i] = 0;
	}
}

static void step_line(const struct nfart_image *im, bool *active, uint32_t *count,
		      const uint32_t *codes, size_t n)
{
	bool *next = calloc(im->nfa.nstates + 1, sizeof *next);

	for (uint32_t s = 0; next != NULL && s < im->nfa.nstates; s++) {
		const struct image_state *q = &im->nfa.states[s];
		bool match = q->pred != IMAGE_NO_PRED && im->nfa.preds[q->pred].none,
		     entered = false;
		if (q->pred == IMAGE_NO_PRED)
			continue;
		for (size_t i = 0; i < n; i++)
			for (uint32_t c = 0; c < im->nfa.preds[q->pred].letters.n; c++)
				if (im->nfa.preds[q->pred].letters.at[c] == codes[i])
					match = !im->nfa.preds[q->pred].none;
		entered = (q->flags & STATE_ALWAYS) != 0;
		for (uint32_t p = 0; p < im->nfa.nstates; p++)
			for (uint32_t k = im->nfa.succ_first[p]; k < im->nfa.succ_first[p + 1]; k++)
				entered |= active[p] && im->nfa.succ[k] == s;
		next[s] = match && entered;
	}
	memcpy(active, next, im->nfa.nstates * sizeof *next);
	free(next);
	step_counters(im, active, count);
}

static void print_states(const char *who, uint64_t line, const struct nfart_image *im,
			 const bool *active, const uint32_t *bits)
{
	uint32_t n = overlay_nste(&im->overlay), node;

	printf("#   %s, line %" PRIu64 ": {", who, line);
	if (active != NULL)
		for (uint32_t s = 0; s < im->nfa.nstates; s++) {
			node = im->nfa.states[s].node;
			if (active[s])
				printf(node < n ? " %" PRIu32 : " counter %" PRIu32,
				       node < n ? node : node - n);
		}
	for (uint32_t s = 0; bits != NULL && s < n; s++)
		if ((bits[(line * n + s) / 32] >> (line * n + s) % 32 & 1) != 0)
			printf(" %" PRIu32, s);
	printf(" }\n");
}

/* Is a message for the copy? */
static bool is_for(const struct nfart_image *im, uint32_t code, uint64_t header, uint64_t copy)
{
	const struct image_key *key = &im->substreams.key[code];
	uint64_t value = header >> key->lsb & (((uint64_t)1 << key->bits) - 1);

	if (key->broadcast)
		return true;
	for (uint32_t i = 0; key->has && i < im->substreams.nranges; i++) {
		const struct image_range *r = &im->substreams.ranges[i];
		if (copy < r->count)
			return value == r->first + copy;
		copy -= r->count;
	}
	return false;
}

/* Steps t->active and t->count by a batch. Prints these states and those of the engine, in which no
 * other batch may be. Prints nothing for an image with ticks or the end. */
void rnd_show_states(struct test *t, const struct segment *s, const struct nfart_batch *b)
{
	const struct nfart_image *im = s->image;
	const struct nfacc_model_info *info = rtl_engine_info(t->en);
	uint32_t *bits = calloc(info->states / 32 + 2, 4), codes[NFART_SLOTS];

	if (im->alphabet.time != IMAGE_NO_TIME)
		return; /* ticks and the end move states, too */
	rtl_engine_idle(t->en, 12);
	rtl_engine_states(t->en, bits);
	for (uint64_t line = 0;
	     bits != NULL && line < (im->substreams.by_line ? im->substreams.nlines : 1); line++) {
		size_t n = 0;
		for (uint64_t m = b->mask; m != 0; m &= m - 1) {
			uint32_t slot = (uint32_t)__builtin_ctzll(m);
			uint32_t code = proto_code(im->proto, slot, b->header[slot]);
			if (!im->substreams.by_line || is_for(im, code, b->header[slot], line))
				codes[n++] = code;
		}
		if (n != 0)
			step_line(im, t->states.active + line * im->nfa.nstates,
				  t->states.count + line * im->nfa.ncounters, codes, n);
		print_states("image", line, im, t->states.active + line * im->nfa.nstates, NULL);
		if (info->states != 0) /* states in memory are not shown */
			print_states("engine", line, im, NULL, bits);
	}
	free(bits);
}

void rnd_start_states(struct test *t, const struct segment *s)
{
	const struct nfart_image *im = s->image;
	size_t lines = im->substreams.by_line ? im->substreams.nlines : 1;

	free(t->states.active);
	free(t->states.count);
	t->states.count = calloc(lines * im->nfa.ncounters + 1, sizeof *t->states.count);
	t->states.active = calloc(lines * im->nfa.nstates + 1, sizeof *t->states.active);
	for (size_t i = 0; t->states.active != NULL && i < lines * im->nfa.nstates; i++)
		t->states.active[i] =
			(im->nfa.states[i % im->nfa.nstates].flags & STATE_START) != 0;
}
