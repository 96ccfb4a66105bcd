/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "backends/overlay/overlay.h"

#include <inttypes.h>

#include "backends/image/inspect.h"
#include "backends/image/pack.h"
#include "backends/image/read_back.h"
#include "backends/overlay/emit/emit.h"
#include "backends/overlay/fit/fit.h"
#include "backends/overlay/pack/pack_overlay.h"

static void limits(const struct target_setup *s, struct target_limits *l)
{
	const struct overlay *o = s->overlay;

	l->tap = s->tap[0] != 0 ? s->tap : NULL;
	l->counters = (uint64_t)o->counters * o->length * o->rings;
	l->max_k = o->counters != 0 ? (uint32_t)(((uint64_t)1 << o->counter_width) - 1) : 0;
	l->most_degree = overlay_check(o) == NULL ? overlay_npred(o) - 1 : 0;
}

static enum nfart_status pack(struct target_job *job)
{
	return pack_image(job, pack_overlay) ? NFART_OK : NFART_SYSTEM;
}

static const struct target_output outputs[] = {
	{ .name = "map", .image = explain_image },
	{ .name = "mem", .image = emit_mem },
	{ .name = "header", .image = emit_header },
	{ .name = "svg", .image = emit_svg },
	{ .name = "verilog", .setup = emit_verilog },
	{ .name = "regs", .setup = emit_regs },
	{ .name = "rdl", .setup = emit_rdl },
	{ .name = NULL }
};

const struct target target_overlay = {
	.name = "overlay", .limits = limits,
	.prepare = target_automaton, .fit = fit_sizes, .place = fit_states, .explain = fit_explain,
	.pack = pack, .load = read_back_load, .verify = read_back_verify,
	.outputs = outputs,
};
