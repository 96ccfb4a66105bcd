/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/* streamed.h: outputs that are written while the tokens are read: events and slices. */
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
	char *list;          /* the list of functions in the options */
};

/* Whether this output is one of these. */
bool is_streamed(enum nfaperf_output to);

/*
 * Opens the output. The profile then passes each step to it. On failure sets *e. streamed_free()
 * must be called in any case.
 */
enum nfart_status streamed_begin(struct streamed *x, const struct nfaperf_options *o,
				 struct rv_profile *p, uint64_t frequency, struct nfart_error *e);

/* Completes the output after the last token. */
enum nfart_status streamed_end(struct streamed *x, const struct rv_profile *p,
			       struct nfart_error *e);

/* Frees the contents of *x. Removes the output if it is not complete. */
void streamed_free(struct streamed *x);

#endif
