/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * pack_tests.h: writes the tests of an overlay's slots as truth tables (contract.def, elements
 * guard and range).
 */
#ifndef NFACC_OVERLAY_PACK_TESTS_H
#define NFACC_OVERLAY_PACK_TESTS_H

#include "backends/overlay/pack/recode.h"

/* Sets the bits of element `el`, guard or range, in `words`, which are 0 before. */
void pack_tests(const struct recode *r, const struct overlay *o, const struct element *el,
		uint32_t *words);

#endif
