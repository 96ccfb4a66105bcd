/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * The commands --equal, --contains, --empty and --universal: answer a question about filters. The
 * answer is the exit code. If it is no, a stream that shows it goes to the output. On a terminal
 * the answer is also said in a sentence.
 */
#include "compiler/command/command.h"

#include <unistd.h>

#include "compiler/command/files.h"
#include "support/progress.h"

/* Compiles each file as a unit of its own, up to its spec, and stores the specs in *q. */
static int compile_both(struct options *o, const struct inputs *in, struct pipeline *p,
			struct question_input *q)
{
	int code = NFART_OK;

	o->pipeline.last = STAGE_AST;
	o->pipeline.overlay.o.none = true; /* the answer shall not depend on an overlay */
	for (size_t i = 0; i < in->n && code == NFART_OK; i++) {
		code = files_compile(o, &p[i], &in->file[i], 1);
		q->ast[i] = &p[i].front.ast;
		q->name[i] = in->file[i].name;
		if (code == NFART_OK && p[i].front.ast.machines.n != 0) {
			fprintf(stderr, "nfacc: error: %s has machines, which questions don't "
				"cover\n", in->file[i].name);
			code = NFART_USAGE;
		}
	}
	return code;
}

/* Says the answer on standard error, if that is a terminal. A script reads the exit code. */
static void say_answer(const struct question_input *q, bool yes)
{
	const char *x = q->name[0], *y = q->name[1];

	if (!isatty(STDERR_FILENO))
		return;
	fprintf(stderr, "%s: ", yes ? "yes" : "no");
	switch (q->question) {
	case QUESTION_EQUAL:
		fprintf(stderr, "%s and %s are %sequal\n", x, y, yes ? "" : "not ");
		break;
	case QUESTION_CONTAINS:
		fprintf(stderr, "%s %s everything that %s accepts\n", y,
			yes ? "accepts" : "does not accept", x);
		break;
	case QUESTION_EMPTY:
		fprintf(stderr, "%s accepts %s\n", x, yes ? "nothing" : "something");
		break;
	case QUESTION_UNIVERSAL:
		fprintf(stderr, "%s %s every batch of every stream\n", x,
			yes ? "accepts" : "does not accept");
		break;
	case QUESTION_NONE:
		break;
	}
}

static int ask_answer(const struct options *o, struct question_input *q)
{
	struct progress_line *line = progress_line_new("nfacc");
	struct buf b = { 0 };
	int code;

	q->progress = progress_line_callback(line);
	code = (int)question_answer(q, &b);
	progress_line_free(line);
	if (code == NFART_OK || code == NFART_NO)
		say_answer(q, code == NFART_OK);
	if (code == NFART_NO && files_write(o, &b) != NFART_OK)
		code = NFART_SYSTEM;
	else if (code == NFART_SYSTEM)
		files_fail("out of memory", NULL);
	else if (code != NFART_NO && code != NFART_OK && b.n != 0)
		fprintf(stderr, "nfacc: error: %s", b.at);
	buf_free(&b);
	return code;
}

int cmd_ask(struct options *o)
{
	struct inputs in = { 0 };
	struct question_input q = { .question = o->command->question,
				    .steps = o->pipeline.proof.steps };
	struct pipeline *p = calloc(2, sizeof *p);
	int code = p == NULL ? files_fail("out of memory", NULL) : inputs_read(o, &in);

	if (code == NFART_OK)
		code = compile_both(o, &in, p, &q);
	if (code == NFART_OK)
		code = ask_answer(o, &q);
	for (size_t i = 0; p != NULL && i < in.n; i++)
		pipeline_free(&p[i]);
	inputs_free(&in);
	free(p);
	return code;
}
