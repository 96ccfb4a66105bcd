/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * terminal.h: what a tool may do with the terminal: show a line of progress on it, and use colours.
 * Also the option --color, which tools have in common.
 */
#ifndef NFACC_SUPPORT_TERMINAL_H
#define NFACC_SUPPORT_TERMINAL_H

#include <stdbool.h>

#include "support/option.h"

/* What --color says, in the order of its values. */
enum terminal_colour { COLOUR_AUTO, COLOUR_ALWAYS, COLOUR_NEVER };

/* Are colours used on the stream with this descriptor? With COLOUR_AUTO they are if it is a
 * terminal that has them (TERM is not dumb), and if NO_COLOR is not set, or empty. */
bool terminal_has_colours(enum terminal_colour when, int fd);

/* The values of --color. */
struct option_value terminal_colours(size_t i);

/* The rows of --color in a tool's table of options. `group` and `of` are the group and the verbs of
 * the rows, and `field` is the enum terminal_colour in the tool's struct `type`. */
#define TERMINAL_ROWS_COLOUR(group, of, type, field)                                               \
	{ group, .verbs = of, .name = "color", .kind = OPTION_CHOICE, .arg = "WHEN",               \
	  .value = terminal_colours, .usual = "auto", OPTION_AT(type, field),                      \
	  .help = "colour messages, and what is shown on a terminal" },                            \
	{ group, .verbs = of, .name = "colour", .kind = OPTION_CHOICE, .arg = "WHEN",              \
	  .value = terminal_colours, OPTION_AT(type, field), .hidden = true }

/* Can a line of progress be shown? It can if standard error is a terminal that erases a line when
 * it is told to: not one of TERM=dumb. */
bool terminal_line_possible(void);

/* Shows the text on standard error in place of what the line showed before, cut to the width of the
 * terminal. */
void terminal_line_put(const char *text);

/* Erases the line. */
void terminal_line_erase(void);

#endif
