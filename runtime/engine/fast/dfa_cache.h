/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * dfa_cache.h: makes the automaton of an image deterministic while it runs, in a cache of DFA
 * states and of the transitions between them.
 *
 * Note [states, rows, entries]
 * A *state* of the cache is a set of the image's states that were active together. States are
 * numbered from 1 in the order in which they are met. Each has a *row* of the table, with a word
 * for each symbol (symbols.h). A row is named by the index of its first word, so that the next step
 * needs no multiplication. A word of the table is an *entry*: it has the row to which the automaton
 * goes with that symbol, and flags that say what the state of that row does.
 *
 *                  symbol 0   symbol 1   symbol 2   …
 *   row 0              0          0          0           no state: leads nowhere
 *   row 1 * stride   stays    2 * stride     0           0: not computed yet
 *   row 2 * stride   stays        0      1 * stride | DFA_ACCEPTED
 *
 * An entry is computed when it is first needed, by a single step of the engine (engine.h). Symbol 0
 * stands for no batch: with it a state leads to itself, without flags.
 *
 * Everything is bounded. When there is no room left, the cache forgets all it has. A stream that
 * keeps needing new entries is stepped without the cache for a while (dfa_walk.c, Note [when the
 * cache pays]). A set is kept as bits, or as a list of its states where that is shorter: of a large
 * automaton only a few states are active together.
 *
 * Counts are not part of a state. Where a state makes counters count or resets them, the entries
 * that lead to it have DFA_COUNT. dfa_count() then says where such an entry really leads
 * (dfa_counters.c, Note [counting entries]).
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
	DFA_ENTRIES = 1 << 22,   /* the most words of the table: 16 MiB */
	DFA_STATES = 1 << 17,
	DFA_SET_BYTES = 1 << 24, /* the most bytes of all sets together */
	DFA_MOST_COUNTERS = 64
};

/* What a state of the cache does with counters. The first four members have a bit for each
 * counter. */
struct dfa_touch {
	uint64_t count,  /* the counters that this state makes count */
		 reset;  /* the counters that this state resets */
	uint64_t active; /* the counters that are active in this state */
	/* The result of dfa_count() that is remembered: the last one that differed from `active`.
	 * `last` has the counters that were active then. `row` is the entry that was returned, or 0
	 * if no result differed so far. */
	uint64_t last;
	uint32_t row;
};

struct dfa_states {
	uint32_t n;          /* 1 + the highest number of a state: there is no state 0 */
	uint32_t cap,        /* how many states there is room for */
		 most;       /* how many states are allowed */
	/* The set of state s is sets[set_at[s] … set_at[s + 1]). */
	uint64_t *sets;
	uint32_t *set_at;    /* [cap + 1]: the index in `sets` where each state's set begins */
	uint32_t sets_cap;   /* how many words `sets` has room for */
	uint32_t *flags;     /* [cap]: the flags of all entries that lead to the state */
	struct hash_ids hash; /* finds states by their sets */
	uint64_t *packed,    /* [en->words]: scratch for a packed set */
		 *unpacked;  /* [en->words]: scratch for a set as bits */
};

struct dfa_counters {
	uint64_t *latches;       /* [en->words]: the set of the states of latch counters */
	bool nested;             /* some counter counts, or is reset by, another counter */
	/* [states.cap]: what each state does with counters. NULL: the image has no counters. */
	struct dfa_touch *touch;
};

struct dfa_cache {
	struct nfart_engine *en; /* an engine, borrowed for its tables and single steps */
	struct key_table keys;
	struct symbol_table symbols;
	struct dfa_states states;
	struct dfa_counters counters;

	uint32_t *next;          /* the table: rows of `stride` entries */
	uint32_t *memory;        /* the allocated memory: `next` begins TABLE_PAD words after it */
	/* The number of entries in a row, a power of two. One of them is always free, so a row has
	 * room for stride - 1 symbols. */
	uint32_t stride;
	uint32_t room,           /* how many entries there is room for */
		 most_entries;   /* how many entries are allowed */
	uint64_t made;           /* how many entries were computed so far */
	uint64_t emptied;        /* how often all entries were forgotten */
	uint64_t *scratch;       /* [en->words]: the set that is being computed */
};

/* Makes a cache for en, which is borrowed. NULL, and *ok is true: the image can't be run this way.
 * NULL, and *ok is false: out of memory. dfa_free(NULL) is fine. */
struct dfa_cache *dfa_new(struct nfart_engine *en, enum nfart_simd level, bool *ok);
void dfa_free(struct dfa_cache *d);

/* Forgets all states and entries. If the rows have no room for another symbol and may be longer,
 * they become twice as long. If not, and if `symbols` is true, all symbols are forgotten too. */
void dfa_flush(struct dfa_cache *d, bool symbols);

/* Forgets all entries, and each state s with keep[s] == 0. For the others keep[s] becomes their new
 * row. False: out of memory; then all states are forgotten. */
bool dfa_keep(struct dfa_cache *d, uint32_t *keep);

/* Do the rows have no room for another symbol? */
static inline bool dfa_symbols_full(const struct dfa_cache *d)
{
	return d->symbols.n == d->stride - 1;
}

/* Gives a key its symbol. False: the rows have no room for one more; dfa_flush() makes room. */
bool dfa_add_symbol(struct dfa_cache *d, uint64_t key);

/* Lets the engine step one copy, given by its set of states `active` and its counts, by one batch
 * with this key. */
void dfa_step(struct dfa_cache *d, uint64_t key, uint64_t *active, uint32_t *counts);

/* Returns the row of the state with this set, and makes the state if there is none. 0: there is no
 * room. */
uint32_t dfa_row(struct dfa_cache *d, const uint64_t *set);

/* Returns the flags of a set: DFA_ACCEPTED if one of its states has labels, and DFA_LOGGED if one
 * of its states has a log mark. */
uint32_t dfa_flags(const struct dfa_cache *d, const uint64_t *set);

/* Computes the entry of a row and a symbol, stores it in the table and returns it. 0: there is no
 * room. */
uint32_t dfa_make_entry(struct dfa_cache *d, uint32_t row, uint32_t symbol);

/* Is there room for one more state, whatever its set is? */
static inline bool dfa_has_room(const struct dfa_cache *d)
{
	const struct dfa_states *s = &d->states;

	return s->n < s->most && (s->n + (size_t)1) * d->stride <= d->most_entries &&
	       s->set_at[s->n] + d->en->words < DFA_SET_BYTES / 8;
}

/* Returns the set of the state to whose row an entry leads. It is valid until the next call. */
const uint64_t *dfa_set(const struct dfa_cache *d, uint32_t entry);

/* ---- counters (dfa_counters.c) ---- */

/* Fills in counters.latches and counters.nested. */
void dfa_counters_prepare(struct dfa_cache *d);

/* Adds to d->scratch the latch counters that are active in the set of a row. */
void dfa_keep_latches(struct dfa_cache *d, uint32_t row);

/* Finds what a set does with counters. Linear in the states that make counters count or reset
 * them. */
struct dfa_touch dfa_touches(const struct dfa_cache *d, const uint64_t *set);

/* Counts for an entry that has DFA_COUNT: updates the counts of the counters that its state
 * touches. Returns the entry, now without DFA_COUNT, that leads to the resulting set. 0: there was
 * no room for this set. If dfa_has_room() was true before, 0 means that memory ran out. */
uint32_t dfa_count(struct dfa_cache *d, uint32_t entry, uint32_t *counts);

#endif
