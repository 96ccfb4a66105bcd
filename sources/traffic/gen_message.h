/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * gen_message.h: the ECI messages that nfagen can send: the slot of each, and its header (T table
 * 2). Slots and opcodes come from the protocol's table, by name; only the fields other than opcode
 * and address are known here. Nothing allocates.
 */
#ifndef NFART_GEN_MESSAGE_H
#define NFART_GEN_MESSAGE_H

#include "contract/proto.h"

/* The events of T table 2 by their names there, and the other messages that are sent. */
enum gen_kind {
	GEN_R12,
	GEN_R13, /* MREQ_RLDD: a load */
	GEN_R13_STORE, /* MREQ_RLDX */
	GEN_R23,
	GEN_V21,
	GEN_V32,
	GEN_V31,
	GEN_A31,
	GEN_A21,
	GEN_A32,
	GEN_A22,
	GEN_A11, /* MRSP_HAKI */
	GEN_A11_VICTIM, /* MRSP_HAKV: a victim with data went before */
	GEN_RA2,
	GEN_RA3,
	GEN_F21,
	GEN_F31,
	GEN_F32,
	GEN_GSYNC,
	GEN_GSDN,
	GEN_IOBLD, /* the I/O kinds are the last: not every protocol has them */
	GEN_IOBST,
	GEN_IOBSTA,
	GEN_SLILD,
	GEN_SLIST,
	GEN_IOBRSP,
	GEN_IOBACK,
	GEN_SLIRSP,
	GEN_KINDS
};

enum { GEN_NO_LINE = UINT32_MAX };

struct gen_message {
	uint64_t line; /* index of the cache line, as in the header; of GSYNC and GSDN only the lowest
			* bit counts; of I/O it is the number of the register */
	uint8_t kind;
	uint8_t id;    /* RReqId or HReqId */
	uint8_t dmask; /* quarters of the line that are asked for or sent */
};

struct gen_codec {
	const struct nfart_proto *proto; /* borrowed */
	bool plain;                      /* only opcode and address, all other bits 0 */
	bool has_io;                     /* the protocol has VCs 0 and 1 */
	uint64_t opcode[GEN_KINDS];      /* in place */
	uint8_t slot[GEN_KINDS][2][2];   /* [with data][lowest bit of the line's index] */
};

/* False: the protocol lacks a message of the coherence protocol. */
bool gen_codec_init(struct gen_codec *c, const struct nfart_proto *p, bool plain);

uint64_t gen_header(const struct gen_codec *c, const struct gen_message *m);

/* Does the message carry data of the line? */
bool gen_has_data(const struct gen_message *m);

/* In words of 64 bits, the header included: 1 … 17. */
static inline uint32_t gen_words(const struct gen_message *m)
{
	return gen_has_data(m) ? 1 + 4 * (uint32_t)__builtin_popcount(m->dmask) : 1;
}

static inline uint32_t gen_slot(const struct gen_codec *c, const struct gen_message *m)
{
	return c->slot[m->kind][gen_has_data(m)][m->line & 1];
}

#endif
