/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "backends/overlay/map/map_graph.h"

#include <inttypes.h>
#include <stdlib.h>

#include "backends/overlay/map/graph_file.h"
#include "backends/overlay/map/map_view.h"
#include "support/clock.h"

static const struct diag_range nowhere = { DIAG_NO_SOURCE, 0, 0 };

static void report_nofit(struct diags *d, const struct map_report *r)
{
	switch (r->reason) {
	case MAP_STATES:
		diag_report(d, DIAG_ERROR, "no-fit", nowhere,
			    "%" PRIu64 " states, but %" PRIu64 " STEs", r->need, r->have);
		return;
	case MAP_DEGREE:
		diag_report(d, DIAG_ERROR, "no-fit", nowhere,
			    "state %" PRIu32 " has %" PRIu64 " neighbours, but an STE %" PRIu64,
			    r->state, r->need, r->have);
		return;
	case MAP_BALL:
		diag_report(d, DIAG_ERROR, "no-fit", nowhere,
			    "%" PRIu64 " states are within %" PRIu32 " steps of state %" PRIu32
			    ", but only %" PRIu64 " STEs within that distance", r->need, r->radius,
			    r->state, r->have);
		return;
	case MAP_COMPONENT:
		diag_report(d, DIAG_ERROR, "no-fit", nowhere,
			    "%" PRIu64 " states are connected with state %" PRIu32
			    ", but only %" PRIu64 " STEs with each other",
			    r->need, r->state, r->have);
		return;
	case MAP_COMPONENTS:
		diag_report(d, DIAG_ERROR, "no-fit", nowhere,
			    "the graph's parts need %" PRIu64
			    " separate rings, but there are %" PRIu64,
			    r->need, r->have);
		return;
	case MAP_HUBS:
		diag_report(d, DIAG_ERROR, "no-fit", nowhere,
			    "%" PRIu64 " states have no common neighbours and as many as state %"
			    PRIu32 ", but only %" PRIu64 " such states may fit",
			    r->need, r->state, r->have);
		return;
	case MAP_SEARCH:
	case MAP_FITS:
		diag_report(d, DIAG_ERROR, "no-fit", nowhere,
			    "there is no placement: all were tried");
		return;
	}
}

static void print_answer(struct buf *out, const struct overlay *o, uint32_t n,
			 const uint32_t *clique, enum nfart_status status, double seconds,
			 uint64_t steps)
{
	buf_addf(out, "%s %.6f %" PRIu64 "\n", status == NFART_OK ? "fits" :
		 status == NFART_NOFIT ? "no-fit" : "gave-up", seconds, steps);
	for (uint32_t v = 0; v < n && status == NFART_OK; v++)
		buf_addf(out, "%" PRIu32 " %" PRIu32 " %" PRIu32 "\n", v, clique[v] / o->length,
			 clique[v] % o->length);
}

static enum nfart_status map_file(const struct graph_file *f, const struct map_options *options,
				  struct diags *d, struct buf *out)
{
	uint32_t *neighbours = NULL, *clique = malloc((f->graph.n + (size_t)1) * sizeof *clique);
	enum nfart_status status = NFART_SYSTEM;
	struct map_overlay view;
	struct map_report report;
	double begin;

	if (clique == NULL || !map_view(&f->overlay, &view, &neighbours))
		goto out;
	begin = clock_cpu_seconds();
	status = map_place(&f->graph, &view, options, clique, &report);
	if (status == NFART_NOFIT)
		report_nofit(d, &report);
	if (status == NFART_GAVEUP)
		diag_report(d, DIAG_ERROR, "gave-up", nowhere, "gave up at %s",
			    map_limit_texts[report.limit]);
	if (status == NFART_OK || status == NFART_NOFIT || status == NFART_GAVEUP)
		print_answer(out, &f->overlay, f->graph.n, clique, status,
			     clock_cpu_seconds() - begin, report.steps);
	else if (status != NFART_SYSTEM)
		diag_report(d, DIAG_ERROR, "internal", nowhere, "internal error in the mapper: %s",
			    report.wrong != NULL ? report.wrong : "unknown");
out:
	free(neighbours);
	free(clique);
	return status == NFART_USAGE ? NFART_INTERNAL : status;
}

enum nfart_status map_graph(const char *name, const char *text, size_t n,
			    const struct map_options *options, struct diags *d, struct buf *out)
{
	struct graph_file f;
	enum nfart_status status = graph_file_read(&f, d, name, text, n);

	if (status == NFART_OK) {
		status = map_file(&f, options, d, out);
		graph_file_free(&f);
	}
	return status;
}
