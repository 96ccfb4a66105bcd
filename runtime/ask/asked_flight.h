/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * asked_flight.h: how many requests are in flight in the part of a shard, as records of its file
 * (runtime/ask/asked_file.h), and taking these (runtime/pairs/pairs_part.h, Note [levels of
 * parts]).
 */
#ifndef NFART_ASK_ASKED_FLIGHT_H
#define NFART_ASK_ASKED_FLIGHT_H

#include "runtime/ask/asked_file.h"
#include "runtime/stats/in_flight.h"
#include "support/vec.h"

/* Writes the entries of a part, and from the switch on the stretches. */
struct flight_writer {
	struct asked_writer *out;
	struct in_flight *f; /* gets the pairs within the part, from its first event on */
	uint32_t rules;
	bool switched;
};

/* Write an entry, and the end of the part at `time`. False: memory is short, or the file can't be
 * written. */
bool flight_put_entry(struct flight_writer *w, const struct pairs_entry *x);
bool flight_put_end(struct flight_writer *w, uint64_t time);

/* Takes the stretches of a shard's file; what is not set is zeroed before. Free `above` with
 * vec_free(). */
struct flight_taker {
	struct in_flight *f; /* NULL: records are only checked */
	uint32_t rules;
	bool told;           /* the switch came: the part tells pairs */
	bool begun;          /* the begin of a stretch came, of all rules, and its end did not */
	uint32_t next;       /* the rule of the next record */
	uint64_t from, to;   /* the stretch, as far as it came */
	VEC(uint64_t) above; /* [rules + 1]: how many more are open than the shard knows */
	uint64_t levels, cycles; /* levels of the next rule that came, and their cycles */
};

/* Take a record of the kinds ASKED_LEVEL and ASKED_STRETCH. False: it can't be; or *failed is set,
 * and memory is short. */
bool flight_take_level(struct flight_taker *t, const uint64_t *w, bool *failed);
bool flight_take_stretch(struct flight_taker *t, const uint64_t *w, bool *failed);

/* May an entry come here? Events come before the switch, and what the part tells of pairs comes
 * within a stretch. Call flight_took() when the entry was put into the pairs. False: memory is
 * short. */
bool flight_allows(const struct flight_taker *t, const struct pairs_entry *x);
bool flight_took(struct flight_taker *t, const struct pairs_entry *x);

/* Is as much in flight as is open in q, and every stretch whole? */
bool flight_agrees(const struct flight_taker *t, const struct nfart_pairs *q);

#endif
