/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * domain.h: the domain of every state: the set of cliques in which the state may still be.
 *
 * This module has only the domains and the trail of their changes. domain_keep(), domain_remove(),
 * domain_subtract() and domain_intersect() shrink a domain. domain_propagate() makes the domains of
 * neighbours arc consistent: each clique in a domain then has an adjacent one in the domain of
 * every neighbour. Only domain_undo() lets domains grow again.
 */
#ifndef NFACC_MAP_DOMAIN_H
#define NFACC_MAP_DOMAIN_H

#include "backends/overlay/map/task.h"
#include "support/bits.h"
#include "support/vec.h"

struct domain_change {
	size_t word;     /* index of a word in `dom` */
	uint64_t before; /* the word before the change */
};

struct domains {
	const struct map_task *task;
	uint32_t ncliques;
	size_t words;   /* how many words a set of cliques has */
	uint64_t *near; /* [K * words]: N[c] as a set */
	uint64_t *dom;  /* [n * words]: the domains, as sets */
	/* [n * words]: the domain that the state had when its neighbours were revised last */
	uint64_t *told;
	uint32_t *size;  /* [n]: how many cliques are in the domain */
	uint64_t *reach; /* scratch: the cliques in a domain or adjacent to it */
	/* The states whose domains shrank, to be propagated. */
	struct {
		uint32_t *states; /* [n]: a ring, in which n states begin at `head` */
		uint32_t head, n;
		bool *has;        /* [n]: is the state in the ring? */
	} queue;
	/* The states whose domains shrank, to be seen by the matching. */
	struct {
		uint32_t *states; /* [n] */
		uint32_t n;
		bool *has;        /* [n]: is the state among them? */
	} changed;
	/* [n]: states whose domain is down to one clique, in the order in which that happened */
	uint32_t *units, nunits;
	VEC(struct domain_change) trail;
	uint32_t emptied; /* the state whose domain became empty when a call failed */
	bool no_memory;   /* a call failed because memory was short */
};

/* A point in time to which domain_undo() can go back. */
struct domain_mark {
	size_t trail;
	uint32_t units;
};

/* Fills a zeroed *d with domains of all cliques. Its arrays are in `arena`; domain_free() frees the
 * trail. False: out of memory. */
bool domain_init(struct domains *d, const struct map_task *task, struct arena *arena);
void domain_free(struct domains *d);

static inline const uint64_t *domain_of(const struct domains *d, uint32_t v)
{
	return d->dom + v * d->words;
}

/* Returns the first clique of v's domain, which must not be empty. */
static inline uint32_t domain_first(const struct domains *d, uint32_t v)
{
	return (uint32_t)bits_next(domain_of(d, v), d->ncliques, 0);
}

/* These remove cliques from the domain of v. domain_keep() removes all but c, domain_remove()
 * removes c, domain_subtract() the cliques of a set [words], domain_intersect() all but those of a
 * set. False: the domain is empty, or memory is short. */
bool domain_keep(struct domains *d, uint32_t v, uint32_t c);
bool domain_remove(struct domains *d, uint32_t v, uint32_t c);
bool domain_subtract(struct domains *d, uint32_t v, const uint64_t *set);
bool domain_intersect(struct domains *d, uint32_t v, const uint64_t *set);

/* Makes the neighbours of states whose domains shrank arc consistent, until nothing changes. This
 * ends because domains only shrink. If `fine` is false, it only empties the queue of those states.
 * False: a domain is empty, memory is short, or `fine` was false. */
bool domain_propagate(struct domains *d, bool fine);

static inline struct domain_mark domain_mark(const struct domains *d)
{
	return (struct domain_mark){d->trail.n, d->nunits};
}

/* Undoes all changes since the mark `to` was taken. At that time everything
 * must have been propagated. */
void domain_undo(struct domains *d, struct domain_mark to);

#endif
