/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * code_index.h: finds all places of a code where an instruction stands at an offset in a page.
 * Loaders move text by whole pages, so the offset in the page is what a token has in common with
 * its file.
 */
#ifndef NFACC_RISCV_CODE_INDEX_H
#define NFACC_RISCV_CODE_INDEX_H

#include "probes/profile/stacks/rv_code.h"

struct code_place {
	uint32_t module;
	uint32_t halfword; /* index into the module's table */
};

struct code_index {
	uint32_t *first;   /* of each bucket, the first of its places; one more for the end */
	struct code_place *places;
	unsigned bits;     /* there are 1 << bits buckets; 0: there is no index yet */
};

/* Makes the index of all modules, in linear time. False: out of memory. */
bool code_index_make(struct code_index *x, const struct rv_code *c);
void code_index_free(struct code_index *x);

/* Returns the bucket of the instruction at an address. Its places are places[first[b]] up to
 * places[first[b + 1] - 1]; some of them have another instruction or offset. */
static inline uint32_t code_index_bucket(const struct code_index *x, uint64_t pc,
					 uint32_t instruction)
{
	uint64_t key = (uint64_t)instruction << 12 | (pc & 0xffe);

	return (uint32_t)(key * 0x9e3779b97f4a7c15u >> (64 - x->bits));
}

#endif
