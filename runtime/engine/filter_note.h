/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * filter_note.h: a filter that notes what it finds instead of giving it to a window. It runs over
 * pieces of a trace that were decoded (runtime/run/decoded.h), for threads and shards.
 */
#ifndef NFART_FILTER_NOTE_H
#define NFART_FILTER_NOTE_H

#include "runtime/engine/filter.h"

/* The items are numbered through the whole piece. */
struct filter_notes {
	bool (*note)(void *ctx, size_t item, const struct nfart_result *r); /* false: out of memory */
	void *ctx;
	size_t first;      /* the number of the first item */
	bool logged;       /* items that are only logged are noted as well */
	uint64_t left_out; /* how many of these were not */
};

/* Runs over n <= FILTER_BLOCK items and notes each one that is accepted: over their keys, without
 * substreams; over their visits, with substreams. False: out of memory. */
bool filter_note_keys(struct nfart_filter *f, uint64_t *key, size_t n, struct filter_notes *notes);
bool filter_note_visits(struct nfart_filter *f, const struct line_visit *v, size_t nvisits, size_t n,
			struct filter_notes *notes);

#endif
