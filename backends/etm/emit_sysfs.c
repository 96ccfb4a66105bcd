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

/* Usage, and what it takes apart. */
static const char head[] =
"#!/bin/sh\n# SPDX-License" "-Identifier: BSD-2-Clause\n"
"# Made by nfacc: machine %s for the trace unit of core %s. As root:\n"
"#   SCRIPT [--sink NAME] CPU...   programs the trace units of these CPUs, and starts them\n"
"#   SCRIPT --off CPU...           stops them\n"
"# Linux starts a trace unit only if its trace has a sink, a device with a file enable_sink: NAME, or\n"
"# the first that there is. Afterwards the sink is as enabled as it was before.\n"
"# Linux has no driver for the interrupt of the CTI (CTIIRQ): a module has to take it. The core's\n"
"# events reach the trace unit while PMCR_EL0.X is set, which Linux clears.\n"
"set -eu\ndevices=${CORESIGHT:-/sys/bus/coresight/devices}\nsink='' off=''\n"
"usage() {\n\techo \"usage: $0 [--sink NAME | --off] CPU...\" >&2\n\texit 2\n}\n"
"fail() {\n\techo \"$0: $*\" >&2\n\texit 1\n}\n"
"while [ $# -gt 0 ]; do\n\tcase $1 in\n"
"\t--sink)\n\t\t[ $# -gt 1 ] || usage\n\t\tsink=$2\n\t\tshift 2\n\t\t;;\n"
"\t--off)\n\t\toff=yes\n\t\tshift\n\t\t;;\n\t-*) usage ;;\n\t*) break ;;\n\tesac\ndone\n"
"%s"
"for cpu; do\n\t[ -d \"$devices/etm$cpu\" ] ||\n"
"\t\tfail \"CPU $cpu has no trace unit $devices/etm$cpu\"\ndone\n";

/* TRCEXTINSELR has no attribute. */
static const char inputs[] =
"# No attribute writes TRCEXTINSELR: the module of `nfacc --emit=cscfg` does.\n"
"config=${CONFIGFS:-/sys/kernel/config}/cs-syscfg/configurations/%s\n"
"[ -d \"$config\" ] ||\n"
"\tfail \"TRCEXTINSELR has no attribute in sysfs: load the module of nfacc --emit=cscfg\"\n";

/* A configuration cannot be switched off while a trace unit uses it, so it comes last. */
static const char stop_begins[] =
"stop() {\n\tfor cpu; do\n\t\techo 0 >\"$devices/etm$cpu/enable_source\"\n";
static const char stop_cti[] =
"\t\techo 0 >\"$devices/cti_cpu$cpu/enable\"\n"
"\t\techo 1 >\"$devices/cti_cpu$cpu/channels/chan_xtrigs_reset\"\n";
static const char stop_ends[] = "\tdone\n%s}\n"
"if [ -n \"$off\" ]; then\n\tstop \"$@\"\n\texit 0\nfi\n";

/* enable_sink only says which sink a trace unit takes that is started next. A trace buffer
 * extension (TRBE) has this file, too, but its driver serves perf alone. */
static const char find_sink[] =
"perf_only() {\n\tcase $1 in\n\ttrbe[0-9]*) return 0 ;;\n\tesac\n\treturn 1\n}\n"
"for s in \"$devices\"/*/enable_sink; do\n"
"\tname=$(basename \"$(dirname \"$s\")\")\n"
"\t[ -n \"$sink\" ] || [ ! -e \"$s\" ] || perf_only \"$name\" || sink=$name\ndone\n"
"[ -n \"$sink\" ] || fail \"no device in $devices is a sink\"\n"
"! perf_only \"$sink\" || fail \"$sink takes the traces of perf alone: name another sink\"\n"
"[ -e \"$devices/$sink/enable_sink\" ] || fail \"$sink is no sink\"\n"
"before=$(cat \"$devices/$sink/enable_sink\")\n"
"finish() {\n\tcode=$?\n\ttrap - EXIT\n\tset +e\n"
"\t[ $code -eq 0 ] || stop \"$@\" 2>/dev/null\n"
"\techo \"$before\" >\"$devices/$sink/enable_sink\"\n\texit $code\n}\n"
"trap 'finish \"$@\"' EXIT\n";

