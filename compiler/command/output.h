/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * output.h: what --emit can be asked for, a row each.
 */
#ifndef NFACC_COMPILER_OUTPUT_H
#define NFACC_COMPILER_OUTPUT_H

#include "compiler/pipeline.h"
#include "support/option.h"

enum output_kind {
	OUTPUT_IMAGE,  /* the image itself, which is not for terminals: needs -o */
	OUTPUT_FILTERS, /* of the filters, printed by the row's function */
	OUTPUT_TARGET, /* of the image, by the target's function of that name (backends/target.h), if it has one */
	OUTPUT_SETUP,  /* of the target alone, without a filter, in the same way */
	OUTPUT_OVERLAY /* the description of the overlay */
};

struct output {
	const char *name, *help;
	enum output_kind kind;
	enum pipeline_stage last; /* how far filters are compiled for it */
	void (*print)(const struct pipeline *p, struct buf *b); /* OUTPUT_FILTERS; b->failed: out of memory */
};

/* The first is the default. The last has no name. */
extern const struct output outputs[];

/* Does it need no filter? */
bool output_is_alone(const struct output *o);

/* Names and help, for the table of options. */
struct option_value output_value(size_t i);

#endif
