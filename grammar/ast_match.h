/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * ast_match.h: decides whether a single message matches a basic predicate, from the sentences of
 * nfacc-filter(5). It shares no code with ast_basic_codes(), which the compiler uses. The proof and
 * the tests use it to check the compiler.
 */
#ifndef NFACC_GRAMMAR_AST_MATCH_H
#define NFACC_GRAMMAR_AST_MATCH_H

#include "grammar/ast.h"

/* Does a message with this opcode in this slot match the basic predicate? The predicate must not be
 * the name of a let, and the tree must have been checked. The cost is linear in the number of names
 * in the protocol. */
bool ast_basic_matches(const struct ast *a, const struct ast_basic *basic, uint32_t slot,
		       uint32_t opcode);

#endif
