/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * gen_rules.h: generates random runs of rules of coherence, which an image of a derived checker
 * keeps (contract/image/kept.h). Each line is a system of its own, which begins in the state at the
 * start of the rules. Each step of a line is one of the moves that are possible, all of them as
 * likely. What the tap sees of it is a batch with one message.
 */
#ifndef NFART_GEN_RULES_H
#define NFART_GEN_RULES_H

#include "include/nfart.h"
#include "tools/nfagen/traffic/gen_coherence.h"

struct gen_rules_options {
	uint64_t seed;
	uint64_t base;       /* byte address of the first line */
	uint32_t lines;      /* from 1 to GEN_MAX_LINES */
	/* [nfaults], borrowed, in whose `at` messages and batches are the same: GEN_DROPPED, GEN_DOUBLED and GEN_REPLACED. The generator writes
	 * into each fault when it happened. */
	struct gen_fault *faults;
	uint32_t nfaults;
};

struct gen_rules;

/* Makes a generator for the first rules that the image keeps. The image and the faults must outlive
 * it. NULL: *e says why not (NFART_USAGE: the image keeps no rules, or its addresses have no room
 * for the lines). Free with gen_rules_free(), which accepts NULL. */
struct gen_rules *gen_rules_new(const struct nfart_image *im, const struct gen_rules_options *o,
				struct nfart_error *e);
void gen_rules_free(struct gen_rules *g);

/* Stores the next batch in *b. False: no line can move any more. The expected cost is that of a few
 * moves. */
bool gen_rules_next(struct gen_rules *g, struct nfart_batch *b);

#endif
