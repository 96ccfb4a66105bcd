/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "compiler/targets.h"

#include <assert.h>
#include <string.h>

#include "backends/etm/etm.h"
#include "backends/overlay/overlay.h"
#include "backends/sparse/sparse.h"
#include "grammar/describe/builtin.h"
#include "grammar/describe/overlay_text.h"

const struct target *target_of(const struct overlay *o, const struct etm_core *core)
{
	return core != NULL ? &target_etm : o->none ? &target_sparse : &target_overlay;
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
