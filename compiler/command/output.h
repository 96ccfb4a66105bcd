/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * output.h: the table of the values of --emit. Each is an output that nfacc can write.
 */
#ifndef NFACC_COMPILER_OUTPUT_H
#define NFACC_COMPILER_OUTPUT_H

#include "compiler/pipeline.h"
#include "support/option.h"

enum output_kind {
	OUTPUT_IMAGE,  /* the image; it needs -o, because it is not for terminals */
	OUTPUT_REGISTERS, /* what registers mean, which output.print() prints; it needs --target */
	OUTPUT_FILTERS, /* a form of the filters, which output.print() prints */
	/* a form of the image. The target prints it by the function of the same name
	 * (backends/target.h); some targets have no such function. */
	OUTPUT_TARGET,
	/* a form of the overlay, without a filter. The target prints it by the function of the same
	 * name. */
	OUTPUT_SETUP,
	OUTPUT_OVERLAY, /* the description of the overlay, without a filter */
	OUTPUT_PROTOCOL /* a form of the protocol of --protocol, without a filter */
};

struct output {
	const char *name, *help;
	enum output_kind kind;
	enum pipeline_stage last; /* the last stage that filters are compiled to for this output */
	void (*print)(const struct pipeline *p, struct buf *b); /* for _FILTERS and _REGISTERS */
};

/* All outputs. The first one is the default. The last entry has no name. */
extern const struct output outputs[];

/* Is the output made without a filter? */
bool output_is_alone(const struct output *o);

/* Returns the name and the help of the i-th output, for the table of options. */
struct option_value output_value(size_t i);

#endif
