/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * places.h: what an address of a program belongs to: a block that was allocated, a variable, or
 * else the region around it.
 *
 * Each page of the program has an entry in a table of two levels: the place that has the whole
 * page, or a table with a place for each 16 bytes of it, or the module whose variables are there.
 * Blocks begin at multiples of 16, as malloc's do. A block that is freed keeps its bytes until
 * they are given out again, so accesses to it still find it.
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
	PLACE_REGION  /* what is watched around all of these */
};

struct place {
	uint64_t at, bytes;
	uint64_t pc;        /* behind the call that allocated it; 0: it was not allocated */
	const char *name;   /* of a variable or region; lives as long as the struct places */
	const char *region; /* the name of the region around it */
	uint32_t number;    /* allocations are numbered from 1; 0: it is none */
	uint64_t line;      /* for the owner of the struct places; 0 at first */
	uint32_t pieces;    /* entries that lead here */
	uint8_t kind;       /* enum place_kind */
	uint8_t where;      /* enum mem_region_kind */
	bool gone;          /* freed, or unmapped */
	bool holes;         /* parts of it belong to others now */
};

struct places;

/* `names` must outlive the result. NULL: out of memory. Free with places_free(). */
struct places *places_new(struct names *names);
void places_free(struct places *p);

/* A module is loaded, after names_add(); or is unloaded. False: out of memory.
 * Cost: linear in its pages; and in its variables, once the first address in it is asked for. */
bool places_module(struct places *p, const struct names_module *m);
void places_unmodule(struct places *p, uint64_t low);

/* A region is watched from now on, or no more. False: out of memory. Cost: linear in the
 * regions. */
bool places_region(struct places *p, uint64_t at, uint64_t bytes, enum mem_region_kind kind);
bool places_unregion(struct places *p, uint64_t at, uint64_t bytes);

/* Notes an allocation. Returns its place; NULL: out of memory, or the range is none that a
 * program can have. Cost: linear in the pages, and in the bytes of pages that it does not
 * fill. */
struct place *places_allocate(struct places *p, enum place_kind kind, uint64_t at, uint64_t bytes,
			      uint64_t pc);

/* The block at an address is freed. Returns its place, also if it was freed before; NULL: no
 * block begins there. */
struct place *places_release(struct places *p, uint64_t at);

/* The pages of a range are unmapped. Returns the place at its begin, or NULL. */
struct place *places_unmap(struct places *p, uint64_t at, uint64_t bytes);

/* Returns the place that an address belongs to; in the gap behind a block that block; NULL:
 * none is known. The place is valid until places_settle(). Cost: two look-ups, and for
 * variables the logarithm of the module's. */
struct place *places_find(struct places *p, uint64_t at);

/* May the address be taken for one of `place` without places_find()? A place that was found
 * before is a good guess. */
static inline bool place_has(const struct place *place, uint64_t at)
{
	return at - place->at < place->bytes && !place->gone && !place->holes;
}

/* Lets places be used again to which nothing leads. The caller has no pointers to such places
 * now, other than guesses for place_has(). False: memory was short since places_new(), and
 * variables are missing. */
bool places_settle(struct places *p);

/* How many regions were ever watched. */
uint64_t places_regions(const struct places *p);

#endif
