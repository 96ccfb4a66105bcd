/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "compiler/coherence/effect.h"

#include <inttypes.h>

#include "support/buf.h"

static void warn_values(const struct coh *c, const struct coh_system *s, struct diags *d)
{
	const char *nothing = c->rules ? "no run of the rules" : "no legal combination";

	for (uint32_t i = 0; i < c->nvars; i++) {
		const struct coh_var *v = &c->vars[i];

		for (uint32_t k = 0; k < v->nvalues; k++)
			if ((s->values[i] >> k & 1) == 0)
				diag_report(d, DIAG_WARNING, "unreached", v->ranges[k],
					    "%s gives '%s' the value '%s'", nothing, v->name,
					    v->values[k]);
	}
}

/* Warns of a rule as it is written: of rules [from, end), one for each event. */
static void warn_rule(const struct coh *c, const struct coh_system *s, size_t from, size_t end,
		      struct diags *d)
{
	const struct coh_rule *r = &c->list.at[from];
	struct buf events = { 0 };
	size_t n = 0;

	for (size_t i = from; i < end; i++)
		if (!s->used.at[i]) {
			if (r->kind != COH_STEP)
				buf_addf(&events, "%s%s", n == 0 ? "" : ", ",
					 coh_event_name(c, c->list.at[i].event));
			n++;
		}
	if (n != 0 && r->kind == COH_STEP)
		diag_report(d, DIAG_WARNING, "unreached", r->range,
			    "no run changes a variable by this rule");
	else if (n != 0 && !events.failed && r->kind == COH_MESSAGE)
		diag_report(d, DIAG_WARNING, "unreached", r->range,
			    "no legal combinations can be before and after %s: to the checker "
			    "it is always an error", events.at);
	else if (n != 0 && !events.failed)
		diag_report(d, DIAG_WARNING, "unreached", r->range,
			    "no run of the rules %s %s by this rule",
			    r->kind == COH_SEND ? "sends" : "receives", events.at);
	buf_free(&events);
}

/* Warns if a node could send more than it may. */
static void warn_flight(const struct coh *c, const struct coh_system *s, uint32_t node,
			struct diags *d)
{
	const struct diag_range *said = &c->net.flight_range[node];
	const char *name = c->net.names[node];
	const struct coh_rule *r;
	size_t record;

	if (s->blocked[node] == COH_NONE)
		return;
	r = &c->list.at[s->blocked[node]];
	record = diag_report(d, DIAG_WARNING, "flight", r->range,
			     "%s could send %s with %" PRIu32 " of its messages under way, but "
			     "'flight' allows no more: the checker may have false alarms",
			     name, coh_event_name(c, r->event), c->net.flight[node]);
	if (said->end != said->begin)
		diag_note(d, record, *said, "'flight' is said here");
	else if (c->net.flight[node] < COH_FLIGHT)
		diag_note(d, record, r->range, "'flight %s NUMBER' allows more, at most %d", name,
			  COH_FLIGHT);
}

void effect_warn(const struct coh *c, const struct coh_system *s, struct diags *d)
{
	size_t end;

	for (uint32_t node = 0; node < c->net.nnodes; node++)
		warn_flight(c, s, node, d);
	warn_values(c, s, d);
	for (size_t i = 0; i < c->list.n; i = end) {
		for (end = i + 1; end < c->list.n &&
				  c->list.at[end].range.begin == c->list.at[i].range.begin;)
			end++;
		warn_rule(c, s, i, end, d);
	}
}
