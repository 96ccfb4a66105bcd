/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * rv_chain.h: finds the files of a program's tokens as the paper on FirePerf in user space does,
 * for comparison: without mappings, chain by chain.
 *
 * Note [chains]
 * A chain is `depth` tokens of programs with the same satp, which need not stand side by side. All
 * places that have the first one's instruction, at its offset in a page, are candidates; each of
 * the others drops those that have another instruction. If one is left, the chain is that file's.
 * With the cache, a token that agrees with the last match of its satp needs no chain.
 */
#ifndef NFACC_RISCV_RV_CHAIN_H
#define NFACC_RISCV_RV_CHAIN_H

#include "probes/profile/stacks/code_index.h"
#include "probes/profile/stacks/token.h"

enum { RV_CHAIN_DEPTH = 8, RV_CHAIN_BUFFER = 2048 };

struct rv_chain_match {
	uint64_t satp, base;
	uint32_t module;   /* UINT32_MAX: none */
};

struct rv_chains {
	const struct rv_code *code;
	struct code_index index;
	uint32_t depth;
	bool cached;
	struct rv_chain_match cache[256]; /* by a hash of satp */
	uint64_t *matched; /* tokens of each module */
	uint64_t tokens;   /* of programs */
	uint64_t hits;     /* tokens that the cache has matched */
};

/* False: out of memory; *c can be freed. */
bool rv_chains_init(struct rv_chains *c, const struct rv_code *code, uint32_t depth, bool cached);
void rv_chains_free(struct rv_chains *c);

/* Takes n tokens, at most RV_CHAIN_BUFFER of them in a chain. */
void rv_chains_put(struct rv_chains *c, const struct nfaperf_token *t, size_t n);

#endif
