/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * matches.h: filters over messages.h, in the process that reads them. A label is written when it
 * matches, with names:
 *
 *   used: load of 4 bytes, <freed:0001@push+21>+8, by walk+73 (list.c:40), thread 0
 */
#ifndef NFACC_PROBES_MEMORY_READER_MATCHES_H
#define NFACC_PROBES_MEMORY_READER_MATCHES_H

#include <stdio.h>

#include "include/nfart.h"
#include "probes/memory/reader/messages.h"
#include "probes/memory/reader/turns.h"

struct matches;

/* Makes a filter of the image that takes the messages of `x`, of the image's protocol, and writes
 * to f. All of them must outlive it. NULL: *e says why, as nfart_filter_new() does. Free with
 * matches_free(). */
struct matches *matches_new(struct memory *m, struct messages *x, const struct nfart_image *im,
			    FILE *f, struct nfart_error *e);
void matches_free(struct matches *q);

/* From here on the matches are those of a process with this id, which ends their lines. Others
 * write to the file, too, and take turns. */
void matches_process(struct matches *q, uint32_t pid, struct turns *turns);

/* Writes of equal matches only the first: those with the same label, kind of access, instruction,
 * and variable or place of allocation. Without memory to remember a match, it is written again.
 * Cost: some 50 bytes for each match that is written. */
void matches_once(struct matches *q);

/* Ends the stream, and writes what matches at its end. False: *e says why. */
bool matches_end(struct matches *q, struct nfart_error *e);

/* How many matches were written. */
uint64_t matches_count(const struct matches *q);

#endif
