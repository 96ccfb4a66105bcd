/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * The register values of a program as a table for people, and as JSON. Both can be read back
 * (contract/etm/etm_dump.h).
 */
#include <inttypes.h>
#include <string.h>

#include "backends/etm/etm.h"
#include "support/escape.h"

/* ---- what a register's value means ---- */

/* What a row says of the machine. */
struct words {
	const struct target_job *job;
	const struct etm_program *p;
	struct buf *b;
	bool first; /* nothing was appended yet */
};

static const struct machine *machine_of(const struct target_job *job)
{
	return &job->spec->machines.at[0];
}

/* Appends the states of the machine that are sequencer state q. */
static void states_at(struct words *w, uint32_t q)
{
	const struct machine *m = machine_of(w->job);
	const char *bar = "";

	for (uint32_t i = 0; i < m->states.n; i++)
		if (w->p->report.state[i] == q) {
			buf_addf(w->b, "%s%s", bar, m->states.at[i].name);
			bar = "|";
		}
	if (bar[0] == 0)
		buf_addf(w->b, "state %" PRIu32, q);
}

static const char *counter_name(const struct words *w, uint32_t i)
{
	const struct machine *m = machine_of(w->job);
	uint32_t c = i - w->p->report.time;

	return w->p->report.time && i == 0 ? "tick"
	       : c < m->counters.n         ? m->counters.at[c].name
					   : "?";
}

/* Appends resource `bit` of a group. */
static void resource(struct words *w, uint32_t group, uint32_t bit)
{
	char name[80];

	if (group == ETM_GROUP_EXTIN && bit < w->p->report.ninputs) {
		proto_slot_name(w->job->spec->proto, w->p->report.slot[bit], name);
		buf_addf(w->b, "%s", name);
	} else if (group == ETM_GROUP_CNTSEQ && bit < ETM_COUNTERS) {
		buf_addf(w->b, "@%s", counter_name(w, bit));
	} else if (group == ETM_GROUP_CNTSEQ) {
		states_at(w, bit - ETM_COUNTERS);
	} else {
		buf_addf(w->b, "%s %" PRIu32, group == ETM_GROUP_RANGE ? "range" : "input", bit);
	}
}

static void selector(struct words *w, uint32_t value)
{
	uint32_t mask = ETM_GET(TRCRSCTLR, SELECT, value), group = ETM_GET(TRCRSCTLR, GROUP, value);
	const char *bar = "";

	if (ETM_GET(TRCRSCTLR, PAIRINV, value) != 0)
		buf_addf(w->b, "pair inverted; ");
	if (mask == 0) {
		buf_addf(w->b, "unused");
		return;
	}
	buf_addf(w->b, "%s", ETM_GET(TRCRSCTLR, INV, value) != 0 ? "not (" : "");
	for (uint32_t i = 0; i < 16; i++)
		if ((mask >> i & 1) != 0) {
			buf_addf(w->b, "%s", bar);
			resource(w, group, i);
			bar = " or ";
		}
	buf_addf(w->b, "%s", ETM_GET(TRCRSCTLR, INV, value) != 0 ? ")" : "");
}

static void event(struct words *w, const char *what, uint32_t e)
{
	buf_addf(w->b, "%s%s ", w->first ? "" : ", ", what);
	w->first = false;
	if (e == 0 || e == 1)
		buf_addf(w->b, e == 0 ? "never" : "always");
	else if ((e & ETM_EVENT_PAIR) != 0)
		buf_addf(w->b, "selectors %" PRIu32 ",%" PRIu32, 2 * (e & 0xf), 2 * (e & 0xf) + 1);
	else
		buf_addf(w->b, "selector %" PRIu32, e);
}

static void step(struct words *w, uint32_t i, uint32_t value)
{
	char text[32];

	snprintf(text, sizeof text, "%" PRIu32 " to %" PRIu32 ":", i, i + 1);
	event(w, text, ETM_GET(TRCSEQEVR, F, value));
	snprintf(text, sizeof text, "back:");
	event(w, text, ETM_GET(TRCSEQEVR, B, value));
}

static void counter(struct words *w, uint32_t value)
{
	event(w, "counts:", ETM_GET(TRCCNTCTLR, CNTEVENT, value));
	if (ETM_GET(TRCCNTCTLR, CNTCHAIN, value) != 0)
		buf_addf(w->b, " and reloads of the counter below");
	event(w, "reloads:", ETM_GET(TRCCNTCTLR, RLDEVENT, value));
	buf_addf(w->b, ETM_GET(TRCCNTCTLR, RLDSELF, value) != 0 ? " and itself" : "");
}

static void outputs(struct words *w, uint32_t value)
{
	for (uint32_t i = 0; i < ETM_OUTPUTS; i++) {
		uint32_t e = value >> i * ETM_TRCEVENTCTL0R_EVENT0_WIDTH & 0xff;
		char text[80];
		const char *name = "output";
		for (size_t o = 0; o < w->job->spec->outputs.n; o++)
			if (w->p->report.output[o] == i)
				name = w->job->spec->outputs.at[o];
		snprintf(text, sizeof text, "%.40s (%" PRIu32 "):", name, i);
		if (e != 0)
			event(w, text, e);
	}
}

