/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * pairs_part.h: a part of a trace, of which it is not known what is open where it begins.
 *
 * Note [parts of pairs]
 * Of a rule that is not in order, what was open under a key is decided by the first event of that
 * key: an answer ends it, and a request replaces it. All events of the key after that are joined
 * within the part. So a part is told as entries, in the order of the trace:
 *
 *   first     the first event of a key, before the first loss of the part
 *   event     any event of a rule in order, where each pair depends on how many requests waited
 *   replaced  a request that another one replaced, both within the part
 *   open      before a loss and at the end: a request that is open there
 *   loss      all that is open is given up
 *
 * The pairs that were joined within the part go to its sink. The entries, put into the requests and
 * answers of the trace up to the part, give all other pairs, in the order of the trace. But an
 * answer without a request that is the first of its key is told by both, if the trace has a
 * request.
 *
 * Note [levels of parts]
 * If it is asked how many requests are open (pairs_want.asked), that depends on those before the
 * part, too: until such a request ends, there is one more. Most end soon. So the first
 * pairs_want.prefix events of a part are entries of the kind event, and the pairs among them are
 * told when the entries are joined. After them come:
 *
 *   taken     a request of the prefix that is open: what becomes of it, the part tells
 *   switch    from here on the part tells pairs and the entries above
 *
 * If then no first event of a key meets a request from before the part, as many of these are open
 * up to the next loss, or the end, as at the switch. A part with a rule in order has no switch.
 */
#ifndef NFART_PAIRS_PAIRS_PART_H
#define NFART_PAIRS_PAIRS_PART_H

#include "runtime/pairs/pairs.h"

enum pairs_entry_kind {
	PAIRS_FIRST_ANSWER,
	PAIRS_FIRST_REQUEST,
	PAIRS_EVENT_ANSWER,
	PAIRS_EVENT_REQUEST,
	PAIRS_REPLACED,
	PAIRS_OPEN,
	PAIRS_LOSS,
	PAIRS_TAKEN,
	PAIRS_SWITCH,
	PAIRS_KINDS
};

struct pairs_entry {
	enum pairs_entry_kind kind;
	uint32_t rule, slot; /* of a loss and a switch, 0 */
	uint64_t time, header;
	uint32_t mark;       /* of the message, with pairs_part_mark(); else 0 */
};

/* Takes an entry. False: the call that led to it fails. */
typedef bool pairs_entry_sink(void *ctx, const struct pairs_entry *x);

struct pairs_part;

/* Begins a part for the rules of a protocol, which must outlive it. `pairs` gets the pairs that are
 * joined within it; with want.asked also those within the prefix, and requests that are replaced,
 * which the entries tell, too. NULL: out of memory. Free with pairs_part_free(). */
struct pairs_part *pairs_part_new(const struct nfart_proto *p, struct pairs_want want,
				  pairs_sink *pairs, pairs_entry_sink *entries, void *ctx);
void pairs_part_free(struct pairs_part *x);

/* Asks for marks. `mark` is called for every request and every entry but a loss and a switch, by
 * rising time, and returns the mark of a message at that time: the entry has it, and a request of
 * the pairs that are joined within the part. An entry of kind PAIRS_OPEN has that of its
 * request. */
void pairs_part_mark(struct pairs_part *x, uint32_t (*mark)(void *ctx, uint64_t time));

/* Puts in the next piece of the part. False: memory is short, or a sink failed. Memory grows with
 * the keys that came before the first loss. */
bool pairs_part_put(struct pairs_part *x, const struct pairs_piece *piece);

/* Ends the part. Says from when to when records came; *first > *last: none came. */
bool pairs_part_end(struct pairs_part *x, uint64_t *first, uint64_t *last);

/* May a part of a trace, whose pairs q joins, have such an entry? Its time does not matter. */
bool pairs_entry_can_be(const struct nfart_pairs *q, const struct pairs_entry *x);

/* Does the first event of a key, which may be, meet a request that is open? */
bool pairs_entry_meets(const struct nfart_pairs *q, const struct pairs_entry *x);

/* Puts an entry that may be into the requests and answers of the trace before it. *asked says
 * whether it is the first answer of a key whose request was found; the part has counted it as one
 * without a request. False: memory is short, or the sink failed; or *wrong says that it can't come
 * here. */
bool pairs_put_entry(struct nfart_pairs *q, const struct pairs_entry *x, bool *asked, bool *wrong);

/* Joins what was put in so far, of which some may wait. Call this after the entries of a part.
 * False: memory is short, or the sink failed. */
bool pairs_put_entries(struct nfart_pairs *q);

/* Takes into account that records came from `first` to `last`. */
void pairs_put_span(struct nfart_pairs *q, uint64_t first, uint64_t last);

#endif
