/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * block_link.h: simulates the block layers of two nodes and the wires between them (T 1.3). Each
 * node sends a block in every cycle. The link comes up by sync blocks. Then the nodes return
 * credits for their empty buffers, and send messages as far as credits allow. Data blocks are
 * acknowledged. A damaged block is sent again, with all data blocks after it.
 *
 * The wires begin and end at a tap at the FPGA, which sees what the FPGA sends at once and what the
 * CPU sends when it arrives.
 */
#ifndef NFART_BLOCK_LINK_H
#define NFART_BLOCK_LINK_H

#include "tools/nfagen/blocks/block.h"
#include "tools/nfagen/traffic/gen_random.h"

enum block_node { BLOCK_CPU, BLOCK_FPGA };

enum {
	BLOCK_LATENCY = 100,   /* cycles that a block is on the wire */
	BLOCK_MESSAGE_MAX = 17 /* words of the longest message */
};

struct block_link;

/* Called when a node has all words of a message. It may call block_link_send(). */
typedef void block_receiver(void *context, struct block_link *l, enum block_node at, uint32_t vc,
			    uint64_t header);

/* Faults. Each happens once, at the first opportunity in or after a cycle in which it is due. */
struct block_faults {
	bool lose;    /* due: a data block is damaged on its way */
	bool overrun; /* due: a message is sent for which the credits don't suffice */
	/* What happened in the last cycle. */
	bool lost, overran;
	enum block_node sender; /* the node whose block was lost, or that overran */
	uint32_t vc;            /* of the message that overran */
};

/* Makes a link that is down. Both receivers are called with `context`. The caller frees the link by
 * block_link_free(), which accepts NULL. NULL: out of memory. */
struct block_link *block_link_new(uint64_t seed, block_receiver *receiver, void *context);
void block_link_free(struct block_link *l);

/* Queues a message that a node sends: its header decides its length. False: 64 messages are
 * waiting on this virtual channel. */
bool block_link_send(struct block_link *l, enum block_node from, uint32_t vc, uint64_t header);

/* Simulates a cycle. Stores the blocks that the tap sees: one that came in and one that went out.
 * has[0] is false until the first block of the CPU has arrived. */
void block_link_cycle(struct block_link *l, struct block_faults *f, struct block blocks[2],
		      bool has[2]);

/* Is the link up, with nothing to send or to receive, and no credit or acknowledgement due? */
bool block_link_is_quiet(const struct block_link *l);

/* Returns the header of a message about a whole line: the opcode of ECI, the RReqId (0 if it has
 * none), and the address, as it stands in headers. */
static inline uint64_t block_message(uint32_t opcode, uint32_t id, uint64_t address)
{
	return (uint64_t)opcode << 59 | (uint64_t)id << 50 | (uint64_t)15 << 46 | address;
}

/* Returns the virtual channel of a message: `even`, or the one after it. Odd lines are on even
 * channels. */
static inline uint32_t block_channel(uint32_t even, uint64_t header)
{
	return even + ((header >> 7 & 1) == 0);
}

/* Returns the number of words of a message with its header: 1 to 17. */
uint32_t block_message_words(uint32_t vc, uint64_t header);

#endif
