/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * targets.h: the table of the compiler's targets (backends/target.h), with what only the compiler
 * knows of each.
 */
#ifndef NFACC_COMPILER_TARGETS_H
#define NFACC_COMPILER_TARGETS_H

#include "compiler/pipeline.h"

struct target_row {
	const struct target *target;

	/* Returns the target's own options, for target_setup.options. */
	const void *(*options)(const struct pipeline_options *o);

	/* Proves that what the target made means what the source says (compiler/stage.h). */
	enum nfart_status (*prove)(struct pipeline *p);

	const char *proved; /* what the proof counts, for --stats */
};

/* Returns the target for the trace unit of a core, if one is given. Else returns the target that
 * makes images for overlay o: the sparse target for overlay `none`, or the target for overlays in
 * hardware. */
const struct target_row *target_row(const struct overlay *o, const struct etm_core *core);

/* Stores the i-th shipped overlay in *out, in the order of --list. False: there are no more. */
bool targets_shipped(size_t i, struct target_shipped *out);

#endif
