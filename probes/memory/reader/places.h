/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * places.h: finds what an address of a program belongs to. This is called a place: an allocated
 * block, a variable, or else the region around the address.
 *
 * Each page of the program has an entry in a table with two levels. The entry is the place that
 * fills the whole page, or a table with a place for each 16 bytes of the page, or a module whose
 * variables are there. Blocks begin at multiples of 16, as those of malloc do. A freed block keeps
 * its bytes until they are allocated again. So an access to a freed block still finds it.
 */
#ifndef NFACC_PROBES_MEMORY_READER_PLACES_H
#define NFACC_PROBES_MEMORY_READER_PLACES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "probes/memory/reader/channel.h"
#include "probes/memory/reader/names.h"

enum place_kind {
	PLACE_MALLOC,
	PLACE_CALLOC,
	PLACE_REALLOC,
	PLACE_MMAP,
	PLACE_MREMAP,
	PLACE_SYMBOL, /* a variable */
	PLACE_REGION  /* watched memory around blocks and variables */
};

struct place {
	uint64_t at, bytes;
	uint64_t pc;        /* return address of the allocating call; 0: not allocated */
	const char *name;   /* of a variable or region; lives as long as the struct places */
	const char *region; /* name of the region around it */
	uint32_t number;    /* allocations are numbered from 1; 0: it is no allocation */
	uint32_t stack;     /* of the allocating call, in memory.stacks; 0: not known */
	uint32_t freed;     /* of the call that freed it, if it is gone */
	/*
	 * Free for use by messages.h; 0 at first. Accesses inside the place of the kinds in the set
	 * `quiet` (bit enum mem_kind) are needed by nobody while memory.calm is `calm`.
	 */
	uint32_t calm;
	uint64_t line[2];   /* free for use by messages.h, for each of its protocols; 0 at first */
	uint32_t pieces;    /* number of entries that refer to it */
	uint8_t kind;       /* enum place_kind */
	uint8_t where;      /* enum mem_region_kind */
	bool gone;          /* it was freed or unmapped */
	bool holes;         /* parts of it now belong to other places */
	uint8_t quiet;      /* see `calm` */
};

struct places;

/* `names` must outlive it. Returns NULL if there is no memory. Free it with places_free(). */
struct places *places_new(struct names *names);
void places_free(struct places *p);

/*
 * Adds a module that was loaded; call names_add() first. Or removes a module that was unloaded.
 * Returns false if there is no memory. Cost: linear in its pages; at the first look-up of an
 * address in the module, also linear in its variables.
 */
bool places_module(struct places *p, const struct names_module *m);
void places_unmodule(struct places *p, uint64_t low);

/*
 * Adds a region that is watched from now on, or removes one. Returns false if there is no memory.
 * Cost: linear in the regions.
 */
bool places_region(struct places *p, uint64_t at, uint64_t bytes, enum mem_region_kind kind);
bool places_unregion(struct places *p, uint64_t at, uint64_t bytes);

/*
 * Adds an allocated block. Returns its place. Returns NULL if there is no memory, or if no program
 * can have such a range. Cost: linear in its whole pages, and in the bytes of pages that it fills
 * only partly.
 */
struct place *places_allocate(struct places *p, enum place_kind kind, uint64_t at, uint64_t bytes,
			      uint64_t pc);

/*
 * Marks the block that begins at an address as freed. Returns its place, even if it was freed
 * before. Returns NULL if no block begins there.
 */
struct place *places_release(struct places *p, uint64_t at);

/* Marks the pages of a range as unmapped. Returns the place at the start of the range, or NULL. */
struct place *places_unmap(struct places *p, uint64_t at, uint64_t bytes);

/*
 * Returns the place that an address belongs to. The gap between two blocks belongs to
 * the one before; before the first one, to that. Returns
 * NULL if no place is known. The result is valid until places_settle(). Cost: two look-ups; for a
 * variable, also a binary search in its module.
 */
struct place *places_find(struct places *p, uint64_t at);

/*
 * The block that is nearer to an address in the gap behind `before`: that one, or the one after the
 * gap. An access that begins in a gap is one beyond the nearer block.
 */
struct place *places_nearer(struct places *p, struct place *before, uint64_t at);

/*
 * Whether an address surely belongs to `place`, so that places_find() need not be called. A place
 * that was found before is a good guess.
 */
static inline bool place_has(const struct place *place, uint64_t at)
{
	return at - place->at < place->bytes && !place->gone && !place->holes;
}

/*
 * Whether an access of this kind to [at, at + bytes) is needed by nobody, as it is inside a place
 * that is quiet. `calm` is that of struct memory.
 */
static inline bool place_is_quiet(const struct place *place, uint32_t calm, uint64_t at,
				  uint64_t bytes, unsigned kind)
{
	return place->calm == calm && (place->quiet >> kind & 1) != 0 && place_has(place, at) &&
	       bytes <= place->bytes - (at - place->at);
}

/*
 * Frees the places to which no entry refers. The caller may keep pointers to such places only as
 * guesses for place_has(). Returns false if there was too little memory at any time since
 * places_new(): variables are missing then.
 */
bool places_settle(struct places *p);

/* The number of regions that were ever watched. */
uint64_t places_regions(const struct places *p);

#endif
