/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * overlay.h: declares the target "overlay". An overlay is rings of cliques of STEs (T 3.3.2). Its
 * images run in hardware, in simulation, and in the software engine.
 */
#ifndef NFACC_BACKENDS_OVERLAY_H
#define NFACC_BACKENDS_OVERLAY_H

#include "backends/overlay/map/map.h"
#include "backends/target.h"

extern const struct target target_overlay;

/* What the target is asked: target_setup.options. */
static inline const struct map_options *overlay_map_options(const struct target_job *job)
{
	return job->setup->options;
}

#endif
