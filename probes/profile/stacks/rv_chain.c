/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "probes/profile/stacks/rv_chain.h"

#include <stdlib.h>

enum { MOST_DEPTH = 64 };

bool rv_chains_init(struct rv_chains *c, const struct rv_code *code, uint32_t depth, bool cached)
{
	*c = (struct rv_chains){ .code = code, .cached = cached,
				 .depth = depth < MOST_DEPTH ? depth : MOST_DEPTH };
	for (size_t i = 0; i < sizeof c->cache / sizeof c->cache[0]; i++)
		c->cache[i].module = UINT32_MAX;
	c->matched = calloc(code->modules.n + 1, sizeof *c->matched);
	return c->matched != NULL && code_index_make(&c->index, code);
}

void rv_chains_free(struct rv_chains *c)
{
	code_index_free(&c->index);
	free(c->matched);
}

/* Whether a module at this base has the instruction of a token at its address. */
static bool module_has(const struct rv_module *m, uint64_t base, const struct nfaperf_token *t)
{
	uint64_t at = t->pc - base - m->low;

	return at < m->span && (uint32_t)m->code[at / 2] == t->instruction && t->instruction != 0;
}

/*
 * Returns the only module that explains all n tokens of a chain; UINT32_MAX if there is none, or
 * more than one.
 */
static uint32_t search_chain(const struct rv_chains *c, const struct nfaperf_token *const *chain,
			     size_t n, uint64_t *base)
{
	const struct code_index *x = &c->index;
	const struct nfaperf_token *t = chain[0];
	uint32_t b = code_index_bucket(x, t->pc, t->instruction), found = UINT32_MAX;

	for (uint32_t i = x->first[b]; i < x->first[b + 1]; i++) {
		const struct rv_module *m = &c->code->modules.at[x->places[i].module];
		uint64_t at = t->pc - m->low - 2 * (uint64_t)x->places[i].halfword;
		size_t k = 0;

		if ((at & 0xfff) != 0 || (m->fixed && at != 0))
			continue;
		while (k < n && module_has(m, at, chain[k]))
			k++;
		if (k < n)
			continue;
		if (found != UINT32_MAX)
			return UINT32_MAX;
		found = x->places[i].module;
		*base = at;
	}
	return found;
}

static struct rv_chain_match *cache_of(struct rv_chains *c, uint64_t satp)
{
	return &c->cache[satp * 0x9e3779b97f4a7c15u >> 56];
}

/* Whether the last match of the token's satp also explains this token. */
static bool hit(struct rv_chains *c, const struct nfaperf_token *t)
{
	const struct rv_chain_match *m = cache_of(c, t->satp);

	if (!c->cached || m->module == UINT32_MAX || m->satp != t->satp ||
	    !module_has(&c->code->modules.at[m->module], m->base, t))
		return false;
	c->matched[m->module]++;
	c->hits++;
	return true;
}

/* Collects the chain that begins with t[0]. Marks its tokens as taken. Returns its length. */
static size_t collect_chain(const struct rv_chains *c, const struct nfaperf_token *t, size_t n,
			    unsigned char *taken, const struct nfaperf_token **chain)
{
	size_t length = 0;

	for (size_t i = 0; i < n && length < c->depth; i++)
		if (!taken[i] && t[i].privilege == NFAPERF_USER && t[i].satp == t->satp) {
			taken[i] = 1;
			chain[length++] = &t[i];
		}
	return length;
}

void rv_chains_put(struct rv_chains *c, const struct nfaperf_token *t, size_t n)
{
	unsigned char taken[RV_CHAIN_BUFFER];
	const struct nfaperf_token *chain[MOST_DEPTH];

	for (size_t from = 0; from < n; from += RV_CHAIN_BUFFER) {
		size_t most = n - from < RV_CHAIN_BUFFER ? n - from : RV_CHAIN_BUFFER;

		for (size_t i = 0; i < most; i++)
			taken[i] = 0;
		for (size_t i = 0; i < most; i++) {
			const struct nfaperf_token *first = &t[from + i];
			uint64_t base = 0;
			uint32_t module;
			size_t length;

			if (taken[i] || first->privilege != NFAPERF_USER)
				continue;
			if (hit(c, first)) {
				c->tokens++;
				continue;
			}
			length = collect_chain(c, first, most - i, taken + i, chain);
			c->tokens += length;
			module = search_chain(c, chain, length, &base);
			if (module == UINT32_MAX)
				continue;
			c->matched[module] += length;
			*cache_of(c, first->satp) =
				(struct rv_chain_match){ first->satp, base, module };
		}
	}
}
