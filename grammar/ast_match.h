/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * ast_match.h: decides whether a single message matches a basic predicate, from the sentences of
 * nfacc-filter(5). It shares no code with ast_basic_codes() and with the making of letters, which
 * the compiler uses. The proof and
 * the tests use it to check the compiler.
 */
#ifndef NFACC_GRAMMAR_AST_MATCH_H
#define NFACC_GRAMMAR_AST_MATCH_H

#include "contract/image/record.h"
#include "grammar/ast.h"

/* Does a message with this opcode in this slot match the basic predicate? The predicate must not be
 * the name of a let, and the tree must have been checked. The cost is linear in the number of names
 * in the protocol. */
bool ast_basic_matches(const struct ast *a, const struct ast_basic *basic, uint32_t slot,
		       uint32_t opcode);

/* Does a message with this header in this slot match the basic predicate and pass its guard? The
 * predicate must not be the name of a let, and the tree must have been checked. */
bool ast_basic_matches_header(const struct ast *a, const struct ast_basic *basic, uint32_t slot,
			      uint64_t header);

/* Does this message in this slot pass the guard of the basic predicate, or of the
 * name of a let? It passes if there is no guard. */
bool ast_guard_passes(const struct ast *a, const struct ast_basic *basic, uint32_t slot,
		      const struct record_message *m);

/* Does the basic predicate name batches of this kind? `time` has bit 0 set if the batch has a tick,
 * and bit 1 if the batch is the end. Only `tick`, `notick` and `end` name batches. */
bool ast_basic_matches_time(const struct ast_basic *basic, uint32_t time);

#endif
