/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Lists what a selector can compute: OR over resources of one group, inverted or not. Functions
 * that are equal in all rows are one, with the selector that names the fewest resources.
 */
#include <string.h>

#include "backends/etm/map_int.h"

/* The resources of a group that selectors may choose. A pulse that selectors see a cycle late is
 * not among them, because what a machine does follows in the cycle of the pulse. */
struct resources {
	enum etm_group group;
	uint32_t n;
	uint16_t mask[ETM_COUNTERS + ETM_STATES + MAP_RANGES]; /* bits in SELECT of each resource */
};

/* What row r shows of a group, with the states of assignment q. */
static uint32_t row_shows(const struct map_row *r, enum etm_group group, const uint8_t *q)
{
	if (group == ETM_GROUP_EXTIN)
		return r->lines;
	if (group == ETM_GROUP_RANGE)
		return r->ranges;
	return r->zero | 1u << (ETM_COUNTERS + q[r->state]);
}

/* Which fields may depend on what is selected? The event of a counter does not see in the same
 * cycle the pulses of itself and of those above it. Outputs stand after the cycle, as states and
 * levels do. External outputs look at states alone if that is enough, since a handler of their
 * interrupt sees nothing else. */
static uint32_t allowed(const struct map *m, enum etm_group group, uint32_t mask)
{
	uint32_t fields = (1u << NFIELDS) - 1;
	uint32_t zero = group == ETM_GROUP_CNTSEQ ? mask & ((1u << ETM_COUNTERS) - 1) : 0;
	uint32_t pulses = zero & ~m->counters.levels;

	for (uint32_t i = 0; i < ETM_COUNTERS; i++)
		if (pulses >> i != 0)
			fields &= ~(1u << (FIELD_COUNT + i) | 1u << (FIELD_RELOAD + i));
	if (group != ETM_GROUP_CNTSEQ || (m->level_outputs ? pulses : zero) != 0)
		fields &= ~(((1u << ETM_OUTPUTS) - 1) << FIELD_OUT);
	if (group != ETM_GROUP_CNTSEQ || pulses != 0)
		fields &= ~(1u << FIELD_TRACE);
	return fields;
}

/* Adds a function, unless the same one is there; then it may only add another selector for it. */
static bool add(struct map *m, uint64_t *rows, uint32_t fields, struct map_select s)
{
	struct map_function *f = m->function;

	for (; f < m->function + m->nfunctions; f++)
		if (f->allowed == fields && memcmp(f->rows, rows, m->table.words * 8) == 0)
			break;
	if (f == m->function + m->nfunctions) {
		if (m->nfunctions == MAP_FUNCTIONS)
			return false;
		*f = (struct map_function){ .rows = rows, .allowed = fields };
		m->nfunctions++;
	}
	if (!f->impl[s.inv].exists)
		f->impl[s.inv] = s;
	return true;
}

/* Adds the function of a selector and its inverse. */
static bool add_select(struct map *m, enum etm_group group, uint32_t mask, const uint8_t *q)
{
	uint64_t *rows = arena_array(&m->arena, m->table.words, 8), *inverse;
	struct map_select s = { true, (uint8_t)group, (uint16_t)mask, false };
	uint32_t fields = allowed(m, group, mask);

	inverse = arena_array(&m->arena, m->table.words, 8);
	if (rows == NULL || inverse == NULL)
		return false;
	memset(rows, 0, m->table.words * 8);
	memset(inverse, 0, m->table.words * 8);
	for (uint32_t r = 0; r < m->table.n; r++)
		bits_set((row_shows(&m->table.row[r], group, q) & mask) != 0 ? rows : inverse, r);
	if (!add(m, rows, fields, s))
		return false;
	s.inv = true;
	return add(m, inverse, fields, s);
}

/* Adds the selectors of a group: first those with one resource, then with two, and so on. */
static bool add_group(struct map *m, const struct resources *g, const uint8_t *q)
{
	for (uint32_t count = 1; count <= g->n; count++)
		for (uint32_t subset = 1; subset < 1u << g->n; subset++) {
			uint32_t mask = 0;
			if (bits_count(subset) != count)
				continue;
			for (uint32_t i = 0; i < g->n; i++)
				mask |= (subset >> i & 1) != 0 ? g->mask[i] : 0;
			if (!add_select(m, g->group, mask, q))
				return false;
		}
	return true;
}

bool map_functions(struct map *m, const uint8_t *q)
{
	struct resources lines = { .group = ETM_GROUP_EXTIN },
			 ranges = { .group = ETM_GROUP_RANGE },
			 rest = { .group = ETM_GROUP_CNTSEQ };
	uint32_t states = 0;

	m->nfunctions = 0;
	for (uint32_t i = 0; i < m->lines.nclasses; i++)
		lines.mask[lines.n++] = m->lines.class[i];
	for (uint32_t i = 0; i < m->ranges.n; i++)
		ranges.mask[ranges.n++] = (uint16_t)(1u << i);
	for (uint32_t i = 0; i < m->counters.n; i++)
		if (!m->core->reading.delay || (m->counters.levels >> i & 1) != 0)
			rest.mask[rest.n++] = (uint16_t)(1u << i);
	for (uint32_t i = 0; i < m->machine->states.n; i++)
		states |= m->table.reached[i] ? 1u << q[i] : 0;
	for (uint32_t i = 0; i < ETM_STATES && (states & (states - 1)) != 0; i++)
		if ((states >> i & 1) != 0)
			rest.mask[rest.n++] = (uint16_t)(1u << (ETM_COUNTERS + i));
	return add_group(m, &lines, q) && add_group(m, &rest, q) && add_group(m, &ranges, q);
}
