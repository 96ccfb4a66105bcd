/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * gen_busy.h: generates traffic that keeps every slot busy, for measurements. The messages are of
 * random types, each in a slot that the protocol allows. Their order has no meaning.
 */
#ifndef NFART_GEN_BUSY_H
#define NFART_GEN_BUSY_H

#include "contract/proto/proto.h"
#include "include/nfart.h"
#include "tools/nfagen/traffic/gen_random.h"

struct gen_busy {
	const struct nfart_proto *proto; /* borrowed */
	struct gen_random random;
	uint64_t first_line;
	uint32_t lines;                  /* number of cache lines, at least 1 */
	/* mean number of slots with a message; nslots or more: all slots */
	uint32_t filled;
	bool plain;                      /* headers have opcode and address; all other bits are 0 */
	uint64_t time;                   /* time of the last batch */
	uint64_t batches, messages;      /* number of batches and of messages generated so far */
	uint32_t nopcodes[NFART_SLOTS];  /* by slot: length of its list in `opcodes` */
	uint8_t opcodes[NFART_SLOTS][1 << PROTO_OP_BITS];
};

/* Initialises a generator. The caller has set the fields before `time`. */
void gen_busy_init(struct gen_busy *g);

/* Stores the next batch in *b. Its time is one cycle after that of the batch before. */
void gen_busy_next(struct gen_busy *g, struct nfart_batch *b);

#endif
