/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Makes the truth table of a machine (map_int.h, Note [truth table]): steps the machine from each
 * state that is reached, with everything that selectors can see.
 */
#include <string.h>

#include "backends/etm/map_int.h"

/* What happens in a cycle. */
struct cycle {
	uint8_t state;
	uint8_t pulses;  /* a bit for each counter of the trace unit: if it rolls, it pulses; if it
			  * latches, it comes to its end in this cycle */
	uint8_t at;      /* a bit for each counter: `@` */
	uint8_t lines, ranges;
	uint32_t nletters;
	uint32_t letters[2 + PROTO_SLOTS];
};

static bool is_latch(const struct map *m, uint32_t hw)
{
	return (m->counters.levels >> hw & 1) != 0;
}

static bool term_holds(const struct map *m, const struct cycle *x, const struct machine_term *t)
{
	if (t->kind == MACHINE_PRED)
		return pred_holds(&m->spec->preds, t->pred, x->letters, x->nletters);
	return (x->at >> map_counter(m, t->counter) & 1) == (t->kind == MACHINE_AT);
}

static bool cond_holds(const struct map *m, const struct cycle *x, const struct machine_cond *c)
{
	bool when = c->nwhen == 0;

	for (uint32_t i = 0; i < c->nwhen; i++)
		when = when || c->when[i] == x->state;
	for (uint32_t i = 0; i < c->nterms && when; i++)
		when = term_holds(m, x, &c->terms[i]);
	return when;
}

/* Steps counter c. Returns false if this cycle can't be: the counter pulses and does not count. */
static bool step_counter(const struct map *m, struct cycle *x, uint32_t c, struct map_row *row)
{
	const struct machine_counter *k = &m->machine->counters.at[c];
	uint32_t hw = map_counter(m, c), bit = 1u << hw;
	bool level = (m->table.level[x->state] & bit) != 0, pulse = (x->pulses & bit) != 0;
	bool count = false, reset = false;

	for (size_t i = 0; i < k->reset.n && !reset; i++)
		reset = cond_holds(m, x, &k->reset.at[i]);
	for (size_t i = 0; i < k->count.n && !count; i++)
		count = cond_holds(m, x, &k->count.at[i]);
	row->reloads |= (uint8_t)(reset ? bit : 0);
	row->counts |= (uint8_t)(count ? bit : 0);
	if (pulse && (!count || level))
		return false;
	if (pulse && reset) /* selectors may see a pulse, and the machine has none */
		return m->overlap && !is_latch(m, hw);
	if (k->k == 1 && !pulse && count && !reset && !level)
		return false;
	if (pulse || (is_latch(m, hw) && level && !reset))
		x->at |= (uint8_t)bit;
	return true;
}

/* Makes a row of a cycle. False: the cycle can't be. *level becomes the counters that are at zero
 * after it, as far as they latch. */
static bool step(const struct map *m, struct cycle *x, struct map_row *row, uint8_t *level)
{
	const struct machine *k = m->machine;
	uint8_t time = m->counters.time ? 1 : 0;

	*row = (struct map_row){ .state = x->state, .next = x->state, .lines = x->lines,
				 .ranges = x->ranges, .counts = time };
	x->at = 0;
	for (uint32_t c = 0; c < k->counters.n; c++)
		if (!step_counter(m, x, c, row))
			return false;
	for (size_t i = 0; i < k->moves.n; i++) {
		const struct machine_move *v = &k->moves.at[i];
		if ((v->from == MACHINE_ANY || v->from == x->state) && cond_holds(m, x, &v->cond)) {
			row->next = (uint8_t)v->to;
			break;
		}
	}
	row->zero = (uint8_t)((x->pulses & ~m->counters.levels) |
			      (m->table.level[x->state] & m->counters.levels));
	*level = (uint8_t)(x->at & m->counters.levels);
	return true;
}

/* The letters of a cycle: that of its time, those of the lines of the chosen classes, and of the
 * fetch. */
static void set_letters(const struct map *m, struct cycle *x, uint32_t classes, uint32_t fetch)
{
	const struct alphabet *a = &m->spec->preds.alphabet;

	x->nletters = 0;
	x->lines = 0;
	for (uint32_t i = 0; i < m->lines.nclasses; i++)
		x->lines |= (classes >> i & 1) != 0 ? m->lines.class[i] : 0;
	for (uint32_t i = 0; i < m->lines.n; i++)
		if ((x->lines >> i & 1) != 0)
			x->letters[x->nletters++] = (uint32_t)m->lines.slot[i]
						    << m->spec->proto->header.op_bits;
	x->ranges = m->ranges.fetch[fetch].ranges;
	if (m->ranges.fetch[fetch].letter != UINT32_MAX)
		x->letters[x->nletters++] = m->ranges.fetch[fetch].letter;
	if (a->time != IMAGE_NO_TIME)
		x->letters[x->nletters++] =
			a->time + (m->counters.time && (x->pulses & 1) != 0 ? IMAGE_TICK : 0);
}

/* Reports a counter that latches and whose level a state does not tell. */
static void report_level(struct map *m, uint32_t state, uint8_t levels)
{
	for (uint32_t c = 0; c < m->machine->counters.n; c++)
		if (((m->table.level[state] ^ levels) >> map_counter(m, c) & 1) != 0) {
			map_nofit(
				m, m->machine->counters.at[c].range,
				"in state '%s' counter '%s' is at its end or is not; events that "
				"wait for a level need states that tell it",
				m->machine->states.at[state].name, m->machine->counters.at[c].name);
			return;
		}
}

/* Notes that `state` is reached with these levels. */
static void reach(struct map *m, uint32_t state, uint8_t level, uint8_t *queue, uint32_t *n)
{
	if (!m->table.reached[state]) {
		m->table.reached[state] = true;
		m->table.level[state] = level;
		queue[(*n)++] = (uint8_t)state;
	} else if (m->table.level[state] != level && m->fits) {
		report_level(m, state, level);
	}
}

/* Adds the rows of a state. */
static bool state_rows(struct map *m, uint32_t state, uint8_t *queue, uint32_t *n)
{
	struct cycle x = { .state = (uint8_t)state };

	for (uint32_t pulses = 0; pulses < 1u << m->counters.n; pulses++)
		for (uint32_t classes = 0; classes < 1u << m->lines.nclasses; classes++)
			for (uint32_t f = 0; f < m->ranges.nfetches; f++) {
				uint8_t level;
				x.pulses = (uint8_t)pulses;
				set_letters(m, &x, classes, f);
				if (m->table.n == MAP_ROWS)
					return false;
				if (!step(m, &x, &m->table.row[m->table.n], &level))
					continue;
				reach(m, m->table.row[m->table.n].next, level, queue, n);
				m->table.n++;
			}
	return true;
}

enum nfart_status map_rows(struct map *m)
{
	uint8_t queue[ETM_MAP_STATES];
	uint32_t n = 0;

	m->table.row = arena_array(&m->arena, MAP_ROWS, sizeof *m->table.row);
	if (m->table.row == NULL)
		return NFART_SYSTEM;
	reach(m, m->machine->start, 0, queue, &n);
	for (uint32_t i = 0; i < n; i++)
		if (!state_rows(m, queue[i], queue, &n))
			return NFART_GAVEUP;
	m->table.words = bits_words(m->table.n);
	m->report->search.rows = m->table.n;
	return m->fits ? NFART_OK : NFART_NOFIT;
}
