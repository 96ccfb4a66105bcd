/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * question.h: answers questions about what filters accept (--equal, --contains, --empty,
 * --universal). It asks the decision procedure (ir/decide/decide.h) about the automata that the
 * proof reads from the syntax trees (compiler/proof/reference.h).
 */
#ifndef NFACC_COMPILER_QUESTION_H
#define NFACC_COMPILER_QUESTION_H

#include "grammar/ast.h"
#include "support/progress.h"

enum question {
	QUESTION_NONE, QUESTION_EQUAL, QUESTION_CONTAINS, QUESTION_EMPTY, QUESTION_UNIVERSAL
};

struct question_input {
	enum question question;
	/* Checked, without errors. ast[1] is for QUESTION_EQUAL and QUESTION_CONTAINS alone. */
	const struct ast *ast[2];
	const char *name[2];    /* the names of the files */
	uint64_t steps;         /* most steps for each label; 0: the default */
	const struct progress *progress; /* shows the progress; or NULL */
};

/* Answers the question. The answer is yes if it is yes for every label. Labels of the same name are
 * compared. If each file has only one label, these two labels are compared whatever their names.
 * QUESTION_EQUAL also compares what is logged, if one of the files has a log.
 *
 *	NFART_OK        The answer is yes.
 *	NFART_NO        The answer is no. `out` has the shortest stream that shows it as batch text,
 *	                after a comment that says which file accepts it and which does not.
 *	NFART_GAVEUP    The limit was reached before there was an answer.
 *	NFART_INPUT     The files can't be compared.
 *	NFART_USAGE     The same, because their ticks have different periods.
 *	NFART_SYSTEM    Memory is short.
 *	NFART_INTERNAL  There is a bug in the decision procedure.
 *
 * For the last five, `out` says why in one line, unless memory is short. */
enum nfart_status question_answer(const struct question_input *in, struct buf *out);

#endif
