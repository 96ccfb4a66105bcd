/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * block_tap.h: makes batches of the protocol eci-block from the blocks that a tap sees, one of each
 * direction in a cycle. It keeps the estimated state of the link, and which words of each virtual
 * channel are headers of messages and which are their data.
 */
#ifndef NFART_BLOCK_TAP_H
#define NFART_BLOCK_TAP_H

#include "contract/proto/proto.h"
#include "include/nfart.h"
#include "tools/nfagen/blocks/block.h"

/* The data that a message on a virtual channel still has to get. */
struct block_rest {
	uint64_t line;  /* its line, where it stands in a header */
	uint32_t words;
};

/* What the tap knows of one direction. */
struct block_side {
	enum link_state link;
	bool lost;   /* a block was damaged: until blocks are sent again, words mean nothing */
	uint8_t seq; /* number of the next data block */
	struct block_rest rest[BLOCK_VCS];
	/* By number of a data block modulo BLOCK_UNACKED: `rest` before that block. From there the
	 * tap goes on when the block is sent again. */
	struct block_rest before[BLOCK_UNACKED][BLOCK_VCS];
};

struct block_tap {
	uint32_t slot[2];            /* the slots of blocks that come in, and that go out */
	uint32_t words[2];           /* the slots of their first words */
	struct block_side side[2];   /* incoming, outgoing */
};

/* Initialises a tap. False: p has not the slots of eci-block. */
bool block_tap_init(struct block_tap *t, const struct nfart_proto *p);

/* Stores in *b the batch for the blocks of one cycle: blocks[0] came in, blocks[1] went out. NULL:
 * there was none. The time of *b is the caller's. A damaged block is not in the batch. */
void block_tap_see(struct block_tap *t, const struct block *const blocks[2],
		   struct nfart_batch *b);

#endif
