/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * words.h: what race.h keeps for each word of eight bytes that was accessed.
 */
#ifndef NFACC_PROBES_MEMORY_READER_WORDS_H
#define NFACC_PROBES_MEMORY_READER_WORDS_H

#include "probes/memory/reader/clocks.h"

/* The last load of each thread. */
struct loads {
	uint32_t n;
	struct {
		uint64_t number, pc;
	} at[];
};

/* Bytes of a word with the same accesses. */
struct cell {
	uint64_t store, store_pc; /* epoch and instruction of the last store; 0: none */
	uint64_t load, load_pc;   /* the same of the last load, unless there are `loads` */
	struct loads *loads;
	struct cell *next; /* other bytes of the same word */
	uint8_t mask;      /* bit i: byte i; 0: this one is not in use, and there is no next */
	uint8_t kind;      /* of the last store, as in struct race_access */
	bool atomic;       /* the last store was atomic */
};

struct word {
	struct cell first;
	struct clock *clock; /* given by atomic accesses; NULL: none so far */
};

/* A zeroed one is empty. Free it with words_free(), which empties it. */
struct words {
	struct words_page *page; /* a hash table (support/hash.h) of `pages` entries */
	size_t npages, pages;
	struct word *last; /* the words of page `last_key`, or NULL */
	uint64_t last_key;
};

void words_free(struct words *x);

/*
 * The word around an address. If its page was not accessed yet, makes it if `make`, else returns
 * NULL. Also returns NULL if there is no memory. Valid until words_free().
 */
struct word *words_find(struct words *x, uint64_t address, bool make);

/* Empties the words of a range. */
void words_renew(struct words *x, uint64_t address, uint64_t bytes);

/*
 * Cuts the bytes that are not in `mask` off from a cell, as a cell after it. Returns false if there
 * is no memory.
 */
bool words_cut(struct cell *c, uint8_t mask);

/* Makes a cell for bytes of a word that have none. Returns NULL if there is no memory. */
struct cell *words_add(struct word *w, uint8_t mask);

#endif
