/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "backends/sparse/sparse.h"

#include "backends/image/inspect.h"
#include "backends/image/pack.h"
#include "backends/image/read_back.h"
#include "backends/sparse/pack_sparse.h"

static void limits(const struct target_setup *s, struct target_limits *l)
{
	(void)s;
	*l = (struct target_limits){ .counters = UINT64_MAX, .max_k = UINT32_MAX,
				      .machines = true };
}

static enum nfart_status fit(struct target_job *job)
{
	job->made.overlay = *job->setup->overlay;
	overlay_tap(&job->made.overlay, job->spec->proto);
	return NFART_OK;
}

static enum nfart_status place(struct target_job *job)
{
	(void)job;
	return NFART_OK;
}

static bool explain(struct target_job *job)
{
	(void)job;
	return true;
}

static enum nfart_status pack(struct target_job *job)
{
	return pack_image(job, pack_sparse) ? NFART_OK : NFART_SYSTEM;
}

static const struct target_output outputs[] = {
	{ .name = "map", .image = explain_image },
	{ .name = NULL }
};

const struct target target_sparse = {
	.name = "none", .limits = limits,
	.prepare = target_automaton, .fit = fit, .place = place, .explain = explain,
	.pack = pack, .load = read_back_load, .verify = read_back_verify,
	.outputs = outputs,
};
