/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * summary.h: how many events there were, in the form of MadT's table III.
 */
#ifndef NFACC_PROBES_MEMORY_READER_SUMMARY_H
#define NFACC_PROBES_MEMORY_READER_SUMMARY_H

#include "probes/memory/reader/memory.h"
#include "support/buf.h"

/* Appends the table to b. What the channel says of sites and faults is of the whole run, the other
 * counts are of what was recorded. Cost: linear in the sites. */
void summary_print(const struct memory *m, struct mem_channel *c, struct buf *b);

#endif
