/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * pack_sparse.h: writes an NFA as the lists of a sparse image, which the software
 * engine alone executes.
 */
#ifndef NFACC_BACKENDS_PACK_SPARSE_H
#define NFACC_BACKENDS_PACK_SPARSE_H

#include "backends/target.h"

/* Appends the elements of a sparse image in the order of their ids. The function is passed to
 * pack_image(). False: out of memory, or an element is too long. */
bool pack_sparse(const struct target_job *job, struct buf *b);

#endif
