/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * named_lines.h: the lines that an engine's record names, as the software engine names them.
 */
#ifndef NFART_RUN_NAMED_LINES_H
#define NFART_RUN_NAMED_LINES_H

#include "contract/image/record.h"
#include "runtime/engine/copies.h"

enum { NAMED_MOST_LINES = 64 * RECORD_MOST_NAMES };

/* Writes the lines that a record names to `out`, which has room for NAMED_MOST_LINES, in the order of
 * nfart_result.lines. Returns how many these are. Each label that accepts on a line is one. Labels
 * from `nlabels` on are left out; no image has them. */
size_t named_lines(const struct copies *c, const struct record_names *names, uint32_t nlabels,
		   struct nfart_line *out);

#endif
