/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * filter_note.h: a filter that reports what it finds to a function instead of giving it to a
 * window. Threads and shards run it over the decoded pieces of a trace (runtime/run/decoded.h). A
 * piece consists of *items*: batches, and dense rows without messages, which are no batches.
 */
#ifndef NFART_FILTER_NOTE_H
#define NFART_FILTER_NOTE_H

#include "runtime/engine/filter.h"

/* Where to report what is found. Items are numbered through the whole piece. */
struct filter_notes {
	/* Called for each item that is reported, with nfart_batch.when and its result. False: out
	 * of memory. */
	bool (*note)(void *ctx, size_t item, uint8_t when, const struct nfart_result *r);
	/* With ticks, called for each tick alone that is reported, and for the end; and for each
	 * loss record. They come in their place among the items. NULL: they are not reported. */
	bool (*tick)(void *ctx, uint64_t time, uint8_t when, const struct nfart_result *r);
	bool (*loss)(void *ctx, uint64_t time, uint64_t lost);
	void *ctx;
	/* The number in the piece of the first item that a call filters. The caller sets it. */
	size_t first;
	bool logged;       /* also report items that are logged but not accepted */
	/* With `logged` and ticks: so many of the next logged ones may be in reach of one that was
	 * accepted. Of others in a long gap only those are reported that may be in reach of one
	 * that is. */
	uint64_t after;
	/* With ticks: after so many accepted ticks alone in one call, the caller needs nothing more
	 * of that call; 0: it needs all. `accepted` counts them. */
	uint64_t most, accepted;
	uint64_t left_out; /* how many logged items were not reported because `logged` is false */
};

/* Run the filter over n <= FILTER_BLOCK items, and report each item that is accepted.
 * filter_note_keys() is for images without substreams, and takes the items' keys.
 * filter_note_visits() is for images with substreams, and takes the items' visits (fast/visits.h).
 * False: out of memory. */
bool filter_note_keys(struct nfart_filter *f, uint64_t *key, size_t n, struct filter_notes *notes);
bool filter_note_visits(struct nfart_filter *f, const struct line_visit *v, size_t nvisits,
			size_t n, struct filter_notes *notes);

/* With ticks, for filters of images with a time slot: filter_note_timed() runs over the n batches
 * of the current block; filter_note_record() over a record by itself, whose number is `first`; and
 * filter_note_end() ends the stream, whose stated last time is `until`. False: out of memory. */
bool filter_note_timed(struct nfart_filter *f, size_t n, struct filter_notes *notes);
bool filter_note_record(struct nfart_filter *f, const struct nfart_batch *b,
			struct filter_notes *notes);
bool filter_note_end(struct nfart_filter *f, uint64_t until, struct filter_notes *notes);

/* ---- what the filter calls, while f->notes is set ---- */

/* Reports those of the items [from, to) of the block whose entries say that they are accepted or
 * logged. On entry *hit is the first hit of these items, as an index into f->hits; afterwards it is
 * the first hit that was not used. False: out of memory. */
bool filter_note_entries(struct nfart_filter *f, size_t from, size_t to, size_t *hit,
			 struct filter_notes *notes);

/* Reports a loss record, or the result of a batch that the engine stepped. */
bool filter_note_result(struct nfart_filter *f, const struct nfart_batch *b,
			const struct nfart_result *r);

#endif
