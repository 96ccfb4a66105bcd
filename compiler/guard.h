/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * guard.h: turns the tests of a guard (grammar/ast.h) into tests of the bits of a header.
 */
#ifndef NFACC_COMPILER_GUARD_H
#define NFACC_COMPILER_GUARD_H

#include "grammar/ast.h"
#include "ir/alphabet.h"

/* Writes the test for messages with this code to *out. False: these messages lack the field, so
 * none of them passes. The tree must have been checked. */
bool guard_test(const struct nfart_proto *p, const struct ast_test *t, uint32_t code,
		struct header_test *out);

#endif
