/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * rv_resolve.h: infers one mapping from the tokens to come: see Note [mappings] in rv_space.h.
 */
#ifndef NFACC_RISCV_RV_RESOLVE_H
#define NFACC_RISCV_RV_RESOLVE_H

#include "probes/profile/stacks/rv_space.h"

/*
 * Infers the mapping of the first token of `ahead` in address space x. Looks at no more than
 * RV_AHEAD tokens. Returns false if no mapping is certain. Notes in x which programs are ruled out.
 */
bool rv_resolve(struct rv_spaces *s, struct rv_space *x, struct rv_ahead ahead,
		struct rv_mapping *m);

/*
 * Whether the tokens to come prove mapping m of address space x once more. The first token must be
 * in it. Looks at fewer tokens. The mappings of x are the same afterwards.
 */
bool rv_resolve_again(struct rv_spaces *s, struct rv_space *x, size_t m, struct rv_ahead ahead);

#endif
