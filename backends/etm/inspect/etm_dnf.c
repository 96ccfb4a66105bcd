/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "backends/etm/inspect/etm_dnf.h"

#include <string.h>

static void add(struct etm_dnf *d, const struct etm_term *t)
{
	for (unsigned i = 0; i < d->n; i++)
		if (memcmp(&d->term[i], t, sizeof *t) == 0)
			return;
	if (d->n == ETM_DNF_TERMS)
		d->too_large = true;
	else
		d->term[d->n++] = *t;
}

struct etm_dnf etm_dnf_in(uint64_t states)
{
	struct etm_dnf d = { 0 };
	struct etm_term t;

	memset(&t, 0, sizeof t);
	t.states = states;
	if (states != 0)
		add(&d, &t);
	return d;
}

/* The states in which the sequencer is in one of `states`, or a counter of `levels` is at zero. */
static uint64_t states_of(uint8_t states, uint8_t levels)
{
	uint64_t all = 0;

	for (unsigned i = 0; i < ETM_ALL_STATES; i++)
		if ((states >> i % ETM_STATES & 1) || (levels & i / ETM_STATES))
			all |= (uint64_t)1 << i;
	return all;
}

/* A selector that must be true, or with `inv`, false. */
static struct etm_dnf select_dnf(const struct etm_select *s, bool inv, uint8_t levels)
{
	uint64_t states = states_of(s->states, s->counters & levels);
	uint8_t pulses = s->counters & (uint8_t)~levels;
	struct etm_dnf d;
	struct etm_term t;

	if (inv != s->inv) {
		d = etm_dnf_in(~states);
		if (d.n != 0) {
			d.term[0].none = s->inputs;
			d.term[0].not_at = pulses;
		}
		return d;
	}
	d = etm_dnf_in(states);
	memset(&t, 0, sizeof t);
	t.states = UINT64_MAX;
	for (unsigned i = 0; i < ETM_COUNTERS; i++)
		if (pulses >> i & 1) {
			t.at = (uint8_t)(1u << i);
			add(&d, &t);
		}
	t.at = 0;
	if (s->inputs != 0) {
		t.nany = 1;
		t.any[0] = s->inputs;
		add(&d, &t);
	}
	return d;
}

/* Joins two terms. False: they exclude each other, or the result has too many sets of inputs. */
static bool join(struct etm_term *out, const struct etm_term *x, const struct etm_term *y,
		 bool *too_large)
{
	*out = *x;
	out->none |= y->none;
	out->at |= y->at;
	out->not_at |= y->not_at;
	out->states &= y->states;
	for (unsigned i = 0; i < y->nany; i++) {
		unsigned j = 0;

		while (j < out->nany && out->any[j] != y->any[i])
			j++;
		if (j < out->nany)
			continue;
		if (j == ETM_DNF_ANY) {
			*too_large = true;
			return false;
		}
		out->any[out->nany++] = y->any[i];
	}
	for (unsigned i = 0; i < out->nany; i++)
		if ((out->any[i] & ~out->none) == 0)
			return false;
	return out->states != 0 && (out->at & out->not_at) == 0;
}

struct etm_dnf etm_dnf_and(const struct etm_dnf *x, const struct etm_dnf *y)
{
	struct etm_dnf d = { .too_large = x->too_large || y->too_large };

	for (unsigned i = 0; i < x->n; i++)
		for (unsigned j = 0; j < y->n; j++) {
			struct etm_term t;

			if (join(&t, &x->term[i], &y->term[j], &d.too_large))
				add(&d, &t);
		}
	return d;
}

struct etm_dnf etm_dnf_or(const struct etm_dnf *x, const struct etm_dnf *y)
{
	struct etm_dnf d = *x;

	d.too_large = x->too_large || y->too_large;
	for (unsigned i = 0; i < y->n; i++)
		add(&d, &y->term[i]);
	return d;
}

struct etm_dnf etm_dnf_of(const struct etm_event *e, bool inv, uint8_t levels)
{
	bool negated = inv != e->inv;
	struct etm_dnf d = etm_dnf_in(negated ? 0 : UINT64_MAX);

	for (unsigned i = 0; i < e->n; i++) {
		struct etm_dnf s = select_dnf(&e->select[i], negated, levels);

		d = negated ? etm_dnf_or(&d, &s) : etm_dnf_and(&d, &s);
	}
	return d;
}
