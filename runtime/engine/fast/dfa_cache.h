/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * dfa_cache.h: the automaton of an image as tables that grow while it runs, for filter.c.
 *
 * Note [keys, symbols, states]
 * Which predicates hold for a batch is all that an automaton sees of it. A *key* is a 64-bit word
 * that says so: bit 0 is set where there is a message at all, bit 2 + i where some message has one
 * of the codes that the i-th distinct set of codes among the predicates has. A batch's key is the
 * OR of the keys of its messages, and a message's key is one load from a table over codes; a row of
 * a dense trace that is no batch has key 0. With a single slot no OR is needed, so a key there is a
 * class of codes and there may be any number of sets. A protocol with more slots and more than 61
 * sets has no keys.
 *
 * A *symbol* is a small number for a key, handed out when the key is first seen; symbol 0 is the key
 * 0. Where there are few sets keys are small numbers too, and index a table of their symbols; others
 * are hashed. A *state* is a set of states of the image that were active together, numbered when it is first
 * reached. The table next[state][symbol] is filled entry by entry with single steps of the engine
 * (engine.h). All of it is bounded: where there is no room left everything is forgotten, and a
 * stream that keeps making new entries is stepped without them for a while (dfa_walk.c).
 *
 * A set is kept as bits, or where that takes less as the list of its states: of a large automaton few
 * are active together.
 *
 * An *entry* is the place of a state's row in the table with flags; 0: not known yet. With symbol 0 a
 * state stays, without flags. Where counters count or are reset FAST_COUNT is set, and fast_count() says
 * where the entry leads (dfa_counters.c).
 */
#ifndef NFART_FAST_H
#define NFART_FAST_H

#include <string.h>

#include "include/nfart.h"
#include "runtime/engine/engine.h"
#include "runtime/trace/trace.h"

#define FAST_ACCEPTED 0x80000000u
#define FAST_LOGGED 0x40000000u
#define FAST_COUNT 0x20000000u
#define FAST_ROW 0x1fffffffu
#define FAST_IDLE ((uint64_t)1 << 63) /* in the key of an idle message, and nowhere else */
#define FAST_SEEN ((uint64_t)1 << 1)  /* with substreams: of a message that belongs to a line */

enum {
	FAST_BITS = 61,           /* sets of codes that keys can tell apart */
	FAST_FIRST_BIT = 2,       /* of the first set */
	FAST_DIRECT = 1 << 12,    /* keys below have their symbols in a table */
	FAST_SYMBOLS = 1 << 12,
	FAST_ENTRIES = 1 << 22,   /* of the table: 16 MiB */
	FAST_STATES = 1 << 17,
	FAST_SET_BYTES = 1 << 24, /* of the sets of states */
	FAST_COUNTERS = 64,
	FAST_NO_SYMBOL = -1 /* in front of a row there is the unused end of the one before: 0 */
};

struct fast_symbol {
	uint64_t key;
	uint64_t symbol;
};

/* What a state's set does with counters, a bit for each. */
struct fast_touch {
	uint64_t count, reset;   /* those it makes count, and resets */
	uint64_t active;         /* those active in it: latch counters */
	uint64_t last;           /* what was active behind it when it was last different … */
	uint32_t row;            /* … and the entry for that; 0: never yet */
};

struct fast {
	struct nfart_engine *en; /* borrowed: tables and single steps */

	/* keys */
	enum nfart_simd level;
	bool single;             /* one slot: a key's bits from FAST_FIRST_BIT on are a class of codes */
	uint32_t op_lsb, op_bits; /* the opcode's place in a header */
	uint64_t op_mask, idle;  /* the opcode in place; what is there in an idle header */
	uint64_t *keys;          /* [nslots + 1 << op_bits], by code; those behind the last slot are 0 */
	uint64_t **slot_keys;    /* [nslots + 1]: where a slot's begin */
	uint32_t *bit_of;        /* [npreds]: its set, where not single */
	uint32_t *class_code;    /* [256]: a code of each class, where single */

	/* symbols */
	bool small_keys;         /* there are no others than these: */
	int16_t direct[FAST_DIRECT]; /* symbols of keys below FAST_DIRECT, or FAST_NO_SYMBOL */
	struct fast_symbol symbols[2 * FAST_SYMBOLS]; /* of all others: an open hash table; empty: 0 */
	uint64_t key_of[FAST_SYMBOLS];
	uint16_t symbol_of[256]; /* of bytes, in protocol `bytes` */
	uint32_t nsymbols;
	uint64_t forgotten;      /* how often all symbols were; since then they mean others */

	/* states */
	uint32_t entries;        /* of the table, at most */
	uint32_t stride;         /* of a row of the table, a power of two: symbols it has room for, and 1 */
	uint64_t emptied, made;  /* how often the table was; entries that were */
	uint32_t nstates;        /* row 0 is not used: it begins at 1 */
	uint32_t cap, most;      /* that there is room for, and may be */
	uint32_t room;           /* entries that next has room for */
	uint32_t *table, *next;  /* as allocated; in it, rows of `stride` entries */
	uint64_t *sets;          /* that of state s: sets[set_at[s] … set_at[s + 1]) */
	uint32_t *set_at;        /* [cap + 1] */
	uint32_t sets_cap;
	uint32_t *flags;         /* [cap] */
	uint32_t *hash;          /* [nhash]: states by set */
	uint32_t nhash;
	uint64_t *scratch, *packed, *bits; /* [en->words] each */

