/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * sparse.h: the target "none": images for the software engine alone. States are numbered as they come,
 * so there is nothing to place, and there are no limits.
 */
#ifndef NFACC_BACKENDS_SPARSE_H
#define NFACC_BACKENDS_SPARSE_H

#include "backends/target.h"

extern const struct target target_sparse;

#endif
