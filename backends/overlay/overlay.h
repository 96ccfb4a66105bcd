/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * overlay.h: declares the target "overlay". An overlay is rings of cliques of STEs (T 3.3.2). Its
 * images run in hardware, in simulation, and in the software engine.
 */
#ifndef NFACC_BACKENDS_OVERLAY_H
#define NFACC_BACKENDS_OVERLAY_H

#include "backends/target.h"

extern const struct target target_overlay;

#endif
