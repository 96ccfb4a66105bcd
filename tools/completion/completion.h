/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * completion.h: the outputs of genoptions, which makes them from a table of options. Each function
 * appends its output to b.
 */
#ifndef NFACC_TOOLS_COMPLETION_H
#define NFACC_TOOLS_COMPLETION_H

#include "support/option.h"

/* Makes a completion file for bash: a function `_TOOL`, and the line that registers it for
 * `commands`, for example "nfarun nfarun-mpi". The file doesn't need the package
 * bash-completion. */
void completion_bash(const struct option_table *t, const char *commands, struct buf *b);

/* Makes a completion file that zsh's compinit loads. */
void completion_zsh(const struct option_table *t, const char *commands, struct buf *b);

/* Makes a completion file for fish, which finds it by the name of the tool. */
void completion_fish(const struct option_table *t, struct buf *b);

/* Makes the two lines about licence and copyright that begin a generated file. */
void completion_licence(struct buf *b);

/* Copies a manual page (mdoc, n bytes) and makes its generated parts again. Such a part stands
 * between the lines `.\" begin WHAT` and `.\" end`. WHAT is `synopsis`, or `values --NAME` for the
 * list of values of option NAME. False: WHAT is something else, or the line `.\" end` is
 * missing. */
bool completion_manual(const struct option_table *t, const char *page, size_t n, struct buf *b);

/* The options of nfamodel, which is a shell script and has no table of its own. */
extern const struct option_table nfamodel_options;

#endif
