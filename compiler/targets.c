/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "compiler/targets.h"

#include <assert.h>
#include <string.h>

#include "backends/etm/etm.h"
#include "backends/overlay/overlay.h"
#include "backends/sparse/sparse.h"
#include "compiler/stage.h"
#include "grammar/describe/builtin.h"
#include "grammar/describe/overlay_text.h"

static const void *no_options(const struct pipeline_options *o)
{
	(void)o;
	return NULL;
}

static const void *options_of_map(const struct pipeline_options *o)
{
	return &o->map;
}

static const void *options_of_etm(const struct pipeline_options *o)
{
	return &o->etm;
}

const struct target_row *target_row(const struct overlay *o, const struct etm_core *core)
{
	static const char streams[] = "labels and log for all streams";
	static const struct target_row
		etm = { &target_etm, options_of_etm, stage_prove_registers,
			"machines for all streams" },
		sparse = { &target_sparse, no_options, stage_prove_image, streams },
		overlay = { &target_overlay, options_of_map, stage_prove_image, streams };

	return core != NULL ? &etm : o->none ? &sparse : &overlay;
}

bool targets_shipped(size_t i, struct target_shipped *out)
{
	const struct builtin *b = &builtin_overlays[i];
	struct diags d = { .werror = false };
	struct overlay_desc v;

	if (b->name == NULL || !overlay_parse(&d, b->name, b->text, strlen(b->text), &v)) {
		diag_free(&d); /* there is no i-th overlay, or memory is too short to read it */
		return false;
	}
	snprintf(out->name, sizeof out->name, "%s", b->name);
	memcpy(out->tap, v.protocol, sizeof out->tap);
	out->overlay = v.o;
	diag_free(&d);
	return true;
}
