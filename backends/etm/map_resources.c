/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Finds what a machine needs of a trace unit: counters, external inputs, comparators. Reports what
 * the core does not have.
 */
#include <inttypes.h>
#include <string.h>

#include "backends/etm/map_int.h"

/* ---- predicates of the machine ---- */

typedef void visit_fn(struct map *m, const struct machine_term *t);

static void visit_cond(struct map *m, const struct machine_cond *c, visit_fn *visit)
{
	for (uint32_t i = 0; i < c->nterms; i++)
		if (c->terms[i].kind == MACHINE_PRED)
			visit(m, &c->terms[i]);
}

/* Calls `visit` for each predicate, in the order of counters and moves. */
static void visit_preds(struct map *m, visit_fn *visit)
{
	const struct machine *x = m->machine;

	for (size_t c = 0; c < x->counters.n; c++) {
		const struct machine_counter *k = &x->counters.at[c];
		for (size_t i = 0; i < k->count.n; i++)
			visit_cond(m, &k->count.at[i], visit);
		for (size_t i = 0; i < k->reset.n; i++)
			visit_cond(m, &k->reset.at[i], visit);
	}
	for (size_t i = 0; i < x->moves.n; i++)
		visit_cond(m, &x->moves.at[i].cond, visit);
}

static const struct pred *pred_of(const struct map *m, const struct machine_term *t)
{
	return &m->spec->preds.preds.at[t->pred];
}

static const char *group_of(const struct map *m, uint32_t slot)
{
	const struct nfart_proto *p = m->spec->proto;

	return p->names.groups[p->slots[slot].group];
}

static bool is_group(const struct map *m, uint32_t slot, const char *name)
{
	return strcmp(group_of(m, slot), name) == 0;
}

/* ---- external inputs ---- */

static bool needs_slot(const struct map *m, const struct machine_term *t, uint32_t slot)
{
	return bits_get(pred_of(m, t)->letters, slot << m->spec->proto->header.op_bits);
}

static void note_lines(struct map *m, const struct machine_term *t)
{
	for (uint32_t s = 0; s < m->spec->proto->nslots; s++) {
		uint32_t i = 0;
		if (is_group(m, s, ETM_GROUP_FETCH) || !needs_slot(m, t, s))
			continue;
		while (i < m->lines.n && m->lines.slot[i] != s)
			i++;
		if (i == m->lines.n)
			m->lines.slot[m->lines.n++] = (uint16_t)s;
	}
}

static void list_lines(const struct map *m, struct buf *b)
{
	for (uint32_t i = 0; i < m->lines.n; i++) {
		char name[80];
		proto_slot_name(m->spec->proto, m->lines.slot[i], name);
		buf_addf(b, "%s%s", i > 0 ? ", " : "", name);
	}
}

/* Notes the inputs of a term. If these are the first ones for which there is no selector, all
 * inputs of the machine are listed. */
static void check_lines(struct map *m, const struct machine_term *t)
{
	struct buf names = { 0 };
	uint32_t before = m->lines.n;

	note_lines(m, t);
	if (before > m->core->has.inputs || m->lines.n <= m->core->has.inputs)
		return;
	visit_preds(m, note_lines);
	list_lines(m, &names);
	map_nofit(m, t->range,
		  "needs %" PRIu32 " external inputs (%s), and core %s selects %" PRIu32,
		  m->lines.n, names.failed ? "" : names.at, m->core->name, m->core->has.inputs);
	buf_free(&names);
}

static void check_known(struct map *m, const struct machine_term *t)
{
	const struct nfart_proto *p = m->spec->proto;

	for (uint32_t i = 0; i < m->lines.n; i++) {
		char name[80];
		if (!needs_slot(m, t, m->lines.slot[i]) ||
		    !is_group(m, m->lines.slot[i], ETM_GROUP_UNKNOWN))
			continue;
		proto_slot_name(p, m->lines.slot[i], name);
		map_nofit(m, t->range, "no manual says on which line of core %s this event is (%s)",
			  m->core->name, name);
		return;
	}
}

/* Warns once of a core whose number of inputs is not known. */
static void warn_lines(struct map *m, const struct machine_term *t)
{
	if (!m->core->bus_unknown || m->report->ninputs != 0)
		return;
	for (uint32_t i = 0; i < m->lines.n && m->report->ninputs == 0; i++)
		if (needs_slot(m, t, m->lines.slot[i]) &&
		    is_group(m, m->lines.slot[i], ETM_GROUP_PMU)) {
			diag_report(m->diags, DIAG_WARNING, "etm-inputs", t->range,
				    "how many external inputs core %s has is in no manual that was "
				    "seen: compare TRCIDR5 of the core", m->core->name);
			m->report->ninputs = 1;
		}
}

/* ---- comparators ---- */

static int fetch_slot(const struct map *m)
{
	for (uint32_t s = 0; s < m->spec->proto->nslots; s++)
		if (is_group(m, s, ETM_GROUP_FETCH))
			return (int)s;
	return -1;
}

