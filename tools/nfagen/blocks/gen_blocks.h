/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * gen_blocks.h: generates the traffic of a link with its block layer, one batch at a time: what a
 * tap at the block layer sees (protocol eci-block), or one above it, at the virtual channels. What
 * the nodes send is decided by a model of traffic, such as block_random.h or block_streams.h.
 */
#ifndef NFART_GEN_BLOCKS_H
#define NFART_GEN_BLOCKS_H

#include "include/nfart.h"
#include "tools/nfagen/blocks/block_link.h"
#include "tools/nfagen/blocks/block_tap.h"
#include "tools/nfagen/traffic/gen_coherence.h"

/* A model of traffic. `context` is the model's own. */
struct block_traffic {
	void *context;
	/* Lets the nodes send what they want to send in this cycle. The batch is that of this cycle
	 * at the virtual channels; the model may add messages to it. False: the model has nothing
	 * more to send. */
	bool (*cycle)(void *context, struct block_link *l, uint64_t now, struct nfart_batch *vcs);
	block_receiver *receive; /* a node has got a message */
};

struct gen_blocks_options {
	uint64_t seed;
	/* The trace has the cycles in which both nodes send idle blocks that say nothing, too. */
	bool idle;
	bool by_message; /* gen_fault.at counts messages and not batches */
	/* [nfaults], borrowed: GEN_LOST_BLOCK and GEN_CREDIT_OVERRUN. The generator writes into
	 * each when it happened. */
	struct gen_fault *faults;
	uint32_t nfaults;
};

struct gen_blocks {
	struct gen_blocks_options o;
	struct block_traffic traffic;
	struct block_link *link;
	struct block_tap tap;
	bool at_blocks;             /* the tap is at the block layer */
	uint64_t now;
	uint64_t batches, messages; /* generated so far */
};

/* Initialises a generator. The protocol p, the faults, and what `traffic` points to must outlive
 * it. The caller ends it with gen_blocks_end(). False: memory is short. */
bool gen_blocks_begin(struct gen_blocks *g, const struct nfart_proto *p,
		      const struct gen_blocks_options *o, const struct block_traffic *traffic);
void gen_blocks_end(struct gen_blocks *g);

/* Stores the next batch in *b. False: the model has nothing more to send, and all of it has
 * arrived. */
bool gen_blocks_next(struct gen_blocks *g, struct nfart_batch *b);

#endif
