/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * block.h: blocks of ECI's block layer (T 1.3, figure 2), and the state of a link that an observer
 * of its blocks can deduce (T 4.1).
 *
 * A block is a header and seven words, of 64 bits each. The header of a data block, and of a sync
 * block:
 *
 *    63 61 60  59          52 51                            24 23        0
 *   +-----+---+--------------+--------------------------------+-----------+
 *   | type|ack| credits      | virtual channel of each word   | CRC       |
 *   +-----+---+--------+-----+---+-----------+--------+-------+-----------+
 *   | type|ack| 0      | request | 0         | TxSEQ  | RxSEQ | CRC       |
 *   +-----+---+--------+---------+-----------+--------+-------+-----------+
 *    63 61 60  59    54 53     52 51       40 39    32 31   24 23        0
 *
 * Note [block types]. The thesis has HI = 100 and LO = 101. Code that ETH published later (Coyote,
 * block_types.sv) has them the other way round, and is taken here, because hardware runs it. HI and
 * LO differ in the virtual channels for which they return credits: here LO those from 0 to 7, HI
 * the others. A credit is room for eight words.
 */
#ifndef NFART_BLOCK_H
#define NFART_BLOCK_H

#include <stdbool.h>
#include <stdint.h>

enum block_type { BLOCK_LO = 4, BLOCK_HI = 5, BLOCK_SYNC = 6, BLOCK_IDLE = 7 };

/* What a sync block asks for: nothing, to begin, or to send again what was lost. */
enum block_request { BLOCK_NO_REQUEST, BLOCK_START, BLOCK_RETRY };

enum {
	BLOCK_WORDS = 7,
	BLOCK_VCS = 14,    /* virtual channels */
	BLOCK_NO_VC = 15,  /* the channel of an empty word */
	BLOCK_CREDIT = 8,  /* words that a credit stands for */
	BLOCK_UNACKED = 64 /* the most data blocks that a node sends before it has an
			    * acknowledgement */
};

struct block {
	uint64_t header;
	uint64_t words[BLOCK_WORDS];
	bool damaged; /* the CRC is wrong: the receiver knows only that there was a block */
};

static inline enum block_type block_type(uint64_t header)
{
	return (enum block_type)(header >> 61);
}

static inline bool block_is_data(uint64_t header)
{
	return block_type(header) == BLOCK_LO || block_type(header) == BLOCK_HI;
}

static inline bool block_ack(uint64_t header)
{
	return (header >> 60 & 1) != 0;
}

/* Returns the credits of a data block: bit i is for virtual channel i, in a HI block for i + 8. */
static inline uint32_t block_credits(uint64_t header)
{
	return (uint32_t)(header >> 52 & 0xff);
}

/* Returns the virtual channel of word i of a data block. The first word has the highest bits. */
static inline uint32_t block_vc(uint64_t header, int i)
{
	return (uint32_t)(header >> (48 - 4 * i) & 15);
}

/* These return parts of a sync block: its request, the number of the data block that the sender
 * sends next, and of the one that it expects next. Numbers count modulo 256. */
static inline uint32_t block_request(uint64_t header)
{
	return (uint32_t)(header >> 52 & 3);
}

static inline uint8_t block_tx_seq(uint64_t header)
{
	return (uint8_t)(header >> 32);
}

static inline uint8_t block_rx_seq(uint64_t header)
{
	return (uint8_t)(header >> 24);
}

/* Note [link states]. Each direction of a link has a state, which is that of the node that sends
 * its blocks:
 *
 *   DOWN    no block was seen.            UP      it sends data.
 *   QUIET   it sends idle blocks only.    RETRY   it has asked for blocks to be sent again.
 *   START   it has asked to begin.        REPLAY  it has agreed to that, and sends them again.
 *   READY   it has agreed to begin.       ERROR   it sent what its state doesn't allow.
 *
 * A node agrees by a sync block with `ack` and without a request. A node is UP when both have
 * agreed; it is UP again when the other one has sent what it asked for. The thesis (figure 24) has
 * three bits for this estimate and does not print the states, so these are our own. A state depends
 * on all blocks so far, but its next value depends only on the states of both directions and on
 * the next block. rtl/example/nfacc_blocks.v computes the same. */
enum link_state {
	LINK_DOWN, LINK_QUIET, LINK_START, LINK_READY, LINK_UP, LINK_RETRY, LINK_REPLAY,
	LINK_ERROR
};

/* Returns the state of a direction after a block of it, whose header is given. `own` and `peer` are
 * the states of this direction and of the opposite one before the block. */
enum link_state link_next(enum link_state own, enum link_state peer, uint64_t header);

/* Returns the reduced form of a header (T figure 24): half of the reduced input, that is bits 31:0
 * for incoming blocks and bits 63:32 for outgoing ones. `state` is the state of the direction after
 * the block. Bits 29:22 are the credits; they are not in figure 24. */
uint32_t block_reduce(uint64_t header, enum link_state state);

#endif
