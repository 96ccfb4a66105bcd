/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * question.h: what users ask of filters (--equal, --contains, --empty, --universal), answered by the
 * decision procedure (ir/decide/decide.h) on the automata as they are written.
 */
#ifndef NFACC_COMPILER_QUESTION_H
#define NFACC_COMPILER_QUESTION_H

#include "ir/spec.h"
#include "support/progress.h"

enum question { QUESTION_NONE, QUESTION_EQUAL, QUESTION_CONTAINS, QUESTION_EMPTY, QUESTION_UNIVERSAL };

struct question_input {
	enum question question;
	struct spec *spec[2];   /* the second one for QUESTION_EQUAL and QUESTION_CONTAINS */
	const char *name[2];    /* of the files */
	uint64_t steps;         /* most steps for each label; 0: the default */
	const struct progress *progress; /* or NULL */
};

/* Answers for every label. Labels are compared by name; where each file has one label, these two are compared.
 * QUESTION_EQUAL compares the log too, if one of the files has any.
 *
 *	NFART_OK        yes
 *	NFART_NO        no: `out` is a comment that says which side accepts, and the shortest stream after which
 *	                it does, as batch text
 *	NFART_GAVEUP    not known, because of the limit
 *	NFART_INPUT     the files can't be compared
 *	NFART_SYSTEM    out of memory
 *	NFART_INTERNAL  a bug
 *
 * After the last four, `out` says why in one line, unless memory is short. */
enum nfart_status question_answer(const struct question_input *in, struct buf *out);

#endif
