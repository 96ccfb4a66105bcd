/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * visits.h: with substreams, the batches of a block are sorted by line.
 *
 * A *visit* is what one line sees of one batch: the line, the batch, and the key (keys.h) of those
 * messages of the batch that belong to the line. A batch with messages of two lines becomes two
 * visits:
 *
 *   batch 7:  line 2: a   line 5: b   line 2: c     →   (2, 7, key a|c)   (5, 7, key b)
 *
 * A batch that is for all copies (engine.h, Note [the rest]) has one visit more, which comes after
 * those of the lines: its line is VISIT_EVERYONE, and it is for all other copies.
 *
 * A *share* is some of the lines: those that one thread, or one shard, works on.
 */
#ifndef NFART_VISITS_H
#define NFART_VISITS_H

#include "include/nfart.h"
#include "support/vec.h"

struct nfart_filter;

enum {
	VISIT_BATCH = 11,            /* how many bits of line_visit.at are for the batch */
	VISIT_LINE = 64 - VISIT_BATCH,
	FILTER_BLOCK = 1 << VISIT_BATCH /* the most batches that a filter takes at once */
};

#define VISIT_EVERYONE (UINT64_MAX >> VISIT_BATCH)

struct line_visit {
	uint64_t key;
	/* The line and the batch: line << VISIT_BATCH | batch. Lines are counted from the first
	 * that is observed, batches from the first of the block. */
	uint64_t at;
};

static inline uint64_t visit_line(const struct line_visit *v)
{
	return v->at >> VISIT_BATCH;
}

static inline uint32_t visit_batch(const struct line_visit *v)
{
	return (uint32_t)(v->at & (FILTER_BLOCK - 1));
}

struct share_visits {
	VEC(struct line_visit) visits;
	VEC(size_t) end; /* [block of a decoded piece (decoded.h)]: where its visits end */
};

/* How lines are dealt out to `total` shares. Where there are few lines, neighbours go to different
 * shares, so that all shares get equally many. Where there are many, some neighbours stay together,
 * because their rows share memory. */
struct line_shares {
	uint32_t total;
	uint32_t first,            /* the number of the first share whose visits are wanted */
		 n;                /* how many shares are wanted, from `first` on */
	unsigned shift;            /* 1 << shift neighbouring lines go to the same share */
	uint64_t magic;            /* 2^64 / total, rounded up, for line_share_of() */
	struct share_visits *share; /* [n]: the visits of each share that is wanted */
};

/* Deals out nlines lines to `total` shares, none of which is wanted yet. */
struct line_shares line_shares(uint64_t nlines, uint32_t total);

/* Returns the share of line i. Lines are counted from the first that is observed. */
static inline uint32_t line_share_of(const struct line_shares *s, uint64_t i)
{
	uint64_t low;

	i >>= s->shift;
	if (s->total == 1)
		return 0;
	if (i > UINT32_MAX)
		return (uint32_t)(i % s->total);
	/* The remainder is computed without a division: low * total / 2^64. This is exact for i of
	 * 32 bits (Lemire, Kaser and Kurz, "Faster remainder by direct computation", 2019). */
	low = s->magic * i;
	return (uint32_t)(((low >> 32) * s->total + ((low & UINT32_MAX) * s->total >> 32)) >> 32);
}

/* Makes the visits of the first n batches of the filter's block. They are in f->said.share.visits
 * until the next call. False: out of memory. */
bool visits_make(struct nfart_filter *f, size_t n);

/* Makes the visits of the first n batches of the filter's block, for an image that has no batches
 * for all copies, and appends them to the shares that are wanted, each to its own. False: out of
 * memory. */
bool visits_deal(struct nfart_filter *f, size_t n, const struct line_shares *to);

#endif
