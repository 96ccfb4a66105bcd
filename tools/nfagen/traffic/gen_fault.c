/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include <string.h>

#include "tools/nfagen/traffic/gen_sim.h"

static const char *const FAULT_NAMES[GEN_FAULT_KINDS] = {
	[GEN_LOST_ACK] = "lost-ack",
	[GEN_DOUBLE_REQUEST] = "double-request",
	[GEN_WRONG_RESPONSE] = "wrong-response",
	[GEN_LOST_SAMPLES] = "lost-samples",
	[GEN_NEVER_COMPLETED] = "never-completed",
	[GEN_LOST_BLOCK] = "lost-block",
	[GEN_CREDIT_OVERRUN] = "credit-overrun",
	[GEN_DROPPED] = "dropped",
	[GEN_DOUBLED] = "doubled",
	[GEN_REPLACED] = "replaced",
};

const char *gen_fault_name(enum gen_fault_kind kind)
{
	return FAULT_NAMES[kind];
}

enum gen_fault_kind gen_fault_parse(const char *name, size_t n)
{
	int k = 0;

	while (k < GEN_FAULT_KINDS &&
	       (strlen(FAULT_NAMES[k]) != n || memcmp(FAULT_NAMES[k], name, n) != 0))
		k++;
	return (enum gen_fault_kind)k;
}

void sim_update_due(struct gen *g)
{
	uint64_t progress = sim_progress(g);

	g->fault.due = 0;
	g->fault.next = NEVER;
	for (uint32_t i = 0; i < g->o.fault.n; i++) {
		const struct gen_fault *f = &g->o.fault.list[i];
		if (!f->taken && f->at <= progress)
			g->fault.due |= 1u << f->kind;
		else if (!f->taken && f->at < g->fault.next)
			g->fault.next = f->at;
	}
}

struct gen_fault *sim_take_fault(struct gen *g, enum gen_fault_kind kind)
{
	uint64_t progress = sim_progress(g);

	if (!sim_is_due(g, kind) || g->gap.left > 0)
		return NULL;
	for (uint32_t i = 0; i < g->o.fault.n; i++) {
		struct gen_fault *f = &g->o.fault.list[i];
		if (f->kind == kind && !f->taken && f->at <= progress) {
			f->taken = true;
			g->fault.unshown++;
			sim_update_due(g);
			return f;
		}
	}
	return NULL;
}

void sim_show_fault(struct gen *g, enum gen_fault_kind kind, uint64_t time, uint32_t line)
{
	for (uint32_t i = 0; i < g->o.fault.n; i++) {
		struct gen_fault *f = &g->o.fault.list[i];
		if (f->kind != kind || !f->taken || f->shown)
			continue;
		f->shown = true;
		g->fault.unshown--;
		f->time = time;
		f->address = sim_line(g, line) << g->codec.proto->header.line_shift;
		return;
	}
}