/* Appends the inputs that a register chooses: for ETE one, else all. */
static void inputs(struct words *w, uint32_t index)
{
	bool ete = etm_options(w->job)->core->ete;
	uint32_t n = ete ? index + 1 : w->p->report.ninputs;

	for (uint32_t i = index; i < n; i++) {
		buf_addf(w->b, "%s", i > index ? ", " : "");
		resource(w, ETM_GROUP_EXTIN, i);
	}
}

/* Appends what the value of a register means in the words of the source; nothing if there is
 * nothing to say. */
static void meaning(struct words *w, const struct etm_reg *reg, uint32_t i, uint64_t v)
{
	uint32_t value = (uint32_t)v;

	w->first = true;
	if (reg->member == offsetof(struct etm_regs, rsctl))
		selector(w, value);
	else if (reg->member == offsetof(struct etm_regs, seqev))
		step(w, i, value);
	else if (reg->member == offsetof(struct etm_regs, seqrstev))
		event(w, "to 0:", value);
	else if (reg->member == offsetof(struct etm_regs, seqst))
		states_at(w, value);
	else if (reg->member == offsetof(struct etm_regs, cntctl))
		counter(w, value);
	else if (reg->member == offsetof(struct etm_regs, cntrldv))
		buf_addf(w->b, "%s", i < w->p->report.ncounters ? counter_name(w, i) : "unused");
	else if (reg->member == offsetof(struct etm_regs, eventctl0))
		outputs(w, value);
	else if (reg->member == offsetof(struct etm_regs, victl))
		event(w, "traced:", ETM_GET(TRCVICTLR, EVENT, value));
	else if (reg->member == offsetof(struct etm_regs, extinsel))
		inputs(w, i);
}

/* ---- the events of the inputs ---- */

/* Returns the event that input i sees, or NULL. *number is the input's number. */
static const struct etm_core_event *event_of(const struct words *w, uint32_t i, uint32_t *number)
{
	const struct etm_core *core = etm_options(w->job)->core;
	uint32_t line;

	*number = core->ete ? w->p->regs.extinsel[i]
			    : w->p->regs.extinsel[0] >> i * ETM_TRCEXTINSELR_SEL0_WIDTH &
				      ETM_MASK(TRCEXTINSELR, SEL0);
	if (!core->ete && *number < core->cti)
		return NULL;
	line = core->ete ? *number : *number - core->cti;
	for (uint32_t k = 0; k < core->nevents; k++) {
		const struct etm_core_event *e = &core->event[k];

		if (!e->unknown && line >= e->first && line - e->first < e->lines)
			return e;
	}
	return NULL;
}

/* A comment for each input: its event, and the number by which performance monitors count it. */
static void list_events(const struct words *w)
{
	for (uint32_t i = 0; i < w->p->report.ninputs; i++) {
		uint32_t number;
		const struct etm_core_event *e = event_of(w, i, &number);

		if (e == NULL)
			continue;
		buf_addf(w->b, "# input %" PRIu32 ": %s", number, e->name);
		if (e->number != ETM_CORE_NO_NUMBER)
			buf_addf(w->b, ", event 0x%02" PRIx32 " of performance monitors",
				 e->number);
		buf_addf(w->b, "\n");
	}
}

/* ---- the table ---- */

static void row(void *ctx, const struct etm_reg *reg, uint32_t index, uint32_t offset,
		uint64_t value)
{
	struct words *w = ctx;
	struct buf name = { 0 };

	etm_reg_name(etm_options(w->job)->core, reg, index, &name);
	buf_addf(w->b, "0x%03" PRIx32 "  %-15s 0x%0*" PRIx64, offset, name.failed ? "" : name.at,
		 reg->size == 8 ? 16 : 8, value);
	size_t before = w->b->n;
	buf_addf(w->b, "  ");
	meaning(w, reg, index, value);
	if (w->b->n == before + 2)
		w->b->n = before;
	buf_addf(w->b, "\n");
	buf_free(&name);
}

static void channel_row(void *ctx, const char *name, uint32_t offset, uint32_t value)
{
	struct words *w = ctx;

	buf_addf(w->b, "0x%03" PRIx32 "  %-15s 0x%08" PRIx32 "\n", offset, name, value);
}

/* Calls `core` for each core, or once without --cores. */
static void each_core(struct words *w, void (*core)(struct words *w, uint32_t core))
{
	const struct etm_program *p = w->p;

	for (uint32_t i = 0; i == 0 || i < etm_options(w->job)->cores; i++) {
		struct etm_program own = etm_program_of(w->job, i);

		w->p = &own;
		core(w, i);
	}
	w->p = p;
}

static void core_rows(struct words *w, uint32_t core)
{
	bool several = etm_options(w->job)->cores != 0;

	if (several)
		buf_addf(w->b, "# core %" PRIu32 "\n", core);
	etm_visit(etm_options(w->job)->core, w->p, row, w);
	if (several)
		etm_visit_channels(w->p, channel_row, w);
}

