/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "probes/memory/reader/matches.h"

#include <stdlib.h>

#include "probes/memory/reader/report.h"
#include "support/hash.h"

/* A match that was written. Equal matches have the same values here. */
struct seen {
	uint64_t pc, place; /* place: who allocated the block; else its address */
	uint64_t what;      /* label, kind, and whether the block is gone; 0: the entry is empty */
};

enum { LEAST_SEEN = 64 };

struct matches {
	struct memory *memory;
	const struct nfart_image *image;
	struct nfart_filter *filter;
	struct findings *findings;
	uint64_t count;
	const char *word; /* in place of the label; NULL: none */
	bool once;
	struct report_ignored ignored;
	struct seen *seen; /* a hash table (support/hash.h) of `places` entries, `nseen` in use */
	size_t nseen, places;
};

static uint64_t seen_hash(const struct seen *s)
{
	return hash_add(hash_add(hash_add(0, s->pc), s->place), s->what);
}

static bool seen_hash_of(const void *entry, uint64_t *h)
{
	const struct seen *s = entry;

	*h = seen_hash(s);
	return s->what != 0;
}

HASH_INLINE bool seen_ends(const void *ctx, size_t place, const void *key)
{
	const struct matches *q = ctx;
	const struct seen *a = &q->seen[place], *b = key;

	return a->what == 0 || (a->pc == b->pc && a->place == b->place && a->what == b->what);
}

/* Whether an equal match was written before. Also remembers this match. If there is no memory, the
 * match counts as new. */
static bool was_seen(struct matches *q, uint32_t label, const struct message *m)
{
	struct seen s = { .pc = m->pc,
			  .what = 1 + ((uint64_t)label << 16 | (uint64_t)m->kind << 1 | m->gone) };
	size_t at;

	if (m->place != NULL)
		s.place = m->place->pc != 0 ? m->place->pc : m->place->at;
	if (2 * q->nseen >= q->places &&
	    !hash_widen((void **)&q->seen, &q->places, sizeof *q->seen, LEAST_SEEN, seen_hash_of))
		return false;
	at = hash_probe(q->places, seen_hash(&s), seen_ends, q, &s);
	if (q->seen[at].what != 0)
		return true;
	q->seen[at] = s;
	q->nseen++;
	return false;
}

/* Writes a match. m is NULL for one at the end. */
static void write_match(struct matches *q, const struct nfart_match *match, const struct message *m)
{
	const bool named = q->word == NULL || nfart_image_nlabels(q->image) > 1;
	struct finding f = { .check = q->word, .message = m };

	f.label = named ? nfart_image_labels(q->image)[match->label] : NULL;
	q->count++;
	findings_write(q->findings, q->memory, &f);
}

/* Writes the matches of n messages. The first message has the time `first`. */
static bool write_matches(struct matches *q, const struct message *messages, size_t n,
			  uint64_t first, struct nfart_error *e)
{
	size_t found;
	const struct nfart_match *match = nfart_filter_matches(q->filter, &found);

	if (found == 0)
		return true;
	findings_take_turn(q->findings);
	for (size_t i = 0; i < found; i++) {
		uint64_t at = match[i].time - first;

		if (q->once && at < n && was_seen(q, match[i].label, &messages[at]))
			continue;
		if (at < n && report_is_ignored(q->memory, &q->ignored, &messages[at]))
			continue;
		write_match(q, &match[i], at < n ? &messages[at] : NULL);
	}
	return findings_give_turn(q->findings, e);
}

static bool match_block(void *ctx, const struct message_block *b, struct nfart_error *e)
{
	struct matches *q = ctx;

	if (!nfart_filter_messages(q->filter, b->slot, b->header, b->n, b->first)) {
		nfart_fail(e, NFART_SYSTEM, "the filter needs more memory than there is");
		return false;
	}
	return write_matches(q, b->message, b->n, b->first, e);
}

static uint64_t quiet_messages(void *ctx, uint32_t slot, uint64_t header, uint64_t varies)
{
	struct matches *q = ctx;

	return nfart_filter_quiet(q->filter, slot, header, varies);
}

struct matches *matches_new(struct memory *m, struct messages *x, const struct nfart_image *im,
			    struct findings *w, struct nfart_error *e)
{
	struct nfart_filter_options o = { .matches = true };
	struct matches *q;

	if (nfart_image_payload(im) != 0) {
		nfart_fail(e, NFART_USAGE, "the filter looks at payload, and memory accesses "
			   "have none");
		return NULL;
	}
	q = calloc(1, sizeof *q);
	if (q == NULL) {
		nfart_fail(e, NFART_SYSTEM, "out of memory");
		return NULL;
	}
	*q = (struct matches){ .memory = m, .image = im, .findings = w };
	q->filter = nfart_filter_new(im, &o, e);
	if (q->filter == NULL) {
		free(q);
		return NULL;
	}
	messages_add(x, match_block, quiet_messages, q);
	return q;
}

void matches_free(struct matches *q)
{
	if (q != NULL) {
		nfart_filter_free(q->filter);
		free(q->seen);
	}
	free(q);
}

void matches_ignore(struct matches *q, const char *pattern)
{
	report_ignore(&q->ignored, pattern);
}

void matches_word(struct matches *q, const char *word)
{
	q->word = word;
}

void matches_once(struct matches *q)
{
	q->once = true;
}

bool matches_end(struct matches *q, struct nfart_error *e)
{
	if (!nfart_filter_end(q->filter)) {
		nfart_fail(e, NFART_SYSTEM, "the filter needs more memory than there is");
		return false;
	}
	return write_matches(q, NULL, 0, 0, e);
}

uint64_t matches_count(const struct matches *q)
{
	return q->count;
}
