/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Makes the protocol of a core's events from its description. Each line of the bus is a slot, whose
 * channel is the number of the line, so that numbers of lines are written in one place only.
 */
#include <inttypes.h>
#include <string.h>

#include "contract/etm/etm_text.h"

/* The first line after `from` that an event has, or UINT32_MAX. *lines says how many follow. */
static uint32_t next_lines(const struct etm_core *core, uint32_t from, uint32_t *lines)
{
	uint32_t best = UINT32_MAX;

	*lines = 0;
	for (uint32_t i = 0; i < core->nevents; i++) {
		const struct etm_core_event *e = &core->event[i];
		if (!e->unknown && e->first >= from && e->first < best) {
			best = e->first;
			*lines = e->lines;
		}
	}
	return best;
}

/* Appends the slots of events whose lines are known. */
static void print_lines(const struct etm_core *core, struct buf *b)
{
	uint32_t n, at = next_lines(core, 0, &n);

	if (at == UINT32_MAX)
		return;
	buf_addf(b, ", " ETM_GROUP_PMU);
	for (; at != UINT32_MAX; at = next_lines(core, at + n, &n))
		buf_addf(b, " %" PRIu32 "..%" PRIu32, at, at + n - 1);
}

static uint32_t unknown_lines(const struct etm_core *core, uint32_t events)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < events; i++)
		n += core->event[i].unknown ? core->event[i].lines : 0;
	return n;
}

/* Appends the type of event i. */
static void print_event(const struct etm_core *core, uint32_t i, struct buf *b)
{
	const struct etm_core_event *e = &core->event[i];
	uint32_t first = e->unknown ? unknown_lines(core, i) : e->first;
	const char *bar = strchr(e->name, '_');

	buf_addf(b, "types %.*s from %s {\n\t%s 0 on ", (int)(bar - e->name), e->name,
		 e->unknown ? ETM_GROUP_UNKNOWN : ETM_GROUP_PMU, bar + 1);
	for (uint32_t k = 0; k < e->lines; k++)
		buf_addf(b, "%s%" PRIu32, k > 0 ? ", " : "", first + k);
	buf_addf(b, ";\n}\n");
}

/* Appends a model as an event of the protocol. A model with an event whose lines are unknown has
 * two senders, which an event of a protocol can't have; it is left out. */
static void print_model(const struct etm_core *core, const struct etm_core_model *m, struct buf *b)
{
	bool first = true;

	for (uint32_t i = 0; i < core->nevents; i++)
		if ((m->events >> i & 1) != 0 && core->event[i].unknown)
			return;
	buf_addf(b, "event %s from " ETM_GROUP_PMU " = ", m->name);
	for (uint32_t i = 0; i < core->nevents; i++)
		if ((m->events >> i & 1) != 0) {
			buf_addf(b, "%s%s", first ? "" : ", ", core->event[i].name);
			first = false;
		}
	buf_addf(b, ";\n");
}

void etm_core_protocol(const struct etm_core *core, struct buf *b)
{
	uint32_t unknown = unknown_lines(core, core->nevents);

	buf_addf(b, "protocol " ETM_PROTO_PREFIX "%s;\nheader 64;\nopcode 61..63;\nidle 7;\n"
		 "address 2..%d line 4;\ngroups " ETM_GROUP_FETCH,
		 core->name, ETM_FETCH_BITS - 1);
	if (core->cti != 0)
		buf_addf(b, ", " ETM_GROUP_CTI " 0..%" PRIu32, core->cti - 1);
	print_lines(core, b);
	if (unknown != 0)
		buf_addf(b, ", " ETM_GROUP_UNKNOWN " 0..%" PRIu32, unknown - 1);
	buf_addf(b, ";\ntypes FETCH from " ETM_GROUP_FETCH " {\n\t");
	for (int level = 0; level < ETM_FETCH_LEVELS; level++)
		buf_addf(b, "EL%d %d address;%s", level, level,
			 level < ETM_FETCH_LEVELS - 1 ? " " : "\n}\n");
	if (core->cti != 0)
		buf_addf(b, "types CTI from " ETM_GROUP_CTI " {\n\tTRIGGER 0;\n}\n");
	for (uint32_t i = 0; i < core->nevents; i++)
		print_event(core, i, b);
	for (uint32_t i = 0; i < core->nmodels; i++)
		print_model(core, &core->model[i], b);
}
