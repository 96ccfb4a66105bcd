/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#ifndef NFACC_BACKENDS_PACK_OPTION_H
#define NFACC_BACKENDS_PACK_OPTION_H

#include "backends/target.h"

/* Appends the payload of an optional element of a sparse image: what the filters say of letters,
 * time, substreams and the window beyond the registers. An element that says nothing has none. */
void pack_option(const struct target_job *job, enum element_id id, struct buf *b);

#endif
