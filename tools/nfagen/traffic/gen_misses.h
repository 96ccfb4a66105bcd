/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * gen_misses.h: simulates the experiment on cache misses (T 4.2). A program on the CPU looks random
 * keys up in a search tree that lies in 24 cache lines of the FPGA's memory. Its cache is sometimes
 * flushed. The directory of the FPGA holds 16 lines; to make room for another one it takes a line
 * away from the CPU. The simulation gives the messages that a tap at the FPGA sees, one batch at a
 * time, and knows of every miss why the line was not in the cache.
 *
 * The same options give the same batches on any machine. gen_misses.c says, in Note [the
 * experiment], what the thesis leaves open and how it is decided here.
 */
#ifndef NFART_GEN_MISSES_H
#define NFART_GEN_MISSES_H

#include "include/nfart.h"

enum {
	GEN_TREE_LINES = 24,          /* cache lines that hold the tree */
	GEN_MAX_LOOKUPS = 100000000
};

struct gen_misses_options {
	/* Seed of what differs between two runs of the program: which line the directory takes
	 * away, and how long its answers take. */
	uint64_t seed;
	uint32_t keys;         /* seed of the program itself: its keys, and when it flushes */
	uint64_t first_line;   /* index of the cache line at which the tree begins */
	uint64_t flush;        /* probability of a flush before a lookup, in units of 2^-32 */
	uint32_t lookups;      /* from 1 to GEN_MAX_LOOKUPS */
	bool plain;            /* headers have opcode and address; all other bits are 0 */
	bool shared_loads;     /* loads are answered by RA2 and not by RA3 */
};

/* What happened to one line so far: how often the program accessed it, and its misses by cause. */
struct gen_misses_line {
	uint64_t address;      /* byte address, as in headers */
	uint64_t accesses;
	uint64_t compulsory;   /* the line was never in the cache before */
	uint64_t capacity;     /* the CPU had given the line up */
	uint64_t coherency;    /* the directory had taken the line away */
};

struct gen_misses;

/* Makes a generator. The caller frees it with gen_misses_free(), which accepts NULL. The protocol p
 * must outlive it. NULL: memory is short, or the protocol lacks the messages of ECI; *e says
 * which. */
struct gen_misses *gen_misses_new(const struct nfart_proto *p, const struct gen_misses_options *o,
				  struct nfart_error *e);
void gen_misses_free(struct gen_misses *g);

/* Stores the next batch in *b. False: all lookups are done, and all their messages are out. */
bool gen_misses_next(struct gen_misses *g, struct nfart_batch *b);

/* Returns the line with number i, below GEN_TREE_LINES. It belongs to the generator. All counts are
 * final once gen_misses_next() has returned false. */
const struct gen_misses_line *gen_misses_line(const struct gen_misses *g, uint32_t i);

#endif
