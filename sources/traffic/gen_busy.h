/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * gen_busy.h: traffic that keeps every slot busy, for measurements: random messages of all named
 * types, each in a slot that the protocol allows, in no meaningful order.
 */
#ifndef NFART_GEN_BUSY_H
#define NFART_GEN_BUSY_H

#include "contract/proto.h"
#include "include/nfart.h"
#include "sources/traffic/gen_random.h"

struct gen_busy {
	const struct nfart_proto *proto; /* borrowed */
	struct gen_random random;
	uint64_t first_line;
	uint32_t lines;                  /* at least 1 */
	uint32_t filled;                 /* mean slots in use; at least nslots: all of them */
	bool plain;                      /* headers with opcode and address alone */
	uint64_t time;                   /* of the last batch */
	uint64_t batches, messages;
	uint32_t nopcodes[NFART_SLOTS];
	uint8_t opcodes[NFART_SLOTS][1 << PROTO_OP_BITS];
};

/* The caller sets the fields above `time` first. */
void gen_busy_init(struct gen_busy *g);

/* The next batch, one cycle after the one before. */
void gen_busy_next(struct gen_busy *g, struct nfart_batch *b);

#endif
