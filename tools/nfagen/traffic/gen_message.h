/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * gen_message.h: finds the slot and makes the header of each ECI message that nfagen can send (T
 * table 2). Slots and opcodes are looked up by name in the protocol's table. Only the other fields
 * of headers are defined here. Nothing allocates memory.
 */
#ifndef NFART_GEN_MESSAGE_H
#define NFART_GEN_MESSAGE_H

#include "contract/proto/proto.h"

/* The kinds of messages that are sent. Most have the name that T table 2 gives them. */
enum gen_kind {
	GEN_R12,
	GEN_R13,       /* MREQ_RLDD: the R13 of a load */
	GEN_R13_STORE, /* MREQ_RLDX: the R13 of a store */
	GEN_R23,
	GEN_V21,
	GEN_V32,
	GEN_V31,
	GEN_A31,
	GEN_A21,
	GEN_A32,
	GEN_A22,
	GEN_A11,        /* MRSP_HAKI */
	GEN_A11_VICTIM, /* MRSP_HAKV: an A11 after a victim with data */
	GEN_RA2,
	GEN_RA3,
	GEN_F21,
	GEN_F31,
	GEN_F32,
	GEN_GSYNC,
	GEN_GSDN,
	/* The first kind of I/O. Kinds of I/O come last, because some protocols lack them. */
	GEN_IOBLD,
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
	/* Index of the cache line, as in the header. For GSYNC and GSDN only its lowest bit
	 * matters. For I/O: the number of a register. */
	uint64_t line;
	uint8_t kind;  /* enum gen_kind */
	uint8_t id;    /* RReqId or HReqId */
	uint8_t dmask; /* a bit for each quarter of the line that is requested or sent */
	/* The home of the line is the CPU: the FPGA sends what the CPU else sends, and the other
	 * way round. */
	bool at_cpu;
};

struct gen_codec {
	const struct nfart_proto *proto; /* borrowed */
	bool plain;                      /* headers have opcode and address; all other bits are 0 */
	bool has_io;                     /* the protocol has all messages of I/O */
	bool has_cpu_home;               /* the protocol has the messages of lines at the CPU */
	uint64_t opcode[GEN_KINDS];      /* by kind: the opcode, at its bits in the header */
	/* [home is the CPU][kind][with data][lowest bit of the line's index]: the slot */
	uint8_t slot[2][GEN_KINDS][2][2];
};

/* Fills *c for protocol p. False: the protocol lacks a coherence message that nfagen sends. */
bool gen_codec_init(struct gen_codec *c, const struct nfart_proto *p, bool plain);

/* Returns the header of a message. */
uint64_t gen_header(const struct gen_codec *c, const struct gen_message *m);

/* Does the message carry data of the line? */
bool gen_has_data(const struct gen_message *m);

/* Returns the size of a message in words of 64 bits, with the header: 1 to 17. */
static inline uint32_t gen_words(const struct gen_message *m)
{
	return gen_has_data(m) ? 1 + 4 * (uint32_t)__builtin_popcount(m->dmask) : 1;
}

/* Returns the slot that carries a message. */
static inline uint32_t gen_slot(const struct gen_codec *c, const struct gen_message *m)
{
	return c->slot[m->at_cpu][m->kind][gen_has_data(m)][m->line & 1];
}

#endif