static void add_range(struct map *m, struct map_range r)
{
	uint32_t i = 0;

	while (i < m->ranges.n && i < MAP_RANGES &&
	       (m->ranges.at[i].levels != r.levels || m->ranges.at[i].lo != r.lo ||
		m->ranges.at[i].hi != r.hi))
		i++;
	if (i < m->ranges.n && i < MAP_RANGES)
		return;
	if (m->ranges.n < MAP_RANGES)
		m->ranges.at[m->ranges.n] = r;
	m->ranges.n++;
}

static const struct spec_guarded *guarded(const struct map *m, pred_id_t p)
{
	for (size_t i = 0; i < m->spec->guards.guarded.n; i++)
		if (m->spec->guards.guarded.at[i].pred == p)
			return &m->spec->guards.guarded.at[i];
	return NULL;
}

static uint32_t levels_of(const struct map *m, const uint64_t *letters)
{
	uint32_t first = (uint32_t)fetch_slot(m) << m->spec->proto->header.op_bits, levels = 0;

	for (uint32_t i = 0; i < ETM_FETCH_LEVELS; i++)
		levels |= (uint32_t)bits_get(letters, first + i) << i;
	return levels;
}

/* Adds the comparator of a term with guards. */
static void note_guards(struct map *m, const struct machine_term *t, const struct spec_term *term)
{
	struct map_range r = { levels_of(m, term->codes), 0, ((uint64_t)1 << ETM_FETCH_BITS) - 1 };

	if (r.levels == 0)
		return;
	for (uint32_t i = 0; i < term->ntests; i++) {
		const struct spec_test *x = &term->tests[i];
		if (x->field != PROTO_ADDR || x->not || (x->mask & r.hi) >> 2 != r.hi >> 2) {
			map_nofit(m, t->range, "a comparator compares an address with one range, "
				  "without a mask and not inverted");
			return;
		}
		r.lo = x->lo > r.lo ? x->lo : r.lo;
		r.hi = x->hi < r.hi ? x->hi : r.hi;
	}
	add_range(m, r);
}

static void note_ranges(struct map *m, const struct machine_term *t)
{
	const struct spec_guarded *g = guarded(m, t->pred);
	uint32_t before = m->ranges.n;

	if (fetch_slot(m) < 0)
		return;
	if (g != NULL) {
		for (uint32_t i = 0; i < g->nterms; i++)
			note_guards(m, t, &g->terms[i]);
	} else if (levels_of(m, pred_of(m, t)->letters) != 0) {
		add_range(m, (struct map_range){ levels_of(m, pred_of(m, t)->letters), 0,
						 ((uint64_t)1 << ETM_FETCH_BITS) - 1 });
	}
	if (before <= m->core->has.ranges && m->ranges.n > m->core->has.ranges)
		map_nofit(m, t->range, "needs more range comparators than core %s has: %" PRIu32,
			  m->core->name, m->core->has.ranges);
}

static bool in_range(const struct map *m, const struct map_range *r, uint32_t level,
		     uint64_t header)
{
	const struct nfart_proto *p = m->spec->proto;
	uint64_t address = proto_line(p, header) << p->header.line_shift;

	return (r->levels >> level & 1) != 0 && address >= r->lo && address <= r->hi;
}

/* Adds what a fetch with this letter is to the comparators, unless another letter is the same. */
static void add_fetch(struct map *m, uint32_t letter, uint32_t level, uint64_t header)
{
	uint32_t ranges = 0, i = 0;

	for (uint32_t k = 0; k < m->ranges.n; k++)
		ranges |= (uint32_t)in_range(m, &m->ranges.at[k], level, header) << k;
	while (i < m->ranges.nfetches && m->ranges.fetch[i].ranges != ranges)
		i++;
	if (i < m->ranges.nfetches)
		return;
	m->ranges.fetch[i].ranges = (uint8_t)ranges;
	m->ranges.fetch[i].letter = letter;
	m->ranges.nfetches++;
}

static void list_fetches(struct map *m)
{
	const struct alphabet *a = &m->spec->preds.alphabet;
	uint32_t slot = (uint32_t)fetch_slot(m);

	m->ranges.fetch[0].ranges = 0;
	m->ranges.fetch[0].letter = UINT32_MAX;
	m->ranges.nfetches = 1;
	if (m->ranges.n == 0)
		return;
	for (uint32_t l = alphabet_next(a, slot, UINT32_MAX); l != UINT32_MAX;
	     l = alphabet_next(a, slot, l)) {
		uint32_t level = alphabet_code(a, l) & ((1u << m->spec->proto->header.op_bits) - 1);
		if (level < ETM_FETCH_LEVELS)
			add_fetch(m, l, level, alphabet_sample(a, l));
	}
}

/* ---- classes of lines ---- */