	/* counters */
	uint64_t *latches;       /* [en->words]: states of latch counters */
	bool nested;             /* some counter counts, or is reset by, another */
	struct fast_touch *touch; /* [cap], where there are counters */
};

/* NULL with *ok: the image can't be run this way; NULL without: out of memory. fast_free(NULL) is
 * fine. */
struct fast *fast_new(struct nfart_engine *en, enum nfart_simd level, bool *ok);
void fast_free(struct fast *f);

/* Forgets states, symbols too where `symbols`. */
void fast_flush(struct fast *f, bool symbols);

/* Forgets the states s with keep[s] 0 and all entries; of the others keep[s] becomes the row. False: out
 * of memory; all are then forgotten. */
bool fast_keep(struct fast *f, uint32_t *keep);

/* The symbol of a key, or FAST_NO_SYMBOL: not handed out yet. */
static inline int64_t fast_find(const struct fast *f, uint64_t key)
{
	size_t i;

	if (key < FAST_DIRECT)
		return f->direct[key];
	i = (key * 0x9e3779b97f4a7c15u) >> 51;
	while (f->symbols[i].key != key) {
		if (f->symbols[i].key == 0)
			return FAST_NO_SYMBOL;
		i = (i + 1) & (2 * FAST_SYMBOLS - 1);
	}
	return (int64_t)f->symbols[i].symbol;
}

/* Do the table's rows have no room for another symbol? */
static inline bool fast_full(const struct fast *f)
{
	return f->nsymbols == f->stride - 1;
}

/* Hands out the next symbol. False: there is none left, or the table's rows have no room for it;
 * fast_flush() then makes room. */
bool fast_add(struct fast *f, uint64_t key);

/* 64 bits, little-endian, in one load. */
static inline uint64_t fast_load(const unsigned char *p)
{
	uint64_t x;

	memcpy(&x, p, 8);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	x = __builtin_bswap64(x);
#endif
	return x;
}

/* The key of a message. */
static inline uint64_t fast_key(const struct fast *f, uint32_t slot, uint64_t header)
{
	return f->slot_keys[slot][(header & f->op_mask) >> f->op_lsb];
}

/* Fills the engine's truth, the predicates that hold where the key is this. */
void fast_truth(struct fast *f, uint64_t key);

/* Steps the set at `active` and the counts with a key, by the engine. */
void fast_step(struct fast *f, uint64_t key, uint64_t *active, uint32_t *counts);

/* The row of a set, without flags; 0: no room. */
uint32_t fast_state(struct fast *f, const uint64_t *set);

/* Flags of a set. */
uint32_t fast_flags(const struct fast *f, const uint64_t *set);

/* Computes and keeps the entry of a row and a symbol. 0: no room. */
uint32_t fast_make(struct fast *f, uint32_t row, uint32_t symbol);

/* Is there room for one more state, whatever its set? */
static inline bool fast_room(const struct fast *f)
{
	return f->nstates < f->most && (f->nstates + (size_t)1) * f->stride <= f->entries &&
	       f->set_at[f->nstates] + f->en->words < FAST_SET_BYTES / 8;
}

/* The set of an entry, until the next call. */
const uint64_t *fast_set(const struct fast *f, uint32_t entry);

/* ---- counters (dfa_counters.c) ---- */

/* Fills latches and nested. */
void fast_count_prepare(struct fast *f);

/* Adds the latch counters active in the set of a row to scratch. */
void fast_count_keep(struct fast *f, uint32_t row);

/* What a set touches. Linear in the states that make counters count, or reset them. */
struct fast_touch fast_touches(const struct fast *f, const uint64_t *set);

/* What an entry with FAST_COUNT becomes, without it, after its counters have counted. Where there was
 * fast_room() 0 says out of memory. */
uint32_t fast_count(struct fast *f, uint32_t entry, uint32_t *counts);

/* ---- decoding (decode_keys.c) ---- */

/* Bytes of a dense row. */
static inline size_t fast_row_size(const struct fast *f)
{
	return 8 + (size_t)f->en->im->proto->nslots * 8;
}

/* The keys of n dense rows. While they are looked at, the memory `ahead` bytes behind them is asked
 * for: there the next chunk lies, whose CRC is then found in the cache. */
void fast_decode_rows(const struct fast *f, const unsigned char *rows, size_t n, size_t ahead,
		      uint64_t *key);

/* Records: their keys, and their places in the payload. */
struct fast_records {
	uint64_t *key;
	uint32_t *place;
	bool plain; /* becomes false where a loss record is among them */
};

/* Checks n bytes of `count` records as a reader does, the clock moving over them, and fills `out`,
 * which has room for `count`. */
bool fast_decode_records(const struct fast *f, const struct nfart_reader *r,
			 struct trace_clock *clock, const unsigned char *p, size_t n,
			 uint32_t count, struct fast_records *out);

#endif
