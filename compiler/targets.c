/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "compiler/targets.h"

#include "backends/overlay/overlay.h"
#include "backends/sparse/sparse.h"

const struct target *target_of(const struct overlay *o)
{
	return o->none ? &target_sparse : &target_overlay;
}
