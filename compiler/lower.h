/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * lower.h: from the syntax tree to the meaning of a filter (ir/spec.h). The only code that sees
 * both sides.
 */
#ifndef NFACC_COMPILER_LOWER_H
#define NFACC_COMPILER_LOWER_H

#include "grammar/ast.h"
#include "ir/spec.h"

/* Fills the zeroed *s from a tree that front_finish() found right. Only what a filter, log, a
 * counter or a transition uses is lowered; a `let` used twice is one node. The spec borrows the
 * protocol and nothing of the tree; the caller frees it with spec_free(), after a failure too.
 * NFART_OK, or NFART_SYSTEM: out of memory. Linear, times the size of a set of codes. */
enum nfart_status lower(const struct ast *a, struct spec *s);

#endif
