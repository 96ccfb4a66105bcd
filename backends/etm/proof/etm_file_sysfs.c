/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Reads back the script for Linux's sysfs (etm_files.h), as the attributes of the trace unit and of
 * the cross-trigger interface are documented: what follows from each line is kept, as the driver
 * keeps it until the unit is enabled.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "backends/etm/proof/etm_files.h"
#include "contract/etm/cti.h"

/* What an attribute writes. */
struct attribute {
	const char *name, *reg;
	enum { PLAIN, BY_SEQ, BY_COUNTER, BY_SELECTOR, BY_ADDRESS } index;
	uint32_t bits, shift; /* of the value, and where they stand */
};

static const struct attribute attributes[] = {
	{ "seq_event", "TRCSEQEVR0", BY_SEQ, 16, 0 },
	{ "seq_reset_event", "TRCSEQRSTEVR", PLAIN, 8, 0 },
	{ "seq_state", "TRCSEQSTR", PLAIN, 2, 0 },
	{ "cntrldvr", "TRCCNTRLDVR0", BY_COUNTER, 16, 0 },
	{ "cntr_val", "TRCCNTVR0", BY_COUNTER, 16, 0 },
	{ "cntr_ctrl", "TRCCNTCTLR0", BY_COUNTER, 32, 0 },
	{ "res_ctrl", "TRCRSCTLR0", BY_SELECTOR, 22, 0 },
	{ "addr_single", "TRCACVR0", BY_ADDRESS, 64, 0 },
	{ "addr_exlevel_s_ns", "TRCACATR0", BY_ADDRESS, 7, ETM_TRCACATR_EXLEVEL_LSB },
	{ "event", "TRCEVENTCTL0R", PLAIN, 32, 0 },
	{ "event_instren", "TRCEVENTCTL1R", PLAIN, 4, 0 },
	{ "event_vinst", "TRCVICTLR", PLAIN, 8, 0 },
};

struct script {
	struct etm_file *f;
	uint64_t index[BY_ADDRESS + 1]; /* the index that was chosen last */
	enum { STOPPED = 1, RESET, PROGRAMMED } stage;
	/* Channels of the cross-trigger interface. */
	unsigned gate_closed, gate_opened, in[CTI_CHANNELS], out[CTI_CHANNELS];
	bool enabled;
};

static const struct etm_reg *register_of(const char *name)
{
	uint32_t index;

	return etm_reg_find(name, strlen(name), &index);
}

/* How many registers an index can choose from, and which is the first. */
static void index_range(const struct etm_core *core, int which, uint64_t *first, uint64_t *n)
{
	*first = which == BY_SELECTOR ? 2 : 0;
	*n = which == BY_SEQ       ? core->has.states - 1
	     : which == BY_COUNTER ? core->has.counters
	     : which == BY_SELECTOR ? core->has.selectors
				   : 2 * core->has.ranges;
}

/* `reset` and `mode` program nothing; the start/stop logic is on if the mode says so. */
static void reset_line(struct script *s, const char *name, uint64_t value)
{
	bool mode = strcmp(name, "mode") == 0;

	if (s->stage != (mode ? RESET : STOPPED) || value != (mode ? 0x8000000u : 1u))
		etm_file_wrong(s->f, "it writes 0x%" PRIx64 " to %s out of order", value, name);
	s->stage = mode ? PROGRAMMED : RESET;
}

static void write_attribute(struct script *s, const struct attribute *a, uint64_t value)
{
	const struct etm_reg *r = register_of(a->reg);
	uint32_t index = a->index == PLAIN ? 0 : (uint32_t)s->index[a->index];

	if (a->bits < 64 && value >> a->bits != 0)
		etm_file_wrong(s->f, "%s has %" PRIu32 " bits: 0x%" PRIx64, a->name, a->bits,
			       value);
	if (r == register_of("TRCVICTLR") && value != 0)
		value |= ETM_PUT(TRCVICTLR, SSSTATUS, 1);
	if (r == register_of("TRCRSCTLR0") && index % 2 != 0)
		value &= ~(uint64_t)ETM_PUT(TRCRSCTLR, PAIRINV, 1);
	etm_file_state(s->f, r->offset + index * r->stride, value << a->shift);
}

static void etm_line(struct script *s, const char *name, size_t n, uint64_t value)
{
	static const char *const indices[] = { NULL, "seq_idx", "cntr_idx", "res_idx", "addr_idx" };
	uint64_t first, end;

	if (n == 13 && strncmp(name, "enable_source", n) == 0) {
		if (s->stage != 0 || value != 0)
			etm_file_wrong(s->f, "it starts a trace unit while it programs it");
		s->stage = STOPPED;
		return;
	}
	if (n == 5 && strncmp(name, "reset", n) == 0) {
		reset_line(s, "reset", value);
		return;
	}
	if (n == 4 && strncmp(name, "mode", n) == 0) {
		reset_line(s, "mode", value);
		return;
	}
	if (s->stage != PROGRAMMED)
		etm_file_wrong(s->f, "it programs a trace unit that was not stopped and reset");
	for (int i = BY_SEQ; i <= BY_ADDRESS; i++) {
		if (strlen(indices[i]) != n || strncmp(name, indices[i], n) != 0)
			continue;
		index_range(s->f->core, i, &first, &end);
		if (value < first || value >= end)
			etm_file_wrong(s->f, "%s is %" PRIu64, indices[i], value);
		s->index[i] = value < 32 ? value : 0;
		return;
	}
	for (size_t i = 0; i < sizeof attributes / sizeof *attributes; i++)
		if (strlen(attributes[i].name) == n && strncmp(name, attributes[i].name, n) == 0) {
			write_attribute(s, &attributes[i], value);
			return;
		}
	etm_file_wrong(s->f, "nothing is known of the attribute %.*s", (int)n, name);
}

