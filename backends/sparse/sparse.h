/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * sparse.h: declares the target "none", which makes images for the software engine alone. States
 * keep their numbers, so nothing is placed, and nothing has a limit.
 */
#ifndef NFACC_BACKENDS_SPARSE_H
#define NFACC_BACKENDS_SPARSE_H

#include "backends/target.h"

extern const struct target target_sparse;

#endif
