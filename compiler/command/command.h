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
	const char *name;          /* name of the option that asks for the command, or NULL */
	int (*run)(struct options *o); /* prints its errors and returns an exit code */
	size_t least, most;        /* how many files the command takes */
	const char *files;         /* the error message for fewer or more files; NULL: the message
				    * names the value of --emit, which takes no filter */
	const char *const *without; /* names of options that can't be given together with the
				    * command, and then NULL; or NULL: there are none */
	bool overlay;              /* the command needs the overlay, which is read before it runs */
	enum question question;    /* of the commands that ask one */
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
int cmd_fit(struct options *o);
int cmd_ask(struct options *o);
int cmd_inspect(struct options *o);
int cmd_map_graph(struct options *o);
int cmd_list(struct options *o);

#endif
