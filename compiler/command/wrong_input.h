/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * wrong_input.h: says so where a file is given as a filter that is none, before it is parsed: a
 * trace, or an image.
 */
#ifndef NFACC_COMPILER_WRONG_INPUT_H
#define NFACC_COMPILER_WRONG_INPUT_H

#include <stdbool.h>

#include "support/buf.h"
#include "support/diag.h"

/* Is the text of the file `name` no filter, but something else that nfacc and nfarun know? If so,
 * reports it, with what to type. */
bool wrong_input_report(struct diags *d, const char *name, const struct buf *text);

#endif
