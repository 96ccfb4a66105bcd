/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "backends/etm/proof/etm_readings.h"

#include <inttypes.h>
#include <string.h>

/* Steps of a comparison, unless the caller says otherwise: a second or so. */
enum { MOST_STEPS = 8000000 };
/* The most numbers that are tried with 1 more or less, all combinations of them. */
enum { MOST_SHIFTED = 5 };

/* ---- comparison ---- */

/* Pairs the counters of the source with those of the registers, in their order. Returns how many
 * pairs there are. */
static unsigned pair_counters(const struct etm_source_side *s, const struct etm_regs_side *r,
			      struct etm_pair pairs[ETM_SIDE_COUNTERS])
{
	unsigned n = 0, left = s->tick != 0, right = 0;

	for (; left < s->side.ncounters; left++, right++) {
		while (s->tick != 0 && right < r->side.ncounters && r->side.counters[right].steady)
			right++;
		if (right == r->side.ncounters)
			break;
		pairs[n++] = (struct etm_pair){ left, right };
	}
	return n;
}

/* Makes the side of the source with numbers changed as r says. False: a number would leave its
 * range. */
static bool shifted_side(const struct etm_compared *in, const struct etm_result *r,
			 struct etm_source_side *s)
{
	int64_t tick = (int64_t)in->spec->stream.tick + (in->spec->stream.tick != 0 ? r->tick : 0);

	if (in->spec->stream.tick != 0 && tick < 1)
		return false;
	return etm_source_side(s, in->machine, r->signals.preds, (uint64_t)tick, r->counters);
}

/* Tries bit set `set` of numbers with `by` added: bit 0 is that of ticks, the others
 * are counters. */
static bool try_shifted(const struct etm_compared *in, const struct etm_question *q,
			struct etm_result *r, uint32_t set, int8_t by)
{
	struct etm_source_side s;
	struct etm_question shifted = *q;

	r->tick = set & 1 ? by : 0;
	for (size_t i = 0; i < in->machine->counters.n; i++)
		r->counters[i] = set >> (i + 1) & 1 ? by : 0;
	if (!shifted_side(in, r, &s))
		return false;
	shifted.left = &s.side;
	return etm_prove(&shifted, &r->work);
}

/* Looks for numbers of the source with which it means what the registers mean. All numbers at once
 * are tried first. */
static bool find_shifted(const struct etm_compared *in, const struct etm_question *q,
			 struct etm_result *r)
{
	size_t n = in->machine->counters.n + 1;
	uint32_t all = (1u << n) - 1, none = in->spec->stream.tick != 0 ? 0 : 1;

	if (n > MOST_SHIFTED)
		return false;
	for (int8_t by = -1; by <= 1; by = (int8_t)(by + 2))
		for (uint32_t set = all; set > 0; set--)
			if ((set & none) == 0 && try_shifted(in, q, r, set, by))
				return true;
	r->tick = 0;
	memset(r->counters, 0, sizeof r->counters);
	return false;
}

static void answer(const struct etm_compared *in, const struct etm_question *q,
		   struct etm_result *r)
{
	if (etm_prove(q, &r->work)) {
		r->meaning = ETM_MEANS_SOURCE;
		return;
	}
	if (find_shifted(in, q, r)) {
		r->meaning = ETM_MEANS_SHIFTED;
		return;
	}
	etm_equal(q, &r->answer);
	r->work += r->answer.work;
	r->meaning = r->answer.verdict == ETM_DIFFERENT ? ETM_MEANS_OTHER : ETM_MEANS_UNKNOWN;
}

enum nfart_status etm_compare(const struct etm_compared *in, unsigned i, struct etm_result *r)
{
	struct etm_machine machine;
	struct etm_source_side source;
	struct etm_regs_side regs;
	struct etm_pair pairs[ETM_SIDE_COUNTERS];
	struct etm_question q = { &source.side, &regs.side, NULL, 0, pairs, 0,
				  in->steps != 0 ? in->steps : MOST_STEPS };
	enum nfart_status status;

	memset(r, 0, sizeof *r);
	r->meaning = ETM_MEANS_UNKNOWN;
	etm_decode(&machine, in->regs, in->core->ete, etm_reading_of(i));
	status = etm_signals(&r->signals, in->spec, in->machine, in->core, in->regs, &machine,
			     &r->why);
	if (status != NFART_OK)
		return status == NFART_GAVEUP ? NFART_OK : status;
	q.letters = r->signals.letters;
	q.nletters = r->signals.nletters;
	if (!shifted_side(in, r, &source)) {
		r->why = "more counters or outputs than can be compared";
		return NFART_OK;
	}
	etm_regs_side(&regs, &machine, r->signals.inputs, r->signals.n, in->pins, in->noutputs);
	if (in->noutputs == 0)
		q.npairs = pair_counters(&source, &regs, pairs);
	answer(in, &q, r);
	if (r->answer.verdict == ETM_NO_MEMORY)
		return NFART_SYSTEM;
	return r->answer.verdict == ETM_BROKEN ? NFART_INTERNAL : NFART_OK;
}

void etm_result_free(struct etm_result *r)
{
	etm_answer_free(&r->answer);
	etm_signals_free(&r->signals);
}
