/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * terminal.h: what a tool may do with the terminal: show a line of progress on it, and use colours.
 */
#ifndef NFACC_SUPPORT_TERMINAL_H
#define NFACC_SUPPORT_TERMINAL_H

#include <stdbool.h>

/* Can a line of progress be shown? It can if standard error is a terminal that erases a line when it
 * is told to: not one of TERM=dumb. */
bool terminal_line_possible(void);

/* Shows the text on standard error in place of what the line showed before, cut to the width of the
 * terminal. */
void terminal_line_put(const char *text);

/* Erases the line. */
void terminal_line_erase(void);

#endif
