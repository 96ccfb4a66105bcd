/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * etrace_packet.h: takes packets of RISC-V Efficient Trace (E-Trace) from a stream, and reads their
 * fields. etrace.h follows the program with them.
 *
 * Note [E-Trace packets]
 * The specification `Efficient Trace for RISC-V` 2.0 says what a packet has, and `Unformatted Trace
 * & Diagnostic Data Packet Encapsulation for RISC-V` 1.0 how packets become bytes. Both send the
 * lowest bit first:
 *
 *	| length: 5 | flow: 2 | timestamp follows: 1 | source | timestamp | type: 2 | packet |
 *
 * `length` counts the bytes after the whole bytes of the source and the timestamp. A length of 0 is
 * a byte of padding. At its end a packet is shortened by bits that are equal to the last one that
 * is sent. So bits that are missing are equal to the last bit.
 *
 * Formats of packets are 1 (up to 31 outcomes of branches, and maybe an address), 2 (an address)
 * and 3: start or synchronisation, trap, context, or the options of the encoder. Format 0 belongs
 * to the options branch prediction (31 or more outcomes that were predicted, one that was not, and
 * maybe an address) and jump target cache (an index instead of the address).
 *
 * An encoder chooses the bits of `ioptions` in the packet of options. These are those of the
 * reference encoder: implicit return, implicit exception, full address, jump target cache, branch
 * prediction. Jumps that are inferred from two instructions have no bit there.
 */
#ifndef NFACC_RISCV_ETRACE_PACKET_H
#define NFACC_RISCV_ETRACE_PACKET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The parameters of an encoder, with their names in the specification. Widths are in bits. N-Trace
 * (ntrace_message.h) has only the source and extend_address.
 */
struct etrace_encoder {
	unsigned iaddress_width, iaddress_lsb, privilege_width, ecause_width;
	unsigned context_width, time_width;                  /* 0: packets have no such field */
	unsigned return_stack_size, call_counter_size;       /* logarithms; 0: there is none */
	unsigned source_width, timestamp_width;              /* of the encapsulation */
	unsigned extend_address;  /* N-Trace: 1 if bits above an address are like its highest one */
	unsigned bpred_size, cache_size;    /* logarithms; 0: there is none */
	unsigned f0s_width;       /* width of the field `subformat` of format 0 */
	unsigned sijump;          /* 1: targets that are loaded right before are left out */
	uint64_t mtvec, stvec;    /* registers that say where handlers are; 0: not known */
};

enum { ETRACE_TABLE_SIZE = 10 }; /* the greatest bpred_size and cache_size */

/*
 * Sets *e to the usual encoder, changed by a list such as "context_width=16,mtvec=0x80000000".
 * Returns false if a name or number in the list is wrong.
 */
bool etrace_encoder_read(struct etrace_encoder *e, const char *list);

/* Whether all parameters that an encoder of N-Trace (or of E-Trace) lacks are the usual ones. */
bool etrace_encoder_fits(const struct etrace_encoder *e, bool ntrace);

enum etrace_kind {
	ETRACE_BRANCHES, /* format 0, 1 or 2: outcomes of branches, or an address, or both */
	ETRACE_START,
	ETRACE_TRAP,
	ETRACE_CONTEXT,
	ETRACE_SUPPORT
};

enum { /* struct etrace_packet.options */
	ETRACE_IMPLICIT_RETURN = 1,
	ETRACE_IMPLICIT_EXCEPTION = 2,
	ETRACE_FULL_ADDRESS = 4,
	ETRACE_JUMP_CACHE = 8,
	ETRACE_PREDICTION = 16,
	/* what is between two synchronisations must be known to the end */
	ETRACE_HISTORY = ETRACE_IMPLICIT_RETURN | ETRACE_JUMP_CACHE | ETRACE_PREDICTION
};

enum etrace_qualification { ETRACE_NO_CHANGE, ETRACE_ENDED_REP, ETRACE_LOST, ETRACE_ENDED_NTR };

struct etrace_packet {
	enum etrace_kind kind;
	uint64_t branches;   /* number of outcomes */
	bool predicted;      /* they are as predicted, besides: */
	bool failed;         /* the last one is not as predicted */
	uint64_t map;        /* else a bit for each, the oldest one first; 1: not taken */
	bool has_address;
	bool cached;         /* the address is in the jump target cache, at */
	uint32_t index;
	uint64_t address;    /* a distance, if it is not a full address; its sign is extended */
	bool notify, updiscon, irreport; /* as flags: the bit differs from the one before it */
	uint64_t irdepth;    /* with irreport */
	bool not_taken;      /* START, TRAP: the bit `branch` */
	bool handler;        /* TRAP: the address is that of the handler, which has begun */
	bool interrupt;      /* TRAP */
	uint32_t cause;      /* TRAP */
	unsigned privilege;
	uint64_t context;
	unsigned options;
	enum etrace_qualification qualification;
};

enum { ETRACE_MOST_BYTES = 1 + 2 + 8 + 31 };

/* One packet in the bytes of a stream. */
struct etrace_frame {
	size_t size;        /* bytes of all of it */
	uint32_t source;
	size_t first, bits; /* the bits of the packet after its type */
	bool instructions;  /* it is no padding, and no trace of data */
};

/*
 * Finds the packet that begins at `at`, where n bytes follow. Returns NULL and sets f->size; if
 * that is more than n, the other fields are not set, and more bytes are needed. Else returns what
 * is wrong.
 */
const char *etrace_frame_find(struct etrace_frame *f, const struct etrace_encoder *e,
			      const unsigned char *at, size_t n);

/*
 * Reads the packet in frame f, which begins at `at`. `options` are those of its source: with
 * implicit exceptions, the address of a handler is not there. Returns NULL, or what is wrong.
 */
const char *etrace_packet_read(struct etrace_packet *p, const struct etrace_encoder *e,
			       unsigned options, const struct etrace_frame *f,
			       const unsigned char *at);

#endif
