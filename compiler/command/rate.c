/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "compiler/command/rate.h"

#include <inttypes.h>

#include "compiler/command/files.h"

int rate_apply(struct options *o)
{
	struct options_rate_text *text = &o->rate_text;
	struct buf why = { 0 };
	bool made;

	if (o->rate.rate == 0)
		return NFART_OK;
	made = etm_rate_numbers(&o->rate, &o->hardware.core, &o->rate_numbers, &why);
	if (why.failed) {
		buf_free(&why);
		return files_fail("out of memory", NULL);
	}
	if (!made) {
		fprintf(stderr, "nfacc: error: --rate: %.*s\n", (int)why.n, why.at);
		buf_free(&why);
		return NFART_USAGE;
	}
	snprintf(text->budget, sizeof text->budget, "budget=%" PRIu64, o->rate_numbers.budget);
	snprintf(text->period, sizeof text->period, "period=%" PRIu64, o->rate_numbers.period);
	if (!vec_push(&o->params, text->budget) || !vec_push(&o->params, text->period))
		return files_fail("out of memory", NULL);
	o->pipeline.front.params = o->params.at;
	o->pipeline.front.nparams = o->params.n;
	return NFART_OK;
}

void rate_print(const struct options *o, FILE *f)
{
	const struct etm_rate_numbers *n = &o->rate_numbers;
	struct buf b = { 0 };

	if (o->rate.rate == 0)
		return;
	buf_addf(&b, "rate: a budget of %" PRIu64 " events, %" PRIu64 " bytes, in a period of "
		     "%" PRIu64 " cycles, ", n->budget, n->budget * o->rate.bytes, n->period);
	etm_rate_print_time(&o->rate, n->period, &b);
	buf_addf(&b, ": ");
	etm_rate_print(etm_rate_of(&o->rate, n->budget, n->period), &b);
	if (!b.failed)
		fprintf(f, "%.*s\n", (int)b.n, b.at);
	buf_free(&b);
}
