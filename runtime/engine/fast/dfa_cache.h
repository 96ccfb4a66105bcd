/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * dfa_cache.h: an image's automaton made deterministic while it runs: a cache of DFA states and of
 * the transitions between them.
 *
 * Note [states, rows, entries]
 * A *state* is a set of the image's states that were active together. States are numbered from 1 as
 * they are met. Each has a *row* of the table, a word for each symbol (symbols.h); a row is named
 * by the index of its first word, so that no multiplication stands in the way of the next step. A
 * word of the table is an *entry*: the row the automaton goes to with that symbol, and flags that
 * say what this state does.
 *
 *                  symbol 0   symbol 1   symbol 2   …
 *   row 0              0          0          0           no state: leads nowhere
 *   row 1 * stride   stays    2 * stride     0           0: not computed yet
 *   row 2 * stride   stays        0      1 * stride | DFA_ACCEPTED
 *
 * Entries are computed one by one, by single steps of the engine (engine.h), when they are first
 * needed. With symbol 0, which is no batch, a state leads to itself, without flags.
 *
 * Everything is bounded. When there is no room left the cache forgets all it has; a stream that
 * keeps making new entries is stepped without the cache for a while (dfa_walk.c, Note [when the
 * cache pays]). A set is kept as bits, or as a list of its states where that is shorter: of a large
 * automaton only a few states are active together.
 *
 * Counters are not part of a state. Where a state makes counters count or resets them, the entries
 * that lead to it have DFA_COUNT, and dfa_count() says where they really lead (dfa_counters.c).
 */
#ifndef NFART_DFA_CACHE_H
#define NFART_DFA_CACHE_H

#include "include/nfart.h"
#include "runtime/engine/engine.h"
#include "runtime/engine/fast/keys.h"
#include "runtime/engine/fast/symbols.h"

#define DFA_ACCEPTED 0x80000000u
#define DFA_LOGGED 0x40000000u
#define DFA_COUNT 0x20000000u
#define DFA_ROW 0x1fffffffu

enum {
	DFA_ENTRIES = 1 << 22,   /* in the table: 16 MiB */
	DFA_STATES = 1 << 17,
	DFA_SET_BYTES = 1 << 24, /* of all sets */
	DFA_MOST_COUNTERS = 64
};

/* What a state does with counters, a bit for each. */
struct dfa_touch {
	uint64_t count, reset; /* counters it makes count, counters it resets */
	uint64_t active;       /* counters active in its set: latches */
	uint64_t last;         /* which were active after the state, when these last differed … */
	uint32_t row;          /* … and the entry for that; 0: they never differed */
};

struct dfa_states {
	uint32_t n;          /* the next state's number: there is no state 0 */
	uint32_t cap, most;  /* allocated; allowed */
	uint64_t *sets;      /* the set of state s: sets[set_at[s] … set_at[s + 1]) */
	uint32_t *set_at;    /* [cap + 1] */
	uint32_t sets_cap;   /* words */
	uint32_t *flags;     /* [cap]: of the entries that lead to it */
	uint32_t *hash;      /* [nhash]: states by set */
	uint32_t nhash;
	uint64_t *packed, *unpacked; /* scratch, [en->words] each */
};

struct dfa_counters {
	uint64_t *latches;       /* [en->words]: the states of latch counters */
	bool nested;             /* some counter counts, or is reset by, another one */
	struct dfa_touch *touch; /* [states.cap]; NULL: the image has no counters */
};

struct dfa_cache {
	struct nfart_engine *en; /* borrowed: tables and single steps */
	struct key_table keys;
	struct symbol_table symbols;
	struct dfa_states states;
	struct dfa_counters counters;

	uint32_t *next;          /* the table: rows of `stride` entries */
	uint32_t *memory;        /* as allocated: `next` begins a little after it */
	uint32_t stride;         /* a power of two: symbols that a row has room for, and 1 */
	uint32_t room, most_entries; /* entries allocated; allowed */
	uint64_t made;           /* entries computed so far */
	uint64_t emptied;        /* how often all were forgotten */
	uint64_t *scratch;       /* [en->words] */
};

/* NULL with *ok: the image can't be run this way. NULL without: out of memory. dfa_free(NULL) is
 * fine. */
struct dfa_cache *dfa_new(struct nfart_engine *en, enum nfart_simd level, bool *ok);
void dfa_free(struct dfa_cache *d);

/* Forgets all states and entries; symbols too where `symbols`, unless longer rows make room for
 * more. */
void dfa_flush(struct dfa_cache *d, bool symbols);

/* Forgets all entries, and the states s with keep[s] == 0. For the others keep[s] becomes the row.
 * False: out of memory; then all are forgotten. */
bool dfa_keep(struct dfa_cache *d, uint32_t *keep);

/* Have the rows no room for another symbol? */
static inline bool dfa_symbols_full(const struct dfa_cache *d)
{
	return d->symbols.n == d->stride - 1;
}

/* Gives a key its symbol. False: the rows have no room for it; dfa_flush() then makes some. */
bool dfa_add_symbol(struct dfa_cache *d, uint64_t key);

/* Steps the set at `active` and the counts with a key, by the engine. */
void dfa_step(struct dfa_cache *d, uint64_t key, uint64_t *active, uint32_t *counts);

/* The row of a set. 0: no room. */
uint32_t dfa_row(struct dfa_cache *d, const uint64_t *set);

/* DFA_ACCEPTED and DFA_LOGGED of a set. */
uint32_t dfa_flags(const struct dfa_cache *d, const uint64_t *set);

/* Computes and keeps the entry of a row and a symbol. 0: no room. */
uint32_t dfa_make_entry(struct dfa_cache *d, uint32_t row, uint32_t symbol);

/* Is there room for one more state, whatever its set? */
static inline bool dfa_has_room(const struct dfa_cache *d)
{
	const struct dfa_states *s = &d->states;

	return s->n < s->most && (s->n + (size_t)1) * d->stride <= d->most_entries &&
	       s->set_at[s->n] + d->en->words < DFA_SET_BYTES / 8;
}

/* The set of an entry, valid until the next call. */
const uint64_t *dfa_set(const struct dfa_cache *d, uint32_t entry);

/* ---- counters (dfa_counters.c) ---- */

/* Fills latches and nested. */
void dfa_counters_prepare(struct dfa_cache *d);

/* Adds to scratch the latch counters that are active in the set of a row. */
void dfa_keep_latches(struct dfa_cache *d, uint32_t row);

/* What a set touches. Linear in the states that make counters count, or reset them. */
struct dfa_touch dfa_touches(const struct dfa_cache *d, const uint64_t *set);

/* What an entry with DFA_COUNT becomes after its counters have counted: an entry without it. 0:
 * there was no room, or, where dfa_has_room(), no memory. */
uint32_t dfa_count(struct dfa_cache *d, uint32_t entry, uint32_t *counts);

#endif
