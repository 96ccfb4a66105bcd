/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * effect.h: warns of what a description of coherence says without effect, because no run of the
 * system gets there, or `flight` does not let it.
 */
#ifndef NFACC_COMPILER_EFFECT_H
#define NFACC_COMPILER_EFFECT_H

#include "compiler/coherence/system.h"

/* Warns of values and rules that no run of the system reaches (`unreached`), and of nodes that
 * could send more messages than `flight` lets be under way (`flight`). The cost is linear in the
 * description. */
void effect_warn(const struct coh *c, const struct coh_system *s, struct diags *d);

#endif
