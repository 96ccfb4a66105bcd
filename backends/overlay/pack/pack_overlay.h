/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * pack_overlay.h: writes a placed NFA as the configuration elements of an overlay.
 */
#ifndef NFACC_BACKENDS_PACK_OVERLAY_H
#define NFACC_BACKENDS_PACK_OVERLAY_H

#include "backends/target.h"

/* Appends the elements of job->overlay in the order of their ids. The function is passed to
 * pack_image(). False: out of memory, too few shared decoders, or an element is too long. */
bool pack_overlay(const struct target_job *job, struct buf *b);

#endif