void etm_emit_table(const struct target_job *job, struct buf *b)
{
	const struct etm_program *p = job->made.own;
	const struct etm_report *r = &p->report;
	struct words w = { .job = job, .p = p, .b = b };

	buf_addf(b, "# machine %s on core %s: %" PRIu32 " selectors (%" PRIu32 " pairs), %" PRIu32
		 " counters, %" PRIu32 " external inputs\n", machine_of(job)->name,
		 etm_options(job)->core->name, r->selectors, r->pairs, r->ncounters, r->ninputs);
	list_events(&w);
	each_core(&w, core_rows);
}

/* ---- JSON ---- */

static void json_put_string(struct buf *b, const char *s)
{
	escape_json(b, s, strlen(s));
}

static void json_row(void *ctx, const struct etm_reg *reg, uint32_t index, uint32_t offset,
		     uint64_t value)
{
	struct words *w = ctx;

	buf_addf(w->b, "%s\t\t{ \"name\": \"", w->first ? "" : ",\n");
	w->first = false;
	etm_reg_name(etm_options(w->job)->core, reg, index, w->b);
	buf_addf(w->b, "\", \"value\": \"0x%" PRIx64 "\", \"offset\": %" PRIu32 " }", value,
		 offset);
}

static void json_channel(void *ctx, const char *name, uint32_t offset, uint32_t value)
{
	struct words *w = ctx;

	buf_addf(w->b, "%s\t\t{ \"name\": \"%s\", \"value\": \"0x%" PRIx32
		 "\", \"offset\": %" PRIu32 " }", w->first ? "" : ",\n", name, value, offset);
	w->first = false;
}

static void json_core(struct words *w, uint32_t core)
{
	buf_addf(w->b, "%s\t{ \"core\": %" PRIu32 ", \"registers\": [\n", core == 0 ? "" : ",\n",
		 core);
	w->first = true;
	etm_visit(etm_options(w->job)->core, w->p, json_row, w);
	buf_addf(w->b, "\n\t], \"channels\": [\n");
	w->first = true;
	etm_visit_channels(w->p, json_channel, w);
	buf_addf(w->b, "\n\t] }");
}

static void json_states(const struct target_job *job, struct buf *b)
{
	const struct etm_program *p = job->made.own;
	const struct machine *m = machine_of(job);

	buf_addf(b, "\t\"states\": {");
	for (uint32_t i = 0; i < m->states.n; i++) {
		buf_addf(b, "%s ", i > 0 ? "," : "");
		json_put_string(b, m->states.at[i].name);
		buf_addf(b, ": %d", p->report.state[i]);
	}
	buf_addf(b, " },\n\t\"outputs\": {");
	for (size_t i = 0; i < job->spec->outputs.n; i++) {
		buf_addf(b, "%s ", i > 0 ? "," : "");
		json_put_string(b, job->spec->outputs.at[i]);
		if (p->report.output[i] == ETM_MAP_TRACE)
			buf_addf(b, ": \"trace\"");
		else
			buf_addf(b, ": %d", p->report.output[i]);
	}
	buf_addf(b, " },\n");
}

static void json_events(const struct words *w)
{
	const char *between = "";

	buf_addf(w->b, "\t\"inputs\": [");
	for (uint32_t i = 0; i < w->p->report.ninputs; i++) {
		uint32_t number;
		const struct etm_core_event *e = event_of(w, i, &number);

		buf_addf(w->b, "%s { \"input\": %" PRIu32, between, number);
		if (e != NULL)
			buf_addf(w->b, ", \"event\": \"%s\"", e->name);
		if (e != NULL && e->number != ETM_CORE_NO_NUMBER)
			buf_addf(w->b, ", \"number\": %" PRIu32, e->number);
		buf_addf(w->b, " }");
		between = ",";
	}
	buf_addf(w->b, " ],\n");
}

void etm_emit_json(const struct target_job *job, struct buf *b)
{
	const struct etm_program *p = job->made.own;
	struct words w = { .job = job, .p = p, .b = b, .first = true };

	buf_addf(b, "{\n\t\"machine\": ");
	json_put_string(b, machine_of(job)->name);
	buf_addf(b, ",\n\t\"core\": ");
	json_put_string(b, etm_options(job)->core->name);
	buf_addf(b, ",\n\t\"selectors\": %" PRIu32 ",\n\t\"pairs\": %" PRIu32 ",\n",
		 p->report.selectors, p->report.pairs);
	json_states(job, b);
	json_events(&w);
	if (etm_options(job)->cores != 0) {
		buf_addf(b, "\t\"cores\": [\n");
		each_core(&w, json_core);
		buf_addf(b, "\n\t]\n}\n");
		return;
	}
	buf_addf(b, "\t\"registers\": [\n");
	etm_visit(etm_options(job)->core, p, json_row, &w);
	buf_addf(b, "\n\t]\n}\n");
}
