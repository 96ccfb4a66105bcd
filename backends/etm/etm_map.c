/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * The outline of the mapper: what the source may have, what the core must have, the truth table,
 * the cover, the registers.
 */
#include "backends/etm/etm_map.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

#include "backends/etm/map_int.h"

size_t map_nofit(struct map *m, struct diag_range at, const char *format, ...)
{
	char text[512];
	va_list ap;

	va_start(ap, format);
	vsnprintf(text, sizeof text, format, ap);
	va_end(ap);
	m->fits = false;
	return diag_report(m->diags, DIAG_ERROR, "no-fit", at, "%s", text);
}

/* Reports what else than one machine stands in the source. */
static void check_source(struct map *m)
{
	const struct spec *s = m->spec;
	const char *only =
		"a trace unit takes one machine: no filter, automaton, counter or log beside it";

	if (s->filters.n != 0)
		map_nofit(m, s->filters.at[0].range, "%s", only);
	if (s->automata.n != 0)
		map_nofit(m, s->automata.at[0].range, "%s", only);
	if (s->counters.n != 0)
		map_nofit(m, s->counters.at[0].range, "%s", only);
	if (s->log.rx != RX_NONE)
		map_nofit(m, s->nodes.at[s->log.rx].range, "%s", only);
	if (s->machines.n == 1 && s->machines.at[0].orders != 0)
		map_nofit(m, s->machines.at[0].range,
			  "a trace unit takes no machine with 'orders'");
	if (s->machines.n > 1)
		map_nofit(m, s->machines.at[1].range, "%s", only);
	if (s->machines.n == 0 && m->fits)
		map_nofit(m, (struct diag_range){ DIAG_NO_SOURCE, 0, 0 },
			  "a trace unit takes a machine, and the source has none");
	if (s->window.before != 0 || s->window.after != 0)
		map_nofit(m, s->window.range, "a trace unit keeps no batches, so it has no window");
	if (s->substreams.by_line)
		map_nofit(m, s->substreams.range,
			  "a trace unit has one copy of the machine, and no "
			  "substreams");
	if (s->stream.limit != 0)
		map_nofit(m, s->stream.limit_range,
			  "a trace unit does not stop after a number of batches");
	if (s->stream.end)
		map_nofit(m, s->stream.end_range, "a trace unit does not see the end of a stream");
}

static void check_protocol(struct map *m)
{
	const size_t prefix = strlen(ETM_PROTO_PREFIX);
	const char *name = m->spec->proto->name;

	if (strncmp(name, ETM_PROTO_PREFIX, prefix) != 0 ||
	    strcmp(name + prefix, m->core->name) != 0)
		map_nofit(m, m->machine->range,
			  "the machine is for protocol '%s', and core %s has the "
			  "events of '" ETM_PROTO_PREFIX "%s'",
			  name, m->core->name, m->core->name);
}

static void check_states(struct map *m)
{
	const struct machine *x = m->machine;
	uint32_t most = m->counters.levels == 0 ? m->core->has.states : ETM_MAP_STATES;

	if (x->states.n > most)
		map_nofit(m, x->states.at[most].range,
			  "needs %zu states, and the sequencer of core %s "
			  "has %" PRIu32,
			  x->states.n, m->core->name, m->core->has.states);
}

/* Returns the number in the name of an output out0 … out3, or -1. */
static int named_output(const char *name)
{
	return strncmp(name, "out", 3) == 0 && name[3] >= '0' && name[3] < '0' + ETM_OUTPUTS &&
			       name[4] == 0
		       ? name[3] - '0'
		       : -1;
}

/* Gives each output an external output: out0 … out3 the one that they name, and others the next
 * one that is free. */
static void find_outputs(struct map *m)
{
	const struct machine *x = m->machine;
	uint32_t n = 0, most = 0, taken = 0, next = 0;

	for (uint32_t o = 0; o < m->spec->outputs.n; o++)
		if (named_output(m->spec->outputs.at[o]) >= 0)
			taken |= 1u << named_output(m->spec->outputs.at[o]);
	for (uint32_t o = 0; o < m->spec->outputs.n; o++) {
		const char *name = m->spec->outputs.at[o];
		bool trace = strcmp(name, "trace") == 0;
		uint32_t pin = (uint32_t)named_output(name);

		while (next < ETM_OUTPUTS && (taken >> next & 1) != 0)
			next++;
		if (pin == UINT32_MAX && !trace)
			pin = next++;
		if (o <= ETM_OUTPUTS)
			m->report->output[o] = (uint8_t)(trace               ? ETM_MAP_TRACE
							 : pin < ETM_OUTPUTS ? pin
									     : 0);
		n += !trace;
		most = !trace && pin >= most ? pin + 1 : most;
	}
	if (n > m->core->has.outputs)
		map_nofit(m, x->range,
			  "needs %" PRIu32 " external outputs, and core %s has %" PRIu32, n,
			  m->core->name, m->core->has.outputs);
	else if (most > m->core->has.outputs)
		map_nofit(m, x->range,
			  "needs external output %" PRIu32 ", and core %s has 0 to %" PRIu32,
			  most - 1, m->core->name, m->core->has.outputs - 1);
}

