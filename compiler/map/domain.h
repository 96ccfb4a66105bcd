/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * domain.h: for every state the set of cliques it may still be in, kept arc consistent, with undo.
 *
 * Only domains and their trail live here. Domains shrink by domain_keep() and domain_remove(), are
 * made consistent by domain_propagate(), and grow again only by domain_undo().
 */
#ifndef NFACC_MAP_DOMAIN_H
#define NFACC_MAP_DOMAIN_H

#include "compiler/map/problem.h"
#include "compiler/support/bits.h"
#include "compiler/support/vec.h"

struct domain_change {
	size_t word; /* of dom */
	uint64_t before;
};

struct domains {
	const struct map_problem *p;
	uint32_t ncliques;
	size_t words;            /* of a set of cliques */
	uint64_t *near;          /* [K * words]: N[c] as a set */
	uint64_t *dom;           /* [n * words] */
	uint32_t *size;          /* [n]: of the domain */
	uint64_t *reach;         /* scratch set */
	uint32_t *queue, nqueue; /* states whose domains shrank */
	bool *queued;            /* [n] */
	VEC(struct domain_change) trail;
	uint32_t emptied;        /* the state whose domain a failing call emptied */
	bool no_memory;          /* that call failed for want of memory instead */
};

/* Fills a zeroed *d with what distances allow; arrays are in `arena`, the trail is freed by
 * domain_free(). False: out of memory. */
bool domain_init(struct domains *d, const struct map_problem *p, struct arena *arena);
void domain_free(struct domains *d);

static inline const uint64_t *domain_of(const struct domains *d, uint32_t v)
{
	return d->dom + v * d->words;
}

/* Takes all but c, or c, from v's domain. False: it is empty, or no memory. */
bool domain_keep(struct domains *d, uint32_t v, uint32_t c);
bool domain_remove(struct domains *d, uint32_t v, uint32_t c);

/* Makes neighbours consistent with what shrank, until nothing changes; ends, as domains only
 * shrink. With `fine` false it only forgets what shrank. False: a domain is empty, or no memory. */
bool domain_propagate(struct domains *d, bool fine);

/* Back to when the trail was `length` long. */
void domain_undo(struct domains *d, size_t length);

#endif
