/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * command.h: what nfacc can be asked to do, a row each. Every row has its function in a cmd_*.c.
 */
#ifndef NFACC_COMPILER_COMMAND_H
#define NFACC_COMPILER_COMMAND_H

#include "compiler/question.h"

struct options;

struct command {
	const char *name;          /* of the option that asks for it; NULL: what is done without one */
	int (*run)(struct options *o); /* the exit code; it has said what is wrong */
	size_t least, most;        /* how many files it takes */
	const char *files;         /* the message where there are fewer or more; NULL: the output takes none */
	const char *const *without; /* names of options that ask for something else; NULL after the last */
	bool overlay;              /* it looks at the overlay, which is read first */
	enum question question;
};

/* The first is what is done without a command: compile. The last has no function. */
extern const struct command commands[];

/* Compile's place is taken by this one where the output is of an overlay and of no filter. */
extern const struct command command_emit_overlay;

int cmd_compile(struct options *o);
int cmd_emit_overlay(struct options *o);
int cmd_fit(struct options *o);
int cmd_ask(struct options *o);
int cmd_inspect(struct options *o);
int cmd_map_graph(struct options *o);
int cmd_list(struct options *o);

#endif
