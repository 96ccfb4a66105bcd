/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * pack_overlay.h: the configuration elements of a placed NFA.
 */
#ifndef NFACC_BACKENDS_PACK_OVERLAY_H
#define NFACC_BACKENDS_PACK_OVERLAY_H

#include "backends/target.h"

/* Appends the elements of job->overlay, ids rising, for pack_image(). False: out of memory. */
bool pack_overlay(const struct target_job *job, struct buf *b);

#endif
