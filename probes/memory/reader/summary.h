/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/* summary.h: prints how many events there were, in the format of table III of MadT. */
#ifndef NFACC_PROBES_MEMORY_READER_SUMMARY_H
#define NFACC_PROBES_MEMORY_READER_SUMMARY_H

#include "probes/memory/reader/memory.h"
#include "support/buf.h"

/*
 * Appends the table to b. The counts of sites and faults are for the whole run. The other counts
 * are for the part of it that was recorded. Cost: linear in the sites.
 */
void summary_print(const struct memory *m, struct mem_channel *c, struct buf *b);

/*
 * Appends what was not seen of the memory that is watched, as parts of a sentence. Appends nothing
 * if all of it was seen.
 */
void summary_unseen(struct mem_channel *c, struct buf *b);

#endif
