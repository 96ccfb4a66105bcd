/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * ast_match.h: does a message match a basic predicate? Message by message, from the sentences of
 * language.md, section 2. It shares no code with ast_basic_codes(), which the compiler uses: proof and tests
 * hold the compiler against this.
 */
#ifndef NFACC_GRAMMAR_AST_MATCH_H
#define NFACC_GRAMMAR_AST_MATCH_H

#include "grammar/ast.h"

/* Does a message with that opcode in that slot match? The predicate is not a let name, and the tree was
 * checked. Linear in the names of the protocol. */
bool ast_basic_matches(const struct ast *a, const struct ast_basic *basic, uint32_t slot, uint32_t opcode);

#endif
