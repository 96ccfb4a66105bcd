/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * matches.h: runs a filter over the messages of messages.h, in nfamem itself. For each match it
 * writes the label and what happened, with names:
 *
 *   used: load of 4 bytes, <freed:0001@push+21>+8, by walk+73 (list.c:40), thread 0
 */
#ifndef NFACC_PROBES_MEMORY_READER_MATCHES_H
#define NFACC_PROBES_MEMORY_READER_MATCHES_H

#include "include/nfart.h"
#include "probes/memory/reader/findings.h"
#include "probes/memory/reader/messages.h"

struct matches;

/*
 * Makes a filter from the image. It takes the messages of `x` and writes matches to w. The protocol
 * of the messages must be that of the image. All arguments must outlive the filter. On failure
 * returns NULL and sets *e, as nfart_filter_new() does. Free it with matches_free().
 */
struct matches *matches_new(struct memory *m, struct messages *x, const struct nfart_image *im,
			    struct findings *w, struct nfart_error *e);
void matches_free(struct matches *q);

/*
 * Writes `word`, which must outlive the filter, in place of the label. If the filter has several
 * labels, the label comes behind it: "order (early)".
 */
void matches_word(struct matches *q, const char *word);

/*
 * Writes equal matches only once. Matches are equal if they have the same label, kind of access,
 * instruction, and variable or place of allocation. If there is no memory to remember a match, it
 * may be written again. Cost: about 50 bytes for each match that is written.
 */
void matches_once(struct matches *q);

/*
 * Leaves out matches by code whose function or module has a name that fits `pattern`, as fnmatch(3)
 * says. The name of a module is that of its file, without folders. There may be REPORT_IGNORED
 * patterns (report.h), which must outlive the filter. Cost: linear in the patterns, for each match.
 */
void matches_ignore(struct matches *q, const char *pattern);

/* Ends the stream and writes the matches at its end. On failure returns false and sets *e. */
bool matches_end(struct matches *q, struct nfart_error *e);

/* The number of matches that were written. */
uint64_t matches_count(const struct matches *q);

#endif
