/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "testsuite/property/positions.h"

uint64_t count_positions(const struct spec *s)
{
	uint64_t *at = calloc(s->nodes.n + 1, sizeof *at), n = 0;

	for (size_t i = 0; at != NULL && i < s->nodes.n; i++) {
		const struct rx *r = &s->nodes.at[i];
		at[i] = r->kind == RX_PRED;
		for (uint32_t k = 0; k < r->n; k++)
			at[i] += at[r->sub[k]];
		if (r->kind == RX_REP)
			at[i] *= r->hi != RX_INF ? r->hi : r->lo != 0 ? r->lo : 1;
	}
	for (size_t i = 0; at != NULL && i < s->filters.n; i++)
		n += at[s->filters.at[i].rx];
	for (size_t i = 0; at != NULL && i < s->counters.n; i++) {
		n += 1 + at[s->counters.at[i].count];
		n += s->counters.at[i].reset != RX_NONE ? at[s->counters.at[i].reset] : 0;
	}
	n += at != NULL && s->log.rx != RX_NONE ? at[s->log.rx] : 0;
	for (size_t i = 0; i < s->automata.n; i++)
		for (size_t k = 0; k < s->automata.at[i].edges.n; k++)
			n += s->automata.at[i].edges.at[k].pred != PRED_EPS;
	free(at);
	return n;
}
