/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * command.h: the table of the commands of nfacc. A command is what nfacc does in one run, such as
 * the search of --fit or the list of --list. The function of each command is in a file cmd_*.c.
 */
#ifndef NFACC_COMPILER_COMMAND_H
#define NFACC_COMPILER_COMMAND_H

#include "compiler/question.h"

struct options;

struct command {
	/* name of the option that asks for the command; NULL: no option does */
	const char *name;
	int (*run)(struct options *o); /* prints its errors and returns an exit code */
	size_t least, most;        /* the least and the greatest number of files it takes */
	/* the error message if another number of files is given; NULL: the message says that the
	 * value of --emit takes no filter */
	const char *files;
	/* names of the options that can't be given together with the command, and NULL after the
	 * last one; `without` itself is NULL if there are no such options */
	const char *const *without;
	bool overlay;              /* the command needs the overlay, which is read before it runs */
	enum question question;    /* the question that the command answers, if it does that */
};

/* All commands. The first one compiles; it runs if no option asks for a command. The last entry has
 * no function. */
extern const struct command commands[];

/* This command replaces the one that compiles if the value of --emit needs an overlay and no
 * filter. */
extern const struct command command_emit_overlay;

/* The functions of the commands. Each prints its errors and returns an exit code. */
int cmd_compile(struct options *o);
int cmd_emit_overlay(struct options *o);
int cmd_estimate(struct options *o);
int cmd_fit(struct options *o);
int cmd_ask(struct options *o);
int cmd_inspect(struct options *o);
int cmd_inspect_registers(struct options *o); /* --inspect with --target */
int cmd_map_graph(struct options *o);
int cmd_list(struct options *o);

#endif
