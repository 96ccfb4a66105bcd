/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * streamed.h: outputs that are made while the tokens are read: events and slices.
 */
#ifndef NFART_NFAPERF_STREAMED_H
#define NFART_NFAPERF_STREAMED_H

#include "support/outfile.h"
#include "probes/profile/tool/events.h"
#include "probes/profile/tool/nfaperf_options.h"
#include "probes/profile/tool/slices.h"

struct streamed {
	const struct nfaperf_options *o;
	struct events events;
	struct slices slices;
	struct outfile file;
	char *list;          /* the functions of o */
};

/* Is this output one of these? */
bool is_streamed(enum nfaperf_output to);

/* Opens the output, and has the profile tell it each step. On failure *e says why. streamed_free()
 * must be called in every case. */
enum nfart_status streamed_begin(struct streamed *x, const struct nfaperf_options *o,
				 struct rv_profile *p, uint64_t frequency, struct nfart_error *e);

/* Completes the output, after the last token. */
enum nfart_status streamed_end(struct streamed *x, const struct rv_profile *p,
			       struct nfart_error *e);

/* Frees what *x has, and removes an output that is not complete. */
void streamed_free(struct streamed *x);

#endif