/* Of the modes the start/stop logic is on, as after a reset; TRCCONFIGR traces nothing more. */
#define MODE_STARTSTOP 0x8000000

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

/* A range is two comparators. The attribute addr_range would write both, and would let TRCVIIECTLR
 * trace this range alone. addr_single writes an address and nothing else. */
static void comparators(const struct etm_program *p, struct buf *b)
{
	for (uint32_t i = 0; i < 2 * p->report.nranges; i++) {
		put(b, "addr_idx", i);
		put(b, "addr_single", p->regs.acv[i]);
		put(b, "addr_exlevel_s_ns", ETM_GET(TRCACATR, EXLEVEL, p->regs.acat[i]));
	}
}

/* With --cores: the gates of the channels are open, and those of others closed. */
static void gates_of_cores(const struct etm_program *p, struct buf *b)
{
	struct cti_map map;

	etm_channels(p, &map);
	for (uint32_t i = 0; i < CTI_CHANNELS; i++)
		buf_addf(b, "\techo %" PRIu32 " >\"$cti/channels/chan_gate_%s\"\n", i,
			 (map.gate >> i & 1) != 0 ? "enable" : "disable");
}

/* Appends the routing of the external outputs that are used to trigger output CTIIRQ, each on a
 * channel of its own. The gates of the channels are closed first: else all cores that the CTM
 * connects get the interrupt. */
static void routing(const struct etm_program *p, bool several, struct buf *b)
{
	buf_addf(b, "\tcti=$devices/cti_cpu$cpu\n");
	if (several)
		gates_of_cores(p, b);
	for (uint32_t pass = several ? 1 : 0; pass < 2; pass++)
		for (uint32_t i = 0; i < ETM_OUTPUTS; i++) {
			if (!etm_uses_output(p, i))
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

	bool routed = p->regs.eventctl0[0] != 0, configured = p->report.ninputs != 0;
	uint32_t cores = etm_options(job)->cores;
	char number[128] = "[ $# -gt 0 ] || usage\n";

	if (cores != 0)
		snprintf(number, sizeof number, "# An output of one CPU throttles all of these.\n"
			 "[ $# -eq %" PRIu32 " ] || fail \"it takes %" PRIu32 " CPUs\"\n",
			 cores, cores);
	buf_addf(b, head, name, core->name, number);
	if (configured)
		buf_addf(b, inputs, name);
	buf_addf(b, "%s%s", stop_begins, routed ? stop_cti : "");
	buf_addf(b, stop_ends, configured ? "\techo 0 >\"$config/enable\"\n" : "");
	buf_addf(b, "%s", find_sink);
	buf_addf(b, "for cpu; do\n\tetm=$devices/etm$cpu\n");
	buf_addf(b, "\techo 0 >\"$etm/enable_source\"\n"); /* this attribute is decimal */
	put(b, "reset", 1);
	put(b, "mode", MODE_STARTSTOP);
	sequencer(core, &p->regs, b);
	counters(core, &p->regs, b);
	selectors(core, &p->regs, b);
	comparators(p, b);
	put(b, "event", p->regs.eventctl0[0]);
	put(b, "event_instren", 0);
	put(b, "event_vinst", ETM_GET(TRCVICTLR, EVENT, p->regs.victl[0]));
	if (routed)
		routing(p, cores != 0, b);
	buf_addf(b, "done\n%s", configured ? "echo 1 >\"$config/enable\"\n" : "");
	buf_addf(b, "echo 1 >\"$devices/$sink/enable_sink\"\n"
		 "for cpu; do\n\techo 1 >\"$devices/etm$cpu/enable_source\"\ndone\n");
}
