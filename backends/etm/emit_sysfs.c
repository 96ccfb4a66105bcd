/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * A script that programs the trace units of cores through Linux's sysfs, and routes the external
 * outputs through the CTI to the core's interrupt. The names of attributes are those of
 * drivers/hwtracing/coresight/coresight-etm4x-sysfs.c and coresight-cti-sysfs.c.
 */
#include <inttypes.h>

#include "backends/etm/etm.h"
#include "contract/etm/cti.h"

static const char head[] =
"#!/bin/sh\n# SPDX-License" "-Identifier: BSD-2-Clause\n"
"# Made by nfacc: machine %s for the trace unit of core %s.\n"
"# usage: SCRIPT CPU..., as root. Linux has no driver for the interrupt of the CTI (CTIIRQ): a module has\n"
"# to take it. The core's events reach the trace unit while PMCR_EL0.X is set, which Linux clears.\n"
"set -eu\ndevices=${CORESIGHT:-/sys/bus/coresight/devices}\n"
"[ $# -gt 0 ] || { echo \"usage: $0 CPU...\" >&2; exit 2; }\n";

/* TRCEXTINSELR has no attribute. */
static const char inputs[] =
"# No attribute writes TRCEXTINSELR: the module of `nfacc --emit=cscfg` does.\n"
"config=${CONFIGFS:-/sys/kernel/config}/cs-syscfg/configurations/%s\n"
"[ -d \"$config\" ] || {\n"
"\techo \"$0: TRCEXTINSELR has no attribute in sysfs: load the module of nfacc --emit=cscfg\" >&2\n"
"\texit 1\n}\n";

static void put(struct buf *b, const char *attribute, uint64_t value)
{
	buf_addf(b, "\techo 0x%" PRIx64 " >\"$etm/%s\"\n", value, attribute);
}

static void sequencer(const struct etm_core *core, const struct etm_regs *r, struct buf *b)
{
	for (uint32_t i = 0; i < core->has.states - 1; i++) {
		put(b, "seq_idx", i);
		put(b, "seq_event", r->seqev[i]);
	}
	put(b, "seq_reset_event", r->seqrstev[0]);
	put(b, "seq_state", r->seqst[0]);
}

static void counters(const struct etm_core *core, const struct etm_regs *r, struct buf *b)
{
	for (uint32_t i = 0; i < core->has.counters; i++) {
		put(b, "cntr_idx", i);
		put(b, "cntrldvr", r->cntrldv[i]);
		put(b, "cntr_val", r->cntv[i]);
		put(b, "cntr_ctrl", r->cntctl[i]);
	}
}

static void selectors(const struct etm_core *core, const struct etm_regs *r, struct buf *b)
{
	for (uint32_t i = 2; i < core->has.selectors; i++) {
		put(b, "res_idx", i);
		put(b, "res_ctrl", r->rsctl[i]);
	}
}

static void comparators(const struct etm_program *p, struct buf *b)
{
	for (uint32_t i = 0; i < p->report.nranges; i++) {
		put(b, "addr_idx", 2 * i);
		buf_addf(b, "\techo 0x%" PRIx64 " 0x%" PRIx64 " >\"$etm/addr_range\"\n",
			 p->regs.acv[2 * i], p->regs.acv[2 * i + 1]);
		put(b, "addr_exlevel_s_ns", ETM_GET(TRCACATR, EXLEVEL, p->regs.acat[2 * i]));
	}
}

/* Appends the routing of the external outputs that are used to trigger output CTIIRQ, each on a
 * channel of its own. The gates of the channels are closed first: else all cores that the CTM
 * connects get the interrupt. */
static void routing(const struct etm_program *p, struct buf *b)
{
	uint32_t events = p->regs.eventctl0[0];

	buf_addf(b, "\tcti=$devices/cti_cpu$cpu\n");
	for (uint32_t pass = 0; pass < 2; pass++)
		for (uint32_t i = 0; i < ETM_OUTPUTS; i++) {
			if ((events >> i * ETM_TRCEVENTCTL0R_EVENT0_WIDTH & 0xff) == 0)
				continue;
			if (pass == 0)
				buf_addf(b, "\techo %" PRIu32 " >\"$cti/channels/chan_gate_disable\"\n", i);
			else
				buf_addf(b, "\techo %" PRIu32 " %" PRIu32 " >\"$cti/channels/trigin_attach\""
					 "\n\techo %" PRIu32 " %d >\"$cti/channels/trigout_attach\"\n", i,
					 CTI_ETM_INPUT + i, i, CTI_IRQ_OUTPUT);
		}
	buf_addf(b, "\techo 1 >\"$cti/enable\"\n");
}

void etm_emit_sysfs(const struct target_job *job, struct buf *b)
{
	const struct etm_program *p = job->made.own;
	const struct etm_core *core = etm_options(job)->core;
	const char *name = job->spec->machines.at[0].name;

	buf_addf(b, head, name, core->name);
	if (p->report.ninputs != 0)
		buf_addf(b, inputs, name);
	buf_addf(b, "for cpu; do\n\tetm=$devices/etm$cpu\n");
	buf_addf(b, "\techo 0 >\"$etm/enable_source\"\n"); /* this attribute is decimal */
	put(b, "reset", 1);
	sequencer(core, &p->regs, b);
	counters(core, &p->regs, b);
	selectors(core, &p->regs, b);
	comparators(p, b);
	put(b, "event", p->regs.eventctl0[0]);
	put(b, "event_instren", 0);
	put(b, "event_vinst", ETM_GET(TRCVICTLR, EVENT, p->regs.victl[0]));
	if (p->regs.eventctl0[0] != 0)
		routing(p, b);
	if (p->report.ninputs != 0)
		buf_addf(b, "done\necho 1 >\"$config/enable\"\nfor cpu; do\n\tetm=$devices/etm$cpu\n");
	buf_addf(b, "\techo 1 >\"$etm/enable_source\"\ndone\n");
}