/* ---- what no selectors can do ---- */

/* Finds a move of the machine that function `field` of the sequencer is for. */
static const struct machine_move *move_of(const struct map *m, uint32_t field, const uint8_t *q)
{
	for (size_t i = 0; i < m->machine->moves.n; i++) {
		const struct machine_move *v = &m->machine->moves.at[i];
		uint32_t s = v->from == MACHINE_ANY ? 0 : q[v->from], t = q[v->to];
		if (field >= FIELD_B ? s > t && field - FIELD_B < s && field - FIELD_B >= t
				     : s < t && field >= s && field < t)
			return v;
	}
	return NULL;
}

/* Reports a function that neither a selector nor a pair computes. */
static void report_field(struct map *m, uint32_t field, const uint8_t *q)
{
	const char *no = m->core->reading.delay
		? "in the reading of this core's description selectors see pulses of counters a "
		  "cycle late, and nothing else computes it"
		: "no selector and no pair of selectors computes it: a selector sees external "
		  "inputs, or counters and states, or comparators, and a pair combines two "
		  "selectors";
	const struct machine *x = m->machine;
	uint32_t c = (field - FIELD_COUNT) % ETM_COUNTERS - m->counters.time;

	if (field < FIELD_COUNT) {
		const struct machine_move *v = move_of(m, field, q);
		map_nofit(m, v != NULL ? v->range : x->range,
			  "when the sequencer moves here depends on too much; %s", no);
	} else if (field < FIELD_OUT && c < x->counters.n) {
		map_nofit(m, x->counters.at[c].range,
			  "when counter '%s' %s depends on too much; %s", x->counters.at[c].name,
			  field < FIELD_RELOAD ? "counts" : "is reset", no);
	} else {
		map_nofit(m, x->range, "when an output is on depends on too much; %s", no);
	}
}

/* Reports that there is no realisation. */
static void report_none(struct map *m, const struct map_choice *best)
{
	for (uint32_t i = 0; i < NFIELDS && m->fits; i++)
		if ((best->impossible >> i & 1) != 0)
			report_field(m, i, best->q);
	if (m->fits)
		map_nofit(m, m->machine->range,
			  "no assignment of the machine's states to states of the "
			  "sequencer has selectors for all its moves");
}

/* How many states that the same levels hold in share the sequencer's states? */
static void check_reached(struct map *m)
{
	const struct machine *x = m->machine;

	for (uint32_t i = 0; i < x->states.n; i++) {
		uint32_t same = 0;
		for (uint32_t k = 0; k <= i; k++)
			same += m->table.reached[i] && m->table.reached[k] &&
				m->table.level[k] == m->table.level[i];
		if (same == m->core->has.states + 1)
			map_nofit(m, x->states.at[i].range,
				  "needs %" PRIu32 " states of the sequencer, "
				  "and core %s has %" PRIu32,
				  same, m->core->name, m->core->has.states);
	}
}

/* Finds the fewest selectors for a truth table that is made here. With `robust` they are right
 * whatever the trace unit does at the points `priority` and `overlap`. */
static enum nfart_status cover_rows(struct map *m, bool robust, struct map_choice *best)
{
	enum nfart_status status;

	m->robust = robust || m->core->reading.priority;
	m->overlap = robust || m->core->reading.overlap;
	m->level_outputs = false;
	m->table = (struct map_table){ .n = 0 };
	status = map_rows(m);
	if (status == NFART_OK)
		check_reached(m);
	if (status != NFART_OK || !m->fits)
		return status != NFART_OK ? status : NFART_NOFIT;
	status = map_cover(m, UINT32_MAX, best);
	if (status == NFART_OK && best->cost == UINT32_MAX && m->counters.levels != 0) {
		m->level_outputs = true;
		status = map_cover(m, UINT32_MAX, best);
	}
	return status;
}

/* *best has the fewest selectors. Replaces it by a robust realisation if there is one with as many.
 * Else warns, and leaves m as the fewest selectors need it. */
