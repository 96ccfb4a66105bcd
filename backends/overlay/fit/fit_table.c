/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include <inttypes.h>

#include "backends/overlay/fit/fit_search.h"

void fit_print(const struct fit_result *r, struct buf *b)
{
	buf_addf(b, "%-18s %7s %7s %12s %12s %14s\n", "overlay", "STEs", "fan-in", "LUTs", "FFs",
		 "cost");
	for (size_t i = 0; i < r->front.n; i++) {
		const struct fit_point *x = &r->front.at[i];
		char name[64];
		snprintf(name, sizeof name, "%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",%" PRIu32,
			 x->o.clique, x->o.length, x->o.rings, x->o.reach);
		buf_addf(b,
			 "%-18s %7" PRIu32 " %7" PRIu32 " %12" PRIu64 " %12" PRIu64 " %14" PRIu64
			 "\n",
			 name, overlay_nste(&x->o), overlay_npred(&x->o), x->cost.luts, x->cost.ffs,
			 x->cost.cost);
	}
	if (r->front.n != 0 && overlay_ntest(&r->front.at[0].o) != 0) {
		const struct overlay *o = &r->front.at[0].o;
		struct fit_cost tests = fit_tests_cost(o);
		buf_addf(b, "guards %" PRIu32 ", ranges %" PRIu32, o->guards, o->ranges);
		if (o->payload_tests != 0)
			buf_addf(b, ", payload_tests %" PRIu32, o->payload_tests);
		buf_addf(b,
			 ", letters of %" PRIu32 " bits: %" PRIu64 " LUTs, %" PRIu64
			 " FFs, %" PRIu32 " block RAMs more\n",
			 overlay_row_bits(o), tests.luts, tests.ffs, o->slots);
	}
	if (r->front.n != 0 && r->front.at[0].o.payload != 0)
		buf_addf(b, "payload %" PRIu32 ": %" PRIu64 " block RAMs of 18 Kb more\n",
			 r->front.at[0].o.payload, fit_payload_rams(&r->front.at[0].o));
	if (r->front.n != 0 && r->front.at[0].o.histogram != 0)
		buf_addf(b, "histogram %" PRIu32 ": %" PRIu64 " block RAMs of 18 Kb more\n",
			 r->front.at[0].o.histogram, fit_histogram_rams(&r->front.at[0].o));
	buf_addf(b, "%s range searched, %" PRIu64 " overlays tried, %" PRIu64 " undecided\n",
		 r->complete ? "whole" : "part of the", r->probes, r->unknown);
}
