/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * lower.h: turns the syntax tree (grammar/ast.h) into a spec (ir/spec.h), in which all names are
 * resolved. No other code sees both of them.
 */
#ifndef NFACC_COMPILER_LOWER_H
#define NFACC_COMPILER_LOWER_H

#include "grammar/ast.h"
#include "ir/spec.h"

/* Fills *s from a tree in which front_finish() found no error. A let that nothing uses is not
 * lowered; a let that is used twice becomes one node. The spec borrows the protocol, and nothing of
 * the tree. The caller frees it with spec_free(), also after a failure. Returns NFART_OK;
 * NFART_GAVEUP: guards tell too many classes of messages apart (alphabet.h); or NFART_SYSTEM: out
 * of memory. The cost is linear in the tree, times the size of a set of letters, and that of the
 * alphabet. */
enum nfart_status lower(const struct ast *a, struct spec *s);

#endif
