/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * pack_sparse.h: the configuration elements of an NFA as lists.
 */
#ifndef NFACC_BACKENDS_PACK_SPARSE_H
#define NFACC_BACKENDS_PACK_SPARSE_H

#include "backends/target.h"

/* Appends the elements of a sparse image, ids rising, for pack_image(). False: out of memory. */
bool pack_sparse(const struct target_job *job, struct buf *b);

#endif