/* A line that writes to the cross-trigger interface: a channel, maybe with a trigger. */
static void cti_line(struct script *s, const char *name, uint64_t channel, uint64_t trigger)
{
	if (strncmp(name, "enable\"", 7) == 0) {
		s->enabled = channel == 1;
		return;
	}
	if (channel >= CTI_CHANNELS || trigger >= CTI_TRIGGERS)
		etm_file_wrong(s->f, "there is no channel %" PRIu64 " with trigger %" PRIu64,
			       channel, trigger);
	else if (strncmp(name, "channels/chan_gate_disable\"", 27) == 0)
		s->gate_closed |= 1u << channel;
	else if (strncmp(name, "channels/chan_gate_enable\"", 26) == 0)
		s->gate_opened |= 1u << channel;
	else if (((s->gate_closed | s->gate_opened) >> channel & 1) == 0)
		etm_file_wrong(s->f, "channel %" PRIu64 " is connected before its gate is set",
			       channel);
	else if (s->f->cores == 0 && (s->gate_closed >> channel & 1) == 0)
		etm_file_wrong(s->f, "channel %" PRIu64 " has an open gate", channel);
	else if (strncmp(name, "channels/trigin_attach\"", 23) == 0)
		s->in[channel] |= 1u << trigger;
	else if (strncmp(name, "channels/trigout_attach\"", 24) == 0)
		s->out[channel] |= 1u << trigger;
}

/* An external output that is used must lead to CTIIRQ, and nothing else may. */
static void check_routing(struct script *s)
{
	unsigned used = 0, led = 0;

	for (unsigned i = 0; i < ETM_OUTPUTS; i++)
		used |= (unsigned)((s->f->want->eventctl0[0] >> (8 * i) & 0xff) != 0) << i;
	for (unsigned c = 0; c < CTI_CHANNELS; c++)
		if ((s->out[c] >> CTI_IRQ_OUTPUT & 1) != 0)
			led |= s->in[c] >> CTI_ETM_INPUT;
	if (used != led || (used != 0 && !s->enabled))
		etm_file_wrong(s->f, "external outputs 0x%x are used, and 0x%x lead to CTIIRQ",
			       used, led);
}

/* All cores are connected alike, and the gates are open at first. */
static void check_cores(struct script *s)
{
	struct etm_file *f = s->f;
	const char *number = strstr(f->text, "\n[ $# -eq ");
	uint64_t cores = 0;

	if (number == NULL || etm_file_number(number, "\n[ $# -eq ", &cores, " ] || ") == NULL ||
	    cores != f->cores)
		etm_file_wrong(f, "it takes %" PRIu64 " cores, and not %" PRIu32, cores, f->cores);
	f->blocks = f->cores;
	for (uint32_t i = 0; i < f->cores; i++) {
		struct cti_map *m = &f->map[i];

		memset(&f->stated_map[i], 1, sizeof f->stated_map[i]); /* the driver writes all */
		m->control = s->enabled;
		m->gate = ((1u << CTI_CHANNELS) - 1) & ~(s->gate_closed & ~s->gate_opened);
		for (unsigned c = 0; c < CTI_CHANNELS; c++)
			for (unsigned t = 0; t < CTI_TRIGGERS; t++) {
				m->in[t] |= (s->in[c] >> t & 1) << c;
				m->out[t] |= (s->out[c] >> t & 1) << c;
			}
	}
	if ((s->gate_closed & s->gate_opened) != 0)
		etm_file_wrong(f, "it opens and closes the gate of channels 0x%x",
			       s->gate_closed & s->gate_opened);
}

/* What `reset` clears, and what the driver sets as perf asks for. TRCEXTINSELR has no
 * attribute, and comes from the module. */
static void state_rest(struct etm_file *f)
{
	for (const struct etm_reg *r = etm_reg_table; r->name != NULL; r++)
		for (uint32_t i = 0; i < r->count; i++) {
			bool drivers = strcmp(r->name, "TRCCONFIGR") == 0 ||
				       strcmp(r->name, "TRCSYNCPR") == 0 ||
				       strcmp(r->name, "TRCTRACEIDR") == 0 ||
				       strcmp(r->name, "TRCEXTINSELR") == 0;

			if (etm_reg_get(&f->stated, r, i) == 0)
				etm_file_state(f, r->offset + i * r->stride,
					       drivers ? etm_reg_get(f->want, r, i) : 0);
		}
}

void etm_file_sysfs(struct etm_file *f)
{
	struct script s = { .f = f };
	const char *started = strstr(f->text, "\techo 1 >\"$devices/etm$cpu/enable_source\"\n"),
		   *sink = strstr(f->text, "\necho 1 >\"$devices/$sink/enable_sink\"\n");

	for (const char *at = f->text; (at = strstr(at, "\techo ")) != NULL; at++) {
		uint64_t value, trigger = 0;
		char *end;
		const char *to;

		value = strtoull(at + 6, &end, 0);
		if (*end == ' ' && end[1] != '>')
			trigger = strtoull(end + 1, &end, 0);
		if ((to = strncmp(end, " >\"$etm/", 8) == 0 ? end + 8 : NULL) != NULL)
			etm_line(&s, to, strcspn(to, "\""), value);
		else if ((to = strncmp(end, " >\"$cti/", 8) == 0 ? end + 8 : NULL) != NULL)
			cti_line(&s, to, value, trigger);
	}
	if (s.stage != PROGRAMMED || started == NULL || sink == NULL || sink > started)
		etm_file_wrong(f, "it does not enable a sink and then the trace unit");
	check_routing(&s);
	if (f->cores != 0)
		check_cores(&s);
	if (f->wrong.n == 0)
		state_rest(f);
}
