/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "tools/nfarun/progress.h"

#include <inttypes.h>
#include <unistd.h>

static double seconds(const struct timespec *a, const struct timespec *b)
{
	return (double)(b->tv_sec - a->tv_sec) + 1e-9 * (double)(b->tv_nsec - a->tv_nsec);
}

void progress_begin(struct progress *p, bool quiet)
{
	p->shown = false;
	p->wanted = !quiet && isatty(STDERR_FILENO);
	clock_gettime(CLOCK_MONOTONIC, &p->begin);
	p->last = p->begin;
}

void progress_show(struct progress *p, const struct nfart_reader_stats *s)
{
	struct timespec now;
	double t;

	if (!p->wanted)
		return;
	clock_gettime(CLOCK_MONOTONIC, &now);
	t = seconds(&p->begin, &now);
	if (t < 1 || seconds(&p->last, &now) < 0.5)
		return;
	p->last = now;
	p->shown = true;
	fprintf(stderr, "\r%" PRIu64 " batches, %.1f MB/s", s->batches, (double)s->bytes / t / 1e6);
	if (s->size > s->bytes && s->bytes != 0)
		fprintf(stderr, ", %.0f %%, %.0f s left",
			100.0 * (double)s->bytes / (double)s->size,
			t * (double)(s->size - s->bytes) / (double)s->bytes);
	fputs("\033[K", stderr);
}

void progress_end(struct progress *p)
{
	if (p->shown)
		fputs("\r\033[K", stderr);
	p->shown = false;
}