static enum nfart_status prefer_robust(struct map *m, struct map_choice *best)
{
	const uint32_t most = m->core->has.selectors - 2;
	const struct map_choice fewest = *best;
	struct map_choice robust;
	enum nfart_status status = cover_rows(m, true, &robust);

	if (status == NFART_OK && robust.cost == fewest.cost) {
		*best = robust;
		return NFART_OK;
	}
	if (status == NFART_SYSTEM)
		return status;
	if (status != NFART_OK || robust.cost > most)
		diag_report(m->diags, DIAG_WARNING, "etm-priority", m->machine->range,
			    "these %" PRIu32 " selectors rely on what no published text settles "
			    "(readings 'priority' and 'overlap'), and none were found that do "
			    "not and fit core %s", fewest.cost, m->core->name);
	else
		diag_report(m->diags, DIAG_WARNING, "etm-priority", m->machine->range,
			    "these %" PRIu32 " selectors rely on what no published text settles "
			    "(readings 'priority' and 'overlap'); --layout=robust takes %" PRIu32
			    " and does not", fewest.cost, robust.cost);
	return cover_rows(m, false, best);
}

/* Takes a robust realisation, or that with the fewest selectors, as the layout asks for. */
static enum nfart_status choose_layout(struct map *m, enum etm_layout layout,
				       struct map_choice *best)
{
	const uint32_t most = m->core->has.selectors - 2;
	enum nfart_status status;

	if (layout != ETM_LAYOUT_FEWEST) {
		status = cover_rows(m, true, best);
		if (layout == ETM_LAYOUT_ROBUST || status == NFART_SYSTEM || !m->fits ||
		    (status == NFART_OK && best->cost <= most))
			return status;
	}
	status = cover_rows(m, false, best);
	return status == NFART_OK && best->cost <= most ? prefer_robust(m, best) : status;
}

static enum nfart_status realise(struct map *m, enum etm_layout layout, struct etm_regs *out)
{
	struct map_choice best = { .cost = UINT32_MAX };
	enum nfart_status status = choose_layout(m, layout, &best);

	if (status != NFART_OK)
		return status;
	if (best.cost == UINT32_MAX) {
		report_none(m, &best);
		return NFART_NOFIT;
	}
	if (best.cost > m->core->has.selectors - 2) {
		map_nofit(m, m->machine->range,
			  "needs %" PRIu32 " selectors, and core %s has %" PRIu32
			  " besides FALSE and TRUE",
			  best.cost, m->core->name, m->core->has.selectors - 2);
		return NFART_NOFIT;
	}
	map_regs_common(m, out);
	map_regs(m, &best, out);
	return NFART_OK;
}

static enum nfart_status map(struct map *m, const struct etm_map_options *o, struct etm_regs *out)
{
	enum nfart_status status;

	m->machine = &m->spec->machines.at[0];
	m->report->nstates = (uint32_t)m->machine->states.n;
	check_protocol(m);
	if (!m->fits)
		return NFART_NOFIT;
	map_resources(m);
	check_states(m);
	find_outputs(m);
	if (!m->fits)
		return NFART_NOFIT;
	if (o->layout != ETM_LAYOUT_AUTHORS)
		return realise(m, o->layout, out);
	status = map_rows(m);
	if (status == NFART_OK)
		check_reached(m);
	if (status != NFART_OK || !m->fits)
		return status != NFART_OK ? status : NFART_NOFIT;
	map_regs_common(m, out);
	map_authors(m, out);
	return m->fits ? NFART_OK : NFART_NOFIT;
}

enum nfart_status etm_map(const struct spec *s, const struct etm_core *core,
			  const struct etm_map_options *o, struct diags *d, struct etm_regs *out,
			  struct etm_report *report)
{
	struct map *m = calloc(1, sizeof *m);
	enum nfart_status status = NFART_NOFIT;

	memset(report, 0, sizeof *report);
	if (m == NULL)
		return NFART_SYSTEM;
	*m = (struct map){ .spec = s, .core = core, .diags = d, .report = report, .fits = true };
	check_source(m);
	if (m->fits)
		status = map(m, o, out);
	if (status == NFART_GAVEUP)
		diag_report(
			d, DIAG_ERROR, "gave-up", m->machine->range,
			"gave up: the machine has more than %d rows in its truth table, or more "
			"functions than can be tried",
			MAP_ROWS);
	arena_free(&m->arena);
	free(m);
	return d->failed ? NFART_SYSTEM : status;
}
