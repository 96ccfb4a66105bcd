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

#include "backends/overlay/map/task.h"
#include "support/bits.h"
#include "support/vec.h"

struct domain_change {
	size_t word; /* of dom */
	uint64_t before;
};

struct domains {
	const struct map_task *task;
	uint32_t ncliques;
	size_t words;                /* of a set of cliques */
	uint64_t *near;              /* [K * words]: N[c] as a set */
	uint64_t *dom;               /* [n * words] */
	uint64_t *told;              /* [n * words]: what neighbours are consistent with */
	uint32_t *size;              /* [n]: of the domain */
	uint64_t *reach;             /* scratch set */
	uint32_t *queue, head, nqueue; /* a ring of states whose domains shrank, to be propagated */
	uint32_t *changed, nchanged; /* the same, to be taken out by the matching */
	bool *queued, *is_changed;   /* [n] */
	uint32_t *units, nunits;     /* states whose domain has come down to one clique, in turn */
	VEC(struct domain_change) trail;
	uint32_t emptied;            /* the state whose domain a failing call emptied */
	bool no_memory;              /* that call failed for want of memory instead */
};

/* Where to go back to. */
struct domain_mark {
	size_t trail;
	uint32_t units;
};

/* Fills a zeroed *d with full domains; arrays are in `arena`, the trail is freed by domain_free().
 * False: out of memory. */
bool domain_init(struct domains *d, const struct map_task *task, struct arena *arena);
void domain_free(struct domains *d);

static inline const uint64_t *domain_of(const struct domains *d, uint32_t v)
{
	return d->dom + v * d->words;
}

/* The first clique of v's domain, which is not empty. */
static inline uint32_t domain_first(const struct domains *d, uint32_t v)
{
	return (uint32_t)bits_next(domain_of(d, v), d->ncliques, 0);
}

/* Removes from v's domain: all but c; c; the cliques of a set [words]; all but these. False: the domain
 * is empty, or memory is short. */
bool domain_keep(struct domains *d, uint32_t v, uint32_t c);
bool domain_remove(struct domains *d, uint32_t v, uint32_t c);
bool domain_subtract(struct domains *d, uint32_t v, const uint64_t *set);
bool domain_intersect(struct domains *d, uint32_t v, const uint64_t *set);

/* Makes the neighbours of states with shrunken domains consistent, until nothing changes. It ends because
 * domains only shrink. If `fine` is false it only clears the list of those states. False: a domain is
 * empty, or memory is short. */
bool domain_propagate(struct domains *d, bool fine);

static inline struct domain_mark domain_mark(const struct domains *d)
{
	return (struct domain_mark){d->trail.n, d->nunits};
}

/* A mark is taken where all is propagated. */
void domain_undo(struct domains *d, struct domain_mark to);

#endif
