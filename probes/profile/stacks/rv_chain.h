/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * rv_chain.h: finds the files of a program's tokens by the method of the paper on FirePerf in user
 * space: without mappings, one chain after the other. It is here for comparison.
 *
 * Note [chains]
 * A chain is a number of tokens (`depth`) of programs with the same satp. They need not be next to
 * each other. The candidates are all places that have the first token's instruction at its offset
 * in a page. Each further token removes the candidates that have another instruction. If one
 * candidate is left, all tokens of the chain belong to its file. With the cache, a token that
 * agrees with the last match of its satp needs no chain.
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
	struct rv_chain_match cache[256]; /* indexed by a hash of satp */
	uint64_t *matched; /* for each module, the number of its tokens */
	uint64_t tokens;   /* tokens of programs */
	uint64_t hits;     /* tokens that agreed with the cache */
};

/* Returns false if there is no memory; *c must be freed in any case. */
bool rv_chains_init(struct rv_chains *c, const struct rv_code *code, uint32_t depth, bool cached);
void rv_chains_free(struct rv_chains *c);

/* Takes n tokens. A chain never spans more than RV_CHAIN_BUFFER of them. */
void rv_chains_put(struct rv_chains *c, const struct nfaperf_token *t, size_t n);

#endif
