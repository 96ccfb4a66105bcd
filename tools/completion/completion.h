/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * completion.h: what genoptions makes from a table of options. Each function appends to b.
 */
#ifndef NFACC_TOOLS_COMPLETION_H
#define NFACC_TOOLS_COMPLETION_H

#include "support/option.h"

/* A function `_TOOL` for bash's complete, and the line that registers it for `commands` ("nfarun nfarun-mpi"). It
 * needs nothing of the package bash-completion. */
void completion_bash(const struct option_table *t, const char *commands, struct buf *b);

/* A file for zsh's compinit. */
void completion_zsh(const struct option_table *t, const char *commands, struct buf *b);

/* The two lines that say whose a generated file is. */
void completion_licence(struct buf *b);

/* Copies a manual page (mdoc, n bytes). What stands between the lines `.\" begin WHAT` and `.\" end` is made
 * anew, where WHAT is `synopsis`, or `values --NAME` for the list of values of an option. False: a line says
 * something else, or there is no end. */
bool completion_manual(const struct option_table *t, const char *page, size_t n, struct buf *b);

/* The options of nfamodel, which is a shell script and has no table of its own. */
extern const struct option_table nfamodel_options;

#endif
