/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * code_index.h: finds all places where the code has a given instruction at a given offset in a
 * page. Loaders move code by whole pages. So the offset in the page is the same in a token and in
 * its file.
 */
#ifndef NFACC_RISCV_CODE_INDEX_H
#define NFACC_RISCV_CODE_INDEX_H

#include "probes/profile/stacks/rv_code.h"

struct code_place {
	uint32_t module;
	uint32_t halfword; /* index into the table of the module */
};

struct code_index {
	uint32_t *first;   /* for each bucket, the index of its first place; and the end */
	struct code_place *places;
	unsigned bits;     /* there are 1 << bits buckets; 0: the index was not made yet */
};

/* Makes the index of all modules. Returns false if there is no memory. Cost: linear. */
bool code_index_make(struct code_index *x, const struct rv_code *c);
void code_index_free(struct code_index *x);

/*
 * Returns the bucket of an instruction at an address. Its places are places[first[b]] up to
 * places[first[b + 1] - 1]. Some of these have another instruction or offset.
 */
static inline uint32_t code_index_bucket(const struct code_index *x, uint64_t pc,
					 uint32_t instruction)
{
	uint64_t key = (uint64_t)instruction << 12 | (pc & 0xffe);

	return (uint32_t)(key * 0x9e3779b97f4a7c15u >> (64 - x->bits));
}

#endif
