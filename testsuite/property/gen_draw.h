/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * gen_draw.h: what the files of the generator (gen.h) share: random numbers, and what a seed draws.
 * Only gen*.c and the test programs that draw more include it.
 */
#ifndef NFACC_TESTSUITE_PROPERTY_GEN_DRAW_H
#define NFACC_TESTSUITE_PROPERTY_GEN_DRAW_H

#include "testsuite/property/gen.h"

enum {
	GEN_POOL = 6,  /* the most message types of a seed */
	GEN_LINES = 6, /* the number of cache lines of a seed */
	GEN_NAMES = 4  /* the most names of a kind in a filter */
};

struct gen {
	uint64_t state;             /* the state of the random numbers */
	const struct nfart_proto *proto;
	bool guards, time, sides, keys, payload; /* those of the options */
	uint32_t pool[GEN_POOL];    /* the codes of the seed's message types */
	uint32_t npool;
	uint64_t line;              /* number of the first cache line */
	struct buf *b;              /* the filter's text */
	uint32_t npreds;            /* number of named predicates: p0, p1 … */
	bool is_none[GEN_NAMES];    /* [i]: predicate number i has mode None */
};

/* Draws the pool of codes and the lines of the seed. */
void gen_init(struct gen *g, uint64_t seed, const struct gen_options *o);

uint64_t gen_random(struct gen *g);

/* Returns a random number below n; n >= 1. */
uint32_t gen_below(struct gen *g, uint32_t n);

bool gen_chance(struct gen *g, uint32_t percent);

/* Returns a code of the pool, or sometimes any other code that a message can have. */
uint32_t gen_code(struct gen *g);

/* Returns a value of a field of so many bits, one of a few small ones. */
uint64_t gen_value(struct gen *g, uint32_t bits);

/* Appends a predicate. Returns whether its mode is None. */
bool gen_pred(struct gen *g);

/* Appends machine number `index`. */
void gen_machine(struct gen *g, uint32_t index);

static inline uint32_t gen_slot(const struct gen *g, uint32_t code)
{
	return code >> g->proto->header.op_bits;
}

static inline uint32_t gen_opcode(const struct gen *g, uint32_t code)
{
	return code & ((1u << g->proto->header.op_bits) - 1);
}

#endif
