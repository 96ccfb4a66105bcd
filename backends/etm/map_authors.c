/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * The layout of the programs that were published with the paper on ETM²: which selector computes
 * what is fixed. It exists for a counter of events that is driven by external inputs alone, and is
 * used by a chain of states: forward by the counter, backward by `tick`.
 *
 *   selector 2   the external inputs; 3: the end of a period
 *   two states   are states 0 and 3. 4: the counter's pulse, 5: state 3; 6 and 7: a pair, the end
 *                of a period in state 0
 *   four states  pairs from 4 on, of a state and a pulse: forward from 0, 1, 2, backward from 3, 2,
 *                1
 *
 * Each state with an output has an external output of its own, with the number of the state,
 * because the CTI can join them.
 */
#include <string.h>

#include "backends/etm/map_int.h"

enum { BUDGET = 1 }; /* the counter of events; counter 0 counts cycles */

static uint32_t selector(uint32_t group, uint32_t mask)
{
	return ETM_PUT(TRCRSCTLR, GROUP, group) | ETM_PUT(TRCRSCTLR, SELECT, mask);
}

static uint32_t state_selector(uint32_t state)
{
	return selector(ETM_GROUP_CNTSEQ, 1u << (ETM_COUNTERS + state));
}

static uint32_t pair_event(uint32_t even)
{
	return ETM_EVENT_PAIR | even / 2;
}

/* Does the machine move, count and reset as the layout expects? Compares all rows. */
static bool has_layout(const struct map *m, uint32_t n, uint32_t *reset)
{
	uint32_t resets = 0, keeps = 0;

	for (uint32_t i = 0; i < m->table.n; i++) {
		const struct map_row *r = &m->table.row[i];
		bool tick = (r->zero & 1) != 0, used = (r->zero >> BUDGET & 1) != 0;
		uint32_t next = r->state;
		if (used && r->state < n - 1)
			next++;
		else if (tick && r->state > 0)
			next--;
		if (r->next != next || ((r->counts >> BUDGET & 1) != 0) != (r->lines != 0))
			return false;
		if ((r->reloads >> BUDGET & 1) != 0 && !tick)
			return false;
		if (tick && (r->reloads >> BUDGET & 1) != 0)
			resets |= 1u << r->state;
		else if (tick)
			keeps |= 1u << r->state;
	}
	*reset = resets;
	return (resets & keeps) == 0;
}

static void outputs(const struct map *m, uint32_t step, const uint8_t *selector_of,
		    struct etm_regs *out)
{
	for (uint32_t i = 0; i < m->machine->states.n; i++)
		if (m->machine->states.at[i].noutputs != 0)
			out->eventctl0[0] |= (uint32_t)selector_of[i]
					     << i * step * ETM_TRCEVENTCTL0R_EVENT0_WIDTH;
}

static void two_states(struct map *m, uint32_t reset, struct etm_regs *out)
{
	static const uint8_t selector_of[] = { 0, 5 };
	uint32_t reload = reset == 0 ? 0 : reset == 1 ? pair_event(6) : 3;

	out->rsctl[4] = selector(ETM_GROUP_CNTSEQ, 1u << BUDGET);
	out->rsctl[5] = state_selector(3);
	out->rsctl[6] = state_selector(0);
	out->rsctl[7] = selector(ETM_GROUP_CNTSEQ, 1);
	for (int i = 0; i < ETM_STATES - 1; i++)
		out->seqev[i] = ETM_PUT(TRCSEQEVR, F, 4) | ETM_PUT(TRCSEQEVR, B, 3);
	out->cntctl[BUDGET] |= ETM_PUT(TRCCNTCTLR, RLDEVENT, reload);
	outputs(m, ETM_STATES - 1, selector_of, out);
	m->report->state[1] = ETM_STATES - 1;
	m->report->selectors = 6;
	m->report->pairs = 1;
}

static void four_states(struct map *m, struct etm_regs *out)
{
	static const uint8_t selector_of[] = { 4, 6, 8, 10 };
	uint32_t at = 4;

	for (uint32_t i = 0; i < ETM_STATES - 1; i++, at += 2) {
		out->rsctl[at] = state_selector(i);
		out->rsctl[at + 1] = selector(ETM_GROUP_CNTSEQ, 1u << BUDGET);
		out->seqev[i] |= ETM_PUT(TRCSEQEVR, F, pair_event(at));
	}
	for (uint32_t i = ETM_STATES - 1; i-- > 0; at += 2) {
		out->rsctl[at] = state_selector(i + 1);
		out->rsctl[at + 1] = selector(ETM_GROUP_CNTSEQ, 1);
		out->seqev[i] |= ETM_PUT(TRCSEQEVR, B, pair_event(at));
	}
	outputs(m, 1, selector_of, out);
	for (uint8_t i = 0; i < ETM_STATES; i++)
		m->report->state[i] = i;
	m->report->selectors = 14;
	m->report->pairs = 6;
}

void map_authors(struct map *m, struct etm_regs *out)
{
	uint32_t n = m->report->nstates, reset;
	bool chain = (n == 2 || n == ETM_STATES) && m->core->has.states == ETM_STATES &&
		     m->core->has.selectors >= 16 && m->counters.time && m->counters.n == 2 &&
		     m->counters.levels == 0 && m->lines.n != 0 && m->ranges.n == 0 &&
		     m->machine->start == 0 && has_layout(m, n, &reset);

	if (!chain || (n == ETM_STATES && reset != 0) || (n == 2 && reset == 2)) {
		map_nofit(m, m->machine->range,
			  "the authors' layout is for a chain of two or four states, "
			  "forward by the counter of events and backward by tick");
		return;
	}
	out->rsctl[2] = selector(ETM_GROUP_EXTIN, (1u << m->lines.n) - 1);
	out->rsctl[3] = selector(ETM_GROUP_CNTSEQ, 1);
	out->cntctl[0] |= ETM_PUT(TRCCNTCTLR, CNTEVENT, 1);
	out->cntctl[BUDGET] |= ETM_PUT(TRCCNTCTLR, CNTEVENT, 2);
	if (n == 2)
		two_states(m, reset, out);
	else
		four_states(m, out);
}