static void split_class(struct map *m, const struct machine_term *t)
{
	uint8_t hit = 0;

	for (uint32_t i = 0; i < m->lines.n; i++)
		hit |= (uint8_t)(needs_slot(m, t, m->lines.slot[i]) << i);
	for (uint32_t k = m->lines.nclasses; k-- > 0;)
		if ((m->lines.class[k] & hit) != 0 && (m->lines.class[k] & ~hit) != 0) {
			m->lines.class[m->lines.nclasses++] = m->lines.class[k] & (uint8_t)~hit;
			m->lines.class[k] &= hit;
		}
}

static void sort_lines(struct map *m)
{
	for (uint32_t i = 1; i < m->lines.n; i++)
		for (uint32_t k = i; k > 0 && m->lines.slot[k] < m->lines.slot[k - 1]; k--) {
			uint16_t x = m->lines.slot[k];
			m->lines.slot[k] = m->lines.slot[k - 1];
			m->lines.slot[k - 1] = x;
		}
}

/* ---- counters ---- */

/* The most events from one pulse of a counter that reloads itself to the next. */
static uint64_t most_events(const struct map *m)
{
	return ((uint64_t)1 << m->core->has.bits) - m->core->reading.zero;
}

static void check_counter(struct map *m, const struct machine_counter *c)
{
	uint64_t most = most_events(m), level = ((uint64_t)1 << m->core->has.bits) - 1;

	if (c->mode == COUNTER_PULSE)
		map_nofit(m, c->range,
			  "counter '%s' stays at its end after its pulse: a counter of "
			  "the trace unit begins anew ('roll') or shows a level ('latch')",
			  c->name);
	else if (c->mode == COUNTER_ROLL && c->k > most)
		map_nofit(m, c->range,
			  "counter '%s' counts to %" PRIu32 ", and a counter of core %s "
			  "has %" PRIu32 " bits: at most %" PRIu64,
			  c->name, c->k, m->core->name, m->core->has.bits, most);
	else if (c->mode == COUNTER_LATCH && c->k > level)
		map_nofit(m, c->range,
			  "counter '%s' counts to %" PRIu32 " and stays there, and a "
			  "counter of core %s has %" PRIu32 " bits: at most %" PRIu64,
			  c->name, c->k, m->core->name, m->core->has.bits, level);
}

static void list_counters(const struct map *m, struct buf *b)
{
	buf_addf(b, "%s", m->counters.time ? "of cycles" : "");
	for (size_t i = 0; i < m->machine->counters.n; i++)
		buf_addf(b, "%s'%s'", i > 0 || m->counters.time ? ", " : "",
			 m->machine->counters.at[i].name);
}

static void find_counters(struct map *m)
{
	const struct spec *s = m->spec;
	const struct machine *x = m->machine;
	uint64_t most = most_events(m);
	struct buf names = { 0 };

	m->counters.time = s->stream.tick != 0;
	m->counters.n = (uint32_t)x->counters.n + m->counters.time;
	if (m->counters.time && s->stream.tick > most)
		map_nofit(m, s->stream.tick_range,
			  "a period of %" PRIu64 " cycles: a counter of core %s has "
			  "%" PRIu32 " bits, so a period is at most %" PRIu64,
			  s->stream.tick, m->core->name, m->core->has.bits, most);
	for (size_t i = 0; i < x->counters.n; i++) {
		check_counter(m, &x->counters.at[i]);
		if (x->counters.at[i].mode == COUNTER_LATCH && map_counter(m, (uint32_t)i) < 32)
			m->counters.levels |= 1u << map_counter(m, (uint32_t)i);
	}
	if (m->counters.n <= m->core->has.counters)
		return;
	list_counters(m, &names);
	map_nofit(
		m,
		x->counters.n != 0 ? x->counters.at[x->counters.n - 1].range : s->stream.tick_range,
		"needs %" PRIu32 " counters (%s), and core %s has %" PRIu32
		"; a weight in a sum of events takes a counter of its own",
		m->counters.n, names.failed ? "" : names.at, m->core->name, m->core->has.counters);
	buf_free(&names);
}

void map_resources(struct map *m)
{
	find_counters(m);
	visit_preds(m, check_lines);
	if (m->lines.n <= m->core->has.inputs) {
		visit_preds(m, check_known);
		visit_preds(m, warn_lines);
		sort_lines(m);
		m->report->ninputs = m->lines.n;
		memcpy(m->report->slot, m->lines.slot, sizeof m->report->slot);
		m->lines.nclasses = m->lines.n != 0;
		m->lines.class[0] = (uint8_t)((1u << m->lines.n) - 1);
		visit_preds(m, split_class);
	}
	visit_preds(m, note_ranges);
	if (m->ranges.n <= m->core->has.ranges)
		list_fetches(m);
	m->report->time = m->counters.time;
	m->report->ncounters = m->counters.n;
	m->report->nranges = m->ranges.n;
}
