/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * race.h: finds pairs of accesses that no synchronisation orders (happens before). At least one of
 * the pair is a store, and not both are atomic.
 *
 * The method is that of FastTrack (Flanagan and Freund): for each byte the epoch of the last store
 * is kept, and the epoch of the last load, or one for each thread if loads are not ordered. Bytes
 * of a word that were always accessed together share them. So the first race on each byte is found.
 * A later one may be missed.
 *
 * Atomic accesses. An atomic instruction takes and gives the clock of its word. If the last store
 * to some byte was atomic, a plain load takes that clock, too: compilers make atomic loads of plain
 * ones. A plain store that is ordered after such a store gives it, and counts as atomic. An
 * instruction that loads and stores, and has no lock prefix, never counts as atomic.
 */
#ifndef NFACC_PROBES_MEMORY_READER_RACE_H
#define NFACC_PROBES_MEMORY_READER_RACE_H

#include <stdbool.h>
#include <stdint.h>

#include "probes/memory/reader/channel.h"

#define RACE_MOST_BYTES (UINT64_C(1) << 32) /* larger accesses are left out */
enum { RACE_FREED_BYTES = 1 << 16 }; /* of larger freed blocks only accessed pages count */

/* RACE_SYNC: code that implements synchronisation: its loads take, its stores give. No races. */
enum race_how { RACE_PLAIN, RACE_ATOMIC, RACE_SYNC };

struct race_access {
	uint64_t address, bytes, pc;
	uint32_t thread; /* below 2^16 */
	uint8_t kind;    /* enum mem_kind, or MEM_FREE, which is a store */
	uint8_t how;     /* enum race_how */
};

/* A function that takes a race: an access, and one before it. Returns false to stop. */
typedef bool race_take(void *ctx, const struct race_access *now, const struct race_access *before);

struct race;

/* Returns NULL if there is no memory. Free it with race_free(). */
struct race *race_new(race_take *take, void *ctx);
void race_free(struct race *r);

/* Forgets all accesses. The order of what comes is kept. */
void race_forget(struct race *r);

/*
 * The functions below return false if there is no memory, or if `take` did.
 *
 * An access. Cost: a constant for each word of eight bytes, or linear in the threads if their loads
 * are not ordered. Memory: 64 bytes for a word, in pages of 512 words.
 */
bool race_access(struct race *r, const struct race_access *a);

/*
 * The bytes are new: no earlier access counts. Cost: linear in the pages of the range, or in those
 * that were accessed, whichever are less.
 */
void race_renew(struct race *r, uint64_t address, uint64_t bytes);

/*
 * The last access of a thread is over, and what it read was stored before. In the channel that is
 * the first stamp after it.
 */
bool race_settle(struct race *r, uint32_t thread);

/* `thread` creates another one, or waits for one that has ended. */
bool race_create(struct race *r, uint32_t thread, uint32_t created);
bool race_join(struct race *r, uint32_t thread, uint32_t ended);

/* A lock. `shared`: other threads may hold it shared, too. */
bool race_lock(struct race *r, uint32_t thread, uint64_t object, bool shared);
bool race_unlock(struct race *r, uint32_t thread, uint64_t object);

/* MEM_GIVE and MEM_TAKE. */
bool race_give(struct race *r, uint32_t thread, uint64_t object, enum mem_object kind);
bool race_takes(struct race *r, uint32_t thread, uint64_t object, enum mem_object kind);

#endif
